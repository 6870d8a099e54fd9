//! The parts of one search, put together for the decision: one part for each of its questions.

use crate::{Guarantee, Part, PartKind, PropertyClass, parts};

/// The parts of one search.
///
/// What a search cannot do without is a field of its own, so that an incomplete one cannot be
/// judged.
#[derive(Clone, Debug)]
pub struct Parts {
    passes: Vec<&'static Part>,
    successors: &'static Part,
    expander: &'static Part,
    cycle_condition: Option<&'static Part>,
    sleep: Option<&'static Part>,
    under: Option<&'static Part>,
    /// Whether the under-approximation, if there is one, is exact.
    is_exact: bool,
    canonizers: Vec<&'static Part>,
    cover: Option<&'static Part>,
    foresights: Vec<&'static Part>,
    store: &'static Part,
    order: &'static Part,
    bounds: Vec<&'static Part>,
    /// Whether a reduction keeps what propositions see out of its choices.
    sees_propositions: bool,
}

impl Parts {
    /// Those that explore all transitions and remember every state as it is.
    pub fn new(successors: &'static Part, store: &'static Part, order: &'static Part) -> Parts {
        Parts {
            passes: Vec::new(),
            successors,
            expander: &parts::ALL_TRANSITIONS,
            cycle_condition: None,
            sleep: None,
            under: None,
            is_exact: false,
            canonizers: vec![&parts::IDENTITY],
            cover: None,
            foresights: Vec::new(),
            store,
            order,
            bounds: Vec::new(),
            sees_propositions: true,
        }
    }

    /// Those of a search that looks for faults alone, so that a reduction keeps nothing but
    /// these.
    #[must_use]
    pub fn for_faults(self) -> Parts {
        Parts { sees_propositions: false, ..self }
    }

    /// These with another part, in place of the one for the same question. Passes and canonizers
    /// follow each other; foresights and bounds come together.
    #[must_use]
    pub fn with(mut self, part: &'static Part) -> Parts {
        match part.kind {
            PartKind::Pass if self.passes.contains(&part) => {}
            PartKind::Pass => self.passes.push(part),
            PartKind::Successors => self.successors = part,
            PartKind::Expander => self.expander = part,
            PartKind::CycleCondition => self.cycle_condition = Some(part),
            PartKind::Sleep => self.sleep = Some(part),
            PartKind::Under => (self.under, self.is_exact) = (Some(part), false),
            PartKind::Cover => self.cover = Some(part),
            PartKind::Foresight if self.foresights.contains(&part) => {}
            PartKind::Foresight => self.foresights.push(part),
            PartKind::Store => self.store = part,
            PartKind::Order | PartKind::Emptiness => self.order = part,
            PartKind::Canonizer => {
                self.canonizers.retain(|&other| *other != parts::IDENTITY && other != part);
                self.canonizers.push(part);
            }
            PartKind::Bound if self.bounds.contains(&part) => {}
            PartKind::Bound => self.bounds.push(part),
        }
        self
    }

    /// Those with which every transition is taken, so that no cycle condition is asked and nothing
    /// sleeps.
    #[must_use]
    pub fn with_all_transitions(self) -> Parts {
        Parts { expander: &parts::ALL_TRANSITIONS, cycle_condition: None, sleep: None, under: None, ..self }
    }

    /// Those of a search whose cycle condition is none of those that promise something.
    #[must_use]
    pub fn without_cycle_condition(self) -> Parts {
        Parts { cycle_condition: None, ..self }
    }

    /// Those of a search whose under-approximation has come to be exact: it is named, and takes
    /// nothing away from what the others preserve.
    #[must_use]
    pub fn exact(self) -> Parts {
        Parts { is_exact: true, ..self }
    }

    /// Those with which every state is remembered as it is.
    #[must_use]
    pub fn without_canonizers(self) -> Parts {
        Parts { canonizers: vec![&parts::IDENTITY], ..self }
    }

    /// All parts, in the order in which a state meets them.
    pub fn parts(&self) -> impl Iterator<Item = &'static Part> + '_ {
        let passes = self.passes.iter().copied();
        passes
            .chain([self.successors, self.expander])
            .chain(self.cycle_condition)
            .chain(self.sleep)
            .chain(self.under.filter(|_| !self.is_exact))
            .chain(self.canonizers.iter().copied())
            .chain(self.cover)
            .chain(self.foresights.iter().copied())
            .chain([self.store, self.order])
            .chain(self.bounds.iter().copied())
    }

    /// What all parts together preserve.
    pub fn guarantee(&self) -> Guarantee {
        let all = self.parts().fold(Guarantee::EXACT, |all, part| all.intersection(part.guarantee));
        let is_blind = !self.sees_propositions && *self.expander != parts::ALL_TRANSITIONS;
        if is_blind { all.intersection(Guarantee::SAFETY) } else { all }
    }

    /// Whether all parts preserve this class, apart from what an [`Omission`](crate::Omission)
    /// leaves out.
    pub fn preserves(&self, class: PropertyClass) -> bool {
        self.guarantee().no_missed.contains(class)
    }

    /// The parts that reduce the space. A cycle condition comes after its expander.
    pub fn reductions(&self) -> Vec<&'static Part> {
        let named = self.under.into_iter().chain(self.parts().filter(|part| part.kind != PartKind::Under));
        named.filter(|part| part.is_reduction()).collect()
    }
}
