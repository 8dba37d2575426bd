//! The shared-memory buffer of a thread: written by the agent, readable
//! after the writer's death.
//!
//! A buffer is a file on `/dev/shm`: one header page, the definition stream,
//! the records. The kernel keeps its pages when the process dies, so every
//! record whose commit count was stored survives SIGKILL. Space is reserved
//! with `fallocate` before it is touched (a full tmpfs would otherwise raise
//! SIGBUS) and, once the reserve is spent, the records go to a spill file in
//! the run directory and the window starts anew:
//!
//! ```text
//! records [0, spilled)          RUN/spill/NAME.spill
//! records [spilled, committed)  the window in the buffer
//! ```
//!
//! The spill is complete before `spilled` is stored, so a crash between the
//! two leaves every record readable exactly once. Where `/dev/shm` has no room
//! for a buffer, the file lies in the run directory.
//!
//! A thread that ends leaves its buffer to the next one, which goes on behind
//! its records after a [`Fact::ThreadBegins`]. Only the first thread's buffer
//! has definitions; all others share a [`Room`].

mod header;

use std::fs::File;
use std::io::{self, Write as _};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::growing_file::GrowingFile;
use crate::record::{Fact, Record, LAYOUT_VERSION};
use crate::room::Room;
use crate::system::{largest_file, without_size_signal};
use crate::ticks::Triple;

pub use header::{Committed, Header, State};

/// First word of a finished header.
pub const MAGIC: u64 = u64::from_le_bytes(*b"MPISCOPE");
/// Where the definition stream begins.
pub const DEFINITIONS_AT: usize = 4096;
/// Room for definitions, of which as much is reserved as there are.
const DEFINITIONS: usize = 64 << 20;
/// Space is reserved in steps of this many bytes.
const STEP: usize = 1 << 20;
/// Bytes of the window that a thread beyond the first begins with.
const SMALL_STEP: usize = 16 << 10;
/// The same for definitions.
const DEFINITIONS_STEP: usize = 64 << 10;
/// Space that a process reserves for the records of its first thread unless somebody says otherwise.
pub const RESERVE: usize = 64 << 20;
/// Space reserved ahead of the writer.
pub const AHEAD: usize = 16 << 20;
/// Records after which a writer wants somebody to reserve more, and to look whether it may go on:
/// a small part of what is kept reserved ahead.
pub const HELP_EVERY: usize = 16 * 1024;
/// Bytes of one record.
pub const RECORD: usize = std::mem::size_of::<Record>();

/// The writing end; belongs to one thread.
pub struct Writer {
    shared: Shared,
    run: PathBuf,
    /// Where the window begins.
    window: NonNull<Record>,
    /// Records in the window.
    len: usize,
    /// Records for which space is reserved.
    limit: usize,
    /// Records spilled before the window.
    spilled: u64,
    /// No more records are kept: the disk is full.
    full: bool,
}

// SAFETY: the mapping is owned by the writer and valid from any thread; only one thread writes at a time.
unsafe impl Send for Writer {}

/// A handle to a buffer's header and definition stream, for threads other than the owner.
#[derive(Clone)]
pub struct Shared {
    /// Where the file begins, in the wrapper's reach.
    base: NonNull<u8>,
    file: Arc<GrowingFile>,
    run: Arc<Path>,
}

// SAFETY: only atomics of the header and, under `DEFINING`, the definition stream are touched.
unsafe impl Send for Shared {}
// SAFETY: threads that share it touch atomics, or definitions under `DEFINING`.
unsafe impl Sync for Shared {}

/// Appending a definition is one step among the threads of the process.
static DEFINING: Mutex<()> = Mutex::new(());
/// So is taking from a room.
static GROWING: Mutex<()> = Mutex::new(());

/// What a writer does before it spills.
static BEFORE_SPILL: OnceLock<fn()> = OnceLock::new();

/// Has writers do this before they spill: wait for whoever gives up what was spilled, say.
pub fn before_spills(work: fn()) {
    let _ = BEFORE_SPILL.set(work);
}

/// How a buffer is laid out.
#[derive(Clone, Copy)]
struct Layout {
    records_at: usize,
    capacity: usize,
    /// Bytes of definitions and of the window that are reserved at once.
    at_once: [usize; 2],
}

impl Layout {
    /// Lays out a buffer with a window of so many bytes, or what files may have.
    fn new(capacity: usize, first: bool) -> io::Result<Self> {
        let allowed = largest_file();
        let mut layout = match first {
            true => Self {
                records_at: DEFINITIONS_AT
                    + DEFINITIONS
                        .min(allowed / 4)
                        .next_multiple_of(DEFINITIONS_STEP),
                capacity: capacity.next_multiple_of(STEP).max(STEP),
                at_once: [DEFINITIONS_STEP, STEP],
            },
            false => Self {
                records_at: DEFINITIONS_AT,
                capacity: capacity.next_multiple_of(SMALL_STEP).max(SMALL_STEP),
                at_once: [0, SMALL_STEP],
            },
        };
        let left = allowed.saturating_sub(layout.records_at);
        layout.capacity = layout.capacity.min(left / SMALL_STEP * SMALL_STEP);
        layout.at_once[1] = layout.at_once[1].min(layout.capacity);
        match layout.capacity {
            0 => {
                let what = format!("files may have {allowed} bytes only (ulimit -f)");
                Err(io::Error::new(io::ErrorKind::FileTooLarge, what))
            }
            _ => Ok(layout),
        }
    }

    /// Returns what is reserved at once: up to the first definitions, and of the window.
    fn parts(&self) -> [Range<usize>; 2] {
        let [definitions, records] = self.at_once;
        let window = self.records_at..self.records_at + records;
        [0..DEFINITIONS_AT + definitions, window]
    }
}

impl Writer {
    /// Creates a buffer file in `folder`, or if that has no room in the run
    /// directory, and maps it. `capacity` is the record window in bytes. Of a
    /// thread beyond the first, the window is taken from a room.
    ///
    /// # Errors
    /// Whatever creating, reserving or mapping the file gave.
    pub fn create(
        folder: &Path,
        name: &str,
        run: &Path,
        capacity: usize,
        room: Option<&'static Room>,
    ) -> io::Result<Self> {
        let mut layout = Layout::new(capacity, room.is_none())?;
        let size = layout.records_at + layout.capacity;
        let file = GrowingFile::create((folder, name), run, layout.parts(), size, room)?;
        // Where the address space is short, the window is smaller.
        layout.capacity = (file.bytes() - layout.records_at) / SMALL_STEP * SMALL_STEP;
        file.populate(layout.records_at, layout.at_once[1]);
        let shared = Shared {
            base: file.base(),
            file: Arc::new(file),
            run: run.into(),
        };
        let writer = Self {
            // SAFETY: the window lies in the mapping, at a whole number of pages.
            window: unsafe { shared.base.add(layout.records_at).cast() },
            shared,
            run: run.to_owned(),
            len: 0,
            limit: layout.at_once[1] / RECORD,
            spilled: 0,
            full: false,
        };
        writer.fill_header(layout);
        Ok(writer)
    }

    fn fill_header(&self, layout: Layout) {
        let header = self.header();
        let [definitions, reserved] = layout.at_once.map(|bytes| bytes as u64);
        header.version.store(LAYOUT_VERSION, Ordering::Relaxed);
        header.pid.store(std::process::id(), Ordering::Relaxed);
        header.rank.store(u32::MAX, Ordering::Relaxed);
        header.threads.store(1, Ordering::Relaxed);
        header
            .state
            .store(State::Recording as u32, Ordering::Relaxed);
        (header.records_at).store(layout.records_at as u64, Ordering::Relaxed);
        (header.capacity).store(layout.capacity as u64, Ordering::Relaxed);
        header.reserved.store(reserved, Ordering::Relaxed);
        (header.definitions_reserved).store(definitions, Ordering::Relaxed);
        let run = self.run.as_os_str().as_bytes();
        let room = header.run.len() - 1;
        let bytes = &run[..run.len().min(room)];
        let at = std::mem::offset_of!(Header, run);
        // SAFETY: the header page is mapped, `bytes` is shorter than the field, and nobody reads before `magic`.
        unsafe {
            let target = self.shared.base.as_ptr().add(at);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len());
        }
        self.header().magic.store(MAGIC, Ordering::Release);
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        self.shared.header()
    }

    /// Returns the handle for other threads.
    pub fn shared(&self) -> Shared {
        self.shared.clone()
    }

    /// Returns where the buffer lies.
    pub fn path(&self) -> &Path {
        self.shared.file.path()
    }

    /// Has another thread go on behind the records of one that has ended; false
    /// if nothing more can be kept here.
    pub fn hand_over(&mut self, time: u64, thread: u32, tid: u32) -> bool {
        let before = self.spilled + self.len as u64;
        self.header().threads.fetch_add(1, Ordering::Relaxed);
        self.push(Record::new(time, Fact::ThreadBegins { thread, tid }));
        let is_kept = self.spilled + self.len as u64 > before;
        if !is_kept {
            // What was lost is no event of the thread's, which may get another buffer.
            self.header().threads.fetch_sub(1, Ordering::Relaxed);
            self.header().lost.fetch_sub(1, Ordering::Relaxed);
        }
        is_kept
    }

    /// Commits one record. Never blocks but to spill, never fails: what cannot be kept is counted.
    #[inline]
    pub fn push(&mut self, record: Record) {
        if self.len >= self.limit && !self.make_room() {
            return;
        }
        // SAFETY: `len < limit`, and `limit` records of the window are reserved and mapped.
        unsafe { self.window.as_ptr().add(self.len).write(record) };
        self.len += 1;
        let committed = self.spilled + self.len as u64;
        self.header()
            .committed
            .0
            .store(committed, Ordering::Release);
    }

    /// Commits one record if that takes neither a lock nor the system, as in a signal handler;
    /// false if there is no room.
    pub fn push_at_once(&mut self, record: Record) -> bool {
        if self.len >= self.limit {
            // What another thread has reserved meanwhile.
            let reserved = self.header().reserved.load(Ordering::Acquire);
            self.limit = self.limit.max(reserved as usize / RECORD);
        }
        let has_room = self.len < self.limit && !self.full;
        if has_room {
            self.stage(record);
            self.commit();
        }
        has_room
    }

    /// Returns whether so many records have room in the window, and no help is wanted meanwhile.
    #[inline(always)]
    pub fn has_room(&self, records: usize) -> bool {
        self.len + records <= self.limit && self.len % HELP_EVERY + records < HELP_EVERY
    }

    /// Returns whether it is time that somebody reserves more.
    #[inline(always)]
    pub fn wants_help(&self) -> bool {
        self.len.is_multiple_of(HELP_EVERY)
    }

    /// Writes a record that [`Self::commit`] will commit; nothing where there is no room.
    #[inline(always)]
    pub fn stage(&mut self, record: Record) {
        if self.len < self.limit {
            // SAFETY: `len < limit`, and `limit` records of the window are reserved and mapped.
            unsafe { self.window.as_ptr().add(self.len).write(record) };
            self.len += 1;
        }
    }

    /// Commits what was staged.
    #[inline(always)]
    pub fn commit(&mut self) {
        let committed = self.spilled + self.len as u64;
        let header = self.header();
        header.committed.0.store(committed, Ordering::Release);
    }

    /// Returns how many records were committed: unchanged, nothing was written meanwhile.
    #[inline(always)]
    pub fn position(&self) -> u64 {
        self.spilled + self.len as u64
    }

    /// Writes over a record that was committed as the `index`th, from 0, if it is still in the
    /// window. Who reads meanwhile, or after the writer's death, may see some words of it as they
    /// were before.
    #[inline(always)]
    pub fn amend(&mut self, index: u64, record: Record) {
        let at = index.wrapping_sub(self.spilled);
        if at < self.len as u64 {
            // SAFETY: `at < len`, and `len` records of the window were written.
            unsafe { self.window.as_ptr().add(at as usize).write(record) };
        }
    }

    /// Takes back all records from this position on, if they are still in the window; false if not.
    /// Who reads meanwhile may see some of them.
    #[inline]
    pub fn retract(&mut self, position: u64) -> bool {
        let at = position.wrapping_sub(self.spilled);
        let is_there = at <= self.len as u64;
        if is_there {
            self.len = at as usize;
            self.commit();
        }
        is_there
    }

    /// Returns how many records went to disk so far; a change tells of a flush.
    #[inline]
    pub fn spilled(&self) -> u64 {
        self.spilled
    }

    /// Takes what other threads reserved, reserves more, or spills.
    #[cold]
    fn make_room(&mut self) -> bool {
        if self.full {
            self.header().lost.fetch_add(1, Ordering::Relaxed);
            return false;
        }
        let more = match self.shared.file.room() {
            None => STEP,
            Some(_) => (self.len * RECORD).clamp(SMALL_STEP, STEP),
        };
        self.limit = self.shared.grow(self.len * RECORD + more) / RECORD;
        if self.len < self.limit {
            return true;
        }
        if let Some(work) = BEFORE_SPILL.get() {
            work();
        }
        if self.spill_window().is_err() {
            self.full = true;
            self.header().lost.fetch_add(1, Ordering::Relaxed);
            return false;
        }
        true
    }

    fn spill_window(&mut self) -> io::Result<()> {
        // SAFETY: `len` records of the window were written by this thread.
        let bytes = unsafe {
            std::slice::from_raw_parts(self.window.as_ptr().cast::<u8>(), self.len * RECORD)
        };
        append(&spill_path(&self.run, self.path()), bytes)?;
        self.spilled += self.len as u64;
        self.len = 0;
        self.header().spilled.store(self.spilled, Ordering::Release);
        Ok(())
    }
}

impl Shared {
    /// Returns the header.
    pub fn header(&self) -> &Header {
        header(self.base)
    }

    /// Appends to the definition stream; what does not fit goes to disk, and
    /// what that does not take is counted.
    pub fn define(&self, line: &[u8]) {
        let _step = DEFINING.lock().unwrap_or_else(PoisonError::into_inner);
        let header = self.header();
        let at = header.definitions.load(Ordering::Relaxed) as usize;
        let spilled = header.definitions_spilled.load(Ordering::Relaxed);
        if spilled > 0 || !self.reserve_definitions(at + line.len()) {
            return self.spill_definition(line);
        }
        // SAFETY: the range lies in the mapped and reserved definition area, and the lock makes us its only writer.
        unsafe {
            let target = self.base.as_ptr().add(DEFINITIONS_AT + at);
            std::ptr::copy_nonoverlapping(line.as_ptr(), target, line.len());
        }
        header
            .definitions
            .store((at + line.len()) as u64, Ordering::Release);
    }

    fn spill_definition(&self, line: &[u8]) {
        let header = self.header();
        match append(&definitions_path(&self.run, self.file.path()), line) {
            Ok(()) => (header.definitions_spilled).fetch_add(line.len() as u64, Ordering::Release),
            Err(_) => header.definitions_lost.fetch_add(1, Ordering::Relaxed),
        };
    }

    /// Reserves the definition area up to `end` bytes; false if there is no room.
    fn reserve_definitions(&self, end: usize) -> bool {
        let header = self.header();
        let area = header.records_at() - DEFINITIONS_AT;
        if end > area {
            return false;
        }
        let reserved = header.definitions_reserved.load(Ordering::Relaxed) as usize;
        if end <= reserved {
            return true;
        }
        let wanted = end.next_multiple_of(DEFINITIONS_STEP).min(area);
        let is_done = self
            .file
            .reserve(DEFINITIONS_AT + reserved, wanted - reserved);
        if is_done {
            header
                .definitions_reserved
                .store(wanted as u64, Ordering::Relaxed);
        }
        is_done
    }

    /// Reserves the record window up to `wanted` bytes where there is room;
    /// returns the bytes reserved.
    pub fn grow(&self, wanted: usize) -> usize {
        let header = self.header();
        let capacity = header.capacity.load(Ordering::Relaxed) as usize;
        let room = self.file.room();
        let step = match room {
            None => STEP,
            Some(_) => SMALL_STEP,
        };
        let wanted = wanted.next_multiple_of(step).min(capacity);
        // What is taken from a room is counted once, by the owner or by who reserves ahead of it.
        let _step = room.map(|_| GROWING.lock().unwrap_or_else(PoisonError::into_inner));
        let reserved = header.reserved.load(Ordering::Acquire) as usize;
        if wanted <= reserved {
            return reserved;
        }
        let more = wanted - reserved;
        let at = header.records_at() + reserved;
        if !self.file.grow(reserved, at, more) {
            return reserved;
        }
        self.file.populate(at, more);
        header.reserved.fetch_max(wanted as u64, Ordering::AcqRel);
        wanted
    }

    /// Reserves up to [`AHEAD`] beyond what the writer has used, once half of
    /// that is spent: the kernel's work on fresh pages, two microseconds each,
    /// slows the program even from another core, and short runs need none of
    /// it. In steps, so that the program's own memory calls get in between. For
    /// threads beyond the first, as much again as they have used.
    pub fn grow_ahead(&self) {
        let header = self.header();
        let capacity = header.capacity.load(Ordering::Relaxed) as usize;
        let committed = header.committed.0.load(Ordering::Acquire);
        let spilled = header.spilled.load(Ordering::Acquire);
        let used = committed.saturating_sub(spilled) as usize * RECORD;
        let ahead = match self.file.room() {
            None => AHEAD,
            Some(_) => used.min(AHEAD),
        };
        let mut reserved = header.reserved.load(Ordering::Acquire) as usize;
        if reserved >= capacity.min(used + ahead / 2) {
            return;
        }
        while reserved < used + ahead {
            let grown = self.grow((reserved + STEP).min(used + ahead));
            if grown <= reserved {
                return; // all of it, or no room
            }
            reserved = grown;
        }
    }

    /// Renews the header's clock reading; one thread at a time calls this.
    pub fn renew_triple(&self, triple: Triple) {
        let header = self.header();
        let version = header.triple_version.load(Ordering::Relaxed);
        header.triple_version.store(version + 1, Ordering::SeqCst);
        header.triple[0].store(triple.ticks, Ordering::SeqCst);
        header.triple[1].store(triple.monotonic, Ordering::SeqCst);
        header.triple[2].store(triple.realtime, Ordering::SeqCst);
        header.triple_version.store(version + 2, Ordering::SeqCst);
    }
}

fn header<'a>(base: NonNull<u8>) -> &'a Header {
    // SAFETY: the mapping is page-aligned, at least a page long, and every bit pattern is a valid header.
    unsafe { base.cast::<Header>().as_ref() }
}

/// Returns where a buffer's spill file lies.
pub fn spill_path(run: &Path, buffer: &Path) -> PathBuf {
    let name = buffer.file_stem().unwrap_or_default();
    run.join("spill").join(name).with_extension("spill")
}

/// Returns where the definitions lie that the buffer had no room for.
pub fn definitions_path(run: &Path, buffer: &Path) -> PathBuf {
    spill_path(run, buffer).with_extension("definitions")
}

/// Appends to a file of the run whole, or not at all.
pub(crate) fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    without_size_signal(|| {
        std::fs::create_dir_all(path.parent().unwrap_or(path))?;
        let mut file = File::options().append(true).create(true).open(path)?;
        let before = file.metadata()?.len();
        let written = file.write_all(bytes);
        if written.is_err() {
            let _ = file.set_len(before);
        }
        written
    })
}
