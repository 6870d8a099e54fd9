//! Rules about size: functions of more than 70 lines and files of more than 700 only where listed,
//! and the list shrinks.

use std::collections::BTreeMap;

use super::file::{File, Finding};
use super::rust_text::{blank, block_end, line_of, words};

/// The list: path, function (or `-` for the file itself) and number of lines on each line.
pub(crate) const LIST: &str = "crates/testing/long-list.txt";

const LONGEST_FUNCTION: usize = 70;
const LONGEST_FILE: usize = 700;

pub(crate) fn check(rust: &[&File], all: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut listed = BTreeMap::new();
    let list = all.iter().find(|file| file.path == LIST);
    for (number, line) in list.into_iter().flat_map(|list| list.text.lines()).enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [path, name, lines] if lines.parse::<usize>().is_ok() => {
                listed.insert((path.to_owned(), name.to_owned()), (number + 1, lines.parse().unwrap_or(0)));
            }
            _ => findings.push(at_list(number + 1, "not `path function lines`".to_owned())),
        }
    }
    for (path, name, line, lines, limit) in rust.iter().flat_map(|file| sizes(file)) {
        let allowed = listed.remove(&(path.clone(), name.clone()));
        let what = if name == "-" { "the file".to_owned() } else { format!("`{name}`") };
        match allowed {
            _ if lines > allowed.map_or(limit, |(_, most)| most) => {
                let message = format!("{what} has {lines} lines: split it by what it does (limit {limit})");
                findings.push(Finding { path, line, message });
            }
            Some((number, _)) if lines <= limit => {
                findings.push(at_list(number, format!("{what} of {path} is short enough now: take it off the list")));
            }
            Some((number, most)) if lines < most => {
                findings.push(at_list(number, format!("{what} of {path} has {lines} lines now: lower the number")));
            }
            _ => {}
        }
    }
    let stale = listed.iter();
    findings.extend(stale.map(|((path, name), (number, _))| {
        at_list(*number, format!("there is no `{name}` in {path} (or it is short): take it off the list"))
    }));
    findings
}

fn at_list(line: usize, message: String) -> Finding {
    Finding { path: LIST.to_owned(), line, message }
}

/// The file and its functions: path, name, first line, number of lines, limit. Of functions with
/// one name the longest.
fn sizes(file: &File) -> Vec<(String, String, usize, usize, usize)> {
    let mut sizes = vec![(file.path.clone(), "-".to_owned(), 0, file.text.lines().count(), LONGEST_FILE)];
    let code = blank(&file.text);
    let mut functions: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for at in words(&code, "fn") {
        let name: String =
            code[at + 2..].trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if name.is_empty() {
            continue; // a function type
        }
        let Some(end) = block_end(&code, at) else { continue };
        let (first, last) = (line_of(&code, at), line_of(&code, end));
        let lines = last - first + 1;
        let longest = functions.entry(name).or_insert((first, lines));
        if lines > longest.1 {
            *longest = (first, lines);
        }
    }
    let path = &file.path;
    sizes.extend(
        functions.into_iter().map(|(name, (first, lines))| (path.clone(), name, first, lines, LONGEST_FUNCTION)),
    );
    sizes
}
