//! Channels: what they carry is declared, or found from their uses.

use ample_model::{ChannelTypeId, Expr, ExprKind, Init, InitValue, Place, Scalar, Scope as Whose, Shown, Slot, SlotId};
use ample_source::{Diagnostic, Span};
use ample_stdx::TypedId;

use super::lowering::{Channel, Here, Lowering};
use super::scope::{SymbolKind, scalar};
use crate::syntax::{Channels, Sync};

/// The most messages a channel holds.
const MAX_CAPACITY: i32 = 255;

impl Lowering<'_, '_> {
    pub(super) fn declare_channels(&mut self, channels: &Channels, member: Option<usize>) {
        let declared: Option<Vec<Scalar>> =
            channels.fields.as_ref().map(|fields| fields.iter().map(|ty| scalar(*ty)).collect());
        for (name, size) in &channels.channels {
            let capacity = size.as_ref().map_or(0, |size| {
                let value = self.constant_here(size, &Here { member, ..Here::default() });
                if !(0..=MAX_CAPACITY).contains(&value) {
                    self.error(size.span, format!("a channel holds 0 to {MAX_CAPACITY} messages, not {value}"));
                }
                value.clamp(0, MAX_CAPACITY).unsigned_abs()
            });
            let shown = match member {
                Some(member) => format!("{}.{}", self.members[member].name, name.text),
                None => name.text.to_string(),
            };
            let number = self.channels.len();
            let slot = self.channel_slot(number, &shown, name.span);
            let declared = declared.clone();
            self.channels.push(Channel { name: shown, slot, capacity, declared, first_use: None, span: name.span });
            self.add_symbol(name, SymbolKind::Channel(number), member);
        }
    }

    /// A global variable that holds the channel from the start.
    fn channel_slot(&mut self, number: usize, name: &str, span: Span) -> SlotId {
        let slot = Slot { name: name.to_owned(), scalar: Scalar::Channel, shown: Shown::Channel, hidden: false, span };
        let slot = self.global_frame.slots.push(slot);
        let value = InitValue::Channel(ChannelTypeId::from_index(number));
        self.global_frame.init.push(Init { slot, value });
        slot
    }

    /// Where the first channel was declared, if there is one.
    pub(super) fn channel_span(&self) -> Option<Span> {
        self.channels.first().map(|channel| channel.span)
    }

    /// The channel as an expression.
    pub(super) fn channel_expr(&self, number: usize, span: Span) -> Expr {
        let place = Place { scope: Whose::Global, first: self.channels[number].slot, indices: Vec::new(), span };
        Expr { kind: ExprKind::Read(place), span }
    }

    /// All uses of a channel must agree on how many values a message has.
    pub(super) fn check_arity(&mut self, number: usize, sync: &Sync) {
        let given = sync.values.len();
        let channel = &mut self.channels[number];
        let error = match (&channel.declared, channel.first_use) {
            (Some(declared), _) if declared.len() != given => {
                let count = declared.len();
                let message = format!("a message of `{}` has {count} values, not {given}", channel.name);
                Diagnostic::error(sync.span, message).secondary(channel.span, "declared here")
            }
            (None, Some((count, first))) if count != given => {
                let message = format!("`{}` carries {given} values here and {count} elsewhere", channel.name);
                Diagnostic::error(sync.span, message)
                    .secondary(first, "another use")
                    .help("all uses of a channel carry the same number of values")
            }
            (_, first) => {
                channel.first_use = first.or(Some((given, sync.span)));
                return;
            }
        };
        self.diagnostics.push(error);
    }
}
