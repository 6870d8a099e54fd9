//! The instantiated system: which processes there are, what each was given, and where everything
//! lies in a state of fixed length.
//!
//! The processes are known before the search if one process creates all others in a way that no
//! other can influence. Otherwise they are guessed, from runs of the interpreter: a state whose
//! processes are not as guessed does not fit, and whoever uses the network keeps it in another
//! form.

mod constants;
mod evaluate;
pub mod facts;
mod instance;
mod instantiate;
mod interval;
mod intervals;
mod lanes;
mod layout;
mod network;
mod observe;
mod packed;
mod reach;
mod writes;

pub use instance::{Instance, InstanceId};
pub use instantiate::{General, instantiate};
pub use interval::{Interval, compared_numbers, negated};
pub use layout::{ChannelPlace, FramePlace, Layout, SlotPlace};
pub use network::{Fill, Network};
pub use packed::Packed;
