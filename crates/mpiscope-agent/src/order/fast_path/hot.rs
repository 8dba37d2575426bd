//! What the shortest way asks of a thread, together on a line of the cache.

use mpi_abi::Abi;
use mpiscope_run::order::{next_mark, End, Taken};

use super::super::comms::Freed;
use super::super::envelope::Wild;
use super::super::hash::Hash;
use crate::base::nesting::Nesting;
use crate::mpi::call::StatusMemory;

/// What the shortest way may be taken for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastPath {
    /// Nothing.
    No,
    /// The order is recorded.
    Record,
    /// The order is led, and not recorded again.
    Replay,
}

/// See the file's head.
#[repr(C, align(64))]
pub struct Hot {
    /// The call that is being made, if one is.
    pub nesting: Nesting,
    /// Whether the shortest way may be taken, and what for.
    pub fast_path: FastPath,
    /// Whether a watchdog looks.
    pub watched: bool,
    /// The call was a poll that said no.
    pub vain: bool,
    any_source: i32,
    any_tag: i32,
    proc_null: i32,
    source_offset: u16,
    tag_offset: u16,
    /// The lower half of a message's size.
    size_offset: u16,
    /// Ranks of the world.
    size: u32,
    /// The bits of a register that hold a handle.
    mask: usize,
    world: usize,
    /// Of the thread's calls.
    pub hash: Hash,
    /// In replay, the call in which the recorded process died.
    pub end: u64,
    /// After so many messages the hash of what they were is marked.
    pub next_mark: u64,
    /// The latest communicator besides the world.
    latest: Latest,
}

/// A communicator as the thread numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comm {
    /// The world is 0.
    pub number: u32,
    /// Ranks that a message can come from.
    pub size: u32,
}

/// Known until a communicator is freed: its handle may come again for another.
struct Latest {
    handle: usize,
    comm: Comm,
    freed: usize,
}

impl Hot {
    /// Takes over what a call is compared with.
    pub fn new(
        abi: &Abi,
        fast_path: FastPath,
        size: u32,
        watched: bool,
        hash: Hash,
        cut: Option<End>,
    ) -> Self {
        Self {
            nesting: Nesting::NOT,
            fast_path,
            watched,
            vain: false,
            any_source: abi.any_source,
            any_tag: abi.any_tag,
            proc_null: abi.proc_null,
            source_offset: abi.status.source as u16,
            tag_offset: abi.status.tag as u16,
            size_offset: size_offset(abi),
            size,
            mask: match abi.handle_size {
                4 => u32::MAX as usize,
                _ => usize::MAX,
            },
            world: abi.comm_world,
            hash,
            end: cut.map_or(u64::MAX, |cut| cut.calls),
            next_mark: next_mark(0),
            latest: Latest {
                handle: abi.comm_null,
                comm: Comm { number: 0, size: 0 },
                freed: usize::MAX,
            },
        }
    }

    /// Returns whether the recorded process had died before the call that was counted last.
    #[inline(always)]
    pub fn is_past_end(&self) -> bool {
        self.hash.calls() > self.end
    }

    /// Returns what is known of a communicator, if it is the world or the latest other.
    #[inline(always)]
    pub fn comm(&self, freed: &Freed, handle: usize) -> Option<Comm> {
        let handle = handle & self.mask;
        if handle == self.world {
            let size = self.size;
            return Some(Comm { number: 0, size });
        }
        let latest = &self.latest;
        (handle == latest.handle && freed.count() == latest.freed).then_some(latest.comm)
    }

    /// Remembers the latest communicator besides the world, found when so many were freed.
    #[inline]
    pub fn note_comm(&mut self, handle: usize, comm: Comm, freed: usize) {
        self.latest = Latest {
            handle,
            comm,
            freed,
        };
    }

    /// Returns the wildcards of a receive or probe.
    #[inline(always)]
    pub fn wild(&self, source: usize, tag: usize) -> Wild {
        Wild {
            source: source as i32 == self.any_source,
            tag: tag as i32 == self.any_tag && source as i32 != self.proc_null,
        }
    }

    /// Returns what a status that MPI has filled says of the message taken; nothing for
    /// MPI_PROC_NULL.
    #[inline(always)]
    pub fn taken(&self, status: usize, wild: Wild) -> Option<Taken> {
        let field = |offset: u16| (status + usize::from(offset)) as *const i32;
        // SAFETY: the caller's call has succeeded, so these fields of its status are there.
        let source = unsafe { field(self.source_offset).read_unaligned() };
        let tag = wild.tag.then(|| {
            // SAFETY: a field of the same status.
            unsafe { field(self.tag_offset).read_unaligned() }
        });
        Some(Taken {
            source: u32::try_from(source).ok()?,
            tag: tag.and_then(|tag| u32::try_from(tag).ok()),
        })
    }

    /// Notes what a status that MPI has filled tells of a message.
    #[inline(always)]
    pub fn told(&mut self, status: usize) {
        let field = |offset: u16| {
            let field = (status + usize::from(offset)) as *const u32;
            // SAFETY: the caller's call has succeeded, so its status is there.
            unsafe { field.read_unaligned() }
        };
        let source = u64::from(field(self.source_offset));
        let envelope = source << 32 | u64::from(field(self.tag_offset));
        let bytes = field(self.size_offset);
        self.hash.tell(envelope, bytes);
    }

    /// Returns the request behind a pointer; nothing for none.
    #[inline(always)]
    pub fn request(&self, at: usize) -> Option<usize> {
        if at == 0 {
            return None;
        }
        // SAFETY: the standard makes this argument the address of a handle, of as many bytes.
        Some(unsafe {
            match self.mask == usize::MAX {
                true => (at as *const usize).read_unaligned(),
                false => (at as *const u32).read_unaligned() as usize,
            }
        })
    }
}

/// Returns where a status has the size of its message: behind all others in Open MPI, first in
/// MPICH. Of an interface that keeps it elsewhere the source counts twice.
fn size_offset(abi: &Abi) -> u16 {
    match abi.status.size {
        24 => 16,
        20 => 0,
        _ => abi.status.source as u16,
    }
}

/// Returns the program's status, if it wants one.
#[inline(always)]
pub fn wanted(status: usize) -> Option<usize> {
    match status {
        0 | 1 => None, // the two spellings of MPI_STATUS_IGNORE
        given => Some(given),
    }
}

/// Returns the status that MPI is to fill: ours, if the program wants none.
#[inline(always)]
pub fn filled(status: usize, own: &mut StatusMemory) -> usize {
    wanted(status).unwrap_or(own.as_mut_ptr() as usize)
}
