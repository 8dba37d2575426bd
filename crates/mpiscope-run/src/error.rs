//! What can go wrong with a run directory.

use std::io;
use std::path::{Path, PathBuf};

/// An error of this crate; every one names the file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refused.
    #[error("cannot use {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is there, but not what it should be.
    #[error("cannot read {}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what was expected.
        what: String,
    },
    /// The archive could not be read or written.
    #[error(transparent)]
    Otf2(#[from] otf2::Error),
}

impl Error {
    /// Says that a file could not be reached.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// Says what is wrong within a file.
    pub fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}
