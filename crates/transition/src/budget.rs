//! The memory that a search may use, counted in one place for store, stacks and queues.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A store that cannot take another state: the search must stop and say so.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StoreFull;

/// An account of bytes, shared by all who draw on it.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    limit: usize,
    used: AtomicUsize,
    peak: AtomicUsize,
}

impl Budget {
    /// So many bytes.
    pub fn new(limit: usize) -> Self {
        Budget(Arc::new(Account { limit, used: AtomicUsize::new(0), peak: AtomicUsize::new(0) }))
    }

    /// Without a limit.
    pub fn unlimited() -> Self {
        Self::new(usize::MAX)
    }

    /// Takes `bytes`, or nothing if that would be more than there is.
    pub fn take(&self, bytes: usize) -> Result<(), StoreFull> {
        let account = &*self.0;
        let used = account.used.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if used > account.limit {
            account.used.fetch_sub(bytes, Ordering::Relaxed);
            return Err(StoreFull);
        }
        if used > account.peak.load(Ordering::Relaxed) {
            account.peak.fetch_max(used, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Gives back what was taken.
    pub fn give(&self, bytes: usize) {
        self.0.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The bytes in use.
    pub fn used(&self) -> usize {
        self.0.used.load(Ordering::Relaxed)
    }

    /// The most that was in use at a time.
    pub fn peak(&self) -> usize {
        self.0.peak.load(Ordering::Relaxed)
    }

    /// How many bytes there are in all; `None` without a limit.
    pub fn limit(&self) -> Option<usize> {
        Some(self.0.limit).filter(|limit| *limit < usize::MAX)
    }

    /// The bytes that are left.
    pub fn left(&self) -> usize {
        self.0.limit.saturating_sub(self.used())
    }
}
