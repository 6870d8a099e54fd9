//! Documents whose commands are run and whose outputs are compared.
//!
//! In a `console` block a line that begins with `$ ` is a command and what follows is its output,
//! standard error included; the commands of a document run in one folder, those of a block in one
//! shell. `cargo run --release --` stands for `ample`. A block after the comment `<!-- file: NAME
//! -->` is first written to that file. Times and amounts of memory are not compared.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

const MARK: &str = "==== end of output ====";

/// Runs the commands of a document in `folder`, with the programs in `programs` in reach. Gives the
/// document with the outputs as they are.
pub fn rerun(document: &str, folder: &Path, programs: &Path) -> io::Result<String> {
    let mut result = String::new();
    let mut lines = document.lines().peekable();
    let mut file = None;
    while let Some(line) = lines.next() {
        result.push_str(line);
        result.push('\n');
        if let Some(name) = line.trim().strip_prefix("<!-- file: ").and_then(|rest| rest.strip_suffix(" -->")) {
            file = Some(name.to_owned());
            continue;
        }
        if !line.starts_with("```") || line.len() == 3 {
            continue;
        }
        let mut block = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("```")) {
            block.push(line);
        }
        if let Some(name) = file.take() {
            fs::write(folder.join(name), block.join("\n") + "\n")?;
        }
        let block = block.join("\n") + "\n";
        result.push_str(&if line == "```console" { rerun_block(&block, folder, programs)? } else { block });
        result.extend(lines.next().map(|line| format!("{line}\n")));
    }
    Ok(result)
}

fn rerun_block(block: &str, folder: &Path, programs: &Path) -> io::Result<String> {
    let commands: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let mut script = "exec 2>&1\n".to_owned();
    for command in &commands {
        let command = command.replace("cargo run --release -- ", "ample ");
        script.push_str(&format!("{command}\nstatus=$?\nprintf '%s\\n' '{MARK}'\n(exit $status)\n"));
    }
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let output =
        Command::new("sh").arg("-c").arg(script).current_dir(folder).env("PATH", path).env("NO_COLOR", "1").output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let end = format!("{MARK}\n");
    let mut outputs = text.split(end.as_str());
    let mut result = String::new();
    for command in commands {
        let output = outputs.next().unwrap_or_default().trim_end_matches('\n');
        result.push_str(&format!("$ {command}\n"));
        if !output.is_empty() {
            result.push_str(output);
            result.push('\n');
        }
    }
    Ok(result)
}

/// The text with what differs from run to run made equal: `in 0.12 s with 7 MB`, seconds and bytes
/// in JSON.
pub fn settle(text: &str) -> String {
    text.lines().map(|line| settle_line(line) + "\n").collect()
}

fn settle_line(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for at in 1..words.len() {
        let is_number = words[at - 1].parse::<f64>().is_ok();
        let unit = words[at].trim_end_matches([';', ',']);
        if is_number && matches!(unit, "s" | "MB" | "GB") {
            words[at - 1] = "N".to_owned();
        }
    }
    let mut line = words.join(" ");
    for field in ["\"seconds\":", "\"startup_seconds\":", "\"peak_memory_bytes\":"] {
        let parts: Vec<&str> = line.split(field).collect();
        let rest =
            parts[1..].iter().map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit() || ".e- ".contains(c)));
        line = std::iter::once(parts[0]).chain(rest).collect::<Vec<_>>().join(&format!("{field} N"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_run_and_their_output_is_put_in() {
        let folder = std::env::temp_dir().join(format!("ample-documents-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a scratch folder");
        let document = "Text.\n\n<!-- file: a.txt -->\n```promela\nskip\n```\n\n```console\n$ cat a.txt\nold\n$ false\n$ echo $?\n```\nEnd.\n";
        let expected = document.replace("old\n", "skip\n").replace("$ echo $?\n", "$ echo $?\n1\n");
        let rerun = rerun(document, &folder, &folder).expect("sh runs");
        fs::remove_dir_all(&folder).expect("the folder is ours");
        assert_eq!(rerun, expected);
    }

    #[test]
    fn times_and_memory_do_not_matter() {
        assert_eq!(settle("in 0.12 s with 7 MB; x\n"), settle("in 3.00 s with 12 MB; x\n"));
        assert_eq!(settle("{\"seconds\":0.1,\"a\":1}\n"), settle("{\"seconds\":2e-5,\"a\":1}\n"));
        assert_ne!(settle("12 states\n"), settle("13 states\n"));
    }
}
