//! The seam of canonizers: which representative of a state is remembered?

use crate::{Fault, Scratch, StateLength, SuccessorBuffer, Successors};

/// Rewrites a state to the one that stands for it: its canonical form.
///
/// States with the same canonical form have the same future: their transitions lead to states with
/// the same canonical forms, with the same faults, and what a question looks at is the same in
/// them. So the search goes on from the canonical form, and a run of canonical forms is one of the
/// system up to the canonizer.
pub trait Canonizer: Sync {
    /// Rewrites `state` in place; whether that has changed it. A canonical form is left as it is.
    fn canonize(&self, state: &mut [u8], scratch: &mut Scratch) -> bool;

    /// Rewrites `state` to a form that it shares with every state that it can stand for, even where
    /// [`Canonizer::canonize`] leaves some of them apart for the sake of speed.
    fn canonize_exactly(&self, state: &mut [u8], scratch: &mut Scratch) -> bool {
        self.canonize(state, scratch)
    }

    /// Whether the transitions of a canonical form have the same moves as those of every state that
    /// it stands for. If not, they have other names there: those of other processes.
    fn keeps_moves(&self) -> bool {
        false
    }

    /// Whether something was met that the canonizer does not apply to, so that states may have been
    /// taken for others: the search is to be given up, and done without it.
    fn has_failed(&self) -> bool {
        false
    }
}

/// A system of which only canonical forms are seen, the initial state included.
pub struct Canonized<'a> {
    /// The system.
    pub system: &'a dyn Successors,
    /// What stands for its states.
    pub canonizer: &'a dyn Canonizer,
}

impl Successors for Canonized<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        let mut state = self.system.initial()?;
        self.canonizer.canonize(&mut state, &mut Scratch::default());
        Ok(state)
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        self.system.expand_all(state, buffer);
        buffer.rewrite_states(|state, scratch| {
            self.canonizer.canonize(state, scratch);
        });
    }

    fn state_length(&self) -> StateLength {
        self.system.state_length()
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.system.invalid_end(state)
    }
}

/// Several canonizers, one after the other: what stands for a state is a form of a form of it. All
/// of them keep moves, or each leaves canonical forms of those before it canonical for them.
pub struct Chain<'a> {
    /// In the order in which they are asked.
    pub canonizers: Vec<Box<dyn Canonizer + 'a>>,
}

impl Canonizer for Chain<'_> {
    fn canonize(&self, state: &mut [u8], scratch: &mut Scratch) -> bool {
        self.canonizers.iter().fold(false, |changed, canonizer| canonizer.canonize(state, scratch) | changed)
    }

    fn canonize_exactly(&self, state: &mut [u8], scratch: &mut Scratch) -> bool {
        self.canonizers.iter().fold(false, |changed, canonizer| canonizer.canonize_exactly(state, scratch) | changed)
    }

    fn keeps_moves(&self) -> bool {
        self.canonizers.iter().all(|canonizer| canonizer.keeps_moves())
    }

    fn has_failed(&self) -> bool {
        self.canonizers.iter().any(|canonizer| canonizer.has_failed())
    }
}

#[cfg(test)]
mod tests {
    use ample_model::EdgeId;
    use ample_stdx::TypedId;

    use super::*;
    use crate::{Move, RecordHeader};

    /// Forgets the last byte.
    struct Forgetful;

    impl Canonizer for Forgetful {
        fn canonize(&self, state: &mut [u8], _: &mut Scratch) -> bool {
            state.last_mut().is_some_and(|last| std::mem::take(last) != 0)
        }
    }

    fn step() -> Move {
        Move { process: 3, edge: EdgeId::from_index(0), partner: None }
    }

    /// From every state to two others, as entries or as records.
    struct Two {
        as_records: bool,
    }

    impl Successors for Two {
        fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
            Ok(vec![1, 2])
        }

        fn expand_all(&self, _: &[u8], buffer: &mut SuccessorBuffer) {
            if !self.as_records {
                buffer.push_state(&[step()], &[5, 6]);
                buffer.push(&[step()], &[], None);
                buffer.push_state(&[step()], &[7, 8]);
                return;
            }
            buffer.push_record(&[step()], std::iter::empty(), &[5, 6]);
            buffer.push_record(&[step()], std::iter::empty(), &[7, 8]);
            buffer.set_records(2, RecordHeader::SIZE + 2, &[].into());
        }

        fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
            None
        }
    }

    #[test]
    fn every_state_is_canonical_in_either_form_of_the_buffer() {
        for as_records in [false, true] {
            let system = Two { as_records };
            let canonized = Canonized { system: &system, canonizer: &Forgetful };
            assert_eq!(canonized.initial().unwrap(), [1, 0]);
            let mut buffer = SuccessorBuffer::new();
            canonized.expand_all(&[1, 0], &mut buffer);
            let states: Vec<_> = buffer.iter().filter_map(|successor| successor.state).collect();
            assert_eq!(states, [[5, 0], [7, 0]]);
            assert!(buffer.iter().all(|successor| successor.moves == [step()]));
        }
    }

    #[test]
    fn a_chain_asks_all_of_them() {
        struct First;
        impl Canonizer for First {
            fn canonize(&self, state: &mut [u8], _: &mut Scratch) -> bool {
                state.first_mut().is_some_and(|first| std::mem::take(first) != 0)
            }

            fn has_failed(&self) -> bool {
                true
            }
        }
        let chain = Chain { canonizers: vec![Box::new(First), Box::new(Forgetful)] };
        let mut state = [1, 2, 3];
        assert!(chain.canonize(&mut state, &mut Scratch::default()));
        assert_eq!(state, [0, 2, 0]);
        assert!(!chain.canonize(&mut state, &mut Scratch::default()));
        assert!(chain.has_failed());
    }
}
