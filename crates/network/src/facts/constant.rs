//! What an expression can be, as far as that is known before the search: constants of an instance,
//! elements of an array.

use std::collections::{BTreeMap, BTreeSet};

use ample_model::{Arithmetic, BinaryOp, Expr, ExprKind, InitValue, Place, Scope, SlotId};
use ample_stdx::{IndexVec, TypedId};

use crate::Network;
use crate::facts::{ChannelId, InstanceId};
use crate::writes::Writes;

/// Who evaluates an expression.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// A process.
    Process(InstanceId),
    /// A property, or the `trace` assertion.
    Outside,
}

/// Variables of a process that it never writes and that start with a value which follows from its
/// parameters: as good as constants while it exists, although they have room in the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derived {
    values: IndexVec<InstanceId, BTreeMap<SlotId, i64>>,
}

impl Derived {
    pub(crate) fn new(network: &Network<'_>) -> Derived {
        let mut derived = Derived::default();
        for (number, instance) in network.instances.iter_enumerated() {
            let template = &network.model.templates[instance.template];
            let writes = Writes::of(template);
            let id = derived.values.push(BTreeMap::new());
            debug_assert_eq!(id, number);
            for init in template.frame.init.iter().filter(|init| !writes.locals.contains(init.slot)) {
                let InitValue::Expr(value) = &init.value else { continue };
                let value = Constants { network, derived: &derived }.fold(value, Asker::Process(id));
                if let Some(value) = value {
                    let value = template.frame.slots[init.slot].scalar.truncate(value);
                    derived.values[id].insert(init.slot, value);
                }
            }
        }
        derived
    }
}

/// Looks up constants.
#[derive(Copy, Clone)]
pub(crate) struct Constants<'n> {
    pub(crate) network: &'n Network<'n>,
    pub(crate) derived: &'n Derived,
}

impl<'n> Constants<'n> {
    fn arithmetic(self) -> Arithmetic {
        self.network.model.arithmetic
    }

    /// The instance whose variables a place names; `None` for the globals, and for what the trace
    /// assertion declares.
    pub(crate) fn owner(self, asker: Asker, scope: Scope) -> Option<InstanceId> {
        match (scope, asker) {
            (Scope::Local, Asker::Process(instance)) => Some(instance),
            _ => None,
        }
    }

    /// Whether a place is among the variables that the trace assertion declares.
    pub(crate) fn is_of_trace(self, asker: Asker, scope: Scope) -> bool {
        scope == Scope::Local && asker == Asker::Outside
    }

    fn values(self, owner: Option<InstanceId>) -> &'n IndexVec<SlotId, Option<i64>> {
        match owner {
            Some(instance) => &self.network.instances[instance].constants,
            None => &self.network.constants,
        }
    }

    /// The value of a variable that never changes.
    pub(crate) fn of_slot(self, owner: Option<InstanceId>, slot: SlotId) -> Option<i64> {
        let derived = || self.derived.values.get(owner?)?.get(&slot).copied();
        self.values(owner).get(slot).copied().flatten().or_else(derived)
    }

    /// The slots that a place may name: one if every index is a constant. An index out of range
    /// names nothing, it is an error.
    pub(crate) fn slots(self, place: &Place, asker: Asker) -> Vec<SlotId> {
        let mut slots = vec![place.first.index()];
        for index in &place.indices {
            let elements = match self.fold(&index.value, asker) {
                Some(value) => value..value.saturating_add(1),
                None => 0..index.length as i64,
            };
            let inside: Vec<usize> =
                elements.filter(|i| (0..index.length as i64).contains(i)).map(|i| i as usize).collect();
            let stride = index.stride as usize;
            slots = slots.iter().flat_map(|first| inside.iter().map(move |i| first + i * stride)).collect();
        }
        slots.into_iter().map(SlotId::from_index).collect()
    }

    /// The value of an expression that is the same in every state.
    pub(crate) fn fold(self, expr: &Expr, asker: Asker) -> Option<i64> {
        match &expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Pid => Some(match asker {
                Asker::Process(instance) => i64::from(self.network.instances[instance].pid),
                Asker::Outside => 0,
            }),
            ExprKind::Unary(op, operand) => self.arithmetic().unary(*op, self.fold(operand, asker)?).ok(),
            ExprKind::Binary(op, left, right) => {
                let left = self.fold(left, asker)?;
                match (op, left) {
                    (BinaryOp::And, 0) => Some(0),
                    (BinaryOp::Or, 1..) => Some(1),
                    _ => self.arithmetic().binary(*op, left, self.fold(right, asker)?).ok(),
                }
            }
            ExprKind::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let chosen = if self.fold(condition, asker)? != 0 { yes } else { no };
                self.fold(chosen, asker)
            }
            ExprKind::Read(place) if self.is_of_trace(asker, place.scope) => None,
            ExprKind::Read(place) => match self.slots(place, asker).as_slice() {
                [slot] if self.is_one_element(place, asker) => self.of_slot(self.owner(asker, place.scope), *slot),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a place names the same slot in every state.
    pub(crate) fn is_one_element(self, place: &Place, asker: Asker) -> bool {
        place.indices.iter().all(|index| self.fold(&index.value, asker).is_some())
    }

    /// All values that an expression may have; `None` if they are not known.
    fn possible(self, expr: &Expr, asker: Asker) -> Option<BTreeSet<i64>> {
        if let Some(value) = self.fold(expr, asker) {
            return Some(BTreeSet::from([value]));
        }
        match &expr.kind {
            ExprKind::Read(place) if !self.is_of_trace(asker, place.scope) => {
                let owner = self.owner(asker, place.scope);
                self.slots(place, asker).into_iter().map(|slot| self.of_slot(owner, slot)).collect()
            }
            ExprKind::Conditional(parts) => {
                let mut all = self.possible(&parts[1], asker)?;
                all.extend(self.possible(&parts[2], asker)?);
                Some(all)
            }
            _ => None,
        }
    }

    /// The channels that an expression may name. One that is computed at run time may be any: what
    /// does not fit is an error, but even that depends on how full the channel is.
    pub(crate) fn channels(self, expr: &Expr, asker: Asker) -> Vec<ChannelId> {
        let count = self.network.layout.channels.len();
        match self.possible(expr, asker) {
            Some(numbers) => {
                let position = |number: &i64| usize::try_from(*number).ok()?.checked_sub(1).filter(|p| *p < count);
                numbers.iter().filter_map(position).map(ChannelId::from_index).collect()
            }
            None => (0..count).map(ChannelId::from_index).collect(),
        }
    }

    /// Whether a channel holds messages, and is not for rendezvous.
    pub(crate) fn holds_messages(self, channel: ChannelId) -> bool {
        self.network.layout.channels[channel.index()].capacity > 0
    }

    /// The instances that a process number may mean; all if it is computed at run time.
    pub(crate) fn instances(self, pid: &Expr, asker: Asker) -> Vec<InstanceId> {
        let pid = self.fold(pid, asker);
        let fits =
            |instance: &InstanceId| pid.is_none_or(|pid| i64::from(self.network.instances[*instance].pid) == pid);
        self.network.instances.ids().filter(fits).collect()
    }
}
