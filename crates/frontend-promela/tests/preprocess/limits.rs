//! Any text ends, soon, and without a panic.

use crate::run;

#[test]
fn random_texts_give_tokens_or_messages() {
    let pieces = [
        "#",
        "##",
        "#define ",
        "#undef ",
        "#if ",
        "#ifdef ",
        "#elif ",
        "#else",
        "#endif",
        "#include ",
        "#error",
        "\n",
        "\r\n",
        "\r",
        "\\\n",
        "\\",
        " ",
        "f",
        "g",
        "N",
        "(",
        ")",
        ",",
        "x",
        "y",
        "\"",
        "'",
        "/*",
        "*/",
        "//",
        "0x",
        "1",
        "..",
        "defined",
        "...",
        "é",
        "\0",
        "\u{85}",
        "f(",
        "f(x,y) x##y #x\n",
        "g(x) f(x,g)\n",
        "N f(N,N)\n",
        "'\\n'",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    for _ in 0..3_000 {
        let text: String = (0..random(60)).map(|_| pieces[random(pieces.len())]).collect();
        let outcome = run(&text);
        outcome.tokens();
        outcome.messages();
    }
    for _ in 0..500 {
        let bytes: Vec<u8> = (0..random(300)).map(|_| random(256) as u8).collect();
        let outcome = run(&String::from_utf8_lossy(&bytes));
        outcome.tokens();
        outcome.messages();
    }
}

#[test]
fn nested_parentheses() {
    let (open, close) = ("(".repeat(10_000), ")".repeat(10_000));
    let text = format!("#define f(x) x\n{open}1{close} f({open}1{close})");
    assert_eq!(run(&text).output.tokens.len(), 40_003);
    let outcome = run(&format!("#if {open}1{close}\n#endif\nx"));
    assert!(outcome.messages().starts_with("error: this condition is nested too deeply\n"));
    assert_eq!(outcome.tokens(), "x");
}

#[test]
fn nested_calls() {
    let nest = |depth: usize| format!("#define f(x) x\n{}1{}", "f(".repeat(depth), ")".repeat(depth));
    let outcome = run(&nest(150));
    assert_eq!((outcome.messages().as_str(), outcome.tokens().as_str()), ("", "1"));
    let outcome = run(&nest(10_000));
    assert!(outcome.messages().starts_with("error: macro `f` is nested too deeply in others\n"));
    assert_eq!(outcome.diagnostics.error_count(), 1);
}

#[test]
fn nested_conditionals() {
    let text = format!("{}x\n{}", "#if 1\n".repeat(100_000), "#endif\n".repeat(100_000));
    let outcome = run(&text);
    assert_eq!((outcome.messages().as_str(), outcome.tokens().as_str()), ("", "x"));
    let outcome = run(&"#if 0\n".repeat(100_000));
    assert_eq!(outcome.diagnostics.error_count(), 100_000);
    assert!(outcome.messages().contains("this conditional is never closed"));
}

#[test]
fn a_long_chain_of_macros() {
    let chain = |length: usize| {
        let lines: String = (0..length).map(|n| format!("#define m{n} m{}\n", n + 1)).collect();
        lines + "m0"
    };
    assert_eq!(run(&chain(900)).tokens(), "m900");
    let outcome = run(&chain(100_000));
    assert!(outcome.messages().contains("is nested too deeply in others"));
    assert!(outcome.messages().contains("and further macros around it"));
}

#[test]
fn macros_that_double() {
    for last in ["x", ""] {
        let lines: String = (0..40).map(|n| format!("#define m{n} m{0} m{0}\n", n + 1)).collect();
        let outcome = run(&format!("{lines}#define m40 {last}\na m0 b"));
        let messages = outcome.messages();
        assert!(messages.starts_with("error: macro `m"), "{messages}");
        assert!(messages.contains("becomes too large"), "{messages}");
        assert_eq!(outcome.diagnostics.error_count(), 1);
    }
}

#[test]
fn arguments_that_double() {
    let outcome = run(&format!("#define d(x) x x\n{}1{}", "d(".repeat(60), ")".repeat(60)));
    assert!(outcome.messages().contains("macro `d` becomes too large"), "{}", outcome.messages());
}

#[test]
fn a_body_that_repeats_a_large_argument() {
    let body = "x ".repeat(10_000);
    let argument = "1 ".repeat(10_000);
    let outcome = run(&format!("#define f(x) {body}\nf({argument})"));
    assert!(outcome.messages().contains("macro `f` becomes too large"));
}

#[test]
fn a_chain_of_pastes_and_strings() {
    let lines: String = (0..40).map(|n| format!("#define m{n}(x) m{}(x ## x)\n", n + 1)).collect();
    let outcome = run(&format!("{lines}m0(a)"));
    assert!(outcome.diagnostics.has_errors());
}
