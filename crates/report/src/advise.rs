//! What each way to ask gave, for people and for programs, and which one to use.

use ample_advise::{Advice, Advised, Ask, Came, Searched, Tried};
use ample_check::Verdict;
use ample_guarantee::ClassSet;
use serde_json::{Value, json};

use crate::asked::Asked;
use crate::wrap::wrap;
use crate::{Look, Paint, Subject, numbers};

/// So many ways with several techniques are listed: those with the fewest states.
const MOST_TOGETHER: usize = 6;

/// What a list of words is indented by.
const INDENT: usize = 20;

/// What is said in the end.
pub struct AdviceReport<'a> {
    /// What was asked.
    pub asked: Asked<'a>,
    /// The model.
    pub subject: &'a Subject<'a>,
    /// What was found.
    pub advice: &'a Advice,
    /// How long it took.
    pub seconds: f64,
}

impl AdviceReport<'_> {
    /// For people. If it is to be verbose, every way that was tried has a line.
    pub fn text(&self, is_verbose: bool, look: Look) -> String {
        let properties = &self.advice.properties;
        let mut text = properties.iter().map(|one| self.property(one, is_verbose, look)).collect::<Vec<_>>().join("\n");
        if !self.advice.hints.is_empty() {
            text += &format!("\n{}\n", look.colour.paint(Paint::Heading, "What you could change"));
        }
        for hint in &self.advice.hints {
            let words = format!("{}: {}.", self.subject.place(hint.span), hint.text);
            let lines = wrap(&words, look.width.saturating_sub(2).max(INDENT));
            text += &format!("  {}\n", lines.join("\n    "));
        }
        text
    }

    fn property(&self, advised: &Advised, is_verbose: bool, look: Look) -> String {
        let verdict = advised.verdict.name();
        let heading = look.colour.paint(Paint::Heading, &advised.name);
        let mut text = match &advised.reason {
            Some(reason) => format!("{heading}: {verdict}: {reason}\n"),
            None => format!("{heading}: {verdict}\n"),
        };
        if advised.tried.is_empty() {
            return text;
        }
        let shown = shown(advised, is_verbose);
        text += &table(advised, &shown, look);
        text += &not_listed(advised, &shown, look);
        if let Some((one, other)) = advised.difference() {
            let [one, other] = [one, other].map(|ask| self.asked.command(&advised.name, &ask.flags()));
            text += &format!("internal error: the answers differ\n  {one}\n  {other}\n");
        }
        if !advised.is_complete {
            text += "There was no time for all: more with --max-time.\n";
        }
        text + &self.recommended(advised, look)
    }

    /// The line that counts.
    fn recommended(&self, advised: &Advised, look: Look) -> String {
        let Some(best) = advised.best.and_then(|at| advised.tried.get(at)) else {
            return "No way came to an answer, and none promises to.\n".to_owned();
        };
        let command = self.asked.command(&advised.name, &best.ask.flags());
        let what = if best.settled().is_some() { "Use" } else { "Most promising" };
        format!("{}  {command}\n", look.colour.paint(Paint::Good, &format!("{what}:")))
    }

    /// For programs.
    pub fn json(&self) -> String {
        let properties = &self.advice.properties;
        let verdict = properties.iter().map(|one| one.verdict).fold(Verdict::Holds, Verdict::combine);
        let hint = |hint: &ample_advise::Hint| json!({"place": self.subject.place(hint.span), "text": hint.text});
        let object = json!({
            "format": 1,
            "model": self.asked.model,
            "verdict": verdict.name(),
            "seconds": self.seconds,
            "properties": properties.iter().map(|one| self.property_object(one)).collect::<Vec<_>>(),
            "hints": self.advice.hints.iter().map(hint).collect::<Vec<_>>(),
        });
        format!("{object}\n")
    }

    fn property_object(&self, advised: &Advised) -> Value {
        let best = advised.best.and_then(|at| advised.tried.get(at));
        json!({
            "name": advised.name,
            "kind": advised.kind,
            "verdict": advised.verdict.name(),
            "reason": advised.reason,
            "complete": advised.is_complete,
            "agree": advised.difference().is_none(),
            "best": advised.best,
            "command": best.map(|best| self.asked.command(&advised.name, &best.ask.flags())),
            "ways": advised.tried.iter().map(way_object).collect::<Vec<_>>(),
        })
    }
}

fn way_object(tried: &Tried) -> Value {
    let mut object = json!({
        "flags": tried.ask.flags(),
        "default": tried.ask == Ask::ByItself,
        "technique": tried.single.map(|part| part.name),
        "refused": match &tried.came { Came::Refused(why) => Some(why), _ => None },
        "nothing_to_do": matches!(tried.came, Came::NothingToDo),
    });
    if let Some(searched) = tried.searched() {
        object["verdict"] = json!(searched.verdict.name());
        object["reason"] = json!(searched.reason);
        object["complete"] = json!(searched.is_settled);
        object["trace"] = json!(searched.trace);
        object["order"] = json!(searched.order);
        object["states"] = json!(searched.counts.states);
        object["transitions"] = json!(searched.counts.transitions);
        object["seconds"] = json!(searched.seconds);
        object["memory_bytes"] = json!(searched.memory);
        object["estimate"] = json!(searched.estimate);
        object["preserves"] = json!(searched.preserves.iter().map(|class| class.name()).collect::<Vec<_>>());
        object["reductions"] = json!(searched.reductions.iter().map(|part| part.name).collect::<Vec<_>>());
    }
    object
}

/// Whether a way explores what another one does, as far as numbers tell.
fn is_like(one: &Searched, other: &Searched) -> bool {
    let numbers = |of: &Searched| (of.is_settled, of.counts.states, of.counts.transitions);
    one.is_settled && numbers(one) == numbers(other)
}

/// The numbers of the ways that have a line: the full search, what `ample check` does by itself,
/// each technique that makes a difference, the best of those together, and the one to use.
fn shown(advised: &Advised, is_verbose: bool) -> Vec<usize> {
    let all = || advised.tried.iter().enumerate();
    if is_verbose {
        return all().filter(|(_, one)| one.searched().is_some()).map(|(at, _)| at).collect();
    }
    let full = advised.tried.first().and_then(Tried::searched);
    let makes_a_difference = |one: &Tried| match (one.searched(), full) {
        (Some(searched), Some(full)) => !is_like(searched, full),
        (searched, _) => searched.is_some(),
    };
    let is_first = |at: usize, one: &Tried| at == 0 || one.ask == Ask::ByItself;
    let is_listed = |(at, one): &(usize, &Tried)| {
        let is_single = one.single.is_some() && makes_a_difference(one);
        one.searched().is_some() && (is_first(*at, one) || is_single || advised.best == Some(*at))
    };
    let mut listed: Vec<usize> = all().filter(is_listed).map(|(at, _)| at).collect();
    let mut together: Vec<(u64, usize)> = all()
        .filter(|(at, one)| !listed.contains(at) && one.single.is_none())
        .filter_map(|(at, one)| Some((one.settled()?.counts.states, at)))
        .collect();
    together.sort_unstable();
    together.dedup_by_key(|(states, _)| *states);
    listed.extend(together.into_iter().take(MOST_TOGETHER).map(|(_, at)| at));
    listed
}

/// A row a way. The last column is what to copy.
fn table(advised: &Advised, shown: &[usize], look: Look) -> String {
    let full = advised.tried.first().and_then(Tried::settled).map(|full| full.counts.states);
    let rows = || shown.iter().filter_map(|at| Some((advised.tried.get(*at)?, advised.tried.get(*at)?.searched()?)));
    let mut kept: Vec<ClassSet> = Vec::new();
    for (_, searched) in rows() {
        if !kept.contains(&searched.preserves) {
            kept.push(searched.preserves);
        }
    }
    let letter = |searched: &Searched| {
        let at = kept.iter().position(|known| *known == searched.preserves).unwrap_or_default();
        char::from(b'a' + at.min(25) as u8)
    };
    let line = |states: &str, share: &str, time: &str, memory: &str, found: &str, keeps: &str, flags: &str| {
        format!("{states:>12} {share:>8} {time:>9} {memory:>9}  {found:<14} {keeps:<5}  {flags}").trim_end().to_owned()
            + "\n"
    };
    let heading = line("states", "of full", "time", "memory", "found", "keeps", "flags");
    let mut text = look.colour.paint(Paint::Heading, heading.trim_end()) + "\n";
    for (tried, searched) in rows() {
        let share = full.filter(|_| searched.is_settled).map(|full| share(searched.counts.states, full));
        let flags = match &tried.ask {
            Ask::ByItself => "(none: what `ample check` does by itself)".to_owned(),
            Ask::In(_) => tried.ask.flags(),
        };
        text += &line(
            &numbers::thousands(searched.counts.states),
            &share.unwrap_or_default(),
            &numbers::duration(searched.seconds),
            &numbers::megabytes(searched.memory),
            &found(searched),
            &letter(searched).to_string(),
            &flags,
        );
    }
    for (at, classes) in kept.iter().enumerate() {
        text += &format!("keeps {}: {classes}\n", char::from(b'a' + at.min(25) as u8));
    }
    text
}

/// In three digits at most.
fn share(states: u64, full: u64) -> String {
    let percent = 100.0 * states as f64 / full.max(1) as f64;
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

fn found(searched: &Searched) -> String {
    match (searched.is_settled, searched.trace, searched.estimate) {
        (true, Some(trace), _) => format!("violated at {}", numbers::thousands(trace as u64)),
        (true, None, _) => searched.verdict.name().to_owned(),
        (false, _, Some(estimate)) if estimate < 99.5 => format!("cut off, ~{}", factor(estimate)),
        (false, ..) => "cut off".to_owned(),
    }
}

/// A guess of the time beside that of the full search.
fn factor(estimate: f64) -> String {
    if estimate < 9.95 { format!("{estimate:.1}") } else { format!("{estimate:.0}") }
}

/// What has no line: what makes no difference, and what stands in the way of the others.
fn not_listed(advised: &Advised, shown: &[usize], look: Look) -> String {
    let singles = || advised.tried.iter().enumerate().filter(|(at, _)| !shown.contains(at));
    let is_idle = |one: &&Tried| !matches!(one.came, Came::Refused(_));
    let idle: Vec<&str> =
        singles().map(|(_, one)| one).filter(is_idle).filter_map(|one| Some(one.single?.name)).collect();
    let mut text = String::new();
    if !idle.is_empty() {
        text += &folded("no difference", &idle.join(", "), look);
    }
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (_, one) in singles() {
        let (Some(part), Came::Refused(why)) = (one.single, &one.came) else { continue };
        // What it is about stands before the colon, and here before the line.
        let reason = why.split_once(": ").map_or(why.as_str(), |(_, reason)| reason);
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(part.name),
            None => reasons.push((reason, vec![part.name])),
        }
    }
    for (reason, names) in reasons {
        text += &folded("not here", &format!("{}: {reason}", names.join(", ")), look);
    }
    text
}

/// Words behind a label, in lines that fit.
fn folded(label: &str, words: &str, look: Look) -> String {
    let width = look.width.saturating_sub(INDENT).max(INDENT);
    let lines = wrap(words, width);
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        let label = if at == 0 { label } else { "" };
        text += &format!("  {label:<width$}{line}\n", width = INDENT - 2);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Colour;

    #[test]
    fn numbers_have_three_digits_at_most() {
        assert_eq!([share(1, 3), share(1, 100_000), share(5, 5)], ["33 %", "0.0 %", "100 %"]);
        assert_eq!([factor(0.25), factor(12.3)], ["0.2", "12"]);
    }

    #[test]
    fn words_stand_behind_their_label() {
        let look = Look { width: 40, colour: Colour::No };
        let text = folded("linear", "no variable can be shifted, since all are compared", look);
        assert_eq!(text.lines().next(), Some("  linear            no variable can be"));
        assert!(text.lines().skip(1).all(|line| line.starts_with(&" ".repeat(INDENT))), "{text}");
    }
}
