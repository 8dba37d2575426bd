//! How the execution of a rank alone went: `alone.json` in its directory.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::run_info::write_atomically;
use crate::Error;

/// Name of the file.
pub const FILE: &str = "alone.json";

/// How it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alone {
    /// Which rank it was.
    pub rank: u32,
    /// Calls that were answered.
    pub calls: u64,
    /// The first call that sent other data than recorded.
    pub sent_otherwise: Option<At>,
    /// How it ended.
    pub end: End,
}

/// A call of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    /// Which of the rank's calls, from 1.
    pub call: u64,
    /// With its integers: `MPI_Recv(count=1, source=2, tag=0)`.
    pub what: String,
    /// Module and offset; empty if not known.
    pub site: String,
}

/// How the execution of a rank alone ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// In MPI_Finalize, as recorded.
    Finished,
    /// It made another call than recorded; nothing if the record had MPI_Finalize there.
    Diverged {
        /// The call.
        came: At,
        /// What was recorded in its place.
        recorded: Option<At>,
    },
    /// The recorded rank came no further than into this call.
    RecordEnds(At),
    /// A call that cannot be answered, and why.
    NotAnswered(At, String),
    /// The record cannot be used, and why.
    Damaged(String),
}

impl Alone {
    /// Writes it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, directory: &Path) -> Result<(), Error> {
        let path = directory.join(FILE);
        let text = serde_json::to_vec_pretty(self)
            .map_err(|e| Error::damaged(&path, format!("its content is no JSON: {e}")))?;
        write_atomically(&path, &text)
    }

    /// Reads it; nothing if the program did not leave it.
    pub fn read(directory: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(directory.join(FILE)).ok()?).ok()
    }
}
