//! The functions of a process number: a switch on its location, then its edges in order.

use std::ops::Range;

use ample_model::{Arithmetic, Edge, EdgeId, LocationId, Template};
use ample_network::{InstanceId, Network};
use ample_transition::{Move, RecordHeader};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, FuncRef, InstBuilder, StackSlot, Type, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Switch, Variable};

use crate::begin::Observers;
use crate::code::Code;
use crate::not_compiled::Generated;
use crate::pieces::Part;
use crate::value::{At, Known, flags};

/// Generates the code of one process.
pub(crate) struct Generator<'n, 'b> {
    pub(crate) builder: FunctionBuilder<'b>,
    pub(crate) network: &'n Network<'n>,
    /// The type of values: as wide as the arithmetic of the model.
    pub(crate) word: Type,
    pub(crate) code: &'b mut Code,
    /// Copies a state, if that is a function of its own.
    copy: Option<FuncRef>,
    /// The process.
    pub(crate) instance: InstanceId,
    /// Whether a property asks, and no process: then `instance` means nothing.
    pub(crate) outside: bool,
    /// The state.
    pub(crate) state: Value,
    /// Whether nothing else can move.
    pub(crate) timeout: Known,
    /// The number of the channel that holds a message, in the middle of a rendezvous.
    pub(crate) offered: Option<Known>,
    /// Where the next record goes.
    out: Variable,
    /// Whether an edge of this location was taken.
    pub(crate) moved: Variable,
    /// Whether the guard of the current escape was taken.
    pub(crate) escaped: Variable,
    /// Where control goes if the interpreter must look at the state.
    fault: Block,
    /// How many records the location being generated can write.
    pub(crate) records: usize,
    /// Lets all processes take a message, if that is a function of its own.
    pub(crate) offer: Option<FuncRef>,
    /// Let the trace assertion see an event, if there is one.
    pub(crate) observers: Option<Observers<FuncRef>>,
    /// Tell whether each process could move, by number, where that is asked.
    pub(crate) able: Vec<FuncRef>,
    /// Tell whether a process of higher priority could move, by number, where there are priorities.
    pub(crate) outranked: Vec<FuncRef>,
    /// How often `enabled()` has asked about another process in turn.
    pub(crate) asked: Known,
    /// Where a message for these is put.
    pub(crate) message: Option<StackSlot>,
}

/// A function of a process number: all of its locations, or some.
pub(crate) struct Function<'p> {
    /// Those with code, with their edges.
    pub(crate) parts: &'p [Part],
    /// The locations that it is called for, as they are stored.
    pub(crate) stored: Range<i64>,
    /// Whether it has only some of the edges of its only location.
    pub(crate) is_part: bool,
}

impl<'n, 'b> Generator<'n, 'b> {
    pub(crate) fn new(
        mut builder: FunctionBuilder<'b>,
        network: &'n Network<'n>,
        code: &'b mut Code,
        copy: Option<FuncRef>,
        instance: InstanceId,
    ) -> Self {
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
        let timeout = parameters.get(2).map_or(Known::Constant(0), |timeout| Known::Value(*timeout));
        let state = parameters[0];
        Generator {
            builder,
            network,
            word: word(network.model.arithmetic),
            code,
            copy,
            instance,
            outside: false,
            state,
            timeout,
            offered: None,
            out,
            moved,
            escaped,
            fault,
            records: 0,
            offer: None,
            observers: None,
            able: Vec::new(),
            outranked: Vec::new(),
            asked: Known::Constant(0),
            message: None,
        }
    }

    /// What an instance runs.
    pub(crate) fn template_of(&self, instance: InstanceId) -> &'n Template {
        self.network.template(instance)
    }

    /// Where this process evaluates in the state before the move.
    pub(crate) fn before(&self) -> At {
        At { state: self.state, instance: self.instance }
    }

    /// Generates a function for instances with the same process number; gives the largest number of
    /// records that one call can write.
    pub(crate) fn function(
        mut self,
        function: Function<'_>,
        instances: &[InstanceId],
        target: TargetFrontendConfig,
    ) -> Generated<usize> {
        let done = self.builder.create_block();
        let moved = self.moved_before(&function);
        let location = self.load(self.state, self.network.layout.frames[self.instance].location);
        let location = self.value(location);
        let mut switch = Switch::new();
        for instance in instances {
            for (id, place) in self.template_of(*instance).locations.iter_enumerated().skip(1) {
                let stored = self.network.instances[*instance].stored(id);
                if place.edges.is_empty() && function.stored.contains(&stored) {
                    switch.set_entry(stored as u128, done);
                }
            }
        }
        let blocks = self.blocks(function.parts, &mut switch);
        // Location 0 is none. Those without code are for the interpreter.
        if function.stored.contains(&0) {
            switch.set_entry(0, done);
        }
        switch.emit(&mut self.builder, location, self.fault);
        self.each_part(blocks, done, target, |generator, part| {
            generator.instance = part.instance;
            let template = generator.template_of(part.instance);
            if let Some(condition) = &template.provided {
                let condition = generator.expression(condition, generator.before())?;
                generator.skip_unless(condition, done);
            }
            let pid = generator.network.instances[part.instance].pid;
            generator.skip_if_outranked(pid, done);
            generator.location(&part.edges, moved, done)
        })
    }

    /// A block for each part, to which the switch leads from the location of the part.
    pub(crate) fn blocks<'p>(&mut self, parts: &'p [Part], switch: &mut Switch) -> Vec<(&'p Part, Block)> {
        let mut blocks = Vec::new();
        for part in parts {
            let block = self.builder.create_block();
            switch.set_entry(self.network.instances[part.instance].stored(part.location) as u128, block);
            blocks.push((part, block));
        }
        blocks
    }

    /// Generates each part into its block, and ends the function; gives the largest number of
    /// records that one of them can write.
    pub(crate) fn each_part(
        mut self,
        blocks: Vec<(&Part, Block)>,
        done: Block,
        target: TargetFrontendConfig,
        mut generate: impl FnMut(&mut Self, &Part) -> Generated<()>,
    ) -> Generated<usize> {
        let mut most = 0;
        for (part, block) in blocks {
            self.builder.switch_to_block(block);
            self.records = 0;
            let fault = self.begin_faults();
            generate(&mut self, part)?;
            self.builder.ins().jump(done, &[]);
            most = most.max(self.records);
            self.end_faults(fault);
        }
        self.builder.switch_to_block(done);
        self.return_next_record();
        self.finish_function(0, target);
        Ok(most)
    }

    /// The value that `done` is reached with, which is 0 for who comes from here.
    pub(crate) fn or_nothing(&mut self, done: Block) -> Known {
        let nothing = self.builder.ins().iconst(self.word, 0);
        self.builder.ins().jump(done, &[nothing.into()]);
        self.builder.switch_to_block(done);
        Known::Value(self.builder.block_params(done)[0])
    }

    /// Whether an edge of the location was taken before those of this function: if it has only some
    /// of them, whoever calls it says so.
    fn moved_before(&mut self, function: &Function<'_>) -> Option<Value> {
        let Known::Value(flags) = self.timeout else { return None };
        if !function.is_part {
            return None;
        }
        self.timeout = Known::Value(self.builder.ins().band_imm_s(flags, 1));
        let moved = self.builder.ins().ushr_imm_u(flags, 1);
        Some(self.builder.ins().ireduce(types::I8, moved))
    }

    /// The end of a function: where faults go, and what it returns then.
    pub(crate) fn finish_function(mut self, fault: i64, target: TargetFrontendConfig) {
        self.builder.switch_to_block(self.fault);
        let nothing = self.builder.ins().iconst(types::I64, fault);
        self.builder.ins().return_(&[nothing]);
        self.builder.seal_all_blocks();
        self.builder.finalize(target);
    }

    /// Where the next record goes; at the beginning of a function, its second parameter.
    pub(crate) fn next_record(&mut self) -> Value {
        self.builder.use_var(self.out)
    }

    /// What was written up to here is no concern of this function.
    pub(crate) fn set_next_record(&mut self, next: Value) {
        self.builder.def_var(self.out, next);
    }

    /// Returns where the next record goes.
    pub(crate) fn return_next_record(&mut self) {
        let end = self.builder.use_var(self.out);
        self.builder.ins().return_(&[end]);
    }

    /// A location has its own place where faults go: Cranelift takes long over blocks with very
    /// many predecessors.
    pub(crate) fn begin_faults(&mut self) -> Block {
        let own = self.builder.create_block();
        self.builder.set_cold_block(own);
        std::mem::replace(&mut self.fault, own)
    }

    pub(crate) fn end_faults(&mut self, all: Block) {
        let own = std::mem::replace(&mut self.fault, all);
        self.builder.switch_to_block(own);
        self.builder.ins().jump(all, &[]);
    }

    /// The edges of a location, in order. Once the guard of an escape was taken, only those of the
    /// same escape follow. Without `moved`, none was taken before.
    fn location(&mut self, edges: &[EdgeId], moved: Option<Value>, done: Block) -> Generated<()> {
        let template = self.template_of(self.instance);
        let no = self.builder.ins().iconst(types::I8, 0);
        self.builder.def_var(self.moved, moved.unwrap_or(no));
        self.builder.def_var(self.escaped, no);
        let mut group = None;
        for id in edges {
            let edge: &Edge = &template.edges[*id];
            if group.is_some() && edge.escape != group {
                let escaped = self.builder.use_var(self.escaped);
                self.leave_if(escaped, done);
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

    /// Leaves to `elsewhere` if the condition holds.
    pub(crate) fn leave_if(&mut self, condition: Value, elsewhere: Block) {
        let go_on = self.builder.create_block();
        self.builder.ins().brif(condition, elsewhere, &[], go_on, &[]);
        self.builder.switch_to_block(go_on);
    }

    /// Hands the state to the interpreter if the condition holds.
    pub(crate) fn fault_if(&mut self, condition: Known) {
        match condition {
            Known::Constant(0) => {}
            Known::Constant(_) => self.fault(),
            Known::Value(condition) => self.leave_if(condition, self.fault),
        }
    }

    /// Hands the state to the interpreter. What is generated after this is never reached.
    pub(crate) fn fault(&mut self) {
        self.builder.ins().jump(self.fault, &[]);
        let dead = self.builder.create_block();
        self.builder.switch_to_block(dead);
    }

    /// Where the state of the next record goes.
    pub(crate) fn target(&mut self) -> Value {
        let out = self.builder.use_var(self.out);
        self.builder.ins().iadd_imm_s(out, RecordHeader::SIZE as i64)
    }

    /// Copies the current state there.
    pub(crate) fn copy_to(&mut self, target: Value) {
        match self.copy {
            Some(copy) => {
                self.builder.ins().call(copy, &[self.state, target]);
            }
            None => copy_state(&mut self.builder, self.network.layout.size, self.state, target),
        }
    }

    /// Finishes the next record: its header, and the place for the one after it.
    pub(crate) fn finish(&mut self, moves: &[Move], control: Option<InstanceId>) {
        let control = control.map(|instance| self.network.instances[instance].pid);
        let header = self.code.header(moves, control).to_word();
        let word = self.builder.ins().iconst(types::I64, header as i64);
        self.finish_with(word);
    }

    /// The same with this header.
    pub(crate) fn finish_with(&mut self, word: Value) {
        let out = self.builder.use_var(self.out);
        self.builder.ins().store(flags(), word, out, 0);
        let size = RecordHeader::SIZE as i64 + i64::from(self.network.layout.size);
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
    pub(crate) fn is_at(&mut self, at: At, location: LocationId) -> Known {
        let place = self.network.layout.frames[at.instance].location;
        let current = self.load(at.state, place);
        self.compare(IntCC::Equal, current, Known::Constant(self.network.instances[at.instance].stored(location)))
    }

    /// Whether a process exists.
    pub(crate) fn exists(&mut self, at: At) -> Known {
        let location = self.load(at.state, self.network.layout.frames[at.instance].location);
        if self.network.is_alone(at.instance) {
            return location;
        }
        let instance = &self.network.instances[at.instance];
        let (first, count) = (instance.first_location + 1, instance.locations - 1);
        let location = self.value(location);
        let shifted = self.builder.ins().iadd_imm_s(location, -i64::from(first));
        Known::Value(self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, shifted, i64::from(count)))
    }

    /// How many processes there are.
    pub(crate) fn process_count(&mut self, state: Value) -> Known {
        match self.network.layout.process_count {
            place if place.width > 0 => self.load(state, place),
            _ => Known::Constant(self.network.numbers as i64),
        }
    }

    /// Goes on in one of several ways, of which at most one writes its records.
    pub(crate) fn one_of(&mut self, most: &mut usize, base: usize) {
        *most = (*most).max(self.records);
        self.records = base;
    }
}

/// The type of values.
fn word(arithmetic: Arithmetic) -> Type {
    match arithmetic {
        Arithmetic::Wrapping32 => types::I32,
        Arithmetic::Exact => types::I64,
    }
}

/// Copies a state by words.
pub(crate) fn copy_state(builder: &mut FunctionBuilder<'_>, size: u32, from: Value, to: Value) {
    for (offset, ty) in pieces(0, size) {
        let part = builder.ins().load(ty, flags(), from, offset as i32);
        builder.ins().store(flags(), part, to, offset as i32);
    }
}

/// Splits a range of bytes into words, as large as fit.
pub(crate) fn pieces(start: u32, end: u32) -> Vec<(u32, cranelift_codegen::ir::Type)> {
    let mut pieces = Vec::new();
    let mut offset = start;
    while offset < end {
        let (width, ty) = match end - offset {
            16.. => (16, types::I8X16),
            8.. => (8, types::I64),
            4.. => (4, types::I32),
            2.. => (2, types::I16),
            _ => (1, types::I8),
        };
        pieces.push((offset, ty));
        offset += width;
    }
    pieces
}
