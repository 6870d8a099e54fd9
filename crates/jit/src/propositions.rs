//! The propositions of a property: one function that tells which of them are true in a state.
//!
//! It reads a state where it lies and changes nothing. If a proposition has no value, the function
//! says no more than that: the interpreter evaluates all of them again and knows what is wrong.

use ample_model::{Expr, ExprKind, Scope};
use ample_network::Network;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use cranelift_codegen::isa::TargetFrontendConfig;

use crate::Compiled;
use crate::generate::Generator;
use crate::machine::LetterCode;
use crate::not_compiled::{Generated, NotCompiled, check_parts};
use crate::value::{Known, flags};

/// A letter has so many bits.
const MOST_PROPOSITIONS: usize = 64;

/// The propositions of a property as machine code.
pub struct CompiledPropositions {
    code: LetterCode,
}

impl Compiled<'_> {
    /// Compiles propositions about the states of this system, or says why they cannot be compiled.
    pub fn propositions(&self, expressions: &[Expr]) -> Result<CompiledPropositions, NotCompiled> {
        CompiledPropositions::new(self.network(), expressions)
    }
}

impl CompiledPropositions {
    /// Compiles propositions about the states of a network, or says why they cannot be compiled.
    pub fn new(network: &Network<'_>, expressions: &[Expr]) -> Result<CompiledPropositions, NotCompiled> {
        if expressions.len() > MOST_PROPOSITIONS {
            return Err(NotCompiled(format!("more than {MOST_PROPOSITIONS} propositions are interpreted")));
        }
        check_parts(network.model)?;
        expressions.iter().try_for_each(asked_from_outside)?;
        Ok(CompiledPropositions { code: LetterCode::build(network, expressions)? })
    }

    /// The propositions that are true in a state, as bits. `None` if one of them has no value, or
    /// the state is one that machine code does not read: then the interpreter must look at it.
    #[inline]
    pub fn letter(&self, state: &[u8]) -> Option<u64> {
        self.code.letter(state)
    }
}

/// Refuses what only a process can ask.
fn asked_from_outside(expr: &Expr) -> Result<(), NotCompiled> {
    let is_inside = |kind: &ExprKind| match kind {
        ExprKind::Pid => true,
        ExprKind::Read(place) => place.scope == Scope::Local,
        _ => false,
    };
    match expr.contains(&is_inside) {
        true => Err(NotCompiled("a proposition about the process that evaluates it is interpreted".to_owned())),
        false => Ok(()),
    }
}

impl Generator<'_, '_> {
    /// Generates the function. Parameters: the state, where the letter goes. Result: 1, or 0 if the
    /// interpreter must look at the state.
    pub(crate) fn letter_function(mut self, expressions: &[Expr], target: TargetFrontendConfig) -> Generated<()> {
        self.outside = true;
        let (out, at) = (self.next_record(), self.before());
        let mut letter = self.builder.ins().iconst(types::I64, 0);
        for (number, expression) in expressions.iter().enumerate() {
            let value = self.expression(expression, at)?;
            let bit = match self.compare(IntCC::NotEqual, value, Known::Constant(0)) {
                Known::Constant(0) => continue,
                truth => self.value(truth),
            };
            let bit = self.widened(bit);
            let bit = self.builder.ins().ishl_imm_u(bit, number as i64);
            letter = self.builder.ins().bor(letter, bit);
        }
        self.builder.ins().store(flags(), letter, out, 0);
        let written = self.builder.ins().iconst(types::I64, 1);
        self.builder.ins().return_(&[written]);
        self.finish_function(0, target);
        Ok(())
    }
}
