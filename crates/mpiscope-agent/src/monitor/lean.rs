//! The shortest way through while statistics are all that is wanted: sends and
//! blocking receives on MPI_COMM_WORLD, in C, counted in the wrapper itself.
//!
//! All other calls, and these in any other case, go by the facts that hooks
//! tell; what is counted is the same.

use std::ptr::from_mut;

use mpi_abi::{id, FunctionId};
use mpiscope_run::statistics::{bin, Amount, Key, Side, ANY, NOBODY, NO_GROUP};

use super::calls::other;
use super::thread::Statistics;
use crate::call::Lang;
use crate::clock::ticks;
use crate::observe::recording;
use crate::site;
use crate::thread::{Outermost, Thread};

/// MPI_COMM_WORLD is the first communicator that there is.
const WORLD: u32 = 0;

/// What the shortest way compares arguments with.
pub struct Hot {
    world: usize,
    /// The bits of a register that hold a handle.
    mask: usize,
    any_source: i32,
    datatype_null: usize,
}

impl Hot {
    /// Takes over what it needs of an interface.
    pub fn new(abi: &mpi_abi::Abi) -> Self {
        Self {
            world: abi.comm_world,
            mask: match abi.handle_size {
                4 => u32::MAX as usize,
                _ => usize::MAX,
            },
            any_source: abi.any_source,
            datatype_null: abi.datatype_null,
        }
    }
}

const fn is_send(function: FunctionId) -> bool {
    matches!(
        function,
        id::MPI_SEND | id::MPI_BSEND | id::MPI_SSEND | id::MPI_RSEND
    )
}

/// Whether a function may be counted here.
pub const fn is_lean(function: FunctionId, lang: Lang) -> bool {
    matches!(lang, Lang::C) && (is_send(function) || matches!(function, id::MPI_RECV))
}

/// Makes a call and counts it, if that can be done the shortest way.
#[inline(always)]
pub fn call<const N: usize>(
    function: FunctionId,
    args: &[usize; N],
    real: impl FnOnce([usize; N]) -> usize,
) -> Result<usize, ()> {
    let &[_, count, datatype, peer, _, comm, ref rest @ ..] = args.as_slice() else {
        return Err(());
    };
    // SAFETY: a thread's state lives as long as the process, and this is its thread.
    let thread = unsafe { site::state().cast::<Thread>().as_mut() }.ok_or(())?;
    let pointer = thread.lean().ok_or(())?;
    // SAFETY: as above; nobody else holds a reference to the thread's statistics.
    let statistics = unsafe { &mut *pointer };
    let Some(hot) = &statistics.hot else {
        return Err(());
    };
    // 0 and 1 ignore the status.
    let ignored = rest.first().is_some_and(|&status| status <= 1);
    if comm & hot.mask != hot.world || ignored || !recording() {
        return Err(());
    }
    let (session, site) = (thread.session, site::noted());
    let datatype = datatype & hot.mask;
    let peer = peer as i32;
    let any = peer == hot.any_source;
    let known = peer >= 0 && datatype != hot.datatype_null;
    thread.callers.note(session, site);
    let bytes = match is_send(function) && known {
        true => (count as i32).max(0) as u64 * thread.types.of(session, datatype).size,
        false => 0,
    };
    let with = match (known, any) {
        (_, true) => other(ANY, WORLD),
        (true, _) => other(peer as u32, WORLD),
        _ => other(NOBODY, NO_GROUP),
    };
    let nested = Outermost::begin(from_mut(thread));
    statistics.begin_lean(ticks(), function.0, site as u64, with);
    let result = real(*args);
    let time = ticks();
    drop(nested);
    // SAFETY: as above; what the real call did to the state is done.
    let statistics = unsafe { &mut *pointer };
    if is_send(function) {
        let side = if known { Side::Sent } else { Side::None };
        statistics.end_lean(time, side, with, bytes);
    } else {
        let status = rest.first().copied().unwrap_or(0) as *const u8;
        let ok = result as i32 == session.mpi.abi.success;
        statistics.end_receive(time, session.mpi, ok.then_some(status));
    }
    Ok(result)
}

impl Statistics {
    /// Counts a receive whose status is filled, if it succeeded.
    #[inline(always)]
    fn end_receive(&mut self, time: u64, mpi: &mpi_abi::Mpi, status: Option<*const u8>) {
        // SAFETY: MPI has just filled the status of a receive that succeeded.
        let source = status.map(|status| unsafe { (mpi.status_source(status), status) });
        let Some((source @ 0.., status)) = source else {
            return self.end_lean(time, Side::None, other(NOBODY, NO_GROUP), 0);
        };
        // SAFETY: as above.
        let bytes = unsafe { mpi.status_bytes(status) }.unwrap_or(0);
        self.end_lean(time, Side::Received, other(source as u32, WORLD), bytes);
    }

    /// Counts a call that dealt with one message at most.
    #[inline(always)]
    fn end_lean(&mut self, time: u64, side: Side, with: u64, bytes: u64) {
        let elapsed = self.elapsed(time);
        let (region, site) = self.place();
        let key = Key::call(region, side, site, with as u32, (with >> 32) as u32);
        if let Some(entry) = self.store.entry(key) {
            let amount = Amount {
                calls: 1,
                messages: u64::from(side != Side::None),
                bytes,
                time: elapsed,
                intrusion: 0,
            };
            if side == Side::None {
                entry.add(amount);
            } else if !entry.add_message(amount) {
                self.store.count_bin(entry, bin(bytes));
            }
        }
        self.end_call(time, elapsed);
    }
}
