//! Whether a zone is simulated by another one, by the constants with which clocks are compared.

use crate::clock_bounds::ClockBounds;
use crate::zone::Zone;

impl Zone {
    /// Whether each valuation of `self` is simulated by one of `other`: it is in α_LU(`other`), the
    /// valuations below one of `other` in the preorder of lower and upper bounds (Pelánek,
    /// Definition 7.4). That set is no zone, and so it is never built: two clocks are enough to
    /// see that something is missing (Herbreteau, Srivathsan, Walukiewicz: Better abstractions for
    /// timed automata, LICS 2012).
    ///
    /// A valuation with a clock at its least value, which still has upper bounds there, must be
    /// met by one whose clock is no further; it cannot be if the difference with some other clock,
    /// which still has lower bounds, is too large for that in `other`.
    pub fn is_simulated_by(&self, other: &Zone, bounds: &ClockBounds) -> bool {
        (0..self.size()).all(|clock| {
            let least = self.at(0, clock);
            least < bounds.at_upper(clock)
                || (0..self.size()).all(|behind| {
                    let theirs = other.at(behind, clock);
                    theirs >= self.at(behind, clock) || theirs.plus(bounds.beyond_lower(behind)) >= least
                })
        })
    }
}
