//! Classes by masks: which variables mattered below a state (Pelánek, section 3.5.4: dead
//! variables, found on the way instead of before).
//!
//! The class of a state is a control part and the values of some bytes: all states with the same
//! control part that agree in these bytes are bisimilar. Which bytes these are is computed from
//! what the transitions of the state read, and from the masks of its successors (Lemma 3.4, where
//! the weakest precondition of a masked vector is a masked vector again):
//!
//! - what decides which transitions are enabled. Of a guard that is true, all that its evaluation
//!   reads, so only the element of an array that is meant; of one that is false, what one false
//!   condition reads;
//! - what matters after a transition, and is not assigned by it. For what is assigned and matters,
//!   what its value is computed from; what is assigned and does not matter need not be read, unless
//!   the assignment may fail;
//! - of a transition of many moves, or one with buffered channels, all that it may read, by the
//!   static facts; and what matters after it, apart from what it has changed. *Proof* that this is
//!   enough: in a state that agrees in all that is read, the same is written with the same values;
//!   what has changed was written.
//!
//! The sets are smaller than classes of bisimulation, so that more states are explored than the
//! quotient has, and never one twice.

use ample_model::Expr;
use ample_network::facts::{Facts, TransitionId};
use ample_network::{Network, SlotPlace};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::{Below, ClassCounts, ClassId, Classes, ClassesFull, Move, Pid};

use super::bytes::ByteSet;
use super::control_part::ControlPart;
use super::step::{Assign, Condition, Step, Steps};
use super::term::{Cell, Evaluator, Target, Term, Terms};
use super::visited::{MaskId, Visited};

/// The classes of one search.
pub(super) struct Masks<'n> {
    network: &'n Network<'n>,
    facts: &'n Facts,
    control: ControlPart,
    evaluator: Evaluator,
    steps: IndexVec<TransitionId, Step>,
    /// What a question about the end of the system reads, whatever the state.
    end: ByteSet,
    /// For each byte the cell that it belongs to.
    cell_of: Vec<SlotPlace>,
    visited: Visited,
    counts: ClassCounts,
    work: Work,
}

/// Memory that is used again.
struct Work {
    control: Vec<u8>,
    mask: ByteSet,
    /// What matters before a transition.
    before: ByteSet,
    reads: Vec<SlotPlace>,
    /// Conditions that are false: where what they read ends in `reads`.
    state: Vec<u8>,
    assigned: Vec<Assigned>,
}

/// An assignment that was carried out.
struct Assigned {
    cell: Cell,
    /// Where in `reads` stands what the index reads, and then what the value reads.
    index: usize,
    value: usize,
    end: usize,
}

impl<'n> Masks<'n> {
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Masks<'n> {
        let size = network.layout.size as usize;
        let terms = Terms { network, facts };
        let steps = Steps { terms };
        let work = Work {
            control: Vec::new(),
            mask: ByteSet::none(size),
            before: ByteSet::none(size),
            reads: Vec::new(),
            state: Vec::new(),
            assigned: Vec::new(),
        };
        Masks {
            network,
            facts,
            control: ControlPart::of(network),
            evaluator: Evaluator { arithmetic: network.model.arithmetic },
            steps: facts
                .transitions()
                .iter()
                .map(|transition| steps.of(transition))
                .collect::<Vec<_>>()
                .into_iter()
                .collect(),
            end: network.model.end.as_ref().map_or_else(|| ByteSet::none(size), |end| read_by(terms, end)),
            cell_of: cells(network),
            visited: Visited::default(),
            counts: ClassCounts::default(),
            work,
        }
    }

    /// Adds what decides which transitions are enabled in a state.
    fn add_reasons(&mut self, state: &[u8]) {
        let Masks { network, facts, evaluator, steps, work, .. } = self;
        for ids in beginning_in(network, facts, state) {
            for step in ids.iter().map(|id| &steps[*id]) {
                if step.begins.iter().all(|(place, stored)| place.value_in(state) == *stored) {
                    add_reason(*evaluator, step, state, work);
                }
            }
        }
    }

    /// The transition that begins with a move.
    fn step(&self, state: &[u8], moves: &[Move]) -> Option<TransitionId> {
        let exists = |pid: Pid| {
            let mut numbered = self.network.numbered(pid);
            numbered.find(|instance| self.network.location_in(state, *instance).is_some())
        };
        self.facts.of_move(*moves.first()?, exists)
    }

    /// Adds what decides that a transition leads from a state to one that agrees with its end in
    /// what matters there.
    fn add_before(&mut self, state: &[u8], below: &Below<'_>) {
        let id = self.step(state, below.moves);
        let Masks { evaluator, steps, visited, work, cell_of, .. } = self;
        let step = id.map(|id| &steps[id]);
        let after = below.target.map(|(_, class)| visited.mask(MaskId::from_index(class as usize)));
        let Some(step) = step.filter(|step| !step.asks_everything) else {
            return work.mask.insert(0..state.len());
        };
        let (Some(after), Some((next, _))) = (after, below.target) else {
            return work.mask.union_with(&step.reads);
        };
        let effects = step.effects.as_deref().filter(|_| below.moves.len() == 1);
        let is_known = effects.is_some_and(|effects| carry_out(*evaluator, effects, state, next, work));
        work.before.copy_from(after);
        match effects.filter(|_| is_known) {
            Some(effects) => undo(effects, work),
            None => {
                let changed = |byte: &usize| step.writes.contains(*byte) && has_changed(cell_of[*byte], state, next);
                let written: Vec<usize> = work.before.iter().filter(changed).collect();
                written.into_iter().for_each(|byte| work.before.remove(byte..byte + 1));
                work.before.union_with(&step.reads);
            }
        }
        work.mask.union_with(&work.before);
    }
}

/// Whether a cell has another value after a transition. One that belongs to nothing is a byte.
fn has_changed(cell: SlotPlace, state: &[u8], next: &[u8]) -> bool {
    state[cell.range()] != next[cell.range()]
}

/// The transitions that begin where the processes of a state are.
fn beginning_in<'a>(
    network: &'a Network<'_>,
    facts: &'a Facts,
    state: &'a [u8],
) -> impl Iterator<Item = &'a [TransitionId]> {
    network.instances.ids().filter_map(|instance| {
        let location = network.location_in(state, instance)?;
        Some(facts.at(instance, location))
    })
}

/// Adds what decides whether a transition is enabled.
fn add_reason(evaluator: Evaluator, step: &Step, state: &[u8], work: &mut Work) {
    let Work { mask, reads, .. } = work;
    if step.asks_everything {
        return mask.insert(0..state.len());
    }
    let conditions = match &step.condition {
        Condition::Opaque(reads) => return mask.union_with(reads),
        Condition::All(conditions) => conditions,
    };
    reads.clear();
    // One false condition is enough, and the one that needs least is best.
    let mut least: Option<(usize, usize, usize)> = None;
    let mut may_have_failed = false;
    for (condition, may_fail) in conditions {
        let start = reads.len();
        match evaluator.value(condition, state, reads) {
            Some(0) => {
                // If one before it fails, the transition is a fault: these must be read as well.
                let from = if may_have_failed { 0 } else { start };
                let needs = new_bytes(mask, &reads[from..]);
                if least.is_none_or(|(_, _, fewest)| needs < fewest) {
                    least = Some((from, reads.len(), needs));
                }
            }
            Some(_) => {}
            None => {
                // It fails here, or has no value that is known: all that it may read.
                reads.truncate(start);
                condition.add_reads(reads);
                if least.is_none() {
                    return reads.iter().for_each(|place| mask.insert(place.range()));
                }
                break;
            }
        }
        may_have_failed |= may_fail;
        if *may_fail && least.is_some() {
            break;
        }
    }
    let (from, to, _) = least.unwrap_or((0, reads.len(), 0));
    reads[from..to].iter().for_each(|place| mask.insert(place.range()));
}

/// How many bytes these would add.
fn new_bytes(mask: &ByteSet, reads: &[SlotPlace]) -> usize {
    let new = |place: &SlotPlace| if mask.has_all(place.range()) { 0 } else { usize::from(place.width) };
    reads.iter().map(new).sum()
}

/// Carries out assignments, and notes what each of them reads; whether they lead to the next state,
/// so that they are what was done.
fn carry_out(evaluator: Evaluator, effects: &[Assign], state: &[u8], next: &[u8], work: &mut Work) -> bool {
    let Work { state: so_far, reads, assigned, .. } = work;
    so_far.clear();
    so_far.extend_from_slice(state);
    reads.clear();
    assigned.clear();
    for effect in effects {
        let index = reads.len();
        let cell = match &effect.target {
            Target::One(cell) => Some(*cell),
            Target::Element(element) => evaluator.cell(element, so_far, reads),
        };
        let value = reads.len();
        let computed = evaluator.value(&effect.value, so_far, reads);
        let (Some(cell), Some(computed)) = (cell, computed) else { return false };
        assigned.push(Assigned { cell, index, value, end: reads.len() });
        let stored = effect.scalar.truncate(effect.field.map_or(computed, |field| field.truncate(computed)));
        if let Cell::At(place) = cell
            && place.width > 0
        {
            if !effect.scalar.holds(stored) {
                return false;
            }
            place.set_in(so_far, stored);
        }
    }
    let places = assigned.iter().filter_map(|assigned| assigned.cell.place());
    places.into_iter().all(|place| so_far[place.range()] == next[place.range()])
}

/// From what matters after assignments to what matters before them, the last one first.
fn undo(effects: &[Assign], work: &mut Work) {
    let Work { before, reads, assigned, .. } = work;
    for (effect, done) in effects.iter().zip(assigned).rev() {
        let may_matter = effect.target.cells().iter().filter_map(|cell| cell.place());
        let some_matters = may_matter.into_iter().any(|place| before.meets(place.range()));
        if effect.may_fail || some_matters {
            let place = done.cell.place();
            let matters = place.is_some_and(|place| before.meets(place.range()));
            place.into_iter().for_each(|place| before.remove(place.range()));
            let end = if effect.may_fail || matters { done.end } else { done.value };
            reads[done.index..end].iter().for_each(|place| before.insert(place.range()));
        }
    }
}

/// What a condition outside of all processes reads; everything, if that is not known.
fn read_by(terms: Terms<'_>, condition: &Expr) -> ByteSet {
    let size = terms.network.layout.size as usize;
    let Some(term) = terms.of(condition, None) else { return ByteSet::all(size) };
    let (mut reads, mut bytes) = (Vec::new(), ByteSet::none(size));
    Term::add_reads(&term, &mut reads);
    reads.into_iter().for_each(|place| bytes.insert(place.range()));
    bytes
}

/// For each byte of a state the cell that it belongs to: all of it is written at once.
fn cells(network: &Network<'_>) -> Vec<SlotPlace> {
    let single = |offset| SlotPlace { offset, width: 1, signed: false };
    let mut cells: Vec<SlotPlace> = (0..network.layout.size).map(single).collect();
    let layout = &network.layout;
    let variables = layout.globals.iter().chain(layout.frames.iter().flat_map(|frame| frame.locals.iter()));
    // Instances with the same number lie in the same place: a byte may belong to cells of several.
    let shared = |place: &SlotPlace| {
        layout.frames.iter().filter(|frame| (frame.start..frame.end).contains(&place.offset)).count() > 1
    };
    for place in variables.copied().filter(|place| !shared(place)) {
        place.range().for_each(|byte| cells[byte] = place);
    }
    for channel in &layout.channels {
        let messages = (0..channel.capacity).map(|number| channel.messages + number * channel.message_size);
        for start in messages {
            for field in &channel.fields {
                let place = SlotPlace { offset: start + field.offset, ..*field };
                place.range().for_each(|byte| cells[byte] = place);
            }
        }
    }
    cells
}

impl Classes for Masks<'_> {
    fn find(&mut self, state: &[u8], left: Option<u64>) -> Option<ClassId> {
        self.counts.finds += 1;
        self.control.write(state, left, &mut self.work.control);
        self.visited.find(&self.work.control, state).map(|mask| mask.index() as ClassId)
    }

    fn add(
        &mut self,
        state: &[u8],
        left: Option<u64>,
        below: &mut dyn Iterator<Item = Below<'_>>,
    ) -> Result<ClassId, ClassesFull> {
        self.work.mask.clear();
        let mut is_end = true;
        for below in below {
            is_end = false;
            self.add_before(state, &below);
        }
        if is_end {
            self.work.mask.union_with(&self.end);
        }
        self.add_reasons(state);
        self.control.remove_from(&mut self.work.mask);
        self.control.write(state, left, &mut self.work.control);
        self.counts.classes += 1;
        Ok(self.visited.add(&self.work.control, state, &self.work.mask).index() as ClassId)
    }

    fn counts(&self) -> ClassCounts {
        ClassCounts { lookups: self.visited.lookups, ..self.counts }
    }

    fn memory(&self) -> usize {
        self.visited.memory()
    }
}
