//! Functions that differ in their mode alone, and so share a row wherever there is one for them;
//! named by the forms that count in `int`.

use mpi_abi::{id, FunctionId};

/// Blocking sends.
pub const SENDS: &[FunctionId] = &[id::MPI_SEND, id::MPI_BSEND, id::MPI_SSEND, id::MPI_RSEND];

/// Nonblocking sends.
pub const NONBLOCKING_SENDS: &[FunctionId] = &[
    id::MPI_ISEND,
    id::MPI_IBSEND,
    id::MPI_ISSEND,
    id::MPI_IRSEND,
];

/// Sends that are made to be started.
pub const PERSISTENT_SENDS: &[FunctionId] = &[
    id::MPI_SEND_INIT,
    id::MPI_BSEND_INIT,
    id::MPI_SSEND_INIT,
    id::MPI_RSEND_INIT,
];

/// Tells whether a function sends, blocking or not, and counts in `int`.
pub const fn is_send(function: FunctionId) -> bool {
    is_among(function, SENDS) || is_among(function, NONBLOCKING_SENDS)
}

/// Tells whether a function is among others.
pub const fn is_among(function: FunctionId, functions: &[FunctionId]) -> bool {
    let mut i = 0;
    while i < functions.len() {
        if functions[i].0 == function.0 {
            return true;
        }
        i += 1;
    }
    false
}
