//! Damaged and hostile texts: whatever the bytes, there is a model or an error, and never a panic.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use ample_frontends::{LoadOptions, load_file, load_text};
use ample_source::Severity;
use ample_testing::prng::Prng;
use ample_testing::{corpus, mutate, workspace_root};

/// How many damaged texts are tried; `AMPLE_FUZZ` asks for more.
const TEXTS: u64 = 2_000;

#[test]
fn damaged_models_give_a_model_or_an_error() {
    let sources = sources();
    let texts = std::env::var("AMPLE_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(TEXTS);
    let mut parsed = 0;
    for seed in 0..texts {
        let mut prng = Prng::new(seed);
        let (name, source) = prng.pick(&sources).expect("there are examples");
        let text = mutate::damage(&mut prng, source);
        let text = String::from_utf8_lossy(&text).into_owned();
        match catch_unwind(AssertUnwindSafe(|| accepts(text.clone()))) {
            Ok(accepted) => parsed += u64::from(accepted),
            Err(panic) => {
                eprintln!("seed {seed}, made from {name}; the text:\n{text}");
                std::panic::resume_unwind(panic);
            }
        }
    }
    println!("{texts} damaged texts from {} models: {parsed} are still models", sources.len());
    // Damage that leaves nothing whole would test the first error only.
    assert!(parsed * 50 > texts && parsed < texts, "{parsed} of {texts} are still models");
}

#[test]
fn bytes_that_are_no_text_give_an_error() {
    let folder = std::env::temp_dir().join(format!("ample-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a scratch folder");
    let path = folder.join("noise.pml");
    for seed in 0..200 {
        let mut prng = Prng::new(seed);
        let length = prng.below(2_000);
        let bytes: Vec<u8> = (0..length).map(|_| prng.number() as u8).collect();
        fs::write(&path, &bytes).expect("the scratch folder is ours");
        match load_file(&path, &LoadOptions::default()) {
            Ok(_) => panic!("seed {seed}: noise is a model"),
            Err(failure) => assert!(!failure.diagnostics.is_empty(), "seed {seed}: no error"),
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
        accepts(text);
    }
}

#[test]
fn inlines_that_double_do_not_exhaust_the_memory() {
    let inlines = many(|n| format!("inline i{}() {{ i{n}(); i{n}() }}\n", n + 1), 40);
    assert!(!accepts(format!("inline i0() {{ skip }}\n{inlines}active proctype P() {{ i40() }}\n")));
}

#[test]
fn arrays_of_arrays_do_not_exhaust_the_memory() {
    let types = many(|n| format!("typedef T{} {{ T{n} a[1000] }};\n", n + 1), 10);
    let text = format!("typedef T0 {{ byte a[1000] }};\n{types}T10 x;\nactive proctype P() {{ skip }}\n");
    assert!(!accepts(text));
}

fn many(line: impl Fn(usize) -> String, count: usize) -> String {
    (0..count).map(line).collect()
}

/// Whether the text is a model; if not, there must be an error. Runs on a stack of the usual size, so that the tests do not
/// depend on the runner's.
fn accepts(text: String) -> bool {
    match load_text("fuzz.pml", text, &LoadOptions::default()) {
        Ok(loaded) => {
            assert!(loaded.warnings.iter().all(|diagnostic| diagnostic.severity == Severity::Warning));
            true
        }
        Err(failure) => {
            let errors = failure.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
            assert!(errors > 0, "neither a model nor an error");
            false
        }
    }
}

/// The examples, and the corpus where it is.
fn sources() -> Vec<(String, Vec<u8>)> {
    let mut paths = Vec::new();
    collect(&workspace_root().join("examples"), &mut paths);
    if let Some(folder) = corpus::folder() {
        let entries = corpus::promela(&folder).expect("the corpus is readable");
        paths.extend(entries.into_iter().map(|entry| entry.path));
    }
    paths.sort();
    let read = |path: PathBuf| Some((path.display().to_string(), fs::read(&path).ok()?));
    paths.into_iter().filter_map(read).filter(|(_, text)| text.len() < 20_000).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the examples are readable") {
        let path = entry.expect("the examples are readable").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|ending| ending == "pml") {
            paths.push(path);
        }
    }
}
