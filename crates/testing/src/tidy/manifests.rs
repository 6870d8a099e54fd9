//! Rules about `Cargo.toml`: a crate uses only crates of earlier layers, and only the registry
//! names a front end.

use super::file::{File, Finding};

/// The crates in the order of DESIGN: a crate may use only crates of earlier lines. Crates of one
/// line do not use each other.
pub const LAYERS: &[&[&str]] = &[
    &["stdx"],
    &["source"],
    &["guarantee"],
    &["model"],
    &["property"],
    &["frontend-promela", "frontend-dve", "frontend-gcl", "frontend-uppaal"],
    &["frontends"],
    &["transition"],
    &["interpret"],
    &["network"],
    &["jit"],
    &["zones"],
    &["solver"],
    &["abstraction"],
    &["product"],
    &["reduction"],
    &["store"],
    &["search"],
    &["replay"],
    &["equivalence"],
    &["check"],
    &["audit", "advise"],
    &["report"],
    &["bench"],
    &["cli"],
    &["testing"],
    &["xtask"],
];

pub(crate) fn check(files: &[File]) -> Vec<Finding> {
    let manifests = files.iter().filter(|file| file.in_crate().is_some_and(|(_, inside)| inside == "Cargo.toml"));
    manifests.flat_map(check_manifest).collect()
}

/// `cargo test` and `cargo run` without further words concern every crate but `xtask`.
pub(crate) fn check_default_members(root: &str, files: &[File]) -> Vec<Finding> {
    let list = root.split("default-members = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default();
    let named: Vec<&str> = list.split('"').filter_map(|part| part.strip_prefix("crates/")).collect();
    let has_manifest = |file: &&File| file.in_crate().is_some_and(|(_, inside)| inside == "Cargo.toml");
    let owners: Vec<&str> =
        files.iter().filter(has_manifest).filter_map(|file| file.in_crate()).map(|(owner, _)| owner).collect();
    let missing = owners.iter().filter(|owner| **owner != "xtask" && !named.contains(owner));
    let unknown = named.iter().filter(|name| **name == "xtask" || !owners.contains(name));
    let missing = missing.map(|owner| format!("default-members must have crates/{owner}"));
    let unknown = unknown.map(|name| format!("default-members names crates/{name}"));
    missing.chain(unknown).map(|message| Finding { path: "Cargo.toml".to_owned(), line: 0, message }).collect()
}

fn check_manifest(file: &File) -> Vec<Finding> {
    let Some((owner, _)) = file.in_crate() else { return Vec::new() };
    let Some(own_layer) = layer(owner) else {
        return vec![
            file.finding(0, format!("`{owner}` has no place in the order of crates (LAYERS in testing::tidy)")),
        ];
    };
    let mut findings = Vec::new();
    let mut section = "";
    for (number, line) in file.text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
        } else if section == "[package]" && line.starts_with("name") {
            if !line.ends_with(&format!("\"ample-{owner}\"")) {
                findings.push(file.finding(number + 1, format!("the package in `{owner}` must be `ample-{owner}`")));
            }
        } else if section.ends_with("dependencies]")
            && let Some(used) = dependency(line)
        {
            findings.extend(check_dependency(file, owner, own_layer, used, number + 1));
        }
    }
    findings
}

fn check_dependency(file: &File, owner: &str, own_layer: usize, used: &str, line: usize) -> Option<Finding> {
    let message = match layer(used) {
        None => format!("there is no crate `{used}` in the order of crates"),
        Some(layer) if layer >= own_layer => format!("`{owner}` may not use `{used}`: it is not of an earlier layer"),
        Some(_) if used.starts_with("frontend-") && owner != "frontends" => {
            format!("only `frontends` names a front end; `{owner}` goes through the registry")
        }
        Some(_) => return None,
    };
    Some(file.finding(line, message))
}

/// The crate of ours that a line of a dependency table names.
fn dependency(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("ample-")?;
    rest.split(['.', ' ', '=']).next()
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&name))
}
