//! Where tokens come from.

use crate::run;

/// Each token with the place where a reader looks for it, its own spelling if that differs, and its
/// macros.
#[track_caller]
fn check(text: &str, expected: &str) {
    let outcome = run(text);
    let map = &outcome.map;
    let mut lines = Vec::new();
    for token in &outcome.output.tokens {
        let place = map.location(token.span);
        let mut line = format!("{} {}:{}", token.kind, place.line, place.column);
        let (reading, spelling) = (map.reading_span(token.span), map.text(token.span));
        if reading != token.span {
            line += &format!(" `{}` spelt `{spelling}`", map.text(reading));
        }
        for (_, expansion) in map.expansions_of(token.span) {
            line += &format!(" in {}", expansion.name);
        }
        lines.push(line);
    }
    assert_eq!(lines.join("\n"), expected.trim());
}

#[test]
fn of_plain_text() {
    check(
        "a  bc\r\n\té d",
        "
a 1:1
bc 1:4
é 2:2
d 2:4
end of file 2:5",
    );
}

#[test]
fn of_bodies_and_arguments() {
    check(
        "#define N 3\n#define f(x) x + N\ny = f(z);",
        "
y 3:1
= 3:3
z 3:7
+ 3:5 `f(z)` spelt `+` in f
3 3:5 `f(z)` spelt `3` in N in f
; 3:9
end of file 3:10",
    );
}

#[test]
fn of_macros_in_arguments() {
    check(
        "#define N 3\n#define id(x) x\nid(N\n+ 1)",
        "
3 3:4 `N` spelt `3` in N
+ 4:1
1 4:3
end of file 4:5",
    );
}

#[test]
fn of_made_tokens() {
    check(
        "#define m(x) v_ ## x x ## _v #x\nm(a)",
        "
v_a 2:1 `m(a)` spelt `v_` in m
a_v 2:3
\"a\" 2:1 `m(a)` spelt `#` in m
end of file 2:5",
    );
}
