//! Persistent receives (MPI 4.1, §3.9): each start is a post of its own.
//!
//! In replay a wildcard cannot be put right when the request is started, as it
//! was made long before. So there is one more request for every source that
//! the record asks for, made as the program made its own; a start starts the
//! one needed, and its handle is put in place of the program's. If the
//! program kept a copy of an older handle, that is exchanged when it waits.

use std::collections::HashMap;

use mpi_abi::id;
use mpiscope_run::order::Taken;

use super::call::OrderedCall;
use super::envelope::{at, At, Wild};
use super::persistent_receives::{Family, Handle, State};
use super::requests::{Entry, Fate};
use super::serial_calls::{self, Next};
use super::{debugged, deterministic, post};
use crate::mpi::call::Lang;
use crate::mpi::shape::completion::{request, requests, Requests, SEVERAL};

const INIT: At = at(id::MPI_RECV_INIT);

/// `MPI_Recv_init`.
pub fn recv_init(call: &mut OrderedCall) -> usize {
    let wild = call.wild(INIT.source, INIT.tag);
    let result = call.go();
    if call.ok(result) {
        let handle = call.request_at(INIT.last, 0);
        let session = call.thread.session;
        session.requests.insert_persistent(handle, wild);
        if call.thread.cursor.is_some() || session.debugged {
            let family = Family::of(call);
            let mut state = session.families.lock();
            let index = state.families.len();
            state.families.push(Some(family));
            state.by_handle.insert(handle, index);
        }
    }
    result
}

impl Family {
    fn of(call: &OrderedCall) -> Self {
        let own = Handle {
            c: call.request_at(INIT.last, 0),
            native: call.native_request(INIT.last, 0),
        };
        Self {
            lang: call.lang,
            args: std::array::from_fn(|i| match (call.lang, i) {
                (Lang::Fortran, 1..) => call.int_at(i, 0) as u32 as usize,
                _ => call.raw(i),
            }),
            function: call.function,
            own,
            others: HashMap::new(),
            current: own,
        }
    }

    /// Makes the request that a start needs: nothing stands for one that nobody sends to.
    fn make(&self, call: &OrderedCall, taken: Option<Taken>) -> Option<Handle> {
        let session = call.thread.session;
        let mut args = self.args;
        match taken {
            Some(taken) => {
                args[3] = taken.source as usize;
                if let Some(tag) = taken.tag {
                    args[4] = tag as usize;
                }
            }
            None => {
                args[3] = session.rank as usize;
                args[4] = 0;
                args[5] = match self.lang {
                    Lang::C => session.never,
                    Lang::Fortran => session.never_in_fortran() as u32 as usize,
                };
            }
        }
        let mut request = 0usize;
        let at = &raw mut request as usize;
        if self.lang == Lang::Fortran {
            let values: [i32; 6] = std::array::from_fn(|i| args[i] as i32);
            for (i, value) in values.iter().enumerate().skip(1) {
                args[i] = &raw const *value as usize;
            }
            return self.made(call, args, at);
        }
        self.made(call, args, at)
    }

    fn made(&self, call: &OrderedCall, args: [usize; 6], at: usize) -> Option<Handle> {
        let [a, b, c, d, e, f] = args;
        let code = call.sibling(self.function, [a, b, c, d, e, f, at]);
        // SAFETY: `at` is the caller's variable, into which MPI has written a handle.
        let native = unsafe { (at as *const usize).read_volatile() };
        let c = match self.lang {
            Lang::C => call.mpi.abi.normalise(native),
            // SAFETY: MPI is up while calls are observed.
            Lang::Fortran => unsafe { call.mpi.fortran.request(native as i32) },
        };
        (code as i32 == call.mpi.abi.success).then_some(Handle { c, native })
    }
}

/// `MPI_Start`.
pub fn start(call: &mut OrderedCall) -> usize {
    prepare(call, const { request(id::MPI_START) }, 0);
    post::nonblocking(call)
}

/// `MPI_Startall`.
pub fn startall(call: &mut OrderedCall) -> usize {
    const ALL: Requests = requests(id::MPI_STARTALL);
    for k in 0..call.len(ALL.count) {
        prepare(call, ALL.handles, k);
    }
    post::nonblocking(call)
}

/// Counts request `k` at argument `i` as a post, if it is a receive, and puts
/// the one in place that the record asks for.
fn prepare(call: &mut OrderedCall, i: usize, k: usize) {
    let session = call.thread.session;
    let handle = call.request_at(i, k);
    let Some(wild) = session.requests.persistent(handle) else {
        return;
    };
    let number = call.thread.nonblocking;
    call.thread.nonblocking += 1;
    let fate = call.thread.fate(number);
    let ordinal = match wild.any() {
        true => serial_calls::post(call),
        false => call.thread.posts,
    };
    if wild.source {
        deterministic::leave_to_mpi(call);
    }
    let led = match fate {
        Fate::Cancelled => Some(None),
        _ if wild.any() => debugged::persistent_choice(call, wild)
            .or_else(|| recorded(call, wild, ordinal))
            .map(Some),
        _ => None,
    };
    let handle = exchange(call, [i, k], handle, wild, led);
    call.thread.recent.put(handle, number, fate);
    match led {
        Some(Some(taken)) => super::receive::note(call, ordinal, Some(taken)),
        Some(None) => {}
        None if wild.any() => session.requests.start(
            handle,
            Entry {
                thread: call.thread.number,
                ordinal,
                wild,
            },
        ),
        None => {}
    }
}

fn recorded(call: &OrderedCall, wild: Wild, ordinal: u64) -> Option<Taken> {
    let cursor = call.thread.cursor.as_ref()?;
    let taken = match serial_calls::next_receive(call, ordinal) {
        Next::Own => cursor.receive(ordinal),
        Next::This(taken) => taken,
        Next::Nothing => None,
    }?;
    (taken.tag.is_some() == wild.tag).then_some(taken)
}

/// Puts the request that is needed in place; returns its handle.
fn exchange(
    call: &mut OrderedCall,
    [i, k]: [usize; 2],
    handle: usize,
    wild: Wild,
    led: Option<Option<Taken>>,
) -> usize {
    let session = call.thread.session;
    let mut state = session.families.lock();
    let State {
        families,
        by_handle,
    } = &mut *state;
    let Some(&index) = by_handle.get(&handle) else {
        return handle;
    };
    let Some(Some(family)) = families.get_mut(index) else {
        return handle;
    };
    let wanted = match led {
        None => Some(family.own),
        Some(taken) => match family.others.get(&taken) {
            Some(known) => Some(*known),
            None => family.make(call, taken).inspect(|made| {
                family.others.insert(taken, *made);
                by_handle.insert(made.c, index);
                session.requests.insert_persistent(made.c, wild);
            }),
        },
    };
    let Some(wanted) = wanted else { return handle };
    family.current = wanted;
    call.set_native_request(i, k, wanted.native);
    wanted.c
}

/// Before a call on several requests: older handles of persistent receives are exchanged for
/// those that were started.
pub fn refresh_several(call: &mut OrderedCall) {
    refresh(call, SEVERAL.handles, call.len(SEVERAL.count));
}

/// Before a wait or test of request `k` at argument `i`: an older handle of a
/// persistent receive is exchanged for the one that was started.
pub fn refresh(call: &mut OrderedCall, i: usize, count: usize) {
    let session = call.thread.session;
    if !may_be_exchanged(call) {
        return;
    }
    let state = session.families.lock();
    if state.by_handle.is_empty() {
        return;
    }
    for k in 0..count {
        let handle = call.request_at(i, k);
        let index = state.by_handle.get(&handle);
        let family = index.and_then(|&index| state.families.get(index)?.as_ref());
        if let Some(family) = family.filter(|family| family.current.c != handle) {
            let native = family.current.native;
            call.set_native_request(i, k, native);
        }
    }
}

/// Whether requests of persistent receives may have been exchanged for others.
fn may_be_exchanged(call: &OrderedCall) -> bool {
    let thread = &call.thread;
    let is_led = thread.cursor.is_some() || thread.session.debugged;
    is_led && thread.session.requests.busy()
}

/// Returns the request that was started in place of a persistent receive.
pub fn current(call: &OrderedCall, handle: usize) -> Option<usize> {
    let session = call.thread.session;
    if !may_be_exchanged(call) {
        return None;
    }
    let state = session.families.lock();
    let family = state
        .families
        .get(*state.by_handle.get(&handle)?)?
        .as_ref()?;
    Some(family.current.native)
}

/// `MPI_Request_free`: what was made in place of a request goes with it.
pub fn free(call: &mut OrderedCall, handle: usize) {
    let session = call.thread.session;
    let mut state = session.families.lock();
    let Some(&index) = state.by_handle.get(&handle) else {
        return;
    };
    let Some(family) = state.families.get_mut(index).and_then(Option::take) else {
        return;
    };
    for other in family.others.values().chain([&family.own]) {
        state.by_handle.remove(&other.c);
        session.requests.free(other.c);
        if other.c != handle {
            let mut native = other.native;
            let at = &raw mut native as usize;
            call.sibling(id::MPI_REQUEST_FREE, [at]);
        }
    }
}
