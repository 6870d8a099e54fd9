//! Cranelift: which functions there are, and what each is called with.

use std::collections::HashSet;

use ample_model::{EventKind, Expr, LocationId, Template};
use ample_network::{InstanceId, Network};
use ample_stdx::{Stop, TypedId};
use ample_transition::Pid;
use cranelift_codegen::Context;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, FuncRef, InstBuilder, Signature, UserFuncName, types};
use cranelift_codegen::isa::{OwnedTargetIsa, TargetFrontendConfig};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

use crate::begin::Observers;
use crate::code::Code;
use crate::generate::{Function, Generator, copy_state};
use crate::not_compiled::{Generated, NotCompiled};
use crate::pieces::{Part, Range, Third, check, cut, dispatch};
use crate::rendezvous::offer_function;
use crate::sizes::Sizes;

/// States larger than this are copied by a function of its own.
const COPIED_INLINE: u32 = 128;

fn host() -> Result<OwnedTargetIsa, NotCompiled> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed").map_err(cannot)?;
    flags.set("is_pic", "false").map_err(cannot)?;
    flags.set("use_colocated_libcalls", "false").map_err(cannot)?;
    flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).map_err(cannot)?;
    let isa = cranelift_native::builder().map_err(|error| NotCompiled(format!("this machine: {error}")))?;
    isa.finish(settings::Flags::new(flags)).map_err(cannot)
}

/// A module without functions, with so much room for code.
pub(crate) fn module(bytes: usize) -> Result<JITModule, NotCompiled> {
    let mut builder = JITBuilder::with_isa(host()?, default_libcall_names());
    let arena = ArenaMemoryProvider::new_with_size(bytes).map_err(cannot)?;
    builder.memory_provider(Box::new(arena));
    Ok(JITModule::new(builder))
}

/// Defines functions, one after the other.
pub(crate) struct Compiler<'n> {
    pub(crate) module: JITModule,
    network: &'n Network<'n>,
    pub(crate) code: Code,
    context: Context,
    scratch: FunctionBuilderContext,
    sizes: Sizes,
    stop: &'n Stop,
    copy: Option<FuncId>,
    /// Lets all processes take a message, if that is one function.
    offer: Option<FuncId>,
    /// Let the trace assertion see an event, if there is one.
    observers: Option<Observers<FuncId>>,
    /// Tell whether each process could move, where that is asked.
    able: Vec<FuncId>,
    /// Tell whether a process of higher priority could move, where there are priorities.
    outranked: Vec<FuncId>,
}

/// The functions of a network.
pub(crate) struct Functions {
    /// The moves of each process number.
    pub(crate) processes: Vec<FuncId>,
    /// How each runs on inside an atomic sequence, where it can.
    pub(crate) runs: Vec<Option<FuncId>>,
    /// The moves of all.
    pub(crate) all: FuncId,
    /// The most records that `all` can write.
    pub(crate) all_records: usize,
    /// The most records that one process can write.
    pub(crate) most_records: usize,
}

impl<'n> Compiler<'n> {
    pub(crate) fn new(module: JITModule, network: &'n Network<'n>, code: Code, sizes: Sizes, stop: &'n Stop) -> Self {
        let (context, scratch) = (module.make_context(), FunctionBuilderContext::new());
        Compiler {
            module,
            network,
            code,
            context,
            scratch,
            sizes,
            stop,
            copy: None,
            offer: None,
            observers: None,
            able: Vec::new(),
            outranked: Vec::new(),
        }
    }

    /// Defines everything.
    pub(crate) fn all_functions(mut self) -> Result<(Functions, Self), NotCompiled> {
        if self.network.layout.size > COPIED_INLINE {
            self.copy = Some(self.copy()?);
        }
        self.able_functions()?;
        if let Some(trace) = self.network.model.trace {
            let trace = &self.network.model.templates[trace];
            let [send, receive] = [EventKind::Send, EventKind::Receive].map(|kind| self.observer(trace, kind));
            self.observers = Some(Observers { send: send?, receive: receive? });
        }
        if self.code.handshakes.is_shared {
            self.offer = Some(self.offer()?);
        }
        let (mut all_records, mut most_records) = (0, 0);
        let mut processes = Vec::new();
        for pid in 0..self.network.numbers {
            let (id, records) = self.process(pid)?;
            all_records += records;
            most_records = most_records.max(records);
            processes.push(id);
        }
        let runs = (0..self.network.numbers).map(|pid| self.run(pid)).collect::<Result<Vec<_>, _>>()?;
        let all = self.all(&processes)?;
        Ok((Functions { processes, runs, all, all_records, most_records }, self))
    }

    /// Two pointers and what comes third; the result is a pointer or a number.
    fn signature_with(&self, third: Third) -> Signature {
        let pointer = self.module.target_config().pointer_type();
        let mut signature = self.module.make_signature();
        signature.params.extend([AbiParam::new(pointer), AbiParam::new(pointer)]);
        signature.params.extend(match third {
            Third::None => None,
            Third::Timeout => Some(AbiParam::new(types::I32)),
            Third::Message | Third::Moves => Some(AbiParam::new(pointer)),
        });
        signature.returns.push(AbiParam::new(pointer));
        signature
    }

    fn declare(&mut self, name: &str, signature: Signature) -> Result<FuncId, NotCompiled> {
        let id = self.module.declare_function(name, Linkage::Local, &signature).map_err(cannot)?;
        self.context.func.signature = signature;
        self.context.func.name = UserFuncName::user(0, id.as_u32());
        Ok(id)
    }

    fn define(&mut self, id: FuncId) -> Result<(), NotCompiled> {
        let defined = self.module.define_function(id, &mut self.context);
        defined.map_err(|error| NotCompiled(format!("machine code cannot be generated: {error:?}")))?;
        self.module.clear_context(&mut self.context);
        Ok(())
    }

    fn cut(&self, parts: Vec<(Part, Vec<usize>)>) -> Vec<Range> {
        cut(parts, self.sizes.edges, |part| self.network.instances[part.instance].stored(part.location))
    }

    /// The moves of the process with this number, and the most records it can write.
    fn process(&mut self, pid: usize) -> Result<(FuncId, usize), NotCompiled> {
        let instances: Vec<InstanceId> = self.network.numbered(pid as Pid).collect();
        let parts = self.code.parts(self.network, &instances);
        let ranges = self.cut(parts);
        let name = format!("process_{pid}");
        self.in_pieces(&name, &instances, &ranges, Third::Timeout, |generator, function, target| {
            generator.function(function, &instances, target)
        })
    }

    /// A function for each piece, and one that calls the right one; only that piece if there is no
    /// other. Gives the most that `generate` gives for one location.
    fn in_pieces(
        &mut self,
        name: &str,
        instances: &[InstanceId],
        ranges: &[Range],
        third: Third,
        mut generate: impl FnMut(Generator<'_, '_>, Function<'_>, TargetFrontendConfig) -> Generated<usize>,
    ) -> Result<(FuncId, usize), NotCompiled> {
        let first = instances.first().copied().unwrap_or_default();
        let (mut most, mut pieces) = (0, Vec::new());
        for (number, range) in ranges.iter().enumerate() {
            let end = ranges.get(number + 1).map_or(i64::MAX, |next| next.first);
            let (mut ids, mut of_range) = (Vec::new(), 0);
            for (position, parts) in range.functions.iter().enumerate() {
                check(self.stop)?;
                let signature = self.signature_with(third);
                let id = self.declare(&format!("{name}_{number}_{position}"), signature)?;
                let function = Function { parts, stored: range.first..end, is_part: range.functions.len() > 1 };
                let target = self.module.target_config();
                of_range += generate(self.generator(first), function, target)?;
                self.define(id)?;
                ids.push(id);
            }
            most = most.max(of_range);
            pieces.push((range.first, ids));
        }
        match pieces.as_slice() {
            [(_, only)] if let [only] = only.as_slice() => Ok((*only, most)),
            _ => Ok((self.dispatch(name, first, &pieces, third)?, most)),
        }
    }

    /// What generates a function for an instance.
    fn generator(&mut self, instance: InstanceId) -> Generator<'_, '_> {
        let [copy, offer] = [self.copy, self.offer]
            .map(|function| function.map(|id| self.module.declare_func_in_func(id, &mut self.context.func)));
        let observers = self.observers.map(|Observers { send, receive }| Observers {
            send: self.module.declare_func_in_func(send, &mut self.context.func),
            receive: self.module.declare_func_in_func(receive, &mut self.context.func),
        });
        let [able, outranked] = [&self.able, &self.outranked].map(|functions| {
            functions.iter().map(|id| self.module.declare_func_in_func(*id, &mut self.context.func)).collect()
        });
        let builder = FunctionBuilder::new(&mut self.context.func, &mut self.scratch);
        let mut generator = Generator::new(builder, self.network, &mut self.code, copy, instance);
        generator.offer = offer;
        generator.observers = observers;
        generator.able = able;
        generator.outranked = outranked;
        generator
    }

    /// Looks where a process is, and calls the function for that.
    fn dispatch(
        &mut self,
        name: &str,
        instance: InstanceId,
        pieces: &[(i64, Vec<FuncId>)],
        third: Third,
    ) -> Result<FuncId, NotCompiled> {
        // A run begins with no moves.
        let signature = self.signature_with(if third == Third::Moves { Third::None } else { third });
        let id = self.declare(name, signature)?;
        let references: Vec<(i64, Vec<FuncRef>)> =
            pieces.iter().map(|(first, ids)| (*first, ids.iter().map(|id| self.reference(*id)).collect())).collect();
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.scratch);
        let place = self.network.layout.frames[instance].location;
        dispatch(&mut builder, place, &references, third);
        builder.seal_all_blocks();
        builder.finalize(self.module.target_config());
        self.define(id)?;
        Ok(id)
    }

    fn reference(&mut self, id: FuncId) -> FuncRef {
        self.module.declare_func_in_func(id, &mut self.context.func)
    }

    /// Lets all processes take a message, the youngest first.
    fn offer(&mut self) -> Result<FuncId, NotCompiled> {
        let mut receivers = Vec::new();
        for receiver in self.network.instances.ids() {
            let parts = self.code.receiving_parts(self.network, receiver);
            if parts.is_empty() {
                continue;
            }
            let ranges = self.cut(parts);
            let (id, most) = self.in_pieces(
                &format!("receive_{}", receiver.index()),
                &[receiver],
                &ranges,
                Third::Message,
                |generator, function, target| generator.receive_function(receiver, function.parts, target),
            )?;
            self.code.most_received += most;
            receivers.push((self.network.instances[receiver].pid, id));
        }
        let signature = self.signature_with(Third::Message);
        let id = self.declare("offer", signature)?;
        let references: Vec<(Pid, FuncRef)> =
            receivers.into_iter().map(|(pid, id)| (pid, self.reference(id))).collect();
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.scratch);
        offer_function(&mut builder, &references);
        builder.seal_all_blocks();
        builder.finalize(self.module.target_config());
        self.define(id)?;
        Ok(id)
    }

    /// How the process with this number runs on inside an atomic sequence, if it ever can.
    fn run(&mut self, pid: usize) -> Result<Option<FuncId>, NotCompiled> {
        let instances: Vec<InstanceId> = self.network.numbered(pid as Pid).collect();
        if instances.iter().all(|instance| self.code.continued[*instance].is_empty()) {
            return Ok(None);
        }
        let followed = self.code.followed_parts(self.network, &instances);
        let known: HashSet<(InstanceId, LocationId)> =
            followed.iter().map(|(part, _)| (part.instance, part.location)).collect();
        let ranges = self.cut(followed);
        let name = format!("run_{pid}");
        let first = instances.first().copied().unwrap_or_default();
        let is_whole = ranges.len() == 1;
        let third = if is_whole { Third::None } else { Third::Moves };
        let mut pieces = Vec::new();
        for (number, range) in ranges.iter().enumerate() {
            check(self.stop)?;
            let signature = self.signature_with(third);
            let id = self.declare(&format!("{name}_{number}"), signature)?;
            let parts = range.functions.first().map_or(&[][..], Vec::as_slice);
            let target = self.module.target_config();
            self.generator(first).run_function(parts, &known, target)?;
            self.define(id)?;
            pieces.push((range.first, vec![id]));
        }
        match pieces.as_slice() {
            [(_, only)] => Ok(only.first().copied()),
            _ => Ok(Some(self.dispatch(&name, first, &pieces, third)?)),
        }
    }

    /// The letter of a state.
    pub(crate) fn letter(&mut self, expressions: &[Expr]) -> Result<FuncId, NotCompiled> {
        let signature = self.signature_with(Third::None);
        let id = self.declare("letter", signature)?;
        let target = self.module.target_config();
        self.generator(InstanceId::default()).letter_function(expressions, target)?;
        self.define(id)?;
        Ok(id)
    }

    /// Tell whether each process could move, and whether one of higher priority could. They may ask
    /// each other, so all are declared before the first is defined.
    fn able_functions(&mut self) -> Result<(), NotCompiled> {
        let has_priorities = self.network.model.uses.priorities;
        if !has_priorities && !self.code.asks_enabled {
            return Ok(());
        }
        let signature = self.signature_with(Third::Timeout);
        for pid in 0..self.network.numbers {
            let id = self.declare(&format!("able_{pid}"), signature.clone())?;
            self.able.push(id);
        }
        let target = self.module.target_config();
        for pid in 0..self.network.numbers {
            check(self.stop)?;
            let instances: Vec<InstanceId> = self.network.numbered(pid as Pid).collect();
            let id = self.declare(&format!("able_{pid}"), signature.clone())?;
            self.generator(instances.first().copied().unwrap_or_default()).able_function(&instances, target)?;
            self.define(id)?;
        }
        for pid in (0..self.network.numbers).filter(|_| has_priorities) {
            let id = self.declare(&format!("outranked_{pid}"), signature.clone())?;
            self.generator(InstanceId::default()).outranked_function(pid as Pid, target)?;
            self.define(id)?;
            self.outranked.push(id);
        }
        Ok(())
    }

    /// Lets the trace assertion see an event of one kind.
    fn observer(&mut self, trace: &Template, kind: EventKind) -> Result<FuncId, NotCompiled> {
        let signature = self.signature_with(Third::None);
        let id = self.declare(&format!("observe_{kind:?}"), signature)?;
        let target = self.module.target_config();
        self.generator(InstanceId::default()).observe_function(trace, kind, target)?;
        self.define(id)?;
        Ok(id)
    }

    /// Copies a state.
    fn copy(&mut self) -> Result<FuncId, NotCompiled> {
        let mut signature = self.signature_with(Third::None);
        signature.returns.clear();
        let id = self.declare("copy", signature)?;
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.scratch);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let (from, to) = (builder.block_params(entry)[0], builder.block_params(entry)[1]);
        copy_state(&mut builder, self.network.layout.size, from, to);
        builder.ins().return_(&[]);
        builder.seal_all_blocks();
        builder.finalize(self.module.target_config());
        self.define(id)?;
        Ok(id)
    }

    /// The moves of all processes, youngest first.
    fn all(&mut self, processes: &[FuncId]) -> Result<FuncId, NotCompiled> {
        let signature = self.signature_with(Third::Timeout);
        let id = self.declare("all", signature)?;
        let callees: Vec<_> =
            processes.iter().map(|id| self.module.declare_func_in_func(*id, &mut self.context.func)).collect();
        let mut builder = FunctionBuilder::new(&mut self.context.func, &mut self.scratch);
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let parameters = builder.block_params(entry).to_vec();
        let fault = builder.create_block();
        builder.set_cold_block(fault);
        let mut out = parameters[1];
        for callee in callees.into_iter().rev() {
            let call = builder.ins().call(callee, &[parameters[0], out, parameters[2]]);
            out = builder.inst_results(call)[0];
            let go_on = builder.create_block();
            let failed = builder.ins().icmp_imm_s(IntCC::Equal, out, 0);
            builder.ins().brif(failed, fault, &[], go_on, &[]);
            builder.switch_to_block(go_on);
        }
        builder.ins().return_(&[out]);
        builder.switch_to_block(fault);
        let nothing = builder.ins().iconst(types::I64, 0);
        builder.ins().return_(&[nothing]);
        builder.seal_all_blocks();
        builder.finalize(self.module.target_config());
        self.define(id)?;
        Ok(id)
    }
}

pub(crate) fn cannot(error: impl std::fmt::Display) -> NotCompiled {
    NotCompiled(format!("machine code cannot be generated here: {error}"))
}
