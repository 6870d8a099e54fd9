//! Holzmann and Kupferman's closure under stuttering.

use ample_stdx::{IndexVec, TypedId};

use super::system::{System, World, WorldId};

impl System {
    /// The closure of the system under stuttering (Holzmann and Kupferman, "Not checking for closure under
    /// stuttering", SPIN 1996, section 3), with a correction.
    ///
    /// Each state has two copies. The first may be repeated, which stretches a block; the second is accepting. A step
    /// may skip states with the label of its source, which shrinks a block; it goes to the second copy if an accepting
    /// state is among those passed. As printed, the paper allows this for a path of one state, without a step (n ≥ 1 in
    /// the definition of its relation cl_F): then an accepting state repeats itself for ever and accepts words that
    /// stutter nothing of the language. So here a path to a second copy has at least one step.
    pub(super) fn closed(&self) -> System {
        let copy = |world: WorldId, number: usize| WorldId::from_index(2 * world.index() + number);
        let mut worlds: IndexVec<WorldId, World> = IndexVec::with_capacity(2 * self.worlds.len());
        for world in self.worlds.ids() {
            let reached = self.reached_within_block(world);
            let mut successors = vec![copy(world, 0)];
            for (target, passes_accepting) in reached {
                successors.push(copy(target, 0));
                if passes_accepting {
                    successors.push(copy(target, 1));
                }
            }
            successors.sort();
            successors.dedup();
            for is_accepting in [false, true] {
                let letter = self.worlds[world].letter;
                worlds.push(World { letter, is_accepting, successors: successors.clone() });
            }
        }
        System { initial: self.initial.iter().map(|&world| copy(world, 0)).collect(), worlds }
    }

    /// The states reached by one step or more, all but the last state with the label of the first; and whether an
    /// accepting state is on the way, ends included. A state can be reached in both ways.
    pub(super) fn reached_within_block(&self, start: WorldId) -> Vec<(WorldId, bool)> {
        let letter = self.worlds[start].letter;
        let mut reached: Vec<(WorldId, bool)> = Vec::new();
        let mut seen: IndexVec<WorldId, [bool; 2]> = IndexVec::from_elem([false; 2], self.worlds.len());
        let mut open = vec![(start, self.worlds[start].is_accepting)];
        while let Some((world, passed)) = open.pop() {
            for &next in &self.worlds[world].successors {
                let passed = passed || self.worlds[next].is_accepting;
                if std::mem::replace(&mut seen[next][usize::from(passed)], true) {
                    continue;
                }
                reached.push((next, passed));
                if self.worlds[next].letter == letter {
                    open.push((next, passed));
                }
            }
        }
        reached
    }
}
