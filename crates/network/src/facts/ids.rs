//! The numbers of channels and transitions of a network.

use ample_stdx::typed_id;

typed_id! {
    /// A channel of a network, by its position in the layout: its number less one.
    pub struct ChannelId;
}
typed_id! {
    /// A transition of a network.
    pub struct TransitionId;
}
