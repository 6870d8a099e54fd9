//! Where a piece of text is spelt, and through which expansion it came to be.

use std::ops::Range;

use ample_stdx::typed_id;

typed_id! {
    /// Names a file of a [`SourceMap`](crate::SourceMap).
    #[derive(Default)]
    pub struct FileId;
}

typed_id! {
    /// Names one expansion of a macro or of an inline: one call, not one definition.
    pub struct ExpansionId;
}

/// A range of bytes in the spelling of a token or of a longer piece of text.
///
/// A token from the body of a macro is spelt in the definition of that macro; `expansion` leads to
/// the call. The arguments of a macro call are spelt where the caller wrote them, and keep their
/// own spans.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The file in which the text is spelt.
    pub file: FileId,
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
    /// The innermost expansion that brought the text here; none for what stands in a file as it is.
    pub expansion: Option<ExpansionId>,
}

impl Span {
    /// A span of plain text in a file, outside of all expansions.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end, expansion: None }
    }

    /// The same for a range of bytes as `str` counts them. Offsets have 32 bits; what lies beyond
    /// them is taken for the last one.
    pub fn of_bytes(file: FileId, bytes: Range<usize>) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(file, offset(bytes.start), offset(bytes.end))
    }

    /// From the start of `self` to the end of `other`.
    ///
    /// Both must lie in the same file and the same expansion, in this order; otherwise there is no
    /// such range, and `self` is given. [`SourceMap::join`](crate::SourceMap::join) tries harder.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.is_beside(other) && self.start <= other.end {
            Span { end: self.end.max(other.end), ..self }
        } else {
            self
        }
    }

    /// The empty span just after this one.
    #[must_use]
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// Whether the two spans lie in the same file and the same expansion.
    pub fn is_beside(self, other: Span) -> bool {
        self.file == other.file && self.expansion == other.expansion
    }
}
