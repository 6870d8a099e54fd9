//! Which automata of other tools are read, and why the others are not: compared with the table
//! `hoa-corpus.txt`.
//!
//! The files belong to the corpus, which is not part of the project. `AMPLE_UPDATE=1` writes the
//! table anew.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use ample_property::{read_hoa, stutter_closure, write_hoa};
use ample_source::{SourceMap, Span};
use support::{Random, corpus};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hoa-corpus.txt");

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "hoa") {
            files.push(path);
        }
    }
}

/// All files, by their paths below `ltl/`.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut paths = Vec::new();
    collect(&folder.join("hoa"), &mut paths);
    collect(&folder.join("theta-hoa"), &mut paths);
    paths.sort();
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

/// A line for each automaton of the file.
fn lines(name: &str, bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut map = SourceMap::new();
    let file = map.add_file(name, text.as_ref());
    let results = read_hoa(&text, Span::new(file, 0, text.len() as u32));
    let line = |result: &Result<ample_property::HoaAutomaton, ample_source::Diagnostic>| match result {
        Ok(read) => {
            let automaton = &read.automaton;
            format!("accepted: {} states, {} marks", automaton.state_count(), automaton.mark_count)
        }
        Err(error) => {
            let place = error.primary.as_ref().map_or(String::new(), |label| {
                let location = map.location(label.span);
                format!("{}:{}", location.line, location.column)
            });
            format!("refused at {place}: {}", error.message)
        }
    };
    results.iter().enumerate().map(|(at, result)| format!("{name} #{} {}", at + 1, line(result))).collect()
}

#[test]
fn the_table_says_what_is_read() {
    let Some(folder) = corpus() else {
        println!("no corpus: skipped");
        return;
    };
    let mut table =
        String::from("# file, number of the automaton in it, and what became of it (tests/hoa_corpus.rs)\n");
    for (name, bytes) in files(&folder.join("ltl")) {
        for line in lines(&name, &bytes) {
            table.push_str(&line);
            table.push('\n');
        }
    }
    if std::env::var_os("AMPLE_UPDATE").is_some() {
        fs::write(TABLE, &table).unwrap();
    }
    let expected = fs::read_to_string(TABLE).unwrap_or_default();
    for (found, expected) in table.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(table.lines().count(), expected.lines().count());
}

#[test]
fn what_was_read_can_be_written_and_closed() {
    let Some(folder) = corpus() else {
        println!("no corpus: skipped");
        return;
    };
    let mut random = Random::new(7);
    let mut closed = 0;
    for (name, bytes) in files(&folder.join("ltl")) {
        for read in read_hoa(&String::from_utf8_lossy(&bytes), Span::default()).into_iter().flatten() {
            let written = write_hoa(&read.automaton, read.name.as_deref(), &read.propositions);
            let again = read_hoa(&written, Span::default()).remove(0).unwrap();
            assert_eq!(write_hoa(&again.automaton, again.name.as_deref(), &again.propositions), written, "{name}");
            let closure = stutter_closure(&read.automaton);
            closed += usize::from(closure.is_some());
            let complement = read.automaton.complement();
            for _ in 0..30 {
                let word = random.lasso(read.propositions.len());
                let is_accepted = read.automaton.accepts(&word);
                assert_eq!(again.automaton.accepts(&word), is_accepted, "{name} on {word:?}");
                if let Some(complement) = &complement {
                    assert_ne!(complement.accepts(&word), is_accepted, "{name} on {word:?}");
                }
                let is_in_closure = closure.as_ref().is_none_or(|closure| closure.accepts(&word));
                assert!(!is_accepted || is_in_closure, "{name} on {word:?}");
            }
        }
    }
    println!("{closed} automata were closed under stuttering");
    assert!(closed > 150);
}
