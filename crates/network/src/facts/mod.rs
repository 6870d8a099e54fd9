//! Static facts: what each transition of a network reads and writes, and which transitions
//! interfere with each other.
//!
//! Facts are tables over *identities*: a transition is named by its first move, so by an instance
//! and an edge, at a rendezvous by two of each. An `atomic` chain or a `d_step` is one transition
//! with everything that it may do. A chain with choices inside stands for several transitions of
//! the theory (theory.md 1.6); what is said here is true of each of them.
//!
//! Everything is conservative: in doubt, transitions depend on each other. One file a topic:
//!
//! - [`objects`]: what can be read and written; [`constant`]: which array element, channel or
//!   process is meant; [`risk`]: which expressions may fail;
//! - [`footprint`]: what is touched, and how; [`conjunct`]: the conditions of a guard;
//! - [`expression`], [`guard`], [`action`]: what expressions, guards and single edges touch;
//! - [`transition`]: what a whole transition touches; [`chain`]: found along an `atomic` chain and
//!   across a rendezvous; [`starts`]: where transitions begin;
//! - [`influence`]: what a transition may do to the guard of another; [`relations`]: which
//!   transitions accord, may enable or may disable each other;
//! - [`safety`]: where a process may go first (Holzmann and Peled); [`claims`]: who uses which end
//!   of a channel; [`numbering`]: whether process numbers make a difference; [`static_facts`]: all
//!   of this together;
//! - [`futures`]: which transitions a process may still take from its location on; [`necessary`]:
//!   necessary enabling sets.
//!
//! What others in the literature treat as reading everything is read exactly where that is
//! possible: `_nr_pr` reads the pool of process numbers, `pc_value()`, labels and `np_` read
//! control locations, a `provided` clause is part of every guard of its process. `enabled()`,
//! `_last` and priorities depend on everything; so does `timeout`, unless the guard simply waits
//! for it.
//!
//! If the processes of the network are guessed, the facts are about the guessed processes: they
//! hold in a state only if it and everything reachable from it fits the network. Whoever uses them
//! must then be ready to meet a state that does not ([`Facts::is_guessed`]).

mod action;
mod chain;
mod claims;
mod conjunct;
mod constant;
mod expression;
mod footprint;
mod futures;
mod guard;
mod ids;
mod influence;
mod necessary;
mod numbering;
mod objects;
mod relations;
mod risk;
mod safety;
mod starts;
mod static_facts;
mod touched;
mod transition;

pub use claims::{Claim, Users};
pub use futures::{Futures, Place};
pub use ids::{ChannelId, TransitionId};
pub use necessary::{GuardPart, Necessary, Test};
pub use numbering::{Numbering, moves_without_numbers, without_numbers};
pub use objects::{Object, ObjectId, Objects, channel_name, instance_name};
pub use relations::Conflict;
pub use safety::{Condition, Obstacle, Safety};
pub use static_facts::{Facts, instance_in};
pub use touched::{StateBits, Touched, read_bits};
pub use transition::{Identity, Taken, Transition};

pub use crate::InstanceId;
