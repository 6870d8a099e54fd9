//! The modules of a crate and who uses whom, as far as paths tell.
//!
//! A module is a file. It uses another if it names something of it: in a `use` declaration or by a
//! path in its code that begins with `crate`, `super`, `self`, the name of a child or a name that
//! was imported. A name that a module only hands on (`pub use`) counts for those who name it, and
//! belongs to the module that defines it; the module that hands it on uses it only if its own code
//! names it, too. Methods are not followed, and modules for tests do not count.

use std::collections::{BTreeMap, BTreeSet};

use super::file::File;
use super::rust_text::{blank, without_tests};
use super::use_trees::{Import, imports};

/// The path of a module, from the root of its crate, whose path is empty.
pub(crate) type Path = Vec<String>;

/// The modules of one crate.
#[derive(Default)]
pub(crate) struct Modules {
    modules: BTreeMap<Path, Module>,
}

struct Module {
    /// The text without comments, strings, tests and `use` declarations.
    code: String,
    imports: Vec<Import>,
}

/// A path in an import chain is followed so often: two modules may hand on each other's names.
const MOST_HOPS: usize = 10;

impl Modules {
    /// The modules of the crate in the folder `owner`.
    pub fn of(owner: &str, files: &[&File]) -> Modules {
        let mut modules = Modules::default();
        for file in files {
            let inside = file.in_crate().filter(|(folder, _)| *folder == owner).map(|(_, inside)| inside);
            if let Some(path) = inside.and_then(module_path) {
                let (imports, code) = imports(&without_tests(blank(&file.text)));
                modules.modules.insert(path, Module { code, imports });
            }
        }
        modules
    }

    /// Who uses whom.
    pub fn uses(&self) -> BTreeMap<Path, BTreeSet<Path>> {
        self.modules.keys().map(|path| (path.clone(), self.used_by(path))).collect()
    }

    fn used_by(&self, user: &Path) -> BTreeSet<Path> {
        let mut used = BTreeSet::new();
        let Some(module) = self.modules.get(user) else { return used };
        let words: BTreeSet<&str> = module.code.split(|c: char| !is_name(c)).collect();
        for import in &module.imports {
            if !import.is_handed_on || words.contains(import.name.as_str()) {
                used.extend(self.absolute(user, &import.path).map(|path| self.owner_of(&path, MOST_HOPS)));
            }
        }
        for path in inline_paths(&module.code) {
            let imported = || {
                let import = module.imports.iter().find(|import| import.name == path[0])?;
                let mut whole = self.absolute(user, &import.path)?;
                whole.extend_from_slice(&path[1..]);
                Some(whole)
            };
            let path = self.absolute(user, &path).or_else(imported);
            used.extend(path.map(|path| self.owner_of(&path, MOST_HOPS)));
        }
        used.remove(user);
        used
    }

    /// A path as seen from the root of the crate; `None` if it leads out of the crate.
    fn absolute(&self, from: &Path, path: &[String]) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        let mut whole = from.clone();
        match first.as_str() {
            "crate" => whole.clear(),
            "self" => {}
            "super" => {
                let supers = rest.iter().take_while(|name| *name == "super").count();
                whole.truncate(from.len().checked_sub(supers + 1)?);
                whole.extend_from_slice(&rest[supers..]);
                return Some(whole);
            }
            _ => {
                whole.push(first.clone());
                if !self.modules.contains_key(&whole) {
                    return None;
                }
            }
        }
        whole.extend_from_slice(rest);
        Some(whole)
    }

    /// The module that defines what a path names: names that are only handed on belong to another.
    fn owner_of(&self, path: &[String], hops: usize) -> Path {
        let most = (0..=path.len()).rev().find(|length| self.modules.contains_key(&path[..*length])).unwrap_or(0);
        let (module, rest) = path.split_at(most);
        let (Some(name), Some(known)) = (rest.first(), self.modules.get(module)) else { return module.to_vec() };
        let import = known.imports.iter().find(|import| import.name == *name);
        let target = import.and_then(|import| self.absolute(&module.to_vec(), &import.path));
        match target {
            Some(mut target) if hops > 0 => {
                target.extend_from_slice(&rest[1..]);
                self.owner_of(&target, hops - 1)
            }
            _ => module.to_vec(),
        }
    }
}

/// The path of the module in a file of a crate; `None` for tests, benches and build scripts.
fn module_path(inside: &str) -> Option<Path> {
    let mut path: Path = inside.strip_prefix("src/")?.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    if path.last().is_some_and(|last| last == "mod") || path == ["lib"] || path == ["main"] {
        path.pop();
    }
    Some(path)
}

/// The paths of two names or more that code has, up to a name that is none (`::<T>`).
fn inline_paths(code: &str) -> Vec<Path> {
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("::") {
        let start = rest[..at].rfind(|c: char| !is_name(c)).map_or(0, |before| before + 1);
        let end = rest[at..].find(|c: char| !is_name(c) && c != ':').map_or(rest.len(), |length| at + length);
        let path: Path = rest[start..end].split("::").take_while(|name| !name.is_empty()).map(str::to_owned).collect();
        if path.len() > 1 {
            paths.push(path);
        }
        rest = &rest[end.max(at + 2)..];
    }
    paths
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
