//! What remains of a value when it is stored: all of it, some bits, or nothing but an error.

use ample_model::{ChannelType, Scalar, Slot};
use ample_source::Span;

use crate::Interpreter;
use crate::eval::Error;

impl Interpreter<'_> {
    /// The value of a variable after this one was stored at `span`. Ranges hold only their own
    /// numbers, all else is truncated.
    #[inline]
    pub(crate) fn fit(&self, slot: &Slot, value: i64, span: Span) -> Result<i64, Error> {
        match slot.scalar {
            Scalar::Range { low, high } if !slot.scalar.holds(value) => {
                Err(out_of_range(&slot.name, low, high, value, span))
            }
            scalar => Ok(self.layout.truncate(scalar, value)),
        }
    }

    /// The same for each field of a message that is sent at `span`.
    pub(crate) fn fit_message(&self, kind: &ChannelType, message: &mut [i64], span: Span) -> Result<(), Error> {
        for (value, (scalar, _)) in message.iter_mut().zip(&kind.fields) {
            match scalar {
                Scalar::Range { low, high } if !scalar.holds(*value) => {
                    return Err(out_of_range(&format!("a field of {}", kind.name), *low, *high, *value, span));
                }
                _ => *value = self.layout.truncate(*scalar, *value),
            }
        }
        Ok(())
    }
}

#[cold]
fn out_of_range(name: &str, low: i64, high: i64, value: i64, span: Span) -> Error {
    Error::at(span, format!("value out of range: `{name}` is to be {value}, its range is {low}..{high}"))
}
