//! A model that passes have made of another one, and the way back.

use ample_model::Model;
use ample_reduction::{Back, TemplateOf};
use ample_transition::{Move, Stretch};

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

    /// What a transition of the rewritten model stands for in the model as written.
    pub fn back(&self, transition: &[Move], template_of: TemplateOf<'_>) -> Vec<Stretch> {
        let once = transition.iter().copied().map(Stretch::Once).collect();
        self.backs.iter().fold(once, |stretches, back| before(&**back, stretches, template_of))
    }
}

/// What stretches of a model stand for in the model before a pass. Moves side by side are turned
/// back together.
fn before(back: &dyn Back, stretches: Vec<Stretch>, template_of: TemplateOf<'_>) -> Vec<Stretch> {
    let (mut all, mut together) = (Vec::new(), Vec::new());
    for stretch in stretches {
        match stretch {
            Stretch::Once(step) => together.push(step),
            Stretch::WhilePossible(round) => {
                back.moves(&together, template_of, &mut all);
                together.clear();
                all.push(Stretch::WhilePossible(before(back, round, template_of)));
            }
        }
    }
    back.moves(&together, template_of, &mut all);
    all
}
