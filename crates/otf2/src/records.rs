//! Turns a table of record kinds into an enum that writes and reads itself.
//!
//! A row of a table gives the record's id, name and form, then its fields in
//! file order, each with its Rust type and its [encoding](crate::encoding):
//!
//! ```text
//! 14 MpiSend length { receiver: u32 as C32, communicator: u32 as CommId, .. },
//! ```
//!
//! `= default` after a field stands for what older writers left out. A row may
//! hold one `legacy` field, which is not part of the enum: it is computed from
//! the others when written, and the defaults may look at it when read.
//! Records without fields stand last, behind `plain`.

use crate::wire::{length_size, Cursor, Fault, Out};

/// One row of a table, for printers and tests.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The number of the record in the file.
    pub id: u8,
    /// OTF2's name of the record.
    pub name: &'static str,
    /// The fields in file order: name and encoding.
    pub fields: &'static [(&'static str, &'static str)],
}

/// What readers and writers of files ask of a record; every table's enum is one.
pub(crate) trait Record: Sized {
    fn name(&self) -> &'static str;
    fn writable(&self) -> bool;
    /// Bytes of the payload, and of what stands before it.
    fn sizes(&self) -> (usize, usize);
    fn put(&self, out: &mut Out, bound: usize);
    fn get(id: u8, cursor: &mut Cursor<'_>) -> Result<Self, Fault>;
}

/// How the payload is framed.
pub(crate) trait Form {
    /// Bytes of the length field.
    fn length(bound: usize) -> usize;
    fn open(out: &mut Out, bound: usize) -> usize;
    fn close(out: &mut Out, start: usize, bound: usize);
    /// What a fault among the fields says about the record.
    fn fault(fault: Fault) -> Fault;
}

/// The id, then one compressed integer: no length.
pub(crate) struct Single;

impl Form for Single {
    fn length(_: usize) -> usize {
        0
    }
    #[inline]
    fn open(_: &mut Out, _: usize) -> usize {
        0
    }
    #[inline]
    fn close(_: &mut Out, _: usize, _: usize) {}
    #[inline]
    fn fault(fault: Fault) -> Fault {
        fault
    }
}

/// The id, the length of the payload, the payload.
pub(crate) struct Framed;

impl Form for Framed {
    #[inline]
    fn length(bound: usize) -> usize {
        length_size(bound)
    }
    #[inline]
    fn open(out: &mut Out, bound: usize) -> usize {
        out.open_payload(bound)
    }
    #[inline]
    fn close(out: &mut Out, start: usize, bound: usize) {
        out.close_payload(start, bound);
    }
    #[inline]
    fn fault(fault: Fault) -> Fault {
        fault.inside_record()
    }
}

macro_rules! form {
    (single) => {
        $crate::records::Single
    };
    (length) => {
        $crate::records::Framed
    };
}

/// Reads a field; at the end of an old, shorter record its default instead.
macro_rules! field {
    ($form:ident $cursor:ident, $T:ty, $E:ty) => {
        <$E as Encoding<$T>>::get($cursor).map_err(<form!($form) as Form>::fault)?
    };
    ($form:ident $cursor:ident, $T:ty, $E:ty, $default:expr) => {
        match $cursor.remaining() {
            0 => $default,
            _ => field!($form $cursor, $T, $E),
        }
    };
}

macro_rules! records {
    (
        $(#[$meta:meta])*
        pub enum $Record:ident {
            $(
                $(#[$row:meta])*
                $id:literal $Name:ident $form:ident {
                    $( $f:ident: $T:ty as $E:ty $(= $default:expr)? ),*
                    $(; legacy $old:ident: $OT:ty as $OE:ty = $computed:expr;
                        $( $g:ident: $U:ty as $F:ty $(= $later:expr)? ),* )?
                },
            )*
            plain {
                $( $(#[$plain:meta])* $pid:literal $Plain:ident, )*
            }
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $Record {
            $(
                $(#[$row])*
                $Name {
                    $(
                        #[doc = concat!("Stored as `", stringify!($E), "`.")]
                        $f: $T,
                    )*
                    $($(
                        #[doc = concat!("Stored as `", stringify!($F), "`.")]
                        $g: $U,
                    )*)?
                },
            )*
            $( $(#[$plain])* $Plain, )*
            /// A record of a kind that this crate does not know.
            Unknown {
                /// The number of the record.
                id: u8,
                /// Its bytes.
                payload: Vec<u8>,
            },
        }

        impl $crate::records::Record for $Record {
            fn name(&self) -> &'static str {
                self.name()
            }
            fn writable(&self) -> bool {
                self.writable()
            }
            fn sizes(&self) -> (usize, usize) {
                let size = self.size();
                (size, self.head(size))
            }
            fn put(&self, out: &mut Out, bound: usize) {
                self.put(out, bound);
            }
            fn get(id: u8, cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
                Self::get(id, cursor)
            }
        }

        impl $Record {
            /// The table of all kinds of record.
            pub const KINDS: &'static [Kind] = &[
                $( Kind {
                    id: $id,
                    name: stringify!($Name),
                    fields: &[
                        $((stringify!($f), stringify!($E)),)*
                        $( (stringify!($old), stringify!($OE)), $((stringify!($g), stringify!($F)),)* )?
                    ],
                }, )*
                $( Kind { id: $pid, name: stringify!($Plain), fields: &[] }, )*
            ];

            /// The number of this kind of record in the file.
            pub fn id(&self) -> u8 {
                match self {
                    $( Self::$Name { .. } => $id, )*
                    $( Self::$Plain => $pid, )*
                    Self::Unknown { id, .. } => *id,
                }
            }

            /// OTF2's name of this kind of record.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$Name { .. } => stringify!($Name), )*
                    $( Self::$Plain => stringify!($Plain), )*
                    Self::Unknown { .. } => "Unknown",
                }
            }

            /// The bytes of the payload.
            #[allow(dead_code, unused_variables)]
            pub(crate) fn size(&self) -> usize {
                match self {
                    $( Self::$Name { $($f,)* $($($g,)*)? } => {
                        0 $( + <$E as Encoding<$T>>::size($f) )*
                        $( + <$OE as Encoding<$OT>>::size(&$computed) $( + <$F as Encoding<$U>>::size($g) )* )?
                    } )*
                    $( Self::$Plain => 0, )*
                    Self::Unknown { payload, .. } => payload.len(),
                }
            }

            /// The most bytes that a payload with as many elements can have.
            #[allow(dead_code, unused_variables)]
            #[inline]
            pub(crate) fn bound(&self) -> usize {
                match self {
                    $( Self::$Name { $($f,)* $($($g,)*)? } => {
                        0 $( + <$E as Encoding<$T>>::bound($f) )*
                        $( + <$OE as Encoding<$OT>>::bound(&$computed) $( + <$F as Encoding<$U>>::bound($g) )* )?
                    } )*
                    $( Self::$Plain => 0, )*
                    Self::Unknown { payload, .. } => payload.len(),
                }
            }

            /// Bytes of id and length field, if the payload may have `bound`.
            #[inline]
            pub(crate) fn head(&self, bound: usize) -> usize {
                1 + match self {
                    $( Self::$Name { .. } => <form!($form) as Form>::length(bound), )*
                    $( Self::$Plain => 1, )*
                    Self::Unknown { .. } => length_size(bound),
                }
            }

            /// Whether every field can be written (no string holds NUL, no
            /// list is too long, no unknown record takes a known number).
            #[allow(unused_variables)]
            pub(crate) fn writable(&self) -> bool {
                match self {
                    $( Self::$Name { $($f,)* $($($g,)*)? } => {
                        true $( && <$E as Encoding<$T>>::writable($f) )*
                        $( $( && <$F as Encoding<$U>>::writable($g) )* )?
                    } )*
                    $( Self::$Plain => true, )*
                    Self::Unknown { id, .. } => *id > 6 && Self::KINDS.iter().all(|kind| kind.id != *id),
                }
            }

            /// Writes the record; `bound` decides on the form of its length.
            #[allow(unused_variables)]
            #[inline]
            pub(crate) fn put(&self, out: &mut Out, bound: usize) {
                match self {
                    $( Self::$Name { $($f,)* $($($g,)*)? } => {
                        out.u8($id);
                        let start = <form!($form) as Form>::open(out, bound);
                        $( <$E as Encoding<$T>>::put(out, $f); )*
                        $(
                            <$OE as Encoding<$OT>>::put(out, &$computed);
                            $( <$F as Encoding<$U>>::put(out, $g); )*
                        )?
                        <form!($form) as Form>::close(out, start, bound);
                    } )*
                    $( Self::$Plain => { out.u8($pid); out.u8(0); } )*
                    Self::Unknown { id, payload } => {
                        out.u8(*id);
                        let start = out.open_payload(bound);
                        out.bytes(payload);
                        out.close_payload(start, bound);
                    }
                }
            }

            /// Reads the record behind its id.
            #[inline]
            pub(crate) fn get(id: u8, cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
                match id {
                    $( $id => {
                        #[allow(unused_assignments, unused_mut, unused_variables)]
                        let mut framed = *cursor;
                        let fields = records!(@open $form cursor framed);
                        $( let $f = field!($form fields, $T, $E $(, $default)?); )*
                        $(
                            let $old = field!($form fields, $OT, $OE);
                            let _ = &$old;
                            $( let $g = field!($form fields, $U, $F $(, $later)?); )*
                        )?
                        Ok(Self::$Name { $($f,)* $($($g,)*)? })
                    } )*
                    $( $pid => { cursor.payload()?; Ok(Self::$Plain) } )*
                    _ => {
                        let mut payload = cursor.payload()?;
                        let bytes = payload.take(payload.remaining())?;
                        Ok(Self::Unknown { id, payload: bytes.to_vec() })
                    }
                }
            }

            /// Translates local ids into global ones.
            #[allow(dead_code, unused_variables)]
            pub(crate) fn map(&mut self, maps: &IdMaps) {
                match self {
                    $( Self::$Name { $($f,)* $($($g,)*)? } => {
                        $( <$E as Encoding<$T>>::map($f, maps); )*
                        $( $( <$F as Encoding<$U>>::map($g, maps); )* )?
                    } )*
                    $( Self::$Plain => {} )*
                    Self::Unknown { .. } => {}
                }
            }

            #[cfg(test)]
            #[allow(unused_variables)]
            pub(crate) fn sample(id: u8, next: &mut dyn FnMut() -> u64) -> Self {
                match id {
                    $( $id => Self::$Name {
                        $( $f: <$E as Encoding<$T>>::sample(next), )*
                        $( $( $g: <$F as Encoding<$U>>::sample(next), )* )?
                    }, )*
                    $( $pid => Self::$Plain, )*
                    id => Self::Unknown { id, payload: (0..next() % 300).map(|_| next() as u8).collect() },
                }
            }
        }
    };

    (@open single $cursor:ident $framed:ident) => {
        &mut *$cursor
    };
    (@open length $cursor:ident $framed:ident) => {{
        $framed = $cursor.payload()?;
        &mut $framed
    }};
}
pub(crate) use {field, form, records};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ByteOrder;
    use crate::{Definition, Event, LocalDefinition, Marker};
    use proptest::prelude::*;

    /// Numbers of all magnitudes, and often the extremes.
    fn numbers(seed: u64) -> impl FnMut() -> u64 {
        let mut state = seed | 1;
        let mut step = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        move || match step() % 16 {
            0 => 0,
            1 => u64::MAX,
            _ => step() >> (step() % 64),
        }
    }

    fn written<R: Record>(record: &R, bound: usize, order: ByteOrder) -> Vec<u8> {
        let mut out = Out::new(1 << 16, order);
        record.put(&mut out, bound);
        out.filled().to_vec()
    }

    fn check<R: Record + std::fmt::Debug>(record: R, bound: usize) {
        assert!(record.writable(), "{record:?}");
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let bytes = written(&record, bound, order);
            let mut cursor = Cursor::new(&bytes, order);
            let id = cursor.u8().unwrap();
            let read = R::get(id, &mut cursor).unwrap();
            assert_eq!(cursor.remaining(), 0, "{record:?}");
            // By bytes, since NaN does not equal itself.
            assert_eq!(written(&read, bound, order), bytes, "{record:?}");
            assert_eq!(format!("{read:?}"), format!("{record:?}"));
        }
        let (size, head) = record.sizes();
        let exact = written(&record, size, ByteOrder::Little);
        assert_eq!(exact.len(), head + size, "{record:?}");
        assert!(size <= bound, "{record:?}");
    }

    proptest! {
        #[test]
        fn every_kind_of_record_comes_back(seed: u64) {
            let mut next = numbers(seed);
            for kind in Event::KINDS {
                let event = Event::sample(kind.id, &mut next);
                let bound = event.bound();
                prop_assert_eq!(event.name(), kind.name);
                check(event, bound);
            }
            for kind in Definition::KINDS {
                let definition = Definition::sample(kind.id, &mut next);
                let size = definition.size();
                check(definition, size);
            }
            for kind in LocalDefinition::KINDS {
                let definition = LocalDefinition::sample(kind.id, &mut next);
                let size = definition.size();
                check(definition, size);
            }
            for kind in Marker::KINDS {
                let marker = Marker::sample(kind.id, &mut next);
                let size = marker.size();
                check(marker, size);
            }
            let unknown = Event::sample(200, &mut next);
            let bound = unknown.bound();
            check(unknown, bound);
        }

        #[test]
        fn no_bytes_make_a_record_panic(id: u8, bytes: Vec<u8>) {
            for order in [ByteOrder::Little, ByteOrder::Big] {
                let _ = Event::get(id, &mut Cursor::new(&bytes, order));
                let _ = Definition::get(id, &mut Cursor::new(&bytes, order));
                let _ = LocalDefinition::get(id, &mut Cursor::new(&bytes, order));
                let _ = Marker::get(id, &mut Cursor::new(&bytes, order));
            }
        }
    }

    #[test]
    fn the_tables_are_complete() {
        assert_eq!(Event::KINDS.len(), 83);
        assert_eq!(Definition::KINDS.len(), 38);
        for kinds in [Event::KINDS, Definition::KINDS] {
            let ids: std::collections::HashSet<u8> = kinds.iter().map(|kind| kind.id).collect();
            assert_eq!(ids.len(), kinds.len());
        }
    }

    fn definition(bytes: &[u8]) -> Definition {
        let mut cursor = Cursor::new(bytes, ByteOrder::Little);
        let id = cursor.u8().unwrap();
        Definition::get(id, &mut cursor).unwrap()
    }

    #[test]
    fn a_region_of_otf2_1_0_has_its_role_from_its_type() {
        // id 3, name 4, no description, type MPI_COLL_BARRIER, file 5, lines 0.
        assert_eq!(
            definition(&[15, 10, 1, 3, 1, 4, 255, 22, 1, 5, 0, 0]),
            Definition::Region {
                id: 3,
                name: 4,
                description: u32::MAX,
                source_file: 5,
                begin_line_number: 0,
                end_line_number: 0,
                canonical_name: 4,
                region_role: crate::RegionRole::BARRIER,
                paradigm: crate::Paradigm::MPI,
                region_flags: crate::RegionFlag::NONE,
            }
        );
    }

    #[test]
    fn a_property_of_otf2_1_is_a_string() {
        assert_eq!(
            definition(&[28, 6, 1, 2, 1, 3, 1, 9]),
            Definition::LocationGroupProperty {
                location_group: 2,
                name: 3,
                value: crate::Value::String(9),
            }
        );
    }

    #[test]
    fn fields_of_a_newer_writer_are_skipped() {
        let bytes = [23, 7, 1, 1, 1, 2, 0, 77, 78, 10];
        let mut cursor = Cursor::new(&bytes, ByteOrder::Little);
        cursor.u8().unwrap();
        Definition::get(23, &mut cursor).unwrap();
        assert_eq!(cursor.u8(), Ok(10));
    }

    #[test]
    fn what_cannot_be_written_is_known() {
        let string = Definition::String {
            id: 0,
            string: "a\0b".into(),
        };
        assert!(!string.writable());
        let values = vec![crate::MetricValue::from(1.0); 256];
        assert!(!Event::Metric { metric: 0, values }.writable());
        let payload = vec![];
        assert!(!Event::Unknown { id: 12, payload }.writable());
    }
}
