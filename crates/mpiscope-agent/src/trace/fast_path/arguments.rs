//! What arguments from C say, if all is known already.

use mpiscope_run::record::{Message, Wildcard};

use crate::facts::thread::Thread;
use crate::mpi::comms::Comm;
use crate::mpi::types::Known;

/// Returns a communicator if it is the latest.
#[inline(always)]
pub fn comm(thread: &Thread, handle: usize) -> Option<&'static Comm> {
    let session = thread.session;
    let handle = session.mpi.abi.normalise(handle);
    thread.comms.latest(session, handle)
}

/// Returns the bytes of some data and what is known of its datatype, of no data nothing.
#[inline(always)]
pub fn data(thread: &Thread, count: usize, datatype: usize) -> Option<(u64, Known)> {
    let count = u64::try_from(count as i32).ok()?;
    if count == 0 {
        return Some((0, Known::default()));
    }
    let session = thread.session;
    let handle = session.mpi.abi.normalise(datatype);
    let known = thread.types.latest(session, handle)?;
    Some((count.saturating_mul(known.size), known))
}

/// Returns the message that a send describes, none to MPI_PROC_NULL.
#[inline(always)]
pub fn sent<const N: usize>(thread: &Thread, args: &[usize; N]) -> Option<Option<Message>> {
    let &[_, count, datatype, peer, tag, comm_handle] = args.first_chunk()?;
    let peer = peer as i32;
    if peer < 0 {
        return Some(None);
    }
    let comm = comm(thread, comm_handle)?;
    let (bytes, known) = data(thread, count, datatype)?;
    ((peer as u32) < comm.size).then_some(Some(Message {
        peer: peer as u32,
        comm: comm.id,
        tag: tag as u32,
        bytes,
        wildcard: Wildcard::default(),
        signature: known.first,
    }))
}

/// Returns what a receive asks for, nothing of MPI_PROC_NULL.
#[inline(always)]
pub fn asked<const N: usize>(thread: &Thread, args: &[usize; N]) -> Option<Option<Message>> {
    let &[_, count, datatype, source, tag, comm_handle] = args.first_chunk()?;
    let abi = &thread.session.mpi.abi;
    let (source, tag) = (source as i32, tag as i32);
    if source == abi.proc_null {
        return Some(None);
    }
    let comm = comm(thread, comm_handle)?;
    let (bytes, known) = data(thread, count, datatype)?;
    Some(Some(Message {
        peer: source as u32,
        comm: comm.id,
        tag: tag as u32,
        bytes,
        wildcard: Wildcard {
            source: source == abi.any_source,
            tag: tag == abi.any_tag,
        },
        signature: known.first,
    }))
}
