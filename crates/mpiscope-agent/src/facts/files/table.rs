//! What is known of files that are open, and of operations on them that go on.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use mpiscope_run::record::{FileEnd, FileFact, FileOperation};

/// The files of the process.
#[derive(Default)]
pub struct Files(Mutex<Known>);

/// What is known of them.
#[derive(Default)]
pub struct Known {
    /// Those that are open, by their handles.
    pub by_handle: HashMap<usize, OpenFile>,
    /// By communicator: how many were to be opened on it.
    pub tried: HashMap<u32, u32>,
    /// How many were opened in all.
    pub count: u32,
    /// Numbers of names.
    pub names: HashMap<String, u32>,
    /// By file: what was begun on it that another call will end, one at most (MPI 4.1, §14.4.5).
    pub begun: HashMap<u32, Begun>,
}

/// A file that is open.
#[derive(Clone, Copy)]
pub struct OpenFile {
    /// Process-local id.
    pub id: u32,
}

/// An operation that has begun.
#[derive(Clone, Copy)]
pub struct Begun {
    /// Process-local id of the file.
    pub file: u32,
    /// Its own.
    pub id: u32,
    /// What it does.
    pub operation: FileOperation,
    /// Bytes asked for.
    pub bytes: u64,
}

impl Files {
    /// Looks at what is known.
    pub fn with<T>(&self, look: impl FnOnce(&mut Known) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Begun {
    /// Returns its end.
    pub fn complete(self, bytes: Option<u64>) -> FileFact {
        FileFact::Complete(FileEnd {
            file: self.file,
            id: self.id,
            operation: self.operation,
            bytes,
        })
    }
}
