//! What a location did, as a row of spans without gaps: calls of MPI, and what
//! lay between them.
//!
//! A call lasts from the entry into a region of MPI to its exit, whatever is
//! entered and left within; a collective operation that stands in no region is
//! a call, too. Time that goes backwards, as in archives whose clocks were
//! never corrected, stands still here until it has caught up.

use mpiscope_model::{
    EventKind, EventRef, Events, LocationIndex, Paradigm, RegionId, Timestamp, Trace,
};

/// A stretch of time at one location, in which it did one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub begin: Timestamp,
    pub end: Timestamp,
    pub doing: Doing,
    /// The innermost region of the program around it, if such were recorded.
    pub within: Option<RegionId>,
}

/// What a location is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// A call of MPI: the numbers of its first and its last event, and its
    /// region, if it has one.
    Mpi(u32, u32, Option<RegionId>),
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

/// The calls of MPI at one location, and when it began and ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timeline {
    pub calls: Vec<Call>,
    pub begin: Timestamp,
    pub end: Timestamp,
    enters: Enters,
}

/// Which events enter a call: a bit for each event, and how many calls were
/// entered before each word of bits. Messages lead to events in any order, and
/// searching among all calls would take longer than all else.
#[derive(Clone, Debug, Default)]
struct Enters(Vec<(u64, u32)>);

impl Enters {
    fn new(events: usize, calls: &[Call]) -> Enters {
        let mut words = vec![(0u64, 0u32); events.div_ceil(64)];
        for call in calls {
            words[call.enter as usize / 64].0 |= 1 << (call.enter % 64);
        }
        let mut before = 0;
        for (bits, count) in &mut words {
            *count = before;
            before += bits.count_ones();
        }
        Enters(words)
    }

    /// Returns how many calls were entered until an event, itself included.
    fn until(&self, event: u32) -> usize {
        let Some(&(bits, before)) = self.0.get(event as usize / 64) else {
            return 0;
        };
        let until = bits & (u64::MAX >> (63 - event % 64));
        (before + until.count_ones()) as usize
    }
}

impl Timeline {
    /// Reads the calls of a location; of one that is no thread there are none,
    /// and its time is nobody's.
    pub fn new(trace: &Trace, regions: &MpiRegions, location: LocationIndex) -> Timeline {
        let mut line = Timeline::default();
        if !trace.locations[location.index()].is_thread() {
            return line;
        }
        let times = trace.locations[location.index()].events.times();
        line.begin = times.first().copied().unwrap_or_default();
        line.end = times.iter().copied().max().unwrap_or_default();
        spans(trace, regions, location, |span| {
            if let Doing::Mpi(enter, leave, _) = span.doing {
                line.calls.push(Call {
                    enter,
                    leave,
                    begin: span.begin,
                    end: span.end,
                });
            }
        });
        line.enters = Enters::new(times.len(), &line.calls);
        line
    }

    /// Returns the number of the call that an event belongs to.
    pub fn around(&self, event: EventRef) -> Option<usize> {
        let number = self.enters.until(event.index).checked_sub(1)?;
        (event.index <= self.calls[number].leave).then_some(number)
    }
}

/// Which regions of a trace are functions of MPI.
pub(crate) struct MpiRegions(Vec<bool>);

impl MpiRegions {
    pub fn new(trace: &Trace) -> MpiRegions {
        let regions = trace.definitions.regions.iter();
        let is_mpi = regions.map(|it| it.paradigm == Paradigm::Mpi || it.name.starts_with("MPI_"));
        MpiRegions(is_mpi.collect())
    }

    fn has(&self, region: RegionId) -> bool {
        self.0.get(region.index()).copied().unwrap_or(false)
    }
}

/// Tells what a location did, from its first event to its last.
pub(crate) fn spans(
    trace: &Trace,
    regions: &MpiRegions,
    location: LocationIndex,
    tell: impl FnMut(Span),
) {
    let events = &trace.locations[location.index()].events;
    let mut reader = Reader {
        events,
        regions,
        tell,
        since: events.times().first().copied().unwrap_or_default(),
        now: Timestamp::MIN,
        work: Vec::new(),
        call: None,
        is_off: false,
    };
    for index in 0..events.len() {
        reader.read(index);
    }
    reader.end(events.len().saturating_sub(1));
}

/// A call that was entered and not yet left.
struct Open {
    enter: u32,
    region: Option<RegionId>,
    /// The regions entered since, its own first.
    within: Vec<RegionId>,
}

struct Reader<'a, T> {
    events: &'a Events,
    regions: &'a MpiRegions,
    tell: T,
    since: Timestamp,
    now: Timestamp,
    /// Regions of the program that were entered and not left.
    work: Vec<RegionId>,
    call: Option<Open>,
    is_off: bool,
}

impl<T: FnMut(Span)> Reader<'_, T> {
    fn read(&mut self, index: usize) {
        self.now = self.now.max(self.events.times()[index]);
        let arg = self.events.args()[index];
        match self.events.kinds()[index] {
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
            _ => {}
        }
    }

    /// Returns whether the call under way is an operation without region.
    fn is_in_operation(&self) -> bool {
        self.call.as_ref().is_some_and(|call| call.region.is_none())
    }

    fn enter(&mut self, index: usize, region: RegionId) {
        match &mut self.call {
            Some(call) => call.within.push(region),
            None if self.regions.has(region) => self.open(index, Some(region)),
            None => {
                self.end(index);
                self.work.push(region);
            }
        }
    }

    fn open(&mut self, index: usize, region: Option<RegionId>) {
        self.end(index);
        self.call = Some(Open {
            enter: index as u32,
            region,
            within: region.into_iter().collect(),
        });
    }

    fn leave(&mut self, index: usize, region: RegionId) {
        if let Some(call) = &mut self.call {
            match call.within.iter().rposition(|inner| *inner == region) {
                Some(0) if call.region.is_some() => return self.end(index),
                Some(at) => return call.within.truncate(at),
                None => {}
            }
        }
        // A leave without enter is nobody's; one of a region around a call
        // that was never left ends the call.
        if let Some(at) = self.work.iter().rposition(|open| *open == region) {
            self.end(index);
            self.work.truncate(at);
        }
    }

    /// Tells what was done until now.
    fn end(&mut self, index: usize) {
        let doing = match self.call.take() {
            Some(call) => Doing::Mpi(call.enter, index as u32, call.region),
            None if self.is_off => Doing::Unrecorded,
            None => Doing::Work,
        };
        let is_call = matches!(doing, Doing::Mpi(..));
        if is_call || self.now > self.since {
            (self.tell)(Span {
                begin: self.since,
                end: self.now,
                doing,
                within: self.work.last().copied(),
            });
        }
        self.since = self.now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(picture: &str, expected: &str) {
        let trace = Trace::parse(picture).unwrap();
        let name = |region: RegionId| trace.definitions.regions[region.index()].name.as_str();
        let mut told = Vec::new();
        spans(&trace, &MpiRegions::new(&trace), LocationIndex(0), |span| {
            let doing = match span.doing {
                Doing::Mpi(.., region) => region.map_or("operation", name),
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
        let line = Timeline::new(&trace, &MpiRegions::new(&trace), LocationIndex(0));
        for index in 0..trace.event_count() {
            let searched = line
                .calls
                .iter()
                .position(|call| (call.enter as usize..=call.leave as usize).contains(&index));
            assert_eq!(
                line.around(EventRef::new(LocationIndex(0), index)),
                searched
            );
        }
    }

    #[test]
    fn an_event_knows_its_call() {
        let trace = Trace::parse("0: 1 2 enter(MPI_Recv) 3 4 leave(MPI_Recv) 5").unwrap();
        let line = Timeline::new(&trace, &MpiRegions::new(&trace), LocationIndex(0));
        let around = |index| line.around(EventRef::new(LocationIndex(0), index));
        let found: Vec<_> = (0..5).map(around).collect();
        assert_eq!(found, [None, Some(0), Some(0), Some(0), None]);
    }
}
