//! Files, from facts to OTF2's events.

use otf2::{
    Event, IoAccessMode, IoCreationFlag, IoOperationFlag, IoOperationMode, IoSeekOption,
    IoStatusFlag,
};

use super::{look_up, Converter};
use crate::definitions::MPI_IO;
use crate::record::{FileAccess, FileFact, FileSeek, OpenMode, UNSEEN};

/// OTF2's word for a size or position that is not known.
const UNKNOWN: u64 = u64::MAX;

impl Converter {
    /// Returns the event of a fact; nothing if the archive does not know the file.
    pub(super) fn file_event(&self, fact: FileFact) -> Option<Event> {
        let file = |file| look_up(&self.files, file);
        Some(match fact {
            FileFact::Opened(id, mode) => opened(file(id)?, mode),
            FileFact::Closed(id) => Event::IoDestroyHandle { handle: file(id)? },
            FileFact::Deleted(name) => Event::IoDeleteFile {
                io_paradigm: MPI_IO,
                file: look_up(&self.file_names, name)?,
            },
            FileFact::Seek(it) => seek(file(it.file)?, it),
            FileFact::Access(it, id) => begin(file(it.file)?, it, id.into()),
            FileFact::Issued(id, operation) => Event::IoOperationIssued {
                handle: file(id)?,
                matching_id: operation.into(),
            },
            FileFact::Complete(id, operation, bytes) => Event::IoOperationComplete {
                handle: file(id)?,
                bytes_result: bytes.unwrap_or(UNKNOWN),
                matching_id: operation.into(),
            },
            FileFact::Cancelled(id, operation) => Event::IoOperationCancelled {
                handle: file(id)?,
                matching_id: operation.into(),
            },
            FileFact::Tested(id, operation) => Event::IoOperationTest {
                handle: file(id)?,
                matching_id: operation.into(),
            },
        })
    }
}

/// Returns whether a fact is of an operation that began while recording was off: OTF2 has no
/// event for the end of what never began.
pub(super) fn began_unseen(fact: FileFact) -> bool {
    match fact {
        FileFact::Issued(_, id)
        | FileFact::Complete(_, id, _)
        | FileFact::Cancelled(_, id)
        | FileFact::Tested(_, id) => id & UNSEEN != 0,
        _ => false,
    }
}

fn opened(handle: u32, mode: OpenMode) -> Event {
    let access = match (mode.has(OpenMode::READ), mode.has(OpenMode::WRITE)) {
        (true, true) => IoAccessMode::READ_WRITE,
        (false, true) => IoAccessMode::WRITE_ONLY,
        _ => IoAccessMode::READ_ONLY,
    };
    let creation = [
        (OpenMode::CREATE, IoCreationFlag::CREATE),
        (OpenMode::EXCLUSIVE, IoCreationFlag::EXCLUSIVE),
        (OpenMode::UNIQUE, IoCreationFlag::UNIQUE),
        (OpenMode::SEQUENTIAL, IoCreationFlag::NO_SEEK),
    ];
    let status = [
        (OpenMode::APPEND, IoStatusFlag::APPEND),
        (OpenMode::DELETE_ON_CLOSE, IoStatusFlag::DELETE_ON_CLOSE),
    ];
    let created = creation.into_iter().filter(|(bit, _)| mode.has(*bit));
    let has_status = status.into_iter().filter(|(bit, _)| mode.has(*bit));
    Event::IoCreateHandle {
        handle,
        mode: access,
        creation_flags: created.fold(IoCreationFlag::NONE, |all, (_, flag)| all | flag),
        status_flags: has_status.fold(IoStatusFlag::NONE, |all, (_, flag)| all | flag),
    }
}

fn seek(handle: u32, it: FileSeek) -> Event {
    Event::IoSeek {
        handle,
        offset_request: it.offset,
        whence: IoSeekOption(it.from as u8),
        offset_result: it.position.unwrap_or(UNKNOWN),
    }
}

fn begin(handle: u32, it: FileAccess, matching_id: u64) -> Event {
    let flag = |is, flag| if is { flag } else { IoOperationFlag::NONE };
    Event::IoOperationBegin {
        handle,
        mode: IoOperationMode(it.operation as u8),
        operation_flags: flag(it.is_collective, IoOperationFlag::COLLECTIVE)
            | flag(it.is_nonblocking, IoOperationFlag::NON_BLOCKING),
        bytes_request: it.bytes,
        matching_id,
    }
}
