//! Functions that differ in their mode alone, and so share a row wherever there is one for them.

use mpi_abi::{id, FunctionId, FUNCTIONS};

/// Blocking sends.
pub const SENDS: &[FunctionId] = &[
    id::MPI_SEND,
    id::MPI_SEND_C,
    id::MPI_BSEND,
    id::MPI_BSEND_C,
    id::MPI_SSEND,
    id::MPI_SSEND_C,
    id::MPI_RSEND,
    id::MPI_RSEND_C,
];

/// Nonblocking sends.
pub const NONBLOCKING_SENDS: &[FunctionId] = &[
    id::MPI_ISEND,
    id::MPI_ISEND_C,
    id::MPI_IBSEND,
    id::MPI_IBSEND_C,
    id::MPI_ISSEND,
    id::MPI_ISSEND_C,
    id::MPI_IRSEND,
    id::MPI_IRSEND_C,
];

/// Sends that are made to be started.
pub const PERSISTENT_SENDS: &[FunctionId] = &[
    id::MPI_SEND_INIT,
    id::MPI_SEND_INIT_C,
    id::MPI_BSEND_INIT,
    id::MPI_BSEND_INIT_C,
    id::MPI_SSEND_INIT,
    id::MPI_SSEND_INIT_C,
    id::MPI_RSEND_INIT,
    id::MPI_RSEND_INIT_C,
];

/// Tells whether a function sends, blocking or not, and counts in `int`.
pub const fn is_send(function: FunctionId) -> bool {
    let name = FUNCTIONS[function.0 as usize].name.as_bytes();
    let is_large = matches!(name, [.., b'_', b'c']);
    !is_large && (is_among(function, SENDS) || is_among(function, NONBLOCKING_SENDS))
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
