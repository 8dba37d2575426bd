//! One MPI call as hooks see it, in C or Fortran.
//!
//! C passes integers and handles by value, Fortran passes addresses; handles
//! are four or eight bytes wide. Hooks ask for "the communicator at argument
//! 5" and get it, whatever the interface.

use mpi_abi::{FunctionId, Mpi};
use mpiscope_run::record::{Fact, Message, Wildcard, UNSEEN};

use crate::comms::Comm;
use crate::session::Session;
use crate::thread::Thread;
use crate::types::Known;

/// The language that the caller's binding belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lang {
    /// `MPI_X`.
    C,
    /// `mpi_x_`, `mpi_x_f08_`.
    Fortran,
}

/// A call being observed, between its enter and its leave.
pub struct Call<'a> {
    /// Which function.
    pub function: FunctionId,
    /// From which language.
    pub lang: Lang,
    /// The thread's state.
    pub thread: &'a mut Thread,
    /// The process's state.
    pub session: &'static Session,
    /// Ticks at the call's enter (in hooks before) or leave (in hooks after).
    pub time: u64,
    args: &'a mut [usize],
    /// What the call returned, once it has.
    code: i32,
}

impl<'a> Call<'a> {
    /// Makes the view of a call.
    pub fn new(
        function: FunctionId,
        lang: Lang,
        args: &'a mut [usize],
        thread: &'a mut Thread,
        time: u64,
    ) -> Self {
        let session = thread.session;
        Self {
            function,
            lang,
            thread,
            session,
            time,
            args,
            code: 0,
        }
    }

    /// Returns the MPI library.
    pub fn mpi(&self) -> &'static Mpi {
        self.session.mpi
    }

    /// Records a fact at the call's time, or counts it if the call is not recorded.
    #[inline]
    pub fn record(&mut self, fact: Fact) {
        if self.thread.seen {
            self.thread.push(self.time, fact);
        } else {
            self.session.unseen.note(self.thread, fact);
        }
    }

    /// Returns the id of a request or matched message that begins in this call.
    #[inline]
    pub fn next_request(&self) -> u32 {
        let id = self.session.next_request();
        match self.thread.seen {
            true => id,
            false => id | UNSEEN,
        }
    }

    /// Returns argument `i` as it was passed.
    #[inline]
    pub fn raw(&self, i: usize) -> usize {
        self.args.get(i).copied().unwrap_or(0)
    }

    /// Replaces argument `i`.
    pub fn replace(&mut self, i: usize, value: usize) {
        if let Some(arg) = self.args.get_mut(i) {
            *arg = value;
        }
    }

    /// Returns an `int` passed by value (C) or reference (Fortran).
    #[inline]
    pub fn int(&self, i: usize) -> i32 {
        match self.lang {
            Lang::C => self.raw(i) as i32,
            Lang::Fortran => self.int_behind(i, 0),
        }
    }

    /// Returns element `k` of the `int` array at argument `i`, the same in both languages.
    #[inline]
    pub fn int_behind(&self, i: usize, k: usize) -> i32 {
        let pointer = self.raw(i) as *const i32;
        if pointer.is_null() {
            return 0;
        }
        // SAFETY: the standard makes this argument an array of at least `k + 1` integers.
        unsafe { pointer.add(k).read_unaligned() }
    }

    /// Returns a count: `MPI_Count` in large-count functions, else `int`; negative ones count as 0.
    #[inline]
    pub fn count(&self, i: usize) -> u64 {
        let count = if self.function.function().is_large_count() {
            self.raw(i) as i64 // Fortran's large counts are observed in C
        } else {
            i64::from(self.int(i))
        };
        count.max(0) as u64
    }

    /// Returns element `k` of an array of counts.
    pub fn count_behind(&self, i: usize, k: usize) -> u64 {
        let pointer = self.raw(i) as *const i64;
        if pointer.is_null() {
            return 0;
        }
        let count = if self.function.function().is_large_count() {
            // SAFETY: a large-count function's array of counts holds `MPI_Count`, 8 bytes each.
            unsafe { pointer.add(k).read_unaligned() }
        } else {
            i64::from(self.int_behind(i, k))
        };
        count.max(0) as u64
    }

    /// Returns the C handle of a communicator.
    #[inline]
    pub fn comm_handle(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.session.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.session.mpi.fortran.comm(self.int(i)) },
        }
    }

    /// Returns what is known of the communicator at argument `i`.
    #[inline]
    pub fn comm(&mut self, i: usize) -> Option<&'static Comm> {
        let handle = self.comm_handle(i);
        self.session.comms.get(self.thread, handle)
    }

    /// Returns the C handle of a communicator that the call has written.
    pub fn comm_written(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.handle_behind(i, 0),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.session.mpi.fortran.comm(self.int_behind(i, 0)) },
        }
    }

    /// Returns what names a window passed by value: its C handle, or
    /// Fortran's number.
    pub fn window(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.session.mpi.abi.normalise(self.raw(i)),
            Lang::Fortran => of_fortran(self.int(i)),
        }
    }

    /// The same of a window that the call has written, or will.
    pub fn window_written(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.handle_behind(i, 0),
            Lang::Fortran => of_fortran(self.int_behind(i, 0)),
        }
    }

    /// Returns the C handle of a request passed by value.
    pub fn request(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.session.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.session.mpi.fortran.request(self.int(i)) },
        }
    }

    /// Returns element `k` of an array of requests, as C handle.
    #[inline]
    pub fn request_behind(&self, i: usize, k: usize) -> usize {
        match self.lang {
            Lang::C => self.handle_behind(i, k),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.session.mpi.fortran.request(self.int_behind(i, k)) },
        }
    }

    /// Returns the matched message behind argument `i`, as C handle.
    pub fn message_behind(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.handle_behind(i, 0),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.session.mpi.fortran.message(self.int_behind(i, 0)) },
        }
    }

    fn handle_behind(&self, i: usize, k: usize) -> usize {
        let array = self.raw(i) as *const u8;
        if array.is_null() {
            return 0;
        }
        // SAFETY: the standard makes this argument an array of at least `k + 1` handles.
        unsafe { self.session.mpi.abi.handle_at(array, k) }
    }

    /// Returns the C handle of the datatype at argument `i`.
    #[inline]
    pub fn datatype(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.session.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.session.mpi.fortran.datatype(self.int(i)) },
        }
    }

    /// Returns the bytes of the data with its count and datatype at these
    /// arguments, and what is known of the datatype; of no data, nothing is asked.
    #[inline]
    pub fn data(&mut self, count: usize, datatype: usize) -> (u64, Known) {
        let handle = self.datatype(datatype);
        match self.count(count) {
            0 => (0, Known::default()),
            _ if handle == self.session.mpi.abi.datatype_null => (0, Known::default()),
            count => {
                let known = self.thread.types.of(self.session, handle);
                (count.saturating_mul(known.size), known)
            }
        }
    }

    /// Returns element `k` of an array of datatypes, as C handle.
    pub fn datatype_behind(&self, i: usize, k: usize) -> usize {
        match self.lang {
            Lang::C => self.handle_behind(i, k),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.session.mpi.fortran.datatype(self.int_behind(i, k)) },
        }
    }

    /// Returns the number of a datatype's signature, 0 if it is not known.
    pub fn signature_of(&mut self, datatype: usize) -> u16 {
        if datatype == self.session.mpi.abi.datatype_null {
            return 0;
        }
        self.thread.types.of(self.session, datatype).signature
    }

    /// Returns the size in bytes of the datatype at argument `i`; 0 if MPI does not say.
    #[inline]
    pub fn type_size(&self, i: usize) -> u64 {
        self.size_of(self.datatype(i))
    }

    /// Returns the bytes of `count` elements of the datatype at argument `i`; of none, nothing is asked.
    #[inline]
    pub fn bytes(&self, count: u64, i: usize) -> u64 {
        match count {
            0 => 0,
            count => count.saturating_mul(self.type_size(i)),
        }
    }

    /// Returns the size in bytes of element `k` of an array of datatypes.
    pub fn type_size_behind(&self, i: usize, k: usize) -> u64 {
        self.size_of(self.datatype_behind(i, k))
    }

    fn size_of(&self, datatype: usize) -> u64 {
        // Legal where there is nothing to send, and fatal to ask about.
        if datatype == self.session.mpi.abi.datatype_null {
            return 0;
        }
        // SAFETY: the program passes this datatype to MPI in the same call.
        unsafe { self.session.mpi.type_size(datatype) }.unwrap_or(0)
    }

    /// Returns whether argument `i` is `MPI_IN_PLACE`.
    pub fn in_place(&self, i: usize) -> bool {
        match self.lang {
            Lang::C => self.raw(i) == self.session.mpi.abi.in_place,
            Lang::Fortran => self.session.mpi.fortran.is_in_place(self.raw(i)),
        }
    }

    /// Makes sure that MPI will write the status at argument `i`, even if the program ignores it.
    pub fn want_status(&mut self, i: usize) {
        let passed = self.raw(i);
        if self.ignores_status(passed) {
            let own = self.thread.scratch.status.as_mut_ptr() as usize;
            self.replace(i, own);
        }
    }

    /// The same for an array of `count` statuses.
    pub fn want_statuses(&mut self, i: usize, count: usize) {
        let passed = self.raw(i);
        if self.ignores_status(passed) {
            let own = self.thread.scratch.statuses(count * self.status_size());
            self.replace(i, own);
        }
    }

    fn ignores_status(&self, passed: usize) -> bool {
        match self.lang {
            Lang::C => self.session.mpi.abi.ignores_status(passed),
            Lang::Fortran => self.session.mpi.fortran.ignores_status(passed),
        }
    }

    /// Returns status `k` of those at argument `i`.
    #[inline]
    pub fn status(&self, i: usize, k: usize) -> Status {
        Status((self.raw(i) + k * self.status_size()) as *const u8)
    }

    fn status_size(&self) -> usize {
        self.session.mpi.abi.status.size
    }

    /// Returns the message that a status describes, or nothing for `MPI_PROC_NULL`.
    #[inline]
    pub fn received(&self, status: Status, comm: u32, wildcard: Wildcard) -> Option<Message> {
        let mpi = self.session.mpi;
        // SAFETY: a completed receive or successful probe has filled this status.
        let (source, tag) = unsafe { (mpi.status_source(status.0), mpi.status_tag(status.0)) };
        if source < 0 {
            return None;
        }
        // SAFETY: as above.
        let bytes = unsafe { mpi.status_bytes(status.0) }.unwrap_or(0);
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
        let abi = &self.session.mpi.abi;
        Wildcard {
            source: self.int(source) == abi.any_source,
            tag: self.int(tag) == abi.any_tag,
        }
    }

    /// Returns the string at argument `i`.
    pub fn text(&self, i: usize) -> String {
        text(self.lang, self.function, self.args, i)
    }

    /// Takes the call's return code, in Fortran from `ierror`; returns whether it is `MPI_SUCCESS`.
    pub fn succeeded(&mut self, result: usize) -> bool {
        self.code = match self.lang {
            Lang::C => result as i32,
            Lang::Fortran => self.int_behind(self.function.function().args.len(), 0),
        };
        self.code == self.session.mpi.abi.success
    }

    /// Returns whether the call failed for single requests, as their statuses tell.
    pub fn failed_in_status(&self) -> bool {
        let mpi = self.session.mpi;
        mpi.error_class(self.code)
            .is_ok_and(|class| class == mpi.abi.err_in_status)
    }
}

/// A status in the program's or the agent's memory.
#[derive(Clone, Copy)]
pub struct Status(pub *const u8);

/// Returns the string at argument `at`; Fortran passes its length behind `ierror`.
pub fn text(lang: Lang, function: FunctionId, args: &[usize], at: usize) -> String {
    let raw = |i: usize| args.get(i).copied().unwrap_or(0);
    let length = match lang {
        Lang::C => None,
        Lang::Fortran => Some(raw(function.function().args.len() + 1)),
    };
    let text = bounded_text(raw(at) as *const u8, length);
    text.trim_end().to_owned()
}

/// Reads a string that ends at NUL or after `length` bytes, but never more than MPI keeps of a name.
fn bounded_text(start: *const u8, length: Option<usize>) -> String {
    const LONGEST: usize = 256;
    let mut bytes = Vec::new();
    for k in 0..length.unwrap_or(LONGEST).min(LONGEST) {
        // SAFETY: a C string is readable up to its NUL, a Fortran string for its length; MPI has just read it.
        let byte = unsafe { start.add(k).read() };
        if byte == 0 {
            break;
        }
        bytes.push(byte);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Tells a number of Fortran's from every C handle.
fn of_fortran(number: i32) -> usize {
    usize::MAX ^ number as u32 as usize
}
