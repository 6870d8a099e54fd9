//! The properties: the processes that are claims, and the propositions of formulas and automata.

use ample_model::Expr as Out;
use ample_property::Property;

use super::lowering::{Here, Lowering};
use crate::syntax::Expr;

impl Lowering<'_, '_> {
    /// The processes of the text that are properties.
    pub(super) fn claims(&mut self) -> Vec<Property> {
        let program = self.program;
        let named = program.system.as_ref().and_then(|system| system.property.as_ref());
        if let Some(name) = named
            && !program.processes.iter().any(|process| process.name.text == name.text)
        {
            self.unknown_process(name);
        }
        let mut properties = Vec::new();
        for process in &program.processes {
            if self.is_of_property(process) {
                properties.push(self.claim(process));
            }
        }
        properties
    }

    /// An expression that is looked at from outside of all processes.
    pub(super) fn proposition(&mut self, expr: &Expr) -> Out {
        self.expression(expr, &Here::default())
    }
}
