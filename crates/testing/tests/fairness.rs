//! Weak fairness: small models whose answers are known, and random ones, against the definition, on
//! the interpreter's own graph.

use std::collections::HashMap;

use ample_check::{Choice, Claim, Fairness, Job, LOOPS, Options, Outcome, Prepared, Verdict, check};
use ample_frontends::{FormulaText, LoadOptions, Loaded, load_text};
use ample_interpret::Interpreter;
use ample_product::{Evaluated, FiniteRuns, Product};
use ample_property::{Automaton, Letter, PropertyKind, StateId, number_propositions, translate};
use ample_replay::{Forbids, Mismatch, judge};
use ample_search::{EMPTINESS, Limits};
use ample_stdx::{Random, TypedId};
use ample_testing::explore;
use ample_testing::random::{self, Size};
use ample_transition::{GraphEdge, Marks, Move, Pid, SuccessorBuffer, Successors, Trace};

/// A graph: what leaves each node, by number. Node 0 is the initial one.
struct Graph<E> {
    edges: Vec<Vec<(usize, E)>>,
    /// The component of each node.
    components: Vec<usize>,
}

impl<E> Graph<E> {
    /// The graph of what can be reached; `None` if it has too many nodes.
    fn explore<N: Clone + Eq + std::hash::Hash>(
        initial: N,
        mut leaving: impl FnMut(&N) -> Vec<(N, E)>,
    ) -> Option<Self> {
        let leaving = |node: &N| leaving(node).into_iter().map(|(target, edge)| (Some(target), edge)).collect();
        let explored = ample_transition::Graph::explore(&initial, MOST_NODES, leaving);
        if !explored.is_complete() {
            return None;
        }
        let mut edges: Vec<Vec<(usize, E)>> = explored.states().iter().map(|_| Vec::new()).collect();
        for GraphEdge { from, to, about } in explored.into_edges() {
            edges[from.index()].extend(to.map(|to| (to.index(), about)));
        }
        let components = components(&edges);
        Some(Graph { edges, components })
    }

    /// The edges inside each component, by component.
    fn inside(&self) -> HashMap<usize, Vec<(usize, usize, &E)>> {
        let mut inside: HashMap<usize, Vec<(usize, usize, &E)>> = HashMap::new();
        for (from, edges) in self.edges.iter().enumerate() {
            for (to, edge) in edges.iter().filter(|(to, _)| self.components[*to] == self.components[from]) {
                inside.entry(self.components[from]).or_default().push((from, *to, edge));
            }
        }
        inside
    }
}

const MOST_NODES: usize = 1_000;

/// The strongly connected component of each node: two visits, the second against the edges, in
/// reverse order of completion.
fn components<E>(edges: &[Vec<(usize, E)>]) -> Vec<usize> {
    let mut done = Vec::new();
    let mut seen = vec![false; edges.len()];
    for root in 0..edges.len() {
        let mut open = if std::mem::replace(&mut seen[root], true) { Vec::new() } else { vec![(root, 0)] };
        while let Some((node, next)) = open.pop() {
            match edges[node].get(next) {
                None => done.push(node),
                Some(&(to, _)) => {
                    open.push((node, next + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        open.push((to, 0));
                    }
                }
            }
        }
    }
    let mut back = vec![Vec::new(); edges.len()];
    for (from, edges) in edges.iter().enumerate() {
        edges.iter().for_each(|(to, _)| back[*to].push(from));
    }
    let mut components = vec![usize::MAX; edges.len()];
    for &root in done.iter().rev() {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if components[node] == usize::MAX {
                components[node] = root;
                open.extend(&back[node]);
            }
        }
    }
    components
}

/// By the definition: is there a run of the model that the automaton accepts and that is as fair as
/// asked? The automaton is state-based. `None` if there are too many states, or a proposition has
/// no value.
fn by_definition(
    interpreter: &Interpreter<'_>,
    automaton: &Automaton,
    letter: &dyn Fn(&[u8]) -> Option<Letter>,
    fairness: Fairness,
) -> Option<bool> {
    struct Step {
        is_accepting: bool,
        moved: Vec<Pid>,
        cannot_move: Vec<Pid>,
    }
    // Those that do not exist have a turn all the time.
    let everyone = || 0..20;
    let mut failed = false;
    let mut buffer = SuccessorBuffer::new();
    let initial = (interpreter.initial().ok()?, automaton.initial);
    let graph = Graph::explore(initial, |(state, reading): &(Vec<u8>, StateId)| {
        let Some(letter) = letter(state) else {
            failed = true;
            return Vec::new();
        };
        let takes_part = |step: &Move, pid| step.process == pid || step.partner.is_some_and(|(other, _)| other == pid);
        let possible = interpreter.moves(&interpreter.decode(state), None);
        let can_move = |pid| possible.iter().any(|outcome| takes_part(&outcome.step, pid));
        let cannot_move: Vec<Pid> = everyone().filter(|pid| !can_move(*pid)).collect();
        buffer.clear();
        interpreter.expand_all(state, &mut buffer);
        let mut targets: Vec<(Vec<u8>, Vec<Pid>)> = Vec::new();
        for successor in buffer.iter() {
            let moved = everyone().filter(|pid| successor.moves.iter().any(|step| takes_part(step, *pid))).collect();
            targets.extend(successor.state.map(|state| (state.to_vec(), moved)));
        }
        if buffer.is_empty() {
            targets.push((state.clone(), Vec::new()));
        }
        let mut leaving = Vec::new();
        for (_, read) in automaton.successors(*reading, letter) {
            for (target, moved) in &targets {
                let step = Step {
                    is_accepting: automaton.is_accepting(*reading),
                    moved: moved.clone(),
                    cannot_move: cannot_move.clone(),
                };
                leaving.push(((target.clone(), read), step));
            }
        }
        leaving
    })?;
    let is_fair = |steps: &[(usize, usize, &Step)]| {
        everyone()
            .all(|pid| steps.iter().any(|(_, _, step)| step.moved.contains(&pid) || step.cannot_move.contains(&pid)))
    };
    let accepted = graph.inside().values().any(|steps| {
        steps.iter().any(|(_, _, step)| step.is_accepting) && (fairness == Fairness::None || is_fair(steps))
    });
    (!failed).then_some(accepted)
}

/// By the marks of a product: a run on which all occur again and again, as a trace.
fn by_marks(product: &Product<'_>) -> Option<Option<Trace>> {
    let mut buffer = SuccessorBuffer::new();
    let graph = Graph::explore(product.initial().ok()?, |state: &Vec<u8>| {
        buffer.clear();
        product.expand_all(state, &mut buffer);
        let successors = buffer.iter().enumerate().filter_map(|(number, successor)| {
            Some((successor.state?.to_vec(), (buffer.marks(number), successor.moves.to_vec())))
        });
        successors.collect()
    })?;
    let inside = graph.inside();
    let has_all = |component: &usize| {
        let marks = inside[component].iter().fold(Marks::NONE, |marks, (_, _, (more, _))| marks.union(*more));
        product.marks().is_subset(marks)
    };
    let mut accepting: Vec<usize> = inside.keys().copied().filter(has_all).collect();
    accepting.sort_unstable();
    Some(accepting.first().map(|&component| lasso(&graph, component, product.marks())))
}

/// A way into the component, and inside it one that has all marks and comes back.
fn lasso(graph: &Graph<(Marks, Vec<Move>)>, component: usize, all: Marks) -> Trace {
    let mut trace = Trace::default();
    let everywhere = |_: usize| true;
    let there = |node: usize| graph.components[node] == component;
    let start = if there(0) { 0 } else { walk(graph, 0, &everywhere, &|to, _| there(to), &mut trace).0 };
    trace.cycle = Some(trace.transitions.len());
    let (mut here, mut missing) = (start, all);
    while missing != Marks::NONE {
        let (next, seen) = walk(graph, here, &there, &|_, marks| missing.minus(marks) != missing, &mut trace);
        (here, missing) = (next, missing.minus(seen));
    }
    if here != start || trace.cycle == Some(trace.transitions.len()) {
        walk(graph, here, &there, &|to, _| to == start, &mut trace);
    }
    trace
}

/// The shortest way along an edge that is wanted, inside some nodes: where it leads, and the marks
/// on it.
fn walk(
    graph: &Graph<(Marks, Vec<Move>)>,
    from: usize,
    may_visit: &dyn Fn(usize) -> bool,
    is_wanted: &dyn Fn(usize, Marks) -> bool,
    trace: &mut Trace,
) -> (usize, Marks) {
    let mut parents: Vec<(usize, usize, usize)> = vec![(from, 0, 0)];
    let mut next = 0;
    loop {
        let (node, ..) = parents[next];
        for (number, (to, (marks, _))) in graph.edges[node].iter().enumerate() {
            if may_visit(*to) && is_wanted(*to, *marks) {
                let mut steps = vec![(node, number)];
                let mut at = next;
                while at != 0 {
                    let (_, parent, edge) = parents[at];
                    steps.push((parents[parent].0, edge));
                    at = parent;
                }
                let mut seen = Marks::NONE;
                for (node, edge) in steps.into_iter().rev() {
                    let (_, (marks, moves)) = &graph.edges[node][edge];
                    seen = seen.union(*marks);
                    trace.transitions.extend((!moves.is_empty()).then(|| moves.clone()));
                }
                return (*to, seen);
            }
            if may_visit(*to) && !parents.iter().any(|(known, ..)| known == to) {
                parents.push((*to, next, number));
            }
        }
        next += 1;
    }
}

/// Whether a formula of the model, the last one, is violated by a run that is as fair as asked: by
/// the definition; by the marks of the product of the interpreter and of machine code, whose runs
/// are judged; and, if that is there, by a search. All must agree.
fn is_violated(loaded: &Loaded, fairness: Fairness) -> Option<bool> {
    let property = loaded.properties.last().unwrap();
    let PropertyKind::Ltl(formula) = &property.kind else { panic!("not a formula") };
    let (formula, propositions) = number_propositions(formula).unwrap();
    let translated = translate(&formula.negated()).unwrap();
    let claim = Claim::of(property).unwrap().under(fairness);
    let interpreter = Interpreter::new(&loaded.model);
    let unpack = |state: &[u8]| interpreter.decode(state);
    let evaluated = Evaluated { interpreter: &interpreter, unpack: &unpack, expressions: &propositions };
    let letter = |state: &[u8]| ample_product::Propositions::letter(&evaluated, state).ok();
    let expected = by_definition(&interpreter, &translated.ba, &letter, fairness)?;
    for execution in ["interpret", "auto"] {
        let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::parse(execution)).unwrap();
        let system = prepared.system();
        let evaluated = system.propositions.make(&propositions);
        for automaton in [&translated.ba, &translated.tgba] {
            let product = Product::new(system.successors, automaton, &*evaluated, FiniteRuns::Stutter);
            let found = by_marks(&product.with_marks(fairness))?;
            assert_eq!(found.is_some(), expected, "{execution}, {fairness:?}");
            if let Some(trace) = found {
                let fault = claim.fault().clone();
                judge(&interpreter, &trace, &fault, Some(&claim)).unwrap();
                if by_definition(&interpreter, &translated.ba, &letter, Fairness::Weak) == Some(false) {
                    let fair = claim.clone().under(Fairness::Weak);
                    let refused = judge(&interpreter, &trace, &fault, Some(&fair));
                    assert!(matches!(refused, Err(Mismatch::NotFair(_))), "{refused:?}");
                }
            }
        }
        for emptiness in EMPTINESS.iter().filter(|entry| entry.is_generalised || fairness == Fairness::None) {
            let emptiness = Choice::parse(emptiness.part.name);
            let options = Options { emptiness, fairness, ..Options::default() };
            assert_eq!(ask(&prepared, options), verdict(expected), "{execution}, {fairness:?}");
        }
    }
    Some(expected)
}

fn ask(prepared: &Prepared<'_>, options: Options) -> Verdict {
    let system = prepared.system();
    let select = vec![system.properties.last().unwrap().name.clone()];
    check(Job { system, select, options, loops: LOOPS, progress: None }).unwrap().verdict
}

fn verdict(is_violated: bool) -> Verdict {
    if is_violated { Verdict::Violated } else { Verdict::Holds }
}

/// A model with a formula, and whether it is violated: by any run, and by a fair one.
#[track_caller]
fn answers(model: &str, any: bool, fair: bool) {
    let loaded = explore::load_text(model).map_err(|failure| explore::messages(&failure)).unwrap();
    assert_eq!(is_violated(&loaded, Fairness::None), Some(any), "{model}");
    assert_eq!(is_violated(&loaded, Fairness::Weak), Some(fair), "{model}");
}

const EVENTUALLY: &str = "ltl { <> done }";

#[test]
fn a_process_that_can_always_move_does() {
    let spinner = "bool done; bit z; active proctype spinner() { do :: z = 1 - z od }";
    answers(&format!("{spinner} active proctype worker() {{ done = true }} {EVENTUALLY}"), true, false);
    // It may choose the other way each time.
    let chooser = "active proctype worker() { do :: skip :: done = true od }";
    answers(&format!("{spinner} {chooser} {EVENTUALLY}"), true, true);
    // It waits for what never comes.
    answers(&format!("{spinner} active proctype worker() {{ z == 2; done = true }} {EVENTUALLY}"), true, true);
}

#[test]
fn a_process_that_can_move_again_and_again_need_not() {
    let others = "bit x, y; bool done; active proctype b() { do :: y = 1 - y od } \
                  active proctype c() { (x || y); done = true }";
    // Equivalent runs differ in whether `c` is ever disabled.
    answers(&format!("{others} active proctype a() {{ do :: x = 1 - x od }} {EVENTUALLY}"), true, true);
    answers(&format!("{others} active proctype a() {{ do :: x = 1 od }} {EVENTUALLY}"), true, false);
}

#[test]
fn both_take_part_in_a_rendezvous() {
    let spinner = "chan c = [0] of { bit }; bool done; bit z; active proctype spinner() { do :: z = 1 - z od }";
    let sender = "active proctype sender() { c!1; done = true }";
    answers(&format!("{spinner} {sender} active proctype receiver() {{ c?_ }} {EVENTUALLY}"), true, false);
    answers(&format!("{spinner} {sender} active proctype receiver() {{ c?0 }} {EVENTUALLY}"), true, true);
    // Who waits for a partner that is always there can always move, as sender and as receiver.
    // (Spin: not as receiver.)
    let busy = "chan c = [0] of { bit }; bool done;";
    let senders = "active proctype p() { do :: c!1 od }";
    let receivers = "active proctype q() { do :: c?_ od }";
    answers(
        &format!("{busy} {senders} {receivers} active proctype r() {{ c!1; done = true }} {EVENTUALLY}"),
        true,
        false,
    );
    answers(
        &format!("{busy} {senders} {receivers} active proctype r() {{ c?_; done = true }} {EVENTUALLY}"),
        true,
        false,
    );
    // The partner is away again and again.
    let away = "active proctype p() { do :: c!1; skip od }";
    answers(&format!("{busy} {away} {receivers} active proctype r() {{ c?_; done = true }} {EVENTUALLY}"), true, true);
}

#[test]
fn what_is_inside_atomic_does_not_count() {
    let waiter = "bit x; bool done; active proctype c() { x == 1; done = true }";
    answers(&format!("{waiter} active proctype a() {{ do :: atomic {{ x = 1; x = 0 }} od }} {EVENTUALLY}"), true, true);
    answers(
        &format!("{waiter} active proctype a() {{ do :: atomic {{ x = 0; x = 1 }} od }} {EVENTUALLY}"),
        true,
        false,
    );
    // All that move in a transition have moved, also the one that control passes to.
    let passing = "chan c = [0] of { bit }; bool done; active proctype b() { do :: atomic { c?_; skip } od } \
                   active proctype a() { do :: atomic { c!1; skip } od }";
    answers(&format!("{passing} active proctype d() {{ done = true }} {EVENTUALLY}"), true, false);
    // A process that is blocked inside its sequence cannot move.
    let blocked = "bit x; bool done; active proctype a() { atomic { x = 1; x == 0; done = true } } \
                   active proctype b() { do :: x == 1; x = 0; x = 1 od }";
    answers(&format!("{blocked} {EVENTUALLY}"), true, true);
}

#[test]
fn processes_that_come_and_go() {
    // Children of one number after the other, while an older process could move.
    let children = "bool done; proctype child() { skip } active proctype elder() { ELDER } \
                    active proctype parent() { do :: run child(); _nr_pr == 2 od }";
    answers(&format!("{} {EVENTUALLY}", children.replace("ELDER", "done = true")), true, false);
    answers(&format!("{} {EVENTUALLY}", children.replace("ELDER", "_nr_pr == 3; done = true")), true, true);
    let started = "bool done; bit x; proctype child() { do :: x = 1 - x od }";
    answers(&format!("{started} active proctype parent() {{ run child(); done = true }} {EVENTUALLY}"), true, false);
    answers(
        &format!("{started} active proctype parent() {{ run child(); x == 2; done = true }} {EVENTUALLY}"),
        true,
        true,
    );
    // Who waits at its end for younger processes cannot move.
    let waits = "bool done; bit x; active proctype elder() { skip } active proctype other() { do :: x = 1 - x od }";
    answers(&format!("{waits} ltl {{ <> (_nr_pr == 1) }}"), true, true);
}

#[test]
fn where_nothing_moves_every_run_is_fair() {
    answers("bool done; active proctype p() { done == true } ltl { <> done }", true, true);
    answers("bool done; active proctype p() { done = true } ltl { <> done }", false, false);
}

/// Formulas over two propositions.
const FORMULAS: &[&str] =
    &["GFp", "FGp", "G(p -> F q)", "p U q", "Gp", "Fp && GFq", "GFp -> GFq", "X p", "p W q", "G(p -> X q)", "Fp"];

/// Formulas for which it matters who gets a turn.
const LIVENESS: &[&str] = &["GFp", "G(p -> F q)", "Fp", "p U q", "GFp && GFq", "GFp || FGq"];

/// What processes of small models do, over and over.
const STATEMENTS: &[&str] = &[
    "x = 1 - x",
    "y = 1",
    "y = 0",
    "x == 1; z = 1 - z",
    "x == y; z = 1",
    "(x || y); z = 0",
    "c!1",
    "c?1",
    "c?x",
    "c!x; y = 1 - y",
    "d!1",
    "d?_",
    "atomic { x = 1; y == 1; x = 0 }",
    "atomic { x = 0; x = 1 }",
    "atomic { c!1; z = 1 - z }",
    "atomic { c?_; y = 1 - y }",
    "run child(); _nr_pr == before",
    "timeout; z = 1 - z",
    "else -> skip",
];

/// A small model whose processes never end.
fn small_model(prng: &mut Random) -> String {
    let mut text = "bit x, y, z; chan c = [0] of { bit }; chan d = [1] of { bit };\n\
                    proctype child() { z = 1 - z; y == y }\n"
        .to_owned();
    let count = prng.between(2, 3);
    for number in 0..count {
        let mut options: Vec<&str> =
            (0..prng.between(1, 3)).map(|_| STATEMENTS[prng.below(STATEMENTS.len())]).collect();
        options.dedup();
        // Only the youngest creates, so that it can wait for the end of the child; one `else` is
        // enough.
        options.retain(|option| number + 1 == count || !option.starts_with("run"));
        options.sort_by_key(|option| option.starts_with("else"));
        let options: Vec<String> = options.iter().map(|option| format!(":: {option}")).collect();
        let body = if options.is_empty() { ":: x = 1 - x".to_owned() } else { options.join(" ") };
        let body = body.replace("before", &count.to_string());
        text += &format!("active proctype p{number}() {{ do {body} od }}\n");
    }
    text
}

/// A random model with a random formula about its variables.
fn random_model(seed: u64) -> Option<Loaded> {
    let mut prng = Random::new(seed);
    let is_small = seed % 4 != 3;
    let text = match is_small {
        true => small_model(&mut prng),
        false => random::model(seed, Size { processes: 2, statements: 3, depth: 2 }),
    };
    let loaded = explore::load_text(&text).ok()?;
    let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let names: Vec<&str> = loaded.model.globals.slots.iter().map(|slot| slot.name.as_str()).filter(is_name).collect();
    let (names, values, formulas) = if is_small { (vec!["x", "y", "z"], 2, LIVENESS) } else { (names, 3, FORMULAS) };
    let mut proposition = || {
        let name = names.get(prng.below(names.len().max(1))).copied().unwrap_or("_nr_pr");
        format!("{{{name} == {}}}", prng.below(values))
    };
    let (p, q) = (proposition(), proposition());
    let formula = formulas[prng.below(formulas.len())];
    let put = |formula: &str| {
        let words = formula.chars().map(|c| match c {
            'p' => p.clone(),
            'q' => q.clone(),
            c => c.to_string(),
        });
        words.collect::<Vec<String>>().concat()
    };
    let formulas = vec![FormulaText { name: "formula".to_owned(), text: put(formula) }];
    load_text("random.pml", text, &LoadOptions { formulas, ..LoadOptions::default() }).ok()
}

#[test]
fn random_models_against_the_definition() {
    let (mut violated, mut only_unfair, mut holding) = (0, 0, 0);
    for seed in 0..300 {
        let Some(loaded) = random_model(seed) else { continue };
        let any = is_violated(&loaded, Fairness::None);
        match (any, is_violated(&loaded, Fairness::Weak)) {
            (Some(true), Some(true)) => violated += 1,
            (Some(true), Some(false)) => only_unfair += 1,
            (Some(false), Some(false)) => holding += 1,
            (Some(false), Some(true)) => panic!("seed {seed}: a fair run is a run"),
            _ => {}
        }
    }
    println!("{violated} violated, {only_unfair} only by runs that are not fair, {holding} hold");
    assert!(violated > 50 && only_unfair > 10 && holding > 50);
}

/// A shortest run with a bad beginning has no shorter one.
fn refuse_shorter(interpreter: &Interpreter<'_>, outcome: &Outcome) {
    let property = &outcome.properties[0];
    for violation in &property.violations {
        let claim = property.claim.as_deref().map(|claim| claim as &dyn Forbids);
        assert!(judge(interpreter, &violation.trace, &violation.fault, claim).is_ok());
        let mut shorter = violation.trace.clone();
        if shorter.transitions.pop().is_some() {
            let judged = judge(interpreter, &shorter, &violation.fault, claim);
            assert!(matches!(judged, Err(Mismatch::NoFault { .. })), "{judged:?}");
        }
    }
}

/// The answers by reachability are those of a search for infinite runs, on models without run-time
/// errors: where a run ends in one, only the former see what was wrong before.
#[test]
fn random_safety_formulas_by_reachability() {
    let (mut violated, mut holding) = (0, 0);
    for seed in (1003..2200).step_by(4) {
        let Some(loaded) = random_model(seed) else { continue };
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).unwrap();
        let limits = Limits { max_states: Some(5_000), ..Limits::default() };
        let ask = |select: &str, emptiness: &str, order: &str| {
            let (emptiness, order) = (Choice::parse(emptiness), Choice::parse(order));
            let options = Options { emptiness, order, limits: limits.clone(), ..Options::default() };
            check(Job {
                system: prepared.system(),
                select: vec![select.to_owned()],
                options,
                loops: LOOPS,
                progress: None,
            })
            .unwrap()
        };
        let reached = ask("formula", "auto", "auto");
        let is_safety = reached.properties[0].run.as_ref().is_some_and(|run| !run.is_for_infinite_runs);
        let has_errors = ask("safety", "auto", "auto").properties[0]
            .violations
            .iter()
            .any(|violation| violation.fault.kind == ample_transition::FaultKind::RuntimeError);
        if !is_safety || has_errors || reached.verdict == Verdict::Unknown {
            continue;
        }
        let endless = ask("formula", "ndfs", "auto").verdict;
        assert!(endless == Verdict::Unknown || endless == reached.verdict, "seed {seed}");
        for order in ["bfs", "dfs", "blocks"] {
            let found = ask("formula", "auto", order);
            assert!(found.verdict == Verdict::Unknown || found.verdict == reached.verdict, "seed {seed} {order}");
            if order == "bfs" {
                refuse_shorter(&interpreter, &found);
            }
        }
        match reached.verdict {
            Verdict::Violated => violated += 1,
            _ => holding += 1,
        }
    }
    println!("{violated} violated, {holding} hold");
    assert!(violated > 20 && holding > 20);
}
