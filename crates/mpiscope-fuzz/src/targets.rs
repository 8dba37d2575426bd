//! The targets: a row for each kind of input.

mod archive_files;
mod events;
mod json;
mod order;
mod packed;
mod statistics;
mod whole;

use crate::Target;

/// What a byte may cost where nothing is said: a table that grows is twice as large for a moment.
const PER_BYTE: usize = 8 << 10;

macro_rules! targets {
    ($($name:literal $body:path, $per_byte:expr;)*) => {
        /// All targets, by the layers that read their inputs.
        pub const TARGETS: &[Target] = &[$(
            Target { name: $name, body: $body, per_byte: $per_byte }
        ),*];
    };
}

targets! {
    "anchor" archive_files::anchor, PER_BYTE;
    "definitions" archive_files::definitions, PER_BYTE;
    "local_definitions" archive_files::local_definitions, PER_BYTE;
    "markers" archive_files::markers, PER_BYTE;
    "thumbnails" archive_files::thumbnails, PER_BYTE;
    "snapshots" events::snapshots, PER_BYTE;
    "events" events::events, PER_BYTE;
    "order_stream" order::stream, order::PER_BYTE;
    "order_file" order::file, PER_BYTE;
    "order_streams" order::streams, order::PER_BYTE;
    "order_beside" order::beside, PER_BYTE;
    "payload" order::payload, PER_BYTE;
    "statistics_file" statistics::file, PER_BYTE;
    "statistics" statistics::unpacked, PER_BYTE;
    "statistics_table" statistics::table, PER_BYTE;
    "run_json" json::run, PER_BYTE;
    "uncertainty" json::uncertainty, PER_BYTE;
    "structure" json::structure, PER_BYTE;
    "packed_index" packed::index, PER_BYTE;
    "archive" whole::archive, PER_BYTE;
}
