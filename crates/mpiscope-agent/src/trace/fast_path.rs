//! The shortest way of a traced call: frequent functions from C, with what they are about already
//! looked up. Two readings of the clock, the records, two commits.
//!
//! Whether it may be taken is decided before anything is written: a call within another, from a
//! module or on a communicator or datatype that was not the latest, with a buffer that is nearly
//! full or a request that is not in its place, goes the long way, which writes the same.

mod arguments;
mod collective;
mod complete;
mod messages;

use std::sync::atomic::{compiler_fence, Ordering};

use mpi_abi::{id, FunctionId};
use mpiscope_run::buffer::Writer;
use mpiscope_run::record::{Fact, Record};

use crate::base::clock::ticks;
use crate::base::nesting::Nesting;
use crate::base::own::Own;
use crate::base::path::observing;
use crate::base::site;
use crate::facts::around::{end, left};
use crate::facts::outermost::{Left, Open, Outermost};
use crate::facts::thread::{self, Thread};
use crate::mpi::call::Lang;
use crate::mpi::functions::{is_among, is_send, SENDS};

/// Records of one call at most, without those of the requests that it completes.
const RECORDS: usize = 4;

/// How a function is traced here.
#[derive(Clone, Copy)]
enum Kind {
    /// Nothing beyond its enter and leave.
    Plain,
    Send,
    Isend,
    Recv,
    Irecv,
    Wait,
    Waitall,
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
}

const KINDS: &[(FunctionId, Kind)] = &[
    (id::MPI_COMM_RANK, Kind::Plain),
    (id::MPI_COMM_SIZE, Kind::Plain),
    (id::MPI_RECV, Kind::Recv),
    (id::MPI_IRECV, Kind::Irecv),
    (id::MPI_WAIT, Kind::Wait),
    (id::MPI_WAITALL, Kind::Waitall),
    (id::MPI_BARRIER, Kind::Barrier),
    (id::MPI_BCAST, Kind::Bcast),
    (id::MPI_REDUCE, Kind::Reduce),
    (id::MPI_ALLREDUCE, Kind::Allreduce),
];

const fn kind(function: FunctionId) -> Option<Kind> {
    if is_send(function) {
        let is_blocking = is_among(function, SENDS);
        return Some(if is_blocking { Kind::Send } else { Kind::Isend });
    }
    let mut k = 0;
    while k < KINDS.len() {
        if KINDS[k].0 .0 == function.0 {
            return Some(KINDS[k].1);
        }
        k += 1;
    }
    None
}

/// What makes the call itself; a trait, as closures cannot be told to be compiled in place.
pub trait Make<const N: usize> {
    /// Makes it with these arguments.
    fn make(self, args: [usize; N]) -> usize;
}

/// Makes a call and traces it, if that can be done the shortest way.
#[inline(always)]
pub fn call<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let kind = const { kind(FunctionId(INDEX)) }?;
    let thread = thread::known()?.get();
    let site = site::noted();
    if thread.nesting.is_nested() || !thread.seen || !thread.callers.hold(site) {
        return None;
    }
    let call = Traced {
        thread,
        site,
        function: FunctionId(INDEX),
    };
    match kind {
        Kind::Plain => call.plain(*args, real),
        Kind::Send => messages::send(call, *args, real),
        Kind::Isend => messages::isend(call, *args, real),
        Kind::Recv => messages::recv(call, *args, real),
        Kind::Irecv => messages::irecv(call, *args, real),
        Kind::Wait => complete::wait(call, *args, real),
        Kind::Waitall => complete::waitall(call, *args, real),
        Kind::Barrier => collective::barrier(call, *args, real),
        Kind::Bcast => collective::bcast(call, *args, real),
        Kind::Reduce => collective::reduce(call, *args, real),
        Kind::Allreduce => collective::allreduce(call, *args, real),
    }
}

/// A call that is traced here, before it is made.
struct Traced<'a> {
    thread: &'a mut Thread,
    site: usize,
    function: FunctionId,
}

impl Traced<'_> {
    #[inline(always)]
    fn plain<const N: usize>(self, mut args: [usize; N], real: impl Make<N>) -> Option<usize> {
        let open = self.opens(&mut args, left);
        let made = self.enter(&open, RECORDS, None, None)?;
        let result = real.make(args);
        if result as i32 != 0 {
            return made.leave_failed(&open, result);
        }
        made.leave(|_| {});
        Some(result)
    }

    /// Notes what the call is made with, and how it ends if it never returns.
    #[inline(always)]
    fn opens(&self, args: &mut [usize], left: Left) -> Open {
        Open::new(self.function, Lang::C, args, left)
    }

    /// Writes the enter, with what is told before and behind it, if so many records have room.
    #[inline(always)]
    fn enter(
        self,
        open: &Open,
        room: usize,
        before: Option<Fact>,
        behind: Option<Fact>,
    ) -> Option<Made> {
        let (region, site) = (u32::from(self.function.0), self.site as u64);
        // Before anything is looked at or written: a signal handler that is instrumented, or
        // notes where the thread is, keeps out then.
        self.thread.nesting = Nesting::WORK;
        compiler_fence(Ordering::SeqCst);
        let Some(writer) = self.thread.sinks.quick(room) else {
            self.thread.nesting = Nesting::NOT;
            return None;
        };
        let time = ticks();
        if let Some(fact) = before {
            writer.stage(Record::new(time, fact));
        }
        writer.stage(Record::new(time, Fact::Enter { region, site }));
        if let Some(fact) = behind {
            writer.stage(Record::new(time, fact));
        }
        writer.commit();
        let outermost = Outermost::of(Own::of(self.thread), open);
        Some(Made { outermost, region })
    }
}

/// A call that is being made.
struct Made {
    outermost: Outermost,
    region: u32,
}

/// Where what came of a call is written.
struct Told<'a> {
    writer: &'a mut Writer,
    time: u64,
}

impl Told<'_> {
    #[inline(always)]
    fn tell(&mut self, fact: Fact) {
        self.writer.stage(Record::new(self.time, fact));
    }
}

impl Made {
    /// Writes what came of the call, and its leave. The room for it was there before the call,
    /// which writes nothing of its own.
    #[inline(always)]
    fn leave(self, tell: impl FnOnce(&mut Told)) {
        self.leave_with(|_, told| tell(told));
    }

    /// The same of a call that failed, the long way; its result (`MPI_SUCCESS` is 0 by the standard).
    #[cold]
    fn leave_failed(self, open: &Open, result: usize) -> Option<usize> {
        let thread = self.outermost.thread();
        end(open.function, Lang::C, open.args(), result, thread);
        self.outermost.close();
        Some(result)
    }

    /// The same, with what else the thread knows.
    #[inline(always)]
    fn leave_with(self, tell: impl FnOnce(&mut complete::Known, &mut Told)) {
        let time = ticks();
        let thread = self.outermost.thread().get();
        if !observing() {
            return self.outermost.close();
        }
        let mut known = complete::Known {
            session: thread.session,
            scratch: &mut thread.scratch,
        };
        let Some(writer) = &mut thread.sinks.writer else {
            return self.outermost.close();
        };
        let mut told = Told { writer, time };
        tell(&mut known, &mut told);
        let region = self.region;
        told.tell(Fact::Leave { region });
        told.writer.commit();
        self.outermost.close();
    }
}
