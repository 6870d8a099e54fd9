//! What is left of a region where a condition holds, or where a variable is given a value.

use ample_model::{Arithmetic, BinaryOp, Expr, ExprKind, LocationId, Place, RemoteAt, Scalar, UnaryOp};
use ample_network::facts::InstanceId;
use ample_network::{Interval, negated};
use ample_stdx::BitSet;

use super::region::{Region, nowhere};
use crate::canonizers::cells::Names;

/// What expressions mean to those who evaluate them: a process, or the question.
#[derive(Copy, Clone)]
pub(super) struct Meaning<'n> {
    pub names: &'n Names<'n>,
}

/// An assignment that is part of a step.
#[derive(Copy, Clone)]
pub(super) struct Assignment<'n> {
    pub place: &'n Place,
    /// Whose step it is.
    pub by: InstanceId,
    /// What is stored, and who computes it; `None` if it may be anything.
    pub value: Option<(&'n Expr, InstanceId)>,
}

/// A variable and a number that is added to it.
#[derive(Copy, Clone)]
struct Sum {
    cell: usize,
    added: i64,
}

impl Meaning<'_> {
    /// What a variable can hold.
    fn kinds(self, cell: usize) -> Interval {
        Interval::of_type(self.names.cells.list[cell].scalar)
    }

    fn read(self, region: &Region, cell: usize) -> Interval {
        let known = &self.names.cells.list[cell];
        let constant = known.constant.map(Interval::only);
        constant.or_else(|| region.within.get(&cell).copied()).unwrap_or_else(|| self.kinds(cell))
    }

    /// The variables that an expression may read, if it reads one and does nothing else.
    fn cells(self, expr: &Expr, asker: Option<InstanceId>) -> Option<Vec<usize>> {
        match &expr.kind {
            ExprKind::Read(place) => Some(self.names.variables(place, asker)),
            ExprKind::RemoteRead(remote) => Some(self.names.remote(remote, asker)),
            _ => None,
        }
    }

    /// An expression as a variable and a number that is added to it, if it is computed without a
    /// wrap.
    fn sum(self, region: &Region, expr: &Expr, asker: Option<InstanceId>) -> Option<Sum> {
        let found = self.wrapping_sum(expr, asker)?;
        let all = self.read(region, found.cell);
        let fits = |number: i64| i32::try_from(number).is_ok() || self.is_exact();
        let is_whole = [all.low, all.high].into_iter().all(|end| end.checked_add(found.added).is_some_and(fits));
        is_whole.then_some(found)
    }

    /// The same if it may wrap around.
    fn wrapping_sum(self, expr: &Expr, asker: Option<InstanceId>) -> Option<Sum> {
        if let Some(cells) = self.cells(expr, asker) {
            let [cell] = cells[..] else { return None };
            return Some(Sum { cell, added: 0 });
        }
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) = &expr.kind else { return None };
        let constant = |side: &Expr| self.names.constant(side, asker);
        let (of, number) = match (op, constant(left), constant(right)) {
            (BinaryOp::Add, Some(number), None) => (right, number),
            (BinaryOp::Add, None, Some(number)) => (left, number),
            (BinaryOp::Subtract, None, Some(number)) => (left, number.checked_neg()?),
            _ => return None,
        };
        let inner = self.wrapping_sum(of, asker)?;
        Some(Sum { added: inner.added.checked_add(number)?, ..inner })
    }

    fn is_exact(self) -> bool {
        self.names.network.model.arithmetic == Arithmetic::Exact
    }

    /// What an expression may be, if it has a value.
    pub fn value(self, region: &Region, expr: &Expr, asker: Option<InstanceId>) -> Interval {
        if let Some(value) = self.names.constant(expr, asker) {
            return Interval::only(value);
        }
        let all =
            if self.is_exact() { Interval::ALL } else { Interval { low: i32::MIN.into(), high: i32::MAX.into() } };
        if let Some(cells) = self.cells(expr, asker) {
            return cells.into_iter().map(|cell| self.read(region, cell)).reduce(Interval::hull).unwrap_or(all);
        }
        let found = match &expr.kind {
            ExprKind::Unary(op, operand) => Interval::unary(*op, self.value(region, operand, asker)),
            ExprKind::Binary(op, left, right) => {
                Interval::binary(*op, self.value(region, left, asker), self.value(region, right, asker))
            }
            ExprKind::Conditional(parts) => {
                Some(self.value(region, &parts[1], asker).hull(self.value(region, &parts[2], asker)))
            }
            ExprKind::RemoteAt(_) | ExprKind::Timeout | ExprKind::NonProgress | ExprKind::Accepting => {
                Some(Interval::TRUTH)
            }
            _ => None,
        };
        // What does not fit may wrap around.
        found.filter(|found| all.contains(*found)).unwrap_or(all)
    }

    /// The variable lies in this interval; `None` if it cannot.
    #[must_use]
    fn bound(self, region: &mut Region, cell: usize, interval: Interval) -> Option<()> {
        let both = self.read(region, cell).meet(interval)?;
        let known = &self.names.cells.list[cell];
        if known.constant.is_some() {
            return Some(());
        }
        if known.place.width == 0 {
            // It is not part of a state.
            region.is_loose = true;
        } else if both != self.kinds(cell) {
            region.within.insert(cell, both);
        }
        Some(())
    }

    /// The condition holds, or does not; `None` if there is no such state.
    #[must_use]
    pub fn assume(self, region: &mut Region, expr: &Expr, truth: bool, asker: Option<InstanceId>) -> Option<()> {
        if let Some(value) = self.names.constant(expr, asker) {
            return ((value != 0) == truth).then_some(());
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.assume(region, inner, !truth, asker),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                if (*op == BinaryOp::And) == truth {
                    self.assume(region, left, truth, asker)?;
                    return self.assume(region, right, truth, asker);
                }
                self.assume_one(region, [left, right], truth, asker)
            }
            ExprKind::Binary(op, left, right) if *op != negated(*op) => {
                self.compare(region, if truth { *op } else { negated(*op) }, [left, right], asker)
            }
            ExprKind::Read(_) | ExprKind::RemoteRead(_) => {
                let zero = Expr::constant(0, expr.span);
                let op = if truth { BinaryOp::NotEqual } else { BinaryOp::Equal };
                self.compare(region, op, [expr, &zero], asker)
            }
            ExprKind::RemoteAt(remote) => self.locate(region, remote, truth, asker),
            _ => {
                region.is_loose = true;
                Some(())
            }
        }
    }

    /// One of two conditions holds, or does not.
    fn assume_one(self, region: &mut Region, sides: [&Expr; 2], truth: bool, asker: Option<InstanceId>) -> Option<()> {
        let assumed = sides.map(|side| {
            let mut one = region.clone();
            self.assume(&mut one, side, truth, asker).map(|()| one)
        });
        match assumed {
            [None, None] => return None,
            [Some(one), None] | [None, Some(one)] => *region = one,
            [Some(one), Some(other)] => match one.joined(&other) {
                _ if one == *region || other == *region => {}
                Some(both) => *region = both,
                None => region.is_loose = true,
            },
        }
        Some(())
    }

    /// A comparison holds.
    pub fn compare(
        self,
        region: &mut Region,
        op: BinaryOp,
        sides: [&Expr; 2],
        asker: Option<InstanceId>,
    ) -> Option<()> {
        let [left, right] = sides.map(|side| self.value(region, side, asker));
        let (a, b) = Interval::compared(op, left, right)?;
        if Interval::compared(negated(op), left, right).is_none() {
            return Some(());
        }
        // With a number on one side, and no gap, the interval says it all.
        let is_single = |one: Interval| one.low == one.high;
        let has_gap = op == BinaryOp::NotEqual && a == left && b == right;
        let sums = sides.map(|side| self.sum(region, side, asker));
        let says_all = match sums {
            [Some(_), None] => is_single(right),
            [None, Some(_)] => is_single(left),
            _ => false,
        };
        region.is_loose |= has_gap || !says_all;
        for (sum, narrowed) in sums.into_iter().zip([a, b]) {
            if let Some(Sum { cell, added }) = sum {
                let low = narrowed.low.saturating_sub(added);
                self.bound(region, cell, Interval { low, high: narrowed.high.saturating_sub(added) })?;
            }
        }
        Some(())
    }

    /// A process is at a location, or is not.
    fn locate(self, region: &mut Region, remote: &RemoteAt, truth: bool, asker: Option<InstanceId>) -> Option<()> {
        let Some(process) = self.process(remote, asker) else {
            region.is_loose = true;
            return Some(());
        };
        if truth {
            return region.place_at(process, remote.location);
        }
        let mut others = self.anywhere(process);
        others.remove(remote.location);
        region.place(process, &others)
    }

    /// The process that a question about a location is about, if it is known.
    pub fn process(self, remote: &RemoteAt, asker: Option<InstanceId>) -> Option<InstanceId> {
        let network = self.names.network;
        let mut all = network.instances.iter_enumerated().filter(|(_, one)| one.template == remote.template);
        let number = remote.pid.as_ref().map(|pid| self.names.constant(pid, asker));
        match number {
            Some(number) => {
                let number = number?;
                all.find(|(_, one)| i64::from(one.pid) == number).map(|(id, _)| id)
            }
            None => all.next().map(|(id, _)| id).filter(|_| all.next().is_none()),
        }
    }

    /// Leaves out what says nothing.
    pub fn simplify(self, mut region: Region) -> Region {
        region.at.retain(|process, locations| !self.anywhere(*process).is_subset(locations));
        region.within.retain(|cell, interval| !interval.contains(self.kinds(*cell)));
        region
    }

    /// Every location of a process, and none.
    pub fn anywhere(self, process: InstanceId) -> BitSet<LocationId> {
        let locations = self.names.network.template(process).locations.ids();
        locations.chain(std::iter::once(nowhere())).collect()
    }

    /// Goes back over an assignment: adds the states in which it leads into the region. Whether it
    /// changes what the region looks at.
    pub fn unassign(self, mut region: Region, assignment: &Assignment<'_>, found: &mut Vec<Region>) -> bool {
        let cells = self.names.variables(assignment.place, Some(assignment.by));
        let bound: Vec<usize> = cells.iter().copied().filter(|cell| region.within.contains_key(cell)).collect();
        match (cells.as_slice(), assignment.value, bound.is_empty()) {
            (_, _, true) => found.push(region),
            ([cell], Some((value, asker)), false) => {
                if let Some(wanted) = region.within.remove(cell) {
                    self.require(region, *cell, value, Some(asker), wanted, found);
                }
            }
            _ => {
                bound.iter().for_each(|cell| _ = region.within.remove(cell));
                found.push(Region { is_loose: true, ..region });
            }
        }
        !bound.is_empty()
    }

    /// Adds the states in which what is stored in a variable lies in this interval.
    fn require(
        self,
        mut region: Region,
        cell: usize,
        value: &Expr,
        asker: Option<InstanceId>,
        wanted: Interval,
        found: &mut Vec<Region>,
    ) {
        let (scalar, kinds) = (self.names.cells.list[cell].scalar, self.kinds(cell));
        let all = self.value(&region, value, asker);
        if all.low == all.high {
            let is_wanted = scalar.holds(all.low) && wanted.contains(Interval::only(scalar.truncate(all.low)));
            return found.extend(is_wanted.then_some(region));
        }
        let is_cut = !matches!(scalar, Scalar::Range { .. } | Scalar::Integer) && !kinds.contains(all);
        let Some(meeting) = (if is_cut { Some(wanted) } else { all.meet(wanted) }) else { return };
        let (whole, wrapping) = (self.sum(&region, value, asker), self.wrapping_sum(value, asker));
        match (whole.filter(|_| !is_cut), wrapping, modulus(scalar)) {
            (Some(Sum { cell, added }), ..) => {
                let low = meeting.low.saturating_sub(added);
                let high = meeting.high.saturating_sub(added);
                found.extend(self.bound(&mut region, cell, Interval { low, high }).map(|()| region));
            }
            (None, Some(sum), Some(modulus)) => self.before_wrap(region, sum, modulus, wanted, found),
            _ => {
                region.is_loose |= is_cut || meeting != all;
                found.push(region);
            }
        }
    }

    /// Adds the states in which a sum is stored as one of these numbers in a variable that holds so
    /// many: it may wrap around.
    fn before_wrap(
        self,
        region: Region,
        Sum { cell, added }: Sum,
        modulus: i64,
        wanted: Interval,
        found: &mut Vec<Region>,
    ) {
        let all = self.read(&region, cell);
        let most = 2 * modulus;
        let is_near = |end: i64| end.checked_add(added).is_some_and(|sum| (-most..=most).contains(&sum));
        if !(is_near(all.low) && is_near(all.high)) {
            return found.push(Region { is_loose: true, ..region });
        }
        for turns in -3..=3 {
            let shift = turns * modulus - added;
            let interval = wanted.low.checked_add(shift).zip(wanted.high.checked_add(shift));
            let Some((low, high)) = interval else { continue };
            let mut turned = region.clone();
            if self.bound(&mut turned, cell, Interval { low, high }).is_some() {
                found.push(turned);
            }
        }
    }
}

/// How many numbers a variable that wraps around can hold.
fn modulus(scalar: Scalar) -> Option<i64> {
    match scalar {
        Scalar::Bit => Some(2),
        Scalar::Byte => Some(1 << 8),
        Scalar::Short => Some(1 << 16),
        Scalar::Int => Some(1 << 32),
        Scalar::Unsigned(bits) => Some(1 << bits.min(31)),
        Scalar::Pid | Scalar::Channel | Scalar::Integer | Scalar::Range { .. } => None,
    }
}
