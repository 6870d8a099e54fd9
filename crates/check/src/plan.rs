//! From options to a plan and the parts that carry it out.

use ample_guarantee::{Part, Plan, parts};
use ample_search::{Ended, Limit, Limits, ORDERS, OrderEntry};
use ample_store::{STORES, StoreEntry};

use crate::{CheckError, Choice, Options, Reduce};

/// A plan with what is needed to run it.
pub(crate) struct Planned {
    pub plan: Plan,
    pub order: &'static OrderEntry,
    pub store: &'static StoreEntry,
}

/// Chooses the parts.
pub(crate) fn make(options: &Options, execution: &'static Part) -> Result<Planned, CheckError> {
    let order = choose("order", &options.order, ORDERS, |entry| entry.part)?;
    let store = choose("store", &options.store, STORES, |entry| entry.part)?;
    if let Reduce::List(names) = &options.reduce {
        // No reduction is built yet: every name is unknown, and `auto` and `none` are the same.
        let name = names.first().map_or("", String::as_str);
        return Err(CheckError::unknown_name("reduction", name, []));
    }
    Ok(Planned { plan: Plan::reference().with(execution).with(order.part).with(store.part), order, store })
}

fn choose<T>(
    what: &'static str,
    choice: &Choice,
    entries: &'static [T],
    part: impl Fn(&T) -> &'static Part,
) -> Result<&'static T, CheckError> {
    let name = match choice {
        Choice::Auto => entries.first().map_or("", |entry| part(entry).name),
        Choice::Named(name) => name,
    };
    entries
        .iter()
        .find(|entry| part(entry).name == name)
        .ok_or_else(|| CheckError::unknown_name(what, name, entries.iter().map(|entry| part(entry).name)))
}

/// The bound that cut a search off, and its value if it has one.
pub(crate) fn bound_reached(ended: Ended, limits: &Limits) -> Option<(&'static Part, Option<Limit>)> {
    match ended {
        Ended::Complete | Ended::FirstViolation => None,
        Ended::Limit(limit @ Limit::States(_)) => Some((&parts::MAX_STATES, Some(limit))),
        Ended::Limit(limit @ Limit::Depth(_)) => Some((&parts::MAX_DEPTH, Some(limit))),
        // The search was given what was left of the time.
        Ended::Limit(Limit::Time(left)) => Some((&parts::MAX_TIME, Some(Limit::Time(limits.max_time.unwrap_or(left))))),
        Ended::Limit(limit @ Limit::Memory(_)) => Some((&parts::MAX_MEMORY, Some(limit))),
        Ended::Interrupted => Some((&parts::INTERRUPTED, None)),
        Ended::StoreFull => Some(match limits.max_memory {
            Some(bytes) => (&parts::MAX_MEMORY, Some(Limit::Memory(bytes))),
            None => (&parts::STORE_FULL, None),
        }),
    }
}
