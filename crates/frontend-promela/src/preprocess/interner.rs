//! Names as small numbers: a token is copied often and compared often.

use std::collections::HashMap;
use std::sync::Arc;

use ample_stdx::{IndexVec, typed_id};

typed_id! {
    /// The spelling of a token.
    pub(crate) struct Symbol;
}

/// All spellings met so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Interner {
    symbols: HashMap<Arc<str>, Symbol>,
    texts: IndexVec<Symbol, Arc<str>>,
}

impl Interner {
    /// The symbol of `text`.
    pub(super) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(text) {
            return symbol;
        }
        let text: Arc<str> = text.into();
        let symbol = self.texts.push(Arc::clone(&text));
        self.symbols.insert(text, symbol);
        symbol
    }

    /// The spelling of `symbol`.
    pub(super) fn text(&self, symbol: Symbol) -> &Arc<str> {
        &self.texts[symbol]
    }
}
