//! Parts that share nothing: all that one tells another goes through bytes, as
//! it would from one process to another.

use mpiscope_model::{Duration, Timestamp};

/// A record that may travel as bytes.
pub(crate) trait Plain: Copy + Send + 'static {
    /// Appends it.
    fn put(self, bytes: &mut Vec<u8>);

    /// Takes one off the front; none if there are too few bytes.
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Plain for $number {
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                let (first, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*first))
            }
        }
    )*};
}

macro_rules! tuples {
    ($(($($part:ident $value:ident),*))*) => {$(
        impl<$($part: Plain),*> Plain for ($($part,)*) {
            fn put(self, bytes: &mut Vec<u8>) {
                let ($($value,)*) = self;
                $($value.put(bytes);)*
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some(($($part::take(bytes)?,)*))
            }
        }
    )*};
}

numbers! { u8 u32 u64 i64 u128 i128 f64 }
tuples! { (A a, B b) (A a, B b, C c) (A a, B b, C c, D d) (A a, B b, C c, D d, E e, F f) }

impl<T: Plain, const N: usize> Plain for [T; N] {
    fn put(self, bytes: &mut Vec<u8>) {
        self.into_iter().for_each(|one| one.put(bytes));
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let mut all = [T::take(bytes)?; N];
        for one in all.iter_mut().skip(1) {
            *one = T::take(bytes)?;
        }
        Some(all)
    }
}

impl Plain for bool {
    fn put(self, bytes: &mut Vec<u8>) {
        u8::from(self).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Some(u8::take(bytes)? != 0)
    }
}

impl<T: Plain> Plain for Option<T> {
    fn put(self, bytes: &mut Vec<u8>) {
        u8::from(self.is_some()).put(bytes);
        if let Some(one) = self {
            one.put(bytes);
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        match u8::take(bytes)? {
            0 => Some(None),
            _ => T::take(bytes).map(Some),
        }
    }
}

/// Has structures travel field by field.
macro_rules! plain {
    ($($name:ident { $($field:tt),* })*) => {$(
        impl $crate::exchange::Plain for $name {
            fn put(self, bytes: &mut Vec<u8>) {
                $($crate::exchange::Plain::put(self.$field, bytes);)*
            }

            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some($name { $($field: $crate::exchange::Plain::take(bytes)?),* })
            }
        }
    )*};
}

pub(crate) use plain;

plain! { Timestamp { 0 } Duration { 0 } }

/// Writes lists of records as bytes.
pub(super) fn written<T: Plain>(lists: Vec<Vec<T>>) -> Vec<Vec<u8>> {
    let written = lists.into_iter().map(|list| {
        let mut bytes = Vec::new();
        list.into_iter().for_each(|record| record.put(&mut bytes));
        bytes
    });
    written.collect()
}

/// Reads such lists.
pub(super) fn read<T: Plain>(lists: Vec<Vec<u8>>) -> Vec<Vec<T>> {
    let read = lists.into_iter().map(|bytes| {
        let mut left = &bytes[..];
        std::iter::from_fn(|| T::take(&mut left)).collect()
    });
    read.collect()
}

/// Runs `work` as [`on_threads`](super::on_threads) does; all that parts tell
/// each other goes through bytes.
#[cfg(test)]
pub(crate) fn in_bytes<S: Send, R: Send>(
    parts: Vec<S>,
    work: impl Fn(&super::Way, S) -> R + Sync,
) -> Vec<R> {
    super::Crew::InBytes(parts.len()).run(parts, work)
}
