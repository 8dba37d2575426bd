//! What a run would have taken if something had been different: its pieces and what they need of
//! each other, replayed with changed durations.
//!
//! Each thread that calls MPI does one piece after the other: calls, and what lies between them. A
//! piece without needs takes as long as in the run. A call that needs others (the senders of its
//! messages, the members of its operation, as [`wait_states`](crate::wait_states) knows them) ends
//! when it was entered and all of them have come, and then takes as long as in the run:
//!
//! > end′ = max(begin′, come′) + (end − max(begin, come))
//!
//! So a replay in which nothing is changed is the run as it was measured, to the nanosecond; and
//! what changes is how long calls wait. One that waits less than in the run, and had taken longer
//! beside waiting than calls of its statement that did not wait, takes so much less of that, too: it
//! is woken up sooner. Which message a receive gets stays as it was.
//!
//! ```
//! use mpiscope_analysis::whatif::{Changes, Replay};
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 0 10 enter(MPI_Recv) 52 recv<1 53 leave(MPI_Recv) 60
//!     1: 0 enter(solve) 50 leave(solve) 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)
//! ")?;
//! let replay = Replay::of(&trace, &trace.matching());
//! assert_eq!(replay.run(&Changes::default()).length().0, 60);
//! let mut changes = Changes::default();
//! changes.scale(&replay, 0.5, |_, activity| replay.is_computation(activity));
//! // The message comes at 25, and rank 0 computes 5 before it and 3.5 after it.
//! assert_eq!(replay.run(&changes).length().0, 25 + 3 + 4);
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod balance;
mod ideal;
mod lanes;
mod needs;
mod order;
mod pass;
mod stages;

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_model::{
    BoundKind, CallSiteId, CollectiveInstance, Duration, EventKind, Matching, OneSidedEvent,
    Timestamp, Trace,
};

use crate::profile::Activity;
use crate::timeline::Timeline;
use crate::wait_states::{timelines, timelines_by};
use lanes::Lane;
use needs::Needs;
use order::Stretch;

/// A run that can be replayed.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// What the threads do in it.
    pub activities: Vec<Activity>,
    /// What is not in it.
    pub left_out: LeftOut,
    lanes: Vec<Lane>,
    needs: Needs,
    order: Vec<Stretch>,
    /// When the members of each group had come in the run, each or one before it.
    come: Vec<i64>,
    latency: Option<i64>,
    /// By activity: how long calls take that need others and do not wait for them.
    own: Vec<Option<i64>>,
    /// By rank and activity: periods of samples by the call site that they name.
    samples: BTreeMap<(u32, u32), BTreeMap<CallSiteId, u64>>,
}

/// What replays know nothing of, or leave as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Sends, receives and operations without the other side: nobody waits for them.
    pub unmatched: u64,
    /// Messages that stand in no call: nobody waits for them.
    pub outside_of_calls: u64,
    /// Sends during which the receive was posted, which is taken to be chance: others as large did not
    /// wait for it, or they waited for something else, too.
    pub buffered: u64,
    /// Calls that ended, by the clocks, before what they need had come.
    pub contradictions: u64,
    /// Needs of calls that would need themselves.
    pub circles: u64,
    /// Threads without calls of MPI.
    pub threads: u64,
    /// How long threads that are replayed were in barriers and locks of their process, or idle.
    pub among_threads: Duration,
    /// How long recording was off.
    pub unrecorded: Duration,
    /// Calls that looked for something and did not find it.
    pub polls: u64,
    /// Locks of windows.
    pub locks: u64,
    /// Nonblocking collective operations, which are taken to go on while ranks compute.
    pub going_on: u64,
    /// Locations of which only the begin could be read.
    pub truncated: u64,
}

/// What is different in a replay.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// By activity: by what its time is multiplied on every rank, without waiting; empty for 1.
    everywhere: Vec<f64>,
    /// The same by rank, and there by activity: by what else.
    scales: BTreeMap<u32, Vec<f64>>,
    /// Whether an activity is spread evenly over the ranks.
    balanced: Vec<bool>,
    /// Whether nobody waits in an activity.
    no_wait: Vec<bool>,
    /// The network's latency.
    pub latency: Option<Duration>,
    /// The network's bandwidth, in bytes a second.
    pub bandwidth: Option<f64>,
}

impl Changes {
    /// Multiplies the time of some activities of some ranks; those that are named by several
    /// changes, by all of them. Keeps a factor of every activity for each rank of which one is named.
    pub fn scale(&mut self, replay: &Replay, factor: f64, which: impl Fn(u32, &Activity) -> bool) {
        for rank in replay.ranks() {
            let all = replay.activities.iter();
            let is_one: Vec<bool> = all.map(|it| which(rank, it)).collect();
            if is_one.contains(&true) {
                self.scale_rank(rank, factor, &is_one);
            }
        }
    }

    /// Multiplies the time of some activities on all ranks. Keeps one factor of every activity.
    pub fn scale_everywhere(
        &mut self,
        replay: &Replay,
        factor: f64,
        which: impl Fn(&Activity) -> bool,
    ) {
        self.everywhere.resize(replay.activities.len(), 1.0);
        let all = self.everywhere.iter_mut().zip(&replay.activities);
        let these = all.filter(|(_, activity)| which(activity));
        these.for_each(|(it, _)| *it *= factor);
    }

    /// Multiplies what samples tell to have been at some places: of each activity of a rank the part
    /// that its samples have there. Returns whether there are such samples.
    pub fn scale_sampled(
        &mut self,
        replay: &Replay,
        factor: f64,
        which: impl Fn(u32, CallSiteId) -> bool,
    ) -> bool {
        let mut any = false;
        for (&(rank, activity), sites) in &replay.samples {
            let all = sites
                .values()
                .fold(0, |sum: u64, it| sum.saturating_add(*it));
            let these = sites.iter().filter(|(site, _)| which(rank, **site));
            let these = these.fold(0, |sum: u64, (_, it)| sum.saturating_add(*it));
            if these > 0 {
                let part = these as f64 / all as f64;
                let new = || vec![1.0; replay.activities.len()];
                let scales = self.scales.entry(rank).or_insert_with(new);
                scales[activity as usize] *= 1.0 - part * (1.0 - factor);
                any = true;
            }
        }
        any
    }

    fn scale_rank(&mut self, rank: u32, factor: f64, which: &[bool]) {
        let new = || vec![1.0; which.len()];
        let all = self.scales.entry(rank).or_insert_with(new);
        let these = all.iter_mut().zip(which).filter(|(_, is_one)| **is_one);
        these.for_each(|(it, _)| *it *= factor);
    }

    /// Spreads some activities evenly: between two operations in which all wait for all each rank
    /// that does any of it does as much as any other.
    pub fn balance(&mut self, replay: &Replay, which: impl Fn(&Activity) -> bool) {
        add(&mut self.balanced, replay, which);
    }

    /// Has nobody wait in some activities.
    pub fn no_wait(&mut self, replay: &Replay, which: impl Fn(&Activity) -> bool) {
        add(&mut self.no_wait, replay, which);
    }
}

fn add(flags: &mut Vec<bool>, replay: &Replay, which: impl Fn(&Activity) -> bool) {
    flags.resize(replay.activities.len(), false);
    let all = flags.iter_mut().zip(&replay.activities);
    all.for_each(|(flag, activity)| *flag |= which(activity));
}

/// How a replay went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The begin of the first rank.
    pub begin: Timestamp,
    /// The end of the last.
    pub end: Timestamp,
    /// Each rank, ascending.
    pub ranks: Vec<OfRank>,
}

/// How a replay went for a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfRank {
    /// World rank.
    pub rank: u32,
    /// When the last of its threads that are replayed ended.
    pub end: Timestamp,
    /// How long these are from their first to their last event.
    pub time: Duration,
    /// How long they wait for others.
    pub waiting: Duration,
}

impl Outcome {
    /// Returns how long all of it takes.
    pub fn length(&self) -> Duration {
        self.end - self.begin
    }

    /// Returns how long all ranks wait.
    pub fn waiting(&self) -> Duration {
        let all = self.ranks.iter().map(|it| it.waiting);
        all.fold(Duration::ZERO, |sum, it| sum + it)
    }
}

impl Replay {
    /// Reads a trace.
    pub fn of(trace: &Trace, matching: &Matching) -> Replay {
        Replay::among(trace, matching, &timelines(trace))
    }

    /// Reads a trace by another clock, which told these times of its events.
    pub fn by(trace: &Trace, matching: &Matching, times: &[&[Timestamp]]) -> Replay {
        Replay::among(trace, matching, &timelines_by(trace, times))
    }

    fn among(trace: &Trace, matching: &Matching, lines: &[Timeline]) -> Replay {
        let (mut lanes, activities) = lanes::all(trace, lines);
        let mut left_out = left_out(trace, matching, &lanes, &activities);
        find_origins(matching, lines, &mut lanes);
        let mut needs = needs::all(trace, matching, lines, &lanes, &activities, &mut left_out);
        let (order, circles) = order::of(&mut lanes, &mut needs);
        left_out.circles = circles;
        let mut replay = Replay {
            activities,
            left_out,
            come: come(&lanes, &needs),
            samples: samples(trace, &lanes),
            lanes,
            needs,
            order,
            latency: None,
            own: Vec::new(),
        };
        let transfers = pass::Transfers::of(&replay);
        replay.latency = transfers.latency;
        replay.own = transfers.own;
        replay.left_out.contradictions = transfers.contradictions;
        stages::find(&mut replay);
        replay
    }

    /// Replays it.
    pub fn run(&self, changes: &Changes) -> Outcome {
        pass::run(self, changes)
    }

    /// Returns what happened.
    pub fn measured(&self) -> Outcome {
        let begins = self.lanes.iter().map(|it| it.begins.clone()).collect();
        pass::outcome(self, begins, |lane| pass::measured_waiting(self, lane))
    }

    /// Returns the latency that the run shows: what a tenth of the calls that waited for a message
    /// took at most, since its sender had come.
    pub fn latency(&self) -> Option<Duration> {
        self.latency.map(Duration)
    }

    /// Returns from how many bytes on sends are taken to wait for their receivers, as the run shows
    /// it; nothing if none of those waited that need not.
    pub fn rendezvous(&self) -> Option<u64> {
        self.needs.waits_from
    }

    /// Returns whether an activity is computation.
    pub fn is_computation(&self, activity: &Activity) -> bool {
        matches!(activity, Activity::Region(_) | Activity::Between(..))
    }

    /// Returns the world ranks, ascending.
    pub fn ranks(&self) -> Vec<u32> {
        let lanes = self.lanes.iter().filter(|it| it.is_there());
        let ranks: BTreeSet<u32> = lanes.map(|it| it.rank).collect();
        ranks.into_iter().collect()
    }

    /// Returns how often all ranks met, so that what is between can be balanced.
    pub fn meetings(&self) -> usize {
        balance::meetings(self).len()
    }

    /// Returns how long each activity took in all, without waiting, and how long was waited in it.
    pub fn sums(&self) -> Vec<[Duration; 2]> {
        let mut sums = vec![[Duration::ZERO; 2]; self.activities.len()];
        for (number, lane) in self.lanes.iter().enumerate() {
            for (piece, &activity) in lane.activities.iter().enumerate() {
                sums[activity as usize][0] += Duration(lane.length(piece));
            }
            for (piece, waited) in pass::measured_waits(self, number) {
                let sum = &mut sums[lane.activities[piece] as usize];
                sum[0] += Duration(waited.saturating_neg());
                sum[1] += Duration(waited);
            }
        }
        sums
    }
}

/// Returns by when each member of a group had come, and all before it.
fn come(lanes: &[Lane], needs: &Needs) -> Vec<i64> {
    let time = |moment: &lanes::Moment| {
        let lane = &lanes[moment.lane as usize];
        lane.begins[moment.piece as usize].saturating_add(moment.offset)
    };
    let mut come: Vec<i64> = needs.entries.iter().map(time).collect();
    for rows in &needs.groups {
        for row in rows.start + 1..rows.end {
            come[row] = come[row].max(come[row - 1]);
        }
    }
    come
}

/// Adds up samples by what was done when they were taken.
fn samples(trace: &Trace, lanes: &[Lane]) -> BTreeMap<(u32, u32), BTreeMap<CallSiteId, u64>> {
    let mut all: BTreeMap<(u32, u32), BTreeMap<CallSiteId, u64>> = BTreeMap::new();
    for (location, lane) in trace.locations.iter().zip(lanes) {
        for (index, sample) in location.events.samples() {
            let after = lane.firsts.partition_point(|first| first <= index);
            let Some(&activity) = after.checked_sub(1).map(|at| &lane.activities[at]) else {
                continue;
            };
            let sites = all.entry((lane.rank, activity)).or_default();
            let sum = sites.entry(sample.site).or_default();
            *sum = sum.saturating_add(u64::from(sample.periods));
        }
    }
    all
}

/// Finds where threads were forked.
fn find_origins(matching: &Matching, lines: &[Timeline], lanes: &mut [Lane]) {
    let bounds = matching.bounds.iter();
    let begins = bounds.filter(|it| it.kind == BoundKind::Thread && it.receive.index == 0);
    for bound in begins.filter(|it| it.send.location != it.receive.location) {
        let at = bound.receive.location.index();
        if lanes[at].is_there() {
            lanes[at].origin = needs::came(lanes, lines, bound.send);
        }
    }
}

/// Counts nonblocking collective operations.
fn going_on(trace: &Trace, matching: &Matching) -> u64 {
    let is_nonblocking = |instance: &&CollectiveInstance| {
        let first = matching.members_of(instance).first();
        first.is_some_and(|it| {
            let kinds = trace.locations[it.exit.location.index()].events.kinds();
            kinds[it.exit.index as usize] == EventKind::NonBlockingCollectiveComplete
        })
    };
    matching.collectives.iter().filter(is_nonblocking).count() as u64
}

/// Counts what is known beforehand not to be in a replay.
fn left_out(
    trace: &Trace,
    matching: &Matching,
    lanes: &[Lane],
    activities: &[Activity],
) -> LeftOut {
    let unmatched = [
        matching.unmatched_sends.len(),
        matching.unmatched_receives.len(),
        matching.unmatched_collectives.len(),
    ];
    let mut found = LeftOut {
        unmatched: unmatched.iter().sum::<usize>() as u64,
        going_on: going_on(trace, matching),
        ..LeftOut::default()
    };
    for (location, lane) in trace.locations.iter().zip(lanes) {
        let events = &location.events;
        let has_events = location.is_thread() && !events.is_empty();
        found.threads += u64::from(has_events && !lane.is_there());
        found.truncated += u64::from(location.truncated.is_some());
        for (_, note) in events.notes() {
            if let mpiscope_model::Note::Polls(times) = note {
                found.polls = found.polls.saturating_add(*times);
            }
        }
        let is_lock =
            |(_, event): &&(u32, OneSidedEvent)| matches!(event, OneSidedEvent::ReleaseLock(_));
        found.locks += events.one_sided().iter().filter(is_lock).count() as u64;
        for (piece, &activity) in lane.activities.iter().enumerate() {
            let length = Duration(lane.length(piece));
            match activities[activity as usize] {
                Activity::Threads(_) => found.among_threads += length,
                Activity::Unrecorded => found.unrecorded += length,
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
