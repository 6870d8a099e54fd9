//! `ample inspect`: what the static analyses found, statement by statement.

use ample_model::{EdgeId, TemplateId};
use ample_network::facts::Facts;
use ample_network::{Network, instantiate};
use ample_reduction::{
    Acyclicity, DeadThings, DeadVariables, DominatingValues, EquivalentValues, Foresights, LinearSets, LooksFor,
    NotHere, PassedLocations, ProgramCounters, Slice, Symmetries, Visible,
};
use ample_report::inspect::{Finding, InspectedModel};
use ample_transition::FaultKind;

use crate::args::InspectArgs;
use crate::failure::{Failure, Status};
use crate::model;
use crate::output::Terminal;

/// Prints what each statement reads, writes and depends on, and where a process may go first.
pub fn run(options: &InspectArgs, terminal: &Terminal) -> Result<Status, Failure> {
    let loaded = model::load(&options.model)?;
    model::warn(&loaded, terminal);
    let interpreter = model::interpreter(&options.model, &loaded);
    let network = instantiate(&interpreter)
        .map_err(|reason| Failure::Usage(format!("the processes of the model cannot be found out: {reason}")))?;
    // Whatever is asked, as long as the question names none of them.
    let nothing = Visible {
        propositions: &[],
        faults: &[FaultKind::RuntimeError],
        one_is_enough: true,
        processes: false,
        names: false,
    };
    let found = DeadVariables::of(network.model, &nothing);
    let dead = |template, edge| found.after(network.model, template, edge);
    let passed = PassedLocations::of(network.model, &nothing);
    let facts = Facts::new(&network);
    let assertions = Visible { faults: &[FaultKind::Assertion], ..nothing };
    let slice = Slice::of(&network, &facts, &assertions);
    let is_sliced =
        |template, edge| slice.as_ref().is_ok_and(|slice| slice.is_left_out(template) || slice.is_cut(template, edge));
    let sliced: Result<&dyn Fn(TemplateId, EdgeId) -> bool, &str> = match &slice {
        Ok(_) => Ok(&is_sliced),
        Err(NotHere(why)) => Err(why),
    };
    let subject = InspectedModel {
        network: &network,
        facts: &facts,
        sliced,
        sources: &loaded.sources,
        dead: &dead,
        is_passed: &|template, location| passed.as_ref().is_ok_and(|passed| passed.contains(template, location)),
        is_loop: &|template, edge| passed.as_ref().is_ok_and(|passed| passed.is_loop(template, edge)),
        not_merged: passed.as_ref().err().map(|NotHere(reason)| reason.as_str()),
        dead_at_times: &DeadThings::of(&network, &facts, &nothing),
        findings: &findings(&network, &facts, &nothing),
    };
    terminal.print(&if options.json { subject.json() } else { subject.text(terminal.look().width) });
    Ok(Status::Holds)
}

/// What passes, canonizers and covers found of a network, and what stands in their way.
fn findings(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> Vec<Finding> {
    let symmetries = Symmetries::of(network, facts, visible);
    let values = EquivalentValues::of(network, facts, visible);
    let linear = LinearSets::of(network, facts, visible);
    let counters = ProgramCounters::of(network.model, visible);
    let dominating = DominatingValues::of(network, facts, visible);
    let acyclicity = Acyclicity::of(network);
    let safety = [FaultKind::Assertion, FaultKind::RuntimeError];
    let looks_for = LooksFor { visible: &Visible { faults: &safety, ..*visible }, states: &[] };
    let ahead = Foresights::of(network, facts, &looks_for);
    let ends = LooksFor { visible: &Visible { faults: &[FaultKind::InvalidEndState], ..*visible }, states: &[] };
    let ends = Foresights::of(network, facts, &ends);
    [
        ("Program counter: ", "program_counters", counters.found),
        ("No program counter: ", "no_program_counters", counters.others),
        ("Symmetry: ", "symmetries", symmetries.found),
        ("No symmetry: ", "asymmetries", symmetries.broken),
        ("Values: ", "equivalent_values", values.found),
        ("No values: ", "unknown_values", values.broken),
        ("Shift: ", "shifts", linear.found),
        ("No shift: ", "unshifted", linear.broken),
        ("Dominates: ", "dominating_values", dominating.found),
        ("Dominates not: ", "unordered_values", dominating.broken),
        ("Boring elsewhere: ", "boring", ahead.boring),
        ("Not boring: ", "not_boring", ahead.not_boring),
        ("Boring elsewhere, for ends: ", "boring_for_ends", ends.boring),
        ("Not boring, for ends: ", "not_boring_for_ends", ends.not_boring),
        ("Doomed: ", "doomed", ahead.doomed),
        ("Not doomed: ", "not_doomed", ahead.not_doomed),
        ("Doomed to end: ", "doomed_to_end", ends.doomed),
        ("Not doomed to end: ", "not_doomed_to_end", ends.not_doomed),
        ("No cycle: ", "acyclic", acyclicity.found),
        ("Cycles: ", "cyclic", acyclicity.broken),
    ]
    .map(|(label, key, sentences)| Finding { label, key, sentences })
    .into()
}
