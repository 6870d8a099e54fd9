//! The moves of each process of a product apart: those of the system, each with each step of the
//! automaton.
//!
//! Besides what the moves of the process depend on, these depend on the state of the automaton,
//! which they change, and on what the propositions read.

use ample_transition::{ProcessMoves, SuccessorBuffer};

use crate::marking::Marking;
use crate::{Product, TAIL, USED, follow, split};

/// The bytes of a word.
const WORD: usize = 8;

impl Product<'_> {
    /// The moves of processes apart, if it is known what they and the automaton depend on. Marks
    /// are not kept with them.
    pub(crate) fn moves_apart(&self) -> Option<&dyn ProcessMoves> {
        if !matches!(self.marking, Marking::None) {
            return None;
        }
        self.system.process_moves()?;
        self.watched()?;
        Some(self)
    }

    /// The bits of a state that the steps of the automaton depend on or change.
    fn watched(&self) -> Option<&[u64]> {
        let find = || {
            let start = self.system.state_length().usual()?;
            let mut bits = self.propositions.read_bits()?;
            bits.resize((start + TAIL).div_ceil(WORD), 0);
            (start..start + USED).for_each(|byte| bits[byte / WORD] |= 0xff << (byte % WORD * 8));
            Some(bits)
        };
        self.watched.get_or_init(find).as_deref()
    }
}

impl ProcessMoves for Product<'_> {
    fn processes(&self) -> usize {
        self.system.process_moves().map_or(0, ProcessMoves::processes)
    }

    fn location_bits(&self, process: usize) -> Vec<u64> {
        self.system.process_moves().map_or(Vec::new(), |moves| moves.location_bits(process))
    }

    fn touched_bits(&self, process: usize, state: &[u8]) -> Option<Vec<u64>> {
        let touched = self.system.process_moves()?.touched_bits(process, split(state).0)?;
        let mut bits = self.watched()?.to_vec();
        bits.iter_mut().zip(touched).for_each(|(bits, touched)| *bits |= touched);
        Some(bits)
    }

    fn expand_process(&self, process: usize, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        let (system_state, automaton_state) = split(state);
        let Some(moves) = self.system.process_moves() else { return false };
        let Ok(letter) = self.propositions.letter(system_state) else { return false };
        let Some(choice) = self.steps.look_up(automaton_state, letter) else { return false };
        if self.bad_prefix(&choice).is_some() {
            return false;
        }
        let mut is_apart = true;
        buffer.with_inner(|inner, outer| {
            is_apart = moves.expand_process(process, system_state, inner) && !inner.has_faults();
            if is_apart {
                follow(&choice, inner, outer);
            }
        });
        is_apart
    }
}
