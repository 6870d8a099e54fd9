//! The state space as a graph: dot for Graphviz, aut (Aldebaran) for other tools.
//! [`svg`](crate::svg) draws it.
//!
//! A transition is called what the model calls it, `tau` if that is invisible, and else by who does
//! what. States are numbered in the order in which the search meets them; the initial one is 0. A
//! run that an error ends leads to one more state, which stands for all such errors.

mod quotient;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use ample_equivalence::{Lts, LtsBuilder, TAU_NAME};
use ample_interpret::State;
use ample_model::{self as model, Edge, EdgeId, TemplateId};
use ample_stdx::{IndexVec, Interner, TypedId, typed_id};
use ample_transition::{Graph, GraphEdge, Move, NodeId, Pid, Successor, SuccessorBuffer};

use crate::Subject;
use crate::state::{self, StateLine};
use crate::wrap::one_line;

typed_id! {
    /// A label of transitions.
    pub(crate) struct LabelId;
}

/// A state space, collected while it is explored.
pub struct StateSpace<'a> {
    subject: &'a Subject<'a>,
    graph: Graph<Label>,
    /// The states as the interpreter packs them.
    states: IndexVec<NodeId, Vec<u8>>,
    labels: Interner<LabelId, String>,
    /// The labels of transitions by their moves.
    known: HashMap<Vec<Move>, KnownLabel>,
    /// What the states are that nothing leaves, if it does not follow from them.
    ends: Option<Vec<Option<Leaf>>>,
}

/// The label of moves, as long as their processes run these templates.
struct KnownLabel {
    text: LabelId,
    templates: Vec<TemplateId>,
}

/// What is kept of a transition.
pub(crate) struct Label {
    text: LabelId,
    pub is_faulty: bool,
}

/// A state that nothing leaves in the graph.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// A limit cut the graph off.
    CutOff,
    /// The system may end there.
    End,
    /// The system may not end there.
    InvalidEnd,
}

impl<'a> StateSpace<'a> {
    /// Nothing so far.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        StateSpace {
            subject,
            graph: Graph::default(),
            states: IndexVec::new(),
            labels: Interner::default(),
            known: HashMap::new(),
            ends: None,
        }
    }

    /// Adds what leaves a state. The first one is the initial state. `unpack` says what packed
    /// states are, which all have the same form.
    pub fn add(&mut self, unpack: &dyn Fn(&[u8]) -> State, state: &[u8], successors: &SuccessorBuffer) {
        let before = unpack(state);
        let from = self.number(state, || before.clone());
        for successor in successors.iter().chain(successors.passed()) {
            let to = successor.state.map(|next| self.number(next, || unpack(next)));
            let text = self.label(&before, &successor, unpack);
            self.graph.add(from, to, Label { text, is_faulty: !successor.faults.is_empty() });
        }
    }

    fn number(&mut self, packed: &[u8], unpacked: impl FnOnce() -> State) -> NodeId {
        let number = self.graph.number(packed);
        if number.index() == self.states.len() {
            let mut bytes = Vec::new();
            self.subject.interpreter.encode(&unpacked(), &mut bytes);
            self.states.push(bytes);
        }
        number
    }

    /// The label of a transition. Most are met again and again: those are looked up by their moves.
    fn label(&mut self, before: &State, successor: &Successor<'_>, unpack: &dyn Fn(&[u8]) -> State) -> LabelId {
        let templates = || {
            let pids = successor.moves.iter().flat_map(|step| [Some(step.process), step.partner.map(|(pid, _)| pid)]);
            pids.flatten().map(|pid| before.processes.get(usize::from(pid)).map(|process| process.template))
        };
        let known = self.known.get(successor.moves).filter(|_| successor.faults.is_empty());
        if let Some(known) = known.filter(|known| known.templates.iter().copied().map(Some).eq(templates())) {
            return known.text;
        }
        let after = successor.state.map(unpack);
        let named = self.action(before, after.as_ref(), successor.moves);
        let mut label = named.unwrap_or_else(|| self.moves(before, after.as_ref(), successor.moves));
        for fault in successor.faults {
            let _ = write!(label, " ({})", one_line(&fault.message));
        }
        let text = self.labels.number(&label);
        if successor.faults.is_empty()
            && let Some(templates) = templates().collect()
        {
            self.known.insert(successor.moves.to_vec(), KnownLabel { text, templates });
        }
        text
    }

    /// The states as the interpreter packs them, by their numbers. The one that stands for errors
    /// is not among them.
    pub fn states(&self) -> &IndexVec<NodeId, Vec<u8>> {
        &self.states
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.graph.edges().len()
    }

    /// The same as a system that can be compared with others. Labels that are `hidden` cannot be
    /// seen.
    pub fn to_lts(&self, hidden: &[String]) -> Lts {
        let mut builder = LtsBuilder::new(0);
        let names = self.labels.things().iter();
        let labels: IndexVec<LabelId, _> = names.map(|name| builder.visible_label(&unquoted(name), hidden)).collect();
        for edge in self.graph.edges() {
            builder.edge_by_id(edge.from.index() as u32, labels[edge.about.text], self.target(edge) as u32);
        }
        builder.build()
    }

    /// What the model calls a transition: the names of its visible moves, `tau` if there is none;
    /// nothing if some move has no name.
    fn action(&self, before: &State, after: Option<&State>, moves: &[Move]) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        for step in moves {
            for (pid, edge) in std::iter::once((step.process, step.edge)).chain(step.partner) {
                let state = state_with(before, after, pid)?;
                match &self.edge(state, pid, edge)?.label {
                    model::Label::None => return None,
                    model::Label::Silent => {}
                    model::Label::Named(name) => names.push(name),
                }
            }
        }
        Some(if names.is_empty() { TAU_NAME.to_owned() } else { names.join("; ") })
    }

    /// Moves in words.
    fn moves(&self, before: &State, after: Option<&State>, moves: &[Move]) -> String {
        let mut words = String::new();
        for (position, step) in moves.iter().enumerate() {
            words.push_str(if position > 0 { "; " } else { "" });
            self.describe(before, after, *step, &mut words);
        }
        words
    }

    fn describe(&self, before: &State, after: Option<&State>, step: Move, label: &mut String) {
        let Move { process, edge, partner } = step;
        for (position, (pid, edge)) in std::iter::once((process, edge)).chain(partner).enumerate() {
            label.push_str(if position > 0 { " -> " } else { "" });
            if let Some(state) = state_with(before, after, pid) {
                let name = self.subject.interpreter.process_name(state, pid);
                let _ = write!(label, "{name}: {}", self.statement(state, pid, edge));
            }
        }
    }

    fn statement(&self, state: &State, pid: Pid, edge: EdgeId) -> String {
        self.edge(state, pid, edge).map_or(String::new(), |edge| one_line(&edge.text))
    }

    fn edge(&self, state: &State, pid: Pid, edge: EdgeId) -> Option<&Edge> {
        let templates = &self.subject.interpreter.model().templates;
        let process = state.processes.get(usize::from(pid))?;
        templates.get(process.template)?.edges.get(edge)
    }

    /// The number of the state that stands for errors.
    pub(crate) fn error_state(&self) -> usize {
        self.states().len()
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.graph.edges().iter().any(|edge| edge.to.is_none())
    }

    /// The number of the state that a transition leads to.
    pub(crate) fn target(&self, edge: &GraphEdge<Label>) -> usize {
        edge.to.map_or(self.error_state(), TypedId::index)
    }

    /// Writes the Aldebaran format: `des (0, transitions, states)`, then a line for each
    /// transition.
    pub fn write_aut(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let states = self.states().len() + usize::from(self.has_errors());
        writeln!(out, "des (0, {}, {states})", self.transitions())?;
        let labels: IndexVec<LabelId, String> = self.labels.things().iter().map(|name| unquoted(name)).collect();
        for edge in self.graph.edges() {
            writeln!(out, "({}, \"{}\", {})", edge.from.index(), labels[edge.about.text], self.target(edge))?;
        }
        Ok(())
    }

    /// Writes the format of Graphviz. States in which nothing can move have a double line, those
    /// that were not explored a dashed one; red is what is wrong. The state in words is its
    /// tooltip.
    pub fn write_dot(&self, out: &mut dyn io::Write) -> io::Result<()> {
        writeln!(out, "digraph {} {{", dot_string(&self.subject.interpreter.model().name))?;
        writeln!(out, "  node [shape=circle fontname=monospace];\n  edge [fontname=monospace];")?;
        let leaves = self.leaves();
        for (number, leaf) in leaves.iter().enumerate() {
            let mut attributes = format!("tooltip={}", dot_string(&self.words(number)));
            if number == 0 {
                attributes += " style=bold";
            }
            attributes += match leaf {
                None => "",
                Some(Leaf::CutOff) => " style=dashed",
                Some(Leaf::End) => " shape=doublecircle",
                Some(Leaf::InvalidEnd) => " shape=doublecircle color=red",
            };
            writeln!(out, "  {number} [{attributes}];")?;
        }
        if self.has_errors() {
            writeln!(out, "  {} [label=error shape=box color=red];", self.error_state())?;
        }
        for edge in self.graph.edges() {
            let colour = if edge.about.is_faulty { " color=red" } else { "" };
            let label = dot_string(self.label_of(edge));
            writeln!(out, "  {} -> {} [label={label}{colour}];", edge.from.index(), self.target(edge))?;
        }
        writeln!(out, "}}")
    }

    /// For each state, what it is if nothing leaves it.
    pub(crate) fn leaves(&self) -> Vec<Option<Leaf>> {
        if let Some(ends) = &self.ends {
            return ends.clone();
        }
        let leaf = |(id, state): (NodeId, &Vec<u8>)| self.graph.leaving(id).is_empty().then(|| self.leaf(state));
        self.states.iter_enumerated().map(leaf).collect()
    }

    fn leaf(&self, state: &[u8]) -> Leaf {
        let interpreter = self.subject.interpreter;
        let state = interpreter.decode(state);
        if !interpreter.moves(&state, None).is_empty() {
            Leaf::CutOff
        } else if interpreter.invalid_end_of(&state).is_some() {
            Leaf::InvalidEnd
        } else {
            Leaf::End
        }
    }

    /// A state in words.
    pub(crate) fn words(&self, number: usize) -> String {
        let state = &self.states()[NodeId::from_index(number)];
        let lines = state::lines(self.subject, &self.subject.interpreter.decode(state));
        let word = |line: &StateLine| {
            let is = if line.is_process { " " } else { " = " };
            format!("{}{is}{}", line.name, line.value)
        };
        lines.iter().map(word).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn edges(&self) -> &[GraphEdge<Label>] {
        self.graph.edges()
    }

    /// What a transition says.
    pub(crate) fn label_of(&self, edge: &GraphEdge<Label>) -> &str {
        &self.labels[edge.about.text]
    }

    /// The name of the model.
    pub(crate) fn name(&self) -> &str {
        &self.subject.interpreter.model().name
    }
}

/// The state that has this process: one that is created and moves within one transition is not in
/// the state before it.
fn state_with<'s>(before: &'s State, after: Option<&'s State>, pid: Pid) -> Option<&'s State> {
    [Some(before), after].into_iter().flatten().find(|state| usize::from(pid) < state.processes.len())
}

/// Readers of Aldebaran's format do not agree on how a quote is escaped, so there is none.
fn unquoted(label: &str) -> String {
    label.replace('"', "'")
}

fn dot_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
