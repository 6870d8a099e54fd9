//! Source files, positions in them, and diagnostics that show them.
//!
//! A [`Span`] says where a token is *spelt*, and through which macro or inline expansions it came
//! to be. A [`SourceMap`] turns that into what a reader wants to see. A [`Diagnostic`] is what a
//! front end has to say about a place; [`render`] prints it with an excerpt.
//!
//! A [`Request`] is what a front end is given to read.
//!
//! Invariant: no span makes this crate panic, however wrong. A span of another map, or one that is
//! out of range, shows as an empty place.

mod diagnostic;
mod loader;
mod render;
mod request;
mod source_map;
mod span;

pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use loader::{DiskLoader, FileLoader, LoadError, MAX_FILE_BYTES, MemoryLoader, decode};
pub use render::{Style, render};
pub use request::{ClaimText, FormulaText, InputRange, Request};
pub use source_map::{Expansion, ExpansionKind, Location, SourceFile, SourceMap, filled_lines};
pub use span::{ExpansionId, FileId, Span};
