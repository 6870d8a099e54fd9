//! `--under interleaving`: locations become interleaving one after the other (Pelánek 2006, section
//! 3.3.3; see [`Interleaving`](ample_reduction::Interleaving)).
//!
//! Which locations may stay as they are when the approximation is exact is settled beforehand. The
//! others are missing until they are interleaving; one where a process may go first at times only
//! then goes first at just these times. So there are no more runs than locations of processes, and
//! one.
//!
//! Where all processes are at interleaving locations everything is taken, so that each run explores
//! all that the one before did; unless `--por` names a reduction, which then chooses there, and
//! avoids what would close a cycle with what goes first.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::LocationId;
use ample_network::facts::{InstanceId, Safety, TransitionId};
use ample_reduction::{Always, ExpanderEntry, Interleaving, Schedule, Turn, Turns};
use ample_stdx::{BitSet, IndexVec};

use super::approximation::{
    self, Approximation, Ends, LeavesOut, Loop, Missing, Recent, Saw, Start, What, describe_location,
};
use crate::error::CheckError;
use crate::layers::SearchLayers;
use crate::layers::reduction::{self, ConfiguredReduction, Seen};
use crate::options::{Choice, Options};
use crate::run::iteration::Added;
use crate::system::Reducible;

const SEEN: &str = "the property sees it";
const DISTURBED: &str = "others may disturb it";
const AT_TIMES: &str = "others may disturb it at times";
const CYCLE: &str = "it closes a cycle of its process";

/// Under-approximation by interleaving locations.
pub static INTERLEAVING: Part = Part {
    name: "interleaving",
    kind: PartKind::Under,
    summary: "one process runs at a time; locations where others take turns are added, until enough are",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking (2006), section 3.3.3"),
    guarantee: Guarantee::NOT_EXACT_YET,
};

/// What stays in the end is no more than what is safe beforehand, with what is sticky kept apart.
pub(super) const LOOP: Loop = Loop {
    part: &INTERLEAVING,
    refuse,
    leaves_out: LeavesOut::Transitions { expander: &ample_reduction::STATIC, ends: Ends::Sticky, begin },
};

fn refuse(options: &Options) -> Result<(), CheckError> {
    if let Choice::Named(name) = &options.cycle_condition {
        let why = format!("--under interleaving does not go with --proviso {name}: locations alone decide");
        return Err(CheckError::Conflict(why));
    }
    if approximation::begin(options).is_some() {
        let why =
            "--under interleaving does not go with --begin: it is about locations, and no transition is sensitive";
        return Err(CheckError::Conflict(why.to_owned()));
    }
    Ok(())
}

fn begin<'a>(start: Start<'_, 'a>) -> Box<dyn Approximation<'a> + 'a> {
    let Start { options, plan, known, goal } = start;
    let visible = Seen::by(known, goal).by_any();
    let exact = Interleaving::exact(known.network, known.facts(), &visible);
    let is_asked_for = options.por != Choice::Auto;
    let turns = Interleaving::none_interleaving(known.network);
    let place = |(instance, locations): (InstanceId, &IndexVec<LocationId, Turn>)| {
        locations.ids().map(move |location| (instance, location))
    };
    Box::new(Locations {
        places: turns.iter_enumerated().flat_map(place).collect(),
        otherwise: plan.reduction.map(|(expander, _)| expander).filter(|_| is_asked_for),
        known,
        visible,
        avoided: exact.avoided,
        turns,
        goal: exact.turns,
        recent: Recent::default(),
    })
}

struct Locations<'a> {
    /// Every location of every process.
    places: Vec<(InstanceId, LocationId)>,
    /// What chooses where all processes are at interleaving locations.
    otherwise: Option<&'static ExpanderEntry>,
    known: Reducible<'a>,
    visible: BitSet<TransitionId>,
    avoided: BitSet<TransitionId>,
    turns: Turns,
    /// The turns of the exact approximation.
    goal: Turns,
    recent: Recent,
}

impl Locations<'_> {
    fn reason(&self, instance: InstanceId, location: LocationId) -> &'static str {
        let facts = self.known.facts();
        let is_seen = facts.at(instance, location).iter().any(|id| self.visible.contains(*id));
        match (facts.safety(instance, location), self.goal[instance][location]) {
            _ if is_seen => SEEN,
            (Safety::Never(_), _) => DISTURBED,
            (Safety::When(_), Turn::FirstIfSafe) => AT_TIMES,
            _ => CYCLE,
        }
    }

    /// Whether a process goes first here, and must not always.
    fn is_missing(&self, instance: InstanceId, location: LocationId) -> bool {
        let is_spared = |id: &TransitionId| self.recent.spared.contains(*id);
        self.turns[instance][location] != self.goal[instance][location]
            && !self.known.facts().at(instance, location).iter().all(is_spared)
    }

    fn taken(&self, instance: InstanceId, location: LocationId) -> u64 {
        self.known.facts().at(instance, location).iter().map(|id| self.recent.taken(*id)).sum()
    }
}

impl<'a> Approximation<'a> for Locations<'a> {
    fn layers(&self) -> SearchLayers<'a> {
        let (network, facts) = (self.known.network, self.known.facts());
        let otherwise = self.otherwise.map(|entry| (entry.make)(network, facts));
        let otherwise = otherwise.map(|expander| reduction::avoiding(expander, self.known, self.avoided.clone()));
        let schedule = Schedule { now: self.turns.clone(), exact: self.goal.clone() };
        let expander = Interleaving::new(network, facts, schedule, otherwise);
        let expander = reduction::applied(Box::new(expander), self.known);
        SearchLayers::reduced(Some(ConfiguredReduction { expander, condition: &Always, notes: None, join: None }))
    }

    fn saw(&mut self, seen: &Saw<'_>) {
        self.recent = Recent::of(self.known, seen);
    }

    fn missing(&self) -> Vec<Missing> {
        let is_missing =
            |(_, (instance, location)): &(usize, &(InstanceId, LocationId))| self.is_missing(*instance, *location);
        let missing = |(number, &(instance, location)): (usize, &(InstanceId, LocationId))| Missing {
            what: What(number),
            reason: self.reason(instance, location),
            is_needed: true,
            weight: 0,
            taken: self.taken(instance, location),
        };
        self.places.iter().enumerate().filter(is_missing).map(missing).collect()
    }

    fn describe(&self, missing: &Missing) -> Added {
        let (instance, location) = self.places[missing.what.0];
        describe_location(self.known, instance, location, missing.reason)
    }

    fn add(&mut self, What(number): What) {
        let (instance, location) = self.places[number];
        self.turns[instance][location] = self.goal[instance][location];
    }
}
