//! Channels: which one is meant, whether it exists, what is asked about it, who has it for himself.

use std::collections::BTreeMap;

use ample_model::{Action, ChannelTest, ChannelUse, Edge, EventKind, Expr, ExprKind, Place, Poll, SlotId};
use ample_network::ChannelPlace;
use ample_network::InstanceId;
use ample_stdx::TypedId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use crate::code::{Claim, TableName, channel_group};
use crate::generate::Generator;
use crate::known::{channel_numbered, constants, known_channel};
use crate::not_compiled::Generated;
use crate::value::{At, Known, flags};

/// A channel that is known now, or one of several that are alike.
#[derive(Clone)]
pub(crate) struct ChannelAt {
    /// Where it lies, from its base on.
    pub(crate) place: ChannelPlace,
    /// How far its base is from the start of the state, if that is known only at run time.
    distance: Option<Value>,
    /// Its number.
    pub(crate) number: Known,
}

type EachChannel<'a, 'n, 'b, T> = &'a mut dyn FnMut(&mut Generator<'n, 'b>, &ChannelAt) -> Generated<T>;

impl<'n, 'b> Generator<'n, 'b> {
    /// What the places of a channel are counted from.
    pub(crate) fn channel_base(&mut self, channel: &ChannelAt, state: Value) -> Value {
        match channel.distance {
            Some(distance) => self.builder.ins().iadd(state, distance),
            None => state,
        }
    }

    /// The channel with this position.
    pub(crate) fn channel_at(&self, position: usize) -> ChannelAt {
        let place = self.network.layout.channels[position].clone();
        ChannelAt { place, distance: None, number: Known::Constant(position as i64 + 1) }
    }

    /// The position of a channel that is known without code.
    pub(crate) fn known_channel(&self, channel: &Expr, at: At) -> Option<usize> {
        known_channel(self.network, at.instance, channel)
    }

    /// Generates code for each kind of channel that is meant; what cannot be meant is for the
    /// interpreter.
    pub(crate) fn each_channel(
        &mut self,
        channel: &Expr,
        at: At,
        next: Block,
        generate: EachChannel<'_, 'n, 'b, ()>,
    ) -> Generated<()> {
        let number = match self.expression(channel, at)? {
            Known::Value(number) => number,
            Known::Constant(number) => {
                let Some(position) = channel_numbered(self.network, number) else {
                    self.fault();
                    return Ok(());
                };
                let channel = self.channel_at(position);
                self.check_exists(&channel, at);
                return generate(self, &channel);
            }
        };
        let base = self.records;
        let mut most = base;
        let members = self.groups(channel, at);
        self.check_number(number);
        for group in members.values() {
            let other = self.builder.create_block();
            let channel = self.one_of_group(group, number, other);
            self.check_exists(&channel, at);
            generate(self, &channel)?;
            self.one_of(&mut most, base);
            self.builder.ins().jump(next, &[]);
            self.builder.switch_to_block(other);
        }
        self.records = most;
        self.fault();
        Ok(())
    }

    /// The same for a value.
    fn channel_value(&mut self, channel: &Expr, at: At, of: EachChannel<'_, 'n, 'b, Known>) -> Generated<Known> {
        if let Some(channel) = self.existing_channel(channel, at) {
            return of(self, &channel);
        }
        let done = self.builder.create_block();
        let result = self.builder.declare_var(types::I32);
        let nothing = self.builder.ins().iconst(types::I32, 0);
        self.builder.def_var(result, nothing);
        self.each_channel(channel, at, done, &mut |generator, channel| {
            let value = of(generator, channel)?;
            let value = generator.value(value);
            generator.builder.def_var(result, value);
            Ok(())
        })?;
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        Ok(Known::Value(self.builder.use_var(result)))
    }

    /// The channels that an expression can mean, those that are alike together.
    fn groups(&self, channel: &Expr, at: At) -> BTreeMap<usize, Vec<usize>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for position in self.candidates(channel, at) {
            groups.entry(channel_group(self.network, position)).or_default().push(position);
        }
        groups
    }

    fn candidates(&self, channel: &Expr, at: At) -> Vec<usize> {
        let all = || (0..self.network.layout.channels.len()).collect();
        let ExprKind::Read(place) = &channel.kind else { return all() };
        let Some(values) = self.constant_values(place, at) else { return all() };
        let positions = values.into_iter().filter_map(|number| channel_numbered(self.network, number));
        let mut positions: Vec<usize> = positions.collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The values that a place can have, if it never changes.
    fn constant_values(&self, place: &Place, at: At) -> Option<Vec<i64>> {
        let constants = constants(self.network, at.instance, place.scope);
        let reach: u32 = place.indices.iter().map(|index| (index.length - 1) * index.stride).sum();
        let slots = place.first.index()..=place.first.index() + reach as usize;
        slots.map(|slot| constants[SlotId::from_index(slot)]).collect()
    }

    /// A number beyond all channels is for the interpreter.
    fn check_number(&mut self, number: Value) {
        let most = self.network.layout.channels.len() as i64;
        let bad = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, number, most);
        self.fault_if(Known::Value(bad));
    }

    fn one_of_group(&mut self, group: &[usize], number: Value, other: Block) -> ChannelAt {
        if let [only] = group {
            let is_this = self.compare(IntCC::Equal, Known::Value(number), Known::Constant(*only as i64 + 1));
            self.skip_unless(is_this, other);
            return self.channel_at(*only);
        }
        let mut place = self.network.layout.channels[group[0]].clone();
        let wanted = channel_group(self.network, group[0]) as i64 + 1;
        let found = self.look_up(TableName::ChannelGroups, number);
        let is_this = self.compare(IntCC::Equal, Known::Value(found), Known::Constant(wanted));
        self.skip_unless(is_this, other);
        let start = self.look_up(TableName::ChannelStarts, number);
        let distance = Some(self.builder.ins().uextend(types::I64, start));
        let first = place.range().0;
        place.length.offset -= first;
        place.messages -= first;
        ChannelAt { place, distance, number: Known::Value(number) }
    }

    /// Reads a table.
    pub(crate) fn look_up(&mut self, table: TableName, index: Value) -> Value {
        let address = self.code.table(table, self.network);
        let base = self.builder.ins().iconst(types::I64, address);
        let wide = self.widened(index);
        let distance = self.builder.ins().ishl_imm_u(wide, i64::from(self.word.bytes().trailing_zeros()));
        let entry = self.builder.ins().iadd(base, distance);
        self.builder.ins().load(self.word, flags(), entry, 0)
    }

    /// A channel of another process goes with that process; using it after that is an error.
    pub(crate) fn check_exists(&mut self, channel: &ChannelAt, at: At) {
        let own = (!self.outside).then(|| self.network.instances[at.instance].pid);
        let needed = match channel.number {
            Known::Constant(_) => match channel.place.owner {
                Some(owner) if Some(owner) != own => Known::Constant(i64::from(owner) + 1),
                _ => return,
            },
            Known::Value(number) => return self.check_owner(number, at),
        };
        self.fault_if_fewer(needed, at);
    }

    /// The same for a channel of which only the number is known.
    fn check_owner(&mut self, number: Value, at: At) {
        if self.network.layout.channels.iter().any(|channel| channel.owner.is_some()) {
            let needed = self.look_up(TableName::ChannelOwners, number);
            self.fault_if_fewer(Known::Value(needed), at);
        }
    }

    fn fault_if_fewer(&mut self, processes: Known, at: At) {
        let count = self.process_count(at.state);
        let gone = self.compare(IntCC::SignedLessThan, count, processes);
        self.fault_if(gone);
    }

    /// A channel must have this number, and exist.
    pub(crate) fn check_named(&mut self, number: Known, at: At) {
        let none = self.compare(IntCC::Equal, number, Known::Constant(0));
        self.fault_if(none);
        if let Known::Value(number) = number {
            self.check_number(number);
            self.check_owner(number, at);
        }
    }

    /// A channel that is known now, if it is; that it exists is checked.
    pub(crate) fn existing_channel(&mut self, channel: &Expr, at: At) -> Option<ChannelAt> {
        let position = self.known_channel(channel, at)?;
        let channel = self.channel_at(position);
        self.check_exists(&channel, at);
        Some(channel)
    }

    /// The same for the channel of an edge, if it sends or receives.
    pub(crate) fn channel_of(&mut self, edge: &Edge, at: At) -> Option<ChannelAt> {
        match &edge.action {
            Action::Send { channel, .. } | Action::Receive { channel, .. } => self.existing_channel(channel, at),
            _ => None,
        }
    }

    pub(crate) fn channel_test(&mut self, test: ChannelTest, channel: &Expr, at: At) -> Generated<Known> {
        self.channel_value(channel, at, &mut |generator, channel| {
            // A rendezvous channel is never full and always empty, except in the middle of a
            // rendezvous.
            let length = match generator.offered {
                Some(offered) if channel.place.capacity == 0 => {
                    generator.compare(IntCC::Equal, channel.number, offered)
                }
                _ => generator.length(channel, at.state),
            };
            let room = Known::Constant(channel.place.capacity.max(1) as i64);
            Ok(match test {
                ChannelTest::Length => length,
                ChannelTest::Empty => generator.compare(IntCC::Equal, length, Known::Constant(0)),
                ChannelTest::NotEmpty => generator.compare(IntCC::NotEqual, length, Known::Constant(0)),
                ChannelTest::Full => generator.compare(IntCC::SignedGreaterThanOrEqual, length, room),
                ChannelTest::NotFull => generator.compare(IntCC::SignedLessThan, length, room),
            })
        })
    }

    pub(crate) fn poll(&mut self, poll: &Poll, at: At) -> Generated<Known> {
        self.channel_value(&poll.channel, at, &mut |generator, channel| {
            if channel.place.capacity == 0 {
                generator.fault();
                return Ok(Known::Constant(0));
            }
            let wanted = generator.wanted(&poll.pattern, at)?;
            let (none, done) = (generator.builder.create_block(), generator.builder.create_block());
            generator.builder.append_block_param(done, types::I32);
            let found = generator.find(channel, &wanted, poll.anywhere, at, none);
            if poll.pattern.len() > channel.place.fields.len() {
                generator.fault();
            }
            // `??` with something to look for gives the position of what it finds, counted from 1.
            let found = generator.value(found);
            let looks = poll.anywhere && wanted.iter().any(Option::is_some);
            let found = match looks {
                true => generator.builder.ins().iadd_imm_s(found, 1),
                false => generator.builder.ins().iconst(types::I32, 1),
            };
            generator.builder.ins().jump(done, &[found.into()]);
            generator.builder.switch_to_block(none);
            Ok(generator.or_nothing(done))
        })
    }

    /// The use of a channel that another process has for itself is for the interpreter.
    pub(crate) fn claims(&mut self, user: InstanceId, channel: Known, kind: EventKind, state: Value) -> Generated<()> {
        let network = self.network;
        let concerns = |claim: &&Claim| {
            claim.end.concerns(kind) && network.instances[claim.owner].pid != network.instances[user].pid
        };
        let claims: Vec<Claim> = self.code.claims.iter().filter(concerns).copied().collect();
        for claim in claims {
            let at = At { state, instance: claim.owner };
            if let (Some(claimed), Known::Constant(used)) = (claim.channel, channel)
                && claimed != used
            {
                continue;
            }
            let other = self.builder.create_block();
            let exists = self.exists(at);
            self.skip_unless(exists, other);
            let claimed = &self.template_of(claim.owner).exclusive[claim.number].channel;
            let timeout = std::mem::replace(&mut self.timeout, Known::Constant(0));
            let claimed = self.expression(claimed, at)?;
            self.timeout = timeout;
            let same = self.compare(IntCC::Equal, channel, claimed);
            self.fault_if(same);
            self.builder.ins().jump(other, &[]);
            self.builder.switch_to_block(other);
        }
        Ok(())
    }

    /// Asking about a claimed channel counts as using it.
    pub(crate) fn claims_on_tests(&mut self, expr: &Expr, at: At) -> Generated<()> {
        if self.code.claims.is_empty() {
            return Ok(());
        }
        for ChannelUse { channel, events } in expr.channel_uses() {
            let number = self.expression(channel, at)?;
            let none = self.compare(IntCC::Equal, number, Known::Constant(0));
            self.fault_if(none);
            for kind in events {
                self.claims(at.instance, number, *kind, at.state)?;
            }
        }
        Ok(())
    }
}
