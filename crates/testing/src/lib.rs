//! For development only: what the tests across crates share.
//!
//! - [`random`]: small random models as text; [`questions`]: random expressions about any model;
//! - [`explore`]: complete searches on the reference semantics, the way every test here runs a
//!   model;
//! - [`machine_code`]: is it the interpreter's equal, transition by transition? [`exact`]: commands
//!   on exact integers, evaluated on wider ones;
//! - [`plans`]: ways to check, each with the same verdict as the full search; [`two_processes`]:
//!   all models of a small kind;
//! - [`ahead`]: what covers states or computes their classes, by relations and by answers;
//! - [`predicates`]: refinement by predicates, by the structure it explores and by answers;
//! - [`threads`]: the same searches on several threads, with the default store, as machine code:
//!   are the counts equal?
//! - [`spin`]: the same question asked of Spin, where it is installed; [`shrink`]: smaller models
//!   that still disagree;
//! - [`corpus`]: models by other people with Spin's answers, where they lie beside the checkout;
//!   [`corpus_check`]: do we agree?
//! - [`whole_state`]: every expression that reads the whole state in every place that evaluates
//!   one, with Spin's answers;
//! - [`keys`]: every state read back from its key;
//! - [`header`]: what the examples say of themselves; [`mutate`]: damaged texts for the front ends;
//! - [`tidy`]: the rules of the code base.

pub mod ahead;
pub mod corpus;
pub mod corpus_check;
pub mod exact;
pub mod explore;
pub mod header;
pub mod keys;
pub mod machine_code;
pub mod mutate;
pub mod plans;
pub mod predicates;
pub mod process_moves;
pub mod questions;
pub mod random;
pub mod shrink;
pub mod spin;
pub mod threads;
pub mod tidy;
pub mod two_processes;
pub mod whole_state;

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn workspace_root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_path_buf()
}
