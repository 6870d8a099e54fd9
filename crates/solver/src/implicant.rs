//! A few literals that make a formula true, out of those that the search made true: what was
//! decided although nothing needs it would only make a conjunction harder.

use batsat::Lit;

/// A formula of literals of the search.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    Literal(Lit),
    All(Vec<Goal>),
    Any(Vec<Goal>),
}

/// Literals that are taken: by variable.
#[derive(Default)]
pub(crate) struct Implicant {
    is_taken: Vec<bool>,
    pub literals: Vec<Lit>,
}

impl Implicant {
    /// Takes literals that make the goal true, all of which are true.
    pub fn of(goal: &Goal, is_true: &dyn Fn(Lit) -> bool) -> Implicant {
        let mut implicant = Implicant::default();
        implicant.take(goal, is_true);
        implicant
    }

    fn take(&mut self, goal: &Goal, is_true: &dyn Fn(Lit) -> bool) {
        match goal {
            Goal::Literal(literal) => {
                let at = literal.var().idx() as usize;
                if at >= self.is_taken.len() {
                    self.is_taken.resize(at + 1, false);
                }
                if !std::mem::replace(&mut self.is_taken[at], true) {
                    self.literals.push(*literal);
                }
            }
            Goal::All(parts) => {
                // What has no choice comes first: it may be what others can choose.
                let (fixed, open): (Vec<&Goal>, Vec<&Goal>) =
                    parts.iter().partition(|part| !matches!(part, Goal::Any(_)));
                fixed.into_iter().chain(open).for_each(|part| self.take(part, is_true));
            }
            Goal::Any(parts) => {
                let cost = |part: &&Goal| self.cost(part, is_true);
                let cheapest = parts.iter().filter_map(|part| Some((cost(&part)?, part))).min_by_key(|found| found.0);
                if let Some((_, part)) = cheapest {
                    self.take(part, is_true);
                }
            }
        }
    }

    /// How many literals would be added; nothing if the goal is not true.
    fn cost(&self, goal: &Goal, is_true: &dyn Fn(Lit) -> bool) -> Option<usize> {
        match goal {
            Goal::Literal(literal) if !is_true(*literal) => None,
            Goal::Literal(literal) => {
                let is_taken = self.is_taken.get(literal.var().idx() as usize).copied().unwrap_or_default();
                Some(usize::from(!is_taken))
            }
            Goal::All(parts) => parts.iter().map(|part| self.cost(part, is_true)).sum(),
            Goal::Any(parts) => parts.iter().filter_map(|part| self.cost(part, is_true)).min(),
        }
    }
}
