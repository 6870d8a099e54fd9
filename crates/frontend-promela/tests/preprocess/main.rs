//! The preprocessor: text in, tokens and diagnostics out.
//!
//! The expected tokens of macros and conditionals were compared with the output of gcc.

mod conditionals;
mod errors;
mod includes;
mod limits;
mod macros;
mod spans;
mod values;

use std::path::Path;

use ample_frontend_promela::preprocess::{Preprocessed, preprocess};
use ample_source::{Diagnostics, MemoryLoader, SourceMap, Style, render};

/// What came of a text.
struct Outcome {
    output: Preprocessed,
    map: SourceMap,
    diagnostics: Diagnostics,
}

impl Outcome {
    /// The tokens with one blank between two, and a new line where a line ended.
    fn tokens(&self) -> String {
        let mut text = String::new();
        let (eof, tokens) = self.output.tokens.split_last().expect("the end of the file");
        assert_eq!(eof.kind.to_string(), "end of file");
        for token in tokens {
            let separator = if token.newline_before { '\n' } else { ' ' };
            text.push(separator);
            text.push_str(&token.kind.to_string());
        }
        text.trim().to_string()
    }

    fn messages(&self) -> String {
        render(self.diagnostics.as_slice(), &self.map, Style::Plain)
    }
}

fn run_with(text: &str, loader: &MemoryLoader, defines: &[(&str, &str)]) -> Outcome {
    let defines: Vec<(String, String)> =
        defines.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let (mut map, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let output = preprocess(Path::new("m.pml"), text, loader, &defines, &mut map, &mut diagnostics);
    Outcome { output, map, diagnostics }
}

fn run(text: &str) -> Outcome {
    run_with(text, &MemoryLoader::new(), &[])
}

/// Checks the tokens of a text without faults.
#[track_caller]
fn check(text: &str, expected: &str) {
    let outcome = run(text);
    assert_eq!(outcome.messages(), "");
    assert_eq!(outcome.tokens(), expected.trim());
}

/// Checks the messages about a text, and what is left of it.
#[track_caller]
fn check_faults(text: &str, expected_tokens: &str, expected_messages: &str) {
    let outcome = run(text);
    assert_eq!(outcome.messages().trim(), expected_messages.trim(), "\n{}", outcome.messages());
    assert_eq!(outcome.tokens(), expected_tokens.trim());
}
