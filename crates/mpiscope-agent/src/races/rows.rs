//! What is done around a call where races are looked for: a table with a row
//! per call, around the rows of the order.

use mpi_abi::id;

use super::collective::collective;
use super::completion::{all, any, batch, one, some};
use super::forms::form;
use super::receive::{blocking, nonblocking, poll};
use super::send::to;
use super::{made, send};
use crate::base::tables::{table, Shared, Table};
use crate::mpi::functions::{NONBLOCKING_SENDS, PERSISTENT_SENDS, SENDS};
use crate::order::call::OrderedCall;
use crate::order::call::Row;
use crate::order::envelope::at;

/// Makes a call around the order's own row.
type Around = fn(&mut OrderedCall, Row) -> usize;

/// Makes a call.
#[inline]
pub fn around(call: &mut OrderedCall, row: Row) -> usize {
    if let Some(around) = TABLE[call.function.index()] {
        return around(call, row);
    }
    match form(call.function) {
        Some(form) => collective(call, row, form),
        None => row(call),
    }
}

static TABLE: Table<Around> = table(ROWS);

const ROWS: &[Shared<Around>] = &[
    (SENDS, send::send),
    (NONBLOCKING_SENDS, send::send),
    (PERSISTENT_SENDS, send::send_init),
    (&[id::MPI_RECV_INIT], send::recv_init),
    (&[id::MPI_START], send::start),
    (&[id::MPI_STARTALL], send::startall),
    (&[id::MPI_REQUEST_FREE], send::request_free),
    (&[id::MPI_CANCEL], send::cancel),
    (&[id::MPI_RECV], |call, row| {
        blocking(call, row, const { at(id::MPI_RECV) }, true)
    }),
    (&[id::MPI_IRECV], |call, row| {
        nonblocking(call, row, const { at(id::MPI_IRECV) })
    }),
    (&[id::MPI_SENDRECV], |call, row| {
        send::announce(call, const { &to(id::MPI_SENDRECV) });
        blocking(call, row, const { at(id::MPI_SENDRECV) }, true)
    }),
    (&[id::MPI_SENDRECV_REPLACE], |call, row| {
        send::announce(call, const { &to(id::MPI_SENDRECV_REPLACE) });
        blocking(call, row, const { at(id::MPI_SENDRECV_REPLACE) }, true)
    }),
    (&[id::MPI_ISENDRECV], |call, row| {
        send::announce(call, const { &to(id::MPI_ISENDRECV) });
        nonblocking(call, row, const { at(id::MPI_ISENDRECV) })
    }),
    (&[id::MPI_ISENDRECV_REPLACE], |call, row| {
        send::announce(call, const { &to(id::MPI_ISENDRECV_REPLACE) });
        nonblocking(call, row, const { at(id::MPI_ISENDRECV_REPLACE) })
    }),
    (&[id::MPI_PROBE], |call, row| {
        blocking(call, row, const { at(id::MPI_PROBE) }, false)
    }),
    (&[id::MPI_MPROBE], |call, row| {
        blocking(call, row, const { at(id::MPI_MPROBE) }, true)
    }),
    (&[id::MPI_IPROBE], |call, row| {
        poll(call, row, const { at(id::MPI_IPROBE) }, false)
    }),
    (&[id::MPI_IMPROBE], |call, row| {
        poll(call, row, const { at(id::MPI_IMPROBE) }, true)
    }),
    (&[id::MPI_WAIT], |call, row| {
        batch(call, row, const { &one(id::MPI_WAIT) })
    }),
    (&[id::MPI_TEST], |call, row| {
        batch(call, row, const { &one(id::MPI_TEST) })
    }),
    (&[id::MPI_WAITALL], |call, row| {
        batch(call, row, const { &all(id::MPI_WAITALL) })
    }),
    (&[id::MPI_TESTALL], |call, row| {
        batch(call, row, const { &all(id::MPI_TESTALL) })
    }),
    (&[id::MPI_WAITANY], |call, row| {
        batch(call, row, const { &any(id::MPI_WAITANY) })
    }),
    (&[id::MPI_TESTANY], |call, row| {
        batch(call, row, const { &any(id::MPI_TESTANY) })
    }),
    (&[id::MPI_WAITSOME], |call, row| {
        batch(call, row, const { &some(id::MPI_WAITSOME) })
    }),
    (&[id::MPI_TESTSOME], |call, row| {
        batch(call, row, const { &some(id::MPI_TESTSOME) })
    }),
    (
        &[
            id::MPI_COMM_DUP,
            id::MPI_COMM_DUP_WITH_INFO,
            id::MPI_COMM_CREATE,
            id::MPI_COMM_SPLIT,
            id::MPI_COMM_SPLIT_TYPE,
            id::MPI_CART_CREATE,
            id::MPI_CART_SUB,
            id::MPI_GRAPH_CREATE,
            id::MPI_DIST_GRAPH_CREATE,
            id::MPI_DIST_GRAPH_CREATE_ADJACENT,
        ],
        made::of_all,
    ),
    (
        &[
            id::MPI_COMM_CREATE_GROUP,
            id::MPI_COMM_CREATE_FROM_GROUP,
            id::MPI_INTERCOMM_CREATE,
            id::MPI_INTERCOMM_MERGE,
        ],
        made::of_some,
    ),
    (
        &[id::MPI_COMM_IDUP, id::MPI_COMM_IDUP_WITH_INFO],
        made::duplicate,
    ),
    (&[id::MPI_COMM_FREE, id::MPI_COMM_DISCONNECT], made::free),
];
