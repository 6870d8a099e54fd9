//! Stutter equivalence: the same sequences of letters along the maximal runs, repetitions left out.
//!
//! A run that ends stays in its last state, as formulas see it; so it is the same as one that goes
//! on for ever without a change of letter. Whoever wants to tell the two apart gives terminal
//! states letters of their own.

use ample_stdx::TypedId;

use crate::answer::{Answer, Difference, Finding, Follow, Limits, Meter, Side};
use crate::lts::{LabelId, LetterId, Lts, LtsBuilder, TAU};
use crate::relations::weak_trace;
use crate::subsets::{Question, Witness};
use crate::union::Union;

/// Lamport; Peled and Wilke, "Stutter-invariant temporal properties are expressible without the
/// next-time operator": what formulas without next can say about runs. Labels of edges do not
/// matter.
///
/// A step to another letter counts as an edge with that letter as label, and any other step as
/// silent; then this is the question about weak traces.
pub(crate) fn decide(first: &Lts, second: &Lts, limits: &Limits<'_>) -> Answer {
    let union = Union::new(first, second);
    let letters = union.initial.map(|state| union.lts.letter_of(state));
    let name = |letter: LetterId| union.lts.letter(letter).to_owned();
    if letters[0] != letters[1] {
        let finding = Finding::Letter(name(letters[0]));
        return Answer::Different(Difference {
            path: Vec::new(),
            follow: Follow::No,
            side: Side::First,
            finding,
            note: None,
        });
    }
    let steps = Steps::new(&union.lts);
    match weak_trace::compare(&steps.lts, union.initial, Question::Equal, &mut Meter::new(limits)) {
        Ok(None) => Answer::Equivalent,
        Ok(Some(Witness { trace, side, step })) => {
            let letter = |label| steps.letter(label).map(name).unwrap_or_default();
            let path = std::iter::once(name(letters[0])).chain(trace.into_iter().map(letter)).collect();
            let finding = step.map_or(Finding::Stay, |label| Finding::Letter(letter(label)));
            Answer::Different(Difference { path, follow: Follow::No, side, finding, note: None })
        }
        Err(stopped) => stopped.into(),
    }
}

/// A system that shows letters as labels.
struct Steps {
    lts: Lts,
    /// The label for each letter.
    labels: Vec<LabelId>,
}

impl Steps {
    fn new(lts: &Lts) -> Steps {
        let mut builder = LtsBuilder::new(lts.initial().number());
        let letters = lts.states().map(|state| lts.letter_of(state).index() + 1).max().unwrap_or(0);
        let labels: Vec<LabelId> = (0..letters).map(|_| builder.fresh_label("")).collect();
        for state in lts.states() {
            let letter = lts.letter_of(state);
            for edge in lts.edges(state) {
                let other = lts.letter_of(edge.to);
                let label = if other == letter { TAU } else { labels[other.index()] };
                builder.edge_by_id(state.number(), label, edge.to.number());
            }
            if lts.is_terminal(state) {
                builder.edge_by_id(state.number(), TAU, state.number());
            }
        }
        Steps { lts: builder.build(), labels }
    }

    fn letter(&self, label: LabelId) -> Option<LetterId> {
        self.labels.iter().position(|&other| other == label).map(LetterId::from_index)
    }
}
