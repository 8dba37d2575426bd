//! What processes tell each other, as bytes.

use crate::definitions::{CallSiteId, CollectiveOp, CommId, LocationIndex, Rank, RegionId, WinId};
use crate::events::Collective;
use crate::messages::{Bound, BoundKind, CollectiveMember, Message};
use crate::time::{Duration, Timestamp};
use crate::trace::EventRef;

/// A record that may travel as bytes.
pub trait Plain: Copy + Send + 'static {
    /// Appends it.
    fn put(self, bytes: &mut Vec<u8>);

    /// Takes one off the front; none if there are too few bytes.
    fn take(bytes: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Plain for $number {
            #[inline]
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
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
            #[inline]
            fn put(self, bytes: &mut Vec<u8>) {
                let ($($value,)*) = self;
                $($value.put(bytes);)*
            }

            #[inline]
            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some(($($part::take(bytes)?,)*))
            }
        }
    )*};
}

numbers! { u8 u32 u64 i64 u128 i128 f64 }
tuples! { (A a, B b) (A a, B b, C c) (A a, B b, C c, D d) (A a, B b, C c, D d, E e, F f) }

impl<T: Plain, const N: usize> Plain for [T; N] {
    #[inline]
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

impl Plain for usize {
    fn put(self, bytes: &mut Vec<u8>) {
        (self as u64).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<usize> {
        Some(u64::take(bytes)? as usize)
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
#[macro_export]
macro_rules! plain {
    ($($name:ident { $($field:tt),* })*) => {$(
        impl $crate::plain::Plain for $name {
            #[inline]
            fn put(self, bytes: &mut Vec<u8>) {
                $($crate::plain::Plain::put(self.$field, bytes);)*
            }

            #[inline]
            fn take(bytes: &mut &[u8]) -> Option<Self> {
                Some($name { $($field: $crate::plain::Plain::take(bytes)?),* })
            }
        }
    )*};
}

plain! {
    Timestamp { 0 }
    Duration { 0 }
    CommId { 0 }
    Rank { 0 }
    LocationIndex { 0 }
    WinId { 0 }
    RegionId { 0 }
    CallSiteId { 0 }
    EventRef { location, index }
    Message { send, receive }
    Bound { send, receive, kind }
    CollectiveMember { enter, exit, rank, remote, sent, received }
    Collective { op, comm, root, sent, received }
}

/// Its place in the table; what that does not name goes by its number.
impl Plain for CollectiveOp {
    fn put(self, bytes: &mut Vec<u8>) {
        let place = CollectiveOp::NAMED.iter().position(|op| *op == self);
        (place.map(|place| place as u8), self.number()).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<CollectiveOp> {
        match <(Option<u8>, u8)>::take(bytes)? {
            (Some(place), _) => CollectiveOp::NAMED.get(usize::from(place)).copied(),
            (None, number) => Some(CollectiveOp::Other(number)),
        }
    }
}

impl Plain for BoundKind {
    fn put(self, bytes: &mut Vec<u8>) {
        (self as u8).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<BoundKind> {
        let number = u8::take(bytes)?;
        (BoundKind::ALL.into_iter()).find(|kind| *kind as u8 == number)
    }
}

/// Writes a list so that more may follow it.
pub fn put_list<T: Plain>(list: &[T], bytes: &mut Vec<u8>) {
    (list.len() as u64).put(bytes);
    list.iter().for_each(|record| record.put(bytes));
}

/// Reads such a list; nothing if it ends too soon.
pub fn take_list<T: Plain>(bytes: &mut &[u8]) -> Option<Vec<T>> {
    let length = u64::take(bytes)?;
    (0..length).map(|_| T::take(bytes)).collect()
}

/// Writes lists of records as bytes.
pub fn written<T: Plain>(lists: &[Vec<T>]) -> Vec<Vec<u8>> {
    let written = lists.iter().map(|list| {
        // About as long as they are in memory.
        let mut bytes = Vec::with_capacity(list.len() * size_of::<T>());
        list.iter().for_each(|record| record.put(&mut bytes));
        bytes
    });
    written.collect()
}

/// Reads such lists.
pub fn read<T: Plain>(lists: Vec<Vec<u8>>) -> Vec<Vec<T>> {
    let read = lists.into_iter().map(|bytes| {
        let mut left = &bytes[..];
        let mut records = Vec::new();
        while let Some(record) = T::take(&mut left) {
            if records.is_empty() {
                let length = (bytes.len() - left.len()).max(1);
                records.reserve_exact(bytes.len() / length);
            }
            records.push(record);
        }
        records
    });
    read.collect()
}
