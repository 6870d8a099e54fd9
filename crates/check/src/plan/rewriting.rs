//! A model that passes have made of another one, and the way back.

use ample_model::Model;
use ample_reduction::Back;
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

    /// The moves of the model as written that some moves of the rewritten one stand for.
    pub fn back(&self, moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
        let mut moves: Vec<Move> = moves.into_iter().collect();
        for back in &self.backs {
            let mut before = Vec::new();
            moves.iter().for_each(|step| back.moves(*step, &mut before));
            moves = before;
        }
        moves
    }
}
