//! What the documents show is what the program prints. `AMPLE_UPDATE=1` writes the outputs as they
//! are now into the documents; look at the difference before you commit it.
//!
//! These tests are here and not in `testing`, because Cargo builds the program for the tests of its
//! own package: the same program, with the same dependencies, as all other tests use. To ask Cargo
//! for another one would compile them again.

mod rerun;

use std::fs;
use std::path::{Path, PathBuf};

/// A test for each document, so that they run side by side.
macro_rules! documents {
    ($($test:ident: $path:literal,)*) => {
        const DOCUMENTS: &[&str] = &[$($path),*];

        $(
            #[test]
            fn $test() {
                check($path);
            }
        )*
    };
}

documents! {
    readme: "README.md",
    tutorial: "docs/tutorial.md",
    json: "docs/json.md",
    ltl: "docs/ltl.md",
    compare: "docs/compare.md",
    advise: "docs/advise.md",
    audit: "docs/audit.md",
    reduction: "docs/reduction.md",
    under: "docs/under.md",
    predicates: "docs/predicates.md",
    gcl: "docs/gcl.md",
    from_tla: "docs/from-tla.md",
    from_uppaal: "docs/from-uppaal.md",
}

/// A document shows what is printed.
#[track_caller]
fn check(name: &str) {
    let path = root().join(name);
    let text = fs::read_to_string(&path).expect("the document is there");
    let program = Path::new(env!("CARGO_BIN_EXE_ample"));
    let now =
        rerun::rerun(&text, &scratch(name), program.parent().expect("a folder")).expect("the commands can be run");
    if rerun::settle(&now) == rerun::settle(&text) {
        return;
    }
    if std::env::var_os("AMPLE_UPDATE").is_some() {
        fs::write(&path, &now).expect("the document can be written");
    }
    let differ = text.lines().zip(now.lines()).find(|(old, new)| rerun::settle(old) != rerun::settle(new));
    panic!("AMPLE_UPDATE=1 writes the new outputs\n{name}: {differ:#?}");
}

#[test]
fn every_document_with_commands_is_run() {
    let folder = fs::read_dir(root().join("docs")).expect("the documents");
    let names =
        folder.map(|entry| entry.expect("a document").file_name()).map(|name| format!("docs/{}", name.display()));
    for name in names.chain(["README.md", "CONTRIBUTING.md", "examples/README.md"].map(str::to_owned)) {
        let text = fs::read_to_string(root().join(&name)).expect("a document is a text");
        let has_commands = text.lines().any(|line| line == "```console");
        assert_eq!(has_commands, DOCUMENTS.contains(&name.as_str()), "{name}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A new folder with a copy of the examples.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(name);
    let _ = fs::remove_dir_all(&folder);
    copy(&root().join("examples"), &folder.join("examples"));
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
