//! Thumbnails: a trace in small, for an overview before its events are read.
//!
//! A file holds one thumbnail: a [`Header`](Thumbnail::Header), then as many
//! samples as it announces, in the order of their times.

use crate::encoding::*;
use crate::enums::ThumbnailType;
use crate::records::{field, form, records, Form, Kind, Record};
use crate::references::Translate;
use crate::wire::{length_size, Cursor, Fault, Out};

records! {
    /// A record of a thumbnail's file.
    pub enum Thumbnail {
        /// What the thumbnail shows: `definitions` are the ids, of the kind that
        /// `thumbnail_type` says, that the values of a sample belong to.
        10 Header length {
            name: String as Str, description: String as Str, thumbnail_type: ThumbnailType as U8,
            number_of_samples: u32 as C32, definitions: Vec<u64> as Counted<C32, C64>
        },
        /// One value for each of the header's definitions, and what they are
        /// parts of.
        11 Sample length { baseline: u64 as C64, values: Vec<u64> as Counted<C32, C64> },
        plain {}
    }
}
