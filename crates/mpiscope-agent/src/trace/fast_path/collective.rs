//! Collective operations of intracommunicators whose members all say the same.

use mpiscope_run::record::{Begun, Collective, Fact, NO_CAPACITY, NO_ROOT};

use super::arguments::{comm, data};
use super::{Make, Traced, RECORDS};
use crate::facts::around::left;
use crate::mpi::collective::Operation;
use crate::mpi::comms::Comm;

/// What is told of an operation: where it begins, with the bytes of all blocks, and where it ends.
struct BeginAndEnd(Begun, u64, Collective);

/// `MPI_Barrier`.
#[inline(always)]
pub fn barrier<const N: usize>(
    call: Traced,
    args: [usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let comm = comm(call.thread, *args.first()?).filter(|comm| !comm.inter)?;
    let begun = Begun {
        comm: comm.id,
        root: NO_ROOT,
        signature: 0,
    };
    let ended = of(begun, Operation::Barrier, 0, 0);
    meet(call, args, real, BeginAndEnd(begun, NO_CAPACITY, ended))
}

/// `MPI_Bcast`.
#[inline(always)]
pub fn bcast<const N: usize>(call: Traced, args: [usize; N], real: impl Make<N>) -> Option<usize> {
    let &[_, count, datatype, root, handle] = args.first_chunk()?;
    let (comm, begun, bytes) = begun(&call, handle, Some(root), [count, datatype])?;
    let sent = match begun.root == comm.rank {
        true => bytes.saturating_mul(u64::from(comm.size)),
        false => 0,
    };
    let ended = of(begun, Operation::Bcast, sent, bytes);
    meet(call, args, real, BeginAndEnd(begun, bytes, ended))
}

/// `MPI_Reduce`.
#[inline(always)]
pub fn reduce<const N: usize>(call: Traced, args: [usize; N], real: impl Make<N>) -> Option<usize> {
    let &[from, _, count, datatype, _, root, handle] = args.first_chunk()?;
    let (comm, begun, bytes) = begun(&call, handle, Some(root), [count, datatype])?;
    let is_root = begun.root == comm.rank;
    let received = if is_root {
        of_others(&call, comm, from, bytes)
    } else {
        0
    };
    let sent = if in_place(&call, from) { 0 } else { bytes };
    let ended = of(begun, Operation::Reduce, sent, received);
    meet(call, args, real, BeginAndEnd(begun, bytes, ended))
}

/// `MPI_Allreduce`.
#[inline(always)]
pub fn allreduce<const N: usize>(
    call: Traced,
    args: [usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let &[from, _, count, datatype, _, handle] = args.first_chunk()?;
    let (comm, begun, block) = begun(&call, handle, None, [count, datatype])?;
    let bytes = of_others(&call, comm, from, block);
    let ended = of(begun, Operation::Allreduce, bytes, bytes);
    meet(call, args, real, BeginAndEnd(begun, bytes, ended))
}

/// Returns the communicator, what is told where an operation begins, and the bytes of a block.
#[inline(always)]
fn begun(
    call: &Traced,
    handle: usize,
    root: Option<usize>,
    [count, datatype]: [usize; 2],
) -> Option<(&'static Comm, Begun, u64)> {
    let comm = comm(call.thread, handle).filter(|comm| !comm.inter)?;
    let root = match root {
        Some(root) => u32::try_from(root as i32)
            .ok()
            .filter(|&root| root < comm.size)?,
        None => NO_ROOT,
    };
    let (bytes, known) = data(call.thread, count, datatype)?;
    let begun = Begun {
        comm: comm.id,
        root,
        signature: if bytes > 0 { known.signature } else { 0 },
    };
    Some((comm, begun, bytes))
}

/// Returns the bytes of a block from each member, but for this one if its own is in place.
#[inline(always)]
fn of_others(call: &Traced, comm: &Comm, from: usize, block: u64) -> u64 {
    block.saturating_mul(u64::from(comm.size) - u64::from(in_place(call, from)))
}

#[inline(always)]
fn in_place(call: &Traced, buffer: usize) -> bool {
    buffer == call.thread.session.mpi.abi.in_place
}

#[inline(always)]
fn of(begun: Begun, operation: Operation, sent: u64, received: u64) -> Collective {
    Collective {
        op: operation as u8,
        comm: begun.comm,
        root: begun.root,
        sent,
        received,
        signature: 0,
        dense: false,
    }
}

#[inline(always)]
fn meet<const N: usize>(
    call: Traced,
    mut args: [usize; N],
    real: impl Make<N>,
    BeginAndEnd(begun, bytes, ended): BeginAndEnd,
) -> Option<usize> {
    let bytes = bytes.min(NO_CAPACITY);
    let open = call.opens(&mut args, left);
    let made = call.enter(
        &open,
        RECORDS,
        None,
        Some(Fact::CollectiveBegin(begun, bytes)),
    )?;
    let result = real.make(args);
    if result as i32 != 0 {
        return made.leave_failed(&open, result);
    }
    made.leave(|told| told.tell(Fact::CollectiveEnd(ended)));
    Some(result)
}
