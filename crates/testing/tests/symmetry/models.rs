//! Symmetric models of our own: the law of canonizers on every state and every permutation, and
//! orbits counted by brute force.

use std::collections::HashSet;

use ample_transition::Canonized;

use super::permute::{Names, permutations, permuted, rotations};
use super::{EXACT, SORTED, bisimilar, canonical, reachable, with_canonizer, with_model};

/// A model for any number of processes.
struct Symmetric {
    name: &'static str,
    text: fn(usize) -> String,
    names: Names,
    group: fn(usize) -> Vec<Vec<usize>>,
}

/// Processes that take turns: a flag each, and a variable that holds one of their numbers.
const LOCK: Symmetric = Symmetric {
    name: "lock",
    text: |n| {
        format!(
            "byte turn; bool flag[{n}]; bool taken;
            active [{n}] proctype p() {{
                do
                :: flag[_pid] = true;
                   atomic {{ !taken -> taken = true; turn = _pid }};
                   assert(turn == _pid);
                   taken = false; flag[_pid] = false
                od }}"
        )
    },
    names: Names { templates: &["p"], arrays: &["flag[]"], places: &["turn"], fields: &[] },
    group: permutations,
};

/// Clients with a channel each; the server learns their numbers from messages.
const SERVER: Symmetric = Symmetric {
    name: "server",
    text: |n| {
        format!(
            "chan ask = [2] of {{ byte }}; chan answer[{n}] = [1] of {{ bit }};
            active [{n}] proctype client() {{ bit got; do :: ask!_pid; answer[_pid]?got od }}
            active proctype server() {{ byte who; do :: ask?who; answer[who]!1 od }}"
        )
    },
    names: Names { templates: &["client"], arrays: &["answer[]"], places: &["who"], fields: &[("ask", 0)] },
    group: permutations,
};

/// A ring of nodes, with the channels as parameters.
const RING: Symmetric = Symmetric {
    name: "ring",
    text: |n| {
        let runs: String = (0..n).map(|i| format!("run node(q[{i}], q[{}]);", (i + 1) % n)).collect();
        format!(
            "chan q[{n}] = [1] of {{ bit }};
            proctype node(chan left; chan right) {{ bit x; do :: right!x :: left?x; x = 1 - x od }}
            init {{ atomic {{ {runs} }} }}"
        )
    },
    names: Names { templates: &["node"], arrays: &["q[]"], places: &[], fields: &[] },
    group: rotations,
};

/// Who has met whom: an element for each two.
const MEETINGS: Symmetric = Symmetric {
    name: "meetings",
    text: |n| {
        let choose: String = (0..n).map(|i| format!(":: other = {i} ")).collect();
        format!(
            "typedef row {{ bool to[{n}] }}; row met[{n}]; byte count;
            active [{n}] proctype p() {{ byte other = _pid;
                do :: atomic {{ count < 3 -> if {choose} fi; if :: met[_pid].to[other] || other == _pid -> skip
                      :: else -> met[_pid].to[other] = true; count++ fi; other = _pid }} od }}"
        )
    },
    names: Names { templates: &["p"], arrays: &["met[].to[]"], places: &["other"], fields: &[] },
    group: permutations,
};

/// Each has an agent, with a channel between the two.
const AGENTS: Symmetric = Symmetric {
    name: "agents",
    text: |n| {
        format!(
            "chan c[{n}] = [0] of {{ bit }}; byte busy;
            active [{n}] proctype owner() {{ do :: c[_pid]!1 od }}
            active [{n}] proctype agent() {{ bit y; do :: c[_pid - {n}]?y; busy++; busy-- od }}"
        )
    },
    names: Names { templates: &["owner", "agent"], arrays: &["c[]"], places: &[], fields: &[] },
    group: permutations,
};

/// Each follows another one: what is its own points at others.
const FOLLOWERS: Symmetric = Symmetric {
    name: "followers",
    text: |n| {
        format!(
            "byte last; active [{n}] proctype p() {{ byte before = _pid;
                do :: before = last :: last = _pid :: before == _pid -> last = before od }}"
        )
    },
    names: Names { templates: &["p"], arrays: &[], places: &["last", "before"], fields: &[] },
    group: permutations,
};

const MODELS: [Symmetric; 6] = [LOCK, SERVER, RING, MEETINGS, AGENTS, FOLLOWERS];

const MOST_STATES: usize = 60_000;

#[test]
fn orbits_counted_by_brute_force_are_the_states_of_symmetry() {
    let mut complete = 0;
    for Symmetric { name, text, names, group } in MODELS {
        let mut counted = 0;
        for n in 2..=5 {
            with_model(&text(n), |packed, _| {
                let Some(full) = reachable(packed, MOST_STATES) else { return };
                let group = group(n);
                let pack = |state: &ample_interpret::State| packed.network.pack(state).expect("it fits");
                let all_exist = |state: &[u8]| packed.unpack(state).processes.len() == packed.network.numbers;
                let orbit = |state: &Vec<u8>| {
                    let unpacked = packed.unpack(state);
                    let images =
                        group.iter().map(|permutation| pack(&permuted(packed, &names, &unpacked, permutation)));
                    if all_exist(state) { images.min().expect("the identity") } else { state.clone() }
                };
                let orbits: HashSet<Vec<u8>> = full.iter().map(orbit).collect();
                let states = with_canonizer(packed, &[], EXACT, |canonizer| {
                    reachable(&Canonized { system: packed, canonizer }, MOST_STATES).expect("fewer").len()
                });
                println!("{name} {n}: {} states, {} orbits", full.len(), orbits.len());
                assert_eq!(states, Ok(orbits.len()), "{name} {n}");
                counted += 1;
            });
        }
        assert!(counted >= 3, "{name}");
        complete += usize::from(counted == 4);
    }
    assert!(complete >= 5, "{complete} models are small enough for all sizes");
}

#[test]
fn every_state_of_an_orbit_has_one_representative() {
    for Symmetric { name, text, names, group } in MODELS {
        for n in 2..=3 {
            with_model(&text(n), |packed, _| {
                let Some(full) = reachable(packed, 3_000) else { return };
                let law = |canonizer: &dyn ample_transition::Canonizer| {
                    for state in &full {
                        let form = canonical(canonizer, state);
                        assert_eq!(canonical(canonizer, &form), form, "{name} {n}: a form is its own");
                        let unpacked = packed.unpack(state);
                        if unpacked.processes.len() < packed.network.numbers {
                            continue;
                        }
                        for permutation in group(n) {
                            let image = packed.network.pack(&permuted(packed, &names, &unpacked, &permutation));
                            let image = image.expect("it fits");
                            assert_eq!(canonical(canonizer, &image), form, "{name} {n} by {permutation:?}");
                        }
                    }
                };
                with_canonizer(packed, &[], EXACT, law).expect("it applies");
            });
        }
    }
}

#[test]
fn quotients_are_bisimilar() {
    for Symmetric { name, text, .. } in MODELS {
        for canonizer in [EXACT, SORTED] {
            let mut compared = 0;
            for n in 2..=3 {
                with_model(&text(n), |packed, _| {
                    let sizes =
                        with_canonizer(packed, &[], canonizer, |canonizer| bisimilar(packed, canonizer, &[], 8_000));
                    let sizes = sizes.expect("it applies");
                    println!("{name} {n} {canonizer}: {sizes:?}");
                    let is_exact = canonizer == EXACT;
                    let is_smaller = |(full, quotient)| quotient < full || (!is_exact && quotient == full);
                    assert!(sizes.is_none_or(is_smaller), "{name} {n}");
                    compared += usize::from(sizes.is_some());
                });
            }
            assert!(compared > 0, "{name}");
        }
    }
}
