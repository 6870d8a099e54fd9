//! What machine code has left to the interpreter, and why.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use ample_interpret::State;
use ample_network::Packed;
use ample_source::Span;
use ample_transition::SuccessorBuffer;

use crate::chain::Expanded;

/// Why a state is left to the interpreter.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A move from it goes wrong, and the interpreter knows how to say so.
    Fault,
    /// A process in it, or one that is created, is not one of those that were expected.
    Unexpected,
    /// Very many ways lead from it through `atomic` sequences, and are merged.
    ManyWays,
    /// There is no code for a statement in it.
    NoCode,
}

impl Reason {
    const ALL: [Reason; 4] = [Reason::Fault, Reason::Unexpected, Reason::ManyWays, Reason::NoCode];

    /// The reason as a clause.
    pub fn text(self) -> &'static str {
        match self {
            Reason::Fault => "a move goes wrong",
            Reason::Unexpected => "a process is created that was not expected",
            Reason::ManyWays => "very many ways lead through an atomic sequence",
            Reason::NoCode => "there is no code for a statement, or an atomic sequence is very long",
        }
    }
}

/// The states that were left to the interpreter for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOver {
    /// Why.
    pub reason: Reason,
    /// How often one of them was expanded, also on walks before a search and when a way is looked
    /// for.
    pub states: u64,
    /// Where the first of them is.
    pub place: Option<Span>,
}

/// Counts what is left over.
#[derive(Default)]
pub(crate) struct Ledger {
    entries: [Entry; 4],
}

#[derive(Default)]
struct Entry {
    states: AtomicU64,
    place: OnceLock<Option<Span>>,
}

impl Ledger {
    /// Notes a state for which machine code has come out like this, and which the interpreter has
    /// expanded into the buffer since.
    #[cold]
    pub fn note(&self, packed: &Packed<'_>, state: &[u8], expanded: Expanded, buffer: &SuccessorBuffer) {
        let reason = match expanded {
            _ if buffer.has_faults() => Reason::Fault,
            _ if !packed.fits(state.len()) || creates_unexpected(packed, buffer) => Reason::Unexpected,
            Expanded::TooMany => Reason::ManyWays,
            _ => Reason::NoCode,
        };
        let entry = &self.entries[reason as usize];
        entry.states.fetch_add(1, Ordering::Relaxed);
        entry.place.get_or_init(|| place(packed, state, reason, buffer));
    }

    /// What was noted, for each reason that there was.
    pub fn left_over(&self) -> Vec<LeftOver> {
        let entry = |(reason, entry): (Reason, &Entry)| LeftOver {
            reason,
            states: entry.states.load(Ordering::Relaxed),
            place: entry.place.get().copied().flatten(),
        };
        let all = Reason::ALL.into_iter().zip(&self.entries).map(entry);
        all.filter(|left_over| left_over.states > 0).collect()
    }
}

/// Whether a process is created that was not expected.
fn creates_unexpected(packed: &Packed<'_>, buffer: &SuccessorBuffer) -> bool {
    buffer.iter().filter_map(|successor| successor.state).any(|next| !packed.fits(next.len()))
}

/// The fault, the process that was not expected, or a statement that can be executed.
fn place(packed: &Packed<'_>, state: &[u8], reason: Reason, buffer: &SuccessorBuffer) -> Option<Span> {
    let state = packed.unpack(state);
    match reason {
        Reason::Fault => buffer.iter().find_map(|successor| successor.faults.first()).map(|fault| fault.span),
        Reason::Unexpected => {
            let unexpected = |state: &State| packed.network.first_unexpected(state);
            let next = || buffer.iter().filter_map(|successor| successor.state);
            let template = unexpected(&state).or_else(|| next().find_map(|next| unexpected(&packed.unpack(next))))?;
            Some(packed.network.model.templates[template].span)
        }
        Reason::ManyWays | Reason::NoCode => {
            let step = *buffer.iter().next()?.moves.first()?;
            let process = state.processes.get(usize::from(step.process))?;
            Some(packed.network.model.templates[process.template].edges[step.edge].span)
        }
    }
}
