//! Files, from facts to OTF2's events.

use std::collections::BTreeMap;

use otf2::{
    Event, IoAccessMode, IoCreationFlag, IoOperationFlag, IoOperationMode, IoSeekOption,
    IoStatusFlag,
};

use super::{look_up, Converter};
use crate::files::MPI_IO;
use crate::record::{FileAccess, FileEnd, FileFact, FileOperation, FileSeek, OpenMode, UNSEEN};

/// OTF2's word for a size or position that is not known.
const UNKNOWN: u64 = u64::MAX;

impl Converter<'_> {
    /// Returns the event of a fact; nothing if the archive does not know the file.
    pub(super) fn file_event(&mut self, fact: FileFact, time: u64) -> Option<Event> {
        self.in_files.count(fact, time);
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
            FileFact::Complete(it) => Event::IoOperationComplete {
                handle: file(it.file)?,
                bytes_result: it.bytes.unwrap_or(UNKNOWN),
                matching_id: it.id.into(),
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

/// What a location did to files, by the process's numbers of them.
#[derive(Default)]
pub(crate) struct InFiles {
    sums: BTreeMap<u32, Moved>,
    /// When operations began that are not complete.
    under_way: BTreeMap<(u32, u32), u64>,
}

/// What was moved between memory and a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Moved {
    pub read: u64,
    pub written: u64,
    /// Operations of which it is not known how much they moved.
    pub unknown: u64,
    /// From their begins to their ends.
    pub nanoseconds: u64,
}

impl InFiles {
    fn count(&mut self, fact: FileFact, time: u64) {
        match fact {
            FileFact::Access(it, id) => {
                self.under_way.insert((it.file, id), time);
            }
            FileFact::Complete(it) => self.add(it, time),
            FileFact::Cancelled(file, id) => {
                self.under_way.remove(&(file, id));
            }
            _ => {}
        }
    }

    fn add(&mut self, end: FileEnd, time: u64) {
        let began = self.under_way.remove(&(end.file, end.id));
        let sum = self.sums.entry(end.file).or_default();
        let bytes = match end.operation {
            FileOperation::Read => Some(&mut sum.read),
            FileOperation::Write => Some(&mut sum.written),
            FileOperation::Flush => None,
        };
        match (bytes, end.bytes) {
            (Some(sum), Some(bytes)) => *sum = sum.saturating_add(bytes),
            (Some(_), None) => sum.unknown += 1,
            (None, _) => {}
        }
        let took = time.saturating_sub(began.unwrap_or(time));
        sum.nanoseconds = sum.nanoseconds.saturating_add(took);
    }
}

impl Converter<'_> {
    /// Returns what the location did to each file, by the archive's numbers of openings.
    pub fn moved(&self) -> impl Iterator<Item = (u32, Moved)> + '_ {
        let sums = self.in_files.sums.iter();
        sums.filter_map(|(&file, &moved)| Some((look_up(&self.files, file)?, moved)))
    }
}

/// Returns whether a fact is of an operation that began while recording was off: OTF2 has no
/// event for the end of what never began.
pub(super) fn began_unseen(fact: FileFact) -> bool {
    match fact {
        FileFact::Issued(_, id) | FileFact::Cancelled(_, id) | FileFact::Tested(_, id) => {
            id & UNSEEN != 0
        }
        FileFact::Complete(it) => it.id & UNSEEN != 0,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_times_are_added_up_by_file() {
        let mut files = InFiles::default();
        let access = |operation, id| {
            let it = FileAccess {
                file: 3,
                operation,
                is_collective: false,
                is_nonblocking: true,
                bytes: 64,
            };
            FileFact::Access(it, id)
        };
        let end = |operation, id, bytes| {
            FileFact::Complete(FileEnd {
                file: 3,
                id,
                operation,
                bytes,
            })
        };
        use FileOperation::{Flush, Read, Write};
        files.count(access(Write, 1), 10);
        files.count(access(Read, 2), 20);
        files.count(end(Read, 2, Some(32)), 50);
        files.count(end(Write, 1, Some(64)), 60);
        files.count(access(Read, 3), 60);
        files.count(end(Read, 3, None), 65);
        files.count(access(Flush, 4), 70);
        files.count(end(Flush, 4, Some(0)), 71);
        // Another thread began it: how long it took is not known here.
        files.count(end(Read, 9, Some(8)), 100);
        files.count(access(Read, 5), 100);
        files.count(FileFact::Cancelled(3, 5), 200);
        let expected = Moved {
            read: 40,
            written: 64,
            unknown: 1,
            nanoseconds: 30 + 50 + 5 + 1,
        };
        assert_eq!(files.sums.get(&3), Some(&expected));
        assert!(files.under_way.is_empty());
    }

    #[test]
    fn modes_are_flags_of_otf2() {
        let mode = OpenMode::READ | OpenMode::WRITE | OpenMode::CREATE | OpenMode::SEQUENTIAL;
        let expected = Event::IoCreateHandle {
            handle: 7,
            mode: IoAccessMode::READ_WRITE,
            creation_flags: IoCreationFlag::CREATE | IoCreationFlag::NO_SEEK,
            status_flags: IoStatusFlag::APPEND,
        };
        assert_eq!(opened(7, OpenMode(mode | OpenMode::APPEND)), expected);
    }
}
