//! Files unified: their names, and the openings of each (MPI 4.1, §14.2).
//!
//! A file that several processes open together has one handle, as a window is one: all members of
//! a communicator open their files on it in the same order, so communicator and number there tell
//! which it is. Every process has an MPI_COMM_SELF of its own, and so handles of its own there.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::communicators::{Communicators, GroupKind};
use crate::drain::Written;
use crate::process::Process;

/// Number of the paradigm of files.
pub(crate) const MPI_IO: u8 = 0;

/// An opening of a file in the archive; its number is its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHandle {
    /// Position of the file's name in [`Files::names`].
    pub name: u32,
    /// The archive's number of the communicator.
    pub comm: u32,
}

/// All files of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files {
    /// Their names, as the processes saw them, in order.
    pub names: Vec<String>,
    /// Each time that one was opened.
    pub handles: Vec<FileHandle>,
}

/// What a run did to a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FileUse {
    /// Its name, as the processes saw it.
    pub name: String,
    /// How often it was opened: once by all who opened it together.
    pub openings: u64,
    /// Bytes read, of all processes.
    pub bytes_read: u64,
    /// Bytes written, of all processes.
    pub bytes_written: u64,
    /// Reads and writes of which nobody says how many bytes they moved.
    pub unknown: u64,
    /// How long reads, writes and flushes took from their begins to their ends, each for itself.
    pub nanoseconds: u64,
}

impl Files {
    /// Adds up what was written of all locations, the file of most bytes first.
    pub fn used(&self, written: &[Written]) -> Vec<FileUse> {
        let named = |name: &String| FileUse {
            name: name.clone(),
            ..FileUse::default()
        };
        let mut all: Vec<FileUse> = self.names.iter().map(named).collect();
        for handle in &self.handles {
            if let Some(file) = all.get_mut(handle.name as usize) {
                file.openings += 1;
            }
        }
        for &(handle, [read, wrote, unknown, took]) in written.iter().flat_map(|it| &it.files) {
            let handle = self.handles.get(handle as usize);
            let Some(file) = handle.and_then(|it| all.get_mut(it.name as usize)) else {
                continue;
            };
            for (sum, more) in [
                (&mut file.bytes_read, read),
                (&mut file.bytes_written, wrote),
                (&mut file.unknown, unknown),
                (&mut file.nanoseconds, took),
            ] {
                *sum = sum.saturating_add(more);
            }
        }
        all.retain(|file| file.openings > 0); // others were deleted, no more
        all.sort_by_key(|it| std::cmp::Reverse(it.bytes_read.saturating_add(it.bytes_written)));
        all
    }
}

/// What one process calls by its own numbers, and the archive's numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Maps {
    pub handles: Vec<(u32, u32)>,
    pub names: Vec<(u32, u32)>,
}

/// Unifies the files of all processes: handles are numbered as they are met, rank by rank. One
/// whose communicator or name is not in the archive is left out.
pub(crate) fn unify(processes: &[&Process], communicators: &Communicators) -> (Files, Vec<Maps>) {
    let mut files = Files {
        names: names(processes),
        handles: Vec::new(),
    };
    let mut known = BTreeMap::new();
    let mut maps = Vec::new();
    for (process, comms) in processes.iter().zip(&communicators.maps) {
        let of_names = numbered(&process.file_names, &files.names);
        let known_names: BTreeMap<u32, u32> = of_names.iter().copied().collect();
        let mut handles = Vec::new();
        for file in &process.files {
            let comm = comms.iter().find(|(own, _)| *own == file.comm);
            let name = known_names.get(&file.name);
            let (Some(&(_, comm)), Some(&name)) = (comm, name) else {
                continue;
            };
            let alone = is_alone(comm, communicators).then_some(process.identity.rank);
            let number = *known.entry((comm, file.number, alone)).or_insert_with(|| {
                files.handles.push(FileHandle { name, comm });
                files.handles.len() as u32 - 1
            });
            handles.push((file.id, number));
        }
        maps.push(Maps {
            handles,
            names: of_names,
        });
    }
    (files, maps)
}

/// Returns whether a communicator is MPI_COMM_SELF, one number for those of all processes.
fn is_alone(comm: u32, all: &Communicators) -> bool {
    let group = all.communicators.get(comm as usize).map(|it| it.group);
    let group = group.and_then(|group| all.groups.get(group as usize));
    group.is_some_and(|group| group.kind == GroupKind::Alone)
}

fn names(processes: &[&Process]) -> Vec<String> {
    let all = processes.iter().flat_map(|process| &process.file_names);
    let mut names: Vec<String> = all.map(|(_, name)| name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// Puts the archive's numbers in the place of a process's names.
fn numbered(own: &[(u32, String)], all: &[String]) -> Vec<(u32, u32)> {
    let number = |(id, name): &(u32, String)| Some((*id, all.binary_search(name).ok()? as u32));
    own.iter().filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_and_bytes_are_added_up_by_name() {
        let handle = |name| FileHandle { name, comm: 0 };
        let files = Files {
            names: ["/deleted", "/few", "/most"].map(String::from).into(),
            handles: vec![handle(1), handle(2), handle(2)],
        };
        let location = |files: &[(u32, [u64; 4])]| Written {
            files: files.to_vec(),
            ..Written::default()
        };
        let written = [
            location(&[(0, [5, 0, 1, 10]), (1, [100, 0, 0, 20])]),
            location(&[(2, [0, 50, 0, 30]), (1, [u64::MAX, 0, 0, 1]), (9, [1; 4])]),
        ];
        let used = files.used(&written);
        let sums = used.iter().map(|it| {
            let bytes = [it.bytes_read, it.bytes_written];
            (
                it.name.as_str(),
                it.openings,
                bytes,
                it.unknown,
                it.nanoseconds,
            )
        });
        assert_eq!(
            sums.collect::<Vec<_>>(),
            [
                ("/most", 2, [u64::MAX, 50], 0, 51),
                ("/few", 1, [5, 0], 1, 10)
            ]
        );
    }
}
