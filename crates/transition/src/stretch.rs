//! What the moves of a rewritten model stand for in the model that was rewritten.

use crate::Move;

/// A part of a run: one move, or moves that are repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// One move.
    Once(Move),
    /// All this, again and again as long as the first move of it can be made; at least one time.
    WhilePossible(Vec<Stretch>),
}

impl Stretch {
    /// The move that it begins with.
    fn first(&self) -> Option<Move> {
        match self {
            Stretch::Once(step) => Some(*step),
            Stretch::WhilePossible(round) => round.first()?.first(),
        }
    }

    /// The moves of some stretches, those of one round where they are repeated.
    pub fn one_round(stretches: &[Stretch]) -> Vec<Move> {
        let moves = stretches.iter().flat_map(|stretch| match stretch {
            Stretch::Once(step) => vec![*step],
            Stretch::WhilePossible(round) => Stretch::one_round(round),
        });
        moves.collect()
    }
}

/// What is still to come of a run that is known as stretches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The next one last.
    rest: Vec<Stretch>,
}

impl Route {
    /// All of these, in order.
    pub fn new(mut stretches: Vec<Stretch>) -> Route {
        stretches.reverse();
        Route { rest: stretches }
    }

    /// Whether nothing more can come.
    pub fn is_over(&self) -> bool {
        self.rest.is_empty()
    }

    /// Whether nothing more need come.
    pub fn may_end(&self) -> bool {
        self.rest.iter().all(|stretch| matches!(stretch, Stretch::WhilePossible(_)))
    }

    /// Whether a move is the first of the next stretch. Of a round that is another one: as long as
    /// this move can be made, nothing else comes.
    pub fn begins_with(&self, step: Move) -> bool {
        self.rest.last().and_then(Stretch::first) == Some(step)
    }

    /// What comes after these moves; nothing if they do not come next. A round that does not begin
    /// with the next of them was repeated often enough.
    pub fn after(&self, moves: &[Move]) -> Option<Route> {
        let mut route = self.clone();
        moves.iter().all(|step| route.go_on(*step)).then_some(route)
    }

    fn go_on(&mut self, step: Move) -> bool {
        while let Some(next) = self.rest.pop() {
            match next {
                Stretch::Once(next) => return next == step,
                Stretch::WhilePossible(round) if round.first().and_then(Stretch::first) == Some(step) => {
                    let once_more = round.iter().rev().cloned().collect::<Vec<_>>();
                    self.rest.push(Stretch::WhilePossible(round));
                    self.rest.extend(once_more);
                }
                Stretch::WhilePossible(_) => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use ample_model::EdgeId;
    use ample_stdx::TypedId;

    use super::*;

    fn step(edge: usize) -> Move {
        Move { process: 0, edge: EdgeId::from_index(edge), partner: None }
    }

    fn moves(edges: &[usize]) -> Vec<Move> {
        edges.iter().map(|edge| step(*edge)).collect()
    }

    #[test]
    fn a_round_is_repeated_until_something_else_comes() {
        let round = Stretch::WhilePossible(vec![Stretch::Once(step(1)), Stretch::Once(step(2))]);
        let route = Route::new(vec![Stretch::Once(step(0)), round, Stretch::Once(step(3))]);
        let all = route.after(&moves(&[0, 1, 2, 1, 2, 3])).expect("it is the route");
        assert!(all.may_end() && !route.may_end());
        assert!(route.after(&moves(&[0, 1, 3])).is_none(), "in the middle of a round");
        let part = route.after(&moves(&[0, 1])).expect("it is a part of the route");
        assert!(part.begins_with(step(2)) && !part.begins_with(step(1)));
        assert!(part.after(&moves(&[2])).is_some_and(|rest| rest.begins_with(step(1))));
        assert_eq!(part.after(&moves(&[2, 3])), Some(all));
    }

    #[test]
    fn rounds_may_be_inside_a_round() {
        let inner = Stretch::WhilePossible(vec![Stretch::Once(step(1))]);
        let route = Route::new(vec![Stretch::WhilePossible(vec![Stretch::Once(step(0)), inner])]);
        assert!(route.after(&moves(&[0, 1, 1, 0, 1, 0])).is_some_and(|rest| rest.may_end()));
        assert!(route.after(&moves(&[1])).is_none());
    }
}
