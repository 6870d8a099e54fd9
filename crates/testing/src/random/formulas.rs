//! Random formulas about a model: its variables, channels, labels and processes.

use ample_model::{Model, Scalar, TemplateKind};

use ample_stdx::Random;

/// Formulas as people write them. `p`, `q` and `r` are propositions.
const USUAL: &[&str] = &[
    "G F p",
    "F G p",
    "G(p -> F q)",
    "p U q",
    "G p",
    "F p",
    "(G F p) -> (G F q)",
    "G(p -> (q U r))",
    "F(p && G q)",
    "p W q",
    "G(p -> (!q W r))",
    "(F p) -> (!p U q)",
    "G F p && G F q",
];

/// Formulas with next that say nothing about how long a state lasts.
const INVARIANT_WITH_NEXT: &[&str] = &[
    "F(p && X(!p && q))",
    "G(p -> X(p || q))",
    "F(p && X !p)",
    "G F(p && X !p)",
    "!F(p && X(!p && !q))",
    "F(p && X(!p && F q))",
];

/// Formulas that do: they must not be reduced.
const WITH_NEXT: &[&str] = &["X p", "G(p -> X q)", "F(p && X p && X X !p)"];

/// A random formula about a model, in the dialect of the command line.
pub fn formula(model: &Model, prng: &mut Random) -> String {
    let propositions: Vec<String> = (0..3).map(|_| proposition(model, prng)).collect();
    shape(&propositions, prng)
}

/// A random formula over some of these propositions.
pub fn formula_over(propositions: &[String], prng: &mut Random) -> String {
    let some: Vec<String> = (0..3).filter_map(|_| prng.pick(propositions).cloned()).collect();
    shape(&some, prng)
}

/// A random formula in Spin's dialect, over `p`, `q` and `r`.
pub fn spin_formula(prng: &mut Random) -> String {
    let depth = prng.between(1, 3);
    spin_tree(prng, depth)
}

fn spin_tree(prng: &mut Random, depth: usize) -> String {
    if depth == 0 || prng.chance(10) {
        let letter = prng.pick(&["p", "q", "r"]).copied().unwrap_or("p");
        return if prng.chance(30) { format!("!{letter}") } else { letter.to_owned() };
    }
    let operator = prng.pick(&["[]", "<>", "[]<>", "<>[]", "!", "U", "V", "&&", "||", "->"]).copied().unwrap_or("[]");
    let left = spin_tree(prng, depth - 1);
    if matches!(operator, "[]" | "<>" | "[]<>" | "<>[]" | "!") {
        return format!("{operator} ({left})");
    }
    format!("(({left}) {operator} ({}))", spin_tree(prng, depth - 1))
}

/// Definitions of `p`, `q` and `r` for a claim about a model: what a formula may ask, and what
/// looks at the whole state.
pub fn claim_propositions(model: &Model, prng: &mut Random) -> String {
    let mut definitions = String::new();
    for letter in ["p", "q", "r"] {
        let proposition = match prng.below(10) {
            0 => format!("_last == {}", prng.below(3)),
            1 => "np_".to_owned(),
            _ => proposition(model, prng),
        };
        // Spin counts the claim as a process.
        let proposition = proposition.replace("_nr_pr ==", "0 <");
        definitions += &format!("#define {letter} ({proposition})\n");
    }
    definitions
}

fn shape(propositions: &[String], prng: &mut Random) -> String {
    let propositions: Vec<String> = propositions.iter().map(|proposition| format!("{{{proposition}}}")).collect();
    match prng.below(20) {
        0..=7 => fill(prng.pick(USUAL).copied().unwrap_or("G p"), &propositions),
        8..=10 => fill(prng.pick(INVARIANT_WITH_NEXT).copied().unwrap_or("G p"), &propositions),
        11 => fill(prng.pick(WITH_NEXT).copied().unwrap_or("X p"), &propositions),
        _ => {
            let depth = prng.between(2, 3);
            tree(prng, &propositions, depth)
        }
    }
}

/// Puts propositions in the place of their letters.
fn fill(formula: &str, propositions: &[String]) -> String {
    let word = |letter: char| match "pqr".find(letter).and_then(|at| propositions.get(at)) {
        Some(proposition) => proposition.clone(),
        None => letter.to_string(),
    };
    formula.chars().map(word).collect()
}

fn tree(prng: &mut Random, propositions: &[String], depth: usize) -> String {
    if depth == 0 || prng.chance(15) {
        let proposition = prng.pick(propositions).map_or("true", String::as_str);
        return if prng.chance(30) { format!("!{proposition}") } else { proposition.to_owned() };
    }
    let operator = prng.pick(&["G", "F", "G F", "!", "U", "W", "R", "&&", "||", "->"]).copied().unwrap_or("G");
    let left = tree(prng, propositions, depth - 1);
    if matches!(operator, "G" | "F" | "G F" | "!") {
        return format!("{operator} ({left})");
    }
    format!("({left}) {operator} ({})", tree(prng, propositions, depth - 1))
}

/// Something that is true in some states.
fn proposition(model: &Model, prng: &mut Random) -> String {
    let kind = prng.below(20);
    let found = match kind {
        0..=4 => about_label(model, prng),
        5 | 6 => about_channel(model, prng),
        7 => about_local(model, prng),
        8 => Some(format!("_nr_pr == {}", prng.between(2, 3))),
        _ => None,
    };
    found.or_else(|| about_global(model, prng)).unwrap_or_else(|| "true".to_owned())
}

fn about_global(model: &Model, prng: &mut Random) -> Option<String> {
    let is_plain = |scalar: Scalar| scalar != Scalar::Channel;
    let slots = model.globals.slots.iter().filter(|slot| is_plain(slot.scalar));
    let names: Vec<&str> = slots.map(|slot| slot.name.as_str()).collect();
    let name = prng.pick(&names)?;
    Some(format!("{name} == {}", prng.below(2)))
}

fn about_channel(model: &Model, prng: &mut Random) -> Option<String> {
    let slots = model.globals.slots.iter().filter(|slot| slot.scalar == Scalar::Channel);
    let names: Vec<&str> = slots.map(|slot| slot.name.as_str()).collect();
    let name = prng.pick(&names)?;
    Some(format!("len({name}) == {}", prng.below(2)))
}

/// Of the processes that are there from the beginning: their numbers.
fn process(model: &Model, prng: &mut Random) -> Option<usize> {
    let is_process = |at: &usize| model.templates[model.active[*at].template].kind == TemplateKind::Process;
    let numbers: Vec<usize> = (0..model.active.len()).filter(is_process).collect();
    let number = *prng.pick(&numbers)?;
    Some(number)
}

fn about_label(model: &Model, prng: &mut Random) -> Option<String> {
    let pid = process(model, prng)?;
    let template = &model.templates[model.active[pid].template];
    let labels: Vec<&String> = template.locations.iter().flat_map(|location| &location.labels).collect();
    let label = prng.pick(&labels)?;
    Some(format!("{}[{pid}]@{label}", template.name))
}

fn about_local(model: &Model, prng: &mut Random) -> Option<String> {
    let pid = process(model, prng)?;
    let template = &model.templates[model.active[pid].template];
    let slots = template.frame.slots.iter().filter(|slot| slot.scalar != Scalar::Channel);
    let names: Vec<&str> = slots.map(|slot| slot.name.as_str()).collect();
    let name = prng.pick(&names)?;
    Some(format!("{}[{pid}]:{name} == {}", template.name, prng.below(2)))
}
