//! Scalarsets of guarded commands: the law of exact canonizers and orbits by brute force, on the
//! examples and on random programs; and what stands in the way.

use std::collections::HashSet;
use std::fmt::Write;

use ample_check::{Prepared, Verdict};
use ample_frontends::LoadOptions;
use ample_interpret::{Interpreter, State};
use ample_network::Packed;
use ample_network::facts::Facts;
use ample_reduction::{Symmetries, Visible};
use ample_stdx::{Random, TypedId};
use ample_testing::explore::SAFETY;
use ample_testing::random;
use ample_transition::{Canonized, Canonizer};

use super::permute::{permutations, split};
use super::{EXACT, SORTED, Way, bisimilar, canonical, reachable, states, with_canonizer};

/// Which sets the variables of a program are about, by their names; `[]` stands for any index.
#[derive(Copy, Clone, Debug)]
struct About {
    /// Arrays, with the number of the set for each index, if it is an element.
    arrays: &'static [(&'static str, &'static [Option<usize>])],
    /// Variables that hold elements, with the set.
    values: &'static [(&'static str, usize)],
}

/// An example, and the lines that give its sets other sizes.
struct Example {
    name: &'static str,
    about: About,
    /// The constants that are the sizes of its sets, as they are written, and other sizes.
    sizes: &'static [(&'static [&'static str], &'static [&'static [usize]])],
}

const FIRST: &[Option<usize>] = &[Some(0)];

const EXAMPLES: [Example; 5] = [
    Example {
        name: "lock",
        about: About { arrays: &[("p[].pc", FIRST)], values: &[("owner", 0), ("next", 0)] },
        sizes: &[(&["N"], &[&[2], &[3], &[4]])],
    },
    Example {
        name: "german",
        about: About {
            arrays: &[
                ("n[].cache", FIRST),
                ("n[].request", FIRST),
                ("n[].answer", FIRST),
                ("n[].done", FIRST),
                ("n[].holds", FIRST),
            ],
            values: &[("current", 0)],
        },
        sizes: &[(&["N"], &[&[2], &[3]])],
    },
    Example {
        name: "election",
        about: About {
            arrays: &[("votes[]", FIRST), ("p[].choice", FIRST), ("p[].follows", FIRST)],
            values: &[("leader", 0), ("p[].choice", 0), ("p[].follows", 0)],
        },
        sizes: &[(&["N"], &[&[2], &[3]])],
    },
    Example {
        name: "barrier",
        about: About { arrays: &[("p[].pc", FIRST), ("p[].round", FIRST)], values: &[] },
        sizes: &[(&["N"], &[&[2], &[3], &[4]])],
    },
    Example {
        name: "clients",
        about: About {
            arrays: &[("asked[]", FIRST), ("s[].serves", &[Some(1)]), ("s[].knows[]", &[Some(1), Some(0)])],
            values: &[("asked[]", 1), ("s[].serves", 0)],
        },
        sizes: &[(&["CLIENTS", "SERVERS"], &[&[2, 2], &[3, 2], &[2, 3]])],
    },
];

/// Calls `body` with a program.
#[track_caller]
fn with_program<R>(text: &str, body: impl FnOnce(&Packed<'_>, &Prepared<'_>) -> R) -> R {
    let loaded = ample_frontends::load_text("program.gcl", text.to_owned(), &LoadOptions::default())
        .map_err(|failure| ample_testing::explore::messages(&failure))
        .unwrap_or_else(|messages| panic!("{messages}\n{text}"));
    let interpreter = Interpreter::new(&loaded.model);
    let packed = Packed::new(&interpreter).expect("its processes are known");
    let prepared = Prepared::packed(&interpreter, &loaded.properties);
    body(&packed, &prepared)
}

impl Example {
    /// The program with sets of these sizes.
    fn text(&self, constants: &[&str], sizes: &[usize]) -> String {
        let path = ample_testing::workspace_root().join(format!("examples/symmetry/{}.gcl", self.name));
        let mut text = std::fs::read_to_string(&path).expect("the example is there");
        for (constant, size) in constants.iter().zip(sizes) {
            let line = text.lines().find(|line| line.starts_with(&format!("const {constant} = ")));
            let line = line.expect("the constant is there").to_owned();
            text = text.replace(&line, &format!("const {constant} = {size};"));
        }
        text
    }

    /// Every size, with the program.
    fn programs(&self) -> impl Iterator<Item = (&'static [usize], String)> {
        self.sizes
            .iter()
            .flat_map(move |(constants, all)| all.iter().map(|sizes| (*sizes, self.text(constants, sizes))))
    }
}

/// The state after a permutation of the elements of each set.
fn permuted(packed: &Packed<'_>, about: &About, state: &State, group: &[Vec<usize>]) -> State {
    let slots = &packed.interpreter.model().globals.slots;
    let mut globals = state.globals().to_vec();
    for (slot, variable) in slots.iter_enumerated() {
        let (bare, indices) = split(&variable.name);
        let sets = about.arrays.iter().find(|(array, _)| *array == bare).map_or(&[][..], |(_, sets)| sets);
        let mut name = String::new();
        for (at, part) in bare.split("[]").enumerate() {
            if at > 0 {
                let index = indices[at - 1];
                let index = sets.get(at - 1).copied().flatten().map_or(index, |set| group[set][index]);
                _ = write!(name, "[{index}]");
            }
            name.push_str(part);
        }
        let to = slots.iter_enumerated().find(|(_, other)| other.name == name).expect("it exists").0;
        let value = state.globals()[slot.index()];
        let set = about.values.iter().find(|(holder, _)| *holder == bare).map(|(_, set)| *set);
        let element = set.and_then(|set| group[set].get(usize::try_from(value).ok()?));
        globals[to.index()] = element.map_or(value, |element| *element as i64);
    }
    let mut after = State::default();
    after.restart(|all| all.extend(globals));
    for process in &state.processes {
        after.add_process(process.template, process.location, process.priority, |_| {});
    }
    after
}

/// Every permutation of the elements of sets of these sizes.
fn group(sizes: &[usize]) -> Vec<Vec<Vec<usize>>> {
    sizes.iter().fold(vec![Vec::new()], |group, size| {
        let longer = |shorter: &Vec<Vec<usize>>, last: &Vec<usize>| [shorter.clone(), vec![last.clone()]].concat();
        let all = permutations(*size);
        group.iter().flat_map(|shorter| all.iter().map(move |last| longer(shorter, last))).collect()
    })
}

/// Checks the law on every state and every permutation; gives the number of orbits.
fn orbits_of(
    packed: &Packed<'_>,
    canonizer: &dyn Canonizer,
    about: &About,
    sizes: &[usize],
    full: &HashSet<Vec<u8>>,
) -> usize {
    let group = group(sizes);
    let mut representatives = HashSet::new();
    for state in full {
        let unpacked = packed.unpack(state);
        let form = canonical(canonizer, state);
        assert_eq!(canonical(canonizer, &form), form, "a form is its own");
        let images = group.iter().map(|permutation| {
            let image = packed.network.pack(&permuted(packed, about, &unpacked, permutation)).expect("it fits");
            assert_eq!(canonical(canonizer, &image), form, "{sizes:?} by {permutation:?}");
            image
        });
        representatives.insert(images.min().expect("the identity"));
    }
    representatives.len()
}

const MOST_STATES: usize = 30_000;

#[test]
fn orbits_of_the_examples_are_the_states_of_symmetry() {
    for example in EXAMPLES {
        let mut counted = 0;
        for (sizes, text) in example.programs() {
            with_program(&text, |packed, _| {
                let Some(full) = reachable(packed, MOST_STATES) else { return };
                let orbits = with_canonizer(packed, &[], EXACT, |canonizer| {
                    orbits_of(packed, canonizer, &example.about, sizes, &full)
                });
                let stored = |name: &str| {
                    with_canonizer(packed, &[], name, |canonizer| {
                        reachable(&Canonized { system: packed, canonizer }, MOST_STATES).expect("fewer").len()
                    })
                };
                let sorted = stored(SORTED).expect("it applies");
                println!("{} {sizes:?}: {} states, {orbits:?} orbits, {sorted} sorted", example.name, full.len());
                assert_eq!(stored(EXACT), orbits, "{} {sizes:?}", example.name);
                assert!(orbits.is_ok_and(|orbits| orbits < full.len() && orbits <= sorted && sorted <= full.len()));
                counted += 1;
            });
        }
        assert!(counted >= 2, "{}", example.name);
    }
}

#[test]
fn quotients_of_the_examples_are_bisimilar() {
    for example in EXAMPLES {
        let mut compared = 0;
        for (_, text) in example.programs() {
            with_program(&text, |packed, _| {
                for name in [EXACT, SORTED] {
                    let sizes = with_canonizer(packed, &[], name, |canonizer| bisimilar(packed, canonizer, &[], 6_000));
                    compared += usize::from(sizes.expect("it applies").is_some());
                }
            });
        }
        assert!(compared > 0, "{}", example.name);
    }
}

/// What the variables of random programs are about.
const RANDOM: About = About {
    arrays: &[
        ("a[]", FIRST),
        ("to[]", FIRST),
        ("p[].o", FIRST),
        ("p[].x", FIRST),
        ("p[].met[]", &[Some(0), Some(0)]),
        ("p[].at", FIRST),
        ("r[].u", &[Some(1)]),
        ("r[].of[]", &[Some(1), Some(0)]),
    ],
    values: &[("who", 0), ("to[]", 0), ("p[].o", 0), ("p[].at", 1), ("chosen", 1), ("r[].u", 0)],
};

const GUARDS: [&str; 18] = [
    "true",
    "who = none",
    "who = i",
    "who != i",
    "o = none",
    "o = i",
    "o = who",
    "g = 0",
    "g = 1",
    "x = 0",
    "x < 2",
    "a[i] = 0",
    "to[i] != none and to[i] != i",
    "o != none and a[o] = 0",
    "o != none and met[o]",
    "at = none",
    "at != none and r[at].u = i",
    "chosen = at",
];

const STEPS: [&str; 22] = [
    "who := i",
    "who := none",
    "who := o",
    "o := who",
    "o := i",
    "o := input",
    "o := none",
    "to[i] := o",
    "g := 1 - g",
    "x := (x + 1) % 3",
    "a[i] := x",
    "x := a[i]",
    "at := input",
    "at := none",
    "chosen := at",
    "met[i] := true",
    "o := if g = 0 then i else who",
    "to[i] := if x = 0 then none else o",
    "a[i] := 0",
    // These are errors where there is no element.
    "a[who] := 1",
    "met[o] := not met[o]",
    "r[at].u := i, r[at].of[i] := true",
];

/// A program with a set of processes and a set of resources, and their sizes.
fn program(seed: u64) -> (String, Vec<usize>) {
    let mut prng = Random::new(seed);
    let sizes = vec![prng.between(2, 3), prng.between(1, 2)];
    let mut text = format!("type pid = scalarset({});\ntype place = scalarset({});\n", sizes[0], sizes[1]);
    let start = if prng.between(0, 5) == 0 { " = any" } else { "" };
    _ = writeln!(text, "var who : pid{start}; var g : 0..1; var a[pid] : 0..2; var to[pid] : pid; var chosen : place;");
    text.push_str("process p[i : pid] {\n  var o : pid; var x : 0..2; var met[pid] : bool; var at : place;\n");
    for _ in 0..prng.between(2, 4) {
        let guards: Vec<&str> = (0..prng.between(1, 2)).map(|_| GUARDS[prng.below(GUARDS.len())]).collect();
        let steps: Vec<&str> = (0..prng.between(1, 2)).map(|_| STEPS[prng.below(STEPS.len())]).collect();
        _ = writeln!(text, "  {} -> {};", guards.join(" and "), steps.join(", "));
    }
    text.push_str("}\nprocess r[j : place] {\n  var u : pid; var of[pid] : bool;\n");
    text.push_str("  u != none and not of[u] -> u := none;\n}\n");
    text.push_str("error two: g = 1 and who != none and a[who] = 2;\n");
    text.push_str("ltl again { G F g = 0 }\nltl stays { F G who = none }\n");
    (text, sizes)
}

#[test]
fn the_law_on_random_programs() {
    let (mut checked, mut compared) = (0, 0);
    for seed in random::seeds(0..80).expect("AMPLE_SEEDS is A..B") {
        let (text, sizes) = program(seed);
        println!("seed {seed}");
        with_program(&text, |packed, _| {
            let Some(full) = reachable(packed, 3_000) else { return };
            let law = |canonizer: &dyn Canonizer| {
                let orbits = orbits_of(packed, canonizer, &RANDOM, &sizes, &full);
                let quotient = reachable(&Canonized { system: packed, canonizer }, 3_000).expect("fewer");
                assert_eq!(quotient.len(), orbits, "seed {seed}\n{text}");
            };
            let facts = Facts::new(&packed.network);
            let visible =
                Visible { propositions: &[], faults: SAFETY, one_is_enough: true, processes: false, names: false };
            assert_eq!(Symmetries::of(&packed.network, &facts, &visible).broken, [""; 0], "seed {seed}\n{text}");
            with_canonizer(packed, &[], EXACT, law).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            checked += 1;
            for name in [EXACT, SORTED] {
                let answer = with_canonizer(packed, &[], name, |canonizer| bisimilar(packed, canonizer, &[], 1_000));
                compared += usize::from(answer.expect("it applies").is_some());
            }
        });
    }
    println!("{checked} checked, {compared} compared");
    assert!(checked > 0 && compared > 0);
}

#[test]
fn answers_about_random_programs() {
    let (mut answered, mut violated) = (0, 0);
    for seed in random::seeds(0..25).expect("AMPLE_SEEDS is A..B") {
        let (text, _) = program(seed);
        with_program(&text, |packed, prepared| {
            if reachable(packed, 2_000).is_none() {
                return;
            }
            for question in ["safety", "two", "again", "stays"] {
                println!("seed {seed} {question}");
                let full = Way::of("none").ask(prepared, question).expect("the full search answers");
                for reduce in [EXACT, SORTED] {
                    for way in [Way::of(reduce), Way { threads: 2, ..Way::of(reduce) }] {
                        let outcome = way.ask(prepared, question).expect("every question is about no element");
                        assert_eq!(outcome.verdict, full.verdict, "seed {seed} {question} {way:?}\n{text}");
                        assert!(outcome.verdict == Verdict::Violated || states(&outcome) <= states(&full));
                        answered += 1;
                        violated += usize::from(outcome.verdict == Verdict::Violated);
                    }
                }
            }
        });
    }
    println!("{answered} answered ({violated} violated)");
    assert!(violated > 0 && answered > violated);
}

/// What is said of a program.
fn symmetries(text: &str) -> Symmetries {
    with_program(text, |packed, _| {
        let visible =
            Visible { propositions: &[], faults: SAFETY, one_is_enough: true, processes: false, names: false };
        Symmetries::of(&packed.network, &Facts::new(&packed.network), &visible)
    })
}

#[test]
fn sets_are_named() {
    let found = symmetries("type pid = scalarset(3); var a[pid] : bool; process p[i : pid] { a[i] -> a[i] := false; }");
    assert_eq!(found.found, ["the 3 elements of pid can be exchanged (6 permutations)"]);
    assert!(found.broken.is_empty());
    let unnamed = symmetries("var p : scalarset(2); [choose] p = none -> p := input;");
    assert_eq!(unnamed.found, ["the 2 elements of scalarset(2) can be exchanged (2 permutations)"]);
    assert_eq!(symmetries("var p : scalarset(1); p = none -> p := input;"), Symmetries::default());
    assert_eq!(symmetries("var x : 0..2; x < 2 -> x := x + 1;"), Symmetries::default());
}

/// A choice before everything else is one between elements, too.
#[test]
fn what_starts_with_any_element() {
    let text = "type pid = scalarset(4); var p : pid = any; var seen[pid] : bool; true -> seen[p] := true;";
    with_program(text, |packed, prepared| {
        let stored = states(&Way::of(EXACT).ask(prepared, "safety").expect("it applies"));
        assert_eq!((stored, reachable(packed, 100).map(|full| full.len())), (3, Some(9)));
    });
}
