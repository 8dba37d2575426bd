//! The shortest way through while statistics are all that is wanted: sends and
//! receives on MPI_COMM_WORLD, waits for them and a few collective operations, in
//! C, of programs in which one thread calls MPI, counted in the wrapper itself.
//!
//! All other calls, and these in any other case, go by the facts that hooks
//! tell; what is counted is the same.

mod collective;
mod outstanding;
mod virtually;
mod wait;

use mpi_abi::{id, FunctionId, Mpi};
use mpiscope_run::record::Wildcard;
use mpiscope_run::statistics::{bin, Amount, Side, ALL, ANY, NOBODY, NO_GROUP};

use collective::{is_collective, Collective};
pub use outstanding::{touches_requests, Outstanding};
use outstanding::{Asked, Operation};
pub use wait::Chosen;

use super::calls::other;
use super::thread::{current, Statistics};
use super::virtual_clock::Sent;
use crate::base::clock::ticks;
use crate::base::own::Own;
use crate::base::site;
use crate::facts::around::REJECTED;
use crate::facts::outermost::{Open, Outermost};
use crate::facts::session::Session;
use crate::facts::thread::{known, Thread};
use crate::mpi::call::Lang;
use crate::mpi::functions::is_send;
use crate::mpi::process::Process;

/// MPI_COMM_WORLD is the first communicator that there is.
const WORLD: u32 = 0;

/// What the shortest way compares arguments with.
pub struct Hot {
    world: usize,
    /// Our rank there, and how many there are.
    rank: u32,
    size: u32,
    /// The bits of a register that hold a handle.
    mask: usize,
    any_source: i32,
    any_tag: i32,
    datatype_null: usize,
    in_place: usize,
    status_size: usize,
}

impl Hot {
    /// Takes over what it needs of an interface.
    pub fn new(process: &Process) -> Self {
        let (abi, identity) = (&process.mpi.abi, &process.identity);
        Self {
            world: abi.comm_world,
            rank: identity.rank,
            size: identity.world_size,
            mask: match abi.handle_size {
                4 => u32::MAX as usize,
                _ => usize::MAX,
            },
            any_source: abi.any_source,
            any_tag: abi.any_tag,
            datatype_null: abi.datatype_null,
            in_place: abi.in_place,
            status_size: abi.status.size,
        }
    }

    /// Returns which wildcards a receive was posted with.
    #[inline(always)]
    fn wildcard(&self, source: i32, tag: i32) -> Wildcard {
        Wildcard {
            source: source == self.any_source,
            tag: tag == self.any_tag,
        }
    }
}

/// Whether a function may be counted here.
pub const fn is_fast(function: FunctionId, lang: Lang) -> bool {
    let among = matches!(
        function,
        id::MPI_RECV | id::MPI_IRECV | id::MPI_WAIT | id::MPI_WAITALL
    );
    matches!(lang, Lang::C) && (is_send(function) || among || is_collective(function))
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
    let with = plan.with(statistics.hot.as_ref());
    statistics.begin_fast(ticks(), function.0, site as u64, with);
    let waits = statistics.tell_partners(function, &plan, &args);
    let result = real(args);
    let time = ticks();
    let statistics = own.get();
    statistics.end_plan(time, session, plan, waits, &args, result as i32);
    outermost.close();
    Some(result)
}

/// Counts a call that the program has left, with the time until then, and no message: whether it has
/// dealt with one is not known, and so not the numbers of those that follow.
fn left(_: &Open, _: Own<Thread>) {
    if let Some(own) = current() {
        own.get().with_clock(|clock, _, _| clock.lose_all());
        own.get().end_nothing(ticks());
    }
}

/// What a call is going to do.
enum Plan {
    /// Send so many bytes to a rank, blocking or not.
    Send(u64, u64),
    /// Receive, and return when that is done.
    Receive(Asked),
    /// Post a receive.
    Post(Asked),
    /// Wait for one request: perhaps of such a receive.
    Wait(Option<Asked>),
    /// Wait for several, of which so many were begun the shortest way.
    WaitAll(usize),
    /// Take part in a collective operation.
    Collective(Collective),
    /// Nothing that is a message.
    Nothing,
}

impl Plan {
    fn with(&self, hot: Option<&Hot>) -> u64 {
        match *self {
            Plan::Send(with, _) => with,
            Plan::Receive(asked) if hot.is_some_and(|hot| asked.source == hot.any_source) => {
                other(ANY, WORLD)
            }
            Plan::Receive(asked) => other(asked.source as u32, WORLD),
            Plan::Collective(_) => other(ALL, WORLD),
            _ => other(NOBODY, NO_GROUP),
        }
    }
}

/// A message that was received.
#[derive(Clone, Copy)]
struct Found {
    peer: u32,
    tag: u32,
    bytes: u64,
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
        if let Some(clock) = &mut self.virtual_clock {
            clock.begin();
        }
        match function {
            id::MPI_WAIT => self.plan_wait(thread, args),
            id::MPI_WAITALL => self.plan_waitall(thread, args),
            _ if is_collective(function) => self.plan_collective(thread, function, args),
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
        let anybody = peer == hot.any_source && !is_send(function);
        if peer < 0 && !anybody || datatype == hot.datatype_null {
            return Some(Plan::Nothing);
        }
        let size = thread.types.of(thread.session, datatype).size;
        let bytes = (count as i32).max(0) as u64 * size;
        if is_send(function) {
            return Some(Plan::Send(other(peer as u32, WORLD), bytes));
        }
        let asked = Asked {
            source: peer,
            tag: tag as i32,
            bytes,
            message: None,
        };
        if function == id::MPI_IRECV {
            return Some(Plan::Post(asked));
        }
        let ignores = rest.first().is_none_or(|&status| is_ignored(status));
        (!ignores).then_some(Plan::Receive(asked))
    }

    #[inline(always)]
    fn end_plan(
        &mut self,
        time: u64,
        session: &'static Session,
        plan: Plan,
        waits: Option<Sent>,
        args: &[usize],
        result: i32,
    ) {
        let at = |at: usize| args.get(at).copied().unwrap_or(0);
        let ok = result == session.mpi.abi.success;
        match plan {
            Plan::Send(with, bytes) => {
                if !ok && self.fails(session, result) {
                    return self.end_nothing(time);
                }
                if let Some(sent) = waits.filter(|_| ok) {
                    self.begins(session, at(6), Operation::Send(sent));
                }
                self.end_fast(time, Side::Sent, with, bytes);
            }
            Plan::Receive(asked) => {
                let found = self.found(session, result, asked, at(6) as *const u8);
                if found.is_none() && !ok {
                    self.fails(session, result);
                }
                self.end_receive(time, found, true, None);
            }
            Plan::Wait(Some(asked)) => {
                let found = self.found(session, result, asked, at(1) as *const u8);
                if found.is_none() && !ok {
                    self.fails(session, result);
                }
                self.end_receive(time, found, false, asked.message);
            }
            Plan::WaitAll(chosen) => {
                self.end_waitall(time, session, chosen, at(2) as *const u8, result);
            }
            Plan::Post(asked) => {
                match ok {
                    true => {
                        let message = waits;
                        let asked = Asked { message, ..asked };
                        self.begins(session, at(6), Operation::Receive(asked));
                    }
                    false => drop(self.fails(session, result)),
                }
                self.end_nothing(time);
            }
            Plan::Collective(collective) => {
                match ok {
                    true => self.hear_entered(collective),
                    false => drop(self.fails(session, result)),
                }
                let bytes = if ok { collective.bytes } else { 0 };
                self.end_fast(time, Side::Collective, other(ALL, WORLD), bytes);
            }
            Plan::Wait(None) | Plan::Nothing => self.end_nothing(time),
        }
    }

    /// An operation has begun, whose request lies there.
    #[inline(always)]
    fn begins(&mut self, session: &'static Session, request: usize, operation: Operation) {
        let handle = self.handle(request, 0);
        self.keep(session, handle, operation);
    }

    #[inline(always)]
    fn keep(&mut self, session: &'static Session, handle: usize, operation: Operation) {
        if !self.outstanding.add(handle, operation) {
            let clock = self.virtual_clock.as_deref();
            outstanding::enter(session, clock, handle, operation);
        }
    }

    /// A call failed: returns whether it did nothing, as is known.
    #[cold]
    fn fails(&mut self, session: &Session, result: i32) -> bool {
        let class = session.mpi.error_class(result);
        let rejected = class.is_ok_and(|class| REJECTED.contains(&class));
        self.with_clock(|clock, _, region| clock.fails(rejected, touches_requests(region)));
        rejected
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

    /// Returns the message that a receive has taken; one that was too short for it has done so,
    /// too.
    #[inline(always)]
    fn found(
        &self,
        session: &Session,
        result: i32,
        asked: Asked,
        status: *const u8,
    ) -> Option<Found> {
        let (hot, mpi) = (self.hot.as_ref()?, session.mpi);
        let ok = result == mpi.abi.success;
        if !ok && !is_truncated(mpi, result) {
            return None;
        }
        // SAFETY: MPI has just filled the status of a receive that took a message, or none.
        let (source, found_tag) = unsafe { (mpi.status_source(status), mpi.status_tag(status)) };
        let Wildcard {
            source: any_source,
            tag: any_tag,
        } = hot.wildcard(asked.source, asked.tag);
        let peer = if any_source { source } else { asked.source };
        Some(Found {
            peer: u32::try_from(peer).ok()?,
            tag: if any_tag { found_tag } else { asked.tag } as u32,
            bytes: match ok {
                // SAFETY: it is filled, and tells of a message.
                true => unsafe { mpi.status_bytes(status) }.unwrap_or(0),
                // A message that was too long fills the buffer, whatever the status tells.
                false => asked.bytes,
            },
        })
    }

    /// Counts a receive, if it has taken a message.
    #[inline(always)]
    fn end_receive(
        &mut self,
        time: u64,
        found: Option<Found>,
        blocking: bool,
        message: Option<Sent>,
    ) {
        let Some(found) = found else {
            return self.end_nothing(time);
        };
        self.hear_partner(found, blocking, message);
        let with = other(found.peer, WORLD);
        self.end_fast(time, Side::Received, with, found.bytes);
    }

    /// Counts a call that dealt with one message at most.
    #[inline(always)]
    fn end_fast(&mut self, time: u64, side: Side, with: u64, bytes: u64) {
        let elapsed = self.elapsed(time);
        let virtually = self.end_virtually(time);
        let key = self.key(side, with);
        if let Some(entry) = self.store.entry(key) {
            let amount = Amount {
                calls: 1,
                messages: u64::from(side != Side::None),
                bytes,
                time: elapsed,
                intrusion: virtually.map_or(0, |(intrusion, _)| intrusion),
            };
            if side == Side::None {
                entry.add(amount);
            } else if !entry.add_message(amount) {
                self.store.count_bin(entry, bin(bytes));
            }
            if let Some((_, Some(delay))) = virtually {
                entry.add_delay(delay);
            }
        }
        self.intrude_after();
        self.intrude(self.costs.call);
        self.end_call(time, elapsed);
    }
}

/// Whether an argument is `MPI_STATUS_IGNORE` or `MPI_STATUSES_IGNORE`: 0 or 1.
#[inline(always)]
fn is_ignored(status: usize) -> bool {
    status <= 1
}

/// Whether a receive failed as its message was longer.
#[cold]
fn is_truncated(mpi: &Mpi, result: i32) -> bool {
    let class = mpi.error_class(result);
    class.is_ok_and(|class| class == mpi.abi.err_truncate)
}
