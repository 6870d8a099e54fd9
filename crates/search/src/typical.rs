//! Typical states, found by walking about.

use std::time::{Duration, Instant};

use ample_transition::{Bounds, SuccessorBuffer, Successors};

const WALKS: usize = 64;
const STEPS: usize = 128;
/// Some states have very many successors: then the walk is over.
const PATIENCE: Duration = Duration::from_millis(100);
const MOST_BYTES: usize = 1 << 22;

/// States along random walks from the initial state, always the same ones. None for systems whose states differ in length, and a walk ends
/// where a state has another length than is usual: no store has a use for it.
pub fn typical_states(system: &dyn Successors) -> Vec<Vec<u8>> {
    let mut states = Vec::new();
    let Ok(initial) = system.initial() else { return states };
    let Some(usual) = system.state_length().usual() else { return states };
    let deadline = Instant::now().checked_add(PATIENCE);
    let mut buffer = SuccessorBuffer::within(Bounds { deadline, max_bytes: Some(MOST_BYTES), stop: None });
    let mut random = Random(0x0061_6d70_6c65);
    for _ in 0..WALKS {
        let mut state = initial.clone();
        for _ in 0..STEPS {
            buffer.clear();
            system.expand_all(&state, &mut buffer);
            if buffer.cut().is_some() {
                return states;
            }
            let chosen = random.below(buffer.len()).and_then(|number| buffer.get(number)).and_then(|step| step.state);
            let Some(next) = chosen.filter(|next| next.len() == usual) else { break };
            states.push(state);
            state = next.to_vec();
        }
        states.push(state);
    }
    states
}

/// Numbers without an order that matters (xorshift, Marsaglia).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> Option<usize> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).ok()?.checked_rem(bound)
    }
}
