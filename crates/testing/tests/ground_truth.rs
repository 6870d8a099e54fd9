//! Rows of the papers' tables that a complete search must reproduce exactly. Spin 6.5.2 prints the
//! same, one transition more.

use ample_interpret::Interpreter;
use ample_search::{Ended, Limits, StopAt};
use ample_testing::explore::{self, Numbers};
use ample_testing::workspace_root;

fn full(model: &str) -> Numbers {
    let path = workspace_root().join("examples/papers").join(model);
    let loaded = match explore::load_file(&path) {
        Ok(loaded) => loaded,
        Err(failure) => panic!("{model}: {}", explore::messages(&failure)),
    };
    let outcome = explore::search(&Interpreter::new(&loaded.model), "dfs", StopAt::End, &Limits::default());
    assert_eq!(outcome.ended, Ended::Complete);
    Numbers::from(&outcome)
}

/// A row as it is printed: transitions include the additional one.
fn row(states: u64, printed_transitions: u64) -> Numbers {
    Numbers { states, transitions: printed_transitions - 1, error: false }
}

#[test]
fn holzmann_peled_table_1_best_case_full() {
    assert_eq!(full("holzmann-peled-best-case.pml"), row(100_001, 450_002));
}

#[test]
fn holzmann_peled_table_1_worst_case_full() {
    assert_eq!(full("holzmann-peled-worst-case.pml"), row(100_001, 450_002));
}

#[test]
fn holzmann_peled_table_1_leader_full() {
    assert_eq!(full("holzmann-peled-leader-1994.pml"), row(45_885, 185_032));
}

#[test]
fn holzmann_peled_appendix_leader_without_the_skips_of_1994() {
    assert_eq!(full("holzmann-peled-leader.pml"), row(38_785, 159_524));
}
