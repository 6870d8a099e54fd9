//! The rules of the code base, as a test: what STYLE and the architecture promise, checked on the
//! files themselves.
//!
//! `cargo test` runs them through `tests/architecture.rs`, and `cargo xtask tidy` alone. Each rule
//! looks at text, not at syntax trees: simple enough to be obviously right on formatted code, and
//! free of dependencies.

mod comments;
mod cycles;
mod dependencies;
mod file;
mod functions;
mod golden;
mod manifests;
mod modules;
mod rust_text;
mod sources;
mod use_trees;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use file::File;
pub use file::Finding;
pub use manifests::LAYERS;

/// Checks every rule on the workspace at `root`; the findings are sorted.
pub fn check(root: &Path) -> io::Result<Vec<Finding>> {
    let files = read_crates(root)?;
    let rust: Vec<&File> = files.iter().filter(|file| file.path.ends_with(".rs")).collect();
    let mut findings = manifests::check(&files);
    let workspace = fs::read_to_string(root.join("Cargo.toml"))?;
    findings.extend(manifests::check_default_members(&workspace, &files));
    findings.extend(rust.iter().flat_map(|file| sources::check(file)));
    findings.extend(rust.iter().flat_map(|file| comments::check(file)));
    findings.extend(functions::check(&rust, &files));
    findings.extend(golden::check(&files));
    findings.extend(cycles::check(&rust));
    findings.extend(dependencies::check(&rust, &files));
    findings.extend(dependencies::check_workspace(&workspace, &files));
    findings.sort();
    Ok(findings)
}

/// Every file below `crates/`, in a fixed order.
fn read_crates(root: &Path) -> io::Result<Vec<File>> {
    let mut paths = Vec::new();
    collect(&root.join("crates"), &mut paths)?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let relative = path.strip_prefix(root).unwrap_or(&path);
        let name = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        // A file that is not text is a golden file like any other: only its name matters.
        let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        files.push(File { path: name, text });
    }
    Ok(files)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_string_lossy().starts_with('.') || name == "target" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), paths)?;
        } else {
            paths.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    fn messages(findings: Vec<Finding>) -> Vec<String> {
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn library_code_may_not_panic_but_its_tests_may() {
        let text = "//! Doc.\nfn f() { g().unwrap(); }\n#[cfg(test)]\nmod tests {\n fn t() { g().unwrap(); }\n}\n";
        let found = messages(sources::check(&file("crates/search/src/a.rs", text)));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/search/src/a.rs:2: `.unwrap()`"));
        assert!(sources::check(&file("crates/search/tests/a.rs", text)).is_empty());
    }

    #[test]
    fn comments_and_strings_are_not_code() {
        let text = "//! Doc.\n// x.unwrap()\nconst S: &str = \"panic!()\"; const R: &str = r#\"println!(\"\")\"#;\n";
        assert!(sources::check(&file("crates/search/src/a.rs", text)).is_empty());
    }

    #[test]
    fn a_module_says_what_it_is_for() {
        let found = messages(sources::check(&file("crates/search/src/a.rs", "fn f() {}\n")));
        assert_eq!(found, ["crates/search/src/a.rs: no module doc: begin the file with `//!`"]);
    }

    #[test]
    fn unsafe_lives_in_two_crates() {
        let text = "//! Doc.\nfn f() { unsafe { g() } }\n";
        assert_eq!(sources::check(&file("crates/search/src/a.rs", text)).len(), 1);
        assert!(sources::check(&file("crates/store/src/a.rs", text)).is_empty());
        assert!(sources::check(&file("crates/search/src/b.rs", "//! Doc.\n#![deny(unsafe_code)]\n")).is_empty());
    }

    #[test]
    fn only_the_command_line_exits() {
        let text = "//! Doc.\nfn f() { std::process::exit(1) }\n";
        assert_eq!(sources::check(&file("crates/report/src/a.rs", text)).len(), 1);
        assert!(sources::check(&file("crates/cli/src/main.rs", text)).is_empty());
    }

    #[test]
    fn long_functions_are_listed_and_the_list_shrinks() {
        let long = format!("//! Doc.\nfn long() {{\n{}}}\n", "    g();\n".repeat(80));
        let source = file("crates/search/src/a.rs", &long);
        let listed = file(functions::LIST, "crates/search/src/a.rs long 82\n");
        let stale = file(functions::LIST, "crates/search/src/a.rs long 82\ncrates/search/src/b.rs gone 90\n");
        let grown = file(functions::LIST, "crates/search/src/a.rs long 81\n");
        assert_eq!(functions::check(&[&source], &[]).len(), 1);
        assert!(functions::check(&[&source], &[listed]).is_empty());
        assert!(messages(functions::check(&[&source], &[stale]))[0].contains("take it off"));
        assert!(messages(functions::check(&[&source], &[grown]))[0].contains("82 lines"));
    }

    #[test]
    fn dependencies_point_upwards() {
        let up = "[package]\nname = \"ample-search\"\n[dependencies]\nample-store.workspace = true\n";
        let down = "[package]\nname = \"ample-store\"\n[dependencies]\nample-search.workspace = true\n";
        let side = "[package]\nname = \"ample-cli\"\n[dependencies]\nample-frontend-promela.workspace = true\n";
        assert!(manifests::check(&[file("crates/search/Cargo.toml", up)]).is_empty());
        assert!(messages(manifests::check(&[file("crates/store/Cargo.toml", down)]))[0].contains("may not use"));
        assert!(messages(manifests::check(&[file("crates/cli/Cargo.toml", side)]))[0].contains("only `frontends`"));
        let unknown = "[package]\nname = \"ample-magic\"\n";
        assert!(messages(manifests::check(&[file("crates/magic/Cargo.toml", unknown)]))[0].contains("no place"));
    }

    #[test]
    fn every_crate_but_xtask_is_a_default_member() {
        let root = "[workspace]\ndefault-members = [\n    \"crates/stdx\",\n    \"crates/gone\",\n]\n";
        let files = ["stdx", "model", "xtask"].map(|name| file(&format!("crates/{name}/Cargo.toml"), ""));
        let found = messages(manifests::check_default_members(root, &files));
        assert_eq!(
            found,
            ["Cargo.toml: default-members must have crates/model", "Cargo.toml: default-members names crates/gone"]
        );
    }

    #[test]
    fn golden_files_have_a_reader() {
        let test = file("crates/cli/tests/cli.rs", "//! Doc.\nfn runs() { cases(\"tests/cmd/*.trycmd\"); }\n");
        let read = file("crates/cli/tests/cmd/help.trycmd", "");
        let orphan = file("crates/cli/tests/old/help.stdout", "");
        let snapshot = file("crates/cli/tests/snapshots/cli__runs.snap", "");
        let lost = file("crates/cli/tests/snapshots/cli__gone.snap", "");
        let found = messages(golden::check(&[test, read, orphan, snapshot, lost]));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("old/help.stdout") && found[1].contains("cli__gone.snap"));
    }
}
