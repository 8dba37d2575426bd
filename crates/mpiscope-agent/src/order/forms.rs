//! Calls that come to the same in another form.

use mpi_abi::{id, FunctionId};

/// The nonblocking form of a blocking call; both have the same first six arguments.
pub fn nonblocking_form(function: FunctionId) -> Option<FunctionId> {
    Some(match function {
        id::MPI_SEND => id::MPI_ISEND,
        id::MPI_SEND_C => id::MPI_ISEND_C,
        id::MPI_BSEND => id::MPI_IBSEND,
        id::MPI_BSEND_C => id::MPI_IBSEND_C,
        id::MPI_SSEND => id::MPI_ISSEND,
        id::MPI_SSEND_C => id::MPI_ISSEND_C,
        id::MPI_RSEND => id::MPI_IRSEND,
        id::MPI_RSEND_C => id::MPI_IRSEND_C,
        id::MPI_RECV => id::MPI_IRECV,
        id::MPI_RECV_C => id::MPI_IRECV_C,
        _ => return None,
    })
}
