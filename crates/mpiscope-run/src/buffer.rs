//! The shared-memory buffer of one thread: written by the agent, readable
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
//! two leaves every record readable exactly once.

use std::ffi::c_void;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::record::{Record, LAYOUT_VERSION};
use crate::system::{file_size_limit, map, populate, reserve, space, without_size_signal};
use crate::ticks::Triple;

/// First word of a finished header.
pub const MAGIC: u64 = u64::from_le_bytes(*b"MPISCOPE");
/// Where the definition stream begins.
pub const DEFINITIONS_AT: usize = 4096;
/// Where the records begin; the definition stream ends here.
pub const RECORDS_AT: usize = DEFINITIONS_AT + (64 << 20);
/// Space is reserved in steps of this many bytes.
const STEP: usize = 1 << 20;
/// The same for definitions.
const DEFINITIONS_STEP: usize = 64 << 10;
/// Space reserved ahead of the writer.
pub const AHEAD: usize = 16 << 20;
/// Bytes of one record.
pub const RECORD: usize = std::mem::size_of::<Record>();

/// The first page of a buffer. All numbers are little-endian, as the machine is.
#[repr(C)]
pub struct Header {
    /// [`MAGIC`], written last.
    pub magic: AtomicU64,
    /// [`LAYOUT_VERSION`].
    pub version: AtomicU32,
    /// Process id.
    pub pid: AtomicU32,
    /// Thread id.
    pub tid: AtomicU32,
    /// Thread number: 0 initialised MPI.
    pub thread: AtomicU32,
    /// World rank.
    pub rank: AtomicU32,
    /// See [`State`].
    pub state: AtomicU32,
    /// Bytes of the record window when fully reserved.
    pub capacity: AtomicU64,
    /// Bytes of the record window reserved so far.
    pub reserved: AtomicU64,
    /// Bytes of definitions committed.
    pub definitions: AtomicU64,
    /// Records spilled to disk.
    pub spilled: AtomicU64,
    /// Records that could not be kept.
    pub lost: AtomicU64,
    /// Definitions that could not be kept.
    pub definitions_lost: AtomicU64,
    /// Bytes of the definition area reserved so far.
    pub definitions_reserved: AtomicU64,
    /// The latest clock reading: odd while it is being renewed.
    pub triple_version: AtomicU64,
    /// The latest clock reading: ticks, monotonic, realtime.
    pub triple: [AtomicU64; 3],
    /// Run directory, ended by NUL.
    pub run: [u8; 2048],
    /// Records committed, spilled ones included; on a line of its own because the hot path stores it.
    pub committed: Committed,
}

/// A counter alone on its cache line.
#[repr(C, align(64))]
pub struct Committed(pub AtomicU64);

const _: () = assert!(std::mem::size_of::<Header>() <= DEFINITIONS_AT);

/// What a buffer's writer is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum State {
    /// Events are being recorded.
    Recording = 1,
    /// Recording has ended, the archive is being written.
    Draining = 2,
}

/// The writing end; belongs to one thread.
pub struct Writer {
    base: NonNull<u8>,
    path: Arc<Path>,
    run: PathBuf,
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
///
/// The file is opened anew whenever space is reserved, once a mebibyte: the
/// program may need its descriptors, and has many threads perhaps.
#[derive(Clone)]
pub struct Shared {
    base: NonNull<u8>,
    path: Arc<Path>,
}

// SAFETY: only atomics of the header and, under `DEFINITIONS`, the definition stream are touched.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

/// Appending a definition is one step among the threads of the process.
static DEFINITIONS: Mutex<()> = Mutex::new(());

impl Writer {
    /// Creates a buffer file and maps it. `capacity` is the record window in bytes.
    ///
    /// # Errors
    /// Whatever creating, reserving or mapping the file gave.
    pub fn create(path: &Path, run: &Path, capacity: usize) -> io::Result<Self> {
        let capacity = capacity.next_multiple_of(STEP).max(STEP);
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(path)?;
        let made = map_new(&file, RECORDS_AT + capacity);
        if made.is_err() {
            let _ = std::fs::remove_file(path);
        }
        let base = made?;
        let mut writer = Self {
            base,
            path: path.into(),
            run: run.to_owned(),
            len: 0,
            limit: STEP / RECORD,
            spilled: 0,
            full: false,
        };
        writer.fill_header(capacity);
        // SAFETY: the first step of the window was reserved and mapped just now.
        unsafe { populate(base, RECORDS_AT, STEP) };
        Ok(writer)
    }

    fn fill_header(&mut self, capacity: usize) {
        let header = self.header();
        header.version.store(LAYOUT_VERSION, Ordering::Relaxed);
        header.pid.store(std::process::id(), Ordering::Relaxed);
        header.rank.store(u32::MAX, Ordering::Relaxed);
        header
            .state
            .store(State::Recording as u32, Ordering::Relaxed);
        header.capacity.store(capacity as u64, Ordering::Relaxed);
        header.reserved.store(STEP as u64, Ordering::Relaxed);
        let run = self.run.as_os_str().as_bytes();
        let room = header.run.len() - 1;
        let bytes = &run[..run.len().min(room)];
        let at = std::mem::offset_of!(Header, run);
        // SAFETY: the header page is mapped, `bytes` is shorter than the field, and nobody reads before `magic`.
        unsafe {
            let target = self.base.as_ptr().add(at);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len());
        }
        self.header().magic.store(MAGIC, Ordering::Release);
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        header(self.base)
    }

    /// Returns the handle for other threads.
    pub fn shared(&self) -> Shared {
        Shared {
            base: self.base,
            path: Arc::clone(&self.path),
        }
    }

    /// Returns where the buffer lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Commits one record. Never blocks but to spill, never fails: what cannot be kept is counted.
    #[inline]
    pub fn push(&mut self, record: Record) {
        if self.len >= self.limit && !self.make_room() {
            return;
        }
        // SAFETY: `len < limit`, and `limit` records of the window are reserved and mapped.
        unsafe {
            let window = self.base.as_ptr().add(RECORDS_AT).cast::<Record>();
            window.add(self.len).write(record);
        }
        self.len += 1;
        let committed = self.spilled + self.len as u64;
        self.header()
            .committed
            .0
            .store(committed, Ordering::Release);
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
        self.limit = self.shared().grow(self.len * RECORD + STEP) / RECORD;
        if self.len < self.limit {
            return true;
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
            std::slice::from_raw_parts(self.base.as_ptr().add(RECORDS_AT), self.len * RECORD)
        };
        without_size_signal(|| open_spill(&self.run, &self.path)?.write_all(bytes))?;
        self.spilled += self.len as u64;
        self.len = 0;
        self.header().spilled.store(self.spilled, Ordering::Release);
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let size = RECORDS_AT + self.header().capacity.load(Ordering::Relaxed) as usize;
        // SAFETY: base and size are those of the mapping, and the owner is gone.
        unsafe { libc::munmap(self.base.as_ptr().cast::<c_void>(), size) };
    }
}

impl Shared {
    /// Returns the header.
    pub fn header(&self) -> &Header {
        header(self.base)
    }

    /// Appends to the definition stream; what does not fit is counted.
    pub fn define(&self, line: &[u8]) {
        let _step = DEFINITIONS.lock().unwrap_or_else(PoisonError::into_inner);
        let header = self.header();
        let at = header.definitions.load(Ordering::Relaxed) as usize;
        let fits = self.reserve_definitions(at + line.len());
        if !fits {
            header.definitions_lost.fetch_add(1, Ordering::Relaxed);
            return;
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

    /// Reserves the definition area up to `end` bytes; false if there is no room.
    fn reserve_definitions(&self, end: usize) -> bool {
        let header = self.header();
        if DEFINITIONS_AT + end > RECORDS_AT {
            return false;
        }
        let reserved = header.definitions_reserved.load(Ordering::Relaxed) as usize;
        if end <= reserved {
            return true;
        }
        let wanted = end
            .next_multiple_of(DEFINITIONS_STEP)
            .min(RECORDS_AT - DEFINITIONS_AT);
        let at = DEFINITIONS_AT + reserved;
        let done = self.reserve(at, wanted - reserved).is_ok();
        if done {
            header
                .definitions_reserved
                .store(wanted as u64, Ordering::Relaxed);
        }
        done
    }

    fn reserve(&self, at: usize, bytes: usize) -> io::Result<()> {
        let file = File::options().read(true).write(true).open(&self.path)?;
        reserve(&file, at, bytes)
    }

    /// Reserves the record window up to `wanted` bytes where there is room;
    /// returns the bytes reserved.
    pub fn grow(&self, wanted: usize) -> usize {
        let header = self.header();
        let capacity = header.capacity.load(Ordering::Relaxed) as usize;
        let wanted = wanted.next_multiple_of(STEP).min(capacity);
        let reserved = header.reserved.load(Ordering::Acquire) as usize;
        if wanted <= reserved {
            return reserved;
        }
        let (at, more) = (RECORDS_AT + reserved, wanted - reserved);
        if !leaves_room(&self.path, more) || self.reserve(at, more).is_err() {
            return reserved;
        }
        // SAFETY: this range of the window was reserved just now.
        unsafe { populate(self.base, at, more) };
        header.reserved.fetch_max(wanted as u64, Ordering::AcqRel);
        wanted
    }

    /// Reserves up to [`AHEAD`] beyond what the writer has used, once half of
    /// that is spent: the kernel's work on fresh pages, two microseconds each,
    /// slows the program even from another core, and short runs need none of
    /// it. In steps, so that the program's own memory calls get in between.
    pub fn grow_ahead(&self) {
        let header = self.header();
        let capacity = header.capacity.load(Ordering::Relaxed) as usize;
        let committed = header.committed.0.load(Ordering::Acquire);
        let spilled = header.spilled.load(Ordering::Acquire);
        let used = committed.saturating_sub(spilled) as usize * RECORD;
        let mut reserved = header.reserved.load(Ordering::Acquire) as usize;
        if reserved >= capacity.min(used + AHEAD / 2) {
            return;
        }
        while reserved < used + AHEAD {
            let grown = self.grow(reserved + STEP);
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

fn open_spill(run: &Path, buffer: &Path) -> io::Result<File> {
    let path = spill_path(run, buffer);
    std::fs::create_dir_all(path.parent().unwrap_or(run))?;
    File::options().append(true).create(true).open(path)
}

/// Sizes, reserves and maps a new file.
fn map_new(file: &File, size: usize) -> io::Result<NonNull<u8>> {
    if size as u64 > file_size_limit() {
        let what = format!("its {size} bytes exceed the limit on file sizes (ulimit -f)");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    file.set_len(size as u64)?;
    reserve(file, 0, DEFINITIONS_AT)?;
    reserve(file, RECORDS_AT, STEP)?;
    map(file, size)
}

/// Whether a quarter of the file system stays free: the MPI's own
/// shared-memory files lie beside ours, and raise SIGBUS when it is full.
fn leaves_room(path: &Path, more: usize) -> bool {
    space(path).is_ok_and(|(free, total)| free.saturating_sub(more as u64) >= total / 4)
}

/// Returns the directory of a run's buffers on this host.
pub fn directory(run_id: &str) -> PathBuf {
    // SAFETY: getuid has no failure.
    let uid = unsafe { libc::getuid() };
    PathBuf::from(format!("/dev/shm/mpiscope-{uid}-{run_id}"))
}
