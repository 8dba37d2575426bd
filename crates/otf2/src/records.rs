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
//! Records without fields stand last, behind `plain`; `shared` names a table
//! whose records may stand among these.

use crate::references::Translate;
use crate::wire::{length_size, Cursor, Fault, Out};

/// One row of a table, for printers and tests.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Kind {
    /// The number of the record in the file.
    pub id: u8,
    /// OTF2's name of the record.
    pub name: &'static str,
    /// The fields in file order: name and encoding.
    pub fields: &'static [(&'static str, &'static str)],
}

/// What readers and writers of files ask of a record; every table's enum is one.
pub trait Record: Sized {
    fn name(&self) -> &'static str;
    /// Whether every field can be written (no string holds NUL, no list is too
    /// long, no unknown record takes a known number).
    fn writable(&self) -> bool;
    /// The bytes of the payload.
    fn size(&self) -> usize;
    /// The most bytes that a payload with as many elements can have.
    fn bound(&self) -> usize;
    /// Bytes of id and length field, if the payload may have `bound`.
    fn head(&self, bound: usize) -> usize;
    /// Writes the record; `bound` decides on the form of its length.
    fn put(&self, out: &mut Out, bound: usize);
    /// Reads the record behind its id.
    fn get(id: u8, cursor: &mut Cursor<'_>) -> Result<Self, Fault>;
    /// Translates the ids that it refers to.
    fn map(&mut self, ids: &mut Translate<'_>);
}

/// How the payload is framed.
pub(crate) trait Form {
    /// Whether there is no length field.
    const SINGLE: bool;
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
    const SINGLE: bool = true;
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
    const SINGLE: bool = false;
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
            $( shared { $(#[$shared:meta])* $range:pat => $Shared:ident($Inner:ident) } )?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
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
            $( $(#[$shared])* $Shared($Inner), )?
            /// A record of a kind that this crate does not know.
            Unknown {
                /// The number of the record.
                id: u8,
                /// Its bytes.
                payload: Vec<u8>,
            },
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
                    $( Self::$Shared(inner) => inner.id(), )?
                    Self::Unknown { id, .. } => *id,
                }
            }

            /// Whether a record of this number is one integer, without a length before it.
            #[inline]
            #[allow(dead_code)]
            pub(crate) fn is_single(id: u8) -> bool {
                match id {
                    $( $id => <form!($form) as Form>::SINGLE, )*
                    _ => false,
                }
            }

            /// OTF2's name of this kind of record.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$Name { .. } => stringify!($Name), )*
                    $( Self::$Plain => stringify!($Plain), )*
                    $( Self::$Shared(inner) => inner.name(), )?
                    Self::Unknown { .. } => "Unknown",
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
                    $( $range => Self::$Shared($Inner::sample(id, next)), )?
                    id => Self::Unknown { id, payload: (0..next() % 300).map(|_| next() as u8).collect() },
                }
            }
        }

        impl Record for $Record {
            fn name(&self) -> &'static str {
                self.name()
            }

            #[allow(unused_variables)]
            fn size(&self) -> usize {
                match self {
                    $( Self::$Name { $($f,)* $($($g,)*)? } => {
                        0 $( + <$E as Encoding<$T>>::size($f) )*
                        $( + <$OE as Encoding<$OT>>::size(&$computed) $( + <$F as Encoding<$U>>::size($g) )* )?
                    } )*
                    $( Self::$Plain => 0, )*
                    $( Self::$Shared(inner) => inner.size(), )?
                    Self::Unknown { payload, .. } => payload.len(),
                }
            }

            #[allow(unused_variables)]
            #[inline]
            fn bound(&self) -> usize {
                match self {
                    $( Self::$Name { $($f,)* $($($g,)*)? } => {
                        0 $( + <$E as Encoding<$T>>::bound($f) )*
                        $( + <$OE as Encoding<$OT>>::bound(&$computed) $( + <$F as Encoding<$U>>::bound($g) )* )?
                    } )*
                    $( Self::$Plain => 0, )*
                    $( Self::$Shared(inner) => inner.bound(), )?
                    Self::Unknown { payload, .. } => payload.len(),
                }
            }

            #[inline]
            fn head(&self, bound: usize) -> usize {
                1 + match self {
                    $( Self::$Name { .. } => <form!($form) as Form>::length(bound), )*
                    $( Self::$Plain => 1, )*
                    $( Self::$Shared(_) => length_size(bound), )?
                    Self::Unknown { .. } => length_size(bound),
                }
            }

            #[allow(unused_variables)]
            fn writable(&self) -> bool {
                match self {
                    $( Self::$Name { $($f,)* $($($g,)*)? } => {
                        true $( && <$E as Encoding<$T>>::writable($f) )*
                        $( $( && <$F as Encoding<$U>>::writable($g) )* )?
                    } )*
                    $( Self::$Plain => true, )*
                    $( Self::$Shared(inner) => inner.writable(), )?
                    Self::Unknown { id, .. } => *id > 6 && Self::KINDS.iter().all(|kind| kind.id != *id)
                        $( && !matches!(*id, $range) )?,
                }
            }

            #[allow(unused_variables)]
            #[inline]
            fn put(&self, out: &mut Out, bound: usize) {
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
                    $( Self::$Shared(inner) => inner.put(out, bound), )?
                    Self::Unknown { id, payload } => {
                        out.u8(*id);
                        let start = out.open_payload(bound);
                        out.bytes(payload);
                        out.close_payload(start, bound);
                    }
                }
            }

            #[inline]
            fn get(id: u8, cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
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
                    $( $range => $Inner::get(id, cursor).map(Self::$Shared), )?
                    _ => {
                        let mut payload = cursor.payload()?;
                        let bytes = payload.take(payload.remaining())?;
                        Ok(Self::Unknown { id, payload: bytes.to_vec() })
                    }
                }
            }

            #[allow(unused_variables)]
            fn map(&mut self, ids: &mut Translate<'_>) {
                match self {
                    $( Self::$Name { $($f,)* $($($g,)*)? } => {
                        $( <$E as Encoding<$T>>::map($f, ids); )*
                        $( $( <$F as Encoding<$U>>::map($g, ids); )* )?
                    } )*
                    $( Self::$Plain => {} )*
                    $( Self::$Shared(inner) => inner.map(ids), )?
                    Self::Unknown { .. } => {}
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
mod tests;
