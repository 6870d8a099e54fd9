//! What the table needs of a platform, in one place: the tests under loom and shuttle put theirs here.

pub(crate) use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
pub(crate) use std::sync::{RwLock, RwLockReadGuard};

/// The buckets of the smallest shard of a table at first.
pub(crate) const LEAST_BUCKETS: usize = 32;
