//! A call whose facts are told: what hooks see of it.

use std::ops::{Deref, DerefMut};

use mpiscope_run::record::{Fact, Message, Wildcard, LEFT_OUT, UNSEEN};

use super::filter;
use super::session::Session;
use super::thread::Thread;
use crate::mpi::call::Call;
use crate::mpi::comms::Comm;
use crate::mpi::types::Known;

/// A call being observed, between its enter and its leave.
pub struct ObservedCall<'a> {
    /// What the program asks of MPI.
    pub call: Call<'a>,
    /// The thread's state.
    pub thread: &'a mut Thread,
    /// The process's state.
    pub session: &'static Session,
    /// Ticks at the call's enter (in hooks before) or leave (in hooks after).
    pub time: u64,
    /// What the call returned, once it has.
    returned: i32,
}

impl<'a> Deref for ObservedCall<'a> {
    type Target = Call<'a>;

    #[inline(always)]
    fn deref(&self) -> &Call<'a> {
        &self.call
    }
}

impl DerefMut for ObservedCall<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.call
    }
}

impl<'a> ObservedCall<'a> {
    /// Makes the view of a call.
    pub fn new(call: Call<'a>, thread: &'a mut Thread, time: u64) -> Self {
        let session = thread.session;
        Self {
            call,
            thread,
            session,
            time,
            returned: 0,
        }
    }

    /// Records a fact at the call's time, or counts it if the call is not recorded.
    #[inline]
    pub fn record(&mut self, fact: Fact) {
        if self.thread.seen {
            self.thread.push(self.time, fact);
        } else {
            self.thread.scratch.untold = true;
            self.session.unrecorded.note(self.thread, fact);
        }
    }

    /// Returns the id of a request or matched message that begins in this call.
    #[inline]
    pub fn next_request(&self) -> u32 {
        let id = self.session.next_request();
        match self.thread.seen {
            true => id,
            // While recording is on: a filter leaves the call out, or it is made within another.
            false if self.thread.is_told() => id | LEFT_OUT,
            false if filter::is_left_out(self.call.function) => id | LEFT_OUT,
            false => id | UNSEEN,
        }
    }

    /// Returns what is known of the communicator at argument `i`.
    #[inline]
    pub fn comm(&mut self, i: usize) -> Option<&'static Comm> {
        let handle = self.comm_handle(i);
        self.thread.comms.of(self.session, handle)
    }

    /// Returns the bytes of the data with its count and datatype at these
    /// arguments, and what is known of the datatype; of no data, nothing is asked.
    #[inline]
    pub fn data(&mut self, count: usize, datatype: usize) -> (u64, Known) {
        let handle = self.datatype(datatype);
        match self.count(count) {
            0 => (0, Known::default()),
            _ if handle == self.mpi.abi.datatype_null => (0, Known::default()),
            count => {
                let known = self.thread.types.of(self.session, handle);
                (count.saturating_mul(known.size), known)
            }
        }
    }

    /// Returns the number of a datatype's signature, 0 if it is not known.
    pub fn signature_of(&mut self, datatype: usize) -> u16 {
        if datatype == self.mpi.abi.datatype_null {
            return 0;
        }
        self.thread.types.of(self.session, datatype).signature
    }

    /// Makes sure that MPI will write the status at argument `i`, even if the program ignores it.
    pub fn want_status(&mut self, i: usize) {
        let passed = self.raw(i);
        if self.ignores_status(passed) {
            let own = self.thread.scratch.status.as_mut_ptr() as usize;
            self.replace(i, own);
        }
    }

    /// Makes sure that MPI will write the `count` statuses at argument `i`.
    pub fn want_statuses(&mut self, i: usize, count: usize) {
        let passed = self.raw(i);
        if self.ignores_status(passed) {
            let bytes = count * self.mpi.abi.status.size;
            let own = self.thread.scratch.statuses(bytes);
            self.replace(i, own);
        }
    }

    /// Returns the message that a status describes, or nothing for `MPI_PROC_NULL`.
    #[inline]
    pub fn received(&self, status: *const u8, comm: u32, wildcard: Wildcard) -> Option<Message> {
        let mpi = self.mpi;
        // SAFETY: a completed receive or successful probe has filled this status.
        let (source, tag) = unsafe { (mpi.status_source(status), mpi.status_tag(status)) };
        if source < 0 {
            return None;
        }
        // SAFETY: MPI has filled the status, which tells of a message.
        let bytes = unsafe { mpi.status_bytes(status) }.unwrap_or(0);
        Some(Message {
            peer: source as u32,
            comm,
            tag: tag as u32,
            bytes,
            wildcard,
            signature: 0,
        })
    }

    /// Returns which wildcards the source and tag arguments are.
    #[inline]
    pub fn wildcard(&self, source: usize, tag: usize) -> Wildcard {
        let abi = &self.mpi.abi;
        Wildcard {
            source: self.int(source) == abi.any_source,
            tag: self.int(tag) == abi.any_tag,
        }
    }

    /// Takes the call's return code; returns whether it is `MPI_SUCCESS`.
    pub fn succeeded(&mut self, result: usize) -> bool {
        self.returned = self.code(result);
        self.returned == self.mpi.abi.success
    }

    /// Takes the code that a call would have returned.
    pub fn fails(&mut self, code: i32) {
        self.returned = code;
    }

    /// Returns the class of the error that the call returned; the code itself where MPI cannot tell.
    pub fn error_class(&self) -> i32 {
        let class = self.mpi.error_class(self.returned);
        class.unwrap_or(self.returned)
    }

    /// Returns whether the call failed for single requests, as their statuses tell.
    pub fn failed_in_status(&self) -> bool {
        self.error_class() == self.mpi.abi.err_in_status
    }

    /// Returns whether a receive failed as its message was longer: it has taken it all the same.
    pub fn is_truncated(&self) -> bool {
        self.error_class() == self.mpi.abi.err_truncate
    }
}
