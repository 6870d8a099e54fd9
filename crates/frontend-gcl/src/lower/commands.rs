//! Commands as edges, in the order of the text.

use ample_model::{Action, Effect, Expr as Out, ExprKind as OutKind, Label, Place};
use ample_source::Diagnostic;
use ample_stdx::shorten;

use super::inputs::{Combinations, LONGEST_TEXT, shown};
use super::lowering::{Here, Lowering, MAX_EDGES, MAX_TEXT, Member, commands_from, plain_edge};
use super::scope::{Kind, Type};
use crate::syntax::{self, Command, Expr, Item, Value};

/// An assignment of a command.
struct Step {
    place: Place,
    ty: Type,
    /// What is assigned; none for an input.
    value: Option<Out>,
}

impl Lowering<'_, '_> {
    /// Makes an edge of each command, or several where it has inputs.
    pub(super) fn commands(&mut self) {
        self.first_transition();
        let (program, mut process) = (self.program, 0);
        for item in &program.items {
            match item {
                Item::Command(command) => self.command(command, &Here::default()),
                Item::Process(syntax) => {
                    for position in 0..self.processes[process].count() {
                        let here = Here { member: Some(Member { process, position }) };
                        for item in &syntax.items {
                            if let Item::Command(command) = item {
                                self.command(command, &here);
                            }
                        }
                        // The members are alike: one is enough to say what is wrong.
                        if self.is_too_large() || self.diagnostics.has_errors() {
                            break;
                        }
                    }
                    process += 1;
                }
                _ => {}
            }
        }
        if self.is_too_large() {
            let message = "the program has too many commands";
            let note = format!(
                "{MAX_EDGES} are the most, or {MAX_TEXT} characters of them; those of all members of families are \
                 counted, and each value of an input"
            );
            self.diagnostics.push(Diagnostic::error(None, message).note(note));
        }
    }

    /// Whether it makes no sense to look at more commands: there is an error already.
    fn is_too_large(&self) -> bool {
        self.edges.len() > MAX_EDGES || self.text_length > MAX_TEXT
    }

    fn command(&mut self, command: &Command, here: &Here) {
        if self.is_too_large() {
            return;
        }
        let guard = self.condition(&command.guard, here);
        let (mut steps, mut ranges, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for assignment in &command.assignments {
            let Some((place, ty)) = self.target(&assignment.place, here) else {
                if let Value::Expr(value) = &assignment.value {
                    self.expression(value, here);
                }
                continue;
            };
            let value = match &assignment.value {
                Value::Expr(value) => Some(self.assigned(value, ty, here)),
                Value::Input => {
                    let owner = self.owner_of_input(&assignment.place, here);
                    let name = &assignment.place.name;
                    ranges.extend(self.values_of_input(ty, name, &owner, assignment.place.span));
                    names.push(match &assignment.place.owner {
                        Some(owner) => format!("{}.{}", owner.process.text, name.text),
                        None => name.text.to_string(),
                    });
                    None
                }
            };
            steps.push(Step { place, ty, value });
        }
        if ranges.len() < names.len() || !self.combinations(&ranges, "this command can be taken", command.span, &names)
        {
            return;
        }
        for values in Combinations::new(ranges) {
            self.edge(command, guard.clone(), &steps, &values, here);
            if self.is_too_large() {
                return;
            }
        }
    }

    /// Whose variable gets an input, as far as its name on the command line goes.
    fn owner_of_input(&self, place: &syntax::Variable, here: &Here) -> Here {
        use super::scope::SymbolKind;
        if let Some(owner) = &place.owner {
            return match self.globals.get(&owner.process.text).map(|symbol| symbol.kind) {
                Some(SymbolKind::Process(process)) => Here { member: Some(Member { process, position: 0 }) },
                _ => Here::default(),
            };
        }
        let is_own = |member: &Member| self.processes[member.process].scope.get(&place.name.text).is_some();
        Here { member: here.member.filter(is_own) }
    }

    /// A value for a variable of this type.
    fn assigned(&mut self, value: &Expr, ty: Type, here: &Here) -> Out {
        let typed = self.expression(value, here);
        let is_number = typed.kind == Kind::Number;
        let out = self.of_kind(typed, ty.kind());
        if let (Type::Range(low, high), OutKind::Const(known)) = (ty, &out.kind)
            && is_number
            && !(low..=high).contains(known)
        {
            let message = format!("{known} is outside of the range {low}..{high}");
            self.diagnostics.push(Diagnostic::warning(value.span, message).note("reaching it is an error"));
        }
        out
    }

    /// The edge of a command with these values for its inputs.
    fn edge(&mut self, command: &Command, guard: Out, steps: &[Step], values: &[i64], here: &Here) {
        let at = commands_from(!self.choices.is_empty());
        let label = match &command.label {
            syntax::Label::None => Label::None,
            syntax::Label::Silent => Label::Silent,
            syntax::Label::Named(name) => Label::Named(name.text.to_string()),
        };
        let mut edge = plain_edge(at, at, label, self.edge_text(command, steps, values, here), command.span);
        if !matches!(guard.kind, OutKind::Const(value) if value != 0) {
            edge.action = Action::Guard(guard);
        }
        let mut inputs = values.iter();
        for step in steps {
            let value = match &step.value {
                Some(value) => value.clone(),
                None => Out::constant(inputs.next().copied().unwrap_or_default(), step.place.span),
            };
            edge.effects.push(Effect { place: step.place.clone(), value });
        }
        self.edges.push(edge);
        self.text_length += (command.span.end - command.span.start) as usize;
    }

    /// The command as written, with the values of its inputs, behind the process that takes it.
    fn edge_text(&self, command: &Command, steps: &[Step], values: &[i64], here: &Here) -> String {
        let mut text = match here.member {
            Some(member) => format!("{}: ", self.processes[member.process].member_name(member.position)),
            None => String::new(),
        };
        let types = steps.iter().filter(|step| step.value.is_none()).map(|step| step.ty);
        let mut inputs = types.zip(values).map(|(ty, value)| format!("{} (input)", shown(ty, *value)));
        for (position, part) in command.text.iter().enumerate() {
            if position > 0 {
                text.push_str(&inputs.next().unwrap_or_default());
            }
            text.push_str(part);
        }
        shorten(&text, LONGEST_TEXT)
    }
}
