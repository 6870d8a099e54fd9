//! The Aldebaran format: what is written is read back, and what cannot be read says why and where.

mod support;

use ample_equivalence::{Lts, TAU, read_aut, write_aut};
use ample_source::{SourceMap, Span, Style, render};
use proptest::prelude::*;
use support::{equivalent, systems};

fn read(text: &str) -> Result<Lts, String> {
    let mut map = SourceMap::new();
    let file = map.add_file("a.aut", text);
    let span = Span::new(file, 0, text.len() as u32);
    read_aut(text, span, &["hidden one".to_owned()]).map_err(|error| render(&[*error], &map, Style::Plain))
}

#[track_caller]
fn check_error(text: &str, place: &str, words: &str) {
    let error = read(text).expect_err("this is wrong");
    assert!(error.contains(words) && error.contains(place), "{error}");
}

#[test]
fn the_text_is_plain() {
    let lts = Lts::from_edges(1, [(1, "send \"x\", then wait", 0), (0, "tau", 1)]);
    assert_eq!(write_aut(&lts), "des (1, 2, 2)\n(0, \"tau\", 1)\n(1, \"send 'x', then wait\", 0)\n");
}

#[test]
fn labels_are_quoted_or_not_and_some_are_invisible() {
    let text = "des(0,8,4)\n(0,i,1)\r\n(0,\"i\",2)\n (0, tau, 3) \n\n(0, \"tau\", 0)\n(1, hidden one, 2)\n(1, \"a, (b)\", 2)\n\
                (1, I, 3)\n(1, , 3)\n";
    let lts = read(text).unwrap();
    let labels =
        |state| lts.edges(state).iter().map(|edge| (lts.label(edge.label), edge.label == TAU)).collect::<Vec<_>>();
    let [zero, one] = [0, 1].map(|at| lts.states().nth(at).unwrap());
    assert_eq!(labels(zero), [("tau", true); 4]);
    assert_eq!(labels(one), [("tau", true), ("a, (b)", false), ("I", false), ("", false)]);
}

#[test]
fn what_is_wrong_has_its_place() {
    check_error("", "", "there is no `des` line");
    check_error("\n\nDES (0, 1, 1)\n", "a.aut:3", "expected `des (INITIAL, EDGES, STATES)`");
    check_error("des (0, 1)\n", "a.aut:1", "three numbers");
    check_error("des (-1, 0, 1)\n", "a.aut:1", "three numbers");
    check_error("des (1, 0, 1)\n", "a.aut:1", "state 1, but the first line says 1 states");
    check_error("des (0, 1, 2)\n(0, a, 2)\n", "a.aut:2", "state 2, but the first line says 2 states");
    check_error("des (0, 2, 2)\n(0, a, 1)\n(0, a)\n", "a.aut:3", "expected `(FROM, LABEL, TO)`");
    check_error("des (0, 2, 2)\n(0, a, 1)\n", "a.aut:2", "the first line says 2 edges, and there are 1");
    check_error("des (0, 0, 99999999999)\n(0, a, 99999999998)\n", "a.aut:2", "too large");
}

#[test]
fn few_bytes_take_little_memory() {
    let lts = read("des (4000000000, 1, 4294967296)\n(4000000000, a, 3)\n").unwrap();
    assert_eq!(lts.state_count(), 2);
    assert!(equivalent("bisim", &lts, &Lts::from_edges(0, [(0, "a", 1)])));
    assert_eq!(read("des (0, 0, 4000000000)").unwrap().state_count(), 1);
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(plain in systems(6, &[""])) {
        let lts = plain.lts();
        let text = write_aut(&lts);
        let again = read(&text).unwrap();
        prop_assert_eq!(write_aut(&again), text);
        prop_assert!(equivalent("bisim", &again, &lts));
    }

    #[test]
    fn no_text_makes_it_panic(text in "(des \\([0-9]{1,3}, [0-9], [0-9]{1,12}\\)\n)?([(), a\"0-9\nä]{0,9})*") {
        let _ = read(&text);
    }
}
