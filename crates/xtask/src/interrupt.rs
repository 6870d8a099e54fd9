//! Ctrl-C and `--max-time` at every stage: programs with heavy inputs are interrupted at several
//! moments, and how long each goes on is measured.
//!
//! Times do not decide tests, so this is a task of its own. Each input spends its time in one
//! stage: reading, creating processes, compiling, static facts, searching, finding the way to an
//! error, replaying and writing, translating a formula.

use std::fmt::Write;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ample_testing::workspace_root;
use anyhow::{Context, bail};

/// When programs are interrupted, in milliseconds from their start.
const MOMENTS: [u64; 6] = [30, 150, 400, 1000, 2000, 4000];

/// No program may go on for longer after it was interrupted, or after its time is over.
const MOST: Duration = Duration::from_secs(1);

/// The time limit that is given.
const MAX_TIME: Duration = Duration::from_secs(2);

/// A model, and how the program is called with it.
struct Input {
    name: &'static str,
    file: &'static str,
    text: String,
    arguments: &'static str,
}

/// Runs all inputs, or those whose name contains a text; false if one goes on for too long.
pub fn run(arguments: &[String]) -> anyhow::Result<bool> {
    let (mut binary, mut only) = (workspace_root().join("target/release/ample"), String::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let value = rest.next().with_context(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--binary" => binary = PathBuf::from(value),
            "--only" => only.clone_from(value),
            _ => bail!("there is no option {argument}"),
        }
    }
    let binary = binary
        .canonicalize()
        .with_context(|| format!("there is no {}: cargo build --release -p ample-cli", binary.display()))?;
    let folder = workspace_root().join("target/interrupt");
    fs::create_dir_all(&folder)?;
    let mut is_good = true;
    for input in inputs().into_iter().filter(|input| input.name.contains(&only)) {
        fs::write(folder.join(input.file), &input.text)?;
        let mut row = format!("{:<22}", input.name);
        for moment in MOMENTS {
            let took = interrupted(&mut start(&binary, &folder, input.arguments)?, Duration::from_millis(moment))?;
            is_good &= took.is_none_or(|took| took <= MOST);
            let _ = write!(row, " {moment:>4} ms: {}", words(took));
        }
        if input.arguments.starts_with("check") {
            let limit = format!("{} --max-time {}s", input.arguments, MAX_TIME.as_secs());
            let late = late(&mut start(&binary, &folder, &limit)?)?;
            is_good &= late <= MOST;
            let _ = write!(row, " limit: {}", words(Some(late)));
        }
        println!("{row}");
    }
    println!("{}", if is_good { "all within a second" } else { "SOME TOOK LONGER THAN A SECOND" });
    Ok(is_good)
}

/// How long a program went on; nothing if it was over before.
fn words(took: Option<Duration>) -> String {
    took.map_or("over  ".to_owned(), |took| format!("{:.2} s", took.as_secs_f64()))
}

fn start(binary: &Path, folder: &Path, arguments: &str) -> anyhow::Result<Child> {
    let output = File::create(folder.join("output.txt"))?;
    let mut command = Command::new(binary);
    command.args(arguments.split_whitespace()).current_dir(folder).stdin(Stdio::null());
    command.stdout(output.try_clone()?).stderr(output);
    command.spawn().with_context(|| format!("{} cannot be started", binary.display()))
}

/// How long a program goes on after it was interrupted at a moment.
fn interrupted(child: &mut Child, moment: Duration) -> anyhow::Result<Option<Duration>> {
    sleep(moment);
    if child.try_wait()?.is_some() {
        return Ok(None);
    }
    let since = Instant::now();
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    signal.context("`kill` cannot be started")?;
    end_of(child)?;
    Ok(Some(since.elapsed()))
}

/// How long a program goes on after its time is over.
fn late(child: &mut Child) -> anyhow::Result<Duration> {
    let since = Instant::now();
    end_of(child)?;
    Ok(since.elapsed().saturating_sub(MAX_TIME))
}

/// Waits for a program. One that does not end is ended.
fn end_of(child: &mut Child) -> anyhow::Result<()> {
    let since = Instant::now();
    while child.try_wait()?.is_none() {
        if since.elapsed() > Duration::from_secs(20) {
            child.kill()?;
            child.wait()?;
        }
        sleep(Duration::from_millis(2));
    }
    Ok(())
}

/// Statements one after the other.
fn line(statements: usize) -> String {
    (0..statements).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "  x = (x + {}) % 1000;", number % 7);
        text
    })
}

fn process(head: &str, statements: usize) -> String {
    format!("int x;\nactive {head} {{\n{}}}\n", line(statements))
}

/// Three counters: a large space.
const COUNTERS: &str = "byte a, b, c, d;
active proctype A() { do :: a++ :: a = 0 od }
active proctype B() { do :: b++ :: b = 0 od }
active proctype C() { do :: c++ :: c = 0 od }
active proctype D() { do :: d++ :: d = 0 od }
";

/// Two processes with many sends and receives, each of which may meet each.
fn handshakes(count: usize) -> String {
    let mut text = "chan c = [0] of { byte, byte };\n".to_owned();
    for process in ["P", "Q"] {
        let _ = writeln!(text, "active proctype {process}() {{ byte a, b;");
        for number in 0..count {
            let value = number % 250;
            let _ = writeln!(text, "  if :: c!{value},{} :: c?a,b :: c?{value},b fi;", value * 7 % 250);
        }
        text += "}\n";
    }
    text
}

fn inputs() -> Vec<Input> {
    let input = |name, file, text: String, arguments| Input { name, file, text, arguments };
    let deep = "int i; active proctype P() { do :: i < 3000000 -> i++ :: else -> assert(false) od }\n";
    let hidden = format!("{COUNTERS}active proctype E() {{ (a == 200 && b == 200 && c == 3) -> assert(false) }}\n");
    let chain = "byte n; int m; active proctype P() { byte i; atomic { do :: i < 200 -> i++; if :: n = n + 1 :: n = n * 3 :: m = m + n fi :: else -> break od } }\n";
    let creator = "int i; proctype P() { do :: i = 1 - i od }
init { do :: i < 90000 -> i++ :: else -> break od; run P(); run P() }\n";
    let until = (0..9).map(|n| format!("((a == {n}) U (b == {n}))")).collect::<Vec<_>>().join(" && ");
    let formula = format!("{COUNTERS}ltl f {{ !([]<>({until})) }}\n");
    vec![
        input("reading", "read.pml", process("proctype P()", 600_000), "check read.pml -p assertions"),
        input("creating", "create.pml", creator.to_owned(), "check create.pml"),
        input("compiling", "long.pml", process("proctype P()", 40_000), "check long.pml -p assertions --exec jit"),
        input(
            "interpreting meanwhile",
            "pair.pml",
            process("[2] proctype P()", 40_000),
            "check pair.pml -p assertions",
        ),
        input("compiling a d_step", "step.pml", d_step(20_000), "check step.pml -p assertions --exec jit"),
        input("compiling handshakes", "hands.pml", handshakes(700), "check hands.pml -p assertions --exec jit"),
        input("facts", "facts.pml", process("[3] proctype P()", 6_000), "check facts.pml -p assertions --por stubborn"),
        input("a long step", "chain.pml", chain.to_owned(), "check chain.pml -p assertions"),
        input("searching", "space.pml", COUNTERS.to_owned(), "check space.pml -p assertions"),
        input("breadth first", "space.pml", COUNTERS.to_owned(), "check space.pml -p assertions --order bfs"),
        input("depth first", "space.pml", COUNTERS.to_owned(), "check space.pml -p assertions --order dfs"),
        input("infinite runs", "space.pml", COUNTERS.to_owned(), "check space.pml --ltl <>[](a<256)"),
        input("fair runs", "space.pml", COUNTERS.to_owned(), "check space.pml --ltl <>[](a<256) --fair weak"),
        input("finding the way", "hidden.pml", hidden, "check hidden.pml -p assertions"),
        input("a formula", "formula.pml", formula, "check formula.pml -p f"),
        input("replaying, writing", "deep.pml", deep.to_owned(), "check deep.pml -p assertions"),
        input("writing JSON", "deep.pml", deep.to_owned(), "check deep.pml -p assertions --json"),
        input("a graph", "space.pml", COUNTERS.to_owned(), "graph space.pml --max-states 10000000 -o space.dot"),
        input("an audit", "space.pml", COUNTERS.to_owned(), "audit space.pml --budget 60s"),
    ]
}

fn d_step(statements: usize) -> String {
    format!("int x;\nactive proctype P() {{ d_step {{\n{}}} }}\n", line(statements))
}
