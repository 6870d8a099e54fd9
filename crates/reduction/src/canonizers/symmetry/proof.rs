//! The proof that a renaming maps the network to itself: every edge, renamed, is an edge of the
//! instance that takes the place of its own.
//!
//! Then the renaming of states is an automorphism of the system once all processes are created: a
//! state and the renamed state have the same transitions, renamed, to states and the renamed states
//! (Ip and Dill: Better verification through symmetry, 1996; Emerson and Sistla: Symmetry and model
//! checking, 1996). Nothing is taken over from the search for the renaming but the renaming itself.

use std::collections::{BTreeMap, BTreeSet};

use ample_model::{LocationId, Scalar};
use ample_network::facts::InstanceId;
use ample_stdx::TypedId;

use super::lowering::Lowered;
use super::renaming::{Obstacle, ObstacleKind, Permutation, Renaming};
use super::sorts::{CHANNELS, SortId, Sorts};
use super::terms::{EdgeTerm, Spot, Term};
use crate::canonizers::cells::Origin;
use crate::control::can_end;

/// Values that are renamed are below this.
const VALUES: i64 = 256;

/// A renaming of a network that is to be proved.
struct Proof<'p> {
    lowered: &'p Lowered<'p>,
    renaming: &'p Renaming,
    /// How many bits the first cell of each sort holds.
    bits: BTreeMap<usize, u32>,
}

/// Whether a renaming maps the network to itself and every proposition to itself.
pub(super) fn prove(lowered: &Lowered<'_>, renaming: &Renaming) -> Result<(), Obstacle> {
    let root = |cell: usize| renaming.sorts.root(Sorts::of_cell(cell));
    let cells = lowered.cells.list.iter().enumerate().rev();
    let bits = cells.map(|(cell, variable)| (root(cell), bits(variable.scalar))).collect();
    let proof = Proof { lowered, renaming, bits };
    proof.instances().map_err(|instance| Obstacle::at(instance, None))?;
    for (instance, target) in renaming.instances.iter_enumerated() {
        proof.edges(instance, *target)?;
    }
    if !proof.are_bijective() || !proof.are_variables_renamed() || !proof.are_channels_renamed() {
        return Err(Obstacle::of(ObstacleKind::Form));
    }
    let changed = lowered.propositions.iter().any(|term| !proof.is_renamed(term, term));
    if changed { Err(Obstacle::of(ObstacleKind::Property)) } else { Ok(()) }
}

impl Proof<'_> {
    /// Instances take the place of instances of the same form, and their numbers are renamed so.
    fn instances(&self) -> Result<(), InstanceId> {
        let (network, instances) = (self.lowered.network, &self.renaming.instances);
        let targets: BTreeSet<InstanceId> = instances.iter().copied().collect();
        for (from, to) in instances.iter_enumerated() {
            let (one, other) = (network.template(from), network.template(*to));
            let is_alike = |(a, b): (&ample_model::Location, &ample_model::Location)| {
                (a.end, a.progress, a.accept, a.d_step) == (b.end, b.progress, b.accept, b.d_step)
            };
            let is_same_form = one.locations.len() == other.locations.len()
                && one.frame.slots.len() == other.frame.slots.len()
                && (one.deterministic, one.entry) == (other.deterministic, other.entry)
                && one.locations.iter().zip(other.locations.iter()).all(is_alike);
            let stays = from == *to || !(can_end(one) || can_end(other));
            if !is_same_form || !stays || targets.len() != instances.len() {
                return Err(from);
            }
        }
        let pids = Renaming::pids(self.lowered, instances);
        let is_renamed = pids.iter().all(|(sort, from, to)| self.renaming.value(*sort, *from) == *to);
        let moved = instances.iter_enumerated().find(|(from, to)| from != *to);
        if is_renamed { Ok(()) } else { Err(moved.map_or(InstanceId::default(), |(from, _)| from)) }
    }

    fn edges(&self, instance: InstanceId, target: InstanceId) -> Result<(), Obstacle> {
        let (one, other) = (&self.lowered.instances[instance], &self.lowered.instances[target]);
        let obstacle = |edge| Obstacle::at(instance, edge);
        let mut others = one.others.iter().zip(&other.others);
        if one.others.len() != other.others.len() || !others.all(|(a, b)| self.is_renamed(a, b)) {
            return Err(self.explain(obstacle(None)));
        }
        for (location, edges) in one.edges.iter_enumerated() {
            let Some(targets) = other.edges.get(location) else { return Err(obstacle(None)) };
            self.edges_at(instance, location, edges, targets).map_err(|edge| self.explain(obstacle(Some(edge.id))))?;
        }
        Ok(())
    }

    /// Every edge at a location is renamed to another one. Where the first that can be executed is
    /// taken, the order counts.
    fn edges_at<'e>(
        &self,
        instance: InstanceId,
        location: LocationId,
        edges: &'e [EdgeTerm],
        targets: &[EdgeTerm],
    ) -> Result<(), &'e EdgeTerm> {
        let template = self.lowered.network.template(instance);
        let is_ordered = template.deterministic || template.locations[location].d_step.is_some();
        let mut left: Vec<&EdgeTerm> = targets.iter().collect();
        for edge in edges {
            let mut candidates = left.iter().take(if is_ordered { 1 } else { usize::MAX });
            let at = candidates.position(|target| self.is_renamed_edge(edge, target)).ok_or(edge)?;
            left.remove(at);
        }
        match (left.is_empty(), edges.first()) {
            (false, Some(edge)) => Err(edge),
            _ => Ok(()),
        }
    }

    fn is_renamed_edge(&self, edge: &EdgeTerm, target: &EdgeTerm) -> bool {
        (edge.target, edge.keeps_control, edge.escape) == (target.target, target.keeps_control, target.escape)
            && self.is_renamed(&edge.term, &target.term)
    }

    /// Whether one term, renamed, is the other.
    fn is_renamed(&self, a: &Term, b: &Term) -> bool {
        match (a, b) {
            (Term::Constant { value, sort }, Term::Constant { value: other, sort: also }) => {
                let roots = (self.renaming.sorts.root(*sort), self.renaming.sorts.root(*also));
                let is_one_sort = roots.0 == roots.1 || !(self.is_moved(roots.0) || self.is_moved(roots.1));
                is_one_sort && self.renaming.of_root(roots.0, *value) == *other && self.is_in_range(roots.0, *value)
            }
            (Term::Variable(a), Term::Variable(b)) => self.is_renamed_spot(a, b),
            (Term::Node { tag, parts }, Term::Node { tag: other, parts: others }) => {
                tag == other
                    && parts.len() == others.len()
                    && match Term::is_commutative(*tag, parts) {
                        true => self.are_renamed_in_any_order(parts, others),
                        false => parts.iter().zip(others).all(|(a, b)| self.is_renamed(a, b)),
                    }
            }
            _ => false,
        }
    }

    fn are_renamed_in_any_order(&self, parts: &[Term], others: &[Term]) -> bool {
        let mut left: Vec<&Term> = others.iter().collect();
        parts.iter().all(|part| match left.iter().position(|other| self.is_renamed(part, other)) {
            Some(at) => {
                left.remove(at);
                true
            }
            None => false,
        })
    }

    /// Whether every variable that one spot may be is renamed to the one that the other is then.
    fn is_renamed_spot(&self, a: &Spot, b: &Spot) -> bool {
        let (cells, renaming) = (&self.lowered.cells, self.renaming);
        let mut indices = a.indices.iter().zip(&b.indices);
        let is_form_kept = a.indices.len() == b.indices.len()
            && indices.all(|(one, other)| {
                let roots = (renaming.sorts.root(one.sort), renaming.sorts.root(other.sort));
                let stays_inside =
                    |value: u32| (0..one.length as i64).contains(&renaming.of_root(roots.0, value as i64));
                one.length == other.length
                    && (roots.0 == roots.1 || !(self.is_moved(roots.0) || self.is_moved(roots.1)))
                    && (0..one.length).all(stays_inside)
                    && self.is_renamed(&one.value, &other.value)
            });
        is_form_kept
            && a.cells(cells).iter().all(|(chosen, cell)| {
                let renamed = a.indices.iter().zip(chosen).zip(&b.indices).map(|((index, value), other)| {
                    renaming.value(index.sort, *value as i64) as usize * other.stride as usize
                });
                renaming.variables[*cell] == cells.variable(b.owner, b.first + renamed.sum::<usize>())
            })
    }

    /// Whether some value of a sort is renamed.
    fn is_moved(&self, root: usize) -> bool {
        self.renaming.values.get(&root).is_some_and(|values| !values.is_empty())
    }

    /// A constant of a sort whose values are renamed is none that an assignment would truncate.
    fn is_in_range(&self, root: usize, value: i64) -> bool {
        let bits = self.bits.get(&root).copied().unwrap_or(8).min(8);
        !self.is_moved(root) || (0..1 << bits).contains(&value)
    }

    /// Values are renamed one to one, and plain numbers are not.
    fn are_bijective(&self) -> bool {
        let is_bijective = |values: &Permutation| {
            let (from, to): (BTreeSet<_>, BTreeSet<_>) = (values.keys().collect(), values.values().collect());
            from == to && from.iter().all(|value| (0..VALUES).contains(*value))
        };
        self.renaming.values.iter().all(|(root, values)| {
            is_bijective(values) && (values.is_empty() || self.renaming.sorts.frozen(*root).is_none())
        })
    }

    /// Variables take the place of variables of the same form; those that hold renamed values all
    /// have one type, which holds them.
    fn are_variables_renamed(&self) -> bool {
        let (cells, renaming) = (&self.lowered.cells, self.renaming);
        let targets: BTreeSet<usize> = renaming.variables.iter().copied().collect();
        let is_renamed = |(cell, target): (usize, &usize)| {
            let (one, other) = (&cells.list[cell], &cells.list[*target]);
            let roots = [cell, *target].map(|cell| renaming.sorts.root(Sorts::of_cell(cell)));
            let is_moved = roots.iter().any(|root| self.is_moved(*root));
            one.owner.map(|owner| renaming.instances[owner]) == other.owner
                && (one.scalar, one.place.width) == (other.scalar, other.place.width)
                && (roots[0] == roots[1] || !is_moved)
                && one.constant.map(|value| renaming.of_root(roots[0], value)) == other.constant
        };
        targets.len() == renaming.variables.len()
            && renaming.variables.iter().enumerate().all(is_renamed)
            && self.do_cells_hold_values()
    }

    /// Whether the cells of each sort that renames values have one type, which holds these: so what
    /// comes from one to the other is not truncated.
    fn do_cells_hold_values(&self) -> bool {
        let largest = |values: &Permutation| values.keys().max().copied().unwrap_or_default();
        self.lowered.cells.list.iter().enumerate().all(|(cell, variable)| match self.renaming.of_cell(cell) {
            Some(values) if !values.is_empty() => {
                let root = self.renaming.sorts.root(Sorts::of_cell(cell));
                let bits = bits(variable.scalar);
                self.bits.get(&root) == Some(&bits) && largest(values) < 1 << bits
            }
            _ => true,
        })
    }

    /// Channels take the place of channels of the same form, which exist as long.
    fn are_channels_renamed(&self) -> bool {
        let (network, cells, renaming) = (self.lowered.network, &self.lowered.cells, self.renaming);
        let channels = &network.layout.channels;
        let numbers = renaming.values.get(&renaming.sorts.root(SortId::from_index(CHANNELS)));
        let is_number =
            |number: &i64| usize::try_from(*number).is_ok_and(|number| (1..=channels.len()).contains(&number));
        let lasts = |pid: u16| network.numbered(pid).all(|instance| !can_end(network.template(instance)));
        let is_renamed = |(position, channel): (usize, &ample_network::ChannelPlace)| {
            let Some(target) = renaming.channel(position) else { return false };
            let other = &channels[target];
            let is_form_kept = network.model.channels[channel.kind].form() == network.model.channels[other.kind].form();
            let lives_as_long =
                channel.owner == other.owner || (channel.owner.is_none_or(lasts) && other.owner.is_none_or(lasts));
            let is_field_kept = |field: usize| {
                let roots = [position, target].map(|at| renaming.sorts.root(Sorts::of_cell(cells.field(at, field))));
                roots[0] == roots[1] || !roots.iter().any(|root| self.is_moved(*root))
            };
            is_form_kept && lives_as_long && (0..channel.fields.len()).all(is_field_kept)
        };
        numbers.is_none_or(|numbers| numbers.keys().all(is_number)) && channels.iter().enumerate().all(is_renamed)
    }

    /// Adds what computes with the numbers that an edge would have to rename.
    fn explain(&self, obstacle: Obstacle) -> Obstacle {
        let Origin { instance: Some(instance), edge } = obstacle.origin else { return obstacle };
        let target = self.renaming.instances[instance];
        let edges = |instance: InstanceId| self.lowered.instances[instance].edges.iter().flatten();
        let find = |instance| edges(instance).find(|other| Some(other.id) == edge).map(|edge| &edge.term);
        let computes = find(instance).zip(find(target)).and_then(|(a, b)| self.frozen_difference(a, b));
        Obstacle { computes, ..obstacle }
    }

    /// Why the numbers in which two terms differ mean themselves.
    fn frozen_difference(&self, a: &Term, b: &Term) -> Option<Origin> {
        match (a, b) {
            (Term::Constant { value, sort }, Term::Constant { value: other, .. }) if value != other => {
                let frozen = self.renaming.sorts.frozen(self.renaming.sorts.root(*sort));
                frozen.filter(|origin| origin.instance.is_some())
            }
            (Term::Variable(a), Term::Variable(b)) => {
                let mut indices = a.indices.iter().zip(&b.indices);
                indices.find_map(|(one, other)| {
                    let root = self.renaming.sorts.root(one.sort);
                    let frozen = self.renaming.sorts.frozen(root).filter(|origin| origin.instance.is_some());
                    frozen.or_else(|| self.frozen_difference(&one.value, &other.value))
                })
            }
            (Term::Node { parts, .. }, Term::Node { parts: others, .. }) => {
                parts.iter().zip(others).find_map(|(a, b)| self.frozen_difference(a, b))
            }
            _ => None,
        }
    }
}

/// How many bits a variable holds. Process and channel numbers are bytes in a state.
fn bits(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Bit => 1,
        Scalar::Byte | Scalar::Pid | Scalar::Channel => 8,
        Scalar::Short => 15,
        Scalar::Int => 31,
        Scalar::Unsigned(bits) => u32::from(bits),
        Scalar::Integer => 63,
        Scalar::Range { high, .. } => i64::BITS - high.max(0).leading_zeros(),
    }
}
