//! The static facts of a network, put together.

use std::collections::HashMap;
use std::convert::Infallible;

use ample_interpret::State;
use ample_model::{Expr, Label, LocationId, SlotId};
use ample_stdx::{BitSet, IndexVec, Stop, Stopped};
use ample_transition::{Move, Pid};

use crate::facts::chain::Edges;
use crate::facts::claims::{self, Claim, Users};
use crate::facts::constant::{Asker, Constants, Derived};
use crate::facts::expression::Reader;
use crate::facts::footprint::PoolUse;
use crate::facts::ids::{ChannelId, TransitionId};
use crate::facts::numbering::{Numbering, is_about_numbers};
use crate::facts::objects::{Object, ObjectId, Objects};
use crate::facts::relations::{Conflict, Judge, Relations};
use crate::facts::safety::{self, Safety, SafetyTest};
use crate::facts::starts::Starts;
use crate::facts::transition::{Identity, Taken, Transition};
use crate::{InstanceId, Network};

/// The static facts of a network.
pub struct Facts {
    objects: Objects,
    transitions: IndexVec<TransitionId, Transition>,
    by_identity: HashMap<Identity, TransitionId>,
    starts: Starts,
    relations: Relations,
    safety: IndexVec<InstanceId, IndexVec<LocationId, Safety>>,
    users: IndexVec<ChannelId, Users>,
    claims: Vec<Claim>,
    derived: Derived,
    is_guessed: bool,
    numbering: Numbering,
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
        let starts = Starts::new(network, &transitions);
        let numbering = Numbering::of(network);
        let is_anonymous = numbering.is_anonymous();
        let judge = Judge { network, objects: &objects, transitions: &transitions, is_anonymous };
        let relations = Relations::new(&judge, go_on)?;
        let safety = safety::of_all(&SafetyTest { judge: &judge, relations: &relations, starts: &starts }, go_on)?;
        let is_guessed = network.is_guessed;
        Ok(Facts {
            objects,
            transitions,
            by_identity,
            starts,
            relations,
            safety,
            users,
            claims,
            derived,
            is_guessed,
            numbering,
        })
    }

    pub(crate) fn reader<'f>(&'f self, network: &'f Network<'f>) -> Reader<'f> {
        Reader { network, objects: &self.objects, derived: &self.derived }
    }

    pub(crate) fn judge<'f>(&'f self, network: &'f Network<'f>) -> Judge<'f> {
        let is_anonymous = self.numbering.is_anonymous();
        Judge { network, objects: &self.objects, transitions: &self.transitions, is_anonymous }
    }

    /// Whether the processes are guessed: then the facts hold only as long as every state fits the
    /// network.
    pub fn is_guessed(&self) -> bool {
        self.is_guessed
    }

    /// Whether process numbers make a difference. If not, transitions that create processes and
    /// those that end them accord, and lead to states that are the same but for the numbers.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
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
        self.starts.at(instance, location)
    }

    /// The transitions that begin with a process, as the one that moves or as its partner. A chain
    /// of another process that may take it along is not among them.
    pub fn of_instance(&self, instance: InstanceId) -> &BitSet<TransitionId> {
        self.starts.of_instance(instance)
    }

    /// Whether two transitions accord: in every state where both are enabled, neither disables the
    /// other, and both orders lead to the same state, up to numbers that make no difference
    /// ([`Facts::numbering`]). Two transitions in which the same process moves never do.
    pub fn accord(&self, a: TransitionId, b: TransitionId) -> bool {
        !self.relations.conflicts[a].contains(b)
    }

    /// The same, where both orders must lead to states with the same numbers.
    pub fn accord_by_number(&self, a: TransitionId, b: TransitionId) -> bool {
        let changes_pool = |id: TransitionId| self.transitions[id].touched.pool != PoolUse::None;
        self.accord(a, b) && !(self.numbering.is_anonymous() && changes_pool(a) && changes_pool(b))
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

    /// The transitions that this one may enable: by what it writes, or because it brings a process
    /// to their location.
    pub fn may_enable(&self, id: TransitionId) -> &BitSet<TransitionId> {
        &self.relations.enables[id]
    }

    /// The transitions that may enable this one: the other direction of [`Facts::may_enable`].
    pub fn enabled_by(&self, id: TransitionId) -> &BitSet<TransitionId> {
        &self.relations.enabled_by[id]
    }

    /// The transitions that this one may disable.
    pub fn may_disable(&self, id: TransitionId) -> &BitSet<TransitionId> {
        &self.relations.disables[id]
    }

    /// Whether there may be a state in which both are enabled, as far as control locations and
    /// process numbers tell.
    pub fn co_enabled(&self, network: &Network<'_>, a: TransitionId, b: TransitionId) -> bool {
        self.judge(network).co_enabled(a, b)
    }

    /// The transitions by which a process may come to a location where it was not before.
    pub fn entering(&self, instance: InstanceId, location: LocationId) -> &[TransitionId] {
        &self.relations.entering[self.objects.id(Object::At(instance, location))]
    }

    /// Whether a location of a process is safe: the process may go first there.
    pub fn safety(&self, instance: InstanceId, location: LocationId) -> &Safety {
        &self.safety[instance][location]
    }

    /// The transitions that may write an object.
    pub(crate) fn writers(&self, object: ObjectId) -> &BitSet<TransitionId> {
        &self.relations.writers[object]
    }

    /// For each proposition, the visible transitions: those that may change its value. A
    /// proposition is evaluated outside of all processes. One that asks for numbers which otherwise
    /// make no difference sees all transitions.
    pub fn visible(&self, network: &Network<'_>, propositions: &[Expr]) -> Vec<BitSet<TransitionId>> {
        let reader = self.reader(network);
        let of_one = |proposition: &Expr| {
            let asked = reader.of(proposition, Asker::Outside);
            let is_about_numbers = self.numbering.is_anonymous() && is_about_numbers(proposition);
            if asked.asks_everything || is_about_numbers {
                return BitSet::full(self.transitions.len());
            }
            let mut visible = BitSet::new();
            asked.reads.iter().for_each(|object| {
                visible.union_with(self.writers(object));
            });
            visible
        };
        propositions.iter().map(of_one).collect()
    }

    /// The transitions that have a name: an edge of theirs has one.
    pub fn named(&self, network: &Network<'_>) -> BitSet<TransitionId> {
        let is_named = |taken: Taken| {
            let template = network.instances[taken.instance].template;
            matches!(network.model.templates[template].edges[taken.edge].label, Label::Named(_))
        };
        let ids = self.transitions.iter_enumerated();
        ids.filter(|(_, one)| one.identity.participants().any(is_named)).map(|(id, _)| id).collect()
    }

    /// The value of an expression that is the same in every state, as an instance sees it while it
    /// exists; without one, as a property does.
    pub fn constant(&self, network: &Network<'_>, expr: &Expr, instance: Option<InstanceId>) -> Option<i64> {
        let asker = instance.map_or(Asker::Outside, Asker::Process);
        Constants { network, derived: &self.derived }.fold(expr, asker)
    }

    /// The value of a variable of an instance, or of a global one, that never changes.
    pub fn constant_slot(&self, network: &Network<'_>, instance: Option<InstanceId>, slot: SlotId) -> Option<i64> {
        Constants { network, derived: &self.derived }.of_slot(instance, slot)
    }

    /// The users of each channel.
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
