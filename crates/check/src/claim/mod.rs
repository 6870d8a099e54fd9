//! What a property forbids of whole runs: an automaton that accepts these runs, and what it looks
//! at.

mod prefix;
pub(crate) mod vacuity;

use std::sync::Arc;

use ample_model::{Expr, ExprKind};
use ample_product::{Fairness, FiniteRuns, sinks};
use ample_property::{
    Automaton, ClaimAutomaton, Cube, Lasso, Letter, Ltl, NumberingError, Property, PropertyKind, StateId, TooLarge,
    claim_automaton, conditions, is_stutter_invariant, number_propositions, stutter_closure, translate,
};
use ample_replay::Forbids;
use ample_source::{Diagnostic, Span};
use ample_stdx::BitSet;
use ample_transition::{Fault, FaultKind};

use crate::built_in::BuiltIn;
use vacuity::Conditions;

/// The runs that a property forbids.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What a search looks for, a state-based Büchi automaton. Accepts these runs; if it is a
    /// closure, others too.
    pub(crate) automaton: Automaton,
    /// The same with generalised acceptance on transitions, if that is another one.
    generalised: Option<Automaton>,
    /// Whether the automaton is the closure under stuttering of what was given.
    is_closure: bool,
    /// The automaton that was given, if there was one: the judge does not trust what was made of
    /// it.
    given: Option<Automaton>,
    /// What the automaton looks at, by number.
    propositions: Vec<Expr>,
    /// Satisfied by these runs, if the automaton was made from it: the judge does not trust the
    /// translation.
    formula: Option<Ltl>,
    /// Whether a run that ends counts, as one that stays in its last state.
    pub(crate) finite: FiniteRuns,
    /// Whether repeating a state makes no difference, if that is known.
    pub(crate) is_stutter_invariant: bool,
    /// Whether a run is forbidden if and only if it comes to a state in which something is not
    /// true.
    pub(crate) is_invariant: bool,
    /// Which of them count.
    pub(crate) fairness: Fairness,
    /// What such a run is called.
    pub(crate) fault: Fault,
    /// What the implications of the property's formula ask for, and whether that was seen.
    pub(crate) conditions: Arc<Conditions>,
}

/// Why there is no automaton for a property.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ClaimError {
    /// The formula cannot be numbered.
    #[error(transparent)]
    Numbering(#[from] NumberingError),
    /// The automaton would be too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The claim is not one that can be checked; the diagnostic points at the place.
    #[error("{}", .0.message)]
    Unsupported(Box<Diagnostic>),
}

impl Claim {
    /// What a property of the model forbids.
    pub fn of(property: &Property) -> Result<Claim, ClaimError> {
        match &property.kind {
            PropertyKind::Ltl(formula) => {
                let conditions = conditions(formula)?;
                let is_invariant = formula.is_invariant();
                let (formula, propositions) = number_propositions(formula)?;
                let message = format!("`{}` does not hold on this run", property.name);
                let claim = Claim::of_formula(formula.negated(), propositions, message, property.span)?;
                // Where nothing can violate the formula, nothing is looked at.
                let conditions = if claim.automaton.is_empty() { Vec::new() } else { conditions };
                Ok(Claim { is_invariant, conditions: Arc::new(Conditions::new(conditions)), ..claim })
            }
            PropertyKind::Never(template) => {
                let claim = claim_automaton(template).map_err(ClaimError::Unsupported)?;
                Claim::of_automaton(&claim, format!("`{}` matches this run", property.name), property.span)
            }
            PropertyKind::Claim(claim) => {
                Claim::of_automaton(claim, format!("`{}` forbids this run", property.name), property.span)
            }
        }
    }

    /// What properties with this name forbid: one of these first, then a built-in set, which older
    /// traces may mean by the same name.
    pub fn named(name: &str, properties: &[Property]) -> Vec<Claim> {
        let of_model = properties.iter().filter(|property| property.name == name).map(Claim::of);
        let built_in = BuiltIn::named(name).and_then(Claim::of_built_in);
        of_model.chain(built_in).filter_map(Result::ok).collect()
    }

    /// What a built-in set forbids of whole runs, if it is about them.
    fn of_built_in(set: BuiltIn) -> Option<Result<Claim, ClaimError>> {
        match set {
            BuiltIn::Progress => Some(Claim::non_progress()),
            BuiltIn::Accept => Some(Claim::acceptance()),
            BuiltIn::Assertions | BuiltIn::EndStates | BuiltIn::Safety | BuiltIn::Exclusive => None,
        }
    }

    /// The runs with a cycle on which no process makes progress.
    pub fn non_progress() -> Result<Claim, ClaimError> {
        let never_again = |label| Ltl::Eventually(Box::new(Ltl::Always(Box::new(label))));
        Claim::of_labels(never_again, ExprKind::NonProgress, "a cycle without progress")
    }

    /// The runs that pass acceptance labels for ever.
    pub fn acceptance() -> Result<Claim, ClaimError> {
        let again_and_again = |label| Ltl::Always(Box::new(Ltl::Eventually(Box::new(label))));
        Claim::of_labels(again_and_again, ExprKind::Accepting, "a cycle through an acceptance label")
    }

    /// The runs with a cycle that satisfy a formula about labels. A run that ends has no cycle.
    fn of_labels(formula: fn(Ltl) -> Ltl, label: ExprKind, message: &str) -> Result<Claim, ClaimError> {
        let label = Expr { kind: label, span: Span::default() };
        let claim = Claim::of_formula(formula(Ltl::proposition(0)), vec![label], message.to_owned(), Span::default())?;
        Ok(Claim { finite: FiniteRuns::End, ..claim })
    }

    /// The runs that satisfy a formula.
    fn of_formula(formula: Ltl, propositions: Vec<Expr>, message: String, span: Span) -> Result<Claim, ClaimError> {
        let translated = translate(&formula)?;
        let is_stutter_invariant = translated.facts.stutter_invariant.unwrap_or(!formula.has_next());
        Claim {
            automaton: translated.ba,
            generalised: Some(translated.tgba),
            is_closure: false,
            given: None,
            propositions,
            formula: Some(formula),
            finite: FiniteRuns::Stutter,
            is_stutter_invariant,
            is_invariant: false,
            fairness: Fairness::None,
            fault: fault(message, span),
            conditions: Arc::default(),
        }
        .checked()
    }

    /// The runs that an automaton accepts.
    fn of_automaton(claim: &ClaimAutomaton, message: String, span: Span) -> Result<Claim, ClaimError> {
        let automaton = claim.automaton.state_based();
        let complement = automaton.complement();
        let is_invariant = complement.and_then(|complement| is_stutter_invariant(&automaton, &complement));
        Claim {
            automaton,
            generalised: Some(claim.automaton.clone()),
            is_closure: false,
            given: Some(claim.automaton.clone()),
            propositions: claim.propositions.clone(),
            formula: None,
            finite: FiniteRuns::Stutter,
            is_stutter_invariant: is_invariant.unwrap_or(false),
            is_invariant: false,
            fairness: Fairness::None,
            fault: fault(message, span),
            conditions: Arc::default(),
        }
        .checked()
    }

    /// The claim as Holzmann and Kupferman check it (SPIN 1996): if it is not known to be closed
    /// under stuttering, its closure is looked for, which reductions preserve. No run of the
    /// closure: none is forbidden. A run of it: the claim itself decides. A claim that is too large
    /// to be closed stays as it is.
    pub(crate) fn closed(self) -> Claim {
        if self.is_stutter_invariant {
            return self;
        }
        match stutter_closure(&self.automaton) {
            Some(closure) => Claim {
                automaton: closure.state_based(),
                generalised: Some(closure),
                is_closure: true,
                is_stutter_invariant: true,
                ..self
            },
            None => self,
        }
    }

    /// If a closure is looked for: what forbids all that it accepts, and not only what was given.
    pub fn closure(&self) -> Option<Claim> {
        let fault = Fault { message: NOT_CLOSED.to_owned(), ..self.fault.clone() };
        self.is_closure.then(|| Claim { is_closure: false, given: None, fault, ..self.clone() })
    }

    /// The same, but of these runs only those count that are fair.
    #[must_use]
    pub fn under(self, fairness: Fairness) -> Claim {
        Claim { fairness, ..self }
    }

    /// The automaton with generalised acceptance on transitions.
    pub(crate) fn generalised(&self) -> &Automaton {
        self.generalised.as_ref().unwrap_or(&self.automaton)
    }

    /// The states that the automaton comes to on just these runs, if there are such. Then to look
    /// for beginnings of runs is enough: each goes on, and in a fair way, too. Not for a closure:
    /// what is accepted then is for the claim as it was given to judge, run by run.
    pub(crate) fn sinks(&self) -> Option<BitSet<StateId>> {
        match self.finite {
            FiniteRuns::Stutter if !self.is_closure => sinks(&self.automaton),
            _ => None,
        }
    }

    /// If a run is forbidden because it comes to a state that is: which states are, as values of
    /// propositions by number, of which all of one cube must be so.
    pub(crate) fn forbidden_states(&self) -> Option<Vec<Cube>> {
        let sinks = self.sinks().filter(|_| self.is_invariant)?;
        let mut labels = self.automaton.labels.clone();
        let others = self.automaton.states().filter(|state| !sinks.contains(*state));
        let leading = others.flat_map(|state| &self.automaton.edges[state]).filter(|edge| sinks.contains(edge.target));
        let mut cubes: Vec<Cube> = leading.flat_map(|edge| labels.cubes(edge.label)).collect();
        cubes.sort_unstable();
        cubes.dedup();
        Some(cubes)
    }

    /// Refuses propositions that have no meaning outside of processes.
    fn checked(self) -> Result<Claim, ClaimError> {
        for proposition in &self.propositions {
            if proposition.contains(&|kind| matches!(kind, ExprKind::Timeout | ExprKind::Enabled(_))) {
                let message = "`timeout` and `enabled` are not supported in a property";
                return Err(ClaimError::Unsupported(Box::new(Diagnostic::error(proposition.span, message))));
            }
        }
        Ok(self)
    }
}

impl Forbids for Claim {
    fn propositions(&self) -> &[Expr] {
        &self.propositions
    }

    fn fault(&self) -> &Fault {
        &self.fault
    }

    fn forbids(&self, word: &Lasso) -> bool {
        let automaton = self.given.as_ref().unwrap_or(&self.automaton);
        automaton.accepts(word) && self.formula.as_ref().is_none_or(|formula| word.satisfies(formula))
    }

    fn forbids_whatever_follows(&self, beginning: &[Letter]) -> bool {
        prefix::is_sure(&self.automaton, beginning)
            && self.formula.as_ref().is_none_or(|formula| prefix::is_hopeless(&formula.clone().negated(), beginning))
            && prefix::continuations(beginning, self.propositions.len()).iter().all(|word| self.forbids(word))
    }

    fn fairness(&self) -> Fairness {
        self.fairness
    }
}

/// What is said of a run that only the closure of a claim accepts.
const NOT_CLOSED: &str = "this run is not forbidden, but one that differs only in repeated states is: the claim is not closed under stuttering";

fn fault(message: String, span: Span) -> Fault {
    Fault { kind: FaultKind::Cycle, message, process: None, span, notes: Vec::new() }
}
