//! Chains of confluent transitions as the end of the transition before them (Blom, van de Pol:
//! State space reduction by proving confluence, CAV 2002; Pelánek's thesis, section 3.3.2).
//!
//! A state in which a [confluent](crate::Confluent) transition is enabled is branching bisimilar to
//! the one that the transition leads to, and so to the one in which the chain of confluent
//! transitions ends: that one represents it. No chain is endless, since no confluent transition
//! that is taken is sticky. A transition goes on to the representative of the state it leads to,
//! with the moves of the chain behind its own, so that a trace has every move. Only the initial
//! state is kept as it is: a trace begins there.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Candidate, Expander, Fault, StateLength, SuccessorBuffer, Successors};

use crate::joined::JoinedMoves;

/// Confluent transitions are the end of the transition before them.
pub static CONFLUENT_CHAIN: Part = Part {
    name: "confluent-chain",
    kind: PartKind::Expander,
    summary: "confluent transitions end the transition before them: the states between are not stored",
    paper: Some("Blom, van de Pol: State space reduction by proving confluence (CAV 2002)"),
    guarantee: Guarantee::BRANCHING,
};

/// The system in which every transition goes on as long as the expander offers a single one.
pub(crate) struct ConfluentChains<'a> {
    /// The full system.
    pub system: &'a dyn Successors,
    /// Offers confluent transitions.
    pub expander: &'a dyn Expander,
}

impl ConfluentChains<'_> {
    /// The number of the confluent transition by which a chain goes on.
    fn next(&self, state: &[u8], successors: &SuccessorBuffer, candidate: &mut Candidate) -> Option<usize> {
        let is_offered = self.expander.candidate(state, successors, 0, candidate) && candidate.leads_on(successors);
        debug_assert!(!is_offered || candidate.transitions.len() == 1, "a confluent transition is taken alone");
        candidate.transitions.first().copied().filter(|_| is_offered)
    }

    /// Goes along the chain that begins in `state`, which becomes its end.
    fn follow(
        &self,
        state: &mut Vec<u8>,
        successors: &mut SuccessorBuffer,
        candidate: &mut Candidate,
        moves: &mut JoinedMoves,
    ) {
        loop {
            successors.clear();
            self.system.expand_all(state, successors);
            if successors.should_stop() {
                return;
            }
            let step = self.next(state, successors, candidate).and_then(|number| successors.get(number));
            let Some((step, next)) = step.and_then(|step| Some((step, step.state?))) else { return };
            moves.add(&step);
            state.clear();
            state.extend_from_slice(next);
        }
    }
}

impl Successors for ConfluentChains<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        self.system.initial()
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        let mut scratch = buffer.take_scratch();
        let (candidate, end) = (&mut scratch.candidate, &mut scratch.bytes);
        let mut moves = JoinedMoves::default();
        let start = moves.mark();
        buffer.with_inner(|leaving, joined| {
            self.system.expand_all(state, leaving);
            joined.set_able(leaving.able());
            if let Some(first) = self.next(state, leaving, candidate) {
                leaving.retain(&[first]);
            }
            for number in 0..leaving.len() {
                let Some(step) = leaving.get(number) else { return };
                moves.back_to(start);
                moves.add(&step);
                let Some(next) = step.state else {
                    moves.write(None, joined);
                    continue;
                };
                end.clear();
                end.extend_from_slice(next);
                leaving.with_inner(|after, _| self.follow(end, after, candidate, &mut moves));
                moves.write(Some(end), joined);
            }
        });
        buffer.give_scratch(scratch);
    }

    fn state_length(&self) -> StateLength {
        self.system.state_length()
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.system.invalid_end(state)
    }
}
