//! What the passes share: what is known of the model so far.

use ample_model::{ChannelType, ChannelTypeId, Frame, Uses};
use ample_source::{Diagnostic, Diagnostics, SourceMap, Span};
use ample_stdx::IndexVec;

use crate::lower::symbols::Symbols;

/// A model in the making.
pub(crate) struct Lowering<'s, 'd> {
    pub(super) sources: &'s SourceMap,
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) symbols: Symbols,
    pub(super) globals: Frame,
    pub(super) channels: IndexVec<ChannelTypeId, ChannelType>,
    pub(super) uses: Uses,
    /// Counts declarations and statements: a name can be used only after its declaration.
    pub(super) order: u32,
}

impl Lowering<'_, '_> {
    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// A priority, which also means that priorities matter.
    pub(super) fn priority(&mut self, value: i32, span: Span) -> u8 {
        self.uses.priorities = true;
        match u8::try_from(value) {
            Ok(priority) if priority > 0 => priority,
            _ => {
                self.error(span, format!("a priority is a number from 1 to 255, not {value}"));
                1
            }
        }
    }
}
