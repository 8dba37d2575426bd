//! What nobody can record is said: each kind once for every place it is done at.

use std::sync::PoisonError;

use mpi_abi::FunctionId;
use mpiscope_run::order::collect::Note;
use mpiscope_run::order::{Undetermined, Unrecorded};

use super::call::OrderedCall;
use super::hash;
use super::thread::{Said, Thread};
use crate::base::code_place::code_place;
use crate::base::site;
use crate::mpi::call::Lang;

/// Most places that are named.
const MOST: usize = 256;

/// Notes that this call is of that kind.
#[inline]
pub fn note(call: &mut OrderedCall, what: Undetermined) {
    let site = site::noted();
    if is_said(call.thread, call.function, site) {
        return;
    }
    let place = place(&call.thread.said, call.function, site);
    call.thread.said[place] = (call.function.0, site);
    say(call, what, site);
}

/// Returns whether that was said of late of a call made here.
#[inline(always)]
pub fn is_said(thread: &Thread, function: FunctionId, site: usize) -> bool {
    let said = &thread.said;
    said[place(said, function, site)] == (function.0, site)
}

/// Where it is kept.
#[inline(always)]
fn place(said: &Said, function: FunctionId, site: usize) -> usize {
    (site >> 2 ^ usize::from(function.0)) % said.len()
}

#[cold]
fn say(call: &mut OrderedCall, what: Undetermined, site: usize) {
    let session = call.thread.session;
    let site = code_place(site);
    if what == Undetermined::Callback && is_of_mpi(&site) {
        return;
    }
    let unrecorded = Unrecorded {
        what,
        function: call.function.function().name.to_owned(),
        site,
    };
    let mut known = session
        .unrecorded
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if known.len() < MOST && !known.contains(&unrecorded) {
        known.push(unrecorded.clone());
        drop(known);
        session.note(&Note::Unrecorded(unrecorded));
    }
}

/// Whether a place lies in an MPI library, which may call its own functions, and not in the program.
fn is_of_mpi(site: &str) -> bool {
    let module = site.rsplit('/').next().unwrap_or_default();
    let names = ["libmpi", "libpmpi", "libmpich", "libopen-", "mca_"];
    names.iter().any(|name| module.starts_with(name))
}

/// A call that the program makes in a callback of MPI's: of attributes, error handlers,
/// reductions. A Fortran binding that calls its C function is none.
pub fn callback(call: &mut OrderedCall) {
    let outer = call.thread.outer;
    if call.lang == Lang::C && outer == Some((call.function, Lang::Fortran)) {
        return;
    }
    let wild = |at| {
        let abi = &call.mpi.abi;
        call.int(at) == abi.any_source || call.int(at + 1) == abi.any_tag
    };
    match hash::chooses(call.function) {
        Some(None) => note(call, Undetermined::Callback),
        Some(Some(source)) if wild(source) => note(call, Undetermined::Callback),
        _ => {}
    }
}

/// One-sided accesses whose order among ranks shows.
pub fn one_sided(call: &mut OrderedCall) -> usize {
    note(call, Undetermined::OneSided);
    call.go()
}

/// Reductions, whose order is MPI's own affair.
pub fn reduction(call: &mut OrderedCall) -> usize {
    note(call, Undetermined::Reduction);
    call.go()
}

/// Files.
pub fn file(call: &mut OrderedCall) -> usize {
    note(call, Undetermined::Files);
    call.go()
}

/// Processes started or met at run time.
pub fn processes(call: &mut OrderedCall) -> usize {
    note(call, Undetermined::Processes);
    call.go()
}

/// Generalized and partitioned requests.
pub fn other_request(call: &mut OrderedCall) -> usize {
    note(call, Undetermined::OtherRequest);
    call.go()
}

/// `MPI_Comm_free` and `MPI_Comm_disconnect`: the handle may come again.
pub fn comm_free(call: &mut OrderedCall) -> usize {
    let handle = match call.lang {
        Lang::C => call.request_at(0, 0),
        // SAFETY: MPI is up while calls are observed.
        Lang::Fortran => unsafe { call.mpi.fortran.comm(call.int_at(0, 0)) },
    };
    call.thread.session.freed.add(handle);
    call.go()
}
