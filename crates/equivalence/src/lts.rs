//! A finite labelled transition system in memory.

use std::collections::HashMap;

use ample_stdx::{IndexVec, TypedId, typed_id};

typed_id! {
    /// A state of one system.
    pub struct StateId;
}

typed_id! {
    /// A label of edges of one system.
    pub struct LabelId;
}

typed_id! {
    /// A letter of one system: what is true in a state.
    pub struct LetterId;
}

/// How the invisible label is called.
pub const TAU_NAME: &str = "tau";

/// Labels that other tools write for the invisible one: mCRL2 and CADP.
const INVISIBLE: &[&str] = &[TAU_NAME, "i"];

/// One way to leave a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// What is seen of it.
    pub label: LabelId,
    /// Where it leads.
    pub to: StateId,
}

/// A finite labelled transition system. Label 0 is the invisible one.
///
/// Each state has a letter, which stands for the propositions that are true in it. Where nobody
/// gave letters all states have the same one, the empty text. A state that no edge leaves is
/// terminal.
///
/// Edges are sorted, and there is no edge twice.
#[derive(Clone, Debug)]
pub struct Lts {
    initial: StateId,
    /// The edges that leave state `s` are `edges[starts[s]..starts[s + 1]]`.
    starts: Vec<usize>,
    edges: Vec<Edge>,
    labels: IndexVec<LabelId, String>,
    letter_of: IndexVec<StateId, LetterId>,
    letters: IndexVec<LetterId, String>,
}

impl Lts {
    /// A system from its edges. The label `tau` is invisible; the states are those up to the
    /// largest that is named.
    ///
    /// ```
    /// use ample_equivalence::Lts;
    ///
    /// let clock = Lts::from_edges(0, [(0, "tick", 1), (1, "tau", 0)]);
    /// assert_eq!((clock.state_count(), clock.edge_count()), (2, 2));
    /// ```
    pub fn from_edges<'a>(initial: u32, edges: impl IntoIterator<Item = (u32, &'a str, u32)>) -> Lts {
        let mut builder = LtsBuilder::new(initial);
        for (from, label, to) in edges {
            builder.edge(from, label, to);
        }
        builder.build()
    }

    /// Where all runs begin.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// How many states there are.
    pub fn state_count(&self) -> usize {
        self.letter_of.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// How many labels there are, the invisible one included.
    pub fn label_count(&self) -> usize {
        self.labels.len()
    }

    /// All states, in order.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + use<> {
        self.letter_of.ids()
    }

    /// The edges that leave a state, sorted by label.
    pub fn edges(&self, state: StateId) -> &[Edge] {
        &self.edges[self.starts[state.index()]..self.starts[state.index() + 1]]
    }

    /// The edges that leave a state with this label.
    pub fn edges_with(&self, state: StateId, label: LabelId) -> &[Edge] {
        let edges = self.edges(state);
        let from = edges.partition_point(|edge| edge.label < label);
        let to = edges.partition_point(|edge| edge.label <= label);
        &edges[from..to]
    }

    /// Whether no edge leaves this state.
    pub fn is_terminal(&self, state: StateId) -> bool {
        self.edges(state).is_empty()
    }

    /// The text of a label.
    pub fn label(&self, label: LabelId) -> &str {
        &self.labels[label]
    }

    /// The letter of a state.
    pub fn letter_of(&self, state: StateId) -> LetterId {
        self.letter_of[state]
    }

    /// The text of a letter.
    pub fn letter(&self, letter: LetterId) -> &str {
        &self.letters[letter]
    }

    /// Whether letters were given: otherwise all states look alike.
    pub fn has_letters(&self) -> bool {
        self.letters.iter().any(|letter| !letter.is_empty())
    }

    /// The same system with other letters.
    pub fn with_letters<S: AsRef<str>>(&self, letter: impl Fn(StateId) -> S) -> Lts {
        let mut builder = LtsBuilder::with_labels_of(self.initial.number(), self);
        for state in self.states() {
            builder.letter(state.number(), letter(state).as_ref());
            for edge in self.edges(state) {
                builder.edge_by_id(state.number(), edge.label, edge.to.number());
            }
        }
        builder.build()
    }

    /// The same states with some of the edges.
    pub(crate) fn keeping(&self, is_kept: impl Fn(Edge) -> bool) -> Lts {
        let mut builder = LtsBuilder::with_labels_of(self.initial.number(), self);
        for state in self.states() {
            builder.letter(state.number(), self.letter(self.letter_of(state)));
            for edge in self.edges(state).iter().filter(|edge| is_kept(**edge)) {
                builder.edge_by_id(state.number(), edge.label, edge.to.number());
            }
        }
        builder.build()
    }

    /// The same system in which the labels that are picked cannot be seen.
    pub fn hide(&self, is_hidden: impl Fn(&str) -> bool) -> Lts {
        let mut builder = LtsBuilder::new(self.initial.number());
        let labels: Vec<LabelId> = self
            .labels
            .iter_enumerated()
            .map(|(id, name)| if id == TAU || is_hidden(name) { TAU } else { builder.label(name) })
            .collect();
        for state in self.states() {
            builder.letter(state.number(), self.letter(self.letter_of(state)));
            for edge in self.edges(state) {
                builder.edge_by_id(state.number(), labels[edge.label.index()], edge.to.number());
            }
        }
        builder.build()
    }
}

/// The invisible label of every system.
pub const TAU: LabelId = LabelId(0);

impl StateId {
    /// The number of the state.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// A system that is being made.
#[derive(Clone, Debug)]
pub struct LtsBuilder {
    initial: u32,
    state_count: usize,
    edges: Vec<(u32, Edge)>,
    labels: IndexVec<LabelId, String>,
    label_ids: HashMap<String, LabelId>,
    letter_of: HashMap<u32, LetterId>,
    letters: IndexVec<LetterId, String>,
    letter_ids: HashMap<String, LetterId>,
}

impl LtsBuilder {
    /// A system of the initial state alone.
    pub fn new(initial: u32) -> LtsBuilder {
        LtsBuilder {
            initial,
            state_count: initial as usize + 1,
            edges: Vec::new(),
            labels: IndexVec::from(vec![TAU_NAME.to_owned()]),
            label_ids: HashMap::from([(TAU_NAME.to_owned(), TAU)]),
            letter_of: HashMap::new(),
            letters: IndexVec::from(vec![String::new()]),
            letter_ids: HashMap::from([(String::new(), LetterId(0))]),
        }
    }

    /// A system of the initial state alone, with the labels of another system.
    pub(crate) fn with_labels_of(initial: u32, lts: &Lts) -> LtsBuilder {
        let names = lts.labels.iter_enumerated().map(|(id, name)| (name.clone(), id));
        LtsBuilder { labels: lts.labels.clone(), label_ids: names.collect(), ..LtsBuilder::new(initial) }
    }

    /// The label with this text. `tau` is the invisible one.
    pub fn label(&mut self, text: &str) -> LabelId {
        if let Some(&id) = self.label_ids.get(text) {
            return id;
        }
        let id = self.labels.push(text.to_owned());
        self.label_ids.insert(text.to_owned(), id);
        id
    }

    /// The label with this text, or the invisible one if it is `hidden`. Other tools call that `i`.
    pub fn visible_label(&mut self, text: &str, hidden: &[String]) -> LabelId {
        let is_hidden = INVISIBLE.contains(&text) || hidden.iter().any(|hidden| hidden == text);
        if is_hidden { TAU } else { self.label(text) }
    }

    /// A label of its own, which no other text names.
    pub(crate) fn fresh_label(&mut self, text: &str) -> LabelId {
        self.labels.push(text.to_owned())
    }

    /// Adds an edge. States are there once they are named.
    pub fn edge(&mut self, from: u32, label: &str, to: u32) {
        let label = self.label(label);
        self.edge_by_id(from, label, to);
    }

    /// Adds an edge with a label that [`label`](Self::label) gave, or with [`TAU`].
    pub fn edge_by_id(&mut self, from: u32, label: LabelId, to: u32) {
        self.state(from.max(to));
        self.edges.push((from, Edge { label, to: StateId(to) }));
    }

    /// Makes sure that there is such a state.
    pub fn state(&mut self, state: u32) {
        self.state_count = self.state_count.max(state as usize + 1);
    }

    /// Says what is true in a state. States about which nothing is said have the empty letter.
    pub fn letter(&mut self, state: u32, letter: &str) {
        self.state(state);
        if letter.is_empty() && self.letter_of.is_empty() {
            return;
        }
        let id = match self.letter_ids.get(letter) {
            Some(&id) => id,
            None => {
                let id = self.letters.push(letter.to_owned());
                self.letter_ids.insert(letter.to_owned(), id);
                id
            }
        };
        if id.index() > 0 {
            self.letter_of.insert(state, id);
        } else {
            self.letter_of.remove(&state);
        }
    }

    /// The system.
    pub fn build(mut self) -> Lts {
        self.edges.sort_unstable();
        self.edges.dedup();
        let mut starts = Vec::with_capacity(self.state_count + 1);
        let mut at = 0;
        for state in 0..=self.state_count {
            while self.edges.get(at).is_some_and(|(from, _)| (*from as usize) < state) {
                at += 1;
            }
            starts.push(at);
        }
        let mut letter_of = IndexVec::from_elem(LetterId(0), self.state_count);
        for (state, letter) in self.letter_of {
            letter_of[StateId(state)] = letter;
        }
        Lts {
            initial: StateId(self.initial),
            starts,
            edges: self.edges.into_iter().map(|(_, edge)| edge).collect(),
            labels: self.labels,
            letter_of,
            letters: self.letters,
        }
    }
}
