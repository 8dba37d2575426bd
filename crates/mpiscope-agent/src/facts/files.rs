//! Files: opened and closed together, and their data moved (MPI 4.1, §14).
//!
//! A file belongs to the communicator that it was opened on, and is the so-many-th there: all
//! members open their files in the same order (MPI 4.1, §14.2.1).

use mpi_abi::Direction;
use mpiscope_run::record::{Fact, FileFact};

use super::call::ObservedCall;

pub mod accesses;
mod names;
pub mod opening;
pub mod table;

use table::OpenFile;

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
