//! An audit agrees where everything is right, and finds reductions that are wrong: by their
//! verdict, by the choices that they make, and by the system that they leave.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use ample_audit::{Audit, Audited, LoopChoice, Standing, audit};
use ample_check::{CheckError, Fairness, LOOPS, Pick, Techniques, Verdict};
use ample_frontends::{FormulaText, LoadOptions, load_text};
use ample_guarantee::{ClassSet, Guarantee, Omission, Part, PartKind, PropertyClass};
use ample_interpret::Interpreter;
use ample_reduction::{Always, CYCLE_CONDITIONS, CycleConditionEntry, EXPANDERS, ExpanderEntry, ForRuns};
use ample_search::{Limits, Progress, Snapshot};
use ample_transition::{Candidate, Expander, SuccessorBuffer};

struct Silent;

impl Progress for Silent {
    fn report(&mut self, _: &Snapshot) {}
}

const STUTTERING: Guarantee = Guarantee {
    no_missed: ClassSet::of(&[
        PropertyClass::Deadlock,
        PropertyClass::LocalReachability,
        PropertyClass::Invariants,
        PropertyClass::StutterInvariantLtl,
    ]),
    no_false: ClassSet::ALL,
    omission: Omission::None,
};

const fn part(name: &'static str, kind: PartKind) -> Part {
    Part { name, kind, summary: "wrong on purpose", paper: None, guarantee: STUTTERING }
}

static FIRST_ONLY: Part = part("first-only", PartKind::Expander);
static INTERRUPTING: Part = part("interrupting", PartKind::Expander);
static LARGE: Part = part("large", PartKind::Expander);
static NOTHING: Part = part("nothing", PartKind::Expander);
static IGNORING: Part = part("ignoring", PartKind::CycleCondition);

/// Takes the first transition of each state, whatever depends on it.
struct FirstOnly;

impl Expander for FirstOnly {
    fn candidate(&self, _: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        candidate.choose_all(1);
        number == 0 && successors.len() > 1
    }

    fn has_failed(&self) -> bool {
        false
    }
}

/// Takes nothing at all.
struct Nothing;

impl Expander for Nothing {
    fn candidate(&self, _: &[u8], successors: &SuccessorBuffer, number: usize, candidate: &mut Candidate) -> bool {
        candidate.choose_all(0);
        number == 0 && successors.len() > 1
    }

    fn has_failed(&self) -> bool {
        false
    }
}

/// Takes every transition, and may hold memory, which is not the plan's.
struct Everything {
    _memory: Vec<u8>,
}

impl Expander for Everything {
    fn candidate(&self, _: &[u8], _: &SuccessorBuffer, _: usize, _: &mut Candidate) -> bool {
        false
    }

    fn has_failed(&self) -> bool {
        false
    }
}

/// More than what an allocator keeps back when it is given back.
const MUCH: usize = 33 << 20;

static LARGE_EXPANDER: &[ExpanderEntry] = &[ExpanderEntry {
    part: &LARGE,
    is_automatic: false,
    make: |_, _| Box::new(Everything { _memory: vec![1; MUCH] }),
    join: None,
}];

/// Set when the first reduction is looked at: after the search that all others are compared with,
/// and before them.
static AFTER_REFERENCE: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static INTERRUPTING_EXPANDER: &[ExpanderEntry] = &[ExpanderEntry {
    part: &INTERRUPTING,
    is_automatic: false,
    make: |_, _| {
        AFTER_REFERENCE.store(true, Ordering::Relaxed);
        Box::new(Everything { _memory: Vec::new() })
    },
    join: None,
}];
static FIRST_EXPANDER: &[ExpanderEntry] =
    &[ExpanderEntry { part: &FIRST_ONLY, is_automatic: false, make: |_, _| Box::new(FirstOnly), join: None }];
static NOTHING_EXPANDER: &[ExpanderEntry] =
    &[ExpanderEntry { part: &NOTHING, is_automatic: false, make: |_, _| Box::new(Nothing), join: None }];

/// Any choice may stand, for ever.
static IGNORE: &[CycleConditionEntry] = &[CycleConditionEntry {
    part: &IGNORING,
    for_faults: &Always,
    for_runs: Some(ForRuns::OnTheFly),
    avoid: None,
    default_for: &[],
}];

/// One expander and few cycle conditions, so that there are fewer plans.
fn few() -> Techniques {
    Techniques { expanders: &EXPANDERS[..1], cycle_conditions: &CYCLE_CONDITIONS[..3], ..Techniques::default() }
}

/// What to ask.
#[derive(Clone, Default)]
struct Ask {
    select: Vec<&'static str>,
    formula: Option<&'static str>,
    fairness: Fairness,
    techniques: Techniques,
    budget: Option<std::time::Duration>,
    max_states: Option<u64>,
    interrupt: Arc<AtomicBool>,
}

impl Ask {
    fn about(name: &'static str) -> Ask {
        Ask { select: vec![name], techniques: few(), ..Ask::default() }
    }

    fn try_run(&self, text: &str) -> Result<Vec<Audited>, CheckError> {
        let formulas = self.formula.iter().map(|text| FormulaText { name: "f".to_owned(), text: (*text).to_owned() });
        let options = LoadOptions { formulas: formulas.collect(), ..LoadOptions::default() };
        let loaded = load_text("test.pml", text.to_owned(), &options).unwrap_or_else(|_| panic!("it can be read"));
        let interpreter = Interpreter::new(&loaded.model);
        let asked = Audit {
            interpreter: &interpreter,
            properties: &loaded.properties,
            select: self.select.iter().map(|name| (*name).to_owned()).collect(),
            fairness: self.fairness,
            budget: self.budget,
            limits: Limits { max_states: self.max_states, interrupt: self.interrupt.clone(), ..Limits::default() },
            seed: 1,
            techniques: self.techniques,
            loops: LOOPS,
        };
        audit(&asked, &mut Silent)
    }

    fn run(&self, text: &str) -> Audited {
        self.try_run(text).unwrap().remove(0)
    }
}

/// Nothing differs, and everything that can be asked was.
#[track_caller]
fn agrees(audited: &Audited, verdict: Verdict) {
    assert!(audited.differences.is_empty(), "{:#?}", audited.differences);
    assert_eq!(audited.verdict, verdict);
    assert_eq!(audited.count(Standing::Skipped), 0);
    assert!(audited.count(Standing::Agrees) > 20, "{}", audited.count(Standing::Agrees));
}

/// Some difference begins with these words.
fn says(audited: &Audited, words: &str) -> bool {
    audited.differences.iter().any(|difference| difference.what.starts_with(words))
}

/// Two processes that race; if `a` always goes first, `b` never gets to its assertion.
const RACE: &str = "
byte x;
active proctype b() { x == 0; failing: assert(false) }
active proctype a() { x = 1 }
";

/// A process that only minds its own business, for ever, beside two that do not.
const BUSY: &str = "
byte n;
active proctype busy() { bit i; do :: i = 1 - i od }
active [2] proctype p() { n++; assert(n < 2) }
";

#[test]
fn all_agree_on_safety() {
    let right = "byte n; active [2] proctype p() { byte i; i++; i++; atomic { n++; assert(n < 3) } }";
    let audited = Ask { techniques: Techniques::default(), ..Ask::about("safety") }.run(right);
    agrees(&audited, Verdict::Holds);
    assert!(audited.structures.iter().any(|structure| structure.samples > 0 && structure.visited > structure.samples));
    assert!(audited.structures.iter().all(|structure| structure.relations == ["deadlock", "reach"]));
    assert!(audited.structures.iter().all(|structure| structure.has_cycle_check));
    agrees(&Ask::about("safety").run(RACE), Verdict::Violated);
    agrees(&Ask::about("assertions").run(BUSY), Verdict::Violated);
}

#[test]
fn all_agree_on_endless_runs() {
    let toggle = "bit x; active proctype p() { do :: x = 1 - x od } active proctype q() { do :: skip od }";
    let ask = Ask { select: vec!["f"], formula: Some("[]<> x"), techniques: few(), ..Ask::default() };
    agrees(&ask.run(toggle), Verdict::Violated);
    let fair = Ask { fairness: Fairness::Weak, ..ask.clone() };
    let audited = fair.run(toggle);
    assert_eq!((audited.verdict, audited.differences.len()), (Verdict::Holds, 0));
    let never = Ask { formula: Some("[] (x <= 1)"), ..ask };
    agrees(&never.run(toggle), Verdict::Holds);
}

/// The names of the loops in plans that stand like this.
fn loops(audited: &Audited, standing: Standing) -> BTreeSet<(&'static str, bool)> {
    let standing = audited.plans.iter().filter(|result| result.standing == standing);
    let name = |under: &LoopChoice| (under.part.name, under.pick == Pick::Guided);
    standing.filter_map(|result| result.plan.under.as_ref().map(name)).collect()
}

#[test]
fn under_approximation_loops_are_asked_too() {
    let every: BTreeSet<_> =
        ["visibility", "cycles", "interleaving"].into_iter().flat_map(|name| [(name, true), (name, false)]).collect();
    let formula = |formula: &'static str| Ask { select: vec!["f"], formula: Some(formula), ..Ask::about("f") };
    let asks = [Ask::about("assertions"), formula("[] (n < 2)"), formula("[] (n < 9)"), formula("<> (n == 2)")];
    for ask in asks {
        let audited = ask.run(BUSY);
        assert_eq!((loops(&audited, Standing::Agrees), audited.differences.len()), (every.clone(), 0));
    }
    // One that begins with too little must not end with it.
    let techniques = Techniques { expanders: FIRST_EXPANDER, ..few() };
    let audited = Ask { techniques, ..Ask::about("assertions") }.run(RACE);
    assert!(loops(&audited, Standing::Differs).contains(&("visibility", true)), "{:#?}", audited.differences);
}

#[test]
fn every_property_of_a_model_is_asked() {
    let text = "bit x; active proctype p() { x = 1 } ltl soon { <> x } ltl none { [] !x } ltl progress { <> x }";
    let audited = Ask { max_states: Some(1000), techniques: few(), ..Ask::default() }.try_run(text).unwrap();
    let verdicts: Vec<_> = audited.iter().map(|audited| (audited.name.as_str(), audited.verdict)).collect();
    assert_eq!(
        verdicts,
        [
            ("safety", Verdict::Holds),
            ("soon", Verdict::Holds),
            ("none", Verdict::Violated),
            ("progress", Verdict::Holds)
        ]
    );
    assert!(audited.iter().all(|audited| audited.differences.is_empty()));
}

#[test]
fn what_does_not_apply_is_refused() {
    let fair = Ask { fairness: Fairness::Weak, ..Ask::about("safety") };
    assert!(matches!(fair.try_run(RACE), Err(CheckError::Conflict(_))));
    assert!(matches!(Ask::about("nobody").try_run(RACE), Err(CheckError::UnknownName { .. })));
}

#[test]
fn a_search_that_is_cut_off_decides_nothing() {
    // That the assertion holds is not known before the search, whoever looks ahead.
    let long = "int n, m; active [2] proctype p() {
        do :: atomic { n < 10000 -> n++; m++ } :: else -> break od; assert(n == m) }";
    let audited = Ask { max_states: Some(50), ..Ask::about("safety") }.run(long);
    assert_eq!((audited.verdict, audited.differences.len()), (Verdict::Unknown, 0));
    assert_eq!(audited.count(Standing::Agrees), 0);
    assert!(audited.count(Standing::Unsettled) > 20);
    let audited = Ask { budget: Some(std::time::Duration::ZERO), ..Ask::about("safety") }.run(long);
    assert_eq!(audited.verdict, Verdict::Unknown);
    assert!(audited.count(Standing::Skipped) > 20 && audited.structures.is_empty());
}

#[test]
fn one_answer_is_no_agreement() {
    let ask = Ask {
        techniques: Techniques { expanders: INTERRUPTING_EXPANDER, ..few() },
        interrupt: AFTER_REFERENCE.clone(),
        ..Ask::about("end-states")
    };
    let audited = ask.run("byte n; active [2] proctype p() { n++ }");
    let counts = [Standing::Agrees, Standing::Unsettled, Standing::Differs].map(|standing| audited.count(standing));
    assert_eq!((counts, audited.verdict), ([1, 0, 0], Verdict::Unknown), "nothing is compared with it");
}

/// Few plans are enough to meet every part: the first ones differ in all that they can differ in.
#[test]
fn the_first_plans_meet_every_part() {
    let audited = Ask::about("safety").run(RACE);
    let asked = audited.plans.iter().filter(|result| result.standing == Standing::Agrees);
    let beside = ample_reduction::PASSES.len() + ample_reduction::CANONIZERS.len();
    let first: Vec<_> = asked.take(2 * ample_store::STORES.len() + beside).map(|result| &result.plan).collect();
    for entry in ample_store::STORES {
        assert!(first.iter().any(|plan| plan.store == entry.part), "{}", entry.part.name);
    }
    for entry in ample_search::ORDERS {
        assert!(first.iter().any(|plan| plan.algorithm == entry.part), "{}", entry.part.name);
    }
    assert!([1, 2, 8].iter().all(|threads| first.iter().any(|plan| plan.threads == *threads)));
}

#[test]
fn memory_that_others_hold_cuts_off_no_plan() {
    let techniques =
        Techniques { expanders: LARGE_EXPANDER, cycle_conditions: &CYCLE_CONDITIONS[..1], ..Techniques::default() };
    let audited = Ask { techniques, ..Ask::about("safety") }.run(RACE);
    agrees(&audited, Verdict::Violated);
    let cut_off: Vec<_> = audited.plans.iter().filter(|result| result.standing == Standing::Unsettled).collect();
    assert!(cut_off.is_empty(), "{cut_off:#?}");
}

#[test]
fn an_expander_that_looks_at_nothing_is_caught_in_every_way() {
    let techniques = Techniques { expanders: FIRST_EXPANDER, ..few() };
    let audited = Ask { techniques, ..Ask::about("assertions") }.run(RACE);
    assert!(says(&audited, "the verdict is holds, but violated"), "{:#?}", audited.differences);
    assert!(says(&audited, "reach: the full system can do a transition"), "{:#?}", audited.differences);
    assert!(says(&audited, "C1:"), "{:#?}", audited.differences);
    let breach = audited.differences.iter().find(|difference| difference.what.starts_with("C1")).unwrap();
    assert!(breach.state.iter().any(|line| line.name == "x" && line.value == "0"), "{breach:#?}");
    let words = |shown: &ample_audit::ShownTransition| shown.steps[0].1.clone();
    assert_eq!(breach.chosen.iter().map(words).collect::<Vec<_>>(), ["x = 1"]);
    assert!(breach.conflicting.iter().map(words).any(|text| text == "x == 0"), "{breach:#?}");
}

#[test]
fn an_expander_that_takes_nothing_is_caught() {
    let techniques = Techniques { expanders: NOTHING_EXPANDER, cycle_conditions: IGNORE, ..Techniques::default() };
    let audited = Ask { techniques, ..Ask::about("safety") }.run(RACE);
    assert!(says(&audited, "C0:"), "{:#?}", audited.differences);
}

#[test]
fn a_reduction_that_puts_off_for_ever_is_caught() {
    let techniques = Techniques { cycle_conditions: IGNORE, ..few() };
    let audited = Ask { techniques, ..Ask::about("assertions") }.run(BUSY);
    assert!(says(&audited, "C3: from this state no state is reachable"), "{:#?}", audited.differences);
    assert!(says(&audited, "the verdict is holds, but violated"), "{:#?}", audited.differences);
    // The sets themselves are right: it is the cycle condition that is missing.
    assert!(!says(&audited, "C1") && !says(&audited, "C0"), "{:#?}", audited.differences);
}

#[test]
fn formulas_under_a_wrong_reduction_are_caught() {
    let ask = Ask { select: vec!["f"], formula: Some("[] (n == 0)"), techniques: few(), ..Ask::default() };
    agrees(&ask.run(BUSY), Verdict::Violated);
    let techniques = Techniques { cycle_conditions: IGNORE, ..few() };
    let audited = Ask { techniques, ..ask.clone() }.run(BUSY);
    assert!(says(&audited, "the verdict is holds, but violated"), "{:#?}", audited.differences);
    assert!(says(&audited, "C3:"), "{:#?}", audited.differences);
    assert!(says(&audited, "stutter: the full system can"), "{:#?}", audited.differences);
    let techniques = Techniques { expanders: FIRST_EXPANDER, ..few() };
    let audited = Ask { techniques, formula: Some("[] !b@failing"), ..ask }.run(RACE);
    assert!(says(&audited, "C1:"), "{:#?}", audited.differences);
}
