//! What is known of a system while it is lowered: its processes, channels and variables.

use std::collections::HashMap;
use std::sync::Arc;

use ample_model::{ChannelType, Expr, Frame, LocationId, Scalar, Shown, SlotId, TemplateId};
use ample_source::{Diagnostic, Diagnostics, Span};
use ample_stdx::{IndexVec, TypedId};

use super::scope::Scope;
use crate::syntax::{Process, Program};

/// A system that is being lowered.
pub(super) struct Lowering<'p, 'd> {
    pub(super) program: &'p Program,
    pub(super) diagnostics: &'d mut Diagnostics,
    /// Values that are given from outside, for inputs.
    pub(super) defines: &'p [(String, String)],
    pub(super) globals: Scope,
    pub(super) global_frame: Frame,
    pub(super) channels: Vec<Channel>,
    /// The processes of the system, in the order of their numbers.
    pub(super) members: Vec<Member<'p>>,
    /// The variables of each template. In a synchronous system all members share one.
    pub(super) frames: IndexVec<TemplateId, Frame>,
    /// True while no process is in a commit state; none if there are no such states.
    pub(super) commit_free: Option<Expr>,
    /// The control states of a synchronous system.
    pub(super) product: Option<Product>,
    /// The arrays that were used without an index, and reported.
    pub(super) unindexed: Vec<(Arc<str>, SlotId)>,
}

impl Lowering<'_, '_> {
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    pub(super) fn declared_twice(&mut self, name: &str, span: Span, first: Span) {
        let error = Diagnostic::error(span, format!("`{name}` is declared twice"));
        self.diagnostics.push(error.secondary(first, "first declared here"));
    }
}

/// The template of a member of an asynchronous system: one for each.
pub(super) fn template_of(member: usize) -> TemplateId {
    TemplateId::from_index(member)
}

/// A channel of the system.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) slot: SlotId,
    pub(super) capacity: u32,
    /// What a message carries, if that was declared.
    pub(super) declared: Option<Vec<Scalar>>,
    /// How many values its first use carries, and where that is.
    pub(super) first_use: Option<(usize, Span)>,
    pub(super) span: Span,
}

impl Channel {
    pub(super) fn into_type(self) -> ChannelType {
        let fields = self.declared.unwrap_or_else(|| vec![Scalar::Int; self.first_use.map_or(0, |(count, _)| count)]);
        let fields = fields.into_iter().map(|scalar| (scalar, Shown::Number)).collect();
        ChannelType { name: self.name, capacity: self.capacity, fields, span: self.span }
    }
}

/// One process of the system.
#[derive(Debug)]
pub(super) struct Member<'p> {
    pub(super) process: &'p Process,
    /// The name a reader knows it by: `P`, `P(1)`.
    pub(super) name: String,
    pub(super) template: TemplateId,
    /// The values of the parameters that tell the instances apart.
    pub(super) keys: Vec<i32>,
    pub(super) scope: Scope,
    pub(super) states: States,
}

/// The states of a process and their locations. Location 0 is none.
#[derive(Clone, Debug, Default)]
pub(super) struct States {
    pub(super) names: HashMap<Arc<str>, LocationId>,
    pub(super) order: Vec<Arc<str>>,
}

impl States {
    pub(super) fn get(&self, name: &str) -> Option<LocationId> {
        self.names.get(name).copied()
    }

    /// The names by location, from location 1 on.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|name| &**name)
    }
}

/// The control states of the product: a state of each process.
#[derive(Clone, Debug, Default)]
pub(super) struct Product {
    pub(super) tuples: Vec<Vec<LocationId>>,
    pub(super) labels: Vec<String>,
}

impl Product {
    /// The locations in which this process is in this state. Location 0 is none, so the first tuple
    /// has number 1.
    pub(super) fn locations_with(
        &self,
        member: usize,
        state: LocationId,
    ) -> impl Iterator<Item = (LocationId, String)> + '_ {
        let with = move |(_, tuple): &(usize, &Vec<LocationId>)| tuple.get(member) == Some(&state);
        let tuples = self.tuples.iter().enumerate().filter(with);
        tuples.map(|(index, _)| (LocationId::from_index(index + 1), self.labels[index].clone()))
    }
}

/// From where an expression is looked at.
#[derive(Clone, Copy, Default)]
pub(super) struct Here<'h> {
    /// By which process; none for what is outside of all.
    pub(super) member: Option<usize>,
    /// In a synchronous system: the state of each process.
    pub(super) at: Option<&'h [LocationId]>,
    /// Constants that are known here only.
    pub(super) constants: Option<&'h Scope>,
}
