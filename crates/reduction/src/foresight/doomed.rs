//! Doomed states: an error is reached from them for certain, so only the way to it is taken
//! (Pelánek, section 3.4).
//!
//! Two ways to find them:
//!
//! - by [`rounds`] of pre-images, from an assertion that fails or from a state that the property
//!   forbids: the states in which some command is enabled that leads into the last round. A few
//!   regions are kept for each round.
//! - by a covering set: transitions such that every cycle has one of them;
//!   [`sticky`](crate::sticky) finds one. Where none of them can happen any more, every run ends,
//!   and if no valid end can be reached, it ends in an invalid one.
//!
//! Both say where to look, and the way is gone before anything is left out: what was computed knows
//! nothing of priorities, of channels or of errors on the way. So an error is reached for certain,
//! whatever the model computes with. The way is a single transition of the search, and is taken
//! apart when the error is shown: nothing on it is stored, and no cycle condition, cover or
//! canonizer comes between.

use std::sync::Arc;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::LocationId;
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId};
use ample_stdx::IndexVec;
use ample_transition::{Fault, FaultKind, Foresight, Outlook, Successor, SuccessorBuffer};

use super::backward::{closure, rounds};
use super::entry::{Foreknowledge, ForesightEntry, LooksFor};
use super::error::{applies, dangers, ending_places, valid_ends};
use super::matcher::Matcher;
use super::region::Region;
use super::step::Steps;
use crate::NotHere;
use crate::canonizers::cells::Names;
use crate::joined::JoinedMoves;

/// So many steps are looked ahead.
pub(super) const ROUNDS: usize = 12;
/// A run that ends is followed so far.
const LONGEST_RUN: usize = 10_000;

/// From states from which an error is reached for certain, only the way there is taken.
pub static DOOMED: Part = Part {
    name: "doomed",
    kind: PartKind::Foresight,
    summary: "where an error is reached for certain, only the way to it is taken",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.4"),
    guarantee: Guarantee::ERRORS,
};

pub(super) const ENTRY: ForesightEntry = ForesightEntry { part: &DOOMED, joins: true, find_out };

fn find_out(network: &Network<'_>, facts: &Facts, looks_for: &LooksFor<'_>) -> Result<Arc<dyn Foreknowledge>, NotHere> {
    let names = Names::new(network, facts);
    let Doom { rounds, ends } = doom(&names, facts, looks_for)?;
    let ends = ends.map(|Ends { places, valid }| BoundToEnd { places, valid: Matcher::new(&names, &valid) });
    let ranks = (0..).zip(&rounds).flat_map(|(rank, round)| round.iter().map(move |_| rank)).collect();
    let regions: Vec<Region> = rounds.into_iter().flatten().collect();
    let matcher = Matcher::new(&names, &regions);
    Ok(Arc::new(WaysAhead { matcher, ranks, ends, faults: looks_for.visible.faults.to_vec() }))
}

/// From where an error is reached.
pub(super) struct Doom {
    /// Within how many steps.
    pub rounds: Vec<Vec<Region>>,
    /// Where every run ends as it must not, if that is looked for.
    pub ends: Option<Ends>,
}

/// At which places processes go on for a while only.
type Places = IndexVec<InstanceId, IndexVec<LocationId, bool>>;

/// Where every run ends as it must not.
pub(super) struct Ends {
    /// Where each process goes on for a while only.
    places: Places,
    /// From where it may end as it may.
    valid: Vec<Region>,
}

/// From where an error is reached; an error if nothing is known of that.
pub(super) fn doom(names: &Names<'_>, facts: &Facts, looks_for: &LooksFor<'_>) -> Result<Doom, NotHere> {
    applies(names.network, looks_for)?;
    if !looks_for.visible.one_is_enough {
        return Err(NotHere("all errors are looked for, and of those ahead it takes one".to_owned()));
    }
    let dangers = dangers(names, looks_for)?;
    let rounds = rounds(&Steps::of(names), &dangers, ROUNDS);
    let asks_for_ends = looks_for.visible.faults.contains(&FaultKind::InvalidEndState);
    let ends = if asks_for_ends { ends(names, facts) } else { None };
    if rounds.len() <= 1 && ends.is_none() {
        return Err(NotHere(why_not(&dangers)));
    }
    Ok(Doom { rounds, ends })
}

/// Where every run ends as it must not; `None` if not every process comes to where it goes on for a
/// while only.
fn ends(names: &Names<'_>, facts: &Facts) -> Option<Ends> {
    let places = ending_places(names.network, facts);
    let all_may = names.network.instances.ids().all(|process| {
        let reachable = crate::control::reachable(names.network.template(process));
        reachable.iter().any(|location| places[process][location])
    });
    if !all_may {
        return None;
    }
    let (valid, _) = closure(&Steps::of(names), &valid_ends(names));
    let is_everywhere = valid.iter().any(|region| region.at.is_empty() && region.within.is_empty());
    (!is_everywhere).then_some(Ends { places, valid })
}

fn why_not(dangers: &[super::error::Danger]) -> String {
    match dangers {
        [] => "there is nothing that could go wrong".to_owned(),
        [first, ..] => format!(
            "the states before {} are not described by locations and bounds of variables, and no process is bound to end where it must not",
            first.name
        ),
    }
}

/// The states from which every run ends as it must not.
#[derive(Debug)]
struct BoundToEnd {
    places: Places,
    /// Those from which it may end as it may.
    valid: Matcher,
}

/// What tells doomed states from others.
#[derive(Debug)]
struct WaysAhead {
    matcher: Matcher,
    /// For each region, within how many steps an error is reached.
    ranks: Vec<usize>,
    ends: Option<BoundToEnd>,
    /// The errors that are looked for.
    faults: Vec<FaultKind>,
}

impl Foreknowledge for WaysAhead {
    fn on<'n>(self: Arc<Self>, network: &'n Network<'n>) -> Box<dyn Foresight + 'n> {
        Box::new(Doomed { known: self, network })
    }
}

/// Takes the way to an error.
struct Doomed<'n> {
    known: Arc<WaysAhead>,
    network: &'n Network<'n>,
}

impl Foresight for Doomed<'_> {
    /// What is known lies near an error, where a walk seldom comes: that it has nothing to say of
    /// states on walks tells little.
    fn may_say(&self, state: &[u8]) -> bool {
        self.network.fits(state)
    }

    fn look_ahead(&self, outlook: &Outlook<'_>, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        if !self.network.fits(state) {
            return false;
        }
        match self.rank(state) {
            Some(rank @ 1..) if self.follow(outlook, state, rank, buffer) => true,
            _ if self.is_bound_to_end(state) => self.follow_to_end(outlook, state, buffer),
            _ => false,
        }
    }
}

impl Doomed<'_> {
    /// Within how many steps an error is reached, if that is known.
    #[inline]
    fn rank(&self, state: &[u8]) -> Option<usize> {
        if !self.network.fits(state) {
            return None;
        }
        self.known.matcher.find(self.network, state).map(|region| self.known.ranks[region])
    }

    /// Whether every run from here ends, and none as it may.
    #[inline]
    fn is_bound_to_end(&self, state: &[u8]) -> bool {
        let Some(BoundToEnd { places, valid }) = &self.known.ends else { return false };
        let mut processes = places.iter_enumerated();
        let ends = |(process, places): (InstanceId, &IndexVec<LocationId, bool>)| {
            self.network.location_in(state, process).is_none_or(|location| places[location])
        };
        processes.all(ends) && valid.find(self.network, state).is_none()
    }

    fn is_wanted(&self, fault: &Fault) -> bool {
        self.known.faults.contains(&fault.kind)
    }

    /// Goes along a way to an error on which each state is nearer to it than the one before, and
    /// writes it as one transition. `false`, and nothing is written, if it does not lead there.
    fn follow(&self, outlook: &Outlook<'_>, state: &[u8], rank: usize, buffer: &mut SuccessorBuffer) -> bool {
        let (mut at, mut rank) = (state.to_vec(), rank);
        let mut moves = JoinedMoves::default();
        let mut is_there = false;
        buffer.with_inner(|leaving, way| {
            loop {
                leaving.clear();
                outlook.system.expand_all(&at, leaving);
                let is_error = |successor: &Successor<'_>| {
                    let is_state = |next| outlook.is_error.is_some_and(|is_error| is_error(next));
                    successor.faults.iter().any(|fault| self.is_wanted(fault)) || successor.state.is_some_and(is_state)
                };
                if let Some(last) = leaving.iter().find(is_error) {
                    moves.add(&last);
                    moves.write(last.state, way);
                    is_there = true;
                    return;
                }
                let rank_of = |successor: &Successor<'_>| self.rank(successor.state?);
                let nearest = leaving.iter().filter_map(|successor| Some((rank_of(&successor)?, successor)));
                let Some((next, step)) = nearest.min_by_key(|(rank, _)| *rank).filter(|(next, _)| *next < rank) else {
                    return;
                };
                rank = next;
                moves.add(&step);
                at.clear();
                at.extend_from_slice(step.state.unwrap_or_default());
            }
        });
        if !is_there {
            buffer.clear();
        }
        is_there
    }

    /// Goes along any run to its end, and writes it as one transition. `false`, and nothing is
    /// written, if it ends otherwise than in an invalid end state, or is there already.
    fn follow_to_end(&self, outlook: &Outlook<'_>, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        let mut at = state.to_vec();
        let mut moves = JoinedMoves::default();
        let mut is_there = false;
        buffer.with_inner(|leaving, way| {
            for length in 0..LONGEST_RUN {
                leaving.clear();
                outlook.system.expand_all(&at, leaving);
                if leaving.should_stop() {
                    return;
                }
                if leaving.is_terminal() {
                    is_there = length > 0 && outlook.system.invalid_end(&at).is_some();
                    if is_there {
                        moves.write(Some(&at), way);
                    }
                    return;
                }
                let Some((step, next)) = leaving.iter().find_map(|step| Some((step, step.state?))) else { return };
                if step.faults.iter().any(|fault| self.is_wanted(fault)) {
                    return;
                }
                moves.add(&step);
                at.clear();
                at.extend_from_slice(next);
            }
        });
        if !is_there {
            buffer.clear();
        }
        is_there
    }
}
