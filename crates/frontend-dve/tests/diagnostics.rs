//! What a user sees for each mistake: every `diagnostics/*.dve` and `*.mdve` against the `.txt`
//! beside it.
//!
//! `UPDATE_EXPECT=1 cargo test -p ample-frontend-dve` rewrites the expectations; look at the
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
    ample_frontend_dve::parse(request, &mut sources, &mut diagnostics).map(ParsedText::lower_alone);
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
fn messages_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let is_model = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "dve" || ending == "mdve");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(is_model).collect();
    paths.sort();
    assert!(paths.len() >= 10);
    let wrong: Vec<String> = paths.iter().filter_map(|path| check(path).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
