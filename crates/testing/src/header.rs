//! What the examples say of themselves in their first comment.

/// The expectations in a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// `expect: safety holds` or `violated`.
    pub safety_holds: Option<bool>,
    /// `states: N transitions: M`, of the complete search without reduction.
    pub counts: Option<(u64, u64)>,
}

/// Reads the header of a model.
pub fn read(text: &str) -> Header {
    let mut header = Header::default();
    for line in text.lines().take_while(|line| !line.contains("*/")) {
        let line = line.trim().trim_start_matches(['/', '*']).trim();
        if let Some(verdict) = line.strip_prefix("expect: safety ") {
            header.safety_holds = match verdict.trim() {
                "holds" => Some(true),
                "violated" => Some(false),
                _ => None,
            };
        }
        if let ["states:", states, "transitions:", transitions, ..] = line.split_whitespace().collect::<Vec<_>>()[..] {
            header.counts = states.parse().ok().zip(transitions.parse().ok());
        }
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_the_first_comment() {
        let text = "/*\n * Wrong.\n *\n * expect: safety violated\n * states: 36 transitions: 64\n */\nbyte x; // states: 1 transitions: 1\n";
        assert_eq!(read(text), Header { safety_holds: Some(false), counts: Some((36, 64)) });
        assert_eq!(read("byte x;\n"), Header::default());
    }
}
