//! Includes: which file is read, and what if it cannot be.

use std::path::Path;

use crate::run_with;
use ample_frontend_promela::preprocess::preprocess;
use ample_source::{Diagnostics, DiskLoader, FileLoader, LoadError, MemoryLoader, SourceMap, Style, decode, render};

#[track_caller]
fn check(loader: &MemoryLoader, text: &str, expected_tokens: &str, expected_messages: &str) {
    let outcome = run_with(text, loader, &[]);
    assert_eq!(outcome.messages().trim(), expected_messages.trim(), "\n{}", outcome.messages());
    assert_eq!(outcome.tokens(), expected_tokens);
}

#[test]
fn an_included_file_is_read_in_place() {
    let loader = MemoryLoader::new().with("lib.pml", "#define N 3\nbyte b;");
    check(&loader, "a\n#include \"lib.pml\"\nN", "a\nbyte b ;\n3", "");
    check(&loader, "#define LIB \"lib.pml\"\n#include LIB\nN", "byte b ;\n3", "");
}

#[test]
fn files_are_looked_for_beside_the_one_that_names_them_first() {
    let loader = MemoryLoader::new()
        .with("d/a.pml", "#include \"b.pml\"\n#include \"c.pml\"")
        .with("d/b.pml", "beside")
        .with("b.pml", "wrong")
        .with("c.pml", "given");
    check(&loader, "#include \"d/a.pml\"", "beside\ngiven", "");
}

#[test]
fn a_guard_makes_a_second_include_harmless() {
    let loader = MemoryLoader::new().with("g.pml", "#ifndef G\n#define G\n#include \"g.pml\"\ng\n#endif");
    check(&loader, "#include \"g.pml\"\n#include \"g.pml\"\nx", "g\nx", "");
}

#[test]
fn a_missing_file_is_named_with_the_line_that_wants_it() {
    let loader = MemoryLoader::new().with("d/a.pml", "#include \"b.pml\"\na");
    check(
        &loader,
        "#include \"nowhere.pml\"\n#include \"d/a.pml\"\nx",
        "a\nx",
        r#"
error: cannot include `nowhere.pml`: there is no such file
 --> m.pml:1:10
  |
1 | #include "nowhere.pml"
  |          ^^^^^^^^^^^^^

error: cannot include `b.pml`: there is no such file
 --> d/a.pml:1:10
  |
1 | #include "b.pml"
  |          ^^^^^^^
  |
  = note: included from m.pml:2:10
  = note: looked in `d`, then for the path as given"#,
    );
}

#[test]
fn only_the_quoted_form_is_known() {
    check(
        &MemoryLoader::new(),
        "#include <stdio.h>\n#include\nx",
        "x",
        r#"
error: `#include` with angle brackets
 --> m.pml:1:10
  |
1 | #include <stdio.h>
  |          ^^^^^^^^^
  |
  = note: a model has no system headers
  = help: name a file of the model in quotes: `#include "file"`

error: `#include` needs the name of a file
 --> m.pml:2:1
  |
2 | #include
  | ^^^^^^^^
  |
  = help: write `#include "file"`"#,
    );
}

#[test]
fn a_file_that_includes_itself_is_refused() {
    // Twice, so that without the stop there would be 2^64 includes.
    let loader =
        MemoryLoader::new().with("a.pml", "#include \"b.pml\"\n#include \"b.pml\"").with("b.pml", "#include \"a.pml\"");
    let outcome = run_with("#include \"a.pml\"\nx", &loader, &[]);
    let messages = outcome.messages();
    assert!(messages.starts_with("error: includes are nested more than 64 deep\n"), "{messages}");
    assert!(messages.contains("includes itself, directly or through others"), "{messages}");
    assert_eq!((outcome.diagnostics.error_count(), outcome.tokens().as_str()), (1, ""));
}

#[test]
fn files_that_include_others_twice_are_refused() {
    let mut loader = MemoryLoader::new().with("f40", "");
    for number in 0..40 {
        loader = loader.with(format!("f{number}"), format!("#include \"f{0}\"\n#include \"f{0}\"\n", number + 1));
    }
    let outcome = run_with("#include \"f0\"", &loader, &[]);
    assert!(outcome.messages().starts_with("error: more than 10000 files are included\n"), "{}", outcome.messages());
}

#[test]
fn a_conditional_must_close_in_its_own_file() {
    let loader = MemoryLoader::new().with("a.pml", "#if 1\na");
    check(
        &loader,
        "#include \"a.pml\"\n#endif\nx",
        "a\nx",
        r#"
error: this conditional is never closed
 --> a.pml:1:1
  |
1 | #if 1
  | ^^^
  |
  = note: included from m.pml:1:10
  = help: close it with `#endif`

error: `#endif` without `#if`
 --> m.pml:2:1
  |
2 | #endif
  | ^^^^^^"#,
    );
}

#[test]
fn the_disk_gives_text_or_a_reason() {
    assert_eq!(DiskLoader.load(Path::new("/no/such/file")), Err(LoadError::NotFound));
    assert!(matches!(DiskLoader.load(Path::new("/")), Err(LoadError::System(_))));
    assert_eq!(decode(b"a\nb\n\xffc".to_vec()), Err(LoadError::NotUtf8 { offset: 4, line: 3 }));
    assert_eq!(decode("é".as_bytes().to_vec()), Ok("é".to_string()));
    let message = LoadError::NotUtf8 { offset: 4, line: 3 }.to_string();
    assert_eq!(message, "not UTF-8 text: a bad byte at offset 4, on line 3");
}

#[test]
fn an_unreadable_include_gives_the_reason_of_the_system() {
    let (mut map, mut diagnostics) = (SourceMap::new(), Diagnostics::new());
    let text = "#include \"/\"";
    preprocess(Path::new("/m.pml"), text, &DiskLoader, &[], &mut map, &mut diagnostics);
    let messages = render(diagnostics.as_slice(), &map, Style::Plain);
    assert!(messages.starts_with("error: cannot include `/`: "), "{messages}");
}
