//! Inputs, and what is chosen at the start: one edge for each combination of values.

use ample_model::{Effect, Expr as Out, Label, Place, Scope as Whose};
use ample_source::{Diagnostic, Span};
use ample_stdx::{shorten, suggest};

use super::lowering::{Here, Lowering, commands_from, first_location, plain_edge};
use super::scope::{SymbolKind, Type};
use crate::syntax::{Item, Name, Value};

/// A command has no more combinations of inputs.
const MAX_COMBINATIONS: u128 = 4096;

/// An edge is shown in no more characters than this.
pub(super) const LONGEST_TEXT: usize = 200;

impl Lowering<'_, '_> {
    /// The values of an input into a variable of this type, perhaps narrowed from outside.
    pub(super) fn values_of_input(&mut self, ty: Type, name: &Name, here: &Here, span: Span) -> Option<(i64, i64)> {
        let full = self.input_name(name, here);
        let given = self.ranges.iter_mut().rev().find(|(range, _)| range.name == full).map(|(range, used)| {
            *used = true;
            (range.low, range.high)
        });
        match (ty.values(), given) {
            (Some(values), None) => Some(values),
            (None, Some(given)) => Some(given),
            (Some((low, high)), Some((first, last))) if low <= first && last <= high => Some((first, last)),
            (Some((low, high)), Some((first, last))) => {
                let message = format!("`--input {full}={first}..{last}` is not inside of {low}..{high}");
                self.error(name.span, message);
                None
            }
            (None, None) => {
                let message = format!("`{full}` may get any integer, and a search cannot try all of them");
                let error = Diagnostic::error(span, message);
                self.diagnostics.push(
                    error.help(format!("give a range: `--input {full}=0..3`, or declare `{}` as a range", name.text)),
                );
                None
            }
        }
    }

    /// The name of a variable on the command line: `x`, `q.x` for all members of a family.
    fn input_name(&self, name: &Name, here: &Here) -> String {
        match here.member {
            Some(member) => format!("{}.{}", self.processes[member.process].syntax.name.text, name.text),
            None => name.text.to_string(),
        }
    }

    /// A range for what gets no input is a mistake.
    pub(super) fn refuse_unused_ranges(&mut self) {
        let unused: Vec<String> =
            self.ranges.iter().filter(|(_, used)| !used).map(|(range, _)| range.name.clone()).collect();
        if unused.is_empty() || self.diagnostics.has_errors() {
            return;
        }
        let known = self.names_of_inputs();
        for name in unused {
            let mut error = Diagnostic::error(None, format!("--input {name}: no variable `{name}` gets an input"));
            if let Some(near) = suggest(&name, known.iter().map(String::as_str)) {
                error = error.help(format!("did you mean `{near}`?"));
            } else if !known.is_empty() {
                error = error.note(format!("inputs: {}", known.join(", ")));
            }
            self.diagnostics.push(error);
        }
    }

    /// What gets an input, in the order of the text.
    fn names_of_inputs(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut add = |name: String| {
            if !names.contains(&name) {
                names.push(name);
            }
        };
        for item in &self.program.items {
            let (owner, items) = match item {
                Item::Process(process) => (Some(&*process.name.text), process.items.as_slice()),
                item => (None, std::slice::from_ref(item)),
            };
            for item in items {
                let of_commands = match item {
                    Item::Command(command) => command.assignments.as_slice(),
                    _ => &[],
                };
                let inputs = of_commands.iter().filter(|assignment| matches!(assignment.value, Value::Input));
                for input in inputs {
                    let own = owner.filter(|_| self.is_own(owner, &input.place.name));
                    let named = input.place.owner.as_ref().map(|written| &*written.process.text).or(own);
                    add(full_name(named, &input.place.name));
                }
                if let Item::Variables(variables) = item
                    && matches!(variables.init, Some(crate::syntax::Init::Any(_)))
                {
                    variables.declarators.iter().for_each(|declarator| add(full_name(owner, &declarator.name)));
                }
            }
        }
        names
    }

    fn is_own(&self, owner: Option<&str>, name: &Name) -> bool {
        let symbol = owner.and_then(|owner| self.globals.get(owner)).map(|symbol| symbol.kind);
        match symbol {
            Some(SymbolKind::Process(number)) => self.processes[number].scope.get(&name.text).is_some(),
            _ => false,
        }
    }

    /// Whether so many combinations may be tried; what is too much is reported.
    pub(super) fn combinations(&mut self, ranges: &[(i64, i64)], what: &str, span: Span, names: &[String]) -> bool {
        let counts = ranges.iter().map(|(low, high)| (i128::from(*high) - i128::from(*low) + 1).unsigned_abs());
        let count = counts.fold(1_u128, u128::saturating_mul);
        if count <= MAX_COMBINATIONS {
            return true;
        }
        let message = format!("{what} in {count} ways, and {MAX_COMBINATIONS} are the most");
        let example = names.first().map_or("x", String::as_str);
        let help = format!("try fewer values: `--input {example}=0..3`");
        self.diagnostics.push(Diagnostic::error(span, message).help(help));
        false
    }

    /// The first transition: one edge for each way to choose what is unspecified.
    pub(super) fn first_transition(&mut self) {
        let Some(first) = self.choices.first() else { return };
        let span = first.span;
        let ranges: Vec<(i64, i64)> = self.choices.iter().map(|choice| (choice.low, choice.high)).collect();
        let names = self.names_of_inputs();
        if !self.combinations(&ranges, "the program can start", span, &names) {
            return;
        }
        let (source, target) = (first_location(), commands_from(true));
        for values in Combinations::new(ranges) {
            let chosen = self.choices.iter().zip(&values);
            let text: Vec<String> = chosen
                .clone()
                .map(|(choice, value)| format!("{} = {}", choice.name, shown(choice.ty, *value)))
                .collect();
            let text = shorten(&format!("{} (any)", text.join(", ")), LONGEST_TEXT);
            let mut edge = plain_edge(source, target, Label::Silent, text, span);
            edge.effects = chosen
                .map(|(choice, value)| Effect {
                    place: Place { scope: Whose::Global, first: choice.slot, indices: Vec::new(), span: choice.span },
                    value: Out::constant(*value, choice.span),
                })
                .collect();
            self.edges.push(edge);
        }
    }
}

fn full_name(owner: Option<&str>, name: &Name) -> String {
    match owner {
        Some(owner) => format!("{owner}.{}", name.text),
        None => name.text.to_string(),
    }
}

/// A value as people write it.
pub(super) fn shown(ty: Type, value: i64) -> String {
    match ty {
        Type::Bool => (value != 0).to_string(),
        _ => value.to_string(),
    }
}

/// All tuples with one value of each range; the last one changes fastest.
pub(super) struct Combinations {
    ranges: Vec<(i64, i64)>,
    next: Option<Vec<i64>>,
}

impl Combinations {
    pub(super) fn new(ranges: Vec<(i64, i64)>) -> Combinations {
        let next = Some(ranges.iter().map(|(low, _)| *low).collect());
        Combinations { ranges, next }
    }
}

impl Iterator for Combinations {
    type Item = Vec<i64>;

    fn next(&mut self) -> Option<Vec<i64>> {
        let found = self.next.take()?;
        let mut after = found.clone();
        for (value, (low, high)) in after.iter_mut().zip(&self.ranges).rev() {
            if *value < *high {
                *value += 1;
                self.next = Some(after);
                break;
            }
            *value = *low;
        }
        Some(found)
    }
}
