//! Exact integers, ranges, and where a state may end.

use super::check;

#[test]
fn exact_integers_do_not_wrap_at_32_bits() {
    check(
        "
        exact
        int x = 2147483647
        process P
          end c
          a b: x = x + 1
          b c: x = x * 4 - 1
        ",
        "
        a x=2147483647 | P: x = x + 1 | b x=2147483648
        b x=2147483648 | P: x = x * 4 - 1 | c x=8589934591
        c x=8589934591 | may end
        ",
    );
}

#[test]
fn what_is_beyond_64_bits_is_a_limit_and_not_an_end() {
    check(
        "
        exact
        int x = 9223372036854775807
        process P
          end b
          a b: x = x + 1
          a b: x = 0 - x - 2
          a b: x + 1 > x
          a b: x = 0 - x
        ",
        "
        a x=9223372036854775807 | P: x = x + 1 (value-limit: `x = x + 1`: 9223372036854775807 + 1 is beyond 64 bits) | -
        a x=9223372036854775807 | P: x = 0 - x - 2 (value-limit: `x = 0 - x - 2`: (-9223372036854775807) - 2 is beyond 64 bits) | -
        a x=9223372036854775807 | P: x + 1 > x (value-limit: `x + 1 > x`: 9223372036854775807 + 1 is beyond 64 bits) | -
        a x=9223372036854775807 | P: x = 0 - x | b x=-9223372036854775807
        b x=-9223372036854775807 | may end
        ",
    );
}

#[test]
fn the_least_number_has_no_opposite_but_a_remainder() {
    check(
        "
        exact
        int x = -9223372036854775808
        process P
          end b
          a b: x = - x
          a b: x = x / (0 - 1)
          a b: x = x % (0 - 1)
        ",
        "
        a x=-9223372036854775808 | P: x = - x (value-limit: `x = - x`: -(-9223372036854775808) is beyond 64 bits) | -
        a x=-9223372036854775808 | P: x = x / (0 - 1) (value-limit: `x = x / (0 - 1)`: (-9223372036854775808) / (-1) is beyond 64 bits) | -
        a x=-9223372036854775808 | P: x = x % (0 - 1) | b
        b | may end
        ",
    );
}

#[test]
fn a_range_holds_its_own_numbers_only() {
    check(
        "
        exact
        range 2 5 r
        range -3 -1 n
        int x
        process P
          end c
          a b: r = r + 3
          b c: r = r + 1
          b c: n = n - 2
          b c: n = x
        ",
        "
        a r=2 n=-1 | P: r = r + 3 | b r=5 n=-1
        b r=5 n=-1 | P: r = r + 1 (run-time-error: value out of range: `r` is to be 6, its range is 2..5) | -
        b r=5 n=-1 | P: n = n - 2 | c r=5 n=-3
        b r=5 n=-1 | P: n = x (run-time-error: value out of range: `n` is to be 0, its range is -3..-1) | -
        c r=5 n=-3 | may end
        ",
    );
}

#[test]
fn division_truncates_toward_zero_and_zero_does_not_divide() {
    check(
        "
        exact
        int x = -7
        int y
        process P
          end b
          a b: x = x / 2
          a b: x = x % 2
          a b: x = x / y
        ",
        "
        a x=-7 | P: x = x / 2 | b x=-3
        a x=-7 | P: x = x % 2 | b x=-1
        a x=-7 | P: x = x / y (run-time-error: division by zero) | -
        b x=-3 | may end
        b x=-1 | may end
        ",
    );
}

#[test]
fn a_state_may_end_where_the_model_says_so() {
    check(
        "
        exact
        int x = 9223372036854775807
        valid x == 1 || x + 1 < 0
        process P
          a b: x = 1
          a b: x = 2
          a b: skip
        ",
        "
        a x=9223372036854775807 | P: x = 1 | b x=1
        a x=9223372036854775807 | P: x = 2 | b x=2
        a x=9223372036854775807 | P: skip | b x=9223372036854775807
        b x=1 | may end
        b x=2 | deadlock
        b x=9223372036854775807 | 9223372036854775807 + 1 is beyond 64 bits
        ",
    );
}
