//! What `--match` leaves of a graph: the states that stand for those with the same values.

use std::collections::HashMap;
use std::sync::Mutex;

use ample_stdx::lock;
use ample_store::Abstraction;
use ample_transition::SuccessorBuffer;

use crate::layers::valuation::Valuation;
use crate::plan::Plan;
use crate::system::System;

/// Which state stands for all those with the same values. It is known only after the search, so
/// that whoever wants to see the transitions has to search twice.
pub(super) struct Matched<'a> {
    valuation: Valuation<'a>,
    representatives: Mutex<HashMap<Vec<u8>, Vec<u8>>>,
}

impl<'a> Matched<'a> {
    /// None if the plan remembers states as they are.
    pub fn of(plan: &'a Plan, system: &System<'a>) -> Option<Self> {
        let valuation = || Valuation::of_system(system.propositions.values(&plan.matching));
        (!plan.matching.is_empty()).then(|| Matched { valuation: valuation(), representatives: Mutex::default() })
    }

    pub fn abstraction(&self) -> &dyn Abstraction {
        &self.valuation
    }

    /// A state was expanded, and stands for others.
    pub fn keep(&self, state: &[u8]) {
        lock(&self.representatives).insert(self.key(state), state.to_vec());
    }

    /// The transitions, to the states that stand for those to which they lead. States that were not
    /// expanded within the limits stand for themselves.
    pub fn to_representatives(&self, successors: &SuccessorBuffer) -> SuccessorBuffer {
        let representatives = lock(&self.representatives);
        let mut changed = SuccessorBuffer::new();
        for successor in successors.iter() {
            match successor.state {
                Some(state) => {
                    let state = representatives.get(&self.key(state)).map_or(state, Vec::as_slice);
                    let mut write = |out: &mut Vec<u8>| out.extend_from_slice(state);
                    changed.push(successor.moves, successor.faults, Some(&mut write));
                }
                None => changed.push(successor.moves, successor.faults, None),
            }
        }
        changed
    }

    fn key(&self, state: &[u8]) -> Vec<u8> {
        let mut key = Vec::with_capacity(self.valuation.length().usual().unwrap_or_default());
        self.valuation.append(state, &mut key);
        key
    }
}
