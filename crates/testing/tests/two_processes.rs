//! Every 100th model of two processes, two locations and a shared bit: every expander with every
//! cycle condition against the full search. `cargo xtask soak --exhaustive` takes all of them.

use ample_testing::plans::Tally;
use ample_testing::two_processes::Models;

const STEP: usize = 100;

fn compare(first: usize, step: usize) {
    let models = Models::default();
    let mut tally = Tally::default();
    let numbers = (first..models.count()).step_by(step);
    let differing: Vec<String> = numbers.filter_map(|number| models.compare(number, &mut tally).err()).collect();
    println!("{tally}");
    assert!(differing.is_empty(), "{} models differ, among them {}", differing.len(), differing[0]);
    let (safety, formula) = (tally.about("safety"), tally.about("formula"));
    assert!(safety.compared > 2_500 && safety.smaller > 200, "{tally}");
    assert!(formula.compared > 10_000 && formula.smaller > 200 && formula.violated > 5_000, "{tally}");
}

#[test]
fn every_200th_model() {
    compare(0, 2 * STEP);
}

#[test]
fn every_200th_model_between() {
    compare(STEP, 2 * STEP);
}
