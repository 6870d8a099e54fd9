//! Holzmann and Kupferman's closure under stuttering.

use ample_stdx::{IndexVec, TypedId};

use super::system::{System, World, WorldId};

impl System {
    /// The closure of the system under stuttering (Holzmann and Kupferman, "Not checking for
    /// closure under stuttering", SPIN 1996, section 3), with a correction.
    ///
    /// Each state has two copies. The first may be repeated, which stretches a block; the second is
    /// accepting. A step may skip states with the label of its source, which shrinks a block; it
    /// goes to the second copy if an accepting state is among those passed. As printed, the paper
    /// allows this for a path of one state, without a step (n ≥ 1 in the definition of its relation
    /// cl_F): then an accepting state repeats itself for ever and accepts words that stutter
    /// nothing of the language. So here a path to a second copy has at least one step.
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

    /// The states reached by one step or more, all but the last state with the label of the first;
    /// and whether an accepting state is on the way, ends included. A state can be reached in both
    /// ways.
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

#[cfg(test)]
mod tests {
    //! The closure against the block-wise definition of stuttering.
    //!
    //! `AMPLE_STUTTER_TESTS` says how many random systems and words are compared (600).

    use super::super::alphabet::Alphabet;
    use super::super::alphabet::LetterId;
    use super::super::{is_stutter_invariant, stutter_closure};
    use super::*;
    use crate::automaton::{Automaton, Edge, Marks, StateId};
    use crate::random::Random;
    use crate::{Bdd, Lasso, Letter, Ltl, parse_ltl, translate};

    impl Random {
        fn system(&mut self, letters: usize) -> System {
            let count = 1 + self.below(5);
            let worlds = (0..count).map(|_| {
                let successors = (0..1 + self.below(3)).map(|_| WorldId::from_index(self.below(count))).collect();
                World {
                    letter: LetterId::from_index(self.below(letters)),
                    is_accepting: self.below(2) == 0,
                    successors,
                }
            });
            let worlds = worlds.collect();
            System { initial: vec![WorldId::from_index(self.below(count))], worlds }
        }
    }

    /// Two letters: the values of proposition 0.
    fn two_letters() -> Alphabet {
        let alphabet = Alphabet::valuations(&Automaton::everything(1)).unwrap();
        assert_eq!(alphabet.len(), 2);
        alphabet
    }

    /// The letter of an alphabet over propositions that a valuation belongs to.
    fn letter_of(alphabet: &Alphabet, letter: Letter) -> LetterId {
        alphabet.letters().find(|(_, f)| alphabet.bdds.value(*f, letter)).unwrap().0
    }

    /// The word without repetitions: a letter for each block. A word that ends in one letter for
    /// ever has infinitely many blocks of that letter.
    fn blocks(word: &Lasso) -> (Vec<Letter>, Vec<Letter>) {
        let letters: Vec<Letter> = word.prefix().iter().chain(word.cycle()).chain(word.cycle()).copied().collect();
        let (first, length) = (word.prefix().len(), word.cycle().len());
        // A boundary between blocks inside the cycle, if there is one.
        let boundary = (first + 1..=first + length).find(|&at| letters[at - 1] != letters[at]);
        let (mut prefix, mut cycle) = match boundary {
            Some(at) => ([&letters[..at]].concat(), [&letters[at..], word.cycle()].concat()[..length].to_vec()),
            None => {
                let end = letters[..first].iter().rposition(|letter| *letter != letters[first]).map_or(0, |at| at + 1);
                (letters[..end].to_vec(), vec![letters[first]])
            }
        };
        prefix.dedup();
        cycle.dedup();
        (prefix, cycle)
    }

    /// Whether the system accepts some word with the same blocks: written from the definition,
    /// without any closure.
    fn accepts_some_stuttering(system: &System, alphabet: &Alphabet, word: &Lasso) -> bool {
        let (prefix, cycle) = blocks(word);
        let count = prefix.len() + cycle.len();
        let letter = |block: usize| letter_of(alphabet, [&prefix[..], &cycle[..]].concat()[block]);
        let next = |block: usize| if block + 1 < count { block + 1 } else { prefix.len() };
        // A node is the state in which a block begins, and an edge is a block of any length.
        let node = |world: WorldId, block: usize| StateId::from_index(world.index() * count + block);
        let mut edges: IndexVec<StateId, Vec<Edge>> = IndexVec::from_elem(Vec::new(), system.worlds.len() * count + 1);
        for world in system.worlds.ids() {
            for block in (0..count).filter(|&block| letter(block) == system.worlds[world].letter) {
                // Pairs of the last state of the block so far, and whether an accepting one was in
                // it.
                let mut inside = vec![(world, system.worlds[world].is_accepting)];
                let mut at = 0;
                while let Some(&(last, passed)) = inside.get(at) {
                    at += 1;
                    for &successor in &system.worlds[last].successors {
                        let marks = if passed { Marks::one(0) } else { Marks::NONE };
                        if system.worlds[successor].letter == letter(next(block)) {
                            let target = node(successor, next(block));
                            edges[node(world, block)].push(Edge { label: Bdd::TRUE, marks, target });
                        }
                        let longer = (successor, passed || system.worlds[successor].is_accepting);
                        if system.worlds[successor].letter == letter(block) && !inside.contains(&longer) {
                            inside.push(longer);
                        }
                    }
                }
            }
        }
        let initial = StateId::from_index(system.worlds.len() * count);
        for &world in system.initial.iter().filter(|&&world| system.worlds[world].letter == letter(0)) {
            let start = edges[node(world, 0)].clone();
            edges[initial].extend(start);
        }
        !Automaton { initial, edges, mark_count: 1, ..Automaton::nothing(0) }.is_empty()
    }

    #[test]
    fn blocks_are_found() {
        #[track_caller]
        fn check(prefix: &[Letter], cycle: &[Letter], expected: (&[Letter], &[Letter])) {
            let found = blocks(&Lasso::new(prefix.to_vec(), cycle.to_vec()).unwrap());
            assert_eq!((&found.0[..], &found.1[..]), expected);
        }
        check(&[0, 0, 1], &[1, 1], (&[0], &[1]));
        check(&[], &[1, 1], (&[], &[1]));
        check(&[0, 0, 1], &[0, 1, 1], (&[0, 1, 0], &[1, 0]));
        check(&[1], &[1, 0, 0, 1], (&[1], &[0, 1]));
    }

    #[test]
    fn the_closure_has_the_words_that_stutter_a_word_of_the_system() {
        let alphabet = two_letters();
        let tests = std::env::var("AMPLE_STUTTER_TESTS").ok().and_then(|text| text.parse().ok()).unwrap_or(600);
        let mut accepted = 0;
        for seed in 1..=tests {
            let mut random = Random::new(seed);
            let system = random.system(2);
            let word = random.word(2).unwrap();
            let expected = accepts_some_stuttering(&system, &alphabet, &word);
            let closed = system.closed().automaton(&alphabet, 1);
            assert_eq!(closed.accepts(&word), expected, "seed {seed}: {system:?} on {word:?}");
            // The way through automata: from the system to its automaton, its own transition
            // system, and the closure.
            let again = stutter_closure(&system.automaton(&alphabet, 1)).unwrap();
            assert_eq!(again.accepts(&word), expected, "seed {seed}: {system:?} on {word:?}, through automata");
            accepted += u64::from(expected);
        }
        println!("{tests} tests, {accepted} words accepted");
        assert!(accepted > tests / 10 && accepted < tests * 9 / 10);
    }

    /// The closure exactly as the paper prints it: a path to a second copy may have no step.
    fn closed_as_printed(system: &System) -> System {
        let mut closed = system.closed();
        for world in system.worlds.ids().filter(|&world| system.worlds[world].is_accepting) {
            for copy in 0..2 {
                let itself = WorldId::from_index(2 * world.index() + 1);
                closed.worlds[WorldId::from_index(2 * world.index() + copy)].successors.push(itself);
            }
        }
        closed
    }

    #[test]
    fn the_closure_as_printed_accepts_too_much() {
        // w1 (a, accepting) and w2 (not a) take turns: the language is one word, (a !a)^ω.
        let alphabet = two_letters();
        let world = |letter: Letter, is_accepting: bool, successor: usize| World {
            letter: letter_of(&alphabet, letter),
            is_accepting,
            successors: vec![WorldId::from_index(successor)],
        };
        let worlds: IndexVec<WorldId, World> = IndexVec::from(vec![world(1, true, 1), world(0, false, 0)]);
        let system = System { initial: vec![WorldId::from_index(0)], worlds };
        let only_a = Lasso::new(Vec::new(), vec![1]).unwrap();
        let in_turn = Lasso::new(vec![1, 1], vec![0, 1, 1, 1]).unwrap();
        assert!(!accepts_some_stuttering(&system, &alphabet, &only_a));
        let closed = system.closed().automaton(&alphabet, 1);
        assert!(closed.accepts(&in_turn) && !closed.accepts(&only_a));
        let printed = closed_as_printed(&system).automaton(&alphabet, 1);
        assert!(printed.accepts(&in_turn) && printed.accepts(&only_a));
    }

    fn formula(text: &str) -> Ltl {
        parse_ltl(text, ample_source::Span::default()).unwrap().0
    }

    #[test]
    fn formulas_are_told_apart() {
        #[track_caller]
        fn check(text: &str, expected: bool) {
            let formula = formula(text);
            let [yes, no] = [formula.clone(), formula.negated()].map(|formula| translate(&formula).unwrap().tgba);
            assert_eq!(is_stutter_invariant(&yes, &no), Some(expected), "{text}");
            assert_eq!(is_stutter_invariant(&no, &yes), Some(expected), "not {text}");
        }
        check("a U b", true);
        check("GFa & FGb", true);
        check("F(a & X(!a & b))", true);
        check("Xa", false);
        check("G(a -> Xb)", false);
        check("G(a -> X!a)", false);
        check("F(a & Xa)", false);
        check("GF(a & X!a)", true);
        check("X true", true);
        check("!a & X(!a U (a & X(b | a)))", false);
    }

    #[test]
    fn deterministic_automata_are_decided_without_a_formula() {
        for (text, expected) in [("a U b", true), ("G(a -> Xb)", false), ("GFa", true), ("a & Xb", false)] {
            let automaton = translate(&formula(text)).unwrap().tgba;
            let complement = automaton.complement().unwrap_or_else(|| panic!("{text} is not deterministic"));
            assert_eq!(is_stutter_invariant(&automaton, &complement), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_closure_contains_the_language_and_is_closed() {
        for text in ["G(a -> Xb)", "a & X(b & X!a)", "F(a & Xa & XX!a)", "GFa & G(b -> XXb)"] {
            let formula = formula(text);
            let automaton = translate(&formula).unwrap().ba;
            let closure = stutter_closure(&automaton).unwrap();
            for seed in 1..200 {
                let word = Random::new(seed).word(4).unwrap();
                assert!(!automaton.accepts(&word) || closure.accepts(&word), "{text}: {word:?}");
                let stretch = |letters: &[Letter]| {
                    letters.iter().flat_map(|&l| vec![l; 1 + (l as usize + seed as usize) % 3]).collect()
                };
                let longer = Lasso::new(stretch(word.prefix()), stretch(word.cycle())).unwrap();
                assert_eq!(closure.accepts(&word), closure.accepts(&longer), "{text}: {word:?} and {longer:?}");
            }
        }
    }
}
