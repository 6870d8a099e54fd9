//! What a front end has to say about a model.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, but perhaps does not mean what its author thinks.
    Warning,
}

/// A place and what there is to say about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The words beside the carets; may be empty.
    pub message: String,
}

/// One message to the author of a model, with the places it is about and a way out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// Where it is wrong.
    pub primary: Option<Label>,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// More about the reason.
    pub notes: Vec<String>,
    /// The way out.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`, or, with `None`, about the model as a whole.
    pub fn error(span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, span.into(), message.into())
    }

    /// A warning at `span`, or, with `None`, about the model as a whole.
    pub fn warning(span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, span.into(), message.into())
    }

    fn new(severity: Severity, span: Option<Span>, message: String) -> Diagnostic {
        let primary = span.map(|span| Label { span, message: String::new() });
        Diagnostic { severity, message, primary, secondary: Vec::new(), notes: Vec::new(), help: None }
    }

    /// The words beside the carets. Without a place there are no carets, and they become a note.
    #[must_use]
    pub fn label(mut self, message: impl Into<String>) -> Diagnostic {
        match &mut self.primary {
            Some(label) => label.message = message.into(),
            None => self.notes.push(message.into()),
        }
        self
    }

    /// Another place that explains the message.
    #[must_use]
    pub fn secondary(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, message: message.into() });
        self
    }

    /// More about the reason.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.notes.push(note.into());
        self
    }

    /// The way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// The diagnostics of one model, in the order of their discovery.
///
/// Keeps the first [`Diagnostics::LIMIT`] errors and as many warnings, and counts the rest: a
/// binary file taken for a model must not fill the memory.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    kept: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Diagnostics {
    /// How many errors, and how many warnings, are kept.
    pub const LIMIT: usize = 50;

    /// An empty collector.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one, unless it is there already or there are too many of its severity.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.kept.contains(&diagnostic) {
            return;
        }
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= Diagnostics::LIMIT {
            self.kept.push(diagnostic);
        }
    }

    /// Whether the model cannot be used.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of errors, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// The number of warnings, kept or not.
    pub fn warning_count(&self) -> usize {
        self.warnings
    }

    /// The number of diagnostics that were counted but not kept.
    pub fn dropped_count(&self) -> usize {
        self.errors + self.warnings - self.kept.len()
    }

    /// The diagnostics that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.kept.iter()
    }

    /// The diagnostics that were kept, as a slice: what [`render`](crate::render) takes.
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.kept
    }

    /// The diagnostics that were kept.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.kept
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<J: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: J) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }
}
