//! MPI's functions called by words: arguments of the INTEGER class, as many as there are.

use mpi_abi::{pmpi, FunctionId};

/// More words than any function has that is called so, Fortran's `ierror` included.
pub const WORDS: usize = 12;

/// Calls a function; words that it does not expect lie beyond its arguments.
///
/// # Safety
/// The address is that of a function of MPI, and the first words are what it takes.
pub unsafe fn call(function: *const (), words: [usize; WORDS]) -> usize {
    type Any = unsafe extern "C-unwind" fn(
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
    ) -> usize;
    // SAFETY: the function takes words, at most so many: more are passed in vain (both ABIs).
    let real: Any = unsafe { std::mem::transmute(function) };
    let [a, b, c, d, e, f, g, h, i, j, k, l] = words;
    // SAFETY: the words are arguments that this function may be called with.
    unsafe { real(a, b, c, d, e, f, g, h, i, j, k, l) }
}

/// Returns arguments as that many words.
pub fn padded<const N: usize>(args: [usize; N]) -> [usize; WORDS] {
    let mut all = [0; WORDS];
    for (to, from) in all.iter_mut().zip(args) {
        *to = from;
    }
    all
}

/// Calls PMPI's function in C; nothing if this MPI has no such one.
pub fn pmpi_c<const N: usize>(function: FunctionId, args: [usize; N]) -> Option<i32> {
    let found = pmpi(function)?;
    // SAFETY: the address is that of PMPI's function; callers pass what the function of this name takes.
    Some(unsafe { call(found, padded(args)) } as i32)
}
