//! What a user sees for each mistake: every `diagnostics/*.gcl` against the `.txt` beside it. A
//! first line `// with: …` gives options of the command line.
//!
//! `UPDATE_EXPECT=1 cargo test -p ample-frontend-gcl` rewrites the expectations; look at the
//! difference before committing it. Every message stands in `docs/gcl.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ample_property::{OuterProperties, ParsedText};
use ample_source::{ClaimText, Diagnostics, InputRange, MemoryLoader, Request, SourceMap, Style, render};

/// Options of the command line.
#[derive(Default)]
struct Given {
    defines: Vec<(String, String)>,
    inputs: Vec<InputRange>,
    formulas: Vec<String>,
    claim: Option<PathBuf>,
}

fn given(text: &str) -> Given {
    let mut given = Given::default();
    let line = text.lines().next().and_then(|line| line.strip_prefix("// with: ")).unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    for pair in words.chunks(2) {
        match *pair {
            ["-D", define] => {
                let (name, value) = define.split_once('=').expect("a definition");
                given.defines.push((name.to_owned(), value.to_owned()));
            }
            ["--input", range] => given.inputs.push(InputRange::parse(range).expect("a range")),
            ["--ltl", formula] => given.formulas.push(formula.to_owned()),
            ["--claim", file] => given.claim = Some(file.into()),
            _ => panic!("{line}"),
        }
    }
    given
}

/// What is said about a text.
fn messages(name: &Path, text: &str) -> String {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::new();
    let given = given(text);
    let request = Request {
        root: name,
        text,
        loader: &MemoryLoader::new(),
        defines: &given.defines,
        inputs: &given.inputs,
        formulas: &[],
        claims: &[],
        wanted: &[],
        values: &[],
    };
    if let Some(mut parsed) = ample_frontend_gcl::parse(request, &mut sources, &mut diagnostics) {
        let mut outer = OuterProperties { formulas: parsed.own_formulas(), ..OuterProperties::default() };
        for formula in &given.formulas {
            let span = parsed.notes().0.add_text("<formula>", formula);
            outer.formulas.extend(parsed.formula("formula", formula, span));
        }
        if let Some(path) = given.claim {
            parsed.add_claim(&ClaimText { name: "it".to_owned(), path, text: String::new() });
        }
        parsed.lower(&outer);
    }
    assert!(diagnostics.has_errors(), "{}: no error was found", name.display());
    render(diagnostics.as_slice(), &sources, Style::Plain)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

fn models() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "gcl")).collect();
    paths.sort();
    paths
}

fn check(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let actual = messages(&path.file_name().map(PathBuf::from).unwrap_or_default(), &text);
    let expected_path = path.with_extension("txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(&expected_path, actual).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&expected_path).unwrap_or_default();
    if actual != expected {
        return Err(format!("{}:\n--- expected\n{expected}--- found\n{actual}", path.display()));
    }
    Ok(())
}

#[test]
fn messages_are_as_recorded() {
    let paths = models();
    assert!(paths.len() >= 10);
    let wrong: Vec<String> = paths.iter().filter_map(|path| check(path).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The list at the end of the document is what the models here make the front end say.
#[test]
fn every_message_of_the_document_is_made() {
    let mut made: BTreeSet<String> = BTreeSet::new();
    for path in models() {
        let text = fs::read_to_string(path.with_extension("txt")).unwrap();
        let is_message = |line: &&str| line.starts_with("error: ") || line.starts_with("warning: ");
        made.extend(text.lines().filter(is_message).map(str::to_owned));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/gcl.md");
    let document = fs::read_to_string(&path).unwrap();
    let (before, list) = document.split_once("```messages\n").expect("the document has a list of messages");
    let (list, after) = list.split_once("```").expect("the list ends");
    let made: String = made.into_iter().map(|line| line + "\n").collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, format!("{before}```messages\n{made}```{after}")).unwrap();
        return;
    }
    assert_eq!(list, made, "UPDATE_EXPECT=1 writes the list");
}
