//! Common bits of two numbers. (All other operators on bits come down to these.) With a constant
//! they are remainders of quotients, one for each run of ones; else both numbers are taken apart,
//! as far as a bound says.

use super::normalizer::Normalizer;
use super::range::Range;
use crate::formula::Variable;
use crate::linear::Linear;
use crate::normal::Normal;
use crate::number::{Integer, is_negative};

/// A number that may have more bits is not taken apart.
const MOST_BITS: usize = 64;

/// A number of at most so many values is taken apart value by value, too.
const MOST_VALUES: u32 = 64;

impl Normalizer {
    pub(super) fn bit_and(&mut self, a: &Linear, b: &Linear) -> Linear {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (a.is_constant(), b.is_constant()) {
            (true, true) => return (&a.constant & &b.constant).into(),
            (true, false) => return self.masked(b, &a.constant),
            (false, true) => return self.masked(a, &b.constant),
            (false, false) if a == b => return a.clone(),
            (false, false) => {}
        }
        let key = (a.clone(), b.clone());
        if let Some(known) = self.masked.get(&key) {
            return known.clone();
        }
        let value = self.common_bits(a, b);
        self.masked.insert(key, value.clone());
        value
    }

    /// The bits that a constant has, too.
    fn masked(&mut self, linear: &Linear, mask: &Integer) -> Linear {
        if is_negative(mask) {
            // All but those that it has not.
            let missing = self.masked(linear, &!mask);
            return linear.minus(&missing);
        }
        let mut sum = Linear::default();
        let mut from = 0;
        while let Some(start) = (from..).find(|at| has_bit(mask, *at) || (mask >> *at).is_zero()) {
            if (mask >> start).is_zero() {
                break;
            }
            let end = (start..).find(|at| !has_bit(mask, *at)).unwrap_or(start + 1);
            let shifted = self.floor_quotient(linear, &(Integer::ONE << start));
            let run = self.floor_remainder(&shifted, &(Integer::ONE << (end - start)));
            sum = sum.plus(&(Integer::ONE << start), &run);
            from = end;
        }
        self.remainders.insert(sum.clone(), Range::new(0, mask.clone()));
        sum
    }

    fn common_bits(&mut self, a: &Linear, b: &Linear) -> Linear {
        let (range_a, range_b) = (self.range(a), self.range(b));
        // Where one has no bits beyond, those of the other do not matter.
        let unsigned = [&range_a, &range_b].into_iter().filter_map(unsigned_width).min();
        if let Some(width) = unsigned {
            return self.low_bits(a, b, width);
        }
        let Some(width) = signed_width(&range_a).zip(signed_width(&range_b)).map(|(a, b)| a.max(b)) else {
            self.has_unknown = true;
            return self.fresh().into();
        };
        // Two's complement: the last bit counts as much as the others together and one, downwards.
        let low = self.low_bits(a, b, width);
        let half = Linear::from(Integer::ONE << (width - 1));
        let is_below = Normal::less(&low, &half);
        self.conditional(is_below, Linear::default(), Linear::from(-(Integer::ONE << width))).plus(&Integer::ONE, &low)
    }

    /// The common bits below a width.
    fn low_bits(&mut self, a: &Linear, b: &Linear, width: usize) -> Linear {
        let (bits_a, bits_b) = (self.bits(a, width), self.bits(b, width));
        let mut sum = Linear::default();
        for (at, (x, y)) in bits_a.into_iter().zip(bits_b).enumerate() {
            let both = self.fresh_in(Range::new(0, 1));
            self.define_bit(both);
            let is_one = |bit: Variable| Normal::less(&Linear::default(), &bit.into());
            self.define(Normal::implies(&is_one(both), is_one(x)));
            self.define(Normal::implies(&is_one(both), is_one(y)));
            self.define(Normal::any([is_one(x).negated(), is_one(y).negated(), is_one(both)]));
            sum = sum.plus(&(Integer::ONE << at), &both.into());
        }
        self.remainders.insert(sum.clone(), Range::new(0, (Integer::ONE << width) - Integer::ONE));
        sum
    }

    /// The lowest bits, the first first.
    fn bits(&mut self, linear: &Linear, width: usize) -> Vec<Variable> {
        let key = (linear.clone(), width);
        if let Some(known) = self.bits.get(&key) {
            return known.clone();
        }
        let bits: Vec<Variable> = (0..width).map(|_| self.fresh_in(Range::new(0, 1))).collect();
        bits.iter().for_each(|bit| self.define_bit(*bit));
        let mut sum = Linear::default();
        for (at, bit) in bits.iter().enumerate() {
            sum = sum.plus(&(Integer::ONE << at), &(*bit).into());
        }
        let is_all = unsigned_width(&self.range(linear)).is_some_and(|own| own <= width);
        if !is_all {
            let beyond = self.fresh();
            sum = sum.plus(&(Integer::ONE << width), &beyond.into());
        }
        self.define(Normal::equal(linear, &sum));
        // Of few values the bits are said of each: what holds of all need not be found by division.
        for value in self.range(linear).values(MOST_VALUES).unwrap_or_default() {
            let bit = |(at, bit): (usize, &Variable)| {
                let is_one = Integer::from(u8::from(has_bit(&value, at)));
                Normal::equal(&(*bit).into(), &is_one.into())
            };
            let all = Normal::all(bits.iter().enumerate().map(bit));
            self.define(Normal::implies(&Normal::equal(linear, &value.clone().into()), all));
        }
        self.bits.insert(key, bits.clone());
        bits
    }

    fn define_bit(&mut self, bit: Variable) {
        self.define(Normal::at_most(&Linear::default(), &bit.into()));
        self.define(Normal::at_most(&bit.into(), &Integer::ONE.into()));
    }
}

fn has_bit(mask: &Integer, at: usize) -> bool {
    !((mask >> at) & Integer::ONE).is_zero()
}

/// How many bits the numbers of a range take that are not negative.
fn unsigned_width(range: &Range) -> Option<usize> {
    if !range.is_never_negative() {
        return None;
    }
    let high = range.high.as_ref()?;
    (1..=MOST_BITS).find(|width| *high < Integer::ONE << *width)
}

/// How many bits they take with one for the sign.
fn signed_width(range: &Range) -> Option<usize> {
    let (low, high) = (range.low.as_ref()?, range.high.as_ref()?);
    let fits = |width: &usize| {
        let half = Integer::ONE << (*width - 1);
        *high < half && -&half <= *low
    };
    (1..=MOST_BITS).find(fits)
}
