//! No crate depends on what it does not name.

use super::file::{File, Finding};
use super::rust_text::{blank, words};

/// What a comment begins with that says why the dependencies after it are there although nothing
/// names them.
const EXCUSE: &str = "# Not used here.";

/// Every dependency is named somewhere in the crate's sources, tests, benches or build script.
pub(crate) fn check(rust: &[&File], all: &[File]) -> Vec<Finding> {
    let manifests = all.iter().filter(|file| file.in_crate().is_some_and(|(_, inside)| inside == "Cargo.toml"));
    manifests.flat_map(|manifest| check_manifest(manifest, rust)).collect()
}

fn check_manifest(manifest: &File, rust: &[&File]) -> Vec<Finding> {
    let Some((owner, _)) = manifest.in_crate() else { return Vec::new() };
    let own = rust.iter().filter(|file| file.in_crate().is_some_and(|(folder, _)| folder == owner));
    let code: Vec<String> = own.map(|file| blank(&file.text)).collect();
    let mut findings = Vec::new();
    let (mut section, mut is_excused) = ("", false);
    for (number, line) in manifest.text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            (section, is_excused) = (line, false);
        } else if line.starts_with(EXCUSE) {
            is_excused = true;
        } else if !is_excused
            && section.ends_with("dependencies]")
            && let Some(name) = dependency(line)
        {
            let crate_name = name.replace('-', "_");
            let is_named = code.iter().any(|code| words(code, &crate_name).next().is_some());
            if !is_named {
                findings.push(manifest.finding(number + 1, format!("`{owner}` does not name `{name}`: take it out")));
            }
        }
    }
    findings
}

/// What the workspace offers, some crate takes.
pub(crate) fn check_workspace(root: &str, all: &[File]) -> Vec<Finding> {
    let table = root.split("[workspace.dependencies]\n").nth(1).and_then(|rest| rest.split("\n[").next());
    let manifests = || all.iter().filter(|file| file.path.ends_with("/Cargo.toml"));
    let is_taken =
        |name: &str| manifests().any(|file| file.text.lines().filter_map(dependency).any(|used| used == name));
    let offered = table.unwrap_or_default().lines().filter_map(dependency);
    let unused = offered.filter(|name| !is_taken(name)).map(|name| format!("no crate uses `{name}`: take it out"));
    unused.map(|message| Finding { path: "Cargo.toml".to_owned(), line: 0, message }).collect()
}

/// What a line of a table of dependencies is about.
fn dependency(line: &str) -> Option<&str> {
    let name = line.split(['.', ' ', '=']).next()?;
    (!name.is_empty() && !name.starts_with('#')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_named_is_found() {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let manifest =
            "[dependencies]\nample-stdx.workspace = true\nlibc = \"1\"\n[dev-dependencies]\nloom.workspace = true\n";
        let all = [
            file("crates/x/Cargo.toml", manifest),
            file("crates/x/src/lib.rs", "use ample_stdx::Stop; // libc\n"),
            file("crates/x/tests/a.rs", "use loom::model;\n"),
            file("crates/y/src/lib.rs", "use libc::c_int;\n"),
        ];
        let rust: Vec<&File> = all.iter().skip(1).collect();
        let found: Vec<String> = check(&rust, &all).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["crates/x/Cargo.toml:3: `x` does not name `libc`: take it out"]);
        let excused = file("crates/x/Cargo.toml", "[dependencies]\n# Not used here. For its features.\nlibc = \"1\"\n");
        assert!(check(&rust, &[excused]).is_empty());
        let root = "[workspace.dependencies]\nloom = \"1\"\ngone = \"2\"\n\n[profile.dev]\nopt-level = 1\n";
        let found: Vec<String> = check_workspace(root, &all).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["Cargo.toml: no crate uses `gone`: take it out"]);
    }
}
