//! What Spin reads is read: texts, and what is said about them.

use std::path::Path;

use ample_model::{Model, TemplateId};
use ample_property::ParsedText;
use ample_source::{Diagnostics, MemoryLoader, Request, SourceMap};
use ample_stdx::TypedId;

/// The model of a text, and the messages about it.
fn parse(text: &str) -> (Option<Model>, Vec<String>) {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::new();
    let loader = MemoryLoader::new();
    let request = Request {
        root: Path::new("m.pml"),
        text,
        loader: &loader,
        defines: &[],
        inputs: &[],
        formulas: &[],
        claims: &[],
        wanted: &[],
        values: &[],
    };
    let model = ample_frontend_promela::parse(request, &mut sources, &mut diagnostics)
        .map(ParsedText::lower_alone)
        .map(|(model, _)| model);
    let messages = diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
    (model.filter(|_| !diagnostics.has_errors()), messages)
}

/// Compares the texts of the statements of the first process.
#[track_caller]
fn check_texts(text: &str, expected: &[&str]) {
    let (model, messages) = parse(text);
    let model = model.unwrap_or_else(|| panic!("it is refused: {messages:?}"));
    let template = &model.templates[TemplateId::from_index(0)];
    let texts: Vec<&str> = template.edges.iter().map(|edge| &*edge.text).collect();
    for expected in expected {
        assert!(texts.contains(expected), "`{expected}` is not in {texts:?}");
    }
}

#[track_caller]
fn check_messages(text: &str, expected: &[&str]) {
    assert_eq!(parse(text).1, expected, "{text}");
}

#[test]
fn the_guard_of_a_loop_shows_its_bound_as_it_was_written() {
    let model = |header: &str| {
        format!(
            "#define N 6\n#define M N-1\n#define LOOP for (i : 0 .. N+1)\nbyte i;\nactive proctype P() {{ {header} {{ skip }} }}\n"
        )
    };
    check_texts(&model("for (i : 0 .. N-1)"), &["for (i : 0 .. N-1)", "i <= N-1"]);
    check_texts(&model("for (i : 0 .. (2 * N)  - 1)"), &["i <= (2 * N) - 1"]);
    check_texts(&model("for (i : 0 .. M)"), &["i <= M"]);
    check_texts(&model("for (i : 0 .. 1 - N)"), &["i <= 1 - N"]);
    check_texts(&model("LOOP"), &["for (i : 0 .. N+1)", "i <= N+1"]);
    check_texts("#define N 6\nbyte i; active proctype P() { select (i : 1 .. N-1) }", &["i = 1", "i < N-1"]);
    let inline = "#define N 6\nbyte i; inline f(n) { for (i : 0 .. n) { skip } }\nactive proctype P() { f(N) }";
    check_texts(inline, &["i <= N"]);
    check_texts(&inline.replace("f(N)", "CALL").replace("byte i", "#define CALL f(N+1)\nbyte i"), &["i <= N+1"]);
}

#[test]
fn a_range_up_to_a_variable_is_not_called_empty() {
    for bound in ["x", "x - 1", "2 * x"] {
        check_messages(
            &format!("byte x = 0; active proctype P() {{ byte i; for (i : 1 .. {bound}) {{ skip }} }}"),
            &[],
        );
    }
    check_messages(
        "active proctype P() { byte i; for (i : 1 .. 0) { skip } }",
        &["the range 1..0 is empty: the loop body never runs"],
    );
}

#[test]
fn the_end_of_no_comment_is_a_warning() {
    check_messages("byte x; */ active proctype P() { x = 1 */ }", &["this `*/` closes no comment"; 2]);
    check_messages("#define A 1 */\nactive proctype P() { A }", &["this `*/` closes no comment"]);
}

#[test]
fn a_late_list_of_values_is_a_warning() {
    let text = "active proctype P() { skip; byte a[2] = { 1, 2 } }";
    check_messages(text, &["only `a[0]` is set here, as in Spin"]);
    check_texts(text, &["a[0] = 1"]);
}

#[test]
fn a_label_before_a_loop_may_stand_at_the_head_of_a_block() {
    let loops = ["do :: x == 0 -> x = 1 :: else -> break od", "for (x : 1 .. 2) { skip }", "select (x : 1 .. y)"];
    for text in loops {
        for around in ["atomic { L: @ }", "d_step { L: @ }", "{ L: @ }", "L: @ unless { x == 5 }", "x = 1 unless L: @"]
        {
            let body = around.replace('@', text);
            check_messages(&format!("byte x, y; active proctype P() {{ {body} }}"), &[]);
        }
    }
    for text in ["x = 1", "if :: x = 1 fi", "select (x : 1 .. 2)", "{ x = 1 }", "goto M"] {
        for around in ["atomic { L: @ }", "d_step { L: @ }", "{ L: @ }", "{ L: @; y = 1 } unless { x == 5 }"] {
            let body = around.replace('@', text);
            let text = format!("byte x, y; active proctype P() {{ {body}; M: skip }}");
            assert!(parse(&text).1.contains(&"label `L` cannot stand here".to_owned()), "{text}");
        }
    }
}
