//! Comments wrap at 100 columns: code may be wider, but prose is read line by line.

use super::file::{File, Finding};
use super::rust_text::blank;

const WIDEST: usize = 100;

/// Looks at lines that are a comment and nothing else. Rows of a table and examples in code cannot
/// be wrapped.
pub(crate) fn check(file: &File) -> Vec<Finding> {
    if file.in_crate().is_none() {
        return Vec::new();
    }
    let code = blank(&file.text);
    let mut findings = Vec::new();
    let mut is_example = false;
    for (number, (text, code)) in file.text.lines().zip(code.lines()).enumerate() {
        let Some(comment) = text.trim_start().strip_prefix("//").filter(|_| code.trim().is_empty()) else { continue };
        let prose = comment.trim_start_matches(['/', '!', ' ']);
        is_example ^= prose.starts_with("```");
        let can_be_wrapped = !is_example && !prose.starts_with('|') && prose.contains(' ');
        if can_be_wrapped && text.chars().count() > WIDEST {
            findings.push(file.finding(number + 1, "wrap the comment at 100 columns"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_and_tables_are_not() {
        let file = |text: String| File { path: "crates/store/src/a.rs".to_owned(), text };
        let wide = "word ".repeat(25);
        let text = format!("//! Doc.\n/// {wide}\n/// | {wide} |\nfn f() {{}} // {wide}\n    // {wide}\n");
        let found: Vec<usize> = check(&file(text)).iter().map(|found| found.line).collect();
        assert_eq!(found, [2, 5]);
    }
}
