//! An order without a record: whatever MPI may choose is chosen by a rule, the
//! same in every run (`mpiscope replay --deterministic`).
//!
//! A choice waits until the job is *quiet*: every rank has ended or waits in
//! MPI, and nothing has moved for a number of turns of progress. Which messages
//! are there then does not depend on who was fast, as long as each rank by
//! itself does the same in every run: between two quiet moments no rank chooses
//! anything (Kahn 1974). All ranks that have something to choose do so in the
//! same quiet moment, before any of them goes on.
//!
//! A receive from anybody takes the message of the lowest rank that has sent
//! one. The other ranks whose messages are there come next, in their order,
//! with no further wait (`choose`). A poll says yes if it can; no only in a quiet
//! moment. A wait for any or some completes what is complete in a quiet moment.
//! A nonblocking receive from anybody is posted when it is decided whose
//! message it takes (`deferred`).
//!
//! So that all this can be told, blocking calls are made of their nonblocking
//! forms (`block`), and members of a blocking collective operation meet before
//! it. Ranks tell each other what they do through a page of shared memory
//! (`page`): they are on one host.

mod block;
mod choose;
pub mod completions;
mod deferred;
mod earliest;
pub mod memory;

use mpi_abi::{id, FunctionId, FUNCTIONS};

use super::call::{OrderedCall, Row};
use crate::base::tables::{table, Table};
use crate::mpi::collective::{collective, Form};
use crate::mpi::shape::any_comm;
use crate::mpi::shape::completion::request;

pub use block::{
    probe, receive, send, sendrecv, sendrecv_replace, settled, wait, waitall, waitany, waitsome,
};
pub use choose::{found, gone, source, took};
pub use deferred::{defer, drop_unposted, forget, posted, refresh, refresh_several};
pub use earliest::takes;
use memory::Deterministic;

/// Returns whether this thread's choices are made by the rule.
#[inline]
pub fn on(call: &OrderedCall) -> bool {
    call.thread.rule.is_some()
}

/// Returns whether choices are those of the unobserved program.
pub fn by_time(call: &OrderedCall) -> bool {
    earliest::on(call)
}

/// Before a test for one or all: requests of receives that were posted meanwhile are exchanged.
pub fn refresh_all(call: &mut OrderedCall) {
    match call.function {
        id::MPI_TEST => refresh(call, const { request(id::MPI_TEST) }, 1),
        id::MPI_TESTALL => refresh_several(call),
        _ => {}
    }
}

/// Works on what the thread remembers.
fn with<T>(call: &mut OrderedCall, work: impl FnOnce(&mut Deterministic) -> T) -> Option<T> {
    call.thread.rule.as_deref_mut().map(work)
}

/// A choice was left to MPI, as nothing is known of such calls.
pub fn leave_to_mpi(call: &mut OrderedCall) {
    leave_for(call, call.function.function().name);
}

/// A choice was left to MPI.
fn leave_for(call: &mut OrderedCall, reason: &'static str) {
    with(call, |rule| {
        rule.left += 1;
        rule.reasons.insert(reason);
    });
}

/// Makes a call: members of a collective operation meet first.
pub fn around(call: &mut OrderedCall, row: Option<Row>) -> usize {
    if let Some(comm) = MEETING[call.function.index()] {
        block::meet(call, usize::from(comm));
    }
    block::within(call, |call| match row {
        Some(row) => row(call),
        None => call.go(),
    })
}

/// Of each blocking call in which all members of a communicator meet, which argument that is.
static MEETING: [Option<u8>; FUNCTIONS.len()] = meetings();

/// Calls in which they do, beside collective operations.
const MEETINGS: Table<()> = table(&[(
    &[
        id::MPI_COMM_FREE,
        id::MPI_COMM_DISCONNECT,
        id::MPI_COMM_DUP,
        id::MPI_COMM_DUP_WITH_INFO,
        id::MPI_COMM_SPLIT,
        id::MPI_COMM_SPLIT_TYPE,
        id::MPI_COMM_CREATE,
        id::MPI_INTERCOMM_MERGE,
        id::MPI_CART_CREATE,
        id::MPI_CART_SUB,
        id::MPI_GRAPH_CREATE,
        id::MPI_DIST_GRAPH_CREATE,
        id::MPI_DIST_GRAPH_CREATE_ADJACENT,
        id::MPI_WIN_CREATE,
        id::MPI_WIN_ALLOCATE,
        id::MPI_WIN_ALLOCATE_SHARED,
        id::MPI_WIN_CREATE_DYNAMIC,
        id::MPI_FILE_OPEN,
    ],
    (),
)]);

const fn is_meeting(index: usize) -> bool {
    match collective(FunctionId(index as u16)) {
        Some(it) => matches!(it.form, Form::Blocking) && !it.is_among_neighbors,
        None => MEETINGS[index].is_some(),
    }
}

const fn meetings() -> [Option<u8>; FUNCTIONS.len()] {
    let mut all = [None; FUNCTIONS.len()];
    let mut index = 0;
    while index < all.len() {
        if is_meeting(index) {
            all[index] = any_comm(FunctionId(index as u16));
        }
        index += 1;
    }
    all
}
