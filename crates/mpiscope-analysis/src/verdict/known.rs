//! What rules look at: the profile, and sums of it that several need.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use mpiscope_model::{Duration, EventRef, Matching, Region, RegionId, Trace};

use super::processors::{Processors, WITHOUT_PROCESSOR};
use super::{share, Certainty, Doubt, Evidence, Kind, Loss, MATTERS};
use crate::profile::{Activity, Profile, RankSum, Spread, Statement, Sum};
use crate::races::CallPlace;
use crate::root_causes::Delay;

/// A rank with this share of the costs is named alone; else those are that have so much of what the
/// first has.
const ALONE: f64 = 0.6;
const NAMED: f64 = 0.2;
/// What of the waiting must be charged to causes for a statement to be sure, or likely.
const SURE: f64 = 0.9;
pub(super) const LIKELY: f64 = 0.5;
/// Shares of what is missing, is below the clocks' resolution, or has no cause, from which on it is
/// told.
const MISSING: f64 = 0.01;
const BELOW: f64 = 0.05;
pub(super) const UNEXPLAINED: f64 = 0.1;
/// The same of time between polls, and how these are called.
const POLLING: f64 = 0.05;
const POLLS: [&str; 3] = ["MPI_TEST", "MPI_IPROBE", "MPI_IMPROBE"];

/// What the rules look at.
pub(super) struct Known<'a> {
    pub trace: &'a Trace,
    pub profile: &'a Profile,
    /// Between MPI_Init and MPI_Finalize, while recording was on.
    pub time: Duration,
    /// But for that in MPI_Init.
    pub waiting: Duration,
    /// Time in MPI that is no waiting, but for MPI_Init and MPI_Finalize.
    pub transfer: Duration,
    /// Which part of the waiting is charged to causes.
    pub explained: f64,
    /// Which part of the time was not recorded.
    unrecorded: f64,
    /// Of which part of the messages the other side is missing.
    unmatched: f64,
    /// Of which part of the collective operations members are missing.
    missing_members: f64,
    processors: Processors,
}

impl<'a> Known<'a> {
    pub fn new(trace: &'a Trace, matching: &Matching, profile: &'a Profile) -> Known<'a> {
        let counts = matching.counts();
        let missing = counts.unmatched_sends + counts.unmatched_receives;
        let messages = (counts.messages + missing).max(1);
        let unrecorded = share(
            profile.total(|it| it.unrecorded),
            profile.total(|it| it.time),
        );
        let mut known = Known {
            trace,
            profile,
            time: Duration::ZERO,
            waiting: Duration::ZERO,
            transfer: Duration::ZERO,
            explained: 0.0,
            unrecorded,
            unmatched: missing as f64 / messages as f64,
            missing_members: profile.operations.incomplete_share(),
            processors: Processors::of(trace, profile),
        };
        let total = |figure: fn(&RankSum) -> Duration| profile.total(figure);
        let recorded = total(|it| it.time) - total(|it| it.unrecorded);
        let (begins, ends) = (known.calls(Known::begins), known.calls(Known::ends));
        known.time = recorded - begins.time - begins.waiting - ends.time;
        known.waiting = total(|it| it.waiting) + total(|it| it.threads_waiting) - begins.waiting;
        known.transfer = total(|it| it.mpi) - total(|it| it.waiting) - begins.time - ends.time;
        known.explained = known.explained_share();
        known
    }

    /// Adds up some calls.
    fn calls(&self, are_these: fn(&Self, &Statement) -> bool) -> Sum {
        let mut all = Sum::default();
        for (activity, sum) in &self.profile.activities {
            if matches!(activity, Activity::Mpi(it) if are_these(self, it)) {
                all.time += sum.time;
                all.waiting += sum.waiting;
            }
        }
        all
    }

    /// Costs are those of all waiting; what is waited in MPI_Init is charged to what was before.
    fn explained_share(&self) -> f64 {
        let Some(causes) = &self.profile.causes else {
            return 0.0;
        };
        let before = (causes.waiting - self.waiting).max(Duration::ZERO);
        let rest = (causes.rest.all() - before).max(Duration::ZERO);
        match self.waiting.0 {
            ..=0 => 1.0,
            _ => 1.0 - share(rest, self.waiting).min(1.0),
        }
    }

    fn region(&self, region: Option<RegionId>) -> Option<&Region> {
        self.trace.definitions.regions.get(region?.index())
    }

    /// Returns whether the name of what a statement calls begins so, in letters of any case.
    pub fn is_named(&self, statement: &Statement, begin: &str) -> bool {
        let region = self.region(statement.place.region);
        let start = region.and_then(|it| it.name.get(..begin.len()));
        start.is_some_and(|start| start.eq_ignore_ascii_case(begin))
    }

    /// Returns whether a statement begins or ends MPI.
    pub fn is_setup(&self, statement: &Statement) -> bool {
        self.begins(statement) || self.ends(statement)
    }

    /// Returns whether a statement begins MPI; asking whether it has begun is none.
    pub fn begins(&self, statement: &Statement) -> bool {
        self.is_named(statement, "MPI_INIT") && !self.is_named(statement, "MPI_INITIALIZED")
    }

    fn ends(&self, statement: &Statement) -> bool {
        self.is_named(statement, "MPI_FINALIZE") && !self.is_named(statement, "MPI_FINALIZED")
    }

    pub fn matters(&self, lost: Duration) -> bool {
        share(lost, self.time) >= MATTERS
    }

    /// Returns what was delayed.
    pub fn activity(&self, delay: &Delay) -> Activity {
        let of = self.profile.activities.get(delay.activity as usize);
        of.map_or(Activity::Unrecorded, |(activity, _)| *activity)
    }

    pub fn rank(&self, event: EventRef) -> u32 {
        self.trace.locations[event.location.index()].rank.0
    }

    /// Returns whether an event belongs to a call of a place: of its line, whatever copy of it.
    pub fn is_at(&self, event: EventRef, place: CallPlace) -> bool {
        let other = CallPlace::of(self.trace, event);
        let line = |place: CallPlace| {
            let site = self.trace.definitions.call_sites.get(place.site?.index())?;
            Some((site.file.as_ref()?, site.line?))
        };
        let same_line = || line(other).is_some() && line(other) == line(place);
        other == place || other.region == place.region && same_line()
    }

    /// Returns a call that shows what a statement does: the first where it took longest.
    pub fn example(&self, statement: &Statement, spread: &Spread) -> Option<[EventRef; 2]> {
        let call = spread
            .first_call
            .filter(|_| statement.place.region.is_some());
        call.map(|it| [it, it])
    }

    /// Says how sure what rests on causes is.
    fn certainty(&self) -> Certainty {
        let by_causes = match self.explained {
            it if it >= SURE => Certainty::Sure,
            it if it >= LIKELY => Certainty::Likely,
            _ => Certainty::Open,
        };
        // Whoever is charged may only have waited, in what is not there.
        let missing = self.unrecorded.max(self.unmatched);
        let by_trace = match missing.max(self.missing_members) {
            _ if self.lacks_calls() || self.missing_members >= LIKELY => Certainty::Open,
            it if it >= UNEXPLAINED => Certainty::Likely,
            _ => Certainty::Sure,
        };
        by_causes.max(by_trace)
    }

    /// Returns whether calls of MPI were left out of the trace.
    fn lacks_calls(&self) -> bool {
        !self.trace.definitions.told.calls
    }

    /// Makes a loss of delays, at what costs most of them.
    pub fn of_delays(&self, kind: Kind, delays: &[&Delay]) -> Option<Loss> {
        let sum = |of: fn(&Delay) -> Duration| {
            let all = delays.iter().map(|it| of(it));
            all.fold(Duration::ZERO, |sum, it| sum + it)
        };
        let heaviest = delays.iter().max_by_key(|it| it.costs())?;
        let lost = sum(Delay::costs);
        let ranks = those_named(&costs(delays.iter().copied()));
        let (by_processors, without_processor) = self.processors.certainty(&ranks, lost);
        Some(Loss {
            kind,
            lost,
            ranks,
            victims: vec![self.rank(heaviest.longest.call)],
            activity: Some(self.activity(heaviest)),
            also: Vec::new(),
            source: None,
            certainty: self.certainty().max(by_processors),
            evidence: Evidence {
                without_processor,
                explained: self.explained,
                direct: sum(|it| it.short_term),
                indirect: sum(|it| it.long_term),
                ..Evidence::default()
            },
            events: Some([heaviest.longest.cause, heaviest.longest.call]),
        })
    }

    /// Adds up the time between two polls, in which a rank may wait for what it looks for.
    fn between_polls(&self) -> Duration {
        let polls = |it: &Statement| {
            let asks = POLLS.iter().any(|name| self.is_named(it, name));
            asks && !self.is_named(it, "MPI_TEST_CANCELLED")
        };
        let activities = self.profile.activities.iter();
        let times = activities.filter_map(|(activity, sum)| match activity {
            Activity::Between(Some(from), Some(to)) if polls(from) && polls(to) => Some(sum.time),
            _ => None,
        });
        times.fold(Duration::ZERO, |all, it| all + it)
    }

    /// Says what the trace cannot tell.
    pub fn doubts(&self) -> Vec<Doubt> {
        let profile = self.profile;
        let (unrecorded, unmatched) = (self.unrecorded, self.unmatched);
        let wrong = profile.contradicting();
        let of_ranks = &profile.waiting_of_ranks;
        let below = share(of_ranks.resolution.below, of_ranks.time);
        let unexplained = 1.0 - self.explained;
        let has_causes = profile.causes.is_some();
        let lacks_cause = has_causes && self.matters(self.waiting) && unexplained >= UNEXPLAINED;
        let polling = share(self.between_polls(), self.time);
        let whole = self.time + profile.total(|it| it.unrecorded);
        // Threads of a rank that are not in the trace may have been without one at the same time.
        let without = share(self.processors.all(), whole).min(1.0);
        let crowd = self.processors.crowd;
        let told = [
            (self.lacks_calls(), Doubt::LeftOut),
            (
                without >= WITHOUT_PROCESSOR,
                Doubt::WithoutProcessor {
                    share: without,
                    crowd,
                },
            ),
            (unrecorded >= MISSING, Doubt::Unrecorded(unrecorded)),
            (unmatched >= MISSING, Doubt::Unmatched(unmatched)),
            (
                self.missing_members >= MISSING,
                Doubt::MissingMembers(self.missing_members),
            ),
            (polling >= POLLING, Doubt::Polling(polling)),
            (wrong.is_some(), Doubt::Clocks(wrong.unwrap_or(0.0))),
            (below >= BELOW, Doubt::BelowResolution(below)),
            (!has_causes, Doubt::NoCauses),
            (lacks_cause, Doubt::Unexplained(unexplained)),
        ];
        let told = told.into_iter().filter(|it| it.0);
        told.map(|it| it.1).collect()
    }
}

/// Returns the costs of each rank, most first.
pub(super) fn costs<'a>(delays: impl Iterator<Item = &'a Delay>) -> Vec<(u32, i64)> {
    ranked(delays.map(|it| (it.rank, it.costs().0)))
}

/// Adds up by rank, most first.
pub(super) fn ranked(all: impl Iterator<Item = (u32, i64)>) -> Vec<(u32, i64)> {
    let mut sums: BTreeMap<u32, i64> = BTreeMap::new();
    for (rank, by) in all {
        let sum = sums.entry(rank).or_default();
        *sum = sum.saturating_add(by);
    }
    let mut sums: Vec<(u32, i64)> = sums.into_iter().collect();
    sums.sort_by_key(|&(rank, by)| (Reverse(by), rank));
    sums
}

/// Adds up; times of a damaged trace may be as large as any.
pub(super) fn sum(all: impl Iterator<Item = i64>) -> i64 {
    all.fold(0, i64::saturating_add)
}

/// Names the rank with most alone, if it has so much; else all with a good part.
pub(super) fn those_named(ranks: &[(u32, i64)]) -> Vec<u32> {
    let all = sum(ranks.iter().map(|it| it.1));
    let limit = match ranks.first() {
        Some(first) if first.1 as f64 >= ALONE * all as f64 => first.1,
        Some(first) => (NAMED * first.1 as f64) as i64,
        None => 0,
    };
    let named = ranks.iter().filter(|it| it.1 >= limit.max(1));
    named.map(|it| it.0).collect()
}
