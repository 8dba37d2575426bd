//! The first page of a buffer, as writer and readers see it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::DEFINITIONS_AT;

/// The first page of a buffer. All numbers are little-endian, as the machine is.
#[repr(C)]
pub struct Header {
    /// [`super::MAGIC`], written last.
    pub magic: AtomicU64,
    /// [`crate::record::LAYOUT_VERSION`].
    pub version: AtomicU32,
    /// Process id.
    pub pid: AtomicU32,
    /// Thread id.
    pub tid: AtomicU32,
    /// Number of the first thread that wrote here: 0 initialised MPI.
    pub thread: AtomicU32,
    /// World rank.
    pub rank: AtomicU32,
    /// See [`State`].
    pub state: AtomicU32,
    /// How many threads have written here, one after the other.
    pub threads: AtomicU32,
    /// How many threads of the process have no buffer; in the first thread's.
    pub refused: AtomicU32,
    /// Where the records begin; definitions lie before them.
    pub records_at: AtomicU64,
    /// Bytes of the record window when fully reserved.
    pub capacity: AtomicU64,
    /// Bytes of the record window reserved so far.
    pub reserved: AtomicU64,
    /// Bytes of definitions committed.
    pub definitions: AtomicU64,
    /// Records spilled to disk.
    pub spilled: AtomicU64,
    /// Records that could not be kept.
    pub lost: AtomicU64,
    /// Bytes of definitions that went to disk, after those committed.
    pub definitions_spilled: AtomicU64,
    /// Definitions that could not be kept.
    pub definitions_lost: AtomicU64,
    /// Bytes of the definition area reserved so far.
    pub definitions_reserved: AtomicU64,
    /// The latest clock reading: odd while it is being renewed.
    pub triple_version: AtomicU64,
    /// The latest clock reading: ticks, monotonic, realtime.
    pub triple: [AtomicU64; 3],
    /// What was asked for from outside ([`crate::control`]); in the first thread's.
    pub asked: AtomicU32,
    /// What of that was done.
    pub answered: AtomicU32,
    /// Run directory, ended by NUL.
    pub run: [u8; 2048],
    /// Records committed, spilled ones included; on a line of its own because the hot path stores it.
    pub committed: Committed,
}

/// A counter alone on its cache line.
#[repr(C, align(64))]
pub struct Committed(pub AtomicU64);

const _: () = assert!(std::mem::size_of::<Header>() <= DEFINITIONS_AT);

/// What a buffer's writer is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum State {
    /// Events are being recorded.
    Recording = 1,
    /// Recording has ended, the archive is being written.
    Draining = 2,
}

impl Header {
    /// Returns where the records begin.
    pub fn records_at(&self) -> usize {
        self.records_at.load(Ordering::Relaxed) as usize
    }
}
