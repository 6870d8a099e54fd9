//! Formulas: inside of a model they are read as Spin reads them, and those from outside mean what
//! `docs/ltl.md` says.

use std::fs;
use std::path::{Path, PathBuf};

use ample_frontends::read_request as read;
use ample_property::{Binary, Formula, Lowered, Property, PropertyKind, Unary, parse_ltl, translate};
use ample_source::{Diagnostics, FormulaText, MemoryLoader, Request, SourceMap, Span, Style, render};
use ample_stdx::Random;

/// Reads a model and formulas about it. Gives the last property as text, or what is wrong.
fn reading(model: &str, formulas: &[FormulaText]) -> Result<(Vec<Property>, String), String> {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let request = Request {
        root: Path::new("model.pml"),
        text: model,
        loader: &MemoryLoader::new(),
        defines: &[],
        inputs: &[],
        formulas,
        claims: &[],
        wanted: &[],
        values: &[],
    };
    let read = read(request, &mut sources, &mut diagnostics);
    let Some(Lowered { properties, .. }) = read else {
        return Err(render(diagnostics.as_slice(), &sources, Style::Plain));
    };
    let Some(PropertyKind::Ltl(formula)) = properties.last().map(|property| &property.kind) else {
        return Err("the last property is no formula".to_owned());
    };
    let shown = show(formula, &sources);
    Ok((properties, shown))
}

/// The formula with all its parentheses, and the propositions as they stand in the text.
fn show(formula: &Formula, sources: &SourceMap) -> String {
    let inner = |formula: &Formula| show(formula, sources);
    match formula {
        Formula::Proposition(expr) => {
            let text = sources.text(sources.reading_span(expr.span)).split_whitespace().collect::<String>();
            format!("({text})")
        }
        Formula::Unary(op, a) => {
            let op = match op {
                Unary::Not => "!",
                Unary::Next => "X",
                Unary::Always => "G",
                Unary::Eventually => "F",
            };
            format!("{op} {}", inner(a))
        }
        Formula::Binary(op, a, b) => {
            let op = match op {
                Binary::And => "&&",
                Binary::Or => "||",
                Binary::Implies => "->",
                Binary::Equivalent => "<->",
                Binary::Until => "U",
                Binary::WeakUntil => "W",
                Binary::Release => "R",
                Binary::StrongRelease => "M",
            };
            format!("({} {op} {})", inner(a), inner(b))
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formulas")
}

#[test]
fn formulas_in_a_model_mean_what_they_mean_to_spin() {
    let table = fs::read_to_string(folder().join("spin-readings.txt")).unwrap();
    let mut count = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (formula, spin) = line.split_once(" => ").unwrap();
        let model = format!("bool a, b, c, d; byte x;\nactive proctype P() {{ a = true }}\nltl f {{ {formula} }}\n");
        let (_, ours) = reading(&model, &[]).unwrap_or_else(|error| panic!("{formula}: {error}"));
        // Spin writes parentheses inside of expressions too.
        let spin = spin.replace("((x+1)==2)", "(x+1==2)").replace("((x%2)==1)", "(x%2==1)");
        let (differ, _) = parse_ltl(&format!("!(({ours}) <-> ({spin}))"), Span::default()).unwrap();
        assert!(!translate(&differ).unwrap().facts.satisfiable, "{formula}\n  ours {ours}\n  Spin {spin}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}

/// What the user sees for a formula: how it was read, or the error.
fn outcome(model: &str, formula: &str) -> String {
    let formulas = [FormulaText { name: "formula".to_owned(), text: formula.to_owned() }];
    match reading(model, &formulas) {
        Ok((_, shown)) => format!("  {shown}\n"),
        Err(error) => error.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect(),
    }
}

#[test]
fn formulas_from_outside_are_read_or_refused_as_was_reviewed() {
    let model = fs::read_to_string(folder().join("model.pml")).unwrap();
    let path = folder().join("cases.txt");
    let text = fs::read_to_string(&path).unwrap();
    let mut actual = String::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')) {
        actual += line;
        actual += "\n";
        if !line.starts_with('#') {
            actual += &outcome(&model, line);
            actual += "\n";
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, actual).unwrap();
    } else {
        assert_eq!(actual, text, "UPDATE_EXPECT=1 writes what is found");
    }
}

#[test]
fn properties_from_outside_come_last_and_have_names_of_their_own() {
    let model = fs::read_to_string(folder().join("model.pml")).unwrap();
    let formulas = ["G p", "F p"].map(|text| FormulaText { name: "formula".to_owned(), text: text.to_owned() });
    let (properties, _) = reading(&model, &formulas).unwrap();
    let names: Vec<&str> = properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["formula", "formula_2", "formula_3"]);
}

#[test]
fn operators_taken_from_the_left_get_a_warning_where_it_matters() {
    let warnings = |formula: &str| {
        let text = format!("bool a, b, c, d;\nactive proctype P() {{ a = true }}\nltl f {{ {formula} }}\n");
        let (mut sources, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
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
        assert!(read(request, &mut sources, &mut diagnostics).is_some(), "{formula}");
        diagnostics.iter().filter_map(|entry| entry.help.clone()).collect::<Vec<String>>()
    };
    assert_eq!(warnings("a U b U c"), ["if this is meant, write `(a U b) U …`"]);
    assert_eq!(warnings("a -> b implies c"), ["if this is meant, write `(a -> b) -> …`"]);
    assert_eq!(warnings("a <-> b -> c"), ["if this is meant, write `(a <-> b) -> …`"]);
    assert_eq!(warnings("[] (a W b V c)"), ["if this is meant, write `(a W b) V …`"]);
    assert_eq!(warnings("a U b U c U d").len(), 2);
    for fine in ["(a U b) U c", "a U (b U c)", "a <-> b <-> c", "a && b && c", "a U b && c U d", "(a -> b) -> c"] {
        assert_eq!(warnings(fine), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn no_formula_makes_the_front_end_panic() {
    let model = fs::read_to_string(folder().join("model.pml")).unwrap();
    let text = fs::read_to_string(folder().join("cases.txt")).unwrap();
    let cases: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with([' ', '#'])).collect();
    let pieces =
        ["(", ")", "{", "}", "[", "]", "\"", "@", "p", "INSIDE(", "U", "!", "run ", "/*", "#", "é", "\\\n", ","];
    let (mut random, mut read) = (Random::new(0x5eed), 0);
    for round in 0..4_000 {
        let mut formula: Vec<char> = cases[random.below(cases.len())].chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(formula.len() + 1);
            match random.below(3) {
                0 => drop(formula.splice(at..at, pieces[random.below(pieces.len())].chars())),
                1 => formula.truncate(at),
                _ => drop(formula.drain(at..(at + 2).min(formula.len()))),
            }
        }
        let formula: String = formula.into_iter().collect();
        // A panic names the formula of this round.
        let outcome = std::panic::catch_unwind(|| outcome(&model, &formula));
        let outcome = outcome.unwrap_or_else(|_| panic!("round {round}: {formula}"));
        read += usize::from(!outcome.contains("error: "));
    }
    assert!(read > 100, "only {read} formulas could be read");
}
