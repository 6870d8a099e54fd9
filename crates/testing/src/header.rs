//! What the examples say of themselves in their first comment.

/// The expectations in a header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// `expect: safety holds` or `violated`; or `unknown`, where nothing goes wrong up to a depth.
    pub safety_holds: Option<bool>,
    /// `states: N transitions: M`, of the complete search without reduction.
    pub counts: Option<(u64, u64)>,
    /// `depth: D states: N transitions: M`: there are infinitely many states, and these are the
    /// counts of a breadth-first search up to this depth.
    pub depth: Option<u64>,
    /// `expect: NAME holds`, `violated` or `unknown`: properties of the model, and their verdicts.
    pub properties: Vec<(String, String)>,
    /// `expect: FILE.hoa holds`, `violated` or `unknown`: claims in the same folder, and their
    /// verdicts.
    pub claims: Vec<(String, String)>,
    /// `predicates: NAME VERDICT rounds: N`: what `--under predicates` says, in how many rounds.
    pub predicates: Vec<ByPredicates>,
    /// `abstract: a,b`: the variables that predicates stand for there, if they are not those of
    /// unbounded type.
    pub abstracted: Vec<String>,
    /// Larger sizes: `scale: -D NAME=VALUE … states: N transitions: M`.
    pub scales: Vec<Scale>,
}

/// An answer by predicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByPredicates {
    /// The name of the property.
    pub property: String,
    /// The verdict.
    pub verdict: String,
    /// The number of searches. Of one that is `unknown` these are as many as it is given.
    pub rounds: usize,
}

/// A larger size of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Macros, as `NAME=VALUE`.
    pub defines: Vec<String>,
    /// States and transitions of the complete search without reduction.
    pub counts: (u64, u64),
}

/// Reads the header of a model.
pub fn read(text: &str) -> Header {
    let mut header = Header::default();
    for line in text.lines().take_while(|line| !line.contains("*/")) {
        let line = line.trim().trim_start_matches(['/', '*']).trim();
        if let Some(verdict) = line.strip_prefix("expect: safety ") {
            header.safety_holds = match verdict.trim() {
                "holds" | "unknown" => Some(true),
                "violated" => Some(false),
                _ => None,
            };
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ["expect:", name, verdict] = words[..] {
            let list = if name.contains('.') { &mut header.claims } else { &mut header.properties };
            list.push((name.to_owned(), verdict.to_owned()));
        }
        if let ["predicates:", property, verdict, "rounds:", rounds] = words[..] {
            let (property, verdict) = (property.to_owned(), verdict.to_owned());
            let rounds = rounds.parse().ok();
            header.predicates.extend(rounds.map(|rounds| ByPredicates { property, verdict, rounds }));
        }
        if let ["abstract:", names] = words[..] {
            header.abstracted = names.split(',').map(str::to_owned).collect();
        }
        if let ["states:", ..] = words[..] {
            header.counts = counts(&words);
        }
        if let ["depth:", depth, ref rest @ ..] = words[..] {
            header.depth = depth.parse().ok();
            header.counts = counts(rest);
        }
        if let ["scale:", defines @ .., _, _, _, _] = &words[..] {
            let defines = defines.iter().filter(|word| **word != "-D").map(|&word| word.to_owned()).collect();
            header.scales.extend(counts(&words[words.len() - 4..]).map(|counts| Scale { defines, counts }));
        }
    }
    header
}

fn counts(words: &[&str]) -> Option<(u64, u64)> {
    let ["states:", states, "transitions:", transitions, ..] = words else { return None };
    states.parse().ok().zip(transitions.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_the_first_comment() {
        let text = "/*\n * Wrong.\n *\n * expect: safety violated\n * states: 36 transitions: 64\n */\nbyte x; // states: 1 transitions: 1\n";
        let properties = vec![("safety".to_owned(), "violated".to_owned())];
        let expected = Header { safety_holds: Some(false), counts: Some((36, 64)), properties, ..Header::default() };
        assert_eq!(read(text), expected);
        assert_eq!(read("byte x;\n"), Header::default());
    }

    #[test]
    fn larger_sizes_are_listed() {
        let text = "/*\n * states: 1 transitions: 2\n * scale: -D N=5 -D K=2 states: 30 transitions: 40\n */\n";
        let scale = Scale { defines: vec!["N=5".to_owned(), "K=2".to_owned()], counts: (30, 40) };
        assert_eq!(read(text), Header { counts: Some((1, 2)), scales: vec![scale], ..Header::default() });
    }

    #[test]
    fn answers_by_predicates_have_rounds() {
        let text = "/*\n * abstract: a,b\n * predicates: safe holds rounds: 3\n */\n";
        let holds = ByPredicates { property: "safe".to_owned(), verdict: "holds".to_owned(), rounds: 3 };
        let abstracted = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(read(text), Header { predicates: vec![holds], abstracted, ..Header::default() });
    }

    #[test]
    fn claims_are_files() {
        let text = "/*\n * expect: safety holds\n * expect: starve.hoa unknown\n */\n";
        let claims = vec![("starve.hoa".to_owned(), "unknown".to_owned())];
        let properties = vec![("safety".to_owned(), "holds".to_owned())];
        assert_eq!(read(text), Header { safety_holds: Some(true), claims, properties, ..Header::default() });
    }

    #[test]
    fn what_has_no_end_has_a_depth() {
        let text = "/*\n * depth: 9 states: 10 transitions: 11\n */\n";
        assert_eq!(read(text), Header { depth: Some(9), counts: Some((10, 11)), ..Header::default() });
    }
}
