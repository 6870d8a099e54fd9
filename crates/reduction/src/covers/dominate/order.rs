//! Which values of which variables cover others, and where that can be said at all.

use ample_model::ExprKind;
use ample_network::Network;

use super::uses::Uses;
use crate::NotHere;

/// Refuses models in which what a process may do depends on what others cannot.
pub(super) fn applies(network: &Network<'_>) -> Result<(), NotHere> {
    if network.is_guessed {
        return Err(NotHere("the processes of the model are not known for certain before it runs".to_owned()));
    }
    if network.model.uses.priorities {
        return Err(NotHere("priorities make what a process may do depend on what others cannot do".to_owned()));
    }
    let mut asks = false;
    for template in &network.model.templates {
        let mut look = |part: &ample_model::Expr| asks |= matches!(part.kind, ExprKind::Enabled(_));
        template.edges.iter().for_each(|edge| edge.walk(&mut look));
        template.provided.iter().for_each(|condition| condition.walk(&mut look));
    }
    if asks { Err(NotHere("`enabled()` asks what a process can do".to_owned())) } else { Ok(()) }
}

/// Which values of a variable cover others.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Better {
    Smaller,
    Larger,
}

/// The variables of which some values cover others.
pub(super) fn found<'u>(uses: &'u Uses<'_>) -> impl Iterator<Item = (usize, Better)> + 'u {
    let better = |cell: usize| match (&uses.of[cell].smaller, &uses.of[cell].larger) {
        (_, None) => Some((cell, Better::Smaller)),
        (None, Some(_)) => Some((cell, Better::Larger)),
        (Some(_), Some(_)) => None,
    };
    let open = (0..uses.of.len()).filter(|cell| uses.is_candidate(*cell) && uses.of[*cell].obstacle.is_none());
    open.filter_map(better)
}
