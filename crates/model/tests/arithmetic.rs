//! Operators against the same ones on integers of 128 bits, around the borders of all widths.

use ample_model::{Arithmetic, BinaryOp, NoValue, UnaryOp};
use ample_stdx::Random;

const OPERATORS: [BinaryOp; 18] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::And,
    BinaryOp::Or,
];

/// The exact value, whatever its size; `None` for a division by zero. No operand has more than 64
/// bits, so that only a shift can be larger than 128: then it is any number that is too large.
fn wide(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    let truth = |holds: bool| Some(i128::from(holds));
    let times_power = |power: i128| match power {
        _ if a == 0 => 0,
        0..=63 => a << power,
        64.. => i128::MAX,
        _ => a >> (-power).min(127),
    };
    match op {
        BinaryOp::Add => Some(a + b),
        BinaryOp::Subtract => Some(a - b),
        BinaryOp::Multiply => Some(a * b),
        BinaryOp::Divide | BinaryOp::Remainder if b == 0 => None,
        BinaryOp::Divide => Some(a / b),
        BinaryOp::Remainder => Some(a % b),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::ShiftLeft => Some(times_power(b)),
        BinaryOp::ShiftRight => Some(times_power(-b)),
        BinaryOp::Less => truth(a < b),
        BinaryOp::LessEqual => truth(a <= b),
        BinaryOp::Greater => truth(a > b),
        BinaryOp::GreaterEqual => truth(a >= b),
        BinaryOp::Equal => truth(a == b),
        BinaryOp::NotEqual => truth(a != b),
        BinaryOp::And => truth(a != 0 && b != 0),
        BinaryOp::Or => truth(a != 0 || b != 0),
    }
}

/// Numbers at the borders of these widths and next to them.
fn borders(widths: &[u32]) -> Vec<i64> {
    let near = |width: &u32| {
        let border = 1_i128 << width;
        [-border - 1, -border, -border + 1, border - 1, border, border + 1]
    };
    let all = widths.iter().flat_map(near).chain([-2, -1, 0, 1, 2, 3, 7]);
    all.filter_map(|number| i64::try_from(number).ok()).collect()
}

#[test]
fn exact_operators_are_those_of_wider_integers() {
    let mut numbers = borders(&[3, 6, 7, 8, 15, 16, 31, 32, 33, 62, 63]);
    let mut prng = Random::new(19);
    numbers.extend((0..100).map(|_| prng.number() as i64 >> prng.below(64)));
    for op in OPERATORS {
        for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b))) {
            let expected = match wide(op, a.into(), b.into()) {
                None => Err(NoValue::DivisionByZero),
                Some(value) => i64::try_from(value).map_err(|_| NoValue::Beyond64Bits),
            };
            assert_eq!(Arithmetic::Exact.binary(op, a, b), expected, "{a} {} {b}", op.sign());
        }
    }
    for value in numbers {
        assert_eq!(
            Arithmetic::Exact.unary(UnaryOp::Negate, value),
            i64::try_from(-i128::from(value)).map_err(|_| NoValue::Beyond64Bits)
        );
    }
}

/// On 32 bits all but shifts are the exact value, of which 32 bits are left.
#[test]
fn wrapping_operators_keep_32_bits_of_the_exact_value() {
    let numbers: Vec<i64> =
        borders(&[7, 8, 15, 16, 30, 31]).into_iter().filter(|number| i32::try_from(*number).is_ok()).collect();
    for op in OPERATORS.into_iter().filter(|op| !matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight)) {
        for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b))) {
            let expected = wide(op, a.into(), b.into()).map(|value| i64::from(value as i32));
            let expected = expected.ok_or(NoValue::DivisionByZero);
            assert_eq!(Arithmetic::Wrapping32.binary(op, a, b), expected, "{a} {} {b}", op.sign());
        }
    }
}
