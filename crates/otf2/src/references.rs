//! Numbers of definitions, as records refer to them.

use crate::enums::MappingType;

/// The number of an attribute's definition.
pub type AttributeRef = u32;
/// The number of a location.
pub type LocationRef = u64;

/// Says for an id of a kind which other one stands in its place. An undefined id of 32 bits comes
/// as 32 set bits; of what is returned for one, the low half counts.
pub type Translate<'a> = dyn FnMut(MappingType, u64) -> u64 + 'a;
