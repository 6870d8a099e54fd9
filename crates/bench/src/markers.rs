//! Tables inside a document: what stands between two markers is replaced, the rest is not touched.

use crate::BenchError;

/// Whether a document has a place for this table.
pub fn has_markers(document: &str, table: &str) -> bool {
    place(document, table).is_some()
}

/// The document with a new table between its markers.
pub fn replace(document: &str, table: &str, markdown: &str) -> Result<String, BenchError> {
    let (start, end) = place(document, table).ok_or_else(|| BenchError::NoMarkers(table.to_owned()))?;
    Ok(format!("{}\n\n{}\n\n{}", &document[..start], markdown.trim(), &document[end..]))
}

/// From after the first marker to before the second.
fn place(document: &str, table: &str) -> Option<(usize, usize)> {
    let open = format!("<!-- bench:{table} -->");
    let start = document.find(&open)? + open.len();
    let end = start + document[start..].find(&format!("<!-- /bench:{table} -->"))?;
    Some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str =
        "a\n<!-- bench:spin -->\nold\n<!-- /bench:spin -->\nb\n<!-- bench:threads -->\n<!-- /bench:threads -->\n";

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let expected = DOCUMENT.replace("\nold\n", "\n\n| new |\n\n");
        assert_eq!(replace(DOCUMENT, "spin", "| new |\n").unwrap(), expected);
        // Once more is no change.
        assert_eq!(replace(&expected, "spin", "| new |\n").unwrap(), expected);
        let threads = replace(DOCUMENT, "threads", "| t |").unwrap();
        assert!(threads.contains("old") && threads.ends_with("-->\n\n| t |\n\n<!-- /bench:threads -->\n"), "{threads}");
    }

    #[test]
    fn a_document_without_markers_is_refused() {
        assert!(matches!(replace("text", "spin", "t"), Err(BenchError::NoMarkers(table)) if table == "spin"));
        assert!(!has_markers("<!-- /bench:spin --> <!-- bench:spin -->", "spin"));
        assert!(has_markers(DOCUMENT, "threads"));
    }
}
