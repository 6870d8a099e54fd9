//! Writes what Spin says of every expression that reads the whole state, in every place:
//! `crates/testing/whole-state.txt`.

use std::fs;

use ample_testing::spin::{self, Answer, Compiler};
use ample_testing::whole_state::{Recorded, cases};
use ample_testing::workspace_root;
use anyhow::bail;

/// What stands at the top of the file.
const HEAD: &str = "\
# What Spin 6.5.2 says of every expression that reads the whole state, in every place that evaluates one: verdict, states and transitions of
# the complete search; `error` where a run-time error makes the counts incomparable; `refused` where it does not read the model.
# Written by `cargo xtask spin-table`.
";

/// Asks Spin about every case and keeps the answers.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    if !arguments.is_empty() {
        bail!("spin-table takes no arguments");
    }
    if !spin::is_installed() {
        bail!("`spin` and `gcc` must be installed");
    }
    let scratch = std::env::temp_dir().join(format!("ample-spin-{}", std::process::id()));
    let mut text = HEAD.to_owned();
    for case in cases() {
        let recorded = match spin::ask(&case.model(), &scratch, Compiler::fastest())? {
            Answer::Rejected(_) => Recorded::Refused,
            Answer::Failed(message) => bail!("{case}: {message}"),
            Answer::Searched { comparable: false, .. } => Recorded::Error,
            Answer::Searched { numbers, .. } => Recorded::Counted(numbers),
        };
        text += &format!("{case} | {recorded}\n");
    }
    let _ = fs::remove_dir_all(&scratch);
    let path = workspace_root().join("crates/testing/whole-state.txt");
    fs::write(&path, text)?;
    println!("{} answers in {}", cases().count(), path.display());
    Ok(true)
}
