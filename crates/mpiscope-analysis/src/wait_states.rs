//! Wait states: time in MPI in which a rank could do nothing, as another one
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
mod requests;

use mpiscope_model::{Duration, EventRef, LocationIndex, Matching, Timestamp, Trace};

use crate::timeline::{MpiRegions, Timeline};

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
    /// Epochs and locks of windows, for the other side (MPI 4.1 §12.5).
    OneSided,
    /// Other operations that none leaves before all have come: the creation of
    /// communicators and windows, fences.
    Collective,
    /// MPI_Init, for the last to come (MPI 4.1 §11.2).
    Initialization,
    /// MPI_Finalize, for the last to come (MPI 4.1 §11.2.2).
    Finalization,
}

impl Kind {
    /// All kinds, in their order.
    pub const ALL: [Kind; 11] = [
        Kind::LateSender,
        Kind::LateReceiver,
        Kind::Barrier,
        Kind::NxN,
        Kind::LateBroadcast,
        Kind::EarlyReduce,
        Kind::EarlyScan,
        Kind::OneSided,
        Kind::Collective,
        Kind::Initialization,
        Kind::Finalization,
    ];

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
            Kind::OneSided => "one-sided",
            Kind::Collective => "wait at collective",
            Kind::Initialization => "wait at initialization",
            Kind::Finalization => "wait at finalization",
        }
    }
}

/// A stretch of time in which a call waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitState {
    /// What for.
    pub kind: Kind,
    /// Where the call was entered.
    pub call: EventRef,
    /// The call's begin.
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

/// Returns the calls of all locations.
pub(crate) fn timelines(trace: &Trace) -> Vec<Timeline> {
    let regions = MpiRegions::new(trace);
    let locations = (0..trace.locations.len() as u32).map(LocationIndex);
    let line = |location| Timeline::new(trace, &regions, location);
    locations.map(line).collect()
}

/// Finds the wait states of each location, by time.
pub(crate) fn find(trace: &Trace, matching: &Matching, lines: &[Timeline]) -> Vec<Vec<WaitState>> {
    let mut latest = Latest::new(trace, lines);
    causes::collect(trace, matching, &mut latest);
    latest.finish()
}

/// The last to come of those that a call depends on.
#[derive(Clone, Copy)]
struct Cause {
    event: EventRef,
    came: Timestamp,
    kind: Kind,
}

/// For each call the last to come, so far.
struct Latest<'a> {
    trace: &'a Trace,
    lines: &'a [Timeline],
    /// By location and call.
    causes: Vec<Vec<Option<Cause>>>,
}

impl<'a> Latest<'a> {
    fn new(trace: &'a Trace, lines: &'a [Timeline]) -> Self {
        let causes = lines.iter().map(|line| vec![None; line.calls.len()]);
        Latest {
            trace,
            lines,
            causes: causes.collect(),
        }
    }

    /// Returns when an event's rank came: when it entered the call that the
    /// event belongs to.
    fn came(&self, event: EventRef) -> Timestamp {
        let line = &self.lines[event.location.index()];
        match line.around(event) {
            Some(number) => line.calls[number].begin,
            None => self.trace.time(event).max(line.begin),
        }
    }

    /// Notes that the call which `exit` belongs to depends on `cause`.
    fn depends(&mut self, exit: EventRef, cause: EventRef, kind: Kind) {
        if exit.location != cause.location {
            let came = self.came(cause);
            self.depends_on(
                exit,
                Cause {
                    event: cause,
                    came,
                    kind,
                },
            );
        }
    }

    fn depends_on(&mut self, exit: EventRef, cause: Cause) {
        let line = &self.lines[exit.location.index()];
        let Some(number) = line.around(exit) else {
            return;
        };
        // A send that had ended before its receiver came did not wait for it.
        let had_ended = cause.kind == Kind::LateReceiver && cause.came > line.calls[number].end;
        let latest = &mut self.causes[exit.location.index()][number];
        let is_later = latest.is_none_or(|latest| latest.came < cause.came);
        if is_later && !had_ended && cause.came > line.calls[number].begin {
            *latest = Some(cause);
        }
    }

    fn finish(self) -> Vec<Vec<WaitState>> {
        let of_location = |(location, causes): (u32, Vec<Option<Cause>>)| {
            let calls = &self.lines[location as usize].calls;
            let pairs = calls.iter().zip(causes);
            let states = pairs.filter_map(|(call, cause)| {
                let cause = cause?;
                Some(WaitState {
                    kind: cause.kind,
                    call: EventRef::new(LocationIndex(location), call.enter as usize),
                    begin: call.begin,
                    end: cause.came.min(call.end),
                    cause: cause.event,
                    contradicts: cause.came > call.end,
                })
            });
            // A call that took no time did not wait either.
            states.filter(|state| state.end > state.begin).collect()
        };
        (0..).zip(self.causes).map(of_location).collect()
    }
}

#[cfg(test)]
mod tests;
