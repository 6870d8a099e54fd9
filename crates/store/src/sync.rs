//! What the table needs of a platform, in one place: the tests under loom and shuttle put theirs here.

pub(crate) use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
pub(crate) use std::sync::{RwLock, RwLockReadGuard};
