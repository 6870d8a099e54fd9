//! What the functions of a network share: the moves that records stand for, and tables of
//! constants.

use std::collections::HashMap;

use ample_model::{Action, Arithmetic, Edge, EdgeId, ExclusiveEnd, Expr, ExprKind, LocationId, TemplateId};
use ample_network::{InstanceId, Network};
use ample_stdx::{BitSet, IndexVec};
use ample_transition::{Move, Pid, RecordHeader};

use crate::handshakes::Handshakes;
use crate::known::known_now;
use crate::locations::{asks_locations, trace_asks_locations};
use crate::not_compiled::NotCompiled;
use crate::sequence::starts;
use crate::sizes::Sizes;

/// In the header of a record: nobody keeps control.
pub(crate) const NOBODY: u16 = u16::MAX;

/// The parts of a program that are not instructions.
#[derive(Default)]
pub(crate) struct Code {
    /// Sequences of moves, one after the other; a record's header names one.
    pub(crate) moves: Vec<Move>,
    known: HashMap<Vec<Move>, u32>,
    /// Constants that code reads by an index; never changed or moved once they are here.
    pub(crate) tables: Vec<Table>,
    named: HashMap<TableName, usize>,
    /// Whether somebody can see where a process is inside its `d_step`.
    pub(crate) locations_are_read: bool,
    /// Whether somebody asks whether a process could move.
    pub(crate) asks_enabled: bool,
    /// By instance: where it can be between two transitions, or from where it goes on inside one.
    /// There is code for these.
    pub(crate) starts: IndexVec<InstanceId, BitSet<LocationId>>,
    /// By instance: those of them from where it goes on inside a transition.
    pub(crate) continued: IndexVec<InstanceId, BitSet<LocationId>>,
    /// The channels that processes have for themselves.
    pub(crate) claims: Vec<Claim>,
    /// Whether some record says that a process keeps control.
    pub(crate) keeps_control: bool,
    /// Whether some record stands for several moves.
    pub(crate) has_sequences: bool,
    /// Who may meet whom at a rendezvous.
    pub(crate) handshakes: Handshakes,
    /// If receives are generated once for all sends: the most records that one message can give.
    pub(crate) most_received: usize,
    /// If receives are generated once for all sends: the most fields that a message or a pattern
    /// has.
    pub(crate) message_fields: usize,
    /// By template and the location before it: the locations inside a `d_step`.
    d_steps: HashMap<(TemplateId, LocationId), Vec<LocationId>>,
}

/// A channel that an instance has for itself.
#[derive(Copy, Clone)]
pub(crate) struct Claim {
    pub(crate) owner: InstanceId,
    /// Which claim of its template.
    pub(crate) number: usize,
    pub(crate) end: ExclusiveEnd,
    /// The number of the channel, if it is known.
    pub(crate) channel: Option<i64>,
}

/// Values of the type that code computes with.
pub(crate) enum Table {
    Narrow(Box<[i32]>),
    Wide(Box<[i64]>),
}

impl Table {
    fn new(values: Vec<i64>, arithmetic: Arithmetic) -> Table {
        match arithmetic {
            Arithmetic::Wrapping32 => Table::Narrow(values.into_iter().map(|value| value as i32).collect()),
            Arithmetic::Exact => Table::Wide(values.into()),
        }
    }

    fn address(&self) -> i64 {
        match self {
            Table::Narrow(values) => values.as_ptr() as i64,
            Table::Wide(values) => values.as_ptr() as i64,
        }
    }
}

/// What a table contains.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TableName {
    /// The globals that never change, by slot.
    Globals,
    /// The variables of an instance that never change, by slot.
    Locals(InstanceId),
    /// Where each channel begins, by number.
    ChannelStarts,
    /// Which group each channel belongs to, by number: channels of one group are alike.
    ChannelGroups,
    /// How many processes there must be for a channel to exist, by number.
    ChannelOwners,
}

impl Code {
    pub(crate) fn new(network: &Network<'_>, sizes: Sizes) -> Result<Code, NotCompiled> {
        let mut claims = Vec::new();
        for (owner, instance) in network.instances.iter_enumerated() {
            for (number, claim) in network.model.templates[instance.template].exclusive.iter().enumerate() {
                let channel = known_now(network, owner, &claim.channel);
                claims.push(Claim { owner, number, end: claim.end, channel });
            }
        }
        let locations_are_read = locations_are_read(network);
        let handshakes = Handshakes::new(network, locations_are_read, sizes.pairs);
        handshakes.check_size()?;
        let starts = network.instances.ids().map(|instance| starts(network, &handshakes, locations_are_read, instance));
        let (starts, continued) = starts.map(|found| (found.all, found.continued)).unzip();
        let message_fields = message_fields(network);
        let d_steps = d_steps(network);
        let known = Code { claims, locations_are_read, starts, continued, d_steps, message_fields, ..Code::default() };
        Ok(Code { handshakes, asks_enabled: asks_enabled(network), ..known })
    }

    /// The locations inside the `d_step` that begins at a location of an instance.
    pub(crate) fn inside(&self, network: &Network<'_>, instance: InstanceId, entry: LocationId) -> &[LocationId] {
        let template = network.instances[instance].template;
        let before = network.model.templates[template].locations[entry].d_step;
        let inside = before.and_then(|before| self.d_steps.get(&(template, before)));
        inside.map_or(&[], Vec::as_slice)
    }

    /// The header of a record that stands for a move of the sender with number 0 and a receive;
    /// those of the next senders follow.
    pub(crate) fn joint_header(
        &mut self,
        network: &Network<'_>,
        receiver: InstanceId,
        receive: EdgeId,
        control: Option<Pid>,
    ) -> RecordHeader {
        let first = self.moves.len() as u32;
        self.moves.extend(self.handshakes.joint_moves(network, receiver, receive));
        self.keeps_control |= control.is_some();
        RecordHeader { moves: first, length: 1, tag: control.unwrap_or(NOBODY) }
    }

    /// The header of a record that stands for these moves.
    pub(crate) fn header(&mut self, moves: &[Move], control: Option<Pid>) -> RecordHeader {
        let first = match self.known.get(moves) {
            Some(first) => *first,
            None => {
                let first = self.moves.len() as u32;
                self.moves.extend_from_slice(moves);
                self.known.insert(moves.to_vec(), first);
                first
            }
        };
        self.keeps_control |= control.is_some();
        self.has_sequences |= moves.len() > 1;
        RecordHeader { moves: first, length: moves.len() as u16, tag: control.unwrap_or(NOBODY) }
    }

    /// The address of a table.
    pub(crate) fn table(&mut self, name: TableName, network: &Network<'_>) -> i64 {
        let position = match self.named.get(&name) {
            Some(position) => *position,
            None => {
                self.tables.push(Table::new(contents(name, network), network.model.arithmetic));
                self.named.insert(name, self.tables.len() - 1);
                self.tables.len() - 1
            }
        };
        self.tables[position].address()
    }
}

/// The locations inside each `d_step`.
fn d_steps(network: &Network<'_>) -> HashMap<(TemplateId, LocationId), Vec<LocationId>> {
    let mut inside: HashMap<_, Vec<LocationId>> = HashMap::new();
    for (id, template) in network.model.templates.iter_enumerated() {
        for (location, place) in template.locations.iter_enumerated() {
            if let Some(before) = place.d_step {
                inside.entry((id, before)).or_default().push(location);
            }
        }
    }
    inside
}

/// The most fields of a message or of what a receive looks for.
fn message_fields(network: &Network<'_>) -> usize {
    let of_edge = |edge: &Edge| match &edge.action {
        Action::Receive { pattern, .. } | Action::Event { pattern, .. } => pattern.len(),
        Action::Send { values, .. } => values.len(),
        _ => 0,
    };
    let edges = network.model.templates.iter().flat_map(|template| template.edges.iter());
    let channels = network.model.channels.iter().map(|channel| channel.fields.len());
    edges.map(of_edge).chain(channels).max().unwrap_or_default()
}

/// Whether a process, or the trace assertion, asks whether a process could move.
fn asks_enabled(network: &Network<'_>) -> bool {
    let mut asks = false;
    let mut look = |expr: &Expr| asks |= matches!(expr.kind, ExprKind::Enabled(_));
    for template in network.model.templates.iter() {
        template.provided.iter().for_each(|expr| expr.walk(&mut look));
        template.exclusive.iter().for_each(|claim| claim.channel.walk(&mut look));
        template.edges.iter().for_each(|edge| edge.walk(&mut look));
    }
    asks
}

/// Whether a process looks at where others are.
fn locations_are_read(network: &Network<'_>) -> bool {
    let mut read = network.layout.last.is_some();
    for template in network.instances.iter().map(|instance| &network.model.templates[instance.template]) {
        let mut look = |expr: &Expr| read |= asks_locations(expr);
        template.provided.iter().for_each(&mut look);
        template.edges.iter().for_each(|edge| edge.walk(&mut look));
    }
    read || trace_asks_locations(network)
}

fn contents(name: TableName, network: &Network<'_>) -> Vec<i64> {
    let value = |constant: &Option<i64>| constant.unwrap_or_default();
    let by_number = |of: &dyn Fn(usize) -> i64| -> Vec<i64> {
        std::iter::once(0).chain((0..network.layout.channels.len()).map(of)).collect()
    };
    let channels = &network.layout.channels;
    match name {
        TableName::Globals => network.constants.iter().map(value).collect(),
        TableName::Locals(instance) => network.instances[instance].constants.iter().map(value).collect(),
        TableName::ChannelStarts => by_number(&|position| channels[position].range().0.into()),
        TableName::ChannelGroups => by_number(&|position| channel_group(network, position) as i64 + 1),
        TableName::ChannelOwners => {
            by_number(&|position| channels[position].owner.map_or(0, |owner| i64::from(owner) + 1))
        }
    }
}

/// The first channel that is like this one: messages of the same form, the same room.
pub(crate) fn channel_group(network: &Network<'_>, position: usize) -> usize {
    let form = |position: usize| network.model.channels[network.layout.channels[position].kind].form();
    let wanted = form(position);
    (0..position).find(|other| form(*other) == wanted).unwrap_or(position)
}
