//! What a location did, as a row of spans without gaps: calls of MPI, and what
//! lay between them.
//!
//! A call lasts from the entry into a region of MPI to its exit, whatever is
//! entered and left within; a collective operation that stands in no region is
//! a call, too. A region in which a thread waits for others of its process (a
//! barrier of its team, a lock) lasts while nothing is entered within: a task that is
//! worked on meanwhile is work. Time that goes backwards, as in archives whose clocks were
//! never corrected, stands still here until it has caught up.

use std::borrow::Cow;

use mpiscope_model::events::ThreadEvent;
use mpiscope_model::plain;
use mpiscope_model::{
    EventKind, Events, LocationIndex, Paradigm, Region, RegionId, RegionRole, Timestamp, Trace,
};

use crate::by_event::ByEvent;
use crate::paths::CallPaths;

/// A stretch of time at one location, in which it did one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The numbers of the events with which it begins and ends.
    pub first: u32,
    pub last: u32,
    pub begin: Timestamp,
    pub end: Timestamp,
    pub doing: Doing,
    /// The innermost region of the program around it, if such were recorded.
    pub within: Option<RegionId>,
    /// The number of the path to that, if paths are wanted.
    pub path: u32,
}

/// What a location is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// A call of MPI: the numbers of its first and its last event, and its
    /// region, if it has one.
    Mpi(u32, u32, Option<RegionId>),
    /// It is in a region in which threads wait for each other: the number of the
    /// event that entered it, and the region.
    Threads(u32, RegionId),
    /// It is a thread between two teams.
    Idle,
    /// The program's own work.
    Work,
    /// Nobody knows: recording was off.
    Unrecorded,
}

/// One call of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// Number of its first event.
    pub enter: u32,
    /// Number of its last event.
    pub leave: u32,
    pub begin: Timestamp,
    pub end: Timestamp,
}

plain! { Call { enter, leave, begin, end } }

/// The calls of MPI at one location, and when it began and ended.
///
/// A bit for each event that begins a call and one for each that ends one:
/// messages lead to events in any order, and a list of calls would have to be
/// searched for each, and fill as much memory as the trace's own columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline<'a> {
    /// The times of the events as a clock told them.
    pub recorded: &'a [Timestamp],
    /// The same, standing still where they would go backwards.
    pub times: Cow<'a, [Timestamp]>,
    pub begin: Timestamp,
    pub end: Timestamp,
    enters: Bits,
    leaves: Bits,
    /// What another process has told of it, that has its events.
    told: Told,
}

/// What is known of a location whose events another process has: of some of them.
#[derive(Clone, Debug, Default)]
struct Told {
    /// Of events when their rank came.
    came: ByEvent<Timestamp>,
    /// The calls around some; ascending.
    calls: Vec<Call>,
}

impl<'a> Timeline<'a> {
    /// Reads the calls of a location; of one that is no thread there are none,
    /// and its time is nobody's.
    pub fn new(trace: &'a Trace, regions: &Regions, location: LocationIndex) -> Timeline<'a> {
        let times = trace.locations[location.index()].events.times();
        Timeline::by(trace, times, regions, location)
    }

    /// Does the same by another clock, which told these times of its events.
    pub fn by(
        trace: &Trace,
        recorded: &'a [Timestamp],
        regions: &Regions,
        location: LocationIndex,
    ) -> Timeline<'a> {
        let location = &trace.locations[location.index()];
        if !location.is_thread() {
            return Timeline {
                recorded,
                ..Timeline::default()
            };
        }
        let events = &location.events;
        let times = forwards(recorded);
        let mut enters = Bits::new(events.len());
        let mut leaves = Bits::new(events.len());
        stretches(events, regions, None, |_, _, doing, _| {
            if let Doing::Mpi(enter, leave, _) = doing {
                enters.set(enter);
                leaves.set(leave);
            }
        });
        enters.link_before();
        leaves.link_after();
        Timeline {
            recorded,
            begin: times.first().copied().unwrap_or_default(),
            end: times.last().copied().unwrap_or_default(),
            times,
            enters,
            leaves,
            told: Told::default(),
        }
    }

    /// Adds what the process that has its events tells: of some events when their rank
    /// [came](Self::came), and calls.
    pub fn hear(&mut self, came: &[(u32, Timestamp)], calls: &[Call]) {
        let told = &mut self.told;
        told.came.add(came.iter().copied());
        told.calls.extend_from_slice(calls);
        told.calls.sort_unstable_by_key(|it| it.enter);
        told.calls.dedup_by_key(|it| it.enter);
    }

    /// Returns when an event's rank came: when it entered the call that the event belongs to.
    #[inline]
    pub fn came(&self, event: u32) -> Timestamp {
        let Some(time) = self.recorded.get(event as usize) else {
            return self.told.came(event);
        };
        let call = self.around(event);
        call.map_or((*time).max(self.begin), |call| call.begin)
    }

    /// Returns the call that an event belongs to.
    #[inline]
    pub fn around(&self, event: u32) -> Option<Call> {
        let Some(enter) = self.enters.last_until(event) else {
            return self.told.around(event);
        };
        let leave = self.leaves.first_from(enter)?;
        (event <= leave).then(|| self.call(enter, leave))
    }

    /// Returns the first call that is entered after an event.
    pub fn next_call(&self, event: u32) -> Option<Call> {
        self.around(self.leaves.first_from(event + 1)?)
    }

    /// Returns the last call that is entered before an event.
    pub fn last_call(&self, event: u32) -> Option<Call> {
        self.around(self.enters.last_until(event.checked_sub(1)?)?)
    }

    /// Returns all calls.
    pub fn calls(&self) -> impl Iterator<Item = Call> + '_ {
        let pairs = self.enters.all().zip(self.leaves.all());
        pairs.map(|(enter, leave)| self.call(enter, leave))
    }

    fn call(&self, enter: u32, leave: u32) -> Call {
        Call {
            enter,
            leave,
            begin: self.times[enter as usize],
            end: self.times[leave as usize],
        }
    }
}

// Kept out of what is asked of events here, which is most.
impl Told {
    /// Returns when an event's rank came; of one that nobody told of, that it was always there.
    #[cold]
    fn came(&self, event: u32) -> Timestamp {
        self.came.get(event).unwrap_or(Timestamp::MIN)
    }

    #[cold]
    fn around(&self, event: u32) -> Option<Call> {
        let begun = self.calls.partition_point(|call| call.enter <= event);
        let call = self.calls.get(begun.checked_sub(1)?)?;
        (event <= call.leave).then_some(*call)
    }
}

/// Returns times that never go backwards.
fn forwards(times: &[Timestamp]) -> Cow<'_, [Timestamp]> {
    if times.is_sorted() {
        return Cow::Borrowed(times);
    }
    let latest = times.iter().scan(Timestamp::MIN, |latest, time| {
        *latest = (*latest).max(*time);
        Some(*latest)
    });
    Cow::Owned(latest.collect())
}

/// Some of the events of a location: a bit for each, and beside each word the
/// next of them outside of it, to one side.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<(u64, u32)>);

/// No event.
const NONE: u32 = u32::MAX;

impl Bits {
    fn new(events: usize) -> Bits {
        Bits(vec![(0, NONE); events.div_ceil(64)])
    }

    fn set(&mut self, event: u32) {
        self.0[event as usize / 64].0 |= 1 << (event % 64);
    }

    /// Notes beside each word the last event before it.
    fn link_before(&mut self) {
        let mut before = NONE;
        for (number, (bits, next)) in (0u32..).zip(&mut self.0) {
            *next = before;
            if *bits != 0 {
                before = number * 64 + 63 - bits.leading_zeros();
            }
        }
    }

    /// Notes beside each word the first event after it.
    fn link_after(&mut self) {
        let mut after = NONE;
        for (number, (bits, next)) in self.0.iter_mut().enumerate().rev() {
            *next = after;
            if *bits != 0 {
                after = number as u32 * 64 + bits.trailing_zeros();
            }
        }
    }

    /// Returns the last of the events until one, itself included.
    #[inline]
    fn last_until(&self, event: u32) -> Option<u32> {
        let &(bits, before) = self.0.get(event as usize / 64)?;
        let until = bits & (u64::MAX >> (63 - event % 64));
        match until {
            0 => (before != NONE).then_some(before),
            _ => Some(event / 64 * 64 + 63 - until.leading_zeros()),
        }
    }

    /// Returns the first of the events from one on, itself included.
    #[inline]
    fn first_from(&self, event: u32) -> Option<u32> {
        let &(bits, after) = self.0.get(event as usize / 64)?;
        let from = bits & (u64::MAX << (event % 64));
        match from {
            0 => (after != NONE).then_some(after),
            _ => Some(event / 64 * 64 + from.trailing_zeros()),
        }
    }

    fn all(&self) -> impl Iterator<Item = u32> + '_ {
        let of_word = |(number, &(bits, _)): (u32, &(u64, u32))| {
            let rest = std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)));
            let rest = rest.take_while(|bits| *bits != 0);
            rest.map(move |bits| number * 64 + bits.trailing_zeros())
        };
        (0..).zip(&self.0).flat_map(of_word)
    }
}

/// Returns whether a region is a function of MPI.
pub fn is_mpi(region: &Region) -> bool {
    region.paradigm == Paradigm::Mpi || region.name.starts_with("MPI_")
}

/// Returns whether a call starts MPI.
pub(crate) fn is_init(name: &str) -> bool {
    ["MPI_Init", "MPI_Init_thread"].contains(&name)
}

/// Returns whether a thread waits in a region for others of its process.
fn is_among_threads(region: &Region) -> bool {
    use RegionRole::{Barrier, Critical, ImplicitBarrier, TaskWait, ThreadWait};
    let role = matches!(
        region.role,
        Barrier | ImplicitBarrier | TaskWait | Critical | ThreadWait
    );
    let of_threads = matches!(region.paradigm, Paradigm::OpenMp | Paradigm::Pthread);
    of_threads && (role || LOCKS.contains(&region.name.as_str()))
}

/// Functions that wait for a lock; OTF2 has no role for them.
const LOCKS: [&str; 4] = [
    "omp set lock",
    "omp_set_lock",
    "omp_set_nest_lock",
    "pthread_mutex_lock",
];

/// What the regions of a trace are for.
pub(crate) struct Regions(Vec<Use>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Work,
    Mpi,
    Threads,
}

impl Regions {
    pub fn new(trace: &Trace) -> Regions {
        let of = |region: &Region| match region {
            it if is_mpi(it) => Use::Mpi,
            it if is_among_threads(it) => Use::Threads,
            _ => Use::Work,
        };
        Regions(trace.definitions.regions.iter().map(of).collect())
    }

    fn has(&self, region: RegionId, what: Use) -> bool {
        self.0.get(region.index()) == Some(&what)
    }

    /// Returns whether threads wait for each other in a region, by its number.
    pub fn is_among_threads(&self, region: u32) -> bool {
        self.has(RegionId(region), Use::Threads)
    }

    /// Returns whether threads wait for each other in any region.
    pub fn any_among_threads(&self) -> bool {
        self.0.contains(&Use::Threads)
    }
}

/// Tells what a location did, from its first event to its last; `times` are
/// those of its [`Timeline`].
pub(crate) fn spans(
    events: &Events,
    regions: &Regions,
    times: &[Timestamp],
    tell: impl FnMut(Span),
) {
    spans_with_paths(events, regions, times, None, tell);
}

/// Tells it, and by which path each was reached.
pub(crate) fn spans_with_paths(
    events: &Events,
    regions: &Regions,
    times: &[Timestamp],
    paths: Option<&mut CallPaths>,
    mut tell: impl FnMut(Span),
) {
    stretches(events, regions, paths, |from, to, doing, around| {
        let (begin, end) = (times[from], times[to]);
        if end > begin || matches!(doing, Doing::Mpi(..) | Doing::Threads(..)) {
            tell(Span {
                first: from as u32,
                last: to as u32,
                begin,
                end,
                doing,
                within: around.map(|it| it.region),
                path: around.map_or(CallPaths::OUTSIDE, |it| it.path),
            });
        }
    });
}

/// Tells what a location did between two of its events, without gaps.
fn stretches(
    events: &Events,
    regions: &Regions,
    paths: Option<&mut CallPaths>,
    tell: impl FnMut(usize, usize, Doing, Option<&Entered>),
) {
    let mut reader = Reader {
        events,
        regions,
        paths,
        tell,
        since: 0,
        work: Vec::new(),
        call: None,
        inner: Vec::new(),
        is_off: false,
        free_since: None,
    };
    let rows = events.kinds().iter().zip(events.args());
    for (index, (&kind, &arg)) in rows.enumerate() {
        reader.read(index, kind, arg);
    }
    if let Some(last) = events.len().checked_sub(1) {
        reader.end(last);
    }
}

/// A region of the program that was entered and not yet left.
#[derive(Clone, Copy)]
struct Entered {
    region: RegionId,
    enter: u32,
    path: u32,
}

/// A call that was entered and not yet left.
struct Open {
    enter: u32,
    region: Option<RegionId>,
}

struct Reader<'a, T> {
    events: &'a Events,
    regions: &'a Regions,
    /// Nothing if they are not wanted.
    paths: Option<&'a mut CallPaths>,
    tell: T,
    /// The event at which what is done now began.
    since: usize,
    /// Regions of the program that were entered and not left.
    work: Vec<Entered>,
    call: Option<Open>,
    /// The regions entered since the call began, its own first.
    inner: Vec<RegionId>,
    is_off: bool,
    /// The event that was the thread's last end in a team.
    free_since: Option<usize>,
}

impl<T: FnMut(usize, usize, Doing, Option<&Entered>)> Reader<'_, T> {
    #[inline(always)]
    fn read(&mut self, index: usize, kind: EventKind, arg: u32) {
        match kind {
            EventKind::Enter => self.enter(index, RegionId(arg)),
            EventKind::Leave => self.leave(index, RegionId(arg)),
            // Of a begin without end nobody knows how long it lasted.
            EventKind::MpiCollectiveBegin if self.call.is_none() && arg != u32::MAX => {
                self.open(index, None);
            }
            EventKind::MpiCollectiveEnd if self.is_in_operation() => self.end(index),
            EventKind::MeasurementOnOff => {
                self.end(index);
                self.is_off = arg == 0;
            }
            EventKind::Thread if self.call.is_none() && self.work.is_empty() => {
                self.team(index, arg);
            }
            _ => {}
        }
    }

    /// Reads the begin or end of a thread in a team, or what else threads tell.
    fn team(&mut self, index: usize, arg: u32) {
        match self.events.threads()[arg as usize].1 {
            ThreadEvent::TeamEnd(_) => {
                self.end(index);
                self.free_since = Some(index);
            }
            // It did nothing else in between.
            ThreadEvent::TeamBegin(_)
                if self.free_since.is_some_and(|since| since + 1 == index) && !self.is_off =>
            {
                self.tell_until(index, Doing::Idle);
            }
            _ => {}
        }
    }

    /// Returns whether the call under way is an operation without region.
    fn is_in_operation(&self) -> bool {
        self.call.as_ref().is_some_and(|call| call.region.is_none())
    }

    fn enter(&mut self, index: usize, region: RegionId) {
        match &self.call {
            Some(_) => self.inner.push(region),
            None if self.regions.has(region, Use::Mpi) => self.open(index, Some(region)),
            None => {
                self.end(index);
                let around = self.work.last().map_or(CallPaths::OUTSIDE, |it| it.path);
                let path = self.paths.as_deref_mut();
                let path = path.map_or(CallPaths::OUTSIDE, |it| it.enter(around, region));
                let enter = index as u32;
                self.work.push(Entered {
                    region,
                    enter,
                    path,
                });
            }
        }
    }

    fn open(&mut self, index: usize, region: Option<RegionId>) {
        self.end(index);
        self.inner.clear();
        self.inner.extend(region);
        self.call = Some(Open {
            enter: index as u32,
            region,
        });
    }

    fn leave(&mut self, index: usize, region: RegionId) {
        if let Some(call) = &self.call {
            match self.inner.iter().rposition(|inner| *inner == region) {
                Some(0) if call.region.is_some() => return self.end(index),
                Some(at) => return self.inner.truncate(at),
                None => {}
            }
        }
        // A leave without enter is nobody's; one of a region around a call
        // that was never left ends the call.
        if let Some(at) = self.work.iter().rposition(|open| open.region == region) {
            self.end(index);
            self.work.truncate(at);
        }
    }

    /// Tells what was done until now.
    fn end(&mut self, index: usize) {
        let doing = match self.call.take() {
            Some(call) => Doing::Mpi(call.enter, index as u32, call.region),
            None if self.is_off => Doing::Unrecorded,
            None => self.own(),
        };
        self.tell_until(index, doing);
    }

    /// Returns what is done outside of calls.
    fn own(&self) -> Doing {
        match self.work.last() {
            Some(&Entered { region, enter, .. }) if self.regions.has(region, Use::Threads) => {
                Doing::Threads(enter, region)
            }
            _ => Doing::Work,
        }
    }

    fn tell_until(&mut self, index: usize, doing: Doing) {
        let around = match doing {
            Doing::Threads(..) => &self.work[..self.work.len() - 1],
            _ => &self.work,
        };
        (self.tell)(self.since, index, doing, around.last());
        self.since = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(picture: &str, expected: &str) {
        let trace = Trace::parse(picture).unwrap();
        let name = |region: RegionId| trace.definitions.regions[region.index()].name.as_str();
        let mut told = Vec::new();
        let regions = Regions::new(&trace);
        let line = Timeline::new(&trace, &regions, LocationIndex(0));
        spans(&trace.locations[0].events, &regions, &line.times, |span| {
            let doing = match span.doing {
                Doing::Mpi(.., region) => region.map_or("operation", name),
                Doing::Threads(_, region) => name(region),
                Doing::Idle => "idle",
                Doing::Work => span.within.map_or("work", name),
                Doing::Unrecorded => "unrecorded",
            };
            told.push(format!("{}-{} {doing}", span.begin.0, span.end.0));
        });
        assert_eq!(told.join(", "), expected);
    }

    #[test]
    fn calls_and_what_lies_between_have_no_gaps() {
        check(
            "0: 1 enter(main) 5 enter(MPI_Recv) 6 recv<0 8 leave(MPI_Recv) 9 leave(main) 12",
            "1-5 main, 5-8 MPI_Recv, 8-9 main, 9-12 work",
        );
    }

    #[test]
    fn what_a_call_calls_is_a_part_of_it() {
        check(
            "0: 1 enter(MPI_Bcast) 2 enter(MPI_Send) 3 leave(MPI_Send) 4 enter(f) 5 leave(f) \
             6 leave(MPI_Bcast) 7",
            "1-6 MPI_Bcast, 6-7 work",
        );
    }

    #[test]
    fn an_operation_without_region_is_a_call() {
        check(
            "0: 1 2 barrier{ 5 } 6 ?{ 7",
            "1-2 work, 2-5 operation, 5-7 work",
        );
    }

    #[test]
    fn a_call_that_was_never_left_lasts_to_the_end() {
        check("0: 1 enter(MPI_Recv) 9", "1-9 MPI_Recv");
        check(
            "0: 1 enter(f) 2 enter(MPI_Recv) 5 leave(f) 7 leave(MPI_Recv) 8",
            "1-2 f, 2-5 MPI_Recv, 5-8 work",
        );
    }

    #[test]
    fn who_works_on_a_task_does_not_wait() {
        check(
            "0: 1 enter(solve) 2 enter(omp_barrier) 3 enter(task) 5 leave(task) 7 leave(omp_barrier) 8",
            "1-2 solve, 2-3 omp_barrier, 3-5 task, 5-7 omp_barrier, 7-8 solve",
        );
    }

    #[test]
    fn a_thread_between_two_teams_is_idle() {
        check(
            "0: 1 team_begin(t) 2 enter(f) 3 leave(f) 4 team_end(t) 9 team_begin(t) 12",
            "1-2 work, 2-3 f, 3-4 work, 4-9 idle, 9-12 work",
        );
        check(
            "0: 1 team_begin(t) 4 team_end(t) 5 join 8 fork(2) 9 team_begin(t) 12",
            "1-4 work, 4-12 work",
        );
    }

    #[test]
    fn what_was_not_recorded_is_neither() {
        check(
            "0: 1 enter(MPI_Pcontrol) 2 off 9 on 10 leave(MPI_Pcontrol) 12",
            "1-2 MPI_Pcontrol, 2-9 unrecorded, 9-12 work",
        );
    }

    #[test]
    fn time_that_goes_backwards_stands_still() {
        check(
            "0: 5 enter(MPI_Send) 3 leave(MPI_Send) 4 enter(MPI_Recv) 9 leave(MPI_Recv)",
            "5-5 MPI_Send, 5-9 MPI_Recv",
        );
    }

    #[test]
    fn events_far_apart_know_their_calls() {
        let rest = " 7".repeat(200);
        let picture =
            format!("0: 1 enter(MPI_Recv){rest} 8 leave(MPI_Recv){rest} 9 enter(MPI_Send) 9");
        let trace = Trace::parse(&picture).unwrap();
        let line = Timeline::new(&trace, &Regions::new(&trace), LocationIndex(0));
        assert_eq!(line.calls().count(), 2);
        for index in 0..trace.event_count() as u32 {
            let searched = line
                .calls()
                .find(|call| (call.enter..=call.leave).contains(&index));
            assert_eq!(line.around(index), searched);
        }
    }

    #[test]
    fn an_event_knows_its_call() {
        let trace = Trace::parse("0: 1 2 enter(MPI_Recv) 3 4 leave(MPI_Recv) 5").unwrap();
        let line = Timeline::new(&trace, &Regions::new(&trace), LocationIndex(0));
        let around = |index| line.around(index).map(|call| (call.begin.0, call.end.0));
        let found: Vec<_> = (0..5).map(around).collect();
        let call = Some((2, 4));
        assert_eq!(found, [None, call, call, call, None]);
    }
}
