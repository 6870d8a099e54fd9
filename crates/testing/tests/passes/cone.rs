//! Variables that influence nothing are dead everywhere; what reaches a guard, an index, a message,
//! a fault or a proposition is not.

use ample_check::Verdict;
use ample_model::{Expr, ExprKind, Place, Scope, SlotId};
use ample_source::Span;
use ample_stdx::TypedId;

use super::loops::verdict;
use super::{dead, states};

/// Whether the states become fewer, which are bisimilar to those of the model as written.
fn are_fewer(text: &str) -> bool {
    dead(text).is_some_and(|(full, dead)| dead < full)
}

#[test]
fn a_statistic_that_nobody_looks_at() {
    let text = |last: &str| {
        format!(
            "byte sent, both; active [2] proctype p() {{ byte n, m;
             n++; m = n + m; sent++; both = sent + both; n++; m = n; sent++; both = both + m; {last} }}"
        )
    };
    let (full, none) = dead(&text("skip")).expect("nothing is looked at");
    // Where both are, and where the one with the larger number is when the other has gone.
    assert!(none <= 10 * 11 + 1 && none < full, "{none} of {full}");
    let kept = dead(&text("both < 200; skip"));
    assert!(kept.is_some_and(|(_, kept)| kept > none), "{kept:?}");
}

#[test]
fn what_reaches_something_by_way_of_others_matters() {
    let through = |last: &str| {
        format!(
            "byte a, b, c; chan q = [2] of {{ byte }}; byte t[3];
             active proctype p() {{ byte x; if :: a = 1 :: a = 2 fi; b = a; x = b + 1; c = x; {last}; skip }}"
        )
    };
    for last in
        ["c > 1", "t[c % 3] = 1", "q!c", "assert(c < 9)", "b = 1 / c", "if :: c == 2 -> skip :: else -> skip fi"]
    {
        let (full, kept) = dead(&through(last)).expect("something is dead at the end");
        assert!(kept + 8 > full, "{last}: {kept} of {full}");
    }
    for last in ["skip", "printf(\"%d\\n\", c)", "b = c", "a = c"] {
        let (full, less) = dead(&through(last)).expect("nothing matters");
        assert!(less * 2 <= full + 4, "{last}: {less} of {full}");
    }
}

#[test]
fn a_proposition_keeps_a_global_alive() {
    let text = "byte a, b; active proctype p() { byte x; if :: x = 1 :: x = 2 fi; b = x; a = b }";
    let read = |slot: usize| {
        let place =
            Place { scope: Scope::Global, first: SlotId::from_index(slot), indices: Vec::new(), span: Span::default() };
        Expr { kind: ExprKind::Read(place), span: Span::default() }
    };
    let (_, nothing) = states("nothing is asked", text, &[], "dead").expect("nothing matters");
    let (_, first) = states("a is asked", text, &[read(0)], "dead").expect("x is dead at the end");
    let (_, second) = states("b is asked", text, &[read(1)], "dead").expect("a is dead");
    assert!(nothing < second && second <= first, "{nothing} {second} {first}");
}

#[test]
fn what_conditions_and_claims_of_processes_read_matters() {
    for other in [
        "active proctype q() provided (a < 2) { skip }",
        "proctype q(byte n) { n < 2 } init { run q(a) }",
        "active proctype q() { byte n = a; n < 2 }",
        "active proctype q() { p:x == 2 }",
    ] {
        let text = format!("byte a; active proctype p() {{ byte x; if :: x = 1 :: x = 2 fi; a = x }} {other}");
        let kept = dead(&text).map_or((0, 0), |(full, kept)| (full, kept));
        assert!(kept.1 + 8 >= kept.0, "{other}: {kept:?}");
    }
}

#[test]
fn what_is_received_and_not_looked_at_is_discarded() {
    let text = "byte g; chan c = [1] of { byte };
                active proctype p() { if :: c!1 :: c!2 fi }
                active proctype q() { c?g; skip; skip }";
    assert!(are_fewer(text));
}

/// A counter that is never looked at is no reason why a run is not gone round: it takes the model
/// as written some more rounds until it is where it was.
#[test]
fn a_cycle_closes_when_what_is_counted_wraps() {
    for (counter, expected) in [("byte", Verdict::Violated), ("int", Verdict::Violated)] {
        let text = format!("{counter} n; byte x; active proctype p() {{ do :: x = 1 - x; n++ od }}");
        let text = text + " active proctype q() { byte k; k++ }";
        let found = verdict(&text, Some("<> {x == 7}"), "dead");
        assert!(found.is_none_or(|found| found == expected), "{counter}: {found:?}");
        assert!(found.is_some() || counter == "int", "an int takes too long to come round");
    }
}
