//! The arguments of a call as the payload record needs them: buffers as
//! regions of memory, whatever function, language or width of counts.

use mpi_abi::{id, Kind};

use super::places::{extent, succeeds, Region};
use super::rules::{Buffer, Count, Rule, Whose};
use crate::base::raw_call::pmpi_c;
use crate::mpi::call::Lang;
use crate::order::call::OrderedCall;

/// What a collective operation's buffers depend on besides the arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The process's rank in the communicator.
    pub rank: u64,
    /// Members that it receives from.
    pub sources: u64,
    /// Members that it sends to.
    pub destinations: u64,
    /// The communicator has two groups.
    pub inter: bool,
}

impl Frame {
    /// Asks MPI.
    pub fn ask(call: &OrderedCall, rule: &Rule) -> Self {
        let (mpi, Some(comm)) = (call.mpi, rule.comm) else {
            return Self::default();
        };
        let comm = call.comm_handle(comm);
        // SAFETY: the program passes this communicator to MPI in the same call.
        unsafe {
            let inter = mpi.comm_test_inter(comm).unwrap_or(false);
            let size = match inter {
                true => mpi.comm_remote_size(comm),
                false => mpi.comm_size(comm),
            };
            let size = size.unwrap_or(0) as u64;
            let rank = mpi.comm_rank(comm).unwrap_or(0) as u64;
            let (sources, destinations) = match rule.neighbors {
                true => neighbors(call, comm, rank as u32),
                false => (size, size),
            };
            Self {
                rank,
                sources,
                destinations,
                inter,
            }
        }
    }

    fn is_root(&self, call: &OrderedCall, root: usize) -> bool {
        let root = call.int(root);
        root == call.mpi.abi.root || (!self.inter && i64::from(root) == self.rank as i64)
    }

    /// Returns whether a buffer matters to this process.
    fn concerns(&self, call: &OrderedCall, whose: Whose) -> bool {
        match whose {
            Whose::All => true,
            Whose::Root(root) => self.is_root(call, root),
            Whose::Others(root) => {
                !self.is_root(call, root) && call.int(root) != call.mpi.abi.proc_null
            }
            Whose::NotFirst => self.rank > 0,
        }
    }
}

/// From how many neighbours a process receives, and to how many it sends. Of
/// another topology than there is MPI must not be asked: that would be an error,
/// and perhaps fatal; so errors are returned meanwhile.
///
/// # Safety
/// MPI is up, and the communicator is one.
unsafe fn neighbors(call: &OrderedCall, comm: usize, rank: u32) -> (u64, u64) {
    let mpi = call.mpi;
    let mut handler = 0usize;
    let own = &raw mut handler as usize;
    if !succeeds(mpi, id::MPI_COMM_GET_ERRHANDLER, [comm, own]) {
        return (0, 0);
    }
    // SAFETY: MPI is up, and this is a communicator of the program's.
    let found = unsafe {
        match mpi.comm_set_errors_return(comm) {
            Ok(()) => asked(call, comm, rank),
            Err(_) => (0, 0),
        }
    };
    let _ = pmpi_c(id::MPI_COMM_SET_ERRHANDLER, [comm, handler]);
    let _ = pmpi_c(id::MPI_ERRHANDLER_FREE, [own]);
    found
}

/// Asks for each topology.
///
/// # Safety
/// MPI is up, `comm` is a communicator, and errors on it are returned.
unsafe fn asked(call: &OrderedCall, comm: usize, rank: u32) -> (u64, u64) {
    let mpi = call.mpi;
    // SAFETY: which topology it has MPI says, by an error where it has another.
    unsafe {
        if let Ok((sources, destinations)) = mpi.dist_graph_neighbors(comm) {
            return (sources.into(), destinations.len() as u64);
        }
        let both = match mpi.cart(comm) {
            Ok(axes) => 2 * axes.len() as u64,
            Err(_) => mpi
                .graph_neighbors(comm, rank)
                .map_or(0, |neighbors| neighbors.len() as u64),
        };
        (both, both)
    }
}

/// Returns the data that a call sends; nothing where that cannot be told.
pub fn sent(call: &OrderedCall, rule: &Rule, frame: &Frame) -> Vec<Region> {
    let Some((buffer, whose)) = rule.sends else {
        return Vec::new();
    };
    let to_nobody = rule
        .dest
        .is_some_and(|k| call.int(k) == call.mpi.abi.proc_null);
    if to_nobody || frame.inter || !frame.concerns(call, whose) || in_place(call, buffer.at) {
        return Vec::new();
    }
    regions(call, buffer, frame, frame.destinations)
}

/// Returns where a call puts what it receives.
pub fn received(call: &OrderedCall, rule: &Rule, frame: &Frame) -> Vec<Region> {
    let Some((buffer, whose)) = rule.receives else {
        return Vec::new();
    };
    if !frame.concerns(call, whose) || in_place(call, buffer.at) {
        return Vec::new();
    }
    regions(call, buffer, frame, frame.sources)
}

fn in_place(call: &OrderedCall, at: usize) -> bool {
    match call.lang {
        Lang::C => call.raw(at) == call.mpi.abi.in_place,
        Lang::Fortran => call.mpi.fortran.is_in_place(call.raw(at)),
    }
}

fn regions(call: &OrderedCall, buffer: Buffer, frame: &Frame, members: u64) -> Vec<Region> {
    let address = match call.lang {
        Lang::Fortran if call.mpi.fortran.is_bottom(call.raw(buffer.at)) => call.mpi.abi.bottom,
        _ => call.raw(buffer.at),
    };
    let one = |count: usize| {
        let datatype = || datatype(call, buffer.datatype, None);
        let region = (count > 0).then(|| Region::new(call.mpi, address, count, datatype()));
        region.flatten().into_iter().collect()
    };
    match buffer.count {
        Count::Plain(k) => one(number(call, k, None)),
        Count::Each(k) => one(number(call, k, None).saturating_mul(members as usize)),
        Count::Own(k) => one(number(call, k, Some(frame.rank as usize))),
        Count::Blocks(counts, None) => {
            let all = 0..members as usize;
            one(all.map(|member| number(call, counts, Some(member))).sum())
        }
        Count::Blocks(counts, Some(places)) => {
            let all = 0..members as usize;
            let block = |member| block(call, buffer, address, [counts, places], member);
            all.filter_map(block).collect()
        }
    }
}

/// Returns the block of one member, where counts and places are arrays.
fn block(
    call: &OrderedCall,
    buffer: Buffer,
    address: usize,
    [counts, places]: [usize; 2],
    member: usize,
) -> Option<Region> {
    let count = number(call, counts, Some(member));
    if count == 0 {
        return None;
    }
    let function = call.function.function();
    let place = signed(call, places, Some(member));
    let has_types = function.args.get(buffer.datatype)?.passing == mpi_abi::Passing::Array;
    // Where each member has a type of its own, places are in bytes (MPI 4.1, §6.8).
    let (datatype, unit) = match has_types {
        true => (datatype(call, buffer.datatype, Some(member)), 1),
        false => {
            let datatype = datatype(call, buffer.datatype, None);
            (datatype, extent(call.mpi, datatype))
        }
    };
    let address = address.wrapping_add_signed(place.wrapping_mul(unit));
    Region::new(call.mpi, address, count, datatype)
}

/// Returns a count, or an element of an array of counts; negative ones count as 0.
fn number(call: &OrderedCall, k: usize, element: Option<usize>) -> usize {
    signed(call, k, element).max(0) as usize
}

fn signed(call: &OrderedCall, k: usize, element: Option<usize>) -> isize {
    let args = call.function.function().args;
    let kind = args.get(k).map_or(Kind::Int, |arg| arg.kind);
    let is_long = matches!(kind, Kind::LargeCount | Kind::Address | Kind::Offset);
    match (element, is_long) {
        (None, true) if call.lang == Lang::C => call.raw(k) as isize,
        (None, _) => call.int(k) as isize,
        (Some(element), false) => call.int_at(k, element) as isize,
        (Some(element), true) => {
            let array = call.raw(k) as *const isize;
            // SAFETY: the standard makes this argument an array with an element for each member.
            unsafe { array.add(element).read_unaligned() }
        }
    }
}

/// Returns a datatype, or an element of an array of them, as C handle.
fn datatype(call: &OrderedCall, k: usize, element: Option<usize>) -> usize {
    let handle = match call.lang {
        // SAFETY: MPI is up while calls are observed.
        Lang::Fortran => unsafe {
            call.mpi
                .fortran
                .datatype(call.int_at(k, element.unwrap_or(0)))
        },
        Lang::C => match element {
            None => call.raw(k),
            // SAFETY: the standard makes this argument an array with an element for each member.
            Some(element) => unsafe { call.mpi.abi.handle_at(call.raw(k) as *const u8, element) },
        },
    };
    call.mpi.abi.normalise(handle)
}
