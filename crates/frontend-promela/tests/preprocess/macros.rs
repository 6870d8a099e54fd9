//! Macros: which calls are expanded, and to what.

use crate::{check, run_with};
use ample_source::MemoryLoader;

#[test]
fn without_parameters() {
    check("#define N 4\n#define EMPTY\nbyte a[N] EMPTY = EMPTY 0 NN", "byte a [ 4 ] = 0 NN");
    check("#define N (1)\nN", "( 1 )");
    check("#define N 4\n#undef N\n#undef N\nN", "N");
}

#[test]
fn the_end_of_a_range_is_expanded() {
    check("#define N 4\nfor (i : 1..N) { a[1..N] }", "for ( i : 1 .. 4 ) { a [ 1 .. 4 ] }");
}

#[test]
fn with_parameters() {
    check("#define f(x, y) y x\nf(1, 2) f((1, 2), [3) f(,) f( 4 ,)", "2 1 [ 3 ( 1 , 2 ) 4");
    check("#define none() N\nnone() none ( ) none", "N N none");
    check("#define nil(x) .\nnil() nil((,))", ". .");
}

#[test]
fn without_parenthesis_there_is_no_call() {
    check("#define f(x) [x]\nf f; f\n+ f", "f f ; f\n+ f");
    check("#define f(x) [x]\n#define g f\ng(1) g", "[ 1 ] f");
}

#[test]
fn arguments_are_expanded_before_they_are_put_in() {
    check("#define f(x) x x\n#define N 1\nf(N f(N))", "1 1 1 1 1 1");
    check("#define f(x) [x]\n#define LP (\nf LP 1 )", "f ( 1 )");
    check("#define f(x) [x]\n#define apply(g, x) g x\napply(f, (1))", "[ 1 ]");
}

#[test]
fn a_macro_is_not_expanded_inside_itself() {
    check("#define foo foo + bar\n#define bar foo - bar\nfoo bar", "foo + foo - bar foo + bar - bar");
    check("#define f(x) f(x + 1)\nf(f(1))", "f ( f ( 1 + 1 ) + 1 )");
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
    check("#define a b\n#define b a\na b", "a b");
}

#[test]
fn strings_of_arguments() {
    check(
        "#define str(x) #x\n#define N 1\nstr( a  +\n N )\nstr() str(\"b\\n\" '\\'')",
        r#""a + N"
"" "\"b\\n\" '\\''""#,
    );
    check("#define N # x\nN", "# x");
}

#[test]
fn pasting() {
    check("#define cat(a, b) a##b\ncat(x, 1) cat(1, 2) cat(-, >) cat(, x) cat(x, ) cat(,)", "x1 12 -> x x");
    check("#define cat(a, b, c) a ## b ## c\ncat(1,2,3) cat(,4,5) cat(6,,7) cat(8,9,) cat(,,)", "123 45 67 89");
    check("#define N 1\n#define cat(a, b) a ## b\n#define xcat(a, b) cat(a, b)\ncat(N, N) xcat(N, N)", "NN 11");
    check("#define ab c\n#define o a ## b d\no", "c d");
    check("#define f(x) [x]\n#define cat(a, b) a ## b\ncat(f,)(1) cat(p q, r s)", "[ 1 ] p qr s");
}

#[test]
fn line_ends_are_those_that_gcc_prints() {
    check("#define f(x) [x]\nf(1\n2)a b\nf(1\n2) ;\nf\n(3) 4", "[ 1 2 ]\na b\n[ 1 2 ]\n;\n[ 3 ]\n4");
    check("a /* \n */ b\na\\\nb \\\nc", "a\nb\na b\nc");
    check("#define E\nE a E\nE\nb E c", "a\nb c");
    check("#define two a \\\n b\nx two y", "x a b y");
}

#[test]
fn directives_may_stand_in_arguments() {
    check("#define f(x, y) x + y\nf(\n#ifdef f\n1,\n#else\n2,\n#endif\n3)", "1 + 3");
}

#[test]
fn macros_of_the_command_line() {
    let defines = [("N", "3"), ("EMPTY", ""), ("f(x)", "x\nx")];
    let outcome = run_with("N EMPTY f(1)\n#ifdef N\nyes\n#endif", &MemoryLoader::new(), &defines);
    assert_eq!(outcome.messages(), "");
    assert_eq!(outcome.tokens(), "3 1 1\nyes");
}

#[test]
fn quotes_protect_names() {
    check("#define N 1\n\"N\" 'N' N", "\"N\" 'N' 1");
}
