//! Smaller models that are still interesting: lines, blocks and wrappings are taken away as long as
//! the question that is asked of the model has the same answer.
//!
//! Works on text as [`crate::random`] writes it: one statement a line, blocks indented.

/// The smallest model found for which `is_interesting` is true. The given one must be.
pub fn shrink(text: &str, is_interesting: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best: Vec<String> = text.lines().map(str::to_owned).collect();
    loop {
        let before = best.len();
        let mut at = best.len();
        while at > 0 {
            at -= 1;
            let mut candidates = candidates(&best, at);
            if let Some(smaller) = candidates.find(|lines| is_interesting(&(lines.join("\n") + "\n"))) {
                best = smaller;
                at = at.min(best.len());
            }
        }
        if best.len() == before {
            return best.join("\n") + "\n";
        }
    }
}

/// What can be tried at a line: the node without the rest, its insides only, nothing of it.
fn candidates(lines: &[String], at: usize) -> impl Iterator<Item = Vec<String>> + use<> {
    let end = node_end(lines, at);
    let without =
        |from: usize, to: usize| -> Vec<String> { lines[..from].iter().chain(&lines[to..]).cloned().collect() };
    let whole = without(at, end);
    // The insides alone: drop the first and the last line of the node.
    let inside = (end - at > 2).then(|| {
        let kept = lines[..at].iter().chain(&lines[at + 1..end - 1]).chain(&lines[end..]);
        kept.cloned().collect::<Vec<_>>()
    });
    let line = (end - at > 1).then(|| without(at, at + 1));
    [Some(whole), inside, line].into_iter().flatten()
}

/// The end of the statement or option that starts at a line: everything more indented, and the
/// closing line.
fn node_end(lines: &[String], at: usize) -> usize {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(&lines[at]);
    let is_option = lines[at].trim_start().starts_with("::");
    let opens = lines[at].ends_with('{') || lines[at].ends_with("if") || lines[at].ends_with("do");
    let mut end = at + 1;
    while end < lines.len() {
        let line = lines[end].trim_start();
        let deeper = depth(&lines[end]) > own;
        let belongs = depth(&lines[end]) == own && opens && !is_option;
        if deeper || belongs && (line.starts_with("::") || line.starts_with("} unless")) {
            end += 1;
        } else if belongs && ["fi", "od", "}"].iter().any(|close| line.starts_with(close)) {
            return end + 1;
        } else {
            return end;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_needed_goes() {
        let text = "byte x;\nactive proctype P() {\n    if\n    :: (x == 0);\n        x = 1;\n    :: else;\n    fi;\n    skip;\n}\n";
        let smaller = shrink(text, &mut |text| text.contains("x = 1;"));
        assert_eq!(smaller, "        x = 1;\n");
        let braces = |text: &str| text.matches('{').count() == text.matches('}').count();
        let valid = |text: &str| braces(text) && text.matches("if\n").count() == text.matches("fi;").count();
        let smaller = shrink(text, &mut |text| text.contains("P()") && text.contains("if\n") && valid(text));
        assert_eq!(smaller, "active proctype P() {\n    if\n    fi;\n}\n");
    }
}
