//! Functions that do the same, but for their mode or for how they choose, and so share a row wherever
//! there is one for them; named by the forms that count in `int`.

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

/// Blocking calls in which all members of a communicator make another.
pub const COMM_CREATIONS: &[FunctionId] = &[
    id::MPI_COMM_DUP,
    id::MPI_COMM_DUP_WITH_INFO,
    id::MPI_COMM_SPLIT,
    id::MPI_COMM_SPLIT_TYPE,
    id::MPI_COMM_CREATE,
    id::MPI_CART_CREATE,
    id::MPI_CART_SUB,
    id::MPI_GRAPH_CREATE,
    id::MPI_DIST_GRAPH_CREATE,
    id::MPI_DIST_GRAPH_CREATE_ADJACENT,
    id::MPI_INTERCOMM_MERGE,
];

/// Tells whether a function sends, blocking or not, and counts in `int`.
pub const fn is_send(function: FunctionId) -> bool {
    is_among(function, SENDS) || is_among(function, NONBLOCKING_SENDS)
}

/// Tells whether such a function returns before its message has left.
pub const fn is_nonblocking_send(function: FunctionId) -> bool {
    is_among(function, NONBLOCKING_SENDS)
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
