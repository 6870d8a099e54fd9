//! Colours, where they are wanted.

/// Whether colours are wanted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Colour {
    /// With escape sequences.
    Yes,
    /// Bare text.
    No,
}

/// What a piece of text is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Bad news.
    Bad,
    /// Good news.
    Good,
    /// Neither.
    Doubt,
    /// A heading.
    Heading,
    /// Of less interest.
    Faint,
}

impl Colour {
    /// The text in its colour. Nothing is added to an empty text.
    pub fn paint(self, paint: Paint, text: &str) -> String {
        let code = match (self, paint) {
            (Colour::No, _) => return text.to_owned(),
            (_, _) if text.is_empty() => return String::new(),
            (_, Paint::Bad) => "1;31",
            (_, Paint::Good) => "1;32",
            (_, Paint::Doubt) => "1;33",
            (_, Paint::Heading) => "1",
            (_, Paint::Faint) => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
