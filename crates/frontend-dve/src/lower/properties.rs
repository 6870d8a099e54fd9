//! The properties: the process of the text, its formulas, and those from outside.

use ample_model::Expr as Out;
use ample_property::{ClaimAutomaton, Formula, Property, PropertyKind};

use super::Lowering;
use super::expressions::Here;
use crate::outer::OuterProperties;
use crate::syntax::Expr;

impl Lowering<'_, '_> {
    pub(super) fn properties(&mut self, outer: &OuterProperties) -> Vec<Property> {
        let mut properties = Vec::new();
        let program = self.program;
        let named = program.system.as_ref().and_then(|system| system.property.as_ref());
        if let Some(name) = named
            && !program.processes.iter().any(|process| process.name.text == name.text)
        {
            self.unknown_process(name);
        }
        for process in &program.processes {
            if self.is_of_property(process) {
                properties.push(self.claim(process));
            }
        }
        for named in &outer.formulas {
            let kind = PropertyKind::Ltl(self.formula(&named.formula));
            properties.push(Property { name: free_name(&named.name, &properties), kind, span: named.span });
        }
        for named in &outer.automata {
            let propositions = named.propositions.iter().map(|expr| self.proposition(expr)).collect();
            let claim = ClaimAutomaton { automaton: named.automaton.clone(), propositions };
            let kind = PropertyKind::Claim(Box::new(claim));
            properties.push(Property { name: free_name(&named.name, &properties), kind, span: named.span });
        }
        properties
    }

    fn formula(&mut self, formula: &Formula<Expr>) -> Formula {
        match formula {
            Formula::Proposition(expr) => Formula::Proposition(self.proposition(expr)),
            Formula::Unary(op, a) => Formula::Unary(*op, Box::new(self.formula(a))),
            Formula::Binary(op, a, b) => {
                let left = Box::new(self.formula(a));
                Formula::Binary(*op, left, Box::new(self.formula(b)))
            }
        }
    }

    /// An expression that is looked at from outside of all processes.
    fn proposition(&mut self, expr: &Expr) -> Out {
        self.expression(expr, &Here::default())
    }
}

/// The name, with a number if there is a property of that name.
fn free_name(wanted: &str, properties: &[Property]) -> String {
    let is_free = |name: &str| properties.iter().all(|property| property.name != name);
    let numbered = (2..).map(|number| format!("{wanted}_{number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|name| is_free(name)).unwrap_or_default()
}
