//! The reduced system against the full one, under what a reduction declares to preserve.

use ample_equivalence::{Answer, Finding, Limits, Lts, LtsBuilder, Side, relation};
use ample_guarantee::{ClassSet, PropertyClass};
use ample_product::Propositions;
use ample_transition::Move;

use crate::graph::{Edge, Graph};
use crate::likeness::Likeness;

/// So much may be looked at for one comparison.
const MOST_WORK: u64 = 5_000_000;

/// One thing to compare.
pub(crate) struct Comparison {
    /// The relation.
    pub name: &'static str,
    /// What differs, if something does.
    pub difference: Option<Unequal>,
}

/// How two systems differ.
pub(crate) struct Unequal {
    /// In words.
    pub what: String,
    /// A transition that only one of them has, with the state that it leaves.
    pub transition: Option<(Vec<u8>, Vec<Move>)>,
}

/// Compares two systems under each relation that the classes of properties stand for. Those that
/// are too much to decide are left out.
pub(crate) fn compare(
    (full, reduced): (&Graph, &Graph),
    likeness: &Likeness<'_>,
    preserved: ClassSet,
    propositions: Option<&dyn Propositions>,
) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    let mut decide = |class, name, make: &dyn Fn(&Graph) -> Lts| {
        if preserved.contains(class) {
            comparisons.extend(decided(name, likeness, (full, &make(full)), (reduced, &make(reduced))));
        }
    };
    decide(PropertyClass::Deadlock, "deadlock", &|graph| with_ends(graph, likeness));
    decide(PropertyClass::LocalReachability, "reach", &|graph| with_labels(graph, likeness));
    if let Some(propositions) = propositions {
        let with_letters = |graph: &Graph| with_letters(graph, propositions);
        decide(PropertyClass::Invariants, "reach", &with_letters);
        decide(PropertyClass::StutterInvariantLtl, "stutter", &with_letters);
        decide(PropertyClass::StutterInvariantBranching, "branching-bisim", &with_letters);
    }
    comparisons
}

fn decided(
    name: &'static str,
    likeness: &Likeness<'_>,
    full: (&Graph, &Lts),
    reduced: (&Graph, &Lts),
) -> Option<Comparison> {
    let limits = Limits { work: MOST_WORK, ..Limits::default() };
    let difference = match relation(name)?.compare(full.1, reduced.1, &limits) {
        Answer::Equivalent => None,
        Answer::Unknown(_) => return None,
        Answer::Different(difference) => {
            let (has, has_not, graph) = match difference.side {
                Side::First => ("full", "reduced", full.0),
                Side::Second => ("reduced", "full", reduced.0),
            };
            let (words, transition) = match &difference.finding {
                Finding::Step(label) => ("do a transition".to_owned(), transition_called(graph, likeness, label)),
                finding => (finding.words(), None),
            };
            let what = format!("{name}: the {has} system can {words}, and the {has_not} one cannot");
            Some(Unequal { what, transition })
        }
    };
    Some(Comparison { name, difference })
}

/// The first transition with this name, and the state that it leaves.
fn transition_called(graph: &Graph, likeness: &Likeness<'_>, name: &str) -> Option<(Vec<u8>, Vec<Move>)> {
    graph.expanded().find_map(|from| {
        let edge = graph.edges[from].iter().find(|edge| label_of(likeness, &graph.states[from], edge) == name)?;
        Some((graph.states[from].clone(), edge.moves.clone()))
    })
}

/// The name of a transition: its moves, and what goes wrong; empty if it makes no difference.
fn label_of(likeness: &Likeness<'_>, from: &[u8], edge: &Edge) -> String {
    let name = likeness.name(from, &edge.moves);
    name.map_or(String::new(), |name| format!("{name} {:?}", edge.faults))
}

/// Every state in which a run ends is told from all others.
fn with_ends(graph: &Graph, likeness: &Likeness<'_>) -> Lts {
    let end = |state: &[u8]| hexadecimal(&likeness.state(state));
    build(graph, |_, _| String::new(), |state, edges| if edges.is_empty() { end(state) } else { String::new() })
}

/// Each transition has its name.
fn with_labels(graph: &Graph, likeness: &Likeness<'_>) -> Lts {
    build(graph, |from, edge| label_of(likeness, from, edge), |_, _| String::new())
}

/// States are told apart by what is true in them.
fn with_letters(graph: &Graph, propositions: &dyn Propositions) -> Lts {
    let letter =
        |state: &[u8]| propositions.letter(state).map_or("no value".to_owned(), |letter| format!("{letter:b}"));
    build(graph, |_, _| String::new(), |state, _| letter(state))
}

/// The graph with these labels and letters. A run that an error ends goes on in one more state for
/// ever, which is no end.
fn build(graph: &Graph, label: impl Fn(&[u8], &Edge) -> String, letter: impl Fn(&[u8], &[Edge]) -> String) -> Lts {
    let mut builder = LtsBuilder::new(0);
    let error = graph.states.len() as u32;
    for from in graph.expanded() {
        let edges = &graph.edges[from];
        builder.letter(from as u32, &letter(&graph.states[from], edges));
        for edge in edges {
            let text = label(&graph.states[from], edge);
            let id = builder.label(if text.is_empty() { ample_equivalence::TAU_NAME } else { &text });
            if edge.to.is_none() {
                builder.letter(error, "an error");
                builder.edge_by_id(error, ample_equivalence::TAU, error);
            }
            builder.edge_by_id(from as u32, id, edge.to.map_or(error, |to| to as u32));
        }
    }
    builder.build()
}

fn hexadecimal(state: &[u8]) -> String {
    state.iter().map(|byte| format!("{byte:02x}")).collect()
}
