//! Two assignments in a row as one step.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::{Action, EdgeId, Effect, Expr, ExprKind, LocationId, Model, Scope, Template, TemplateId};
use ample_reduction::{Back, NotHere, PassEntry, Rewrite, Rewritten, TemplateOf};
use ample_transition::{Move, Stretch};

use super::part;

static FUSE: Part = part("fuse", PartKind::Pass, Guarantee::STUTTERING);
static FUSE_ALL: Part = part("fuse-all", PartKind::Pass, Guarantee::STUTTERING);

pub const RIGHT: PassEntry = PassEntry {
    part: &FUSE,
    is_automatic: true,
    rewrite: Rewrite::OfModel(|model, _| fuse(model, |edge| is_local(&edge.action))),
};

/// What others see in between is lost.
pub const WRONG: PassEntry =
    PassEntry { part: &FUSE_ALL, is_automatic: false, rewrite: Rewrite::OfModel(|model, _| fuse(model, |_| true)) };

fn fuse(model: &Model, may: fn(&ample_model::Edge) -> bool) -> Result<Option<Rewritten>, NotHere> {
    let mut model = model.clone();
    if model.uses.priorities {
        return Err(NotHere("the model has priorities".to_owned()));
    }
    let mut fused = Vec::new();
    let ids: Vec<_> = model.templates.ids().collect();
    for id in ids {
        let template = &mut model.templates[id];
        while let Some((first, second)) = pair(template, may) {
            let (Action::Assign(place, value), target) =
                (template.edges[second].action.clone(), template.edges[second].target)
            else {
                break;
            };
            let edge = &mut template.edges[first];
            edge.effects.push(Effect { place, value });
            edge.target = target;
            fused.push((id, first, second));
        }
    }
    if fused.is_empty() {
        return Ok(None);
    }
    Ok(Some(Rewritten { model, back: Box::new(Fused(fused)) }))
}

/// The pairs of edges that have become one, each where its first was.
struct Fused(Vec<(TemplateId, EdgeId, EdgeId)>);

impl Back for Fused {
    fn moves(&self, transition: &[Move], template_of: TemplateOf<'_>, moves: &mut Vec<Stretch>) {
        for step in transition {
            moves.push(Stretch::Once(*step));
            for (template, first, second) in &self.0 {
                if *first == step.edge && template_of(step.process) == Some(*template) {
                    moves.push(Stretch::Once(Move { edge: *second, ..*step }));
                }
            }
        }
    }
}

/// An assignment and the one after it, between which nothing else can happen to the process.
fn pair(template: &Template, may: fn(&ample_model::Edge) -> bool) -> Option<(EdgeId, EdgeId)> {
    let entering = |location: LocationId| template.edges.iter().filter(|edge| edge.target == location).count();
    template.edges.ids().find_map(|first| {
        let (edge, location) = (&template.edges[first], &template.locations[template.edges[first].target]);
        let &[second] = &location.edges[..] else { return None };
        let is_between = location.labels.is_empty() && entering(edge.target) == 1 && edge.target != template.entry;
        let assigns = |edge: &ample_model::Edge| matches!(edge.action, Action::Assign(..)) && !edge.keeps_control;
        let both = [edge, &template.edges[second]];
        let is_pair = is_between && both.iter().all(|edge| assigns(edge)) && may(both[1]);
        is_pair.then_some((first, second))
    })
}

fn is_local(action: &Action) -> bool {
    let Action::Assign(place, value) = action else { return false };
    let mut is_local = place.scope == Scope::Local && place.indices.is_empty();
    let mut look = |expr: &Expr| {
        is_local &= match &expr.kind {
            ExprKind::Read(place) => place.scope == Scope::Local && place.indices.is_empty(),
            ExprKind::Const(_) | ExprKind::Binary(..) => true,
            _ => false,
        }
    };
    value.walk(&mut look);
    is_local
}
