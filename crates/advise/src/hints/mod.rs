//! What the author could change in the model: what only he can know to be the same.
//!
//! One file a kind of hint:
//!
//! - [`alone`]: global variables that a single process uses;
//! - [`rows`]: statements in a row that others could be kept from looking between;
//! - [`values`]: variables with many values, and those with few in a wide type.

mod alone;
mod hint;
mod rows;
mod values;

use ample_check::Prepared;
use ample_model::Expr;

use crate::asked::Advise;
pub use hint::Hint;
use hint::{MOST, Subject};

/// All that can be said about a model. Nothing if there is no time to find out.
pub(crate) fn all(prepared: &Prepared<'_>, advise: &Advise<'_>, propositions: &[Expr]) -> Vec<Hint> {
    let system = prepared.system();
    let mut hints = Vec::new();
    if let Some(known) = system.reducible
        && known.find_out(&advise.stop.share(4)).is_ok()
    {
        let subject = Subject { network: known.network, facts: known.facts(), propositions };
        hints.extend(alone::hints(&subject).into_iter().take(MOST));
        hints.extend(rows::hints(&subject).into_iter().take(MOST));
    }
    hints.extend(values::hints(prepared, advise));
    hints
}
