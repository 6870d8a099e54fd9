//! The meaning of a model.
