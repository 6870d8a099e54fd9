//! From text to automata.

use ample_source::{Diagnostic, Span};
use ample_stdx::{IndexVec, TypedId};

use super::cursor::{Cursor, Parsed};
use super::header::{Header, check_proposition, header, label, refuse_universal};
use super::lexer::Kind;
use crate::automaton::{Automaton, Edge, Marks, StateId};
use crate::bdd::Bdd;

/// An automaton as it was written.
#[derive(Clone, Debug)]
pub struct HoaAutomaton {
    /// Its name, often a formula.
    pub name: Option<String>,
    /// The texts of the propositions.
    pub propositions: Vec<String>,
    /// Where these stand, without their quotes.
    pub places: Vec<Span>,
    /// What it accepts.
    pub automaton: Automaton,
}

/// More states than are read.
const MOST_STATES: usize = 1_000_000;
/// More propositions than automata with implicit labels are read with: each state has an edge for
/// each letter.
const MOST_IMPLICIT: usize = 16;

/// Reads all automata of a file whose text stands at `span`. What cannot be read gives a diagnostic
/// in its place.
pub fn read_hoa(text: &str, span: Span) -> Vec<Result<HoaAutomaton, Diagnostic>> {
    let mut cursor = Cursor::new(text, span);
    let mut automata = Vec::new();
    while cursor.peek().is_some() || automata.is_empty() {
        match automaton(&mut cursor) {
            Ok(automaton) => automata.push(Ok(automaton)),
            Err(error) => {
                automata.push(Err(*error));
                cursor.skip_automaton();
            }
        }
    }
    automata
}

/// A state while it is read.
#[derive(Clone, Default)]
struct State {
    is_defined: bool,
    edges: Vec<Edge>,
}

/// The body of an automaton.
struct Body<'h> {
    header: &'h mut Header,
    states: IndexVec<StateId, State>,
    /// Where states were used, to say which one is not defined.
    uses: Vec<(StateId, Span)>,
}

fn automaton(cursor: &mut Cursor<'_>) -> Parsed<HoaAutomaton> {
    let mut header = header(cursor)?;
    let starts = std::mem::take(&mut header.starts);
    let mut body = Body { header: &mut header, states: IndexVec::new(), uses: Vec::new() };
    while cursor.kind() == Some(Kind::Header) && cursor.peek_text() == "State:" {
        body.state(cursor)?;
    }
    match cursor.kind() {
        Some(Kind::End) => {}
        Some(Kind::Abort) => return Err(cursor.error("the automaton was given up by its writer (`--ABORT--`)")),
        _ => return Err(cursor.unexpected("`State:`, an edge or `--END--`")),
    }
    let initial = starts.into_iter().map(|(number, span)| body.use_state(number, span));
    let initial = initial.collect::<Parsed<Vec<StateId>>>()?;
    let undefined = body.uses.iter().find(|(state, _)| !body.states[*state].is_defined);
    if let Some((state, span)) = undefined {
        let error = Diagnostic::error(*span, format!("state {} is used but not defined", state.index()));
        return Err(error.help(format!("add `State: {}` to the body", state.index())).into());
    }
    let possible = |state: &State| state.edges.iter().copied().filter(|edge| edge.label != Bdd::FALSE).collect();
    let edges = body.states.iter().map(possible).collect();
    cursor.next();
    let automaton = assemble(&header, edges, &initial);
    let Header { name, propositions, places, .. } = header;
    Ok(HoaAutomaton { name, propositions, places, automaton })
}

fn assemble(header: &Header, mut edges: IndexVec<StateId, Vec<Edge>>, initial: &[StateId]) -> Automaton {
    let initial = match initial {
        [only] => *only,
        // Several initial states become one that does what they do; with none, nothing is accepted.
        several => {
            let all: Vec<Edge> = several.iter().flat_map(|&state| edges[state].clone()).collect();
            edges.push(all.into_iter().map(|edge| Edge { marks: Marks::NONE, ..edge }).collect())
        }
    };
    Automaton {
        labels: header.labels.clone(),
        propositions: header.propositions.len(),
        mark_count: header.acceptance.mark_count(),
        initial,
        edges,
    }
    .compact()
}

impl Body<'_> {
    /// Notes that a state is used, and gives its name.
    fn use_state(&mut self, number: usize, span: Span) -> Parsed<StateId> {
        let declared = self.header.states.unwrap_or(MOST_STATES);
        if number >= declared {
            let error = Diagnostic::error(span, format!("there is no state {number}"));
            return Err(error.label(format!("{declared} states are declared, numbered from 0")).into());
        }
        if number >= MOST_STATES {
            return Err(Diagnostic::error(span, format!("more than {MOST_STATES} states are not supported")).into());
        }
        while self.states.len() <= number {
            self.states.push(State::default());
        }
        let state = StateId::from_index(number);
        self.uses.push((state, span));
        Ok(state)
    }

    /// `State: [label] number "name" {sets}` and the edges that follow.
    fn state(&mut self, cursor: &mut Cursor<'_>) -> Parsed<()> {
        cursor.next();
        let state_label = self.label(cursor)?;
        let span = cursor.here();
        let number = cursor.number("the number of a state")?;
        let state = self.use_state(number, span)?;
        self.uses.pop();
        if std::mem::replace(&mut self.states[state].is_defined, true) {
            return Err(Diagnostic::error(span, format!("state {number} is defined twice")).into());
        }
        cursor.eat_kind(Kind::Text);
        let state_sets = self.sets(cursor)?;
        let mut implicit: Vec<Edge> = Vec::new();
        while cursor.kind() == Some(Kind::Number) || cursor.peek_text() == "[" {
            let edge_span = cursor.here();
            let edge_label = self.label(cursor)?;
            let target_span = cursor.here();
            let target = cursor.number("a state")?;
            refuse_universal(cursor)?;
            let target = self.use_state(target, target_span)?;
            let sets = [&state_sets[..], &self.sets(cursor)?[..]].concat();
            let marks = self.header.acceptance.marks(&sets);
            match (state_label, edge_label) {
                (Some(_), Some(_)) => {
                    let error = Diagnostic::error(edge_span, "both the state and the edge have a label");
                    return Err(error.help("leave one out").into());
                }
                (Some(label), None) | (None, Some(label)) => {
                    self.states[state].edges.push(Edge { label, marks, target });
                }
                (None, None) => implicit.push(Edge { label: Bdd::TRUE, marks, target }),
            }
        }
        if implicit.is_empty() { Ok(()) } else { self.implicit(state, implicit, span) }
    }

    /// The edges of a state without labels: one for each letter, in order.
    fn implicit(&mut self, state: StateId, edges: Vec<Edge>, span: Span) -> Parsed<()> {
        if !self.states[state].edges.is_empty() {
            let error = Diagnostic::error(span, "some edges of this state have labels and some have not");
            return Err(error.help("give labels to all of them").into());
        }
        let count = self.header.propositions.len();
        if count > MOST_IMPLICIT {
            let message = format!("implicit labels with more than {MOST_IMPLICIT} propositions are not supported");
            return Err(Diagnostic::error(span, message).help("write the labels").into());
        }
        if edges.len() != 1 << count {
            let message = format!("without labels this state needs {} edges, but has {}", 1 << count, edges.len());
            let error = Diagnostic::error(span, message);
            return Err(error.label(format!("one for each valuation of {count} propositions")).into());
        }
        for (letter, edge) in edges.into_iter().enumerate() {
            let labels = &mut self.header.labels;
            let mut label = Bdd::TRUE;
            for proposition in 0..count {
                let literal = labels.variable(proposition as u32);
                let literal = if letter >> proposition & 1 == 1 { literal } else { labels.not(literal) };
                label = labels.and(label, literal);
            }
            self.states[state].edges.push(Edge { label, ..edge });
        }
        Ok(())
    }

    /// `[expression]`, if it is there.
    fn label(&mut self, cursor: &mut Cursor<'_>) -> Parsed<Option<Bdd>> {
        if !cursor.eat("[") {
            return Ok(None);
        }
        let Header { labels, aliases, propositions, .. } = self.header;
        let count = propositions.len();
        let label = label(cursor, labels, aliases, &mut |number, span| check_proposition(number, count, span))?;
        cursor.require("]")?;
        if labels.has_overflowed() {
            return Err(cursor.error("the labels up to here are too complicated"));
        }
        Ok(Some(label))
    }

    /// `{numbers}`, if it is there.
    fn sets(&mut self, cursor: &mut Cursor<'_>) -> Parsed<Vec<usize>> {
        let mut sets = Vec::new();
        if cursor.eat("{") {
            while cursor.kind() == Some(Kind::Number) {
                let span = cursor.here();
                let set = cursor.number("an acceptance set")?;
                if set >= self.header.acceptance.sets {
                    return Err(super::acceptance::undeclared_set(span, set, self.header.acceptance.sets));
                }
                sets.push(set);
            }
            cursor.require("}")?;
        }
        Ok(sets)
    }
}
