//! Which variables a template may write.

use ample_model::{Edge, Place, Scope, SlotId, Template};
use ample_stdx::{BitSet, TypedId};

/// The slots that the edges of a template may write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writes {
    pub(crate) globals: BitSet<SlotId>,
    pub(crate) locals: BitSet<SlotId>,
}

impl Writes {
    pub(crate) fn of(template: &Template) -> Writes {
        let mut writes = Writes::default();
        template.edges.iter().flat_map(Edge::stores).for_each(|place| writes.add(place));
        writes
    }

    /// All slots that the place may name.
    fn add(&mut self, place: &Place) {
        let mut slots = vec![place.first.index()];
        for index in &place.indices {
            let elements = 0..index.length as usize;
            let stride = index.stride as usize;
            slots = slots.iter().flat_map(|first| elements.clone().map(move |i| first + i * stride)).collect();
        }
        let set = match place.scope {
            Scope::Global => &mut self.globals,
            Scope::Local => &mut self.locals,
        };
        for slot in slots {
            set.insert(SlotId::from_index(slot));
        }
    }
}
