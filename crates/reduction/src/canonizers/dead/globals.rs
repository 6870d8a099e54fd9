//! Which global variables a process may read before it writes them, from each of its locations.

use ample_model::{EdgeId, ExprKind, InitValue, LocationId, Model, SlotId, Template, TemplateId};
use ample_stdx::{BitSet, IndexVec};

use crate::Visible;
use crate::liveness::{Liveness, Variables, read_from_outside};
use crate::passes::risk::Risk;

/// The global variables that are live for the processes of each template, at each location.
pub(super) type LiveGlobals = IndexVec<TemplateId, IndexVec<LocationId, BitSet<SlotId>>>;

/// Finds them. What is read from outside is live everywhere.
pub(super) fn live_globals(model: &Model, visible: &Visible<'_>) -> LiveGlobals {
    let always = Variables { globals: read_from_outside(model, visible).globals, locals: BitSet::new() };
    // What a process may read from its beginning, and what its variables begin with.
    let mut from_entry: IndexVec<TemplateId, BitSet<SlotId>> = model.templates.iter().map(first_values).collect();
    loop {
        let live: LiveGlobals =
            model.templates.iter().map(|template| live_in(model, template, &always, &from_entry)).collect();
        let mut has_grown = false;
        for (id, template) in model.templates.iter_enumerated() {
            has_grown |= from_entry[id].union_with(&live[id][template.entry]);
        }
        if !has_grown {
            return live;
        }
    }
}

fn first_values(template: &Template) -> BitSet<SlotId> {
    let mut read = Variables::default();
    for init in &template.frame.init {
        if let InitValue::Expr(expr) = &init.value {
            read.read(expr);
        }
    }
    read.globals
}

fn live_in(
    model: &Model,
    template: &Template,
    always: &Variables,
    from_entry: &IndexVec<TemplateId, BitSet<SlotId>>,
) -> IndexVec<LocationId, BitSet<SlotId>> {
    let created = |edge: EdgeId| {
        let mut read = BitSet::new();
        template.edges[edge].walk(&mut |part| {
            if let ExprKind::Run(run) = &part.kind {
                read.union_with(&from_entry[run.template]);
            }
        });
        read
    };
    let live =
        Liveness { template, risk: Risk::of(model, template), always, always_reads: &|_| true, created: &created };
    live.at_locations().into_iter().map(|at| at.globals).collect()
}
