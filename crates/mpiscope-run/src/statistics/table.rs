//! The entries of one thread in a file on `/dev/shm`: written by it, read by
//! anybody at any time, still there when its process is gone. A thread that
//! ends leaves its table to the next one, which counts on in it; all but the
//! first thread's take from a [`Room`].
//!
//! Space is reserved before it is touched (a full tmpfs would raise SIGBUS
//! otherwise), and never given back while the process lives, so an entry has
//! one address for good.

use std::fs::File;
use std::io;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Entry;
use crate::growing_file::GrowingFile;
use crate::mapping::Mapping;
use crate::room::Room;
use crate::ticks::Triple;

const MAGIC: u64 = u64::from_le_bytes(*b"MPSSTATS");
/// Raised when the meaning of a table changes.
const VERSION: u32 = 2;
const NOTES_AT: usize = 4096;
/// Room for notes; reserved as they come.
const NOTES: usize = 1 << 20;
const ENTRIES_AT: usize = NOTES_AT + NOTES;
const ENTRY: usize = size_of::<Entry>();
/// Space is reserved in steps of this many bytes, for the first thread.
const STEP: usize = 64 << 10;
const PAGE: usize = 4096;
/// Entries that are there even if there is no memory for more: for what has no entry of its own.
pub const SPARE: usize = 3;

/// The first page of a table; little-endian, as the machine is.
#[repr(C)]
pub struct Header {
    /// [`MAGIC`], written last.
    magic: AtomicU64,
    version: AtomicU32,
    /// Process id.
    pub pid: AtomicU32,
    /// Thread id.
    pub tid: AtomicU32,
    /// Thread number: 0 initialised MPI.
    pub thread: AtomicU32,
    /// How many threads have counted here, one after the other.
    pub threads: AtomicU32,
    /// How many threads of the process are not counted; in the first thread's.
    pub threads_refused: AtomicU32,
    /// World rank.
    pub rank: AtomicU32,
    /// 1 once nothing is counted any more.
    pub finished: AtomicU32,
    notes: AtomicU64,
    notes_reserved: AtomicU64,
    notes_lost: AtomicU64,
    /// Entries that there are.
    entries: AtomicU64,
    /// Entries that there was no room for: what they would have counted went elsewhere.
    pub refused: AtomicU64,
    start: [AtomicU64; 3],
    latest_version: AtomicU64,
    latest: [AtomicU64; 3],
    /// What the thread is doing.
    pub now: Now,
}

/// What a thread is doing at this moment: one line of the cache, written at
/// each call. Times in ticks.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Now {
    /// Number of the MPI function it is in, plus one; 0 outside of MPI.
    pub region: AtomicU64,
    /// Where that was called.
    pub site: AtomicU64,
    /// When it was entered or left.
    pub since: AtomicU64,
    /// With whom: peer and group, as in an entry.
    pub other: AtomicU64,
    /// MPI calls so far.
    pub calls: AtomicU64,
    /// Time in them.
    pub time: AtomicU64,
    /// Time that observation has taken so far.
    pub intrusion: AtomicU64,
    /// The procedure or loop it is in, if its source is instrumented: number of the statement plus one.
    pub statement: AtomicU64,
}

const _: () = assert!(size_of::<Header>() <= NOTES_AT);
const _: () = assert!(size_of::<Now>() == 64);

/// The writing end; belongs to one thread.
#[derive(Debug)]
pub struct Table {
    /// Mapped as long as the process: entries are read by whoever wants to know.
    file: &'static GrowingFile,
    capacity: usize,
    used: usize,
    reserved: usize,
}

/// Notes are appended by any thread of the process.
static NOTE: Mutex<()> = Mutex::new(());

impl Table {
    /// Creates the file of a table with room for so many entries in `folder`, or
    /// if that has no room in the run.
    ///
    /// # Errors
    /// Whatever creating, reserving or mapping the file gave.
    pub fn create(
        folder: &Path,
        name: &str,
        run: &Path,
        capacity: usize,
        start: Triple,
        room: Option<&'static Room>,
    ) -> io::Result<Self> {
        let capacity = capacity.max(1);
        let [step, first] = room.map_or([STEP, NOTES_AT + STEP], |_| [PAGE, NOTES_AT]);
        let at_once = step.min(capacity * ENTRY);
        let size = ENTRIES_AT + capacity * ENTRY;
        let parts = [0..first, ENTRIES_AT..ENTRIES_AT + at_once];
        let file = GrowingFile::create((folder, name), run, parts, size, room)?;
        let table = Self {
            capacity: ((file.bytes() - ENTRIES_AT) / ENTRY).min(capacity),
            file: Box::leak(Box::new(file)),
            used: 0,
            reserved: at_once / ENTRY,
        };
        let header = table.header();
        header.version.store(VERSION, Ordering::Relaxed);
        header.pid.store(std::process::id(), Ordering::Relaxed);
        header.rank.store(u32::MAX, Ordering::Relaxed);
        header.threads.store(1, Ordering::Relaxed);
        let notes = (first - NOTES_AT) as u64;
        header.notes_reserved.store(notes, Ordering::Relaxed);
        let words = [start.ticks, start.monotonic, start.realtime];
        for (word, value) in header.start.iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
        header.magic.store(MAGIC, Ordering::Release);
        Ok(table)
    }

    /// Returns the header, which stays where it is as long as the process.
    pub fn header(&self) -> &'static Header {
        header(self.file.base())
    }

    /// Returns where the table lies.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns the number of so many new entries, all zero, that lie one after the
    /// other; nothing if there is no room.
    pub fn allocate(&mut self, count: usize) -> Option<usize> {
        let end = self.used + count;
        let wanted = (end + SPARE).min(self.capacity);
        if wanted > self.reserved && !self.reserve(wanted) {
            // From now on, statements without an entry are counted together.
            self.capacity = self.reserved;
        }
        if end > self.capacity {
            self.header().refused.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let first = self.used;
        self.used = end;
        Some(first)
    }

    /// Returns how many entries are allocated.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Makes the entries allocated so far known to readers.
    pub fn publish(&self) {
        self.header()
            .entries
            .store(self.used as u64, Ordering::Release);
    }

    /// Returns an entry that was allocated.
    pub fn entry(&self, number: usize) -> Option<&'static Entry> {
        // SAFETY: the entry is mapped and reserved, and mapped for good; all words are atomics.
        (number < self.used).then(|| unsafe { entry(self.file.base(), number).as_ref() })
    }

    fn reserve(&mut self, entries: usize) -> bool {
        let begin = self.reserved * ENTRY;
        let step = self.file.room().map_or(STEP, |_| begin.clamp(PAGE, STEP));
        let end = (entries * ENTRY)
            .next_multiple_of(step)
            .min(self.capacity * ENTRY);
        let more = end.saturating_sub(begin);
        let is_done = self.file.grow(begin, ENTRIES_AT + begin, more);
        if is_done {
            self.reserved = end / ENTRY;
        }
        is_done
    }

    /// Returns how many entries there can be: fewer, once there is no more memory.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the handle to the notes.
    pub fn notes(&self) -> Notes {
        Notes(self.file)
    }
}

/// A handle to the notes of a table, for any thread; valid as long as the process.
#[derive(Debug, Clone)]
pub struct Notes(&'static GrowingFile);

impl Notes {
    /// Returns the table's header.
    pub fn header(&self) -> &'static Header {
        header(self.0.base())
    }

    /// Returns the entries that readers know of, from the one of this number on.
    pub fn entries_from(&self, first: usize) -> impl Iterator<Item = &'static Entry> {
        let end = self.header().entries.load(Ordering::Acquire) as usize;
        let base = self.0.base();
        // SAFETY: published entries are reserved, mapped for good, and all words are atomics.
        (first..end).map(move |number| unsafe { entry(base, number).as_ref() })
    }

    /// Appends a line of notes, and says whether there was room.
    pub fn note(&self, line: &[u8]) -> bool {
        let _step = NOTE.lock().unwrap_or_else(PoisonError::into_inner);
        let header = self.header();
        let at = header.notes.load(Ordering::Relaxed) as usize;
        if at + line.len() > NOTES || !self.reserve_notes(at + line.len()) {
            header.notes_lost.fetch_add(1, Ordering::Relaxed);
            return false;
        }
        // SAFETY: the range is mapped and reserved, and the lock makes us its only writer.
        unsafe {
            let target = self.0.base().as_ptr().add(NOTES_AT + at);
            std::ptr::copy_nonoverlapping(line.as_ptr(), target, line.len());
        }
        let end = (at + line.len()) as u64;
        header.notes.store(end, Ordering::Release);
        true
    }

    fn reserve_notes(&self, end: usize) -> bool {
        let reserved = &self.header().notes_reserved;
        let before = reserved.load(Ordering::Relaxed) as usize;
        if end <= before {
            return true;
        }
        let wanted = end.next_multiple_of(STEP).min(NOTES);
        let done = self.0.reserve(NOTES_AT + before, wanted - before);
        if done {
            reserved.store(wanted as u64, Ordering::Relaxed);
        }
        done
    }
}

/// How often a reading is looked for that is being written: hundredths of a second.
const TRIES: u32 = 400;

impl Header {
    /// Renews the latest reading of the clock; one thread at a time calls this.
    pub fn renew_triple(&self, triple: Triple) {
        let version = self.latest_version.load(Ordering::Relaxed);
        self.latest_version.store(version + 1, Ordering::SeqCst);
        let words = [triple.ticks, triple.monotonic, triple.realtime];
        for (word, value) in self.latest.iter().zip(words) {
            word.store(value, Ordering::SeqCst);
        }
        self.latest_version.store(version + 2, Ordering::SeqCst);
    }

    /// Returns nothing if its writer ended, or was damaged, while it was writing.
    fn latest_triple(&self) -> Option<Triple> {
        for tries in 0..TRIES {
            let version = self.latest_version.load(Ordering::SeqCst);
            let triple = triple(&self.latest);
            let again = self.latest_version.load(Ordering::SeqCst);
            if version == again && version.is_multiple_of(2) {
                return Some(triple);
            }
            match tries < TRIES / 2 {
                true => std::hint::spin_loop(),
                // A writer that has no processor just now.
                false => std::thread::sleep(std::time::Duration::from_micros(100)),
            }
        }
        None
    }

    /// Returns the reading of the clock when the thread was first seen, and the
    /// latest one; the same if there is no later one.
    pub fn span(&self) -> [Triple; 2] {
        let start = triple(&self.start);
        let latest = self.latest_triple();
        let later = latest.filter(|latest| latest.ticks > start.ticks);
        [start, later.unwrap_or(start)]
    }
}

fn triple(words: &[AtomicU64; 3]) -> Triple {
    let [ticks, monotonic, realtime] = words.each_ref().map(|w| w.load(Ordering::SeqCst));
    Triple {
        ticks,
        monotonic,
        realtime,
    }
}

/// A table as anybody else sees it, while its thread goes on counting.
#[derive(Debug)]
pub struct Mapped(Mapping);

impl Mapped {
    /// Maps a table; says what is wrong with it in words.
    ///
    /// # Errors
    /// When the file cannot be mapped, or is no table of this version.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let size = file.metadata().map_err(|error| error.to_string())?.len() as usize;
        if size < ENTRIES_AT {
            return Err(format!(
                "{size} bytes are too few for a table of statistics"
            ));
        }
        let mapped = Mapping::to_read(&file, size).map_err(|error| error.to_string())?;
        let mapped = Self(mapped);
        let header = mapped.header();
        if header.magic.load(Ordering::Acquire) != MAGIC {
            return Err("it is no table of statistics, or was not finished".into());
        }
        match header.version.load(Ordering::Relaxed) {
            VERSION => Ok(mapped),
            other => Err(format!(
                "it has version {other}, this mpiscope reads {VERSION}"
            )),
        }
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        header(self.0.base())
    }

    /// Returns the notes as far as they are whole.
    pub fn notes(&self) -> &[u8] {
        let length = self.header().notes.load(Ordering::Acquire) as usize;
        // SAFETY: mapped, and what lies before `notes` is never written again.
        unsafe {
            std::slice::from_raw_parts(self.0.base().as_ptr().add(NOTES_AT), length.min(NOTES))
        }
    }

    /// Returns how many notes there was no room for.
    pub fn notes_lost(&self) -> u64 {
        self.header().notes_lost.load(Ordering::Relaxed)
    }

    /// Returns the entries that there are.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Entry> {
        let there = self.header().entries.load(Ordering::Acquire) as usize;
        let room = (self.0.bytes() - ENTRIES_AT) / ENTRY;
        // SAFETY: within the mapping; the entries that are told of are reserved.
        (0..there.min(room)).map(|number| unsafe { entry(self.0.base(), number).as_ref() })
    }
}

fn header<'a>(base: NonNull<u8>) -> &'a Header {
    // SAFETY: the mapping is page-aligned, longer than a header, and every bit pattern is one.
    unsafe { base.cast::<Header>().as_ref() }
}

/// # Safety
/// The entry lies within the mapping.
unsafe fn entry(base: NonNull<u8>, number: usize) -> NonNull<Entry> {
    // SAFETY: entries begin at a page, and this one lies in the mapping.
    unsafe { base.add(ENTRIES_AT).cast::<Entry>().add(number) }
}

#[cfg(test)]
mod tests {
    use super::super::{Amount, Key, Side};
    use super::*;

    #[test]
    fn what_is_counted_is_read_while_its_writer_lives() {
        let folder = tempfile::tempdir().unwrap();
        let name = "a-1-0.statistics";
        let path = folder.path().join(name);
        let here = folder.path();
        let mut table = Table::create(here, name, here, 3, Triple::default(), None).unwrap();
        let mapped = Mapped::open(&path).unwrap();
        let number = table.allocate(1).unwrap();
        let entry = table.entry(number).unwrap();
        entry.begin(Key::call(1, Side::Sent, 2, 3, 4));
        assert_eq!(mapped.entries().len(), 0);
        table.publish();
        entry.add(Amount {
            calls: 2,
            ..Amount::default()
        });
        let rows: Vec<_> = mapped.entries().filter_map(Entry::read).collect();
        assert_eq!((rows.len(), rows[0].calls, rows[0].group()), (1, 2, 4));
        assert!(table.notes().note(b"{}\n"));
        assert_eq!(mapped.notes(), b"{}\n");
    }

    #[test]
    fn nobody_waits_for_a_reading_whose_writer_was_killed() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let table = Table::create(here, "a", here, 3, Triple::default(), None).unwrap();
        let header = table.header();
        let later = Triple {
            ticks: 7,
            ..Triple::default()
        };
        header.renew_triple(later);
        assert_eq!(header.span(), [Triple::default(), later]);
        header.latest_version.fetch_add(1, Ordering::SeqCst);
        assert_eq!(header.span(), [Triple::default(); 2]);
    }

    #[test]
    fn a_table_is_as_large_as_it_was_made() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let name = "a.statistics";
        let mut table = Table::create(here, name, here, 3, Triple::default(), None).unwrap();
        assert_eq!(
            [1, 2, 1].map(|n| table.allocate(n)),
            [Some(0), Some(1), None]
        );
        assert_eq!(table.header().refused.load(Ordering::Relaxed), 1);
        assert!(table.entry(3).is_none());
    }

    #[test]
    fn what_is_no_table_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.statistics");
        for bytes in [vec![], vec![0; 10], vec![0; ENTRIES_AT + 10]] {
            std::fs::write(&path, bytes).unwrap();
            assert!(Mapped::open(&path).is_err());
        }
    }
}
