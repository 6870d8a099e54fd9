//! Marks on transitions that like processes share.
//!
//! A cycle of the quotient is one of the system in which processes have exchanged their parts. So
//! what was decided about the transitions of a process before the search, so that no cycle goes
//! without it, must be decided alike for all that may take its place (Emerson, Jha and Peled:
//! Combining partial order and symmetry reductions, 1997).

use std::collections::{BTreeMap, BTreeSet};
use std::mem::{Discriminant, discriminant};

use ample_model::{Action, LocationId};
use ample_network::Network;
use ample_network::facts::{Facts, Identity, InstanceId, Taken, TransitionId};
use ample_stdx::BitSet;

use super::generators::{Position, families};

/// What a permutation keeps of an edge, at least: which family it is of, from where to where it
/// leads, and what kind of action it has.
type Likeness = (usize, LocationId, LocationId, u64);

/// Adds all transitions that a permutation of like processes may take for one of these.
pub(super) fn closed(network: &Network<'_>, facts: &Facts, mut marked: BitSet<TransitionId>) -> BitSet<TransitionId> {
    let mut family: BTreeMap<InstanceId, usize> = BTreeMap::new();
    for (number, positions) in families(network).iter().enumerate() {
        family.extend(positions.iter().flat_map(Position::instances).map(|instance| (*instance, number)));
    }
    let alone = network.instances.len();
    let mut kinds: Vec<Discriminant<Action>> = Vec::new();
    let mut likeness = |taken: Taken| -> Likeness {
        let edge = &network.template(taken.instance).edges[taken.edge];
        let kind = discriminant(&edge.action);
        let known = kinds.iter().position(|other| *other == kind);
        let kind = known.unwrap_or_else(|| {
            kinds.push(kind);
            kinds.len() - 1
        });
        let of = family.get(&taken.instance).copied();
        let of = of.unwrap_or(alone + ample_stdx::TypedId::index(taken.instance));
        (of, edge.source, edge.target, kind as u64)
    };
    let mut of = |identity: &Identity| identity.participants().map(&mut likeness).collect::<Vec<_>>();
    let like: BTreeSet<Vec<Likeness>> = marked.iter().map(|id| of(&facts.transitions()[id].identity)).collect();
    let more = facts.transitions().iter_enumerated().filter(|(_, transition)| like.contains(&of(&transition.identity)));
    marked.extend(more.map(|(id, _)| id).collect::<Vec<_>>());
    marked
}
