//! The call that may take a message, made so that what it takes is known even
//! if it never returns: MPI fills the thread's part of its buffer
//! (`mpiscope_run::order::in_flight`), from where the program gets it.
//!
//! A receive that fails, as its message is too long, took that message all the
//! same; so what counts is whether MPI has filled a status, not what it returned.

use std::ptr::NonNull;

use mpi_abi::{Abi, StatusLayout};
use mpiscope_run::order::buffer::Progress;
use mpiscope_run::order::in_flight::Entry as Kept;
use mpiscope_run::order::in_flight::{
    took, InFlight, Kind, Took, BY_SOURCE, BY_TAG, MOST, NO_POLL, STATUS, UNFILLED,
};

use super::envelope::Wild;
use super::requests::Entry;

/// Where a thread's call is kept; its thread alone uses it.
#[derive(Clone, Copy)]
pub struct Flight {
    at: NonNull<InFlight>,
    layout: &'static StatusLayout,
}

impl Flight {
    /// Prepares the memory, which outlives the thread's state.
    pub fn new(at: NonNull<InFlight>, abi: &'static Abi) -> Self {
        let flight = Self {
            at,
            layout: &abi.status,
        };
        let it = flight.get();
        it.misses = NO_POLL;
        it.status_size = abi.status.size as u32;
        it.source = abi.status.source as u32;
        it.tag = abi.status.tag as u32;
        flight
    }

    #[inline(always)]
    #[allow(
        clippy::mut_from_ref,
        reason = "the memory is the thread's, not the handle's"
    )]
    fn get(&self) -> &mut InFlight {
        // SAFETY: the memory lives as long as the thread's state, only this thread touches it,
        // and no reference outlives the functions below.
        unsafe { &mut *self.at.as_ptr() }
    }

    /// Returns whether a call on so many requests can be kept.
    pub fn holds(&self, count: usize) -> bool {
        count <= MOST && self.layout.size <= STATUS
    }

    /// A call begins that may complete one receive; returns where MPI is to put its status.
    #[inline(always)]
    pub fn one(&self, receive: Entry) -> usize {
        self.unfill(0);
        let it = self.get();
        it.entries[0] = kept(receive);
        it.count = 1;
        it.kind = Kind::Each as u32;
        self.status(0)
    }

    /// A poll begins, after so many that said no; returns where MPI is to put its flag.
    #[inline(always)]
    pub fn poll(&self, misses: u64) -> usize {
        let it = self.get();
        it.misses = misses;
        it.flag = 0;
        it.kind = Kind::Each as u32;
        &raw mut it.flag as usize
    }

    /// Returns what MPI has put there.
    #[inline(always)]
    pub fn flag(&self) -> i32 {
        self.get().flag
    }

    /// A call begins on several requests, of which these are open receives. The first index
    /// is 1 in Fortran.
    pub fn several(&self, kind: Kind, first: u32, receives: impl Iterator<Item = Option<Entry>>) {
        let it = self.get();
        let mut count = 0;
        for (entry, receive) in it.entries.iter_mut().zip(receives) {
            *entry = receive.map_or(Kept::default(), kept);
            count += 1;
        }
        it.indices[..count.max(1)].fill(UNFILLED);
        (it.chosen, it.first, it.count) = (0, first, count as u32);
        it.kind = kind as u32;
    }

    /// Returns where MPI is to put the indices of what it chose.
    pub fn indices(&self) -> usize {
        self.get().indices.as_mut_ptr() as usize
    }

    /// Returns index `n` as MPI has put it there, if it has.
    pub fn index(&self, n: usize) -> Option<i32> {
        let index = self.get().indices.get(n).copied();
        index.filter(|&index| index != UNFILLED)
    }

    /// Returns where MPI is to put how many it chose.
    pub fn chosen(&self) -> usize {
        &raw mut self.get().chosen as usize
    }

    /// Returns where MPI is to put status `k`.
    #[inline(always)]
    pub fn status(&self, k: usize) -> usize {
        self.get().statuses.as_mut_ptr() as usize + k * self.layout.size
    }

    /// Returns whether MPI has told of a message in status `k`.
    #[inline(always)]
    pub fn is_filled(&self, k: usize) -> bool {
        self.field(k, self.layout.source) != UNFILLED
    }

    /// Returns what the call has taken, as far as MPI has told.
    pub fn took(&self) -> Took {
        let bytes = self.at.as_ptr().cast::<u8>();
        // SAFETY: as in `get`; all of it is integers, without a gap that was never written.
        took(unsafe { std::slice::from_raw_parts(bytes, size_of::<InFlight>()) })
    }

    /// The call has returned.
    #[inline(always)]
    pub fn land(&self) {
        let it = self.get();
        it.kind = Kind::Nothing as u32;
        it.misses = NO_POLL;
        it.count = 0;
    }

    /// Copies the error code of the program's status, which MPI may leave as it is.
    #[inline(always)]
    pub fn keep_error(&self, program: usize) {
        // SAFETY: the standard makes this a status of the program.
        let error = unsafe { ((program + self.layout.error) as *const i32).read_unaligned() };
        self.set_field(0, self.layout.error, error);
    }

    /// Gives the program the status of a receive, if MPI has filled it.
    #[inline(always)]
    pub fn give_one(&self, program: usize) {
        if !self.is_filled(0) {
            return;
        }
        match self.layout.size {
            24 => words::<6>(self.status(0), program),
            20 => words::<5>(self.status(0), program),
            _ => self.copy(self.status(0), program),
        }
    }

    /// Copies status `k` of the program, of which MPI may write any part.
    pub fn take_in(&self, k: usize, program: usize) {
        self.copy(program, self.status(k));
        self.unfill(k);
    }

    /// Gives the program its status back, as MPI has written it or as it was.
    pub fn give(&self, k: usize, program: usize) {
        for at in [self.layout.source, self.layout.tag] {
            if self.field(k, at) == UNFILLED {
                // SAFETY: the standard makes this a status of the program.
                let was = unsafe { ((program + at) as *const i32).read_unaligned() };
                self.set_field(k, at, was);
            }
        }
        self.copy(self.status(k), program);
    }

    /// Leaves nothing in the fields of a status that tell of a message.
    #[inline(always)]
    pub fn unfill(&self, k: usize) {
        self.set_field(k, self.layout.source, UNFILLED);
        self.set_field(k, self.layout.tag, UNFILLED);
    }

    #[inline(always)]
    fn field(&self, k: usize, at: usize) -> i32 {
        // SAFETY: the status is one of ours, and the field lies in it.
        unsafe { ((self.status(k) + at) as *const i32).read_unaligned() }
    }

    #[inline(always)]
    fn set_field(&self, k: usize, at: usize, value: i32) {
        // SAFETY: a field of a status of the thread's own buffer, which has it at this offset.
        unsafe { ((self.status(k) + at) as *mut i32).write_unaligned(value) }
    }

    fn copy(&self, from: usize, to: usize) {
        // SAFETY: callers pass two statuses of this MPI, one of them ours.
        unsafe {
            std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, self.layout.size);
        }
    }
}

/// Copies a status of so many words, one by one: MPI has just written such, and a wider read
/// would wait for them.
#[inline(always)]
fn words<const N: usize>(from: usize, to: usize) {
    for k in 0..N {
        // SAFETY: both have so many words; ours are aligned.
        unsafe {
            let word = (from as *const u32).add(k).read_volatile();
            (to as *mut u32).add(k).write_unaligned(word);
        }
    }
}

#[inline(always)]
fn kept(receive: Entry) -> Kept {
    Kept {
        ordinal: receive.ordinal,
        thread: receive.thread,
        wild: bits(receive.wild),
    }
}

/// The source is kept of every open receive, as a record has none without.
#[inline(always)]
fn bits(wild: Wild) -> u32 {
    match (wild.any(), wild.tag) {
        (false, _) => 0,
        (true, false) => BY_SOURCE,
        (true, true) => BY_SOURCE | BY_TAG,
    }
}

/// Returns memory for a thread without a buffer.
pub fn own() -> Box<(Progress, InFlight)> {
    // SAFETY: structures of integers, for which zeros are values.
    Box::new(unsafe { std::mem::zeroed() })
}
