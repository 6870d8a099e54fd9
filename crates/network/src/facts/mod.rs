//! Static facts: what each transition of a network reads and writes, and how transitions concern
//! each other.
//!
//! Facts are tables over *identities*: a transition is named by its first move, so by an instance
//! and an edge, at a rendezvous by two of each. An `atomic` chain or a `d_step` is one transition
//! with everything that it may do. A chain with choices inside stands for several transitions of
//! the theory (theory.md 1.6); what is said here is true of each of them.
//!
//! Everything is conservative: in doubt, transitions depend on each other. One file a concern:
//!
//! - [`objects`]: what can be read and written; [`constant`]: which array element, channel or
//!   process is meant;
//! - [`expression`], [`action`]: what expressions and single edges read and write;
//! - [`transition`]: what a whole transition does, along an `atomic` chain and across a rendezvous;
//! - [`relations`]: which transitions accord, may enable or may disable each other;
//! - [`safety`]: where a process may go first (Holzmann and Peled); [`claims`]: who uses which end
//!   of a channel;
//! - [`futures`]: what a process may still do from where it is; [`necessary`]: what must happen
//!   before something else can.
//!
//! What others in the literature treat as reading everything is read exactly where that is
//! possible: `_nr_pr` reads the pool of process numbers, `pc_value()`, labels and `np_` read
//! control locations, a `provided` clause is part of every guard of its process. `enabled()`,
//! `_last` and priorities depend on everything; so does `timeout`, unless the guard simply waits
//! for it.
//!
//! If the processes of the network are guessed, the facts are about the guessed processes: they
//! hold in a state only if it and everything reachable from it fits the network. Whoever uses them
//! must then be ready to meet a state that does not ([`Facts::is_guessed`]).

mod action;
mod claims;
mod conjunct;
mod constant;
mod expression;
mod footprint;
mod futures;
mod necessary;
mod objects;
mod relations;
mod risk;
mod safety;
mod transition;

use std::collections::HashMap;
use std::convert::Infallible;

use ample_interpret::State;
use ample_model::{Expr, LocationId};
use ample_stdx::{BitSet, IndexVec, Stop, Stopped, typed_id};
use ample_transition::{Move, Pid};

pub use claims::{Claim, Users};
pub use futures::{Futures, Place};
pub use necessary::{Necessary, Test};
pub use objects::{Object, ObjectId, Objects, channel_name, instance_name};
pub use relations::Conflict;
pub use safety::{Condition, Obstacle, Safety};
pub use transition::{Identity, Taken, Transition};

pub use crate::InstanceId;
use crate::Network;
use constant::{Asker, Derived};
use expression::Reader;
use relations::{Judge, Relations};
use transition::Edges;

typed_id! {
    /// A channel of a network, by its position in the layout: its number less one.
    pub struct ChannelId;
}
typed_id! {
    /// A transition of a network.
    pub struct TransitionId;
}

/// The static facts of a network.
pub struct Facts {
    objects: Objects,
    transitions: IndexVec<TransitionId, Transition>,
    by_identity: HashMap<Identity, TransitionId>,
    /// The transitions that begin with a process at each of its locations.
    at: IndexVec<InstanceId, IndexVec<LocationId, Vec<TransitionId>>>,
    /// The transitions that begin with a process.
    of_instance: IndexVec<InstanceId, BitSet<TransitionId>>,
    relations: Relations,
    safety: IndexVec<InstanceId, IndexVec<LocationId, Safety>>,
    users: IndexVec<ChannelId, Users>,
    claims: Vec<Claim>,
    derived: Derived,
    is_guessed: bool,
}

impl Facts {
    /// Finds everything out. Takes time quadratic in the number of transitions that touch the same
    /// things.
    pub fn new(network: &Network<'_>) -> Facts {
        let Ok(facts) = Facts::find_out::<Infallible>(network, &|| Ok(()));
        facts
    }

    /// The same, unless it is time to stop.
    pub fn within(network: &Network<'_>, stop: &Stop) -> Result<Facts, Stopped> {
        Facts::find_out(network, &|| stop.check())
    }

    /// The same, as long as `go_on` gives no error.
    fn find_out<E>(network: &Network<'_>, go_on: &dyn Fn() -> Result<(), E>) -> Result<Facts, E> {
        let objects = Objects::new(network);
        let derived = Derived::new(network);
        let reader = Reader { network, objects: &objects, derived: &derived };
        let edges = Edges::new(reader);
        let transition = |identity: Identity| {
            go_on()?;
            Ok(edges.transition(identity))
        };
        let transitions: IndexVec<TransitionId, Transition> =
            edges.identities().into_iter().map(transition).collect::<Result<_, _>>()?;
        let by_identity = transitions.iter_enumerated().map(|(id, t)| (t.identity, id)).collect();
        let users = claims::users(reader);
        let claims = claims::claims(reader, &users);
        let relations = Relations::new(&Judge { network, objects: &objects, transitions: &transitions }, go_on)?;
        let (at, of_instance) = by_place(network, &transitions);
        let mut facts = Facts {
            objects,
            transitions,
            by_identity,
            at,
            of_instance,
            relations,
            safety: IndexVec::new(),
            users,
            claims,
            derived,
            is_guessed: network.is_guessed,
        };
        facts.safety = facts.all_safety(network, go_on)?;
        Ok(facts)
    }

    fn all_safety<E>(
        &self,
        network: &Network<'_>,
        go_on: &dyn Fn() -> Result<(), E>,
    ) -> Result<IndexVec<InstanceId, IndexVec<LocationId, Safety>>, E> {
        let judge = self.judge(network);
        let of_instance = |(instance, locations): (InstanceId, &IndexVec<LocationId, Vec<TransitionId>>)| {
            let at = |location| {
                go_on()?;
                Ok(self.judge_safety(&judge, instance, location))
            };
            locations.ids().map(at).collect::<Result<_, _>>()
        };
        self.at.iter_enumerated().map(of_instance).collect()
    }

    fn reader<'f>(&'f self, network: &'f Network<'f>) -> Reader<'f> {
        Reader { network, objects: &self.objects, derived: &self.derived }
    }

    fn judge<'f>(&'f self, network: &'f Network<'f>) -> Judge<'f> {
        Judge { network, objects: &self.objects, transitions: &self.transitions }
    }

    /// Whether the processes are guessed: then the facts hold only as long as every state fits the
    /// network.
    pub fn is_guessed(&self) -> bool {
        self.is_guessed
    }

    /// What can be read and written.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// All transitions.
    pub fn transitions(&self) -> &IndexVec<TransitionId, Transition> {
        &self.transitions
    }

    /// The transition with these participants.
    pub fn find(&self, identity: Identity) -> Option<TransitionId> {
        self.by_identity.get(&identity).copied()
    }

    /// The transition that begins with this move, if it is known which instance each process is.
    pub fn of_move(&self, step: Move, instance: impl Fn(Pid) -> Option<InstanceId>) -> Option<TransitionId> {
        let taken = |pid: Pid, edge| instance(pid).map(|instance| Taken { instance, edge });
        let partner = match step.partner {
            Some((pid, edge)) => Some(taken(pid, edge)?),
            None => None,
        };
        self.find(Identity { first: taken(step.process, step.edge)?, partner })
    }

    /// The transitions that begin with a process at this location, as the one that moves or as its
    /// partner at a rendezvous.
    pub fn at(&self, instance: InstanceId, location: LocationId) -> &[TransitionId] {
        self.at.get(instance).and_then(|locations| locations.get(location)).map_or(&[], Vec::as_slice)
    }

    /// The transitions that begin with a process, as the one that moves or as its partner. A chain
    /// of another process that may take it along is not among them.
    pub fn of_instance(&self, instance: InstanceId) -> &BitSet<TransitionId> {
        &self.of_instance[instance]
    }

    /// Whether two transitions accord: in every state where both can happen, each can still happen
    /// after the other, and both orders lead to the same state. Never of two transitions in which
    /// the same process moves.
    pub fn accord(&self, a: TransitionId, b: TransitionId) -> bool {
        !self.relations.conflicts[a].contains(b)
    }

    /// The transitions that one depends on as Holzmann and Peled say it: they do not accord, or
    /// both write the same variable.
    pub fn dependent(&self, id: TransitionId) -> &BitSet<TransitionId> {
        &self.relations.dependent[id]
    }

    /// The transitions that one does not accord with.
    pub fn conflicts(&self, id: TransitionId) -> &BitSet<TransitionId> {
        &self.relations.conflicts[id]
    }

    /// Why two transitions do not accord.
    pub fn conflict(&self, network: &Network<'_>, a: TransitionId, b: TransitionId) -> Option<Conflict> {
        self.judge(network).conflict(a, b)
    }

    /// The transitions that may be possible after this one where they were not before: because of
    /// what it writes, or because it brings a process to their location.
    pub fn may_enable(&self, id: TransitionId) -> &BitSet<TransitionId> {
        &self.relations.enables[id]
    }

    /// The transitions that may make this one possible: the other direction of
    /// [`Facts::may_enable`].
    pub fn enabled_by(&self, id: TransitionId) -> &BitSet<TransitionId> {
        &self.relations.enabled_by[id]
    }

    /// The transitions that may no longer be possible after this one where they were before.
    pub fn may_disable(&self, id: TransitionId) -> &BitSet<TransitionId> {
        &self.relations.disables[id]
    }

    /// Whether there may be a state in which both are possible, as far as control locations and
    /// process numbers tell.
    pub fn co_enabled(&self, network: &Network<'_>, a: TransitionId, b: TransitionId) -> bool {
        self.judge(network).co_enabled(a, b)
    }

    /// After which transitions a process may be at a location where it was not before.
    pub fn entering(&self, instance: InstanceId, location: LocationId) -> &[TransitionId] {
        &self.relations.entering[self.objects.id(Object::At(instance, location))]
    }

    /// Whether a process may go first from a location.
    pub fn is_safe(&self, instance: InstanceId, location: LocationId) -> &Safety {
        &self.safety[instance][location]
    }

    /// For each proposition, the transitions that may change its value. A proposition is asked from
    /// outside of all processes.
    pub fn visible(&self, network: &Network<'_>, propositions: &[Expr]) -> Vec<BitSet<TransitionId>> {
        let reader = self.reader(network);
        let of_one = |proposition: &Expr| {
            let asked = reader.of(proposition, Asker::Outside);
            if asked.asks_everything {
                return BitSet::full(self.transitions.len());
            }
            let mut visible = BitSet::new();
            asked.reads.iter().for_each(|object| {
                visible.union_with(&self.relations.writers[object]);
            });
            visible
        };
        propositions.iter().map(of_one).collect()
    }

    /// Who may use each channel.
    pub fn users(&self) -> &IndexVec<ChannelId, Users> {
        &self.users
    }

    /// What the model claims by `xr` and `xs`. Nothing here relies on it.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }
}

/// The instance that a process of a state is; `None` if the state does not fit the network.
pub fn instance_in(network: &Network<'_>, state: &State, pid: Pid) -> Option<InstanceId> {
    let template = state.processes.get(usize::from(pid))?.template;
    let mut numbered = network.numbered(pid);
    numbered.find(|instance| network.instances[*instance].template == template)
}

type Places = IndexVec<InstanceId, IndexVec<LocationId, Vec<TransitionId>>>;

fn by_place(
    network: &Network<'_>,
    transitions: &IndexVec<TransitionId, Transition>,
) -> (Places, IndexVec<InstanceId, BitSet<TransitionId>>) {
    let none = |instance: InstanceId| IndexVec::from_elem(Vec::new(), network.template(instance).locations.len());
    let mut at: Places = network.instances.ids().map(none).collect();
    let mut of_instance = IndexVec::from_elem(BitSet::new(), network.instances.len());
    for (id, transition) in transitions.iter_enumerated() {
        for taken in transition.identity.participants() {
            at[taken.instance][network.template(taken.instance).edges[taken.edge].source].push(id);
            of_instance[taken.instance].insert(id);
        }
    }
    (at, of_instance)
}
