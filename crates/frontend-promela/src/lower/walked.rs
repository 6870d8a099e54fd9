//! Processes whose control flow and variables are known, before their expressions are.

use ample_model::{Frame, TemplateId};
use ample_source::Span;
use ample_stdx::IndexVec;

use crate::lower::flow::Flow;
use crate::lower::symbols::ScopeId;
use crate::syntax::Exclusive;

/// A process with its control flow and its variables.
pub(crate) struct Walked<'a> {
    pub(crate) flow: Flow<'a>,
    pub(crate) frame: Frame,
    pub(crate) parameters: usize,
    pub(crate) parameters_order: u32,
    pub(crate) body_scope: ScopeId,
    pub(crate) exclusive: Vec<ExclusiveItem<'a>>,
    /// The hidden counters of loops over channels, by the loop's header.
    pub(crate) counters: Vec<(Span, ample_model::SlotId)>,
}

/// `xr` or `xs`, with where its names are looked up.
pub(crate) struct ExclusiveItem<'a> {
    pub(crate) item: &'a Exclusive,
    pub(crate) scope: ScopeId,
    pub(crate) order: u32,
}

/// The control flow of every process, for labels.
pub(crate) type Flows<'f, 'a> = &'f IndexVec<TemplateId, Walked<'a>>;

/// Finds a label by its name, wherever it stands in a process.
pub(crate) fn label_location(flow: &Flow<'_>, name: &str) -> Option<usize> {
    flow.labels.iter().find(|label| &*label.name == name).map(|label| Flow::number(label.element))
}
