//! The group: permutations of instances that were proved to map the network to itself.
//!
//! Candidates are swaps of two elements of a scalarset; of two instances that run the same
//! template, or templates of the same form, and rotations of all of them; where that fails, of
//! several such families at once, each with its partners. Swaps that are proved make the full
//! symmetric group on the instances or elements that they connect.

use std::collections::BTreeMap;

use ample_model::{Template, TemplateKind};
use ample_network::Network;
use ample_network::facts::{Facts, InstanceId};

use super::action::{Action, Atoms, Permutations};
use super::elements;
use super::lowering::Lowered;
use super::proof::prove;
use super::renaming::{Exchange, Obstacle, ObstacleKind, Renaming};
use super::search::{Pairing, renaming};
use crate::control::{can_end, leading_to_creation};
use crate::{NotHere, Visible};

/// What is exchanged as one.
#[derive(Clone, Debug)]
pub(super) enum Position {
    /// An instance, with its partners in other families.
    Instances(Vec<InstanceId>),
    /// An element of a scalarset, which the model has under this number.
    Element { set: usize },
}

/// More instances or elements than this are not tried.
const MOST_POSITIONS: usize = 32;

/// A part of the group that permutes its own positions.
#[derive(Debug)]
pub(super) struct Block {
    pub positions: Vec<Position>,
    pub generators: Generators,
}

/// What generates a block.
#[derive(Debug)]
pub(super) enum Generators {
    /// All permutations; the swap of each two positions, at `[low][high - low - 1]`.
    Swaps(Vec<Vec<Action>>),
    /// The powers of one that takes each position to the next.
    Rotation(Action),
}

/// A family that cannot be permuted, and why.
#[derive(Debug)]
pub(super) struct Broken {
    pub positions: Vec<Position>,
    pub obstacle: Option<Obstacle>,
}

/// What was found.
pub(super) struct Group {
    pub atoms: Atoms,
    pub values: Permutations,
    pub blocks: Vec<Block>,
    pub broken: Vec<Broken>,
}

/// The swaps of a family that were tried.
struct Tried {
    swaps: BTreeMap<(usize, usize), Action>,
    /// For each position, the first one of those that it is connected with by swaps.
    component: Vec<usize>,
    /// Why the first that failed did.
    obstacle: Option<Obstacle>,
}

impl Group {
    /// Finds the group of a network.
    pub fn new(lowered: &Lowered<'_>) -> Group {
        let atoms = Atoms::new(lowered);
        let mut group = Group { atoms, values: Permutations::new(), blocks: Vec::new(), broken: Vec::new() };
        for (set, scalarset) in lowered.network.model.scalarsets.iter().enumerate() {
            group.add(lowered, vec![Position::Element { set }; scalarset.size as usize]);
        }
        for positions in families(lowered.network) {
            // The instances of the elements of a set are permuted already.
            if !positions.iter().flat_map(Position::instances).any(|instance| group.permutes(*instance)) {
                group.add(lowered, positions);
            }
        }
        group.add_joint(lowered);
        group
    }

    /// Whether an instance is exchanged with others.
    fn permutes(&self, instance: InstanceId) -> bool {
        let location = self.atoms.location(instance);
        self.blocks.iter().flat_map(Block::actions).any(|action| !action.fixes(location))
    }

    /// Adds what can be proved of a family.
    fn add(&mut self, lowered: &Lowered<'_>, positions: Vec<Position>) {
        let network = lowered.network;
        if positions.len() < 2 {
            return;
        }
        if positions.iter().flat_map(Position::instances).any(|instance| can_end(network.template(*instance))) {
            self.broken.push(Broken { positions, obstacle: None });
            return;
        }
        match self.blocks_of(lowered, &positions) {
            Ok(blocks) => blocks.into_iter().for_each(|block| self.push(block)),
            Err(obstacle) => self.broken.push(Broken { positions, obstacle: Some(obstacle) }),
        }
    }

    /// Adds a block, if it commutes with all others.
    fn push(&mut self, block: Block) {
        let mut commutes = true;
        for other in self.blocks.iter().flat_map(Block::actions) {
            let values = &mut self.values;
            commutes &= block.actions().all(|action| action.then(other, values) == other.then(action, values));
        }
        if commutes {
            self.blocks.push(block);
        } else {
            let obstacle = Some(Obstacle::of(ObstacleKind::Group));
            self.broken.push(Broken { positions: block.positions, obstacle });
        }
    }

    /// Families of instances of the same size that cannot be permuted alone, together: all of them,
    /// else each two.
    fn add_joint(&mut self, lowered: &Lowered<'_>) {
        let mut by_size: BTreeMap<usize, Vec<Broken>> = BTreeMap::new();
        for broken in std::mem::take(&mut self.broken) {
            by_size.entry(broken.positions.len()).or_default().push(broken);
        }
        for families in by_size.into_values() {
            let able: Vec<usize> = (0..families.len()).filter(|at| families[*at].has_partners()).collect();
            let pairs = able.iter().flat_map(|a| able.iter().filter(move |b| a < *b).map(move |b| vec![*a, *b]));
            let sets = (able.len() > 2).then(|| able.clone()).into_iter().chain(pairs);
            let mut joined: Vec<usize> = Vec::new();
            for set in sets {
                if set.iter().any(|at| joined.contains(at)) {
                    continue;
                }
                let positions = zipped(set.iter().map(|at| &families[*at].positions));
                if let Ok(blocks) = self.blocks_of(lowered, &positions) {
                    blocks.into_iter().for_each(|block| self.push(block));
                    joined.extend(set);
                }
            }
            let left = families.into_iter().enumerate().filter(|(at, _)| !joined.contains(at));
            self.broken.extend(left.map(|(_, broken)| broken));
        }
    }

    /// What can be proved of a family: swaps, else a rotation. If nothing, why the first swap is
    /// none.
    fn blocks_of(&mut self, lowered: &Lowered<'_>, positions: &[Position]) -> Result<Vec<Block>, Obstacle> {
        let count = positions.len().min(MOST_POSITIONS);
        let Tried { swaps, component, obstacle } = self.swaps(lowered, positions, count);
        let mut blocks = Vec::new();
        for root in 0..count {
            let members: Vec<usize> = (0..count).filter(|at| component[*at] == root).collect();
            if members.len() > 1 {
                blocks.extend(self.symmetric(positions, &members, &swaps));
            }
        }
        if blocks.is_empty() && positions.len() > 2 && positions.len() == count {
            blocks.extend(self.rotation(lowered, positions));
        }
        if blocks.is_empty() { Err(obstacle.unwrap_or(Obstacle::of(ObstacleKind::Group))) } else { Ok(blocks) }
    }

    /// The swaps that are proved, neighbours first, so that all positions are connected soon if
    /// they can be. Where many were tried in vain the others are not.
    fn swaps(&mut self, lowered: &Lowered<'_>, positions: &[Position], count: usize) -> Tried {
        let mut tried = Tried { swaps: BTreeMap::new(), component: (0..count).collect(), obstacle: None };
        let pairs = (1..count).flat_map(|by| (0..count - by).map(move |low| (low, low + by)));
        let mut in_vain = 0;
        for (low, high) in pairs {
            if tried.component[low] == tried.component[high] {
                continue;
            }
            let target = |at: usize| match at {
                _ if at == low => high,
                _ if at == high => low,
                _ => at,
            };
            match self.proved(lowered, positions, target) {
                Ok(action) => {
                    tried.swaps.insert((low, high), action);
                    let (kept, gone) = (tried.component[low], tried.component[high]);
                    tried.component.iter_mut().filter(|other| **other == gone).for_each(|other| *other = kept);
                }
                Err(obstacle) => {
                    in_vain += 1;
                    tried.obstacle = tried.obstacle.or(Some(obstacle));
                }
            }
            if in_vain > 2 * count && tried.swaps.is_empty() {
                break;
            }
        }
        tried
    }

    /// The action of a permutation of positions, if it is proved.
    fn proved(
        &mut self,
        lowered: &Lowered<'_>,
        positions: &[Position],
        target: impl Fn(usize) -> usize,
    ) -> Result<Action, Obstacle> {
        let mut first = None;
        for renaming in renamings(lowered, positions, &target) {
            match prove(lowered, &renaming) {
                Ok(()) => return Ok(Action::new(lowered, &self.atoms, &renaming, &mut self.values)),
                Err(obstacle) => {
                    // That a proposition changes is found last: it says most.
                    let says_more = obstacle.kind == ObstacleKind::Property;
                    first = first.filter(|_| !says_more).or(Some(obstacle));
                }
            }
        }
        Err(first.unwrap_or(Obstacle::of(ObstacleKind::Group)))
    }

    /// The symmetric group that swaps generate, if they behave like swaps.
    fn symmetric(
        &mut self,
        positions: &[Position],
        members: &[usize],
        swaps: &BTreeMap<(usize, usize), Action>,
    ) -> Option<Block> {
        let star = self.star(members, swaps)?;
        if !self.are_swaps(&star) {
            return None;
        }
        let values = &mut self.values;
        let mut all = vec![star.clone()];
        for (low, first) in star.iter().enumerate() {
            let of_low = star[low + 1..].iter().map(|second| first.then(second, values).then(first, values));
            all.push(of_low.collect());
        }
        if star.iter().all(|swap| *swap == Action::identity(&self.atoms)) {
            return None;
        }
        let positions = members.iter().map(|at| positions[*at].clone()).collect();
        Some(Block { positions, generators: Generators::Swaps(all) })
    }

    /// The swap of the first member with each other one.
    fn star(&mut self, members: &[usize], swaps: &BTreeMap<(usize, usize), Action>) -> Option<Vec<Action>> {
        let first = *members.first()?;
        let mut known: BTreeMap<usize, Action> = BTreeMap::new();
        while known.len() + 1 < members.len() {
            let before = known.len();
            for ((low, high), action) in
                swaps.iter().filter(|((low, high), _)| members.contains(low) && members.contains(high))
            {
                for (from, to) in [(*low, *high), (*high, *low)] {
                    if to == first || known.contains_key(&to) {
                        continue;
                    }
                    if from == first {
                        known.insert(to, action.clone());
                    } else if let Some(way) = known.get(&from).cloned() {
                        let there = way.then(action, &mut self.values);
                        known.insert(to, there.then(&way, &mut self.values));
                    }
                }
            }
            if known.len() == before {
                return None;
            }
        }
        Some(known.into_values().collect())
    }

    /// Whether these satisfy what defines the symmetric group by the swaps of one with each other.
    fn are_swaps(&mut self, star: &[Action]) -> bool {
        let one = Action::identity(&self.atoms);
        let values = &mut self.values;
        let mut product =
            |actions: &[&Action]| actions.iter().fold(one.clone(), |product, next| product.then(next, values));
        let others =
            |at: usize| star.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, action)| action);
        star.iter().enumerate().all(|(at, a)| {
            product(&[a, a]) == one
                && others(at).all(|b| {
                    product(&[a, b, a, b, a, b]) == one
                        && others(at)
                            .filter(|c| !std::ptr::eq(*c, b))
                            .all(|c| product(&[a, b, a, c, a, b, a, c]) == one)
                })
        })
    }

    fn rotation(&mut self, lowered: &Lowered<'_>, positions: &[Position]) -> Option<Block> {
        let count = positions.len();
        let action = self.proved(lowered, positions, |at| (at + 1) % count).ok()?;
        let one = Action::identity(&self.atoms);
        let power = (0..count).fold(one.clone(), |power, _| power.then(&action, &mut self.values));
        (power == one).then(|| Block { positions: positions.to_vec(), generators: Generators::Rotation(action) })
    }
}

impl Position {
    /// The instances that are exchanged; those of an element are not known beforehand.
    pub fn instances(&self) -> &[InstanceId] {
        match self {
            Position::Instances(instances) => instances,
            Position::Element { .. } => &[],
        }
    }
}

impl Broken {
    /// Whether it may be permuted together with others.
    fn has_partners(&self) -> bool {
        self.obstacle.is_some() && self.positions.iter().all(|position| !position.instances().is_empty())
    }
}

/// The renamings that a permutation of positions may be, one after the other.
fn renamings<'g>(
    lowered: &'g Lowered<'_>,
    positions: &[Position],
    target: &'g impl Fn(usize) -> usize,
) -> Box<dyn Iterator<Item = Renaming> + 'g> {
    if let Some(Position::Element { set }) = positions.first() {
        return Box::new(std::iter::once(elements::renaming(lowered, *set, target)));
    }
    let mut instances: Exchange = lowered.network.instances.ids().collect();
    for (at, position) in positions.iter().enumerate() {
        for (instance, other) in position.instances().iter().zip(positions[target(at)].instances()) {
            instances[*instance] = *other;
        }
    }
    let pairings = [Pairing::ByOrder, Pairing::ByShape].into_iter();
    Box::new(pairings.map(move |pairing| renaming(lowered, &instances, pairing)))
}

impl Block {
    /// The actions that generate it.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        let (swaps, rotation) = match &self.generators {
            Generators::Swaps(swaps) => (swaps.as_slice(), None),
            Generators::Rotation(rotation) => (&[][..], Some(rotation)),
        };
        swaps.iter().flatten().chain(rotation)
    }
}

/// The instances that may be exchanged: those that run one template, and those that run templates
/// of the same form, one each.
pub(super) fn families(network: &Network<'_>) -> Vec<Vec<Position>> {
    let mut by_template: BTreeMap<ample_model::TemplateId, Vec<InstanceId>> = BTreeMap::new();
    for (id, instance) in network.instances.iter_enumerated() {
        by_template.entry(instance.template).or_default().push(id);
    }
    let mut families: Vec<Vec<InstanceId>> = Vec::new();
    let mut by_form: BTreeMap<String, Vec<InstanceId>> = BTreeMap::new();
    for (template, instances) in by_template {
        let template = &network.model.templates[template];
        match instances.as_slice() {
            [only] if template.kind == TemplateKind::Process && leading_to_creation(template).is_empty() => {
                by_form.entry(form(template)).or_default().push(*only);
            }
            [_] => {}
            _ => families.push(instances),
        }
    }
    families.extend(by_form.into_values().filter(|instances| instances.len() > 1));
    let single = |instances: Vec<InstanceId>| {
        instances.into_iter().map(|instance| Position::Instances(vec![instance])).collect()
    };
    families.into_iter().map(single).collect()
}

/// What templates must share for one to take the place of the other.
fn form(template: &Template) -> String {
    let slots: Vec<_> = template.frame.slots.iter().map(|slot| slot.scalar).collect();
    let edges: Vec<_> = template.edges.iter().map(|edge| (edge.source, edge.target, edge.effects.len())).collect();
    format!("{:?}", (template.locations.len(), slots, edges))
}

/// Families of the same size as one: what stands at the same place belongs together.
fn zipped<'f>(families: impl Iterator<Item = &'f Vec<Position>>) -> Vec<Position> {
    let mut joint: Vec<Vec<InstanceId>> = Vec::new();
    for family in families {
        joint.resize(family.len(), Vec::new());
        joint.iter_mut().zip(family).for_each(|(position, more)| position.extend(more.instances()));
    }
    joint.into_iter().map(Position::Instances).collect()
}

/// The group of a network that fixes what a question looks at.
pub(super) fn group_of(network: &Network<'_>, facts: &Facts, visible: &Visible<'_>) -> Result<Group, NotHere> {
    let hindered = |why: &str| Err(NotHere(why.to_owned()));
    if visible.processes {
        return hindered("fairness (--fair) counts which process moves");
    }
    if network.model.uses.last {
        return hindered("the model reads _last, which tells processes apart by their numbers");
    }
    if network.model.uses.priorities {
        return hindered("the model uses priorities");
    }
    if network.model.trace.is_some() {
        return hindered("the model has a trace assertion");
    }
    if network.is_guessed {
        return hindered("processes are created as others run, so that their numbers are not known beforehand");
    }
    Ok(Group::new(&Lowered::new(network, facts, visible.propositions)))
}
