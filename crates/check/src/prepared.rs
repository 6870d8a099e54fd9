//! A model made ready to be checked: the system to search, as machine code where that is possible, and the judge of its
//! counterexamples, which is always the interpreter.

#[cfg(feature = "jit")]
use std::sync::Arc;

use ample_guarantee::{Part, parts};
use ample_interpret::{Interpreter, State};
#[cfg(feature = "jit")]
use ample_jit::{Compiled, CompiledPropositions};
use ample_model::{Expr, TemplateId};
use ample_network::Network;
use ample_product::{Evaluated, Propositions};
#[cfg(feature = "jit")]
use ample_property::Letter;
use ample_property::Property;
use ample_replay::{Forbids, judge};
use ample_transition::{Fault, Pid, Successors, Trace};

use crate::job::{Choice, MakePropositions, Replayer, System};
use crate::{CheckError, Claim};

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
    #[cfg(feature = "jit")]
    compiled: Option<Arc<Compiled<'m>>>,
    why_interpreted: Option<String>,
}

impl<'m> Prepared<'m> {
    /// Makes a model ready. `execution` names how it is executed; left to us, it is compiled if it can be.
    pub fn new(
        interpreter: &'m Interpreter<'m>,
        properties: &[Property],
        execution: &Choice,
    ) -> Result<Self, CheckError> {
        let mut prepared = Prepared {
            interpreter,
            properties: properties.to_vec(),
            unpack: Box::new(move |state: &[u8]| interpreter.decode(state)),
            template_of: Box::new(move |state: &[u8], pid: Pid| {
                interpreter.decode(state).processes.get(usize::from(pid)).map(|process| process.template)
            }),
            #[cfg(feature = "jit")]
            compiled: None,
            why_interpreted: None,
        };
        let wanted = match execution {
            Choice::Named(name) if name == parts::INTERPRETER.name => return Ok(prepared),
            Choice::Named(name) if name == parts::MACHINE_CODE.name => true,
            Choice::Named(name) => {
                let known = [parts::INTERPRETER.name, parts::MACHINE_CODE.name];
                return Err(CheckError::unknown_name("way of execution", name, known));
            }
            Choice::Auto => false,
        };
        if let Err(reason) = prepared.compile() {
            if wanted {
                return Err(CheckError::NotCompiled { reason });
            }
            prepared.why_interpreted = Some(reason);
        }
        Ok(prepared)
    }

    #[cfg(feature = "jit")]
    fn compile(&mut self) -> Result<(), String> {
        let compiled = Arc::new(Compiled::new(self.interpreter).map_err(|reason| reason.to_string())?);
        self.compiled = Some(compiled.clone());
        let unpacking = compiled.clone();
        self.unpack = Box::new(move |state| unpacking.unpack(state));
        self.template_of = Box::new(move |state, pid| compiled.template_in(state, pid));
        Ok(())
    }

    #[cfg(not(feature = "jit"))]
    fn compile(&mut self) -> Result<(), String> {
        Err("this program was built without the feature `jit`".to_owned())
    }

    /// What a job is about.
    pub fn system(&self) -> System<'_> {
        let (successors, execution) = self.successors();
        System {
            successors,
            execution,
            why_interpreted: self.why_interpreted.as_deref(),
            replayer: self,
            template_of: &self.template_of,
            has_trace_assertion: self.interpreter.model().trace.is_some(),
            properties: &self.properties,
            propositions: self,
            max_processes: self.interpreter.max_processes(),
            network: self.network(),
        }
    }

    #[cfg(feature = "jit")]
    fn network(&self) -> Option<&Network<'_>> {
        self.compiled.as_ref().map(|compiled| compiled.network())
    }

    #[cfg(not(feature = "jit"))]
    fn network(&self) -> Option<&Network<'_>> {
        None
    }

    #[cfg(feature = "jit")]
    fn successors(&self) -> (&dyn Successors, &'static Part) {
        match &self.compiled {
            Some(compiled) => (&**compiled, &parts::MACHINE_CODE),
            None => (self.interpreter, &parts::INTERPRETER),
        }
    }

    #[cfg(not(feature = "jit"))]
    fn successors(&self) -> (&dyn Successors, &'static Part) {
        (self.interpreter, &parts::INTERPRETER)
    }
}

impl Replayer for Prepared<'_> {
    fn replay(&self, trace: &Trace, fault: &Fault, claim: Option<&Claim>) -> Result<(), String> {
        let claim = claim.map(|claim| claim as &dyn Forbids);
        judge(self.interpreter, trace, fault, claim).map(|_| ()).map_err(|mismatch| mismatch.to_string())
    }
}

impl MakePropositions for Prepared<'_> {
    fn make<'p>(&'p self, expressions: &'p [Expr]) -> Box<dyn Propositions + 'p> {
        let evaluated = Evaluated { interpreter: self.interpreter, unpack: &*self.unpack, expressions };
        #[cfg(feature = "jit")]
        if let Some(compiled) = &self.compiled
            && let Ok(code) = compiled.propositions(expressions)
        {
            return Box::new(CompiledOrEvaluated { code, evaluated });
        }
        Box::new(evaluated)
    }
}

/// Propositions as machine code. Where one of them has no value, and in states that machine code does not read, the interpreter
/// evaluates them.
#[cfg(feature = "jit")]
struct CompiledOrEvaluated<'a, 'm> {
    code: CompiledPropositions,
    evaluated: Evaluated<'a, 'm>,
}

#[cfg(feature = "jit")]
impl Propositions for CompiledOrEvaluated<'_, '_> {
    fn letter(&self, state: &[u8]) -> Result<Letter, Box<Fault>> {
        match self.code.letter(state) {
            Some(letter) => Ok(letter),
            None => self.evaluated.letter(state),
        }
    }
}
