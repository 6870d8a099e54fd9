//! Rules about one source file: its module doc, and the words that may not stand in it.

use super::file::{File, Finding};
use super::rust_text::{blank, line_of, without_tests, words};

/// Crates that may contain `unsafe`.
const UNSAFE_CRATES: &[&str] = &["store", "jit"];

/// Crates that are programs for developers or the terminal: they may print.
const PRINTING_CRATES: &[&str] = &["cli", "xtask"];

/// What library code does not do, and what it does instead.
const FORBIDDEN: &[(&str, &str)] = &[
    (".unwrap()", "return the error, or give a default"),
    (".expect(\"", "return the error, or give a default"),
    ("panic!(", "return an error"),
    ("todo!(", "finish it"),
    ("unimplemented!(", "finish it"),
    ("unreachable!(", "make the state impossible by a type, or return an error"),
    ("dbg!(", "remove it"),
];

/// What only the programs do.
const FORBIDDEN_PRINTING: &[(&str, &str)] = &[
    ("println!(", "give the text to the caller"),
    ("eprintln!(", "give the text to the caller"),
    ("print!(", "give the text to the caller"),
    ("eprint!(", "give the text to the caller"),
];

pub(crate) fn check(file: &File) -> Vec<Finding> {
    let Some((owner, inside)) = file.in_crate() else { return Vec::new() };
    let mut findings = Vec::new();
    if !file.text.starts_with("//!") {
        findings.push(file.finding(0, "no module doc: begin the file with `//!`"));
    }
    let code = blank(&file.text);
    if !UNSAFE_CRATES.contains(&owner) {
        let uses = words(&code, "unsafe");
        findings.extend(uses.map(|at| file.finding(line_of(&code, at), "`unsafe` outside of `store` and `jit`")));
    }
    if inside.starts_with("src/") {
        let code = without_tests(code);
        forbid(file, &code, FORBIDDEN, &mut findings);
        if !PRINTING_CRATES.contains(&owner) {
            forbid(file, &code, FORBIDDEN_PRINTING, &mut findings);
        }
        if (owner, inside) != ("cli", "src/main.rs") && owner != "xtask" {
            forbid(file, &code, &[("process::exit", "return; only `main` of `cli` exits")], &mut findings);
        }
    }
    findings
}

fn forbid(file: &File, code: &str, table: &[(&str, &str)], findings: &mut Vec<Finding>) {
    for (pattern, instead) in table {
        for (at, _) in code.match_indices(pattern) {
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let before = at.checked_sub(1).map(|before| code.as_bytes()[before]);
            // `println!` is not a use of `print!`, and `eprintln!` not one of `println!`.
            if !pattern.starts_with('.') && before.as_ref().is_some_and(is_name) {
                continue;
            }
            findings.push(file.finding(line_of(code, at), format!("`{pattern}` in library code: {instead}")));
        }
    }
}
