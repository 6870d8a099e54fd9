//! What was learned from typical states, each with what it was learned from: to learn takes longer
//! than a small search.

use ample_transition::{StateLength, StoreConfig, TypicalStates};

/// Things learned lately.
pub(crate) struct Learned<T>(Vec<(StateLength, TypicalStates, T)>);

impl<T> Default for Learned<T> {
    fn default() -> Self {
        Learned(Vec::new())
    }
}

impl<T> Learned<T> {
    /// For a system, for its product with an automaton, and for keys.
    const MOST: usize = 4;

    /// What was learned, or is learned now, from the typical states of this configuration.
    pub(crate) fn of(&mut self, config: &StoreConfig, learn: impl FnOnce() -> T) -> &T {
        let is_known = |(length, typical, _): &(StateLength, TypicalStates, T)| {
            (length, typical) == (&config.length, &config.typical)
        };
        let place = match self.0.iter().position(is_known) {
            Some(place) => place,
            None => {
                if self.0.len() == Self::MOST {
                    self.0.remove(0);
                }
                self.0.push((config.length, config.typical.clone(), learn()));
                self.0.len() - 1
            }
        };
        &self.0[place].2
    }
}
