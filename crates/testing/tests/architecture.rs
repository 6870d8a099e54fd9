//! The rules of the code base hold. `cargo xtask tidy` runs the same without the rest of the tests.

use ample_testing::{tidy, workspace_root};

#[test]
fn the_rules_of_the_code_base_hold() {
    let findings = tidy::check(&workspace_root()).expect("the workspace is readable");
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(lines.is_empty(), "{} findings:\n{}\n", lines.len(), lines.join("\n"));
}
