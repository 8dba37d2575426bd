//! The folder of a run in this host's shared memory: made by whoever comes
//! first, removed by whoever leaves last, and found again when its run has died.
//!
//! ```text
//! /dev/shm/mpiscope-UID-ID/run     a link to the run directory
//! /dev/shm/mpiscope-UID-ID/…       what its processes write to, mapped while they live
//! ```
//!
//! Memory that nobody gives back is gone until the host restarts, and so is
//! what a dead run left in it. A run is dead if no process, in whatever
//! container, has a file of the folder open for writing and no command of ours
//! works on its directory. What it left is moved into the run directory, where
//! every command looks for it as well.

use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{symlink, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::stored::Stored;
use crate::{directory, Error};

/// Where memory lies that outlives a process.
pub const SHARED_MEMORY: &str = "/dev/shm";

/// The link to the run directory.
const LINK: &str = "run";

/// Chooses the signal of a lease (Linux); libc has no name for it.
const F_SETSIG: i32 = 10;

/// Bytes of one block, as the kernel counts them.
const BLOCK: u64 = 512;

/// Returns the folder of a run on this host.
pub fn folder(run_id: &str) -> PathBuf {
    Path::new(SHARED_MEMORY).join(format!("{}{run_id}", prefix()))
}

/// What the folders of this user's runs begin with.
fn prefix() -> String {
    // SAFETY: getuid has no failure.
    let uid = unsafe { libc::getuid() };
    format!("mpiscope-{uid}-")
}

/// Makes the folder of a run, and in it the link to the run directory.
///
/// # Errors
/// When the folder cannot be made; the link is only for the living that clean up.
pub fn make(run: &Path, run_id: &str) -> io::Result<PathBuf> {
    let folder = folder(run_id);
    fs::create_dir_all(&folder)?;
    let _ = symlink(std::path::absolute(run)?, folder.join(LINK));
    Ok(folder)
}

/// Removes a folder in which nobody left anything.
pub fn remove(folder: &Path) {
    let is_link = |name: &std::ffi::OsString| name == LINK;
    if names(folder).iter().all(is_link) {
        let _ = fs::remove_file(folder.join(LINK));
        let _ = fs::remove_dir(folder);
    }
}

fn names(folder: &Path) -> Vec<std::ffi::OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}

/// Files of a folder, without the link.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = names(folder).iter().map(|it| folder.join(it)).collect();
    paths.retain(|path| fs::symlink_metadata(path).is_ok_and(|it| it.is_file()));
    paths.sort();
    paths
}

/// A command of ours works on a run, until this is dropped.
#[derive(Debug)]
#[must_use = "the run is worked on as long as it lives"]
pub struct AtWork(#[allow(dead_code)] Option<File>);

/// Says that this process works on a run, so that no other takes it for dead.
/// File systems that have no locks let everybody work on it.
pub fn at_work(run: &Path) -> AtWork {
    let mut shared = whole_file(libc::F_RDLCK);
    let mut locked = |file: &File| of_file(file, libc::F_OFD_SETLK, &mut shared).is_ok();
    AtWork(File::open(run).ok().filter(|file| locked(file)))
}

/// Returns whether a run is still being made, as far as this host can tell: a command of ours works
/// on it, or a process has a file of its folder here open for writing.
pub fn is_alive(run: &Path, run_id: &str) -> bool {
    let written = || files(&folder(run_id)).iter().any(|it| is_written(it));
    is_worked_on(run) || (!run_id.is_empty() && written())
}

/// Whether a command of ours works on a run. It is asked without taking the lock
/// even for a moment: who asks at the same time would take us for somebody at work.
fn is_worked_on(run: &Path) -> bool {
    let mut alone = whole_file(libc::F_WRLCK);
    let asked = File::open(run).and_then(|file| of_file(&file, libc::F_OFD_GETLK, &mut alone));
    asked.is_ok() && alone.l_type != libc::F_UNLCK as libc::c_short
}

/// A lock of a file from its begin to wherever it ends.
fn whole_file(kind: libc::c_int) -> libc::flock {
    // SAFETY: zeros are a valid value of all fields; the kernel wants 0 as process.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = kind as libc::c_short;
    lock.l_whence = libc::SEEK_SET as libc::c_short;
    lock
}

/// Sets, or asks for, a lock that belongs to the open file.
fn of_file(file: &File, what: libc::c_int, lock: &mut libc::flock) -> io::Result<()> {
    // SAFETY: the descriptor is open and the lock is ours.
    match unsafe { libc::fcntl(file.as_raw_fd(), what, lock) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Whether a process has a file open, or mapped, for writing. The kernel grants
/// a lease for reading only where nobody has.
fn is_written(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false; // it is gone
    };
    let lease = |kind: i32| {
        // SAFETY: the descriptor is open.
        unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, kind) }
    };
    // Who opens it for writing meanwhile waits, and we get a signal: one that ends nobody.
    // SAFETY: the descriptor is open.
    unsafe { libc::fcntl(file.as_raw_fd(), F_SETSIG, libc::SIGURG) };
    if lease(libc::F_RDLCK) == 0 {
        lease(libc::F_UNLCK);
        return false;
    }
    // Whatever else goes wrong: nobody may take it for dead.
    true
}

/// What a dead run left in this host's shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leftover {
    /// Where it lies.
    pub folder: PathBuf,
    /// The directory of the run, whether or not it is still there; none if
    /// nothing tells.
    pub run: Option<PathBuf>,
    /// Bytes that it holds.
    pub bytes: u64,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reclaimed {
    /// It lies in the directory of its run now.
    Kept,
    /// Its run was deleted, and it with it.
    Removed,
    /// Another command gives it back, and has been at it for a while.
    Elsewhere,
    /// Nothing tells where its run is; it stays.
    Unknown,
}

/// How long one waits for another command that gives the same memory back.
const PATIENCE: Duration = Duration::from_secs(10);

/// Finds what this user's dead runs left.
pub fn leftovers() -> Vec<Leftover> {
    leftovers_in(Path::new(SHARED_MEMORY))
}

fn leftovers_in(memory: &Path) -> Vec<Leftover> {
    let prefix = prefix();
    let ours = |name: &std::ffi::OsString| name.as_bytes().starts_with(prefix.as_bytes());
    let mut folders = names(memory);
    folders.retain(ours);
    folders.sort();
    let found = folders
        .iter()
        .filter_map(|name| leftover(memory.join(name)));
    found.collect()
}

fn leftover(folder: PathBuf) -> Option<Leftover> {
    // The link goes last: without one there is nothing that somebody gives back just now.
    let run = fs::read_link(folder.join(LINK)).ok();
    let files = files(&folder);
    let alive = run.as_deref().is_some_and(is_worked_on) || files.iter().any(|it| is_written(it));
    if alive || files.is_empty() {
        return None;
    }
    let blocks = files.iter().filter_map(|path| fs::metadata(path).ok());
    let bytes = blocks.map(|it| it.blocks() * BLOCK).sum();
    Some(Leftover { folder, run, bytes })
}

impl Leftover {
    /// Gives the memory back: what is of a run that is still there moves into its
    /// directory, and what is of one that was deleted is deleted.
    ///
    /// # Errors
    /// When a file cannot be moved; it and those after it stay.
    pub fn reclaim(&self) -> Result<Reclaimed, Error> {
        let Some(run) = &self.run else {
            return Ok(Reclaimed::Unknown);
        };
        let there = fs::metadata(run).is_ok_and(|it| it.is_dir());
        // Where even the folder around it is missing, a disk may be away.
        let around = || run.parent().is_some_and(Path::is_dir);
        if !there && !around() {
            return Ok(Reclaimed::Unknown);
        }
        let Some(_alone) = alone(&self.folder) else {
            return Ok(Reclaimed::Elsewhere);
        };
        for path in files(&self.folder) {
            if there {
                keep(&path, run)?;
            }
            fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
        }
        remove(&self.folder);
        Ok(match there {
            true => Reclaimed::Kept,
            false => Reclaimed::Removed,
        })
    }
}

/// Waits until no other command gives a folder back, and keeps others away as long
/// as what is returned lives; nothing after a while. A folder that is gone is nobody's.
fn alone(folder: &Path) -> Option<Option<File>> {
    let Ok(file) = File::open(folder) else {
        return Some(None);
    };
    let begin = Instant::now();
    // SAFETY: the descriptor is open.
    while unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
        if begin.elapsed() > PATIENCE {
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Some(Some(file))
}

/// Copies a file into the buffers of its run, whole or not at all.
pub(crate) fn keep(path: &Path, run: &Path) -> Result<(), Error> {
    let target = directory::buffers(run);
    fs::create_dir_all(&target).map_err(|e| Error::io(&target, e))?;
    let to = target.join(path.file_name().unwrap_or_default());
    let unfinished = to.with_extension("moving");
    let _ = fs::remove_file(&unfinished);
    let copied = match Stored::open(path, run) {
        Ok(buffer) => buffer.copy_to(&unfinished),
        Err(_) => copy(path, &unfinished),
    };
    let moved = copied.and_then(|()| fs::rename(&unfinished, &to));
    moved.map_err(|e| {
        let _ = fs::remove_file(&unfinished);
        Error::io(&to, e)
    })
}

/// Copies a file, without its holes.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = File::options().write(true).create_new(true).open(to)?;
    target.set_permissions(fs::Permissions::from_mode(0o600))?;
    let end = source.metadata()?.len();
    let mut at = 0;
    while let Some(begin) = seek(&source, at, libc::SEEK_DATA)?.filter(|begin| *begin < end) {
        at = seek(&source, begin, libc::SEEK_HOLE)?.unwrap_or(end);
        source.seek(SeekFrom::Start(begin))?;
        target.seek(SeekFrom::Start(begin))?;
        io::copy(&mut io::Read::take(&source, at - begin), &mut target)?;
    }
    target.set_len(end)
}

/// Returns where data, or a hole, begins; nothing if none does.
fn seek(file: &File, from: u64, whence: i32) -> io::Result<Option<u64>> {
    // SAFETY: the descriptor is open.
    let at = unsafe { libc::lseek(file.as_raw_fd(), from as i64, whence) };
    match at {
        -1 => {
            let error = io::Error::last_os_error();
            match error.raw_os_error() {
                Some(libc::ENXIO) => Ok(None),
                _ => Err(error),
            }
        }
        at => Ok(Some(at as u64)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::mapping::Mapping;

    /// A memory with the folder of a run in it, in which `holder` lies.
    fn example(memory: &Path, run: &Path, name: &str) -> PathBuf {
        let folder = memory.join(format!("{}{name}", prefix()));
        fs::create_dir_all(&folder).unwrap();
        symlink(run, folder.join(LINK)).unwrap();
        fs::write(folder.join("a.order"), b"what it wrote").unwrap();
        folder
    }

    fn memory() -> tempfile::TempDir {
        tempfile::tempdir_in(SHARED_MEMORY).unwrap()
    }

    #[test]
    fn what_a_dead_run_left_moves_into_its_directory() {
        let (memory, run) = (memory(), tempfile::tempdir().unwrap());
        let folder = example(memory.path(), run.path(), "dead");
        let [found] = &leftovers_in(memory.path())[..] else {
            panic!("one was left");
        };
        assert_eq!(found.run.as_deref(), Some(run.path()));
        assert!(found.bytes > 0);
        assert_eq!(found.reclaim().unwrap(), Reclaimed::Kept);
        let kept = fs::read(directory::buffers(run.path()).join("a.order")).unwrap();
        assert_eq!(kept, b"what it wrote");
        assert!(!folder.exists());
    }

    /// Who asks whether a run is dead must be in nobody's way who asks the same.
    #[test]
    fn many_ask_and_many_give_back_at_once() {
        let (memory, run) = (memory(), tempfile::tempdir().unwrap());
        for round in 0..20 {
            let folder = example(memory.path(), run.path(), &format!("dead{round}"));
            let gone = |_| {
                for found in leftovers_in(memory.path()) {
                    assert_eq!(found.reclaim().unwrap(), Reclaimed::Kept);
                }
                assert!(files(&folder).is_empty());
            };
            std::thread::scope(|scope| {
                (0..4).for_each(|it| drop(scope.spawn(move || gone(it))));
            });
            assert!(!folder.exists());
        }
    }

    #[test]
    fn what_is_of_a_deleted_run_is_deleted() {
        let (memory, run) = (memory(), tempfile::tempdir().unwrap());
        let folder = example(memory.path(), &run.path().join("deleted"), "deleted");
        let found = leftovers_in(memory.path());
        assert_eq!(found[0].reclaim().unwrap(), Reclaimed::Removed);
        assert!(!folder.exists());
    }

    #[test]
    fn where_a_disk_may_be_away_everything_stays() {
        let memory = memory();
        let folder = example(memory.path(), Path::new("/no/such/disk"), "away");
        let found = leftovers_in(memory.path());
        assert_eq!(found[0].reclaim().unwrap(), Reclaimed::Unknown);
        assert!(folder.join("a.order").exists());
    }

    /// A mapping holds a file after its descriptor was closed, which is what agents do.
    #[test]
    fn what_is_mapped_or_worked_on_is_alive() {
        let (memory, run) = (memory(), tempfile::tempdir().unwrap());
        let folder = example(memory.path(), run.path(), "alive");
        let path = folder.join("mapped");
        fs::write(&path, [0; 4096]).unwrap();
        let mapped = {
            let file = File::options().read(true).write(true).open(&path).unwrap();
            Mapping::of_process(&file, 0, 4096).unwrap()
        };
        assert_eq!(leftovers_in(memory.path()), []);
        drop(mapped);
        assert_eq!(leftovers_in(memory.path()).len(), 1);
        let work = at_work(run.path());
        assert_eq!(leftovers_in(memory.path()), []);
        drop(work);
        // A program that another test starts just now holds the lock, too, until it is executed.
        let begun = Instant::now();
        while leftovers_in(memory.path()).is_empty() && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(leftovers_in(memory.path()).len(), 1);
    }

    #[test]
    fn a_folder_goes_with_the_last_that_leaves_it() {
        let (memory, run) = (memory(), tempfile::tempdir().unwrap());
        let folder = example(memory.path(), run.path(), "ends");
        remove(&folder);
        assert!(folder.join(LINK).exists());
        fs::remove_file(folder.join("a.order")).unwrap();
        remove(&folder);
        assert!(!folder.exists());
    }

    #[test]
    fn holes_are_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        let mut file = File::create(&from).unwrap();
        io::Write::write_all(&mut file, b"begin").unwrap();
        file.seek(SeekFrom::Start(1 << 20)).unwrap();
        io::Write::write_all(&mut file, b"end").unwrap();
        file.set_len(1 << 30).unwrap();
        copy(&from, &to).unwrap();
        assert_eq!(fs::metadata(&to).unwrap().len(), 1 << 30);
        assert!(fs::metadata(&to).unwrap().blocks() * BLOCK < 1 << 20);
        let bytes = fs::read(&to).unwrap();
        assert_eq!(
            (&bytes[..5], &bytes[1 << 20..][..3]),
            (&b"begin"[..], &b"end"[..])
        );
    }
}
