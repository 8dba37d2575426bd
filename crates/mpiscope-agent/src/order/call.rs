//! One call as the rows see it, and what they may do with it.

use mpi_abi::{pmpi, pmpi_fortran, FunctionId, Mpi};
use mpiscope_run::order::Taken;

use super::thread::Thread;
use crate::call::Lang;
use crate::words::{self, padded};

/// A call on its way to MPI.
pub struct Call<'a> {
    /// Which function.
    pub function: FunctionId,
    /// From which language.
    pub lang: Lang,
    /// The MPI library.
    pub mpi: &'static Mpi,
    /// Its arguments, as the program passed them.
    pub args: &'a mut [usize],
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

/// Memory for one status of any MPI.
pub type StatusMemory = [u64; 8];

impl Call<'_> {
    /// Makes the real call.
    #[inline]
    pub fn go(&mut self) -> usize {
        (self.real)(self.args)
    }

    /// Calls another function of the same language; Fortran gets an `ierror`
    /// of ours, whose value is returned.
    pub fn sibling<const N: usize>(&self, function: FunctionId, args: [usize; N]) -> usize {
        let mut all = padded(args);
        let mut error = self.mpi.abi.success;
        let found = match self.lang {
            Lang::C => pmpi(function),
            Lang::Fortran => {
                if let Some(place) = all.get_mut(N) {
                    *place = &raw mut error as usize;
                }
                pmpi_fortran(function)
            }
        };
        let Some(found) = found else {
            return self.mpi.abi.err_in_status as usize;
        };
        // SAFETY: the address is that of PMPI's function; the arguments are the program's own, or
        // equivalents that live until the call returns.
        let result = unsafe { words::call(found, all) };
        match self.lang {
            Lang::C => result,
            Lang::Fortran => error as u32 as usize,
        }
    }

    /// Ends a call that was made by siblings: in Fortran the code goes to `ierror`.
    pub fn done(&mut self, code: usize) -> usize {
        if self.lang == Lang::Fortran {
            self.set_int(self.function.function().args.len(), 0, code as i32);
        }
        code
    }

    /// Returns whether the call returned `MPI_SUCCESS`.
    #[inline]
    pub fn ok(&self, result: usize) -> bool {
        let code = match self.lang {
            Lang::C => result as i32,
            Lang::Fortran => self.element(self.function.function().args.len(), 0),
        };
        code == self.mpi.abi.success
    }

    /// Returns argument `i` as it was passed.
    #[inline]
    pub fn raw(&self, i: usize) -> usize {
        self.args.get(i).copied().unwrap_or(0)
    }

    /// Replaces argument `i`.
    #[inline]
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
            Lang::Fortran => self.element(i, 0),
        }
    }

    /// Returns a count of requests; negative ones count as 0.
    #[inline]
    pub fn count(&self, i: usize) -> usize {
        self.int(i).max(0) as usize
    }

    /// Returns element `k` of the array of `int` at argument `i`.
    #[inline]
    pub fn element(&self, i: usize, k: usize) -> i32 {
        let pointer = self.raw(i) as *const i32;
        if pointer.is_null() {
            return 0;
        }
        // SAFETY: the standard makes this argument an array of at least `k + 1` integers.
        unsafe { pointer.add(k).read_unaligned() }
    }

    /// Sets element `k` of the array of `int` at argument `i`.
    pub fn set_int(&mut self, i: usize, k: usize, value: i32) {
        let pointer = self.raw(i) as *mut i32;
        if !pointer.is_null() {
            // SAFETY: the standard makes this argument a writable array of at least `k + 1` integers.
            unsafe { pointer.add(k).write_unaligned(value) };
        }
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

    /// Returns what stands for request `k` of the array at argument `i`: unique while it is active.
    #[inline]
    pub fn request(&self, i: usize, k: usize) -> usize {
        match self.lang {
            Lang::C => {
                let array = self.raw(i) as *const u8;
                if array.is_null() {
                    return self.mpi.abi.request_null;
                }
                // SAFETY: the standard makes this argument an array of at least `k + 1` handles.
                unsafe { self.mpi.abi.handle_at(array, k) }
            }
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.request(self.element(i, k)) },
        }
    }

    /// Returns the address of request `k` of the array at argument `i`.
    pub fn request_at(&self, i: usize, k: usize) -> usize {
        let width = match self.lang {
            Lang::C => self.mpi.abi.handle_size,
            Lang::Fortran => 4,
        };
        self.raw(i) + k * width
    }

    /// Returns the C handle of the communicator at argument `i`.
    #[inline]
    pub fn comm(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.comm(self.int(i)) },
        }
    }

    /// Returns the C handle of the datatype at argument `i`.
    pub fn datatype(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.datatype(self.int(i)) },
        }
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

    /// Returns whether a status argument says that none is wanted.
    pub fn ignored(&self, argument: usize) -> bool {
        match self.lang {
            Lang::C => self.mpi.abi.ignores_status(argument),
            Lang::Fortran => self.mpi.fortran.ignores_status(argument),
        }
    }

    /// Makes sure that MPI fills the status at argument `i`, if need be in
    /// memory of the thread's; returns the argument as it was.
    #[inline]
    pub fn want_status(&mut self, i: usize) -> usize {
        let passed = self.raw(i);
        if self.ignored(passed) {
            let own = self.thread.status.as_mut_ptr() as usize;
            self.replace(i, own);
        }
        passed
    }

    /// Returns the address of status `k` of those at argument `i`.
    #[inline]
    pub fn status(&self, i: usize, k: usize) -> *const u8 {
        (self.raw(i) + k * self.mpi.abi.status.size) as *const u8
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
