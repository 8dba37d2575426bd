//! Collective operations of intracommunicators whose members all say the same.

use mpiscope_run::record::{Begun, Collective, Fact, NO_CAPACITY, NO_ROOT};

use super::arguments::{comm, data};
use super::{Make, Traced, RECORDS};

/// What is told of an operation: where it begins, with the bytes of all blocks, and where it ends.
struct Operation(Begun, u64, Collective);

/// OTF2's numbers.
const BARRIER: u8 = 0;
const BCAST: u8 = 1;
const ALLREDUCE: u8 = 11;
const REDUCE: u8 = 12;

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
    let ended = of(begun, BARRIER, 0, 0);
    meet(call, args, real, Operation(begun, NO_CAPACITY, ended))
}

/// `MPI_Bcast`.
#[inline(always)]
pub fn bcast<const N: usize>(call: Traced, args: [usize; N], real: impl Make<N>) -> Option<usize> {
    let &[_, count, datatype, root, handle] = args.first_chunk()?;
    let comm = comm(call.thread, handle).filter(|comm| !comm.inter)?;
    let root = u32::try_from(root as i32)
        .ok()
        .filter(|&root| root < comm.size)?;
    let (bytes, known) = data(call.thread, count, datatype)?;
    let begun = Begun {
        comm: comm.id,
        root,
        signature: if bytes > 0 { known.signature } else { 0 },
    };
    let sent = match root == comm.rank {
        true => bytes.saturating_mul(u64::from(comm.size)),
        false => 0,
    };
    let ended = of(begun, BCAST, sent, bytes);
    meet(call, args, real, Operation(begun, bytes, ended))
}

/// `MPI_Reduce`.
#[inline(always)]
pub fn reduce<const N: usize>(call: Traced, args: [usize; N], real: impl Make<N>) -> Option<usize> {
    let &[from, _, count, datatype, _, root, handle] = args.first_chunk()?;
    let comm = comm(call.thread, handle).filter(|comm| !comm.inter)?;
    let root = u32::try_from(root as i32)
        .ok()
        .filter(|&root| root < comm.size)?;
    let (bytes, known) = data(call.thread, count, datatype)?;
    let begun = Begun {
        comm: comm.id,
        root,
        signature: if bytes > 0 { known.signature } else { 0 },
    };
    let in_place = from == call.thread.session.mpi.abi.in_place;
    let others = u64::from(comm.size) - u64::from(in_place);
    let received = match root == comm.rank {
        true => bytes.saturating_mul(others),
        false => 0,
    };
    let ended = of(begun, REDUCE, if in_place { 0 } else { bytes }, received);
    meet(call, args, real, Operation(begun, bytes, ended))
}

/// `MPI_Allreduce`.
#[inline(always)]
pub fn allreduce<const N: usize>(
    call: Traced,
    args: [usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let &[from, _, count, datatype, _, handle] = args.first_chunk()?;
    let comm = comm(call.thread, handle).filter(|comm| !comm.inter)?;
    let (bytes, known) = data(call.thread, count, datatype)?;
    let begun = Begun {
        comm: comm.id,
        root: NO_ROOT,
        signature: if bytes > 0 { known.signature } else { 0 },
    };
    let in_place = from == call.thread.session.mpi.abi.in_place;
    let bytes = bytes.saturating_mul(u64::from(comm.size) - u64::from(in_place));
    let ended = of(begun, ALLREDUCE, bytes, bytes);
    meet(call, args, real, Operation(begun, bytes, ended))
}

#[inline(always)]
fn of(begun: Begun, op: u8, sent: u64, received: u64) -> Collective {
    Collective {
        op,
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
    args: [usize; N],
    real: impl Make<N>,
    Operation(begun, bytes, ended): Operation,
) -> Option<usize> {
    let bytes = bytes.min(NO_CAPACITY);
    let made = call.enter(RECORDS, None, Some(Fact::CollectiveBegin(begun, bytes)))?;
    let result = real.make(args);
    made.leave_with(|known, told| {
        // One that failed moved nothing that is known.
        let (sent, received) = match known.succeeded(result) {
            true => (ended.sent, ended.received),
            false => (0, 0),
        };
        told.tell(Fact::CollectiveEnd(Collective {
            sent,
            received,
            ..ended
        }));
    });
    Some(result)
}
