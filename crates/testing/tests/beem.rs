//! The benchmark set BEEM, if the corpus is there: every file is accepted, templates give the files
//! beside them, and states and transitions are as many as others have counted.
//!
//! `AMPLE_BEEM_STATES=N` raises the limit on the size, for a release build.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use ample_check::{Choice, Job, LOOPS, Options, Prepared, Verdict, check};
use ample_frontends::{LoadOptions, Loaded};
use ample_interpret::Interpreter;
use ample_search::{Ended, Limits, StopAt};
use ample_testing::{corpus, explore};

const MOST_STATES: u64 = 20_000;

/// Sources disagree on these, as the corpus says.
const NOT_TO_BE_TRUSTED: &[&str] = &["anderson.1", "anderson.3", "sorter.4"];

/// Not DVE: `channel c {byte} [2]`.
const REFUSED: &[&str] = &["buffered_channel.dve", "channels.dve", "sync_data_channel.dve"];

fn folder() -> Option<PathBuf> {
    let folder = corpus::folder().map(|folder| folder.join("dve"));
    if folder.is_none() {
        println!("no corpus beside the checkout and none named by AMPLE_CORPUS: skipped");
    }
    folder
}

/// The files below a folder with this ending, in a definite order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn load(path: &Path, options: &LoadOptions) -> Result<Loaded, String> {
    ample_frontends::load_file(path, options).map_err(|failure| explore::messages(&failure))
}

#[test]
fn every_file_is_accepted() {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    let paths = files(&folder.join("beem"), "dve");
    for path in &paths {
        if let Err(messages) = load(path, &LoadOptions::default()) {
            wrong.push(format!("{}: {messages}", path.display()));
        }
    }
    println!("{} files", paths.len());
    assert!(wrong.is_empty() && paths.len() > 400, "{} of {}:\n{}", wrong.len(), paths.len(), wrong.join("\n"));
}

/// Small models of other tools. Those of Theta write the types of messages behind the name of the
/// channel.
#[test]
fn models_of_other_tools_are_accepted() {
    let Some(folder) = folder() else { return };
    let refused: Vec<String> = ["divine4-attic", "ltsmin", "theta"]
        .iter()
        .flat_map(|tool| files(&folder.join(tool), "dve"))
        .filter(|path| load(path, &LoadOptions::default()).is_err())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(refused, REFUSED);
}

/// Every property that a family describes is read, for every instance.
#[test]
fn every_property_is_read() {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in files(&folder.join("beem"), "xml") {
        let description = fs::read_to_string(&path).unwrap();
        let wanted: Vec<String> = description
            .lines()
            .filter(|line| line.contains("<property"))
            .filter_map(|line| line.split("id=\"").nth(1)?.split('"').next())
            .map(|id| format!("beem:{id}"))
            .collect();
        for instance in instances(&path) {
            let options = LoadOptions { wanted: wanted.clone(), ..LoadOptions::default() };
            match load(&instance, &options) {
                Ok(loaded) => {
                    count += loaded.properties.len();
                    let names: Vec<&String> = loaded.properties.iter().map(|property| &property.name).collect();
                    assert!(wanted.iter().all(|name| names.contains(&name)), "{}: {names:?}", instance.display());
                }
                Err(messages) => wrong.push(format!("{}: {messages}", instance.display())),
            }
        }
    }
    println!("{count} properties");
    assert!(wrong.is_empty() && count > 100, "{count} properties, {}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The files `family.N.dve` beside `family.xml`.
fn instances(description: &Path) -> Vec<PathBuf> {
    let all = files(description.parent().unwrap(), "dve");
    let is_instance = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().split('.').count() == 3;
    all.into_iter().filter(is_instance).collect()
}

/// The parameters of each instance, from the description of a family.
fn parameters(description: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found = Vec::new();
    for part in description.split("<instance id=\"").skip(1) {
        let id = part.split('"').next().unwrap_or_default().to_owned();
        let text = part.split("<parameters>").nth(1).and_then(|rest| rest.split('<').next()).unwrap_or_default();
        let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
        found.push((id, pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()));
    }
    found
}

/// A text without comments, as words.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let mut in_word = false;
        for character in line.chars() {
            let is_part = character.is_ascii_alphanumeric() || character == '_';
            match words.last_mut() {
                Some(word) if is_part && in_word => word.push(character),
                _ if !character.is_whitespace() => words.push(character.to_string()),
                _ => {}
            }
            in_word = is_part;
        }
    }
    words
}

/// What a template stands for with these parameters.
fn expanded(template: &Path, defines: &[(String, String)]) -> Result<String, String> {
    let loaded = load(template, &LoadOptions { defines: defines.to_vec(), ..LoadOptions::default() })?;
    let text = loaded.sources.files().find(|(_, file)| file.name.ends_with("(expanded)"));
    text.map(|(_, file)| file.text.clone()).ok_or("nothing was expanded".to_owned())
}

#[test]
fn templates_give_the_files_beside_them() {
    let Some(folder) = folder() else { return };
    let (mut same, mut different, mut failed) = (0, Vec::new(), Vec::new());
    for path in files(&folder.join("beem"), "xml") {
        let template = path.with_extension("mdve");
        for (id, defines) in parameters(&fs::read_to_string(&path).unwrap()) {
            let instance = path.with_extension(format!("{id}.dve"));
            let Ok(expected) = fs::read_to_string(&instance) else { continue };
            let name = instance.file_name().unwrap().to_str().unwrap().to_owned();
            match expanded(&template, &defines) {
                Ok(text) if words(&text) == words(&expected) => same += 1,
                Ok(_) => different.push(name),
                Err(messages) => failed.push(format!("{name}: {messages}")),
            }
        }
    }
    println!("{same} are the same; different: {different:?}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    // These three were made from another version of the template.
    assert!(same > 150 && different.iter().all(|name| name.starts_with("sorter.")), "{same}; {different:?}");
}

/// What is known of one instance.
struct Known {
    instance: String,
    states: u64,
    transitions: Option<u64>,
    /// Properties by number, and whether they hold. What can be reached is a violation.
    properties: Vec<(String, bool)>,
}

fn known(folder: &Path) -> Vec<Known> {
    let text = fs::read_to_string(folder.join("beem-known.csv")).unwrap();
    let mut lines = text.lines();
    let titles: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |wanted: &str| titles.iter().position(|title| *title == wanted).unwrap();
    let columns: HashMap<&str, usize> =
        ["instance", "beem_states", "beem_complete", "stat_edges", "ltsmin_transitions", "agree"]
            .map(|name| (name, column(name)))
            .into();
    let (reach, ltl) = (titles.len() - 2, titles.len() - 1);
    let mut found = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |name: &str| cells[columns[name]];
        if cell("agree") != "yes" || cell("beem_complete") != "yes" || NOT_TO_BE_TRUSTED.contains(&cell("instance")) {
            continue;
        }
        let Ok(states) = cell("beem_states").parse() else { continue };
        let transitions = cell("stat_edges").parse().or_else(|_| cell("ltsmin_transitions").parse()).ok();
        let mut properties = answers(cells[reach], "no");
        properties.extend(answers(cells[ltl], "yes"));
        found.push(Known { properties, instance: cell("instance").to_owned(), states, transitions });
    }
    found
}

/// `family.N.propK.dve` is the instance with the automaton of what property `K` forbids: a
/// violation if the property fails.
#[test]
fn processes_of_properties_agree_with_the_formulas() {
    let Some(folder) = folder() else { return };
    let (mut wrong, mut holding, mut failing) = (Vec::new(), 0, 0);
    for known in known(&folder).iter().filter(|known| known.states <= MOST_STATES) {
        let family = known.instance.split('.').next().unwrap();
        for (name, holds) in &known.properties {
            let number = name.trim_start_matches("beem:");
            let path = folder.join(format!("beem/{family}/{}.prop{number}.dve", known.instance));
            if !path.exists() {
                continue;
            }
            let loaded = load(&path, &LoadOptions::default()).unwrap();
            let interpreter = Interpreter::new(&loaded.model);
            let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).unwrap();
            let select = vec![loaded.properties[0].name.clone()];
            let job =
                Job { system: prepared.system(), select, options: Options::default(), loops: LOOPS, progress: None };
            match (check(job).unwrap().verdict, holds) {
                (Verdict::Holds, true) => holding += 1,
                (Verdict::Violated, false) => failing += 1,
                (verdict, _) => wrong.push(format!("{}: {verdict:?}, expected to hold: {holds}", path.display())),
            }
        }
    }
    println!("{holding} hold, {failing} fail");
    assert!(wrong.is_empty() && holding > 5 && failing > 5, "{holding}, {failing}:\n{}", wrong.join("\n"));
}

/// `id:answer:length …`, and which answer means that the property holds.
fn answers(cell: &str, holds: &str) -> Vec<(String, bool)> {
    let answer = |word: &str| {
        let mut parts = word.split(':');
        Some((format!("beem:{}", parts.next()?), parts.next()? == holds))
    };
    cell.split_whitespace().filter_map(answer).collect()
}

#[test]
fn properties_are_judged_as_others_judge_them() {
    let Some(folder) = folder() else { return };
    let (mut wrong, mut holding, mut failing) = (Vec::new(), 0, 0);
    for known in known(&folder).iter().filter(|known| known.states <= MOST_STATES) {
        let family = known.instance.split('.').next().unwrap();
        let path = folder.join(format!("beem/{family}/{}.dve", known.instance));
        let wanted: Vec<String> = known.properties.iter().map(|(name, _)| name.clone()).collect();
        let loaded = load(&path, &LoadOptions { wanted, ..LoadOptions::default() }).unwrap();
        let interpreter = Interpreter::new(&loaded.model);
        let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).unwrap();
        for (name, holds) in &known.properties {
            let options = Options::default();
            let job =
                Job { system: prepared.system(), select: vec![name.clone()], options, loops: LOOPS, progress: None };
            let verdict = check(job).unwrap().verdict;
            match (verdict, holds) {
                (Verdict::Holds, true) => holding += 1,
                (Verdict::Violated, false) => failing += 1,
                _ => wrong.push(format!("{} {name}: {verdict:?}, expected to hold: {holds}", known.instance)),
            }
        }
    }
    println!("{holding} hold, {failing} fail");
    assert!(wrong.is_empty() && holding > 20 && failing > 20, "{holding}, {failing}:\n{}", wrong.join("\n"));
}

#[test]
fn states_and_transitions_are_as_others_count_them() {
    let Some(folder) = folder() else { return };
    let most = std::env::var("AMPLE_BEEM_STATES").ok().and_then(|most| most.parse().ok()).unwrap_or(MOST_STATES);
    let mut wrong = Vec::new();
    let mut compared = 0;
    for known in known(&folder).iter().filter(|known| known.states <= most) {
        let family = known.instance.split('.').next().unwrap();
        let path = folder.join(format!("beem/{family}/{}.dve", known.instance));
        let loaded = load(&path, &LoadOptions::default()).unwrap();
        let interpreter = Interpreter::new(&loaded.model);
        let limits = Limits { max_states: Some(known.states * 2 + 1000), ..Limits::default() };
        let outcome = explore::search(&interpreter, "dfs", StopAt::End, &limits);
        let (states, transitions) = (outcome.counts.states, outcome.counts.transitions);
        let is_same = states == known.states && known.transitions.is_none_or(|expected| expected == transitions);
        if !is_same || outcome.ended != Ended::Complete {
            let expected = (known.states, known.transitions);
            wrong.push(format!("{}: {states}, {transitions}; expected {expected:?}", known.instance));
        }
        compared += 1;
    }
    println!("{compared} instances");
    assert!(wrong.is_empty() && compared > 15, "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}
