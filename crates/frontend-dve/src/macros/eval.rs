//! Numbers in macros: the expressions of C, on 32 bits.

use ample_model::{Arithmetic, BinaryOp};

/// Deeper nesting is refused.
const MAX_NESTING: usize = 200;

/// The operators between two operands, by how strongly they bind. Longer ones come before their
/// prefixes.
const OPERATORS: &[(&str, BinaryOp, u8)] = &[
    ("||", BinaryOp::Or, 1),
    ("&&", BinaryOp::And, 2),
    ("==", BinaryOp::Equal, 6),
    ("!=", BinaryOp::NotEqual, 6),
    ("<<", BinaryOp::ShiftLeft, 8),
    (">>", BinaryOp::ShiftRight, 8),
    ("<=", BinaryOp::LessEqual, 7),
    (">=", BinaryOp::GreaterEqual, 7),
    ("<", BinaryOp::Less, 7),
    (">", BinaryOp::Greater, 7),
    // In m4 a single sign compares too.
    ("=", BinaryOp::Equal, 6),
    ("|", BinaryOp::BitOr, 3),
    ("^", BinaryOp::BitXor, 4),
    ("&", BinaryOp::BitAnd, 5),
    ("+", BinaryOp::Add, 9),
    ("-", BinaryOp::Subtract, 9),
    ("*", BinaryOp::Multiply, 10),
    ("/", BinaryOp::Divide, 10),
    ("%", BinaryOp::Remainder, 10),
];

/// The value of an expression over numbers.
pub(super) fn eval(text: &str) -> Result<i32, String> {
    let mut reader = Reader { text, rest: text, nesting: 0 };
    let value = reader.expression(0)?;
    reader.rest = reader.rest.trim_start();
    if reader.rest.is_empty() { Ok(value) } else { Err(reader.bad()) }
}

struct Reader<'t> {
    text: &'t str,
    rest: &'t str,
    nesting: usize,
}

impl Reader<'_> {
    fn bad(&self) -> String {
        let shown: String = self.text.trim().chars().take(60).collect();
        format!("`{shown}` is not a number")
    }

    fn expression(&mut self, lowest: u8) -> Result<i32, String> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err("an expression in a macro is nested too deeply".to_owned());
        }
        let mut left = self.operand()?;
        loop {
            self.rest = self.rest.trim_start();
            let found = OPERATORS.iter().find(|(text, ..)| self.rest.starts_with(text));
            let Some(&(text, operator, power)) = found.filter(|(_, _, power)| *power > lowest) else { break };
            self.rest = &self.rest[text.len()..];
            let right = self.expression(power)?;
            let value = Arithmetic::Wrapping32.binary(operator, left.into(), right.into());
            left = value.map_err(|_| "a division by zero in a macro")? as i32;
        }
        self.nesting -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<i32, String> {
        self.rest = self.rest.trim_start();
        let mut signs = Vec::new();
        while let Some(sign) = self.rest.chars().next().filter(|sign| matches!(sign, '-' | '+' | '!' | '~')) {
            signs.push(sign);
            self.rest = self.rest[1..].trim_start();
        }
        let mut value = if let Some(inside) = self.rest.strip_prefix('(') {
            self.rest = inside;
            let value = self.expression(0)?;
            self.rest = self.rest.trim_start();
            self.rest = self.rest.strip_prefix(')').ok_or_else(|| self.bad())?;
            value
        } else {
            let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, rest) = self.rest.split_at(digits);
            self.rest = rest;
            number.parse().map_err(|_| self.bad())?
        };
        for sign in signs.into_iter().rev() {
            value = match sign {
                '-' => value.wrapping_neg(),
                '!' => i32::from(value == 0),
                '~' => !value,
                _ => value,
            };
        }
        Ok(value)
    }
}
