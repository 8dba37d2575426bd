//! Communicators, groups and messages as the record tells them apart, and what
//! stands for them in a process alone.
//!
//! Who answers every question about a communicator from the record needs no
//! communicator like it: any will do to which attributes, names and error
//! handlers can be attached.

use std::ffi::CStr;

use mpi_abi::{id, Family, Kind, Mpi};

use crate::base::raw_call::pmpi_c;
use crate::mpi::call::Lang;
use crate::order::call::OrderedCall;

/// The null handle of its kind.
pub const NULL: u64 = 0;
/// One that the call made.
pub const NEW: u64 = 1;
/// MPI_COMM_WORLD, MPI_GROUP_EMPTY or MPI_MESSAGE_NO_PROC.
pub const FIRST: u64 = 2;
/// MPI_COMM_SELF.
pub const SECOND: u64 = 3;

/// Returns the C handle at an argument.
pub fn at(call: &OrderedCall, kind: Kind, k: usize) -> usize {
    match (call.lang, kind) {
        (Lang::C, _) => call.request_at(k, 0),
        // SAFETY: MPI is up while calls are observed.
        (Lang::Fortran, Kind::Comm) => unsafe { call.mpi.fortran.comm(call.int_at(k, 0)) },
        // SAFETY: MPI is up while calls are observed.
        (Lang::Fortran, Kind::Group) => unsafe { call.mpi.fortran.group(call.int_at(k, 0)) },
        // SAFETY: MPI is up while calls are observed.
        (Lang::Fortran, _) => unsafe { call.mpi.fortran.message(call.int_at(k, 0)) },
    }
}

/// Says which handle one is.
pub fn class(mpi: &Mpi, kind: Kind, handle: usize) -> u64 {
    let abi = &mpi.abi;
    let (null, first, second) = specials(mpi, kind);
    match handle {
        h if h == null => NULL,
        h if h == first => FIRST,
        h if h == second && kind == Kind::Comm => SECOND,
        // Some libraries leave it at that where there is no parent.
        0 if abi.handle_size == 8 => NULL,
        _ => NEW,
    }
}

fn specials(mpi: &Mpi, kind: Kind) -> (usize, usize, usize) {
    let abi = &mpi.abi;
    match kind {
        Kind::Comm => (abi.comm_null, abi.comm_world, abi.comm_self),
        Kind::Group => (abi.group_null, abi.group_empty, abi.group_empty),
        _ => (abi.message_null, abi.message_no_proc, abi.message_no_proc),
    }
}

/// Writes a handle of this class to an argument; `unique` is a number that none has yet.
pub fn make(call: &mut OrderedCall, kind: Kind, k: usize, class: u64, unique: usize) -> bool {
    let (null, first, second) = specials(call.mpi, kind);
    let handle = match class {
        NULL => Some(null),
        FIRST => Some(first),
        SECOND => Some(second),
        _ => match kind {
            Kind::Comm => new_comm(call),
            Kind::Group => new_group(call.mpi),
            _ => return set_number(call, k, 0, unique),
        },
    };
    let Some(handle) = handle else { return false };
    set(call, kind, k, handle)
}

/// A communicator: of the old one where attributes are to be copied, else of nothing.
fn new_comm(call: &OrderedCall) -> Option<usize> {
    let copies = matches!(
        call.function,
        id::MPI_COMM_DUP
            | id::MPI_COMM_DUP_WITH_INFO
            | id::MPI_COMM_IDUP
            | id::MPI_COMM_IDUP_WITH_INFO
    );
    let old = match copies {
        true => call.comm_handle(0),
        false => call.mpi.abi.comm_self,
    };
    // SAFETY: MPI is up; what the program duplicates is a communicator.
    unsafe { call.mpi.comm_dup(old) }.ok()
}

fn new_group(mpi: &Mpi) -> Option<usize> {
    // SAFETY: MPI is up.
    unsafe { mpi.comm_group(mpi.abi.comm_self) }.ok()
}

/// Writes a C handle to an argument, in the caller's language.
fn set(call: &mut OrderedCall, kind: Kind, k: usize, handle: usize) -> bool {
    let pointer = call.raw(k) as *mut u8;
    match call.lang {
        Lang::C => {
            // SAFETY: the standard makes this argument the address of a handle.
            unsafe { call.mpi.abi.set_handle_at(pointer, 0, handle) };
            true
        }
        Lang::Fortran => {
            let name = match kind {
                Kind::Comm => c"PMPI_Comm_c2f",
                Kind::Group => c"PMPI_Group_c2f",
                _ => c"PMPI_Message_c2f",
            };
            let Some(number) = c2f(call.mpi, name, handle) else {
                return false;
            };
            call.set_int(k, 0, number);
            true
        }
    }
}

/// Returns what Fortran calls a handle; the same number with the MPICH family.
pub fn c2f(mpi: &Mpi, name: &CStr, handle: usize) -> Option<i32> {
    if mpi.abi.family == Family::Mpich {
        return Some(handle as i32);
    }
    let convert = mpi.library().symbol(name)?;
    // SAFETY: MPI 4.1 §19.3.4 declares these functions so; the handle is of the right kind.
    Some(unsafe {
        let convert: unsafe extern "C" fn(usize) -> i32 = std::mem::transmute(convert);
        convert(handle)
    })
}

/// Writes a number of ours in place of a handle that MPI will never see.
pub fn set_number(call: &mut OrderedCall, at: usize, k: usize, number: usize) -> bool {
    match call.lang {
        Lang::C => {
            let pointer = call.raw(at) as *mut u8;
            // SAFETY: the standard makes this argument an array of at least `k + 1` handles.
            unsafe { call.mpi.abi.set_handle_at(pointer, k, number) };
        }
        Lang::Fortran => call.set_int(at, k, number as i32),
    }
    true
}

/// Reads such a number back.
pub fn number(call: &OrderedCall, at: usize, k: usize) -> usize {
    match call.lang {
        Lang::C => call.request_at(at, k),
        Lang::Fortran => call.int_at(at, k) as u32 as usize,
    }
}

/// Writes MPI_REQUEST_NULL.
pub fn set_null_request(call: &mut OrderedCall, at: usize, k: usize) {
    let null = call.mpi.abi.request_null;
    match call.lang {
        Lang::C => {
            set_number(call, at, k, null);
        }
        Lang::Fortran => {
            if let Some(null) = c2f(call.mpi, c"PMPI_Request_c2f", null) {
                call.set_int(at, k, null);
            }
        }
    }
}

/// Returns whether a distributed graph has weights.
pub fn is_weighted(comm: usize) -> bool {
    let mut found = [0i32; 3];
    let [sources, destinations, weighted] = &mut found;
    let args = [
        comm,
        &raw mut *sources as usize,
        &raw mut *destinations as usize,
        &raw mut *weighted as usize,
    ];
    let asked = pmpi_c(id::MPI_DIST_GRAPH_NEIGHBORS_COUNT, args);
    asked == Some(0) && found[2] != 0
}
