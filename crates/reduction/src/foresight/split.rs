//! Conditions of which one of several parts must hold: a region for each part.

use ample_model::{BinaryOp, Expr, ExprKind, UnaryOp};
use ample_network::facts::InstanceId;
use ample_network::negated;

use super::condition::Meaning;
use super::region::Region;

/// A condition is taken apart into no more regions than this.
const MOST_PARTS: usize = 64;

impl Meaning<'_> {
    /// The states of a region in which a condition holds, or does not, as a region for each way in
    /// which it can: for `a || b`, for `a != b`, and for a number of conditions of which so many hold, as in
    /// `a + b + c > 1`.
    pub fn split(self, region: Region, expr: &Expr, truth: bool, asker: Option<InstanceId>) -> Vec<Region> {
        let parts = self.parts(vec![region.clone()], expr, truth, asker);
        if parts.len() <= MOST_PARTS {
            return parts;
        }
        let mut whole = region;
        self.assume(&mut whole, expr, truth, asker).map(|()| whole).into_iter().collect()
    }

    fn parts(self, regions: Vec<Region>, expr: &Expr, truth: bool, asker: Option<InstanceId>) -> Vec<Region> {
        match &expr.kind {
            _ if regions.len() > MOST_PARTS => regions,
            ExprKind::Unary(UnaryOp::Not, inner) => self.parts(regions, inner, !truth, asker),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                if (*op == BinaryOp::And) == truth {
                    let after = self.parts(regions, left, truth, asker);
                    return self.parts(after, right, truth, asker);
                }
                let mut both = self.parts(regions.clone(), left, truth, asker);
                both.extend(self.parts(regions, right, truth, asker));
                both
            }
            ExprKind::Binary(op, left, right)
                if matches!((op, truth), (BinaryOp::NotEqual, true) | (BinaryOp::Equal, false)) =>
            {
                let sides = [&**left, &**right];
                let unlike = |region: Region| {
                    [BinaryOp::Less, BinaryOp::Greater].into_iter().filter_map(move |op| {
                        let mut one = region.clone();
                        self.compare(&mut one, op, sides, asker).map(|()| one)
                    })
                };
                regions.into_iter().flat_map(unlike).collect()
            }
            _ => match self.counted(expr, truth, asker) {
                Some((conditions, least)) => {
                    let chosen = choices(conditions.len(), least);
                    let hold = |choice: &Vec<usize>| {
                        let all = choice.iter().map(|number| conditions[*number]);
                        let ask = |regions, condition| self.parts(regions, condition, true, asker);
                        all.fold(regions.clone(), ask)
                    };
                    chosen.iter().flat_map(hold).collect()
                }
                None => {
                    let held = |mut region: Region| self.assume(&mut region, expr, truth, asker).map(|()| region);
                    regions.into_iter().filter_map(held).collect()
                }
            },
        }
    }

    /// The conditions of which at least so many must hold, if that is what is asked.
    fn counted(self, expr: &Expr, truth: bool, asker: Option<InstanceId>) -> Option<(Vec<&Expr>, usize)> {
        let ExprKind::Binary(op, left, right) = &expr.kind else { return None };
        let op = if truth { *op } else { negated(*op) };
        let number = self.names.constant(right, asker)?;
        let least = match op {
            BinaryOp::Greater => number.checked_add(1)?,
            BinaryOp::GreaterEqual => number,
            _ => return None,
        };
        let mut conditions = Vec::new();
        summands(left, &mut conditions)?;
        let least = usize::try_from(least).ok()?;
        (conditions.len() > 1 && least > 0 && choices(conditions.len(), least).len() <= MOST_PARTS)
            .then_some((conditions, least))
    }
}

/// The conditions that a sum adds; `None` if it adds anything else.
fn summands<'e>(expr: &'e Expr, conditions: &mut Vec<&'e Expr>) -> Option<()> {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::Add, left, right) => {
            summands(left, conditions)?;
            summands(right, conditions)
        }
        ExprKind::RemoteAt(_) | ExprKind::Unary(UnaryOp::Not, _) => {
            conditions.push(expr);
            Some(())
        }
        ExprKind::Binary(op, ..) if *op != negated(*op) || matches!(op, BinaryOp::And | BinaryOp::Or) => {
            conditions.push(expr);
            Some(())
        }
        _ => None,
    }
}

/// The ways to choose so many of some things; no more than are of use.
fn choices(count: usize, chosen: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for round in 0..chosen {
        let longer = |choice: &Vec<usize>| {
            let next = choice.last().map_or(0, |last| last + 1);
            let choice = choice.clone();
            (next..count).map(move |number| choice.iter().copied().chain([number]).collect())
        };
        all = all.iter().flat_map(longer).collect();
        if all.len() > MOST_PARTS && round + 1 < chosen {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_there_once() {
        assert_eq!(choices(3, 2), [vec![0, 1], vec![0, 2], vec![1, 2]]);
        assert_eq!(choices(4, 3).len(), 4);
        assert_eq!(choices(2, 3), Vec::<Vec<usize>>::new());
        assert!(choices(30, 4).len() > MOST_PARTS);
    }
}
