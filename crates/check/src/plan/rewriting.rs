//! A model that passes have made of another one, and the way back.

use ample_interpret::State;
use ample_model::{Model, TemplateId};
use ample_reduction::{Back, TemplateOf};
use ample_transition::{Move, Pid, Stretch};

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

    /// What a transition of the rewritten model stands for in the model as written, whose processes
    /// run the templates that `template_of` gives.
    pub fn back(&self, transition: &[Move], template_of: TemplateOf<'_>) -> Vec<Stretch> {
        let mut stretches = transition.iter().copied().map(Stretch::Once).collect();
        for (number, back) in self.backs.iter().enumerate() {
            let of_process = |process| template_after(&self.backs[number..], process, template_of);
            stretches = before(&**back, stretches, &of_process);
        }
        stretches
    }

    /// What a state of the rewritten model is in the model as written.
    pub fn state(&self, state: State) -> State {
        self.backs.iter().fold(state, |state, back| back.state(state))
    }
}

/// Which template a process runs after some passes, the last one first.
fn template_after(backs: &[Box<dyn Back>], process: Pid, written: TemplateOf<'_>) -> Option<TemplateId> {
    match backs {
        [] => written(process),
        [last, before @ ..] => last.template_of(process, &|process| template_after(before, process, written)),
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
