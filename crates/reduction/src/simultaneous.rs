//! Simultaneous reachability analysis (Ozdemir, Ural: Protocol validation by simultaneous
//! reachability analysis, 1997; Pelánek's thesis, section 3.3.2).
//!
//! Partial order reduction takes one of the sets of transitions that are enough in a state. Here
//! disjoint ones, such as those of different processes, are taken together: a transition is one of
//! each, in every combination. It leads where they lead one after the other, in whatever order, and
//! the states between are not stored. The argument: a set that is enough in a state is enough after
//! a transition of another one, too, since until one of its own is taken nothing occurs that
//! depends on them. So this is a partial order reduction that takes one set after the other. It
//! does not rely on that: in each state on the way it goes on only by a set that the expander
//! offers there again.
//!
//! The sets obey the other conditions each for itself: no visible transition, if anything is
//! visible, and no sticky one, so that every cycle has a state with all transitions. The paper
//! allows a visible move in each combination; then a run on which other processes go on for ever,
//! and this move never comes, would be lost.
//!
//! No error is passed over: a transition that ends a run in an error is in none of the sets, and of
//! other errors a combination has those of all its transitions.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_transition::{Candidate, Expander, Fault, Move, StateLength, SuccessorBuffer, Successors};

use crate::joined::JoinedMoves;

/// Sets that are enough are taken together.
pub static SIMULTANEOUS: Part = Part {
    name: "simultaneous",
    kind: PartKind::Expander,
    summary: "of several processes that may move first, each moves, in one transition",
    paper: Some("Ozdemir, Ural: Protocol validation by simultaneous reachability analysis (1997)"),
    guarantee: Guarantee::STUTTERING,
};

/// A state gets no more transitions than these by combinations: further sets wait.
const MOST_COMBINATIONS: usize = 64;

/// No more sets are combined.
const MOST_SETS: usize = 64;

/// The system in which disjoint candidates of an expander are taken together.
pub(crate) struct Combinations<'a> {
    /// The full system.
    pub system: &'a dyn Successors,
    /// Offers candidates.
    pub expander: &'a dyn Expander,
}

/// A candidate.
struct CandidateSet {
    /// The numbers of its transitions.
    transitions: Vec<usize>,
    /// How each of them begins: by that it is known in other states.
    first_moves: Vec<Move>,
}

impl CandidateSet {
    fn of(candidate: &Candidate, successors: &SuccessorBuffer) -> CandidateSet {
        let transitions = candidate.transitions.clone();
        CandidateSet { first_moves: first_moves(&transitions, successors).collect(), transitions }
    }
}

fn first_moves<'s>(transitions: &'s [usize], successors: &'s SuccessorBuffer) -> impl Iterator<Item = Move> + 's {
    transitions.iter().filter_map(|number| successors.get(*number)?.moves.first().copied())
}

impl Combinations<'_> {
    /// Disjoint candidates of a state.
    fn disjoint(&self, state: &[u8], successors: &SuccessorBuffer, candidate: &mut Candidate) -> Vec<CandidateSet> {
        let (mut sets, mut combinations) = (Vec::<CandidateSet>::new(), 1);
        for number in 0.. {
            if sets.len() == MOST_SETS || !self.expander.candidate(state, successors, number, candidate) {
                break;
            }
            let is_taken = |number: &usize| sets.iter().any(|set| set.transitions.contains(number));
            let fits = sets.is_empty() || combinations * candidate.transitions.len() <= MOST_COMBINATIONS;
            if fits && candidate.leads_on(successors) && !candidate.transitions.iter().any(is_taken) {
                combinations *= candidate.transitions.len();
                sets.push(CandidateSet::of(candidate, successors));
            }
        }
        sets
    }

    /// The transitions of a set in a state after the one in which it was found, if it is a
    /// candidate there, too.
    fn again(
        &self,
        set: &CandidateSet,
        state: &[u8],
        successors: &SuccessorBuffer,
        candidate: &mut Candidate,
    ) -> Option<Vec<usize>> {
        let mut numbers = 0..;
        while self.expander.candidate(state, successors, numbers.next()?, candidate) {
            let is_it = first_moves(&candidate.transitions, successors).eq(set.first_moves.iter().copied());
            if is_it && candidate.leads_on(successors) {
                return Some(candidate.transitions.clone());
            }
        }
        None
    }
}

/// A transition on its way through the states between.
struct Way<'w> {
    combinations: &'w Combinations<'w>,
    candidate: &'w mut Candidate,
    moves: JoinedMoves,
    joined: &'w mut SuccessorBuffer,
}

impl Way<'_> {
    /// Takes each of these transitions of a state, and after it one of each set that is left.
    fn take(&mut self, chosen: &[usize], leaving: &mut SuccessorBuffer, left: &[CandidateSet]) {
        for number in chosen {
            let Some(step) = leaving.get(*number) else { continue };
            let before = self.moves.mark();
            self.moves.add(&step);
            match step.state.map(<[u8]>::to_vec) {
                None => self.moves.write(None, self.joined),
                Some(next) => leaving.with_inner(|after, _| self.go_on(&next, after, left)),
            }
            self.moves.back_to(before);
        }
    }

    /// Goes on by the next set that is a candidate in this state; if none is, the transition ends.
    fn go_on(&mut self, state: &[u8], leaving: &mut SuccessorBuffer, left: &[CandidateSet]) {
        if let [next, ..] = left {
            self.combinations.system.expand_all(state, leaving);
            if !leaving.should_stop()
                && let Some(chosen) = self.combinations.again(next, state, leaving, self.candidate)
            {
                return self.take(&chosen, leaving, &left[1..]);
            }
        }
        self.moves.write(Some(state), self.joined);
    }
}

impl Successors for Combinations<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        self.system.initial()
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        let mut scratch = buffer.take_scratch();
        buffer.with_inner(|leaving, joined| {
            self.system.expand_all(state, leaving);
            joined.set_able(leaving.able());
            let sets = self.disjoint(state, leaving, &mut scratch.candidate);
            let (candidate, moves) = (&mut scratch.candidate, JoinedMoves::default());
            let mut way = Way { combinations: self, candidate, moves, joined };
            match sets.split_first() {
                None => way.take(&(0..leaving.len()).collect::<Vec<_>>(), leaving, &[]),
                Some((first, left)) => way.take(&first.transitions, leaving, left),
            }
        });
        buffer.give_scratch(scratch);
    }

    fn state_length(&self) -> StateLength {
        self.system.state_length()
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.system.invalid_end(state)
    }
}
