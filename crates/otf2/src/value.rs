//! Values that carry their type: attributes, properties, metrics.

use crate::encoding::*;
use crate::enums::{MappingType, Type};
use crate::references::Translate;
use crate::wire::{Cursor, Fault, Out};

/// Each row: type number, variant, Rust type, encoding.
macro_rules! values {
    ($( $(#[$doc:meta])* $kind:ident $Name:ident($T:ty) as $E:ty; )*) => {
        /// A value of an attribute or a property.
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[non_exhaustive]
        pub enum Value {
            $( $(#[$doc])* $Name($T), )*
            /// A value without a type (`NONE`), or of a type unknown to this crate.
            Other {
                /// The type.
                kind: Type,
                /// The value as it was stored.
                bits: u64,
            },
        }

        impl Value {
            /// The type of the value.
            pub fn kind(&self) -> Type {
                match self {
                    $( Self::$Name(_) => Type::$kind, )*
                    Self::Other { kind, .. } => *kind,
                }
            }

            pub(crate) fn put(&self, out: &mut Out) {
                match self {
                    $( Self::$Name(value) => <$E as Encoding<$T>>::put(out, value), )*
                    Self::Other { bits, .. } => out.c64(*bits),
                }
            }

            pub(crate) fn size(&self) -> usize {
                match self {
                    $( Self::$Name(value) => <$E as Encoding<$T>>::size(value), )*
                    Self::Other { bits, .. } => <C64 as Encoding<u64>>::size(bits),
                }
            }

            pub(crate) fn get(kind: Type, cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
                Ok(match kind {
                    $( Type::$kind => Self::$Name(<$E as Encoding<$T>>::get(cursor)?), )*
                    kind => Self::Other { kind, bits: cursor.c64()? },
                })
            }

            #[cfg(test)]
            pub(crate) fn sample(next: &mut dyn FnMut() -> u64) -> Self {
                match Type((next() % 28) as u8) {
                    $( Type::$kind => Self::$Name(<$E as Encoding<$T>>::sample(next)), )*
                    kind => Self::Other { kind, bits: next() },
                }
            }
        }
    };
}

values! {
    /// An unsigned byte.
    UINT8 Uint8(u8) as U8;
    /// An unsigned integer of 16 bits.
    UINT16 Uint16(u16) as Fixed16;
    /// An unsigned integer of 32 bits.
    UINT32 Uint32(u32) as C32;
    /// An unsigned integer of 64 bits.
    UINT64 Uint64(u64) as C64;
    /// A signed byte.
    INT8 Int8(i8) as U8;
    /// A signed integer of 16 bits.
    INT16 Int16(i16) as Fixed16;
    /// A signed integer of 32 bits.
    INT32 Int32(i32) as Ci32;
    /// A signed integer of 64 bits.
    INT64 Int64(i64) as Ci64;
    /// A floating-point number of 32 bits.
    FLOAT Float(f32) as Fixed32;
    /// A floating-point number of 64 bits.
    DOUBLE Double(f64) as Fixed64;
    /// A reference to a string.
    STRING String(u32) as C32;
    /// A reference to an attribute.
    ATTRIBUTE Attribute(u32) as C32;
    /// A reference to a location.
    LOCATION Location(u64) as C64;
    /// A reference to a region.
    REGION Region(u32) as C32;
    /// A reference to a group.
    GROUP Group(u32) as C32;
    /// A reference to a metric.
    METRIC Metric(u32) as C32;
    /// A reference to a communicator.
    COMM Comm(u32) as C32;
    /// A reference to a parameter.
    PARAMETER Parameter(u32) as C32;
    /// A reference to a remote-memory window.
    RMA_WIN RmaWin(u32) as C32;
    /// A reference to a place in the source.
    SOURCE_CODE_LOCATION SourceCodeLocation(u32) as C32;
    /// A reference to a calling context.
    CALLING_CONTEXT CallingContext(u32) as C32;
    /// A reference to an interrupt generator.
    INTERRUPT_GENERATOR InterruptGenerator(u32) as C32;
    /// A reference to a file.
    IO_FILE IoFile(u32) as C32;
    /// A reference to an open file.
    IO_HANDLE IoHandle(u32) as C32;
    /// A reference to a location group.
    LOCATION_GROUP LocationGroup(u32) as C32;
}

impl Value {
    /// Has the id that it is, if it is one, replaced: `ids` is given the kind of id and the id.
    pub fn translate(&mut self, ids: &mut Translate<'_>) {
        let (table, id) = match self {
            Self::String(id) => (MappingType::STRING, id),
            Self::Attribute(id) => (MappingType::ATTRIBUTE, id),
            Self::Location(id) => {
                *id = ids(MappingType::LOCATION, *id);
                return;
            }
            Self::Region(id) => (MappingType::REGION, id),
            Self::Group(id) => (MappingType::GROUP, id),
            Self::Metric(id) => (MappingType::METRIC, id),
            Self::Comm(id) => (MappingType::COMM, id),
            Self::Parameter(id) => (MappingType::PARAMETER, id),
            Self::RmaWin(id) => (MappingType::RMA_WIN, id),
            Self::SourceCodeLocation(id) => (MappingType::SOURCE_CODE_LOCATION, id),
            Self::CallingContext(id) => (MappingType::CALLING_CONTEXT, id),
            Self::InterruptGenerator(id) => (MappingType::INTERRUPT_GENERATOR, id),
            Self::IoFile(id) => (MappingType::IO_FILE, id),
            Self::IoHandle(id) => (MappingType::IO_HANDLE, id),
            Self::LocationGroup(id) => (MappingType::LOCATION_GROUP, id),
            _ => return,
        };
        *id = ids(table, u64::from(*id)) as u32;
    }
}

/// One measured value of a metric: 64 bits and what they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricValue {
    /// `INT64`, `UINT64` or `DOUBLE`.
    pub kind: Type,
    /// The value's bit pattern.
    pub bits: u64,
}

impl From<i64> for MetricValue {
    fn from(value: i64) -> Self {
        Self {
            kind: Type::INT64,
            bits: value as u64,
        }
    }
}

impl From<u64> for MetricValue {
    fn from(value: u64) -> Self {
        Self {
            kind: Type::UINT64,
            bits: value,
        }
    }
}

impl From<f64> for MetricValue {
    fn from(value: f64) -> Self {
        Self {
            kind: Type::DOUBLE,
            bits: value.to_bits(),
        }
    }
}

impl MetricValue {
    /// Returns the value as a floating-point number, whatever its type.
    pub fn as_f64(self) -> f64 {
        match self.kind {
            Type::DOUBLE => f64::from_bits(self.bits),
            Type::INT64 => self.bits as i64 as f64,
            _ => self.bits as f64,
        }
    }
}
