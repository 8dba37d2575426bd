//! One pass over each location, in which all figures are added up.

use std::collections::btree_map::{BTreeMap, Entry};
use std::hash::Hash;
use std::iter::{Peekable, Zip};
use std::slice::Iter;

use mpiscope_model::{CallSiteId, Duration, EventKind, EventRef, LocationIndex, RegionId, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::all::All;
use super::marks::{Marks, Moments, Parts, What};
use super::waits::{self, Count, Waits};
use super::{traffic, Activity, Known, Profile, Statement, Sum};
use crate::clock_errors::{ClockErrors, Open};
use crate::critical_path::Path;
use crate::paths::CallPaths;
use crate::races::{first_of_lines, CallPlace};
use crate::root_causes::{Activities, Recorder};
use crate::sharers::Sharers;
use crate::timeline::{spans_with_paths, Doing, Regions, Span, Timeline};
use crate::wait_states::{Kind, WaitState};

/// Adds up what all locations did: each by itself, then all of them in their order, so that it
/// does not matter which thread looks at which. Returns when each did what, if that is wanted.
///
/// Of processes that share the trace each does so with its own locations, where `own` is what of
/// the path is there; the first then has the profile.
pub(super) fn sweep(
    known: &Known,
    strays: &[EventRef],
    [own, path]: [&Path; 2],
    with_times: bool,
    profile: &mut Profile,
) -> Vec<Numbered> {
    let &Known {
        trace,
        lines,
        waits,
        errors,
        sharers,
        ..
    } = known;
    let look = Look {
        with_times,
        trace,
        errors,
        strays,
        first: &first_of_lines(trace),
        regions: &Regions::new(trace),
    };
    let marks = marks(lines.len(), waits, own, sharers);
    let locations = marks.into_par_iter().zip(lines).zip(waits).enumerate();
    let parts: Vec<Option<OfLocation>> = locations
        .map(|(at, ((marks, line), waits))| {
            let location = &trace.locations[at];
            let is_here = location.is_thread() && location.elsewhere == 0;
            is_here.then(|| look.at(LocationIndex(at as u32), line, marks, waits))
        })
        .collect();
    let mut all = All::default();
    let mut done = Vec::with_capacity(lines.len());
    for (at, (part, line)) in parts.into_iter().zip(lines).enumerate() {
        let Some(mut part) = part else {
            done.push(Numbered::default());
            continue;
        };
        let rank = trace.locations[at].rank.0;
        all.rank(rank).time += line.end - line.begin;
        let numbers = all.add(LocationIndex(at as u32), rank, &mut part);
        let reached = part.reached.all.into_iter();
        let reached = reached.map(|(activity, path)| (numbers[activity as usize], path));
        done.push(Numbered {
            activities: part.activities,
            reached: reached.collect(),
            paths: part.paths,
        });
    }
    for step in &own.steps {
        let rank = trace.locations[step.location.index()].rank.0;
        all.rank(rank).path += step.end - step.begin;
    }
    if let Some(sharers) = sharers {
        all = all.gathered(sharers);
    }
    all.finish(path, errors, profile);
    done
}

/// What a location did when.
#[derive(Default)]
pub(super) struct Numbered {
    pub activities: Activities,
    /// What its numbers are: of all activities which, and by which of its paths it was reached.
    pub reached: Vec<(u32, u32)>,
    pub paths: CallPaths,
}

/// Marks at each location when it waits, is waited for, and is on the critical path.
fn marks(
    locations: usize,
    waits: &[Vec<WaitState>],
    path: &Path,
    sharers: Option<Sharers>,
) -> Vec<Marks> {
    let mut marks = vec![Marks::default(); locations];
    for state in waits.iter().flatten() {
        marks[state.call.location.index()].add(What::Waits, state.begin, state.end);
        marks[state.cause.location.index()].add(What::Holds, state.begin, state.end);
    }
    for step in &path.steps {
        marks[step.location.index()].add(What::Path, step.begin, step.end);
    }
    if let Some(sharers) = sharers {
        let states = waits.iter().flatten();
        let elsewhere = states.filter(|it| !sharers.is_here(it.cause));
        let told = elsewhere.map(|it| {
            let location = it.cause.location;
            (location, (location, it.begin, it.end))
        });
        for (location, begin, end) in sharers.tell(told).concat() {
            marks[location.index()].add(What::Holds, begin, end);
        }
    }
    marks
}

/// What is known of the trace while its locations are looked at.
struct Look<'a> {
    with_times: bool,
    trace: &'a Trace,
    errors: &'a ClockErrors,
    /// Receives whose bytes may be anything.
    strays: &'a [EventRef],
    first: &'a [CallSiteId],
    regions: &'a Regions,
}

/// What is known of a location.
pub(super) struct OfLocation {
    pub sums: Sums,
    pub all: InAll,
    /// How long it waited for each rank.
    pub causes: BTreeMap<u32, Count>,
    pub contradictions: u64,
    activities: Activities,
    /// What the numbers of these are: an activity and a path.
    reached: Numbers<(u32, u32)>,
    paths: CallPaths,
}

impl Look<'_> {
    fn at(
        &self,
        location: LocationIndex,
        line: &Timeline,
        marks: Marks,
        waits: &[WaitState],
    ) -> OfLocation {
        let open: Vec<Option<Open>> = waits.iter().map(|it| self.open(line, it)).collect();
        let mut pass = Pass {
            look: self,
            sums: Sums::default(),
            location,
            moments: marks.read(),
            waits: waits.iter().zip(&open).peekable(),
            last_call: None,
            since: None,
            all: InAll::default(),
            recorder: Recorder::new(waits, self.with_times),
            reached: Numbers::default(),
        };
        let events = &self.trace.locations[location.index()].events;
        let mut paths = CallPaths::default();
        let wanted = self.with_times.then_some(&mut paths);
        spans_with_paths(events, self.regions, &line.times, wanted, |span| {
            pass.span(span);
        });
        pass.work_ends(None);
        let (sums, all, activities) = (pass.sums, pass.all, pass.recorder.finish());
        let reached = pass.reached;
        let mut causes: BTreeMap<u32, Count> = BTreeMap::new();
        let of_ranks = waits.iter().zip(open);
        for (state, open) in of_ranks.filter(|it| !it.0.kind.is_among_threads()) {
            let (_, cause) = waits::ranks(self.trace, state);
            let cause = causes.entry(cause).or_default();
            cause.add(state.duration(), open);
        }
        OfLocation {
            sums,
            all,
            causes,
            contradictions: waits.iter().filter(|state| state.contradicts).count() as u64,
            activities,
            reached,
            paths,
        }
    }

    fn statement(
        &self,
        enter: EventRef,
        region: Option<RegionId>,
        within: Option<RegionId>,
    ) -> Statement {
        statement(self.trace, self.first, enter, region, within)
    }

    /// Returns what clocks leave open of a wait state.
    fn open(&self, line: &Timeline, state: &WaitState) -> Option<Open> {
        let end = || line.around(state.call.index).map(|call| call.end);
        self.errors.of_wait_in(state, end)
    }

    /// Returns what a thread enters where it begins in a team; nothing if that is not told.
    fn next_entered(&self, location: LocationIndex, begin: u32) -> Statement {
        let events = &self.trace.locations[location.index()].events;
        let index = begin + 1;
        match events.kinds().get(index as usize) {
            Some(EventKind::Enter) => {
                let region = RegionId(events.args()[index as usize]);
                self.statement(EventRef { location, index }, Some(region), None)
            }
            _ => Statement::default(),
        }
    }
}

/// Returns the statement that entered a region; `first` are the first call sites of lines.
pub(super) fn statement(
    trace: &Trace,
    first: &[CallSiteId],
    enter: EventRef,
    region: Option<RegionId>,
    within: Option<RegionId>,
) -> Statement {
    let events = &trace.locations[enter.location.index()].events;
    let site = events.call_site(enter.index as usize);
    let first = |site: CallSiteId| first.get(site.index()).copied().unwrap_or(site);
    let place = CallPlace {
        site: site.map(first),
        region,
    };
    Statement { place, within }
}

/// Numbers things as they come. Programs repeat themselves: of each is known which one followed it
/// last, so that most are found without a hash.
pub(super) struct Numbers<T> {
    pub all: Vec<T>,
    numbers: FxHashMap<T, u32>,
    last: u32,
    followed_by: Vec<u32>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Numbers<T> {
        Numbers {
            all: Vec::new(),
            numbers: FxHashMap::default(),
            last: 0,
            followed_by: Vec::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Numbers<T> {
    /// Returns the number of a thing, a new one if it has none.
    pub fn of(&mut self, thing: T) -> u32 {
        let guess = self.followed_by.get(self.last as usize).copied();
        self.last = match guess.filter(|&guess| self.all[guess as usize] == thing) {
            Some(guess) => guess,
            None => self.look_up(thing),
        };
        self.last
    }

    fn look_up(&mut self, thing: T) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry(thing).or_insert(next);
        if number == next {
            self.all.push(thing);
            self.followed_by.push(0);
        }
        self.followed_by[self.last as usize] = number;
        number
    }
}

/// Sums by activity.
#[derive(Default)]
pub(super) struct Sums {
    pub activities: Numbers<Activity>,
    pub all: Vec<Sum>,
    /// Of each that is a call the first one.
    pub first_calls: Vec<Option<u32>>,
    pub waits: BTreeMap<(Statement, Kind), Waits>,
}

impl Sums {
    fn of(&mut self, activity: Activity) -> &mut Sum {
        let number = self.activities.of(activity) as usize;
        if number == self.all.len() {
            self.all.push(Sum::default());
            self.first_calls.push(None);
        }
        &mut self.all[number]
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

    /// Adds a wait state, which can be wrong by so much.
    fn waited(&mut self, look: &Look, statement: Statement, state: &WaitState, open: Option<Open>) {
        let waits = match self.waits.entry((statement, state.kind)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Waits::new(state)),
        };
        waits.add(look.trace, look.errors, state, open);
    }
}

/// What a location did in all.
#[derive(Default)]
pub(super) struct InAll {
    pub mpi: Duration,
    pub waiting: Duration,
    pub threads: Duration,
    pub threads_waiting: Duration,
    pub unrecorded: Duration,
}

/// The pass over one location.
struct Pass<'a> {
    look: &'a Look<'a>,
    sums: Sums,
    location: LocationIndex,
    moments: Moments,
    /// Wait states that have not been passed, and by how much each can be wrong.
    waits: Peekable<Zip<Iter<'a, WaitState>, Iter<'a, Option<Open>>>>,
    last_call: Option<Statement>,
    /// Work since the last call, in no region: it is named after the next call, too.
    since: Option<Parts>,
    all: InAll,
    recorder: Recorder<'a>,
    /// What the recorder's numbers are.
    reached: Numbers<(u32, u32)>,
}

impl Pass<'_> {
    fn span(&mut self, span: Span) {
        let parts = self.moments.within(span.begin, span.end);
        match span.doing {
            Doing::Mpi(enter, leave, region) => {
                let location = self.location;
                let enter = EventRef {
                    location,
                    index: enter,
                };
                let statement = self.look.statement(enter, region, span.within);
                self.call(statement, enter, leave, &parts);
            }
            Doing::Threads(enter, region) => {
                let entered = EventRef {
                    location: self.location,
                    index: enter,
                };
                let statement = self.look.statement(entered, Some(region), span.within);
                self.among_threads(statement, u64::from(span.first == enter), &span, &parts);
            }
            Doing::Idle => {
                let statement = self.look.next_entered(self.location, span.last);
                self.among_threads(statement, 1, &span, &parts);
            }
            Doing::Work => match span.within {
                Some(region) => {
                    self.sums.add(Activity::Region(region), 1, &parts);
                }
                None => {
                    self.recorder.add_unnamed(span.begin, span.end);
                    return self.since.get_or_insert_default().add(&parts);
                }
            },
            Doing::Unrecorded => {
                self.work_ends(None);
                self.last_call = None;
                self.all.unrecorded += parts.time;
                self.sums.add(Activity::Unrecorded, 1, &parts);
            }
        }
        let number = self.number(span.path);
        self.recorder.add(span.begin, span.end, number);
    }

    /// Returns the recorder's number of the last activity, reached by a path.
    fn number(&mut self, path: u32) -> u32 {
        match self.look.with_times {
            true => self.reached.of((self.sums.activities.last, path)),
            false => 0,
        }
    }

    fn call(&mut self, statement: Statement, enter: EventRef, leave: u32, parts: &Parts) {
        self.work_ends(Some(statement));
        self.last_call = Some(statement);
        self.all.mpi += parts.time + parts.waiting;
        self.all.waiting += parts.waiting;
        let (sent, received) = traffic::of_call(self.look.trace, self.look.strays, enter, leave);
        let activity = Activity::Mpi(statement);
        let events = &self.look.trace.locations[enter.location.index()].events;
        let times = events.polls(enter.index as usize).unwrap_or(1);
        let sum = self.sums.add(activity, times, parts);
        sum.sent = sum.sent.saturating_add(sent);
        sum.received = sum.received.saturating_add(received);
        let first_call = &mut self.sums.first_calls[self.sums.activities.last as usize];
        first_call.get_or_insert(enter.index);
        if let Some((state, open)) = self.waits.next_if(|it| it.0.call == enter) {
            self.sums.waited(self.look, statement, state, *open);
        }
    }

    /// Adds a stretch in which threads waited for each other, of so many calls.
    fn among_threads(&mut self, statement: Statement, calls: u64, span: &Span, parts: &Parts) {
        self.all.threads += parts.time + parts.waiting;
        self.all.threads_waiting += parts.waiting;
        self.sums.add(Activity::Threads(statement), calls, parts);
        let events = span.first..span.last;
        while let Some((state, open)) = (self.waits).next_if(|it| events.contains(&it.0.call.index))
        {
            self.sums.waited(self.look, statement, state, *open);
        }
    }

    fn work_ends(&mut self, next: Option<Statement>) {
        if let Some(parts) = self.since.take() {
            self.sums
                .add(Activity::Between(self.last_call, next), 1, &parts);
            let number = self.number(CallPaths::OUTSIDE);
            self.recorder.name(number);
        }
    }
}
