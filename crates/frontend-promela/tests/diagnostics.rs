//! What a user sees for each mistake: every `diagnostics/*.pml` against the `.txt` beside it.
//!
//! `UPDATE_EXPECT=1 cargo test -p ample-frontend-promela` rewrites the expectations; look at the
//! difference before committing it.

use std::fs;
use std::path::{Path, PathBuf};

use ample_property::ParsedText;
use ample_source::{Diagnostics, MemoryLoader, Request, SourceMap, Style, render};

fn check(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::new();
    let request = Request {
        root: &name,
        text: &text,
        loader: &MemoryLoader::new(),
        defines: &[],
        inputs: &[],
        formulas: &[],
        claims: &[],
        wanted: &[],
        values: &[],
    };
    ample_frontend_promela::parse(request, &mut sources, &mut diagnostics).map(ParsedText::lower_alone);
    if !diagnostics.has_errors() {
        return Err(format!("{}: no error was found", path.display()));
    }
    let actual = render(diagnostics.as_slice(), &sources, Style::Plain);
    let expected_path = path.with_extension("txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(&expected_path, actual).map_err(|error| error.to_string());
    }
    let expected = fs::read_to_string(&expected_path).unwrap_or_default();
    if actual != expected {
        return Err(format!("{}:\n--- expected\n{expected}--- found\n{actual}", path.display()));
    }
    Ok(())
}

#[test]
fn every_mistake_gets_the_message_that_was_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let mut models: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder is part of the project")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "pml"))
        .collect();
    models.sort();
    assert!(models.len() > 25, "only {} models", models.len());
    let failures: Vec<String> = models.iter().filter_map(|model| check(model).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
