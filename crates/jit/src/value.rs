//! Values in generated code: known now, at run time, or in memory.

use ample_model::Scalar;
use ample_network::{InstanceId, SlotPlace};
use cranelift_codegen::ir::{MemFlagsData, Value};

/// A value that is known now, or at run time.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Known {
    /// Known now.
    Constant(i64),
    /// Known at run time: 32 bits, or 64 where integers are exact.
    Value(Value),
}

/// Where an expression is evaluated.
#[derive(Copy, Clone)]
pub(crate) struct At {
    /// The state it reads.
    pub(crate) state: Value,
    /// The process that evaluates it.
    pub(crate) instance: InstanceId,
}

/// A scalar in memory: a pointer and how it is stored there.
#[derive(Copy, Clone)]
pub(crate) struct Memory {
    pub(crate) base: Value,
    pub(crate) place: SlotPlace,
    pub(crate) scalar: Scalar,
}

/// How generated code reads and writes memory.
pub(crate) fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
