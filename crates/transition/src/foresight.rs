//! The seam of foresight: below which states is it known, before they are explored, whether there
//! is an error?

use crate::{Fault, ProcessMoves, StateLength, SuccessorBuffer, Successors};

/// Says of a state whether it is itself an error.
pub type IsError<'a> = &'a (dyn Fn(&[u8]) -> bool + Sync);

/// What somebody who looks ahead may ask.
#[derive(Copy, Clone)]
pub struct Outlook<'a> {
    /// Which transitions leave a state.
    pub system: &'a dyn Successors,
    /// Whether a state is itself an error, if states can be.
    pub is_error: Option<IsError<'a>>,
}

/// Says of states what lies ahead (Pelánek: Reduction and abstraction techniques for model
/// checking, section 3.4).
///
/// The contract: what it says is a function of the state alone, and true of every state, whether it
/// can be reached or not. It may stop to say anything, for the sake of speed.
pub trait Foresight: Send + Sync {
    /// Fills the empty buffer with what is to be explored of a state in place of all its
    /// transitions: nothing at all, with [`SuccessorBuffer::set_pruned`], if no error lies ahead;
    /// or a single transition that stands for several, one after the other, which lead to an
    /// error. `false`, and an empty buffer, if it has nothing to say.
    fn look_ahead(&self, outlook: &Outlook<'_>, state: &[u8], buffer: &mut SuccessorBuffer) -> bool;

    /// Whether it may have something to say of a state; if not, it has nothing to say.
    fn may_speak(&self, _state: &[u8]) -> bool {
        true
    }

    /// The bits of a state, as words, that [`Foresight::may_speak`] depends on; `None` if that may
    /// be anything.
    fn asked_bits(&self) -> Option<Vec<u64>> {
        None
    }
}

/// A system in which what lies ahead of some states is known.
pub struct Foreseen<'a> {
    outlook: Outlook<'a>,
    foresights: &'a [Box<dyn Foresight + 'a>],
    /// The bits of a state that tell whether somebody may speak, if that is known.
    asked: Option<Vec<u64>>,
}

impl<'a> Foreseen<'a> {
    /// The system, what is an error in it, and who is asked, one after the other.
    pub fn new(outlook: Outlook<'a>, foresights: &'a [Box<dyn Foresight + 'a>]) -> Self {
        let mut asked = foresights.iter().map(|foresight| foresight.asked_bits());
        let first = asked.next().unwrap_or_default();
        let asked = asked.fold(first, |all, bits| {
            let (mut all, bits) = all.zip(bits)?;
            all.resize(all.len().max(bits.len()), 0);
            all.iter_mut().zip(bits).for_each(|(all, bits)| *all |= bits);
            Some(all)
        });
        Foreseen { outlook, foresights, asked }
    }

    /// The moves of the processes of the system.
    fn moves(&self) -> Option<&'a dyn ProcessMoves> {
        self.outlook.system.process_moves()
    }
}

/// Whoever looks ahead is a process of its own, the last, that has no moves: those of a state in
/// which somebody may speak cannot be had apart.
impl ProcessMoves for Foreseen<'_> {
    fn processes(&self) -> usize {
        self.moves().map_or(0, |moves| moves.processes() + 1)
    }

    fn location_bits(&self, process: usize) -> Vec<u64> {
        let moves = self.moves().filter(|moves| process < moves.processes());
        moves.map_or(Vec::new(), |moves| moves.location_bits(process))
    }

    fn touched_bits(&self, process: usize, state: &[u8]) -> Option<Vec<u64>> {
        let moves = self.moves()?;
        if process < moves.processes() { moves.touched_bits(process, state) } else { self.asked.clone() }
    }

    fn expand_process(&self, process: usize, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        let Some(moves) = self.moves() else { return false };
        if process < moves.processes() {
            return moves.expand_process(process, state, buffer);
        }
        !self.foresights.iter().any(|foresight| foresight.may_speak(state))
    }
}

impl Successors for Foreseen<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        self.outlook.system.initial()
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        if !self.foresights.iter().any(|foresight| foresight.look_ahead(&self.outlook, state, buffer)) {
            self.outlook.system.expand_all(state, buffer);
        }
    }

    fn expand_for_walk(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        self.outlook.system.expand_for_walk(state, buffer);
    }

    fn process_moves(&self) -> Option<&dyn ProcessMoves> {
        self.asked.as_ref()?;
        self.moves()?;
        Some(self)
    }

    fn state_length(&self) -> StateLength {
        self.outlook.system.state_length()
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.outlook.system.invalid_end(state)
    }
}
