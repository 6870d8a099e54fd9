//! The sets of checks that every model has, by name.

use ample_property::Property as Named;

/// What the full name of a built-in set begins with. No identifier of a language does.
pub(crate) const BUILT_IN_PREFIX: &str = "builtin:";

/// The sets of checks that every model has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// No assertion fails.
    Assertions,
    /// Where nothing can move, every process may end.
    EndStates,
    /// Both, no run-time error, and what `trace` and `notrace` demand.
    Safety,
    /// The claims of `xr` and `xs` are true.
    Exclusive,
    /// No cycle without progress.
    Progress,
    /// No cycle through an accepting location.
    Accept,
}

impl BuiltIn {
    /// All sets.
    pub const ALL: [BuiltIn; 6] = [
        BuiltIn::Assertions,
        BuiltIn::EndStates,
        BuiltIn::Safety,
        BuiltIn::Exclusive,
        BuiltIn::Progress,
        BuiltIn::Accept,
    ];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Assertions => "assertions",
            BuiltIn::EndStates => "end-states",
            BuiltIn::Safety => "safety",
            BuiltIn::Exclusive => "exclusive",
            BuiltIn::Progress => "progress",
            BuiltIn::Accept => "accept",
        }
    }

    /// The name that means this set whatever properties a model has: `builtin:safety`.
    pub fn full_name(self) -> String {
        format!("{BUILT_IN_PREFIX}{}", self.name())
    }

    /// The set with this name, whether it is the short or the full one.
    pub fn named(name: &str) -> Option<BuiltIn> {
        let short = name.strip_prefix(BUILT_IN_PREFIX).unwrap_or(name);
        BuiltIn::ALL.into_iter().find(|set| set.name() == short)
    }

    /// The name in reports on a model with these properties: the short one, unless one of them is
    /// called so.
    pub(crate) fn name_beside(self, properties: &[Named]) -> String {
        let is_taken = properties.iter().any(|property| property.name == self.name());
        if is_taken { self.full_name() } else { self.name().to_owned() }
    }
}
