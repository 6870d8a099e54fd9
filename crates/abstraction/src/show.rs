//! Predicates as people write them.

use ample_solver::Rounding;

use crate::cell::Cells;
use crate::normal::{Atom, Base, Condition, Linear, Relation};

impl Atom {
    /// As it is written: what is subtracted stands on the other side. A predicate and its contrary
    /// are the same; shown is the one whose number is not negative.
    pub fn text(&self, cells: &Cells) -> String {
        let (left, right): (Vec<_>, Vec<_>) = self.parts.iter().partition(|(_, by)| *by > 0);
        let right: Vec<(&Base, i128)> = right.into_iter().map(|(base, by)| (base, -by)).collect();
        let left: Vec<(&Base, i128)> = left.into_iter().map(|(base, by)| (base, *by)).collect();
        // Not S <= k is −S <= −k − 1.
        let contrary = self.bound.checked_neg().map(|bound| bound - 1);
        match (self.relation, contrary) {
            (Relation::Equal, _) => format!("{} = {}", sum(&left, 0, cells), sum(&right, self.bound, cells)),
            (Relation::AtMost, Some(bound @ 0..)) if right.is_empty() => {
                format!("{} >= {}", sum(&left, 0, cells), -bound)
            }
            (Relation::AtMost, Some(bound @ 0..)) => {
                format!("{} <= {}", sum(&right, 0, cells), sum(&left, bound, cells))
            }
            (Relation::AtMost, _) => format!("{} <= {}", sum(&left, 0, cells), sum(&right, self.bound, cells)),
        }
    }
}

fn sum(parts: &[(&Base, i128)], number: i128, cells: &Cells) -> String {
    let mut text = String::new();
    for (base, by) in parts {
        let sign = match (text.is_empty(), *by < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text += sign;
        if by.unsigned_abs() != 1 {
            text += &format!("{} * ", by.unsigned_abs());
        }
        text += &base.text(cells);
    }
    match (text.is_empty(), number) {
        (true, number) => number.to_string(),
        (false, 0) => text,
        (false, number) if number < 0 => format!("{text} - {}", number.unsigned_abs()),
        (false, number) => format!("{text} + {number}"),
    }
}

impl Linear {
    fn text(&self, cells: &Cells) -> String {
        let parts: Vec<(&Base, i128)> = self.parts.iter().map(|(base, by)| (base, *by)).collect();
        sum(&parts, self.constant, cells)
    }

    /// In parentheses, if it has more than one part.
    fn operand(&self, cells: &Cells) -> String {
        let is_simple = self.parts.is_empty() || (self.constant == 0 && self.parts.len() == 1 && self.parts[0].1 == 1);
        if is_simple { self.text(cells) } else { format!("({})", self.text(cells)) }
    }
}

impl Base {
    fn text(&self, cells: &Cells) -> String {
        let operation =
            |pair: &[Linear; 2], sign: &str| format!("{} {sign} {}", pair[0].operand(cells), pair[1].operand(cells));
        match self {
            Base::Cell(cell) => cells.info(*cell).name.clone(),
            Base::Product(pair) => format!("({})", operation(pair, "*")),
            Base::Quotient(Rounding::TowardZero, pair) => format!("({})", operation(pair, "/")),
            Base::Quotient(_, pair) => format!("floor({})", operation(pair, "/")),
            Base::Remainder(Rounding::TowardZero, pair) => format!("({})", operation(pair, "%")),
            Base::Remainder(_, pair) => format!("({})", operation(pair, "mod")),
            Base::BitAnd(pair) => format!("({})", operation(pair, "&")),
            Base::Conditional(parts) => {
                let (condition, yes, no) = &**parts;
                format!("(if {} then {} else {})", condition.text(cells), yes.text(cells), no.text(cells))
            }
        }
    }
}

impl Condition {
    pub fn text(&self, cells: &Cells) -> String {
        let joined = |parts: &[Condition], by: &str| {
            let texts: Vec<String> = parts.iter().map(|part| part.text(cells)).collect();
            format!("({})", texts.join(by))
        };
        match self {
            Condition::Constant(value) => value.to_string(),
            Condition::Atom(atom) => atom.text(cells),
            Condition::Not(inner) => format!("not {}", inner.text(cells)),
            Condition::All(parts) => joined(parts, " and "),
            Condition::Any(parts) => joined(parts, " or "),
        }
    }
}
