//! What looks ahead, covers states or computes their classes, held against the full search: what is
//! explored, by the relations that the technique declares, and what is answered.
//!
//! Nothing is named here: whatever is in a registry and is neither a pass, a canonizer nor a choice
//! among transitions, which are compared elsewhere ([`plans`](crate::plans)), is tried, with each
//! question. What is refused is counted.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;

use ample_check::{CheckError, Job, LOOPS, Options, Outcome, Prepared, System, Techniques, Verdict, Way, check};
use ample_equivalence::{Answer, Lts, LtsBuilder, relation};
use ample_frontends::{LoadOptions, Loaded, load_text};
use ample_guarantee::{Part, PartKind, PropertyClass};
use ample_interpret::Interpreter;
use ample_network::Packed;
use ample_search::{Ended, Limits, StopAt};
use ample_stdx::lock;
use ample_transition::{Fault, SuccessorBuffer, Successors};

use crate::random::{self, Language, Numbers, Size};
use crate::two_processes::Models;

/// Larger spaces are not compared.
const MAX_STATES: u64 = 1_000;

/// What is asked about each model, besides its own properties.
const QUESTIONS: [&str; 3] = ["assertions", "end-states", "safety"];

/// A question that no random model answers with an error: its search explores all that is left, and
/// looks for no way to anything.
const NOTHING: &str = "exclusive";

/// What the comparisons were good for, by technique.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<String, Counts>);

/// How often something came out.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Systems that were compared by a relation, and how many of them were smaller.
    pub related: u64,
    /// How many of these were smaller than the full ones.
    pub smaller: u64,
    /// Answers that were compared.
    pub answers: u64,
    /// Questions that were refused.
    pub refused: u64,
}

impl Tally {
    /// Adds what another one has counted.
    pub fn add(&mut self, other: &Tally) {
        for (name, counts) in &other.0 {
            let own = self.0.entry(name.clone()).or_default();
            own.related += counts.related;
            own.smaller += counts.smaller;
            own.answers += counts.answers;
            own.refused += counts.refused;
        }
    }

    /// What was counted of a technique.
    pub fn of(&self, name: &str) -> Counts {
        self.0.get(name).copied().unwrap_or_default()
    }

    /// The techniques that were tried.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// On one line.
    pub fn line(&self) -> String {
        let one =
            |(name, c): (&String, &Counts)| format!("{name}:{}:{}:{}:{}", c.related, c.smaller, c.answers, c.refused);
        self.0.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    /// From such a line.
    pub fn parse(line: &str) -> Option<Tally> {
        let one = |word: &str| {
            let mut fields = word.split(':');
            let name = fields.next()?.to_owned();
            let mut number = || fields.next()?.parse().ok();
            Some((name, Counts { related: number()?, smaller: number()?, answers: number()?, refused: number()? }))
        };
        line.split_whitespace().map(one).collect::<Option<BTreeMap<_, _>>>().map(Tally)
    }

    fn count(&mut self, part: &Part) -> &mut Counts {
        self.0.entry(part.name.to_owned()).or_default()
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, counts) in &self.0 {
            let Counts { related, smaller, answers, refused } = counts;
            writeln!(
                f,
                "{name}: {related} systems related, {smaller} of them smaller; {answers} answers, {refused} refused"
            )?;
        }
        Ok(())
    }
}

/// Everything that is tried, with the way to ask for it.
fn techniques() -> Vec<(&'static Part, Way)> {
    let techniques = Techniques::default();
    let is_compared_elsewhere = |part: &&Part| {
        use PartKind::{Canonizer, CycleCondition, Expander, Pass, Sleep};
        matches!(part.kind, Pass | Canonizer | Expander | CycleCondition | Sleep)
    };
    let classes = techniques.classes.iter().map(|entry| entry.part);
    let others = techniques.reductions().filter(|part| !is_compared_elsewhere(part));
    others.chain(classes).map(|part| (part, Way::default().with(part))).collect()
}

/// The relations between what is explored and the full system that a technique declares, if it is
/// about states. What looks for one error only explores no such system.
fn relations(part: &Part) -> Vec<&'static str> {
    let declares = |class| part.guarantee.no_missed.contains(class);
    let is_about_states = matches!(part.kind, PartKind::Cover | PartKind::Order);
    let reach = declares(PropertyClass::LocalReachability).then_some("reach");
    let deadlock = declares(PropertyClass::Deadlock).then_some("deadlock");
    reach.into_iter().chain(deadlock).filter(|_| is_about_states).collect()
}

/// A model of a seed: its text, and a file that it could stand in.
fn random_model(seed: u64) -> (String, &'static str) {
    match seed % 8 {
        0 => (random::bounded_model(seed, Language::Dve), "random.dve"),
        1 => (random::bounded_model(seed, Language::Gcl), "random.gcl"),
        2 | 3 => (random::bounded_model(seed, Language::Promela), "random.pml"),
        4 | 5 => {
            let model = random::acyclic_model(seed, seed % 16 < 8);
            (model.text, model.file)
        }
        6 if seed % 16 < 8 => (random::gcl_program(seed, Numbers::Small).text, "random.gcl"),
        6 => (random::counting_model(seed), "random.pml"),
        _ => (random::model(seed, Size { processes: 3, statements: 3, depth: 2 }), "random.pml"),
    }
}

/// Compares the model of a seed.
pub fn compare_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let (text, file) = random_model(seed);
    let Ok(loaded) = load_text(file, text.clone(), &LoadOptions::default()) else { return Ok(()) };
    compare(&loaded, tally).map_err(|what| format!("seed {seed}: {what}\n{text}"))
}

/// Compares the small model with this number.
pub fn compare_small(models: &Models, number: usize, tally: &mut Tally) -> Result<(), String> {
    let Some(text) = models.text(number) else { return Ok(()) };
    let Ok(loaded) = load_text("two.pml", text.clone(), &LoadOptions::default()) else { return Ok(()) };
    compare(&loaded, tally).map_err(|what| format!("model {number}: {what}\n{text}"))
}

/// Compares whatever there is with the full search.
pub fn compare(loaded: &Loaded, tally: &mut Tally) -> Result<(), String> {
    let interpreter = Interpreter::new(&loaded.model);
    let Ok(packed) = Packed::new(&interpreter) else { return Ok(()) };
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    let Some(full) = explored(&prepared, &packed, &Way::default())? else { return Ok(()) };
    for (part, way) in techniques() {
        let names = relations(part);
        let less = if names.is_empty() { None } else { explored(&prepared, &packed, &way)? };
        let Some(less) = less else { continue };
        for name in names {
            // What a state is seen by counts for those that nothing leaves, and only there.
            let seen = |lts: &Lts| if name == "deadlock" { lts.clone() } else { lts.with_letters(|_| "") };
            let found =
                relation(name).map(|relation| relation.compare(&seen(&full), &seen(&less), &Default::default()));
            if !matches!(found, Some(Answer::Equivalent)) {
                return Err(format!("{}: not {name}: {found:?}", part.name));
            }
            let counts = tally.count(part);
            counts.related += 1;
            counts.smaller += u64::from(less.state_count() < full.state_count());
        }
    }
    let own = loaded.properties.iter().map(|property| property.name.as_str());
    for question in QUESTIONS.into_iter().chain(own) {
        answers(&prepared, question, tally).map_err(|what| format!("{question}: {what}"))?;
    }
    Ok(())
}

/// Compares the answers to a question: all violations, or where a technique is for one of them, the
/// verdict.
fn answers(prepared: &Prepared<'_>, question: &str, tally: &mut Tally) -> Result<(), String> {
    let Ok(full) = ask(&prepared.system(), question, &Way::default(), StopAt::End)? else { return Ok(()) };
    if full.verdict == Verdict::Unknown {
        return Ok(());
    }
    for (part, way) in techniques() {
        let ask = |stop_at| ask(&prepared.system(), question, &way, stop_at);
        let (given, is_for_one) = match ask(StopAt::End)? {
            Ok(given) => (Ok(given), false),
            Err(_) => (ask(StopAt::FirstViolation)?, true),
        };
        let Ok(given) = given else {
            tally.count(part).refused += 1;
            continue;
        };
        if given.verdict == Verdict::Unknown {
            continue;
        }
        if given.verdict != full.verdict || !is_for_one && given.faults != full.faults {
            return Err(format!("{}: {given:?}, in full {full:?}", way.flags()));
        }
        tally.count(part).answers += 1;
    }
    Ok(())
}

/// An answer.
#[derive(Debug)]
struct Given {
    verdict: Verdict,
    /// By kind and place. The place of an invalid end state is that of one of the processes that
    /// wait.
    faults: BTreeSet<(&'static str, String)>,
}

/// Asks in a way; a refusal is no answer, and other errors are errors of ours.
fn ask(system: &System<'_>, question: &str, way: &Way, stop_at: StopAt) -> Result<Result<Given, String>, String> {
    let outcome = match run(system, question, way, stop_at) {
        Ok(outcome) => outcome,
        Err(error @ (CheckError::Conflict(_) | CheckError::Refused(_))) => return Ok(Err(error.to_string())),
        Err(error) => return Err(format!("{}: {error}", way.flags())),
    };
    let violations = outcome.properties.iter().flat_map(|property| &property.violations);
    let faults = violations.map(|found| place(&found.fault)).collect();
    Ok(Ok(Given { verdict: outcome.verdict, faults }))
}

fn place(fault: &Fault) -> (&'static str, String) {
    let name = fault.kind.name();
    let has_place = fault.kind != ample_transition::FaultKind::InvalidEndState;
    (name, if has_place { format!("{:?}", fault.span) } else { String::new() })
}

fn run(system: &System<'_>, question: &str, way: &Way, stop_at: StopAt) -> Result<Outcome, CheckError> {
    let limits = Limits { max_states: Some(MAX_STATES), ..Limits::default() };
    // Those that name several threads share a machine with other comparisons.
    let threads = Some(1);
    let options = Options { threads, ..way.options(Options { stop_at, limits, ..Options::default() }) };
    check(Job { system: *system, select: vec![question.to_owned()], options, loops: LOOPS, progress: None })
}

/// What is explored of a system, as a system: what leaves each state that is expanded. Nothing if
/// the way is refused, given up, or does not come to an end.
fn explored(prepared: &Prepared<'_>, packed: &Packed<'_>, way: &Way) -> Result<Option<Lts>, String> {
    let recording = Recording { system: packed, expanded: Mutex::default() };
    let system = System { successors: &recording, ..prepared.system() };
    let outcome = match run(&system, NOTHING, way, StopAt::End) {
        Ok(outcome) => outcome,
        Err(CheckError::Conflict(_) | CheckError::Refused(_)) => return Ok(None),
        Err(error) => return Err(format!("{}: {error}", way.flags())),
    };
    let property = outcome.properties.first().filter(|property| property.ended == Some(Ended::Complete));
    let asked: Vec<&'static Part> = way.reductions.iter().copied().chain(way.algorithm).collect();
    let is_done = property.is_some_and(|property| asked.iter().all(|part| property.reductions.contains(part)));
    let expanded = std::mem::take(&mut *lock(&recording.expanded));
    Ok(is_done.then(|| system_of(packed, &expanded)))
}

/// Notes every state that is expanded. It does not say how long states are, so that nobody walks
/// through it to see what they look like.
struct Recording<'a, 'm> {
    system: &'a Packed<'m>,
    expanded: Mutex<Vec<Vec<u8>>>,
}

impl Successors for Recording<'_, '_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        self.system.initial()
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        lock(&self.expanded).push(state.to_vec());
        self.system.expand_all(state, buffer);
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.system.invalid_end(state)
    }
}

/// The system of these states, the first of which is the initial one. What leads to a state that is
/// not expanded leads back to where it begins, so that nothing ends which does not. A state that
/// nothing leaves is told by where its processes are, and what is said of it; transitions by their
/// moves, and each fault of one is a step beside it, since a state that covers another may fail
/// where that one does not.
fn system_of(packed: &Packed<'_>, expanded: &[Vec<u8>]) -> Lts {
    let mut numbers: HashMap<&[u8], u32> = HashMap::new();
    for state in expanded {
        let next = numbers.len() as u32;
        numbers.entry(state).or_insert(next);
    }
    let mut builder = LtsBuilder::new(0);
    let mut buffer = SuccessorBuffer::new();
    for (state, &number) in &numbers {
        buffer.clear();
        packed.expand_all(state, &mut buffer);
        builder.state(number);
        let mut leaves = false;
        for successor in buffer.iter() {
            let to = successor.state.and_then(|state| numbers.get(state)).copied().unwrap_or(number);
            builder.edge(number, &format!("{:?}", successor.moves), to);
            for fault in successor.faults {
                builder.edge(number, &format!("{:?} {:?} {:?}", successor.moves, fault.kind, fault.span), to);
            }
            leaves = true;
        }
        if !leaves {
            let at = packed.unpack(state).processes;
            let at: Vec<_> = at.iter().map(|process| (process.template, process.location)).collect();
            let end = packed.invalid_end(state).map(|fault| (fault.kind, fault.span));
            builder.letter(number, &format!("ends at {at:?} {end:?}"));
        }
    }
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_read_back() {
        let mut tally = Tally::default();
        let part = techniques()[0].0;
        *tally.count(part) = Counts { related: 1, smaller: 2, answers: 3, refused: 4 };
        assert_eq!(Tally::parse(&tally.line()), Some(tally.clone()));
        let mut twice = tally.clone();
        twice.add(&tally);
        assert_eq!(twice.of(part.name).answers, 6);
        assert_eq!(Tally::parse("a:1:2"), None);
    }
}
