//! What of a state the moves of one process depend on, or change, at each of its locations.
//!
//! Two states that agree in these bits have the same moves of this process, with the same effect.
//! Besides what the transitions read and write, that is where their participants are, and, for what
//! belongs to another process, whether that one exists.

use std::collections::BTreeMap;

use ample_model::{Action, Expr};
use ample_stdx::{BitSet, Stop, Stopped, TypedId};
use ample_transition::Pid;

use crate::facts::chain::Edges;
use crate::facts::constant::{Asker, Derived};
use crate::facts::expression::Reader;
use crate::facts::objects::{Object, ObjectId, Objects};
use crate::facts::transition::Transition;
use crate::layout::get;
use crate::{Network, SlotPlace};

/// The bytes of a word.
const WORD: usize = 8;

/// Some bits of a state, as words.
pub type StateBits = Box<[u64]>;

/// What the moves of each process depend on or change.
pub struct Touched {
    /// By process number.
    processes: Vec<ProcessTouched>,
}

struct ProcessTouched {
    /// Where its location is, the same for all instances with this number.
    location: SlotPlace,
    existence: StateBits,
    /// By location as it is stored; `None` if that may be anything.
    at: Vec<Option<StateBits>>,
}

impl Touched {
    /// Finds it out for a network whose processes are known, unless it is time to stop.
    pub fn of(network: &Network<'_>, stop: &Stop) -> Result<Touched, Stopped> {
        let objects = Objects::new(network);
        let derived = Derived::new(network);
        let edges = Edges::new(Reader { network, objects: &objects, derived: &derived });
        let places = Places { network, objects: &objects };
        let mut processes: Vec<ProcessTouched> = (0..network.numbers).map(|pid| places.without_moves(pid)).collect();
        // `None` if that may be anything.
        let mut moving: BTreeMap<(usize, usize), Option<StateBits>> = BTreeMap::new();
        for identity in edges.identities() {
            stop.check()?;
            let first = identity.first;
            let instance = &network.instances[first.instance];
            let location = instance.stored(network.template(first.instance).edges[first.edge].source);
            let pid = usize::from(instance.pid);
            let touched =
                moving.entry((pid, location as usize)).or_insert_with(|| Some(processes[pid].existence.clone()));
            *touched = touched.take().and_then(|bits| places.with(&edges.transition(identity), bits));
        }
        for ((pid, location), touched) in moving {
            processes[pid].at[location] = touched;
        }
        Ok(Touched { processes })
    }

    /// How many processes there may be.
    pub fn len(&self) -> usize {
        self.processes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.processes.is_empty()
    }

    /// The bits of a state that tell where a process is.
    pub fn location(&self, process: usize) -> &[u64] {
        &self.processes[process].existence
    }

    /// What the moves of a process depend on or change in this state; `None` if that may be
    /// anything.
    pub fn in_state(&self, process: usize, state: &[u8]) -> Option<&[u64]> {
        let ProcessTouched { location, at, .. } = &self.processes[process];
        at.get(get(state, *location) as usize)?.as_deref()
    }
}

/// The bits of a state that these expressions about the whole state depend on; `None` if that may
/// be anything.
pub fn read_bits(network: &Network<'_>, expressions: &[Expr]) -> Option<StateBits> {
    let objects = Objects::new(network);
    let derived = Derived::new(network);
    let reader = Reader { network, objects: &objects, derived: &derived };
    let places = Places { network, objects: &objects };
    let mut bits = places.empty();
    for expression in expressions {
        let found = reader.of(expression, Asker::Outside);
        if found.asks_everything {
            return None;
        }
        found.reads.iter().chain(found.guard.iter()).for_each(|object| places.add_object(object, &mut bits));
    }
    Some(bits)
}

/// Finds where things are in a state.
struct Places<'n> {
    network: &'n Network<'n>,
    objects: &'n Objects,
}

impl Places<'_> {
    /// A process of which no moves are known: where it does not exist or has no edges, that depends
    /// on its location alone; elsewhere on anything.
    fn without_moves(&self, pid: usize) -> ProcessTouched {
        let pid = pid as Pid;
        let mut existence = self.empty();
        self.add_existence(pid, &mut existence);
        let mut at = vec![Some(existence.clone())];
        let mut location = SlotPlace::default();
        for instance in self.network.numbered(pid) {
            location = self.network.layout.frames[instance].location;
            let template = self.network.template(instance);
            for (id, place) in template.locations.iter_enumerated().skip(1) {
                let stored = self.network.instances[instance].stored(id) as usize;
                at.resize(at.len().max(stored + 1), None);
                at[stored] = place.edges.is_empty().then(|| existence.clone());
            }
        }
        ProcessTouched { location, existence, at }
    }

    fn empty(&self) -> StateBits {
        vec![0; (self.network.layout.size as usize).div_ceil(WORD)].into()
    }

    /// Adds what a transition depends on or changes; `None` if that may be anything.
    fn with(&self, transition: &Transition, mut bits: StateBits) -> Option<StateBits> {
        if transition.depends_on_everything() {
            return None;
        }
        let first = transition.identity.first;
        let sources = transition.sources().iter().copied();
        let mut all = transition.reads().iter().chain(transition.writes().iter()).chain(sources).collect::<BitSet<_>>();
        if matches!(self.network.template(first.instance).edges[first.edge].action, Action::End) {
            // A process ends if it is the youngest, that is, if the next one does not exist.
            all.remove(self.objects.id(Object::PidPool));
            add_place(self.network.layout.process_count, &mut bits);
            self.add_existence(self.network.instances[first.instance].pid.saturating_add(1), &mut bits);
        }
        all.iter().for_each(|object| self.add_object(object, &mut bits));
        Some(bits)
    }

    fn add_object(&self, object: ObjectId, bits: &mut StateBits) {
        let layout = &self.network.layout;
        match self.objects.get(object) {
            Object::Global(slot) => add_place(layout.globals[slot], bits),
            Object::Local(instance, slot) => {
                self.add_existence(self.network.instances[instance].pid, bits);
                add_place(layout.frames[instance].locals[slot], bits);
            }
            Object::At(instance, _) => self.add_existence(self.network.instances[instance].pid, bits),
            Object::Head(channel) | Object::Tail(channel) | Object::Length(channel) => {
                let place = &layout.channels[channel.index()];
                let (start, end) = place.range();
                (start..end).for_each(|byte| add_byte(byte, bits));
                add_place(place.length, bits);
                place.owner.iter().for_each(|owner| self.add_existence(*owner, bits));
            }
            Object::PidPool => {
                add_place(layout.process_count, bits);
                (0..self.network.numbers).for_each(|pid| self.add_existence(pid as Pid, bits));
            }
            Object::Trace => layout.event.iter().for_each(|place| add_place(*place, bits)),
        }
    }

    /// Adds what tells whether a process exists, and where it is.
    fn add_existence(&self, pid: Pid, bits: &mut StateBits) {
        for instance in self.network.numbered(pid) {
            let frame = &self.network.layout.frames[instance];
            add_place(frame.location, bits);
            add_place(frame.priority, bits);
        }
    }
}

fn add_place(place: SlotPlace, bits: &mut StateBits) {
    (place.offset..place.offset + u32::from(place.width)).for_each(|byte| add_byte(byte, bits));
}

fn add_byte(byte: u32, bits: &mut StateBits) {
    let byte = byte as usize;
    if let Some(word) = bits.get_mut(byte / WORD) {
        *word |= 0xff << (byte % WORD * 8);
    }
}
