//! Labels as text.

use crate::bdd::Cube;

/// How a label is written.
pub(crate) struct Notation {
    pub and: &'static str,
    pub or: &'static str,
    pub always: &'static str,
    pub never: &'static str,
    /// Whether a product among several stands in parentheses.
    pub has_parentheses: bool,
}

impl Notation {
    /// The disjunction of the cubes, with `name` for the propositions.
    pub(crate) fn write(&self, cubes: &[Cube], name: &dyn Fn(usize) -> String) -> String {
        let product = |cube: &Cube| {
            let literal = |number: usize| match (cube.positive >> number & 1, cube.negative >> number & 1) {
                (1, _) => Some(name(number)),
                (_, 1) => Some(format!("!{}", name(number))),
                _ => None,
            };
            let literals: Vec<String> = (0..64).filter_map(literal).collect();
            match literals.len() {
                0 => self.always.to_owned(),
                2.. if self.has_parentheses && cubes.len() > 1 => format!("({})", literals.join(self.and)),
                _ => literals.join(self.and),
            }
        };
        let products: Vec<String> = cubes.iter().map(product).collect();
        if products.is_empty() { self.never.to_owned() } else { products.join(self.or) }
    }
}
