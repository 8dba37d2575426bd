//! The choices of one thread while its program runs: a file on `/dev/shm`
//! that survives its writer, as the buffers of events do.
//!
//! ```text
//! header page | notes (JSON lines) | window of the stream
//! stream [0, spilled)          RUN/spill/NAME.spilled
//! stream [spilled, committed)  the window
//! ```

mod read;

use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::stream::Sink;
use crate::system::{file_size_limit, map, reserve, without_size_signal};

pub use read::{head, pieces, read, Content};

/// Ending of a buffer's name.
pub const ENDING: &str = "order";
/// Thread number of the buffer that holds the order of posts among threads.
pub const TURNS: u32 = u32::MAX;

const MAGIC: u64 = u64::from_le_bytes(*b"MPSORDER");
const VERSION: u32 = 1;
const NOTES_AT: usize = 4096;
const NOTES: usize = 256 << 10;
const WINDOW_AT: usize = NOTES_AT + NOTES;
/// Bytes of the window, all of them reserved as they are needed.
const WINDOW: usize = 16 << 20;
const SIZE: usize = WINDOW_AT + WINDOW;
const STEP: usize = 256 << 10;

/// The first page; little-endian, as the machine is.
#[repr(C)]
struct Header {
    /// [`MAGIC`], written last.
    magic: AtomicU64,
    version: AtomicU32,
    pid: AtomicU32,
    thread: AtomicU32,
    /// 1 once the thread has said its last word.
    finished: AtomicU32,
    notes: AtomicU64,
    spilled: AtomicU64,
    lost: AtomicU64,
    lineage: AtomicU64,
    /// Bytes of the stream that are whole, on a line of its own.
    committed: Committed,
}

#[repr(C, align(64))]
struct Committed(AtomicU64);

/// The writing end; belongs to one thread, or to whoever holds its lock.
#[derive(Debug)]
pub struct Writer {
    base: NonNull<u8>,
    path: PathBuf,
    run: PathBuf,
    len: usize,
    limit: usize,
    spilled: u64,
    full: bool,
}

// SAFETY: the mapping is the writer's own and valid in any thread.
unsafe impl Send for Writer {}

/// Notes are appended by any thread of the process.
static NOTE: Mutex<()> = Mutex::new(());

impl Writer {
    /// Creates a buffer; what does not fit goes to a file in `run`.
    ///
    /// # Errors
    /// Whatever creating, reserving or mapping the file gave.
    pub fn create(path: &Path, run: &Path, thread: u32, lineage: u64) -> io::Result<Self> {
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        let made = map_new(&file);
        if made.is_err() {
            let _ = std::fs::remove_file(path);
        }
        let writer = Self {
            base: made?,
            path: path.to_owned(),
            run: run.to_owned(),
            len: 0,
            limit: STEP,
            spilled: 0,
            full: false,
        };
        let header = writer.header();
        header.version.store(VERSION, Ordering::Relaxed);
        header.pid.store(std::process::id(), Ordering::Relaxed);
        header.thread.store(thread, Ordering::Relaxed);
        header.lineage.store(lineage, Ordering::Relaxed);
        header.magic.store(MAGIC, Ordering::Release);
        Ok(writer)
    }

    /// Returns where the buffer lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line of notes, and says whether there was room.
    pub fn note(&self, line: &[u8]) -> bool {
        let _step = NOTE.lock().unwrap_or_else(PoisonError::into_inner);
        let header = self.header();
        let at = header.notes.load(Ordering::Relaxed) as usize;
        if at + line.len() > NOTES {
            return false;
        }
        // SAFETY: the notes are mapped and reserved, the range lies in them, and the lock makes us their only writer.
        unsafe {
            let target = self.base.as_ptr().add(NOTES_AT + at);
            std::ptr::copy_nonoverlapping(line.as_ptr(), target, line.len());
        }
        header
            .notes
            .store((at + line.len()) as u64, Ordering::Release);
        true
    }

    /// Marks the stream as ended by its thread.
    pub fn finish(&self) {
        self.header().finished.store(1, Ordering::Release);
    }

    fn header(&self) -> &Header {
        // SAFETY: the mapping is page-aligned, longer than a header, and every bit pattern is one.
        unsafe { self.base.cast::<Header>().as_ref() }
    }

    #[cold]
    fn make_room(&mut self, wanted: usize) -> bool {
        if self.full || wanted > WINDOW {
            self.header().lost.fetch_add(1, Ordering::Relaxed);
            return false;
        }
        if self.reserve_more(wanted) {
            return true;
        }
        if self.spill().is_err() {
            self.full = true;
            self.header().lost.fetch_add(1, Ordering::Relaxed);
            return false;
        }
        wanted <= self.limit || self.reserve_more(wanted)
    }

    fn reserve_more(&mut self, wanted: usize) -> bool {
        let end = (self.len + wanted).next_multiple_of(STEP).min(WINDOW);
        if self.len + wanted > end {
            return false;
        }
        let file = File::options().read(true).write(true).open(&self.path);
        let (at, more) = (WINDOW_AT + self.limit, end - self.limit);
        let done = file.is_ok_and(|file| without_size_signal(|| reserve(&file, at, more).is_ok()));
        if done {
            self.limit = end;
        }
        done
    }

    fn spill(&mut self) -> io::Result<()> {
        // SAFETY: `len` bytes of the window were written by this writer.
        let bytes =
            unsafe { std::slice::from_raw_parts(self.base.as_ptr().add(WINDOW_AT), self.len) };
        let path = spill_path(&self.run, &self.path);
        without_size_signal(|| {
            std::fs::create_dir_all(path.parent().unwrap_or(&self.run))?;
            let mut file = File::options().append(true).create(true).open(&path)?;
            file.write_all(bytes)
        })?;
        self.spilled += self.len as u64;
        self.len = 0;
        self.header().spilled.store(self.spilled, Ordering::Release);
        Ok(())
    }
}

impl Sink for Writer {
    #[inline]
    fn append(&mut self, entry: &[u8]) {
        if self.len + entry.len() > self.limit && !self.make_room(entry.len()) {
            return;
        }
        // SAFETY: so many bytes are reserved and mapped behind `len`, and this writer is the only one.
        unsafe {
            let target = self.base.as_ptr().add(WINDOW_AT + self.len);
            std::ptr::copy_nonoverlapping(entry.as_ptr(), target, entry.len());
        }
        self.len += entry.len();
        let committed = self.spilled + self.len as u64;
        self.header()
            .committed
            .0
            .store(committed, Ordering::Release);
    }

    #[inline]
    fn bump(&mut self) -> bool {
        if self.len == 0 || self.full {
            return false;
        }
        // SAFETY: the byte before `len` was written by this writer; readers see the old or the new one.
        unsafe {
            let last = self.base.as_ptr().add(WINDOW_AT + self.len - 1);
            last.write_volatile(last.read().wrapping_add(1));
        }
        true
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // SAFETY: base and size are those of the mapping, and its owner is gone.
        unsafe { libc::munmap(self.base.as_ptr().cast(), SIZE) };
    }
}

fn map_new(file: &File) -> io::Result<NonNull<u8>> {
    if SIZE as u64 > file_size_limit() {
        let what = format!("its {SIZE} bytes exceed the limit on file sizes (ulimit -f)");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    file.set_len(SIZE as u64)?;
    reserve(file, 0, WINDOW_AT + STEP)?;
    map(file, SIZE)
}

/// Returns where the part of a buffer lies that did not fit.
pub fn spill_path(run: &Path, buffer: &Path) -> PathBuf {
    let name = buffer.file_stem().unwrap_or_default();
    run.join("spill").join(name).with_extension("spilled")
}

/// Lists the buffers of choices in a directory, by name.
pub fn list(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
        .collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_committed_is_read_while_its_writer_lives() {
        let run = tempfile::tempdir().unwrap();
        let path = run.path().join("a-1-0.order");
        let mut writer = Writer::create(&path, run.path(), 3, 7).unwrap();
        let mut expected = Vec::new();
        // More than the window, so that some of it is spilled.
        for k in 0..WINDOW / 4000 + 10 {
            let entry = [k as u8; 4093];
            writer.append(&entry);
            expected.extend_from_slice(&entry);
        }
        assert!(writer.bump());
        *expected.last_mut().unwrap() += 1;
        assert!(writer.note(b"{}\n"));
        let content = read(&path, run.path()).unwrap();
        assert_eq!(
            (
                content.thread,
                content.lineage,
                content.finished,
                content.lost
            ),
            (3, 7, false, 0)
        );
        assert_eq!(content.notes, b"{}\n");
        assert!(content.stream == expected);
        writer.finish();
        assert!(read(&path, run.path()).unwrap().finished);
    }

    #[test]
    fn what_is_no_buffer_is_said() {
        let run = tempfile::tempdir().unwrap();
        let path = run.path().join("a.order");
        for bytes in [vec![], vec![0; 10], vec![0; 8192]] {
            std::fs::write(&path, bytes).unwrap();
            assert!(read(&path, run.path()).is_err());
        }
    }
}
