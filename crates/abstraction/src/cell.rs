//! The variables of a model as predicates see them: numbered, with their names and their bounds.

use std::collections::BTreeSet;

use ample_interpret::State;
use ample_model::{Arithmetic, Expr, ExprKind, Model, Scalar, Scope, Shown, SlotId, UnaryOp};
use ample_solver::Variable;
use ample_stdx::TypedId;

/// A variable of the system: a global one, or one of a process that exists from the beginning.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub(crate) u32);

impl Cell {
    /// The variable of formulas that stands for it.
    pub(crate) fn variable(self) -> Variable {
        Variable(self.0)
    }
}

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(crate) struct CellInfo {
    /// The process whose it is.
    pub pid: Option<u16>,
    pub slot: SlotId,
    /// As a reader knows it.
    pub name: String,
    pub scalar: Scalar,
    pub shown: Shown,
    /// Whether predicates stand for it in the abstract state, in place of its value.
    pub is_abstract: bool,
}

/// The variables that predicates may be about.
#[derive(Clone, Debug)]
pub struct Cells {
    infos: Vec<CellInfo>,
    globals: usize,
    /// Where the variables of each process begin.
    starts: Vec<usize>,
}

/// Which variables are abstracted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Abstracted {
    /// Those of unbounded type that are no program counters.
    #[default]
    Unbounded,
    /// Those with these names.
    Named(Vec<String>),
}

impl Cells {
    /// The variables of a model. An error names what there is not.
    pub fn new(model: &Model, abstracted: &Abstracted) -> Result<Cells, String> {
        let mut infos: Vec<CellInfo> = Vec::new();
        for (slot, variable) in model.globals.slots.iter_enumerated() {
            infos.push(CellInfo {
                pid: None,
                slot,
                name: variable.name.clone(),
                scalar: variable.scalar,
                shown: variable.shown,
                is_abstract: false,
            });
        }
        let globals = infos.len();
        let mut starts = Vec::new();
        for (pid, active) in model.active.iter().enumerate().take_while(|_| !creates_processes(model)) {
            let template = &model.templates[active.template];
            starts.push(infos.len());
            for (slot, variable) in template.frame.slots.iter_enumerated() {
                infos.push(CellInfo {
                    pid: u16::try_from(pid).ok(),
                    slot,
                    name: format!("{}.{}", template.name, variable.name),
                    scalar: variable.scalar,
                    shown: variable.shown,
                    is_abstract: false,
                });
            }
        }
        let mut cells = Cells { infos, globals, starts };
        match abstracted {
            Abstracted::Unbounded => cells.abstract_unbounded(model),
            Abstracted::Named(names) => cells.abstract_named(names)?,
        }
        Ok(cells)
    }

    fn abstract_unbounded(&mut self, model: &Model) {
        let counters = program_counters(model, self);
        for (number, info) in self.infos.iter_mut().enumerate() {
            let cell = Cell(number as u32);
            info.is_abstract =
                info.scalar == Scalar::Integer && info.shown == Shown::Number && !counters.contains(&cell);
        }
    }

    fn abstract_named(&mut self, names: &[String]) -> Result<(), String> {
        for name in names {
            let mut is_known = false;
            for info in &mut self.infos {
                if info.is_called(name) {
                    is_known = true;
                    info.is_abstract = info.shown != Shown::Channel && info.scalar != Scalar::Channel;
                }
            }
            if !is_known {
                let known: Vec<String> = self.infos.iter().map(|info| without_indices(&info.name)).collect();
                let near = ample_stdx::suggest(name, known.iter().map(String::as_str));
                let near = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
                return Err(format!("there is no variable `{name}` to abstract{near}"));
            }
        }
        Ok(())
    }

    /// Whether no variable is abstracted.
    pub fn is_concrete(&self) -> bool {
        self.infos.iter().all(|info| !info.is_abstract)
    }

    /// The names of those that are abstracted.
    pub fn abstracted(&self) -> impl Iterator<Item = &str> {
        self.infos.iter().filter(|info| info.is_abstract).map(|info| info.name.as_str())
    }

    /// The variable of a slot, if it is one of these.
    pub(crate) fn of_slot(&self, scope: Scope, pid: Option<u16>, slot: SlotId) -> Option<Cell> {
        let number = match (scope, pid) {
            (Scope::Global, _) => slot.index(),
            (Scope::Local, Some(pid)) => self.starts.get(usize::from(pid))? + slot.index(),
            (Scope::Local, None) => return None,
        };
        u32::try_from(number).ok().map(Cell)
    }

    pub(crate) fn info(&self, cell: Cell) -> &CellInfo {
        &self.infos[cell.0 as usize]
    }

    pub(crate) fn is_abstract(&self, cell: Cell) -> bool {
        self.info(cell).is_abstract
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.infos.len() as u32).map(Cell)
    }

    /// The value of a variable in a state.
    pub(crate) fn value(&self, cell: Cell, state: &State) -> i64 {
        let info = self.info(cell);
        match info.pid {
            None => state.global(info.slot),
            Some(pid) if usize::from(pid) < state.processes.len() => state.local(pid, info.slot),
            Some(_) => 0,
        }
    }

    /// Whether this place in the vector of globals is abstracted.
    pub(crate) fn is_abstract_global(&self, slot: usize) -> bool {
        slot < self.globals && self.infos[slot].is_abstract
    }

    /// The same for the variables of a process.
    pub(crate) fn is_abstract_local(&self, pid: usize, slot: usize) -> bool {
        self.starts.get(pid).and_then(|start| self.infos.get(start + slot)).is_some_and(|info| info.is_abstract)
    }

    /// The least and the greatest value, if the type has them.
    pub(crate) fn bounds(&self, cell: Cell) -> Option<(i128, i128)> {
        let scalar = self.info(cell).scalar;
        let (low, high) = scalar.bounds();
        (scalar != Scalar::Integer).then(|| (low.into(), high.into()))
    }
}

impl CellInfo {
    /// Whether a name on the command line means it: its own, or the same without indices, so that
    /// the name of an array means its elements and that of a family's variable all of them.
    fn is_called(&self, name: &str) -> bool {
        self.name == name || without_indices(&self.name) == name
    }
}

fn without_indices(name: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for letter in name.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(letter),
            _ => {}
        }
    }
    kept
}

/// Whether processes are created on the way.
fn creates_processes(model: &Model) -> bool {
    let mut creates = false;
    for template in &model.templates {
        for edge in &template.edges {
            edge.walk(&mut |part| creates |= matches!(part.kind, ExprKind::Run(_)));
        }
    }
    creates
}

/// The variables that get constants only.
fn program_counters(model: &Model, cells: &Cells) -> BTreeSet<Cell> {
    let mut counters: BTreeSet<Cell> = cells.all().filter(|cell| cells.info(*cell).pid.is_none()).collect();
    for edge in model.templates.iter().flat_map(|template| template.edges.iter()) {
        for (place, value) in edge.assignments() {
            if place.scope == Scope::Global && place.indices.is_empty() && is_constant(value) {
                continue;
            }
            forget(&mut counters, cells, place);
        }
        edge.stores().filter(|place| !place.indices.is_empty()).for_each(|place| forget(&mut counters, cells, place));
    }
    debug_assert!(model.arithmetic != Arithmetic::Exact || cells.starts.len() <= model.active.len());
    counters
}

/// The place may get another value.
fn forget(counters: &mut BTreeSet<Cell>, cells: &Cells, place: &ample_model::Place) {
    if place.scope != Scope::Global {
        return;
    }
    let first = place.first.index();
    let reach: usize = place.indices.iter().map(|index| (index.length as usize - 1) * index.stride as usize).sum();
    (first..=first + reach).filter(|slot| *slot < cells.globals).for_each(|slot| {
        counters.remove(&Cell(slot as u32));
    });
}

fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Const(_) => true,
        ExprKind::Unary(UnaryOp::Negate, inner) => is_constant(inner),
        _ => false,
    }
}
