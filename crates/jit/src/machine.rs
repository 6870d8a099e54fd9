//! Code in memory: Cranelift, the functions, and the only calls into them.

use cranelift_codegen::Context;
use cranelift_codegen::ir::{AbiParam, Signature, UserFuncName, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

use ample_network::Network;

use crate::NotCompiled;
use crate::generate::Generator;
use crate::record::record_size;

/// `state` (padded), where to write records, whether `timeout` holds. Gives the end of what was written, or null if the
/// interpreter must look at this state.
type MovesOfProcess = unsafe extern "C" fn(*const u8, *mut u8, u32) -> *mut u8;

/// The address space reserved for code: it is used only as far as there is code.
const CODE_BYTES: usize = 1 << 28;

/// The code of a network.
pub(crate) struct Machine {
    /// Keeps the code in memory; never touched again.
    _module: JITModule,
    processes: Vec<Function>,
    /// The most bytes that one call can write.
    pub(crate) most_bytes: usize,
}

struct Function {
    code: MovesOfProcess,
}

// SAFETY: the code is finished and read-only, and the functions keep no state of their own.
unsafe impl Send for Machine {}
// SAFETY: as above.
unsafe impl Sync for Machine {}

impl Machine {
    /// Compiles one function per process.
    pub(crate) fn build(network: &Network<'_>) -> Result<Machine, NotCompiled> {
        let mut builder = JITBuilder::with_isa(host()?, default_libcall_names());
        let arena = ArenaMemoryProvider::new_with_size(CODE_BYTES).map_err(cannot)?;
        builder.memory_provider(Box::new(arena));
        let mut module = JITModule::new(builder);
        let mut most_records = 0;
        let mut ids = Vec::new();
        for instance in 0..network.instances.len() {
            let (id, records) = define(&mut module, network, instance)?;
            most_records = most_records.max(records);
            ids.push(id);
        }
        module.finalize_definitions().map_err(cannot)?;
        let function = |id: &FuncId| {
            let address = module.get_finalized_function(*id);
            // SAFETY: the function was defined with exactly this signature and the C calling convention.
            Function { code: unsafe { std::mem::transmute::<*const u8, MovesOfProcess>(address) } }
        };
        let processes = ids.iter().map(function).collect();
        let most_bytes = (most_records + 1) * record_size(network.layout.size as usize);
        Ok(Machine { _module: module, processes, most_bytes })
    }

    /// Writes the moves of a process to `records`; gives how many bytes were written, or `None` if the interpreter must
    /// look at this state.
    pub(crate) fn moves(&self, process: usize, state: &[u8], records: &mut [u8], timeout: bool) -> Option<usize> {
        assert!(records.len() >= self.most_bytes, "the code writes up to this many bytes");
        let start = records.as_mut_ptr();
        // SAFETY: `state` has the padded size of a state (checked by the caller's layout), the code reads no more than
        // that, and it writes at most `most_bytes` to `records`, which has room for them.
        let end = unsafe { (self.processes[process].code)(state.as_ptr(), start, u32::from(timeout)) };
        (!end.is_null()).then(|| end as usize - start as usize)
    }
}

fn host() -> Result<OwnedTargetIsa, NotCompiled> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed").map_err(cannot)?;
    flags.set("is_pic", "false").map_err(cannot)?;
    flags.set("use_colocated_libcalls", "false").map_err(cannot)?;
    flags.set("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }).map_err(cannot)?;
    let isa = cranelift_native::builder().map_err(|error| NotCompiled(format!("this machine: {error}")))?;
    isa.finish(settings::Flags::new(flags)).map_err(cannot)
}

fn define(module: &mut JITModule, network: &Network<'_>, instance: usize) -> Result<(FuncId, usize), NotCompiled> {
    let mut context: Context = module.make_context();
    let mut scratch = FunctionBuilderContext::new();
    let pointer = module.target_config().pointer_type();
    let mut signature: Signature = module.make_signature();
    signature.params.extend([AbiParam::new(pointer), AbiParam::new(pointer), AbiParam::new(types::I32)]);
    signature.returns.push(AbiParam::new(pointer));
    let id = module.declare_function(&format!("process_{instance}"), Linkage::Local, &signature).map_err(cannot)?;
    context.func.signature = signature;
    context.func.name = UserFuncName::user(0, id.as_u32());
    let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
    let records = Generator::new(builder, network, instance).function(module.target_config())?;
    module.define_function(id, &mut context).map_err(|error| NotCompiled(format!("{error:?}")))?;
    module.clear_context(&mut context);
    Ok((id, records))
}

fn cannot(error: impl std::fmt::Display) -> NotCompiled {
    NotCompiled(format!("machine code cannot be generated here: {error}"))
}
