//! Bad usages, bad models, and manners.

mod support;

use std::io::Read;
use std::process::Stdio;

use support::{Folder, Ran};

#[test]
fn what_is_not_built_is_refused_by_name() {
    let folder = Folder::new("not_built");
    folder.refuse("check peterson.pml --over predicates", "`--over` is not built yet");
    folder.refuse("check peterson.pml --predicates-by location", "`--predicates-by` is not built yet");
    folder.refuse("check peterson.pml --cover=none", "`--cover` is not built yet");
    folder.refuse("check peterson.pml --time 1/2", "`--time` is not built yet");
    let help = folder.run("check --help").stdout;
    assert!(!help.contains("--over") && help.contains("--claim"), "{help}");
}

#[test]
fn what_was_meant_is_suggested() {
    let folder = Folder::new("suggestions");
    folder.refuse("cheque peterson.pml", "'check'");
    folder.refuse("check peterson.pml --stor exact", "'--store'");
    folder.refuse("check peterson.pml -p saftey", "did you mean `safety`?");
    folder.refuse("check peterson.pml -p mutx", "did you mean `mutex`?");
    folder.refuse("peterson.pml", "did you mean `ample check peterson.pml`?");
    folder.refuse("check peterson.pml --max-memory lots", "such as 512M or 2G");
    folder.refuse("check peterson.pml --max-time soon", "such as 90s, 5m or 1h");
    folder.refuse("check peterson.pml --reduce par", "no reduction named `par`");
    folder.refuse("check peterson.pml -D 9", "`9` is not the name of a macro");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::new("conflicts");
    folder.refuse("check peterson.pml --order dfs --threads 2", "--order dfs runs on one thread");
    folder.refuse("check peterson.pml --order blocks --max-depth 3", "--max-depth does not go with --order blocks");
    folder.refuse("check peterson.pml --threads 0", "--threads");
    folder.refuse("check peterson.pml --order depth", "possible values: auto, blocks, bfs, dfs");
    folder.refuse("check peterson.pml --store hash", "possible values: auto, collapse, tree, exact, compact, bitstate");
}

#[test]
fn bad_models_are_refused_with_an_excerpt() {
    let folder = Folder::new("bad_models");
    folder.refuse("check bad.pml", "2 | active proctype p() { y = 1; x = z }");
    folder.refuse("sim bad.pml", " --> bad.pml:2:23");
    folder.refuse("graph bad.pml", " --> bad.pml:2:34");
    folder.refuse("check nowhere.pml", "cannot read nowhere.pml");
    folder.refuse("check .", "cannot tell the language");
    std::fs::write(folder.0.join("many.pml"), "byte \"\n".repeat(30)).unwrap();
    folder.refuse("check many.pml", "more are not shown");
}

#[test]
fn output_that_is_piped_has_no_escapes() {
    let folder = Folder::new("escapes");
    for arguments in ["check mutex-wrong.pml", "check bad.pml", "check --help", "check --stor", "sim divide.pml"] {
        let ran = folder.run(arguments);
        assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{arguments}");
    }
    let ran = folder.run("check mutex-wrong.pml --color always");
    assert!(ran.stdout.starts_with("\u{1b}[1;31mVIOLATED\u{1b}[0m  "), "{}", ran.stdout);
}

#[test]
fn help_has_examples_for_each_subcommand() {
    let folder = Folder::new("help");
    for command in ["check", "sim", "graph", "inspect", "ltl", "audit", "compare", "bench", "completions", "man"] {
        let ran = folder.run(&format!("{command} --help"));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let examples = ran.stdout.split("Examples:").nth(1).unwrap_or_default();
        assert!(examples.matches("\n  ample ").count() >= 2, "{command}: {examples}");
    }
    assert_eq!(folder.run("--version").stdout, format!("ample {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_names_the_endings_of_every_language() {
    let folder = Folder::new("endings");
    for arguments in ["--help", "-h", "check --help", "sim --help", "graph --help", "inspect --help", "audit --help"] {
        let help = folder.run(arguments).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            help.contains("Promela (.pml, .prm, .promela), DVE (.dve, .mdve) or guarded commands (.gcl)"),
            "{arguments}: {help}"
        );
    }
}

#[test]
fn completions_and_manual_pages() {
    let folder = Folder::new("manual");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = folder.run(&format!("completions {shell}"));
        assert!(ran.status == 0 && ran.stdout.contains("max-states"), "{shell}");
    }
    assert!(folder.run("man").stdout.contains(".TH ample"));
    assert!(folder.run("man check").stdout.contains("keep\\-going"));
    assert!(folder.run("man ltl").stdout.contains("stutter\\-closure"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new("broken_pipe");
    for arguments in ["sim peterson.pml --steps 100000", "graph pipeline.pml", "check mutex-wrong.pml"] {
        let mut command = folder.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 8];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panic") && !stderr.contains("error"), "{arguments}: {stderr}");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments}: {:?}", output.status);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_interruption_ends_the_search_and_reports_it() {
    let folder = Folder::new("interruption");
    let mut command = folder.command("check counter.pml");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // However long it takes until the handler is there, the space does not end.
    while !catches_interruptions(child.id()) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let ran = Ran::from(child.wait_with_output().unwrap());
    ran.stopped("UNKNOWN   safety: no error found, but the search was interrupted\n", "it was interrupted");
}

/// Whether a process has a handler for the signal. The system tells in a mask, where the signal's
/// bit is the second.
#[cfg(target_os = "linux")]
fn catches_interruptions(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0
}
