//! One way to ask a question.

use ample_check::{Begin, Choice, Options, Pick, Prepared, Under, Way};
use ample_guarantee::{Omission, Part, PartKind, parts};
use ample_interpret::Interpreter;
use ample_property::Property;
use ample_search::StopAt;

/// How statements are executed, and what states look like.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Execution {
    /// By the interpreter, on states of its own form.
    Interpreted,
    /// By the interpreter, on packed states, which reductions can read.
    Packed,
    /// As machine code.
    Compiled,
}

impl Execution {
    pub(crate) const ALL: [Execution; 3] = [Execution::Compiled, Execution::Packed, Execution::Interpreted];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Execution::Interpreted => parts::INTERPRETER.name,
            Execution::Packed => "packed",
            Execution::Compiled => parts::MACHINE_CODE.name,
        }
    }
}

/// The model, ready for each way of execution; or why it cannot be executed so.
pub(crate) struct Executions<'m> {
    interpreted: Result<Prepared<'m>, String>,
    packed: Result<Prepared<'m>, String>,
    compiled: Result<Prepared<'m>, String>,
    fallback: Prepared<'m>,
}

impl<'m> Executions<'m> {
    pub fn new(interpreter: &'m Interpreter<'m>, properties: &[Property]) -> Self {
        let named = |part: &Part| {
            let prepared = Prepared::new(interpreter, properties, &Choice::parse(part.name));
            prepared.map_err(|error| error.to_string())
        };
        let packed = Prepared::packed(interpreter, properties);
        let why = packed.system().why_interpreted.map(str::to_owned);
        Executions {
            interpreted: named(&parts::INTERPRETER),
            packed: why.map_or(Ok(packed), |reason| Err(format!("states cannot be packed: {reason}"))),
            compiled: named(&parts::MACHINE_CODE),
            fallback: Prepared::packed(interpreter, properties),
        }
    }

    pub fn get(&self, execution: Execution) -> Result<&Prepared<'m>, &String> {
        match execution {
            Execution::Interpreted => self.interpreted.as_ref(),
            Execution::Packed => self.packed.as_ref(),
            Execution::Compiled => self.compiled.as_ref(),
        }
    }

    /// The one that defines the answer.
    pub fn reference(&self) -> &Prepared<'m> {
        self.interpreted.as_ref().unwrap_or(&self.fallback)
    }
}

/// One combination of parts to ask with, of which `check` makes its plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// How statements are executed.
    pub execution: Execution,
    /// What chooses among transitions, and its cycle condition; all are taken if nothing does.
    pub reduction: Option<(&'static Part, &'static Part)>,
    /// A pass, sleep sets, a canonizer or a cover besides.
    pub also: Option<&'static Part>,
    /// The under-approximation loop, if there is one; then there is no reduction besides.
    pub under: Option<LoopChoice>,
    /// An order, or how infinite runs are looked for.
    pub algorithm: &'static Part,
    /// How states are remembered.
    pub store: &'static Part,
    /// How many threads search.
    pub threads: usize,
}

/// An under-approximation loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopChoice {
    /// Which.
    pub part: &'static Part,
    /// The reduction that it makes use of.
    pub expander: &'static Part,
    /// What is let in next.
    pub pick: Pick,
    /// What is let in from the beginning, if that is not left to the loop.
    pub begin: Option<Begin>,
}

impl Combination {
    /// What goes on the command line of `ample check` to ask in this way.
    pub fn flags(&self) -> String {
        // Packed states are what machine code works on; there is no flag for them alone.
        let exec = if self.execution == Execution::Packed { Execution::Compiled } else { self.execution };
        format!("--exec {} {}", exec.name(), self.way().flags())
    }

    /// The same without how statements are executed.
    pub fn way(&self) -> Way {
        Way {
            reductions: self.also.into_iter().collect(),
            expander: self.expander(),
            condition: self.reduction.map(|(_, condition)| condition),
            under: self.under.as_ref().map(|LoopChoice { part, pick, begin, .. }| Under {
                name: part.name.to_owned(),
                pick: *pick,
                begin: *begin,
            }),
            algorithm: Some(self.algorithm),
            store: self.chosen_store(),
            threads: Some(self.threads),
        }
    }

    /// The store, unless a cover comes with its own.
    fn chosen_store(&self) -> Option<&'static Part> {
        self.also.is_none_or(|also| also.kind != PartKind::Cover).then_some(self.store)
    }

    /// The group of plans that it belongs to, by what chooses among transitions.
    pub fn group(&self) -> &'static str {
        match (&self.under, self.reduction, self.also) {
            (Some(under), ..) => under.part.name,
            (None, Some((expander, _)), _) => expander.name,
            (None, None, Some(also)) => also.name,
            (None, None, None) => "all transitions",
        }
    }

    /// Whether all transitions are taken, in one search.
    pub fn is_full(&self) -> bool {
        self.reduction.is_none() && self.also.is_none() && self.under.is_none()
    }

    /// Whether its store may take a state for another.
    pub(crate) fn is_lossy(&self) -> bool {
        self.store.guarantee.omission != Omission::None
    }

    pub(crate) fn options(&self, options: Options) -> Options {
        // The first violation ends a loop.
        let stop_at = if self.under.is_some() { StopAt::FirstViolation } else { options.stop_at };
        self.way().options(Options { stop_at, ..options })
    }

    /// What it is made of.
    pub(crate) fn ingredients(&self) -> [Ingredient; 8] {
        [
            Ingredient::Execution(self.execution),
            Ingredient::Loop(self.under.as_ref().map(|under| (under.part.name, under.pick, under.begin))),
            Ingredient::Also(self.also.map(|part| part.name)),
            Ingredient::Expander(self.expander().map(|expander| expander.name)),
            Ingredient::Condition(self.reduction.map(|(_, condition)| condition.name)),
            Ingredient::Algorithm(self.algorithm.name),
            Ingredient::Store(self.store.name),
            Ingredient::Threads(self.threads),
        ]
    }

    fn expander(&self) -> Option<&'static Part> {
        self.under.as_ref().map(|under| under.expander).or(self.reduction.map(|(expander, _)| expander))
    }

    /// Roughly how long it takes, compared with others.
    pub(crate) fn cost(&self) -> usize {
        let execution = match self.execution {
            Execution::Compiled => 1,
            Execution::Interpreted => 10,
            Execution::Packed => 12,
        };
        let searches = match (&self.under, self.reduction) {
            (Some(_), _) => 4,
            (None, Some(_)) => 1,
            (None, None) => 2,
        };
        execution * searches + usize::from(self.threads > 1)
    }
}

/// A part of a plan.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Ingredient {
    Execution(Execution),
    Loop(Option<(&'static str, Pick, Option<Begin>)>),
    Also(Option<&'static str>),
    Expander(Option<&'static str>),
    Condition(Option<&'static str>),
    Algorithm(&'static str),
    Store(&'static str),
    Threads(usize),
}

impl Ingredient {
    /// Whether it says that a plan does without something.
    pub(crate) fn is_absent(self) -> bool {
        use Ingredient::{Also, Condition, Expander, Loop};
        matches!(self, Loop(None) | Also(None) | Expander(None) | Condition(None))
    }

    /// Whether it makes a plan leave something out.
    pub(crate) fn is_reduction(self) -> bool {
        use Ingredient::{Also, Condition, Expander, Loop};
        matches!(self, Loop(Some(_)) | Also(Some(_)) | Expander(Some(_)) | Condition(Some(_)))
    }
}
