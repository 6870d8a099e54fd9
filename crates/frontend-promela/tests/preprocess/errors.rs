//! What is said about wrong directives and calls. Several faults of one text are all reported.

use crate::{check_faults, run_with};
use ample_source::MemoryLoader;

#[test]
fn unknown_directives_are_reported_with_a_suggestion() {
    check_faults(
        "#ifdfe N\n#frobnicate\nx",
        "x",
        "
error: unknown directive `#ifdfe`
 --> m.pml:1:1
  |
1 | #ifdfe N
  | ^^^^^^
  |
  = help: did you mean `#ifdef`?

error: unknown directive `#frobnicate`
 --> m.pml:2:1
  |
2 | #frobnicate
  | ^^^^^^^^^^^",
    );
}

#[test]
fn conditionals_that_do_not_match() {
    check_faults(
        "#if 1\n#else\n#else\n#elif 1\n#endif\n#endif\n#ifdef N\nx",
        "",
        "
error: a second `#else`
 --> m.pml:3:1
  |
2 | #else
  | ----- the first one is here
3 | #else
  | ^^^^^

error: `#elif` after `#else`
 --> m.pml:4:1
  |
3 | #else
  | ----- the `#else` is here
4 | #elif 1
  | ^^^^^

error: `#endif` without `#if`
 --> m.pml:6:1
  |
6 | #endif
  | ^^^^^^

error: this conditional is never closed
 --> m.pml:7:1
  |
7 | #ifdef N
  | ^^^^^^
  |
  = help: close it with `#endif`",
    );
}

#[test]
fn conditions_that_make_no_sense() {
    let cases = [
        ("#if", "`#if` needs a condition", "1:1"),
        ("#if (1", "expected `)`", "1:7"),
        ("#if 1 +", "the condition ends too early", "1:8"),
        ("#if 1 2", "unexpected in a condition", "1:7"),
        ("#if 1 / 0", "division by zero in a condition", "1:7"),
        ("#if 1 ? 2", "expected `:`", "1:10"),
        ("#if \"a\"", "`\"a\"` is not a number or a name", "1:5"),
        ("#if 08", "`08` is not a number of C: invalid digit found in string", "1:5"),
        ("#if 1k", "unknown suffix `k` of a number", "1:6"),
        ("#if defined", "`defined` in `#if` needs a name: `defined(NAME)`", "1:5"),
        ("#ifdef 1", "`#ifdef` needs the name of a macro", "1:8"),
        ("#ifndef", "`#ifndef` needs the name of a macro", "1:1"),
    ];
    for (line, message, place) in cases {
        let outcome = run_with(&format!("{line}\nx\n#endif"), &MemoryLoader::new(), &[]);
        let messages = outcome.messages();
        let expected = format!("error: {message}\n --> m.pml:{place}\n");
        assert!(messages.starts_with(&expected), "{line}\n{messages}");
        assert_eq!((outcome.diagnostics.error_count(), outcome.tokens().as_str()), (1, ""), "{line}");
    }
}

#[test]
fn definitions_that_make_no_sense() {
    let cases = [
        ("#define", "`#define` needs the name of a macro", "1:1"),
        ("#define 1", "`#define` needs the name of a macro", "1:9"),
        ("#define defined", "`defined` cannot be the name of a macro", "1:9"),
        ("#undef", "`#undef` needs the name of a macro", "1:1"),
        ("#define f(x", "this list of parameters is not closed on its line", "1:10"),
        ("#define f(", "this list of parameters is not closed on its line", "1:10"),
        ("#define f(x,) x", "expected the name of a parameter", "1:13"),
        ("#define f(x y) x", "expected `,` or `)` after the name of a parameter", "1:13"),
        ("#define f(x, x) x", "this macro has two parameters of the same name", "1:14"),
        ("#define f(...) x", "macros with a variable number of arguments are not supported", "1:11"),
        ("#define f(x, y...) x", "macros with a variable number of arguments are not supported", "1:14"),
        ("#define f(x) # y", "`#` must be followed by a parameter of the macro", "1:14"),
        ("#define N ## 1", "`##` must stand between two tokens", "1:11"),
        ("#define N 1 ##", "`##` must stand between two tokens", "1:13"),
    ];
    for (line, message, place) in cases {
        let outcome = run_with(line, &MemoryLoader::new(), &[]);
        let messages = outcome.messages();
        let expected = format!("error: {message}\n --> m.pml:{place}\n");
        assert!(messages.starts_with(&expected), "{line}\n{messages}");
        assert_eq!(outcome.diagnostics.error_count(), 1, "{line}");
    }
}

#[test]
fn calls_with_the_wrong_number_of_arguments() {
    check_faults(
        "#define f(x, y) x y\nf(1) f(1,\n2, 3) x",
        "f f\nx",
        "
error: macro `f` takes 2 arguments, but 1 is given
 --> m.pml:2:1
  |
1 | #define f(x, y) x y
  |         - defined here
2 | f(1) f(1,
  | ^^^^

error: macro `f` takes 2 arguments, but 3 are given
 --> m.pml:2:6
  |
1 | #define f(x, y) x y
  |         - defined here
2 | f(1) f(1,
  |      ^^^^",
    );
}

#[test]
fn a_call_that_is_never_closed() {
    check_faults(
        "#define f(x) x\na f(1, (2) b",
        "a f",
        "
error: this call of macro `f` is never closed
 --> m.pml:2:3
  |
1 | #define f(x) x
  |         - the macro is defined here
2 | a f(1, (2) b
  |   ^
  |
  = help: close it with `)`",
    );
}

#[test]
fn pasting_that_gives_no_token() {
    check_faults(
        "#define cat(a, b) a ## b\ncat(+, -)",
        "+ -",
        "
error: `##` joins `+` and `-`
 --> m.pml:2:1
  |
2 | cat(+, -)
  | ^^^^^^^^^ together they are no token
  |
note: in the expansion of macro `cat`
 --> m.pml:1:21
  |
1 | #define cat(a, b) a ## b
  |                     ^^",
    );
}

#[test]
fn the_author_speaks() {
    check_faults(
        "#warning be careful\n#error N must be < 4 /* c */\n#error\nx",
        "x",
        "
warning: `#warning`: be careful
 --> m.pml:1:1
  |
1 | #warning be careful
  | ^^^^^^^^

error: `#error`: N must be < 4
 --> m.pml:2:1
  |
2 | #error N must be < 4 /* c */
  | ^^^^^^

error: `#error`
 --> m.pml:3:1
  |
3 | #error
  | ^^^^^^",
    );
}

#[test]
fn a_second_definition_must_be_the_same() {
    check_faults(
        "#define N 1\n#define N  1 /* same */\n#define N 2\nN",
        "2",
        "
warning: macro `N` is defined again, differently
 --> m.pml:3:9
  |
2 | #define N  1 /* same */
  |         - the definition so far is here
3 | #define N 2
  |         ^
  |
  = help: put `#undef` before it if this is meant",
    );
}

#[test]
fn more_text_than_needed() {
    check_faults(
        "#ifndef N x\n#undef M y\n#else z\n#endif N",
        "",
        "
warning: more text after `#ifndef`
 --> m.pml:1:11
  |
1 | #ifndef N x
  |           ^ ignored

warning: more text after `#undef`
 --> m.pml:2:10
  |
2 | #undef M y
  |          ^ ignored

warning: more text after `#else`
 --> m.pml:3:7
  |
3 | #else z
  |       ^ ignored",
    );
}

#[test]
fn a_bad_definition_of_the_command_line_is_shown() {
    let outcome = run_with("x", &MemoryLoader::new(), &[("1N", "2")]);
    assert_eq!(outcome.tokens(), "x");
    assert_eq!(
        outcome.messages(),
        "error: `#define` needs the name of a macro
 --> <command line>:1:9
  |
1 | #define 1N 2
  |         ^
"
    );
}
