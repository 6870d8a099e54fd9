//! The rules of the semantics one by one, on automata as text: every transition of the model, state
//! by state.

mod automata;
mod exact;

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;

use ample_interpret::{Interpreter, State};
use ample_transition::{Fault, Move, SuccessorBuffer, Successors};

/// Every transition from every state, breadth first, then what is wrong with states that nothing
/// leaves: `STATE | MOVES | STATE`.
fn transitions(text: &str) -> String {
    let model = automata::model(text);
    let interpreter = Interpreter::new(&model);
    let first = interpreter.initial().unwrap_or_else(|fault| panic!("{}", fault.message));
    let mut seen = HashSet::from([first.clone()]);
    let mut open = VecDeque::from([first]);
    let (mut out, mut buffer) = (String::new(), SuccessorBuffer::new());
    while let Some(bytes) = open.pop_front() {
        let state = interpreter.decode(&bytes);
        let before = shown(&interpreter, &state);
        buffer.clear();
        interpreter.expand_all(&bytes, &mut buffer);
        for successor in buffer.iter() {
            let moves = shown_moves(&interpreter, &state, successor.moves);
            let faults: String = successor.faults.iter().map(shown_fault).collect();
            let after = successor.state.map_or("-".to_owned(), |next| shown(&interpreter, &interpreter.decode(next)));
            let _ = writeln!(out, "{before} | {moves}{faults} | {after}");
            open.extend(successor.state.map(<[u8]>::to_vec).filter(|next| seen.insert(next.clone())));
        }
        if buffer.is_empty() {
            let end = interpreter.invalid_end(&bytes);
            let end = end.as_ref().map_or("may end", |fault| fault.message.split(':').next().unwrap_or_default());
            let _ = writeln!(out, "{before} | {end}");
        }
    }
    out
}

/// Where processes are, then the variables and channels that are not 0 or empty.
fn shown(interpreter: &Interpreter<'_>, state: &State) -> String {
    let model = interpreter.model();
    let place = |process: &ample_interpret::Process| {
        model.templates[process.template].locations[process.location].labels.concat()
    };
    let mut out = state.processes.iter().map(place).collect::<Vec<_>>().join(",");
    for (slot, value) in model.globals.slots.iter().zip(state.globals()).filter(|(_, value)| **value != 0) {
        match slot.scalar {
            ample_model::Scalar::Channel => {
                let messages = state.values_in(*value as usize - 1);
                if !messages.is_empty() {
                    let _ = write!(out, " {}={messages:?}", slot.name);
                }
            }
            _ => {
                let _ = write!(out, " {}={value}", slot.name);
            }
        }
    }
    out
}

fn shown_moves(interpreter: &Interpreter<'_>, state: &State, moves: &[Move]) -> String {
    let mut state = state.clone();
    let mut control = None;
    let mut out = Vec::new();
    for step in moves {
        let model = interpreter.model();
        let text = |pid: u16, edge| {
            let template = &model.templates[state.processes[usize::from(pid)].template];
            format!("{}: {}", template.name, template.edges[edge].text)
        };
        let partner = step.partner.map(|(pid, edge)| format!(" with {}", text(pid, edge)));
        out.push(format!("{}{}", text(step.process, step.edge), partner.unwrap_or_default()));
        let outcomes = interpreter.moves(&state, control);
        let taken = outcomes.into_iter().find(|outcome| outcome.step == *step).expect("it is a move of the state");
        control = taken.control;
        let Some(next) = taken.next else { break };
        state = next;
    }
    out.join("; ")
}

fn shown_fault(fault: &Fault) -> String {
    format!(" ({}: {})", fault.kind.name(), fault.message)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let trimmed =
        |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    let found = transitions(text);
    assert!(trimmed(&found) == trimmed(expected), "found\n{found}\nexpected\n{}", trimmed(expected));
}

#[test]
fn a_guard_is_enabled_where_its_value_is_not_zero() {
    check(
        "
        var x
        process P
          a b: x == 1
          a b: x - 1
        process Q
          end t
          s t: x = 1
        ",
        "
        a,s | Q: x = 1 | a,t x=1
        a,s | P: x - 1 | b,s
        a,t x=1 | P: x == 1 | b,t x=1
        b,s | Q: x = 1 | b,t x=1
        b,t x=1 | invalid end state
        ",
    );
}

#[test]
fn the_youngest_process_comes_first_and_edges_come_as_written() {
    check(
        "
        process P
          end b
          a b: skip
        process Q
          end t u
          s t: skip
          s u: 1
        ",
        "
        a,s | Q: skip | a,t
        a,s | Q: 1 | a,u
        a,s | P: skip | b,s
        a,t | P: skip | b,t
        a,u | P: skip | b,u
        b,s | Q: skip | b,t
        b,s | Q: 1 | b,u
        b,t | may end
        b,u | may end
        ",
    );
}

#[test]
fn else_is_enabled_where_no_other_edge_of_the_location_is() {
    check(
        "
        var x
        process P
          end b
          a a: x == 0
          a b: x > 1
          a b: else
        process Q
          end u
          s t: x = 1
          t u: x = 2
        ",
        "
        a,s | Q: x = 1 | a,t x=1
        a,s | P: x == 0 | a,s
        a,t x=1 | Q: x = 2 | a,u x=2
        a,t x=1 | P: else | b,t x=1
        a,u x=2 | P: x > 1 | b,u x=2
        b,t x=1 | Q: x = 2 | b,u x=2
        b,u x=2 | may end
        ",
    );
}

#[test]
fn else_waits_for_a_rendezvous_only_if_there_is_a_partner() {
    check(
        "
        chan c 0
        process P
          end b d
          a b: c ! 1
          a d: else
        process Q
          end t u
          s t: c ? 1
          s u: skip
        ",
        "
        a,s | Q: skip | a,u
        a,s | P: c ! 1 with Q: c ? 1 | b,t
        a,u | P: else | d,u
        b,t | may end
        d,u | may end
        ",
    );
}

#[test]
fn timeout_is_true_where_nothing_else_is_enabled() {
    check(
        "
        var x
        process P
          end b
          a b: timeout && x == 1
        process Q
          end t
          s t: x = 1
        ",
        "
        a,s | Q: x = 1 | a,t x=1
        a,t x=1 | P: timeout && x == 1 | b,t x=1
        b,t x=1 | may end
        ",
    );
}

#[test]
fn an_escape_that_is_enabled_excludes_the_edges_after_it() {
    check(
        "
        var x
        process P
          end b d
          a d: escape x == 1
          a b: skip
        process Q
          end t
          s t: x = 1
        ",
        "
        a,s | Q: x = 1 | a,t x=1
        a,s | P: skip | b,s
        a,t x=1 | P: x == 1 | d,t x=1
        b,s | Q: x = 1 | b,t x=1
        d,t x=1 | may end
        b,t x=1 | may end
        ",
    );
}

#[test]
fn a_process_moves_only_while_its_provided_clause_is_true() {
    check(
        "
        var x
        process P
          provided x == 1
          end b
          a b: skip
        process Q
          end t
          s t: x = 1
        ",
        "
        a,s | Q: x = 1 | a,t x=1
        a,t x=1 | P: skip | b,t x=1
        b,t x=1 | may end
        ",
    );
}

#[test]
fn an_atomic_chain_is_one_transition() {
    check(
        "
        var x
        process P
          end c
          a b: atomic x = 1
          b c: x = 2
        process Q
          end t
          s t: x = 5
        ",
        "
        a,s | Q: x = 5 | a,t x=5
        a,s | P: x = 1; P: x = 2 | c,s x=2
        a,t x=5 | P: x = 1; P: x = 2 | c,t x=2
        c,s x=2 | Q: x = 5 | c,t x=5
        c,t x=2 | may end
        c,t x=5 | may end
        ",
    );
}

#[test]
fn every_path_through_an_atomic_chain_is_a_transition() {
    check(
        "
        var x
        process P
          end c
          a b: atomic skip
          b c: x = 1
          b c: x = 2
        ",
        "
        a | P: skip; P: x = 1 | c x=1
        a | P: skip; P: x = 2 | c x=2
        c x=1 | may end
        c x=2 | may end
        ",
    );
}

#[test]
fn an_atomic_chain_that_is_blocked_loses_control() {
    check(
        "
        var x
        process P
          end c
          a b: atomic skip
          b c: x == 1
        process Q
          end t
          s t: x = 1
        ",
        "
        a,s | Q: x = 1 | a,t x=1
        a,s | P: skip | b,s
        a,t x=1 | P: skip; P: x == 1 | c,t x=1
        b,s | Q: x = 1 | b,t x=1
        c,t x=1 | may end
        b,t x=1 | P: x == 1 | c,t x=1
        ",
    );
}

#[test]
fn a_chain_without_end_fails() {
    let found = transitions(
        "
        process P
          a b: atomic skip
          b a: atomic skip
        ",
    );
    assert!(found.contains("(run-time-error: the atomic sequence does not end) | -"), "{found}");
}

#[test]
fn a_sender_hands_control_to_a_receiver_inside_atomic() {
    check(
        "
        var x
        chan c 0
        process P
          end d
          a b: atomic c ! 1
          b d: x = 7
        process Q
          end u
          s t: atomic c ? x
          t u: x = x + 1
        ",
        "
        a,s | P: c ! 1 with Q: c ? x; Q: x = x + 1 | b,u x=2
        b,u x=2 | P: x = 7 | d,u x=7
        d,u x=7 | may end
        ",
    );
}

#[test]
fn a_rendezvous_is_one_move_with_each_receiver_that_accepts_the_message() {
    check(
        "
        var x
        chan c 0
        process P
          end b
          a b: c ! 1
        process Q
          end s
          s t: c ? 2
        process R
          end u v
          u v: c ? x
        process S
          end w
          w w: c ? 1
        ",
        "
        a,s,u,w | P: c ! 1 with S: c ? 1 | b,s,u,w
        a,s,u,w | P: c ! 1 with R: c ? x | b,s,v,w x=1
        b,s,u,w | may end
        b,s,v,w x=1 | may end
        ",
    );
}

#[test]
fn a_rendezvous_without_a_partner_is_disabled() {
    check(
        "
        chan c 0
        process P
          a b: c ! 1
        process Q
          end s
          s s: c ? 2
        ",
        "
        a,s | invalid end state
        ",
    );
}

#[test]
fn a_channel_is_a_queue_with_room_for_so_many_messages() {
    check(
        "
        var x
        chan c 2
        process P
          end e
          a b: c ! 1
          b d: c ! 2
          d e: c ! 3
        process Q
          end u
          s t: len(c) == 2
          t u: c ? x
        ",
        "
        a,s | P: c ! 1 | b,s c=[1]
        b,s c=[1] | P: c ! 2 | d,s c=[1, 2]
        d,s c=[1, 2] | Q: len(c) == 2 | d,t c=[1, 2]
        d,t c=[1, 2] | Q: c ? x | d,u x=1 c=[2]
        d,u x=1 c=[2] | P: c ! 3 | e,u x=1 c=[2, 3]
        e,u x=1 c=[2, 3] | may end
        ",
    );
}

#[test]
fn only_the_first_message_is_compared_with_a_constant() {
    check(
        "
        chan c 2
        process P
          a b: c ! 1
          b d: c ! 2
          d e: c ? 2
        ",
        "
        a | P: c ! 1 | b c=[1]
        b c=[1] | P: c ! 2 | d c=[1, 2]
        d c=[1, 2] | deadlock
        ",
    );
}

#[test]
fn a_d_step_is_one_move_and_takes_the_first_edge_that_is_enabled() {
    check(
        "
        var x
        process P
          end z
          inside a: i j
          a z: d_step i
          i j: x = 1
          j z: x == 2
          j z: x = x + 1
          j z: x = 9
        ",
        "
        a | P: d_step i | z x=2
        z x=2 | may end
        ",
    );
}

#[test]
fn a_d_step_is_disabled_where_its_first_statement_is() {
    check(
        "
        var x
        process P
          inside a: i j
          a z: d_step i
          i j: x == 1
          j z: x = 2
        process Q
          end t
          s t: skip
        ",
        "
        a,s | Q: skip | a,t
        a,t | invalid end state
        ",
    );
}

#[test]
fn a_d_step_may_begin_with_the_receive_of_a_rendezvous() {
    check(
        "
        var x
        chan c 0
        process P
          end b
          a b: c ! 3
        process Q
          end t
          inside s: i j
          s t: d_step i
          i j: c ? x
          j t: x = x + 1
        ",
        "
        a,s | P: c ! 3 with Q: d_step i | b,t x=4
        b,t x=4 | may end
        ",
    );
}

#[test]
fn a_d_step_that_is_blocked_inside_fails() {
    check(
        "
        var x
        process P
          inside a: i j
          a z: d_step i
          i j: skip
          j z: x == 1
        ",
        "
        a | P: d_step i (run-time-error: d_step blocks here) | -
        ",
    );
}

#[test]
fn a_d_step_without_end_fails() {
    check(
        "
        process P
          inside a: i j
          a z: d_step i
          i j: skip
          j i: skip
        ",
        "
        a | P: d_step i (run-time-error: d_step does not end) | -
        ",
    );
}

#[test]
fn after_a_failed_assertion_the_run_goes_on() {
    check(
        "
        var x
        process P
          end b
          a b: assert x == 1
        ",
        "
        a | P: assert x == 1 (assertion: assertion failed: x == 1) | b
        b | may end
        ",
    );
}

#[test]
fn an_expression_without_a_value_ends_the_run() {
    check(
        "
        var x
        var a[2]
        process P
          s t: x = 1 / x
          s t: a[x + 2] = 1
          s t: 1 / x > 0
        ",
        "
        s | P: x = 1 / x (run-time-error: division by zero) | -
        s | P: a[x + 2] = 1 (run-time-error: array index out of range: the index is 2, the array has 0..1) | -
        s | P: 1 / x > 0 (run-time-error: division by zero) | -
        ",
    );
}

#[test]
fn a_condition_that_decides_keeps_the_next_from_being_evaluated() {
    check(
        "
        var x
        process P
          end t
          s t: x != 0 && 1 / x > 0
          s t: x == 0 || 1 / x > 0
        ",
        "
        s | P: x == 0 || 1 / x > 0 | t
        t | may end
        ",
    );
}

#[test]
fn an_assignment_keeps_what_fits_into_the_variable() {
    check(
        "
        var x = 255
        process P
          end b
          a b: x = x + 3
        ",
        "
        a x=255 | P: x = x + 3 | b x=2
        b x=2 | may end
        ",
    );
}

#[test]
fn a_state_is_a_valid_end_if_every_process_is_at_an_end_location() {
    check(
        "
        process P
          end a
          a b: 0
        process Q
          end t
          s t: skip
          s u: skip
        ",
        "
        a,s | Q: skip | a,t
        a,s | Q: skip | a,u
        a,t | may end
        a,u | invalid end state
        ",
    );
}

#[test]
fn the_youngest_process_ends_first() {
    check(
        "
        process P
          a b: end
        process Q
          s t: end
        ",
        "
        a,s | Q: end | a
        a | P: end |
        | may end
        ",
    );
}

#[test]
fn a_process_that_is_created_is_the_youngest() {
    check(
        "
        var x
        process P
          end b
          a b: x = run T
        template T
          s t: x = x + 1
          t u: end
        ",
        "
        a | P: x = run T | b,s x=1
        b,s x=1 | T: x = x + 1 | b,t x=2
        b,t x=2 | T: end | b x=2
        b x=2 | may end
        ",
    );
}
