//! No module of a crate uses, by way of others, itself: what a reader has understood does not
//! depend on what comes later.
//!
//! A parent and its children are modules like any others: a child may use its parent's items only
//! if the parent uses none of the child's. Where a parent has a type that its children fill with
//! methods, the type belongs into a child that the others use.

use std::collections::{BTreeMap, BTreeSet};

use super::file::{File, Finding};
use super::modules::{Modules, Path};

pub(crate) fn check(rust: &[&File]) -> Vec<Finding> {
    let owners: BTreeSet<&str> = rust.iter().filter_map(|file| Some(file.in_crate()?.0)).collect();
    let finding = |owner: &str| {
        let cycles = cycles(&Modules::of(owner, rust).uses());
        let count = cycles.iter().map(BTreeSet::len).sum::<usize>();
        let cycles = cycles.iter().map(shown).collect::<Vec<_>>().join("; ");
        let message = format!(
            "{count} modules use each other in circles ({cycles}): move what they share to the one that needs the others least"
        );
        (count > 0).then(|| Finding { path: format!("crates/{owner}"), line: 0, message })
    };
    owners.into_iter().filter_map(finding).collect()
}

fn shown(cycle: &BTreeSet<Path>) -> String {
    let name = |path: &Path| if path.is_empty() { "the root".to_owned() } else { path.join("::") };
    cycle.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Sets of modules of which each uses each, by way of others.
fn cycles(uses: &BTreeMap<Path, BTreeSet<Path>>) -> Vec<BTreeSet<Path>> {
    let reach: BTreeMap<&Path, BTreeSet<&Path>> = uses.keys().map(|path| (path, reachable(path, uses))).collect();
    let is_on_cycle_with =
        |a: &Path, b: &Path| reach[a].contains(b) && reach.get(b).is_some_and(|back| back.contains(a));
    let mut found: Vec<BTreeSet<Path>> = Vec::new();
    for path in uses.keys() {
        let cycle: BTreeSet<Path> = uses.keys().filter(|other| is_on_cycle_with(path, other)).cloned().collect();
        if !cycle.is_empty() && !found.contains(&cycle) {
            found.push(cycle);
        }
    }
    found
}

fn reachable<'u>(from: &Path, uses: &'u BTreeMap<Path, BTreeSet<Path>>) -> BTreeSet<&'u Path> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&Path> = uses.get(from).into_iter().flatten().collect();
    while let Some(path) = open.pop() {
        if seen.insert(path) {
            open.extend(uses.get(path).into_iter().flatten());
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let sources: Vec<File> = files.iter().map(|(path, text)| file(&format!("crates/x/src/{path}"), text)).collect();
        check(&sources.iter().collect::<Vec<_>>()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn modules_in_a_circle_are_found() {
        let circle = [("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "fn f() { crate::a::f() }")];
        assert!(found(&circle)[0].contains("2 modules use each other in circles (a, b)"));
        assert!(found(&circle[..2]).is_empty());
    }

    #[test]
    fn a_name_belongs_to_the_module_that_defines_it() {
        let root = "mod a; mod b; pub use b::B;";
        assert!(found(&[("lib.rs", root), ("a.rs", "use crate::B;"), ("b.rs", "")]).is_empty());
        assert!(!found(&[("lib.rs", root), ("a.rs", "use crate::B;"), ("b.rs", "use super::a::A;")]).is_empty());
        // The root hands a name on, which is no use of it, unless it names it itself.
        assert!(found(&[("lib.rs", root), ("a.rs", ""), ("b.rs", "use crate::Own;")]).is_empty());
        let uses_it = format!("{root} fn f(_: B) {{}}");
        assert!(!found(&[("lib.rs", &uses_it), ("a.rs", ""), ("b.rs", "use crate::Own;")]).is_empty());
    }

    #[test]
    fn parents_and_children_are_modules_like_others() {
        let both = [("lib.rs", "mod a;"), ("a/mod.rs", "mod c; fn f() { c::g() }"), ("a/c.rs", "use super::T;")];
        assert!(found(&both)[0].contains("(a, a::c)"));
        let test = "fn g() {}\n#[cfg(test)]\nmod tests {\n use crate::a::f;\n}\n";
        assert!(found(&[both[0], both[1], ("a/c.rs", test)]).is_empty());
    }
}
