//! A flat program with its counters as locations of processes, and the way back.

use ample_interpret::State;
use ample_model::{
    Action, ActiveProcess, BinaryOp, Edge, EdgeId, Expr, ExprKind, Location, LocationId, Model, SlotId, Template,
    TemplateId,
};
use ample_stdx::{BitSet, IndexVec, TypedId};
use ample_transition::{Move, Pid, Stretch};

use super::choose::{Counter, initial};
use super::commands::{Command, conjuncts};
use super::own::{Own, move_in};
use crate::Visible;
use crate::liveness::{Variables, read_from_outside};
use crate::passes::entry::{Back, TemplateOf};
use crate::passes::slots::only_slot;

/// The number of the location that stands for the least value. Location 0 is none.
const FIRST: usize = 1;

/// A program that was taken apart.
pub(super) struct Split {
    pub model: Model,
    /// What was made of each counter.
    pub processes: Vec<Process>,
    pub back: Together,
}

/// The process of a counter.
pub(super) struct Process {
    /// Its commands.
    pub commands: Vec<EdgeId>,
    /// Whether the variable keeps its value beside the location.
    pub is_stored: bool,
    /// The variables that are its own.
    pub own: Vec<SlotId>,
}

/// Takes a flat program apart by these counters.
pub(super) fn split(
    written: &Model,
    visible: &Visible<'_>,
    commands: &IndexVec<EdgeId, Command>,
    counters: &[Counter],
) -> Split {
    let first = TemplateId::from_index(0);
    let program = &written.templates[first];
    let stored = stored(written, visible, commands, counters);
    let mut model = written.clone();
    let mut edges: IndexVec<TemplateId, Vec<EdgeId>> = IndexVec::from_elem(Vec::new(), 1 + counters.len());
    for (id, owner) in owners(commands, counters).iter_enumerated() {
        edges[*owner].push(id);
    }
    model.templates[first] = with_edges(program, edges[first].iter().map(|id| program.edges[*id].clone()));
    let mut processes = Vec::new();
    for (number, counter) in counters.iter().enumerate() {
        let of_process = std::mem::take(&mut edges[TemplateId::from_index(number + 1)]);
        let is_stored = stored.contains(counter.slot);
        let made = Made { written, commands, counter, is_stored };
        let template = model.templates.push(made.template(program, &of_process));
        model.active.push(ActiveProcess { template, priority: written.active[0].priority });
        processes.push(Process { commands: of_process, is_stored, own: Vec::new() });
    }
    let own = Own::of(&model, visible);
    for (process, id) in processes.iter_mut().zip((1..).map(TemplateId::from_index)) {
        process.own = move_in(&mut model, id, &own);
    }
    let back = together(counters, &processes, std::mem::take(&mut edges[first]));
    Split { model, processes, back }
}

/// To which process each command goes: to that of the counter that it assigns, else to that of the
/// first counter that it compares, else to the first process.
fn owners(commands: &IndexVec<EdgeId, Command>, counters: &[Counter]) -> IndexVec<EdgeId, TemplateId> {
    let process = |slot: SlotId| {
        let number = counters.binary_search_by_key(&slot, |counter| counter.slot).ok()?;
        Some(TemplateId::from_index(number + 1))
    };
    let owner = |command: &Command| {
        let assigned = command.assigned.iter().find_map(|one| process(one.slot));
        let compared = || command.tests.iter().find_map(|test| process(test.slot));
        assigned.or_else(compared).unwrap_or(TemplateId::from_index(0))
    };
    commands.iter().map(owner).collect()
}

/// The counters that must keep their values: somebody reads them besides, or a command assigns
/// them what they do not hold.
fn stored(
    written: &Model,
    visible: &Visible<'_>,
    commands: &IndexVec<EdgeId, Command>,
    counters: &[Counter],
) -> BitSet<SlotId> {
    let program = &written.templates[TemplateId::from_index(0)];
    let mut read = read_from_outside(written, visible);
    let owners = owners(commands, counters);
    for (id, edge) in program.edges.iter_enumerated() {
        let own = owners[id].index().checked_sub(1).map(|number| counters[number].slot);
        read_besides(edge, own.and_then(|slot| commands[id].test(slot)).map(|test| test.conjunct), &mut read);
        for one in &commands[id].assigned {
            if one.value.is_none_or(|value| !written.globals.slots[one.slot].scalar.holds(value)) {
                read.globals.insert(one.slot);
            }
        }
    }
    read.globals
}

/// Adds what a command reads, but for one part of its guard.
fn read_besides(edge: &Edge, conjunct: Option<usize>, read: &mut Variables) {
    if let Action::Guard(guard) = &edge.action {
        let parts = conjuncts(guard).into_iter().enumerate();
        parts.filter(|(number, _)| Some(*number) != conjunct).for_each(|(_, part)| read.read(part));
    }
    for effect in &edge.effects {
        effect.place.walk(&mut |part| read.read_part(part));
        read.read(&effect.value);
    }
}

/// The first process with these edges only.
fn with_edges(program: &Template, edges: impl Iterator<Item = Edge>) -> Template {
    let mut template = Template { edges: edges.collect(), ..program.clone() };
    template.locations[program.entry].edges = template.edges.ids().collect();
    template
}

/// What a process is made of.
struct Made<'a> {
    written: &'a Model,
    commands: &'a IndexVec<EdgeId, Command>,
    counter: &'a Counter,
    is_stored: bool,
}

impl Made<'_> {
    /// The process that takes some commands.
    fn template(&self, program: &Template, ids: &[EdgeId]) -> Template {
        let slot = &self.written.globals.slots[self.counter.slot];
        let mut template = Template {
            name: slot.name.clone(),
            span: slot.span,
            entry: self.location(initial(self.written, self.counter.slot, slot.scalar)),
            locations: IndexVec::from_elem(Location::default(), FIRST + self.counter.values.len()),
            edges: IndexVec::new(),
            ..program.clone()
        };
        for id in ids {
            let edge = self.edge(*id, program.edges[*id].clone());
            let source = edge.source;
            let id = template.edges.push(edge);
            template.locations[source].edges.push(id);
        }
        template
    }

    /// The location that stands for a value.
    fn location(&self, value: i64) -> LocationId {
        LocationId::from_index(FIRST + self.counter.values.binary_search(&value).unwrap_or_default())
    }

    fn edge(&self, id: EdgeId, mut edge: Edge) -> Edge {
        let Counter { slot, .. } = *self.counter;
        let command = &self.commands[id];
        let Some(test) = command.test(slot) else { return edge };
        let scalar = self.written.globals.slots[slot].scalar;
        edge.source = self.location(test.value);
        // A command that assigns only what the counter does not hold fails.
        edge.target = command.last(slot, scalar).map_or(edge.source, |value| self.location(value));
        edge.statement = edge.source;
        if let Action::Guard(guard) = &edge.action {
            edge.action = without(guard, test.conjunct);
        }
        if !self.is_stored {
            edge.effects.retain(|effect| only_slot(&effect.place) != Some(slot));
        }
        edge
    }
}

/// A guard without one of its parts.
fn without(guard: &Expr, conjunct: usize) -> Action {
    let others = conjuncts(guard).into_iter().enumerate().filter(|(number, _)| *number != conjunct);
    let both = |a: Expr, b: Expr| {
        let span = guard.span;
        Expr { kind: ExprKind::Binary(BinaryOp::And, Box::new(a), Box::new(b)), span }
    };
    others.map(|(_, part)| part.clone()).reduce(both).map_or(Action::Skip, Action::Guard)
}

/// The way back to the one process.
pub(super) struct Together {
    /// The edges of the program for those of each process.
    edges: Vec<Vec<EdgeId>>,
    counters: Vec<Stood>,
}

/// What was a counter, and the variables that are its process's own, by their numbers there.
struct Stood {
    slot: SlotId,
    values: Vec<i64>,
    own: Vec<SlotId>,
}

fn together(counters: &[Counter], processes: &[Process], first: Vec<EdgeId>) -> Together {
    let edges = std::iter::once(first).chain(processes.iter().map(|process| process.commands.clone())).collect();
    let stood = |(counter, process): (&Counter, &Process)| Stood {
        slot: counter.slot,
        values: counter.values.clone(),
        own: process.own.clone(),
    };
    Together { edges, counters: counters.iter().zip(processes).map(stood).collect() }
}

impl Together {
    /// Whether no counter was found.
    pub fn is_empty(&self) -> bool {
        self.counters.is_empty()
    }
}

impl Back for Together {
    fn moves(&self, transition: &[Move], _: TemplateOf<'_>, moves: &mut Vec<Stretch>) {
        let written = |step: &Move| {
            let of_process = self.edges.get(usize::from(step.process));
            let edge = of_process.and_then(|edges| edges.get(step.edge.index())).copied().unwrap_or(step.edge);
            Stretch::Once(Move { process: 0, edge, partner: None })
        };
        moves.extend(transition.iter().map(written));
    }

    fn template_of(&self, process: Pid, before: TemplateOf<'_>) -> Option<TemplateId> {
        match usize::from(process) {
            0 => before(0),
            number => (number <= self.counters.len()).then(|| TemplateId::from_index(number)),
        }
    }

    fn state(&self, state: State) -> State {
        let mut globals = state.globals().to_vec();
        for (pid, counter) in (1..).zip(&self.counters) {
            let Some(process) = state.processes.get(usize::from(pid)) else { return state };
            let number = process.location.index().checked_sub(FIRST);
            let value = number.and_then(|number| counter.values.get(number)).copied();
            globals[counter.slot.index()] = value.unwrap_or_default();
            for (slot, value) in counter.own.iter().zip(state.locals(pid)) {
                globals[slot.index()] = *value;
            }
        }
        let first = &state.processes[0];
        let mut written = State::default();
        written.restart(|all| all.extend(globals));
        written.add_process(first.template, first.location, first.priority, |_| {});
        written
    }
}
