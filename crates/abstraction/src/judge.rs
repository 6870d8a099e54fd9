//! Whether the abstraction is exact: for each expanded state and each command, does the abstract
//! state decide the guard, and if it is true, the abstract state after the command?
//!
//! Pelánek, Reduction and abstraction techniques for model checking (2006), Figure 5.2. What cannot
//! be proved gives new predicates: its atoms that the abstract state does not decide. All that is
//! proved is about every state with the same abstract state, so that the search and the system are
//! bisimilar if nothing is left to prove (Theorem 5.1).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ample_interpret::{Interpreter, State};
use ample_model::{Action, Edge, EdgeId, Expr, Model, Place, Scalar, SlotId, TemplateId};
use ample_solver::{Failure, Solver};
use ample_source::Span;
use ample_stdx::TypedId;

use crate::cell::{Cell, Cells};
use crate::facts::{Facts, Literal};
use crate::normal::{Atom, Base, Condition, Linear};
use crate::questions::{QuestionCounts, Questions};
use crate::translate::{Language, Opaque, Translator};
use crate::valuation::Valuation;

/// Why there is a predicate.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is part of a guard.
    Guard,
    /// It is part of the property.
    Property,
    /// The author gave it.
    Given,
    /// Whether a command can be taken is not decided without it.
    Enabled,
    /// What a command does, or whether it is an error, is not decided without it.
    Effect,
    /// Which predicates hold after a command is not decided without it.
    Successor,
    /// It describes a state in which a command stayed open for too long.
    Patience,
}

impl Why {
    /// As a clause.
    pub fn text(self) -> &'static str {
        match self {
            Why::Guard => "a guard asks",
            Why::Property => "the property asks",
            Why::Given => "given",
            Why::Enabled => "whether the command can be taken",
            Why::Effect => "what the command does",
            Why::Successor => "which predicates hold after it",
            Why::Patience => "patience with it is at its end",
        }
    }
}

/// A predicate, and where it comes from.
#[derive(Clone, Debug)]
pub struct NewPredicate {
    /// It.
    pub atom: Atom,
    /// As it is written.
    pub text: String,
    /// Why it is needed.
    pub why: Why,
    /// The command, if it comes from one.
    pub statement: String,
    /// Where that stands.
    pub span: Span,
}

/// A command that is not proved to be exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The command.
    pub statement: String,
    /// Where it stands.
    pub span: Span,
    /// What is in question.
    pub predicates: Vec<String>,
    /// Whether nothing that could be added would help: it is beyond what has formulas.
    pub is_opaque: bool,
}

/// The one who judges, from round to round.
pub struct Judge<'a> {
    interpreter: Arc<Interpreter<'a>>,
    cells: Arc<Cells>,
    questions: Questions,
    /// The predicates of this round, and those that it has found to be missing.
    predicates: Vec<Atom>,
    known: BTreeSet<Atom>,
    new: Vec<NewPredicate>,
    open: BTreeMap<(TemplateId, EdgeId), Open>,
    /// After how many rounds in which a command stayed open its states are described in full.
    patience: Option<u64>,
    /// How many rounds each command has been open for.
    open_for: BTreeMap<(TemplateId, EdgeId), u64>,
    /// The counts when the round began.
    before: QuestionCounts,
    failure: Option<Failure>,
}

/// A command at work: whose it is, and in which state.
#[derive(Copy, Clone)]
struct Command<'s> {
    pid: u16,
    id: (TemplateId, EdgeId),
    edge: &'s Edge,
    state: &'s State,
    facts: &'s Facts,
}

/// Why a command is given up.
enum Stop {
    Failure(Failure),
    /// It goes wrong here, and wherever the abstract state is the same.
    Fault,
    /// It has no formula.
    Opaque,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<Opaque> for Stop {
    fn from(_: Opaque) -> Stop {
        Stop::Opaque
    }
}

impl<'a> Judge<'a> {
    /// Without predicates. No solver: nothing is proved but what is seen at once.
    pub fn new(model: &'a Model, cells: Cells, solver: Option<Box<dyn Solver + Send>>) -> Judge<'a> {
        Judge {
            interpreter: Arc::new(Interpreter::new(model)),
            cells: Arc::new(cells),
            questions: Questions::new(solver),
            predicates: Vec::new(),
            known: BTreeSet::new(),
            new: Vec::new(),
            open: BTreeMap::new(),
            patience: None,
            open_for: BTreeMap::new(),
            before: QuestionCounts::default(),
            failure: None,
        }
    }

    /// Where a command stays open for so many rounds, the states in which it does are described in
    /// full: each variable that is abstracted has the value that it has there. Then the rounds of a
    /// model with finitely many states come to an end (Corollary 5.1).
    pub fn with_patience(self, patience: Option<u64>) -> Judge<'a> {
        Judge { patience, ..self }
    }

    fn model(&self) -> &'a Model {
        self.interpreter.model()
    }

    /// The variables.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Adds the atoms of all guards and assertions. What has no formula is found later, or not
    /// exact.
    pub fn add_guards(&mut self) {
        let model = self.model();
        let cells = self.cells.clone();
        for (pid, active) in model.active.iter().enumerate() {
            for edge in &model.templates[active.template].edges {
                let asked = match &edge.action {
                    Action::Guard(guard) => Some((guard, Why::Guard)),
                    Action::Assert(assertion) => Some((assertion, Why::Property)),
                    _ => None,
                };
                for (expr, why) in edge.guard.iter().map(|guard| (guard, Why::Guard)).chain(asked) {
                    let language = Language { model, cells: &cells };
                    let condition = Translator::new(language, u16::try_from(pid).ok(), None).condition(expr);
                    if let Ok(condition) = condition {
                        self.add_all(&condition, why, Some(edge));
                    }
                }
            }
        }
    }

    /// Adds the atoms of a condition that is asked from outside; false if it has no formula.
    #[must_use]
    pub fn add_condition(&mut self, expr: &Expr, why: Why) -> bool {
        let cells = self.cells.clone();
        let mut translator = Translator::new(Language { model: self.model(), cells: &cells }, None, None);
        match translator.condition(expr) {
            Ok(condition) => {
                // Also whether it has a value at all.
                translator.needs.iter().chain([&condition]).for_each(|part| self.add_all(part, why, None));
                true
            }
            Err(Opaque) => false,
        }
    }

    fn add_all(&mut self, condition: &Condition, why: Why, edge: Option<&Edge>) {
        condition.atoms(&mut |atom| {
            self.add(atom, why, edge);
        });
    }

    /// Adds an atom, if it is new and about something that is abstracted.
    fn add(&mut self, atom: &Atom, why: Why, edge: Option<&Edge>) -> bool {
        let mut about = BTreeSet::new();
        atom.cells(&mut about);
        if !about.iter().any(|cell| self.cells.is_abstract(*cell)) || !self.known.insert(atom.clone()) {
            return false;
        }
        self.new.push(NewPredicate {
            atom: atom.clone(),
            text: atom.text(&self.cells),
            why,
            statement: edge.map(|edge| edge.text.clone()).unwrap_or_default(),
            span: edge.map(|edge| edge.span).unwrap_or_default(),
        });
        true
    }

    /// Begins a round with all predicates that are known. What is new among them.
    pub fn begin(&mut self) -> (Valuation, Vec<NewPredicate>) {
        let new = std::mem::take(&mut self.new);
        self.predicates.extend(new.iter().map(|new| new.atom.clone()));
        let open = std::mem::take(&mut self.open);
        let before = std::mem::take(&mut self.open_for);
        self.open_for = open.keys().map(|id| (*id, before.get(id).copied().unwrap_or_default() + 1)).collect();
        self.before = self.questions.counts;
        (Valuation { cells: self.cells.clone(), predicates: self.predicates.as_slice().into() }, new)
    }

    /// What this round has found to be missing.
    pub fn missing(&self) -> &[NewPredicate] {
        &self.new
    }

    /// The commands that were not proved to be exact in this round.
    pub fn open(&self) -> impl Iterator<Item = &Open> {
        self.open.values()
    }

    /// How many predicates this round has.
    pub fn count(&self) -> usize {
        self.predicates.len()
    }

    /// How the questions of this round were answered.
    pub fn counts(&self) -> QuestionCounts {
        self.questions.counts.since(self.before)
    }

    /// Why the solver failed, if it did.
    pub fn take_failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    /// A state was expanded: looks at each command of each process.
    pub fn expanded(&mut self, state: &State) {
        if self.failure.is_some() {
            return;
        }
        let facts = self.facts(state);
        let model = self.model();
        for (pid, process) in state.processes.iter().enumerate() {
            let template = &model.templates[process.template];
            for id in &template.locations[process.location].edges {
                let command = Command {
                    pid: u16::try_from(pid).unwrap_or_default(),
                    id: (process.template, *id),
                    edge: &template.edges[*id],
                    state,
                    facts: &facts,
                };
                match self.judge(command) {
                    Ok(()) | Err(Stop::Fault) => {}
                    Err(Stop::Opaque) => self.note_open(command, None),
                    Err(Stop::Failure(failure)) => {
                        self.failure = Some(failure);
                        return;
                    }
                }
            }
        }
    }

    /// What the abstract state says.
    fn facts(&self, state: &State) -> Facts {
        let cells = &self.cells;
        let value = |cell| i128::from(cells.value(cell, state));
        let literal = |atom: &Atom| -> Option<Literal> {
            let holds = atom.holds(&value)?;
            match atom.replaced(&|cell| concrete(cells, state, cell)).ok()? {
                Condition::Atom(atom) => Some((*atom, holds)),
                Condition::Not(inner) => match *inner {
                    Condition::Atom(atom) => Some((*atom, !holds)),
                    _ => None,
                },
                _ => None,
            }
        };
        Facts::new(self.predicates.iter().filter_map(literal))
    }

    fn judge(&mut self, command: Command<'_>) -> Result<(), Stop> {
        let (cells, interpreter) = (self.cells.clone(), self.interpreter.clone());
        let language = Language { model: self.model(), cells: &cells };
        let mut translator = Translator::new(language, Some(command.pid), Some((command.state, &interpreter)));
        // What comes after it in an `atomic` sequence is not seen.
        if command.edge.keeps_control || self.model().templates[command.id.0].provided.is_some() {
            return Err(Stop::Opaque);
        }
        match &command.edge.action {
            // The others decide, and it assigns nothing.
            Action::Else if command.edge.guard.is_none() && command.edge.effects.is_empty() => return Ok(()),
            Action::End if command.edge.effects.is_empty() => {
                let own = cells.all().filter(|cell| cells.info(*cell).pid == Some(command.pid));
                let gone = own.map(|cell| (cell, Linear::constant(0))).collect();
                return self.judge_successor(command, &gone);
            }
            _ => {}
        }
        if !self.is_enabled(command, &mut translator)? {
            return Ok(());
        }
        for (place, value) in command.edge.assignments() {
            self.assign(command, &mut translator, place, value)?;
        }
        self.judge_successor(command, &translator.assigned)
    }

    /// Whether the command is enabled here, once that is decided.
    fn is_enabled(&mut self, command: Command<'_>, translator: &mut Translator<'_>) -> Result<bool, Stop> {
        let asked = match &command.edge.action {
            Action::Guard(guard) | Action::Assert(guard) => Some(guard),
            Action::Skip | Action::Assign(..) => None,
            Action::Print { arguments, .. } if arguments.is_empty() => None,
            _ => return Err(Stop::Opaque),
        };
        for expr in command.edge.guard.iter().chain(asked) {
            let condition = translator.condition(expr)?;
            self.meet_needs(command, translator, Why::Enabled)?;
            if !self.decide(command, &condition, Why::Enabled)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What must be true for the translation to be right, is; or the command goes wrong here.
    fn meet_needs(&mut self, command: Command<'_>, translator: &mut Translator<'_>, why: Why) -> Result<(), Stop> {
        for need in std::mem::take(&mut translator.needs) {
            if !self.decide(command, &need, why)? {
                return Err(Stop::Fault);
            }
        }
        Ok(())
    }

    fn assign(
        &mut self,
        command: Command<'_>,
        translator: &mut Translator<'_>,
        place: &Place,
        value: &Expr,
    ) -> Result<(), Stop> {
        let value = translator.term(value)?;
        let slot = element(translator, place)?;
        let (cell, scalar) = self.target(command, place, slot).ok_or(Stop::Opaque)?;
        if let Scalar::Range { low, high } = scalar {
            let (low, high) = (Linear::constant(low), Linear::constant(high));
            let at_least = Condition::at_most(&low, &value).map_err(Opaque::from)?;
            let at_most = Condition::at_most(&value, &high).map_err(Opaque::from)?;
            translator.needs.push(Condition::all([at_least, at_most]));
        }
        self.meet_needs(command, translator, Why::Effect)?;
        let mut value = translator.stored(value, scalar)?;
        let stays_concrete = cell.is_none_or(|cell| !self.cells.is_abstract(cell));
        if stays_concrete && self.reads_abstracted(&value) {
            // It gets the same value wherever the abstract state is the same.
            let here = Linear::constant(translator.value_here(&value).ok_or(Stop::Opaque)?);
            let is_that = Condition::equal(&value, &here).map_err(Opaque::from)?;
            self.decide(command, &is_that, Why::Effect)?;
            value = here;
        }
        if let Some(cell) = cell {
            translator.assigned.insert(cell, value);
        }
        Ok(())
    }

    fn reads_abstracted(&self, value: &Linear) -> bool {
        let mut about = BTreeSet::new();
        value.cells(&mut about);
        about.iter().any(|cell| self.cells.is_abstract(*cell))
    }

    /// The variable that is assigned, if it is one that predicates may be about, and its type.
    fn target(&self, command: Command<'_>, place: &Place, slot: SlotId) -> Option<(Option<Cell>, Scalar)> {
        if let Some(cell) = self.cells.of_slot(place.scope, Some(command.pid), slot) {
            return Some((Some(cell), self.cells.info(cell).scalar));
        }
        let template = &self.model().templates[command.id.0];
        Some((None, template.frame.slots.get(slot)?.scalar))
    }

    /// Whether each predicate holds after the command is decided.
    fn judge_successor(&mut self, command: Command<'_>, assigned: &BTreeMap<Cell, Linear>) -> Result<(), Stop> {
        if assigned.is_empty() {
            return Ok(());
        }
        for number in 0..self.predicates.len() {
            let atom = &self.predicates[number];
            let mut about = BTreeSet::new();
            atom.cells(&mut about);
            if about.iter().all(|cell| !assigned.contains_key(cell)) {
                continue;
            }
            let before = atom.replaced(&|cell| assigned.get(&cell).cloned()).map_err(Opaque::from)?;
            self.decide(command, &before, Why::Successor)?;
        }
        Ok(())
    }

    /// The value of a condition here. If it is not that of all states with the same abstract state,
    /// as far as can be proved, the atoms that are not decided are new predicates.
    fn decide(&mut self, command: Command<'_>, condition: &Condition, why: Why) -> Result<bool, Stop> {
        let cells = self.cells.clone();
        let value = |cell| i128::from(cells.value(cell, command.state));
        let here = condition.holds(&value).ok_or(Stop::Opaque)?;
        let stays = |cell| concrete(&cells, command.state, cell);
        let special = condition.replaced(&stays).map_err(Opaque::from)?;
        if self.questions.is_decided(command.facts, &special, here, &cells)? {
            return Ok(here);
        }
        let mut atoms = Vec::new();
        condition.atoms(&mut |atom| atoms.push(atom));
        let is_one = atoms.len() == 1;
        let (mut undecided, mut is_open) = (Vec::new(), false);
        for atom in atoms {
            let special = atom.replaced(&stays).map_err(Opaque::from)?;
            let holds = atom.holds(&value).ok_or(Stop::Opaque)?;
            if !is_one && self.questions.is_decided(command.facts, &special, holds, &cells)? {
                self.questions.counts.spared += 1;
                continue;
            }
            is_open = true;
            if self.add(atom, why, Some(command.edge)) || self.is_new(atom) {
                undecided.push(atom.text(&cells));
            }
        }
        if is_open {
            self.note_open(command, Some(undecided));
            self.lose_patience(command);
        }
        Ok(here)
    }

    /// Describes the state in full, if the command has been open for too long.
    fn lose_patience(&mut self, command: Command<'_>) {
        let rounds = self.open_for.get(&command.id).copied().unwrap_or_default();
        if self.patience.is_none_or(|patience| rounds < patience) {
            return;
        }
        let cells = self.cells.clone();
        for cell in cells.all().filter(|cell| cells.is_abstract(*cell)) {
            let value = Linear::constant(cells.value(cell, command.state));
            if let Ok(Condition::Atom(atom)) = Condition::equal(&Linear::of(Base::Cell(cell)), &value) {
                self.add(&atom, Why::Patience, Some(command.edge));
            }
        }
    }

    /// Whether it will be a predicate in the next round.
    fn is_new(&self, atom: &Atom) -> bool {
        self.new.iter().any(|new| new.atom == *atom)
    }

    /// A command is not exact, for want of these predicates. If there are none, nothing would help.
    fn note_open(&mut self, command: Command<'_>, predicates: Option<Vec<String>>) {
        let open = self.open.entry(command.id).or_insert_with(|| Open {
            statement: command.edge.text.clone(),
            span: command.edge.span,
            predicates: Vec::new(),
            is_opaque: false,
        });
        let predicates = predicates.unwrap_or_default();
        open.is_opaque |= predicates.is_empty();
        for predicate in predicates {
            if !open.predicates.contains(&predicate) {
                open.predicates.push(predicate);
            }
        }
    }
}

/// What stays concrete has its value in the state.
fn concrete(cells: &Cells, state: &State, cell: Cell) -> Option<Linear> {
    (!cells.is_abstract(cell)).then(|| Linear::constant(cells.value(cell, state)))
}

/// The slot of a place, at the indices of the state.
fn element(translator: &mut Translator<'_>, place: &Place) -> Result<SlotId, Stop> {
    let mut slot = place.first.index();
    for index in &place.indices {
        let at = translator.term(&index.value)?;
        let value = translator.value_here(&at).ok_or(Stop::Opaque)?;
        let Some(element) = u32::try_from(value).ok().filter(|value| *value < index.length) else {
            let last = Linear::constant(i128::from(index.length) - 1);
            let at_least = Condition::at_most(&Linear::constant(0), &at).map_err(Opaque::from)?;
            let at_most = Condition::at_most(&at, &last).map_err(Opaque::from)?;
            translator.needs.push(Condition::all([at_least, at_most]));
            return Ok(place.first);
        };
        translator.needs.push(Condition::equal(&at, &Linear::constant(value)).map_err(Opaque::from)?);
        slot += (element * index.stride) as usize;
    }
    Ok(SlotId::from_index(slot))
}
