//! Completion scripts and manual pages, made from the command line's own description.

use std::io::Write;

use crate::args::{self, CompletionsArgs, ManArgs};
use crate::failure::{Failure, Status};
use crate::output::Terminal;

/// Prints the completion script of a shell.
pub fn completions(options: &CompletionsArgs) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut args::command(), "ample", &mut script);
    print(&script);
    Ok(Status::Holds)
}

/// Prints a manual page.
pub fn page(options: &ManArgs) -> Result<Status, Failure> {
    let mut command = args::command();
    command.build();
    if let Some(name) = &options.command {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| Failure::Usage(format!("there is no subcommand `{name}`")))?;
    }
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut page).and_then(|()| page.flush());
    rendered.map_err(|error| Failure::Internal(error.to_string()))?;
    print(&page);
    Ok(Status::Holds)
}

fn print(bytes: &[u8]) {
    Terminal::default().print(&String::from_utf8_lossy(bytes));
}
