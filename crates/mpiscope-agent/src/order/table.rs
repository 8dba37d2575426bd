//! What is done around a call: a table with a row per call. Calls without a
//! row choose nothing.

use mpi_abi::{id, FunctionId};

use super::call::Row;
use super::{cancel, nondeterminism, persistent, poll, post, probe, receive, wait};
use crate::base::tables::{table, Shared, Table};
use crate::mpi::functions::{NONBLOCKING_SENDS, SENDS};

/// Returns the row of a function.
#[inline]
pub fn row(function: FunctionId) -> Option<Row> {
    TABLE[function.index()]
}

static TABLE: Table<Row> = table(ROWS);

const ROWS: &[Shared<Row>] = &[
    (SENDS, post::send),
    (NONBLOCKING_SENDS, post::nonblocking),
    (&[id::MPI_RECV, id::MPI_RECV_C], receive::recv),
    (&[id::MPI_IRECV, id::MPI_IRECV_C], receive::irecv),
    (&[id::MPI_SENDRECV, id::MPI_SENDRECV_C], receive::sendrecv),
    (
        &[id::MPI_SENDRECV_REPLACE, id::MPI_SENDRECV_REPLACE_C],
        receive::sendrecv_replace,
    ),
    (
        &[id::MPI_ISENDRECV, id::MPI_ISENDRECV_C],
        receive::isendrecv,
    ),
    (
        &[id::MPI_ISENDRECV_REPLACE, id::MPI_ISENDRECV_REPLACE_C],
        receive::isendrecv_replace,
    ),
    (
        &[id::MPI_RECV_INIT, id::MPI_RECV_INIT_C],
        persistent::recv_init,
    ),
    (&[id::MPI_START], persistent::start),
    (&[id::MPI_STARTALL], persistent::startall),
    (&[id::MPI_CANCEL], cancel::cancel),
    (&[id::MPI_REQUEST_FREE], cancel::free),
    (&[id::MPI_PROBE], probe::probe),
    (&[id::MPI_MPROBE], probe::mprobe),
    (&[id::MPI_IPROBE], probe::iprobe),
    (&[id::MPI_IMPROBE], probe::improbe),
    (&[id::MPI_WAIT], wait::wait),
    (&[id::MPI_WAITALL], wait::waitall),
    (&[id::MPI_WAITANY], wait::waitany),
    (&[id::MPI_WAITSOME], wait::waitsome),
    (&[id::MPI_TEST], poll::test),
    (&[id::MPI_TESTALL], poll::testall),
    (&[id::MPI_TESTANY], poll::testany),
    (&[id::MPI_TESTSOME], poll::testsome),
    (&[id::MPI_REQUEST_GET_STATUS], poll::get_status),
    (&[id::MPI_REQUEST_GET_STATUS_ALL], poll::get_status_all),
    (&[id::MPI_PARRIVED], poll::parrived),
    (&[id::MPI_WIN_TEST], poll::win_test),
    (
        &[id::MPI_COMM_FREE, id::MPI_COMM_DISCONNECT],
        nondeterminism::comm_free,
    ),
    (
        &[
            id::MPI_ACCUMULATE,
            id::MPI_ACCUMULATE_C,
            id::MPI_RACCUMULATE,
            id::MPI_RACCUMULATE_C,
            id::MPI_GET_ACCUMULATE,
            id::MPI_GET_ACCUMULATE_C,
            id::MPI_RGET_ACCUMULATE,
            id::MPI_RGET_ACCUMULATE_C,
            id::MPI_FETCH_AND_OP,
            id::MPI_COMPARE_AND_SWAP,
            id::MPI_WIN_LOCK,
            id::MPI_WIN_LOCK_ALL,
            id::MPI_WIN_ALLOCATE_SHARED,
            id::MPI_WIN_ALLOCATE_SHARED_C,
            id::MPI_WIN_SHARED_QUERY,
            id::MPI_WIN_SHARED_QUERY_C,
        ],
        nondeterminism::one_sided,
    ),
    (
        &[
            id::MPI_FILE_READ_SHARED,
            id::MPI_FILE_READ_SHARED_C,
            id::MPI_FILE_WRITE_SHARED,
            id::MPI_FILE_WRITE_SHARED_C,
            id::MPI_FILE_IREAD_SHARED,
            id::MPI_FILE_IREAD_SHARED_C,
            id::MPI_FILE_IWRITE_SHARED,
            id::MPI_FILE_IWRITE_SHARED_C,
            id::MPI_FILE_GET_POSITION_SHARED,
        ],
        nondeterminism::file,
    ),
    (
        &[
            id::MPI_COMM_SPAWN,
            id::MPI_COMM_SPAWN_MULTIPLE,
            id::MPI_COMM_ACCEPT,
            id::MPI_COMM_CONNECT,
            id::MPI_COMM_JOIN,
            id::MPI_LOOKUP_NAME,
        ],
        nondeterminism::processes,
    ),
    (
        &[
            id::MPI_GREQUEST_START,
            id::MPI_REQUEST_GET_STATUS_ANY,
            id::MPI_REQUEST_GET_STATUS_SOME,
        ],
        nondeterminism::other_request,
    ),
    (
        &[
            id::MPI_REDUCE,
            id::MPI_REDUCE_C,
            id::MPI_ALLREDUCE,
            id::MPI_ALLREDUCE_C,
            id::MPI_REDUCE_SCATTER,
            id::MPI_REDUCE_SCATTER_C,
            id::MPI_REDUCE_SCATTER_BLOCK,
            id::MPI_REDUCE_SCATTER_BLOCK_C,
            id::MPI_SCAN,
            id::MPI_SCAN_C,
            id::MPI_EXSCAN,
            id::MPI_EXSCAN_C,
            id::MPI_IREDUCE,
            id::MPI_IREDUCE_C,
            id::MPI_IALLREDUCE,
            id::MPI_IALLREDUCE_C,
            id::MPI_IREDUCE_SCATTER,
            id::MPI_IREDUCE_SCATTER_C,
            id::MPI_IREDUCE_SCATTER_BLOCK,
            id::MPI_IREDUCE_SCATTER_BLOCK_C,
            id::MPI_ISCAN,
            id::MPI_ISCAN_C,
            id::MPI_IEXSCAN,
            id::MPI_IEXSCAN_C,
        ],
        nondeterminism::reduction,
    ),
];
