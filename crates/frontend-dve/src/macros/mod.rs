//! The macro language of templates (`.mdve`): a subset of m4, with the library of BEEM.
//!
//! As in m4, what a macro gives is read again, quotes (`` ` `` and `'`) protect a text once, and a comment (`//` to the end
//! of the line) is copied as it is. A name may end with `!` or `?`, so that sending to a channel can be a macro of its own.
//!
//! Invariant: every text comes to an end; what grows too large is refused.

mod builtins;
mod eval;
mod library;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The most characters that are read, those read again included.
const MAX_READ: usize = 8 << 20;
/// The longest text that is waiting to be read.
const MAX_WAITING: usize = 16 << 20;
/// The most calls inside each other's arguments.
const MAX_CALLS: usize = 1000;

/// Why a template cannot be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MacroError {
    pub(crate) message: String,
    /// How far the template had been read, in bytes.
    pub(crate) at: usize,
}

/// Reads texts one after the other: what one defines, the next ones know.
pub(crate) struct Expander(Engine);

impl Expander {
    /// Knows the library and these macros.
    pub(crate) fn new(defines: &[(String, String)]) -> Result<Expander, MacroError> {
        let mut engine = Engine::new();
        for (name, value) in defines {
            engine.define(name, Macro::Text(Rc::from(value.as_str())));
        }
        engine.run(library::TEXT).map_err(|message| MacroError { message, at: 0 })?;
        engine.diversions.clear();
        Ok(Expander(engine))
    }

    /// What a text stands for.
    pub(crate) fn expand(&mut self, text: &str) -> Result<String, MacroError> {
        self.0.run(text).map_err(|message| MacroError { message, at: self.0.position(text) })?;
        Ok(std::mem::take(&mut self.0.diversions).into_values().collect())
    }
}

/// Expands a text, with these macros defined before.
pub(crate) fn expand(text: &str, defines: &[(String, String)]) -> Result<String, MacroError> {
    Expander::new(defines)?.expand(text)
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum Macro {
    Text(Rc<str>),
    Builtin(builtins::Builtin),
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

struct Engine {
    /// What is to be read, last character first.
    input: Vec<char>,
    macros: HashMap<String, Vec<Macro>>,
    calls: Vec<Call>,
    /// The number of the text that output goes to; a negative one goes nowhere.
    diversion: i32,
    diversions: BTreeMap<i32, String>,
    read: usize,
    /// The least that was left of the input: how far the text itself was read.
    least_left: usize,
}

impl Engine {
    fn new() -> Engine {
        let mut engine = Engine {
            input: Vec::new(),
            macros: HashMap::new(),
            calls: Vec::new(),
            diversion: 0,
            diversions: BTreeMap::new(),
            read: 0,
            least_left: 0,
        };
        for (name, builtin) in builtins::BUILTINS {
            engine.define(name, Macro::Builtin(*builtin));
        }
        engine
    }

    fn define(&mut self, name: &str, value: Macro) {
        self.macros.insert(name.to_owned(), vec![value]);
    }

    fn lookup(&self, name: &str) -> Option<Macro> {
        self.macros.get(name).and_then(|stack| stack.last()).cloned()
    }

    /// The offset, in bytes, up to which `text` was read.
    fn position(&self, text: &str) -> usize {
        let characters = text.chars().count().saturating_sub(self.least_left);
        text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)
    }

    fn run(&mut self, text: &str) -> Result<(), String> {
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

    fn next(&mut self) -> Result<Option<char>, String> {
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

    fn call(&mut self, name: &str, callee: &Macro, arguments: Vec<String>) -> Result<(), String> {
        match callee {
            Macro::Text(body) => {
                let text = substitute(body, name, &arguments);
                self.push_back(&text)
            }
            Macro::Builtin(builtin) => self.call_builtin(*builtin, name, &arguments),
        }
    }

    /// Puts a text before what is to be read.
    fn push_back(&mut self, text: &str) -> Result<(), String> {
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

    fn emit_text(&mut self, text: &str) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(expand(text, &[]).map(|text| words(&text)), Ok(words(expected)));
    }

    #[test]
    fn definitions_and_quotes() {
        check("define(N, 3) N x`'N `N' ``N''", "3 x3 N `N'");
        check("define(pair, `(($1)*$2)') pair(a, pair(b,c))", "((a)*((b)*c))");
        check("define(N,3)define(a, (N+$1)) define(N,4) a(1)", "(3+1)");
        check("// N is `not' read\ndefine(N,1)N // N", "// N is `not' read\n1 // N");
        check("a define(x, 1) dnl x\nx", "a 1");
        check("define(`c!', `c_in!') sync c!x; c!=x", "sync c_in!x; c_in!=x");
        check("N!=1 define(N,2) N!=1", "N!=1 2!=1");
    }

    #[test]
    fn conditions_and_numbers() {
        check("ifelse(1,1,`yes',`no') ifelse(1,2,`yes',`no') ifelse(1,2,a,3,3,b,c)", "yes no b");
        check("eval(2=2) eval(2 = 3) eval(1+1=2 && 3<=3)", "1 0 1");
        check("eval(2*(3+4)-5%3) eval(7/2) eval(1<2 && !0) incr(3) decr(3) eval(-3) len(abc)", "12 3 1 4 2 -3 3");
        check("ifdef(`N',`a',`b') default(N,3) N default(`N',4) N ifdef(`N',`a',`b')", "b 3 3 a");
    }

    #[test]
    fn loops() {
        check("forloop(i,0,2,`x`'i,')", "x0,x1,x2,");
        check("forloop(i,3,2,`x`'i,')end", "end");
        check("myloop(i,1,3,`i',`,')", "1 ,2 ,3");
        check("forloop(i,1,2,`forloop(j,1,i,`i`'j ')')", "11 21 22");
        check("define(i,9)forloop(`i',1,1,`i') i", "1 9");
    }

    #[test]
    fn the_library() {
        check("bool x = true;", "byte x = 1;");
        check(
            "queue(b, 3) full(b) push(b, x) front(b)",
            "byte b[3]; byte b_act = 0; b_act == 3 b[b_act] = x, b_act = b_act +1 b[0]",
        );
        check("define(b_size,1) pop_front(b)", "b[0] = 0, b_act = b_act -1");
        check("define(b_size,2) pop_front(b)", "b[0] = b[1], b[1] = 0, b_act = b_act -1");
    }

    #[test]
    fn processes_of_channels_stand_before_the_system() {
        let text = expand("async_channel(c) process A { c!1 } system async;", &[]).unwrap();
        let at = |part: &str| text.find(part).unwrap();
        assert!(at("channel c_in") < at("c_in!1") && at("c_in!1") < at("process channel_c"), "{text}");
        assert!(at("process channel_c") < at("system async"), "{text}");
    }

    #[test]
    fn what_does_not_end_is_refused() {
        for text in ["define(a, `a a') a", "define(a, `a') a", "forloop(i,0,999999999,`i')", "define(f,`f(f(1))') f(1)"]
        {
            assert!(expand(text, &[]).is_err(), "{text}");
        }
        for text in ["`open", "define(a", "eval(1/0)", "eval(x)"] {
            assert!(expand(text, &[]).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_say_how_far_it_went() {
        let error = expand("abc eval(1/0) def", &[]).unwrap_err();
        assert_eq!(error.at, 13);
    }
}
