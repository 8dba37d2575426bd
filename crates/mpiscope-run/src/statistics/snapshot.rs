//! `RUN/stats/node/HOST.snapshot`: what the ranks of one host have counted so
//! far, renewed every few seconds, for whoever looks from another host. The
//! last one stays if the host dies.
//!
//! ```text
//! MPSSNAPS
//! ranks     each its length (8 bytes, little-endian) and what its file would hold
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use super::file::{pack, parse};
use super::read::tables_of_processes;
use super::Process;
use crate::run_info::write_atomically;
use crate::system::without_size_signal;
use crate::{directory, Error};

const MAGIC: &[u8] = b"MPSSNAPS";
const LENGTH: usize = 8;

fn folder(run: &Path) -> PathBuf {
    run.join("stats").join("node")
}

fn path(run: &Path, host: &str) -> PathBuf {
    folder(run).join(format!("{}.snapshot", host.replace('/', "_")))
}

/// Writes what all processes whose tables lie in a directory have counted so far.
///
/// # Errors
/// When the file cannot be written. A table that cannot be read is left out.
pub fn write(run: &Path, tables: &Path, host: &str) -> Result<(), Error> {
    let (processes, _) = tables_of_processes(&[tables.to_owned(), directory::buffers(run)]);
    let mut bytes = MAGIC.to_vec();
    for tables in processes {
        if let Ok((_, packed)) = pack(&tables) {
            bytes.extend((packed.len() as u64).to_le_bytes());
            bytes.extend(packed);
        }
    }
    fs::create_dir_all(folder(run)).map_err(|e| Error::io(&folder(run), e))?;
    without_size_signal(|| write_atomically(&path(run, host), &bytes))
}

/// Removes a host's snapshot: its ranks have ended and written their files.
pub fn remove(run: &Path, host: &str) {
    let _ = fs::remove_file(path(run, host));
    let _ = fs::remove_dir(folder(run));
}

/// Reads what all hosts have left, and says what could not be read.
pub fn read(run: &Path) -> (Vec<Process>, Vec<Error>) {
    let entries = fs::read_dir(folder(run)).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = (entries.map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "snapshot"))
        .collect();
    paths.sort();
    let (mut processes, mut errors) = (Vec::new(), Vec::new());
    for path in paths {
        match fs::read(&path) {
            Ok(bytes) => match take_apart(&bytes, &mut processes) {
                Ok(()) => {}
                Err(what) => errors.push(Error::damaged(&path, what)),
            },
            Err(error) => errors.push(Error::io(&path, error)),
        }
    }
    (processes, errors)
}

fn take_apart(bytes: &[u8], processes: &mut Vec<Process>) -> Result<(), String> {
    let mut rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("it does not begin as a snapshot of statistics")?;
    while !rest.is_empty() {
        let (length, more) = rest
            .split_first_chunk::<LENGTH>()
            .ok_or("it is cut short")?;
        let length = u64::from_le_bytes(*length) as usize;
        let packed = more.get(..length).ok_or("it is cut short")?;
        processes.push(parse(packed)?);
        rest = &more[length..];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Note, Table, ENDING};
    use super::*;
    use crate::process::{line_of, Identity};
    use crate::ticks::Triple;

    fn table(folder: &Path, rank: u32) {
        let name = format!("host-{rank}-1-0.{ENDING}");
        let mut table = Table::create(folder, &name, folder, 4, Triple::default(), None).unwrap();
        let pid = &table.header().pid;
        pid.store(100 + rank, std::sync::atomic::Ordering::Relaxed);
        let identity = Identity {
            rank,
            ..Identity::default()
        };
        table
            .notes()
            .note(&line_of(&Note::Identity(Box::new(identity))));
        table.allocate(1);
        table.publish();
    }

    #[test]
    fn the_ranks_of_a_host_are_read_from_elsewhere() {
        let (run, shm) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        (4..7).for_each(|rank| table(shm.path(), rank));
        write(run.path(), shm.path(), "node3").unwrap();
        let (processes, errors) = read(run.path());
        let ranks: Vec<u32> = processes.iter().map(|p| p.identity.rank).collect();
        assert_eq!((ranks, errors.len()), (vec![4, 5, 6], 0));
        remove(run.path(), "node3");
        assert!(read(run.path()).0.is_empty());
    }

    #[test]
    fn a_snapshot_cut_short_gives_its_whole_ranks() {
        let (run, shm) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        (0..2).for_each(|rank| table(shm.path(), rank));
        write(run.path(), shm.path(), "node3").unwrap();
        let bytes = fs::read(path(run.path(), "node3")).unwrap();
        fs::write(path(run.path(), "node3"), &bytes[..bytes.len() - 1]).unwrap();
        let (processes, errors) = read(run.path());
        assert_eq!((processes.len(), errors.len()), (1, 1));
    }
}
