//! "Did you mean": the known name that is nearest to a misspelt one.

/// The candidate that `name` most likely meant, or none if nothing is near enough.
///
/// Near enough is at most one change (a letter added, dropped, replaced, or two neighbours swapped)
/// per three letters of `name`. Case alone costs nothing, so `Assert` finds `assert`. Among equally
/// near candidates the first wins, so the answer is as stable as the order of the candidates.
pub fn suggest<'a, C>(name: &str, candidates: C) -> Option<&'a str>
where
    C: IntoIterator<Item = &'a str>,
{
    let wanted: Vec<char> = name.to_lowercase().chars().collect();
    // A long name is not a typing error, and the distance is quadratic.
    if wanted.is_empty() || wanted.len() > 64 {
        return None;
    }
    let limit = wanted.len().div_ceil(3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let letters: Vec<char> = candidate.to_lowercase().chars().collect();
        if letters.len().abs_diff(wanted.len()) > limit {
            continue;
        }
        let distance = edit_distance(&wanted, &letters);
        // A change of every letter is a different name, not a misspelling.
        let is_near = distance <= limit && distance < wanted.len().max(letters.len());
        if is_near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of single-letter changes and swaps of neighbours that turn `a` into `b` (the "optimal
/// string alignment" distance: no letter takes part in two changes).
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1; b.len() + 1];
        for (j, &y) in b.iter().enumerate() {
            let replace = last[j] + usize::from(x != y);
            let mut cost = replace.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                cost = cost.min(before_last[j - 1] + 1);
            }
            row[j + 1] = cost;
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] = ["x", "turn", "active", "assert", "atomic", "proctype", "ifdef", "ifndef"];

    #[track_caller]
    fn check(name: &str, expected: Option<&str>) {
        assert_eq!(suggest(name, NAMES), expected);
    }

    #[test]
    fn finds_misspellings() {
        check("atmoic", Some("atomic"));
        check("actve", Some("active"));
        check("Assert", Some("assert"));
        check("poctype", Some("proctype"));
        check("ifedf", Some("ifdef"));
        check("trun", Some("turn"));
        check("X", Some("x"));
    }

    #[test]
    fn leaves_other_names_alone() {
        check("", None);
        check("y", None);
        check("channel", None);
        check("assertions_of_the_model", None);
        check(&"a".repeat(100_000), None);
    }

    #[test]
    fn a_name_is_not_suggested_for_itself() {
        check("turn", None);
    }

    #[test]
    fn of_equally_near_candidates_the_first_wins() {
        assert_eq!(suggest("cat", ["bat", "rat"]), Some("bat"));
        assert_eq!(suggest("cat", ["rat", "bat"]), Some("rat"));
    }
}
