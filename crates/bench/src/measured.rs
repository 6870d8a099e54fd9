//! What was measured, row by row.

use serde_json::{Value, json};

use crate::race::Part;
use crate::table::Section;

/// What was measured, before it is laid out.
#[derive(Default)]
pub(crate) struct Measured {
    pub(crate) sections: Vec<Section>,
    pub(crate) versions: Vec<(&'static str, String)>,
    pub(crate) rows: Vec<Value>,
    /// What has to be said of the numbers.
    pub(crate) notes: Vec<String>,
    pub(crate) problems: Vec<String>,
}

impl Measured {
    /// The result of a part of a row, which is noted; one that failed is a problem.
    pub(crate) fn take(&mut self, row: &str, part: &str, given: Part) -> Option<Value> {
        let result = self.result(&format!("{row}, {part}"), given)?;
        self.rows.push(json!({"row": row, "part": part, "result": result}));
        Some(result)
    }

    /// The result of something called `name`; if it failed, that is a problem.
    pub(crate) fn result(&mut self, name: &str, given: Part) -> Option<Value> {
        match given {
            Part::Measured(result) => Some(result),
            Part::Failed(why) => {
                self.problems.push(format!("{name}: not measured: {why}"));
                None
            }
        }
    }
}
