//! The relations, one file each.

pub(crate) mod bisim;
pub(crate) mod branching_bisim;
pub(crate) mod deadlock;
pub(crate) mod inf_trace;
pub(crate) mod k_bisim;
pub(crate) mod reach;
pub(crate) mod sim;
pub(crate) mod stutter;
pub(crate) mod trace;
pub(crate) mod weak_bisim;
pub(crate) mod weak_bisim_div;
pub(crate) mod weak_sim;
pub(crate) mod weak_trace;
