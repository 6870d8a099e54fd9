//! Products. One with a factor of few values is that factor's values, one by one. Any other is a
//! fresh variable of which instances are known: zero, one, signs, the planes that touch it there;
//! more of them at the values of a solution that is none (incremental linearization: Cimatti,
//! Griggio, Irfan, Roveri and Sebastiani, ACM TOCL 2018).

use super::normalizer::{Normalizer, Product};
use super::range::Range;
use crate::formula::Variable;
use crate::linear::Linear;
use crate::normal::Normal;
use crate::number::Integer;

/// A factor of at most so many values is taken value by value.
const MOST_VALUES: u32 = 16;

impl Normalizer {
    /// The product of two sums, multiplied out.
    pub(super) fn product(&mut self, a: &Linear, b: &Linear) -> Linear {
        if a.is_constant() {
            return b.times(&a.constant);
        }
        let mut sum = a.times(&b.constant).plus(&a.constant, b);
        sum.constant = &a.constant * &b.constant;
        for (x, by_x) in &a.terms {
            for (y, by_y) in &b.terms {
                let monomial = self.monomial(*x, *y);
                sum = sum.plus(&(by_x * by_y), &monomial);
            }
        }
        sum
    }

    /// The product of two variables. Those of more variables are made in one order, so that they
    /// are the same however they were written.
    fn monomial(&mut self, x: Variable, y: Variable) -> Linear {
        let factors = |of: Variable| self.factors.get(&of).cloned().unwrap_or_else(|| vec![of]);
        let mut all: Vec<Variable> = factors(x).into_iter().chain(factors(y)).collect();
        all.sort_unstable();
        let mut product: Linear = Integer::ONE.into();
        let mut done: Option<Variable> = None;
        for (at, factor) in all.iter().enumerate() {
            product = match done {
                None => (*factor).into(),
                Some(before) => self.product_of([before, *factor], &all[..=at]),
            };
            done = match product.terms[..] {
                [(variable, ref by)] if by.is_one() && product.constant.is_zero() => Some(variable),
                // A factor had one value: what is left is a multiple, and multiplied out again.
                _ => {
                    return all[at + 1..]
                        .iter()
                        .fold(product, |product, factor| self.product(&product, &(*factor).into()));
                }
            };
        }
        product
    }

    fn product_of(&mut self, factors: [Variable; 2], all: &[Variable]) -> Linear {
        for (few, other) in [(factors[0], factors[1]), (factors[1], factors[0])] {
            if let Some(value) = self.range(&few.into()).values(1).and_then(|mut values| values.pop()) {
                return Linear::from(other).times(&value);
            }
        }
        if let Some(known) = self.monomials.get(&factors) {
            return (*known).into();
        }
        let [range, other] = factors.map(|factor| self.range(&factor.into()));
        let value = self.fresh_in(product_range(&range, &other));
        self.monomials.insert(factors, value);
        self.factors.insert(value, all.to_vec());
        for (few, other) in [(factors[0], factors[1]), (factors[1], factors[0])] {
            if let Some(values) = self.range(&few.into()).values(MOST_VALUES) {
                values.iter().for_each(|at| self.define(multiple(value, few, at, other)));
                return value.into();
            }
        }
        let product = Product { value, factors };
        for definition in first_lemmas(&product) {
            self.define(definition);
        }
        self.products.push(product);
        value.into()
    }

    /// What is true of each product and not of these values, if anything.
    pub fn lemmas_at(&self, value: &dyn Fn(Variable) -> Integer) -> Vec<Normal> {
        let wrong = |product: &&Product| {
            let [x, y] = product.factors;
            value(x) * value(y) != value(product.value)
        };
        let of_product = |product: &Product| {
            let [x, y] = product.factors;
            let (at_x, at_y) = (value(x), value(y));
            let mut lemmas = vec![multiple(product.value, x, &at_x, y), multiple(product.value, y, &at_y, x)];
            lemmas.extend(tangents(product, &at_x, &at_y));
            lemmas
        };
        self.products.iter().filter(wrong).flat_map(of_product).collect()
    }
}

/// Where one factor has this value, the product is a multiple of the other.
fn multiple(product: Variable, factor: Variable, at: &Integer, other: Variable) -> Normal {
    let is_there = Normal::equal(&factor.into(), &at.clone().into());
    // Of a square the other has the same value.
    let value = if factor == other { (at * at).into() } else { Linear::from(other).times(at) };
    Normal::implies(&is_there, Normal::equal(&product.into(), &value))
}

/// `(x − a)(y − b)` is not negative where both are at least, or both at most, and not positive
/// elsewhere.
fn tangents(product: &Product, a: &Integer, b: &Integer) -> [Normal; 4] {
    let [x, y] = product.factors.map(Linear::from);
    let plane = x.times(b).plus(a, &y).plus_constant(&-(a * b));
    let value: Linear = product.value.into();
    let from = |side: &Linear, at: &Integer| Normal::at_most(&at.clone().into(), side);
    let to = |side: &Linear, at: &Integer| Normal::at_most(side, &at.clone().into());
    let (above, below) = (Normal::at_most(&plane, &value), Normal::at_most(&value, &plane));
    let case = |one: Normal, other: Normal, then: &Normal| Normal::implies(&Normal::all([one, other]), then.clone());
    [
        case(from(&x, a), from(&y, b), &above),
        case(to(&x, a), to(&y, b), &above),
        case(from(&x, a), to(&y, b), &below),
        case(to(&x, a), from(&y, b), &below),
    ]
}

fn first_lemmas(product: &Product) -> Vec<Normal> {
    let [x, y] = product.factors;
    let is_zero = |variable: Variable| Normal::is_zero(&variable.into());
    let mut lemmas = vec![Normal::implies(&is_zero(product.value), Normal::any([is_zero(x), is_zero(y)]))];
    for at in [Integer::ZERO, Integer::ONE, Integer::NEG_ONE] {
        lemmas.push(multiple(product.value, x, &at, y));
        lemmas.push(multiple(product.value, y, &at, x));
    }
    for (a, b) in [(0, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
        lemmas.extend(tangents(product, &a.into(), &b.into()));
    }
    lemmas
}

fn product_range(a: &Range, b: &Range) -> Range {
    let ends = |range: &Range| Some([range.low.clone()?, range.high.clone()?]);
    match (ends(a), ends(b)) {
        (Some(a), Some(b)) => {
            let products: Vec<Integer> = a.iter().flat_map(|x| b.iter().map(move |y| x * y)).collect();
            Range { low: products.iter().min().cloned(), high: products.iter().max().cloned() }
        }
        _ if a.is_never_negative() && b.is_never_negative() => Range { low: Some(Integer::ZERO), high: None },
        _ => Range::default(),
    }
}
