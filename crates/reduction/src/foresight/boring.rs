//! Boring states: no error can be reached from them, so they are not expanded (Pelánek, section
//! 3.4).
//!
//! The thesis names three ways to find them, and all three come out of one computation: the states
//! from which an error may be reached, backwards over locations and intervals. Where an error needs
//! a variable below some number, and the variable only grows, the interval below it is closed under
//! steps backwards: a progress function. Where the intervals do not settle, all data is forgotten:
//! an abstract model, searched backwards. Where that is still too large, it is the control flow of
//! single processes. What is computed is larger than the set of states from which an error can be
//! reached, and a state outside of it is boring.
//!
//! What is left out are whole futures. So no property of runs may be asked for, and a state that is
//! not expanded is not one that nothing leaves.

use std::sync::Arc;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::SlotId;
use ample_network::facts::Facts;
use ample_network::{Interval, Network, SlotPlace};
use ample_stdx::TypedId;
use ample_transition::{Foresight, Outlook, SuccessorBuffer};

use super::backward::{Detail, closure};
use super::entry::{Foreknowledge, ForesightEntry, LooksFor};
use super::error::{Danger, applies, dangers};
use super::matcher::Matcher;
use super::region::Region;
use super::step::Steps;
use crate::canonizers::cells::Names;
use crate::{NotHere, progress};

/// States from which no error can be reached are not expanded.
pub static BORING: Part = Part {
    name: "boring",
    kind: PartKind::Foresight,
    summary: "states from which nothing that is looked for can be reached are not expanded",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.4"),
    guarantee: Guarantee::ERRORS,
};

pub(super) const ENTRY: ForesightEntry = ForesightEntry { part: &BORING, joins: false, find_out };

fn find_out(network: &Network<'_>, facts: &Facts, looks_for: &LooksFor<'_>) -> Result<Arc<dyn Foreknowledge>, NotHere> {
    let names = Names::new(network, facts);
    let Interesting { regions, limit, .. } = interesting(&names, looks_for)?;
    Ok(Arc::new(Futureless { interesting: Matcher::new(&names, &regions), limit }))
}

/// The states from which an error may be reached.
pub(super) struct Interesting {
    pub regions: Vec<Region>,
    pub detail: Detail,
    /// How far a run may have come, by the measure of progress that the model states.
    pub limit: Option<Limit>,
}

/// The greatest value of a measure of progress with which an error is still possible.
#[derive(Debug)]
pub(super) struct Limit {
    /// The variables that it adds, and how often.
    terms: Vec<(SlotPlace, i128)>,
    pub most: i128,
}

impl Limit {
    /// By the measure of progress that the model states, if that says something; an error if it is
    /// none.
    fn of(names: &Names<'_>, dangers: &[Danger]) -> Result<Option<Limit>, NotHere> {
        let Some(mut measure) = progress::stated(names.network.model)? else { return Ok(None) };
        let cell = |slot: SlotId| names.cells.variable(None, slot.index());
        let constants =
            measure.terms.clone().into_keys().filter_map(|slot| Some((slot, names.cells.list[cell(slot)].constant?)));
        // What never changes adds the same to all.
        for (slot, _) in constants {
            measure.terms.remove(&slot);
        }
        (measure.low, measure.high) = (0, 0);
        let places: Option<Vec<(SlotPlace, i128)>> = measure
            .terms
            .iter()
            .map(|(slot, times)| {
                Some((names.cells.list[cell(*slot)].place, *times)).filter(|(place, _)| place.width > 0)
            })
            .collect();
        let most = |danger: &Danger| {
            let bounds = |slot: SlotId| {
                let (low, high) = names.cells.list[cell(slot)].scalar.bounds();
                let known = danger.region.within.get(&cell(slot)).copied().unwrap_or(Interval { low, high });
                (i128::from(known.low), i128::from(known.high))
            };
            measure.bounds(bounds).map(|(_, most)| most)
        };
        let most: Option<Vec<i128>> = dangers.iter().map(most).collect();
        let most = most.and_then(|all| all.into_iter().max());
        let possible = measure.bounds(|slot| {
            let (low, high) = names.cells.list[cell(slot)].scalar.bounds();
            (low.into(), high.into())
        });
        // A limit that is never passed says nothing.
        let is_passed = most.zip(possible).is_some_and(|(most, (_, possible))| most < possible);
        Ok(places.zip(most).filter(|_| is_passed).map(|(terms, most)| Limit { terms, most }))
    }

    /// Whether a run has come further.
    fn is_passed(&self, state: &[u8]) -> bool {
        let value = |(place, times): &(SlotPlace, i128)| i128::from(place.value_in(state)) * times;
        self.terms.iter().map(value).sum::<i128>() > self.most
    }
}

/// The states from which an error may be reached; an error if that may be all.
pub(super) fn interesting(names: &Names<'_>, looks_for: &LooksFor<'_>) -> Result<Interesting, NotHere> {
    applies(names.network, looks_for)?;
    let dangers = dangers(names, looks_for)?;
    let (regions, detail) = closure(&Steps::of(names), &dangers);
    let is_all = |region: &Region| region.within.is_empty() && region.at.is_empty();
    let limit = Limit::of(names, &dangers)?;
    let covers_all = regions.iter().any(|region| is_all(region) || is_everywhere(names, region, &regions));
    match covers_all && limit.is_none() {
        true => {
            let name = dangers.first().map_or("an error", |danger| &danger.name);
            Err(NotHere(format!("for all that is known, {name} can be reached from everywhere")))
        }
        false => Ok(Interesting { regions, detail, limit }),
    }
}

/// Whether a process is in one of these regions wherever it is, and it is always somewhere.
fn is_everywhere(names: &Names<'_>, region: &Region, all: &[Region]) -> bool {
    let Some((process, _)) = region.at.iter().next() else { return false };
    let is_of_process = |region: &&Region| region.within.is_empty() && region.at.len() == 1;
    let mut at = ample_stdx::BitSet::new();
    for one in all.iter().filter(is_of_process).filter_map(|region| region.at.get(process)) {
        at.union_with(one);
    }
    let template = names.network.template(*process);
    crate::control::reachable(template).is_subset(&at)
        && usize::from(names.network.instances[*process].pid) < names.network.model.active.len()
        && !crate::control::can_end(template)
}

/// What tells boring states from others.
#[derive(Debug)]
struct Futureless {
    /// The states from which an error may be reached.
    interesting: Matcher,
    limit: Option<Limit>,
}

impl Foreknowledge for Futureless {
    fn on<'n>(self: Arc<Self>, network: &'n Network<'n>) -> Box<dyn Foresight + 'n> {
        Box::new(Boring { known: self, network })
    }
}

/// Leaves out what lies ahead of boring states.
struct Boring<'n> {
    known: Arc<Futureless>,
    network: &'n Network<'n>,
}

impl Foresight for Boring<'_> {
    #[inline]
    fn may_say(&self, state: &[u8]) -> bool {
        let Futureless { interesting, limit } = &*self.known;
        let is_passed = || limit.as_ref().is_some_and(|limit| limit.is_passed(state));
        self.network.fits(state) && (interesting.find(self.network, state).is_none() || is_passed())
    }

    #[inline]
    fn look_ahead(&self, _: &Outlook<'_>, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        let is_boring = self.may_say(state);
        if is_boring {
            buffer.set_pruned();
        }
        is_boring
    }
}
