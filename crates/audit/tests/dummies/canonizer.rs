//! A global variable that counts for nothing is always 0.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_model::{Expr, ExprKind, Scope};
use ample_network::Network;
use ample_reduction::{CanonizerEntry, NotHere, Visible};
use ample_transition::{Canonizer, Scratch};

use super::part;

static FORGET_NOISE: Part = part("forget-noise", PartKind::Canonizer, Guarantee::EXACT);
static FORGET_SIGNAL: Part = part("forget-signal", PartKind::Canonizer, Guarantee::EXACT);

pub const RIGHT: CanonizerEntry = CanonizerEntry {
    part: &FORGET_NOISE,
    is_automatic: true,
    make: |network, _, visible, _| make("noise", network, visible),
    close: None,
};

/// Others read it.
pub const WRONG: CanonizerEntry = CanonizerEntry {
    part: &FORGET_SIGNAL,
    is_automatic: false,
    make: |network, _, visible, _| make("signal", network, visible),
    close: None,
};

fn make<'n>(
    name: &str,
    network: &'n Network<'n>,
    visible: &Visible<'_>,
) -> Result<Option<Box<dyn Canonizer + 'n>>, NotHere> {
    let Some((slot, _)) = network.model.globals.slots.iter_enumerated().find(|(_, slot)| slot.name == name) else {
        return Ok(None);
    };
    let mut is_read = false;
    let mut look = |expr: &Expr| {
        is_read |= matches!(&expr.kind, ExprKind::Read(place) if place.scope == Scope::Global && place.first == slot);
    };
    visible.propositions.iter().for_each(|proposition| proposition.walk(&mut look));
    if is_read {
        return Err(NotHere(format!("the property reads `{name}`")));
    }
    let place = network.layout.globals[slot];
    let first = place.offset as usize;
    Ok(Some(Box::new(Forget { first, end: first + usize::from(place.width) })))
}

struct Forget {
    first: usize,
    end: usize,
}

impl Canonizer for Forget {
    fn canonize(&self, state: &mut [u8], _: &mut Scratch) -> bool {
        let bytes = &mut state[self.first..self.end];
        let is_changed = bytes.iter().any(|byte| *byte != 0);
        bytes.fill(0);
        is_changed
    }
}
