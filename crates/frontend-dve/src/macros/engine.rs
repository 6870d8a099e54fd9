//! The engine that reads a text and what its macros give.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::names::{BUILTINS, Builtin};

/// The most characters that are read, those read again included.
const MAX_READ: usize = 8 << 20;
/// The longest text that is waiting to be read.
pub(super) const MAX_WAITING: usize = 16 << 20;
/// The most calls inside each other's arguments.
const MAX_CALLS: usize = 1000;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Macro {
    Text(Rc<str>),
    Builtin(Builtin),
}

/// A call whose arguments are being read.
struct Call {
    name: String,
    callee: Macro,
    arguments: Vec<String>,
    current: String,
    /// How many parentheses are open inside the current argument.
    depth: usize,
}

pub(super) struct Engine {
    /// What is to be read, last character first.
    input: Vec<char>,
    pub(super) macros: HashMap<String, Vec<Macro>>,
    calls: Vec<Call>,
    /// The number of the text that output goes to; a negative one goes nowhere.
    pub(super) diversion: i32,
    pub(super) diversions: BTreeMap<i32, String>,
    read: usize,
    /// The least that was left of the input: how far the text itself was read.
    least_left: usize,
}

impl Engine {
    pub(super) fn new() -> Engine {
        let mut engine = Engine {
            input: Vec::new(),
            macros: HashMap::new(),
            calls: Vec::new(),
            diversion: 0,
            diversions: BTreeMap::new(),
            read: 0,
            least_left: 0,
        };
        for (name, builtin) in BUILTINS {
            engine.define(name, Macro::Builtin(*builtin));
        }
        engine
    }

    pub(super) fn define(&mut self, name: &str, value: Macro) {
        self.macros.insert(name.to_owned(), vec![value]);
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Macro> {
        self.macros.get(name).and_then(|stack| stack.last()).cloned()
    }

    /// The offset, in bytes, up to which `text` was read.
    pub(super) fn position(&self, text: &str) -> usize {
        let characters = text.chars().count().saturating_sub(self.least_left);
        text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)
    }

    pub(super) fn run(&mut self, text: &str) -> Result<(), String> {
        self.input = text.chars().rev().collect();
        self.least_left = self.input.len();
        while let Some(character) = self.next()? {
            self.step(character)?;
        }
        match self.calls.first() {
            Some(call) => Err(format!("the arguments of `{}` are not closed", call.name)),
            None => Ok(()),
        }
    }

    pub(super) fn next(&mut self) -> Result<Option<char>, String> {
        self.read += 1;
        if self.read > MAX_READ {
            return Err("the macros do not come to an end".to_owned());
        }
        let character = self.input.pop();
        self.least_left = self.least_left.min(self.input.len());
        Ok(character)
    }

    fn step(&mut self, character: char) -> Result<(), String> {
        match character {
            '`' => self.quoted(),
            '/' if self.input.last() == Some(&'/') => self.comment(),
            'a'..='z' | 'A'..='Z' | '_' => self.word(character),
            '0'..='9' => {
                // A name does not begin inside a number, and nothing of a number is a name.
                self.emit(character);
                Ok(())
            }
            '(' | ')' | ',' if !self.calls.is_empty() => self.in_arguments(character),
            _ => {
                self.emit(character);
                Ok(())
            }
        }
    }

    /// A quoted text, without its outer quotes.
    fn quoted(&mut self) -> Result<(), String> {
        let mut depth = 1;
        let mut text = String::new();
        while let Some(character) = self.next()? {
            match character {
                '`' => depth += 1,
                '\'' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.emit_text(&text);
                return Ok(());
            }
            text.push(character);
        }
        Err("a quote is never closed: every ` needs a '".to_owned())
    }

    fn comment(&mut self) -> Result<(), String> {
        self.emit('/');
        while let Some(character) = self.next()? {
            self.emit(character);
            if character == '\n' {
                break;
            }
        }
        Ok(())
    }

    fn word(&mut self, first: char) -> Result<(), String> {
        let mut name = String::from(first);
        while let Some(character) = self.input.last().copied().filter(|&c| c.is_ascii_alphanumeric() || c == '_') {
            name.push(character);
            self.next()?;
        }
        // The name with its mark, if that is a macro; else the name alone.
        if let Some(mark) = self.input.last().copied().filter(|mark| matches!(mark, '!' | '?')) {
            let marked = format!("{name}{mark}");
            if let Some(callee) = self.lookup(&marked) {
                self.next()?;
                return self.begin(marked, callee);
            }
        }
        match self.lookup(&name) {
            Some(callee) => self.begin(name, callee),
            None => {
                self.emit_text(&name);
                Ok(())
            }
        }
    }

    /// A macro that stands here: its arguments are to be read, if it has any.
    fn begin(&mut self, name: String, callee: Macro) -> Result<(), String> {
        if self.input.last() == Some(&'(') {
            self.next()?;
            self.skip_blanks()?;
            if self.calls.len() >= MAX_CALLS {
                return Err("macros are nested too deeply".to_owned());
            }
            self.calls.push(Call { name, callee, arguments: Vec::new(), current: String::new(), depth: 0 });
            return Ok(());
        }
        match callee {
            // `define`, `eval` and the like are words of their own without arguments.
            Macro::Builtin(builtin) if builtin.needs_arguments() => {
                self.emit_text(&name);
                Ok(())
            }
            callee => self.call(&name, &callee, Vec::new()),
        }
    }

    fn skip_blanks(&mut self) -> Result<(), String> {
        while self.input.last().is_some_and(|character| character.is_whitespace()) {
            self.next()?;
        }
        Ok(())
    }

    fn in_arguments(&mut self, character: char) -> Result<(), String> {
        let Some(call) = self.calls.last_mut() else { return Ok(()) };
        match character {
            ')' if call.depth == 0 => {
                let Some(mut call) = self.calls.pop() else { return Ok(()) };
                call.arguments.push(call.current);
                self.call(&call.name, &call.callee, call.arguments)
            }
            ',' if call.depth == 0 => {
                let argument = std::mem::take(&mut call.current);
                call.arguments.push(argument);
                self.skip_blanks()
            }
            _ => {
                match character {
                    '(' => call.depth += 1,
                    ')' => call.depth -= 1,
                    _ => {}
                }
                call.current.push(character);
                Ok(())
            }
        }
    }

    pub(super) fn call(&mut self, name: &str, callee: &Macro, arguments: Vec<String>) -> Result<(), String> {
        match callee {
            Macro::Text(body) => {
                let text = substitute(body, name, &arguments);
                self.push_back(&text)
            }
            Macro::Builtin(builtin) => self.call_builtin(*builtin, name, &arguments),
        }
    }

    /// Puts a text before what is to be read.
    pub(super) fn push_back(&mut self, text: &str) -> Result<(), String> {
        if self.input.len() + text.len() > MAX_WAITING {
            return Err("the macros grow without end".to_owned());
        }
        self.input.extend(text.chars().rev());
        Ok(())
    }

    fn emit(&mut self, character: char) {
        match self.calls.last_mut() {
            Some(call) => call.current.push(character),
            None if self.diversion >= 0 => self.diversions.entry(self.diversion).or_default().push(character),
            None => {}
        }
    }

    pub(super) fn emit_text(&mut self, text: &str) {
        match self.calls.last_mut() {
            Some(call) => call.current.push_str(text),
            None if self.diversion >= 0 => self.diversions.entry(self.diversion).or_default().push_str(text),
            None => {}
        }
    }
}

/// The body of a macro with its arguments in place of `$1`, `$#`, `$*` and `$@`.
fn substitute(body: &str, name: &str, arguments: &[String]) -> String {
    let mut text = String::with_capacity(body.len());
    let mut rest = body.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '$' {
            text.push(character);
            continue;
        }
        match rest.peek().copied() {
            Some(digit @ '0'..='9') => {
                rest.next();
                let number = digit.to_digit(10).unwrap_or(0) as usize;
                match number.checked_sub(1) {
                    Some(index) => text.push_str(arguments.get(index).map_or("", String::as_str)),
                    None => text.push_str(name),
                }
            }
            Some('#') => {
                rest.next();
                text.push_str(&arguments.len().to_string());
            }
            Some('*') => {
                rest.next();
                text.push_str(&arguments.join(","));
            }
            Some('@') => {
                rest.next();
                let quoted: Vec<String> = arguments.iter().map(|argument| format!("`{argument}'")).collect();
                text.push_str(&quoted.join(","));
            }
            _ => text.push('$'),
        }
    }
    text
}
