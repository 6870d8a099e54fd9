//! The control part of a state: which processes exist, and where they are.

use std::ops::Range;

use ample_network::{Network, SlotPlace};

use super::bytes::ByteSet;

/// Where the control part lies.
pub(super) struct ControlPart {
    places: Vec<Range<usize>>,
}

impl ControlPart {
    /// That of the states of a network.
    pub fn of(network: &Network<'_>) -> ControlPart {
        let layout = &network.layout;
        let of_frames = layout.frames.iter().flat_map(|frame| [frame.location, frame.priority]);
        let of_all = [layout.process_count].into_iter().chain(layout.last).chain(layout.event).chain(of_frames);
        let mut places: Vec<Range<usize>> = of_all.map(SlotPlace::range).filter(|place| !place.is_empty()).collect();
        // Instances with the same number have their locations in the same place.
        places.sort_unstable_by_key(|place| (place.start, place.end));
        places.dedup();
        ControlPart { places }
    }

    /// The control part of a state, with the number of transitions that may follow if that is
    /// limited.
    pub fn write(&self, state: &[u8], left: Option<u64>, part: &mut Vec<u8>) {
        part.clear();
        self.places.iter().for_each(|place| part.extend_from_slice(&state[place.clone()]));
        if let Some(left) = left {
            part.extend_from_slice(&left.to_le_bytes());
        }
    }

    /// Takes it out of a set.
    pub fn remove_from(&self, bytes: &mut ByteSet) {
        self.places.iter().for_each(|place| bytes.remove(place.clone()));
    }
}
