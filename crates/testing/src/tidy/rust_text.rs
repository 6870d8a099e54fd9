//! Rust text with its comments and the insides of its strings blanked out, so that rules can look
//! for words.

/// The text with every character of a comment, and every character between the quotes of a string
/// or character literal, replaced by a blank. Lines stay where they are.
pub(crate) fn blank(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = match chars[at] {
            '/' if chars.get(at + 1) == Some(&'/') => line_end(&chars, at),
            '/' if chars.get(at + 1) == Some(&'*') => block_comment_end(&chars, at),
            '"' => {
                let end = string_end(&chars, at);
                put_quoted(&mut out, &chars[at..end]);
                at = end;
                continue;
            }
            'r' if !follows_word(&chars, at) => match raw_string_end(&chars, at) {
                Some(end) => {
                    put_quoted(&mut out, &chars[at..end]);
                    at = end;
                    continue;
                }
                None => at,
            },
            '\'' => match char_end(&chars, at) {
                Some(end) => end,
                None => at,
            },
            _ => at,
        };
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            put_blank(&mut out, &chars[at..end]);
            at = end;
        }
    }
    out
}

/// Where the block that opens first at or after `from` ends: the offset after its closing brace.
/// `None` if a `;` comes before any brace. Expects blanked text.
pub(crate) fn block_end(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut brackets = 0_usize;
    for (offset, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' if depth == 0 => brackets += 1,
            b')' | b']' if depth == 0 => brackets = brackets.saturating_sub(1),
            b';' if depth == 0 && brackets == 0 => return None,
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(offset + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Blanks the modules that exist only for tests.
pub(crate) fn without_tests(mut code: String) -> String {
    let mut from = 0;
    while let Some(found) = code[from..].find("#[cfg(test)]") {
        let start = from + found;
        let end = block_end(&code, start + "#[cfg(test)]".len()).unwrap_or(start + 1);
        let blanked: String = code[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        // Blanked text is ASCII where it was blanked; a longer character outside leaves the length
        // as it was.
        code.replace_range(start..end, &blanked);
        from = start + blanked.len();
    }
    code
}

/// The line of an offset, counted from 1.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// The offsets at which `word` stands alone: not inside a longer name.
pub(crate) fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.match_indices(word).map(|(offset, _)| offset).filter(move |&offset| {
        let before = offset.checked_sub(1).map(|before| text.as_bytes()[before]);
        let after = text.as_bytes().get(offset + word.len()).copied();
        !before.is_some_and(is_name) && !after.is_some_and(is_name)
    })
}

fn put_blank(out: &mut String, chars: &[char]) {
    out.extend(chars.iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
}

/// A string keeps its first and last quote: `.expect("` must still be found.
fn put_quoted(out: &mut String, chars: &[char]) {
    let last = chars.len().saturating_sub(1);
    let keep = |(at, c): (usize, &char)| match c {
        '\n' => '\n',
        '"' if at == 0 || at == last => '"',
        _ => ' ',
    };
    out.extend(chars.iter().enumerate().map(keep));
}

fn follows_word(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_') && chars[at - 1] != 'b'
}

fn line_end(chars: &[char], from: usize) -> usize {
    chars[from..].iter().position(|c| *c == '\n').map_or(chars.len(), |length| from + length)
}

fn block_comment_end(chars: &[char], from: usize) -> usize {
    let (mut depth, mut at) = (0_usize, from);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => {
                depth += 1;
                at += 2;
            }
            ('*', Some('/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    chars.len()
}

fn string_end(chars: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

fn raw_string_end(chars: &[char], from: usize) -> Option<usize> {
    let hashes = chars[from + 1..].iter().take_while(|c| **c == '#').count();
    if chars.get(from + 1 + hashes) != Some(&'"') {
        return None;
    }
    let mut at = from + hashes + 2;
    while at < chars.len() {
        if chars[at] == '"' && chars[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes {
            return Some(at + 1 + hashes);
        }
        at += 1;
    }
    Some(chars.len())
}

/// The end of a character literal; `None` if the quote begins a lifetime.
fn char_end(chars: &[char], from: usize) -> Option<usize> {
    if chars.get(from + 1) == Some(&'\\') {
        let close = chars[from + 3..].iter().take(12).position(|c| *c == '\'')?;
        return Some(from + 3 + close + 1);
    }
    (chars.get(from + 2) == Some(&'\'')).then_some(from + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_blanked_and_what_stays() {
        assert_eq!(blank("a // b\nc"), "a     \nc");
        assert_eq!(blank("a /* b /* c */ */ d"), "a                 d");
        assert_eq!(blank(r#"f("x\"y")"#), r#"f("    ")"#);
        assert_eq!(blank("r#\"a\"b\"#;"), "        ;");
        assert_eq!(blank("'{' 'a 'b' '\\'' x"), "    'a          x");
    }

    #[test]
    fn blocks_and_declarations() {
        assert_eq!(block_end("fn f() { { } } x", 0), Some(14));
        assert_eq!(block_end("fn f(x: [u8; 2]) {}", 0), Some(19));
        assert_eq!(block_end("fn f(); {}", 0), None);
    }
}
