//! The names of the parts of a model: numbers that are not mixed up.

use ample_stdx::typed_id;

typed_id! {
    /// A process template of a [`Model`](crate::Model).
    pub struct TemplateId;
}
typed_id! {
    /// A control location of a [`Template`](crate::Template).
    pub struct LocationId;
}
typed_id! {
    /// An edge of a [`Template`](crate::Template).
    pub struct EdgeId;
}
typed_id! {
    /// A scalar inside a [`Frame`](crate::Frame).
    pub struct SlotId;
}
typed_id! {
    /// A declaration that creates a channel.
    pub struct ChannelTypeId;
}
typed_id! {
    /// A set of symbolic names (`mtype`).
    pub struct MtypeId;
}
