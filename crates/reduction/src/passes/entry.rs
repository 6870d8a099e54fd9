//! What a pass is, and what it gives.

use ample_guarantee::Part;
use ample_interpret::State;
use ample_model::{Model, TemplateId};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::{Move, Pid, Stretch};

use crate::{NotHere, Visible};

/// A pass that can be chosen by name.
#[derive(Debug)]
pub struct PassEntry {
    /// Its name and what it preserves.
    pub part: &'static Part,
    /// Whether it is taken where reductions are left to us and it is sound.
    pub is_automatic: bool,
    /// Rewrites a model.
    pub rewrite: Rewrite,
}

/// Rewrites a model for a question. `None` if there is nothing to rewrite; an error if the pass
/// does not apply.
///
/// Templates, processes and whatever is [`Visible`] keep their numbers, so that the question and
/// the names of processes mean the same in both models; new ones come after them. Spans stay those
/// of the source.
#[derive(Copy, Clone, Debug)]
pub enum Rewrite {
    /// Given the model alone.
    OfModel(fn(&Model, &Visible<'_>) -> Result<Option<Rewritten>, NotHere>),
    /// Given the processes of the model, and what they can do to each other.
    OfNetwork(fn(&Network<'_>, &Facts, &Visible<'_>) -> Result<Option<Rewritten>, NotHere>),
}

/// A rewritten model, and the way back.
pub struct Rewritten {
    /// The model.
    pub model: Model,
    /// What its moves are in the model that was rewritten.
    pub back: Box<dyn Back>,
}

/// Turns moves of a rewritten model into moves of the model that was rewritten.
pub trait Back: Send + Sync {
    /// Appends what the moves of one transition stand for to `moves`, in order. The number of an
    /// edge means something only in a template: `template_of` gives that of a process of the
    /// rewritten model.
    fn moves(&self, transition: &[Move], template_of: TemplateOf<'_>, moves: &mut Vec<Stretch>);

    /// Which template a process of the rewritten model runs, given those of the model that was
    /// rewritten. By default they are the same.
    fn template_of(&self, process: Pid, before: TemplateOf<'_>) -> Option<TemplateId> {
        before(process)
    }

    /// What a state of the rewritten model is in the model that was rewritten. By default it is the
    /// same.
    fn state(&self, state: State) -> State {
        state
    }
}

/// Which template a process runs.
pub type TemplateOf<'a> = &'a dyn Fn(Pid) -> Option<TemplateId>;

/// The way back where every move is a move of the model that was rewritten.
pub struct SameMoves;

impl Back for SameMoves {
    fn moves(&self, transition: &[Move], _: TemplateOf<'_>, moves: &mut Vec<Stretch>) {
        moves.extend(transition.iter().copied().map(Stretch::Once));
    }
}
