//! Parts that can be named on the command line, from their own descriptors.

use ample_guarantee::{Part, PartKind, parts};
use clap::builder::{PossibleValue, PossibleValuesParser};

/// An argument that names a part.
struct Choice {
    command: &'static str,
    argument: &'static str,
    kind: PartKind,
    /// Whether it may be left to us.
    has_auto: bool,
}

const fn choice(command: &'static str, argument: &'static str, kind: PartKind) -> Choice {
    Choice { command, argument, kind, has_auto: true }
}

const CHOICES: &[Choice] = &[
    choice("check", "por", PartKind::Expander),
    choice("check", "proviso", PartKind::CycleCondition),
    choice("check", "under", PartKind::Under),
    choice("check", "order", PartKind::Order),
    choice("check", "emptiness", PartKind::Emptiness),
    choice("check", "store", PartKind::Store),
    choice("check", "exec", PartKind::Successors),
    Choice { has_auto: false, ..choice("graph", "order", PartKind::Order) },
    Choice { has_auto: false, ..choice("graph", "por", PartKind::Expander) },
];

/// The command line with these parts as choices.
pub fn with_choices(command: clap::Command, parts: &[&'static Part]) -> clap::Command {
    let command = CHOICES.iter().fold(command, |command, choice| {
        let auto = choice.has_auto.then(|| PossibleValue::new("auto").help("what suits the property"));
        let values = built(parts, choice.kind).map(|part| PossibleValue::new(part.name).help(part.summary));
        let parser = PossibleValuesParser::new(auto.into_iter().chain(values));
        command.mut_subcommand(choice.command, |command| {
            command.mut_arg(choice.argument, |argument| argument.value_parser(parser))
        })
    });
    let with_list = |command: clap::Command| command.mut_arg("reduce", |argument| listing(argument, parts));
    command.mut_subcommand("check", with_list).mut_subcommand("graph", with_list)
}

/// The parts of a kind that can be chosen.
pub fn built(parts: &[&'static Part], kind: PartKind) -> impl Iterator<Item = &'static Part> {
    parts.iter().copied().filter(move |part| part.kind == kind && **part != parts::ALL_TRANSITIONS)
}

/// The argument whose help ends with the names that its list may have.
fn listing(argument: clap::Arg, parts: &[&'static Part]) -> clap::Arg {
    let is_listed = |part: &&&Part| {
        let is_kind = matches!(
            part.kind,
            PartKind::Pass | PartKind::Sleep | PartKind::Canonizer | PartKind::Cover | PartKind::Foresight
        );
        is_kind && **part != &parts::IDENTITY
    };
    let names = parts.iter().filter(is_listed).map(|part| part.name);
    let names = std::iter::once("por").chain(names).collect::<Vec<_>>().join(", ");
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    argument.help(format!("{help}: {names}"))
}

/// The ways to pick what an under-approximation takes in next.
pub fn picks() -> PossibleValuesParser {
    PossibleValuesParser::new(ample_check::Pick::NAMES.map(|(name, help)| PossibleValue::new(name).help(help)))
}

/// Which predicates may be added.
pub fn refines() -> PossibleValuesParser {
    PossibleValuesParser::new(ample_check::Refine::NAMES.map(|(name, help)| PossibleValue::new(name).help(help)))
}

/// What an under-approximation may take in from the beginning.
pub fn begins() -> PossibleValuesParser {
    PossibleValuesParser::new(ample_check::Begin::NAMES.map(|(name, help)| PossibleValue::new(name).help(help)))
}

/// The tables, from their own descriptors.
pub fn tables() -> PossibleValuesParser {
    let value = |table: &'static ample_bench::Table| PossibleValue::new(table.name).help(table.summary);
    PossibleValuesParser::new(ample_bench::TABLES.iter().map(value))
}

/// The relations with a quotient, from their own descriptors.
pub fn quotients() -> PossibleValuesParser {
    let with_quotient = ample_equivalence::RELATIONS.iter().filter(|relation| relation.has_quotient());
    PossibleValuesParser::new(with_quotient.map(|relation| PossibleValue::new(relation.name).help(relation.summary)))
}

/// The relations that systems are compared by.
pub fn relations() -> PossibleValuesParser {
    let value =
        |relation: &'static ample_equivalence::Relation| PossibleValue::new(relation.name).help(relation.summary);
    PossibleValuesParser::new(ample_equivalence::RELATIONS.iter().map(value))
}

#[cfg(test)]
mod tests {
    use ample_check::{Techniques, parts_of};
    use ample_guarantee::Guarantee;
    use ample_reduction::{Always, CanonizerEntry, CycleConditionEntry, EXPANDERS, ExpanderEntry, PassEntry, Rewrite};
    use ample_store::{STORES, StoreEntry};
    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    const fn dummy(name: &'static str, kind: PartKind) -> Part {
        Part { name, kind, summary: "a dummy of a test", paper: None, guarantee: Guarantee::EXACT }
    }

    static PASS: Part = dummy("dummy-pass", PartKind::Pass);
    static CANONIZER: Part = dummy("dummy-canonizer", PartKind::Canonizer);
    static EXPANDER: Part = dummy("dummy-expander", PartKind::Expander);
    static CONDITION: Part = dummy("dummy-condition", PartKind::CycleCondition);
    static STORE: Part = dummy("dummy-store", PartKind::Store);
    static LOOP: Part = dummy("dummy-loop", PartKind::Under);

    /// One line each.
    fn techniques() -> Techniques {
        static PASSES: &[PassEntry] =
            &[PassEntry { part: &PASS, is_automatic: false, rewrite: Rewrite::OfModel(|_, _| Ok(None)) }];
        static CANONIZERS: &[CanonizerEntry] =
            &[CanonizerEntry { part: &CANONIZER, is_automatic: false, make: |_, _, _, _| Ok(None), close: None }];
        static MORE: &[ExpanderEntry] =
            &[ExpanderEntry { part: &EXPANDER, is_automatic: false, make: EXPANDERS[0].make, join: None }];
        static CONDITIONS: &[CycleConditionEntry] = &[CycleConditionEntry {
            part: &CONDITION,
            for_faults: &Always,
            for_runs: None,
            avoid: None,
            default_for: &[],
        }];
        static MORE_STORES: &[StoreEntry] = &[StoreEntry { part: &STORE, make: STORES[0].make }];
        Techniques {
            passes: PASSES,
            canonizers: CANONIZERS,
            expanders: MORE,
            cycle_conditions: CONDITIONS,
            stores: MORE_STORES,
            ..Techniques::default()
        }
    }

    #[test]
    fn whatever_is_registered_is_in_the_help_and_can_be_chosen() {
        static LOOPS_AND_DUMMY: &[ample_check::Loop] = &[ample_check::Loop {
            part: &LOOP,
            refuse: |_| Ok(()),
            leaves_out: ample_check::LeavesOut::States {
                check: |_| Ok(()),
                begin: |_| Err(ample_check::CheckError::Conflict("a dummy".to_owned())),
            },
        }];
        let parts: Vec<_> = parts_of(&techniques(), LOOPS_AND_DUMMY).collect();
        let command = || with_choices(Cli::command(), &parts);
        let help = command().find_subcommand_mut("check").unwrap().render_long_help().to_string();
        for part in [&PASS, &CANONIZER, &EXPANDER, &CONDITION, &STORE, &LOOP] {
            assert!(help.contains(part.name), "{}: {help}", part.name);
        }
        let chosen = ["ample", "check", "m.pml", "--por", EXPANDER.name, "--store", STORE.name, "--under", LOOP.name];
        assert!(command().try_get_matches_from(chosen).is_ok());
        assert!(command().try_get_matches_from(["ample", "check", "m.pml", "--por", "static"]).is_err());
    }

    #[test]
    fn every_choice_is_an_argument() {
        let parts: Vec<_> = ample_check::parts().collect();
        with_choices(Cli::command(), &parts).debug_assert();
    }
}
