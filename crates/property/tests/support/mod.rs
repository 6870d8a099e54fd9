//! What the tests share: random words and formulas, and where the corpus is.

#![allow(dead_code)] // no test uses all of it

use std::path::PathBuf;

use ample_property::{Lasso, Letter, Ltl, parse_ltl};
use ample_source::Span;

/// The corpus, if it is there.
pub fn corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("AMPLE_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
    };
    folder.join("ltl/sizes.csv").exists().then_some(folder)
}

pub fn number_from_environment(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[track_caller]
pub fn parse(text: &str) -> Ltl {
    parse_ltl(text, Span::default()).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).0
}

/// Random numbers, letters and words.
pub struct Random(ample_stdx::Random);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(ample_stdx::Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)))
    }

    pub fn next(&mut self) -> u64 {
        self.0.number()
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    pub fn letter(&mut self, propositions: usize) -> Letter {
        // Letters with few, with many and with any number of true propositions.
        let letter = match self.below(3) {
            0 => self.next() & self.next(),
            1 => self.next() | self.next(),
            _ => self.next(),
        };
        if propositions >= 64 { letter } else { letter & ((1 << propositions) - 1) }
    }

    pub fn lasso(&mut self, propositions: usize) -> Lasso {
        let (prefix, cycle) = (self.below(7), 1 + self.below(5));
        let mut letters = |count: usize| (0..count).map(|_| self.letter(propositions)).collect::<Vec<_>>();
        Lasso::new(letters(prefix), letters(cycle)).unwrap()
    }

    /// A formula with about `size` operators.
    pub fn formula(&mut self, propositions: usize, size: usize) -> Ltl {
        if size == 0 {
            return match self.below(12) {
                0 => Ltl::True,
                1 => Ltl::False,
                _ => Ltl::proposition(self.below(propositions)),
            };
        }
        let kind = self.below(11);
        if kind < 4 {
            let operand = Box::new(self.formula(propositions, size - 1));
            return [Ltl::Not, Ltl::Next, Ltl::Eventually, Ltl::Always][kind](operand);
        }
        let left = self.below(size);
        let a = Box::new(self.formula(propositions, left));
        let b = Box::new(self.formula(propositions, size - 1 - left));
        match kind {
            4 | 5 => Ltl::And(a, b),
            6 => Ltl::Or(a, b),
            7 => Ltl::Until(a, b),
            8 => Ltl::WeakUntil(a, b),
            9 => Ltl::Release(a, b),
            _ => Ltl::StrongRelease(a, b),
        }
    }
}
