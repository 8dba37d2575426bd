//! Files opened, closed and deleted, and their pointers moved (MPI 4.1, §14.2 and §14.4).

use mpi_abi::{id, FunctionId};
use mpiscope_run::process::{self, Definition};
use mpiscope_run::record::{FileFact, FileSeek, OpenMode, SeekFrom, MAX_COMM};

use super::table::OpenFile;
use super::{file, handle, tell};
use crate::base::definitions;
use crate::facts::call::ObservedCall;
use crate::facts::thread::Noted;
use crate::mpi::shape::completion::named;

/// MPI_File_open, after. One that failed opened nothing, but all members count it.
pub fn opened(call: &mut ObservedCall, ok: bool) {
    const NAME: usize = named(id::MPI_FILE_OPEN, "filename");
    let at = call.shape().comm();
    let Some(comm) = at.and_then(|at| call.comm(at)) else {
        return;
    };
    let number = call.session.files.with(|known| {
        let tried = known.tried.entry(comm.id).or_default();
        *tried += 1;
        *tried - 1
    });
    let Some(handle) = handle(call).filter(|_| ok) else {
        return;
    };
    let name = call.session.files.name(&call.path(NAME));
    let id = call.session.files.with(|known| {
        let id = known.count;
        known.count = known.count.saturating_add(1);
        (id <= MAX_COMM).then(|| known.by_handle.insert(handle, OpenFile { id }))?;
        Some(id)
    });
    let Some(id) = id else { return };
    definitions::tell(&Definition::File(process::File {
        id,
        comm: comm.id,
        number,
        name,
    }));
    let mode = mode(call);
    tell(call, FileFact::Opened(id, mode));
}

fn mode(call: &ObservedCall) -> OpenMode {
    const MODE: usize = named(id::MPI_FILE_OPEN, "amode");
    let said = call.int(MODE);
    let modes = call.mpi.abi.file_modes();
    let bits = [
        (modes.rdonly, OpenMode::READ),
        (modes.wronly, OpenMode::WRITE),
        (modes.rdwr, OpenMode::READ | OpenMode::WRITE),
        (modes.create, OpenMode::CREATE),
        (modes.excl, OpenMode::EXCLUSIVE),
        (modes.delete_on_close, OpenMode::DELETE_ON_CLOSE),
        (modes.unique_open, OpenMode::UNIQUE),
        (modes.append, OpenMode::APPEND),
        (modes.sequential, OpenMode::SEQUENTIAL),
    ];
    let set = bits.into_iter().filter(|(mode, _)| said & mode != 0);
    OpenMode(set.fold(0, |all, (_, bit)| all | bit))
}

/// MPI_File_close, before: once MPI has closed the handle, another thread may get it.
pub fn before_close(call: &mut ObservedCall) {
    call.thread.scratch.noted = Noted::Nothing;
    let Some(handle) = handle(call) else { return };
    let files = &call.session.files;
    if let Some(file) = files.with(|known| known.by_handle.remove(&handle)) {
        call.thread.scratch.noted = Noted::File(handle, file);
    }
}

/// MPI_File_close, after.
pub fn closed(call: &mut ObservedCall, ok: bool) {
    let Noted::File(handle, file) = call.thread.scratch.take_noted() else {
        return;
    };
    match ok {
        true => tell(call, FileFact::Closed(file.id)),
        false => call.session.files.with(|known| {
            known.by_handle.insert(handle, file);
        }),
    }
}

/// MPI_File_delete, after.
pub fn deleted(call: &mut ObservedCall, ok: bool) {
    const NAME: usize = named(id::MPI_FILE_DELETE, "filename");
    if ok {
        let name = call.session.files.name(&call.path(NAME));
        tell(call, FileFact::Deleted(name));
    }
}

/// MPI_File_seek, MPI_File_seek_shared, after.
pub fn sought(call: &mut ObservedCall, ok: bool) {
    const SEEK: FunctionId = id::MPI_FILE_SEEK;
    const OFFSET: usize = named(SEEK, "offset");
    const WHENCE: usize = named(SEEK, "whence");
    let Some(file) = file(call).filter(|_| ok) else {
        return;
    };
    let (offset, whence) = (call.offset(OFFSET), call.int(WHENCE));
    let known = call.mpi.abi.seek;
    let froms = [
        (known.set, SeekFrom::Start),
        (known.cur, SeekFrom::Current),
        (known.end, SeekFrom::End),
    ];
    let Some((_, from)) = froms.into_iter().find(|(it, _)| *it == whence) else {
        return;
    };
    let position = match from {
        SeekFrom::Start => u64::try_from(offset).ok(),
        _ if call.function == SEEK => own_position(call),
        _ => None, // to ask for the shared pointer may take a lock on the file
    };
    let seek = FileSeek {
        file: file.id,
        from,
        offset,
        position,
    };
    tell(call, FileFact::Seek(seek));
}

/// Asks MPI for this process's pointer, which is a number in its memory.
fn own_position(call: &ObservedCall) -> Option<u64> {
    let handle = handle(call)?;
    // SAFETY: MPI has just moved the pointer of this open file.
    let position = unsafe { call.mpi.file_position(handle) };
    u64::try_from(position.ok()??).ok()
}
