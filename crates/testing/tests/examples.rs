//! Every example says in its header what to expect, and is right.

use std::fs;
use std::path::{Path, PathBuf};

use ample_check::{Choice, Job, LOOPS, Options, Prepared};
use ample_frontends::{ClaimText, LoadOptions};
use ample_interpret::Interpreter;
use ample_search::{Ended, Limit, Limits, StopAt};
use ample_testing::explore::{self, Numbers};
use ample_testing::header::Scale;
use ample_testing::{header, workspace_root};

#[test]
fn examples_are_what_their_headers_say() {
    let mut paths = Vec::new();
    collect(&workspace_root().join("examples"), &mut paths);
    paths.sort();
    assert!(paths.len() >= 12, "only {} examples", paths.len());
    let wrong: Vec<String> = paths.iter().filter_map(|path| check(path).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The larger sizes are too large for a test: `ample bench spin` compares them with Spin.
#[test]
fn models_that_grow_have_large_sizes() {
    let mut paths = Vec::new();
    collect(&workspace_root().join("examples/scale"), &mut paths);
    let sizes: Vec<Vec<u64>> =
        paths.iter().map(|path| scales(path).iter().map(|scale| scale.counts.0).collect()).collect();
    let models_with = |is_right: fn(&u64) -> bool| sizes.iter().filter(|sizes| sizes.iter().any(is_right)).count();
    assert!(models_with(|states| (1_000_000..=50_000_000).contains(states)) >= 12, "{sizes:?}");
    assert!(models_with(|states| (10_000_000..=50_000_000).contains(states)) >= 5, "{sizes:?}");
}

#[test]
fn what_is_measured_stands_in_the_headers() {
    let folder = workspace_root().join("examples/scale");
    for row in [ample_bench::ROWS, ample_bench::HANDSHAKES, ample_bench::LIVENESS].into_iter().flatten() {
        let scales = scales(&folder.join(row.file()));
        assert!(scales.iter().any(|scale| scale.defines == row.defines), "{}: {scales:?}", row.name());
    }
    let papers = workspace_root().join("examples/papers");
    for row in ample_bench::REDUCTION.iter().filter(|printed| printed.corpus.is_none()).map(|printed| &printed.row) {
        let scales = scales(&papers.join(row.file()));
        let is_listed = row.defines.is_empty() || scales.iter().any(|scale| scale.defines == row.defines);
        assert!(is_listed, "{}: {scales:?}", row.name());
    }
    let brim = workspace_root().join("examples/brim");
    for row in ample_bench::BRIM {
        let scales = scales(&brim.join(row.file()));
        assert!(scales.iter().any(|scale| scale.defines == row.defines), "{}: {scales:?}", row.name());
    }
}

fn scales(path: &Path) -> Vec<Scale> {
    header::read(&fs::read_to_string(path).expect("the examples are readable")).scales
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the examples are readable") {
        let path = entry.expect("the examples are readable").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path
            .extension()
            .is_some_and(|ending| ["pml", "dve", "mdve", "gcl"].iter().any(|known| ending == *known))
        {
            paths.push(path);
        }
    }
}

fn check(path: &Path) -> Result<(), String> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let header = header::read(&text);
    let holds = header.safety_holds.ok_or(format!("{name}: the header has no `expect: safety holds|violated`"))?;
    let (states, transitions) = header.counts.ok_or(format!("{name}: the header has no `states: N transitions: M`"))?;
    let loaded = ample_frontends::load_file(path, &LoadOptions::default())
        .map_err(|failure| format!("{name}: {}", explore::messages(&failure)))?;
    let interpreter = Interpreter::new(&loaded.model);
    let limits = Limits { max_depth: header.depth, ..Limits::default() };
    let (order, ended) = match header.depth {
        Some(depth) => ("bfs", Ended::Limit(Limit::Depth(depth))),
        None => ("dfs", Ended::Complete),
    };
    let outcome = explore::search(&interpreter, order, StopAt::End, &limits);
    let found = Numbers::from(&outcome);
    let expected = Numbers { states, transitions, error: !holds };
    if outcome.ended != ended || found != expected {
        return Err(format!("{name}: expected {expected}, found {found} ({:?})", outcome.ended));
    }
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).map_err(|error| error.to_string())?;
    let properties = header.properties.into_iter().map(|(property, verdict)| {
        let options = Options { limits: limits.clone(), ..Options::default() };
        (verdict_of(&prepared, &property, options), property, verdict)
    });
    let claims = header.claims.into_iter().map(|(claim, verdict)| (claim_verdict(path, &claim), claim, verdict));
    for (found, property, expected) in properties.chain(claims) {
        let found = found?;
        if found != expected {
            return Err(format!("{name}: {property} is expected to be {expected}, and is {found}"));
        }
    }
    Ok(())
}

/// The verdict on a claim of a file in the same folder.
fn claim_verdict(path: &Path, claim: &str) -> Result<&'static str, String> {
    let file = path.with_file_name(claim);
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let claims = vec![ClaimText { name: "claim".to_owned(), path: file, text }];
    let options = LoadOptions { claims, ..LoadOptions::default() };
    let loaded = ample_frontends::load_file(path, &options).map_err(|failure| explore::messages(&failure))?;
    let interpreter = Interpreter::new(&loaded.model);
    let prepared = Prepared::new(&interpreter, &loaded.properties, &Choice::Auto).map_err(|error| error.to_string())?;
    verdict_of(&prepared, "claim", Options::default())
}

/// The verdict on a property, with the reductions that are used unasked.
fn verdict_of(prepared: &Prepared<'_>, property: &str, options: Options) -> Result<&'static str, String> {
    let select = vec![property.to_owned()];
    let job = Job { system: prepared.system(), select, options, loops: LOOPS, progress: None };
    ample_check::check(job).map(|outcome| outcome.verdict.name()).map_err(|error| error.to_string())
}
