//! Languages: the sets of states that a system may be in after what was seen, for two systems at a
//! time.
//!
//! Sets are compared as in the algorithm of Hopcroft and Karp for deterministic automata: two sets
//! that must be equivalent are joined, and pairs that follow from earlier ones are left out. Pairs
//! are taken in the order of their distance, so that a difference comes with a shortest trace.

use std::collections::HashMap;

use ample_stdx::TypedId;

use crate::answer::{Meter, Side, Stopped};
use crate::lts::{LabelId, Lts, StateId, TAU};
use crate::refine::Silent;

/// A trace after which the systems differ.
pub(crate) struct Witness {
    pub(crate) trace: Vec<LabelId>,
    pub(crate) side: Side,
    /// The step that only this one can do; `None` if only this one is marked.
    pub(crate) step: Option<LabelId>,
}

/// What is asked of the traces of two systems.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// Whether they are the same.
    Equal,
    /// Whether each of the first is one of the second.
    Included,
}

/// Compares the traces that begin in two states, and whether a marked state can be reached by each.
///
/// With [`Silent::Inert`], silent steps are not part of a trace. One language is included in
/// another if the union of both is the other one, so that inclusion is a question of equality, too.
pub(crate) fn compare(
    lts: &Lts,
    [first, second]: [StateId; 2],
    question: Question,
    silent: Silent,
    marked: &[bool],
    meter: &mut Meter<'_>,
) -> Result<Option<Witness>, Stopped> {
    let mut sets = Sets::new(lts, silent, marked);
    let leaders = match question {
        Question::Equal => vec![first],
        Question::Included => vec![first, second],
    };
    let first = sets.closed(leaders, meter)?;
    let second = sets.closed(vec![second], meter)?;
    let mut pairs = vec![Pair { sets: (first, second), from: None }];
    let mut next = 0;
    let mut seen = 0;
    sets.join(first, second);
    while next < pairs.len() {
        // A mark is seen one step earlier than a step, so marks come first.
        while let Some(Pair { sets: (one, other), .. }) = pairs.get(seen) {
            if sets.is_marked[*one] != sets.is_marked[*other] {
                let side = if sets.is_marked[*one] { Side::First } else { Side::Second };
                return Ok(Some(Witness { trace: trace(&pairs, seen), side, step: None }));
            }
            seen += 1;
        }
        meter.spend(1, "pairs of sets of states")?;
        let (one, other) = pairs[next].sets;
        let (ours, theirs) = (sets.successors(one, meter)?, sets.successors(other, meter)?);
        if let Some((side, label)) = only_in_one(&ours, &theirs) {
            return Ok(Some(Witness { trace: trace(&pairs, next), side, step: Some(label) }));
        }
        for (&(label, one), &(_, other)) in ours.iter().zip(&theirs) {
            if sets.join(one, other) {
                pairs.push(Pair { sets: (one, other), from: Some((next, label)) });
            }
        }
        next += 1;
    }
    Ok(None)
}

struct Pair {
    sets: (usize, usize),
    /// The pair before and the label between.
    from: Option<(usize, LabelId)>,
}

fn trace(pairs: &[Pair], mut at: usize) -> Vec<LabelId> {
    let mut trace = Vec::new();
    while let Some((before, label)) = pairs[at].from {
        trace.push(label);
        at = before;
    }
    trace.reverse();
    trace
}

/// The first label that is in one of two sorted lists only.
fn only_in_one(ours: &[(LabelId, usize)], theirs: &[(LabelId, usize)]) -> Option<(Side, LabelId)> {
    let is_in = |list: &[(LabelId, usize)], label| list.binary_search_by_key(&label, |entry| entry.0).is_ok();
    let mine = ours.iter().find(|(label, _)| !is_in(theirs, *label)).map(|&(label, _)| (Side::First, label));
    mine.or_else(|| theirs.iter().find(|(label, _)| !is_in(ours, *label)).map(|&(label, _)| (Side::Second, label)))
}

/// Sets of states, each once.
struct Sets<'a> {
    lts: &'a Lts,
    silent: Silent,
    marked: &'a [bool],
    numbers: HashMap<Vec<StateId>, usize>,
    members: Vec<Vec<StateId>>,
    is_marked: Vec<bool>,
    /// The successors of the sets that were asked for them.
    successors: Vec<Option<Vec<(LabelId, usize)>>>,
    /// Which sets were joined: the next one on the way to the representative.
    joined: Vec<usize>,
    /// The last search that saw a state.
    seen: Vec<u32>,
    searches: u32,
}

impl<'a> Sets<'a> {
    fn new(lts: &'a Lts, silent: Silent, marked: &'a [bool]) -> Sets<'a> {
        Sets {
            lts,
            silent,
            marked,
            numbers: HashMap::new(),
            members: Vec::new(),
            is_marked: Vec::new(),
            successors: Vec::new(),
            joined: Vec::new(),
            seen: vec![0; lts.state_count()],
            searches: 0,
        }
    }

    /// The set of these states and of all that silent steps lead to, if these are not seen.
    fn closed(&mut self, mut states: Vec<StateId>, meter: &mut Meter<'_>) -> Result<usize, Stopped> {
        // After 2^32 searches a state might pass for seen that is not; the work is limited long
        // before.
        self.searches = self.searches.wrapping_add(1);
        states.retain(|state| std::mem::replace(&mut self.seen[state.index()], self.searches) != self.searches);
        let mut next = 0;
        while self.silent == Silent::Inert && next < states.len() {
            for edge in self.lts.edges_with(states[next], TAU) {
                if std::mem::replace(&mut self.seen[edge.to.index()], self.searches) != self.searches {
                    states.push(edge.to);
                }
            }
            next += 1;
        }
        meter.spend(states.len(), "states in sets of states")?;
        states.sort_unstable();
        if let Some(&number) = self.numbers.get(&states) {
            return Ok(number);
        }
        let number = self.members.len();
        self.is_marked.push(states.iter().any(|state| self.marked[state.index()]));
        self.numbers.insert(states.clone(), number);
        self.members.push(states);
        self.successors.push(None);
        self.joined.push(number);
        Ok(number)
    }

    /// The sets after each label, sorted by label.
    fn successors(&mut self, set: usize, meter: &mut Meter<'_>) -> Result<Vec<(LabelId, usize)>, Stopped> {
        if let Some(known) = &self.successors[set] {
            return Ok(known.clone());
        }
        let edges = self.members[set].iter().flat_map(|&state| self.lts.edges(state)).copied();
        let mut edges: Vec<_> = edges.filter(|edge| self.silent == Silent::Seen || edge.label != TAU).collect();
        meter.spend(edges.len(), "states in sets of states")?;
        edges.sort_unstable();
        let mut successors = Vec::new();
        for group in edges.chunk_by(|one, other| one.label == other.label) {
            let next = self.closed(group.iter().map(|edge| edge.to).collect(), meter)?;
            successors.push((group[0].label, next));
        }
        self.successors[set] = Some(successors.clone());
        Ok(successors)
    }

    fn representative(&mut self, mut set: usize) -> usize {
        while self.joined[set] != set {
            self.joined[set] = self.joined[self.joined[set]];
            set = self.joined[set];
        }
        set
    }

    /// Joins two sets; tells whether they were apart.
    fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.representative(one), self.representative(other));
        self.joined[other] = one;
        one != other
    }
}
