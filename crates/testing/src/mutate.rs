//! Damaged texts for the front ends: what a hand that slips, an editor or a broken disk makes of a
//! model.

use ample_stdx::Random;

/// Applies one to four small damages to a text.
pub fn damage(prng: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..prng.between(1, 4) {
        bytes = damage_once(prng, &bytes);
    }
    bytes
}

fn damage_once(prng: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    let tokens = tokens(text);
    let token = |prng: &mut Random| tokens.get(prng.below(tokens.len())).cloned().unwrap_or(0..0);
    match prng.below(10) {
        0 => {
            let range = token(prng);
            bytes.drain(range);
        }
        1 => {
            let (range, at) = (token(prng), token(prng).start);
            let copy = text[range].to_vec();
            bytes.splice(at..at, copy);
        }
        2 => {
            let (first, second) = (token(prng), token(prng));
            let (first, second) = if first.start <= second.start { (first, second) } else { (second, first) };
            if first.end <= second.start {
                bytes = [
                    &text[..first.start],
                    &text[second.clone()],
                    &text[first.end..second.start],
                    &text[first],
                    &text[second.end..],
                ]
                .concat();
            }
        }
        3 => bytes.truncate(prng.below(text.len() + 1)),
        4 => {
            if let Some(byte) = bytes.get_mut(prng.below(text.len())) {
                *byte = prng.number() as u8;
            }
        }
        5 => {
            let at = prng.below(text.len() + 1);
            bytes.splice(at..at, (0..prng.between(1, 8)).map(|_| prng.number() as u8).collect::<Vec<_>>());
        }
        6 => {
            let at = token(prng).start;
            let word = prng.pick(WORDS).copied().unwrap_or_default();
            bytes.splice(at..at, word.bytes());
        }
        7 => {
            let (from, to) = (prng.below(text.len() + 1), prng.below(text.len() + 1));
            bytes.drain(from.min(to)..from.max(to));
        }
        8 => {
            let (from, length) = (prng.below(text.len() + 1), prng.between(1, 200));
            let copy = text[from..(from + length).min(text.len())].to_vec();
            bytes.splice(from..from, copy);
        }
        _ => {
            let range = token(prng);
            let word = prng.pick(WORDS).copied().unwrap_or_default();
            bytes.splice(range, word.bytes());
        }
    }
    bytes
}

/// Words that open, close or turn something.
const WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "::",
    ";",
    "->",
    "if",
    "fi",
    "do",
    "od",
    "else",
    "atomic {",
    "d_step {",
    "unless",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "#define a a\n",
    "#if 1\n",
    "\n#endif\n",
    "\n#include \"x\"\n",
    "\\\n",
    "goto",
    "break",
    "run",
    "inline",
    "typedef",
    "proctype",
    "init",
    "never {",
    "trace {",
    "ltl",
    "mtype",
    "chan",
    "of",
    "for (",
    "select (",
    "..",
    "!",
    "!!",
    "?",
    "??",
    "?<",
    ">",
    "?[",
    "@",
    ":",
    ",",
    "=",
    "==",
    "<<",
    "99999999999999999999",
    "-",
    "%",
    "/ 0",
    "[-1]",
    "_pid",
    "_",
    "timeout",
    "c_code {",
    "eval(",
    "return",
    "0x",
    "process",
    "state",
    "trans",
    "guard",
    "sync",
    "effect",
    "property",
    "define(`",
    "eval(1=",
    "forloop(",
    "$1",
    "`",
    "[]",
    "<>",
    "U",
    "G(",
    "State:",
    "[t]",
    "Inf(",
    "--BODY--",
    "--END--",
    "accept_",
    "xr",
    "var",
    "const",
    "scalarset(",
    "input",
    "any",
    "none",
    "tau",
    ":=",
    "-->",
    "\n",
    "\n\n",
    "\0",
    "\u{e9}",
    "\r",
];

/// The ranges of words, numbers and single signs.
fn tokens(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        at += 1;
        if text[start].is_ascii_whitespace() {
            continue;
        }
        while is_word(text[start]) && at < text.len() && is_word(text[at]) {
            at += 1;
        }
        tokens.push(start..at);
    }
    tokens
}
