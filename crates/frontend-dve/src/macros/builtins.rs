//! What the macros do that are not texts.

use std::rc::Rc;

use super::engine::{Engine, MAX_WAITING, Macro};
use super::eval;
use super::names::Builtin;

impl Engine {
    pub(super) fn call_builtin(&mut self, builtin: Builtin, name: &str, arguments: &[String]) -> Result<(), String> {
        let argument = |index: usize| arguments.get(index).map_or("", String::as_str);
        match builtin {
            Builtin::Define => {
                if let Some(stack) = self.macros.get_mut(argument(0)) {
                    stack.pop();
                }
                self.push_definition(argument(0), argument(1));
            }
            Builtin::PushDef => self.push_definition(argument(0), argument(1)),
            Builtin::PopDef => {
                if let Some(stack) = self.macros.get_mut(argument(0)) {
                    stack.pop();
                }
            }
            Builtin::Undefine => {
                self.macros.remove(argument(0));
            }
            Builtin::IfDef => {
                let chosen = if self.lookup(argument(0)).is_some() { 1 } else { 2 };
                self.push_back(argument(chosen))?;
            }
            Builtin::IfElse => self.if_else(arguments)?,
            Builtin::Eval => self.push_number(eval::eval(argument(0))?)?,
            Builtin::Increment => self.push_number(eval::eval(argument(0))?.wrapping_add(1))?,
            Builtin::Decrement => self.push_number(eval::eval(argument(0))?.wrapping_sub(1))?,
            Builtin::Length => self.push_back(&argument(0).chars().count().to_string())?,
            Builtin::Indirect => {
                let called = argument(0).to_owned();
                match self.lookup(&called) {
                    Some(callee) => self.call(&called, &callee, arguments.iter().skip(1).cloned().collect())?,
                    None => return Err(format!("`indir`: there is no macro `{called}`")),
                }
            }
            Builtin::Shift => {
                let rest: Vec<String> = arguments.iter().skip(1).map(|argument| format!("`{argument}'")).collect();
                self.push_back(&rest.join(","))?;
            }
            Builtin::DeleteLine => while self.next()?.is_some_and(|character| character != '\n') {},
            Builtin::Divert => {
                self.diversion = if argument(0).trim().is_empty() { 0 } else { eval::eval(argument(0))? };
            }
            Builtin::Undivert => {
                let number = eval::eval(argument(0))?;
                let text = self.diversions.remove(&number).unwrap_or_default();
                self.emit_text(&text);
            }
            Builtin::ForLoop => self.for_loop(name, arguments)?,
            Builtin::MyLoop => self.my_loop(name, arguments)?,
        }
        Ok(())
    }

    fn push_definition(&mut self, name: &str, body: &str) {
        self.macros.entry(name.to_owned()).or_default().push(Macro::Text(Rc::from(body)));
    }

    fn push_number(&mut self, value: i32) -> Result<(), String> {
        self.push_back(&value.to_string())
    }

    /// `ifelse(a, b, equal, …, otherwise)`.
    fn if_else(&mut self, arguments: &[String]) -> Result<(), String> {
        let mut rest = arguments;
        while let [left, right, equal, others @ ..] = rest {
            if left == right {
                return self.push_back(equal);
            }
            rest = others;
            if let [otherwise] = rest {
                return self.push_back(otherwise);
            }
        }
        Ok(())
    }

    /// `forloop(name, from, to, body)`.
    fn for_loop(&mut self, name: &str, arguments: &[String]) -> Result<(), String> {
        let [variable, from, to, body] = arguments else {
            return Err(format!("`{name}` is written `{name}(name, from, to, body)`"));
        };
        let text = self.rounds(variable, eval::eval(from)?, eval::eval(to)?, body)?;
        self.push_back(&text)
    }

    /// `myloop(name, from, to, body, between)`: there is always a last round, with nothing after
    /// it.
    fn my_loop(&mut self, name: &str, arguments: &[String]) -> Result<(), String> {
        let [variable, from, to, body, between] = arguments else {
            return Err(format!("`{name}` is written `{name}(name, from, to, body, between)`"));
        };
        let (from, to) = (eval::eval(from)?, eval::eval(to)?);
        let mut text = self.rounds(variable, from, to.saturating_sub(1), &format!("{body} {between}"))?;
        text += &self.rounds(variable, to, to, &format!("{body} "))?;
        self.push_back(&text)
    }

    /// The body once for each value.
    fn rounds(&mut self, variable: &str, from: i32, to: i32, body: &str) -> Result<String, String> {
        let count = i64::from(to) - i64::from(from) + 1;
        let length = i64::try_from(body.len() + variable.len()).unwrap_or(i64::MAX).saturating_add(40);
        if count.saturating_mul(length) > MAX_WAITING as i64 {
            return Err(format!("a loop from {from} to {to} is too long"));
        }
        let round = |value| format!("pushdef(`{variable}', `{value}'){body}`'popdef(`{variable}')");
        Ok((from..=to).map(round).collect())
    }
}
