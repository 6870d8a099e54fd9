//! Texts that are cut where they become too long to be read.

/// The text on one line, every white space one blank, with at most `most` characters; the last one
/// is `…` if something is left out.
pub fn shorten(text: &str, most: usize) -> String {
    let mut short = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        for c in (count > 0).then_some(' ').into_iter().chain(word.chars()) {
            if count == most {
                short.pop();
                short.push('…');
                return short;
            }
            short.push(c);
            count += 1;
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn what_is_too_long_ends_with_dots() {
        assert_eq!(shorten("a  b\n c", 5), "a b c");
        assert_eq!(shorten("a  b\n c", 4), "a b…");
        assert_eq!(shorten("äöü", 2), "ä…");
        assert_eq!(shorten("", 3), "");
    }
}
