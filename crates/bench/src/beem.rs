//! BEEM, the benchmark set for explicit model checkers, as it is in the corpus: what is known of
//! each instance stands in `beem-known.csv`, what LTSmin says of it in `ltsmin.csv`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::BenchError;
use crate::corpus::{Corpus, Known};
use crate::table::count;

/// What is known, in the folder of the models.
const KNOWN: &str = "beem-known.csv";
const LTSMIN: &str = "ltsmin.csv";

/// The columns of properties.
const REACHABLE: &str = "reach_props(id:answer:len)";
const LTL: &str = "ltl_props(id:answer:len)";

/// Why rows are left out beside LTSmin.
const OTHER: &str =
    "Left out, since LTSmin's full search was not finished, or has another number of states than is known";
const UNFINISHED: &str = "Left out, since LTSmin's reduced search was not finished";

/// A model of BEEM, with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instance {
    /// `family.N`.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// All, or as many as somebody has seen.
    pub(crate) states: u64,
    pub(crate) transitions: Option<u64>,
    pub(crate) trust: Trust,
    /// Those whose answer is known.
    pub(crate) properties: Vec<Property>,
    /// The states of LTSmin's full search.
    pub(crate) ltsmin: Option<u64>,
}

/// What the numbers are worth.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// All states, and two sources say so.
    Agreed,
    /// One source, or not all states.
    Said,
    /// The sources disagree.
    Disputed,
}

/// A property of a model, and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Property {
    /// Its number in the description of the family.
    pub(crate) id: String,
    /// Whether it is a formula about infinite runs; else something to be reached.
    pub(crate) is_ltl: bool,
    /// Whether it holds. What can be reached is asked for as "never", so it is violated.
    pub(crate) holds: bool,
}

impl Property {
    /// What it is called on the command line.
    pub(crate) fn name(&self) -> String {
        format!("beem:{}", self.id)
    }

    /// The right verdict.
    pub(crate) fn verdict(&self) -> &'static str {
        if self.holds { "holds" } else { "violated" }
    }
}

impl Instance {
    /// The description of the family, in which the properties stand.
    pub(crate) fn description(&self) -> PathBuf {
        let family = self.name.split('.').next().unwrap_or_default();
        self.path.with_file_name(format!("{family}.xml"))
    }
}

/// The instances of a size that can be searched, and what is left out because of its size.
pub(crate) fn of_size(instances: Vec<Instance>, most: u64) -> (Vec<Instance>, Option<String>) {
    let (fitting, larger): (Vec<Instance>, Vec<Instance>) =
        instances.into_iter().partition(|instance| instance.states <= most);
    let names: Vec<&str> = larger.iter().map(|instance| instance.name.as_str()).collect();
    let note = format!("Left out, with more than {} states ({}): {}", count(most), names.len(), names.join(", "));
    (fitting, (!names.is_empty()).then_some(note))
}

/// Reads what is known of the models of a folder.
pub(crate) fn read(folder: &Path) -> Result<Vec<Instance>, BenchError> {
    let known = lines(&folder.join(KNOWN))?;
    let models = canonical(folder)?.join("beem");
    Ok(known.iter().filter_map(|line| instance(line, &models)).collect())
}

/// The states that LTSmin stores with and without its reduction.
pub(crate) fn reductions(folder: &Path) -> Result<Corpus, BenchError> {
    let instances = read(folder)?;
    let ltsmin = lines(&folder.join(LTSMIN))?;
    Ok(choose(&instances, &ltsmin))
}

fn choose(instances: &[Instance], ltsmin: &[Line]) -> Corpus {
    let (mut models, mut other, mut unfinished) = (Vec::new(), Vec::new(), Vec::new());
    for line in ltsmin {
        let Some(instance) = instances.iter().find(|instance| line.text("instance") == instance.name) else { continue };
        let Some(full) = line.number("states").filter(|states| line.number("known_states") == Some(*states)) else {
            other.push(instance.name.clone());
            continue;
        };
        match line.number("por_states") {
            Some(reduced) => {
                models.push(Known { name: instance.name.clone(), path: instance.path.clone(), full, reduced });
            }
            None => unfinished.push(instance.name.clone()),
        }
    }
    Corpus { models, left_out: vec![(OTHER, other), (UNFINISHED, unfinished)] }
}

fn instance(line: &Line, models: &Path) -> Option<Instance> {
    let name = line.text("instance");
    let family = name.split('.').next()?;
    let trust = match (line.text("agree"), line.text("beem_complete")) {
        ("yes", "yes") => Trust::Agreed,
        ("NO", _) => Trust::Disputed,
        _ => Trust::Said,
    };
    let properties = [(REACHABLE, false), (LTL, true)].into_iter().flat_map(|(column, is_ltl)| {
        line.text(column).split_whitespace().filter_map(move |text| property(text, is_ltl))
    });
    Some(Instance {
        path: models.join(family).join(format!("{name}.dve")),
        states: line.number("beem_states")?,
        transitions: line.number("stat_edges").or_else(|| line.number("ltsmin_transitions")),
        trust,
        properties: properties.collect(),
        ltsmin: line.number("ltsmin_states"),
        name: name.to_owned(),
    })
}

/// `id:answer:length`; nothing if the answer is not known.
fn property(text: &str, is_ltl: bool) -> Option<Property> {
    let (id, rest) = text.split_once(':')?;
    let is_yes = match rest.split(':').next()? {
        "yes" => true,
        "no" => false,
        _ => return None,
    };
    Some(Property { id: id.to_owned(), is_ltl, holds: is_yes == is_ltl })
}

/// A line of a table with named columns.
struct Line(HashMap<String, String>);

impl Line {
    /// Empty if there is no such column.
    fn text(&self, column: &str) -> &str {
        self.0.get(column).map(String::as_str).unwrap_or_default()
    }

    fn number(&self, column: &str) -> Option<u64> {
        self.text(column).parse().ok()
    }
}

fn lines(path: &Path) -> Result<Vec<Line>, BenchError> {
    let text = fs::read_to_string(path).map_err(BenchError::io(path.display().to_string()))?;
    Ok(cells(&text))
}

/// No cell of these tables has a comma in it.
fn cells(text: &str) -> Vec<Line> {
    let mut lines = text.lines().map(|line| line.split(',').map(|cell| cell.trim().to_owned()));
    let header: Vec<String> = lines.next().into_iter().flatten().collect();
    lines.map(|cells| Line(header.iter().cloned().zip(cells).collect())).collect()
}

/// Our own program runs in another folder.
fn canonical(folder: &Path) -> Result<PathBuf, BenchError> {
    fs::canonicalize(folder).map_err(BenchError::io(folder.display().to_string()))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const TEXT: &str = "\
instance,beem_states,beem_complete,stat_edges,ltsmin_states,ltsmin_transitions,agree,reach_props(id:answer:len),ltl_props(id:answer:len)
a.1,1459,yes,3705,1459,3705,yes,1:no:0,2:yes:0 3:no:17 4:unknown:0
a.2,20,yes,,20,30,yes,1:yes:3,
a.3,40,yes,,,,,,
b-c.1,30,yes,,31,50,NO,,
";

    /// What is known of some instances that are not there.
    pub(crate) fn instances() -> Vec<Instance> {
        cells(TEXT).iter().filter_map(|line| instance(line, Path::new("m"))).collect()
    }

    #[test]
    fn what_is_known_is_read() {
        let instances = instances();
        let property = |id: &str, is_ltl, holds| Property { id: id.to_owned(), is_ltl, holds };
        let first = Instance {
            name: "a.1".to_owned(),
            path: "m/a/a.1.dve".into(),
            states: 1459,
            transitions: Some(3705),
            trust: Trust::Agreed,
            properties: vec![property("1", false, true), property("2", true, true), property("3", true, false)],
            ltsmin: Some(1459),
        };
        assert_eq!(instances[0], first);
        assert_eq!(first.description(), Path::new("m/a/a.xml"));
        assert_eq!((instances[1].transitions, instances[1].properties[0].verdict()), (Some(30), "violated"));
        let trust: Vec<Trust> = instances.iter().map(|instance| instance.trust).collect();
        assert_eq!(trust, [Trust::Agreed, Trust::Agreed, Trust::Said, Trust::Disputed]);
    }

    #[test]
    fn larger_ones_are_left_out_and_named() {
        let (fitting, note) = of_size(instances(), 40);
        assert_eq!(fitting.len(), 3);
        assert_eq!(note.unwrap(), "Left out, with more than 40 states (1): a.1");
        assert_eq!(of_size(instances(), 2000).1, None);
    }

    #[test]
    fn beside_ltsmin_stands_what_it_explored() {
        let ltsmin =
            "instance,known_states,states,por_states\na.1,1459,1459,90\na.2,20,19,5\nb-c.1,30,31,31\na.3,40,40,\n";
        let corpus = choose(&instances(), &cells(ltsmin));
        let names: Vec<(&str, u64)> = corpus.models.iter().map(|known| (known.name.as_str(), known.reduced)).collect();
        assert_eq!(names, [("a.1", 90)]);
        let left_out: Vec<String> = corpus.left_out.iter().map(|(_, models)| models.join(" ")).collect();
        assert_eq!(left_out, ["a.2 b-c.1", "a.3"]);
    }
}
