//! Confluent transitions first (Pace, Lang, Mateescu: Calculating τ-confluence compositionally, CAV
//! 2003, *τ-prioritisation*; Pelánek's thesis, section 3.3.2).
//!
//! An enabled transition is *confluent* in a state if every transition that can occur before it
//! accords with it: so nothing disables it, and whatever else happens can as well happen after it.
//! Taken alone, a confluent transition that is invisible makes no choice, unlike a set of several
//! transitions: its state and the one it leads to are branching bisimilar (conditions PC, IC and SC
//! of section 3.3.1; Gerth, Kuiper, Peled, Penczek: A partial order approach to branching time
//! logic model checking, 1995). With the condition on cycles, no state waits for ever.
//!
//! That every transition which can occur before `t` accords with it is shown by a strong stubborn
//! set whose only enabled transition is `t`: its other members are disabled, and none of them
//! becomes enabled before `t` is taken.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::{Candidate, Decorator, Expander, SuccessorBuffer};

use crate::StubbornSets;

/// A confluent transition goes before all others.
pub static CONFLUENT: Part = Part {
    name: "confluent",
    kind: PartKind::Expander,
    summary: "a single transition that commutes with all that may happen before it; keeps branching, too",
    paper: Some("Pace, Lang, Mateescu: Calculating tau-confluence compositionally (CAV 2003)"),
    guarantee: Guarantee::BRANCHING,
};

/// Offers each confluent transition that is found, alone.
pub struct Confluent<'n> {
    sets: StubbornSets<'n>,
}

impl<'n> Confluent<'n> {
    /// Prepares the tables for a network.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        Confluent { sets: StubbornSets::new(network, facts) }
    }
}

impl Decorator for Confluent<'_> {
    fn inner(&self) -> Option<&dyn Expander> {
        Some(&self.sets)
    }

    fn choose(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        // Two stubborn sets may have the same enabled transition.
        let mut before = Vec::new();
        for inner in 0.. {
            if !self.sets.candidate(state, successors, inner, candidate) {
                break;
            }
            match candidate.transitions[..] {
                [single] if !before.contains(&single) => {
                    if before.len() == number {
                        return true;
                    }
                    before.push(single);
                }
                _ => {}
            }
        }
        false
    }
}
