//! What the table needs of a platform, in one place: the tests under loom and shuttle put theirs
//! here.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Threads that read do not meet: each has a lock of its own to take, and who writes takes all of
/// them.
pub(crate) use crossbeam_utils::sync::{ShardedLock as RwLock, ShardedLockReadGuard as RwLockReadGuard};

/// The buckets of the smallest shard of a table at first.
pub(crate) const LEAST_BUCKETS: usize = 32;
