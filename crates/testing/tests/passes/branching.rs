//! Merging where nothing is chosen: as long as no location that is passed leaves a choice, the
//! merged model is branching bisimilar to the model as written, with divergence. Steps that leave
//! such a location, and rounds of loops that are one step, are silent; every other move keeps its
//! name, and the propositions their values.
//!
//! With a choice it is not, since that is made too early: `a_choice_is_made_too_early`.

use std::collections::HashSet;

use ample_check::Verdict;
use ample_interpret::Interpreter;
use ample_model::{Action, EdgeId, Expr, LocationId, Model, Template, TemplateId};
use ample_reduction::{PassedLocations, Visible};
use ample_stdx::Random;
use ample_testing::explore::{self, SAFETY};
use ample_testing::questions::question;
use ample_testing::random;
use ample_transition::{Move, Stretch};

use super::loops::verdict;
use super::{Compared, compared_as, merged, text_of};

/// Whether no location that is passed leaves a choice, and there are such.
fn passes_only_single_edges(model: &Model, passed: &PassedLocations) -> bool {
    let mut some = false;
    let templates = model.templates.iter_enumerated();
    let are_single = |(id, template): (TemplateId, &Template)| {
        let of_template: Vec<LocationId> = template.locations.ids().filter(|at| passed.contains(id, *at)).collect();
        some |= !of_template.is_empty();
        of_template.iter().all(|at| is_single(template, *at, &mut HashSet::new()))
    };
    let are_single: Vec<bool> = templates.map(are_single).collect();
    some && are_single.iter().all(|single| *single)
}

/// Whether a process has no choice from a location on, as long as it keeps control.
fn is_single(template: &Template, at: LocationId, through: &mut HashSet<LocationId>) -> bool {
    if !through.insert(at) {
        return true;
    }
    let edges = &template.locations[at].edges;
    let is_else = |edge: &EdgeId| template.edges[*edge].action == Action::Else;
    let is_decided = edges.len() == 1 || edges.len() == 2 && edges.iter().any(is_else);
    let goes_on = |edge: &EdgeId| {
        let edge = &template.edges[*edge];
        !edge.keeps_control || is_single(template, edge.target, through)
    };
    is_decided && edges.iter().all(goes_on)
}

/// The name of a transition: its moves that are not silent. A move is silent if it leaves a
/// location that is passed, goes on in control after such a move, or belongs to a round of a loop
/// that is one step. What goes wrong in a silent move does so in another transition of the merged
/// model, so it is no part of the name.
fn name(model: &Model, passed: &PassedLocations, state: &[u8], moves: &[Stretch]) -> String {
    let processes = Interpreter::new(model).decode(state).processes;
    let mut in_control = None;
    let mut is_silent = |step: &Move| {
        let template = processes[usize::from(step.process)].template;
        let edge = &model.templates[template].edges[step.edge];
        let leaves = |at| passed.contains(template, at) || is_in_round(model, passed, template, at);
        let silent = step.partner.is_none() && (in_control == Some(step.process) || leaves(edge.source));
        in_control = Some(step.process).filter(|_| silent && edge.keeps_control);
        silent
    };
    let seen: Vec<&Move> = moves
        .iter()
        .filter_map(|stretch| match stretch {
            Stretch::Once(step) => Some(step),
            Stretch::WhilePossible(_) => None,
        })
        .filter(|step| !is_silent(step))
        .collect();
    if seen.is_empty() { "tau".to_owned() } else { format!("{seen:?}") }
}

/// Whether a location is on the way of one round of a loop that is one step.
fn is_in_round(model: &Model, passed: &PassedLocations, id: TemplateId, at: LocationId) -> bool {
    let template = &model.templates[id];
    let firsts = template.edges.ids().filter(|edge| passed.is_loop(id, *edge));
    let is_on_way = |first: EdgeId| {
        let head = template.edges[first].source;
        let mut here = template.edges[first].target;
        let mut steps = 0;
        while here != head && here != at && steps < template.locations.len() {
            let [next] = template.locations[here].edges[..] else { break };
            here = template.edges[next].target;
            steps += 1;
        }
        here == at
    };
    firsts.into_iter().any(is_on_way)
}

/// The states as written and merged, which are branching bisimilar; none if nothing is merged, if
/// there is a choice, or if there are too many states.
fn branching(title: &str, text: &str, propositions: &[Expr]) -> Option<(usize, usize)> {
    let loaded = explore::load_text(text).ok()?;
    let visible = Visible { propositions, faults: SAFETY, one_is_enough: false, processes: false, names: false };
    let passed = PassedLocations::of(&loaded.model, &visible).ok()?;
    if !passes_only_single_edges(&loaded.model, &passed) {
        return None;
    }
    let name = |state: &[u8], moves: &[Stretch], _: &str| name(&loaded.model, &passed, state, moves);
    let compared: Compared = compared_as(text, propositions, "merge", false, &name)?;
    let title = format!("{title}\n{text}");
    assert_eq!(compared.written.faults, compared.rewritten.faults, "{title}");
    assert_eq!(compared.written.ends, compared.rewritten.ends, "{title}");
    compared.check(&title, "branching-bisim").then(|| compared.states())
}

/// A model whose processes make a few local steps between those that concern others, with choices
/// only among the latter.
fn unforked_model(seed: u64) -> String {
    const LOCAL: &[&str] = &["i = 1 - i", "i++", "j = i", "j = 3", "i > j", "skip", "j = (i > 1 -> i : j)", "i == 0"];
    const SHARED: &[&str] =
        &["x = i", "x = 1 - x", "y = x", "x == 1", "y != j", "c!i", "c?j", "r!j", "r?i", "d?eval(i)", "d!i"];
    let mut prng = Random::new(seed);
    let mut text = "bit x, y; chan c = [1] of { bit }; chan d = [1] of { bit }; chan r = [0] of { bit };\n".to_owned();
    for process in 0..prng.between(2, 3) {
        text += &format!("active proctype P{process}() {{\n    bit i, j;\n");
        let steps = prng.between(2, 4);
        for step in 0..steps {
            let shared = |prng: &mut Random| prng.pick(SHARED).copied().unwrap_or("skip");
            text += &match prng.weighted(&[(60, 0), (20, 1), (20, 2)]).unwrap_or(0) {
                0 => format!("l{step}: {};\n", shared(&mut prng)),
                1 => format!("l{step}: if :: {} :: {} fi;\n", shared(&mut prng), shared(&mut prng)),
                _ => format!("l{step}: atomic {{ {}; {} }};\n", shared(&mut prng), shared(&mut prng)),
            };
            for _ in 0..prng.below(4) {
                let local = prng.pick(LOCAL).copied().unwrap_or("skip");
                text += &match prng.weighted(&[(80, 0), (10, 1), (10, 2)]).unwrap_or(0) {
                    0 => format!("    {local};\n"),
                    1 => format!("    if :: i > 0 -> {local} :: else fi;\n"),
                    _ => "    do :: i < 1 -> i++ :: else -> break od;\n".to_owned(),
                };
            }
        }
        if prng.chance(60) {
            text += &format!("    goto l{};\n", prng.below(steps));
        }
        text += "    skip\n}\n";
    }
    text
}

#[test]
fn merged_random_models_without_choices_are_branching_bisimilar() {
    let (mut compared, mut smaller) = (0, 0);
    let is_chosen = std::env::var("AMPLE_SEEDS").is_ok();
    for seed in random::seeds(0..1_000).expect("AMPLE_SEEDS is A..B") {
        if !is_chosen && compared == 300 {
            break;
        }
        let text = if seed % 5 == 4 { text_of(seed / 5) } else { unforked_model(seed) };
        let Ok(loaded) = explore::load_text(&text) else { continue };
        let mut prng = Random::new(seed);
        let propositions: Vec<Expr> = (0..prng.between(0, 2)).map(|_| question(&loaded.model, &mut prng)).collect();
        if let Some((full, merged)) = branching(&format!("seed {seed}, {propositions:?}"), &text, &propositions) {
            compared += 1;
            smaller += usize::from(merged < full);
        }
    }
    println!("{compared} models compared, {smaller} smaller");
    assert!(is_chosen || compared == 300);
}

#[test]
fn a_choice_is_made_too_early() {
    let text = "byte g, h; active proctype p() { byte i; g = 1; if :: i = 1; g = 2 :: i = 2; g = 3 fi }
                active proctype q() { h = 1 }";
    let loaded = explore::load_text(text).expect("it is a model");
    let visible = Visible { propositions: &[], faults: SAFETY, one_is_enough: false, processes: false, names: false };
    let passed = PassedLocations::of(&loaded.model, &visible).expect("steps can be merged");
    assert!(!passes_only_single_edges(&loaded.model, &passed));
    let name = |state: &[u8], moves: &[Stretch], _: &str| name(&loaded.model, &passed, state, moves);
    let compared = compared_as(text, &[], "merge", false, &name).expect("the choice is merged");
    assert!(!compared.is("branching-bisim"));
    assert!(compared.is("weak-trace"));
}

/// A process that goes on by a local step comes to where it can take a message; these senders
/// notice whether it has.
#[test]
fn who_notices_that_a_process_is_ready_to_receive() {
    let receiver = "byte s, x, g; chan r = [0] of { byte }; chan other = [0] of { byte };
                    active proctype p() { byte j; s = 1; j = 1; r?g; j == 1 }";
    for (sender, formula) in [
        ("atomic { s == 1; x = 1; r!1 }", "[] {x == g}"),
        ("s == 1; if :: r!1 :: else -> x = 5 fi", "[] {x != 5}"),
        ("{ s == 1; x = 5 } unless { r!1 }", "[] {x != 5}"),
    ] {
        let text = format!("{receiver} active proctype q() {{ {sender} }}");
        for reduce in ["none", "merge", "dead,merge"] {
            assert_eq!(verdict(&text, Some(formula), reduce), Some(Verdict::Violated), "{sender} with {reduce}");
        }
        merged("ready", &text, &[]);
        let elsewhere = format!("{receiver} active proctype q() {{ {} }}", sender.replace("r!", "other!"));
        assert!(merged("not ready", &elsewhere, &[]).is_some(), "{sender}");
    }
    let waits = format!("{receiver} active proctype q() {{ s == 1; x = 1; r!1 }}");
    assert!(merged("waits", &waits, &[]).is_some());
}
