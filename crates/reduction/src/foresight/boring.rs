//! Boring states: no error can be reached from them, so they are not expanded (Pelánek, section
//! 3.4).
//!
//! The thesis names three ways to find them, and all three come out of one computation: the states
//! from which an error may be reached, backwards over locations and intervals. Where an error needs
//! a variable below some number, and the variable only grows, the interval below it is closed under
//! steps backwards: a progress function. Where the intervals do not settle, all data is forgotten:
//! an abstract model, searched backwards. Where that is still too large, it is the control flow of
//! single processes. What is computed is larger than the set of states from which an error can be
//! reached, and a state outside of it is boring.
//!
//! What is left out are whole futures. So no property of runs may be asked for, and a state that is
//! not expanded is not one that nothing leaves.

use ample_guarantee::{Guarantee, Part, PartKind};
use ample_network::Network;
use ample_network::facts::Facts;
use ample_transition::{Foresight, Outlook, SuccessorBuffer};

use super::backward::{Detail, closure};
use super::entry::{ForesightEntry, LooksFor};
use super::error::{applies, dangers};
use super::matcher::Matcher;
use super::region::Region;
use super::step::Steps;
use crate::NotHere;
use crate::canonizers::cells::Names;

/// States from which no error can be reached are not expanded.
pub static BORING: Part = Part {
    name: "boring",
    kind: PartKind::Foresight,
    summary: "states from which nothing that is looked for can be reached are not expanded",
    paper: Some("Pelánek: Reduction and abstraction techniques for model checking, section 3.4"),
    guarantee: Guarantee::ERRORS,
};

pub(super) const ENTRY: ForesightEntry = ForesightEntry { part: &BORING, joins: false, make };

fn make<'n>(
    network: &'n Network<'n>,
    facts: &'n Facts,
    looks_for: &LooksFor<'_>,
) -> Result<Box<dyn Foresight + 'n>, NotHere> {
    let names = Names::new(network, facts);
    let Interesting { regions, .. } = interesting(&names, looks_for)?;
    Ok(Box::new(Boring { matcher: Matcher::new(network, &names, &regions), size: network.layout.size as usize }))
}

/// The states from which an error may be reached.
pub(super) struct Interesting {
    pub regions: Vec<Region>,
    pub detail: Detail,
}

/// The states from which an error may be reached; an error if that may be all.
pub(super) fn interesting(names: &Names<'_>, looks_for: &LooksFor<'_>) -> Result<Interesting, NotHere> {
    applies(names.network, looks_for)?;
    let dangers = dangers(names, looks_for)?;
    let (regions, detail) = closure(&Steps::of(names), &dangers);
    let is_all = |region: &Region| region.within.is_empty() && region.at.is_empty();
    let covers_all = regions.iter().any(|region| is_all(region) || is_everywhere(names, region, &regions));
    match covers_all {
        true => {
            let name = dangers.first().map_or("an error", |danger| &danger.name);
            Err(NotHere(format!("for all that is known, {name} can be reached from everywhere")))
        }
        false => Ok(Interesting { regions, detail }),
    }
}

/// Whether a process is in one of these regions wherever it is, and it is always somewhere.
fn is_everywhere(names: &Names<'_>, region: &Region, all: &[Region]) -> bool {
    let Some((process, _)) = region.at.iter().next() else { return false };
    let is_of_process = |region: &&Region| region.within.is_empty() && region.at.len() == 1;
    let mut at = ample_stdx::BitSet::new();
    for one in all.iter().filter(is_of_process).filter_map(|region| region.at.get(process)) {
        at.union_with(one);
    }
    let template = names.network.template(*process);
    crate::control::reachable(template).is_subset(&at)
        && usize::from(names.network.instances[*process].pid) < names.network.model.active.len()
        && !crate::control::can_end(template)
}

/// Leaves out what lies ahead of boring states.
struct Boring<'n> {
    matcher: Matcher<'n>,
    /// How many bytes a state has.
    size: usize,
}

impl Foresight for Boring<'_> {
    #[inline]
    fn look_ahead(&self, _: &Outlook<'_>, state: &[u8], buffer: &mut SuccessorBuffer) -> bool {
        let is_boring = state.len() == self.size && self.matcher.find(state).is_none();
        if is_boring {
            buffer.set_pruned();
        }
        is_boring
    }
}
