//! PMPI's functions for our own calls: arguments as words, the code back.

use mpi_abi::{pmpi, FunctionId};

/// Calls PMPI's function in C, with up to nine arguments; nothing if this MPI has no such one.
pub fn pmpi_c<const N: usize>(function: FunctionId, args: [usize; N]) -> Option<i32> {
    let mut all = [0; 9];
    for (to, from) in all.iter_mut().zip(args) {
        *to = from;
    }
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
    ) -> usize;
    let found = pmpi(function)?;
    // SAFETY: the address is that of PMPI's function; words that it does not expect lie beyond its arguments.
    let real: Any = unsafe { std::mem::transmute(found) };
    let [a, b, c, d, e, f, g, h, i] = all;
    // SAFETY: callers pass what the function of this name takes.
    Some(unsafe { real(a, b, c, d, e, f, g, h, i) } as i32)
}
