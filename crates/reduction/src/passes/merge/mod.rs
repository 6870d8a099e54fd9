//! Merging: a location that a process leaves by local steps is passed, not stored (Pelánek, section
//! 3.3.2; Spin's statement merging, `-o3` turns it off).
//!
//! A step is *local* if it reads and writes only variables of its process that nobody else looks
//! at. Whoever comes to a location that only local steps leave goes on at once: others could
//! neither disturb the step nor see that it is made, nor that the process is now ready to receive
//! ([`readiness`]). A process that cannot go on is stored there.
//! Every cycle of control keeps a location that is stored, so what is merged comes to an end.
//!
//! To go on is to keep control, as inside `atomic`: machine code makes such steps in one go, the
//! moves of a transition are those of the model as written, and facts about transitions cover them.
//! Only a sender at a rendezvous loses control, so that what it does next is part of the send
//! ([`compose`]).
//!
//! Runs of both models are the same up to stuttering, with the same end states: a local step
//! commutes with all that others do before it, so it can be made first; and what is put off for
//! ever in some run is made at once in another one that looks the same. A choice is made earlier
//! than in the model as written, so branching time is not kept.

mod accelerate;
mod compose;
mod local;
mod readiness;

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::{Arithmetic, Edge, EdgeId, ExprKind, LocationId, Model, Template, TemplateId, TemplateKind};
use ample_stdx::{BitSet, IndexVec};
use ample_transition::{FaultKind, Move, Stretch};

use self::accelerate::{Accelerated, accelerate};
use self::compose::{Composed, compose_sends};
use self::local::{Locality, SeenLabels};
use self::readiness::noticed;
use super::entry::{Back, PassEntry, Rewrite, Rewritten, TemplateOf};
use super::observed::{each_expression, observed};
use super::risk::Risk;
use crate::{NotHere, Visible};

/// Merging.
pub static MERGE: Part = Part {
    name: "merge",
    kind: PartKind::Pass,
    summary: "local steps are made at once with the step before",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.3.2"),
    guarantee: Guarantee::STUTTERING,
};

/// The pass.
pub(super) const ENTRY: PassEntry = PassEntry { part: &MERGE, is_automatic: true, rewrite: Rewrite::OfModel(rewrite) };

/// Where more paths than this lead on from a location, it is stored: each would be a transition.
const MOST_PATHS: usize = 64;

/// Where a path would be longer than this, too.
const MOST_STEPS: usize = 64;

/// In larger processes every location where a loop begins is stored: to find out whether it must be
/// takes time that grows with the square.
const MOST_LOCATIONS: usize = 2_000;

fn rewrite(written: &Model, visible: &Visible<'_>) -> Result<Option<Rewritten>, NotHere> {
    let PassedLocations { accelerated, templates: passed, loops } = PassedLocations::of(written, visible)?;
    if passed.iter().all(BitSet::is_empty) && loops.is_empty() {
        return Ok(None);
    }
    let mut model = accelerated.clone();
    for (id, passed) in passed.iter_enumerated() {
        for edge in model.templates[id].edges.iter_mut() {
            edge.keeps_control |= passed.contains(edge.target);
        }
    }
    let composed = compose_sends(&accelerated, &mut model, &passed);
    Ok(Some(Rewritten { model, back: Box::new(Merged { composed, loops }) }))
}

/// The way back: first to the model whose loops are one step, then to the model as written.
struct Merged {
    composed: Composed,
    loops: Accelerated,
}

impl Back for Merged {
    fn moves(&self, transition: &[Move], template_of: TemplateOf<'_>, moves: &mut Vec<Stretch>) {
        let composed = self.composed.moves(transition, template_of);
        moves.extend(composed.into_iter().map(|step| self.loops.moves(step, template_of)));
    }
}

/// The locations that are passed, in all processes of a model.
pub struct PassedLocations {
    /// The model with one step for each loop that counts.
    accelerated: Model,
    /// The locations of this model.
    templates: IndexVec<TemplateId, BitSet<LocationId>>,
    loops: Accelerated,
}

impl PassedLocations {
    /// Finds them, for a question.
    pub fn of(model: &Model, visible: &Visible<'_>) -> Result<PassedLocations, NotHere> {
        refuse(model, visible)?;
        let observed = observed(model, visible);
        let (labels, noticed) = (seen_labels(visible), noticed(model));
        let may_fail = visible.one_is_enough && visible.faults.contains(&FaultKind::RuntimeError);
        let locality = |id: TemplateId, template| {
            merges_in(template).then(|| Locality {
                template,
                risk: Risk::of(model, template),
                observed: &observed[id],
                noticed: &noticed[id],
                labels,
                names: visible.names,
                may_fail,
            })
        };
        // How often a loop goes round is found by arithmetic that wraps around.
        let counts = model.arithmetic == Arithmetic::Wrapping32;
        let (accelerated, loops) = accelerate(model, |id, template| locality(id, template).filter(|_| counts));
        let of_template = |(id, template)| locality(id, template).as_ref().map_or_else(BitSet::new, passed_in);
        let templates = accelerated.templates.iter_enumerated().map(of_template).collect();
        Ok(PassedLocations { accelerated, templates, loops })
    }

    /// Whether an edge begins a loop that is one step.
    pub fn is_loop(&self, template: TemplateId, edge: EdgeId) -> bool {
        self.loops.is_loop(template, edge)
    }

    /// Whether a location is passed.
    pub fn contains(&self, template: TemplateId, location: LocationId) -> bool {
        self.templates[template].contains(location)
    }
}

/// Whether steps are merged in the processes of a template.
fn merges_in(template: &Template) -> bool {
    let is_process = matches!(template.kind, TemplateKind::Process | TemplateKind::Init);
    is_process && template.provided.is_none() && !template.deterministic
}

/// Refuses models in which each step counts.
fn refuse(model: &Model, visible: &Visible<'_>) -> Result<(), NotHere> {
    let not_here = |why: &str| Err(NotHere(why.to_owned()));
    if model.uses.priorities {
        return not_here("processes have priorities");
    }
    // A process that waits for another one can be disabled just where that passes.
    if visible.processes {
        return not_here("whether a run is fair depends on who can move in each state");
    }
    let mut asked = None;
    each_expression(model, visible, &mut |part| match part.kind {
        ExprKind::LastProcess => asked = Some("`_last` tells which process has made the last step"),
        ExprKind::Enabled(_) => asked = Some("`enabled()` asks whether a process can make its next step"),
        ExprKind::ProgramCounter(_) => asked = Some("`pc_value()` tells where a process is"),
        _ => {}
    });
    asked.map_or(Ok(()), not_here)
}

/// The labels by whose meaning the question tells locations apart.
fn seen_labels(visible: &Visible<'_>) -> SeenLabels {
    let asks = |is_it: &dyn Fn(&ExprKind) -> bool| visible.propositions.iter().any(|expr| expr.contains(is_it));
    SeenLabels {
        progress: asks(&|kind| matches!(kind, ExprKind::NonProgress)),
        accept: asks(&|kind| matches!(kind, ExprKind::Accepting)),
    }
}

/// The locations of a template that are passed: of those that can be, as many as leave a stored
/// one on every cycle, and few and short paths between stored ones. Where loops begin is stored
/// first of all.
fn passed_in(locality: &Locality<'_>) -> BitSet<LocationId> {
    let template = locality.template;
    let Reached { finished, entered, heads } = reached(template);
    let mut passed = BitSet::new();
    let mut ahead: IndexVec<LocationId, Option<Ahead>> = IndexVec::from_elem(None, template.locations.len());
    for id in finished {
        ahead[id] = Ahead::of(template, id, &passed, |target| ahead[target]);
        if ahead[id].is_some() && entered.contains(id) && !heads.contains(id) && locality.can_pass(id) {
            passed.insert(id);
        }
    }
    if template.locations.len() <= MOST_LOCATIONS {
        for id in heads.iter().filter(|id| entered.contains(*id) && locality.can_pass(*id)) {
            passed.insert(id);
            let paths = Paths { template, passed: &passed };
            if !paths.are_few() {
                passed.remove(id);
            }
        }
    }
    passed
}

/// What a depth-first walk through a template meets.
struct Reached {
    /// All locations that it meets, each after those that it leads on to, except back.
    finished: Vec<LocationId>,
    /// Those that an edge leads to which does not keep control.
    entered: BitSet<LocationId>,
    /// Those that an edge leads back to: where loops begin.
    heads: BitSet<LocationId>,
}

fn reached(template: &Template) -> Reached {
    let (mut entered, mut heads) = (BitSet::new(), BitSet::new());
    let (mut begun, mut done, mut finished) = (BitSet::new(), BitSet::new(), Vec::new());
    let mut path: Vec<(LocationId, usize)> = vec![(template.entry, 0)];
    begun.insert(template.entry);
    while let Some((location, next)) = path.last_mut() {
        let Some(edge) = template.locations[*location].edges.get(*next) else {
            done.insert(*location);
            finished.push(*location);
            path.pop();
            continue;
        };
        *next += 1;
        let Edge { target, keeps_control, .. } = template.edges[*edge];
        if !keeps_control {
            entered.insert(target);
        }
        if begun.insert(target) {
            path.push((target, 0));
        } else if !done.contains(target) {
            heads.insert(target);
        }
    }
    Reached { finished, entered, heads }
}

/// What lies ahead of a process that goes on at a location: how many paths to where it stops, and
/// how many steps the longest has.
#[derive(Copy, Clone)]
struct Ahead {
    paths: usize,
    steps: usize,
}

impl Ahead {
    /// What lies ahead at a location; `None` if that is too much, or not known of one that it leads
    /// on to.
    fn of(
        template: &Template,
        id: LocationId,
        passed: &BitSet<LocationId>,
        mut after: impl FnMut(LocationId) -> Option<Ahead>,
    ) -> Option<Ahead> {
        let mut ahead = Ahead { paths: 0, steps: 1 };
        for edge in &template.locations[id].edges {
            let Edge { target, keeps_control, .. } = template.edges[*edge];
            let goes_on = keeps_control || passed.contains(target);
            let next = if goes_on { after(target)? } else { Ahead { paths: 1, steps: 0 } };
            ahead = Ahead { paths: ahead.paths + next.paths, steps: ahead.steps.max(next.steps + 1) };
        }
        (ahead.paths <= MOST_PATHS && ahead.steps <= MOST_STEPS).then_some(ahead)
    }
}

/// The paths through locations that are passed, also inside `atomic`.
struct Paths<'t> {
    template: &'t Template,
    passed: &'t BitSet<LocationId>,
}

impl Paths<'_> {
    /// Whether no path comes back to where it was, and few and short ones leave each location.
    fn are_few(&self) -> bool {
        let mut known = IndexVec::from_elem(None, self.template.locations.len());
        self.passed.iter().all(|id| self.from(id, &mut vec![], &mut known).is_some())
    }

    /// What lies ahead at a location; `None` if that is too much, or a path comes back.
    fn from(
        &self,
        id: LocationId,
        through: &mut Vec<LocationId>,
        known: &mut IndexVec<LocationId, Option<Ahead>>,
    ) -> Option<Ahead> {
        if known[id].is_some() || through.contains(&id) || through.len() > MOST_STEPS {
            return known[id];
        }
        through.push(id);
        let ahead = Ahead::of(self.template, id, self.passed, |target| self.from(target, through, known));
        through.pop();
        known[id] = ahead;
        ahead
    }
}
