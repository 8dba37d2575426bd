//! A call whose order is recorded or led: what the rows see of it, and may do with it.

use std::ops::{Deref, DerefMut};

use mpiscope_run::order::Taken;

use super::thread::Thread;
use crate::mpi::call::{Call, Lang};

/// A call on its way to MPI.
pub struct OrderedCall<'a> {
    /// What the program asks of MPI.
    pub call: Call<'a>,
    /// The real function.
    pub real: &'a dyn Fn(&mut [usize]) -> usize,
    /// The calling thread.
    pub thread: &'a mut Thread,
}

/// Which wildcards a receive was posted with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wild {
    /// `MPI_ANY_SOURCE`.
    pub source: bool,
    /// `MPI_ANY_TAG`.
    pub tag: bool,
}

impl Wild {
    /// Returns whether there is any choice.
    #[inline]
    pub fn any(self) -> bool {
        self.source || self.tag
    }
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
        (self.real)(self.call.args)
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
}
