//! A model that passes have made of another one, and the way back.

use ample_model::Model;
use ample_reduction::{Back, TemplateOf};
use ample_transition::Move;

/// What passes have made of a model.
pub(crate) struct Rewriting {
    /// The model that is searched.
    pub model: Model,
    /// The ways back, that of the last pass first.
    backs: Vec<Box<dyn Back>>,
}

impl Rewriting {
    /// What one more pass has made of it.
    pub fn after(before: Option<Rewriting>, model: Model, back: Box<dyn Back>) -> Rewriting {
        let mut backs = before.map(|before| before.backs).unwrap_or_default();
        backs.insert(0, back);
        Rewriting { model, backs }
    }

    /// The moves of the model as written that a transition of the rewritten one stands for.
    pub fn back(&self, transition: &[Move], template_of: TemplateOf<'_>) -> Vec<Move> {
        let mut moves = transition.to_vec();
        for back in &self.backs {
            let mut before = Vec::new();
            back.moves(&moves, template_of, &mut before);
            moves = before;
        }
        moves
    }
}
