//! Wait states: time in which a rank, or a thread, could do nothing, as another one
//! had not come yet (Wolf and Mohr 2003; Geimer et al. 2010).
//!
//! A call waits from its begin until the last of those that it depends on has
//! come, that is until that one *entered its own call*; at most until its end.
//! So each call has one wait state at most, it lasts no longer than the call,
//! and what follows it in the call is transfer. A call that depends on several
//! (MPI_Waitall, MPI_Sendrecv) waits for the last of them, and that one alone is
//! named.
//!
//! ```
//! use mpiscope_analysis::wait_states::{wait_states, Kind};
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 0 enter(MPI_Recv) 52 recv<1 53 leave(MPI_Recv)
//!     1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)
//! ")?;
//! let found = wait_states(&trace, &trace.matching());
//! assert_eq!(found[0].kind, Kind::LateSender);
//! assert_eq!(found[0].duration().0, 50);
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod causes;
pub mod completion;
pub(crate) mod elsewhere;
pub(crate) mod late_complete;
pub mod late_progress;
pub(crate) mod requests;
mod threads;
mod times;
mod windows;
pub mod wrong_order;

pub use threads::tells_of_threads;
pub use times::Times;

use std::cmp::Reverse;

use mpiscope_model::{Duration, EventRef, LocationIndex, Matching, Timestamp, Trace};
use rayon::prelude::*;

use crate::sharers::Sharers;
use crate::timeline::{Call, Regions, Timeline};
use completion::Completion;
use requests::OtherSides;

/// What is waited for, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A receive, a probe or the completion of a receive, for the send (MPI 4.1 §3.4).
    LateSender,
    /// A send that does not end without its receiver, or its completion, for
    /// the post of the receive (MPI 4.1 §3.4).
    LateReceiver,
    /// A barrier, for the last to come (MPI 4.1 §6.3).
    Barrier,
    /// An operation whose data all need from all, for the last to come.
    NxN,
    /// A broadcast or scatter, for the root.
    LateBroadcast,
    /// A root that reduces or gathers, for the last to send.
    EarlyReduce,
    /// A scan, for the last of lower rank (MPI 4.1 §6.11).
    EarlyScan,
    /// Who begins or completes an epoch of operations on others' windows, for their post
    /// (MPI 4.1 §12.5.2).
    LatePost,
    /// Who has posted a window, for those who use it to complete (MPI 4.1 §12.5.2).
    EarlyWait,
    /// The lock of a window, for who holds it (MPI 4.1 §12.5.3).
    WindowLock,
    /// Other synchronization of windows, for the other side (MPI 4.1 §12.5).
    OneSided,
    /// A fence, for the last to come (MPI 4.1 §12.5.1).
    Fence,
    /// The creation of a window, for the last to come (MPI 4.1 §12.2).
    WindowCreation,
    /// Other operations that none leaves before all have come: the creation of
    /// communicators, say.
    Collective,
    /// MPI_Init, for the last to come: MPI does not say that it synchronizes (MPI 4.1 §11.2), so only
    /// where [`Assumptions::init`](mpiscope_model::Assumptions::init) is taken for granted.
    Initialization,
    /// MPI_Finalize, for the last to come (MPI 4.1 §11.2.2).
    Finalization,
    /// A barrier of a team of threads, for the last to come (OpenMP 5.2 §15.3).
    ThreadBarrier,
    /// A lock or critical section, for the thread that has it (OpenMP 5.2 §15.2).
    ThreadLock,
    /// The end of a team or of a thread, for whom does not come back yet.
    ThreadJoin,
    /// Tasks that were created, for the last to be done (OpenMP 5.2 §15.5).
    TaskWait,
    /// A thread between two teams, for the second.
    IdleThread,
}

impl Kind {
    /// All kinds, in their order.
    pub const ALL: [Kind; 21] = [
        Kind::LateSender,
        Kind::LateReceiver,
        Kind::Barrier,
        Kind::NxN,
        Kind::LateBroadcast,
        Kind::EarlyReduce,
        Kind::EarlyScan,
        Kind::LatePost,
        Kind::EarlyWait,
        Kind::WindowLock,
        Kind::OneSided,
        Kind::Fence,
        Kind::WindowCreation,
        Kind::Collective,
        Kind::Initialization,
        Kind::Finalization,
        Kind::ThreadBarrier,
        Kind::ThreadLock,
        Kind::ThreadJoin,
        Kind::TaskWait,
        Kind::IdleThread,
    ];

    /// Returns whether it is waiting of threads for each other, and not of ranks.
    pub fn is_among_threads(self) -> bool {
        self >= Kind::ThreadBarrier
    }

    /// Returns what it is called.
    pub fn name(self) -> &'static str {
        match self {
            Kind::LateSender => "late sender",
            Kind::LateReceiver => "late receiver",
            Kind::Barrier => "wait at barrier",
            Kind::NxN => "wait at n x n",
            Kind::LateBroadcast => "late broadcast",
            Kind::EarlyReduce => "early reduce",
            Kind::EarlyScan => "early scan",
            Kind::LatePost => "late post",
            Kind::EarlyWait => "early wait",
            Kind::WindowLock => "wait for window lock",
            Kind::OneSided => "one-sided",
            Kind::Fence => "wait at fence",
            Kind::WindowCreation => "wait at window creation",
            Kind::Collective => "wait at collective",
            Kind::Initialization => "wait at initialization",
            Kind::Finalization => "wait at finalization",
            Kind::ThreadBarrier => "wait at thread barrier",
            Kind::ThreadLock => "lock contention",
            Kind::ThreadJoin => "wait for threads",
            Kind::TaskWait => "wait for tasks",
            Kind::IdleThread => "idle threads",
        }
    }
}

/// A stretch of time in which a call waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitState {
    /// What for.
    pub kind: Kind,
    /// Where the call was entered; of a thread that did something else meanwhile, or that was
    /// idle, the event since which it waited.
    pub call: EventRef,
    /// When that was.
    pub begin: Timestamp,
    /// When the one came that was waited for.
    pub end: Timestamp,
    /// What that one did: its send, its post of a receive, its entry.
    pub cause: EventRef,
    /// By the clocks the call ended before the other one came, so they are wrong.
    pub contradicts: bool,
}

impl WaitState {
    /// Returns how long it lasted.
    pub fn duration(&self) -> Duration {
        self.end - self.begin
    }
}

/// Finds the wait states of a trace, by location and there by time.
pub fn wait_states(trace: &Trace, matching: &Matching) -> Vec<WaitState> {
    let lines = timelines(trace);
    find(trace, matching, &lines).concat()
}

/// Finds the wait states of each location by another clock, which told these times of its events.
pub fn wait_states_by(
    trace: &Trace,
    matching: &Matching,
    times: &[&[Timestamp]],
) -> Vec<Vec<WaitState>> {
    find(trace, matching, &timelines_by(trace, times))
}

/// Returns the calls of all locations by another clock.
pub(crate) fn timelines_by<'a>(trace: &Trace, times: &[&'a [Timestamp]]) -> Vec<Timeline<'a>> {
    let regions = Regions::new(trace);
    let locations = times.par_iter().enumerate();
    let line = |(location, times): (usize, &&'a [Timestamp])| {
        Timeline::by(trace, times, &regions, LocationIndex(location as u32))
    };
    locations.map(line).collect()
}

/// Returns the calls of all locations.
pub(crate) fn timelines(trace: &Trace) -> Vec<Timeline<'_>> {
    let regions = Regions::new(trace);
    let locations = (0..trace.locations.len() as u32).into_par_iter();
    let line = |location| Timeline::new(trace, &regions, LocationIndex(location));
    locations.map(line).collect()
}

/// Finds the wait states of each location, by time.
pub(crate) fn find(trace: &Trace, matching: &Matching, lines: &[Timeline]) -> Vec<Vec<WaitState>> {
    find_with(trace, matching, lines, &OtherSides::new(trace)).0
}

/// Does the same where it is known where nonblocking messages were posted and completed; returns how
/// operations completed, too.
pub(crate) fn find_with(
    trace: &Trace,
    matching: &Matching,
    lines: &[Timeline],
    other_sides: &OtherSides,
) -> (Vec<Vec<WaitState>>, Completion) {
    find_among(trace, matching, lines, other_sides, None)
}

/// Does the same as one of the processes that share a trace, which have [told](elsewhere::tell) each
/// other of their calls: each finds the wait states of its own locations, and how operations
/// completed whose home it is.
pub(crate) fn find_among(
    trace: &Trace,
    matching: &Matching,
    lines: &[Timeline],
    other_sides: &OtherSides,
    sharers: Option<Sharers>,
) -> (Vec<Vec<WaitState>>, Completion) {
    let calls = Calls { trace, lines };
    let (held, completion) = causes::all(matching, &calls, other_sides, sharers);
    let held = by_location(held, lines.len());
    let states = held.into_par_iter().zip(lines);
    let mut states: Vec<_> = states.map(|(held, line)| latest(held, line)).collect();
    if tells_of_threads(matching) {
        let among_threads = threads::find(trace, matching, lines);
        let pairs = states.par_iter_mut().zip(among_threads);
        pairs.for_each(|(states, others)| {
            states.extend(others);
            states.sort_by_key(|state| state.call);
        });
    }
    (states, completion)
}

/// One that a call depends on, and that came after the call's begin.
#[derive(Clone, Copy)]
struct Cause {
    event: EventRef,
    came: Timestamp,
    kind: Kind,
}

/// A call, by the event that entered it, that was held up: by one of those that
/// it depends on.
#[derive(Clone, Copy)]
struct Held {
    call: EventRef,
    cause: Cause,
}

/// The calls of all locations, and who came when.
struct Calls<'a> {
    trace: &'a Trace,
    lines: &'a [Timeline<'a>],
}

impl Calls<'_> {
    /// Returns when an event's rank came: when it entered the call that the
    /// event belongs to.
    fn came(&self, event: EventRef) -> Timestamp {
        self.lines[event.location.index()].came(event.index)
    }

    /// Returns whether an event is here, and not with another process that shares the trace.
    fn has(&self, event: EventRef) -> bool {
        self.trace.locations[event.location.index()].elsewhere == 0
    }

    /// Returns the name of the function whose call an event belongs to; an empty one outside of calls.
    fn name(&self, event: EventRef) -> &str {
        let call = self.lines[event.location.index()].around(event.index);
        call.map_or("", |call| self.name_of(event.location, call.enter))
    }

    /// Returns the name of the region that an event enters or leaves.
    fn name_of(&self, location: LocationIndex, index: u32) -> &str {
        let region = self.trace.locations[location.index()].events.args()[index as usize];
        let region = self.trace.definitions.regions.get(region as usize);
        region.map_or("", |region| &region.name)
    }

    /// Returns whether the call which `exit` belongs to was held up by `cause`.
    fn depends(&self, exit: EventRef, cause: EventRef, kind: Kind) -> Option<Held> {
        if exit.location == cause.location {
            return None;
        }
        let came = self.came(cause);
        self.depends_on(
            exit,
            Cause {
                event: cause,
                came,
                kind,
            },
        )
    }

    fn depends_on(&self, exit: EventRef, cause: Cause) -> Option<Held> {
        let call = self.lines[exit.location.index()].around(exit.index)?;
        // A send that had ended before its receiver came did not wait for it.
        let had_ended = cause.kind == Kind::LateReceiver && cause.came > call.end;
        let call_of = |call: Call| EventRef {
            index: call.enter,
            ..exit
        };
        (cause.came > call.begin && !had_ended).then(|| Held {
            call: call_of(call),
            cause,
        })
    }
}

/// Sorts calls by location; in each they stay in their order.
fn by_location(held: Vec<Held>, locations: usize) -> Vec<Vec<Held>> {
    let mut counts = vec![0; locations];
    held.iter()
        .for_each(|held| counts[held.call.location.index()] += 1);
    let mut sorted: Vec<Vec<Held>> = counts.into_iter().map(Vec::with_capacity).collect();
    for held in held {
        sorted[held.call.location.index()].push(held);
    }
    sorted
}

/// Returns the wait states of a location: of those that a call depends on the
/// last to come counts, and of those that came at the same time the first told.
fn latest(mut held: Vec<Held>, line: &Timeline) -> Vec<WaitState> {
    held.sort_by_key(|held| (held.call.index, Reverse(held.cause.came)));
    held.dedup_by_key(|held| held.call);
    let states = held.into_iter().filter_map(|Held { call: enter, cause }| {
        let call = line.around(enter.index)?;
        Some(WaitState {
            kind: cause.kind,
            call: enter,
            begin: call.begin,
            end: cause.came.min(call.end),
            cause: cause.event,
            contradicts: cause.came > call.end,
        })
    });
    // A call that took no time did not wait either.
    states.filter(|state| state.end > state.begin).collect()
}

#[cfg(test)]
mod tests;
