//! What is done for a call beyond enter and leave: a table with a row per call.
//!
//! A function without a row is entered and left. What moves data between memory and files has a
//! hook by its name, as collective operations have. An operation without a row that returns an
//! active request (`MPI_Grequest_start`) still gets it noted, so that a wait for it is not
//! mistaken for a wait for somebody else's request of the same handle.

use mpi_abi::{id, Direction, FunctionId, Kind, FUNCTIONS};

use super::call::ObservedCall;
use super::collective;
use super::comm_hooks;
use super::completion;
use super::files::{accesses as file_accesses, opening};
use super::persistent;
use super::point_to_point;
use super::polls;
use super::probe;
use super::windows::{self, accesses, epochs, locks, making};
use crate::base::tables::{table, Shared};
use crate::mpi::collective::{collective, Form};
use crate::mpi::files::{access, Form as AccessForm};
use crate::mpi::functions::{COMM_CREATIONS, NONBLOCKING_SENDS, PERSISTENT_SENDS, SENDS};

/// What to do before and after the real call. `after` learns whether it succeeded.
#[derive(Clone, Copy)]
pub struct Hook {
    /// Runs before the enter is recorded: tells what a blocking receive asks for.
    pub asks: Option<fn(&mut ObservedCall)>,
    /// Runs between the record of the enter and the call.
    pub before: Option<fn(&mut ObservedCall)>,
    /// Runs between the call and the record of the leave.
    pub after: Option<fn(&mut ObservedCall, bool)>,
    /// Of a call that polls: the argument in which it says that something was there.
    pub found: Option<u8>,
}

const PLAIN: Hook = Hook {
    asks: None,
    before: None,
    after: None,
    found: None,
};

const fn before(before: fn(&mut ObservedCall)) -> Hook {
    Hook {
        before: Some(before),
        ..PLAIN
    }
}

const fn after(after: fn(&mut ObservedCall, bool)) -> Hook {
    Hook {
        after: Some(after),
        ..PLAIN
    }
}

const fn both(before: fn(&mut ObservedCall), after: fn(&mut ObservedCall, bool)) -> Hook {
    Hook {
        before: Some(before),
        after: Some(after),
        ..PLAIN
    }
}

const fn asking(asks: fn(&mut ObservedCall), hook: Hook) -> Hook {
    Hook {
        asks: Some(asks),
        ..hook
    }
}

/// The hook of each function, at its index.
pub static HOOKS: [Hook; FUNCTIONS.len()] = hooks();

const ROWS: &[Shared<Hook>] = &[
    (SENDS, before(point_to_point::before)),
    (
        &[id::MPI_RECV, id::MPI_SENDRECV, id::MPI_SENDRECV_REPLACE],
        asking(
            point_to_point::asks,
            both(point_to_point::before, point_to_point::received),
        ),
    ),
    (
        NONBLOCKING_SENDS,
        both(point_to_point::before_isend, point_to_point::posted),
    ),
    (
        &[id::MPI_IRECV],
        both(point_to_point::before_irecv, point_to_point::posted),
    ),
    (
        &[id::MPI_ISENDRECV, id::MPI_ISENDRECV_REPLACE],
        both(point_to_point::before_isendrecv, point_to_point::posted),
    ),
    (PERSISTENT_SENDS, after(persistent::send_init)),
    (&[id::MPI_RECV_INIT], after(persistent::recv_init)),
    (&[id::MPI_PSEND_INIT], after(persistent::psend_init)),
    (&[id::MPI_PRECV_INIT], after(persistent::precv_init)),
    (&[id::MPI_START], before(persistent::start)),
    (&[id::MPI_STARTALL], before(persistent::startall)),
    (&[id::MPI_REQUEST_FREE], before(persistent::request_free)),
    (&[id::MPI_CANCEL], before(completion::cancel)),
    (
        &[id::MPI_WAIT],
        both(completion::before_wait, completion::wait),
    ),
    (
        &[id::MPI_WAITALL],
        both(completion::before_waitall, completion::waitall),
    ),
    (
        &[id::MPI_WAITANY],
        both(completion::before_any, completion::waitany),
    ),
    (
        &[id::MPI_WAITSOME, id::MPI_TESTSOME],
        both(completion::before_some, completion::some),
    ),
    (
        &[id::MPI_TEST],
        both(completion::before_test, completion::test),
    ),
    (&[id::MPI_REQUEST_GET_STATUS], after(completion::get_status)),
    (
        &[id::MPI_TESTALL],
        both(completion::before_testall, completion::testall),
    ),
    (
        &[id::MPI_TESTANY],
        both(completion::before_testany, completion::testany),
    ),
    (
        &[id::MPI_PROBE],
        asking(
            point_to_point::asks,
            both(point_to_point::want_status, probe::probe),
        ),
    ),
    (
        &[id::MPI_IPROBE],
        both(point_to_point::want_status, probe::probe),
    ),
    (
        &[id::MPI_MPROBE],
        asking(
            point_to_point::asks,
            both(point_to_point::want_status, probe::mprobe),
        ),
    ),
    (
        &[id::MPI_IMPROBE],
        both(point_to_point::want_status, probe::mprobe),
    ),
    (
        &[id::MPI_MRECV],
        asking(probe::asks_mrecv, both(probe::before_mrecv, probe::mrecv)),
    ),
    (&[id::MPI_IMRECV], both(probe::before_imrecv, probe::imrecv)),
    (
        COMM_CREATIONS,
        asking(windows::asks_comm, after(comm_hooks::created)),
    ),
    (
        &[
            id::MPI_COMM_CREATE_GROUP,
            id::MPI_COMM_CREATE_FROM_GROUP,
            id::MPI_INTERCOMM_CREATE,
            id::MPI_INTERCOMM_CREATE_FROM_GROUPS,
            id::MPI_COMM_ACCEPT,
            id::MPI_COMM_CONNECT,
            id::MPI_COMM_JOIN,
        ],
        after(comm_hooks::created),
    ),
    (
        &[
            id::MPI_WIN_CREATE,
            id::MPI_WIN_CREATE_DYNAMIC,
            id::MPI_WIN_ALLOCATE,
            id::MPI_WIN_ALLOCATE_SHARED,
        ],
        asking(
            windows::asks_comm,
            both(making::before_creation, making::created),
        ),
    ),
    (
        &[id::MPI_WIN_FREE],
        asking(
            windows::asks_window,
            both(making::before_free, making::freed),
        ),
    ),
    (&[id::MPI_WIN_SET_NAME], after(making::named)),
    (
        &[id::MPI_WIN_FENCE],
        asking(
            windows::asks_window,
            both(epochs::before_fence, epochs::fence),
        ),
    ),
    (&[id::MPI_WIN_START], after(epochs::start)),
    (&[id::MPI_WIN_COMPLETE], after(epochs::complete)),
    (&[id::MPI_WIN_POST], after(epochs::post)),
    (&[id::MPI_WIN_WAIT], after(epochs::wait)),
    (&[id::MPI_WIN_TEST], after(epochs::test)),
    (
        &[id::MPI_WIN_LOCK, id::MPI_WIN_LOCK_ALL],
        both(locks::before_lock, locks::lock),
    ),
    (
        &[id::MPI_WIN_UNLOCK, id::MPI_WIN_UNLOCK_ALL],
        after(locks::unlock),
    ),
    (
        &[id::MPI_WIN_FLUSH, id::MPI_WIN_FLUSH_ALL],
        after(locks::flush),
    ),
    (
        &[id::MPI_WIN_FLUSH_LOCAL, id::MPI_WIN_FLUSH_LOCAL_ALL],
        after(locks::flush_local),
    ),
    (&[id::MPI_WIN_SYNC], after(locks::sync)),
    (&[id::MPI_PUT], before(accesses::put)),
    (&[id::MPI_GET], before(accesses::get)),
    (&[id::MPI_ACCUMULATE], before(accesses::accumulate)),
    (
        &[id::MPI_GET_ACCUMULATE, id::MPI_FETCH_AND_OP],
        before(accesses::fetch),
    ),
    (
        &[id::MPI_COMPARE_AND_SWAP],
        before(accesses::compare_and_swap),
    ),
    (&[id::MPI_RPUT], both(accesses::put, accesses::requested)),
    (&[id::MPI_RGET], both(accesses::get, accesses::requested)),
    (
        &[id::MPI_RACCUMULATE],
        both(accesses::accumulate, accesses::requested),
    ),
    (
        &[id::MPI_RGET_ACCUMULATE],
        both(accesses::fetch, accesses::requested),
    ),
    (
        &[id::MPI_FILE_OPEN],
        asking(windows::asks_comm, after(opening::opened)),
    ),
    (
        &[id::MPI_FILE_CLOSE],
        both(opening::before_close, opening::closed),
    ),
    (&[id::MPI_FILE_DELETE], after(opening::deleted)),
    (
        &[id::MPI_FILE_SEEK, id::MPI_FILE_SEEK_SHARED],
        after(opening::sought),
    ),
    (
        &[id::MPI_FILE_SYNC],
        both(file_accesses::before_sync, file_accesses::synced),
    ),
    (
        &[id::MPI_COMM_IDUP, id::MPI_COMM_IDUP_WITH_INFO],
        after(comm_hooks::duplicated),
    ),
    (
        &[id::MPI_COMM_FREE, id::MPI_COMM_DISCONNECT],
        both(comm_hooks::before_free, comm_hooks::freed),
    ),
    (&[id::MPI_COMM_SET_NAME], after(comm_hooks::named)),
    (&[id::MPI_TYPE_FREE], before(type_freed)),
];

/// MPI_Type_free `(datatype)`: the handle may come again as another's.
fn type_freed(call: &mut ObservedCall) {
    call.session.types.forget(call.datatype_at(0, 0));
}

const fn hooks() -> [Hook; FUNCTIONS.len()] {
    let rows = table(ROWS);
    let mut hooks = [PLAIN; FUNCTIONS.len()];
    let mut i = 0;
    while i < hooks.len() {
        let function = FunctionId(i as u16);
        hooks[i] = match (rows[i], collective(function), access(function)) {
            (Some(hook), _, _) => hook,
            (None, Some(it), _) => of_form(it.form),
            (None, None, Some(it)) => of_access(it.form),
            (None, None, None) if starts_request(i) => after(point_to_point::opaque),
            (None, None, None) => PLAIN,
        };
        hooks[i].found = polls::FOUND[i];
        i += 1;
    }
    hooks
}

/// The hook of a collective operation.
const fn of_form(form: Form) -> Hook {
    match form {
        Form::Blocking => both(collective::before, collective::after),
        Form::Nonblocking => both(collective::initiate, collective::initiated),
        Form::Persistent => after(collective::initialised),
    }
}

/// The hook of what moves data between memory and a file.
const fn of_access(form: AccessForm) -> Hook {
    match form {
        AccessForm::Blocking => both(file_accesses::before, file_accesses::after),
        AccessForm::Nonblocking => both(file_accesses::initiate, file_accesses::initiated),
        AccessForm::Begin => both(file_accesses::split, file_accesses::was_split),
        AccessForm::End => both(file_accesses::before_end, file_accesses::ended),
    }
}

/// Tells whether a name ends with `_init` or `_init_c`.
const fn is_initialisation(name: &[u8]) -> bool {
    matches!(
        name,
        [.., b'_', b'i', b'n', b'i', b't'] | [.., b'_', b'i', b'n', b'i', b't', b'_', b'c']
    )
}

/// Tells whether a function returns an active request: it writes one, and is
/// not the initialisation of a persistent operation.
const fn starts_request(index: usize) -> bool {
    let function = &FUNCTIONS[index];
    if is_initialisation(function.name.as_bytes()) {
        return false;
    }
    let mut i = 0;
    while i < function.args.len() {
        let arg = &function.args[i];
        if matches!(arg.kind, Kind::Request) && matches!(arg.direction, Direction::Out) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether what a call means is told, beyond its enter and leave.
#[cfg(test)]
pub fn is_observed(function: FunctionId) -> bool {
    let rows = table(ROWS);
    rows[function.index()].is_some() || collective(function).is_some() || access(function).is_some()
}
