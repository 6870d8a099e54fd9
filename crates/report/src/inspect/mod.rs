//! What the static analyses found, statement by statement: what each reads, writes and depends on,
//! and where a process may go first.

mod statements;
mod subject;
mod words;

use std::fmt::Write;

use ample_model::ExclusiveEnd;
use ample_network::facts::{Claim, Numbering, Safety, channel_name, instance_name};
use serde_json::{Value, json};

use statements::{Process, Statement, Touch};

pub use subject::{Finding, InspectedModel};

/// The number of the format of the JSON object.
const FORMAT: u32 = 1;

/// The width of the words before the facts: `receives from`, and two blanks.
const LABEL: usize = 15;

/// What everything is indented by.
const INDENT: usize = 8;

/// What is said of a model with one process in place of what safe means.
const ONE_PROCESS: &str = "There is one process: it is safe to let it move first, but no other waits meanwhile, so that \
                           partial order reduction leaves nothing out. Processes that a pass makes of it are judged when they are searched.";

impl InspectedModel<'_> {
    /// For people, in lines of at most `width` columns where that is possible.
    pub fn text(&self, width: usize) -> String {
        let processes = self.processes();
        let mut text = String::new();
        for process in &processes {
            let _ = writeln!(text, "{}", process.name);
            for statement in &process.statements {
                text += &of_statement(statement, width);
            }
            text.push('\n');
        }
        for claim in self.facts.claims() {
            let _ = writeln!(text, "{}", of_claim(self, claim));
        }
        for Finding { label, sentences, .. } in self.findings {
            sentences.iter().for_each(|sentence| text += &folded(label, &format!("{sentence}."), width));
        }
        if !self.dead_at_times.is_empty() {
            text += &folded(
                "Dead at times (`--reduce dead-globals`): ",
                &format!("{}.", listed(self.dead_at_times.iter())),
                width,
            );
        }
        if self.facts.is_guessed() {
            text += "The processes are guessed from runs: all this is true as long as no other process appears.\n";
        }
        if let Some(reason) = self.not_merged {
            let _ = writeln!(text, "No steps are merged (`--reduce merge`): {reason}.");
        }
        match self.facts.numbering() {
            Numbering::Known => {}
            Numbering::Anonymous => {
                text += "Process numbers make no difference: creating and ending are independent.\n"
            }
            Numbering::Counted(why) => {
                let _ = writeln!(text, "Creating and ending depend on each other, since process numbers count: {why}.");
            }
        }
        if let Err(why) = self.sliced {
            let _ = writeln!(text, "Nothing is left out by slicing: {why}.");
        }
        let all = || processes.iter().flat_map(|process| &process.statements);
        let count = |is_it: fn(&Safety) -> bool| all().filter(|statement| is_it(&statement.safety)).count();
        let _ = writeln!(
            text,
            "{} statements: {} safe, {} safe at times, {} not safe",
            all().count(),
            count(|safety| *safety == Safety::Always),
            count(|safety| matches!(safety, Safety::When(_))),
            count(|safety| matches!(safety, Safety::Never(_))),
        );
        text += &match (processes.len(), self.facts.is_guessed()) {
            (1, false) => folded("", ONE_PROCESS, width),
            _ => "Safe: the process may move before all others here, and no behaviour is lost.\n".to_owned(),
        };
        text
    }

    /// For programs.
    pub fn json(&self) -> String {
        let of_process = |process: &Process| {
            let statements: Vec<Value> = process.statements.iter().map(statement_json).collect();
            json!({"name": process.name, "statements": statements})
        };
        let of_claim = |claim: &Claim| {
            let name = |instance| instance_name(self.network, instance);
            let channels: Vec<String> =
                claim.channels.iter().map(|channel| channel_name(self.network, *channel)).collect();
            let others: Vec<String> = claim.others.iter().map(name).collect();
            json!({"process": name(claim.instance), "claim": claim_word(claim), "channels": channels, "others": others})
        };
        let mut whole = json!({
            "format": FORMAT,
            "model": self.network.model.name,
            "guessed": self.facts.is_guessed(),
            "anonymous": self.facts.numbering().is_anonymous(),
            "processes": self.processes().iter().map(of_process).collect::<Vec<_>>(),
            "claims": self.facts.claims().iter().map(of_claim).collect::<Vec<_>>(),
            "dead_at_times": self.dead_at_times,
        });
        for Finding { key, sentences, .. } in self.findings {
            whole[*key] = json!(sentences);
        }
        format!("{whole}\n")
    }
}

fn of_statement(statement: &Statement, width: usize) -> String {
    let mut text = format!("  {:<5} {}\n", statement.place, statement.text);
    let mut line = |label: &str, words: &str| {
        let first = format!("{:INDENT$}{label:<LABEL$}", "");
        text += &folded(&first, words, width);
    };
    for (touch, names) in &statement.touches {
        line(touch.word(), &listed(names.iter()));
    }
    if !statement.depends_on.is_empty() {
        let of_process = |(name, places): (&String, &Vec<String>)| format!("{name} {}", places.join(" "));
        let all: Vec<String> = statement.depends_on.iter().map(of_process).collect();
        line("depends on", &all.join(", "));
    }
    if statement.is_sliced {
        line("left out", "by slicing, where only assertions are asked for");
    }
    match &statement.safety {
        Safety::Always => line("safe", "always"),
        Safety::When(_) => line("safe", &statement.why),
        Safety::Never(_) => line("not safe", &statement.why),
    }
    if statement.is_merged {
        line("merged", "with the step before it");
    }
    if statement.is_loop {
        line("one step", "all rounds of the loop that begins here");
    }
    text
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Words behind a label, in lines of at most `width` columns where that is possible.
fn folded(label: &str, words: &str, width: usize) -> String {
    let indent = label.chars().count();
    let (mut text, mut column) = (label.to_owned(), indent);
    for word in words.split(' ') {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            text = format!("{}\n{:indent$}", text.trim_end(), "");
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text.push('\n');
    text
}

fn of_claim(subject: &InspectedModel<'_>, claim: &Claim) -> String {
    let word = claim_word(claim);
    let channels: Vec<String> = claim.channels.iter().map(|channel| channel_name(subject.network, *channel)).collect();
    let who = instance_name(subject.network, claim.instance);
    let claimed = format!("{who} {} claims `{word} {}`", subject.place(claim.span), channels.join(", "));
    if claim.others.is_empty() {
        return format!("{claimed}: true.");
    }
    let others: Vec<String> = claim.others.iter().map(|other| instance_name(subject.network, other)).collect();
    format!("{claimed}: not true as far as can be told, {} may do so, too.", others.join(", "))
}

fn claim_word(claim: &Claim) -> &'static str {
    match claim.end {
        ExclusiveEnd::Receive => "xr",
        ExclusiveEnd::Send => "xs",
    }
}

fn statement_json(statement: &Statement) -> Value {
    let safe = match &statement.safety {
        Safety::Always => "always",
        Safety::When(_) => "when",
        Safety::Never(_) => "never",
    };
    let mut object = json!({
        "place": statement.place,
        "statement": statement.text,
        "depends_on": statement.depends_on,
        "safe": safe,
        "why": statement.why,
        "merged": statement.is_merged,
        "accelerated": statement.is_loop,
        "left_out": statement.is_sliced,
    });
    for touch in [
        Touch::Reads,
        Touch::Writes,
        Touch::SendsTo,
        Touch::ReceivesFrom,
        Touch::Tests,
        Touch::Creates,
        Touch::Meets,
        Touch::Resets,
    ] {
        let names = statement.touches.iter().find(|(of, _)| *of == touch).map(|(_, names)| names);
        object[touch.word().replace(' ', "_")] = json!(names.cloned().unwrap_or_default());
    }
    object
}
