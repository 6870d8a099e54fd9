//! Ample sets decided before the search (Holzmann and Peled: An improvement in formal
//! verification).
//!
//! A location of a process is *safe* if all transitions of the process there, the disabled ones
//! included, are independent of all transitions that other processes ever take, and others cannot
//! enable the disabled ones, at least while some conditions hold (see `facts::Safety`). In a state,
//! the enabled transitions of a process at a safe location are a candidate. During the search this
//! is a look-up in a table.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::EdgeId;
use ample_network::Network;
use ample_network::facts::{Condition, Facts, InstanceId, Safety, TransitionId};
use ample_stdx::{IndexVec, TypedId};
use ample_transition::{Candidate, Expander, Move, Pid, ProcessViews, SuccessorBuffer, View};

use crate::lookup::Lookup;
use crate::views::Numbered;

/// Ample sets decided before the search.
pub static STATIC: Part = Part {
    name: "static",
    kind: PartKind::Expander,
    summary: "a process whose statements nobody can disturb moves first; decided before the search",
    paper: Some("Holzmann and Peled: An improvement in formal verification (FORTE 1994)"),
    guarantee: Guarantee::STUTTERING,
};

/// Offers the enabled transitions of one process at a safe location: the candidates are in the
/// order in which the successors are.
pub struct StaticAmple<'n> {
    lookup: Lookup<'n>,
    /// Whether the source of each edge of each process is safe.
    rules: IndexVec<InstanceId, IndexVec<EdgeId, Rule>>,
    /// What was seen of processes.
    seen: Numbered<SeenMoves>,
}

/// What of a process with moves the candidates depend on.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct SeenMoves {
    process: Pid,
    /// If it is at a safe location, as far as can be seen: the transitions of which each must be
    /// enabled besides.
    when: Option<Vec<TransitionId>>,
    /// For each move the transition and the partner, if they are known or there is one.
    moves: Vec<(Option<TransitionId>, Option<Pid>)>,
    has_partners: bool,
}

/// When a location is safe.
#[derive(Clone)]
enum Rule {
    Never,
    Always,
    When(Vec<Condition>),
}

impl<'n> StaticAmple<'n> {
    /// Prepares the table of safe locations.
    pub fn new(network: &'n Network<'n>, facts: &'n Facts) -> Self {
        let rule = |instance: InstanceId, location| match facts.safety(instance, location) {
            Safety::Never(_) => Rule::Never,
            Safety::Always => Rule::Always,
            Safety::When(conditions) => Rule::When(conditions.clone()),
        };
        let rules = |(number, instance): (usize, &ample_network::Instance)| {
            let edges = network.model.templates[instance.template].edges.iter();
            edges.map(|edge| rule(InstanceId::from_index(number), edge.source)).collect()
        };
        let rules = network.instances.iter().enumerate().map(rules).collect();
        StaticAmple { lookup: Lookup::new(network, facts), rules, seen: Numbered::new() }
    }

    /// Whether the process that makes this move is at a safe location: its enabled transitions are
    /// then an ample set.
    #[inline]
    pub(crate) fn is_safe(&self, state: &[u8], step: Move, successors: &SuccessorBuffer) -> bool {
        let Some(instance) = self.lookup.instance(state, step.process) else { return false };
        match &self.rules[instance][step.edge] {
            Rule::Never => false,
            Rule::Always => true,
            Rule::When(conditions) => conditions.iter().all(|condition| self.holds(state, *condition, successors)),
        }
    }

    fn holds(&self, state: &[u8], condition: Condition, successors: &SuccessorBuffer) -> bool {
        match condition {
            Condition::Enabled(transition) => successors.iter().any(|successor| {
                let first = successor.moves.first();
                first.and_then(|step| self.lookup.transition(state, *step)) == Some(transition)
            }),
            of_channel => self.lookup.holds(state, of_channel),
        }
    }
}

impl Expander for StaticAmple<'_> {
    fn candidate(&self, state: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        let mut before = None;
        let mut offered = 0;
        // The transitions of one process follow each other. A loop by hand: this is asked in every
        // state, and iterators took a fifth more instructions here.
        for successor in successors.iter() {
            let Some(&step) = successor.moves.first() else { return false };
            if before.replace(step.process) == Some(step.process) || !self.is_safe(state, step, successors) {
                continue;
            }
            candidate.transitions.clear();
            candidate.transitions.extend(moves_of(successors, step.process));
            if candidate.transitions.len() == successors.len() {
                continue;
            }
            if offered == number {
                return true;
            }
            offered += 1;
        }
        false
    }

    fn has_failed(&self) -> bool {
        false
    }

    fn process_views(&self) -> Option<&dyn ProcessViews> {
        Some(self)
    }
}

impl ProcessViews for StaticAmple<'_> {
    fn view(&self, process: usize, state: &[u8], moves: &SuccessorBuffer) -> Option<u16> {
        self.seen.number(self.see(process, state, moves)?)
    }

    fn choose(&self, views: &[View], number: usize, candidate: &mut Candidate) -> bool {
        choose_safe(views, |number| self.seen.get(number), number, candidate)
    }
}

/// What is to be seen of a process apart.
impl StaticAmple<'_> {
    /// Of a process whose moves these are; nothing if one is not known.
    pub(crate) fn see(&self, process: usize, state: &[u8], moves: &SuccessorBuffer) -> Option<SeenMoves> {
        let first = moves.iter().next().and_then(|successor| successor.moves.first().copied());
        let when = first.and_then(|step| self.when(state, step));
        let see = |step: &Move| (self.lookup.transition(state, *step), step.partner.map(|(partner, _)| partner));
        let moves: Vec<_> = moves.iter().map(|successor| successor.moves.first().map(see)).collect::<Option<_>>()?;
        let has_partners = moves.iter().any(|(_, partner)| partner.is_some());
        Some(SeenMoves { process: process as Pid, when, moves, has_partners })
    }

    /// If the process that makes this move is at a safe location, as far as the process itself
    /// tells: the transitions of which each must be enabled besides.
    fn when(&self, state: &[u8], step: Move) -> Option<Vec<TransitionId>> {
        let conditions = match &self.rules[self.lookup.instance(state, step.process)?][step.edge] {
            Rule::Never => return None,
            Rule::Always => return Some(Vec::new()),
            Rule::When(conditions) => conditions,
        };
        let asked = |condition: &Condition| match condition {
            Condition::Enabled(transition) => Some(Some(*transition)),
            of_channel => self.lookup.holds(state, *of_channel).then_some(None),
        };
        let asked: Vec<Option<TransitionId>> = conditions.iter().map(asked).collect::<Option<_>>()?;
        Some(asked.into_iter().flatten().collect())
    }
}

/// The candidate with this number from what is to be seen of each process, by the number of its
/// view.
pub(crate) fn choose_safe<'v>(
    views: &[View],
    seen: impl Fn(u16) -> Option<&'v SeenMoves> + Copy,
    number: usize,
    candidate: &mut Candidate,
) -> bool {
    let all: usize = views.iter().map(|view| usize::from(view.moves)).sum();
    let moving = || views.iter().filter(|view| view.moves > 0).filter_map(|view| seen(view.number));
    let is_enabled = |id: &TransitionId| moving().any(|seen| seen.moves.iter().any(|(named, _)| named == &Some(*id)));
    let mut offered = 0;
    for (position, view) in views.iter().enumerate().filter(|(_, view)| view.moves > 0) {
        let safe = seen(view.number).and_then(|seen| Some((seen.process, seen.when.as_ref()?)));
        let Some((process, when)) = safe else { continue };
        if !when.iter().all(is_enabled) {
            continue;
        }
        choose_moves(views, seen, (position, process), &mut candidate.transitions);
        if candidate.transitions.len() == all {
            continue;
        }
        if offered == number {
            return true;
        }
        offered += 1;
    }
    false
}

/// Writes the numbers of the moves in which a process takes part, of which this is the view.
fn choose_moves<'v>(
    views: &[View],
    seen: impl Fn(u16) -> Option<&'v SeenMoves>,
    (position, process): (usize, Pid),
    transitions: &mut Vec<usize>,
) {
    transitions.clear();
    let mut start = 0;
    for (other, view) in views.iter().enumerate() {
        let end = start + usize::from(view.moves);
        if other == position {
            transitions.extend(start..end);
        } else if let Some(seen) = seen(view.number).filter(|seen| view.moves > 0 && seen.has_partners) {
            let with = (start..).zip(&seen.moves).filter(|(_, (_, partner))| *partner == Some(process));
            transitions.extend(with.map(|(number, _)| number));
        }
        start = end;
    }
}

/// The numbers of the successors in whose first move a process takes part.
pub(crate) fn moves_of(successors: &SuccessorBuffer, pid: Pid) -> impl Iterator<Item = usize> {
    let is_one = move |step: &Move| step.process == pid || step.partner.is_some_and(|(partner, _)| partner == pid);
    let numbered = successors.iter().enumerate();
    numbered.filter(move |(_, successor)| successor.moves.first().is_some_and(is_one)).map(|(number, _)| number)
}
