//! Simulation: whether one state can follow another step by step, for ever.

use std::collections::{HashMap, VecDeque};

use crate::answer::{Answer, Difference, Finding, Follow, Meter, Side, Stopped};
use crate::lts::{LabelId, Lts, StateId};

/// Which of two systems the other is to follow.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Followed {
    First,
    Both,
}

/// What a leader does, and what a follower may answer: the same states with other edges. A state
/// can follow itself.
#[derive(Copy, Clone)]
pub(crate) struct Simulation<'a> {
    pub(crate) steps: &'a Lts,
    pub(crate) answers: &'a Lts,
}

impl Simulation<'_> {
    /// Whether two states can follow each other, or the second the first.
    pub(crate) fn compare(
        self,
        [first, second]: [StateId; 2],
        followed: Followed,
        meter: &mut Meter<'_>,
    ) -> Result<Answer, Stopped> {
        let forth = self.escape(first, second, meter);
        let back = match followed {
            Followed::First => Ok(None),
            Followed::Both => self.escape(second, first, meter),
        };
        let (side, escape) = match (forth, back) {
            (Ok(Some(escape)), _) => (Side::First, escape),
            (_, Ok(Some(escape))) => (Side::Second, escape),
            (Err(stopped), _) | (_, Err(stopped)) => return Err(stopped),
            (Ok(None), Ok(None)) => return Ok(Answer::Equivalent),
        };
        Ok(Answer::Different(escape.difference(self.steps, side)))
    }

    /// A run of `leader` that `follower` cannot follow, if there is one. Pairs fail in the order of
    /// how many steps it takes.
    fn escape(self, leader: StateId, follower: StateId, meter: &mut Meter<'_>) -> Result<Option<Escape>, Stopped> {
        let mut game = Game {
            simulation: self,
            pairs: Vec::new(),
            numbers: HashMap::new(),
            demands: Vec::new(),
            failed: VecDeque::new(),
        };
        game.pair(leader, follower);
        let mut next = 0;
        while next < game.pairs.len() {
            game.expand(next, meter)?;
            next += 1;
        }
        game.spread_failures();
        Ok(game.escape())
    }
}

/// A run that the other cannot follow.
struct Escape {
    path: Vec<LabelId>,
    end: EscapeEnd,
}

enum EscapeEnd {
    Step(LabelId),
    Letter(StateId),
}

impl Escape {
    fn difference(self, lts: &Lts, side: Side) -> Difference {
        let path = self.path.iter().map(|&label| lts.label(label).to_owned()).collect();
        let finding = match self.end {
            EscapeEnd::Step(label) => Finding::Step(lts.label(label).to_owned()),
            EscapeEnd::Letter(state) => Finding::Letter(lts.letter(lts.letter_of(state)).to_owned()),
        };
        let (leader, follower) = match side {
            Side::First => ("first", "second"),
            Side::Second => ("second", "first"),
        };
        let note = Some(format!("the {follower} does not simulate the {leader}"));
        Difference { path, follow: Follow::StepByStep, side, finding, note }
    }
}

/// A pair of states: the second is to follow the first.
struct Pair {
    leader: StateId,
    follower: StateId,
    /// Why the follower cannot: the step of the leader, and the pair that the best answer leads to.
    failure: Option<Failure>,
    /// The demands that this pair is an answer to.
    answers: Vec<usize>,
}

#[derive(Copy, Clone)]
enum Failure {
    Letter,
    Step(LabelId),
    Later(LabelId, usize),
}

/// A step of a leader that wants an answer.
struct Demand {
    pair: usize,
    label: LabelId,
    /// How many answers have not failed yet.
    left: usize,
}

/// Pairs that can be met, from one on. All that have not failed in the end are a simulation, the
/// largest on these pairs.
struct Game<'a> {
    simulation: Simulation<'a>,
    pairs: Vec<Pair>,
    numbers: HashMap<(StateId, StateId), usize>,
    demands: Vec<Demand>,
    failed: VecDeque<usize>,
}

impl Game<'_> {
    fn pair(&mut self, leader: StateId, follower: StateId) -> usize {
        if let Some(&number) = self.numbers.get(&(leader, follower)) {
            return number;
        }
        let number = self.pairs.len();
        self.numbers.insert((leader, follower), number);
        self.pairs.push(Pair { leader, follower, failure: None, answers: Vec::new() });
        number
    }

    fn fail(&mut self, pair: usize, failure: Failure) {
        if self.pairs[pair].failure.is_none() {
            self.pairs[pair].failure = Some(failure);
            self.failed.push_back(pair);
        }
    }

    /// Makes the demands of a pair. A state follows itself, so such pairs have none.
    fn expand(&mut self, pair: usize, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let Simulation { steps: lts, answers: theirs } = self.simulation;
        let (leader, follower) = (self.pairs[pair].leader, self.pairs[pair].follower);
        if lts.letter_of(leader) != lts.letter_of(follower) {
            self.fail(pair, Failure::Letter);
            return Ok(());
        }
        let edges = if leader == follower { &[] } else { lts.edges(leader) };
        if let Some(edge) = edges.iter().find(|edge| theirs.edges_with(follower, edge.label).is_empty()) {
            self.fail(pair, Failure::Step(edge.label));
            return Ok(());
        }
        for edge in edges {
            let answers = theirs.edges_with(follower, edge.label);
            // An answer, and the pair it may bring, take more memory than a member of a set.
            meter.spend(16 * answers.len(), "pairs of states")?;
            self.demands.push(Demand { pair, label: edge.label, left: answers.len() });
            for answer in answers {
                let next = self.pair(edge.to, answer.to);
                self.pairs[next].answers.push(self.demands.len() - 1);
            }
        }
        Ok(())
    }

    fn spread_failures(&mut self) {
        while let Some(failed) = self.failed.pop_front() {
            for demand in std::mem::take(&mut self.pairs[failed].answers) {
                let demand = &mut self.demands[demand];
                demand.left -= 1;
                if demand.left == 0 {
                    let (pair, label) = (demand.pair, demand.label);
                    self.fail(pair, Failure::Later(label, failed));
                }
            }
        }
    }

    fn escape(&self) -> Option<Escape> {
        let mut at = 0;
        let mut path = Vec::new();
        loop {
            let end = match self.pairs[at].failure? {
                Failure::Later(label, next) => {
                    path.push(label);
                    at = next;
                    continue;
                }
                Failure::Step(label) => EscapeEnd::Step(label),
                Failure::Letter => EscapeEnd::Letter(self.pairs[at].leader),
            };
            return Some(Escape { path, end });
        }
    }
}
