//! Files: opened and closed together, and their data moved (MPI 4.1, §14).
//!
//! A file belongs to the communicator that it was opened on, and is the so-many-th there: all
//! members open their files in the same order (MPI 4.1, §14.2.1). Here is what is known of those
//! that are open.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use mpi_abi::Direction;
use mpiscope_run::record::{Fact, FileFact};

use super::call::ObservedCall;

pub mod accesses;
mod names;
pub mod opening;

/// A file that is open.
#[derive(Clone, Copy)]
pub struct OpenFile {
    /// Process-local id.
    pub id: u32,
}

/// The files of the process.
#[derive(Default)]
pub struct Files(Mutex<Known>);

#[derive(Default)]
struct Known {
    by_handle: HashMap<usize, OpenFile>,
    /// By communicator: how many were to be opened on it.
    tried: HashMap<u32, u32>,
    /// How many were opened in all.
    count: u32,
    /// Numbers of names.
    names: HashMap<String, u32>,
    /// What was begun on a file that another call will end: one at most (MPI 4.1, §14.4.5).
    begun: HashMap<u32, accesses::Begun>,
}

impl Files {
    fn with<T>(&self, look: impl FnOnce(&mut Known) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the handle of the file that a call is about.
fn handle(call: &ObservedCall) -> Option<usize> {
    let at = call.shape().file()?;
    Some(match call.function.function().args[at].direction {
        Direction::In => call.file(at),
        _ => call.file_written(at),
    })
}

/// Returns the file that a call is about, if its opening was seen.
fn file(call: &ObservedCall) -> Option<OpenFile> {
    let handle = handle(call)?;
    (call.session.files).with(|known| known.by_handle.get(&handle).copied())
}

fn tell(call: &mut ObservedCall, fact: FileFact) {
    call.record(Fact::File(fact));
}
