//! A mutex whose owner may have panicked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, whether or not somebody panicked while it was locked. For what is whole after every
/// statement, so that a panic leaves nothing half done; the panic itself is reported by whoever
/// joins the thread.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
