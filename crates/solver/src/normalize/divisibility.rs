//! Divisibility as a question about what a division leaves, for those who do not know it.

use super::normalizer::Normalizer;
use crate::linear::Linear;
use crate::normal::{Atom, Literal, Normal};
use crate::number::Integer;

impl Normalizer {
    /// The same without divisibility, and the definitions that this adds.
    pub fn without_divisibility(&mut self, normal: Normal) -> Normal {
        let before = self.definitions.len();
        let lowered = self.lowered(normal);
        Normal::all(self.definitions[before..].iter().cloned().chain([lowered]))
    }

    fn lowered(&mut self, normal: Normal) -> Normal {
        match normal {
            Normal::Literal(Literal { atom: Atom::Divides(by, linear), is_positive }) => {
                let remainder = self.floor_remainder(&linear, &by);
                let is_zero = Normal::is_zero(&remainder);
                // It is never negative: what is not zero is positive.
                if is_positive { is_zero } else { Normal::less(&Linear::default(), &remainder) }
            }
            Normal::All(parts) => {
                let parts: Vec<Normal> = parts.into_iter().map(|part| self.lowered(part)).collect();
                Normal::all(parts)
            }
            Normal::Any(parts) => {
                let parts: Vec<Normal> = parts.into_iter().map(|part| self.lowered(part)).collect();
                Normal::any(parts)
            }
            other => other,
        }
    }

    /// What the division by a positive number leaves.
    pub(super) fn floor_remainder(&mut self, linear: &Linear, by: &Integer) -> Linear {
        let quotient = self.floor_quotient(linear, by);
        linear.plus(&-by, &quotient)
    }
}
