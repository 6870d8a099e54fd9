//! Classes of bisimulation as they are (Pelánek, Lemmas 3.4 and 3.5), as decision diagrams over the
//! bits of the data: for small models, whose variables have few values.
//!
//! What a step needs, and what it assigns, is turned into diagrams before the search: a set for
//! each value that an expression may have. The weakest precondition of an assignment is then a
//! union over the values, where the variable is replaced by the value. *Visited* holds for each
//! control part the union of its classes, and a set for each bit of their numbers (a decision
//! diagram with many leaves): FINDSET asks as many sets as a number has bits, and one more.

use std::collections::BTreeMap;

use ample_model::Scalar;
use ample_network::facts::{Facts, TransitionId, instance_name};
use ample_network::{Network, SlotPlace};
use ample_stdx::{IndexVec, Interner, TypedId, typed_id};
use ample_transition::{Below, ClassCounts, ClassId, Classes, ClassesFull, Move, Pid};
use oxidd::BooleanFunction;

use super::control_part::ControlPart;
use super::diagrams::{Diagrams, MOST_VALUES, NoSet, Set, Values};
use super::step::{Assign, Condition, Step, Steps};
use super::term::{Cell, Evaluator, Target, Term, Terms};
use crate::NotHere;

typed_id! {
    /// A control part.
    struct ControlId;
}

/// The classes of one search.
pub(super) struct Exact<'n> {
    network: &'n Network<'n>,
    facts: &'n Facts,
    control: ControlPart,
    diagrams: Diagrams,
    steps: IndexVec<TransitionId, SymbolicStep>,
    end: Option<Truth>,
    controls: Interner<ControlId, Vec<u8>>,
    visited: Vec<OfControl>,
    /// By number.
    classes: Vec<Set>,
    counts: ClassCounts,
    part: Vec<u8>,
    bits: Vec<(u32, bool)>,
}

/// Where a condition is true, and where it is false.
struct Truth {
    is_true: Set,
    is_false: Set,
}

/// A step in diagrams.
struct SymbolicStep {
    begins: Vec<(SlotPlace, i64)>,
    enabled: Truth,
    is_decided_elsewhere: bool,
    /// In order.
    effects: Vec<SymbolicAssign>,
    /// What decides about a fault.
    reads: Vec<SlotPlace>,
}

/// An assignment in diagrams: where each cell is meant, and where each value is stored.
enum SymbolicAssign {
    Store { cells: Vec<(Cell, Set)>, values: Vec<(i64, Set)> },
    Assert { truth: Truth },
}

/// What is visited with one control part.
struct OfControl {
    all: Set,
    /// For each bit of the numbers of classes, counted from 0 for this control part.
    bits: Vec<Set>,
    classes: Vec<ClassId>,
}

impl<'n> Exact<'n> {
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Result<Exact<'n>, NotHere> {
        let terms = Terms { network, facts };
        let steps: Vec<Step> = facts.transitions().iter().map(|transition| Steps { terms }.of(transition)).collect();
        let name = |id: TransitionId| {
            let first = facts.transitions()[id].identity.first;
            let text = &network.template(first.instance).edges[first.edge].text;
            format!("`{text}` of {}", instance_name(network, first.instance))
        };
        for (number, step) in steps.iter().enumerate() {
            let is_known = matches!(step.condition, Condition::All(_)) && step.effects.is_some();
            if !is_known || step.asks_everything {
                let what = name(TransitionId::from_index(number));
                return Err(NotHere(format!("{what} is more than a guard, assignments and a rendezvous")));
            }
        }
        let end = network
            .model
            .end
            .as_ref()
            .map(|end| {
                terms
                    .of(end, None)
                    .ok_or_else(|| NotHere("the condition of `end` is about more than variables".to_owned()))
            })
            .transpose()?;
        let places = variables(network, &steps, end.as_ref())?;
        let evaluator = Evaluator { arithmetic: network.model.arithmetic };
        let diagrams = Diagrams::new(&places, evaluator).map_err(|why| not_here(why, "the state"))?;
        let mut symbolic = IndexVec::new();
        for (number, step) in steps.into_iter().enumerate() {
            let made = SymbolicStep::of(step, &diagrams);
            symbolic.push(made.map_err(|why| not_here(why, &name(TransitionId::from_index(number))))?);
        }
        let end = end.map(|end| Truth::of(&end, &diagrams)).transpose().map_err(|why| not_here(why, "`end`"))?;
        Ok(Exact {
            network,
            facts,
            control: ControlPart::of(network),
            diagrams,
            steps: symbolic,
            end,
            controls: Interner::default(),
            visited: Vec::new(),
            classes: Vec::new(),
            counts: ClassCounts::default(),
            part: Vec::new(),
            bits: Vec::new(),
        })
    }

    fn transition(&self, state: &[u8], moves: &[Move]) -> Option<TransitionId> {
        let exists = |pid: Pid| {
            let mut numbered = self.network.numbered(pid);
            numbered.find(|instance| self.network.location_in(state, *instance).is_some())
        };
        self.facts.of_move(*moves.first()?, exists)
    }

    fn holds(&self, set: &Set) -> bool {
        set.eval(self.bits.iter().copied())
    }

    /// The class of a state, by Lemma 3.4. `self.bits` are those of the state.
    fn class(&self, state: &[u8], below: &mut dyn Iterator<Item = Below<'_>>) -> Result<Set, NoSet> {
        let mut class = self.diagrams.all();
        let mut taken = Vec::new();
        for below in below {
            let id = self.transition(state, below.moves);
            let step = id.filter(|_| below.moves.len() == 1).map(|id| &self.steps[id]);
            class = class.and(&match (step, below.target) {
                (Some(step), Some((_, after))) => self.pre(step, after, state)?,
                (Some(step), None) => self.as_in(state, &step.reads)?,
                (None, _) => self.same(state)?,
            })?;
            taken.extend(id);
        }
        if let Some(end) = self.end.as_ref().filter(|_| taken.is_empty()) {
            class = class.and(if self.holds(&end.is_true) { &end.is_true } else { &end.is_false })?;
        }
        for instance in self.network.instances.ids() {
            let Some(location) = self.network.location_in(state, instance) else { continue };
            for id in self.facts.at(instance, location) {
                let step = &self.steps[*id];
                let is_here = step.begins.iter().all(|(place, stored)| place.value_in(state) == *stored);
                if is_here && !step.is_decided_elsewhere && !taken.contains(id) {
                    class = class.and(&self.as_enabled(step, state)?)?;
                }
            }
        }
        Ok(class)
    }

    /// The states in which a step is enabled if it is in this one, and not if it is not.
    fn as_enabled(&self, step: &SymbolicStep, state: &[u8]) -> Result<Set, NoSet> {
        let Truth { is_true, is_false } = &step.enabled;
        match (self.holds(is_true), self.holds(is_false)) {
            (true, _) => Ok(is_true.clone()),
            (_, true) => Ok(is_false.clone()),
            _ => self.as_in(state, &step.reads),
        }
    }

    /// The states from which a step leads into a class, as from this one.
    fn pre(&self, step: &SymbolicStep, after: ClassId, state: &[u8]) -> Result<Set, NoSet> {
        let Some(after) = self.classes.get(after as usize) else { return self.same(state) };
        // What is asserted is as in this state: that decides about a fault.
        let mut cases = vec![after.clone()];
        for effect in step.effects.iter().rev() {
            let mut before = Vec::new();
            for case in &cases {
                match effect {
                    SymbolicAssign::Store { cells, values } => before.push(self.diagrams.before(case, cells, values)?),
                    SymbolicAssign::Assert { truth } => {
                        before.push(case.and(&truth.is_true)?);
                        before.push(case.and(&truth.is_false)?);
                    }
                }
            }
            cases = before;
        }
        let none = self.diagrams.none();
        let case = cases.into_iter().find(|case| self.holds(case)).unwrap_or(none);
        if case == self.diagrams.none() {
            return self.same(state);
        }
        Ok(if step.is_decided_elsewhere { case } else { case.and(&step.enabled.is_true)? })
    }

    /// The states that agree with this one in some variables.
    fn as_in(&self, state: &[u8], places: &[SlotPlace]) -> Result<Set, NoSet> {
        let mut set = self.diagrams.all();
        for place in places {
            set = set.and(&self.diagrams.where_equal(*place, place.value_in(state))?)?;
        }
        Ok(set)
    }

    /// This state alone, as far as any step reads it.
    fn same(&self, state: &[u8]) -> Result<Set, NoSet> {
        let places: Vec<SlotPlace> = self.diagrams.places().collect();
        self.as_in(state, &places)
    }

    fn insert(&mut self, class: &Set) -> Result<ClassId, NoSet> {
        let control = self.controls.number(&self.part);
        while self.visited.len() <= control.index() {
            let all = self.diagrams.none();
            self.visited.push(OfControl { all, bits: Vec::new(), classes: Vec::new() });
        }
        let number = self.classes.len() as ClassId;
        let of_control = &mut self.visited[control.index()];
        let own = of_control.classes.len();
        // A class that is under-approximated may meet another one: what is visited stays as it is.
        let new = class.and(&of_control.all.not()?)?;
        let width = (usize::BITS - own.leading_zeros()) as usize;
        of_control.bits.resize(of_control.bits.len().max(width), self.diagrams.none());
        for (bit, set) in of_control.bits.iter_mut().enumerate() {
            if own >> bit & 1 == 1 {
                *set = set.or(&new)?;
            }
        }
        of_control.all = of_control.all.or(&new)?;
        of_control.classes.push(number);
        self.classes.push(class.clone());
        Ok(number)
    }
}

impl Truth {
    fn of(term: &Term, diagrams: &Diagrams) -> Result<Truth, NoSet> {
        let values = diagrams.values(term)?;
        let is_true = diagrams.truth(&values)?;
        let is_false = values.by_value.get(&0).cloned().unwrap_or_else(|| diagrams.none());
        Ok(Truth { is_true, is_false })
    }
}

impl SymbolicStep {
    fn of(step: Step, diagrams: &Diagrams) -> Result<SymbolicStep, NoSet> {
        let mut reads = Vec::new();
        let mut enabled = Truth { is_true: diagrams.all(), is_false: diagrams.none() };
        if let Condition::All(conditions) = &step.condition {
            for (condition, _) in conditions {
                condition.add_reads(&mut reads);
                // The next one is asked where all before it are true.
                let next = Truth::of(condition, diagrams)?;
                enabled.is_false = enabled.is_false.or(&enabled.is_true.and(&next.is_false)?)?;
                enabled.is_true = enabled.is_true.and(&next.is_true)?;
            }
        }
        let mut effects = Vec::new();
        for effect in step.effects.iter().flatten() {
            effect.value.add_reads(&mut reads);
            if let Target::Element(element) = &effect.target {
                element.indices.iter().for_each(|index| index.value.add_reads(&mut reads));
            }
            effects.push(SymbolicAssign::of(effect, diagrams)?);
        }
        let is_decided_elsewhere = step.is_decided_elsewhere;
        Ok(SymbolicStep { begins: step.begins, enabled, is_decided_elsewhere, effects, reads })
    }
}

impl SymbolicAssign {
    fn of(assign: &Assign, diagrams: &Diagrams) -> Result<SymbolicAssign, NoSet> {
        if assign.is_assertion {
            return Ok(SymbolicAssign::Assert { truth: Truth::of(&assign.value, diagrams)? });
        }
        let cells = match &assign.target {
            Target::One(cell) => vec![(*cell, diagrams.all())],
            Target::Element(element) => diagrams.cells(element)?,
        };
        let Values { by_value, .. } = diagrams.values(&assign.value)?;
        let stored = |value: i64| {
            let stored = assign.scalar.truncate(assign.field.map_or(value, |field| field.truncate(value)));
            assign.scalar.holds(stored).then_some(stored)
        };
        let values = by_value.into_iter().filter_map(|(value, has_it)| Some((stored(value)?, has_it)));
        Ok(SymbolicAssign::Store { cells, values: values.collect() })
    }
}

fn not_here(why: NoSet, what: &str) -> NotHere {
    NotHere(match why {
        NoSet::Full => format!("the diagrams of {what} are too large; use --order acyclic"),
        NoSet::TooMany => format!("{what} computes too many values for diagrams; use --order acyclic"),
        NoSet::Control => format!("{what} asks where another process is; use --order acyclic"),
    })
}

/// What steps read, with the least and the greatest value of each: an error names one with too
/// many.
fn variables(network: &Network<'_>, steps: &[Step], end: Option<&Term>) -> Result<Vec<(SlotPlace, i64, i64)>, NotHere> {
    let mut read = Vec::new();
    end.into_iter().for_each(|end| end.add_reads(&mut read));
    for step in steps {
        if let Condition::All(conditions) = &step.condition {
            conditions.iter().for_each(|(condition, _)| condition.add_reads(&mut read));
        }
        for effect in step.effects.iter().flatten() {
            effect.value.add_reads(&mut read);
            if let Target::Element(element) = &effect.target {
                element.indices.iter().for_each(|index| index.value.add_reads(&mut read));
            }
        }
    }
    let known = named(network);
    let mut found = BTreeMap::new();
    for place in read.into_iter().filter(|place| place.width > 0) {
        let (low, high) = bounds(place, known.get(&place.offset).map(|(_, scalar)| *scalar));
        if high.saturating_sub(low) >= MOST_VALUES {
            let name = known.get(&place.offset).map_or("a variable", |(name, _)| name);
            return Err(NotHere(format!(
                "`{name}` may have more than {MOST_VALUES} values, and diagrams are for variables with few; give it a \
                 smaller type, or use --order acyclic"
            )));
        }
        found.insert(place.offset, (place, low, high));
    }
    Ok(found.into_values().collect())
}

/// The values that a place has room for and its type allows.
fn bounds(place: SlotPlace, scalar: Option<Scalar>) -> (i64, i64) {
    let bits = u32::from(place.width) * 8;
    let (low, high) = match (bits, place.signed) {
        (64.., _) => (i64::MIN, i64::MAX),
        (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (bits, false) => (0, (1 << bits) - 1),
    };
    let (least, greatest) = scalar.map_or((low, high), Scalar::bounds);
    (low.max(least), high.min(greatest))
}

/// The variables by where they lie.
fn named<'n>(network: &'n Network<'_>) -> BTreeMap<u32, (&'n str, Scalar)> {
    let layout = &network.layout;
    let globals = network.model.globals.slots.iter().zip(&layout.globals);
    let locals = network
        .instances
        .ids()
        .flat_map(|instance| network.template(instance).frame.slots.iter().zip(&layout.frames[instance].locals));
    globals.chain(locals).map(|(slot, place)| (place.offset, (slot.name.as_str(), slot.scalar))).collect()
}

impl Classes for Exact<'_> {
    fn find(&mut self, state: &[u8], left: Option<u64>) -> Option<ClassId> {
        self.counts.finds += 1;
        self.control.write(state, left, &mut self.part);
        let of_control = self.visited.get(self.controls.get(&self.part)?.index())?;
        self.diagrams.bits(state, &mut self.bits);
        self.counts.lookups += 1;
        if !self.holds(&of_control.all) {
            return None;
        }
        self.counts.lookups += of_control.bits.len() as u64;
        let bits = of_control.bits.iter().enumerate();
        let own = bits.fold(0, |own, (bit, set)| own | usize::from(self.holds(set)) << bit);
        of_control.classes.get(own).copied()
    }

    fn add(
        &mut self,
        state: &[u8],
        left: Option<u64>,
        below: &mut dyn Iterator<Item = Below<'_>>,
    ) -> Result<ClassId, ClassesFull> {
        self.diagrams.bits(state, &mut self.bits);
        self.control.write(state, left, &mut self.part);
        self.counts.classes += 1;
        let class = self.class(state, below).map_err(|_| ClassesFull)?;
        debug_assert!(self.holds(&class), "a class holds its state");
        self.insert(&class).map_err(|_| ClassesFull)
    }

    fn counts(&self) -> ClassCounts {
        self.counts
    }

    fn memory(&self) -> usize {
        const NODE: usize = 16;
        self.diagrams.nodes() * NODE + self.classes.len() * size_of::<Set>()
    }
}
