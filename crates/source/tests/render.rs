//! What a reader sees of a diagnostic.

use ample_source::{Diagnostic, Diagnostics, Expansion, ExpansionKind, SourceMap, Span, Style, render};

/// Renders one diagnostic and compares the text.
#[track_caller]
fn check(map: &SourceMap, diagnostic: Diagnostic, expected: &str) {
    let text = render(&[diagnostic], map, Style::Plain);
    assert_eq!(text.trim_end(), expected.trim_matches('\n'), "\n{text}");
}

/// The first occurrence of `needle` in the file `name`, outside of expansions.
fn find(map: &SourceMap, name: &str, needle: &str) -> Span {
    let (id, file) = map.files().find(|(_, file)| file.name == name).expect("the file");
    let start = file.text.find(needle).expect("the needle") as u32;
    Span::new(id, start, start + needle.len() as u32)
}

fn one_file(text: &str) -> SourceMap {
    let mut map = SourceMap::new();
    map.add_file("m.pml", text);
    map
}

fn expand(map: &mut SourceMap, kind: ExpansionKind, name: &str, call: Span, definition: Span) -> Span {
    let expansion = Expansion { kind, name: name.into(), call, definition };
    Span { expansion: Some(map.add_expansion(expansion)), ..definition }
}

#[test]
fn an_error_with_everything() {
    let map = one_file("byte turn;\nactive proctype P() {\n\tturm = 1\n}\n");
    let diagnostic = Diagnostic::error(find(&map, "m.pml", "turm"), "unknown name `turm`")
        .label("not declared")
        .secondary(find(&map, "m.pml", "turn"), "a similar name is declared here")
        .note("names are case sensitive")
        .help("did you mean `turn`?");
    check(
        &map,
        diagnostic,
        "
error: unknown name `turm`
 --> m.pml:3:2
  |
1 | byte turn;
  |      ---- a similar name is declared here
2 | active proctype P() {
3 |     turm = 1
  |     ^^^^ not declared
  |
  = note: names are case sensitive
  = help: did you mean `turn`?",
    );
}

#[test]
fn without_a_place() {
    check(
        &SourceMap::new(),
        Diagnostic::warning(None, "no process is ever run").label("nothing to check"),
        "
warning: no process is ever run
 |
 = note: nothing to check",
    );
}

#[test]
fn a_long_range_is_underlined_on_its_first_line() {
    let map = one_file("init {\n  skip;\n  skip\n}\n");
    check(
        &map,
        Diagnostic::error(find(&map, "m.pml", "init {\n  skip;\n  skip\n}"), "empty process"),
        "
error: empty process
 --> m.pml:1:1
  |
1 | init {
  | ^^^^^^",
    );
}

#[test]
fn what_a_macro_spells_is_shown_at_the_call_and_in_each_body() {
    let mut map = one_file("#define INNER x + y\n#define OUTER (INNER)\ninit { z = OUTER }\n");
    let call = find(&map, "m.pml", "OUTER }");
    let call = Span { end: call.start + 5, ..call };
    let inner_call = Span { start: 35, end: 40, ..call };
    assert_eq!(map.text(inner_call), "INNER");
    let definition = find(&map, "m.pml", "OUTER");
    let outer = expand(&mut map, ExpansionKind::Macro, "OUTER", call, definition);
    let inner_call = Span { expansion: outer.expansion, ..inner_call };
    let definition = find(&map, "m.pml", "INNER");
    let inner = expand(&mut map, ExpansionKind::Macro, "INNER", inner_call, definition);
    let spelt = Span { expansion: inner.expansion, ..find(&map, "m.pml", "y") };
    check(
        &map,
        Diagnostic::error(spelt, "unknown name `y`"),
        "
error: unknown name `y`
 --> m.pml:3:12
  |
3 | init { z = OUTER }
  |            ^^^^^
  |
note: in the expansion of macro `INNER`
 --> m.pml:1:19
  |
1 | #define INNER x + y
  |                   ^
note: in the expansion of macro `OUTER`
 --> m.pml:2:16
  |
2 | #define OUTER (INNER)
  |                ^^^^^",
    );
}

#[test]
fn what_an_inline_spells_is_shown_in_its_body_with_the_calls() {
    let mut map = one_file("inline f() { a = 1 }\ninline g() { f() }\ninit { g() }\n");
    let (definition, call) = (find(&map, "m.pml", "g"), find(&map, "m.pml", "g() }\n"));
    let g = expand(&mut map, ExpansionKind::Inline, "g", call, definition);
    let (definition, call) = (find(&map, "m.pml", "f"), find(&map, "m.pml", "f() }"));
    let f = expand(&mut map, ExpansionKind::Inline, "f", Span { expansion: g.expansion, ..call }, definition);
    let spelt = Span { expansion: f.expansion, ..find(&map, "m.pml", "a") };
    check(
        &map,
        Diagnostic::error(spelt, "unknown name `a`"),
        "
error: unknown name `a`
 --> m.pml:1:14
  |
1 | inline f() { a = 1 }
  |              ^
  |
  = note: in inline `f`, called from m.pml:2:14
  = note: in inline `g`, called from m.pml:3:8",
    );
}

#[test]
fn an_included_file_says_who_included_it() {
    let mut map = one_file("#include \"lib.pml\"\n");
    let include = find(&map, "m.pml", "\"lib.pml\"");
    map.add_included_file("lib.pml", "byte b\nbyte b\n", include);
    let here = find(&map, "lib.pml", "b\n");
    check(
        &map,
        Diagnostic::error(here, "no").secondary(include, "from here"),
        "
error: no
 --> lib.pml:1:6
  |
1 | byte b
  |      ^
  |
 ::: m.pml:1:10
  |
1 | #include \"lib.pml\"
  |          --------- from here
  |
  = note: included from m.pml:1:10",
    );
}

#[test]
fn control_characters_are_harmless() {
    let map = one_file("a\rb\u{1b}[31m c\u{85}\u{202e}\r\nx");
    check(
        &map,
        Diagnostic::error(find(&map, "m.pml", "c"), "a\u{7}b\nc"),
        "
error: a b c
 --> m.pml:1:10
  |
1 | a b [31m c·\u{fffd}
  |          ^",
    );
}

#[test]
fn a_very_long_line_is_cut() {
    let text = format!("{}é needle {}", "ä ".repeat(500_000), "b ".repeat(500_000));
    let map = one_file(&text);
    let text = render(&[Diagnostic::error(find(&map, "m.pml", "needle"), "found")], &map, Style::Plain);
    assert!(text.starts_with("error: found\n --> m.pml:1:1000003\n"), "{text}");
    assert!(text.contains("needle") && text.len() < 1000, "{text}");
}

#[test]
fn the_end_of_a_text_that_ends_with_a_newline() {
    let map = one_file("byte x =\n");
    let end = Span { start: 9, end: 9, ..find(&map, "m.pml", "byte") };
    check(
        &map,
        Diagnostic::error(end, "expected an expression, found the end of the text"),
        "
error: expected an expression, found the end of the text
 --> m.pml:2:1
  |
2 |
  | ^",
    );
}

#[test]
fn no_range_panics() {
    for text in ["é\r\n\n\tabc\u{300}\n漢字\r", "é\r\n\n\tabc\u{300}\n", "\n", "\n\n", "a\r\n", "a", ""] {
        check_all_ranges(text);
    }
}

fn check_all_ranges(text: &str) {
    let map = one_file(text);
    let (file, _) = map.files().next().expect("a file");
    let offsets = || (0..25).chain([u32::MAX - 1, u32::MAX]);
    for (start, end) in offsets().flat_map(|start| offsets().map(move |end| (start, end))) {
        let span = Span::new(file, start, end);
        let other = Span::new(file, end, start);
        let elsewhere = Span { file: ample_stdx::TypedId::from_index(7), ..span };
        let diagnostic = Diagnostic::error(span, "m").label("l").secondary(other, "o").secondary(elsewhere, "e");
        for style in [Style::Plain, Style::Colour] {
            assert!(!render(std::slice::from_ref(&diagnostic), &map, style).is_empty());
        }
    }
}

#[test]
fn a_collector_keeps_the_first_and_counts_the_rest() {
    let mut all = Diagnostics::new();
    assert!(!all.has_errors());
    for number in 0..120 {
        all.push(Diagnostic::error(None, number.to_string()));
    }
    all.push(Diagnostic::warning(None, "w"));
    assert_eq!((all.error_count(), all.warning_count(), all.dropped_count()), (120, 1, 70));
    assert_eq!(all.iter().count(), 51);
    assert_eq!(all.into_vec()[49].message, "49");
}
