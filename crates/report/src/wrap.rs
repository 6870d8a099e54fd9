//! Text in columns.

/// How many columns a text takes. Wide characters are rare in models and count as one.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

/// The text in lines of at most `width` columns, broken at blanks where there are some.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    let mut column = 0;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end_matches(' ').chars().count();
        if column > 0 && column + bare > width {
            lines.push(String::new());
            column = 0;
        }
        for c in word.chars() {
            if column == width {
                if c == ' ' {
                    continue;
                }
                lines.push(String::new());
                column = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
            column += 1;
        }
    }
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    lines
}

/// The text, filled with blanks to `width` columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text:<width$}")
}

/// A text on one line without control characters: line ends and the like are spelt out.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_where_there_are_some() {
        assert_eq!(wrap("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("ab cdefgh i", 3), ["ab", "cde", "fgh", "i"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(wrap("abc", 0), ["a", "b", "c"]);
    }

    #[test]
    fn control_characters_are_spelt_out() {
        assert_eq!(one_line("a\tb\u{1b}[1m\n"), "a\\tb\\u{1b}[1m\\n");
    }
}
