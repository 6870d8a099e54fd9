//! Damaged and hostile texts: whatever they are, there is a model or an error, and never a panic.

use std::path::Path;

use ample_source::{ClaimText, Diagnostics, FormulaText, MemoryLoader, Request, SourceMap};
use proptest::prelude::*;

const MODEL: &str = "const byte N = 2; byte x = 1, a[N] = {1, 2}; int y; channel c, d[1]; channel {byte, int} e[2];
process P(key i) { byte l; state q, r; init q; commit r; accept q; assert q: l < 3;
 trans q -> r { guard x == 1 && not a[i] imply Q.s; sync c!x; effect a[i] = x + 1, l = 0; }, -> q { sync e?{x, y}; }; }
process P(0); for (k : 1 .. 1) { process P(k); }
process Q { byte z; state s; init s; trans s -> s { sync c?z; }, s -> s { guard P(0)->l == 1; sync d!; }; }
property process C { state t; init t; accept t; trans t -> t { guard x; }; }
expression up() { x == 1 } property ltl f \"G(up -> F Q.s)\"
system async;";

const TEMPLATE: &str =
    "default(N,2) define(P, `process P_$1 { state q; init q; trans myloop(j,0,N,`q -> q { guard x == j; }',`,'); }')
byte x; queue(b, 3) async_channel(k, 1) forloop(i,0,decr(N),`P(i) ifelse(i,0,`byte z;')')
// don't
system sync;";

/// Reads a text and says whether it is a model. Without one there must be an error.
fn accepts(name: &str, text: &str, formula: &str) -> bool {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::new();
    let formulas = [FormulaText { name: "it".to_owned(), text: formula.to_owned() }];
    let claims = [ClaimText { name: "file".to_owned(), path: "it.ltl".into(), text: formula.to_owned() }];
    let description = format!(
        "<model><ap parametrized=\"yes\"><ap-name>up</ap-name><ap-expression>{text}</ap-expression></ap>{formula}</model>"
    );
    let loader = MemoryLoader::new().with("m.xml", description);
    let request = Request {
        root: Path::new(name),
        text,
        loader: &loader,
        defines: &[("N".to_owned(), "2".to_owned())],
        inputs: &[],
        formulas: &formulas,
        claims: &claims,
        wanted: &["beem:1".to_owned()],
        values: &[],
    };
    let read = ample_frontends::read_request(request, &mut sources, &mut diagnostics);
    assert_eq!(read.is_none(), diagnostics.has_errors());
    let plain = Request { formulas: &[], claims: &[], wanted: &[], ..request };
    ample_frontends::read_request(plain, &mut SourceMap::default(), &mut Diagnostics::new()).is_some()
}

/// The text with a few words changed for others of it, left out or doubled.
fn damaged(text: &str, changes: &[(usize, usize, u8)]) -> String {
    let mut parts: Vec<&str> = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).collect();
    for &(at, from, how) in changes {
        let (at, from) = (at % parts.len(), from % parts.len());
        match how % 3 {
            0 => parts[at] = parts[from],
            1 => parts[at] = "",
            _ => parts.insert(at, parts[from]),
        }
    }
    parts.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>(), formula in any::<String>()) {
        accepts("m.dve", &text, &formula);
        accepts("m.mdve", &text, &formula);
    }

    #[test]
    fn any_symbols(text in "[`'(),$1xNdefine;{}\\[\\]<>!?&|= -]{0,200}") {
        accepts("m.dve", &text, &text);
        accepts("m.mdve", &text, &text);
    }

    #[test]
    fn damaged_models(changes in proptest::collection::vec(any::<(usize, usize, u8)>(), 0..6)) {
        accepts("m.dve", &damaged(MODEL, &changes), "#define up x == 1\n#property G up");
        accepts("m.mdve", &damaged(TEMPLATE, &changes), "Gx");
    }
}

#[test]
fn the_texts_are_models_before_they_are_damaged() {
    assert!(accepts("m.dve", MODEL, "G x"));
    assert!(accepts("m.mdve", &TEMPLATE.replace("async_channel(k, 1)", "").replace("byte z;", ""), "G x"));
}

#[test]
fn deep_and_long_texts_do_not_exhaust_the_stack() {
    let deep = 20_000;
    for inside in [
        format!("{}x{}", "(".repeat(deep), ")".repeat(deep)),
        "not ".repeat(deep) + "x",
        "-".repeat(deep) + "x",
        "x + ".repeat(deep) + "x",
        "x imply ".repeat(deep) + "x",
        "a[".repeat(deep),
    ] {
        let text =
            format!("byte x; process P {{ state q; init q; trans q -> q {{ guard {inside}; }}; }} system async;");
        accepts("m.dve", &text, &inside);
    }
    accepts("m.mdve", &"f(".repeat(deep), "x");
    accepts("m.mdve", &("define(f,1)".to_owned() + &"f(".repeat(deep)), "x");
    accepts("m.mdve", &format!("eval({})", "(".repeat(deep)), "x");
    accepts("m.mdve", &format!("eval({}1)", "1+".repeat(deep)), "x");
    accepts("m.dve", &"for (x : 1 .. 2) { ".repeat(deep), "x");
    accepts("m.dve", "for (x : 0 .. 2147483647) { }", "x");
}
