//! What can go wrong, said so that a person can find the place.

use crate::wire::Fault;
use std::path::{Path, PathBuf};

/// A failure to read or write an archive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was attempted, as a verb.
        action: &'static str,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is no OTF2 anchor.
    #[error("{} is no OTF2 archive: expected {expected} at byte {offset}", path.display())]
    NotAnArchive {
        /// The file.
        path: PathBuf,
        /// Where the anchor ceased to be one.
        offset: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// The archive is of a kind that this crate does not read.
    #[error("{}: {what} is not supported", path.display())]
    Unsupported {
        /// The anchor.
        path: PathBuf,
        /// What is missing here.
        what: String,
    },
    /// Bytes in the middle of a file make no sense. What stood before is good.
    #[error("{}: damaged at byte {offset} (chunk {chunk}, record {record}): expected {expected}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The chunk, from 0.
        chunk: usize,
        /// The byte in the file where the record begins.
        offset: u64,
        /// The number, from 1, of the event (or definition) that was read.
        record: u64,
        /// What should stand there.
        expected: &'static str,
    },
    /// The file ends before its end mark.
    #[error("{0}")]
    Truncated(Truncation),
    /// A chunk size outside 256 KiB to 16 MiB.
    #[error("{}: chunk size {size} is not between 262144 and 16777216 bytes", path.display())]
    ChunkSize {
        /// The file that was to be written, or the anchor.
        path: PathBuf,
        /// The size.
        size: u64,
    },
    /// An event was older than its predecessor.
    #[error("location {location}, event {event}: time {time} lies before {previous}, the time of the event before")]
    TimeBackwards {
        /// The location.
        location: u64,
        /// The event's number, from 1.
        event: u64,
        /// The event's time.
        time: u64,
        /// The time that the last event had.
        previous: u64,
    },
    /// A record does not fit into an empty chunk.
    #[error("{}: a record {record} of {size} bytes does not fit into a chunk of {chunk_size}", path.display())]
    RecordTooLong {
        /// The file.
        path: PathBuf,
        /// The kind of record.
        record: &'static str,
        /// Its bytes.
        size: usize,
        /// The bytes of a chunk.
        chunk_size: usize,
    },
    /// A record that cannot be put into a file.
    #[error("{}: a record {record} holds a string with NUL, a list too long, or the number of another record", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The kind of record.
        record: &'static str,
    },
    /// A string of the anchor holds a NUL.
    #[error("{}: a string of the anchor holds NUL: {text:?}", path.display())]
    AnchorString {
        /// The anchor.
        path: PathBuf,
        /// The string.
        text: String,
    },
    /// A property's name that libotf2 would refuse together with the archive.
    #[error("property {name:?}: expected parts of A-Z, 0-9 and _, joined by ::, at least two")]
    PropertyName {
        /// The name.
        name: String,
    },
    /// A property without a value, which libotf2 3.0 refuses together with the archive.
    #[error("property {name:?}: expected a value, it is empty")]
    PropertyValue {
        /// The property's name.
        name: String,
    },
}

/// Where a file ended before its time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("{}: ends early at byte {offset} (chunk {chunk}), after {records} whole records", path.display())]
pub struct Truncation {
    /// The file.
    pub path: PathBuf,
    /// The last chunk, from 0.
    pub chunk: usize,
    /// The byte where the first incomplete record begins.
    pub offset: u64,
    /// The number of the last whole event, or the number of whole definitions.
    pub records: u64,
}

impl Error {
    pub(crate) fn io<'p>(
        path: &'p Path,
        action: &'static str,
    ) -> impl FnOnce(std::io::Error) -> Self + 'p {
        move |source| Self::Io {
            path: path.to_owned(),
            action,
            source,
        }
    }
}

/// A fault and its place in a file.
pub(crate) struct FaultPlace<'a> {
    pub path: &'a Path,
    pub chunk: usize,
    pub offset: u64,
    /// Whole records before it.
    pub records: u64,
    /// Whether the file could have gone on here.
    pub open_end: bool,
}

impl FaultPlace<'_> {
    pub fn error(self, fault: Fault) -> Error {
        if fault == Fault::Short && self.open_end {
            return Error::Truncated(Truncation {
                path: self.path.to_owned(),
                chunk: self.chunk,
                offset: self.offset,
                records: self.records,
            });
        }
        Error::Damaged {
            path: self.path.to_owned(),
            chunk: self.chunk,
            offset: self.offset,
            record: self.records.saturating_add(1),
            expected: fault.expected(),
        }
    }
}
