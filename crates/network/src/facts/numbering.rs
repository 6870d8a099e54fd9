//! Whether process numbers make a difference where the processes are guessed.
//!
//! Numbers are given in the order of creation, and a process that has come to its end keeps its
//! number until all younger ones are gone. So two transitions that create processes never commute,
//! nor does one that creates with one that ends, if states are compared byte by byte. Where nobody
//! can tell, that is too strict. Call two states *alike* if one becomes the other when processes at
//! their end are left out and the others are numbered anew.
//!
//! Processes are [`Numbering::Anonymous`] if
//!
//! 1. no statement asks for a number, for how many processes there are, for what `run` gives, or
//!    for anything of a process that is named by number, and none waits for `timeout`, which also
//!    waits for ends;
//! 2. a process at its end can do nothing but end, may stay there, and nobody sees it there; with
//!    no process that ends or is created does a channel come or go;
//! 3. `run` cannot fail: creation is bounded, by fewer processes than there may be;
//! 4. of each template that is created, the network has as many instances as there can ever be
//!    processes of it, and their constants are the same.
//!
//! Then states that are alike have the same transitions apart from ends, to states that are alike,
//! with the same faults (by 1, 2 and 3), and the end of a process leads to a state like the one
//! before. A bisimulation in which ends are steps that nobody sees; there are finitely many of them
//! between two others. So partial order reduction may be about what is left when ends are taken
//! away and states that are alike are taken for one (as Emerson, Jha and Peled, TACAS 1997, do with
//! symmetry). There `run` writes nothing but what the new process owns, and an end touches nothing:
//!
//! - C1 asks that transitions commute along every run from a state. Where a transition that creates
//!   is put before another one, the processes that are created afterwards have other numbers, and
//!   the transitions of these have other names; the run is the same but for that. By 4 there is an
//!   instance for each process that may still be created, one that does not exist in the state, and
//!   what the facts say of it is true of the process whatever its number becomes. So the number of
//!   a process that exists may not be used to exclude that another one has it later.
//! - An end alone is a candidate: nothing is seen of it, and it cannot be repeated for ever.
//! - Cycle conditions ask about the cycles of states that the search sees. On each of them
//!   something other than ends happens, and a fully expanded state is one in both systems.
//! - A process with constants that were not guessed does not fit whatever number it gets; so a
//!   reduced search that leaves out other numberings meets one, if there is one at all. That some
//!   number was not guessed for a template does not matter, by 4, unless the search meets it.
//!
//! What is preserved is preserved up to numbering: an end state like each end state, with the same
//! processes that wait. A proposition that names a process by number, or counts processes, sees
//! everything here, and so does fairness.

use std::collections::BTreeMap;

use ample_interpret::State;
use ample_model::{Action, Edge, Expr, ExprKind, InitValue, LocationId, Template, TemplateId, TemplateKind};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::Move;

use crate::reach::can_end;
use crate::{Instance, Network};

/// Whether process numbers make a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// The processes are known before the search, with their numbers.
    Known,
    /// Numbers may make a difference, because of this.
    Counted(String),
    /// They make none.
    Anonymous,
}

impl Numbering {
    /// Finds out about a network.
    pub(crate) fn of(network: &Network<'_>) -> Numbering {
        if !network.is_guessed {
            return Numbering::Known;
        }
        let found = unobserved(network).and_then(|()| bounded(network));
        found.err().map_or(Numbering::Anonymous, Numbering::Counted)
    }

    /// Whether they make none.
    pub fn is_anonymous(&self) -> bool {
        *self == Numbering::Anonymous
    }
}

/// Whether the value of a proposition is the same in states that are alike.
pub(crate) fn is_about_numbers(proposition: &Expr) -> bool {
    let is_alike = |kind: &ExprKind| matches!(kind, ExprKind::NonProgress | ExprKind::Accepting);
    proposition.contains(&|kind| observed(kind).is_some() && !is_alike(kind))
}

/// What states that are alike have in common: everything but the numbers of processes, and the
/// processes at their end.
pub fn without_numbers(network: &Network<'_>, state: &State) -> Vec<i64> {
    let templates = &network.model.templates;
    let mut processes: Vec<Vec<i64>> = Vec::new();
    for (pid, process) in (0..).zip(&state.processes) {
        if !is_end(&templates[process.template], process.location) {
            let mut found = vec![process.template.index() as i64, process.location.index() as i64];
            found.extend(state.locals(pid));
            processes.push(found);
        }
    }
    processes.sort_unstable();
    let mut all = state.globals().to_vec();
    for number in 0..state.channels.len() {
        all.push(state.channels[number].len() as i64);
        (0..state.channels[number].len()).for_each(|position| all.extend(state.message(number, position)));
    }
    all.extend(processes.concat());
    all
}

/// A transition by what its processes run, without their numbers and without ends: `None` if there
/// is nothing else.
pub fn moves_without_numbers(network: &Network<'_>, state: &State, moves: &[Move]) -> Option<Vec<[usize; 2]>> {
    let mut found = Vec::new();
    for step in moves {
        for (pid, edge) in std::iter::once((step.process, step.edge)).chain(step.partner) {
            let Some(process) = state.processes.get(usize::from(pid)) else { continue };
            if !matches!(network.model.templates[process.template].edges[edge].action, Action::End) {
                found.push([process.template.index(), edge.index()]);
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

fn is_end(template: &Template, location: LocationId) -> bool {
    template.locations[location].edges.iter().any(|edge| matches!(template.edges[*edge].action, Action::End))
}

/// What asks for a process number, or for what depends on numbers, by the name people know.
fn observed(kind: &ExprKind) -> Option<&'static str> {
    match kind {
        ExprKind::Pid => Some("`_pid`"),
        ExprKind::ProcessCount => Some("`_nr_pr`"),
        ExprKind::LastProcess => Some("`_last`"),
        ExprKind::Enabled(_) => Some("`enabled()`"),
        ExprKind::ProgramCounter(_) => Some("`pc_value()`"),
        ExprKind::Priority(_) => Some("a priority"),
        ExprKind::Timeout => Some("`timeout`"),
        ExprKind::NonProgress | ExprKind::Accepting => Some("where all processes are"),
        ExprKind::RemoteRead(_) | ExprKind::RemoteAt(_) => Some("another process by its number"),
        _ => None,
    }
}

fn templates<'n>(network: &Network<'n>) -> impl Iterator<Item = (TemplateId, &'n Template)> {
    let is_process = |template: &Template| matches!(template.kind, TemplateKind::Process | TemplateKind::Init);
    network.model.templates.iter_enumerated().filter(move |(_, template)| is_process(template))
}

/// Conditions 1 and 2: nobody sees a number, nor a process at its end.
fn unobserved(network: &Network<'_>) -> Result<(), String> {
    let uses = network.model.uses;
    if uses.priorities || uses.last || network.model.trace.is_some() {
        return Err("there are priorities, `_last` or a trace assertion".to_owned());
    }
    for (id, template) in templates(network) {
        let name = &template.name;
        if template.provided.is_some() || !template.exclusive.is_empty() {
            return Err(format!("`{name}` has a `provided` clause, `xr` or `xs`"));
        }
        let has_channels = template.frame.init.iter().any(|init| matches!(init.value, InitValue::Channel(_)));
        if has_channels && (can_end(template) || is_created(network, id)) {
            return Err(format!("`{name}` declares channels, which come and go with it"));
        }
        asks_nothing(template).map_err(|what| format!("`{name}` asks for {what}"))?;
        ends_quietly(template).map_err(|why| format!("`{name}` {why}"))?;
    }
    Ok(())
}

fn asks_nothing(template: &Template) -> Result<(), &'static str> {
    let mut found = None;
    for init in &template.frame.init {
        if let InitValue::Expr(value) = &init.value {
            value.walk(&mut |part| found = found.or(observed(&part.kind).or(used_run(part))));
        }
    }
    for edge in template.edges.iter() {
        let mut look = |part: &Expr| found = found.or(observed(&part.kind).or(used_run(part)));
        match &edge.action {
            // What is printed changes nothing.
            Action::Print { .. } => {}
            // The value of `run` is that it happened.
            Action::Guard(Expr { kind: ExprKind::Run(run), .. }) => {
                run.arguments.iter().for_each(|argument| argument.walk(&mut look));
            }
            Action::SetPriority(..) => return Err("a priority"),
            action => action.walk(&mut look),
        }
        edge.guard.iter().for_each(|guard| guard.walk(&mut look));
        for effect in &edge.effects {
            effect.place.walk(&mut look);
            effect.value.walk(&mut look);
        }
    }
    found.map_or(Ok(()), Err)
}

fn used_run(part: &Expr) -> Option<&'static str> {
    matches!(part.kind, ExprKind::Run(_)).then_some("what `run` gives")
}

fn ends_quietly(template: &Template) -> Result<(), &'static str> {
    for edge in template.edges.iter().filter(|edge| matches!(edge.action, Action::End)) {
        let location = &template.locations[edge.source];
        if location.edges.len() > 1 || edge.guard.is_some() || !edge.effects.is_empty() || !location.end {
            return Err("can do something else at its end");
        }
        if location.progress || location.accept {
            return Err("has a label at its end");
        }
    }
    Ok(())
}

/// Conditions 3 and 4: how many processes there can be.
fn bounded(network: &Network<'_>) -> Result<(), String> {
    let mut all = 0_usize;
    for (id, template) in templates(network) {
        let name = &template.name;
        let mut count = Count { network, wanted: id, known: BTreeMap::new() };
        let Some(most) =
            network.model.active.iter().map(|active| count.because_of(active.template)).sum::<Option<usize>>()
        else {
            return Err(format!("there is no bound on how many processes `{name}` are created"));
        };
        all = all.saturating_add(most);
        let instances: Vec<&Instance> = network.instances.iter().filter(|instance| instance.template == id).collect();
        if !is_created(network, id) {
            continue;
        }
        if instances.len() < most {
            return Err(format!("there may be {most} processes `{name}`, and not all of them were guessed"));
        }
        let is_same = |pair: &[&Instance]| {
            pair[0].constants.as_slice() == pair[1].constants.as_slice() && pair[0].priority == pair[1].priority
        };
        if !instances.windows(2).all(is_same) {
            return Err(format!("processes `{name}` differ in what they begin with"));
        }
    }
    if all > usize::from(network.max_processes) {
        return Err(format!("there may be {all} processes, more than are allowed"));
    }
    Ok(())
}

fn is_created(network: &Network<'_>, template: TemplateId) -> bool {
    let creates = |edge: &Edge| runs(edge).any(|created| created == template);
    templates(network).any(|(_, creator)| creator.edges.iter().any(creates))
}

/// What an edge runs. Nothing else creates: see [`used_run`].
fn runs(edge: &Edge) -> impl Iterator<Item = TemplateId> {
    let mut found = Vec::new();
    edge.walk(&mut |part| {
        if let ExprKind::Run(run) = &part.kind {
            found.push(run.template);
        }
    });
    found.into_iter()
}

/// Counts the processes of one template.
struct Count<'n> {
    network: &'n Network<'n>,
    wanted: TemplateId,
    /// How many there can be at most because of a process of each template: itself, what it creates
    /// along a path, and so on. `None` if there is no bound, and while it is being found out: what
    /// creates itself has none.
    known: BTreeMap<TemplateId, Option<usize>>,
}

impl Count<'_> {
    fn because_of(&mut self, creator: TemplateId) -> Option<usize> {
        if let Some(known) = self.known.get(&creator) {
            return *known;
        }
        self.known.insert(creator, None);
        let template = &self.network.model.templates[creator];
        let mut weights = Vec::new();
        for edge in template.edges.iter() {
            let weight = runs(edge).map(|run| self.because_of(run)).sum::<Option<usize>>()?;
            if weight > 0 && template.locations[edge.source].d_step.is_some() {
                return None;
            }
            weights.push(weight);
        }
        let most = longest_path(template, &weights)?.saturating_add(usize::from(creator == self.wanted));
        self.known.insert(creator, Some(most));
        Some(most)
    }
}

/// The greatest weight of a path from the start, by as many rounds over all edges as there are
/// locations; what still grows then has a cycle with weight, and `None` is the answer.
fn longest_path(template: &Template, weights: &[usize]) -> Option<usize> {
    let mut longest: IndexVec<LocationId, usize> = IndexVec::from_elem(0, template.locations.len());
    for _ in 0..=template.locations.len() {
        let mut is_settled = true;
        for (edge, weight) in template.edges.iter().zip(weights) {
            let through = longest[edge.target].saturating_add(*weight);
            if through > longest[edge.source] {
                longest[edge.source] = through;
                is_settled = false;
            }
        }
        if is_settled {
            return Some(longest[template.entry]);
        }
    }
    None
}
