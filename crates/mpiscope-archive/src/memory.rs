//! Traces larger than memory: large allocations lie in a file.
//!
//! A correction works on columns that are as long as the trace. Rather than
//! write every step a second time for columns on disk, a command that was
//! given a budget has its allocator take all but small blocks from one mapped
//! file, which has no name and vanishes with the process. The kernel may write
//! such pages out and take them back at any time, and some are dropped
//! from the process whenever it holds more than its budget: by whoever
//! allocates, and by a watcher on each processor. The algorithms,
//! and so the results, are the same to the bit; once the kernel itself is short of
//! memory, pages that are read cost disk accesses. Where a budget is likely to be ample, a part of
//! it is ordinary memory, which is taken first: each page of a file costs microseconds when it is
//! touched, also one that is never written out.
//!
//! ```
//! #[global_allocator]
//! static MEMORY: mpiscope_archive::memory::Memory = mpiscope_archive::memory::Memory;
//!
//! mpiscope_archive::memory::limit(&std::env::temp_dir(), 64 << 20, 0)?;
//! let column = vec![1u64; 1 << 20]; // lies in the file
//! # assert_eq!(column.iter().sum::<u64>(), 1 << 20);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Blocks come in sizes of 4ᵏ pages. Addresses cost nothing, and of the file
//! only what was asked for is reserved, so that a full disk is an allocation
//! that falls back to ordinary memory and never a signal. Blocks of less than
//! a megabyte are cut from pieces that are reserved as a whole and kept: file
//! systems take milliseconds to give back many small holes.

mod processors;

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::io;
use std::os::fd::IntoRawFd;
use std::path::Path;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicIsize, AtomicUsize, Ordering};
use std::time::Duration;

use mpiscope_run::mapping::Mapping;
use mpiscope_run::system;
use processors::{processors, stay_on, take_short_turns};

/// The allocator; until [`limit`] is called it is the system's.
pub struct Memory;

/// Blocks below this size stay in ordinary memory.
const SMALL: usize = 4096;
const PAGE: usize = 4096;
/// Sizes of blocks: 4ᵏ pages for k below this.
const CLASSES: usize = 19;
/// Addresses to ask for; less is taken where the system refuses.
const LARGEST_REGION: usize = 1 << 42;
const SMALLEST_REGION: usize = 1 << 32;
/// From here on, blocks are reserved one by one and given back.
const LARGE_CLASS: usize = 4;
/// Smaller blocks are cut from pieces of this size.
const PIECE: usize = 4 << 20;
/// How often watchers look. Within this time a processor maps a few megabytes.
const INTERVAL: Duration = Duration::from_micros(200);
/// Who has allocated so much looks, too.
const ALLOCATED: usize = 1 << 20;
/// What may be held of files in any case; the program itself is one, too.
const LEAST: usize = 8 << 20;
/// Parts of the file that are dropped one after the other.
const SLICES: usize = 64;
/// More processors than these are not watched.
const MOST_WATCHERS: usize = 32;

/// The mapped file: where it begins (0 before [`limit`]), ends, and how much
/// of it was ever given out.
static BEGIN: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
static USED: AtomicUsize = AtomicUsize::new(0);
static DESCRIPTOR: AtomicI32 = AtomicI32::new(-1);
/// First free block of each size; each holds the address of the next.
static FREE: [AtomicUsize; CLASSES] = [const { AtomicUsize::new(0) }; CLASSES];
/// What is left of the piece that small blocks are cut from: begin and end.
static PIECE_BEGIN: AtomicUsize = AtomicUsize::new(0);
static PIECE_END: AtomicUsize = AtomicUsize::new(0);
/// Bytes the process may hold, of its own memory and of the file.
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);
/// What large blocks may take of ordinary memory, and what is left of it.
static MOST_ORDINARY: AtomicIsize = AtomicIsize::new(0);
static ORDINARY: AtomicIsize = AtomicIsize::new(0);
/// The slice that is dropped next.
static HAND: AtomicUsize = AtomicUsize::new(0);
/// Whether pages are being dropped until there is room.
static DROPPING: AtomicBool = AtomicBool::new(false);
/// `/proc/self/statm`, open for good.
static STATM: AtomicI32 = AtomicI32::new(-1);
/// Bytes allocated since somebody looked.
static SINCE: AtomicUsize = AtomicUsize::new(0);
static LOCKED: AtomicBool = AtomicBool::new(false);

/// Lets all further large allocations of this process lie in a file in
/// `directory`, and keeps what the process holds of it in memory at about
/// three quarters of `budget` bytes, which leaves a quarter for the rest.
/// The first `ordinary` bytes of them lie in ordinary memory, which is faster:
/// at most half of the budget, and nothing where the budget will be exceeded,
/// as what lies there is in the way for good.
///
/// # Errors
/// When the file cannot be made, or was made before.
pub fn limit(directory: &Path, budget: u64, ordinary: u64) -> io::Result<()> {
    if is_limited() {
        return Err(io::Error::other("the budget was set before"));
    }
    let (file, size) = nameless_file(directory)?;
    let mapping = Mapping::of_process(&file, 0, size)?.for_good();
    let begin = mapping.base().as_ptr() as usize;
    // Otherwise the file's cache has folios of up to 2 MB, each of which one
    // fault maps: more comes in between two looks than any budget has room for.
    // SAFETY: advice on a mapping of ours; refused, it changes nothing.
    unsafe { libc::madvise(begin as *mut _, size, libc::MADV_RANDOM) };
    DESCRIPTOR.store(file.into_raw_fd(), Ordering::Relaxed);
    END.store(begin + size, Ordering::Relaxed);
    USED.store(begin, Ordering::Relaxed);
    MOST.store((budget / 4 * 3) as usize, Ordering::Relaxed);
    let ordinary = ordinary.min(budget / 2) as isize;
    MOST_ORDINARY.store(ordinary, Ordering::Relaxed);
    ORDINARY.store(ordinary, Ordering::Relaxed);
    STATM.store(
        File::open("/proc/self/statm")?.into_raw_fd(),
        Ordering::Relaxed,
    );
    for processor in processors().into_iter().take(MOST_WATCHERS) {
        std::thread::Builder::new()
            .name("memory".into())
            .spawn(move || watch(processor))?;
    }
    BEGIN.store(begin, Ordering::Release);
    Ok(())
}

/// Returns whether there is a budget already.
pub fn is_limited() -> bool {
    BEGIN.load(Ordering::Acquire) != 0
}

/// Returns the most memory that this process ever held, in bytes.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}

/// Gives memory back to the system that was used and is not any more, wherever it lies between what
/// is: what has read much and goes on with little calls it.
pub fn give_back_unused() {
    // SAFETY: a plain call of the C library's allocator, whose locks it takes itself.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Makes a sparse file that no directory names, as large as the system lets it.
fn nameless_file(directory: &Path) -> io::Result<(File, usize)> {
    let path = directory.join(format!(".mpiscope-memory-{}", std::process::id()));
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    let allowed = system::file_size_limit();
    let mut size = LARGEST_REGION;
    loop {
        let refused = match size as u64 <= allowed {
            true => match file.set_len(size as u64) {
                Ok(()) => return Ok((file, size)),
                Err(error) => error,
            },
            false => io::Error::from_raw_os_error(libc::EFBIG),
        };
        size /= 2;
        if size < SMALLEST_REGION {
            return Err(refused);
        }
    }
}

/// Drops pages whenever the process holds too much. A watcher that may run on
/// one processor only is woken where a worker runs, and takes its place: on a
/// busy machine, another would have to wait for its turn.
fn watch(processor: usize) {
    stay_on(processor);
    take_short_turns();
    loop {
        drop_pages();
        std::thread::sleep(INTERVAL);
    }
}

/// Drops some of the file's pages from the process if it holds too much: slice by slice, where it
/// went on the last time, until there is a little room. Were all dropped at once, those that are
/// looked at again and again would all come back, and half of the budget lie idle on the average.
fn drop_pages() {
    let begin = BEGIN.load(Ordering::Acquire);
    if begin == 0 {
        return;
    }
    for _ in 0..SLICES {
        let Some((held, allowed)) = held_and_allowed() else {
            return;
        };
        let is_room = match DROPPING.load(Ordering::Relaxed) {
            true => held <= allowed - allowed / 8,
            false => held <= allowed,
        };
        DROPPING.store(!is_room, Ordering::Relaxed);
        let length = USED.load(Ordering::Acquire).saturating_sub(begin);
        if is_room || length == 0 {
            return;
        }
        let slice = length.div_ceil(SLICES).next_multiple_of(PAGE);
        let first = HAND.fetch_add(1, Ordering::Relaxed) % SLICES * slice;
        if first >= length {
            continue;
        }
        let bytes = slice.min(length - first);
        // SAFETY: the range is ours and maps a file, shared: dropped pages stay in the
        // file's cache or on disk, and come back unchanged when they are touched.
        unsafe { libc::madvise((begin + first) as *mut _, bytes, libc::MADV_DONTNEED) };
    }
}

/// Returns the bytes of files that this process holds in memory, and how many it may.
fn held_and_allowed() -> Option<(usize, usize)> {
    let (all, of_files) = resident()?;
    let most = MOST.load(Ordering::Relaxed);
    // Should the rest alone be too much, something is left to work with.
    let allowed = most.saturating_sub(all - of_files.min(all));
    Some((of_files, allowed.max(most / 4).max(LEAST)))
}

/// Returns the bytes this process holds in memory, and how many of these are
/// files', without allocating.
fn resident() -> Option<(usize, usize)> {
    let mut text = [0u8; 128];
    let statm = STATM.load(Ordering::Relaxed);
    // SAFETY: the descriptor stays open for good, and `text` is as long as is said.
    let length = unsafe { libc::pread(statm, text.as_mut_ptr().cast(), text.len(), 0) };
    let text = text.get(..usize::try_from(length).ok()?)?;
    let mut numbers = text.split(|&byte| byte == b' ').skip(1).map(|number| {
        let pages: usize = std::str::from_utf8(number).ok()?.parse().ok()?;
        Some(pages * PAGE)
    });
    Some((numbers.next()??, numbers.next()??))
}

// SAFETY: blocks of the file are page-aligned, disjoint while in use, and as long as their size
// class, which is at least what was asked for; all others are the system's own.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !is_ordinary(layout) {
            let block = take(layout.size());
            if !block.is_null() {
                return block;
            }
        }
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match ours(block) {
            true => give_back(block, layout.size()),
            false => {
                more_ordinary(-counted(layout.size(), layout.align()));
                // SAFETY: not from the file, so from the system, with this layout.
                unsafe { System.dealloc(block, layout) }
            }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !is_ordinary(layout) {
            let block = take(layout.size());
            if !block.is_null() {
                // SAFETY: it has as many bytes.
                unsafe { block.write_bytes(0, layout.size()) };
                return block;
            }
        }
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let counted = |size| counted(size, layout.align());
        if !ours(block) && more_ordinary(counted(size) - counted(layout.size())) {
            // SAFETY: a block of the system with this layout.
            return unsafe { System.realloc(block, layout, size) };
        }
        let class = class_of(size);
        let stays = ours(block) && class == class_of(layout.size());
        let reserved = size <= layout.size() || class < LARGE_CLASS;
        if stays && (reserved || reserve(block, size)) {
            return block;
        }
        // SAFETY: `size` is not zero and, rounded up to the alignment, no overflow: the caller's
        // promise. Both blocks are at least as long as what is copied, and disjoint.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

/// Returns whether a block is to be one of ordinary memory, and counts it then.
fn is_ordinary(layout: Layout) -> bool {
    more_ordinary(counted(layout.size(), layout.align()))
}

/// Returns the bytes of a block that count, if it is one of ordinary memory: none of what never lies
/// elsewhere, nor of any before there is a limit.
fn counted(size: usize, align: usize) -> isize {
    match size >= SMALL && align <= PAGE && BEGIN.load(Ordering::Acquire) != 0 {
        true => size as isize,
        false => 0,
    }
}

/// Takes so much more of what large blocks may have of ordinary memory, or gives it back if it is
/// less than nothing; returns whether there was as much.
fn more_ordinary(bytes: isize) -> bool {
    if bytes == 0 {
        return true;
    }
    // Blocks from before the limit come back that never took anything.
    let most = MOST_ORDINARY.load(Ordering::Relaxed);
    let next = |left: isize| (bytes < 0 || left >= bytes).then_some((left - bytes).min(most));
    let taken = ORDINARY.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
    taken.is_ok()
}

fn ours(block: *mut u8) -> bool {
    let begin = BEGIN.load(Ordering::Acquire);
    begin != 0 && (begin..END.load(Ordering::Relaxed)).contains(&(block as usize))
}

/// Returns k of the smallest 4ᵏ pages that hold `size` bytes.
fn class_of(size: usize) -> usize {
    let pages = size.div_ceil(PAGE).max(1);
    (pages.next_power_of_two().trailing_zeros() as usize).div_ceil(2)
}

fn bytes_of(class: usize) -> usize {
    PAGE << (2 * class)
}

/// Takes a block from the file; null if there is no room.
fn take(size: usize) -> *mut u8 {
    let class = class_of(size);
    if class >= CLASSES {
        return null_mut();
    }
    if SINCE.fetch_add(size, Ordering::Relaxed) >= ALLOCATED {
        SINCE.store(0, Ordering::Relaxed);
        drop_pages();
    }
    let free = locked(|| {
        let free = FREE[class].load(Ordering::Relaxed);
        if free != 0 {
            // SAFETY: a free block's first word is the address of the next one.
            let next = unsafe { *(free as *const usize) };
            FREE[class].store(next, Ordering::Relaxed);
        }
        free
    });
    if class < LARGE_CLASS {
        return if free != 0 {
            free
        } else {
            locked(|| cut(class))
        } as *mut u8;
    }
    let block = if free != 0 {
        free
    } else {
        locked(|| extend(bytes_of(class)))
    } as *mut u8;
    if block.is_null() || reserve(block, size) {
        return block;
    }
    // The disk is full. The page of a block never used cannot hold the link.
    if reserve(block, PAGE) {
        give_back(block, PAGE);
    }
    null_mut()
}

/// Returns addresses that nobody has had, 0 if there are none; the caller
/// holds the lock.
fn extend(bytes: usize) -> usize {
    let used = USED.load(Ordering::Relaxed);
    if END.load(Ordering::Relaxed) - used < bytes {
        return 0;
    }
    USED.store(used + bytes, Ordering::Release);
    used
}

/// Cuts a small block from a piece, which is reserved; 0 if there is no room.
/// What is left of a piece that is too short is lost. The caller holds the lock.
fn cut(class: usize) -> usize {
    let bytes = bytes_of(class);
    let mut block = PIECE_BEGIN.load(Ordering::Relaxed);
    if PIECE_END.load(Ordering::Relaxed) - block < bytes {
        block = extend(PIECE);
        if block == 0 || !reserve(block as *mut u8, PIECE) {
            return 0;
        }
        PIECE_END.store(block + PIECE, Ordering::Relaxed);
    }
    PIECE_BEGIN.store(block + bytes, Ordering::Relaxed);
    block
}

/// Reserves the file's space under a block, so that touching it is safe.
fn reserve(block: *mut u8, size: usize) -> bool {
    let at = block as usize - BEGIN.load(Ordering::Relaxed);
    // SAFETY: a plain system call on a descriptor that stays open for good.
    let code = unsafe {
        libc::fallocate(
            DESCRIPTOR.load(Ordering::Relaxed),
            libc::FALLOC_FL_KEEP_SIZE,
            at as libc::off_t,
            size.div_ceil(PAGE) as libc::off_t * PAGE as libc::off_t,
        )
    };
    code == 0
}

/// Gives the disk space of a large block back, but for its first page, which
/// holds the link to the next free block.
fn give_back(block: *mut u8, size: usize) {
    let class = class_of(size);
    if class >= LARGE_CLASS {
        let at = block as usize - BEGIN.load(Ordering::Relaxed) + PAGE;
        // SAFETY: the block is nobody's any more; a file system that cannot punch holes keeps
        // the space, which is a waste and no error.
        unsafe {
            libc::fallocate(
                DESCRIPTOR.load(Ordering::Relaxed),
                libc::FALLOC_FL_KEEP_SIZE | libc::FALLOC_FL_PUNCH_HOLE,
                at as libc::off_t,
                (bytes_of(class) - PAGE) as libc::off_t,
            );
        }
    }
    locked(|| {
        let next = FREE[class].load(Ordering::Relaxed);
        // SAFETY: the first page of a block that was in use is reserved, and now ours.
        unsafe { *(block as *mut usize) = next };
        FREE[class].store(block as usize, Ordering::Relaxed);
    });
}

/// Runs a few instructions alone. An allocator may not use a lock that allocates.
fn locked<T>(work: impl FnOnce() -> T) -> T {
    while LOCKED.swap(true, Ordering::Acquire) {
        std::thread::yield_now();
    }
    let result = work();
    LOCKED.store(false, Ordering::Release);
    result
}
