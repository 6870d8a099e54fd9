//! Damaged and hostile texts: whatever the bytes, there is a model or an error, and never a panic.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use ample_equivalence::read_aut;
use ample_frontends::{ClaimText, FormulaText, LoadOptions, Loaded, load_file, load_text};
use ample_interpret::Interpreter;
use ample_replay::{Comments, Run, TraceFile, replay, spin};
use ample_source::{Diagnostic, Severity, SourceMap, Span, Style, render};
use ample_stdx::Random;
use ample_testing::{corpus, mutate, workspace_root};

/// How many damaged texts are tried; `AMPLE_FUZZ` asks for more.
const TEXTS: u64 = 2_000;

/// What a text is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Promela,
    Dve,
    Template,
    GuardedCommands,
    NeverClaim,
    Hoa,
    FormulaFile,
    Formula,
    Trace,
    SpinRun,
    Aldebaran,
}

impl Language {
    const ALL: [Language; 11] = [
        Language::Promela,
        Language::Dve,
        Language::Template,
        Language::GuardedCommands,
        Language::NeverClaim,
        Language::Hoa,
        Language::FormulaFile,
        Language::Formula,
        Language::Trace,
        Language::SpinRun,
        Language::Aldebaran,
    ];

    /// The endings of its files.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Language::Promela => &["pml", "prm", "promela"],
            Language::Dve => &["dve"],
            Language::Template => &["mdve"],
            Language::GuardedCommands => &["gcl"],
            Language::Hoa => &["hoa"],
            _ => &[],
        }
    }

    /// Texts that need no file.
    fn samples(self) -> &'static [&'static str] {
        match self {
            Language::NeverClaim => CLAIMS,
            Language::Formula | Language::FormulaFile => FORMULAS,
            Language::Hoa => &[AUTOMATON],
            Language::GuardedCommands => &[COMMANDS],
            Language::Trace => &[TRACE],
            Language::SpinRun => &[SPIN_RUN],
            Language::Aldebaran => &["des (0, 3, 2)\n(0, \"x := 1\", 1)\n(1, i, 0)\n(1, tau, 1)\n"],
            _ => &[],
        }
    }

    /// Reads a text, and whatever is said about it as the program says it. Whether it was
    /// understood.
    fn accepts(self, text: String) -> bool {
        let claim = |ending: &str| {
            let claim = ClaimText { name: "it".to_owned(), path: format!("it.{ending}").into(), text: text.clone() };
            accepts_options(&LoadOptions { claims: vec![claim], ..LoadOptions::default() })
        };
        match self {
            Language::Promela => accepts("fuzz.pml", text, &LoadOptions::default()),
            Language::Dve => accepts("fuzz.dve", text, &LoadOptions::default()),
            Language::Template => accepts("fuzz.mdve", text, &LoadOptions::default()),
            Language::GuardedCommands => accepts("fuzz.gcl", text, &LoadOptions::default()),
            Language::NeverClaim => claim("never"),
            Language::Hoa => claim("hoa"),
            Language::FormulaFile => claim("ltl"),
            Language::Formula => {
                let formulas = vec![FormulaText { name: "it".to_owned(), text }];
                accepts_options(&LoadOptions { formulas, ..LoadOptions::default() })
            }
            Language::Trace => follows_trace(&text),
            Language::SpinRun => follows_spin(&text),
            Language::Aldebaran => reads_aldebaran(&text),
        }
    }
}

/// The model that claims, formulas and traces are about.
const MODEL: &str = "byte x; bool a, b; chan c = [1] of { byte };
#define both (a && b)
active proctype P() { c!1; x = 1; a = true; assert(x == 0) }
active proctype Q() { c?x; b = true }
";

const CLAIMS: &[&str] = &[
    "never { /* !G(a -> F b) */\nT0_init:\n  do\n  :: atomic { (a && !b) -> assert(!(a)) }\n  :: (1) -> goto accept_S1\n  od;\n\
     accept_S1:\n  do\n  :: !both -> goto accept_S1\n  :: false\n  od;\naccept_all:\n  skip\n}\n",
    "#define on (x == 1)\nnever missing { do :: !on :: P@end_ -> break :: else od; if :: x > 1 && len(c) == 0 fi }\n",
];

const FORMULAS: &[&str] = &[
    "G(x == 1 -> F both)\n",
    "[] (a -> <> (b U x > 2)) && !(a W b)",
    "# a comment\n\nF G {len(c) == 0} | X (a R \"x == 2\") <-> (a xor b)\n",
];

const AUTOMATON: &str = "HOA: v1\nname: \"F G a\"\nStates: 2\nStart: 0\nAP: 2 \"a\" \"x == 1\"\nacc-name: Buchi\n\
    Acceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc\n--BODY--\nState: 0\n[t] 0\n[0 & !1] 1\n\
    State: 1 {0}\n[0] 1\n--END--\n";

const COMMANDS: &str = "const N = 3, B = true;\ntype pid = scalarset(N); type small = -1..N + 1;\n\
    var x, y : int = 2; var b : bool = any; var r : 0..7 = any; var a[N] : int = {1, 2, 3}; var p : pid; var c[pid] : small;\n\
    [go] x = 0 and not b or r != 3 -> x := x + 1 - 2 * 3 / 4 % 5, r := input;\ntau y >= 2 && !(x <= 1) || b -> skip;\n\
    process q[i : 1..N] { var pc : 0..3; var own[0..1] : bool = true; pc = i -> pc := if b then 1 else 0, own[0] := false; }\n\
    process s[i : pid] { p = none -> p := i, c[i] := 1; p = i -> p := none; }\n\
    a[x] == 1 -> a[q[x].pc] := -9223372036854775808;\n\
    error both: q[1].pc = 2 and q[2].pc = 2; ltl fair { G F q[1].pc = 1 -> {x < 3} U b } ltl { F x = 1 }\n\
    end x = 5 or q[3].own[1]; progress x + y; // done\n";

const TRACE: &str = "ample trace 1\nmodel m.pml\nsource 0123456789abcdef m.pml\nproperty safety\nfault assertion m.pml:3:54\n\
    message assertion failed: x == 0\nmoves 4\n1 0 0 -  # P[0] m.pml:3  c!1\n2 0 1 -\n3 0 2 -\n4 0 3 -\n";

const SPIN_RUN: &str = "  1:\tproc  0 (P:1) m.pml:3 (state 1)\t[c!1]\n  2:\tproc  0 (P:1) m.pml:3 (state 2)\t[x = 1]\n\
    \t\tx = 1\nspin: m.pml:3, Error: assertion violated\n#processes: 2\n  3:\tproc  1 (Q:1) m.pml:4 (state 1)\n";

#[test]
fn damaged_texts_of_every_language_give_a_model_or_an_error() {
    let sources: Vec<(Language, Vec<Source>)> =
        Language::ALL.into_iter().map(|language| (language, sources(language))).collect();
    let texts = std::env::var("AMPLE_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(TEXTS);
    let mut understood = [0; Language::ALL.len()];
    for seed in 0..texts {
        let mut prng = Random::new(seed);
        let place = prng.below(sources.len());
        let (language, sources) = &sources[place];
        let source = prng.pick(sources).expect("there are texts of every language");
        let text = String::from_utf8_lossy(&mutate::damage(&mut prng, &source.text)).into_owned();
        match catch_unwind(AssertUnwindSafe(|| language.accepts(text.clone()))) {
            Ok(accepted) => understood[place] += u64::from(accepted),
            Err(panic) => {
                eprintln!("seed {seed}, {language:?} made from {}; the text:\n{text}", source.name);
                std::panic::resume_unwind(panic);
            }
        }
    }
    for ((language, sources), understood) in sources.iter().zip(understood) {
        println!("{language:?}: {understood} damaged texts, made from {}, are still understood", sources.len());
        assert!(understood > 0, "{language:?}: no damaged text is understood");
    }
    // Damage that leaves nothing whole would test the first error only.
    let all: u64 = understood.iter().sum();
    assert!(all * 50 > texts && all < texts, "{all} of {texts} are still understood");
}

#[test]
fn bytes_that_are_no_text_give_an_error() {
    let folder = std::env::temp_dir().join(format!("ample-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a scratch folder");
    let path = folder.join("noise.pml");
    for seed in 0..200 {
        let mut prng = Random::new(seed);
        let length = prng.below(2_000);
        let bytes: Vec<u8> = (0..length).map(|_| prng.number() as u8).collect();
        fs::write(&path, &bytes).expect("the scratch folder is ours");
        match load_file(&path, &LoadOptions::default()) {
            Ok(_) => panic!("seed {seed}: noise is a model"),
            Err(failure) => {
                assert!(!failure.diagnostics.is_empty(), "seed {seed}: no error");
                say(&failure.diagnostics, &failure.sources);
            }
        }
    }
    fs::remove_dir_all(&folder).expect("the scratch folder is ours");
}

#[test]
fn deep_and_long_texts_do_not_exhaust_the_stack() {
    let deep = 10_000;
    let body = |text: String| format!("byte x;\nactive proctype P() {{ {text} }}\n");
    let pair = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(deep), close.repeat(deep));
    let sum = |term: &str, count: usize| vec![term; count].join(" + ");
    for (what, text) in [
        ("braces", body(pair("{ ", "skip", " }"))),
        ("open braces", body("{ ".repeat(deep))),
        ("closing braces", body("} ".repeat(deep))),
        ("parentheses", body(format!("x = {}", pair("(", "1", ")")))),
        ("open parentheses", body(format!("x = {}", "(".repeat(deep)))),
        ("indices", format!("byte a[2];\nactive proctype P() {{ a[0] = {} }}\n", pair("a[", "0", "]"))),
        ("selections", body(pair("if :: ", "skip", " fi"))),
        ("loops", body(pair("do :: ", "break", " od"))),
        ("atomic", body(pair("atomic { ", "skip", " }"))),
        ("d_step", body(pair("d_step { ", "skip", " }"))),
        ("unless", body(pair("{ ", "skip", " } unless { skip }"))),
        ("negations", body(format!("x = {}1", "!".repeat(deep)))),
        ("minus signs", body(format!("x = {}1", "- ".repeat(deep)))),
        ("conditionals", body(format!("x = {}", pair("(x -> ", "1", " : 0)")))),
        ("a long sum", body(format!("x = {}", sum("1", 100_000)))),
        ("a long sum of variables", body(format!("x = {}", sum("x", 100_000)))),
        ("a long sequence", body(vec!["x = 1"; 100_000].join(";\n"))),
        ("many options", body(format!("if {} fi", ":: skip ".repeat(20_000)))),
        ("many variables", format!("{}active proctype P() {{ skip }}\n", many(|n| format!("byte v{n};\n"), 20_000))),
        ("nested comments", format!("/* {} */ active proctype P() {{ skip }}\n", "/* ".repeat(deep))),
        (
            "macros in macros",
            format!("{}active proctype P() {{ skip }}\n", many(|n| format!("#define m{n} m{}\n", n + 1), deep)),
        ),
        (
            "a macro that doubles",
            format!("{}byte x = m0;\n", many(|n| format!("#define m{n} m{} + m{}\n", n + 1, n + 1), 60)),
        ),
        ("a macro of itself", "#define a a + a\nbyte x = a;\nactive proctype P() { skip }\n".to_owned()),
        ("conditions", format!("{}active proctype P() {{ skip }}\n", "#if 1\n".repeat(deep))),
        ("an ltl formula", format!("byte x;\nactive proctype P() {{ skip }}\nltl {{ {}x }}\n", "[] <> ".repeat(deep))),
        (
            "a formula in parentheses",
            format!("byte x;\nactive proctype P() {{ skip }}\nltl {{ {} }}\n", pair("(", "x", ")")),
        ),
        ("inlines in inlines", {
            let inlines = many(|n| format!("inline i{}() {{ i{n}() }}\n", n + 1), 2_000);
            format!("inline i0() {{ skip }}\n{inlines}active proctype P() {{ i2000() }}\n")
        }),
        ("an inline of itself", "inline i() { i() }\nactive proctype P() { i() }\n".to_owned()),
        ("a large array", "int a[2000000000];\nactive proctype P() { a[0] = 1 }\n".to_owned()),
        ("many processes", "active [2000000000] proctype P() { skip }\n".to_owned()),
        ("a large channel", "chan c = [2000000000] of { int };\nactive proctype P() { c!1 }\n".to_owned()),
    ] {
        println!("{what}");
        accepts("fuzz.pml", text, &LoadOptions::default());
    }
}

#[test]
fn deep_and_long_programs_do_not_exhaust_the_stack_or_the_memory() {
    let deep = 10_000;
    let command = |guard: String| format!("var x : int;\n{guard} -> x := 1;\n");
    let pair = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(deep), close.repeat(deep));
    for (what, text) in [
        ("parentheses", command(pair("(", "x = 1", ")"))),
        ("open parentheses", command("(".repeat(deep))),
        ("indices", command(pair("x[", "0", "]"))),
        ("negations", command("! ".repeat(deep) + "x")),
        ("words of negation", command("not ".repeat(deep) + "x = 1")),
        ("minus signs", command("- ".repeat(deep) + "x = 1")),
        ("choices", command(pair("if x = 1 then ", "1", " else 2") + " = 1")),
        ("a long sum", command(vec!["x"; 100_000].join(" + ") + " = 1")),
        ("a long condition", command(vec!["x = 1"; 100_000].join(" and "))),
        ("processes in processes", pair("process p { ", "true -> skip;", " }")),
        ("braces", format!("ltl f {{ {} }}\n", pair("{", "x", "}"))),
        ("many commands", "true -> skip;\n".repeat(100_000)),
        ("large families", "process p[i : 1..60000] { var a[60000] : int; true -> skip; }\n".repeat(50)),
        ("large arrays", "var a[60000] : 0..9 = any;\ntrue -> a[0] := input;\n".to_owned()),
        ("many inputs", format!("var x : 0..1;\ntrue -> {}x := 1;\n", "x := input, ".repeat(deep))),
        ("a large set", "var p : scalarset(65536) = any;\ntrue -> p := input;\n".to_owned()),
        ("all numbers", "var x : -9223372036854775808..9223372036854775807 = any;\ntrue -> x := input;\n".to_owned()),
    ] {
        println!("{what}");
        accepts("fuzz.gcl", text, &LoadOptions::default());
    }
}

#[test]
fn inlines_that_double_do_not_exhaust_the_memory() {
    let inlines = many(|n| format!("inline i{}() {{ i{n}(); i{n}() }}\n", n + 1), 40);
    let text = format!("inline i0() {{ skip }}\n{inlines}active proctype P() {{ i40() }}\n");
    assert!(!accepts("fuzz.pml", text, &LoadOptions::default()));
}

#[test]
fn arrays_of_arrays_do_not_exhaust_the_memory() {
    let types = many(|n| format!("typedef T{} {{ T{n} a[1000] }};\n", n + 1), 10);
    let text = format!("typedef T0 {{ byte a[1000] }};\n{types}T10 x;\nactive proctype P() {{ skip }}\n");
    assert!(!accepts("fuzz.pml", text, &LoadOptions::default()));
}

fn many(line: impl Fn(usize) -> String, count: usize) -> String {
    (0..count).map(line).collect()
}

/// Whether what the options ask about [`MODEL`] can be asked.
fn accepts_options(options: &LoadOptions) -> bool {
    accepts("m.pml", MODEL.to_owned(), options)
}

/// Whether the text is a model; if not, there must be an error.
fn accepts(name: &str, text: String, options: &LoadOptions) -> bool {
    match load_text(name, text, options) {
        Ok(loaded) => {
            assert!(loaded.warnings.iter().all(|diagnostic| diagnostic.severity == Severity::Warning));
            say(&loaded.warnings, &loaded.sources);
            true
        }
        Err(failure) => {
            let errors = failure.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
            assert!(errors > 0, "neither a model nor an error");
            say(&failure.diagnostics, &failure.sources);
            false
        }
    }
}

/// Renders messages as the program does: as text, for a terminal, and as JSON.
fn say(diagnostics: &[Diagnostic], sources: &SourceMap) {
    for style in [Style::Plain, Style::Colour] {
        // The program shows as many; layout takes much longer than reading.
        let shown = &diagnostics[..diagnostics.len().min(10)];
        let text = render(shown, sources, style);
        assert!(shown.iter().all(|entry| !entry.message.is_empty()) && text.is_empty() == shown.is_empty());
    }
    let object = ample_report::json::error("it is wrong", diagnostics, sources);
    assert_eq!(object["diagnostics"].as_array().map(Vec::len), Some(diagnostics.len()));
    assert!(!object.to_string().is_empty());
}

/// The model of [`MODEL`].
fn model() -> Loaded {
    load_text("m.pml", MODEL.to_owned(), &LoadOptions::default()).expect("the model is right")
}

/// Whether the text is a trace, which is then followed as far as it leads.
fn follows_trace(text: &str) -> bool {
    let trace = match TraceFile::parse(text) {
        Ok(trace) => trace,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let loaded = model();
    if let Err(change) = trace.check_sources(&loaded.sources) {
        assert!(!change.to_string().is_empty());
    }
    let interpreter = Interpreter::new(&loaded.model);
    match replay(&interpreter, &trace.trace, &|_| true, None) {
        Ok(_) => {
            let comments = Comments { interpreter: &interpreter, sources: &loaded.sources };
            let mut written = Vec::new();
            trace.write(Some(&comments), &mut written).expect("memory can be written to");
            assert!(TraceFile::is_one(&String::from_utf8_lossy(&written)));
        }
        Err(mismatch) => assert!(!mismatch.to_string().is_empty()),
    }
    true
}

/// Whether the text is a run that Spin printed.
fn follows_spin(text: &str) -> bool {
    let loaded = model();
    let interpreter = Interpreter::new(&loaded.model);
    let start = Run::start(&interpreter).expect("the model has an initial state");
    match spin::follow(start, &loaded.sources, text) {
        Ok((_, steps)) => !steps.is_empty(),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// Whether the text is a transition system.
fn reads_aldebaran(text: &str) -> bool {
    let mut sources = SourceMap::new();
    let file = sources.add_file("fuzz.aut", text);
    let error = read_aut(text, Span::new(file, 0, text.len() as u32), &["i".to_owned()]).err();
    say(error.as_deref().map(std::slice::from_ref).unwrap_or_default(), &sources);
    error.is_none()
}

/// A text to be damaged.
struct Source {
    name: String,
    text: Vec<u8>,
}

/// The texts of a language: samples, examples, and the corpus where it is.
fn sources(language: Language) -> Vec<Source> {
    let mut paths = Vec::new();
    collect(&workspace_root().join("examples"), language, &mut paths);
    if let Some(folder) = corpus::folder() {
        collect(&folder, language, &mut paths);
    }
    paths.sort();
    let read = |path: PathBuf| Some(Source { name: path.display().to_string(), text: fs::read(&path).ok()? });
    let sample = |text: &&str| Source { name: "a sample".to_owned(), text: text.as_bytes().to_vec() };
    let files = paths.into_iter().filter_map(read).filter(|source| source.text.len() < 20_000);
    files.chain(language.samples().iter().map(sample)).collect()
}

fn collect(folder: &Path, language: Language, paths: &mut Vec<PathBuf>) {
    let is_of = |path: &Path| path.extension().is_some_and(|ending| language.endings().iter().any(|it| ending == *it));
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() {
            collect(&path, language, paths);
        } else if is_of(&path) {
            paths.push(path);
        }
    }
}
