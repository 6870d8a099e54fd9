//! Which processes there may be, seen on runs of the interpreter: where creation cannot be known,
//! it is guessed.
//!
//! Nothing depends on the guess being right. A state in which a process is not what was guessed
//! does not fit the network and keeps the interpreter's form.

use std::collections::BTreeMap;

use ample_interpret::{Interpreter, Outcome, State};
use ample_model::{Action, LocationId, TemplateId};
use ample_stdx::{BitSet, IndexVec, Xorshift};
use ample_transition::Pid;

use crate::Instance;
use crate::constants::{ConstantSlots, channels_of};
use crate::reach::{can_end, leading_to_creation};

/// How many moves are made on all runs together, among few processes, if they show nothing new.
const MOVES: usize = 4_000;

/// How many moves are made at least after something new was seen.
const MOVES_AFTER_NEWS: usize = 1_000;

/// How many moves are made at most.
const MOST_MOVES: usize = 12_000;

/// Among more processes than this a move costs more: the interpreter asks every one about every
/// other, in a copy of the state.
const FEW_PROCESSES: usize = 16;

/// No run is longer than this.
const LONGEST_RUN: usize = 500;

/// Processes with higher numbers are not guessed.
const MOST_PROCESSES: usize = 64;

/// What runs at each process number, with what never changed there; and how many were seen before
/// it.
type Observed = BTreeMap<(Pid, TemplateId), (usize, Instance)>;

/// Which moves a run prefers.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Preference {
    /// Those of processes that may create others.
    Creators,
    /// Those with which no process ends, so that there are many at a time.
    NoEnd,
    None,
}

/// Runs the model: first so that those who create go first, then so that none ends, then at random,
/// always the same way.
pub(crate) fn observe(interpreter: &Interpreter<'_>, initial: &State, constants: &ConstantSlots) -> Vec<Instance> {
    let creating = interpreter.model().templates.iter().map(leading_to_creation).collect();
    let mut observer = Observer {
        creating,
        interpreter,
        constants,
        seen: Observed::new(),
        random: Xorshift::after(0x9e37_79b9_7f4a_7c15),
        left: MOVES,
        most: MOST_MOVES,
    };
    observer.note(initial, 0);
    observer.run(initial.clone(), Preference::Creators);
    observer.run(initial.clone(), Preference::NoEnd);
    observer.left = MOVES;
    while observer.left > 0 {
        observer.run(initial.clone(), Preference::None);
    }
    observer.shift_down();
    observer.fill_gaps();
    observer.keep_different();
    observer.instances()
}

struct Observer<'a, 'm> {
    /// Where a process of each template may still create others.
    creating: IndexVec<TemplateId, BitSet<LocationId>>,
    interpreter: &'a Interpreter<'m>,
    constants: &'a ConstantSlots,
    seen: Observed,
    random: Xorshift,
    /// The moves that are left, as far as nothing new is seen, and in any case.
    left: usize,
    most: usize,
}

impl Observer<'_, '_> {
    fn run(&mut self, mut state: State, preference: Preference) {
        let mut control = None;
        for _ in 0..LONGEST_RUN {
            if self.left == 0 {
                return;
            }
            self.spend(1 + (state.processes.len() / FEW_PROCESSES).pow(3));
            let mut moves = self.interpreter.moves(&state, control);
            moves.retain(|outcome| outcome.next.is_some());
            let is_preferred = |outcome: &Outcome| match preference {
                Preference::Creators => self.may_create(&state, outcome.step.process),
                Preference::NoEnd => !self.ends(&state, outcome),
                Preference::None => true,
            };
            if moves.iter().any(is_preferred) {
                moves.retain(is_preferred);
            }
            if moves.is_empty() {
                // A run that is over costs as much as a short one, so that this ends.
                self.spend(20);
                return;
            }
            let chosen = moves.swap_remove(self.choose(moves.len()));
            control = chosen.control;
            let Some(next) = chosen.next else { return };
            self.note(&next, state.processes.len());
            if next.processes.len() > MOST_PROCESSES {
                // Nothing is guessed beyond, and among so many each move takes long.
                return;
            }
            state = next;
        }
    }

    fn spend(&mut self, moves: usize) {
        self.left = self.left.saturating_sub(moves);
        self.most = self.most.saturating_sub(moves);
    }

    /// Something new was seen: where there is some, there may be more.
    fn go_on(&mut self) {
        self.left = self.left.max(MOVES_AFTER_NEWS).min(self.most);
    }

    /// A number below `count`.
    fn choose(&mut self, count: usize) -> usize {
        (self.random.number() % count as u64) as usize
    }

    fn may_create(&self, state: &State, pid: Pid) -> bool {
        let process = &state.processes[usize::from(pid)];
        self.creating[process.template].contains(process.location)
    }

    fn ends(&self, state: &State, outcome: &Outcome) -> bool {
        let template = &self.interpreter.model().templates[state.processes[usize::from(outcome.step.process)].template];
        matches!(template.edges[outcome.step.edge].action, Action::End)
    }

    /// Notes the processes from a number on.
    fn note(&mut self, state: &State, from: usize) {
        for pid in from..state.processes.len().min(MOST_PROCESSES) {
            self.add(self.constants.instance(self.interpreter.model(), state, pid as Pid));
        }
    }

    fn add(&mut self, instance: Instance) {
        let key = (instance.pid, instance.template);
        let before = self.seen.len();
        match self.seen.get_mut(&key) {
            None => {
                self.seen.insert(key, (before, instance));
                self.go_on();
            }
            Some((_, known)) => {
                if self.constants.merge(self.interpreter.model(), known, &instance) {
                    self.go_on();
                }
            }
        }
    }

    /// Where a process can end, what was created after it may take its number.
    fn shift_down(&mut self) {
        let model = self.interpreter.model();
        let all: Vec<Instance> = self.seen.values().map(|(_, instance)| instance.clone()).collect();
        for instance in &all {
            let mut pid = instance.pid;
            while pid > 0 {
                let mut below = all.iter().filter(|other| other.pid == pid - 1);
                if !below.any(|other| can_end(&model.templates[other.template])) {
                    break;
                }
                pid -= 1;
                let key = (pid, instance.template);
                // What was seen there is left alone: most often its parameters are constants, and
                // stay so.
                let before = self.seen.len();
                self.seen.entry(key).or_insert_with(|| (before, Instance { pid, ..instance.clone() }));
            }
        }
    }

    /// What was seen at several numbers may be at all that follow. Added only where that is little
    /// beside what was seen: a kind of process at a number is code, and room in every state.
    fn fill_gaps(&mut self) {
        let highest = self.seen.keys().map(|(pid, _)| *pid).max().unwrap_or_default();
        let mut last: BTreeMap<TemplateId, Vec<&Instance>> = BTreeMap::new();
        self.seen.values().for_each(|(_, instance)| last.entry(instance.template).or_default().push(instance));
        let mut missing: Vec<Instance> = Vec::new();
        for instances in last.values().filter(|instances| instances.len() > 2) {
            let [first, .., like] = instances.as_slice() else { continue };
            let is_missing = |pid: &Pid| !self.seen.contains_key(&(*pid, like.template));
            let numbers = (first.pid..=highest).filter(is_missing);
            missing.extend(numbers.map(|pid| Instance { pid, ..(*like).clone() }));
        }
        if missing.len() * 3 > self.seen.len() {
            return;
        }
        for instance in missing {
            let before = self.seen.len();
            self.seen.insert((instance.pid, instance.template), (before, instance));
        }
    }

    /// A variable that differed between processes with the same template and number may differ at
    /// every number.
    fn keep_different(&mut self) {
        let mut found: BTreeMap<TemplateId, Instance> = BTreeMap::new();
        for (_, instance) in self.seen.values() {
            match found.get_mut(&instance.template) {
                None => {
                    found.insert(instance.template, instance.clone());
                }
                Some(of_all) => of_all.forget(|slot| instance.constants[slot].is_none()),
            }
        }
        for (_, instance) in self.seen.values_mut() {
            let of_all = &found[&instance.template];
            instance.forget(|slot| of_all.constants[slot].is_none());
        }
    }

    /// In the order of numbers. What has the same number must declare channels of the same form, so
    /// that these have the same numbers and places; what was seen first decides.
    fn instances(self) -> Vec<Instance> {
        let model = self.interpreter.model();
        let channels = |instance: &Instance| {
            let declared = channels_of(&model.templates[instance.template].frame);
            declared.map(|(_, kind)| model.channels[kind].form()).collect::<Vec<_>>()
        };
        let mut instances: Vec<Instance> = Vec::new();
        let mut seen: Vec<(usize, Instance)> = self.seen.into_values().collect();
        seen.sort_by_key(|(before, instance)| (instance.pid, *before));
        for (_, instance) in seen {
            let first = instances.iter().find(|other| other.pid == instance.pid);
            if first.is_none_or(|first| channels(first) == channels(&instance)) {
                instances.push(instance);
            }
        }
        instances
    }
}
