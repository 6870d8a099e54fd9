//! `use` declarations, taken apart.

use super::rust_text::words;

/// One name that a declaration brings into scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// The path as it is written.
    pub path: Vec<String>,
    /// What it is called here. Of everything (`*`) that is a star, which no code names.
    pub name: String,
    /// Whether others can name it from here.
    pub is_handed_on: bool,
}

/// All imports of blanked text, and the text without them.
pub(crate) fn imports(code: &str) -> (Vec<Import>, String) {
    let mut imports = Vec::new();
    let mut rest = code.to_owned();
    for at in words(code, "use") {
        let after = &code[at + 3..];
        let Some(end) = after.find(';').filter(|_| after.starts_with(char::is_whitespace)) else { continue };
        let before = code[..at].trim_end();
        let is_handed_on =
            before.ends_with("pub") || before.ends_with(')') && before.lines().last().is_some_and(is_pub);
        take_apart(&after[..end], &[], is_handed_on, &mut imports);
        rest.replace_range(at..at + 3 + end, &" ".repeat(3 + end));
    }
    (imports, rest)
}

fn is_pub(line: &str) -> bool {
    line.trim_start().starts_with("pub(")
}

/// Adds the imports of a tree such as `a::{b, c::{self, d as e}}`.
fn take_apart(tree: &str, before: &[String], is_handed_on: bool, imports: &mut Vec<Import>) {
    let tree = tree.trim();
    if let Some((prefix, list)) = tree.split_once('{') {
        let mut before = before.to_vec();
        before.extend(names(prefix));
        let list = list.strip_suffix('}').unwrap_or(list);
        split(list).into_iter().for_each(|part| take_apart(part, &before, is_handed_on, imports));
        return;
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, alias)| (path, Some(alias.trim())));
    let mut path: Vec<String> = before.iter().cloned().chain(names(path)).collect();
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if let Some(last) = path.last().cloned() {
        if last == "*" {
            path.pop();
        }
        imports.push(Import { path, name: alias.map_or(last, str::to_owned), is_handed_on });
    }
}

fn names(path: &str) -> impl Iterator<Item = String> {
    path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The parts between commas that are in no braces.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_taken_apart() {
        let text = "use a::{b, c::{self, d as e}};\npub(crate) use super::f;\nfn g() -> impl X + use<'_> { h::i() }\n";
        let (found, rest) = imports(text);
        let shown: Vec<String> = found
            .iter()
            .map(|import| format!("{} {} {}", import.path.join("::"), import.name, import.is_handed_on))
            .collect();
        assert_eq!(shown, ["a::b b false", "a::c c false", "a::c::d e false", "super::f f true"]);
        assert!(!rest.contains("super") && rest.contains("h::i()") && rest.len() == text.len());
    }
}
