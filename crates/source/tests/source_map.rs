//! Positions, and the way out of expansions.

use ample_source::{Expansion, ExpansionKind, FileId, SourceMap, Span};

fn map(text: &str) -> (SourceMap, FileId) {
    let mut map = SourceMap::new();
    let file = map.add_file("m.pml", text);
    (map, file)
}

fn expand(map: &mut SourceMap, kind: ExpansionKind, call: Span, body: Span) -> Span {
    let expansion = Expansion { kind, name: "N".into(), call, definition: body };
    Span { expansion: Some(map.add_expansion(expansion)), ..body }
}

#[track_caller]
fn check_location(map: &SourceMap, span: Span, expected: &str) {
    assert_eq!(map.location(span).to_string(), expected);
}

#[test]
fn columns_count_characters_and_lines_end_in_newlines() {
    let (map, file) = map("é x\r\n\ny\rz");
    check_location(&map, Span::new(file, 0, 0), "m.pml:1:1");
    check_location(&map, Span::new(file, 3, 4), "m.pml:1:3");
    check_location(&map, Span::new(file, 6, 6), "m.pml:2:1");
    check_location(&map, Span::new(file, 9, 10), "m.pml:3:3");
    check_location(&map, Span::new(file, 900, 901), "m.pml:3:4");
    check_location(&SourceMap::new(), Span::default(), ":1:1");
}

#[test]
fn text_out_of_range_is_empty() {
    let (map, file) = map("éa");
    assert_eq!(map.text(Span::new(file, 0, 2)), "é");
    assert_eq!(map.text(Span::new(file, 1, 2)), "");
    assert_eq!(map.text(Span::new(file, 2, 9)), "");
    assert_eq!(map.text(Span::new(file, 3, 2)), "");
}

#[test]
fn a_span_reaches_from_one_to_the_other_when_it_can() {
    let (mut map, file) = map("#define M a b\nx = M + y");
    let (a, b) = (Span::new(file, 10, 11), Span::new(file, 12, 13));
    let (x, call, y) = (Span::new(file, 14, 15), Span::new(file, 18, 19), Span::new(file, 22, 23));
    let a = expand(&mut map, ExpansionKind::Macro, call, a);
    let b = Span { expansion: a.expansion, ..b };
    assert_eq!(map.text(x.to(y)), "x = M + y");
    assert_eq!(map.text(a.to(b)), "a b");
    assert_eq!(x.to(a), x);
    assert_eq!(y.to(x), y);
    assert_eq!(map.text(map.join(x, b)), "x = M");
    assert_eq!(map.text(map.join(a, y)), "M + y");
    assert_eq!(map.join(a, b), a.to(b));
}

#[test]
fn a_reader_leaves_macros_but_not_inlines() {
    let (mut map, file) = map("#define M 1\ninline f() { M }\nf()");
    let (one, use_of_m, call) = (Span::new(file, 10, 11), Span::new(file, 25, 26), Span::new(file, 29, 32));
    let in_macro = expand(&mut map, ExpansionKind::Macro, use_of_m, one);
    assert_eq!(map.reading_span(in_macro), use_of_m);

    let in_inline = expand(&mut map, ExpansionKind::Inline, call, use_of_m);
    assert_eq!(map.reading_span(in_inline), in_inline);
    check_location(&map, in_inline, "m.pml:2:14");
}

#[test]
fn rebasing_puts_the_call_of_the_inline_around_the_macros() {
    let (mut map, file) = map("#define M 1\ninline f() { M }\nf()");
    let (one, use_of_m, call) = (Span::new(file, 10, 11), Span::new(file, 25, 26), Span::new(file, 29, 32));
    let in_macro = expand(&mut map, ExpansionKind::Macro, use_of_m, one);
    let in_inline = expand(&mut map, ExpansionKind::Inline, call, use_of_m);
    let inline = in_inline.expansion.expect("just made");

    let rebased = map.rebase(in_macro, inline);
    assert_eq!(map.text(rebased), "1");
    assert_eq!(map.reading_span(rebased), in_inline);
    let kinds: Vec<_> = map.expansions_of(rebased).map(|(_, expansion)| expansion.kind).collect();
    assert_eq!(kinds, [ExpansionKind::Macro, ExpansionKind::Inline]);
    assert_eq!(map.rebase(in_macro, inline), rebased, "one copy per expansion and call");
    assert_eq!(map.rebase(use_of_m, inline), in_inline);
}
