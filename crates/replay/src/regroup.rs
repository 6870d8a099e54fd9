//! Moves, one after the other, as transitions.
//!
//! Where a model was rewritten before the search, each move of the rewritten one stands for some
//! moves of the model as written. Which of these belong to one transition, because an `atomic`
//! sequence or a rendezvous holds them together, is for the model as written to say.

use ample_transition::{Move, SuccessorBuffer, Successors, Trace};

/// The run of `system` that consists of these moves, of which those from `cycle` on are repeated
/// for ever; or why there is none.
pub fn regroup(system: &dyn Successors, moves: &[Move], cycle: Option<usize>) -> Result<Trace, String> {
    let Ok(mut state) = system.initial() else {
        return Ok(Trace { transitions: Vec::new(), cycle: cycle.map(|_| 0) });
    };
    let mut buffer = SuccessorBuffer::new();
    let (mut transitions, mut done, mut before) = (Vec::new(), 0, None);
    while done < moves.len() {
        if cycle == Some(done) {
            before = Some(transitions.len());
        }
        buffer.clear();
        system.expand_all(&state, &mut buffer);
        let rest = &moves[done..];
        let leading = buffer.iter().filter(|successor| rest.starts_with(successor.moves));
        let taken = leading.max_by_key(|successor| successor.moves.len());
        let taken = taken.ok_or_else(|| format!("no transition begins with move {} of the run", done + 1))?;
        done += taken.moves.len();
        transitions.push(taken.moves.to_vec());
        match taken.state {
            Some(next) => state = next.to_vec(),
            None if done == moves.len() => {}
            None => return Err(format!("the run goes on after its end, at move {}", done + 1)),
        }
    }
    match (cycle, before) {
        (Some(cycle), None) if cycle < moves.len() => Err("the cycle begins inside a transition".to_owned()),
        (Some(_), None) => Ok(Trace { cycle: Some(transitions.len()), transitions }),
        (_, before) => Ok(Trace { transitions, cycle: before }),
    }
}

#[cfg(test)]
mod tests {
    use ample_model::EdgeId;
    use ample_stdx::TypedId;
    use ample_transition::Fault;

    use super::*;

    fn step(edge: usize) -> Move {
        Move { process: 0, edge: EdgeId::from_index(edge), partner: None }
    }

    /// `0` or the chain `0, 1`, and back by `2`.
    struct Chains;

    impl Successors for Chains {
        fn initial(&self) -> Result<Vec<u8>, Box<Fault>> {
            Ok(vec![0])
        }

        fn expand_all(&self, state: &[u8], buffer: &mut SuccessorBuffer) {
            if state == [0] {
                buffer.push_state(&[step(0)], &[1]);
                buffer.push_state(&[step(0), step(1)], &[1]);
            } else {
                buffer.push_state(&[step(2)], &[0]);
            }
        }

        fn invalid_end(&self, _: &[u8]) -> Option<Box<Fault>> {
            None
        }
    }

    #[test]
    fn chains_are_held_together() {
        let moves = [step(0), step(1), step(2), step(0), step(2)];
        let trace = regroup(&Chains, &moves, Some(3)).unwrap();
        assert_eq!(trace.transitions, [vec![step(0), step(1)], vec![step(2)], vec![step(0)], vec![step(2)]]);
        assert_eq!(trace.cycle, Some(2));
        assert_eq!(regroup(&Chains, &moves, Some(5)).unwrap().cycle, Some(4), "it ends and stays there");
    }

    #[test]
    fn what_is_no_run_is_said_to_be_none() {
        assert!(regroup(&Chains, &[step(0), step(5)], None).is_err_and(|why| why.contains("move 2")));
        assert!(regroup(&Chains, &[step(0), step(1), step(2)], Some(1)).is_err());
    }
}
