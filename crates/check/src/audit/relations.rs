//! The reduced system against the full one, under what a reduction declares to preserve.

use ample_equivalence::{Answer, Limits, Lts, LtsBuilder, Side, relation};
use ample_guarantee::{ClassSet, PropertyClass};
use ample_product::Propositions;

use super::graph::{Edge, Graph};

/// So much may be looked at for one comparison.
const MOST_WORK: u64 = 5_000_000;

/// One thing to compare.
pub(super) struct Comparison {
    /// The relation.
    pub name: &'static str,
    /// What differs, if something does.
    pub difference: Option<String>,
}

/// Compares two systems under each relation that the classes of properties stand for. Those that are too much to decide are left out.
pub(super) fn compare(
    full: &Graph,
    reduced: &Graph,
    preserved: ClassSet,
    propositions: Option<&dyn Propositions>,
) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    let mut decide = |class, name, make: &dyn Fn(&Graph) -> Lts| {
        if preserved.contains(class) {
            comparisons.extend(decided(name, &make(full), &make(reduced)));
        }
    };
    decide(PropertyClass::Deadlock, "deadlock", &with_ends);
    decide(PropertyClass::LocalReachability, "reach", &with_labels);
    if let Some(propositions) = propositions {
        let with_letters = |graph: &Graph| with_letters(graph, propositions);
        decide(PropertyClass::Invariants, "reach", &with_letters);
        decide(PropertyClass::StutterInvariantLtl, "stutter", &with_letters);
    }
    comparisons
}

fn decided(name: &'static str, full: &Lts, reduced: &Lts) -> Option<Comparison> {
    let limits = Limits { work: MOST_WORK, ..Limits::default() };
    let difference = match relation(name)?.compare(full, reduced, &limits) {
        Answer::Equivalent => None,
        Answer::Unknown(_) => return None,
        Answer::Different(difference) => {
            let (has, has_not) = match difference.side {
                Side::First => ("full", "reduced"),
                Side::Second => ("reduced", "full"),
            };
            let words = difference.finding.words();
            let after = difference.path.len();
            Some(format!("{name}: the {has} system can {words}, after {after} steps, and the {has_not} one cannot"))
        }
    };
    Some(Comparison { name, difference })
}

/// Every state in which a run ends is told from all others.
fn with_ends(graph: &Graph) -> Lts {
    build(graph, |_| String::new(), |state, edges| if edges.is_empty() { hexadecimal(state) } else { String::new() })
}

/// Each transition is named by its moves and by what goes wrong.
fn with_labels(graph: &Graph) -> Lts {
    build(graph, |edge| format!("{:?} {:?}", edge.moves, edge.faults), |_, _| String::new())
}

/// States are told apart by what is true in them.
fn with_letters(graph: &Graph, propositions: &dyn Propositions) -> Lts {
    let letter =
        |state: &[u8]| propositions.letter(state).map_or("no value".to_owned(), |letter| format!("{letter:b}"));
    build(graph, |_| String::new(), |state, _| letter(state))
}

/// The graph with these labels and letters. A run that an error ends goes on in one more state for ever, which is no end.
fn build(graph: &Graph, label: impl Fn(&Edge) -> String, letter: impl Fn(&[u8], &[Edge]) -> String) -> Lts {
    let mut builder = LtsBuilder::new(0);
    let error = graph.states.len() as u32;
    for from in graph.expanded() {
        let edges = &graph.edges[from];
        builder.letter(from as u32, &letter(&graph.states[from], edges));
        for edge in edges {
            let text = label(edge);
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
