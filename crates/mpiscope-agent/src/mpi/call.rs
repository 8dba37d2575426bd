//! One call of MPI, in C or Fortran, whoever observes or alters it.
//!
//! C passes integers and handles by value, Fortran passes addresses; handles
//! are four or eight bytes wide. Those who look at a call ask for "the
//! communicator at argument 5" and get it, whatever the interface. What each
//! of them keeps of the thread that makes the call is their own.

use mpi_abi::{pmpi, pmpi_fortran, FunctionId, Mpi};

use super::shape::{shape, Shape};
use crate::base::raw_call::{self, padded};

/// The language that the caller's binding belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lang {
    /// `MPI_X`.
    C,
    /// `mpi_x_`, `mpi_x_f08_`.
    Fortran,
}

/// A call on its way to MPI, or back.
pub struct Call<'a> {
    /// Which function.
    pub function: FunctionId,
    /// From which language.
    pub lang: Lang,
    /// The MPI library.
    pub mpi: &'static Mpi,
    /// Its arguments, as the program passed them.
    pub args: &'a mut [usize],
}

impl AsMut<[usize]> for Call<'_> {
    fn as_mut(&mut self) -> &mut [usize] {
        self.args
    }
}

/// Memory for one status of any MPI.
pub type StatusMemory = [u64; 8];

impl Call<'_> {
    /// Returns where the arguments lie.
    #[inline]
    pub fn shape(&self) -> &'static Shape {
        shape(self.function)
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
            Lang::Fortran => self.int_at(i, 0),
        }
    }

    /// Returns element `k` of the `int` array at argument `i`, the same in both languages.
    #[inline]
    pub fn int_at(&self, i: usize, k: usize) -> i32 {
        let pointer = self.raw(i) as *const i32;
        if pointer.is_null() {
            return 0;
        }
        // SAFETY: the standard makes this argument an array of at least `k + 1` integers.
        unsafe { pointer.add(k).read_unaligned() }
    }

    /// Sets element `k` of the `int` array at argument `i`.
    pub fn set_int(&mut self, i: usize, k: usize, value: i32) {
        let pointer = self.raw(i) as *mut i32;
        if !pointer.is_null() {
            // SAFETY: the standard makes this argument a writable array of at least `k + 1` integers.
            unsafe { pointer.add(k).write_unaligned(value) };
        }
    }

    /// Returns the length of an array argument; negative ones count as 0.
    #[inline]
    pub fn len(&self, i: usize) -> usize {
        self.int(i).max(0) as usize
    }

    /// Returns a count: `MPI_Count` in large-count functions, else `int`; negative ones count as 0.
    #[inline]
    pub fn count(&self, i: usize) -> u64 {
        let count = match self.function.function().is_large_count() {
            true => self.raw(i) as i64, // Fortran's large counts are observed in C
            false => i64::from(self.int(i)),
        };
        count.max(0) as u64
    }

    /// Returns element `k` of an array of counts.
    pub fn count_at(&self, i: usize, k: usize) -> u64 {
        let pointer = self.raw(i) as *const i64;
        if pointer.is_null() {
            return 0;
        }
        let count = if self.function.function().is_large_count() {
            // SAFETY: a large-count function's array of counts holds `MPI_Count`, 8 bytes each.
            unsafe { pointer.add(k).read_unaligned() }
        } else {
            i64::from(self.int_at(i, k))
        };
        count.max(0) as u64
    }

    /// Returns the C handle of the communicator at argument `i`.
    #[inline]
    pub fn comm_handle(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.comm(self.int(i)) },
        }
    }

    /// Returns the C handle of a communicator that the call has written.
    pub fn comm_written(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.handle_at(i, 0),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.comm(self.int_at(i, 0)) },
        }
    }

    /// Returns the C handle of a window passed by value.
    pub fn window(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.win(self.int(i)) },
        }
    }

    /// Returns the C handle of a window that the call has written, or will free.
    pub fn window_written(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.handle_at(i, 0),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.win(self.int_at(i, 0)) },
        }
    }

    /// Returns the C handle of a file passed by value, which is a pointer in every interface.
    pub fn file(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.raw(i),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.file(self.int(i)) },
        }
    }

    /// Returns the C handle of a file that the call has opened, or will close.
    pub fn file_written(&self, i: usize) -> usize {
        match self.lang {
            Lang::C if self.raw(i) == 0 => 0,
            // SAFETY: the standard makes this argument the address of a file, a pointer.
            Lang::C => unsafe { (self.raw(i) as *const usize).read_unaligned() },
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.file(self.int_at(i, 0)) },
        }
    }

    /// Returns an offset in a file, `MPI_Offset` of eight bytes.
    pub fn offset(&self, i: usize) -> i64 {
        match self.lang {
            Lang::C => self.raw(i) as i64,
            Lang::Fortran if self.raw(i) == 0 => 0,
            // SAFETY: the standard makes this argument the address of such an offset.
            Lang::Fortran => unsafe { (self.raw(i) as *const i64).read_unaligned() },
        }
    }

    /// Returns the C handle of a group passed by value.
    pub fn group(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.group(self.int(i)) },
        }
    }

    /// Returns the C handle of a request passed by value.
    pub fn request(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.request(self.int(i)) },
        }
    }

    /// Returns the C handle of request `k` of the array at argument `i`: unique while it is active.
    #[inline]
    pub fn request_at(&self, i: usize, k: usize) -> usize {
        match self.lang {
            Lang::C if self.raw(i) == 0 => self.mpi.abi.request_null,
            Lang::C => self.handle_at(i, k),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.request(self.int_at(i, k)) },
        }
    }

    /// Returns the address of request `k` of the array at argument `i`.
    pub fn request_address(&self, i: usize, k: usize) -> usize {
        let width = match self.lang {
            Lang::C => self.mpi.abi.handle_size,
            Lang::Fortran => 4,
        };
        self.raw(i) + k * width
    }

    /// Returns request `k` of the array at argument `i` as the program holds it.
    pub fn native_request(&self, i: usize, k: usize) -> usize {
        match self.lang {
            Lang::C => self.request_at(i, k),
            Lang::Fortran => self.int_at(i, k) as u32 as usize,
        }
    }

    /// Exchanges request `k` of the array at argument `i`.
    pub fn set_native_request(&mut self, i: usize, k: usize, value: usize) {
        match self.lang {
            Lang::Fortran => self.set_int(i, k, value as i32),
            Lang::C => {
                let array = self.raw(i) as *mut u8;
                if !array.is_null() {
                    // SAFETY: the standard makes this argument a writable array of at least `k + 1` handles.
                    unsafe { self.mpi.abi.set_handle_at(array, k, value) };
                }
            }
        }
    }

    /// Returns the C handle of the matched message behind argument `i`.
    pub fn message_at(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.handle_at(i, 0),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.message(self.int_at(i, 0)) },
        }
    }

    fn handle_at(&self, i: usize, k: usize) -> usize {
        let array = self.raw(i) as *const u8;
        if array.is_null() {
            return 0;
        }
        // SAFETY: the standard makes this argument an array of at least `k + 1` handles.
        unsafe { self.mpi.abi.handle_at(array, k) }
    }

    /// Returns the C handle of the datatype at argument `i`.
    #[inline]
    pub fn datatype(&self, i: usize) -> usize {
        match self.lang {
            Lang::C => self.mpi.abi.normalise(self.raw(i)),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.datatype(self.int(i)) },
        }
    }

    /// Returns the C handle of datatype `k` of the array at argument `i`.
    pub fn datatype_at(&self, i: usize, k: usize) -> usize {
        match self.lang {
            Lang::C => self.handle_at(i, k),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { self.mpi.fortran.datatype(self.int_at(i, k)) },
        }
    }

    /// Returns the size in bytes of the datatype at argument `i`; 0 if MPI does not say.
    #[inline]
    pub fn type_size(&self, i: usize) -> u64 {
        self.size_of(self.datatype(i))
    }

    /// Returns the size in bytes of datatype `k` of the array at argument `i`.
    pub fn type_size_at(&self, i: usize, k: usize) -> u64 {
        self.size_of(self.datatype_at(i, k))
    }

    /// Returns the bytes of `count` elements of the datatype at argument `i`; of none, nothing is asked.
    #[inline]
    pub fn bytes(&self, count: u64, i: usize) -> u64 {
        match count {
            0 => 0,
            count => count.saturating_mul(self.type_size(i)),
        }
    }

    fn size_of(&self, datatype: usize) -> u64 {
        // Legal where there is nothing to send, and fatal to ask about.
        if datatype == self.mpi.abi.datatype_null {
            return 0;
        }
        // SAFETY: the program passes this datatype to MPI in the same call.
        unsafe { self.mpi.type_size(datatype) }.unwrap_or(0)
    }

    /// Returns whether argument `i` is `MPI_IN_PLACE`.
    pub fn in_place(&self, i: usize) -> bool {
        match self.lang {
            Lang::C => self.raw(i) == self.mpi.abi.in_place,
            Lang::Fortran => self.mpi.fortran.is_in_place(self.raw(i)),
        }
    }

    /// Returns whether a status argument says that none is wanted.
    pub fn ignores_status(&self, argument: usize) -> bool {
        match self.lang {
            Lang::C => self.mpi.abi.ignores_status(argument),
            Lang::Fortran => self.mpi.fortran.ignores_status(argument),
        }
    }

    /// Returns the address of status `k` of those at argument `i`.
    #[inline]
    pub fn status(&self, i: usize, k: usize) -> *const u8 {
        (self.raw(i) + k * self.mpi.abi.status.size) as *const u8
    }

    /// Returns the string at argument `i`.
    pub fn text(&self, i: usize) -> String {
        text(self.lang, self.function, self.args, i)
    }

    /// Returns the name of a file at argument `i`; blanks at its end are Fortran's.
    pub fn path(&self, i: usize) -> String {
        const LONGEST: usize = 4096;
        let length = fortran_length(self.lang, self.function, self.args);
        let path = bounded_text(self.raw(i) as *const u8, length, LONGEST);
        match self.lang {
            Lang::C => path,
            Lang::Fortran => path.trim_matches(' ').to_owned(),
        }
    }

    /// Returns the call's return code, in Fortran from `ierror`.
    #[inline]
    pub fn code(&self, result: usize) -> i32 {
        match self.lang {
            Lang::C => result as i32,
            Lang::Fortran => self.int_at(self.ierror(), 0),
        }
    }

    /// Returns whether the call returned `MPI_SUCCESS`.
    #[inline]
    pub fn ok(&self, result: usize) -> bool {
        self.code(result) == self.mpi.abi.success
    }

    /// Ends a call that was made otherwise: in Fortran the code goes to `ierror`.
    pub fn done(&mut self, code: usize) -> usize {
        if self.lang == Lang::Fortran {
            self.set_int(self.ierror(), 0, code as i32);
        }
        code
    }

    /// Ends a call that was made otherwise, with success.
    pub fn succeed(&mut self) -> usize {
        self.done(self.mpi.abi.success as usize)
    }

    /// Returns which argument is Fortran's `ierror`.
    #[inline]
    fn ierror(&self) -> usize {
        self.function.function().args.len()
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
        let result = unsafe { raw_call::call(found, all) };
        match self.lang {
            Lang::C => result,
            Lang::Fortran => error as u32 as usize,
        }
    }
}

/// Returns the string at argument `at`; Fortran passes its length behind `ierror`.
pub fn text(lang: Lang, function: FunctionId, args: &[usize], at: usize) -> String {
    /// What MPI keeps of a name.
    const LONGEST: usize = 256;
    let start = args.get(at).copied().unwrap_or(0);
    let length = fortran_length(lang, function, args);
    let text = bounded_text(start as *const u8, length, LONGEST);
    text.trim_end().to_owned()
}

/// Returns the length that Fortran passes of the one string among the arguments.
fn fortran_length(lang: Lang, function: FunctionId, args: &[usize]) -> Option<usize> {
    let at = function.function().args.len() + 1;
    (lang == Lang::Fortran).then(|| args.get(at).copied().unwrap_or(0))
}

/// Reads a string that ends at NUL or after `length` bytes, but never more than the longest.
fn bounded_text(start: *const u8, length: Option<usize>, longest: usize) -> String {
    let mut bytes = Vec::new();
    if start.is_null() {
        return String::new();
    }
    for k in 0..length.unwrap_or(longest).min(longest) {
        // SAFETY: a C string is readable up to its NUL, a Fortran string for its length; MPI has just read it.
        let byte = unsafe { start.add(k).read() };
        if byte == 0 {
            break;
        }
        bytes.push(byte);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
