//! What `inspect` is about.

use ample_model::{EdgeId, LocationId, SlotId, TemplateId};
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
    /// The variables of a process that nobody will read again after an edge of it.
    pub dead: &'a dyn Fn(TemplateId, EdgeId) -> Vec<SlotId>,
    /// Whether a process that comes to a location goes on at once, if `merge` is asked for.
    pub is_passed: &'a dyn Fn(TemplateId, LocationId) -> bool,
    /// Why `merge` does not apply to the model, if it does not.
    pub not_merged: Option<&'a str>,
    /// Whether an edge of a process does nothing, or less, where only assertions are asked for; an
    /// error says why nothing is left out.
    pub sliced: Result<&'a dyn Fn(TemplateId, EdgeId) -> bool, &'a str>,
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
