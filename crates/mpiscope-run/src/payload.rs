//! The payload record of a rank: everything that MPI gave it, so that the one
//! rank can be executed again without the others.
//!
//! Of each call: its function and call site, the integers it was given, a hash
//! of the data it sent, what it returned, and all that it wrote into the
//! program's memory, in the order of the call's arguments. The meaning of
//! these bytes is the agent's affair, which writes and reads them by the same
//! code; here is how they are kept.
//!
//! ```text
//! wrapper -> Encoder -> buffer (/dev/shm, survives its writer)
//!            keep ............ RUN/payload/RANK.payload, compressed piece by piece
//!            Reader .......... call by call, a piece in memory at a time
//! ```
//!
//! In place of data there may be its hash alone ([`Depth::Hashes`]): enough to
//! tell where two runs of a program first received something different.

mod file;
mod hashes;
pub mod outcome;
mod stream;

use serde::{Deserialize, Serialize};

use crate::order::Origin;

pub use file::{bytes, collect, exists, keep, open, path, ranks, remove, Kept, Pieces, ENDING};
pub use hashes::{first_difference, received, Received, Receiving};
pub use stream::{hash, Body, Cursor, Encoder, Entry, Reader, SHORT};

/// What is kept of the data that a rank received.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// Every byte.
    #[default]
    Data,
    /// A hash of each message or result.
    Hashes,
}

/// Whose record a file is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Header {
    /// The run.
    pub origin: Origin,
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// The program.
    pub program: String,
    /// What is kept of the data.
    pub depth: Depth,
    /// The level of thread support that MPI gave.
    pub thread_level: i32,
    /// Whether the rank recorded until MPI_Finalize.
    #[serde(default)]
    pub finished: bool,
    /// Calls whose effects are not in the record.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
}

/// A call that no record of a single rank can hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Name of the MPI function.
    pub function: String,
    /// Where in the program: module and offset; empty if not known.
    pub site: String,
    /// Why.
    pub why: String,
}

/// A line of notes in a buffer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Whose record this is; the first line.
    Header(Header),
    /// Something that is not in it.
    LeftOut(LeftOut),
}

impl Note {
    /// Returns the line.
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}
