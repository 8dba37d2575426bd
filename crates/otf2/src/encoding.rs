//! How one field of a record becomes bytes: the column "encoding" of the
//! record tables.
//!
//! A row such as `receiver: u32 as C32` says: the field holds a `u32` and is
//! stored as a compressed integer. Names of references (`RegionId`) are `C32`
//! fields that a location's mapping tables translate.

use crate::enums::{self, Type};
use crate::references::Translate;
use crate::value::{MetricValue, Value};
use crate::wire::{significant_bytes, Cursor, Fault, Out};

/// How a field of type `T` is stored.
pub(crate) trait Encoding<T> {
    fn put(out: &mut Out, value: &T);
    fn get(cursor: &mut Cursor<'_>) -> Result<T, Fault>;

    /// Bytes that [`put`](Self::put) will write.
    fn size(value: &T) -> usize;

    /// The most that a field of this length can take. libotf2 decides by it
    /// whether an event still fits into a chunk.
    fn bound(value: &T) -> usize {
        Self::size(value)
    }

    /// False for what cannot be written: a string with NUL inside.
    fn writable(_: &T) -> bool {
        true
    }

    /// Translates the ids that it refers to.
    fn map(_: &mut T, _: &mut Translate<'_>) {}

    #[cfg(test)]
    fn sample(next: &mut dyn FnMut() -> u64) -> T;
}

/// A type that is a number at heart.
pub(crate) trait Bits: Copy {
    fn bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

macro_rules! bits {
    ($($T:ty),*) => {$(
        impl Bits for $T {
            #[inline]
            fn bits(self) -> u64 {
                self as u64
            }
            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as $T
            }
        }
    )*};
}
bits!(u8, u16, u32, u64, i8, i16, i64);

impl Bits for i32 {
    fn bits(self) -> u64 {
        // Without sign extension: a negative number takes four bytes, not eight.
        u64::from(self as u32)
    }
    fn from_bits(bits: u64) -> Self {
        bits as u32 as i32
    }
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits as u32)
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}

/// A numeric encoding: its name, how to write, to read, its size and its bound.
macro_rules! numeric {
    ($( $(#[$doc:meta])* $Name:ident: $put:expr, $get:expr, $size:expr, $bound:expr; )*) => {$(
        $(#[$doc])*
        pub(crate) struct $Name;

        impl<T: Bits> Encoding<T> for $Name {
            #[inline]
            fn put(out: &mut Out, value: &T) {
                $put(out, value.bits());
            }
            #[inline]
            fn get(cursor: &mut Cursor<'_>) -> Result<T, Fault> {
                $get(cursor).map(|bits| T::from_bits(u64::from(bits)))
            }
            #[inline]
            fn size(value: &T) -> usize {
                $size(value.bits())
            }
            #[inline]
            fn bound(_: &T) -> usize {
                $bound
            }
            #[cfg(test)]
            fn sample(next: &mut dyn FnMut() -> u64) -> T {
                T::from_bits(next())
            }
        }
    )*};
}

numeric! {
    /// One byte.
    U8: |out: &mut Out, bits| out.u8(bits as u8), Cursor::u8, |_| 1, 1;
    /// Two bytes.
    Fixed16: |out: &mut Out, bits| out.u16(bits as u16), Cursor::u16, |_| 2, 2;
    /// Four bytes.
    Fixed32: |out: &mut Out, bits| out.u32(bits as u32), Cursor::u32, |_| 4, 4;
    /// Eight bytes.
    Fixed64: Out::u64, Cursor::u64, |_| 8, 8;
    /// Compressed, 32 bits.
    C32: |out: &mut Out, bits| out.c32(bits as u32), Cursor::c32, |bits| compressed_size(bits, u64::from(u32::MAX)), 5;
    /// Compressed, 64 bits.
    C64: Out::c64, Cursor::c64, |bits| compressed_size(bits, u64::MAX), 9;
    /// Compressed and signed, 32 bits.
    Ci32: Out::minimal, Cursor::c32, |bits| 1 + significant_bytes(bits), 5;
    /// Compressed and signed, 64 bits.
    Ci64: Out::minimal, Cursor::c64, |bits| 1 + significant_bytes(bits), 9;
}

fn compressed_size(bits: u64, undefined: u64) -> usize {
    match bits == undefined {
        true => 1,
        false => 1 + significant_bytes(bits),
    }
}

/// A compressed reference that mapping table `KIND` translates.
pub(crate) struct Ref<const KIND: u8>;

impl<const KIND: u8> Encoding<u32> for Ref<KIND> {
    #[inline]
    fn put(out: &mut Out, value: &u32) {
        out.c32(*value);
    }
    #[inline]
    fn get(cursor: &mut Cursor<'_>) -> Result<u32, Fault> {
        cursor.c32()
    }
    fn size(value: &u32) -> usize {
        <C32 as Encoding<u32>>::size(value)
    }
    #[inline]
    fn bound(_: &u32) -> usize {
        5
    }
    fn map(value: &mut u32, ids: &mut Translate<'_>) {
        *value = ids(enums::MappingType(KIND), u64::from(*value)) as u32;
    }
    #[cfg(test)]
    fn sample(next: &mut dyn FnMut() -> u64) -> u32 {
        next() as u32
    }
}

/// The references that occur in events.
macro_rules! references {
    ($($Name:ident = $KIND:ident;)*) => {
        $( pub(crate) type $Name = Ref<{ enums::MappingType::$KIND.0 }>; )*
    };
}
references! {
    StringId = STRING;
    RegionId = REGION;
    GroupId = GROUP;
    MetricId = METRIC;
    CommId = COMM;
    ParameterId = PARAMETER;
    RmaWinId = RMA_WIN;
    CallingContextId = CALLING_CONTEXT;
    InterruptGeneratorId = INTERRUPT_GENERATOR;
    IoFileId = IO_FILE;
    IoHandleId = IO_HANDLE;
}

/// Bytes up to a NUL.
pub(crate) struct Str;

impl Encoding<String> for Str {
    fn put(out: &mut Out, value: &String) {
        out.string(value);
    }
    fn get(cursor: &mut Cursor<'_>) -> Result<String, Fault> {
        cursor.string()
    }
    fn size(value: &String) -> usize {
        value.len() + 1
    }
    fn writable(value: &String) -> bool {
        !value.as_bytes().contains(&0)
    }
    #[cfg(test)]
    fn sample(next: &mut dyn FnMut() -> u64) -> String {
        (0..next() % 300)
            .map(|_| char::from_u32((next() % 0x300 + 1) as u32).unwrap_or('x'))
            .collect()
    }
}

/// A number of elements, stored as `N`, then each as `E`.
pub(crate) struct Counted<N, E>(std::marker::PhantomData<(N, E)>);

impl<T, N: Encoding<u32>, E: Encoding<T>> Encoding<Vec<T>> for Counted<N, E> {
    fn put(out: &mut Out, value: &Vec<T>) {
        N::put(out, &(value.len() as u32));
        for element in value {
            E::put(out, element);
        }
    }
    fn get(cursor: &mut Cursor<'_>) -> Result<Vec<T>, Fault> {
        let count = N::get(cursor)? as usize;
        // Every element takes a byte at least: a false count asks for no memory.
        let mut elements = Vec::with_capacity(count.min(cursor.remaining()));
        for _ in 0..count {
            elements.push(E::get(cursor)?);
        }
        Ok(elements)
    }
    fn size(value: &Vec<T>) -> usize {
        N::size(&(value.len() as u32)) + value.iter().map(E::size).sum::<usize>()
    }
    fn bound(value: &Vec<T>) -> usize {
        N::bound(&(value.len() as u32)) + value.iter().map(E::bound).sum::<usize>()
    }
    fn writable(value: &Vec<T>) -> bool {
        // A count that its field cannot hold would come back as another one.
        let room = match N::bound(&0) {
            1 => u8::MAX as usize,
            _ => u32::MAX as usize,
        };
        value.len() <= room && value.iter().all(E::writable)
    }
    fn map(value: &mut Vec<T>, ids: &mut Translate<'_>) {
        for element in value {
            E::map(element, ids);
        }
    }
    #[cfg(test)]
    fn sample(next: &mut dyn FnMut() -> u64) -> Vec<T> {
        (0..next() % 40).map(|_| E::sample(next)).collect()
    }
}

/// Two fields, one after the other.
impl<A, B, EA: Encoding<A>, EB: Encoding<B>> Encoding<(A, B)> for (EA, EB) {
    fn put(out: &mut Out, value: &(A, B)) {
        EA::put(out, &value.0);
        EB::put(out, &value.1);
    }
    fn get(cursor: &mut Cursor<'_>) -> Result<(A, B), Fault> {
        Ok((EA::get(cursor)?, EB::get(cursor)?))
    }
    fn size(value: &(A, B)) -> usize {
        EA::size(&value.0) + EB::size(&value.1)
    }
    fn bound(value: &(A, B)) -> usize {
        EA::bound(&value.0) + EB::bound(&value.1)
    }
    #[cfg(test)]
    fn sample(next: &mut dyn FnMut() -> u64) -> (A, B) {
        (EA::sample(next), EB::sample(next))
    }
}

/// A type byte and a value of that type.
pub(crate) struct Typed;

impl Encoding<Value> for Typed {
    fn put(out: &mut Out, value: &Value) {
        out.u8(value.kind().0);
        value.put(out);
    }
    fn get(cursor: &mut Cursor<'_>) -> Result<Value, Fault> {
        let kind = Type(cursor.u8()?);
        Value::get(kind, cursor)
    }
    fn size(value: &Value) -> usize {
        1 + value.size()
    }
    fn bound(_: &Value) -> usize {
        10
    }
    fn map(value: &mut Value, ids: &mut Translate<'_>) {
        value.translate(ids);
    }
    #[cfg(test)]
    fn sample(next: &mut dyn FnMut() -> u64) -> Value {
        Value::sample(next)
    }
}

/// A type byte and the value's 64 bits, compressed.
pub(crate) struct Metric;

impl Encoding<MetricValue> for Metric {
    fn put(out: &mut Out, value: &MetricValue) {
        out.u8(value.kind.0);
        out.c64(value.bits);
    }
    fn get(cursor: &mut Cursor<'_>) -> Result<MetricValue, Fault> {
        Ok(MetricValue {
            kind: Type(cursor.u8()?),
            bits: cursor.c64()?,
        })
    }
    fn size(value: &MetricValue) -> usize {
        1 + <C64 as Encoding<u64>>::size(&value.bits)
    }
    fn bound(_: &MetricValue) -> usize {
        10
    }
    #[cfg(test)]
    fn sample(next: &mut dyn FnMut() -> u64) -> MetricValue {
        MetricValue {
            kind: Type(next() as u8),
            bits: next(),
        }
    }
}
