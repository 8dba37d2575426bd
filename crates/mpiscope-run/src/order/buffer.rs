//! The choices of one thread while its program runs: a file on `/dev/shm`
//! that survives its writer, as the buffers of events do.
//!
//! ```text
//! header page | the call under way | notes (JSON lines) | window of the stream
//! stream [0, spilled)          RUN/spill/NAME.spilled
//! stream [spilled, committed)  the window
//! ```
//!
//! A thread that ends leaves its buffer to the next one; a note tells where in
//! the stream that begins. All but the first thread's take from a [`Room`].

mod read;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::in_flight::InFlight;
use super::stream::Sink;
use crate::buffer::append;
use crate::growing_file::GrowingFile;
use crate::mapping::Mapping;
use crate::room::Room;
use crate::system::{reserve, without_size_signal};

pub use read::{head, pieces, reached, read, Content};

/// Ending of a buffer's name.
pub const ENDING: &str = "order";
/// Thread number of the buffer that holds the order of posts among threads.
pub const TURNS: u32 = u32::MAX;

const MAGIC: u64 = u64::from_le_bytes(*b"MPSORDER");
const VERSION: u32 = 4;
const ENDED: u32 = 2;
const IN_FLIGHT_AT: usize = 4096;
const NOTES_AT: usize = IN_FLIGHT_AT + size_of::<InFlight>().next_multiple_of(4096);
/// Bytes for notes, reserved as they come.
const NOTES: usize = 256 << 10;
const WINDOW_AT: usize = NOTES_AT + NOTES;
/// Bytes of the window, all of them reserved as they are needed.
const WINDOW: usize = 16 << 20;
const PAGE: usize = 4096;
/// Space is reserved in steps of this many bytes, for the first thread.
const STEP: usize = 256 << 10;

/// The first page; little-endian, as the machine is.
#[repr(C)]
struct Header {
    /// [`MAGIC`], written last.
    magic: AtomicU64,
    version: AtomicU32,
    pid: AtomicU32,
    thread: AtomicU32,
    /// 1 once the thread has said its last word in MPI_Finalize, [`ENDED`] if it ended before.
    finished: AtomicU32,
    notes: AtomicU64,
    notes_reserved: AtomicU64,
    spilled: AtomicU64,
    lost: AtomicU64,
    lineage: AtomicU64,
    /// Bytes of the stream that are whole, on a line of its own.
    committed: Committed,
    /// How far the thread has come, on another.
    progress: Progress,
}

/// How far a thread has come: kept in its buffer, so that it is known of the dead.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub struct Progress {
    /// Of all calls so far.
    pub hash: u64,
    /// How many.
    pub calls: u64,
    /// Of what statuses told of all messages so far.
    pub told: u64,
    /// How many messages.
    pub messages: u64,
}

#[repr(C, align(64))]
struct Committed(AtomicU64);

/// The writing end; belongs to one thread, or to whoever holds its lock.
#[derive(Debug)]
pub struct Writer {
    /// Where the file begins.
    base: NonNull<u8>,
    file: GrowingFile,
    run: PathBuf,
    len: usize,
    limit: usize,
    spilled: u64,
    full: bool,
}

/// A line of notes: from this byte of the stream on it is another thread's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Note {
    ThreadBegins { thread: u32, lineage: u64, at: u64 },
}

// SAFETY: the mapping is the writer's own and valid in any thread.
unsafe impl Send for Writer {}

/// Notes are appended by any thread of the process.
static NOTE: Mutex<()> = Mutex::new(());

impl Writer {
    /// Creates a buffer in `folder`, or if that has no room in the run; what
    /// does not fit goes to a file there.
    ///
    /// # Errors
    /// Whatever creating, reserving or mapping the file gave.
    pub fn create(
        folder: &Path,
        name: &str,
        run: &Path,
        (thread, lineage): (u32, u64),
        room: Option<&'static Room>,
    ) -> io::Result<Self> {
        let limit = room.map_or(STEP, |_| PAGE);
        let at_once = [0..NOTES_AT, WINDOW_AT..WINDOW_AT + limit];
        let file = GrowingFile::create((folder, name), run, at_once, WINDOW_AT + WINDOW, room)?;
        let writer = Self {
            base: file.base(),
            file,
            run: run.to_owned(),
            len: 0,
            limit,
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

    /// Has another thread go on behind the stream of one that has ended; false
    /// if there is no room to say so.
    pub fn hand_over(&mut self, thread: u32, lineage: u64) -> bool {
        let at = self.spilled + self.len as u64;
        let note = Note::ThreadBegins {
            thread,
            lineage,
            at,
        };
        let line = serde_json::to_vec(&note).map(|mut line| {
            line.push(b'\n');
            line
        });
        let done = !self.full && line.is_ok_and(|line| self.note(&line));
        if done {
            self.header().finished.store(0, Ordering::Relaxed);
            // SAFETY: both lie in the mapping, and nobody else has this buffer.
            unsafe {
                self.progress().write(Progress::default());
                self.in_flight().write_bytes(0, 1);
            }
        }
        done
    }

    /// Returns where the buffer lies.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Appends a line of notes, and says whether there was room.
    pub fn note(&self, line: &[u8]) -> bool {
        let _step = NOTE.lock().unwrap_or_else(PoisonError::into_inner);
        let header = self.header();
        let at = header.notes.load(Ordering::Relaxed) as usize;
        if !self.reserve_notes(at + line.len()) {
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

    fn reserve_notes(&self, end: usize) -> bool {
        let reserved = &self.header().notes_reserved;
        let before = reserved.load(Ordering::Relaxed) as usize;
        if end <= before {
            return true;
        }
        let wanted = end.next_multiple_of(PAGE);
        let done = end <= NOTES && self.file.grow(before, NOTES_AT + before, wanted - before);
        if done {
            reserved.store(wanted as u64, Ordering::Relaxed);
        }
        done
    }

    /// Marks the stream as that of a thread which has ended, before MPI_Finalize.
    pub fn end_thread(&self) {
        self.header().finished.store(ENDED, Ordering::Release);
    }

    /// Marks the stream as ended by its thread.
    pub fn finish(&self) {
        self.header().finished.store(1, Ordering::Release);
    }

    /// Returns where the thread keeps how far it has come, as long as the writer lives.
    pub fn progress(&self) -> NonNull<Progress> {
        // SAFETY: the header is mapped, and the field lies in it.
        unsafe { self.base.byte_add(std::mem::offset_of!(Header, progress)) }.cast()
    }

    /// Returns where the thread keeps the call that it is in, as long as the writer lives.
    pub fn in_flight(&self) -> NonNull<InFlight> {
        // SAFETY: the range is mapped and reserved, and page-aligned.
        unsafe { self.base.byte_add(IN_FLIGHT_AT) }.cast()
    }

    fn header(&self) -> &Header {
        // SAFETY: the mapping is page-aligned, longer than a header, and every bit pattern is one.
        unsafe { self.base.cast::<Header>().as_ref() }
    }

    #[cold]
    fn make_room(&mut self, wanted: usize) -> bool {
        if self.full {
            return false;
        }
        if self.reserve_more(wanted) {
            return true;
        }
        self.full = self.spill().is_err();
        !self.full && (wanted <= self.limit || self.reserve_more(wanted))
    }

    /// Appends an entry for which there is no room, not even in an empty window; or counts it.
    #[cold]
    fn append_to_spill(&mut self, entry: &[u8]) {
        match !self.full && self.spill_bytes(entry).is_ok() {
            true => self.commit(),
            false => {
                self.full = true;
                self.header().lost.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn reserve_more(&mut self, wanted: usize) -> bool {
        let step = match self.file.room() {
            None => STEP,
            Some(_) => self.limit.clamp(PAGE, STEP),
        };
        let end = (self.len + wanted)
            .next_multiple_of(step)
            .min(self.file.bytes() - WINDOW_AT);
        if self.len + wanted > end {
            return false;
        }
        let (held, more) = (self.limit, end - self.limit);
        let done = self.file.grow(held, WINDOW_AT + held, more);
        if done {
            self.limit = end;
        }
        done
    }

    fn spill(&mut self) -> io::Result<()> {
        // SAFETY: `len` bytes of the window were written by this writer.
        let bytes =
            unsafe { std::slice::from_raw_parts(self.base.as_ptr().add(WINDOW_AT), self.len) };
        self.spill_bytes(bytes)?;
        self.len = 0;
        Ok(())
    }

    fn spill_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        append(&spill_path(&self.run, self.file.path()), bytes)?;
        self.spilled += bytes.len() as u64;
        self.header().spilled.store(self.spilled, Ordering::Release);
        Ok(())
    }

    #[inline]
    fn commit(&self) {
        let committed = self.spilled + self.len as u64;
        self.header()
            .committed
            .0
            .store(committed, Ordering::Release);
    }
}

impl Sink for Writer {
    #[inline]
    fn append(&mut self, entry: &[u8]) {
        if self.len + entry.len() > self.limit && !self.make_room(entry.len()) {
            return self.append_to_spill(entry);
        }
        // SAFETY: so many bytes are reserved and mapped behind `len`, and this writer is the only one.
        unsafe {
            let target = self.base.as_ptr().add(WINDOW_AT + self.len);
            std::ptr::copy_nonoverlapping(entry.as_ptr(), target, entry.len());
        }
        self.len += entry.len();
        self.commit();
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

/// How far a thread has come whose choices are not written: a file of its own, for as long as
/// the process lives.
pub struct Reached(NonNull<u8>);

// SAFETY: the mapping is never undone, and who writes there is one thread.
unsafe impl Send for Reached {}
// SAFETY: who shares it gets an address, and no more.
unsafe impl Sync for Reached {}

impl Reached {
    /// Creates the file.
    ///
    /// # Errors
    /// Whatever creating, reserving or mapping it gave.
    pub fn create(path: &Path) -> io::Result<Self> {
        without_size_signal(|| {
            std::fs::create_dir_all(path.parent().unwrap_or(path))?;
            let file = File::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(true)
                .open(path)?;
            file.set_len(REACHED as u64)?;
            reserve(&file, 0, REACHED)?;
            let mapping = Mapping::of_process(&file, 0, REACHED)?;
            Ok(Self(mapping.for_good().base()))
        })
    }

    /// Returns where the thread keeps it.
    pub fn progress(&self) -> NonNull<Progress> {
        self.0.cast()
    }
}

const REACHED: usize = 4096;

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
        let name = "a-1-0.order";
        let path = run.path().join(name);
        let mut writer = Writer::create(run.path(), name, run.path(), (3, 7), None).unwrap();
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
    fn threads_that_share_a_buffer_are_told_apart() {
        static ROOM: Room = Room::new(40 << 10);
        let run = tempfile::tempdir().unwrap();
        let name = "a-1-1.order";
        let mut writer =
            Writer::create(run.path(), name, run.path(), (1, 10), Some(&ROOM)).unwrap();
        for thread in 1..6 {
            if thread > 1 {
                assert!(writer.hand_over(thread, u64::from(thread) * 10));
            }
            // More than the room, so that some is spilled; one entry is more than the window.
            writer.append(&[thread as u8; 9000]);
            writer.append(&vec![thread as u8; thread as usize * 20_000]);
        }
        assert!(ROOM.held() <= ROOM.most());
        let content = read(&run.path().join(name), run.path()).unwrap();
        let threads = content.threads();
        assert_eq!(threads.len(), 5);
        for (thread, content) in (1..).zip(threads) {
            assert_eq!(
                (content.thread, content.lineage),
                (thread, u64::from(thread) * 10)
            );
            assert!(content.stream == vec![thread as u8; 9000 + thread as usize * 20_000]);
        }
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
