//! All models of a small kind: two processes that share a bit, two locations each, at most two
//! edges each.
//!
//! An edge has a guard (none, the bit is set, the bit is not set) and an effect (none, to clear the
//! bit, to set it). Edges that can never be reached are left out. Each edge also has an assertion
//! that always fails, so that the faults of a complete search say which edges can be taken at all.

use ample_check::Prepared;
use ample_frontends::{FormulaText, LoadOptions};
use ample_interpret::Interpreter;

use crate::plans::{AUTO, Comparison, Plan, SAFETY, Tally};

const GUARDS: [&str; 3] = ["true", "b", "!b"];
const EFFECTS: [&str; 3] = ["skip", "b = 0", "b = 1"];

/// What is asked about each model, besides its faults.
pub const FORMULAS: [&str; 7] =
    ["G F {b}", "F G {b}", "G({b} -> F !{b})", "F {A@l1}", "G !{A@l1 && B@l1}", "G F {A@l1}", "G F({b} && X !{b})"];

/// One way from a location to a location.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
    guard: usize,
    effect: usize,
}

type Process = Vec<Edge>;

/// All edges that leave a location.
fn edges(from: usize) -> Vec<Edge> {
    let kinds = (0..2).flat_map(|to| (0..3).flat_map(move |guard| (0..3).map(move |effect| (to, guard, effect))));
    kinds.map(|(to, guard, effect)| Edge { from, to, guard, effect }).collect()
}

/// All processes: no edge, one, two from the first location, or one to the second location and one
/// from there.
fn processes() -> Vec<Process> {
    let first = edges(0);
    let mut all: Vec<Process> = vec![Vec::new()];
    all.extend(first.iter().map(|edge| vec![*edge]));
    for (number, edge) in first.iter().enumerate() {
        all.extend(first[..number].iter().map(|other| vec![*other, *edge]));
    }
    for edge in first.iter().filter(|edge| edge.to == 1) {
        all.extend(edges(1).into_iter().map(|next| vec![*edge, next]));
    }
    all
}

/// The texts of all models.
pub struct Models {
    processes: Vec<Process>,
}

impl Default for Models {
    fn default() -> Self {
        Models { processes: processes() }
    }
}

impl Models {
    /// How many models there are: one for each pair of processes.
    pub fn count(&self) -> usize {
        self.processes.len() * (self.processes.len() + 1) / 2
    }

    /// The model with this number; `None` if there are fewer. Now one, now the other process of a
    /// pair comes first.
    pub fn text(&self, number: usize) -> Option<String> {
        let mut second = 0;
        let mut first = number;
        while first > second {
            first -= second + 1;
            second += 1;
        }
        let (first, second) = if number.is_multiple_of(2) { (first, second) } else { (second, first) };
        let (first, second) = (self.processes.get(first)?, self.processes.get(second)?);
        Some(format!("bit b;\n{}{}", process_text("A", first), process_text("B", second)))
    }

    /// Compares expanders and cycle conditions with the full search on the model with this number.
    pub fn compare(&self, number: usize, tally: &mut Tally) -> Result<(), String> {
        let Some(text) = self.text(number) else { return Ok(()) };
        compare(&text, tally).map_err(|what| format!("model {number}: {what}\n{text}"))
    }
}

fn process_text(name: &str, process: &[Edge]) -> String {
    let mut text = format!("active proctype {name}() {{\n");
    for from in 0..2 {
        let leaving: Vec<&Edge> = process.iter().filter(|edge| edge.from == from).collect();
        if leaving.is_empty() {
            text += &format!("l{from}: false;\n");
            continue;
        }
        text += &format!("l{from}: if\n");
        for Edge { to, guard, effect, .. } in leaving {
            let (guard, effect) = (GUARDS[*guard], EFFECTS[*effect]);
            text += &format!("    :: atomic {{ {guard}; {effect}; assert(false); goto l{to} }}\n");
        }
        text += "    fi;\n";
    }
    text + "}\n"
}

/// No model has more states than these, with an automaton beside it.
const MAX_STATES: u64 = 1_000;

fn compare(text: &str, tally: &mut Tally) -> Result<(), String> {
    let named = FORMULAS.iter().enumerate();
    let formulas = named.map(|(number, text)| FormulaText { name: format!("f{number}"), text: (*text).to_owned() });
    let options = LoadOptions { formulas: formulas.collect(), ..LoadOptions::default() };
    let loaded = ample_frontends::load_text("two.pml", text.to_owned(), &options);
    let loaded = loaded.map_err(|failure| crate::explore::messages(&failure))?;
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    for question in [SAFETY].into_iter().chain(loaded.properties.iter().map(|property| property.name.as_str())) {
        let mut comparison = Comparison::new(&prepared, question, MAX_STATES);
        for plan in Plan::of_conditions().filter(|plan| plan.condition != AUTO) {
            // A condition that looks at the path needs an order that has one.
            let order = if question == SAFETY { "dfs" } else { plan.order };
            comparison.compare(&Plan { order, ..plan }, tally)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_so_many() {
        let models = Models::default();
        assert_eq!((models.processes.len(), models.count()), (334, 334 * 335 / 2));
        assert!(models.text(models.count()).is_none());
        let texts: std::collections::BTreeSet<String> =
            (0..models.count()).filter_map(|number| models.text(number)).collect();
        assert_eq!(texts.len(), models.count());
        let text = models.text(models.count() - 1).unwrap_or_default();
        assert!(text.contains("l1: if") && text.contains("goto l1"), "{text}");
    }
}
