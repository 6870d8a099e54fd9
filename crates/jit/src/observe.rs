//! `trace` and `notrace` assertions: one function for sends and one for receives, which move the
//! automaton of the assertion in the state after an event.
//!
//! An event that violates the assertion is for the interpreter.

use ample_model::{
    Action, EventKind, Expr, ExprKind, InitValue, LocationId, Place, ReceiveArg, Scalar, Scope, Template, TemplateKind,
};
use ample_network::InstanceId;
use ample_stdx::TypedId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::Switch;

use crate::generate::Generator;
use crate::known::known_now;
use crate::not_compiled::{Generated, NotCompiled};
use crate::value::{At, Known, Memory, flags};
use crate::written::{CHANNEL, FIELDS, LENGTH};

/// An event as the assertion sees it.
#[derive(Copy, Clone)]
struct Event {
    kind: EventKind,
    /// The number of the channel.
    channel: Known,
    /// How many fields the message has.
    length: Known,
    /// Where it lies.
    message: Value,
}

impl Generator<'_, '_> {
    /// Lets the assertion see an event in the state after it.
    pub(crate) fn observe(&mut self, kind: EventKind, channel: Known, message: &[Known], state: Value) {
        let Some(observers) = self.observers else { return };
        if matches!(channel, Known::Constant(number) if !self.may_be_named(kind, number)) {
            return;
        }
        let message = self.written_message(channel, message);
        let call = self.builder.ins().call(observers.of(kind), &[state, message]);
        let seen = self.builder.inst_results(call)[0];
        let violated = self.builder.ins().icmp_imm_s(IntCC::Equal, seen, 0);
        self.fault_if(Known::Value(violated));
    }

    /// Whether the assertion may speak about events of this kind on the channel with this number.
    fn may_be_named(&self, kind: EventKind, number: i64) -> bool {
        let trace = self.network.model.trace.map(|trace| &self.network.model.templates[trace]);
        trace.is_some_and(|trace| {
            named(trace, kind).any(|channel| match channel.kind {
                ExprKind::Read(Place { scope: Scope::Global, .. }) => {
                    known_now(self.network, InstanceId::default(), channel).is_none_or(|known| known == number)
                }
                _ => true,
            })
        })
    }

    /// Generates the function for events of one kind. Parameters: the state after the event, the
    /// message. Result: 0 if the interpreter must look at it.
    pub(crate) fn observe_function(
        mut self,
        trace: &Template,
        kind: EventKind,
        target: TargetFrontendConfig,
    ) -> Generated<()> {
        self.outside = true;
        let message = self.next_record();
        let mut head = |offset: i32| Known::Value(self.builder.ins().load(types::I32, flags(), message, offset));
        let event = Event { kind, channel: head(CHANNEL), length: head(LENGTH), message };
        // While a message is handed over, the channel holds it; one that holds messages is not
        // concerned.
        self.offered = (kind == EventKind::Send).then_some(event.channel);
        let [concerned, done, mismatch] = [(); 3].map(|()| self.builder.create_block());
        for channel in named(trace, kind) {
            let same = self.is_channel(event, channel)?;
            let other = self.builder.create_block();
            self.skip_unless(same, other);
            self.builder.ins().jump(concerned, &[]);
            self.builder.switch_to_block(other);
        }
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(concerned);
        self.next_event(trace, event, done, mismatch)?;
        self.builder.switch_to_block(mismatch);
        match trace.kind {
            TemplateKind::Notrace => self.set_event(trace.last_location()),
            _ => self.fault(),
        }
        self.builder.ins().jump(done, &[]);
        self.builder.switch_to_block(done);
        let seen = self.builder.ins().iconst(types::I64, 1);
        self.builder.ins().return_(&[seen]);
        self.finish_function(0, target);
        Ok(())
    }

    /// Moves along the first edge that the event matches, and leaves to `done`; or to `mismatch`.
    fn next_event(&mut self, trace: &Template, event: Event, done: Block, mismatch: Block) -> Generated<()> {
        let Some(place) = self.network.layout.event else {
            return Err(NotCompiled("a trace assertion without a place in the state".to_owned()));
        };
        let location = self.load(self.state, place);
        let location = self.value(location);
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        let last = trace.last_location();
        for (id, place) in trace.locations.iter_enumerated().filter(|(id, _)| *id != last) {
            let block = self.builder.create_block();
            switch.set_entry(id.index() as u128, block);
            blocks.push((block, &place.edges));
        }
        switch.emit(&mut self.builder, location, mismatch);
        for (block, edges) in blocks {
            self.builder.switch_to_block(block);
            for edge in edges.iter().map(|id| &trace.edges[*id]) {
                let other = self.builder.create_block();
                match &edge.action {
                    Action::Skip => {}
                    Action::Event { kind, channel, pattern } if *kind == event.kind => {
                        let same = self.is_channel(event, channel)?;
                        self.skip_unless(same, other);
                        self.matches_event(event, pattern, other)?;
                    }
                    _ => continue,
                }
                match trace.kind {
                    TemplateKind::Notrace if edge.target == last => self.fault(),
                    _ => self.set_event(edge.target),
                }
                self.builder.ins().jump(done, &[]);
                self.builder.switch_to_block(other);
            }
            self.builder.ins().jump(mismatch, &[]);
        }
        Ok(())
    }

    /// A variable that is declared in the assertion. Nothing can change it.
    pub(crate) fn trace_variable(&self, place: &Place) -> Generated<Known> {
        let frame = self.network.model.trace.map(|trace| &self.network.model.templates[trace].frame);
        let (Some(frame), []) = (frame, place.indices.as_slice()) else {
            return Err(NotCompiled("a trace assertion with arrays of its own is interpreted".to_owned()));
        };
        let init = frame.init.iter().find(|init| init.slot == place.first);
        match init.map(|init| &init.value) {
            None => Ok(Known::Constant(0)),
            Some(InitValue::Expr(Expr { kind: ExprKind::Const(value), .. })) => {
                Ok(Known::Constant(frame.slots[place.first].scalar.truncate(*value)))
            }
            Some(_) => Err(NotCompiled("a trace assertion with computed variables is interpreted".to_owned())),
        }
    }

    fn is_channel(&mut self, event: Event, channel: &Expr) -> Generated<Known> {
        let named = self.expression(channel, self.before())?;
        Ok(self.compare(IntCC::Equal, event.channel, named))
    }

    /// Leaves to `other` if a field of the message is not what the assertion wants.
    fn matches_event(&mut self, event: Event, pattern: &[ReceiveArg], other: Block) -> Generated<()> {
        let wanted = self.wanted(pattern, At { state: self.state, instance: self.instance })?;
        for ((number, offset), wanted) in (0..).zip((FIELDS..).step_by(4)).zip(wanted) {
            let Some(wanted) = wanted else { continue };
            // What a message does not have is as wanted.
            let next = self.builder.create_block();
            let has = self.compare(IntCC::SignedGreaterThan, event.length, Known::Constant(number));
            self.skip_unless(has, next);
            let field = Known::Value(self.builder.ins().load(types::I32, flags(), event.message, offset));
            let equal = self.compare(IntCC::Equal, field, wanted);
            self.skip_unless(equal, other);
            self.builder.ins().jump(next, &[]);
            self.builder.switch_to_block(next);
        }
        Ok(())
    }

    fn set_event(&mut self, location: LocationId) {
        if let Some(place) = self.network.layout.event {
            let memory = Memory { base: self.state, place, scalar: Scalar::Int };
            self.store(memory, Known::Constant(location.index() as i64));
        }
    }
}

/// The channels on which events of this kind concern the assertion.
fn named(trace: &Template, kind: EventKind) -> impl Iterator<Item = &Expr> {
    trace.edges.iter().filter_map(move |edge| match &edge.action {
        Action::Event { kind: named, channel, .. } if *named == kind => Some(channel),
        _ => None,
    })
}
