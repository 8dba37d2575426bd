//! What is done around a call: a table with a row per call. Calls without a
//! row choose nothing.

use mpi_abi::{id, FunctionId};

use super::call::Row;
use super::{cancel, nondeterminism, persistent, poll, post, probe, receive, wait};
use crate::base::tables::{table, Shared, Table};
use crate::mpi::collective::{collective, Form};
use crate::mpi::functions::{NONBLOCKING_SENDS, SENDS};

/// Returns the row of a function.
#[inline]
pub fn row(function: FunctionId) -> Option<Row> {
    TABLE[function.index()]
}

/// Whether MPI chooses in which order it combines what members bring.
const fn is_reduction(function: FunctionId) -> bool {
    match collective(function) {
        Some(it) => it.is_reduction() && !matches!(it.form, Form::Persistent),
        None => false,
    }
}

static TABLE: Table<Row> = {
    let mut table = table(ROWS);
    let mut index = 0;
    while index < table.len() {
        if is_reduction(FunctionId(index as u16)) {
            table[index] = Some(nondeterminism::reduction);
        }
        index += 1;
    }
    table
};

const ROWS: &[Shared<Row>] = &[
    (SENDS, post::send),
    (NONBLOCKING_SENDS, post::nonblocking),
    (&[id::MPI_RECV], receive::recv),
    (&[id::MPI_IRECV], receive::irecv),
    (&[id::MPI_SENDRECV], receive::sendrecv),
    (&[id::MPI_SENDRECV_REPLACE], receive::sendrecv_replace),
    (&[id::MPI_ISENDRECV], receive::isendrecv),
    (&[id::MPI_ISENDRECV_REPLACE], receive::isendrecv_replace),
    (&[id::MPI_RECV_INIT], persistent::recv_init),
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
            id::MPI_RACCUMULATE,
            id::MPI_GET_ACCUMULATE,
            id::MPI_RGET_ACCUMULATE,
            id::MPI_FETCH_AND_OP,
            id::MPI_COMPARE_AND_SWAP,
            id::MPI_WIN_LOCK,
            id::MPI_WIN_LOCK_ALL,
            id::MPI_WIN_ALLOCATE_SHARED,
            id::MPI_WIN_SHARED_QUERY,
        ],
        nondeterminism::one_sided,
    ),
    (
        &[
            id::MPI_FILE_READ_SHARED,
            id::MPI_FILE_WRITE_SHARED,
            id::MPI_FILE_IREAD_SHARED,
            id::MPI_FILE_IWRITE_SHARED,
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
];
