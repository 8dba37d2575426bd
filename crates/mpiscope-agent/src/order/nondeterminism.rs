//! What nobody can record is said: each kind once for every place it is done at.

use std::sync::PoisonError;

use mpiscope_run::order::collect::Note;
use mpiscope_run::order::{Undetermined, Unrecorded};

use super::call::OrderedCall;
use super::table;
use crate::base::site;
use crate::mpi::call::Lang;

/// Most places that are named.
const MOST: usize = 256;

/// Notes that this call is of that kind.
#[inline]
pub fn note(call: &mut OrderedCall, what: Undetermined) {
    let site = site::noted();
    let this = (call.function.0, site);
    let place = (site >> 2 ^ usize::from(this.0)) % call.thread.said.len();
    if let Some(said) = call.thread.said.get_mut(place) {
        if *said == this {
            return;
        }
        *said = this;
    }
    say(call, what, site);
}

#[cold]
fn say(call: &mut OrderedCall, what: Undetermined, site: usize) {
    let session = call.thread.session;
    let site = place(site);
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

/// A program that lies where it was linked to: its addresses are those of its file.
const ET_EXEC: u16 = 2;

/// Returns the module of an address and the offset in it, as `addr2line` takes it.
pub fn place(address: usize) -> String {
    // SAFETY: zeroed, it is what `dladdr` fills.
    let mut found: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: any address may be asked about.
    let known = unsafe { libc::dladdr(address as *const libc::c_void, &mut found) };
    if address == 0 || known == 0 || found.dli_fname.is_null() {
        return String::new();
    }
    // SAFETY: `dladdr` gives a string that lives as long as the module is loaded.
    let name = unsafe { std::ffi::CStr::from_ptr(found.dli_fname) };
    let name = name.to_string_lossy().into_owned();
    let path = std::fs::canonicalize(&name).map_or(name, |path| path.display().to_string());
    // SAFETY: a module begins with its ELF header, whose 17th byte tells its type.
    let fixed = unsafe { found.dli_fbase.cast::<u16>().add(8).read() } == ET_EXEC;
    let base = if fixed { 0 } else { found.dli_fbase as usize };
    format!("{path}+{:#x}", address.wrapping_sub(base))
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
    match table::chooses(call.function) {
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
