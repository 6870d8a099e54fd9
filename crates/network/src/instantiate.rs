//! Which processes there are: the creator is run alone, and what it creates is written down.

use std::fmt;

use ample_interpret::{Interpreter, State};
use ample_model::{Action, Edge, Expr, ExprKind, Model, Scope, SlotId, Template, TemplateId};
use ample_stdx::BitSet;
use ample_transition::Pid;

use crate::constants::{ConstantSlots, channels_of};
use crate::intervals::Intervals;
use crate::layout::Layout;
use crate::observe::observe;
use crate::reach::{can_end, creates, leading_to_creation};
use crate::writes::Writes;
use crate::{Instance, Network};

/// Why a model is not a network, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct General(pub String);

impl fmt::Display for General {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A creator that has not finished after so many steps on its own is taken for one that goes on for
/// ever.
const MOST_STEPS: usize = 100_000;

/// Finds the processes of a model.
///
/// One process may create others. It is run alone: if it has exactly one way to go until it can
/// create no more, without looking at what others write, the processes are known. The number of
/// each process is then known if no process can end while another is still to be created: either
/// its template never ends, or no other process can move in between. Where any of this fails, the
/// processes are guessed from runs.
pub fn instantiate<'m>(interpreter: &Interpreter<'m>) -> Result<Network<'m>, General> {
    let model = interpreter.model();
    let initial = interpreter.initial_state().map_err(|fault| General(fault.message.clone()))?;
    let constants = ConstantSlots::new(model);
    let known = match creator(model) {
        Ok(None) => Ok(initial.clone()),
        Ok(Some(creator)) => run_creator(model, interpreter, initial.clone(), creator),
        Err(reason) => Err(reason),
    };
    let is_guessed = known.is_err();
    let mut instances = match known {
        Ok(state) => (0..state.processes.len() as Pid).map(|pid| constants.instance(model, &state, pid)).collect(),
        Err(_) => observe(interpreter, &initial, &constants),
    };
    number(model, &mut instances);
    let numbers = instances.last().map_or(0, |instance| usize::from(instance.pid) + 1);
    let globals = constants.globals(&initial);
    let changes = |instance: &Instance| {
        let template = &model.templates[instance.template];
        can_end(template) || can_create(template)
    };
    let intervals = Intervals::of(model, &initial);
    let layout = Layout::new(model, &instances, &globals, &intervals, instances.iter().any(changes));
    if layout.channels.len() > 255 {
        return Err(General("there are more than 255 channels".to_owned()));
    }
    let max_processes = interpreter.max_processes();
    Ok(Network { model, instances: instances.into(), is_guessed, numbers, max_processes, constants: globals, layout })
}

/// Tells instances with the same number apart, and numbers the channels that each declares.
fn number(model: &Model, instances: &mut [Instance]) {
    let mut channels = channels_of(&model.globals).count() as i64;
    let mut before: Option<(Pid, u32, i64)> = None;
    for instance in instances {
        let template = &model.templates[instance.template];
        let (first_location, first_channel) = match before {
            Some((pid, location, channel)) if pid == instance.pid => (location, channel),
            _ => (0, channels),
        };
        instance.first_location = first_location;
        let mut next = first_channel;
        for (slot, _) in channels_of(&template.frame) {
            next += 1;
            instance.constants[slot] = instance.constants[slot].map(|_| next);
        }
        channels = next;
        before = Some((instance.pid, first_location + template.locations.len() as u32 - 1, first_channel));
    }
}

/// The one process that creates others.
fn creator(model: &Model) -> Result<Option<Pid>, General> {
    let creates: Vec<Pid> = (0..)
        .zip(&model.active)
        .filter(|(_, active)| can_create(&model.templates[active.template]))
        .map(|(pid, _)| pid)
        .collect();
    match creates.as_slice() {
        [] => Ok(None),
        [creator] => Ok(Some(*creator)),
        _ => Err(General("several processes create others".to_owned())),
    }
}

fn can_create(template: &Template) -> bool {
    template.edges.iter().any(creates)
}

/// Runs the creator alone until it can create no more.
fn run_creator(model: &Model, interpreter: &Interpreter<'_>, mut state: State, creator: Pid) -> Result<State, General> {
    let template = &model.templates[state.processes[usize::from(creator)].template];
    let creating = leading_to_creation(template);
    let others_write = written_by_others(model, state.processes[usize::from(creator)].template);
    let mut others_can_move = true;
    for _ in 0..MOST_STEPS {
        if !creating.contains(state.processes[usize::from(creator)].location) {
            return Ok(state);
        }
        if others_can_move {
            check_nobody_ends(model, &state, creator)?;
        }
        let mut moves = interpreter.moves_of(&state, creator);
        let (Some(only), true) = (moves.pop(), moves.is_empty()) else {
            return Err(General("what is created depends on choices".to_owned()));
        };
        // Edges that are disabled now count, too: others may enable them before the creator moves.
        let mut edges = template.locations[state.processes[usize::from(creator)].location].edges.iter();
        let is_own = edges.all(|edge| looks_only_inward(&template.edges[*edge], &others_write));
        if only.step.partner.is_some() || !is_own {
            return Err(General("what is created depends on other processes".to_owned()));
        }
        let Some(next) = only.next else { return Err(General("creating processes fails".to_owned())) };
        for created in &next.processes[state.processes.len().min(next.processes.len())..] {
            if can_create(&model.templates[created.template]) {
                return Err(General("created processes create others in turn".to_owned()));
            }
        }
        others_can_move = only.control != Some(creator);
        state = next;
    }
    Err(General("processes are created in a loop without end".to_owned()))
}

fn check_nobody_ends(model: &Model, state: &State, creator: Pid) -> Result<(), General> {
    for (pid, process) in state.processes.iter().enumerate() {
        let template = &model.templates[process.template];
        if pid != usize::from(creator) && can_end(template) {
            let name = &template.name;
            return Err(General(format!("a process `{name}` may end before the last one is created")));
        }
    }
    Ok(())
}

fn written_by_others(model: &Model, creator: TemplateId) -> BitSet<SlotId> {
    let mut written = BitSet::new();
    for (id, template) in model.templates.iter_enumerated() {
        if id != creator {
            written.union_with(&Writes::of(template).globals);
        }
    }
    written
}

/// Whether what an edge does depends on the process itself and on variables that no other process
/// writes.
fn looks_only_inward(edge: &Edge, others_write: &BitSet<SlotId>) -> bool {
    let mut inward = true;
    let mut look = |expr: &Expr| match &expr.kind {
        ExprKind::Read(place) if place.scope == Scope::Global => {
            // An element stands for the whole array here: the first slot is enough only for
            // scalars.
            inward &= place.indices.is_empty() && !others_write.contains(place.first) || others_write.is_empty();
        }
        ExprKind::Channel(..)
        | ExprKind::Poll(_)
        | ExprKind::Timeout
        | ExprKind::Enabled(_)
        | ExprKind::ProgramCounter(_)
        | ExprKind::LastProcess
        | ExprKind::NonProgress
        | ExprKind::Accepting
        | ExprKind::Priority(_)
        | ExprKind::RemoteRead(_)
        | ExprKind::RemoteAt(_) => inward = false,
        // No process ends while others are created, so that their number is known.
        ExprKind::ProcessCount
        | ExprKind::Read(_)
        | ExprKind::Const(_)
        | ExprKind::Pid
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Conditional(_)
        | ExprKind::Run(_) => {}
    };
    // What is printed changes nothing.
    if !matches!(edge.action, Action::Print { .. }) {
        edge.walk(&mut look);
    }
    let is_own = matches!(
        edge.action,
        Action::Guard(_)
            | Action::Assert(_)
            | Action::PrintName(_)
            | Action::Assign(..)
            | Action::Skip
            | Action::Else
            | Action::Print { .. }
    );
    inward && is_own
}
