//! The tables `spin` and `liveness`: the same question to Spin and to us, in turn.
//!
//! The first has three parts. Without reductions, both sides explore the same graph, and their
//! counts are compared; once on models of all kinds, once on protocols of handshakes inside
//! `atomic`. With default options, each side does what it does when nobody says otherwise; Spin
//! is told only that no claim is to be checked and how large its table and its stack should be,
//! which its users have to say as well.
//!
//! In the second table both sides explore the product of the model with the automaton of a
//! property.

use serde_json::{Value, json};

use crate::measured::Measured;
use crate::ours::{self, Ours};
use crate::race::{Part, Run, load, runs};
use crate::rows::choose;
use crate::spin::{self, Flags, Installed, Spin};
use crate::table::{Section, count, decimal, median, names, summary_rows};
use crate::{BenchError, HANDSHAKES, LIVENESS, ROWS, Row, pan};

/// One way to ask.
pub(crate) struct Question {
    name: &'static str,
    pub(crate) spin: Flags,
    pub(crate) ours: &'static [&'static str],
    /// What both sides must count the same.
    same: Same,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Same {
    /// States and transitions.
    Graph,
    /// States. Spin counts the transitions of its second search as well.
    States,
    /// Nothing.
    Nothing,
}

/// Rows that are asked the same and shown together, with a median of their own.
struct Group {
    title: &'static str,
    question: &'static Question,
    rows: &'static [Row],
}

/// The graph as it is, on one thread.
pub(crate) const SAME_GRAPH: Question = Question {
    name: "no reductions",
    spin: Flags { generate: &["-o1", "-o2", "-o3"], compile: &["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"] },
    ours: &["--keep-going", "--reduce", "none", "--threads", "1"],
    same: Same::Graph,
};

const DEFAULT: Question = Question {
    name: "default options",
    spin: Flags { generate: &[], compile: &["-DSAFETY", "-DNOCLAIM"] },
    ours: &[],
    same: Same::Nothing,
};

const INFINITE: Question = Question {
    name: "liveness",
    spin: Flags { generate: &["-o1", "-o2", "-o3"], compile: &["-DNOREDUCE"] },
    ours: &["--reduce", "none", "--threads", "1"],
    same: Same::States,
};

const SAFETY_GROUPS: &[Group] = &[
    Group {
        title: "The same graph: `spin -a -o1 -o2 -o3`, `gcc -O2 -DSAFETY -DNOREDUCE -DNOCLAIM`, `pan` with fitting -w and -m; \
                `ample check -p safety --keep-going --reduce none --threads 1`",
        question: &SAME_GRAPH,
        rows: ROWS,
    },
    Group {
        title: "The same graph, models in another style: processes that meet by handshakes inside `atomic`; the same commands",
        question: &SAME_GRAPH,
        rows: HANDSHAKES,
    },
    Group {
        title: "Default options: `spin -a`, `gcc -O2 -DSAFETY -DNOCLAIM`, `pan` with fitting -w and -m; `ample check -p safety`",
        question: &DEFAULT,
        rows: ROWS,
    },
];

const LIVENESS_GROUPS: &[Group] = &[Group {
    title: "Infinite runs: `spin -a -o1 -o2 -o3`, `gcc -O2 -DNOREDUCE`, `pan -a` with fitting -w and -m; \
            `ample check -p PROPERTY --reduce none --threads 1`",
    question: &INFINITE,
    rows: LIVENESS,
}];

/// Measures the rows that are asked for.
pub(crate) fn measure(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    measure_all(run, SAFETY_GROUPS)
}

/// The same for properties about infinite runs.
pub(crate) fn measure_liveness(run: &mut Run<'_>) -> Result<Measured, BenchError> {
    measure_all(run, LIVENESS_GROUPS)
}

fn measure_all(run: &mut Run<'_>, groups: &'static [Group]) -> Result<Measured, BenchError> {
    let installed = spin::installed()?;
    let all: Vec<(usize, &Row)> =
        groups.iter().enumerate().flat_map(|(at, group)| group.rows.iter().map(move |row| (at, row))).collect();
    let mut measured = Measured::default();
    let mut races: Vec<Vec<Race>> = groups.iter().map(|_| Vec::new()).collect();
    for &(at, row) in choose(&all, |(_, row)| row.name(), &run.options.only)? {
        let question = groups[at].question;
        let part = part(run, row, question, &installed)?;
        let name = format!("{}, {}", row.name(), question.name);
        let Some(result) = measured.result(&name, part) else { continue };
        let Some(race) = Race::read(row, &result) else { continue };
        measured.problems.extend(race.problems(question));
        measured.rows.push(json!({"row": row.name(), "part": question.name, "result": result}));
        races[at].push(race);
    }
    measured.notes = interpreted(&races).into_iter().collect();
    let sections = groups.iter().zip(&races).filter(|(_, races)| !races.is_empty());
    measured.sections = sections.map(|(group, races)| section(group, races)).collect();
    measured.versions = vec![("ample", run.ample()), ("Spin", installed.spin), ("gcc", installed.gcc)];
    Ok(measured)
}

/// Where states were left to the interpreter, since that is slow.
fn interpreted(races: &[Vec<Race>]) -> Option<String> {
    let races = races.iter().flatten().filter(|race| race.ours.interpreted > 0);
    let shares: Vec<String> =
        races.map(|race| format!("{} {:.1} %", race.name, race.ours.interpreted_share() * 100.0)).collect();
    (!shares.is_empty()).then(|| format!("States that were interpreted: {}", shares.join(", ")))
}

fn part(run: &mut Run<'_>, row: &Row, question: &Question, installed: &Installed) -> Result<Part, BenchError> {
    let with = json!({"spin": installed.spin, "gcc": installed.gcc, "w": row.hash_bits, "m": row.depth});
    run.part(row, question.name, &with, |run| {
        let load = load();
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for at in 1..=run.options.repeat {
            let step = format!("{}, {}, run {at} of {}", row.name(), question.name, run.options.repeat);
            run.say(&format!("{step}: Spin"));
            theirs.push(spin::run(run.folder(), row, &question.spin, run.machine)?.to_json());
            run.say(&format!("{step}: ample"));
            ours.push(ours::run(&run.options.program, run.folder(), row, question.ours)?.to_json());
        }
        Ok(json!({"load": load, "spin": theirs, "ample": ours}))
    })
}

/// Both sides of a row, as medians.
struct Race {
    name: String,
    load: Option<f64>,
    spin: Spin,
    ours: Ours,
    answer: [Option<f64>; 2],
    search: [Option<f64>; 2],
    peak: [Option<f64>; 2],
}

impl Race {
    fn read(row: &Row, result: &Value) -> Option<Race> {
        let spin = runs(result, "spin", Spin::from_json);
        let ours = runs(result, "ample", Ours::from_json);
        let of_spin = |value: &dyn Fn(&Spin) -> Option<f64>| median(spin.iter().filter_map(value).collect());
        let of_ours = |value: &dyn Fn(&Ours) -> f64| median(ours.iter().map(value).collect());
        Some(Race {
            name: row.name(),
            load: result["load"].as_f64(),
            answer: [of_spin(&|run| Some(run.answer_seconds())), of_ours(&|run| run.wall_seconds)],
            search: [of_spin(&|run| Some(run.search_seconds)), of_ours(&|run| run.search_seconds)],
            peak: [of_spin(&|run| run.peak_bytes.map(|bytes| bytes as f64)), of_ours(&|run| run.peak_bytes as f64)],
            spin: spin.first()?.clone(),
            ours: ours.first()?.clone(),
        })
    }

    fn problems(&self, question: &Question) -> Vec<String> {
        let (spin, ours) = (&self.spin, &self.ours);
        let mut problems = Vec::new();
        let states_agree = question.same == Same::Nothing || pan::agrees(ours.states, spin.states);
        let edges_agree = question.same != Same::Graph || pan::agrees(ours.transitions, spin.transitions);
        if !(states_agree && edges_agree) {
            problems.push(format!(
                "the counts differ: Spin has {} states and {} transitions, ample {} and {}",
                spin.states, spin.transitions, ours.states, ours.transitions
            ));
        }
        if !spin.complete {
            problems.push("Spin did not explore everything".to_owned());
        }
        if (spin.errors > 0) != (ours.verdict == "violated") {
            problems.push(format!("Spin found {} errors, ample says: {}", spin.errors, ours.verdict));
        }
        problems.into_iter().map(|problem| format!("{}, {}: {problem}", self.name, question.name)).collect()
    }

    /// The numbers of a row after the counts, and where they are ratios.
    fn numbers(&self, same: Same) -> Vec<Option<f64>> {
        let million = |states: u64, seconds: Option<f64>| seconds.map(|seconds| states as f64 / seconds / 1e6);
        let each = |bytes: Option<f64>, states: u64| bytes.map(|bytes| bytes / states as f64);
        let mega = |bytes: Option<f64>| bytes.map(|bytes| bytes / 1e6);
        let [answer, search, peak] = [self.answer, self.search, self.peak].map(with_ratio);
        let rates = [million(self.spin.states, self.search[0]), million(self.ours.states, self.search[1])];
        let memory = match same {
            Same::Nothing => self.peak.map(mega),
            _ => [each(self.peak[0], self.spin.states), each(self.peak[1], self.ours.states)],
        };
        let mut numbers = [answer, search].concat();
        if same != Same::Nothing {
            numbers.extend(rates);
        }
        numbers.extend(memory);
        numbers.extend([peak[2], self.load]);
        numbers
    }
}

/// Theirs, ours, and ours over theirs.
fn with_ratio([theirs, ours]: [Option<f64>; 2]) -> [Option<f64>; 3] {
    [theirs, ours, theirs.zip(ours).map(|(theirs, ours)| ours / theirs)]
}

const TIMES: &[&str] = &["answer s: Spin", "ample", "ratio", "search s: Spin", "ample", "ratio"];

fn section(group: &Group, races: &[Race]) -> Section {
    let same = group.question.same;
    let columns: Vec<&'static str> = match same {
        Same::Graph | Same::States => [
            &["model", "states", "transitions"],
            TIMES,
            &["M states/s: Spin", "ample", "bytes/state: Spin", "ample", "ratio", "load"],
        ]
        .concat(),
        Same::Nothing => [&["model", "states: Spin", "ample"], TIMES, &["MB: Spin", "ample", "ratio", "load"]].concat(),
    };
    let cells = |race: &Race| {
        let counts = match same {
            Same::Graph | Same::States => [race.ours.states, race.ours.transitions],
            Same::Nothing => [race.spin.states, race.ours.states],
        };
        let numbers = race.numbers(same);
        std::iter::once(race.name.clone())
            .chain(counts.map(count))
            .chain(numbers.into_iter().map(decimal))
            .collect::<Vec<String>>()
    };
    let mut rows: Vec<Vec<String>> = races.iter().map(cells).collect();
    let ratios: Vec<Vec<Option<f64>>> =
        races.iter().map(|race| [None, None].into_iter().chain(race.numbers(same)).collect()).collect();
    let is_ratio: Vec<bool> = columns.iter().skip(1).map(|column| *column == "ratio").collect();
    rows.extend(summary_rows(&ratios, &is_ratio, f64::max));
    Section { title: group.title.to_owned(), columns: names(&columns), rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(states: u64) -> Value {
        let spin = |search: f64| {
            json!({
                "generate_seconds": 0.1, "compile_seconds": 0.9, "search_seconds": search, "states": 1000, "transitions": 2000,
                "errors": 0, "complete": true, "peak_bytes": 100_000
            })
        };
        let ours = |search: f64| {
            json!({
                "wall_seconds": search + 0.1, "search_seconds": search, "processor_seconds": null, "verdict": "holds",
                "states": states, "transitions": 2000, "peak_bytes": 20_000, "idle_share": null
            })
        };
        json!({"load": 0.25, "spin": [spin(2.0), spin(9.0), spin(1.0)], "ample": [ours(0.5), ours(0.4), ours(7.0)]})
    }

    #[test]
    fn medians_and_ratios_are_shown() {
        let race = Race::read(&ROWS[0], &result(1000)).unwrap();
        assert!(race.problems(&SAME_GRAPH).is_empty());
        let section = section(&SAFETY_GROUPS[0], &[race]);
        let cells = [
            "1,000", "2,000", "3.00", "0.60", "0.20", "2.00", "0.50", "0.25", "0.00", "0.00", "100", "20.0", "0.20",
            "0.25",
        ];
        assert_eq!(section.rows, [[vec![ROWS[0].name()], cells.map(str::to_owned).to_vec()].concat()]);
        assert_eq!(section.columns.len(), section.rows[0].len());
    }

    #[test]
    fn the_second_part_has_its_own_columns() {
        let races = [1000, 500].map(|states| Race::read(&ROWS[0], &result(states)).unwrap());
        let section = section(&SAFETY_GROUPS[2], &races);
        assert!(section.rows.iter().all(|row| row.len() == section.columns.len()), "{section:?}");
        assert_eq!(section.rows[1][1..3], ["1,000", "500"]);
        assert_eq!(section.rows[2][0], "median");
        assert!(races[1].problems(&DEFAULT).is_empty(), "reduced graphs may differ");
    }

    #[test]
    fn interpreted_states_are_said() {
        assert_eq!(interpreted(&[vec![Race::read(&ROWS[0], &result(1000)).unwrap()], Vec::new()]), None);
        let mut slow = result(1000);
        slow["ample"][0]["interpreted"] = json!(15);
        let races = [Vec::new(), vec![Race::read(&ROWS[0], &slow).unwrap()]];
        let expected = format!("States that were interpreted: {} 1.5 %", ROWS[0].name());
        assert_eq!(interpreted(&races), Some(expected));
    }

    #[test]
    fn disagreements_are_said() {
        let race = Race::read(&ROWS[0], &result(999)).unwrap();
        let problems = race.problems(&SAME_GRAPH);
        let expected =
            "no reductions: the counts differ: Spin has 1000 states and 2000 transitions, ample 999 and 2000";
        assert_eq!(problems, [format!("{}, {expected}", ROWS[0].name())]);
        let mut other = result(1000);
        other["spin"][0]["complete"] = json!(false);
        other["spin"][0]["errors"] = json!(2);
        let problems = Race::read(&ROWS[0], &other).unwrap().problems(&SAME_GRAPH);
        assert_eq!(problems.len(), 2, "{problems:?}");
    }
}
