//! The state space as a graph: dot for Graphviz, aut (Aldebaran) for other tools. [`svg`](crate::svg) draws it.
//!
//! States are numbered in the order in which the search meets them; the initial one is 0. A run that an error ends leads to
//! one more state, which stands for all such errors.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use ample_interpret::State;
use ample_model::{EdgeId, Template};
use ample_transition::{Move, Pid, Successor};

use crate::Subject;
use crate::state::{self, StateLine};
use crate::wrap::one_line;

/// A state space, collected while it is explored.
pub struct Graph<'a> {
    subject: &'a Subject<'a>,
    numbers: HashMap<Vec<u8>, u32>,
    states: Vec<Vec<u8>>,
    labels: Vec<String>,
    label_numbers: HashMap<String, u32>,
    edges: Vec<Edge>,
}

pub(crate) struct Edge {
    pub from: u32,
    /// `None` if an error ends the run.
    pub to: Option<u32>,
    pub label: u32,
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

impl<'a> Graph<'a> {
    /// A graph of the initial state alone.
    pub fn new(subject: &'a Subject<'a>, initial: &[u8]) -> Self {
        let mut graph = Graph {
            subject,
            numbers: HashMap::new(),
            states: Vec::new(),
            labels: Vec::new(),
            label_numbers: HashMap::new(),
            edges: Vec::new(),
        };
        graph.number(initial);
        graph
    }

    /// Adds a transition that leaves `state`.
    pub fn add(&mut self, state: &[u8], successor: &Successor<'_>) {
        let from = self.number(state);
        let to = successor.state.map(|state| self.number(state));
        let before = self.subject.interpreter.decode(state);
        let after = successor.state.map(|state| self.subject.interpreter.decode(state));
        let mut label = String::new();
        for (position, step) in successor.moves.iter().enumerate() {
            label.push_str(if position > 0 { "; " } else { "" });
            self.describe(&before, after.as_ref(), *step, &mut label);
        }
        for fault in successor.faults {
            let _ = write!(label, " ({})", one_line(&fault.message));
        }
        let label = self.label(label);
        self.edges.push(Edge { from, to, label, is_faulty: !successor.faults.is_empty() });
    }

    /// How many states there are, without the one that stands for errors.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// The states as they are packed, by their numbers.
    pub fn packed_states(&self) -> &[Vec<u8>] {
        &self.states
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    fn number(&mut self, state: &[u8]) -> u32 {
        if let Some(number) = self.numbers.get(state) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.numbers.insert(state.to_vec(), number);
        self.states.push(state.to_vec());
        number
    }

    fn label(&mut self, label: String) -> u32 {
        if let Some(number) = self.label_numbers.get(&label) {
            return *number;
        }
        let number = self.labels.len() as u32;
        self.label_numbers.insert(label.clone(), number);
        self.labels.push(label);
        number
    }

    fn describe(&self, before: &State, after: Option<&State>, step: Move, label: &mut String) {
        let Move { process, edge, partner } = step;
        for (position, (pid, edge)) in std::iter::once((process, edge)).chain(partner).enumerate() {
            label.push_str(if position > 0 { " -> " } else { "" });
            // A process that is created and moves within one transition is not in the state before it.
            let state =
                [Some(before), after].into_iter().flatten().find(|state| usize::from(pid) < state.processes.len());
            if let Some(state) = state {
                let name = self.subject.interpreter.process_name(state, pid);
                let _ = write!(label, "{name}: {}", self.statement(state, pid, edge));
            }
        }
    }

    fn statement(&self, state: &State, pid: Pid, edge: EdgeId) -> String {
        let templates = &self.subject.interpreter.model().templates;
        let template: Option<&Template> =
            state.processes.get(usize::from(pid)).and_then(|process| templates.get(process.template));
        template.and_then(|template| template.edges.get(edge)).map_or(String::new(), |edge| one_line(&edge.text))
    }

    /// The number of the state that stands for errors.
    pub(crate) fn error_state(&self) -> u32 {
        self.states.len() as u32
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.edges.iter().any(|edge| edge.to.is_none())
    }

    /// Writes the Aldebaran format: `des (0, transitions, states)`, then a line for each transition.
    pub fn write_aut(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let states = self.states.len() + usize::from(self.has_errors());
        writeln!(out, "des (0, {}, {states})", self.edges.len())?;
        for edge in &self.edges {
            // Readers of this format do not agree on how a quote is escaped, so there is none.
            let label = self.labels[edge.label as usize].replace('"', "'");
            writeln!(out, "({}, \"{label}\", {})", edge.from, edge.to.unwrap_or(self.error_state()))?;
        }
        Ok(())
    }

    /// Writes the format of Graphviz. States in which nothing can move have a double line, those that were not
    /// explored a dashed one; red is what is wrong. The state in words is its tooltip.
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
        for edge in &self.edges {
            let colour = if edge.is_faulty { " color=red" } else { "" };
            let label = dot_string(&self.labels[edge.label as usize]);
            writeln!(out, "  {} -> {} [label={label}{colour}];", edge.from, edge.to.unwrap_or(self.error_state()))?;
        }
        writeln!(out, "}}")
    }

    /// For each state, what it is if nothing leaves it.
    pub(crate) fn leaves(&self) -> Vec<Option<Leaf>> {
        let mut has_successors = vec![false; self.states.len()];
        for edge in &self.edges {
            has_successors[edge.from as usize] = true;
        }
        let leaf = |(state, has_successors): (&Vec<u8>, bool)| (!has_successors).then(|| self.leaf(state));
        self.states.iter().zip(has_successors).map(leaf).collect()
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
        let lines = state::lines(self.subject, &self.subject.interpreter.decode(&self.states[number]));
        let word = |line: &StateLine| {
            let is = if line.is_process { " " } else { " = " };
            format!("{}{is}{}", line.name, line.value)
        };
        lines.iter().map(word).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What an edge says.
    pub(crate) fn label_of(&self, edge: &Edge) -> &str {
        &self.labels[edge.label as usize]
    }

    /// The name of the model.
    pub(crate) fn name(&self) -> &str {
        &self.subject.interpreter.model().name
    }
}

fn dot_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
