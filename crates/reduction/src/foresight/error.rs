//! Where what a question looks for may happen, as regions.

use ample_model::{Action, Edge, Expr, ExprKind, LocationId};
use ample_network::Network;
use ample_network::facts::{Facts, Futures, InstanceId, instance_name};
use ample_stdx::{BitSet, IndexVec};
use ample_transition::FaultKind;

use super::condition::Meaning;
use super::entry::LooksFor;
use super::region::{Region, nowhere};
use super::risk::Risks;
use crate::NotHere;
use crate::canonizers::cells::Names;
use crate::covers::ranges::Ranges;

/// Something that may go wrong.
pub(super) struct Danger {
    /// What it is, for people.
    pub name: String,
    /// All states in which it may happen, or that are it.
    pub region: Region,
}

/// Refuses networks of which too little is known.
pub(super) fn applies(network: &Network<'_>, looks_for: &LooksFor<'_>) -> Result<(), NotHere> {
    let no = |why: &str| Err(NotHere(why.to_owned()));
    let faults = looks_for.visible.faults;
    if network.is_guessed {
        return no("the processes of the model are not known for certain before it runs");
    }
    if looks_for.visible.processes {
        return no("it counts which processes are enabled");
    }
    if network.model.trace.is_some() && (!faults.is_empty()) {
        return no("a `trace` assertion watches every message");
    }
    if faults.contains(&FaultKind::Exclusive) {
        return no("where channels are used that another process claims is not computed");
    }
    if faults.is_empty() && looks_for.states.is_empty() {
        return no("the property asks for more than a state");
    }
    Ok(())
}

/// All that a question looks for. What is looked for happens in a state of one of the regions, or
/// the state is one itself.
pub(super) fn dangers(names: &Names<'_>, looks_for: &LooksFor<'_>) -> Result<Vec<Danger>, NotHere> {
    let ranges = Ranges::of(names);
    let risks = Risks { meaning: Meaning { names }, ranges: &ranges };
    let mut all = Vec::new();
    let faults = looks_for.visible.faults;
    let is_wanted = |kind: FaultKind| faults.contains(&kind);
    for process in names.network.instances.ids() {
        for edge in &names.network.template(process).edges {
            // A value that has no room in 64 bits is no error, but what follows is not known.
            if is_wanted(FaultKind::RuntimeError) || names.network.model.arithmetic == ample_model::Arithmetic::Exact {
                all.extend(failing(&risks, process, edge));
            }
            if is_wanted(FaultKind::Assertion) {
                all.extend(asserting(&risks, process, edge));
            }
        }
    }
    if is_wanted(FaultKind::InvalidEndState) {
        all.extend(ending(&risks));
    }
    states(&risks, looks_for, &mut all)?;
    Ok(all)
}

/// Where an edge may fail.
fn failing(risks: &Risks<'_, '_>, process: InstanceId, edge: &Edge) -> Option<Danger> {
    if !risks.of_edge(process, edge) {
        return None;
    }
    let mut region = Region { is_loose: true, ..Region::default() };
    region.place_at(process, edge.source)?;
    Some(Danger { name: name(risks, process, edge, "a run-time error at"), region })
}

/// Where an assertion may be false.
fn asserting(risks: &Risks<'_, '_>, process: InstanceId, edge: &Edge) -> Vec<Danger> {
    let Action::Assert(condition) = &edge.action else { return Vec::new() };
    let mut region = Region::default();
    let asker = Some(process);
    let is_possible = region.place_at(process, edge.source).and_then(|()| match &edge.guard {
        Some(guard) => risks.meaning.assume(&mut region, guard, true, asker),
        None => Some(()),
    });
    if is_possible.is_none() {
        return Vec::new();
    }
    let name = name(risks, process, edge, "a failure of");
    let danger = |region| Danger { name: name.clone(), region };
    risks.meaning.split(region, condition, false, asker).into_iter().map(danger).collect()
}

fn name(risks: &Risks<'_, '_>, process: InstanceId, edge: &Edge, what: &str) -> String {
    format!("{what} `{}` of {}", edge.text, instance_name(risks.meaning.names.network, process))
}

/// Where all processes may be stuck, and one of them where it must not end: every process is where
/// it may have to wait, or does not exist.
fn ending(risks: &Risks<'_, '_>) -> Vec<Danger> {
    let names = risks.meaning.names;
    let network = names.network;
    let waiting = |process: InstanceId| -> BitSet<LocationId> {
        let template = network.template(process);
        let may_wait = |location: &LocationId| {
            let mut edges = template.locations[*location].edges.iter().map(|id| &template.edges[*id]);
            template.provided.is_some() || network.model.uses.priorities || !edges.any(is_always_possible)
        };
        let locations = template.locations.ids().filter(may_wait);
        locations.chain(std::iter::once(nowhere())).collect()
    };
    let all: Vec<BitSet<LocationId>> = network.instances.ids().map(waiting).collect();
    let of_one = |process: InstanceId| {
        let template = network.template(process);
        let mut region = Region { is_loose: true, ..Region::default() };
        for (other, waiting) in network.instances.ids().zip(&all) {
            region.place(other, waiting)?;
        }
        let stuck = template.locations.iter_enumerated().filter(|(_, location)| !location.end).map(|(id, _)| id);
        let stuck: BitSet<LocationId> = stuck.filter(|location| *location != nowhere()).collect();
        region.place(process, &stuck)?;
        narrow(risks, process, &mut region)?;
        Some(Danger { name: format!("an invalid end state with {}", instance_name(network, process)), region })
    };
    network.instances.ids().filter_map(of_one).collect()
}

/// Where there is one process with one location, its conditions say when it is stuck.
fn narrow(risks: &Risks<'_, '_>, process: InstanceId, region: &mut Region) -> Option<()> {
    let network = risks.meaning.names.network;
    let template = network.template(process);
    let at = region.at.get(&process)?;
    let Some(location) = at.iter().next().filter(|_| at.len() == 1 && network.instances.len() == 1) else {
        return Some(());
    };
    for edge in template.locations[location].edges.iter().map(|id| &template.edges[*id]) {
        match (&edge.guard, &edge.action) {
            (None, Action::Guard(condition)) => {
                risks.meaning.assume(region, condition, false, Some(process))?;
            }
            (Some(guard), Action::Skip | Action::Assign(..)) => {
                risks.meaning.assume(region, guard, false, Some(process))?;
            }
            _ => {}
        }
    }
    match &network.model.end {
        // Where it has no value, that is an error.
        Some(end) if !risks.of_proposition(end) => risks.meaning.assume(region, end, false, None),
        _ => Some(()),
    }
}

/// Whether a process that comes to an edge can always take it, or another one there.
fn is_always_possible(edge: &Edge) -> bool {
    let is_true = |expr: &Expr| matches!(expr.kind, ExprKind::Const(value) if value != 0);
    edge.guard.as_ref().is_none_or(is_true)
        && match &edge.action {
            Action::Skip | Action::Assign(..) | Action::Print { .. } | Action::PrintName(_) | Action::Else => true,
            Action::Guard(condition) => is_true(condition),
            // One with a guard is about a state.
            Action::Assert(_) => edge.guard.is_none(),
            _ => false,
        }
}

/// The states that are errors themselves.
fn states(risks: &Risks<'_, '_>, looks_for: &LooksFor<'_>, all: &mut Vec<Danger>) -> Result<(), NotHere> {
    let propositions = looks_for.visible.propositions;
    if looks_for.states.is_empty() {
        return Ok(());
    }
    if propositions.iter().any(|proposition| risks.of_proposition(proposition)) {
        return Err(NotHere("a proposition of the property may have no value".to_owned()));
    }
    for values in looks_for.states {
        let asked = values.iter().filter_map(|(number, truth)| Some((propositions.get(*number)?, *truth)));
        let regions = asked.fold(vec![Region::default()], |regions, (proposition, truth)| {
            regions.into_iter().flat_map(|region| risks.meaning.split(region, proposition, truth, None)).collect()
        });
        let danger = |region| Danger { name: "a state that the property forbids".to_owned(), region };
        all.extend(regions.into_iter().map(danger));
    }
    Ok(())
}

/// Where all may end: every process is where it may stay for ever, or does not exist; or the model
/// says so.
pub(super) fn valid_ends(names: &Names<'_>) -> Vec<Danger> {
    let (network, meaning) = (names.network, Meaning { names });
    let danger = |region| Danger { name: "a valid end state".to_owned(), region };
    let mut all = Vec::new();
    let mut region = Region { is_loose: true, ..Region::default() };
    let is_possible = network.instances.ids().try_for_each(|process| {
        let locations = network.template(process).locations.iter_enumerated();
        let ends = locations.filter(|(_, location)| location.end).map(|(id, _)| id);
        region.place(process, &ends.chain(std::iter::once(nowhere())).collect())
    });
    all.extend(is_possible.map(|()| danger(region)));
    if let Some(end) = &network.model.end {
        let mut region = Region { is_loose: true, ..Region::default() };
        all.extend(meaning.assume(&mut region, end, true, None).map(|()| danger(region)));
    }
    all
}

/// For each process at each location, whether it goes on for a while only: no transition of a
/// covering set can happen any more, of which every cycle has one (see [`crate::sticky`]).
pub(super) fn ending_places(network: &Network<'_>, facts: &Facts) -> IndexVec<InstanceId, IndexVec<LocationId, bool>> {
    let futures = Futures::new(network, facts);
    let sticky = crate::sticky(network, facts, BitSet::new());
    let goes_round = |future: &BitSet<_>| future.intersects(&sticky);
    let ends = |process: InstanceId, location: LocationId| {
        let place = &futures.places[process][location];
        !goes_round(&place.future) && !place.creates.iter().any(|created| goes_round(&futures.lives[created]))
    };
    let of_process = |process: InstanceId| {
        network.template(process).locations.ids().map(|location| ends(process, location)).collect()
    };
    network.instances.ids().map(of_process).collect()
}
