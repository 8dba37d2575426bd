//! Numbers of definitions, as records refer to them.

/// The number of an attribute's definition.
pub type AttributeRef = u32;
/// The number of a location.
pub type LocationRef = u64;
