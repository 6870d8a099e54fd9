//! What the documents show is what the program prints. `AMPLE_UPDATE=1` writes the outputs as they are now into the
//! documents; look at the difference before you commit it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ample_testing::{documents, workspace_root};

const DOCUMENTS: &[&str] = &[
    "README.md",
    "docs/tutorial.md",
    "docs/json.md",
    "docs/from-spin.md",
    "docs/promela.md",
    "docs/ltl.md",
    "docs/compare.md",
    "docs/audit.md",
    "docs/reduction.md",
    "docs/under.md",
];

#[test]
fn documents_show_what_is_printed() {
    let programs = build();
    let mut wrong = Vec::new();
    for name in DOCUMENTS {
        let path = workspace_root().join(name);
        let text = fs::read_to_string(&path).expect("the document is there");
        let folder = scratch(name);
        let now = documents::rerun(&text, &folder, &programs).expect("the commands can be run");
        fs::remove_dir_all(&folder).expect("the scratch folder is ours");
        if documents::settle(&now) == documents::settle(&text) {
            continue;
        }
        if std::env::var_os("AMPLE_UPDATE").is_some() {
            fs::write(&path, &now).expect("the document can be written");
        }
        let differ = text.lines().zip(now.lines()).find(|(old, new)| documents::settle(old) != documents::settle(new));
        wrong.push(format!("{name}: {differ:#?}"));
    }
    assert!(wrong.is_empty(), "AMPLE_UPDATE=1 writes the new outputs\n{}", wrong.join("\n"));
}

/// Builds the program as this test was built, and gives its folder. Cargo builds it for the test command only if the
/// package with the program is tested too.
fn build() -> PathBuf {
    let own = std::env::current_exe().expect("we are a program");
    let folder = own.ancestors().nth(2).expect("target/PROFILE/deps/test").to_path_buf();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    // All default members, as the test command: with `-p` other features would be chosen, and much built twice.
    cargo.args(["build", "-q", "--locked", "--bin", "ample"]).current_dir(workspace_root());
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().expect("cargo runs").success(), "the program does not build");
    folder
}

/// An empty folder with a copy of the examples.
fn scratch(name: &str) -> PathBuf {
    let unique = format!("ample-{}-{}", std::process::id(), name.replace('/', "-"));
    let folder = std::env::temp_dir().join(unique);
    copy(&workspace_root().join("examples"), &folder.join("examples"));
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a scratch folder");
    for entry in fs::read_dir(from).expect("the examples are readable") {
        let path = entry.expect("the examples are readable").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}
