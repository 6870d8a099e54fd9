//! The corpus: models of other people, with what Spin says of them in `answers.jsonl`, one JSON
//! object a line.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::BenchError;

/// The answers, in the folder of the models.
const ANSWERS: &str = "answers.jsonl";

/// With fewer transitions Spin's clock measures nothing.
pub(crate) const FEWEST_TIMED: u64 = 1_000_000;

/// A smaller model says little about a reduction.
pub(crate) const FEWEST: u64 = 1_000;

/// A model with the states that a peer stores, in full and with its partial order reduction, of a
/// search that does not stop at errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The path below the folder.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) full: u64,
    pub(crate) reduced: u64,
}

/// What there is to compare with.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Corpus {
    pub(crate) models: Vec<Known>,
    /// What is left out: a reason, and the models.
    pub(crate) left_out: Vec<(&'static str, Vec<String>)>,
}

/// With a reduction there are never more errors than without.
const INVALID: &str = "Left out, since Spin says that its reduction is invalid there";

/// A model that may be large enough to be timed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Large {
    /// The path below the folder.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// The models of a folder that have [`FEWEST_TIMED`] transitions, or may have them: where Spin was
/// interrupted, that is not known. Those with embedded C and those that Spin rejects are left out.
pub(crate) fn large(folder: &Path) -> Result<Vec<Large>, BenchError> {
    let (text, folder) = answers(folder)?;
    // It prints one more.
    Ok(choose_large(&text, &folder, ("transitions", FEWEST_TIMED + 1)))
}

/// The same with [`FEWEST`] states.
pub(crate) fn not_small(folder: &Path) -> Result<Vec<Large>, BenchError> {
    let (text, folder) = answers(folder)?;
    Ok(choose_large(&text, &folder, ("states", FEWEST)))
}

/// The models that have so many of something, or may have them.
fn choose_large(text: &str, folder: &Path, (what, fewest): (&str, u64)) -> Vec<Large> {
    let answers = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_large = |answer: &Value| {
        let full = &answer["full"];
        let is_known = full["complete"].as_bool() == Some(true);
        let is_small = full[what].as_u64().is_some_and(|printed| printed < fewest);
        answer["spin"] == "accepts" && answer["c_code"] == false && !(is_known && is_small)
    };
    let large = |answer: Value| {
        let name = answer["model"].as_str()?.to_owned();
        Some(Large { path: folder.join(&name), name })
    };
    answers.filter(is_large).filter_map(large).collect()
}

/// Reads the answers about the models of a folder.
pub(crate) fn read(folder: &Path) -> Result<Corpus, BenchError> {
    let (text, folder) = answers(folder)?;
    Ok(choose(&text, &folder))
}

/// The text of the answers, and the folder as seen from everywhere: the programs run in another.
fn answers(folder: &Path) -> Result<(String, PathBuf), BenchError> {
    let path = folder.join(ANSWERS);
    let text = fs::read_to_string(&path).map_err(BenchError::io(path.display().to_string()))?;
    let folder = fs::canonicalize(folder).map_err(BenchError::io(folder.display().to_string()))?;
    Ok((text, folder))
}

fn choose(text: &str, folder: &Path) -> Corpus {
    let (mut models, mut invalid) = (Vec::new(), Vec::new());
    for answer in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let Some((known, is_valid)) = known(&answer, folder) else { continue };
        match is_valid {
            true => models.push(known),
            false => invalid.push(known.name),
        }
    }
    Corpus { models, left_out: vec![(INVALID, invalid)] }
}

/// A model with both answers, large enough, and whether the reduced one is valid: with a reduction
/// there are never more errors than without, so what is found in addition is about the reduction
/// itself.
fn known(answer: &Value, folder: &Path) -> Option<(Known, bool)> {
    let number = |search: &str, field: &str| answer[search][field].as_u64();
    let name = answer["model"].as_str()?.to_owned();
    let full = number("full", "states").filter(|&states| states >= FEWEST)?;
    let is_valid = number("por", "errors")? <= number("full", "errors")?;
    let is_complete = answer["full"]["complete"].as_bool()?;
    let known = Known { path: folder.join(&name), name, full, reduced: number("por", "states")? };
    is_complete.then_some((known, is_valid))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_models_are_chosen_and_those_that_may_be() {
        let text = r#"{"model": "large.pml", "spin": "accepts", "c_code": false, "full": {"transitions": 1000001, "complete": true}}
{"model": "small.pml", "spin": "accepts", "c_code": false, "full": {"transitions": 1000000, "complete": true}}
{"model": "deep.pml", "spin": "accepts", "c_code": false, "full": {"transitions": 1000, "complete": false}}
{"model": "long.pml", "spin": "accepts", "c_code": false, "full": "timeout"}
{"model": "c.pml", "spin": "accepts", "c_code": true, "full": "timeout"}
{"model": "wrong.pml", "spin": "rejects", "c_code": false}"#;
        let chosen = choose_large(text, Path::new("c"), ("transitions", FEWEST_TIMED + 1));
        let names: Vec<&str> = chosen.iter().map(|large| large.name.as_str()).collect();
        assert_eq!(names, ["large.pml", "deep.pml", "long.pml"]);
        assert_eq!(chosen[0].path, Path::new("c/large.pml"));
    }

    #[test]
    fn models_with_both_answers_are_chosen() {
        let text = r#"{"model": "a b.pml", "full": {"states": 1000, "errors": 3, "complete": true}, "por": {"states": 10, "errors": 1}}
{"model": "small.pml", "full": {"states": 999, "errors": 0, "complete": true}, "por": {"states": 10, "errors": 0}}
{"model": "long.pml", "full": "timeout"}
{"model": "deep.pml", "full": {"states": 1000, "errors": 0, "complete": false}, "por": {"states": 10, "errors": 0}}
{"model": "exclusive.pml", "full": {"states": 1000, "errors": 0, "complete": true}, "por": {"states": 10, "errors": 1}}
cut off"#;
        let known = Known { name: "a b.pml".to_owned(), path: "c/a b.pml".into(), full: 1000, reduced: 10 };
        let expected = Corpus { models: vec![known], left_out: vec![(INVALID, vec!["exclusive.pml".to_owned()])] };
        assert_eq!(choose(text, Path::new("c")), expected);
    }
}
