//! One pass over each location, in which all figures are added up.

use std::collections::btree_map::{BTreeMap, Entry};

use mpiscope_model::{CallSiteId, Duration, EventRef, LocationIndex, RegionId, Trace};
use rustc_hash::FxHashMap;

use super::marks::{Marks, Moments, Parts, What};
use super::waits::{self, Waits};
use super::{traffic, Activity, Profile, RankSum, Statement, Sum};
use crate::critical_path::{Path, Step};
use crate::races::{first_of_lines, CallPlace};
use crate::timeline::{spans, Doing, MpiRegions, Span, Timeline};
use crate::wait_states::{Kind, WaitState};

/// Adds up what all locations did.
pub(super) fn sweep(
    trace: &Trace,
    strays: &[EventRef],
    lines: &[Timeline],
    waits: &[Vec<WaitState>],
    path: &Path,
    profile: &mut Profile,
) {
    let mut marks = vec![Marks::default(); lines.len()];
    for state in waits.iter().flatten() {
        marks[state.call.location.index()].add(What::Waits, state.begin, state.end);
        marks[state.cause.location.index()].add(What::Holds, state.begin, state.end);
    }
    for step in &path.steps {
        marks[step.location.index()].add(What::Path, step.begin, step.end);
    }
    let mut ranks: BTreeMap<u32, RankSum> = BTreeMap::new();
    let mut sums = Sums::new(trace, strays);
    let regions = MpiRegions::new(trace);
    let all = (0..).map(LocationIndex).zip(lines).zip(marks).zip(waits);
    let is_thread = |location: LocationIndex| trace.locations[location.index()].is_thread();
    for (((location, line), marks), waits) in all.filter(|(((it, _), _), _)| is_thread(*it)) {
        let mut pass = Pass::new(&mut sums, location, marks.read(), waits);
        spans(trace, &regions, location, |span| pass.span(span));
        let sum = pass.end();
        let rank = ranks.entry(rank_of(trace, location)).or_default();
        rank.time += line.end - line.begin;
        rank.mpi += sum.mpi;
        rank.waiting += sum.waiting;
        rank.unrecorded += sum.unrecorded;
    }
    sums.finish(path, profile);
    between_ranks(trace, waits, path, &mut ranks, profile);
    profile.ranks = ranks
        .into_iter()
        .map(|(rank, sum)| RankSum { rank, ..sum })
        .collect();
}

/// Adds up who waited for whom, and who is on the critical path.
fn between_ranks(
    trace: &Trace,
    waits: &[Vec<WaitState>],
    path: &Path,
    ranks: &mut BTreeMap<u32, RankSum>,
    profile: &mut Profile,
) {
    for state in waits.iter().flatten() {
        let pair = waits::ranks(trace, state);
        profile.pairs.entry(pair).or_default().add(state.duration());
        ranks.entry(pair.1).or_default().causing += state.duration();
        profile.contradictions += u64::from(state.contradicts);
    }
    for step in &path.steps {
        let rank = ranks.entry(rank_of(trace, step.location)).or_default();
        rank.path += step.end - step.begin;
    }
}

fn rank_of(trace: &Trace, location: LocationIndex) -> u32 {
    trace.locations[location.index()].rank.0
}

/// Sums by activity.
struct Sums<'a> {
    trace: &'a Trace,
    /// Receives whose bytes may be anything.
    strays: &'a [EventRef],
    first: Vec<CallSiteId>,
    numbers: FxHashMap<Activity, usize>,
    all: Vec<(Activity, Sum)>,
    /// Which activity came last, and of each which one followed it last: programs repeat
    /// themselves, so that most activities are found without a hash.
    last: usize,
    followed_by: Vec<usize>,
    waits: BTreeMap<(Statement, Kind), Waits>,
}

impl<'a> Sums<'a> {
    fn new(trace: &'a Trace, strays: &'a [EventRef]) -> Self {
        Sums {
            trace,
            strays,
            first: first_of_lines(trace),
            numbers: FxHashMap::default(),
            all: Vec::new(),
            last: 0,
            followed_by: Vec::new(),
            waits: BTreeMap::new(),
        }
    }

    fn of(&mut self, activity: Activity) -> &mut Sum {
        let guess = self.followed_by.get(self.last).copied();
        let number = match guess.filter(|&guess| self.all[guess].0 == activity) {
            Some(guess) => guess,
            None => self.look_up(activity),
        };
        self.last = number;
        &mut self.all[number].1
    }

    fn look_up(&mut self, activity: Activity) -> usize {
        let number = *self.numbers.entry(activity).or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push((activity, Sum::default()));
            self.followed_by.push(0);
        }
        self.followed_by[self.last] = number;
        number
    }

    fn add(&mut self, activity: Activity, times: u64, parts: &Parts) -> &mut Sum {
        let sum = self.of(activity);
        sum.times += times;
        sum.time += parts.time;
        sum.waiting += parts.waiting;
        sum.path += parts.path;
        sum.held += parts.held;
        sum
    }

    fn statement(
        &self,
        enter: EventRef,
        region: Option<RegionId>,
        within: Option<RegionId>,
    ) -> Statement {
        let events = &self.trace.locations[enter.location.index()].events;
        let site = events.call_site(enter.index as usize);
        let first = |site: CallSiteId| self.first.get(site.index()).copied().unwrap_or(site);
        let place = CallPlace {
            site: site.map(first),
            region,
        };
        Statement { place, within }
    }

    fn finish(mut self, path: &Path, profile: &mut Profile) {
        let length = |step: &Step| (step.end - step.begin).0;
        let length: i64 = path.steps.iter().map(length).sum();
        let told: i64 = self.all.iter().map(|(_, sum)| sum.path.0).sum();
        // Before a location's first event, and after its last.
        if length > told {
            self.of(Activity::Unrecorded).path += Duration(length - told);
        }
        profile.activities = self.all;
        profile.waits = self.waits;
    }
}

/// What a location did in all.
#[derive(Default)]
struct InAll {
    mpi: Duration,
    waiting: Duration,
    unrecorded: Duration,
}

/// The pass over one location.
struct Pass<'a, 'b> {
    sums: &'b mut Sums<'a>,
    location: LocationIndex,
    moments: Moments,
    /// Wait states that have not been passed.
    waits: std::iter::Peekable<std::slice::Iter<'b, WaitState>>,
    last_call: Option<Statement>,
    /// Work since the last call, in no region: it is named after the next call, too.
    since: Option<Parts>,
    all: InAll,
}

impl<'a, 'b> Pass<'a, 'b> {
    fn new(
        sums: &'b mut Sums<'a>,
        location: LocationIndex,
        moments: Moments,
        waits: &'b [WaitState],
    ) -> Self {
        Pass {
            sums,
            location,
            moments,
            waits: waits.iter().peekable(),
            last_call: None,
            since: None,
            all: InAll::default(),
        }
    }

    fn span(&mut self, span: Span) {
        let parts = self.moments.within(span.begin, span.end);
        match span.doing {
            Doing::Mpi(enter, leave, region) => {
                let location = self.location;
                let enter = EventRef {
                    location,
                    index: enter,
                };
                let statement = self.sums.statement(enter, region, span.within);
                self.call(statement, enter, leave, &parts);
            }
            Doing::Work => match span.within {
                Some(region) => {
                    self.sums.add(Activity::Region(region), 1, &parts);
                }
                None => self.since.get_or_insert_default().add(&parts),
            },
            Doing::Unrecorded => {
                self.work_ends(None);
                self.last_call = None;
                self.all.unrecorded += parts.time;
                self.sums.add(Activity::Unrecorded, 1, &parts);
            }
        }
    }

    fn call(&mut self, statement: Statement, enter: EventRef, leave: u32, parts: &Parts) {
        self.work_ends(Some(statement));
        self.last_call = Some(statement);
        self.all.mpi += parts.time + parts.waiting;
        self.all.waiting += parts.waiting;
        let (sent, received) = traffic::of_call(self.sums.trace, self.sums.strays, enter, leave);
        let activity = Activity::Mpi(statement);
        let sum = self.sums.add(activity, 1, parts);
        sum.sent = sum.sent.saturating_add(sent);
        sum.received = sum.received.saturating_add(received);
        if let Some(state) = self.waits.next_if(|state| state.call == enter) {
            let waits = match self.sums.waits.entry((statement, state.kind)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(Waits::new(state)),
            };
            waits.add(self.sums.trace, state);
        }
    }

    fn work_ends(&mut self, next: Option<Statement>) {
        if let Some(parts) = self.since.take() {
            self.sums
                .add(Activity::Between(self.last_call, next), 1, &parts);
        }
    }

    fn end(mut self) -> InAll {
        self.work_ends(None);
        self.all
    }
}
