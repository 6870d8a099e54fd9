//! What the design has and the program does not have yet: refused by name, so that nobody takes it for a typing error.

/// Subcommands.
const COMMANDS: &[&str] = &["ltl", "inspect", "audit", "compare"];

/// Flags of `check`.
const FLAGS: &[&str] =
    &["--ltl", "--claim", "--por", "--proviso", "--emptiness", "--fair", "--under", "--pick", "--over", "--seed"];

/// Values of flags of `check`.
const VALUES: &[(&str, &[&str])] = &[];

/// Whether this subcommand is to come.
pub fn is_command(name: &str) -> bool {
    COMMANDS.contains(&name)
}

/// Whether this flag of `check` is to come.
pub fn is_flag(name: &str) -> bool {
    FLAGS.contains(&name.split('=').next().unwrap_or(name))
}

/// Whether this value of a flag is to come.
pub fn is_value(flag: &str, value: &str) -> bool {
    VALUES.iter().any(|(name, values)| *name == flag && values.contains(&value))
}

/// The words.
pub fn refusal(name: &str) -> String {
    format!("`{name}` is not built yet")
}
