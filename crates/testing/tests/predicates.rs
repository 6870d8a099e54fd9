//! Concrete search with abstract matching and refinement: the numbers of Pelánek's thesis, chapter
//! 5, and what it says of its examples.

use ample_check::{
    Abstracted, Iteration, Job, LOOPS, Options, Pick, Predicates, Prepared, PropertyOutcome, Refine, Under, Verdict,
    check,
};
use ample_frontends::LoadOptions;
use ample_interpret::Interpreter;
use ample_search::{Limits, StopAt};
use ample_stdx::Random;
use ample_testing::workspace_root;

/// A program of the thesis, and how it is checked.
#[derive(Default)]
struct Case {
    file: &'static str,
    text: Option<String>,
    defines: Vec<(&'static str, &'static str)>,
    property: &'static str,
    given: &'static [&'static str],
    abstracted: Option<&'static [&'static str]>,
    refine: Refine,
    to_the_end: bool,
    max_rounds: Option<u64>,
    patience: Option<u64>,
}

impl Case {
    fn of(file: &'static str, property: &'static str) -> Case {
        Case { file, property, ..Case::default() }
    }

    fn text(text: &str, property: &'static str) -> Case {
        Case { text: Some(text.to_owned()), ..Case::of("test.gcl", property) }
    }

    /// A program of Promela in which predicates stand for these variables.
    fn promela(text: &str, abstracted: &'static [&'static str], property: &'static str) -> Case {
        Case { text: Some(text.to_owned()), abstracted: Some(abstracted), ..Case::of("test.pml", property) }
    }

    fn run(&self) -> PropertyOutcome {
        self.checked(Some(Under { name: "predicates".to_owned(), pick: Pick::Guided, begin: None }))
    }

    /// The full search, as far as 20,000 states.
    fn in_full(&self) -> PropertyOutcome {
        self.checked(None)
    }

    fn checked(&self, under: Option<Under>) -> PropertyOutcome {
        let how = LoadOptions {
            defines: self.defines.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            values: self.given.iter().map(|text| (*text).to_owned()).collect(),
            ..LoadOptions::default()
        };
        let loaded = match &self.text {
            Some(text) => ample_frontends::load_text(self.file, text.clone(), &how),
            None => ample_frontends::load_file(&workspace_root().join("examples/thesis").join(self.file), &how),
        };
        let loaded = loaded.unwrap_or_else(|error| panic!("{}: {error:?}", self.file));
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::new(&interpreter, &loaded.properties, &ample_check::Choice::Auto).expect("prepared");
        let names = |names: &[&str]| Abstracted::Named(names.iter().map(|name| (*name).to_owned()).collect());
        let predicates = Predicates {
            abstracted: self.abstracted.map(names).unwrap_or_default(),
            given: loaded.values.iter().take(self.given.len()).cloned().collect(),
            refine: self.refine,
            patience: self.patience,
            ..Predicates::default()
        };
        let limits = Limits { max_states: Some(20_000), ..Limits::default() };
        let options = Options {
            under,
            limits,
            predicates,
            max_rounds: self.max_rounds,
            stop_at: if self.to_the_end { StopAt::End } else { StopAt::FirstViolation },
            ..Options::default()
        };
        let system = prepared.system();
        let job = Job { system, select: vec![self.property.to_owned()], options, loops: LOOPS, progress: None };
        check(job).expect("an answer").properties.remove(0)
    }
}

/// Generated and stored states of each run.
fn rounds(outcome: &PropertyOutcome) -> Vec<(u64, u64)> {
    outcome.refinement.iter().map(|run| (run.counts.transitions + 1, run.counts.states)).collect()
}

fn predicates(run: &Iteration) -> usize {
    run.round.as_ref().map_or(0, |round| round.predicates)
}

#[test]
fn the_device_driver_needs_one_round() {
    let outcome = Case::of("figure-5-6.gcl", "safety").run();
    assert_eq!(rounds(&outcome), [(10, 9)]);
    assert_eq!(outcome.verdict, Verdict::Holds);
    let outcome = Case::of("figure-5-6.gcl", "wrong").run();
    assert_eq!(outcome.verdict, Verdict::Holds);
}

#[test]
fn table_5_1_the_ticket_protocol() {
    let outcome = Case::of("figure-5-7.gcl", "together").run();
    assert_eq!(rounds(&outcome), [(52, 25), (58, 31), (58, 31), (58, 31), (58, 31)]);
    assert_eq!(outcome.verdict, Verdict::Holds);
    assert_eq!(outcome.refinement.iter().map(predicates).collect::<Vec<_>>(), [3, 7, 12, 13, 14]);
    // No more queries than the thesis needed.
    let queries: Vec<u64> =
        outcome.refinement.iter().filter_map(|run| run.round.as_ref()).map(|round| round.questions.queries).collect();
    assert!(queries.iter().zip([14, 70, 151, 173, 195]).all(|(ours, theirs)| *ours <= theirs), "{queries:?}");
    let added: Vec<&str> =
        outcome.refinement.iter().flat_map(|run| &run.added).filter_map(|added| added.predicate.as_deref()).collect();
    assert_eq!(added.len(), 11, "{added:?}");
    for predicate in ["p[3].a <= s + 2", "t <= s + 3", "s <= t"] {
        assert!(added.contains(&predicate), "{predicate}: {added:?}");
    }
}

#[test]
fn table_5_2_the_ticket_protocol_by_processes() {
    for (n, last) in [("4", (253, 129)), ("5", (1296, 651))] {
        let outcome = Case { defines: vec![("N", n)], ..Case::of("figure-5-7.gcl", "safety") }.run();
        assert_eq!(rounds(&outcome).last(), Some(&last), "N={n}");
        assert_eq!(outcome.verdict, Verdict::Holds, "N={n}");
    }
    let two = "var t, s : int; process p[i : 1..2] { var pc : 0..2; var a : int; pc = 0 -> pc := 1, a := t, t := t + 1; \
               pc = 1 and a <= s -> pc := 2; pc = 2 -> pc := 0, s := s + 1; } error e: p[1].pc = 2 and p[2].pc = 2;";
    let outcome = Case::text(two, "e").run();
    assert_eq!((rounds(&outcome).last(), outcome.verdict), (Some(&(15, 9)), Verdict::Holds));
}

#[test]
fn table_5_3_the_bakery() {
    let to_the_end = Case::of("figure-5-8.gcl", "safety").run();
    assert_eq!(rounds(&to_the_end), [(429, 223), (565, 291), (791, 410)]);
    assert_eq!(to_the_end.verdict, Verdict::Holds);
    let printed = Case::of("figure-5-8.gcl", "together").run();
    assert_eq!(printed.verdict, Verdict::Violated);
    assert_eq!(printed.violations[0].replayed.moves, 18);
    let corrected = Case::of("figure-5-8-corrected.gcl", "together").run();
    assert_eq!(rounds(&corrected), [(254, 140), (386, 209), (513, 280)]);
    assert_eq!(corrected.verdict, Verdict::Holds);
}

#[test]
fn table_5_4_the_remote_agent() {
    let outcome = Case::of("figure-5-9.gcl", "deadlock").run();
    assert_eq!((outcome.verdict, outcome.refinement.len()), (Verdict::Violated, 1));
    assert_eq!(outcome.violations[0].replayed.moves, 7);
    let case = Case { to_the_end: true, max_rounds: Some(4), ..Case::of("figure-5-9.gcl", "safety") };
    let outcome = case.run();
    assert_eq!(rounds(&outcome), [(69, 44), (101, 65), (101, 65), (101, 65)]);
    assert!(outcome.refinement.iter().all(|run| !run.is_exact));
}

#[test]
fn table_5_5_the_sorter() {
    let case = Case {
        // As in the appendix: requests have no bound.
        defines: vec![("CAP", "1000000000")],
        abstracted: Some(&["x", "t1", "t2", "requests", "timer"]),
        ..Case::of("sorter.gcl", "safety")
    };
    let outcome = case.run();
    assert_eq!(rounds(&outcome)[..3], [(2025, 1682), (4805, 3459), (5016, 3640)]);
    assert_eq!(rounds(&outcome).last(), Some(&(6334, 4799)));
    assert_eq!(outcome.verdict, Verdict::Holds);
}

#[test]
fn figure_4_8_has_no_end_without_a_predicate_of_ones_own() {
    let case = || Case { abstracted: Some(&["x", "y"]), max_rounds: Some(6), ..Case::of("figure-4-8.gcl", "safety") };
    let outcome = case().run();
    assert_eq!((outcome.verdict, outcome.refinement.len()), (Verdict::Unknown, 6));
    let open = &outcome.refinement[5].round.as_ref().expect("predicates").open;
    assert_eq!((open.len(), open[0].statement.as_str()), (1, "y >= 0 -> y := y + x"));
    let outcome = Case { given: &["x = 0"], ..case() }.run();
    assert_eq!((outcome.verdict, outcome.refinement.len()), (Verdict::Holds, 1));
    // Corollary 5.1.
    let outcome = Case { patience: Some(3), ..case() }.run();
    assert_eq!((outcome.verdict, outcome.refinement.len()), (Verdict::Holds, 5));
}

#[test]
fn section_5_3_1_says_nothing_for_k_rounds() {
    for k in ["3", "7"] {
        let outcome = Case { defines: vec![("K", k)], ..Case::of("section-5-3.gcl", "b_was_taken") }.run();
        assert_eq!(outcome.verdict, Verdict::Violated);
        assert_eq!(outcome.refinement.len().to_string(), k);
    }
}

#[test]
fn without_a_solver_more_is_added_and_without_refinement_nothing_is_proved() {
    let outcome = Case { refine: Refine::All, ..Case::of("figure-5-7.gcl", "together") }.run();
    assert_eq!((outcome.verdict, rounds(&outcome).last()), (Verdict::Holds, Some(&(58, 31))));
    let outcome = Case { refine: Refine::None, ..Case::of("figure-5-7.gcl", "together") }.run();
    assert_eq!((outcome.verdict, rounds(&outcome)), (Verdict::Unknown, vec![(52, 25)]));
}

#[test]
fn numbers_that_wrap_around_are_meant() {
    let text = "byte x; active proctype p() { do :: x++ od }";
    let case = Case { max_rounds: Some(9), ..Case::promela(text, &["x"], "safety") };
    assert_eq!((case.run().verdict, rounds(&case.run())), (Verdict::Holds, vec![(2, 1)]));
    // 255 is followed by 0.
    let text = "byte x = 250; active proctype p() { do :: x++; assert(x != 3) od }";
    let outcome = Case { max_rounds: Some(20), ..Case::promela(text, &["x"], "assertions") }.run();
    assert_eq!(outcome.verdict, Verdict::Violated);
}

#[test]
fn what_happens_inside_of_atomic_is_not_called_exact() {
    let text = "byte x, y; active proctype p() { do :: atomic { y = 1 - y; if :: x == 7 -> assert(false) :: else fi; x++ } od }";
    let outcome = Case { max_rounds: Some(4), ..Case::promela(text, &["x"], "assertions") }.run();
    assert_ne!(outcome.verdict, Verdict::Holds);
}

#[test]
fn whether_a_property_has_a_value_is_seen() {
    let text = "var a[3] : int; var i : int; [up] true -> i := i + 1; error e: a[i] > 0;";
    let outcome = Case { max_rounds: Some(9), ..Case::text(text, "e") }.run();
    assert_eq!(outcome.verdict, Verdict::Violated, "the index leaves the array");
}

/// A random program about two numbers, an array and a concrete flag; seldom with infinitely many
/// states.
fn random_program(seed: u64) -> String {
    let random = &mut Random::new(seed);
    let number = |random: &mut Random| (random.below(7) as i64 - 2).to_string();
    let variable = |random: &mut Random| ["x", "y", "z", "a[i]", "a[0]", "i"][random.below(6)].to_owned();
    let term = |random: &mut Random| match random.below(8) {
        0 => number(random),
        1..=3 => variable(random),
        4 => format!("{} + {}", variable(random), number(random)),
        5 => format!("{} - {}", variable(random), variable(random)),
        6 => format!("({} + {}) % {}", variable(random), variable(random), 2 + random.below(3)),
        _ => {
            format!("(if {} < {} then {} else {})", variable(random), number(random), variable(random), number(random))
        }
    };
    let atom = |random: &mut Random| {
        let sign = ["<", "<=", "=", "!=", ">", ">="][random.below(6)];
        format!("{} {sign} {}", term(random), term(random))
    };
    let guard = |random: &mut Random| match random.below(4) {
        0 => format!("{} and {}", atom(random), atom(random)),
        1 => format!("{} or not {}", atom(random), atom(random)),
        2 => format!("f = {} and {}", random.below(2), atom(random)),
        _ => atom(random),
    };
    let mut text = "var x, y, z : int; var a[2] : int; var i : 0..1; var f : 0..1;\n".to_owned();
    for _ in 0..2 + random.below(3) {
        let left = ["x", "y", "z", "a[i]", "a[1]"][random.below(5)];
        let bounded = format!("{left} < 4 and {left} > -4 and");
        text += &format!("{bounded} ({}) -> {left} := {}", guard(random), term(random));
        match random.below(4) {
            0 => text += &format!(", f := {}", random.below(2)),
            1 => text += &format!(", i := {}", ["0", "1", "1 - i", "if x < y then 1 else 0", "z"][random.below(5)]),
            2 => text += &format!(", y := {}", term(random)),
            _ => {}
        }
        text += ";\n";
    }
    text + &format!("end true;\nerror e: {};\n", guard(random))
}

#[test]
fn verdicts_of_random_programs_are_those_of_the_full_search() {
    let seeds = ample_testing::random::seeds(0..300).expect("AMPLE_SEEDS is a range");
    let (mut holds, mut violated, mut unknown) = (0, 0, 0);
    for seed in seeds {
        let text = random_program(seed);
        for property in ["e", "safety"] {
            let abstracted: Option<&[&str]> = Some(&["x", "y", "z", "a"]);
            let case = Case { max_rounds: Some(12), abstracted, ..Case::text(&text, property) };
            let (ours, full) = (case.run(), case.in_full());
            match (ours.verdict, full.verdict) {
                (Verdict::Unknown, _) => unknown += 1,
                (Verdict::Holds, Verdict::Violated) | (Verdict::Violated, Verdict::Holds) => {
                    panic!("seed {seed}, {property}: {:?}, the full search {:?}\n{text}", ours.verdict, full.verdict)
                }
                (Verdict::Holds, _) => holds += 1,
                (Verdict::Violated, _) => violated += 1,
            }
        }
    }
    assert!(holds > 50 && violated > 50, "holds {holds}, violated {violated}, unknown {unknown}");
}
