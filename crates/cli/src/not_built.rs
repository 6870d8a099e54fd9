//! What the design has and the program does not have yet: refused by name, so that nobody takes it
//! for a typing error.

/// Flags of `check`.
const FLAGS: &[&str] = &["--over", "--predicates-by", "--time", "--extrapolate", "--bounds", "--cover"];

/// Whether this flag of `check` is to come.
pub fn is_flag(name: &str) -> bool {
    FLAGS.contains(&name.split('=').next().unwrap_or(name))
}

/// The words.
pub fn refusal(name: &str) -> String {
    format!("`{name}` is not built yet")
}
