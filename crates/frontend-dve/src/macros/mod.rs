//! The macro language of templates (`.mdve`): a subset of m4, with the library of BEEM.
//!
//! As in m4, what a macro gives is read again, quotes (`` ` `` and `'`) protect a text once, and a
//! comment (`//` to the end of the line) is copied as it is. A name may end with `!` or `?`, so
//! that sending to a channel can be a macro of its own.
//!
//! Invariant: every text comes to an end; what grows too large is refused.

mod builtins;
mod engine;
mod eval;
mod library;
mod names;

use std::rc::Rc;

use engine::{Engine, Macro};

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
