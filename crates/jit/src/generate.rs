//! The function of one process: a switch on its location, then its edges in order.

use ample_model::{Edge, EdgeId, LocationId, Template};
use ample_network::Network;
use ample_stdx::TypedId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Switch, Variable};

use crate::expression::{At, Generated, Known, flags};
use crate::record::{CONTROL, EDGE, HEADER, NOBODY, PARTNER, PARTNER_EDGE, PROCESS, padded, record_size};

/// Generates the code of one process.
pub(crate) struct Generator<'n, 'b> {
    pub(crate) builder: FunctionBuilder<'b>,
    pub(crate) network: &'n Network<'n>,
    /// The process.
    pub(crate) instance: usize,
    /// The state.
    pub(crate) state: Value,
    /// Whether nothing else can move.
    pub(crate) timeout: Value,
    /// Where the next record goes.
    out: Variable,
    /// Whether an edge of this location was taken.
    pub(crate) moved: Variable,
    /// Whether the guard of the current escape was taken.
    pub(crate) escaped: Variable,
    /// Where control goes if the interpreter must look at the state.
    fault: Block,
    /// How many records the location being generated can write.
    records: usize,
}

/// Who takes part in a move.
#[derive(Copy, Clone)]
pub(crate) struct Header {
    pub(crate) edge: EdgeId,
    pub(crate) partner: Option<(usize, EdgeId)>,
    pub(crate) control: Option<usize>,
}

impl<'n, 'b> Generator<'n, 'b> {
    pub(crate) fn new(mut builder: FunctionBuilder<'b>, network: &'n Network<'n>, instance: usize) -> Self {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let parameters = builder.block_params(entry).to_vec();
        let out = builder.declare_var(types::I64);
        let moved = builder.declare_var(types::I8);
        let escaped = builder.declare_var(types::I8);
        builder.def_var(out, parameters[1]);
        let none = builder.ins().iconst(types::I8, 0);
        builder.def_var(moved, none);
        builder.def_var(escaped, none);
        let fault = builder.create_block();
        builder.set_cold_block(fault);
        let (state, timeout) = (parameters[0], parameters[2]);
        Generator { builder, network, instance, state, timeout, out, moved, escaped, fault, records: 0 }
    }

    pub(crate) fn template(&self) -> &'n Template {
        &self.network.model.templates[self.network.instances[self.instance].template]
    }

    /// Where this process evaluates in the state before the move.
    pub(crate) fn before(&self) -> At {
        At { state: self.state, instance: self.instance }
    }

    /// Generates everything; gives the largest number of records that one call can write.
    pub(crate) fn function(mut self, target: TargetFrontendConfig) -> Generated<usize> {
        let template = self.template();
        let done = self.builder.create_block();
        if let Some(condition) = &template.provided {
            let condition = self.expression(condition, self.before())?;
            self.skip_unless(condition, done);
        }
        let location = self.load(self.state, self.network.layout.frames[self.instance].location);
        let location = self.value(location);
        let mut switch = Switch::new();
        let mut blocks: Vec<(LocationId, Block)> = Vec::new();
        for (id, place) in template.locations.iter_enumerated() {
            if !place.edges.is_empty() && place.d_step.is_none() {
                let block = self.builder.create_block();
                switch.set_entry(id.index() as u128, block);
                blocks.push((id, block));
            }
        }
        switch.emit(&mut self.builder, location, done);
        let mut most = 0;
        for (id, block) in blocks {
            self.builder.switch_to_block(block);
            self.records = 0;
            self.location(&template.locations[id].edges, done)?;
            self.builder.ins().jump(done, &[]);
            most = most.max(self.records);
        }
        self.builder.switch_to_block(done);
        let end = self.builder.use_var(self.out);
        self.builder.ins().return_(&[end]);
        self.builder.switch_to_block(self.fault);
        let nothing = self.builder.ins().iconst(types::I64, 0);
        self.builder.ins().return_(&[nothing]);
        self.builder.seal_all_blocks();
        self.builder.finalize(target);
        Ok(most)
    }

    /// The edges of a location, in order. Once the guard of an escape was taken, only those of the same escape follow.
    fn location(&mut self, edges: &[EdgeId], done: Block) -> Generated<()> {
        let template = self.template();
        let no = self.builder.ins().iconst(types::I8, 0);
        self.builder.def_var(self.moved, no);
        self.builder.def_var(self.escaped, no);
        let mut group = None;
        for id in edges {
            let edge: &Edge = &template.edges[*id];
            if group.is_some() && edge.escape != group {
                let escaped = self.builder.use_var(self.escaped);
                let go_on = self.builder.create_block();
                self.builder.ins().brif(escaped, done, &[], go_on, &[]);
                self.builder.switch_to_block(go_on);
            }
            group = edge.escape;
            self.edge(*id, edge)?;
        }
        Ok(())
    }

    /// Leaves to `elsewhere` unless the condition holds.
    pub(crate) fn skip_unless(&mut self, condition: Known, elsewhere: Block) {
        match condition {
            Known::Constant(0) => {
                self.builder.ins().jump(elsewhere, &[]);
                let dead = self.builder.create_block();
                self.builder.switch_to_block(dead);
            }
            Known::Constant(_) => {}
            Known::Value(condition) => {
                let go_on = self.builder.create_block();
                self.builder.ins().brif(condition, go_on, &[], elsewhere, &[]);
                self.builder.switch_to_block(go_on);
            }
        }
    }

    /// Hands the state to the interpreter if the condition (any integer) is not zero.
    pub(crate) fn fault_if(&mut self, condition: Value) {
        let go_on = self.builder.create_block();
        self.builder.ins().brif(condition, self.fault, &[], go_on, &[]);
        self.builder.switch_to_block(go_on);
    }

    /// Hands the state to the interpreter. What is generated after this is never reached.
    pub(crate) fn fault(&mut self) {
        self.builder.ins().jump(self.fault, &[]);
        let dead = self.builder.create_block();
        self.builder.switch_to_block(dead);
    }

    /// The state of the next record, a copy of the current one.
    pub(crate) fn copy(&mut self) -> Value {
        let out = self.builder.use_var(self.out);
        let target = self.builder.ins().iadd_imm_s(out, HEADER as i64);
        let size = padded(self.network.layout.size as usize) as i32;
        for offset in (0..size).step_by(16) {
            let part = self.builder.ins().load(types::I8X16, flags(), self.state, offset);
            self.builder.ins().store(flags(), part, target, offset);
        }
        target
    }

    /// Finishes the next record: its header, and the place for the one after it.
    pub(crate) fn finish(&mut self, header: Header) {
        let out = self.builder.use_var(self.out);
        let pid = |instance: Option<usize>| instance.map_or(NOBODY, |instance| instance as u16);
        let first = u64::from(header.edge.index() as u32)
            | u64::from(self.network.instances[self.instance].pid) << (8 * PROCESS)
            | u64::from(pid(header.control)) << (8 * CONTROL);
        let partner_edge = header.partner.map_or(0, |(_, edge)| edge.index() as u32);
        let second = u64::from(partner_edge)
            | u64::from(pid(header.partner.map(|(instance, _)| instance))) << (8 * (PARTNER - PARTNER_EDGE));
        for (offset, word) in [(EDGE, first), (PARTNER_EDGE, second)] {
            let word = self.builder.ins().iconst(types::I64, word as i64);
            self.builder.ins().store(flags(), word, out, offset);
        }
        let size = record_size(self.network.layout.size as usize) as i64;
        let next = self.builder.ins().iadd_imm_s(out, size);
        self.builder.def_var(self.out, next);
        self.records += 1;
    }

    /// Remembers in a flag that something happened.
    pub(crate) fn set(&mut self, flag: Variable) {
        let yes = self.builder.ins().iconst(types::I8, 1);
        self.builder.def_var(flag, yes);
    }

    /// Whether a process exists and is at this location.
    pub(crate) fn is_at(&mut self, instance: usize, location: LocationId) -> Known {
        let place = self.network.layout.frames[instance].location;
        let current = self.load(self.state, place);
        self.compare(IntCC::Equal, current, Known::Constant(location.index() as i32))
    }
}
