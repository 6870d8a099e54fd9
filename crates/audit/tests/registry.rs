//! A technique that is registered in one line is in plans, in what is taken unasked, in audits and
//! in the matrix of guarantees; and a wrong one of each kind is caught.

mod dummies;

use ample_audit::{Audit, Audited, Standing, audit};
use ample_check::{
    Choice, Fairness, Job, Loop, Options, Outcome, Prepared, Reduce, Techniques, Under, Verdict, check, parts_of,
};
use ample_frontends::{FormulaText, LoadOptions, load_text};
use ample_guarantee::{NoErrorFound, Parts, Property, decide, parts};
use ample_interpret::Interpreter;
use ample_search::{Limits, Progress, Snapshot, StopAt};
use dummies::{LOOPS, WRONG, right};

struct Silent;

impl Progress for Silent {
    fn report(&mut self, _: &Snapshot) {}
}

/// What is asked of a model.
#[derive(Clone, Copy)]
struct Asked {
    model: &'static str,
    formula: Option<&'static str>,
}

impl Asked {
    const fn safety(model: &'static str) -> Asked {
        Asked { model, formula: None }
    }

    fn name(self) -> &'static str {
        if self.formula.is_some() { "f" } else { "safety" }
    }

    fn with<R>(self, then: impl FnOnce(&Interpreter<'_>, &[ample_property::Property]) -> R) -> R {
        let formulas = self.formula.iter().map(|text| FormulaText { name: "f".to_owned(), text: (*text).to_owned() });
        let options = LoadOptions { formulas: formulas.collect(), ..LoadOptions::default() };
        let loaded =
            load_text("test.pml", self.model.to_owned(), &options).unwrap_or_else(|_| panic!("it can be read"));
        then(&Interpreter::new(&loaded.model), &loaded.properties)
    }

    fn check(self, options: Options) -> Result<Outcome, ample_check::CheckError> {
        self.with(|interpreter, properties| {
            let prepared = Prepared::new(interpreter, properties, &Choice::Auto).unwrap();
            let (system, select) = (prepared.system(), vec![self.name().to_owned()]);
            check(Job { system, select, options, loops: LOOPS, progress: None })
        })
    }

    fn audit(self, techniques: Techniques, loops: &'static [Loop]) -> Audited {
        self.with(|interpreter, properties| {
            let asked = Audit {
                interpreter,
                properties,
                select: vec![self.name().to_owned()],
                fairness: Fairness::None,
                budget: None,
                limits: Limits::default(),
                seed: 1,
                techniques,
                loops,
            };
            audit(&asked, &mut Silent).unwrap().remove(0)
        })
    }
}

/// Options with the dummies, which are asked for by these names.
fn options(reduce: &str) -> Options {
    Options { techniques: right(), reduce: Reduce::parse(reduce), ..Options::default() }
}

fn reductions(outcome: &Outcome) -> Vec<&'static str> {
    outcome.properties[0].reductions.iter().map(|part| part.name).collect()
}

/// Each process does something of its own, in a row, before both race; one makes noise for ever.
const RACE: Asked = Asked::safety(
    "byte noise, signal;
     active proctype a() { byte i; i = 1; i = i + 1; i = i * 2; signal = i; signal = 0 }
     active proctype b() { byte i; i = 3; i = 2; signal == 4; assert(i == 3) }
     active proctype c() { do :: noise = (noise + 1) % 3 od }",
);

/// Nothing is wrong.
const FINE: Asked = Asked::safety(
    "byte noise, signal;
     active proctype a() { byte i; i = 1; i = i + 1; signal = i; signal = 0 }
     active proctype b() { byte i; i = 3; i = 2; signal == 2; assert(i == 2) }
     active proctype c() { byte i; end: do :: noise = (noise + 1) % 3; i = 1; i = 0 od }",
);

#[test]
fn each_is_in_the_plan_that_asks_for_it() {
    let full = RACE.check(Options { reduce: Reduce::None, ..Options::default() }).unwrap();
    assert_eq!(full.verdict, Verdict::Violated);
    for name in ["fuse", "forget-noise", "fuse,forget-noise", "por,fuse,forget-noise"] {
        let outcome = RACE.check(options(name)).unwrap();
        assert_eq!(outcome.verdict, Verdict::Violated, "{name}");
        assert!(
            name.split(',').filter(|name| *name != "por").all(|name| reductions(&outcome).contains(&name)),
            "{name}"
        );
        let trace = |outcome: &Outcome| outcome.properties[0].violations[0].trace.moves().count();
        assert!(trace(&outcome) >= 7, "{name}: every move of the model as written is there");
    }
    let named = |name: &str| Choice::Named(name.to_owned());
    let condition = Options { por: named("copy"), cycle_condition: named("all-new"), ..options("auto") };
    assert_eq!(reductions(&RACE.check(condition).unwrap()), ["fuse", "copy", "all-new"]);
    let store = Options { store: named("set"), ..options("none") };
    assert_eq!(RACE.check(store).unwrap().properties[0].run.as_ref().unwrap().store, "set");
    let under = Under { name: "one-then-all".to_owned(), pick: Default::default(), begin: None };
    let outcome = RACE.check(Options { under: Some(under), por: named("copy"), ..options("auto") }).unwrap();
    assert_eq!((outcome.verdict, reductions(&outcome)[0]), (Verdict::Violated, "one-then-all"));
}

#[test]
fn fewer_states_are_stored_and_the_answer_stays() {
    let states = |reduce| {
        let outcome = FINE.check(options(reduce)).unwrap();
        assert_eq!(outcome.verdict, Verdict::Holds, "{reduce}");
        outcome.properties[0].counts.states
    };
    let full = states("none");
    assert!(states("fuse") < full && states("forget-noise") < full);
    assert!(states("fuse,forget-noise") < states("fuse").min(states("forget-noise")));
}

#[test]
fn a_cycle_that_closes_only_up_to_the_canonizer_is_unrolled() {
    let model = "byte noise; bit x; active proctype p() { do :: noise = (noise + 1) % 3 :: x = 1 - x od }";
    for formula in ["<> x", "[]<> x", "<>[] (x == 0)"] {
        let asked = Asked { model, formula: Some(formula) };
        for emptiness in ["ndfs", "scc"] {
            let emptiness = Choice::Named(emptiness.to_owned());
            let outcome = asked.check(Options { emptiness, ..options("forget-noise") }).unwrap();
            assert_eq!(outcome.verdict, Verdict::Violated, "{formula}");
            assert_eq!(reductions(&outcome), ["forget-noise"]);
        }
    }
    let silent = Asked { model, formula: Some("<> x") }.check(options("forget-noise")).unwrap();
    let trace = &silent.properties[0].violations[0].trace;
    assert_eq!((trace.transitions.len(), trace.cycle), (3, Some(0)), "three rounds, and it is what it was");
}

#[test]
fn coverage_is_that_of_the_model_as_written() {
    let covered = |reduce| {
        let options = Options { coverage: true, stop_at: StopAt::End, ..options(reduce) };
        let coverage = FINE.check(options).unwrap().properties.remove(0).coverage.unwrap();
        FINE.with(|interpreter, _| {
            let templates = interpreter.model().templates.iter_enumerated();
            let edges = templates.flat_map(|(id, template)| template.edges.ids().map(move |edge| (id, edge)));
            edges.filter(|(template, edge)| coverage.is_reached(*template, *edge)).collect::<Vec<_>>()
        })
    };
    let full = covered("none");
    assert!(full.len() > 10);
    assert_eq!(covered("fuse"), full);
    assert_eq!(covered("fuse,forget-noise"), full);
}

#[test]
fn what_does_not_apply_says_why() {
    let model = "byte noise; active proctype p() { do :: noise = (noise + 1) % 3 od }";
    let reads = Asked { model, formula: Some("[] (noise < 3)") };
    let refused = reads.check(options("forget-noise")).unwrap_err().to_string();
    assert_eq!(refused, "--reduce forget-noise cannot be used here: the property reads `noise`");
    let refused = reads.check(options("forget")).unwrap_err().to_string();
    assert!(refused.contains("no reduction named `forget`"), "{refused}");
    // Nobody has asked for it.
    assert_eq!(reads.check(options("auto")).unwrap().verdict, Verdict::Holds);
    let next = Asked { model: RACE.model, formula: Some("X (signal == 0)") };
    let refused = next.check(options("fuse")).unwrap_err().to_string();
    assert!(refused.starts_with("`fuse` cannot be used to check `f`"), "{refused}");
    assert_eq!(reductions(&next.check(options("auto")).unwrap()), [""; 0], "it is not sound");
}

#[test]
fn what_may_be_taken_unasked_is() {
    assert_eq!(reductions(&RACE.check(options("auto")).unwrap()), ["fuse"]);
    let large = Asked::safety(
        "byte noise; short n; byte a, b;
         active proctype p() { do :: a < 250 -> a++ :: else -> break od }
         active proctype q() { do :: b < 250 -> b++ :: else -> break od }
         active proctype c() { byte i; i = 1; i = 2; end: do :: noise = (noise + 1) % 5 od }",
    );
    let outcome = large.check(options("auto")).unwrap();
    assert_eq!(outcome.verdict, Verdict::Holds);
    let used = reductions(&outcome);
    assert!(["fuse", "copy", "forget-noise"].iter().all(|name| used.contains(name)), "{used:?}");
    let weighed = &outcome.properties[0].weighed;
    let names: Vec<&str> = weighed.iter().map(|plan| plan.name.split(" (").next().unwrap_or_default()).collect();
    assert_eq!(names[..3], ["full search", "forget-noise", "forget-noise copy"], "{weighed:?}");
    let chosen: Vec<_> = weighed.iter().filter(|plan| plan.is_chosen).collect();
    assert_eq!(chosen.len(), 1, "{weighed:?}");
    assert!(chosen[0].estimate < 0.5 && chosen[0].flags.contains("forget-noise,por --por "), "{weighed:?}");
}

#[test]
fn they_are_in_the_matrix_of_guarantees() {
    let reference = Parts::new(&parts::INTERPRETER, &ample_store::EXACT, &ample_search::DFS);
    let all: Vec<_> = parts_of(&right(), LOOPS).collect();
    let answer = |name: &str, property: &Property| {
        let part = *all.iter().find(|part| part.name == name).unwrap();
        match decide(&reference.clone().with(part), property) {
            Err(_) => "refused",
            Ok(decision) if decision.no_error_found == NoErrorFound::Holds => "holds",
            Ok(_) => "unknown",
        }
    };
    let properties = [Property::SAFETY, Property::stutter_invariant_ltl("f"), Property::ltl("g")];
    for (name, expected) in [
        ("fuse", ["holds", "holds", "refused"]),
        ("forget-noise", ["holds", "holds", "holds"]),
        ("copy", ["holds", "holds", "refused"]),
        ("all-new", ["holds", "refused", "refused"]),
        ("set", ["holds", "holds", "holds"]),
        ("one-then-all", ["unknown", "unknown", "unknown"]),
    ] {
        assert_eq!(properties.each_ref().map(|property| answer(name, property)), expected, "{name}");
    }
}

/// The names of all parts of plans that stand like this.
fn names(audited: &Audited, standing: Standing) -> Vec<&'static str> {
    let plans = audited.plans.iter().filter(|result| result.standing == standing).map(|result| &result.plan);
    plans
        .flat_map(|plan| {
            let reduction = plan.reduction.into_iter().flat_map(|(expander, condition)| [expander, condition]);
            let under = plan.under.as_ref().map(|under| under.part);
            reduction.chain(plan.also).chain(under).chain([plan.store]).map(|part| part.name).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn an_audit_asks_each_and_all_agree() {
    for asked in [RACE, Asked { formula: Some("[] (signal != 4)"), ..RACE }] {
        let audited = asked.audit(right(), LOOPS);
        assert!(audited.differences.is_empty(), "{:#?}", audited.differences);
        assert_eq!(audited.verdict, Verdict::Violated);
        let agree = names(&audited, Standing::Agrees);
        for name in ["fuse", "forget-noise", "copy", "set", "one-then-all"] {
            assert!(agree.contains(&name), "{name}: {agree:?}");
        }
        assert!(asked.formula.is_some() || agree.contains(&"all-new"));
        assert!(asked.formula.is_some() || agree.contains(&"sleep"));
    }
}

/// One of two assertions fails if `signal` is seen to be 4 before it is 0 again.
const CATCH: Asked = Asked::safety(
    "byte noise, signal;
     active proctype c() { end: do :: noise = (noise + 1) % 3 od }
     active proctype b() { signal == 4; assert(false) }
     active proctype a() { signal = 4; signal = 0 }",
);

#[test]
fn an_audit_catches_a_wrong_one_of_each() {
    for wrong in WRONG {
        let audited = CATCH.audit((wrong.techniques)(right()), wrong.loops);
        let differ = names(&audited, Standing::Differs);
        assert!(differ.contains(&wrong.name), "{}: {differ:?} {:#?}", wrong.name, audited.differences);
    }
}
