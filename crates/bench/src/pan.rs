//! What Spin's verifier prints.

use crate::BenchError;

/// The numbers of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pan {
    /// States stored.
    pub(crate) states: u64,
    /// Transitions between them. Spin prints one more: it counts the initial state as reached once.
    pub(crate) transitions: u64,
    /// Errors found.
    pub(crate) errors: u64,
    /// The deepest state.
    pub(crate) depth: u64,
    /// Neither depth nor memory nor time ran out.
    pub(crate) complete: bool,
    /// Depth ran out.
    pub(crate) too_shallow: bool,
    /// Its own account of the memory it used.
    pub(crate) memory_bytes: Option<u64>,
}

/// It prints eight digits of a count, and an exponent (`1.2345678e+08`) if there are more.
const DIGITS: u32 = 8;

/// What it says when it may not go deeper.
const SHALLOW: &str = "max search depth too small";

/// Whether a count of ours is one of the verifier's, as far as it was printed.
pub(crate) fn agrees(ours: u64, printed: u64) -> bool {
    let digits = printed.max(1).ilog10() + 1;
    let unit = if digits > DIGITS { 10_u64.pow(digits - DIGITS) } else { 0 };
    ours.abs_diff(printed) <= unit
}

/// Reads what the verifier printed.
pub(crate) fn read(text: &str) -> Result<Pan, BenchError> {
    let before = |label: &str| {
        let line = text.lines().find(|line| line.contains(label))?;
        line.split_whitespace().next()
    };
    let count = |label: &str| before(label)?.parse::<f64>().ok().map(|number| number as u64);
    let after = |label: &str| {
        let rest = text.lines().find_map(|line| line.split(label).nth(1))?;
        rest.split([',', ' ']).find(|word| !word.is_empty())?.parse::<u64>().ok()
    };
    let incomplete = ["Search not completed", SHALLOW, "out of memory", "memory limit"];
    let numbers = || {
        Some(Pan {
            states: count("states, stored")?,
            transitions: count("transitions (= ")?.saturating_sub(1),
            errors: after("errors: ")?,
            depth: after("depth reached ")?,
            complete: !incomplete.iter().any(|words| text.contains(words)),
            too_shallow: text.contains(SHALLOW),
            memory_bytes: before("total actual memory usage").and_then(megabytes),
        })
    };
    numbers().ok_or_else(|| {
        let said = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("nothing").to_owned();
        BenchError::Failed { command: "pan".to_owned(), said }
    })
}

fn megabytes(word: &str) -> Option<u64> {
    let number: f64 = word.parse().ok()?;
    Some((number * f64::from(1 << 20)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
(Spin Version 6.5.2 -- 6 December 2019)

Full statespace search for:
\tnever claim         \t- (not selected)
\tassertion violations\t+
\tcycle checks       \t- (disabled by -DSAFETY)
\tinvalid end states\t+

State-vector 40 byte, depth reached 9783, errors: 0
    51596 states, stored
    94781 states, matched
   146377 transitions (= stored+matched)
        0 atomic steps
hash conflicts:       412 (resolved)

Stats on memory usage (in Megabytes):
    3.346\tequivalent memory usage for states (stored*(State-vector + overhead))
    2.932\tactual memory usage for states (compression: 87.62%)
    8.000\tmemory used for hash table (-w20)
   53.406\tmemory used for DFS stack (-m1000000)
   64.316\ttotal actual memory usage

pan: elapsed time 0.04 seconds
";

    #[test]
    fn the_numbers_are_read() {
        let expected = Pan {
            states: 51596,
            transitions: 146_376,
            errors: 0,
            depth: 9783,
            complete: true,
            too_shallow: false,
            memory_bytes: Some(67_440_214),
        };
        assert_eq!(read(TEXT).unwrap(), expected);
    }

    #[test]
    fn a_search_that_ran_out_of_depth_is_not_complete() {
        let text = format!("error: max search depth too small\n{TEXT}");
        let pan = read(&text).unwrap();
        assert!(pan.too_shallow && !pan.complete);
        let pan =
            read(&format!("Time limit of      1 minutes exceeded\nWarning: Search not completed\n{TEXT}")).unwrap();
        assert!(!pan.too_shallow && !pan.complete);
        assert_eq!(read(&TEXT.replace("errors: 0", "errors: 12")).unwrap().errors, 12);
    }

    #[test]
    fn large_counts_are_printed_with_eight_digits() {
        let pan = read(&TEXT.replace("146377 trans", "1.4637712e+08 trans")).unwrap();
        assert_eq!(pan.transitions, 146_377_119);
        assert!(agrees(146_377_123, pan.transitions) && !agrees(146_377_323, pan.transitions));
        assert!(agrees(7, 7) && !agrees(8, 7) && agrees(0, 0) && !agrees(12_345_679, 12_345_678));
    }

    #[test]
    fn what_is_no_report_is_an_error() {
        assert_eq!(read("\nSegmentation fault\n").unwrap_err().to_string(), "pan: Segmentation fault");
        assert_eq!(read("").unwrap_err().to_string(), "pan: nothing");
    }
}
