//! What is known of a model before it runs.

use ample_model::Model;
use ample_transition::ScratchOwner;

use crate::layout::Layout;

/// How many processes there may be unless the user asks for more.
pub const DEFAULT_MAX_PROCESSES: u16 = 255;

/// Executes a [`Model`].
pub struct Interpreter<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layout: Layout,
    pub(crate) max_processes: u16,
    /// Whether channels are claimed by `xr` or `xs`.
    pub(crate) claims: bool,
    /// Whether there are `provided` clauses or priorities.
    pub(crate) is_scheduled: bool,
    /// Whose [`Workspace`](crate::workspace::Workspace) it is that a buffer keeps.
    pub(crate) owner: ScratchOwner,
}

impl<'m> Interpreter<'m> {
    /// An interpreter that allows the usual number of processes.
    pub fn new(model: &'m Model) -> Self {
        Self::with_max_processes(model, DEFAULT_MAX_PROCESSES)
    }

    /// An interpreter that allows `max_processes` processes at a time.
    pub fn with_max_processes(model: &'m Model, max_processes: u16) -> Self {
        let is_provided = model.templates.iter().any(|template| template.provided.is_some());
        Interpreter {
            model,
            layout: Layout::new(model, max_processes),
            max_processes,
            claims: model.templates.iter().any(|template| !template.exclusive.is_empty()),
            is_scheduled: is_provided || model.uses.priorities,
            owner: ScratchOwner::default(),
        }
    }

    /// The model it executes.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// How many processes there may be at a time.
    pub fn max_processes(&self) -> u16 {
        self.max_processes
    }
}
