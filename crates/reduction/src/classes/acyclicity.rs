//! Whether a space has no cycle, as far as can be seen before it is searched: no process comes back
//! to where it was, or a variable that never falls, or never rises, changes whenever one does.
//!
//! *Proof*: on a cycle of states such a variable stays as it is, so that no edge is taken that
//! changes it for certain. Without these edges no process has a cycle in its control flow. A
//! process that exists from the beginning ends up where it was, so it does not move on the cycle,
//! and it creates nothing; so nothing that it might create moves either, and so on: templates do
//! not create each other in circles.

use std::collections::BTreeSet;

use ample_model::{
    Action, BinaryOp, Edge, Expr, ExprKind, Model, Place, Scalar, Scope, SlotId, Template, TemplateId, TemplateKind,
};
use ample_network::Network;
use ample_stdx::{TypedId, components};

use crate::NotHere;
use crate::passes::slots::{only_slot, slots_of};
use crate::progress::{self, Sum};

/// What was found, as sentences.
#[derive(Clone, Debug, Default)]
pub struct Acyclicity {
    /// Why there are no cycles, if that is known.
    pub found: Vec<String>,
    /// What stands in the way of that.
    pub broken: Vec<String>,
}

/// A variable: global, or of a template.
type Variable = (Option<TemplateId>, SlotId);

/// In which direction a variable goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Direction {
    Grows,
    Falls,
}

/// How an assignment changes a variable.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Step {
    Stays,
    Goes(Direction),
    Anyhow,
}

impl Acyclicity {
    /// That of a network.
    pub fn of(network: &Network<'_>) -> Acyclicity {
        let model = network.model;
        let running: BTreeSet<TemplateId> = network.instances.iter().map(|instance| instance.template).collect();
        let fail = |why: String| Acyclicity { found: Vec::new(), broken: vec![why] };
        if creates_in_circles(model) {
            return fail("processes create processes that may create such as they are".to_owned());
        }
        let monotone = monotone(model, &running);
        let measure = match progress::stated(model) {
            Ok(measure) => measure,
            Err(NotHere(why)) => return fail(why),
        };
        let mut used = BTreeSet::new();
        for id in &running {
            let template = &model.templates[*id];
            if let Some(edge) = closing(model, (*id, template), &monotone, measure.as_ref(), &mut used) {
                let edge = &template.edges[edge];
                return fail(format!(
                    "`{}` of {} may be done again and again, and no variable is known that only grows, or only falls, \
                     meanwhile",
                    edge.text, template.name
                ));
            }
        }
        let name = |(owner, slot): &Variable| match owner {
            None => model.globals.slots[*slot].name.clone(),
            Some(template) => {
                let template = &model.templates[*template];
                format!("{}:{}", template.name, template.frame.slots[*slot].name)
            }
        };
        let names: Vec<String> = used.iter().map(name).collect();
        let why = match names.as_slice() {
            [] if measure.is_some() => {
                "whenever a process comes back to where it was, the measure of progress has grown".to_owned()
            }
            [] => "no process comes back to where it was".to_owned(),
            [one] => {
                format!("whenever a process comes back to where it was, {one} has changed, which goes one way only")
            }
            more => format!(
                "whenever a process comes back to where it was, one of {} has changed, which go one way only",
                more.join(", ")
            ),
        };
        Acyclicity { found: vec![why + " (`--order acyclic`)"], broken: Vec::new() }
    }
}

/// Whether a template may create, over others, processes of its own kind.
fn creates_in_circles(model: &Model) -> bool {
    let created = |template: usize| {
        let mut created = Vec::new();
        for edge in &model.templates[TemplateId::from_index(template)].edges {
            edge.walk(&mut |part| {
                if let ExprKind::Run(run) = &part.kind {
                    created.push(run.template.index());
                }
            });
        }
        created.into_iter()
    };
    let count = model.templates.len();
    let components = components(count, created);
    (0..count).any(|from| created(from).any(|to| components.get(from) == components.get(to)))
}

/// The variables that go one way only, and the direction of each.
fn monotone(model: &Model, running: &BTreeSet<TemplateId>) -> Vec<(Variable, Direction)> {
    let mut all: Vec<Variable> = model.globals.slots.ids().map(|slot| (None, slot)).collect();
    for id in running {
        all.extend(model.templates[*id].frame.slots.ids().map(|slot| (Some(*id), slot)));
    }
    let goes = |variable: Variable, direction: Direction| {
        running.iter().all(|id| {
            let template = &model.templates[*id];
            template.edges.iter().all(|edge| {
                matches!(step(model, *id, edge, variable), Step::Stays)
                    || step(model, *id, edge, variable) == Step::Goes(direction)
            })
        })
    };
    let is_used = |variable: Variable| {
        running
            .iter()
            .any(|id| model.templates[*id].edges.iter().any(|edge| step(model, *id, edge, variable) != Step::Stays))
    };
    let direction = |variable: Variable| {
        [Direction::Grows, Direction::Falls].into_iter().find(|direction| goes(variable, *direction))
    };
    all.into_iter().filter(|of| is_used(*of)).filter_map(|of| Some((of, direction(of)?))).collect()
}

/// An edge that closes a cycle on which nothing goes one way.
fn closing(
    model: &Model,
    (id, template): (TemplateId, &Template),
    monotone: &[(Variable, Direction)],
    measure: Option<&Sum>,
    used: &mut BTreeSet<Variable>,
) -> Option<ample_model::EdgeId> {
    debug_assert!(!matches!(template.kind, TemplateKind::Never), "a claim is no process");
    let count = template.locations.len();
    let targets = |edge: &Edge| {
        let inside = match edge.action {
            Action::DeterministicStep(inside) => Some(inside.index()),
            _ => None,
        };
        // A process that ends goes nowhere.
        let target = (!matches!(edge.action, Action::End)).then_some(edge.target.index());
        [target, inside].into_iter().flatten()
    };
    let goes = |edge: &Edge| {
        monotone.iter().find(|(variable, _)| matches!(step(model, id, edge, *variable), Step::Goes(_))).map(|of| of.0)
    };
    // What makes the measure larger closes no cycle either.
    let grows = |edge: &Edge| {
        measure.is_some_and(|measure| progress::growth(model, edge, measure).is_some_and(|growth| growth > 0))
    };
    let leaving = |edge: &Edge| -> Vec<usize> { targets(edge).collect() };
    let all = components(count, |from| {
        let edges = template.edges.iter().filter(move |edge| edge.source.index() == from);
        edges.flat_map(leaving).collect::<Vec<_>>().into_iter()
    });
    let kept = components(count, |from| {
        let edges = template
            .edges
            .iter()
            .filter(move |edge| edge.source.index() == from && goes(edge).is_none() && !grows(edge));
        edges.flat_map(leaving).collect::<Vec<_>>().into_iter()
    });
    for (number, edge) in template.edges.iter_enumerated() {
        let from = edge.source.index();
        match goes(edge) {
            Some(variable) if targets(edge).any(|to| all.get(from) == all.get(to)) => {
                used.insert(variable);
            }
            None if !grows(edge) && targets(edge).any(|to| kept.get(from) == kept.get(to)) => return Some(number),
            _ => {}
        }
    }
    None
}

/// How an edge changes a variable. One assignment at most is understood.
fn step(model: &Model, id: TemplateId, edge: &Edge, variable: Variable) -> Step {
    let is_it = |place: &Place| match place.scope {
        Scope::Global => variable.0.is_none(),
        Scope::Local => variable.0 == Some(id),
    };
    let writes = edge.stores().filter(|place| is_it(place) && slots_of(place).any(|slot| slot == variable.1)).count();
    if writes == 0 {
        return Step::Stays;
    }
    let mut assigned = edge.assignments().filter(|(place, _)| is_it(place) && only_slot(place) == Some(variable.1));
    let (Some((place, value)), 1) = (assigned.next(), writes) else { return Step::Anyhow };
    let scalar = match variable {
        (None, slot) => model.globals.slots[slot].scalar,
        (Some(template), slot) => model.templates[template].frame.slots[slot].scalar,
    };
    change(edge, place, value, scalar)
}

/// How an assignment changes a variable.
fn change(edge: &Edge, place: &Place, value: &Expr, scalar: Scalar) -> Step {
    let (low, high) = known(edge, place);
    let (low, high) = (low.max(i128::from(scalar.bounds().0)), high.min(i128::from(scalar.bounds().1)));
    match &value.kind {
        ExprKind::Const(number) => {
            let number = i128::from(scalar.truncate(*number));
            match () {
                () if number > high => Step::Goes(Direction::Grows),
                () if number < low => Step::Goes(Direction::Falls),
                () => Step::Anyhow,
            }
        }
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
            let same = |expr: &Expr| matches!(&expr.kind, ExprKind::Read(read) if read.scope == place.scope && only_slot(read) == only_slot(place));
            let added = match (op, &left.kind, &right.kind) {
                (BinaryOp::Add, _, ExprKind::Const(number)) if same(left) => i128::from(*number),
                (BinaryOp::Add, ExprKind::Const(number), _) if same(right) => i128::from(*number),
                (BinaryOp::Subtract, _, ExprKind::Const(number)) if same(left) => -i128::from(*number),
                _ => return Step::Anyhow,
            };
            // What is outside of a range is an error, and ends the run; other types wrap around.
            let is_exact = matches!(scalar, Scalar::Range { .. } | Scalar::Integer);
            let fits = i128::from(scalar.bounds().0) <= low + added && high + added <= i128::from(scalar.bounds().1);
            match added {
                1.. if is_exact || fits => Step::Goes(Direction::Grows),
                ..=-1 if is_exact || fits => Step::Goes(Direction::Falls),
                _ => Step::Anyhow,
            }
        }
        _ => Step::Anyhow,
    }
}

/// What the guard of an edge says of a variable: the least and the greatest value.
fn known(edge: &Edge, place: &Place) -> (i128, i128) {
    let mut bounds = (i128::MIN, i128::MAX);
    let own = match &edge.action {
        Action::Guard(guard) => Some(guard),
        _ => None,
    };
    own.into_iter().chain(&edge.guard).for_each(|guard| narrow(guard, place, &mut bounds));
    bounds
}

fn narrow(guard: &Expr, place: &Place, bounds: &mut (i128, i128)) {
    let ExprKind::Binary(op, left, right) = &guard.kind else { return };
    if *op == BinaryOp::And {
        narrow(left, place, bounds);
        return narrow(right, place, bounds);
    }
    let is_it = |expr: &Expr| matches!(&expr.kind, ExprKind::Read(read) if read.scope == place.scope && only_slot(read).is_some() && only_slot(read) == only_slot(place));
    let (ExprKind::Const(number), true) = (&right.kind, is_it(left)) else { return };
    let number = i128::from(*number);
    match op {
        BinaryOp::Equal => (bounds.0, bounds.1) = (bounds.0.max(number), bounds.1.min(number)),
        BinaryOp::Less => bounds.1 = bounds.1.min(number - 1),
        BinaryOp::LessEqual => bounds.1 = bounds.1.min(number),
        BinaryOp::Greater => bounds.0 = bounds.0.max(number + 1),
        BinaryOp::GreaterEqual => bounds.0 = bounds.0.max(number),
        _ => {}
    }
}
