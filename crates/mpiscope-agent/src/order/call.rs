//! A call whose order is recorded or led: what the rows see of it, and may do with it.

use std::ops::{Deref, DerefMut};

use mpiscope_run::order::Taken;

use super::envelope::Wild;
use super::fast_path::Comm;
use super::thread::Thread;
use crate::mpi::call::{Call, Lang};
use crate::mpi::layers::Next;

/// Makes a call, in a way of its own.
pub type Row = fn(&mut OrderedCall) -> usize;

/// A call on its way to MPI.
pub struct OrderedCall<'a> {
    /// What the program asks of MPI.
    pub call: Call<'a>,
    /// What makes it.
    pub next: Next<'a>,
    /// The calling thread.
    pub thread: &'a mut Thread,
}

impl<'a> Deref for OrderedCall<'a> {
    type Target = Call<'a>;

    #[inline(always)]
    fn deref(&self) -> &Call<'a> {
        &self.call
    }
}

impl DerefMut for OrderedCall<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.call
    }
}

impl OrderedCall<'_> {
    /// Makes the real call.
    #[inline]
    pub fn go(&mut self) -> usize {
        self.next.go(&mut self.call)
    }

    /// Sets a flag that the call returns.
    pub fn set_flag(&mut self, i: usize, value: bool) {
        let value = match (value, self.lang) {
            (false, _) => 0,
            (true, Lang::C) => 1,
            (true, Lang::Fortran) => self.thread.session.fortran_true(),
        };
        self.set_int(i, 0, value);
    }

    /// Returns the wildcards at the arguments `source` and `tag`.
    #[inline]
    pub fn wild(&self, source: usize, tag: usize) -> Wild {
        let abi = &self.mpi.abi;
        Wild {
            source: self.int(source) == abi.any_source,
            tag: self.int(tag) == abi.any_tag && self.int(source) != abi.proc_null,
        }
    }

    /// Makes sure that MPI fills the status at argument `i`, if need be in
    /// memory of the thread's; returns the argument as it was.
    #[inline]
    pub fn want_status(&mut self, i: usize) -> usize {
        let passed = self.raw(i);
        if self.ignores_status(passed) {
            let own = self.thread.status.as_mut_ptr() as usize;
            self.replace(i, own);
        }
        passed
    }

    /// Returns what a status says of the message taken; nothing for MPI_PROC_NULL.
    #[inline]
    pub fn taken(&self, status: *const u8, wild: Wild) -> Option<Taken> {
        // SAFETY: a completed receive or a successful probe has filled this status.
        let (source, tag) =
            unsafe { (self.mpi.status_source(status), self.mpi.status_tag(status)) };
        (source >= 0).then_some(Taken {
            source: source as u32,
            tag: (wild.tag && tag >= 0).then_some(tag as u32),
        })
    }

    /// Returns the thread's number of the communicator at argument `at`; the world needs no look.
    #[inline]
    pub fn comm_number(&mut self, at: usize) -> u32 {
        let handle = self.comm_handle(at);
        if handle == self.mpi.abi.comm_world || handle == self.mpi.abi.comm_null {
            return 0;
        }
        let freed = &self.thread.session.freed;
        let count = freed.count();
        let known = self.thread.comms.get(self.mpi, freed, handle);
        let (number, size) = (known.number, known.size);
        self.thread
            .hot
            .note_comm(handle, Comm { number, size }, count);
        number
    }
}
