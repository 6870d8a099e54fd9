//! Which locations can be passed: those that a process leaves by steps that nobody else sees,
//! disturbs or waits for.

use ample_model::{Action, Edge, EdgeId, Expr, ExprKind, Label, Location, LocationId, Place, Scope, Template};
use ample_stdx::BitSet;

use crate::passes::observed::Observed;
use crate::passes::risk::Risk;
use crate::passes::slots::slots_of;

/// An `atomic` sequence of more steps is not looked through.
const MOST_STEPS: usize = 64;

/// In a process with more edges a `d_step` is not looked through.
const MOST_EDGES: usize = 10_000;

/// What decides whether a step of a process is local.
pub(super) struct Locality<'m> {
    pub(super) template: &'m Template,
    pub(super) risk: Risk<'m>,
    /// What others look at in these processes.
    pub(super) observed: &'m Observed,
    /// Where others notice that a process is: ready to receive.
    pub(super) noticed: &'m BitSet<LocationId>,
    /// What the question sees of locations.
    pub(super) labels: SeenLabels,
    /// Whether the names of edges are seen.
    pub(super) names: bool,
    /// Whether a step that ends the run with an error may be made at once. What others could do in
    /// its place is lost then. A step that may have no value within 64 bits is never made at once:
    /// it is no error, and what others could do may lead to one.
    pub(super) may_fail: bool,
}

/// The labels by whose meaning a question tells locations apart.
#[derive(Copy, Clone, Default)]
pub(super) struct SeenLabels {
    pub(super) progress: bool,
    pub(super) accept: bool,
}

impl Locality<'_> {
    /// Whether a process that comes to this location can go on at once.
    pub(super) fn can_pass(&self, id: LocationId) -> bool {
        self.is_unmarked(id) && self.leaves_locally(id, &mut vec![id])
    }

    /// Whether no label gives a location a meaning, and it is not inside a `d_step`.
    pub(super) fn is_unmarked(&self, id: LocationId) -> bool {
        let location = &self.template.locations[id];
        !location.end && !location.progress && !location.accept && location.d_step.is_none()
    }

    /// Whether every step that leaves a location is local. `passed` are the locations that one
    /// transition has come through.
    fn leaves_locally(&self, id: LocationId, passed: &mut Vec<LocationId>) -> bool {
        let location = &self.template.locations[id];
        !location.edges.is_empty() && location.edges.iter().all(|edge| self.is_local(*edge, passed))
    }

    /// Whether a step, and what follows it while the process keeps control, is local, and leads to
    /// where nobody notices that the process is.
    fn is_local(&self, id: EdgeId, passed: &mut Vec<LocationId>) -> bool {
        let edge = &self.template.edges[id];
        if edge.escape.is_some() || !self.is_unseen(edge) || !self.acts_locally(edge) {
            return false;
        }
        if !edge.keeps_control {
            return !self.noticed.contains(edge.target);
        }
        if passed.contains(&edge.target) || passed.len() > MOST_STEPS {
            return false;
        }
        passed.push(edge.target);
        let goes_on_locally = self.leaves_locally(edge.target, passed);
        passed.pop();
        goes_on_locally
    }

    /// Whether nobody sees that the process has gone from one location to the other by this edge.
    pub(super) fn is_unseen(&self, edge: &Edge) -> bool {
        let [from, to] = [edge.source, edge.target].map(|id| &self.template.locations[id]);
        let differs = |seen: bool, is_marked: fn(&Location) -> bool| seen && is_marked(from) != is_marked(to);
        let is_named = |id: LocationId| self.observed.locations.contains(id);
        let has_seen_name = self.names && matches!(edge.label, Label::Named(_));
        !has_seen_name
            && !is_named(edge.source)
            && !is_named(edge.target)
            && !differs(self.labels.progress, |location| location.progress)
            && !differs(self.labels.accept, |location| location.accept)
    }

    /// Whether an edge reads and writes only what belongs to the process.
    pub(super) fn acts_locally(&self, edge: &Edge) -> bool {
        let is_local = match &edge.action {
            Action::Skip | Action::Else | Action::Print { .. } | Action::PrintName(_) => true,
            Action::Guard(_) | Action::Assert(_) | Action::Assign(..) => true,
            Action::DeterministicStep(inside) => self.is_local_inside(*inside),
            Action::Send { .. }
            | Action::Receive { .. }
            | Action::SetPriority(..)
            | Action::Event { .. }
            | Action::End => false,
        };
        let mut reads_locally = true;
        edge.walk(&mut |part| reads_locally &= self.reads_locally(part));
        let fits = |(place, value): (&Place, &Expr)| self.may_fail || !self.risk.may_not_fit(place, value);
        is_local
            && reads_locally
            && edge.stores().all(|place| self.writes_locally(place))
            && edge.assignments().all(fits)
    }

    /// Whether all steps of a `d_step` are local.
    fn is_local_inside(&self, entry: LocationId) -> bool {
        if self.template.edges.len() > MOST_EDGES {
            return false;
        }
        let of = self.template.locations[entry].d_step;
        let inside =
            self.template.edges.iter().filter(|edge| {
                edge.source == entry || of.is_some() && self.template.locations[edge.source].d_step == of
            });
        // A `d_step` inside is a run-time error that the front end has refused.
        let mut steps =
            inside.map(|edge| !matches!(edge.action, Action::DeterministicStep(_)) && self.acts_locally(edge));
        self.may_fail && steps.all(|is_local| is_local)
    }

    fn reads_locally(&self, part: &Expr) -> bool {
        match &part.kind {
            ExprKind::Read(place) if place.scope == Scope::Global => false,
            ExprKind::Read(_) | ExprKind::Unary(..) | ExprKind::Binary(..) if !self.may_fail => {
                !self.risk.part_may_fail(part)
            }
            ExprKind::Unary(..) | ExprKind::Binary(..) if self.risk.may_exceed(part) => false,
            ExprKind::Read(_)
            | ExprKind::Const(_)
            | ExprKind::Pid
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(_) => true,
            _ => false,
        }
    }

    fn writes_locally(&self, place: &Place) -> bool {
        let is_observed = slots_of(place).any(|slot| self.observed.slots.contains(slot));
        place.scope == Scope::Local && !is_observed && (self.may_fail || !self.risk.may_miss(place))
    }
}
