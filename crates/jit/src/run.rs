//! Running on inside an atomic sequence: the function that moves one process in place as long as it
//! keeps control and can go in one way only.
//!
//! The state is changed in place and the edges are written to a log, so a loop inside `atomic`
//! costs what its statements cost. At a choice between several ways the function gives up, and
//! whoever called it looks at each.

use std::collections::{BTreeMap, HashSet};

use ample_model::{Action, Edge, EdgeId, LocationId};
use ample_network::InstanceId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{Switch, Variable};

use crate::generate::Generator;
use crate::not_compiled::Generated;
use crate::pieces::{ELSEWHERE, Part};
use crate::value::{At, Known, flags};

/// So many moves are made at most; then the state is for the interpreter, which knows whether the
/// sequence ever ends.
pub(crate) const MOST_MOVES: usize = 60_000;

/// Set in the result if the process keeps control but has a choice, or is where there is no code to
/// go on.
pub(crate) const UNDECIDED: u64 = 1 << 32;

/// The log of a run.
#[derive(Copy, Clone)]
struct Log {
    start: Value,
    length: Variable,
}

impl Generator<'_, '_> {
    /// Generates a function for the locations of instances with the same process number.
    /// Parameters: the state, the log, and for some of the locations only how many moves were made
    /// so far. Result: the number of moves, perhaps with [`UNDECIDED`] or [`ELSEWHERE`], or all
    /// ones if the interpreter must look at the state. `known` are the locations of all functions.
    pub(crate) fn run_function(
        mut self,
        parts: &[Part],
        known: &HashSet<(InstanceId, LocationId)>,
        target: TargetFrontendConfig,
    ) -> Generated<()> {
        let log = Log { start: self.next_record(), length: self.builder.declare_var(types::I64) };
        let so_far = match self.timeout {
            Known::Value(moves) => moves,
            Known::Constant(_) => self.builder.ins().iconst(types::I64, 0),
        };
        self.builder.def_var(log.length, so_far);
        self.timeout = Known::Constant(0);
        let [undecided, done, elsewhere] = [(); 3].map(|()| self.builder.create_block());
        let location = self.load(self.state, self.network.layout.frames[self.instance].location);
        let location = self.value(location);
        let mut switch = Switch::new();
        let mut places: BTreeMap<(InstanceId, LocationId), Block> = BTreeMap::new();
        for Part { instance, location, .. } in parts {
            let block = self.builder.create_block();
            switch.set_entry(self.network.instances[*instance].stored(*location) as u128, block);
            places.insert((*instance, *location), block);
        }
        switch.emit(&mut self.builder, location, undecided);
        for ((instance, location), block) in &places {
            self.builder.switch_to_block(*block);
            self.instance = *instance;
            let goes_to = |edge: &Edge| match places.get(&(*instance, edge.target)) {
                _ if !edge.keeps_control => done,
                Some(block) => *block,
                None if known.contains(&(*instance, edge.target)) => elsewhere,
                None => undecided,
            };
            let fault = self.begin_faults();
            self.run_location(*location, log, undecided, done, &goes_to)?;
            self.end_faults(fault);
        }
        for (block, flag) in [(undecided, UNDECIDED), (elsewhere, ELSEWHERE), (done, 0)] {
            self.builder.switch_to_block(block);
            let length = self.builder.use_var(log.length);
            let flag = self.builder.ins().iconst(types::I64, flag as i64);
            let result = self.builder.ins().bor(length, flag);
            self.builder.ins().return_(&[result]);
        }
        self.finish_function(-1, target);
        Ok(())
    }

    /// One location: takes the only edge that can be taken. Leaves to `undecided` if there are
    /// several, to `done` if there is none: the process loses control then.
    fn run_location(
        &mut self,
        location: LocationId,
        log: Log,
        undecided: Block,
        done: Block,
        goes_to: &dyn Fn(&Edge) -> Block,
    ) -> Generated<()> {
        let template = self.template_of(self.instance);
        let edges: Vec<EdgeId> = template.locations[location].edges.clone();
        let at = self.before();
        let so_far = self.builder.use_var(log.length);
        let too_many = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, so_far, MOST_MOVES as i64);
        self.fault_if(Known::Value(too_many));
        if let [guard, otherwise] = edges.as_slice()
            && matches!(template.edges[*otherwise].action, Action::Else)
        {
            // The usual case: exactly one of two.
            let other = self.builder.create_block();
            self.run_edge(*guard, log, other, goes_to)?;
            self.builder.switch_to_block(other);
            return self.run_edge(*otherwise, log, done, goes_to);
        }
        if let [only] = edges.as_slice() {
            return self.run_edge(*only, log, done, goes_to);
        }
        let has_else = |id: &EdgeId| matches!(template.edges[*id].action, Action::Else);
        let guarded: Vec<EdgeId> = edges.iter().copied().filter(|id| !has_else(id)).collect();
        let mut count = self.builder.ins().iconst(types::I32, 0);
        let mut flags: Vec<Value> = Vec::new();
        for id in &guarded {
            let can = self.can_take(*id, at)?;
            count = self.builder.ins().iadd(count, can);
            flags.push(can);
        }
        let several = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, count, 1);
        self.leave_if(several, undecided);
        for (id, can) in guarded.iter().zip(flags) {
            let other = self.builder.create_block();
            self.skip_unless(Known::Value(can), other);
            self.run_edge(*id, log, other, goes_to)?;
            self.builder.switch_to_block(other);
        }
        match edges.iter().find(|id| has_else(id)) {
            Some(otherwise) => self.run_edge(*otherwise, log, done, goes_to),
            None => {
                self.builder.ins().jump(done, &[]);
                Ok(())
            }
        }
    }

    /// 1 if an edge can be taken, else 0.
    fn can_take(&mut self, id: EdgeId, at: At) -> Generated<Value> {
        let edge = &self.template_of(self.instance).edges[id];
        let result = self.builder.declare_var(types::I32);
        let no = self.builder.ins().iconst(types::I32, 0);
        self.builder.def_var(result, no);
        let merge = self.builder.create_block();
        let channel = self.channel_of(edge, at);
        self.guard(edge, channel.as_ref(), at, None, merge)?;
        let yes = self.builder.ins().iconst(types::I32, 1);
        self.builder.def_var(result, yes);
        self.builder.ins().jump(merge, &[]);
        self.builder.switch_to_block(merge);
        Ok(self.builder.use_var(result))
    }

    /// Takes an edge in place, notes it, and jumps to where it leads; or leaves to `blocked`.
    fn run_edge(&mut self, id: EdgeId, log: Log, blocked: Block, goes_to: &dyn Fn(&Edge) -> Block) -> Generated<()> {
        let edge = &self.template_of(self.instance).edges[id];
        let at = self.before();
        let channel = self.channel_of(edge, at);
        let found = self.guard(edge, channel.as_ref(), at, None, blocked)?;
        self.effect(edge, channel.as_ref(), found, at, at)?;
        self.leave(self.instance, edge, at.state);
        self.assign_effects(edge, at)?;
        let length = self.builder.use_var(log.length);
        let distance = self.builder.ins().ishl_imm_u(length, 2);
        let entry = self.builder.ins().iadd(log.start, distance);
        let number = ample_stdx::TypedId::index(id) as i64;
        let number = self.builder.ins().iconst(types::I32, number);
        self.builder.ins().store(flags(), number, entry, 0);
        let longer = self.builder.ins().iadd_imm_s(length, 1);
        self.builder.def_var(log.length, longer);
        self.builder.ins().jump(goes_to(edge), &[]);
        Ok(())
    }
}
