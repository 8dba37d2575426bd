//! Markers: remarks about a time span of the trace, added after it was made.

use crate::encoding::*;
use crate::enums::{MarkerScope, MarkerSeverity};
use crate::records::{field, form, records, Form, Kind, Record};
use crate::references::Translate;
use crate::wire::{length_size, Cursor, Fault, Out};

records! {
    /// A record of the marker file.
    pub enum Marker {
        /// A kind of remark.
        5 DefMarker length {
            id: u32 as C32, group: String as Str, category: String as Str,
            severity: MarkerSeverity as U8
        },
        /// A remark on `scope` (an id of the kind that `scope_kind` says) from
        /// `time`, in ticks, for `duration`.
        6 Marker length {
            time: u64 as C64, duration: u64 as C64, marker: u32 as C32,
            scope_kind: MarkerScope as U8, scope: u64 as C64, text: String as Str
        },
        plain {}
    }
}
