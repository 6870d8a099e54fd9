//! Code in memory: the functions, and the only calls into them.

use std::sync::Arc;

use ample_model::Expr;
use ample_network::Network;
use ample_stdx::Stop;
use ample_transition::{Move, RecordHeader};
use cranelift_jit::JITModule;
use cranelift_module::FuncId;

use crate::code::{Code, Table};
use crate::compiler::{Compiler, Functions, cannot, module};
use crate::not_compiled::NotCompiled;
use crate::run::{MOST_MOVES, UNDECIDED};
use crate::sizes::Sizes;

/// `state`, where to write records, whether `timeout` holds. Gives the end of what was written, or
/// null if the interpreter must look at this state.
type WriteRecords = unsafe extern "C" fn(*const u8, *mut u8, u32) -> *mut u8;

/// A state to change in place, a log of edges. Gives the number of moves and what came of them.
type RunOn = unsafe extern "C" fn(*mut u8, *mut u32) -> u64;

/// A state, where to write a letter. Gives 0 if the interpreter must look at this state.
type ReadLetter = unsafe extern "C" fn(*const u8, *mut u64) -> u64;

/// The address space reserved for code: it is used only as far as there is code.
const CODE_BYTES: usize = 1 << 28;

/// The same for the propositions of a property.
const LETTER_BYTES: usize = 1 << 22;

/// Keeps finished code in memory, and what it reads; never touched again.
struct Kept {
    _module: JITModule,
    _tables: Vec<Table>,
}

// SAFETY: the code is finished and read-only, and its functions keep no state of their own.
unsafe impl Send for Kept {}
// SAFETY: as above.
unsafe impl Sync for Kept {}

/// The code of a network.
pub(crate) struct Machine {
    _kept: Kept,
    /// The moves of all processes.
    all: WriteRecords,
    /// The moves of each.
    processes: Vec<WriteRecords>,
    /// How each process runs on inside an atomic sequence, where it can.
    runs: Vec<Option<RunOn>>,
    /// The most bytes that a call of `all` can write.
    all_bytes: usize,
    /// The most bytes that a call for one process can write.
    process_bytes: usize,
    /// The size of a state.
    state_size: usize,
    /// What records stand for.
    pub(crate) moves: Arc<[Move]>,
    /// Whether a record may say that a process keeps control.
    pub(crate) keeps_control: bool,
    /// Whether each record stands for a single move.
    pub(crate) has_single_moves: bool,
    divide: ExactDivision,
}

impl Machine {
    /// Compiles every process, and what calls them all; or gives up when it is time to stop.
    pub(crate) fn build(network: &Network<'_>, code: Code, sizes: Sizes, stop: &Stop) -> Result<Machine, NotCompiled> {
        let compiler = Compiler::new(module(CODE_BYTES)?, network, code, sizes, stop);
        let (Functions { processes: ids, runs, all, all_records, most_records }, compiler) =
            compiler.all_functions()?;
        let Compiler { mut module, code, .. } = compiler;
        module.finalize_definitions().map_err(cannot)?;
        let function = |id: FuncId| {
            let address = module.get_finalized_function(id);
            // SAFETY: the function was defined with exactly this signature and the C calling
            // convention.
            unsafe { std::mem::transmute::<*const u8, WriteRecords>(address) }
        };
        let run = |id: FuncId| {
            let address = module.get_finalized_function(id);
            // SAFETY: as above.
            unsafe { std::mem::transmute::<*const u8, RunOn>(address) }
        };
        let runs = runs.into_iter().map(|id| id.map(run)).collect();
        let state_size = network.layout.size as usize;
        let record_size = state_size + RecordHeader::SIZE;
        Ok(Machine {
            all: function(all),
            processes: ids.into_iter().map(function).collect(),
            runs,
            _kept: Kept { _module: module, _tables: code.tables },
            all_bytes: all_records * record_size,
            process_bytes: most_records * record_size,
            state_size,
            moves: code.moves.into(),
            keeps_control: code.keeps_control,
            has_single_moves: !code.keeps_control && !code.has_sequences,
            divide: ExactDivision::by(record_size),
        })
    }

    /// The size of a record.
    #[inline]
    pub(crate) fn record_size(&self) -> usize {
        self.state_size + RecordHeader::SIZE
    }

    /// How many records take so many bytes.
    #[inline]
    pub(crate) fn count(&self, bytes: usize) -> usize {
        self.divide.exactly(bytes)
    }

    /// Appends the moves of all processes in a state to `records`; gives how many there are, or
    /// `None` if the interpreter must look at this state.
    #[inline]
    pub(crate) fn moves_of_all(&self, state: &[u8], records: &mut Vec<u8>, timeout: bool) -> Option<usize> {
        assert!(state.len() == self.state_size, "a state of another system");
        records.reserve(self.all_bytes);
        let length = records.len();
        // SAFETY: `state` has the size of a state, and the code reads no more than that. It writes
        // at most `all_bytes`, for which there is room, without gaps from the end of `records` on,
        // and returns the end of what it wrote.
        unsafe {
            let start = records.as_mut_ptr().add(length);
            let end = (self.all)(state.as_ptr(), start, u32::from(timeout));
            if end.is_null() {
                return None;
            }
            let written = end as usize - start as usize;
            records.set_len(length + written);
            Some(self.count(written))
        }
    }

    /// Appends the moves of one process in a state to `records`; gives how many there are, or
    /// `None` if the interpreter must look at this state.
    pub(crate) fn moves_of_one(&self, process: usize, state: &[u8], records: &mut Vec<u8>) -> Option<usize> {
        assert!(state.len() == self.state_size, "a state of another system");
        records.reserve(self.process_bytes);
        let length = records.len();
        // SAFETY: as above; it writes at most `process_bytes`.
        unsafe {
            let start = records.as_mut_ptr().add(length);
            let end = (self.processes[process])(state.as_ptr(), start, 0);
            if end.is_null() {
                return None;
            }
            let written = end as usize - start as usize;
            records.set_len(length + written);
            Some(self.count(written))
        }
    }

    /// Appends the moves of one process to `bytes`, in the state that begins at `state` there.
    /// False if the interpreter must look at it.
    pub(crate) fn moves_of(&self, process: usize, bytes: &mut Vec<u8>, state: usize) -> bool {
        bytes.reserve(self.process_bytes);
        let length = bytes.len();
        assert!(state + self.state_size <= length, "a whole state");
        // SAFETY: as above; the state lies before the end, so the code does not write to it.
        unsafe {
            let base = bytes.as_mut_ptr();
            let end = (self.processes[process])(base.add(state), base.add(length), 0);
            if end.is_null() {
                return false;
            }
            bytes.set_len(end as usize - base as usize);
        }
        true
    }
}

/// What came of running on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    /// The process has lost control.
    Done,
    /// It has a choice.
    Undecided,
    /// The interpreter must look at the state before the transition.
    Fault,
}

impl Machine {
    /// Runs a process on in the state that begins at `state` in `bytes`; the edges it takes are
    /// appended to `edges`.
    pub(crate) fn run(&self, process: usize, bytes: &mut [u8], state: usize, edges: &mut Vec<u32>) -> Ran {
        let Some(run) = self.runs[process] else { return Ran::Undecided };
        edges.reserve(MOST_MOVES);
        let length = edges.len();
        let place = &mut bytes[state..state + self.state_size];
        // SAFETY: the code changes no more than a state, for which `place` is, and writes at most
        // `MOST_MOVES` edges, for which there is room, without gaps from the end of `edges` on.
        unsafe {
            let result = run(place.as_mut_ptr(), edges.as_mut_ptr().add(length));
            if result == u64::MAX {
                return Ran::Fault;
            }
            edges.set_len(length + (result as u32) as usize);
            if result & UNDECIDED == 0 { Ran::Done } else { Ran::Undecided }
        }
    }
}

/// The code of the propositions of a property.
pub(crate) struct LetterCode {
    _kept: Kept,
    read: ReadLetter,
    /// The size of a state.
    state_size: usize,
}

impl LetterCode {
    /// Compiles one function.
    pub(crate) fn build(network: &Network<'_>, expressions: &[Expr]) -> Result<LetterCode, NotCompiled> {
        let (sizes, stop) = (Sizes::default(), Stop::default());
        let mut compiler = Compiler::new(module(LETTER_BYTES)?, network, Code::default(), sizes, &stop);
        let id = compiler.letter(expressions)?;
        let Compiler { mut module, code, .. } = compiler;
        module.finalize_definitions().map_err(cannot)?;
        let address = module.get_finalized_function(id);
        // SAFETY: the function was defined with exactly this signature and the C calling
        // convention.
        let read = unsafe { std::mem::transmute::<*const u8, ReadLetter>(address) };
        let _kept = Kept { _module: module, _tables: code.tables };
        Ok(LetterCode { _kept, read, state_size: network.layout.size as usize })
    }

    /// The propositions that are true in a state, or `None` if the interpreter must look at it.
    #[inline]
    pub(crate) fn letter(&self, state: &[u8]) -> Option<u64> {
        if state.len() != self.state_size {
            return None;
        }
        let mut letter = 0;
        // SAFETY: `state` has the size of a state, and the code reads no more than that. It writes
        // nothing but the letter.
        let written = unsafe { (self.read)(state.as_ptr(), &raw mut letter) };
        (written != 0).then_some(letter)
    }
}

/// Divides multiples of a number by it: a shift and a multiplication.
struct ExactDivision {
    shift: u32,
    inverse: usize,
}

impl ExactDivision {
    fn by(divisor: usize) -> Self {
        let shift = divisor.trailing_zeros();
        let odd = divisor >> shift;
        // Newton's iteration for the inverse modulo a power of two; each step doubles the bits that
        // are right.
        let mut inverse = odd;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2_usize.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        ExactDivision { shift, inverse }
    }

    #[inline]
    fn exactly(&self, multiple: usize) -> usize {
        (multiple >> self.shift).wrapping_mul(self.inverse)
    }
}
