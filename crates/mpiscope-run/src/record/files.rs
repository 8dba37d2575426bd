//! What facts of files are told in (MPI 4.1, §14): opened and closed, and what is read and written.

use super::raw::Words;

/// What happened to a file, or to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFact {
    /// The call about to be left opened a file; its process-local id, below 2^24.
    Opened(u32, OpenMode),
    /// It was closed.
    Closed(u32),
    /// The file of this name was deleted; the name's process-local id.
    Deleted(u32),
    /// A file pointer was moved.
    Seek(FileSeek),
    /// Data are to be moved; under this id, that of its request if it has one, that completes.
    Access(FileAccess, u32),
    /// The call that began it returned, and it goes on.
    Issued(u32, u32),
    /// It is complete, and so many bytes were moved; nothing if that is not known.
    Complete(FileEnd),
    /// It was cancelled.
    Cancelled(u32, u32),
    /// A test found it not complete.
    Tested(u32, u32),
}

/// How a file was opened: some of these bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenMode(pub u16);

impl OpenMode {
    /// To be read.
    pub const READ: u16 = 1;
    /// To be written.
    pub const WRITE: u16 = 2;
    /// MPI_MODE_CREATE.
    pub const CREATE: u16 = 4;
    /// MPI_MODE_EXCL.
    pub const EXCLUSIVE: u16 = 8;
    /// MPI_MODE_DELETE_ON_CLOSE.
    pub const DELETE_ON_CLOSE: u16 = 16;
    /// MPI_MODE_UNIQUE_OPEN.
    pub const UNIQUE: u16 = 32;
    /// MPI_MODE_APPEND.
    pub const APPEND: u16 = 64;
    /// MPI_MODE_SEQUENTIAL.
    pub const SEQUENTIAL: u16 = 128;

    /// Returns whether all of these bits are set.
    pub fn has(self, bits: u16) -> bool {
        self.0 & bits == bits
    }
}

/// A file pointer moved, in elementary types of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileSeek {
    /// Process-local id of the file.
    pub file: u32,
    /// What `offset` is added to.
    pub from: SeekFrom,
    /// As the program said.
    pub offset: i64,
    /// Where the pointer is now, if that is known.
    pub position: Option<u64>,
}

/// What the offset of a seek is added to; as numbers they are those of records, and OTF2's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum SeekFrom {
    /// The begin of the view.
    Start,
    /// Where the pointer was.
    Current,
    /// The end of the file.
    End,
}

impl SeekFrom {
    const ALL: [Self; 3] = [Self::Start, Self::Current, Self::End];
}

/// Data that are moved between memory and a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileAccess {
    /// Process-local id of the file, below 2^24.
    pub file: u32,
    /// Which way.
    pub operation: FileOperation,
    /// All processes that opened the file take part.
    pub is_collective: bool,
    /// The call returns before it is complete.
    pub is_nonblocking: bool,
    /// Bytes asked for.
    pub bytes: u64,
}

/// An operation on a file that is complete. It may be another thread that sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileEnd {
    /// Process-local id of the file, below 2^24.
    pub file: u32,
    /// Its id.
    pub id: u32,
    /// What was done.
    pub operation: FileOperation,
    /// How many bytes were moved, if that is known.
    pub bytes: Option<u64>,
}

/// What is done to a file; as numbers they are those of records, and OTF2's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum FileOperation {
    /// Its data are read.
    Read,
    /// They are written.
    Write,
    /// What was written is brought to the device.
    Flush,
}

impl FileOperation {
    const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Flush];
}

/// Number of a position, and of bytes, that are not known.
const UNKNOWN: u64 = u64::MAX;

const COLLECTIVE: u64 = 1 << 8;
const NONBLOCKING: u64 = 1 << 9;

impl FileFact {
    /// Returns the same with another id of the operation.
    pub(super) fn with_id(mut self, map: impl Fn(u32) -> u32) -> Self {
        match &mut self {
            Self::Access(_, id)
            | Self::Issued(_, id)
            | Self::Cancelled(_, id)
            | Self::Tested(_, id) => *id = map(*id),
            Self::Complete(it) => it.id = map(it.id),
            _ => {}
        }
        self
    }

    /// How many kinds of facts there are.
    pub(super) const KINDS: u8 = 9;

    #[inline]
    pub(super) fn words(self) -> Words {
        Words::from(match self {
            Self::Opened(file, mode) => (0, file, mode.0.into(), 0, 0),
            Self::Closed(file) => (1, file, 0, 0, 0),
            Self::Deleted(name) => (2, 0, name, 0, 0),
            Self::Seek(it) => {
                let position = it.position.unwrap_or(UNKNOWN);
                (3, it.file, it.from as u32, it.offset as u64, position)
            }
            Self::Access(it, id) => {
                let collective = if it.is_collective { COLLECTIVE } else { 0 };
                let nonblocking = if it.is_nonblocking { NONBLOCKING } else { 0 };
                let bits = it.operation as u64 | collective | nonblocking;
                (4, it.file, id, bits, it.bytes)
            }
            Self::Issued(file, id) => (5, file, id, 0, 0),
            Self::Complete(it) => {
                let bytes = it.bytes.unwrap_or(UNKNOWN);
                (6, it.file, it.id, it.operation as u64, bytes)
            }
            Self::Cancelled(file, id) => (7, file, id, 0, 0),
            Self::Tested(file, id) => (8, file, id, 0, 0),
        })
    }

    #[inline]
    pub(super) fn from_words(words: &Words) -> Option<Self> {
        let Words {
            detail, word, a, b, ..
        } = *words;
        Some(match words.kind {
            0 => Self::Opened(detail, OpenMode(word as u16)),
            1 => Self::Closed(detail),
            2 => Self::Deleted(word),
            3 => Self::Seek(FileSeek {
                file: detail,
                from: *SeekFrom::ALL.get(word as usize)?,
                offset: a as i64,
                position: (b != UNKNOWN).then_some(b),
            }),
            4 => {
                let access = FileAccess {
                    file: detail,
                    operation: *FileOperation::ALL.get((a & 0xff) as usize)?,
                    is_collective: a & COLLECTIVE != 0,
                    is_nonblocking: a & NONBLOCKING != 0,
                    bytes: b,
                };
                Self::Access(access, word)
            }
            5 => Self::Issued(detail, word),
            6 => Self::Complete(FileEnd {
                file: detail,
                id: word,
                operation: *FileOperation::ALL.get(a as usize)?,
                bytes: (b != UNKNOWN).then_some(b),
            }),
            7 => Self::Cancelled(detail, word),
            8 => Self::Tested(detail, word),
            _ => return None,
        })
    }
}
