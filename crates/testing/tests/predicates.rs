//! Concrete search with abstract matching and refinement: the numbers of Pelánek's thesis, chapter
//! 5, and what it says of its examples.

use ample_check::{
    Abstracted, Iteration, Job, LOOPS, Options, Pick, Predicates, Prepared, PropertyOutcome, Refine, Under, Verdict,
    check,
};
use ample_frontends::LoadOptions;
use ample_interpret::Interpreter;
use ample_search::StopAt;
use ample_testing::workspace_root;

/// A program of the thesis, and how it is checked.
#[derive(Default)]
struct Case {
    file: &'static str,
    text: Option<&'static str>,
    defines: Vec<(&'static str, &'static str)>,
    property: &'static str,
    given: &'static [&'static str],
    abstracted: Option<&'static [&'static str]>,
    refine: Refine,
    to_the_end: bool,
    max_rounds: Option<u64>,
}

impl Case {
    fn of(file: &'static str, property: &'static str) -> Case {
        Case { file, property, ..Case::default() }
    }

    fn text(text: &'static str, property: &'static str) -> Case {
        Case { text: Some(text), property, ..Case::default() }
    }

    fn run(&self) -> PropertyOutcome {
        let how = LoadOptions {
            defines: self.defines.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            values: self.given.iter().map(|text| (*text).to_owned()).collect(),
            ..LoadOptions::default()
        };
        let loaded = match self.text {
            Some(text) => ample_frontends::load_text("test.gcl", text.to_owned(), &how),
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
            ..Predicates::default()
        };
        let under = Under { name: "predicates".to_owned(), pick: Pick::Guided, begin: None };
        let options = Options {
            under: Some(under),
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
