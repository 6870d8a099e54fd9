//! The steps of processes, one edge at a time or two at a rendezvous, and the states from which one
//! leads into a region.
//!
//! A transition, also one through an `atomic` sequence, is made of such steps, and there may be
//! more of them than the system takes: who has control, priorities, `else`, `timeout` and the order
//! of escapes are left out, and so is what is in channels.

use ample_model::{Action, Edge, Effect, Expr, ExprKind, LocationId, ReceiveArg, TemplateId};
use ample_network::facts::InstanceId;

use super::condition::{Assignment, Meaning};
use super::region::{Region, nowhere};
use crate::canonizers::cells::Names;

/// A process that takes an edge.
#[derive(Copy, Clone)]
pub(super) struct Mover<'n> {
    pub process: InstanceId,
    pub edge: &'n Edge,
}

/// A step.
pub(super) struct Step<'n> {
    /// Who moves, and where to.
    movers: Vec<(Mover<'n>, LocationId)>,
    /// What is assigned, in order.
    assignments: Vec<Assignment<'n>>,
    /// What conditions are asked before, and by whom.
    conditions: Vec<(&'n Expr, InstanceId)>,
    /// What runs in the processes that it creates.
    creates: Vec<TemplateId>,
    /// Whether it depends on more than these conditions whether it can be taken.
    is_loose: bool,
}

/// All steps of a network.
pub(super) struct Steps<'n> {
    pub meaning: Meaning<'n>,
    all: Vec<Step<'n>>,
}

impl<'n> Steps<'n> {
    pub fn of(names: &'n Names<'n>) -> Steps<'n> {
        let mut all = Vec::new();
        for process in names.network.instances.ids() {
            for edge in &names.network.template(process).edges {
                add_steps(names, Mover { process, edge }, &mut all);
            }
        }
        Steps { meaning: Meaning { names }, all }
    }

    /// Calls `found` with the states from which each step leads into the region, for the steps that
    /// change what the region looks at. The states from which others do are in the region
    /// themselves.
    pub fn before(&self, region: &Region, mut found: impl FnMut(Region)) {
        for step in &self.all {
            if !step.movers.iter().any(|(mover, to)| is_elsewhere(region, mover.process, *to)) {
                self.before_step(step, region).into_iter().for_each(&mut found);
            }
        }
    }

    fn before_step(&self, step: &Step<'_>, region: &Region) -> Vec<Region> {
        let mut is_touched = step.movers.iter().any(|(mover, _)| region.at.contains_key(&mover.process));
        let mut all = vec![region.clone()];
        for assignment in step.assignments.iter().rev() {
            let mut before = Vec::new();
            for region in all {
                is_touched |= self.meaning.unassign(region, assignment, &mut before);
            }
            all = before;
        }
        all.retain_mut(|before| {
            is_touched |= self.undo_rest(step, before);
            self.ask(step, before).is_some()
        });
        if is_touched { all } else { Vec::new() }
    }

    /// Goes back to before processes came, moved and went. Whether that changes what the region
    /// looks at.
    fn undo_rest(&self, step: &Step<'_>, before: &mut Region) -> bool {
        let created = step.creates.iter();
        let mut is_touched = created.fold(false, |touched, template| self.uncreate(before, *template) | touched);
        for (mover, to) in &step.movers {
            before.at.remove(&mover.process);
            if *to == nowhere() {
                // What it had is gone with it.
                is_touched |= self.forget(before, mover.process);
            }
        }
        is_touched
    }

    /// The processes are where the step begins, and its conditions hold; `None` if that cannot be.
    fn ask(&self, step: &Step<'_>, before: &mut Region) -> Option<()> {
        before.is_loose |= step.is_loose;
        for (mover, _) in &step.movers {
            before.place_at(mover.process, mover.edge.source)?;
        }
        step.conditions
            .iter()
            .try_for_each(|(condition, asker)| self.meaning.assume(before, condition, true, Some(*asker)))
    }

    /// Before a process with this template came into being, nothing was asked of it. Whether
    /// something is.
    fn uncreate(&self, region: &mut Region, template: TemplateId) -> bool {
        let instances = self.meaning.names.network.instances.iter_enumerated();
        let mut is_touched = false;
        for (process, _) in instances.filter(|(_, instance)| instance.template == template) {
            let entry = self.meaning.names.network.template(process).entry;
            let may_be_new = region.at.get(&process).is_none_or(|at| at.contains(entry));
            if may_be_new {
                is_touched |= region.at.remove(&process).is_some();
                is_touched |= self.forget(region, process);
            }
        }
        region.is_loose |= is_touched;
        is_touched
    }

    /// Asks nothing of the variables of a process any more. Whether something was asked.
    fn forget(&self, region: &mut Region, process: InstanceId) -> bool {
        let before = region.within.len();
        region.within.retain(|cell, _| self.meaning.names.cells.list[*cell].owner != Some(process));
        region.is_loose |= region.within.len() < before;
        region.within.len() < before
    }
}

/// Whether a region has no state in which the process is there.
fn is_elsewhere(region: &Region, process: InstanceId, location: LocationId) -> bool {
    region.at.get(&process).is_some_and(|locations| !locations.contains(location))
}

/// Where a process is after it has taken an edge, and what is assigned then: what follows the edge
/// itself, or a `d_step` that ends with it.
struct After<'n> {
    to: LocationId,
    effects: &'n [Effect],
}

/// Where a process may be after it has taken an edge.
fn after<'n>(names: &Names<'n>, Mover { process, edge }: Mover<'n>) -> Vec<After<'n>> {
    let template = names.network.template(process);
    let to = match edge.action {
        Action::End => nowhere(),
        // Its end is that of the last edge inside.
        Action::DeterministicStep(inside) => inside,
        _ => edge.target,
    };
    let around = |step: &'n Edge| {
        let Action::DeterministicStep(entry) = step.action else { return None };
        let inside = template.locations[entry].d_step;
        let is_inside = |location: LocationId| inside.is_some() && template.locations[location].d_step == inside;
        let is_last = (edge.source == entry || is_inside(edge.source)) && !is_inside(edge.target);
        is_last.then_some(After { to: step.target, effects: &step.effects })
    };
    std::iter::once(After { to, effects: &[] }).chain(template.edges.iter().filter_map(around)).collect()
}

/// Adds the steps in which a process takes an edge, alone or as the one that sends.
fn add_steps<'n>(names: &Names<'n>, mover: Mover<'n>, all: &mut Vec<Step<'n>>) {
    let Mover { process, edge } = mover;
    let ends = after(names, mover);
    let (Action::Send { channel, .. } | Action::Receive { channel, .. }) = &edge.action else {
        all.extend(ends.iter().map(|after| alone(names, mover, after)));
        return;
    };
    let channels = names.channels(channel, Some(process));
    let capacity = |channel: &usize| names.network.layout.channels[*channel].capacity;
    if channels.iter().any(|channel| capacity(channel) > 0) {
        all.extend(ends.iter().map(|after| alone(names, mover, after)));
    }
    if !matches!(edge.action, Action::Send { .. }) {
        return;
    }
    for other in names.network.instances.ids().filter(|other| *other != process) {
        for accepting in &names.network.template(other).edges {
            let Action::Receive { channel, .. } = &accepting.action else { continue };
            let others = names.channels(channel, Some(other));
            if channels.iter().any(|channel| capacity(channel) == 0 && others.contains(channel)) {
                let receiver = Mover { process: other, edge: accepting };
                for (sent, received) in
                    ends.iter().flat_map(|sent| self::after(names, receiver).into_iter().map(move |got| (sent, got)))
                {
                    all.push(together(names, (mover, sent), (receiver, &received)));
                }
            }
        }
    }
}

/// A process takes an edge that leads there.
fn alone<'n>(names: &Names<'n>, mover: Mover<'n>, after: &After<'n>) -> Step<'n> {
    let Mover { process, edge } = mover;
    let mut assignments = Vec::new();
    match &edge.action {
        Action::Assign(place, value) => {
            assignments.push(Assignment { place, by: process, value: Some((value, process)) });
        }
        Action::Receive { pattern, .. } => {
            let stored = pattern.iter().filter_map(|argument| match argument {
                ReceiveArg::Store(place) => Some(place),
                ReceiveArg::Match(_) | ReceiveArg::Discard => None,
            });
            assignments.extend(stored.map(|place| Assignment { place, by: process, value: None }));
        }
        // What happens inside a `d_step` are other steps.
        _ => {}
    }
    assignments.extend(effects(mover, after));
    let depends = !matches!(
        edge.action,
        Action::Skip
            | Action::Guard(_)
            | Action::Assign(..)
            | Action::Assert(_)
            | Action::Print { .. }
            | Action::PrintName(_)
    );
    let is_loose = depends || is_out_of_turn(names, mover);
    let conditions = conditions(mover);
    let creates = creates(edge);
    Step { movers: vec![(mover, after.to)], assignments, conditions, creates, is_loose }
}

/// Two processes meet: both guards are asked, what is sent is stored, and then come the effects of
/// the one that receives and those of the one that sends.
fn together<'n>(
    names: &Names<'n>,
    (sender, sent): (Mover<'n>, &After<'n>),
    (receiver, received): (Mover<'n>, &After<'n>),
) -> Step<'n> {
    let mut is_loose = is_out_of_turn(names, sender) || is_out_of_turn(names, receiver);
    let mut assignments = Vec::new();
    if let (Action::Send { values, .. }, Action::Receive { pattern, .. }) = (&sender.edge.action, &receiver.edge.action)
    {
        // The message is made before anything of it is stored, where a value may be read.
        let mut is_before = true;
        for (position, argument) in pattern.iter().enumerate() {
            let value = values.get(position).map(|value| (value, sender.process));
            match argument {
                ReceiveArg::Store(place) => {
                    // A message may cut it, too.
                    let by = receiver.process;
                    let is_whole =
                        value.is_some_and(|(value, asker)| is_whole(names, receiver, position, value, asker));
                    assignments.push(Assignment { place, by, value: value.filter(|_| is_whole && is_before) });
                    is_before = false;
                }
                ReceiveArg::Match(_) => is_loose = true,
                ReceiveArg::Discard => {}
            }
        }
    }
    assignments.extend(effects(receiver, received).chain(effects(sender, sent)));
    let conditions = conditions(sender).into_iter().chain(conditions(receiver)).collect();
    let movers = vec![(sender, sent.to), (receiver, received.to)];
    Step { movers, assignments, conditions, creates: Vec::new(), is_loose }
}

/// Whether a value goes through a field of a message as it is.
fn is_whole(names: &Names<'_>, receiver: Mover<'_>, position: usize, value: &Expr, asker: InstanceId) -> bool {
    let Action::Receive { channel, .. } = &receiver.edge.action else { return false };
    let all = Meaning { names }.value(&Region::default(), value, Some(asker));
    let fields = names.fields(channel, Some(receiver.process), position);
    let fits = |field: &usize| {
        let (low, high) = names.cells.list[*field].scalar.bounds();
        low <= all.low && all.high <= high
    };
    fields.iter().all(fits)
}

/// What is assigned after the action of an edge, in order.
fn effects<'n>(
    Mover { process, edge }: Mover<'n>,
    after: &After<'n>,
) -> impl Iterator<Item = Assignment<'n>> + use<'n> {
    let effects: &'n [Effect] = after.effects;
    let of_one = move |effect: &'n Effect| Assignment {
        place: &effect.place,
        by: process,
        value: Some((&effect.value, process)),
    };
    edge.effects.iter().chain(effects).map(of_one)
}

fn conditions<'n>(Mover { process, edge }: Mover<'n>) -> Vec<(&'n Expr, InstanceId)> {
    let own = match &edge.action {
        Action::Guard(condition) => Some(condition),
        _ => None,
    };
    edge.guard.iter().chain(own).map(|condition| (condition, process)).collect()
}

/// What runs in the processes that an edge creates.
fn creates(edge: &Edge) -> Vec<TemplateId> {
    let mut created = Vec::new();
    edge.walk(&mut |expr| {
        if let ExprKind::Run(run) = &expr.kind {
            created.push(run.template);
        }
    });
    created
}

/// Whether more than its own conditions decides whether a process may take an edge: escapes before
/// it, or a `provided` clause.
fn is_out_of_turn(names: &Names<'_>, Mover { process, edge }: Mover<'_>) -> bool {
    let template = names.network.template(process);
    let mut others = template.locations[edge.source].edges.iter().map(|other| &template.edges[*other]);
    template.provided.is_some()
        || names.network.model.uses.priorities
        || others.any(|other| other.escape.is_some() && other.escape != edge.escape)
}
