//! The second search after one with a reduction or a cover.
//!
//! Which states such a search visits may depend on the order in which it visits them, so that a
//! state at fault need not turn up a second time. But a fault of the same kind at the same place
//! does: that is what both preserve. So the second search, breadth first and with
//! parents, looks for faults and not for states.

use ample_transition::{Candidate, Fault, Seen, StoreFull};

use crate::candidate::choose;
use crate::control::Control;
use crate::outcome::Found;
use crate::search_tree::{SearchTree, Visit};
use crate::trace::trace_along;

/// Traces to faults like these, and the faults of which none was found because memory or time ran
/// out or `still_working`, which is asked for each state, said no.
pub(crate) fn find_again(
    control: &Control<'_>,
    faults: Vec<Fault>,
    still_working: &mut dyn FnMut() -> bool,
) -> (Vec<Found>, Vec<Fault>) {
    let mut search = FaultSearch { control, missing: faults, found: Vec::new() };
    if !search.missing.is_empty()
        && let Some(store) = (control.make_exact_store)()
    {
        let mut tree = SearchTree::new(&*store, control.budget);
        let mut candidate = Candidate::default();
        // If memory runs out, some faults may have been found all the same.
        let _ = tree.grow(control, |tree, visit| {
            search.look(tree, visit);
            search.follow(tree, visit, &mut candidate)?;
            Ok(!search.missing.is_empty() && still_working())
        });
    }
    (search.found, search.missing)
}

/// A search for faults among the states that a reduction or a cover leaves.
struct FaultSearch<'s, 'a> {
    control: &'s Control<'a>,
    /// The faults that were not found yet.
    missing: Vec<Fault>,
    found: Vec<Found>,
}

impl FaultSearch<'_, '_> {
    /// Looks for the faults of a state and of the transitions that leave it, also of those outside
    /// the reduced set.
    fn look(&mut self, tree: &mut SearchTree<'_>, visit: Visit<'_>) {
        if visit.successors.is_terminal() {
            let fault = self.control.system.invalid_end(visit.state);
            return fault.into_iter().for_each(|fault| self.meet(&fault, tree, visit.position, None));
        }
        if visit.successors.has_faults() {
            for (number, successor) in visit.successors.iter().enumerate() {
                successor.faults.iter().for_each(|fault| self.meet(fault, tree, visit.position, Some(number)));
            }
        }
    }

    /// Notes a fault of the state at this position, or of a transition that leaves it.
    fn meet(&mut self, fault: &Fault, tree: &mut SearchTree<'_>, position: usize, successor: Option<usize>) {
        let is_it = |missing: &mut Fault| missing.kind == fault.kind && missing.span == fault.span;
        if self.missing.extract_if(.., is_it).count() > 0 {
            let trace = trace_along(self.control.system, tree.path_to(position), successor);
            self.found.push(Found::new(fault.clone(), trace));
        }
    }

    /// Adds the successors by the first candidate that is accepted. A condition that looks at the
    /// search is replaced: this search has no path and notes no beginnings, and asks for a new
    /// state instead, which is enough for the same properties.
    fn follow(&self, tree: &mut SearchTree<'_>, visit: Visit<'_>, candidate: &mut Candidate) -> Result<(), StoreFull> {
        let Visit { state, successors, position } = visit;
        let Some(reduction) = &self.control.reduction else {
            tree.add(successors.iter().filter_map(|successor| successor.state), position)?;
            return Ok(());
        };
        let condition = reduction.condition;
        let is_replaced = !condition.needs().is_nothing();
        for number in 0.. {
            let is_proper = choose(reduction, state, successors, number, candidate);
            let chosen = || candidate.transitions.iter().filter_map(|&number| successors.get(number)?.state);
            let adds = tree.add(chosen(), position)?;
            let is_accepted =
                || if is_replaced { adds } else { condition.accepts(&vec![Seen::default(); chosen().count()]) };
            if !is_proper || candidate.leads_on(successors) && is_accepted() {
                break;
            }
        }
        Ok(())
    }
}
