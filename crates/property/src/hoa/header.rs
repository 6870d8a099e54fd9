//! The header of an automaton, and expressions of labels.

use std::collections::HashMap;

use ample_source::{Diagnostic, Span};

use super::acceptance::{self, Acceptance};
use super::cursor::{Cursor, Parsed};
use super::lexer::{Kind, unquoted};
use crate::bdd::{Bdd, Bdds};
use crate::ltl::MAX_PROPOSITIONS;

/// What the header says.
pub(super) struct Header {
    pub name: Option<String>,
    pub states: Option<usize>,
    /// Each with its place.
    pub starts: Vec<(usize, Span)>,
    pub propositions: Vec<String>,
    /// Where these stand, without their quotes.
    pub places: Vec<Span>,
    pub acceptance: Acceptance,
    pub aliases: HashMap<String, Bdd>,
    pub labels: Bdds,
}

/// The parts of the header as they come.
#[derive(Default)]
struct Draft {
    name: Option<String>,
    states: Option<usize>,
    starts: Vec<(usize, Span)>,
    propositions: Option<(Vec<String>, Vec<Span>)>,
    acceptance: Option<Acceptance>,
    aliases: HashMap<String, Bdd>,
    labels: Bdds,
    /// Aliases may stand before the propositions are declared; their numbers are checked at the
    /// end.
    used: Vec<(usize, Span)>,
}

/// The header, up to and with `--BODY--`.
pub(super) fn header(cursor: &mut Cursor<'_>) -> Parsed<Header> {
    let begin = cursor.here();
    if cursor.peek_text() != "HOA:" {
        return Err(no_header(cursor));
    }
    cursor.next();
    let version_span = cursor.here();
    match cursor.eat_kind(Kind::Identifier) {
        // What 1.1 adds does not change the meaning: points in names, and properties that do not
        // hold.
        Some("v1" | "v1.1") => {}
        Some(version) => {
            let error = Diagnostic::error(version_span, format!("version `{version}` of HOA is not supported"));
            return Err(error.help("supported is `v1`").into());
        }
        None => return Err(cursor.unexpected("`v1`")),
    }
    let mut draft = Draft::default();
    while cursor.kind() == Some(Kind::Header) {
        if cursor.peek_text() == "HOA:" {
            return Err(cursor.error("another automaton begins before this one has a body"));
        }
        item(cursor, &mut draft)?;
    }
    if cursor.kind() != Some(Kind::Body) {
        return Err(match cursor.kind() {
            Some(Kind::Abort) => cursor.error("the automaton was given up by its writer (`--ABORT--`)"),
            _ => cursor.unexpected("a header or `--BODY--`"),
        });
    }
    cursor.next();
    let Some(acceptance) = draft.acceptance else {
        let error = Diagnostic::error(begin, "the automaton has no `Acceptance:`");
        return Err(error.help("for Büchi acceptance write `Acceptance: 1 Inf(0)`").into());
    };
    let (propositions, places) = draft.propositions.unwrap_or_default();
    for (number, span) in draft.used {
        check_proposition(number, propositions.len(), span)?;
    }
    Ok(Header {
        name: draft.name,
        states: draft.states,
        starts: draft.starts,
        propositions,
        places,
        acceptance,
        aliases: draft.aliases,
        labels: draft.labels,
    })
}

fn no_header(cursor: &Cursor<'_>) -> Box<Diagnostic> {
    let error = Diagnostic::error(cursor.here(), "expected an automaton in HOA format");
    match cursor.peek_text() {
        "never" => error.help("this looks like a never claim; HOA begins with `HOA: v1`").into(),
        _ => error.help("HOA begins with `HOA: v1`").into(),
    }
}

fn item(cursor: &mut Cursor<'_>, draft: &mut Draft) -> Parsed<()> {
    let span = cursor.here();
    let once = |is_new: bool| match is_new {
        true => Ok(()),
        false => Err(Box::new(Diagnostic::error(span, "this header stands twice").help("leave one out"))),
    };
    match cursor.next() {
        "States:" => {
            once(draft.states.is_none())?;
            draft.states = Some(cursor.number("the number of states")?);
        }
        "Start:" => {
            let span = cursor.here();
            let state = cursor.number("a state")?;
            refuse_universal(cursor)?;
            draft.starts.push((state, span));
        }
        "AP:" => {
            once(draft.propositions.is_none())?;
            draft.propositions = Some(propositions(cursor)?);
        }
        "Acceptance:" => {
            once(draft.acceptance.is_none())?;
            draft.acceptance = Some(acceptance::acceptance(cursor, span)?);
        }
        "Alias:" => {
            let span = cursor.here();
            let Some(name) = cursor.eat_kind(Kind::Alias) else {
                return Err(cursor.unexpected("the name of an alias"));
            };
            let Draft { aliases, labels, used, .. } = draft;
            let mut on_number = |number, span| {
                used.push((number, span));
                Ok(())
            };
            let label = label(cursor, labels, aliases, &mut on_number)?;
            if aliases.insert(name.to_owned(), label).is_some() {
                return Err(Diagnostic::error(span, format!("the alias `{name}` is defined twice")).into());
            }
        }
        "name:" => draft.name = Some(text(cursor, "the name of the automaton")?),
        "State:" => {
            let error = Diagnostic::error(span, "a state before `--BODY--`");
            return Err(error.help("write `--BODY--` between the header and the states").into());
        }
        // Headers with a capital letter may change the meaning, so what is unknown is refused, as
        // the format asks.
        other if other.starts_with(|c: char| c.is_ascii_uppercase()) => {
            let error = Diagnostic::error(span, format!("the header `{other}` is not known"));
            return Err(error.label("it may change what the automaton means").into());
        }
        _ => skip_values(cursor),
    }
    Ok(())
}

fn skip_values(cursor: &mut Cursor<'_>) {
    let is_value = |kind: Kind| matches!(kind, Kind::Identifier | Kind::Number | Kind::Text | Kind::Alias);
    while cursor.kind().is_some_and(is_value) || cursor.peek_text() == "!" {
        cursor.next();
    }
}

fn text(cursor: &mut Cursor<'_>, what: &str) -> Parsed<String> {
    cursor.eat_kind(Kind::Text).map(unquoted).ok_or_else(|| cursor.unexpected(what))
}

/// The propositions, and where they stand without their quotes.
fn propositions(cursor: &mut Cursor<'_>) -> Parsed<(Vec<String>, Vec<Span>)> {
    let span = cursor.here();
    let count = cursor.number("the number of propositions")?;
    if count > MAX_PROPOSITIONS {
        let message = format!("the automaton has more than {MAX_PROPOSITIONS} propositions");
        return Err(Diagnostic::error(span, message).into());
    }
    let (mut names, mut places): (Vec<String>, Vec<Span>) = Default::default();
    while let Some(Kind::Text) = cursor.kind() {
        let name_span = cursor.here();
        let name = text(cursor, "a proposition")?;
        if names.contains(&name) {
            return Err(Diagnostic::error(name_span, format!("the proposition \"{name}\" is declared twice")).into());
        }
        names.push(name);
        places.push(Span { start: name_span.start + 1, end: name_span.end.saturating_sub(1), ..name_span });
    }
    if names.len() != count {
        let message = format!("{count} propositions are announced, but {} are named", names.len());
        return Err(Diagnostic::error(span, message).into());
    }
    Ok((names, places))
}

/// Refuses `&` between states.
pub(super) fn refuse_universal(cursor: &Cursor<'_>) -> Parsed<()> {
    if cursor.peek_text() != "&" {
        return Ok(());
    }
    let error = Diagnostic::error(cursor.here(), "universal branching is not supported");
    Err(error.label("an alternating automaton").help("remove the alternation with the tool that made it").into())
}

pub(super) fn check_proposition(number: usize, count: usize, span: Span) -> Parsed<()> {
    if number < count {
        return Ok(());
    }
    let error = Diagnostic::error(span, format!("there is no proposition {number}"));
    Err(error.label(format!("{count} propositions are declared, numbered from 0")).into())
}

/// The expression of a label.
pub(super) fn label(
    cursor: &mut Cursor<'_>,
    labels: &mut Bdds,
    aliases: &HashMap<String, Bdd>,
    on_number: &mut dyn FnMut(usize, Span) -> Parsed<()>,
) -> Parsed<Bdd> {
    let mut any = Bdd::FALSE;
    loop {
        let mut all = Bdd::TRUE;
        loop {
            let part = label_atom(cursor, labels, aliases, on_number)?;
            all = labels.and(all, part);
            if !cursor.eat("&") {
                break;
            }
        }
        any = labels.or(any, all);
        if !cursor.eat("|") {
            return Ok(any);
        }
    }
}

fn label_atom(
    cursor: &mut Cursor<'_>,
    labels: &mut Bdds,
    aliases: &HashMap<String, Bdd>,
    on_number: &mut dyn FnMut(usize, Span) -> Parsed<()>,
) -> Parsed<Bdd> {
    if cursor.eat("!") {
        let inside = cursor.nested(|cursor| label_atom(cursor, labels, aliases, on_number))?;
        return Ok(labels.not(inside));
    }
    if cursor.eat("(") {
        let inside = cursor.nested(|cursor| label(cursor, labels, aliases, on_number))?;
        cursor.require(")")?;
        return Ok(inside);
    }
    let span = cursor.here();
    match (cursor.kind(), cursor.peek_text()) {
        (Some(Kind::Identifier), "t") => {
            cursor.next();
            Ok(Bdd::TRUE)
        }
        (Some(Kind::Identifier), "f") => {
            cursor.next();
            Ok(Bdd::FALSE)
        }
        (Some(Kind::Number), _) => {
            let number = cursor.number("the number of a proposition")?;
            on_number(number, span)?;
            check_proposition(number, MAX_PROPOSITIONS, span)?;
            Ok(labels.variable(number as u32))
        }
        (Some(Kind::Alias), name) => {
            cursor.next();
            aliases.get(name).copied().ok_or_else(|| {
                let error = Diagnostic::error(span, format!("the alias `{name}` is not defined"));
                error.help("an alias is defined before it is used: `Alias: @name …`").into()
            })
        }
        _ => Err(cursor.unexpected("a label")),
    }
}
