//! Slicing: what cannot influence what the question sees is left out (Pelánek, section 3.3.2;
//! Hatcliff, Dwyer, Zheng: Slicing software for model construction, 2000).
//!
//! Variables and processes are *relevant* if the question sees them, or something relevant depends
//! on them: a relevant process reads the variable in a guard, an index, a message, an assertion, or
//! in an assignment to a relevant variable; a process writes a relevant variable, or uses a channel
//! that a relevant process uses. A process that is not relevant never moves in the model that is
//! searched. In the others, assignments to what is not relevant do nothing.
//!
//! So every run of that model is one of the model as written, move by move, in which some processes
//! stand still and some variables have other values; it needs no translation. And a run of the
//! model as written, without the moves of what is left out, is a run of that model: nobody who is
//! left waits for them. Two things are lost:
//!
//! - *End states*: where all that is left has come to its end, the others may go on. A finite run
//!   that a formula forbids is completed by these moves before it is judged.
//! - *Runs on which only the others move for ever*. So for a formula a process that may do so, or
//!   may fail, is not left out.
//!
//! An expression that may fail ends the run, and so it counts as seen. What asks about all
//! processes at once hinders the pass: `timeout`, `_nr_pr`, `enabled()`, `np_`, priorities,
//! fairness.

use std::collections::BTreeSet;

use ample_guarantee::{ClassSet, Guarantee, Omission, Part, PartKind, PropertyClass};
use ample_model::{
    Action, Edge, EdgeId, Effect, Expr, ExprKind, InitValue, Label, LocationId, Model, Place, ReceiveArg, Scope,
    SlotId, Template, TemplateId, TemplateKind,
};
use ample_network::Network;
use ample_network::facts::{ChannelId, Facts};
use ample_stdx::{BitSet, IndexVec, TypedId, components};
use ample_transition::FaultKind;

use super::cut::cut;
use super::entry::{PassEntry, Rewrite, Rewritten, SameMoves};
use super::risk::Risk;
use super::slots::slots_of;
use crate::{NotHere, Visible};

/// Slicing.
pub static SLICE: Part = Part {
    name: "slice",
    kind: PartKind::Pass,
    summary: "processes and assignments that cannot influence what the property sees do nothing",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.3.2"),
    guarantee: Guarantee { no_missed: PRESERVED, no_false: NOT_FALSE, omission: Omission::None },
};

const PRESERVED: ClassSet =
    ClassSet::of(&[PropertyClass::LocalReachability, PropertyClass::Invariants, PropertyClass::StutterInvariantLtl]);

/// Runs are those of the model as written; only their ends need not be ends.
const NOT_FALSE: ClassSet = PRESERVED.union(ClassSet::of(&[PropertyClass::Ltl, PropertyClass::Branching]));

/// The pass.
pub(super) const ENTRY: PassEntry =
    PassEntry { part: &SLICE, is_automatic: true, rewrite: Rewrite::OfNetwork(rewrite) };

fn rewrite(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> Result<Option<Rewritten>, NotHere> {
    let slice = Slice::of(network, facts, visible)?;
    if slice.is_all() {
        return Ok(None);
    }
    let mut model = network.model.clone();
    for (id, template) in model.templates.iter_enumerated_mut() {
        if slice.is_left_out(id) {
            template.locations.iter_mut().for_each(|location| location.edges.clear());
            template.edges = IndexVec::new();
            continue;
        }
        for (edge_id, edge) in template.edges.iter_enumerated_mut() {
            slice.cut(network.model, id, edge_id, edge);
        }
    }
    Ok(Some(Rewritten { model, back: Box::new(SameMoves) }))
}

/// What is left of a model for a question.
pub struct Slice {
    /// The processes that are left out.
    left_out: BitSet<TemplateId>,
    /// The edges that assign something that is not relevant.
    cut: BTreeSet<(TemplateId, EdgeId)>,
    relevant: Relevant,
}

impl Slice {
    /// Finds it, or says what hinders it.
    pub fn of(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> Result<Slice, NotHere> {
        check_model(network, visible)?;
        let mut search = Search { network, facts, visible, relevant: Relevant::new(network) };
        search.begin();
        while search.step() {}
        search.check()?;
        let relevant = search.relevant;
        let mut slice = Slice { left_out: BitSet::new(), cut: BTreeSet::new(), relevant };
        for (id, template) in processes(network) {
            if !slice.relevant.templates.contains(id) {
                slice.left_out.insert(id);
                continue;
            }
            for (edge_id, edge) in template.edges.iter_enumerated() {
                if edge.stores().any(|place| !slice.relevant.keeps(network.model, id, edge, place)) {
                    slice.cut.insert((id, edge_id));
                }
            }
        }
        Ok(slice)
    }

    /// Whether nothing is left out.
    pub fn is_all(&self) -> bool {
        self.left_out.is_empty() && self.cut.is_empty()
    }

    /// Whether the processes that run this are left out.
    pub fn is_left_out(&self, template: TemplateId) -> bool {
        self.left_out.contains(template)
    }

    /// Whether an edge of a process that is not left out does less than is written.
    pub fn is_cut(&self, template: TemplateId, edge: EdgeId) -> bool {
        self.cut.contains(&(template, edge))
    }

    /// Takes from an edge what is not relevant.
    fn cut(&self, written: &Model, template: TemplateId, id: EdgeId, edge: &mut Edge) {
        if !self.is_cut(template, id) {
            return;
        }
        let risk = Risk::of(written, &written.templates[template]);
        let is_relevant = |place: &Place| self.relevant.has(template, place) || risk.place_may_fail(place);
        cut(edge, risk, &is_relevant);
    }
}

/// What asks about all processes at once, or cannot be told beforehand.
fn check_model(network: &Network<'_>, visible: &Visible<'_>) -> Result<(), NotHere> {
    let uses = network.model.uses;
    let claims = || processes(network).any(|(_, template)| !template.exclusive.is_empty());
    let ends = [FaultKind::InvalidEndState, FaultKind::TraceAssertion, FaultKind::Exclusive];
    let why = if visible.processes {
        "fairness looks at what all processes can do"
    } else if visible.faults.iter().any(|fault| ends.contains(fault)) {
        "what is asked for concerns all processes"
    } else if network.is_guessed {
        "the processes are not known before the search"
    } else if visible.names && processes(network).any(|(_, template)| template.edges.iter().any(is_named)) {
        "commands have names, which are seen"
    } else if uses.priorities || uses.last {
        "priorities and `_last` concern all processes"
    } else if network.model.trace.is_some() {
        "the trace assertion sees what all processes send and receive"
    } else if claims() {
        "`xr` and `xs` are about processes that exist"
    } else {
        return Ok(());
    };
    Err(NotHere(why.to_owned()))
}

fn is_named(edge: &Edge) -> bool {
    matches!(edge.label, Label::Named(_))
}

fn processes<'n>(network: &Network<'n>) -> impl Iterator<Item = (TemplateId, &'n Template)> {
    let is_process = |template: &Template| matches!(template.kind, TemplateKind::Process | TemplateKind::Init);
    network.model.templates.iter_enumerated().filter(move |(_, template)| is_process(template))
}

/// What is relevant.
struct Relevant {
    globals: BitSet<SlotId>,
    locals: IndexVec<TemplateId, BitSet<SlotId>>,
    templates: BitSet<TemplateId>,
    channels: BitSet<ChannelId>,
}

impl Relevant {
    fn new(network: &Network<'_>) -> Relevant {
        let locals = network.model.templates.iter().map(|_| BitSet::new()).collect();
        Relevant { globals: BitSet::new(), locals, templates: BitSet::new(), channels: BitSet::new() }
    }

    /// Whether a place is, as a process names it.
    fn has(&self, template: TemplateId, place: &Place) -> bool {
        let slots = match place.scope {
            Scope::Global => &self.globals,
            Scope::Local => &self.locals[template],
        };
        slots_of(place).any(|slot| slots.contains(slot))
    }

    /// Whether an assignment of an edge stays what it is.
    fn keeps(&self, model: &Model, id: TemplateId, edge: &Edge, place: &Place) -> bool {
        let template = &model.templates[id];
        let risk = Risk::of(model, template);
        let value = match &edge.action {
            Action::Assign(assigned, value) if std::ptr::eq(assigned, place) => Some(value),
            _ => edge.effects.iter().find(|effect| std::ptr::eq(&effect.place, place)).map(|effect| &effect.value),
        };
        let fails = |value: &Expr| risk.assignment_may_fail(place, value);
        template.deterministic || self.has(id, place) || risk.place_may_fail(place) || value.is_some_and(fails)
    }
}

/// Finds what is relevant, more and more.
struct Search<'s> {
    network: &'s Network<'s>,
    facts: &'s Facts,
    visible: &'s Visible<'s>,
    relevant: Relevant,
}

impl Search<'_> {
    /// What the question sees, and what must be there.
    fn begin(&mut self) {
        for proposition in self.visible.propositions {
            self.add_reads(None, proposition);
        }
        for changing in self.facts.visible(self.network, self.visible.propositions) {
            for id in changing.iter() {
                let participants = self.facts.transitions()[id].identity.participants();
                let templates = participants.map(|taken| self.network.instances[taken.instance].template);
                self.relevant.templates.extend(templates);
            }
        }
        let seen = processes(self.network).filter(|(_, template)| self.is_seen(template)).map(|(id, _)| id);
        self.relevant.templates.extend(seen.collect::<Vec<_>>());
        // Whether the first value of a variable can be computed is always seen.
        for (id, template) in processes(self.network) {
            for init in &template.frame.init {
                if let InitValue::Expr(value) = &init.value
                    && Risk::of(self.network.model, template).may_fail(value)
                {
                    self.add_reads(Some(id), value);
                }
            }
        }
    }

    /// Whether a process does something that the question sees, whatever others do.
    fn is_seen(&self, template: &Template) -> bool {
        let creates = |edge: &Edge| has_part(edge, &|part| matches!(part.kind, ExprKind::Run(_)));
        let risk = Risk::of(self.network.model, template);
        let fails = |edge: &Edge| {
            has_part(edge, &|part| risk.part_may_fail(part))
                || edge.stores().any(|place| risk.may_miss(place))
                || edge.assignments().any(|(place, value)| risk.may_not_fit(place, value))
        };
        let is_about_runs = self.visible.faults.is_empty();
        let asks_for = |kind: FaultKind| self.visible.faults.contains(&kind);
        template.edges.iter().any(|edge| {
            creates(edge)
                || matches!(edge.action, Action::Assert(_)) && asks_for(FaultKind::Assertion)
                || fails(edge) && (is_about_runs || asks_for(FaultKind::RuntimeError))
        }) || is_about_runs && has_cycle(template)
            || asks_for(FaultKind::RuntimeError)
    }

    /// One round; whether more was found.
    fn step(&mut self) -> bool {
        let before = self.size();
        for (id, template) in processes(self.network) {
            if self.relevant.templates.contains(id) {
                self.add_process(id, template);
            }
        }
        for (channel, users) in self.facts.users().iter_enumerated() {
            let mut templates: BTreeSet<TemplateId> = BTreeSet::new();
            let all = users.senders.iter().chain(users.receivers.iter());
            templates.extend(all.map(|instance| self.network.instances[instance].template));
            if templates.iter().any(|template| self.relevant.templates.contains(*template)) {
                self.relevant.channels.insert(channel);
                self.relevant.templates.extend(templates);
            }
        }
        for (id, template) in processes(self.network) {
            let mut stores = template.edges.iter().flat_map(Edge::stores);
            if stores.any(|place| place.scope == Scope::Global && self.relevant.has(id, place)) {
                self.relevant.templates.insert(id);
            }
        }
        self.size() > before
    }

    fn size(&self) -> usize {
        let Relevant { globals, locals, templates, channels } = &self.relevant;
        globals.len() + locals.iter().map(BitSet::len).sum::<usize>() + templates.len() + channels.len()
    }

    /// What a relevant process reads, but for what it assigns to variables that are not relevant.
    fn add_process(&mut self, id: TemplateId, template: &Template) {
        let own = Some(id);
        template.provided.iter().for_each(|condition| self.add_reads(own, condition));
        for init in &template.frame.init {
            if let InitValue::Expr(value) = &init.value {
                self.add_reads(own, value);
            }
        }
        for edge in template.edges.iter() {
            edge.guard.iter().for_each(|guard| self.add_reads(own, guard));
            for place in edge.stores() {
                if self.relevant.keeps(self.network.model, id, edge, place) {
                    place.walk(&mut |part| self.add_read(own, part));
                }
            }
            self.add_action(id, template, edge);
            for Effect { place, value } in &edge.effects {
                if self.relevant.keeps(self.network.model, id, edge, place) {
                    self.add_reads(own, value);
                }
            }
        }
    }

    /// What the action of an edge reads, likewise; the places that it writes apart.
    fn add_action(&mut self, id: TemplateId, template: &Template, edge: &Edge) {
        let (own, risk) = (Some(id), Risk::of(self.network.model, template));
        match &edge.action {
            Action::Assign(place, value) => {
                if self.relevant.keeps(self.network.model, id, edge, place) {
                    self.add_reads(own, value);
                }
            }
            Action::Receive { channel, pattern, .. } => {
                self.add_reads(own, channel);
                for argument in pattern {
                    if let ReceiveArg::Match(value) = argument {
                        self.add_reads(own, value);
                    }
                }
            }
            Action::Print { arguments, .. } if !arguments.iter().any(|argument| risk.may_fail(argument)) => {}
            action => action.walk(&mut |part| self.add_read(own, part)),
        }
    }

    fn add_reads(&mut self, owner: Option<TemplateId>, expr: &Expr) {
        expr.walk(&mut |part| self.add_read(owner, part));
    }

    fn add_read(&mut self, owner: Option<TemplateId>, part: &Expr) {
        match &part.kind {
            ExprKind::Read(place) => match (place.scope, owner) {
                (Scope::Global, _) => self.relevant.globals.extend(slots_of(place)),
                (Scope::Local, Some(template)) => self.relevant.locals[template].extend(slots_of(place)),
                (Scope::Local, None) => {}
            },
            ExprKind::RemoteRead(remote) => {
                self.add_named(remote.template, remote.pid.is_some());
                self.relevant.locals[remote.template].extend(slots_of(&remote.place));
            }
            ExprKind::RemoteAt(remote) => self.add_named(remote.template, remote.pid.is_some()),
            _ => {}
        }
    }

    /// A process that is named. By number it may be any, even one that runs something else.
    fn add_named(&mut self, template: TemplateId, is_by_number: bool) {
        self.relevant.templates.insert(template);
        if is_by_number {
            self.relevant.templates.extend(processes(self.network).map(|(id, _)| id));
        }
    }

    /// Nothing relevant may ask about all processes.
    fn check(&self) -> Result<(), NotHere> {
        let mut found = None;
        let mut look = |part: &Expr| found = found.or(asks_about_all(self.network, &part.kind));
        self.visible.propositions.iter().for_each(|proposition| proposition.walk(&mut look));
        for (_, template) in processes(self.network).filter(|(id, _)| self.relevant.templates.contains(*id)) {
            template.provided.iter().for_each(|condition| condition.walk(&mut look));
            template.edges.iter().for_each(|edge| edge.walk(&mut look));
        }
        found.map_or(Ok(()), |what| Err(NotHere(format!("{what} depends on all processes"))))
    }
}

/// What asks about all processes, by its name.
fn asks_about_all(network: &Network<'_>, kind: &ExprKind) -> Option<&'static str> {
    let can_end = |template: &Template| template.edges.iter().any(|edge| matches!(edge.action, Action::End));
    let ends = |named: TemplateId, is_by_number: bool| {
        processes(network).any(|(id, template)| (is_by_number || id == named) && can_end(template))
    };
    match kind {
        ExprKind::Timeout => Some("`timeout`"),
        ExprKind::ProcessCount => Some("`_nr_pr`"),
        ExprKind::Enabled(_) => Some("`enabled()`"),
        ExprKind::ProgramCounter(_) => Some("`pc_value()`"),
        ExprKind::NonProgress => Some("`np_`"),
        ExprKind::Accepting => Some("whether a process is accepting"),
        ExprKind::LastProcess | ExprKind::Priority(_) => Some("the order of moves"),
        // When it ends depends on those that are younger.
        ExprKind::RemoteRead(remote) if ends(remote.template, remote.pid.is_some()) => {
            Some("whether a process has ended")
        }
        ExprKind::RemoteAt(remote) if ends(remote.template, remote.pid.is_some()) => {
            Some("whether a process has ended")
        }
        _ => None,
    }
}

/// Whether a process can go round for ever.
fn has_cycle(template: &Template) -> bool {
    let goes_on = |edge: &&Edge| !matches!(edge.action, Action::End);
    let targets = |location: usize| {
        let edges =
            template.locations[LocationId::from_index(location)].edges.iter().map(|edge| &template.edges[*edge]);
        edges.filter(goes_on).map(|edge| edge.target.index())
    };
    components(template.locations.len(), targets).is_cyclic.contains(&true)
}

fn has_part(edge: &Edge, is_it: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    edge.walk(&mut |part| found |= is_it(part));
    found
}
