//! Every part with every property, as a table; and the laws that the decision must obey.

use ample_guarantee::{
    ClassSet, Decision, ErrorFound, Guarantee, Incompatible, NoErrorFound, Omission, Part, PartKind, Parts, Pick,
    Property, PropertyClass, Refusal, decide, decide_with, parts,
};

/// A partial-order expander with C0 and C1 only, as theory.md, section 0, lists it; not built yet.
static DEADLOCK_ONLY: Part = Part {
    name: "deadlock-only",
    kind: PartKind::Expander,
    summary: "",
    paper: None,
    guarantee: Guarantee {
        no_missed: ClassSet::of(&[PropertyClass::Deadlock]),
        no_false: ClassSet::ALL,
        omission: Omission::None,
    },
};

static LOSSY: Part = Part {
    name: "lossy",
    kind: PartKind::Store,
    summary: "",
    paper: None,
    guarantee: Guarantee {
        no_missed: ClassSet::ALL,
        no_false: ClassSet::ALL,
        omission: Omission::Probability { reason: "states may be confused" },
    },
};

static OVER: Part = Part {
    name: "over",
    kind: PartKind::Successors,
    summary: "",
    paper: None,
    guarantee: Guarantee {
        no_missed: ClassSet::of(&[PropertyClass::LocalReachability, PropertyClass::Ltl]),
        no_false: ClassSet::NONE,
        omission: Omission::None,
    },
};

/// The plan that defines the answer: no reduction, exact store, plain depth-first search.
fn reference() -> Parts {
    Parts::new(&parts::INTERPRETER, &ample_store::EXACT, &ample_search::DFS)
}

fn properties() -> Vec<Property> {
    vec![
        Property::ASSERTIONS,
        Property::END_STATES,
        Property::SAFETY,
        Property::EXCLUSIVE,
        Property::TRACE,
        Property::invariant("invariant"),
        Property::stutter_invariant_ltl("stutter-invariant ltl"),
        Property::ltl("ltl"),
    ]
}

fn word(decision: &Result<Decision, Refusal>) -> String {
    match decision {
        Err(_) => "refused".to_owned(),
        Ok(decision) => {
            let none = match &decision.no_error_found {
                NoErrorFound::Holds => "holds",
                NoErrorFound::Unknown(_) => "unknown",
            };
            let some = match decision.error_found {
                ErrorFound::Violated => "violated",
                ErrorFound::Candidate => "candidate",
            };
            format!("{none}/{some}")
        }
    }
}

/// One row per part (put into the reference plan), one column per property.
fn table(rows: impl IntoIterator<Item = &'static Part>) -> String {
    let mut text = String::from("part");
    for property in properties() {
        text += &format!(" | {}", property.name);
    }
    for part in rows {
        text += &format!("\n{}", part.name);
        for property in properties() {
            text += &format!(" | {}", word(&decide(&reference().with(part), &property)));
        }
    }
    text
}

#[test]
fn every_part_with_every_property() {
    let h = "holds/violated";
    let u = "unknown/violated";
    let mut expected = String::from(
        "part | assertions | end-states | safety | exclusive | trace | invariant | stutter-invariant ltl | ltl",
    );
    for name in ["interpret", "jit", "all"] {
        expected += &format!("\n{name} | {h} | {h} | {h} | {h} | {h} | {h} | {h} | {h}");
    }
    expected += &format!("\nidentity | {h} | {h} | {h} | {h} | {h} | {h} | {h} | {h}");
    for name in
        ["max-depth", "max-states", "max-time", "max-memory", "values-64", "store-full", "classes-full", "interrupted"]
    {
        expected += &format!("\n{name} | {u} | {u} | {u} | {u} | {u} | {u} | {u} | {u}");
    }
    for name in ["visibility", "cycles", "interleaving", "predicates"] {
        expected += &format!("\n{name} | {u} | {u} | {u} | {u} | {u} | {u} | {u} | {u}");
    }
    expected += &format!("\nprogram-counters | {h} | {h} | {h} | {h} | {h} | {h} | {h} | {h}");
    expected += &format!("\nslice | {h} | refused | refused | {h} | {h} | {h} | {h} | refused");
    expected += &format!("\ndead | {h} | {h} | {h} | {h} | {h} | {h} | {h} | {h}");
    for (name, ltl) in [
        ("merge", h),
        ("static", h),
        ("ample", h),
        ("stubborn", h),
        ("deletion", h),
        ("confluent", h),
        ("confluent-chain", h),
        ("simultaneous", h),
        ("new", "refused"),
        ("sticky", h),
        ("stack", h),
        ("open", "refused"),
        ("closed", h),
    ] {
        expected += &format!("\n{name} | {h} | {h} | {h} | {h} | {h} | {ltl} | {ltl} | refused");
    }
    expected += &format!("\nnone | refused | {h} | refused | refused | refused | refused | refused | refused");
    expected += &format!("\nsleep | {h} | {h} | {h} | {h} | {h} | refused | refused | refused");
    for name in ["dead-globals", "symmetry", "symmetry-sort", "values", "linear"] {
        expected += &format!("\n{name} | {h} | {h} | {h} | {h} | {h} | {h} | {h} | {h}");
    }
    expected += &format!("\ndominate | {h} | refused | refused | {h} | {h} | {h} | refused | refused");
    for name in ["doomed", "boring"] {
        expected += &format!("\n{name} | {h} | {h} | {h} | {h} | {h} | {h} | refused | refused");
    }
    for name in ["collapse", "tree", "exact"] {
        expected += &format!("\n{name} | {h} | {h} | {h} | {h} | {h} | {h} | {h} | {h}");
    }
    for name in ["compact", "bitstate"] {
        expected += &format!("\n{name} | {u} | {u} | {u} | {u} | {u} | {u} | {u} | {u}");
    }
    for name in ["ndfs", "cndfs", "scc", "blocks", "bfs", "dfs"] {
        expected += &format!("\n{name} | {h} | {h} | {h} | {h} | {h} | {h} | {h} | {h}");
    }
    for name in ["acyclic", "acyclic-exact"] {
        expected += &format!("\n{name} | {h} | {h} | {h} | {h} | {h} | refused | refused | refused");
    }
    assert_eq!(table(ample_check::parts()), expected);
}

#[test]
fn parts_that_preserve_less_are_refused_or_marked() {
    assert_eq!(
        table([&DEADLOCK_ONLY, &LOSSY, &OVER]),
        "\
part | assertions | end-states | safety | exclusive | trace | invariant | stutter-invariant ltl | ltl
deadlock-only | refused | holds/violated | refused | refused | refused | refused | refused | refused
lossy | unknown/violated | unknown/violated | unknown/violated | unknown/violated | unknown/violated | unknown/violated | unknown/violated | unknown/violated
over | holds/candidate | refused | refused | holds/candidate | holds/candidate | refused | refused | holds/candidate"
    );
}

#[test]
fn a_refusal_names_the_parts_and_the_property() {
    let plan = reference().with(&DEADLOCK_ONLY).with(&OVER);
    let refusal = decide(&plan, &Property::SAFETY).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "`over`, `deadlock-only` cannot be used to check `safety`: errors may be missed in deadlock, local reachability"
    );
}

#[test]
fn incompatible_pairs_are_refused_in_either_order_and_by_kind() {
    let by_name = Incompatible { one: Pick::Name("lossy"), other: Pick::Name("deadlock-only"), reason: "it loses" };
    let by_kind = Incompatible { one: Pick::Kind(PartKind::Expander), other: Pick::Name("lossy"), reason: "it loses" };
    let plan = reference().with(&DEADLOCK_ONLY).with(&LOSSY);
    for pair in [by_name, by_kind] {
        let refusal = decide_with(&[pair], &plan, &Property::END_STATES).unwrap_err();
        assert_eq!(refusal.to_string(), "`deadlock-only` and `lossy` cannot be used together: it loses");
    }
    assert!(decide_with(&[by_name], &reference().with(&LOSSY), &Property::END_STATES).is_ok());
}

#[test]
fn guarantees_read_as_sentences() {
    let text = |part| reference().with(part).guarantee().to_string();
    assert_eq!(text(&ample_store::EXACT), "no error missed; no false error");
    assert_eq!(text(&parts::MAX_TIME), "errors may be missed: the time limit was reached; no false error");
    assert_eq!(text(&DEADLOCK_ONLY), "no error missed in deadlock; no false error");
    assert_eq!(text(&LOSSY), "no error missed but with a small probability: states may be confused; no false error");
    assert_eq!(text(&OVER), "no error missed in local reachability, LTL; errors found may be false");
}

#[test]
fn every_reason_of_an_unknown_is_given() {
    let plan = reference().with(&LOSSY).with(&parts::MAX_DEPTH).with(&parts::MAX_DEPTH);
    assert_eq!(
        decide(&plan, &Property::ASSERTIONS).unwrap().no_error_found,
        NoErrorFound::Unknown("states may be confused, the depth limit was reached".to_owned())
    );
}

/// How good an answer is: more parts never make it better.
fn rank(decision: &Result<Decision, Refusal>) -> (u8, u8) {
    match decision {
        Err(_) => (0, 0),
        Ok(decision) => (
            if decision.no_error_found == NoErrorFound::Holds { 2 } else { 1 },
            if decision.error_found == ErrorFound::Violated { 2 } else { 1 },
        ),
    }
}

#[test]
fn more_parts_never_promise_more() {
    let all: Vec<&'static Part> = ample_check::parts().chain([&DEADLOCK_ONLY, &LOSSY, &OVER]).collect();
    for one in &all {
        for other in &all {
            let both = one.guarantee.intersection(other.guarantee);
            assert!(both.is_at_most(one.guarantee) && both.is_at_most(other.guarantee));
            // Parts that answer the same question replace each other: what is explored next.
            let is_order = |part: &Part| matches!(part.kind, PartKind::Order | PartKind::Emptiness);
            if one.kind == other.kind && one.kind != PartKind::Bound || is_order(one) && is_order(other) {
                continue;
            }
            let plan = reference().with(one);
            let more = plan.clone().with(other);
            assert!(more.guarantee().is_at_most(plan.guarantee()), "{} then {}", one.name, other.name);
            for property in properties() {
                let (less, before) = (rank(&decide(&more, &property)), rank(&decide(&plan, &property)));
                assert!(less.0 <= before.0 && less.1 <= before.1, "{} then {}", one.name, other.name);
            }
        }
    }
}

#[test]
fn needing_more_never_gets_a_better_answer() {
    for part in ample_check::parts().chain([&DEADLOCK_ONLY, &LOSSY, &OVER]) {
        let plan = reference().with(part);
        for one in properties() {
            for other in properties() {
                let (both, alone) = (rank(&decide(&plan, &one.and(&other))), rank(&decide(&plan, &one)));
                assert!(both.0 <= alone.0 && both.1 <= alone.1, "{}: {} and {}", part.name, one.name, other.name);
            }
        }
    }
}

#[test]
fn only_reductions_are_reported_as_such() {
    let reductions = ample_check::parts().filter(|part| part.is_reduction()).map(|part| part.name);
    assert_eq!(
        reductions.collect::<Vec<_>>(),
        [
            "visibility",
            "cycles",
            "interleaving",
            "predicates",
            "program-counters",
            "slice",
            "dead",
            "merge",
            "static",
            "ample",
            "stubborn",
            "deletion",
            "confluent",
            "confluent-chain",
            "simultaneous",
            "new",
            "sticky",
            "stack",
            "open",
            "closed",
            "none",
            "sleep",
            "dead-globals",
            "symmetry",
            "symmetry-sort",
            "values",
            "linear",
            "dominate",
            "doomed",
            "boring",
            "acyclic",
            "acyclic-exact"
        ]
    );
    assert_eq!(reference().with(&DEADLOCK_ONLY).reductions(), [&DEADLOCK_ONLY]);
}

#[test]
fn an_under_approximation_promises_nothing_before_it_is_exact() {
    let plan = reference().with(&ample_reduction::STUBBORN).with(&ample_reduction::STICKY);
    let formula = Property::stutter_invariant_ltl("formula");
    let visibility = ample_check::parts().find(|part| part.name == "visibility").unwrap();
    let before = plan.clone().with(visibility);
    assert_eq!(
        decide(&before, &formula).unwrap().no_error_found,
        NoErrorFound::Unknown("the under-approximation is not exact yet".to_owned())
    );
    let exact = before.clone().exact();
    assert_eq!(decide(&exact, &formula), decide(&plan, &formula));
    for plan in [before, exact] {
        let names: Vec<&str> = plan.reductions().iter().map(|part| part.name).collect();
        assert_eq!(names, ["visibility", "stubborn", "sticky"]);
    }
}

#[test]
fn names_are_unique_within_a_kind_and_found_again() {
    for part in ample_check::parts() {
        let same = ample_check::parts().filter(|other| (other.kind, other.name) == (part.kind, part.name));
        assert_eq!(same.count(), 1, "{}", part.name);
        assert!(!part.summary.is_empty());
    }
}

#[test]
fn every_reduction_is_in_the_documents() {
    let read = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
        std::fs::read_to_string(path).unwrap()
    };
    let text = read("reduction.md") + &read("under.md");
    for part in ample_check::parts().filter(|part| part.is_reduction()) {
        let flag = match part.kind {
            PartKind::Expander => "--por",
            PartKind::CycleCondition => "--proviso",
            PartKind::Under => "--under",
            PartKind::Order => "--order",
            _ => "--reduce",
        };
        assert!(text.contains(&format!("{flag} {}", part.name)), "{flag} {} is not documented", part.name);
    }
}
