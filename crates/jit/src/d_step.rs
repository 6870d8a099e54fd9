//! `d_step`: a deterministic sequence as one move, run in place on the state after it.

use std::collections::BTreeMap;

use ample_model::{Action, Edge, LocationId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Variable;

use crate::begin::{Entry, Start};
use crate::channel::ChannelAt;
use crate::generate::Generator;
use crate::not_compiled::Generated;
use crate::value::{At, Known};

/// A `d_step` that makes more steps than this is for the interpreter, which knows whether it ever
/// ends.
const MOST_STEPS: i64 = 100_000;

impl Generator<'_, '_> {
    /// Runs the locations from the first on: the first edge that can be taken at each. Only if the
    /// first statement cannot be executed is the state after it not brought into being.
    pub(crate) fn d_step(&mut self, entry: Entry<'_>) -> Generated<()> {
        let after = entry.after;
        let done = self.builder.create_block();
        let steps = self.builder.declare_var(types::I32);
        let zero = self.builder.ins().iconst(types::I32, 0);
        self.builder.def_var(steps, zero);
        let inside = self.code.inside(self.network, after.instance, entry.location).iter().copied();
        let blocks: BTreeMap<LocationId, Block> = inside.map(|id| (id, self.builder.create_block())).collect();
        let goes_to = |location: LocationId| blocks.get(&location).copied().unwrap_or(done);
        self.first(entry, &goes_to)?;
        for (location, block) in &blocks {
            self.builder.switch_to_block(*block);
            let so_far = self.builder.use_var(steps);
            let now = self.builder.ins().iadd_imm_s(so_far, 1);
            self.builder.def_var(steps, now);
            let too_many = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, now, MOST_STEPS);
            self.fault_if(Known::Value(too_many));
            self.later(*location, after, &goes_to)?;
            self.fault();
            self.builder.ins().jump(done, &[]);
        }
        self.builder.switch_to_block(done);
        Ok(())
    }

    /// The first location; ends in jumps to the next one, or to `blocked`.
    fn first(&mut self, entry: Entry<'_>, goes_to: &dyn Fn(LocationId) -> Block) -> Generated<()> {
        let Entry { location, after, start, offer, moved, blocked } = entry;
        let template = self.template_of(after.instance);
        let edges = &template.locations[location].edges;
        // An `else` among alternatives is about them; one that stands alone is about what surrounds
        // the d_step.
        let moved = moved.filter(|_| edges.len() == 1);
        let start = self.enter(location, after, start);
        for id in edges {
            let edge = &template.edges[*id];
            let other = self.builder.create_block();
            match (offer, &edge.action) {
                (Some(offer), Action::Receive { keep: false, .. }) => {
                    self.in_rendezvous(offer, |generator| generator.accept(edge, offer, after, start, other))?;
                }
                (Some(_), _) => continue,
                (None, _) => self.d_step_edge(edge, after, start, moved, other)?,
            }
            self.arrive(edge, after);
            self.builder.ins().jump(goes_to(edge.target), &[]);
            self.builder.switch_to_block(other);
        }
        self.builder.ins().jump(blocked, &[]);
        Ok(())
    }

    /// A later location; goes on where it blocks.
    fn later(&mut self, location: LocationId, at: At, goes_to: &dyn Fn(LocationId) -> Block) -> Generated<()> {
        let template = self.template_of(at.instance);
        for id in &template.locations[location].edges {
            let edge = &template.edges[*id];
            let other = self.builder.create_block();
            self.d_step_edge(edge, at, Start::InPlace, None, other)?;
            self.arrive(edge, at);
            self.builder.ins().jump(goes_to(edge.target), &[]);
            self.builder.switch_to_block(other);
        }
        Ok(())
    }

    /// The process is inside its `d_step` before the first statement is tried.
    fn enter<'e>(&mut self, location: LocationId, after: At, start: Start<'e>) -> Start<'e> {
        if !self.code.locations_are_read {
            return start;
        }
        self.start(start, after.state);
        self.place(after.instance, location, after.state);
        Start::InPlace
    }

    /// Where the process is inside its `d_step` matters only if somebody asks. It is not yet the
    /// process that moved last.
    fn arrive(&mut self, edge: &Edge, at: At) {
        if self.code.locations_are_read {
            self.place(at.instance, edge.target, at.state);
        }
    }

    fn d_step_edge(
        &mut self,
        edge: &Edge,
        after: At,
        start: Start<'_>,
        moved: Option<Variable>,
        other: Block,
    ) -> Generated<()> {
        let before = match start {
            Start::InPlace => after,
            Start::Copy | Start::Sent(_) => At { state: self.state, ..after },
        };
        let take = |generator: &mut Self, channel: Option<&ChannelAt>| {
            let found = generator.guard(edge, channel, before, moved, other)?;
            generator.start(start, after.state);
            generator.effect(edge, channel, found, before, after)
        };
        match &edge.action {
            Action::Send { channel, .. } | Action::Receive { channel, .. } => {
                let done = self.builder.create_block();
                self.each_channel(channel, before, done, &mut |generator, channel| {
                    match (channel.place.capacity, &edge.action) {
                        (0, Action::Receive { keep: false, .. }) => generator.skip_unless(Known::Constant(0), other),
                        (0, _) => generator.fault(),
                        _ => take(generator, Some(channel))?,
                    }
                    Ok(())
                })?;
                self.builder.ins().jump(done, &[]);
                self.builder.switch_to_block(done);
            }
            _ => take(self, None)?,
        }
        self.assign_effects(edge, after)
    }
}
