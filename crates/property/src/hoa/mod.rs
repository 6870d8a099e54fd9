//! The Hanoi omega-automata format, versions 1 and 1.1 (Babiak et al., CAV 2015).
//!
//! Read is what this crate can represent: automata without universal branching whose acceptance
//! asks for nothing to be seen finitely often only. Everything else is refused with the reason.

mod acceptance;
mod cursor;
mod header;
mod lexer;
mod reader;
mod writer;

pub use reader::{HoaAutomaton, read_hoa};
pub use writer::write_hoa;
