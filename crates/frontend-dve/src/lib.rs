//! The DVE front end.
mod lexer;
mod macros;
mod parser;
mod syntax;
