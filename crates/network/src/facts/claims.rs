//! Who uses which end of a channel, and whether the claims `xr` and `xs` of a model are true of its
//! network.

use ample_model::{Action, EventKind, ExclusiveEnd, Expr, ExprKind};
use ample_source::Span;
use ample_stdx::{BitSet, IndexVec};

use crate::facts::constant::Asker;
use crate::facts::expression::Reader;
use crate::facts::{ChannelId, InstanceId};

/// The processes that may send to a channel, and those that may receive from it. A test counts as
/// both, but `nempty` as receiving and `nfull` as sending.
#[derive(Clone, Debug, Default)]
pub struct Users {
    /// The instances at the senders' end.
    pub senders: BitSet<InstanceId>,
    /// The instances at the receivers' end.
    pub receivers: BitSet<InstanceId>,
}

/// `xr` or `xs` in a template, as an instance makes it.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The process that claims.
    pub instance: InstanceId,
    /// Which end.
    pub end: ExclusiveEnd,
    /// The channels that it may mean.
    pub channels: Vec<ChannelId>,
    /// The other processes that may use that end of one of them: if there are none, the claim is
    /// true.
    pub others: BitSet<InstanceId>,
    /// Where it was made.
    pub span: Span,
}

/// The users of each channel.
pub(crate) fn users(reader: Reader<'_>) -> IndexVec<ChannelId, Users> {
    let mut users = IndexVec::from_elem(Users::default(), reader.network.layout.channels.len());
    for instance in reader.all() {
        let mut note = |channel: &Expr, event: EventKind| {
            for channel in reader.constants().channels(channel, Asker::Process(instance)) {
                let users: &mut Users = &mut users[channel];
                match event {
                    EventKind::Send => users.senders.insert(instance),
                    EventKind::Receive => users.receivers.insert(instance),
                };
            }
        };
        for edge in reader.template_of(instance).edges.iter() {
            match &edge.action {
                Action::Send { channel, .. } => note(channel, EventKind::Send),
                Action::Receive { channel, .. } => note(channel, EventKind::Receive),
                _ => {}
            }
            edge.walk(&mut |expr| {
                if matches!(expr.kind, ExprKind::Channel(..) | ExprKind::Poll(_)) {
                    // The questions inside this one are looked at on their own.
                    let own = expr.channel_uses().into_iter().take(1);
                    own.for_each(|used| used.events.iter().for_each(|event| note(used.channel, *event)));
                }
            });
        }
    }
    users
}

/// The claims of all instances.
pub(crate) fn claims(reader: Reader<'_>, users: &IndexVec<ChannelId, Users>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for instance in reader.all() {
        for claim in &reader.template_of(instance).exclusive {
            let channels = reader.constants().channels(&claim.channel, Asker::Process(instance));
            let mut others = BitSet::new();
            for channel in &channels {
                others.union_with(match claim.end {
                    ExclusiveEnd::Send => &users[*channel].senders,
                    ExclusiveEnd::Receive => &users[*channel].receivers,
                });
            }
            others.remove(instance);
            claims.push(Claim { instance, end: claim.end, channels, others, span: claim.span });
        }
    }
    claims
}
