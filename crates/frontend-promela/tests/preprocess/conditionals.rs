//! Conditionals: which text is read.

use crate::check;

/// Checks which of `yes` and `no` a condition chooses.
#[track_caller]
fn check_condition(condition: &str, expected: &str) {
    check(&format!("#define ONE 1\n#define EMPTY\n#if {condition}\nyes\n#else\nno\n#endif"), expected);
}

#[test]
fn names() {
    check_condition("defined ONE", "yes");
    check_condition("defined(EMPTY) && !defined ( OTHER )", "yes");
    check_condition("OTHER", "no");
    check_condition("true", "no");
    check_condition("ONE", "yes");
    check_condition("EMPTY 1 EMPTY", "yes");
}

#[test]
fn arithmetic() {
    for holds in [
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "10 - 3 - 2 == 5",
        "100 / 7 % 5 == 4",
        "-7 / 2 == -3",
        "1 << 3 >> 1 == 4",
        "(3 & 2 | 4 ^ 1) == 7",
        "1 < 2 == 2 > 1",
        "2 <= 2 && 2 >= 2 && 1 != 2",
        "~0 == -1",
        "!!5 == 1 && !0",
        "0 ? 0 : 1",
        "1 ? 2 : 1 / 0",
        "1 ? 0 ? 0 : 1 : 0",
        "0x1f == 31 && 010 == 8 && 10uL == 10",
        r"'a' == 97 && '\n' == 10",
        "1 || 1 / 0",
        "!(0 && 1 / 0)",
        "1 << 100 == 0",
        "-9223372036854775807 - 1 < 0",
    ] {
        check_condition(holds, "yes");
    }
}

#[test]
fn only_the_first_branch_that_holds_is_read() {
    let text = |a, b| format!("#if {a}\na\n#elif {b}\nb\n#elif 1\nc\n#else\nd\n#endif\ne");
    check(&text(1, 1), "a\ne");
    check(&text(0, 1), "b\ne");
    check(&text(0, 0), "c\ne");
    check("#ifdef N\na\n#else\nb\n#endif\n#ifndef N\nc\n#else\nd\n#endif", "b\nc");
}

#[test]
fn skipped_text_need_not_make_sense() {
    check("#if 0\n don't \" ` \n#bogus\n#if (\n#else x y\n#endif z\n#define N 2\n#else\nN\n#endif", "N");
    check("#if 1\na\n#elif 1 / 0\nb\n#elif (\nc\n#endif", "a");
}

#[test]
fn directives_that_mean_nothing_are_passed_over() {
    check("#\n# // c\n#pragma once\n#line 3\n# 12 \"x.c\" 2\n a # b\n/* c */ # define N 1\nN", "a # b\n1");
}
