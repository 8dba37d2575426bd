//! Where the time of a run went: by statement, by rank, by who waited for whom,
//! and which of it lies on the critical path.
//!
//! ```
//! use mpiscope_analysis::profile::Profile;
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 0 enter(MPI_Recv) 52 recv<1 60 leave(MPI_Recv)
//!     1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)
//! ")?;
//! let profile = Profile::of(&trace, &trace.matching());
//! assert_eq!(profile.waiting().0, 50);
//! assert_eq!(profile.pairs[&(0, 1)].time.0, 50);
//! assert_eq!((profile.ranks[0].path.0, profile.ranks[1].path.0), (10, 50));
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod all;
mod growth;
mod marks;
pub(crate) mod stretches;
mod sweep;
mod told;
pub(crate) mod traffic;
mod waits;

use std::collections::BTreeMap;

use mpiscope_model::{
    CallSiteId, CollectiveOp, Duration, EventRef, Matching, Processes, RegionId, Timestamp, Trace,
};
use rayon::prelude::*;

use crate::clock_errors::{ClockErrors, Resolution};
use crate::critical_path::{gathered, through, Path};
use crate::efficiency::{IdealNetwork, Phase, Seen, Within};
use crate::iterations::{Iterations, Lengths, NoIterations};
use crate::races::CallPlace;
use crate::root_causes::{self, Activities, Group, Reached, RootCauses};
use crate::sharers::Sharers;
use crate::timeline::Timeline;
use crate::wait_states::completion::Completion;
use crate::wait_states::late_complete;
use crate::wait_states::late_progress::{self, LateProgress};
use crate::wait_states::requests::OtherSides;
use crate::wait_states::wrong_order::{self, WrongOrder};
use crate::wait_states::{elsewhere, find_among, timelines, timelines_by, Kind, Times, WaitState};

pub use growth::Growth;
pub use traffic::Sent;
pub use waits::{Count, Waits};

/// A statement of the program that calls MPI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Statement {
    /// Which call, and where it stands.
    pub place: CallPlace,
    /// The innermost region of the program around it, if such were recorded.
    pub within: Option<RegionId>,
}

/// What a rank did for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// It was in MPI.
    Mpi(Statement),
    /// Its threads waited for each other, or were idle until they entered this.
    Threads(Statement),
    /// It worked in a region of the program.
    Region(RegionId),
    /// It worked between two calls of MPI: after the first or from its begin,
    /// before the second or to its end.
    Between(Option<Statement>, Option<Statement>),
    /// Recording was off, or had not begun, or had ended.
    Unrecorded,
}

/// What is known of an activity, summed over all ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Calls, each of polls that are told together; of work how many stretches of it.
    pub times: u64,
    /// Time without waiting.
    pub time: Duration,
    /// Time waiting.
    pub waiting: Duration,
    /// What of it lies on the critical path.
    pub path: Duration,
    /// How long others waited for a rank while it did this, summed over them.
    pub held: Duration,
    /// Bytes sent.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
}

impl Sum {
    fn merge(&mut self, other: &Sum) {
        self.times += other.times;
        self.time += other.time;
        self.waiting += other.waiting;
        self.path += other.path;
        self.held += other.held;
        self.sent = self.sent.saturating_add(other.sent);
        self.received = self.received.saturating_add(other.received);
    }
}

/// How an activity is spread over locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// Locations that did it.
    pub locations: u32,
    /// The most time, without waiting, of one of them.
    pub most: Duration,
    /// Its world rank.
    pub rank: u32,
    /// Of a call the first one there.
    pub first_call: Option<EventRef>,
}

/// What is known of a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankSum {
    /// World rank.
    pub rank: u32,
    /// From the first to the last event of each of its threads.
    pub time: Duration,
    /// Of that time in MPI, waiting included.
    pub mpi: Duration,
    /// Of that waiting.
    pub waiting: Duration,
    /// What clocks leave open of that.
    pub resolution: Resolution,
    /// In what its threads wait for each other, or idle.
    pub threads: Duration,
    /// Of that waiting.
    pub threads_waiting: Duration,
    /// Time in which recording was off.
    pub unrecorded: Duration,
    /// How long other ranks waited for it.
    pub causing: Duration,
    /// How much of the critical path it is on.
    pub path: Duration,
}

impl RankSum {
    /// Adds what others know of the rank.
    fn merge(&mut self, other: &RankSum) {
        self.time += other.time;
        self.mpi += other.mpi;
        self.waiting += other.waiting;
        self.resolution.merge(&other.resolution);
        self.threads += other.threads;
        self.threads_waiting += other.threads_waiting;
        self.unrecorded += other.unrecorded;
        self.causing += other.causing;
        self.path += other.path;
    }
}

/// Where the time of a run went.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// The first event.
    pub begin: Timestamp,
    /// The last event.
    pub end: Timestamp,
    /// What was done, in no order that means something.
    pub activities: Vec<(Activity, Sum)>,
    /// How each activity is spread, in their order.
    pub spreads: Vec<Spread>,
    /// Wait states by statement and kind.
    pub waits: BTreeMap<(Statement, Kind), Waits>,
    /// All of them but those among threads.
    pub waiting_of_ranks: Count,
    /// What clocks leave open of those that are not in MPI_Init.
    pub resolution_since_init: Resolution,
    /// By kind.
    pub waiting_of_kinds: BTreeMap<Kind, Count>,
    /// Wait states by waiting rank and the rank waited for; those among threads are in none.
    pub pairs: BTreeMap<(u32, u32), Count>,
    /// By rank, ascending.
    pub ranks: Vec<RankSum>,
    /// What they did between MPI_Init and MPI_Finalize, of which efficiencies are made.
    pub within: Within,
    /// The same of phases of iterations.
    pub phases: Vec<Phase>,
    /// Who sent how much to whom.
    pub messages: Vec<Sent>,
    /// The critical path.
    pub path: Path,
    /// Wait states in which the call ended before the other one came, by the clocks.
    pub contradictions: u64,
    /// Waits for late senders and receivers while the other side of another message was there.
    pub wrong_order: Vec<WrongOrder>,
    /// What of early waits late completes of epochs took.
    pub late_complete: Times,
    /// How long calls lasted until a rank at the other side of a message came to MPI again, by the
    /// place of the call; not looked for where time in MPI that is no waiting is next to nothing.
    pub late_progress: BTreeMap<CallPlace, LateProgress>,
    /// How long ranks stayed in barriers and the like after the first had left.
    pub completion: Completion,
    /// Collective operations that ranks meet in.
    pub operations: Operations,
    /// What caused the waiting; nothing if it was not asked for.
    pub causes: Option<RootCauses>,
    /// Where the program repeats itself, and how long that takes; or why it does not.
    pub iterations: Option<Result<(Iterations, Lengths), NoIterations>>,
    /// Iterations take longer and longer.
    pub growth: Option<Growth>,
}

/// How many collective operations there are in which ranks meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// All of them.
    pub all: u64,
    /// Those of which members are missing.
    pub incomplete: u64,
}

impl Operations {
    /// Counts them; of processes that share the trace the first gets all.
    fn of(matching: &Matching, sharers: Option<Sharers>) -> Operations {
        let is_here = |number: usize| match (sharers, matching.homes.get(number)) {
            (Some(sharers), Some(home)) => sharers.is_home(home),
            _ => true,
        };
        let operations = matching.collectives.iter().enumerate();
        let those = operations.filter(|(number, it)| {
            let is_of_ranks = it.op != CollectiveOp::ThreadBarrier;
            is_of_ranks && matching.assumptions.hold(it.op) && is_here(*number)
        });
        let (mut all, mut incomplete) = (0, 0);
        for (_, it) in those {
            all += 1;
            incomplete += u64::from(!it.complete);
        }
        if let Some(sharers) = sharers {
            let told = sharers.gather(vec![(all, incomplete)]);
            (all, incomplete) = (told.iter()).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        }
        Operations { all, incomplete }
    }

    /// Returns of which part of them members are missing.
    pub fn incomplete_share(&self) -> f64 {
        self.incomplete as f64 / self.all.max(1) as f64
    }
}

/// What a profile is to have.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// What caused the waiting.
    pub causes: bool,
    /// By how much clocks can be wrong.
    pub errors: ClockErrors,
    /// The same run by the same clock, as it can be replayed, where its time on an ideal network is
    /// wanted.
    pub replay: Option<&'a dyn IdealNetwork>,
}

impl Default for Asked<'_> {
    fn default() -> Self {
        Asked {
            causes: true,
            errors: ClockErrors::default(),
            replay: None,
        }
    }
}

impl Asked<'_> {
    /// Asks for what takes less time: all but what caused the waiting.
    pub fn without_causes() -> Self {
        Asked {
            causes: false,
            ..Asked::default()
        }
    }
}

impl Profile {
    /// Reads a whole trace.
    pub fn of(trace: &Trace, matching: &Matching) -> Profile {
        Profile::asked(trace, matching, &Asked::default())
    }

    /// Does the same in less time, without what caused the waiting.
    pub fn without_causes(trace: &Trace, matching: &Matching) -> Profile {
        Profile::asked(trace, matching, &Asked::without_causes())
    }

    /// Reads a trace by another clock, which told these times of its events; returns the wait states
    /// of each location, too.
    pub fn by(
        trace: &Trace,
        matching: &Matching,
        times: &[&[Timestamp]],
        asked: &Asked,
    ) -> (Profile, Vec<Vec<WaitState>>) {
        Profile::among(
            trace,
            matching,
            &mut timelines_by(trace, times),
            asked,
            None,
        )
    }

    /// Reads what is asked for from a whole trace.
    pub fn asked(trace: &Trace, matching: &Matching, asked: &Asked) -> Profile {
        Profile::among(trace, matching, &mut timelines(trace), asked, None).0
    }

    /// Does the same as one of several processes that share the trace's events, each with what it
    /// knows of its own ([`Trace::matching_among`]). The first gets the profile; those of the others
    /// have no sums. The trace learns where the events of others were called that the profile names.
    /// What caused the waiting, and how long a run takes on an ideal network, is not found so.
    pub fn together(
        trace: &mut Trace,
        matching: &Matching,
        errors: ClockErrors,
        processes: &dyn Processes,
    ) -> Profile {
        let asked = Asked {
            errors,
            ..Asked::without_causes()
        };
        let sharers = Sharers::of(trace, Some(processes));
        let (profile, _) = Profile::among(trace, matching, &mut timelines(trace), &asked, sharers);
        if let Some(sharers) = sharers {
            trace.places = places(trace, sharers, profile.named());
        }
        profile
    }

    /// Returns the events that a report may name.
    fn named(&self) -> Vec<EventRef> {
        let waits = self.waits.values();
        let waits = waits.flat_map(|it| [it.longest.call, it.longest.cause]);
        let progress = self.late_progress.values().flat_map(|it| it.longest);
        let growth = self.growth.iter().flat_map(|it| it.places);
        let first_calls = self.spreads.iter().filter_map(|it| it.first_call);
        let mut wrong: BTreeMap<CallPlace, &WrongOrder> = BTreeMap::new();
        for it in self.wrong_order.iter().filter(|it| it.is_of_receive()) {
            let most = wrong.entry(it.place).or_insert(it);
            if it.saved > most.saved {
                *most = it;
            }
        }
        let wrong = wrong.values();
        let wrong = wrong.flat_map(|it| [it.wait.call, it.other.send, it.other.receive]);
        let all = waits.chain(progress).chain(growth).chain(first_calls);
        all.chain(wrong).collect()
    }

    /// Returns which share of the waits contradicts the clocks, if it is so much that times tell
    /// little: a twentieth.
    pub fn contradicting(&self) -> Option<f64> {
        const TOLD: f64 = 0.05;
        let waits: u64 = self.waits.values().map(|it| it.all.times).sum();
        let share = self.contradictions as f64 / waits.max(1) as f64;
        (share >= TOLD).then_some(share)
    }

    pub(crate) fn among(
        trace: &Trace,
        matching: &Matching,
        lines: &mut [Timeline],
        asked: &Asked,
        sharers: Option<Sharers>,
    ) -> (Profile, Vec<Vec<WaitState>>) {
        let mut other_sides = OtherSides::new(trace);
        if let Some(sharers) = sharers {
            elsewhere::tell(sharers, matching, lines, &mut other_sides);
        }
        let (waits, completion) = find_among(trace, matching, lines, &other_sides, sharers);
        let own = through(trace, matching, lines, &waits, sharers);
        let path = match sharers {
            Some(sharers) => &gathered(&own, sharers),
            None => &own,
        };
        let mut profile = Profile {
            begin: path.steps.first().map_or(Timestamp(0), |step| step.begin),
            end: path.steps.last().map_or(Timestamp(0), |step| step.end),
            messages: traffic::sent(trace, matching, sharers),
            wrong_order: wrong_order::find(trace, matching, lines, &other_sides, &waits, sharers),
            late_complete: late_complete::find(trace, lines, &waits),
            completion: completion.of_all(sharers),
            operations: Operations::of(matching, sharers),
            ..Profile::default()
        };
        let strays = traffic::strays(trace, matching, sharers);
        let known = Known {
            trace,
            matching,
            lines,
            waits: &waits,
            errors: &asked.errors,
            sharers,
        };
        let done = sweep::sweep(&known, &strays, [&own, path], asked.causes, &mut profile);
        profile.causes = asked.causes.then(|| profile.causes(&known, done));
        profile.look_at_iterations(&known);
        let seen = Seen {
            trace,
            lines,
            waits: &waits,
            ranks: profile.ranks.len(),
            replay: asked.replay,
            sharers,
        };
        profile.look_within(&seen);
        if as_first(sharers, profile.transfer_matters()) {
            if let Some(sharers) = sharers {
                elsewhere::tell_ends(sharers, matching, lines, &mut other_sides);
            }
            profile.late_progress =
                late_progress::find(trace, matching, lines, &other_sides, &waits, sharers);
        }
        profile.path = path.clone();
        (profile, waits)
    }

    /// Finds iterations, and whether they grow.
    fn look_at_iterations(&mut self, known: &Known) {
        let &Known {
            trace,
            matching,
            lines,
            waits,
            sharers,
            ..
        } = known;
        let found = Iterations::among(trace, matching, lines, sharers);
        let found = found.map(|own| {
            let lengths = own.measure_among(trace, lines, waits, sharers);
            let all = match sharers {
                Some(sharers) => own.gathered(sharers),
                None => own.clone(),
            };
            self.growth = growth::find(known, &own, (&all, &lengths));
            (all, lengths)
        });
        self.iterations = Some(found);
    }

    /// Adds up what ranks did between MPI_Init and MPI_Finalize, and in phases.
    fn look_within(&mut self, seen: &Seen) {
        let is_first = seen.sharers.is_none_or(|it| it.is_first());
        let lengths = match &self.iterations {
            Some(Ok((_, lengths))) if is_first => Some(lengths),
            _ => None,
        };
        let phases = lengths.map_or_else(Vec::new, Lengths::phases);
        let of_phases = lengths.into_iter().flat_map(|lengths| {
            let phases = phases.iter();
            phases.map(|(_, iterations)| lengths.window(iterations))
        });
        let whole = seen.whole([self.begin, self.end]);
        let windows: Vec<_> = [whole].into_iter().chain(of_phases).collect();
        let mut found = seen.within(windows).into_iter();
        self.within = found.next().unwrap_or_default();
        let phase = |((kind, iterations), within)| Phase {
            kind,
            iterations,
            within,
        };
        self.phases = phases.into_iter().zip(found).map(phase).collect();
    }

    /// Finds what caused the waiting, of what each location did.
    fn causes(&self, known: &Known, done: Vec<sweep::Numbered>) -> RootCauses {
        let group = |activity: u32| match self.activities[activity as usize].0 {
            Activity::Between(..) => Group::COMPUTATION,
            Activity::Unrecorded => Group::UNRECORDED,
            _ => Group::itself(activity),
        };
        let mut all = Reached::default();
        let merged = done.iter();
        let merged = merged.map(|it| all.merge(&it.reached, &it.paths, group));
        let numbers: Vec<Vec<u32>> = merged.collect();
        let both = done.into_par_iter().zip(numbers);
        let activities = both.map(|(of_location, numbers)| {
            let mut activities = of_location.activities;
            activities.number(numbers);
            activities
        });
        let activities: Vec<Activities> = activities.collect();
        root_causes::find(&root_causes::Known {
            trace: known.trace,
            matching: known.matching,
            lines: known.lines,
            waits: known.waits,
            activities: &activities,
            reached: all,
            begin: self.begin,
        })
    }

    /// Returns how long the run took.
    pub fn length(&self) -> Duration {
        self.end - self.begin
    }

    /// Returns how long all ranks waited for others.
    pub fn waiting(&self) -> Duration {
        self.total(|rank| rank.waiting)
    }

    /// Returns whether so much time in MPI is no waiting that some of it may matter.
    fn transfer_matters(&self) -> bool {
        let transfer = self.total(|it| it.mpi) - self.waiting();
        transfer.0 as f64 >= late_progress::MATTERS * self.total(|it| it.time).0 as f64
    }

    /// Returns the sum of one figure of all ranks.
    pub fn total(&self, figure: impl Fn(&RankSum) -> Duration) -> Duration {
        let sum = |sum: Duration, rank: &RankSum| sum + figure(rank);
        self.ranks.iter().fold(Duration::ZERO, sum)
    }

    /// Returns by how much an activity's part of the critical path exceeds
    /// what each rank would have of it if all had the same: what a perfect
    /// balance would save at most (Böhme et al. 2012).
    pub fn imbalance(&self, sum: &Sum) -> Duration {
        let ranks = self.ranks.len().max(1) as i64;
        let excess = sum.path - Duration(sum.time.0 / ranks);
        excess.max(Duration::ZERO)
    }
}

/// What wait states were found in.
struct Known<'a> {
    trace: &'a Trace,
    matching: &'a Matching,
    lines: &'a [Timeline<'a>],
    waits: &'a [Vec<WaitState>],
    errors: &'a ClockErrors,
    /// Those that share the trace, if all of its events are not here.
    sharers: Option<Sharers<'a>>,
}

/// Returns what was called, and where, by event, of those that the first names and others have.
fn places(trace: &Trace, sharers: Sharers, named: Vec<EventRef>) -> Places {
    let mut named = sharers.as_first(named);
    named.sort_unstable();
    named.dedup();
    let here = named.into_iter().filter(|event| sharers.is_here(*event));
    let told = here.map(|event| {
        let place = CallPlace::of(trace, event);
        (event, (place.region, place.site))
    });
    let told = sharers.gather(told.collect()).into_iter();
    told.filter(|(event, _)| !sharers.is_here(*event)).collect()
}

type Places = BTreeMap<EventRef, (Option<RegionId>, Option<CallSiteId>)>;

/// Returns what the first of those that share a trace has come to, if there are several.
fn as_first(sharers: Option<Sharers>, mine: bool) -> bool {
    match sharers {
        Some(sharers) => sharers.as_first(vec![mine]) == [true],
        None => mine,
    }
}

#[cfg(test)]
mod tests;
