//! What `inspect` is about.

use ample_model::{EdgeId, LocationId, TemplateId};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_source::SourceMap;

/// A network with what the static analyses found of it.
pub struct InspectedModel<'a> {
    /// The processes of the model.
    pub network: &'a Network<'a>,
    /// What was found.
    pub facts: &'a Facts,
    /// The text of the model.
    pub sources: &'a SourceMap,
    /// The variables that nobody will read again after an edge.
    pub dead: &'a dyn Fn(TemplateId, EdgeId) -> Vec<String>,
    /// Whether a process that comes to a location goes on at once, if `merge` is asked for.
    pub is_passed: &'a dyn Fn(TemplateId, LocationId) -> bool,
    /// Whether an edge begins a loop of which `merge` makes one step.
    pub is_loop: &'a dyn Fn(TemplateId, EdgeId) -> bool,
    /// Why `merge` does not apply to the model, if it does not.
    pub not_merged: Option<&'a str>,
    /// Whether an edge of a process does nothing, or less, where only assertions are asked for; an
    /// error says why nothing is left out.
    pub sliced: Result<&'a dyn Fn(TemplateId, EdgeId) -> bool, &'a str>,
    /// The global variables and fields of messages that `dead-globals` resets at times.
    pub dead_at_times: &'a [String],
    /// What canonizers found, and what stands in their way.
    pub findings: &'a [Finding],
}

/// What a canonizer found, or what stands in its way.
pub struct Finding {
    /// What stands before each sentence.
    pub label: &'static str,
    /// The name of the list in the JSON object.
    pub key: &'static str,
    /// One sentence for each finding, without its full stop.
    pub sentences: Vec<String>,
}
