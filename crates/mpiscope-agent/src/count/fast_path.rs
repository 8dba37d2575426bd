//! The shortest way through while statistics are all that is wanted: sends and
//! receives on MPI_COMM_WORLD and waits for them, in C, of programs in which one
//! thread calls MPI at a time, counted in the wrapper itself.
//!
//! All other calls, and these in any other case, go by the facts that hooks
//! tell; what is counted is the same.

mod receives;
mod wait;

use mpi_abi::{id, FunctionId, Mpi};
use mpiscope_run::statistics::{bin, Amount, Key, Side, ANY, NOBODY, NO_GROUP};

pub use receives::{touches_requests, Receives};

use super::calls::other;
use super::thread::{current, Statistics};
use crate::base::clock::ticks;
use crate::base::own::Own;
use crate::base::site;
use crate::facts::outermost::{Open, Outermost};
use crate::facts::session::Session;
use crate::facts::thread::{known, Thread};
use crate::mpi::call::Lang;
use crate::mpi::functions::is_send;

/// MPI_COMM_WORLD is the first communicator that there is.
const WORLD: u32 = 0;

/// What the shortest way compares arguments with.
pub struct Hot {
    world: usize,
    /// The bits of a register that hold a handle.
    mask: usize,
    any_source: i32,
    datatype_null: usize,
    status_size: usize,
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
            status_size: abi.status.size,
        }
    }
}

/// Whether a function may be counted here.
pub const fn is_fast(function: FunctionId, lang: Lang) -> bool {
    let among = matches!(
        function,
        id::MPI_RECV | id::MPI_IRECV | id::MPI_WAIT | id::MPI_WAITALL
    );
    matches!(lang, Lang::C) && (is_send(function) || among)
}

/// Makes a call and counts it, if that can be done the shortest way.
#[inline(always)]
pub fn call<const N: usize>(
    function: FunctionId,
    args: &[usize; N],
    real: impl FnOnce([usize; N]) -> usize,
) -> Option<usize> {
    let thread = known()?.get();
    let own = current()?;
    let statistics = own.get();
    if thread.nesting.is_nested() || statistics.hot.is_none() {
        return None;
    }
    let mut args = *args;
    let plan = statistics.plan(thread, function, &mut args)?;
    let (session, site) = (thread.session, site::noted());
    thread.callers.note(session, site);
    let open = Open::new(function, Lang::C, &mut args, left);
    let outermost = Outermost::of(Own::of(thread), &open);
    statistics.begin_fast(ticks(), function.0, site as u64, plan.with());
    let result = real(args);
    let time = ticks();
    outermost.close();
    let statistics = own.get();
    let ok = result as i32 == session.mpi.abi.success;
    statistics.end_plan(time, session, plan, &args, ok);
    Some(result)
}

/// Counts a call that the program has left, with the time until then, and no message.
fn left(_: &Open, _: Own<Thread>) {
    if let Some(own) = current() {
        own.get().end_nothing(ticks());
    }
}

/// What a call is going to do.
enum Plan {
    /// Send so many bytes to a rank, blocking or not.
    Send(u64, u64),
    /// Receive from this rank, or anybody, and return when that is done.
    Receive(u64),
    /// Post a receive from this rank.
    Post(i32, i32),
    /// Wait for one request, a receive or not.
    Wait(bool),
    /// Wait for several, of which these are receives.
    WaitAll(wait::Chosen),
    /// Nothing that is a message.
    Nothing,
}

impl Plan {
    fn with(&self) -> u64 {
        match self {
            Plan::Send(with, _) | Plan::Receive(with) => *with,
            _ => other(NOBODY, NO_GROUP),
        }
    }
}

impl Statistics {
    /// Returns what a call is going to do, and has it fill a status where one is
    /// needed; nothing if it is to go the other way.
    #[inline(always)]
    fn plan(
        &mut self,
        thread: &mut Thread,
        function: FunctionId,
        args: &mut [usize],
    ) -> Option<Plan> {
        match function {
            id::MPI_WAIT => self.plan_wait(thread, args),
            id::MPI_WAITALL => self.plan_waitall(thread, args),
            _ => self.plan_message(thread, function, args),
        }
    }

    #[inline(always)]
    fn plan_message(
        &mut self,
        thread: &mut Thread,
        function: FunctionId,
        args: &[usize],
    ) -> Option<Plan> {
        let &[_, count, datatype, peer, tag, comm, ref rest @ ..] = args else {
            return None;
        };
        let hot = self.hot.as_ref()?;
        let (peer, datatype) = (peer as i32, datatype & hot.mask);
        if comm & hot.mask != hot.world {
            return None;
        }
        if is_send(function) {
            if peer < 0 || datatype == hot.datatype_null {
                return Some(Plan::Nothing);
            }
            let size = thread.types.of(thread.session, datatype).size;
            let bytes = (count as i32).max(0) as u64 * size;
            return Some(Plan::Send(other(peer as u32, WORLD), bytes));
        }
        let anybody = peer == hot.any_source;
        if peer < 0 && !anybody {
            return Some(Plan::Nothing);
        }
        if function == id::MPI_IRECV {
            return Some(Plan::Post(peer, tag as i32));
        }
        let peer = if anybody { ANY } else { peer as u32 };
        let ignores = rest.first().is_none_or(|&status| is_ignored(status));
        (!ignores).then(|| Plan::Receive(other(peer, WORLD)))
    }

    #[inline(always)]
    fn end_plan(
        &mut self,
        time: u64,
        session: &'static Session,
        plan: Plan,
        args: &[usize],
        ok: bool,
    ) {
        let status = |at: usize| args.get(at).copied().unwrap_or(0) as *const u8;
        match plan {
            Plan::Send(with, bytes) => self.end_fast(time, Side::Sent, with, bytes),
            Plan::Receive(_) => self.end_receive(time, session.mpi, ok.then(|| status(6))),
            Plan::Wait(true) => self.end_receive(time, session.mpi, ok.then(|| status(1))),
            Plan::WaitAll(chosen) => self.end_waitall(time, session.mpi, &chosen, status(2), ok),
            Plan::Post(peer, tag) => {
                if ok {
                    let handle = self.handle(status(6) as usize, 0);
                    self.receives.add(session, (handle, peer, tag));
                }
                self.end_nothing(time);
            }
            Plan::Wait(false) | Plan::Nothing => self.end_nothing(time),
        }
    }

    /// Returns element `k` of an array of handles.
    #[inline(always)]
    fn handle(&self, at: usize, k: usize) -> usize {
        let Some(hot) = &self.hot else { return 0 };
        // SAFETY: the standard makes this argument an array of at least `k + 1` handles, of
        // the size that the mask tells.
        unsafe {
            match hot.mask == usize::MAX {
                true => (at as *const usize).add(k).read_unaligned(),
                false => (at as *const u32).add(k).read_unaligned() as usize,
            }
        }
    }

    #[inline(always)]
    fn end_nothing(&mut self, time: u64) {
        self.end_fast(time, Side::None, other(NOBODY, NO_GROUP), 0);
    }

    /// Counts a receive whose status is filled, if it succeeded.
    #[inline(always)]
    fn end_receive(&mut self, time: u64, mpi: &Mpi, status: Option<*const u8>) {
        match status.and_then(|status| received(mpi, status)) {
            Some((with, bytes)) => self.end_fast(time, Side::Received, with, bytes),
            None => self.end_nothing(time),
        }
    }

    /// Counts a call that dealt with one message at most.
    #[inline(always)]
    fn end_fast(&mut self, time: u64, side: Side, with: u64, bytes: u64) {
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

/// Whether an argument is `MPI_STATUS_IGNORE` or `MPI_STATUSES_IGNORE`: 0 or 1.
#[inline(always)]
fn is_ignored(status: usize) -> bool {
    status <= 1
}

/// Returns whom a status names, and the bytes; nothing for `MPI_PROC_NULL`.
#[inline(always)]
fn received(mpi: &Mpi, status: *const u8) -> Option<(u64, u64)> {
    // SAFETY: MPI has just filled the status of a receive that succeeded.
    let source = u32::try_from(unsafe { mpi.status_source(status) }).ok()?;
    // SAFETY: it is filled, and tells of a message.
    let bytes = unsafe { mpi.status_bytes(status) }.unwrap_or(0);
    Some((other(source, WORLD), bytes))
}
