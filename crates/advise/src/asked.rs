//! What is asked, and how much may be done.

use ample_check::{Fairness, Loop, Techniques};
use ample_interpret::Interpreter;
use ample_property::Property;
use ample_search::Limits;
use ample_stdx::Stop;

/// What is asked, and how much may be done.
pub struct Advise<'a> {
    /// The model.
    pub interpreter: &'a Interpreter<'a>,
    /// The properties that it names, and those of the command line.
    pub properties: &'a [Property],
    /// The names of the properties; none stands for `safety` and then every named property of the
    /// model.
    pub select: Vec<String>,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// When all must be over.
    pub stop: Stop,
    /// The limits of each search; the time is that of `stop`.
    pub limits: Limits,
    /// The techniques to try.
    pub techniques: Techniques,
    /// The under-approximation loops to try.
    pub loops: &'static [Loop],
}
