//! Models that are compiled later. Large ones are interpreted until that has taken about as long as
//! compiling them would, and compiled only then; others are compiled with the first state that is
//! expanded, which may never be: passes make another model of them.
//!
//! Both give the same successors in the same order, so that a search may change over in its midst.
//! Whoever expands the last state that is to be interpreted compiles; other workers go on
//! interpreting meanwhile.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use ample_network::facts::Touched;
use ample_network::{Network, Packed};
use ample_stdx::{Stop, lock};
use ample_transition::{Fault, ProcessMoves, StateLength, SuccessorBuffer, Successors};

use crate::apart;
use crate::chain::{self, Expanded};
use crate::code::Code;
use crate::left_over::{Ledger, LeftOver};
use crate::machine::Machine;
use crate::not_compiled::NotCompiled;
use crate::sizes::Sizes;
use crate::{Uncompiled, expand};

/// A model that needs no more code than this, counted in edges, is compiled at once: that takes a
/// fraction of a second.
const LARGE: usize = 5_000;

/// So many states are interpreted in the time in which code for one edge is generated.
const STATES_PER_EDGE: usize = 16;

/// A model that is compiled when that pays, or on demand.
pub struct Lazy<'m> {
    packed: Arc<Packed<'m>>,
    /// Taken by who compiles it.
    code: Mutex<Option<Code>>,
    sizes: Sizes,
    /// How many states are still to be interpreted.
    left: AtomicUsize,
    machine: OnceLock<Result<Machine, NotCompiled>>,
    /// What the moves of each process depend on, if that was asked for and is known.
    touched: OnceLock<Option<Touched>>,
    stop: Stop,
    ledger: Ledger,
    /// Whether it is compiled with the first state that is expanded.
    is_on_demand: bool,
}

impl<'m> Uncompiled<'m> {
    /// Whether it is so large that to compile it takes longer than many a search.
    pub fn is_large(&self) -> bool {
        self.size() > LARGE
    }

    /// Compiles it when that pays, but gives up when it is time to stop: then it is interpreted to
    /// the end.
    pub fn lazily(self, stop: &Stop) -> Lazy<'m> {
        let states = self.size().saturating_mul(STATES_PER_EDGE);
        self.after(states, stop)
    }

    /// Compiles it after so many states.
    pub fn after(self, states: usize, stop: &Stop) -> Lazy<'m> {
        Lazy {
            packed: self.packed,
            code: Mutex::new(Some(self.code)),
            sizes: self.sizes,
            left: AtomicUsize::new(states),
            machine: OnceLock::new(),
            touched: OnceLock::new(),
            stop: stop.clone(),
            ledger: Ledger::default(),
            is_on_demand: false,
        }
    }

    /// Compiles it with the first state that is expanded, unless it is time to stop then.
    pub fn on_demand(self, stop: &Stop) -> Lazy<'m> {
        Lazy { is_on_demand: true, ..self.after(usize::MAX, stop) }
    }
}

impl<'m> Lazy<'m> {
    /// The processes that there are.
    pub fn network(&self) -> &Network<'m> {
        &self.packed.network
    }

    /// Whether there is machine code by now.
    pub fn is_compiled(&self) -> bool {
        self.machine().is_some()
    }

    /// The machine code, if there is some by now.
    pub(crate) fn machine(&self) -> Option<&Machine> {
        self.machine.get().and_then(|machine| machine.as_ref().ok())
    }

    /// What the moves of each process depend on, if that is known.
    pub(crate) fn touched(&self) -> Option<&Touched> {
        self.touched.get()?.as_ref()
    }

    /// Why there is no machine code, if there is none.
    pub fn why_interpreted(&self) -> Option<String> {
        match self.machine.get() {
            Some(Ok(_)) => None,
            Some(Err(reason)) => Some(reason.to_string()),
            None if self.is_on_demand => None,
            None => Some("it was over before it paid to compile so large a model".to_owned()),
        }
    }

    /// What code has left to the interpreter, since there is code.
    pub fn left_over(&self) -> Vec<LeftOver> {
        self.ledger.left_over()
    }

    /// Compiles it, unless that is done; or says why it cannot be compiled.
    pub fn compile(&self) -> Result<(), &NotCompiled> {
        if self.machine.get().is_none() {
            self.build(&self.stop);
        }
        match self.machine.get() {
            Some(Err(reason)) => Err(reason),
            _ => Ok(()),
        }
    }

    fn build(&self, stop: &Stop) {
        // Kept until the code is there: whoever comes meanwhile waits.
        let mut code = lock(&self.code);
        if let Some(code) = code.take() {
            let machine = Machine::build(self.network(), code, self.sizes, stop);
            let _ = self.machine.set(machine);
        }
    }

    /// Compiles it, and expands its first state.
    #[cold]
    fn begin(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        match self.compile() {
            Ok(()) => self.expand_all(state, buffer),
            Err(_) => self.packed.expand_all(state, buffer),
        }
    }

    /// Interprets a state, and compiles after the last one.
    #[cold]
    fn interpret(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        let is_last = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) == Ok(1);
        if is_last {
            // Half of the time that is left is for the search.
            self.build(&self.stop.share(2));
        }
        self.packed.expand_all(state, buffer);
    }
}

impl Successors for Lazy<'_> {
    fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
        self.packed.initial()
    }

    fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
        match self.machine.get() {
            Some(Ok(machine)) => expand(&self.packed, machine, &self.ledger, state, buffer),
            None if self.is_on_demand => self.begin(state, buffer),
            _ => self.interpret(state, buffer),
        }
    }

    fn process_moves(&self) -> Option<&dyn ProcessMoves> {
        self.machine()?;
        let touched = self.touched.get_or_init(|| apart::touched(self.network(), &self.stop.share(2)));
        touched.as_ref().map(|_| self as &dyn ProcessMoves)
    }

    fn state_length(&self) -> StateLength {
        self.packed.state_length()
    }

    fn invalid_end(&self, state: &[u8]) -> Option<Box<Fault>> {
        self.packed.invalid_end(state)
    }
}

impl ProcessMoves for Lazy<'_> {
    fn processes(&self) -> usize {
        self.touched().map_or(0, Touched::len)
    }

    fn location_bits(&self, process: usize) -> Vec<u64> {
        self.touched().map_or(Vec::new(), |touched| touched.location(process).to_vec())
    }

    fn touched_bits(&self, process: usize, state: &[u8]) -> Option<Vec<u64>> {
        self.touched()?.in_state(process, state).map(<[u64]>::to_vec)
    }

    fn expand_process(&self, process: usize, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        let machine = self.machine().filter(|_| self.network().fits(state));
        machine.is_some_and(|machine| chain::expand_process(machine, process, state, buffer) == Expanded::Done)
    }
}
