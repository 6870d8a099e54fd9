//! If-then-else: a fresh variable that equals the one or the other.

use super::normalizer::Normalizer;
use crate::linear::Linear;
use crate::normal::Normal;

impl Normalizer {
    /// The first sum if the condition holds, else the second.
    pub(super) fn conditional(&mut self, condition: Normal, yes: Linear, no: Linear) -> Linear {
        match condition {
            Normal::Constant(true) => return yes,
            Normal::Constant(false) => return no,
            _ if yes == no => return yes,
            _ => {}
        }
        // What both begin with needs no variable: `x + 1` or `x` is `x` and one or zero.
        let difference = yes.minus(&no);
        if difference.is_constant() && !no.is_constant() {
            let extra = self.conditional(condition, difference, Linear::default());
            return no.plus(&dashu_int::IBig::ONE, &extra);
        }
        let key = (condition, yes, no);
        if let Some(known) = self.conditionals.get(&key) {
            return (*known).into();
        }
        let (condition, yes, no) = &key;
        let fresh = self.fresh_in(self.range(yes).join(&self.range(no)));
        self.define(Normal::implies(condition, Normal::equal(&fresh.into(), yes)));
        self.define(Normal::implies(&condition.negated(), Normal::equal(&fresh.into(), no)));
        self.conditionals.insert(key, fresh);
        fresh.into()
    }
}
