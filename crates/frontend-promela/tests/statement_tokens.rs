//! Every short sequence of tokens where a statement may stand gives a model or an error: no endless
//! recursion, no panic.
//!
//! All pairs of all tokens, and all triples of those that turn the parser, each inside of a loop
//! and of the other blocks. The messages are rendered as the program does it.

use std::path::Path;

use ample_property::ParsedText;
use ample_source::{Diagnostics, MemoryLoader, Request, SourceMap, Style, render};

/// What a statement may be made of: keywords, names of every kind, numbers, punctuation.
const TOKENS: &str = "active assert atomic bit bool break byte c_code c_decl c_expr chan D_proctype d_step do else empty enabled \
    eval false fi for full get_priority goto hidden if in init inline int len local ltl mtype nempty never nfull notrace np_ od \
    of pc_value pid printf printm priority proctype provided return run select set_priority short show skip timeout trace true \
    typedef unless unsigned xr xs x a c m t T P f L _ _pid _nr_pr _last 0 1 'a' \"s\" :: -> --> -- ++ << <= >> >= == != !! ?? && \
    || .. ## ; : , . ( ) [ ] { } @ ~ ^ & | * / % + - < > = ! ? $ # */ \\";

/// Those of which all triples are tried.
const TURNING: &str = "atomic byte chan d_step do od if fi for goto xr unless else run assert x a c T L f eval 1 :: -> ; : , \
    ( ) [ ] { } . @ - = ! ? ++";

/// Where the tokens stand.
const PLACES: [&str; 5] =
    ["do :: @ od", "atomic { @ }", "{ @ } unless { @ }", "if :: @ :: else fi; @", "for (x : 1 .. 2) { @ }"];

fn check(place: &str, tokens: &[&str]) -> bool {
    let body = place.replace('@', &tokens.join(" "));
    let text = format!(
        "mtype = {{ m }}; typedef T {{ byte y }}; byte x, a[2]; chan c = [1] of {{ byte }}; T t;\n\
         inline f(q) {{ skip }}\nactive proctype P() {{ L: {body} }}\n"
    );
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::new();
    let loader = MemoryLoader::new();
    let request = Request {
        root: Path::new("m.pml"),
        text: &text,
        loader: &loader,
        defines: &[],
        inputs: &[],
        formulas: &[],
        claims: &[],
        wanted: &[],
        values: &[],
    };
    let model = ample_frontend_promela::parse(request, &mut sources, &mut diagnostics).map(ParsedText::lower_alone);
    let model = model.filter(|_| !diagnostics.has_errors());
    assert_eq!(model.is_none(), diagnostics.has_errors(), "{text}");
    // Rendering takes longer than reading: the first message is enough, they are made alike.
    let shown = &diagnostics.as_slice()[..diagnostics.as_slice().len().min(1)];
    assert_eq!(render(shown, &sources, Style::Plain).is_empty(), shown.is_empty(), "{text}");
    model.is_some()
}

#[test]
fn all_pairs_of_tokens() {
    let tokens: Vec<&str> = TOKENS.split_whitespace().collect();
    let mut models = 0;
    for place in PLACES {
        for first in &tokens {
            models += usize::from(check(place, &[first]));
            for second in &tokens {
                models += usize::from(check(place, &[first, second]));
            }
        }
    }
    println!("{models} are models");
    assert!(models > 100, "only {models} are models");
}

#[test]
fn all_triples_of_turning_tokens() {
    let tokens: Vec<&str> = TURNING.split_whitespace().collect();
    let mut models = 0;
    for (number, first) in tokens.iter().enumerate() {
        for second in &tokens {
            for third in &tokens {
                models += usize::from(check(PLACES[number % 2], &[first, second, third]));
            }
        }
    }
    println!("{models} are models");
    assert!(models > 100, "only {models} are models");
}
