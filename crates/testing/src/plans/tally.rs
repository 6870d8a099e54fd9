//! What comparisons were good for, in numbers.

use std::collections::BTreeMap;
use std::fmt;

/// The plans that are counted together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// `safety`, `formula` or `fair formula`.
    pub question: String,
    /// The expander.
    pub por: String,
    /// The cycle condition.
    pub condition: String,
}

/// How a plan fared.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// The answer of the full search.
    Compared {
        /// The whole space was searched, and it was smaller.
        is_smaller: bool,
        /// Something went wrong.
        is_violated: bool,
    },
    /// The answer of the full search; the plan has fallen back to it, or never reduced anything.
    InFull,
    /// No answer.
    Unsettled,
    /// Refused.
    Refused,
    /// The full search was too large.
    TooLarge,
}

/// How often plans fared how.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reduced, and compared with the full search.
    pub compared: usize,
    /// Of these, with fewer states (where the whole space was searched).
    pub smaller: usize,
    /// Of these, violated.
    pub violated: usize,
    /// Answered without a reduction although one was asked for, or none was chosen: compared too,
    /// but that says nothing.
    pub in_full: usize,
    /// Refused.
    pub refused: usize,
    /// Not settled.
    pub unsettled: usize,
    /// Not asked: the full search was too large.
    pub too_large: usize,
}

impl Counts {
    const NAMES: [&str; 7] = ["compared", "smaller", "violated", "in full", "refused", "unsettled", "too large"];

    fn numbers(&self) -> [usize; 7] {
        let Counts { compared, smaller, violated, in_full, refused, unsettled, too_large } = *self;
        [compared, smaller, violated, in_full, refused, unsettled, too_large]
    }

    fn add(&mut self, other: &Counts) {
        let Counts { compared, smaller, violated, in_full, refused, unsettled, too_large } = self;
        let own = [compared, smaller, violated, in_full, refused, unsettled, too_large];
        own.into_iter().zip(other.numbers()).for_each(|(own, more)| *own += more);
    }
}

/// What came of comparisons, by question, expander and cycle condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    rows: BTreeMap<Row, Counts>,
    /// Why plans were refused, or did not settle the question.
    reasons: BTreeMap<String, usize>,
}

impl Tally {
    pub(crate) fn count(&mut self, row: Row, came: Came) {
        let counts = self.rows.entry(row).or_default();
        match came {
            Came::Compared { is_smaller, is_violated } => {
                counts.compared += 1;
                counts.smaller += usize::from(is_smaller);
                counts.violated += usize::from(is_violated);
            }
            Came::InFull => counts.in_full += 1,
            Came::Unsettled => counts.unsettled += 1,
            Came::Refused => counts.refused += 1,
            Came::TooLarge => counts.too_large += 1,
        }
    }

    pub(crate) fn count_reason(&mut self, row: Row, came: Came, reason: &str) {
        self.count(row, came);
        let word = if came == Came::Refused { "refused" } else { "unsettled" };
        *self.reasons.entry(format!("{word}: {reason}")).or_default() += 1;
    }

    /// Adds what somebody else counted.
    pub fn add(&mut self, other: &Tally) {
        other.rows.iter().for_each(|(row, counts)| self.rows.entry(row.clone()).or_default().add(counts));
        other.reasons.iter().for_each(|(reason, count)| *self.reasons.entry(reason.clone()).or_default() += count);
    }

    /// The sum of the rows that are picked.
    pub fn sum(&self, is_picked: impl Fn(&Row) -> bool) -> Counts {
        let mut sum = Counts::default();
        self.rows.iter().filter(|(row, _)| is_picked(row)).for_each(|(_, counts)| sum.add(counts));
        sum
    }

    /// The sum of all rows about `safety`, `formula` or `fair formula`.
    pub fn about(&self, question: &str) -> Counts {
        self.sum(|row| row.question == question)
    }

    /// On one line, without the reasons, to be read again by [`Tally::parse`].
    pub fn line(&self) -> String {
        let row = |(row, counts): (&Row, &Counts)| {
            let numbers = counts.numbers().map(|number| number.to_string()).join(" ");
            format!("{},{},{}:{numbers}", row.question, row.por, row.condition)
        };
        self.rows.iter().map(row).collect::<Vec<_>>().join(";")
    }

    /// What [`Tally::line`] wrote.
    pub fn parse(line: &str) -> Option<Tally> {
        let mut tally = Tally::default();
        for part in line.split(';').filter(|part| !part.is_empty()) {
            let (row, numbers) = part.split_once(':')?;
            let mut names = row.split(',').map(str::to_owned);
            let row = Row { question: names.next()?, por: names.next()?, condition: names.next()? };
            let mut numbers = numbers.split(' ').map_while(|number| number.parse().ok());
            let mut next = || numbers.next();
            let counts = Counts {
                compared: next()?,
                smaller: next()?,
                violated: next()?,
                in_full: next()?,
                refused: next()?,
                unsettled: next()?,
                too_large: next()?,
            };
            tally.rows.insert(row, counts);
        }
        Some(tally)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<36}", "question, expander, condition")?;
        Counts::NAMES.iter().try_for_each(|name| write!(f, "{name:>10}"))?;
        writeln!(f)?;
        for (row, counts) in &self.rows {
            write!(f, "{:<36}", format!("{}, {}, {}", row.question, row.por, row.condition))?;
            counts.numbers().iter().try_for_each(|number| write!(f, "{number:>10}"))?;
            writeln!(f)?;
        }
        self.reasons.iter().try_for_each(|(reason, count)| writeln!(f, "{count} times {reason}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let row = |por: &str| Row { question: "safety".to_owned(), por: por.to_owned(), condition: "new".to_owned() };
        let mut tally = Tally::default();
        tally.count(row("static"), Came::Compared { is_smaller: true, is_violated: false });
        tally.count(row("static"), Came::Compared { is_smaller: false, is_violated: true });
        tally.count(row("other"), Came::Refused);
        assert_eq!(Tally::parse(&tally.line()), Some(tally.clone()));
        assert_eq!(Tally::parse("").map(|tally| tally.about("safety")), Some(Counts::default()));
        assert_eq!(Tally::parse("safety,static,new:1 2"), None);
        assert_eq!((tally.about("safety").compared, tally.about("safety").smaller), (2, 1));
    }
}
