//! The ways to ask, one after the other: each technique alone, then together what promises most.
//!
//! From the best way so far the next ones differ by one part: one more reduction, one less, another
//! cycle condition, another order. The best of these is where it goes on, until none is better or
//! the time is over.

use std::time::Duration;

use ample_check::{CheckError, Cost, Goal, Prepared, Question, Way, states_at};
use ample_guarantee::Part;
use ample_search::{DFS, Progress, Sample};
use ample_stdx::Stop;

use crate::asked::Advise;
use crate::choice::{self, NO_TIME};
use crate::look::{Patience, look};
use crate::neighbours::{all_passes, neighbours, singles};
use crate::tried::{Ask, Came, Searched, Tried};

/// The first states may take so much, and no more than one part in so many of what is left.
const FIRST_LOOK: Duration = Duration::from_secs(2);
const FIRST_PART: u32 = 10;

/// A search to the end may take one part in so many of what is left.
const END_PART: u32 = 3;

/// What takes so many times as long as the best is not gone on with.
const WORSE: f64 = 1.2;

/// So many of those that promise most go on to their end, if nothing came to one.
const MOST_ENDS: usize = 3;

/// So many of the fastest are measured again.
const AGAIN: usize = 3;

/// So often a way is measured again that took time where others took none.
const OUTLIERS: usize = 3;

/// All that was found out about a question.
pub(crate) struct Survey<'a> {
    advise: &'a Advise<'a>,
    prepared: &'a Prepared<'a>,
    question: &'a Question,
    stop: Stop,
    tried: Vec<Tried>,
    /// The states beside those of the full search, as a guess; by the number of the way.
    shares: Vec<Option<f64>>,
    /// The first states of the full search.
    full: Vec<Sample>,
}

impl<'a> Survey<'a> {
    pub fn new(advise: &'a Advise<'a>, prepared: &'a Prepared<'a>, question: &'a Question, stop: Stop) -> Survey<'a> {
        Survey { advise, prepared, question, stop, tried: Vec::new(), shares: Vec::new(), full: Vec::new() }
    }

    pub fn into_tried(self) -> Vec<Tried> {
        self.tried
    }

    /// Whether there is no time for more.
    pub fn is_over(&self) -> bool {
        self.stop.is_due()
    }

    /// Tries all there is to try, as long as there is time.
    pub fn run(&mut self, progress: &mut dyn Progress) -> Result<(), CheckError> {
        self.look(&Ask::In(Way::default()), None, progress)?;
        for (part, way) in singles(self.advise, &self.question.goal) {
            self.look(&Ask::In(way), Some(part), progress)?;
        }
        self.look(&Ask::ByItself, None, progress)?;
        self.climb(progress)?;
        if !self.has_settled() {
            self.go_on(progress)?;
            self.climb(progress)?;
        }
        self.measure_again(progress)
    }

    /// From the best way to better ones.
    fn climb(&mut self, progress: &mut dyn Progress) -> Result<(), CheckError> {
        if let Some(way) = all_passes(&self.tried) {
            self.look(&Ask::In(way), None, progress)?;
        }
        let mut here = None;
        while !self.is_over() && here != self.best_way() {
            here = self.best_way();
            let Some(way) = here.and_then(|at| self.way(at)).cloned() else { break };
            for next in neighbours(self.advise, &self.question.goal, &way, &self.tried) {
                self.look(&Ask::In(next), None, progress)?;
            }
        }
        Ok(())
    }

    fn way(&self, at: usize) -> Option<&Way> {
        match &self.tried.get(at)?.ask {
            Ask::In(way) => Some(way),
            Ask::ByItself => None,
        }
    }

    /// The best of those that say what they do.
    fn best_way(&self) -> Option<usize> {
        let named: Vec<usize> = (0..self.tried.len()).filter(|at| self.way(*at).is_some()).collect();
        let ways: Vec<Tried> = named.iter().map(|at| self.tried[*at].clone()).collect();
        choice::best(&ways).map(|at| named[at])
    }

    /// Looks at the first states of a way, and goes on to its end if it may be the best.
    fn look(
        &mut self,
        ask: &Ask,
        single: Option<&'static Part>,
        progress: &mut dyn Progress,
    ) -> Result<(), CheckError> {
        if self.is_over() || self.tried.iter().any(|tried| tried.ask == *ask) {
            return Ok(());
        }
        progress.begin(&format!("way {}", self.tried.len() + 1));
        let time = self.part(FIRST_PART).map_or(FIRST_LOOK, |part| part.min(FIRST_LOOK));
        let (came, samples) = self.search(ask, Patience::First(time), progress)?;
        if self.tried.is_empty() {
            self.full = samples.clone();
        }
        let (mut came, mut share) = (came, None);
        if let Came::Searched(searched) = &mut came {
            (share, searched.estimate) = self.guess(ask, searched.order, &samples);
        }
        self.tried.push(Tried { ask: ask.clone(), single, came });
        self.shares.push(share);
        let at = self.tried.len() - 1;
        for _ in 0..OUTLIERS {
            if self.is_outlier(at) {
                self.again(at, progress)?;
            }
        }
        self.finish_if_near(at, progress)
    }

    /// Whether a way that is as good as any by its states took time where others took none:
    /// somebody else may have used the machine.
    fn is_outlier(&self, at: usize) -> bool {
        let Some(own) = self.tried[at].settled().filter(|own| own.seconds >= NO_TIME) else { return false };
        let quick = || self.tried.iter().filter_map(Tried::settled).filter(|other| other.seconds < NO_TIME);
        quick().next().is_some() && quick().all(|other| own.counts.states <= other.counts.states)
    }

    /// Measures a way once more; the shorter time counts.
    fn again(&mut self, at: usize, progress: &mut dyn Progress) -> Result<(), CheckError> {
        let before = self.tried[at].clone();
        let Some(seconds) = before.settled().map(|searched| searched.seconds) else { return Ok(()) };
        self.finish(at, Duration::from_secs_f64(2.0 * seconds), progress)?;
        if self.tried[at].settled().is_none_or(|now| now.seconds > seconds) {
            self.tried[at] = before;
        }
        Ok(())
    }

    fn search(
        &self,
        ask: &Ask,
        patience: Patience,
        progress: &mut dyn Progress,
    ) -> Result<(Came, Vec<Sample>), CheckError> {
        look(self.advise, (self.prepared, self.question), ask, patience, progress)
    }

    /// One part in so many of the time that is left, if it is limited.
    fn part(&self, parts: u32) -> Option<Duration> {
        self.stop.share(parts).left()
    }

    /// The states and the time of a way beside those of the full search, as far as its first states
    /// tell.
    fn guess(&self, ask: &Ask, order: Option<&str>, samples: &[Sample]) -> (Option<f64>, Option<f64>) {
        let (Ask::In(way), Some(last)) = (ask, self.full.last()) else { return (None, None) };
        if samples.is_empty() || way.under.is_some() {
            return (None, None);
        }
        let (cost, full) = (Cost::of(samples), Cost::of(&self.full));
        if way.expander.is_some() {
            let ground = Way { expander: None, condition: None, algorithm: None, ..way.clone() };
            let states = self.share_of(&ground).unwrap_or(1.0);
            let is_depth_first = way.algorithm == Some(&DFS);
            let share = states * cost.share_of_states(is_depth_first);
            return (Some(share), Some(cost.of_reduced(&full, is_depth_first, states)));
        }
        // Depths can be compared in one order only, and where they are known.
        let of_full = self.tried.first().and_then(Tried::searched).map_or(order, |full| full.order);
        if order != of_full || matches!(self.question.goal, Goal::AcceptedRun(_)) {
            return (None, None);
        }
        let states = states_at(last.depth, samples).map_or(1.0, |states| states as f64 / last.states.max(1) as f64);
        let share = states.min(1.0);
        (Some(share), Some(share * cost.seconds / full.seconds))
    }

    fn share_of(&self, way: &Way) -> Option<f64> {
        let at = self.tried.iter().position(|tried| matches!(&tried.ask, Ask::In(own) if own == way))?;
        self.shares[at]
    }

    fn has_settled(&self) -> bool {
        self.tried.iter().any(|tried| tried.settled().is_some())
    }

    /// The least time of those that came to an answer, and what was guessed of it.
    fn fastest(&self) -> Option<&Searched> {
        let settled = self.tried.iter().filter_map(Tried::settled);
        settled.min_by(|one, other| one.seconds.total_cmp(&other.seconds))
    }

    /// Goes on with a search that was cut off, if it may be over before the best one was.
    fn finish_if_near(&mut self, at: usize, progress: &mut dyn Progress) -> Result<(), CheckError> {
        let Some(fastest) = self.fastest() else { return Ok(()) };
        let Some(open) = self.tried[at].searched().filter(|searched| !searched.is_settled) else { return Ok(()) };
        let promises = match (open.estimate, fastest.estimate) {
            (Some(own), Some(best)) => own <= WORSE * best,
            _ => true,
        };
        let time = Duration::from_secs_f64(WORSE * fastest.seconds);
        if !promises || open.seconds > fastest.seconds {
            return Ok(());
        }
        self.finish(at, time, progress)
    }

    /// Searches once more, to the end if that comes in time.
    fn finish(&mut self, at: usize, time: Duration, progress: &mut dyn Progress) -> Result<(), CheckError> {
        if self.is_over() {
            return Ok(());
        }
        let time = self.part(END_PART).map_or(time, |part| part.min(time));
        let ask = self.tried[at].ask.clone();
        let (came, _) = self.search(&ask, Patience::ToTheEnd(time), progress)?;
        if let (Came::Searched(now), Some(before)) = (came, self.tried[at].searched()) {
            let estimate = before.estimate;
            self.tried[at].came = Came::Searched(Searched { estimate, ..now });
        }
        Ok(())
    }

    /// Goes on with those that promise most, if nothing came to its end at once.
    fn go_on(&mut self, progress: &mut dyn Progress) -> Result<(), CheckError> {
        let promising = choice::most_promising(&self.tried);
        for at in promising.into_iter().take(MOST_ENDS) {
            let most = self.fastest().map_or(Duration::MAX, |best| Duration::from_secs_f64(WORSE * best.seconds));
            self.finish(at, most, progress)?;
        }
        Ok(())
    }

    /// Measures the fastest once more, where time counts: others may use the machine.
    fn measure_again(&mut self, progress: &mut dyn Progress) -> Result<(), CheckError> {
        let seconds = |at: usize| self.tried[at].settled().map(|searched| searched.seconds);
        let mut fastest: Vec<(usize, f64)> = (0..self.tried.len()).filter_map(|at| Some((at, seconds(at)?))).collect();
        fastest.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        if fastest.first().is_none_or(|(_, least)| *least < NO_TIME) {
            return Ok(());
        }
        for (at, _) in fastest.into_iter().take(AGAIN) {
            self.again(at, progress)?;
        }
        Ok(())
    }
}
