//! Automata against the meaning of formulas: on the formula lists of the literature, and on random
//! formulas.
//!
//! The lists belong to the corpus, which is not part of the project (`AMPLE_CORPUS`, else
//! `../shared/corpus` beside the checkout). `AMPLE_LASSOS` says how many words each formula is
//! tried on (200), `AMPLE_SEEDS` how many random formulas there are (150).

mod support;

use ample_property::{Automaton, Lasso, Ltl, MAX_SIZE, Strength, TooLarge, Translated, translate, write_hoa};
use support::{Random, corpus, number_from_environment, parse};

/// A formula of a list, with the sizes of Spot's automata for it and for its negation.
struct Listed {
    text: String,
    spot: [usize; 2],
}

fn listed_formulas() -> Option<Vec<Listed>> {
    let folder = corpus()?;
    let sizes = std::fs::read_to_string(folder.join("ltl/sizes.csv")).ok()?;
    let rows = sizes.lines().skip(1).filter_map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |at: usize| fields.get(at)?.parse().ok();
        Some(Listed { text: fields.get(1)?.to_string(), spot: [number(4)?, number(6)?] })
    });
    Some(rows.collect())
}

/// Both automata of the formula and of its negation agree with the meaning of the formula on random
/// words.
#[track_caller]
fn check_on_words(formula: &Ltl, random: &mut Random, words: usize) -> [Translated; 2] {
    let both = [formula.clone(), formula.clone().negated()].map(|formula| translate(&formula).unwrap());
    let propositions = formula.proposition_count();
    let complements = both.each_ref().map(|translated| translated.tgba.complement());
    for _ in 0..words {
        let word = random.lasso(propositions);
        let expected = word.satisfies(formula);
        for (complement, is_rejected) in complements.iter().zip([!expected, expected]) {
            let answer = complement.as_ref().map(|complement| complement.accepts(&word));
            assert!(answer.is_none_or(|answer| answer == is_rejected), "the complement for {formula} on {word:?}");
        }
        for (translated, expected) in both.iter().zip([expected, !expected]) {
            for (kind, automaton) in [("generalised", &translated.tgba), ("state-based", &translated.ba)] {
                assert_eq!(automaton.accepts(&word), expected, "the {kind} automaton of {formula} on {word:?}");
            }
        }
    }
    let [yes, no] = &both;
    for (a, b) in [(&yes.tgba, &no.tgba), (&yes.ba, &no.ba), (&yes.tgba, &no.ba)] {
        assert_eq!(a.intersects(b), Some(false), "the automata of {formula} and of its negation have a word in common");
    }
    both
}

#[test]
fn formulas_of_the_literature_become_small_and_right_automata() {
    let Some(listed) = listed_formulas() else {
        println!("no corpus: skipped");
        return;
    };
    assert_eq!(listed.len(), 94);
    let words = number_from_environment("AMPLE_LASSOS", 200);
    let mut random = Random::new(1);
    let mut sums = [0, 0];
    let mut spot_sums = [0, 0];
    let mut largest = (0, "");
    for Listed { text, spot } in &listed {
        let formula = parse(text);
        let both = check_on_words(&formula, &mut random, words);
        for side in 0..2 {
            let Translated { tgba, ba, .. } = &both[side];
            assert!(ba.is_state_based() && ba.mark_count == 1, "{text}");
            assert_ne!(ba.strength(), Strength::InherentlyWeak, "{text}: the accepting states should show it");
            largest = largest.max((tgba.state_count().max(ba.state_count()), text));
            sums[side] += ba.state_count();
            spot_sums[side] += spot[side];
            if ba.state_count() != spot[side] {
                let sign = if side == 0 { "" } else { "not " };
                println!(
                    "{sign}{text}: {} states (generalised {}), Spot {}",
                    ba.state_count(),
                    tgba.state_count(),
                    spot[side]
                );
            }
        }
    }
    println!("states of the state-based automata: {sums:?}, Spot's {spot_sums:?}; the largest: {largest:?}");
    for side in 0..2 {
        assert!(sums[side] * 100 <= spot_sums[side] * 115, "{sums:?} states, Spot has {spot_sums:?}");
    }
    assert!(largest.0 <= 10, "{largest:?}");
}

#[test]
fn random_formulas_become_right_automata() {
    for seed in 0..number_from_environment("AMPLE_SEEDS", 150) {
        let mut random = Random::new(seed as u64);
        let propositions = 1 + random.below(3);
        let size = 2 + random.below(9);
        let formula = random.formula(propositions, size);
        println!("seed {seed}: {formula}");
        check_on_words(&formula, &mut random, 40);
    }
}

#[test]
fn what_is_valid_has_one_state_and_what_is_impossible_no_edge() {
    for text in ["true", "a | !a", "Fa | G!a", "(a U b) -> Fb", "G(a -> Xb) & Ga -> GXb"] {
        let formula = parse(text);
        let valid = translate(&formula).unwrap();
        assert_eq!((valid.ba.state_count(), valid.facts.valid), (1, Some(true)), "{text}");
        let impossible = translate(&formula.negated()).unwrap();
        assert_eq!((impossible.ba.edge_count(), impossible.facts.satisfiable), (0, false), "{text}");
    }
}

#[test]
fn a_word_that_is_given_is_accepted() {
    for text in ["GFa & GFb & GF!a", "a U (b & XG!b)", "F(a & X!a) & FGb", "GF(a & XXb)"] {
        let Translated { tgba, ba, .. } = translate(&parse(text)).unwrap();
        for automaton in [&tgba, &ba] {
            let word: Lasso = Automaton::some_word(automaton).unwrap();
            assert!(automaton.accepts(&word) && word.satisfies(&parse(text)), "{text}: {word:?}");
        }
    }
}

#[test]
fn facts_are_facts() {
    use Strength::{Strong, Terminal, Weak};
    #[track_caller]
    fn check(text: &str, safety: bool, stutter_invariant: bool, strength: Strength) {
        let facts = translate(&parse(text)).unwrap().facts;
        let found = (facts.safety, facts.stutter_invariant, facts.strength);
        assert_eq!(found, (Some(safety), Some(stutter_invariant), strength), "{text}");
    }
    check("Ga", true, true, Weak);
    check("a W b", true, true, Weak);
    check("Fa", false, true, Terminal);
    check("a U b", false, true, Terminal);
    check("GFa", false, true, Strong);
    check("FGa", false, true, Weak);
    check("Xa", true, false, Terminal);
    check("G(a -> Xb)", true, false, Weak);
    check("G(a -> Fb)", false, true, Strong);
    check("a & Gb & Fa", true, true, Weak);
    check("F(a & X(!a & b))", false, true, Terminal);
}

#[test]
fn a_formula_beyond_all_measure_is_refused() {
    let many: Vec<String> = (0..30).map(|number| format!("GFa{number}")).collect();
    assert_eq!(translate(&parse(&many.join(" & "))).err(), Some(TooLarge));
    assert!(translate(&parse(&many[..8].join(" & "))).is_ok());
    let parity: Vec<String> = (0..30).map(|number| format!("a{number}")).collect();
    assert!(translate(&parse(&parity.join(" & "))).is_ok());
}

#[test]
fn the_deepest_formulas_do_not_overflow_the_stack() {
    let wrap: [fn(Ltl) -> Ltl; 4] = [
        |inner| Ltl::Until(Box::new(Ltl::proposition(0)), Box::new(Ltl::Next(Box::new(inner)))),
        |inner| Ltl::Next(Box::new(inner)),
        |inner| Ltl::Not(Box::new(Ltl::Release(Box::new(inner), Box::new(Ltl::proposition(1))))),
        |inner| Ltl::Always(Box::new(Ltl::Or(Box::new(inner), Box::new(Ltl::Next(Box::new(Ltl::proposition(1))))))),
    ];
    for wrap in wrap {
        let mut formula = Ltl::proposition(2);
        while formula.size() < MAX_SIZE - 6 {
            formula = wrap(formula);
        }
        // Whether it can be translated is another question.
        let states = translate(&formula).map(|translated| translated.ba.state_count());
        println!("size {}: {states:?}", formula.size());
        assert!(Random::new(1).lasso(3).satisfies(&formula) || states != Ok(0));
    }
}

/// All formulas over two propositions with exactly this many operators.
fn all_formulas(size: usize) -> Vec<Ltl> {
    if size == 0 {
        return vec![Ltl::proposition(0), Ltl::proposition(1)];
    }
    let mut formulas = Vec::new();
    for a in all_formulas(size - 1) {
        formulas.extend([Ltl::Not, Ltl::Next, Ltl::Eventually, Ltl::Always].map(|op| op(Box::new(a.clone()))));
    }
    for left in 0..size {
        for a in all_formulas(left) {
            for b in all_formulas(size - 1 - left) {
                let ops = [Ltl::And, Ltl::Or, Ltl::Until, Ltl::WeakUntil, Ltl::Release, Ltl::StrongRelease];
                formulas.extend(ops.map(|op| op(Box::new(a.clone()), Box::new(b.clone()))));
            }
        }
    }
    formulas
}

#[test]
fn all_small_formulas_are_right_on_all_small_words() {
    let mut words = Vec::new();
    for prefix in [vec![], vec![0], vec![1], vec![2], vec![3]] {
        for cycle in 0..20 {
            let cycle = if cycle < 4 { vec![cycle] } else { vec![(cycle - 4) / 4, (cycle - 4) % 4] };
            words.push(Lasso::new(prefix.clone(), cycle).unwrap());
        }
    }
    let formulas: Vec<Ltl> = (0..=2).flat_map(all_formulas).collect();
    assert_eq!(formulas.len(), 2 + 32 + 896);
    for formula in formulas {
        let Translated { tgba, ba, .. } = translate(&formula).unwrap();
        for word in &words {
            let expected = word.satisfies(&formula);
            assert_eq!((tgba.accepts(word), ba.accepts(word)), (expected, expected), "{formula} on {word:?}");
        }
    }
}

#[test]
fn the_same_formula_always_gives_the_same_automata() {
    for seed in 0..30 {
        let formula = Random::new(seed).formula(3, 8);
        let written = [1, 2].map(|_| {
            let Translated { tgba, ba, .. } = translate(&formula).unwrap();
            write_hoa(&tgba, None, &[]) + &write_hoa(&ba, None, &[])
        });
        assert_eq!(written[0], written[1], "seed {seed}: {formula}");
    }
}
