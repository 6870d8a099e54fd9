//! A model made ready to be checked: the system to search, as machine code where that is possible,
//! and the judge of its counterexamples, which is always the interpreter.

use std::sync::{Arc, Mutex, OnceLock};

use ample_guarantee::{Part, parts};
use ample_interpret::{Interpreter, State};
#[cfg(feature = "jit")]
use ample_jit::{CompiledPropositions, Lazy, Sizes, Uncompiled};
use ample_model::{Expr, Model, TemplateId};
use ample_network::facts::{Facts, read_bits};
use ample_network::{Network, Packed};
use ample_product::{Evaluated, Propositions, Values};
#[cfg(feature = "jit")]
use ample_property::Letter;
use ample_property::Property;
use ample_replay::{Forbids, Replayed, judge};
use ample_stdx::{Stop, lock};
use ample_transition::{Fault, Pid, Successors, Trace};

use crate::claim::Claim;
use crate::error::CheckError;
use crate::options::Choice;
use crate::system::{Labels, LateCode, LeftOver, MakePropositions, Prepare, Reducible, Replayer, System};

/// What a process runs in a state.
type TemplateOf<'m> = Box<dyn Fn(&[u8], Pid) -> Option<TemplateId> + Sync + 'm>;

/// What a packed state is.
type Unpack<'m> = Box<dyn Fn(&[u8]) -> State + Sync + 'm>;

/// A model with everything that a [`System`] borrows.
pub struct Prepared<'m> {
    interpreter: &'m Interpreter<'m>,
    properties: Vec<Property>,
    unpack: Unpack<'m>,
    template_of: TemplateOf<'m>,
    executed: Executed<'m>,
    facts: OnceLock<Facts>,
    why_interpreted: Option<String>,
    /// What machine code has left to the interpreter in models that passes have made of this one.
    left_over_elsewhere: Mutex<Vec<LeftOver>>,
    /// If there was one, why the last was interpreted although it was to be compiled.
    why_elsewhere: Mutex<Option<Option<String>>>,
}

/// How a model is executed.
enum Executed<'m> {
    /// States have the interpreter's own form.
    Interpreted,
    /// States are packed.
    Packed(Arc<Packed<'m>>),
    /// Compiled when that pays, or when it is searched.
    #[cfg(feature = "jit")]
    Compiled(Arc<Lazy<'m>>),
}

impl<'m> Prepared<'m> {
    /// Makes a model ready. `execution` names how it is executed; left to us, it is compiled if it
    /// can be.
    pub fn new(
        interpreter: &'m Interpreter<'m>,
        properties: &[Property],
        execution: &Choice,
    ) -> Result<Self, CheckError> {
        Prepared::within(interpreter, properties, execution, &Stop::default())
    }

    /// The same, but if it is time to stop, it is not compiled.
    pub fn within(
        interpreter: &'m Interpreter<'m>,
        properties: &[Property],
        execution: &Choice,
        stop: &Stop,
    ) -> Result<Self, CheckError> {
        let wanted = match execution {
            Choice::Named(name) if name == parts::INTERPRETER.name => {
                return Ok(Prepared::interpreted(interpreter, properties));
            }
            Choice::Named(name) if name == parts::MACHINE_CODE.name => true,
            Choice::Named(name) => {
                let known = [parts::INTERPRETER.name, parts::MACHINE_CODE.name];
                return Err(CheckError::unknown_name("way of execution", name, known));
            }
            Choice::Auto => false,
        };
        let mut prepared = Prepared::interpreted(interpreter, properties);
        let packed = Packed::new(interpreter).map_err(|reason| reason.to_string());
        match packed.and_then(|packed| prepared.compile(Arc::new(packed), wanted, stop)) {
            Ok(()) => Ok(prepared),
            Err(reason) if wanted && !stop.is_due() => Err(CheckError::NotCompiled { reason }),
            Err(reason) => Ok(Prepared { why_interpreted: Some(reason), ..prepared }),
        }
    }

    /// Executed by the interpreter alone: the reference.
    fn interpreted(interpreter: &'m Interpreter<'m>, properties: &[Property]) -> Self {
        Prepared {
            interpreter,
            properties: properties.to_vec(),
            unpack: Box::new(move |state: &[u8]| interpreter.decode(state)),
            template_of: Box::new(move |state: &[u8], pid: Pid| {
                interpreter.decode(state).processes.get(usize::from(pid)).map(|process| process.template)
            }),
            executed: Executed::Interpreted,
            facts: OnceLock::new(),
            why_interpreted: None,
            left_over_elsewhere: Mutex::default(),
            why_elsewhere: Mutex::default(),
        }
    }

    /// Executed by the interpreter, but with packed states, so that reductions can be used; if
    /// states cannot be packed, without.
    pub fn packed(interpreter: &'m Interpreter<'m>, properties: &[Property]) -> Self {
        let mut prepared = Prepared::interpreted(interpreter, properties);
        match Packed::new(interpreter) {
            Ok(packed) => prepared.set_packed(Arc::new(packed)),
            Err(reason) => prepared.why_interpreted = Some(reason.to_string()),
        }
        prepared
    }

    fn set_packed(&mut self, packed: Arc<Packed<'m>>) {
        let (unpacking, asked) = (packed.clone(), packed.clone());
        self.unpack = Box::new(move |state| unpacking.unpack(state));
        self.template_of = Box::new(move |state, pid| {
            asked.unpack(state).processes.get(usize::from(pid)).map(|process| process.template)
        });
        self.executed = Executed::Packed(packed);
    }

    /// Turns a network into machine code, or says why it is interpreted. A large one is compiled at
    /// once only if that is `wanted`.
    #[cfg(feature = "jit")]
    fn compile(&mut self, packed: Arc<Packed<'m>>, wanted: bool, stop: &Stop) -> Result<(), String> {
        self.set_packed(packed.clone());
        let uncompiled = Uncompiled::new(packed.clone(), Sizes::default()).map_err(|reason| reason.to_string())?;
        let compiled =
            if wanted || !uncompiled.is_large() { uncompiled.on_demand(stop) } else { uncompiled.lazily(stop) };
        if wanted {
            compiled.compile().map_err(|reason| reason.to_string())?;
        }
        self.executed = Executed::Compiled(Arc::new(compiled));
        Ok(())
    }

    #[cfg(not(feature = "jit"))]
    fn compile(&mut self, packed: Arc<Packed<'m>>, _wanted: bool, _stop: &Stop) -> Result<(), String> {
        self.set_packed(packed);
        Err("this program was built without the feature `jit`".to_owned())
    }

    /// What a job is about.
    pub fn system(&self) -> System<'_> {
        let (successors, execution) = self.successors();
        System {
            successors,
            execution,
            why_interpreted: self.why_interpreted.as_deref(),
            late_code: Some(self),
            prepare: Some(self),
            replayer: self,
            unpack: &*self.unpack,
            template_of: &self.template_of,
            has_trace_assertion: self.interpreter.model().trace.is_some(),
            labels: Labels::of(self.interpreter.model()),
            properties: &self.properties,
            propositions: self,
            max_processes: self.interpreter.max_processes(),
            // Where there are priorities, everything depends on everything.
            reducible: self
                .network()
                .filter(|network| !network.model.uses.priorities)
                .map(|network| Reducible { network, found_out: &self.facts }),
        }
    }

    /// What a state of the system is to the interpreter.
    pub fn unpack(&self, state: &[u8]) -> State {
        (self.unpack)(state)
    }

    fn successors(&self) -> (&dyn Successors, &'static Part) {
        match &self.executed {
            Executed::Interpreted => (self.interpreter, &parts::INTERPRETER),
            Executed::Packed(packed) => (&**packed, &parts::INTERPRETER),
            #[cfg(feature = "jit")]
            Executed::Compiled(compiled) => (&**compiled, &parts::MACHINE_CODE),
        }
    }

    fn network(&self) -> Option<&Network<'m>> {
        match &self.executed {
            Executed::Interpreted => None,
            Executed::Packed(packed) => Some(&packed.network),
            #[cfg(feature = "jit")]
            Executed::Compiled(compiled) => Some(compiled.network()),
        }
    }
}

impl Replayer for Prepared<'_> {
    fn replay(&self, trace: &Trace, fault: &Fault, claim: Option<&Claim>) -> Result<Replayed, String> {
        let claim = claim.map(|claim| claim as &dyn Forbids);
        judge(self.interpreter, trace, fault, claim).map_err(|mismatch| mismatch.to_string())
    }
}

impl Prepare for Prepared<'_> {
    fn model(&self) -> &Model {
        self.interpreter.model()
    }

    fn analyse(&self, model: &Model, then: &mut dyn FnMut(Reducible<'_>)) {
        let interpreter = Interpreter::with_max_processes(model, self.interpreter.max_processes());
        if let Some(known) = Prepared::packed(&interpreter, &[]).system().reducible {
            then(known);
        }
    }

    fn execute(&self, model: &Model, stop: &Stop, then: &mut dyn FnMut(&System<'_>)) {
        let interpreter = Interpreter::with_max_processes(model, self.interpreter.max_processes());
        let prepared = match &self.executed {
            Executed::Interpreted => Prepared::interpreted(&interpreter, &self.properties),
            Executed::Packed(_) => Prepared::packed(&interpreter, &self.properties),
            #[cfg(feature = "jit")]
            Executed::Compiled(_) => {
                let compiled = Prepared::within(&interpreter, &self.properties, &Choice::Auto, stop);
                compiled.unwrap_or_else(|_| Prepared::packed(&interpreter, &self.properties))
            }
        };
        then(&prepared.system());
        prepared.left_over().into_iter().for_each(|one| one.add_to(&mut lock(&self.left_over_elsewhere)));
        *lock(&self.why_elsewhere) = Some(prepared.why_none().or(prepared.why_interpreted));
    }
}

impl LateCode for Prepared<'_> {
    fn why_none(&self) -> Option<String> {
        if let Some(reason) = &*lock(&self.why_elsewhere) {
            return reason.clone();
        }
        match &self.executed {
            #[cfg(feature = "jit")]
            Executed::Compiled(compiled) => compiled.why_interpreted(),
            _ => None,
        }
    }

    fn left_over(&self) -> Vec<LeftOver> {
        let mut all = match &self.executed {
            #[cfg(feature = "jit")]
            Executed::Compiled(compiled) => left_over(compiled.left_over()),
            _ => Vec::new(),
        };
        lock(&self.left_over_elsewhere).iter().for_each(|one| one.clone().add_to(&mut all));
        all
    }
}

#[cfg(feature = "jit")]
fn left_over(all: Vec<ample_jit::LeftOver>) -> Vec<LeftOver> {
    let left_over =
        |one: ample_jit::LeftOver| LeftOver { reason: one.reason.text(), states: one.states, place: one.place };
    all.into_iter().map(left_over).collect()
}

impl MakePropositions for Prepared<'_> {
    fn make<'p>(&'p self, expressions: &'p [Expr]) -> Box<dyn Propositions + 'p> {
        let evaluated = Evaluated { interpreter: self.interpreter, unpack: &*self.unpack, expressions };
        #[cfg(feature = "jit")]
        if let (Executed::Compiled(_), Some(network)) = (&self.executed, self.network())
            && let Ok(code) = CompiledPropositions::new(network, expressions)
        {
            return Box::new(CompiledOrEvaluated { code, evaluated, network });
        }
        Box::new(evaluated)
    }

    fn values<'p>(&'p self, expressions: &'p [Expr]) -> Box<dyn Values + 'p> {
        Box::new(Evaluated { interpreter: self.interpreter, unpack: &*self.unpack, expressions })
    }
}

/// Propositions as machine code. Where one of them has no value, and in states that machine code
/// does not read, the interpreter evaluates them.
#[cfg(feature = "jit")]
struct CompiledOrEvaluated<'a, 'm> {
    code: CompiledPropositions,
    evaluated: Evaluated<'a, 'm>,
    network: &'a Network<'m>,
}

#[cfg(feature = "jit")]
impl Propositions for CompiledOrEvaluated<'_, '_> {
    fn letter(&self, state: &[u8]) -> Result<Letter, Box<Fault>> {
        match self.code.letter(state) {
            Some(letter) => Ok(letter),
            None => self.evaluated.letter(state),
        }
    }

    fn read_bits(&self) -> Option<Vec<u64>> {
        read_bits(self.network, self.evaluated.expressions).map(Vec::from)
    }
}
