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
        let (model, defines) = (self.model, defines.chain(inputs).collect::<String>());
        format!("ample check {model}{defines} {question}{fair} {flags}").trim_end().to_owned()
    }
}
