//! Typical states, found by random walks.

use std::time::{Duration, Instant};

use ample_stdx::Xorshift;
use ample_transition::{Bounds, SuccessorBuffer, Successors};
use foldhash::fast::FixedState;
use hashbrown::HashSet;

/// So many states are visited at most.
const STATES: usize = 8192;
/// A walk is so many steps long, one after the other in turn: much of a system lies deep, and much
/// is only seen near its beginning. Where walks end early, there are more of them.
const STEPS: [usize; 2] = [128, 512];
/// Some states have very many successors: after so many of them, the walk is over. It is not a
/// matter of time, so that the walk is the same each time, also where a program runs slowly because
/// its instructions are counted.
const MOST_TRANSITIONS: usize = 100_000;
/// One such state may take long by itself.
const PATIENCE: Duration = Duration::from_millis(800);
const MOST_BYTES: usize = 1 << 22;
/// After so many states of which none was new there are no more walks: a small system is known
/// soon, and a search of a few states should not cost thousands of steps.
const STALE: usize = 512;

/// States along random walks from the initial state, always the same ones. A store learns from them
/// how to keep states. There are none for systems whose states differ in length, and a walk ends at
/// a state that has another length than is usual: no store has a use for it.
pub fn typical_states(system: &dyn Successors) -> Vec<Vec<u8>> {
    let mut states = Vec::new();
    let Ok(initial) = system.initial() else { return states };
    let Some(usual) = system.state_length().usual() else { return states };
    let deadline = Instant::now().checked_add(PATIENCE);
    let mut buffer = SuccessorBuffer::within(Bounds { deadline, max_bytes: Some(MOST_BYTES), stop: None });
    let mut random = Xorshift::after(0x0061_6d70_6c65);
    let mut below = |bound: usize| usize::try_from(random.number() >> 16).ok()?.checked_rem(bound);
    let mut seen: HashSet<Vec<u8>, FixedState> = HashSet::default();
    let (mut stale, mut transitions) = (0, 0);
    for steps in STEPS.into_iter().cycle() {
        let (known, walked) = (seen.len(), states.len());
        let mut state = initial.clone();
        for _ in 0..steps {
            buffer.clear();
            system.expand_for_walk(&state, &mut buffer);
            transitions += buffer.len();
            if buffer.cut().is_some() || transitions > MOST_TRANSITIONS {
                return states;
            }
            let chosen = below(buffer.len()).and_then(|number| buffer.get(number)).and_then(|step| step.state);
            let Some(next) = chosen.filter(|next| next.len() == usual) else { break };
            states.push(state);
            state = next.to_vec();
        }
        states.push(state);
        seen.extend(states[walked..].iter().cloned());
        stale = if seen.len() > known { 0 } else { stale + states.len() - walked };
        if stale >= STALE || states.len() >= STATES {
            break;
        }
    }
    states
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use ample_transition::{Fault, StateLength};

    use super::*;

    /// A number that is doubled, and one or two is added; and how often it was expanded.
    struct Doubling {
        modulus: u32,
        expanded: AtomicUsize,
    }

    impl Successors for Doubling {
        fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
            Ok(vec![0; 4])
        }

        fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
            self.expanded.fetch_add(1, Ordering::Relaxed);
            let at = u32::from_le_bytes([state[0], state[1], state[2], state[3]]);
            for added in [1, 2] {
                let next = ((2 * at + added) % self.modulus).to_le_bytes();
                buffer.push(&[], &[], Some(&mut |out| out.extend_from_slice(&next)));
            }
        }

        fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
            None
        }

        fn state_length(&self) -> StateLength {
            StateLength::Always(4)
        }
    }

    fn walk(modulus: u32) -> (usize, usize) {
        let system = Doubling { modulus, expanded: AtomicUsize::new(0) };
        let different: HashSet<Vec<u8>, FixedState> = typical_states(&system).into_iter().collect();
        (different.len(), system.expanded.into_inner())
    }

    #[test]
    fn a_small_system_costs_few_steps_and_a_large_one_is_walked_through() {
        let (different, expanded) = walk(5);
        assert!(different == 5 && expanded < STATES / 4, "{different} {expanded}");
        let (different, expanded) = walk(1_000_003);
        assert!(different > 1_000 && expanded > STATES / 2, "{different} {expanded}");
    }
}
