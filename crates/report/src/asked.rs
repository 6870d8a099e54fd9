//! What was asked, in the words of the command line, so that it can be asked again.

use ample_source::InputRange;

/// What was asked.
#[derive(Copy, Clone, Debug)]
pub struct Asked<'a> {
    /// The model.
    pub model: &'a str,
    /// Its macros.
    pub defines: &'a [(String, String)],
    /// The ranges of its inputs.
    pub inputs: &'a [InputRange],
    /// The fairness, if one was named.
    pub fair: Option<&'a str>,
    /// The properties of the command line: their names, and how they were given.
    pub given: &'a [(String, String)],
}

impl Asked<'_> {
    /// The command that asks about a property with these flags.
    pub fn command(&self, property: &str, flags: &str) -> String {
        let defines = self.defines.iter().map(|(name, value)| format!(" -D {name}={value}"));
        let given = self.given.iter().find(|(name, _)| name == property).map(|(_, flag)| flag.clone());
        let question = given.unwrap_or_else(|| format!("-p {property}"));
        let fair = self.fair.map(|fair| format!(" --fair {fair}")).unwrap_or_default();
        let inputs = self.inputs.iter().map(|input| format!(" --input {input}"));
        let (model, defines) = (quoted(self.model), defines.chain(inputs).collect::<String>());
        format!("ample check {model}{defines} {question}{fair} {flags}").trim_end().to_owned()
    }
}

/// A name as a shell takes it.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_./:@%+=,-".contains(c);
    if name.chars().all(is_plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_copied() {
        let given = [("formula".to_owned(), "--ltl '[] p'".to_owned())];
        let asked = Asked {
            model: "a b&c.pml",
            defines: &[("N".to_owned(), "3".to_owned())],
            inputs: &[],
            fair: None,
            given: &given,
        };
        assert_eq!(asked.command("safety", "--por static"), "ample check 'a b&c.pml' -D N=3 -p safety --por static");
        let asked = Asked { model: "m.pml", fair: Some("weak"), ..asked };
        assert_eq!(asked.command("formula", ""), "ample check m.pml -D N=3 --ltl '[] p' --fair weak");
    }
}
