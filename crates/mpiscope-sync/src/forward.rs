//! Forward amortization: the controlled logical clock, over sync events.
//!
//! With T the interpolated time of an event, d the time since the sync event
//! before it and o the displacement reached there (Rabenseifner 1997,
//! equations 3 and 4, in integers):
//!
//! ```text
//! internal  = T + max(0, o − ⌊κ·d⌋)
//! corrected = max(internal, corrected(sender) + latency  for each sender)
//! ```
//!
//! The result is the least one that satisfies all of it, so it does not matter
//! in which order locations are visited: each runs until it needs a time that
//! is not there, and is woken by the location that writes it. There is no
//! heap and no global order.
//!
//! If all that is left waits for each other, the trace contradicts itself. The
//! latest receiver on the cycle is freed from its sender, and listed.

use std::collections::VecDeque;

use mpiscope_model::{EventRef, LocationIndex, Matching, Trace};

use crate::latency::LatencyTable;
use crate::latest::NO_BOUND;
use crate::limits::Limits;
use crate::links::ends;
use crate::logical::Meeting;
use crate::meet::Meetings;
use crate::records::{Record, Records, Role};

/// A time that nobody has written yet.
pub(crate) const EMPTY: i64 = i64::MIN;

/// What the sweep found, besides the corrected times in the records.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Receivers that had to be moved.
    pub violations: u64,
    /// Receivers freed from their senders.
    pub freed: Vec<EventRef>,
}

/// How times follow each other on one location.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// How fast a displacement decays.
    pub kappa: Kappa,
    /// The least time between two events, where the caller insists on one; it
    /// needs a record for every event.
    pub delta: i64,
}

/// κ as a multiple of 2⁻³², so that decay is the same on every machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kappa(u64);

impl Kappa {
    pub fn new(kappa: f64) -> Kappa {
        Kappa((kappa * 4_294_967_296.0).round_ties_even() as u64)
    }

    /// Returns how much of a displacement is gone after `distance` ≥ 0.
    pub fn decay(self, distance: i64) -> i64 {
        ((u128::from(distance.unsigned_abs()) * u128::from(self.0)) >> 32) as i64
    }
}

/// Writes the corrected time into each record.
pub(crate) fn forward<'a>(
    trace: &'a Trace,
    matching: &'a Matching,
    meetings: &'a [Option<Meeting>],
    latencies: &'a LatencyTable,
    pace: Pace,
    records: &mut Records,
) -> (Found, Limits<'a>) {
    let locations = trace.locations.len();
    let mut sweep = Sweep {
        trace,
        matching,
        pace,
        cursors: records.begin[..locations].to_vec(),
        waiting: vec![None; locations],
        runnable: (0..locations as u32).collect(),
        sent: vec![EMPTY; matching.messages.len() + matching.bounds.len()],
        meetings: Meetings::new(matching, meetings, latencies),
        known: Vec::new(),
        freed: Vec::new(),
        found: Found::default(),
    };
    loop {
        while let Some(location) = sweep.runnable.pop_front() {
            sweep.run(location as usize, records);
        }
        match sweep.cycle() {
            None => break,
            Some(cycle) => sweep.open(&cycle, records),
        }
    }
    let mut freed = Vec::new();
    for (record, role) in sweep.freed {
        let record = &mut records.all[record];
        record.role = role;
        freed.push((role, record.link));
    }
    let limits = Limits::new(sweep.sent, sweep.meetings, &freed);
    (sweep.found, limits)
}

/// Where the sweep stands on a location: the last record.
#[derive(Default)]
pub(crate) struct Last {
    event: Option<u32>,
    time: i64,
    corrected: i64,
    offset: i64,
}

impl Last {
    pub fn note(&mut self, record: &Record) {
        self.event = Some(record.event);
        self.time = record.time;
        self.corrected = record.corrected;
        self.offset = record.corrected.saturating_sub(record.time);
    }

    /// Returns when an event happens if it receives nothing.
    pub fn internal(&self, record: &Record, pace: Pace) -> i64 {
        let mut offset = self.offset;
        if offset > 0 {
            let decay = pace.kappa.decay(record.time.saturating_sub(self.time));
            offset = (offset - decay).max(0);
        }
        let internal = record.time.saturating_add(offset);
        match self.event {
            Some(event) if pace.delta > 0 && event != record.event => {
                internal.max(self.corrected.saturating_add(pace.delta))
            }
            _ => internal,
        }
    }
}

/// What a location waits for: the record its cursor is at.
type Awaited = (Role, u32);

struct Sweep<'a> {
    trace: &'a Trace,
    matching: &'a Matching,
    pace: Pace,
    /// Per location, the next record to visit.
    cursors: Vec<usize>,
    waiting: Vec<Option<Awaited>>,
    runnable: VecDeque<u32>,
    /// Corrected time of each logical message's send; once it is received, of
    /// the latest time at which it could have been sent.
    sent: Vec<i64>,
    meetings: Meetings<'a>,
    /// Members whose bounds just became known; kept for its room.
    known: Vec<u32>,
    /// Records freed in this sweep, with what they are otherwise.
    freed: Vec<(usize, Role)>,
    found: Found,
}

impl Sweep<'_> {
    /// Runs a location until it is done or waits.
    fn run(&mut self, location: usize, records: &mut Records) {
        let (begin, end) = (records.begin[location], records.begin[location + 1]);
        let mut cursor = self.cursors[location];
        let mut last = Last::default();
        if cursor > begin {
            last.note(&records.all[cursor - 1]);
        }
        while cursor < end {
            let record = &mut records.all[cursor];
            let bound = self.bound(record);
            if bound == EMPTY {
                self.waiting[location] = Some((record.role, record.link));
                break;
            }
            let internal = last.internal(record, self.pace);
            record.corrected = internal.max(bound);
            record.jump = bound > internal;
            last.note(record);
            if record.jump {
                self.found.violations += 1;
                self.raise(&mut records.all[begin..=cursor]);
            }
            self.settle(&records.all[cursor]);
            cursor += 1;
        }
        self.cursors[location] = cursor;
    }

    /// Returns before when an event cannot have happened, or [`EMPTY`].
    fn bound(&self, record: &Record) -> i64 {
        match record.role {
            Role::Receive => match self.sent[record.link as usize] {
                EMPTY => EMPTY,
                sent => sent.saturating_add(record.latency),
            },
            Role::Exit => self.meetings.bound(record.link),
            _ => NO_BOUND,
        }
    }

    /// Has all records of the last event jump as the last one did: what else
    /// the event received, it received then.
    fn raise(&mut self, records: &mut [Record]) {
        let Some((last, before)) = records.split_last_mut() else {
            return;
        };
        let earlier = before.iter_mut().rev();
        for record in earlier.take_while(|record| record.event == last.event) {
            record.corrected = last.corrected;
            record.jump = true;
            self.settle(record);
        }
    }

    /// Makes a time known: a sender's to who waits for it, a receiver's as the
    /// limit of what its sender may be moved to later.
    fn settle(&mut self, record: &Record) {
        match record.role {
            Role::Receive => {
                let limit = record.corrected.saturating_sub(record.latency);
                self.sent[record.link as usize] = limit;
            }
            Role::Exit => self.meetings.leave(record.link, record.corrected),
            Role::Send => {
                self.sent[record.link as usize] = record.corrected;
                let (_, receive) = ends(self.matching, record.link);
                self.wake(receive.location, (Role::Receive, record.link));
            }
            Role::Enter => {
                let mut known = std::mem::take(&mut self.known);
                self.meetings
                    .enter(record.link, record.corrected, &mut known);
                for member in known.drain(..) {
                    let receiver = self.matching.members[member as usize].exit.location;
                    self.wake(receiver, (Role::Exit, member));
                }
                self.known = known;
            }
            Role::Freed | Role::Internal => {}
        }
    }

    fn wake(&mut self, location: LocationIndex, event: Awaited) {
        let waiting = &mut self.waiting[location.index()];
        if *waiting == Some(event) {
            *waiting = None;
            self.runnable.push_back(location.0);
        }
    }

    /// Returns locations that wait for each other in a ring, if any waits.
    fn cycle(&self) -> Option<Vec<usize>> {
        let mut location = self.waiting.iter().position(Option::is_some)?;
        let mut path: Vec<usize> = Vec::new();
        let mut place = vec![usize::MAX; self.waiting.len()];
        // Whoever is waited for has not come to the event in question, so it
        // waits itself: the path can only end in itself.
        while place[location] == usize::MAX {
            place[location] = path.len();
            path.push(location);
            match self.waiting[location].and_then(|awaited| self.awaited_location(awaited)) {
                Some(next) if self.waiting[next].is_some() => location = next,
                _ => return Some(vec![location]),
            }
        }
        path.drain(..place[location]);
        Some(path)
    }

    fn awaited_location(&self, (role, link): Awaited) -> Option<usize> {
        let location = match role {
            Role::Receive => ends(self.matching, link).0.location,
            _ => self.meetings.missing(link)?.enter.location,
        };
        Some(location.index())
    }

    /// Frees the latest receiver of a cycle.
    fn open(&mut self, cycle: &[usize], records: &mut Records) {
        let locations = &self.trace.locations;
        let age = |location: &usize| {
            let record = &records.all[self.cursors[*location]];
            let Some(named) = locations.get(*location) else {
                return (record.time, mpiscope_model::Rank(0), 0);
            };
            (record.time, named.rank, named.thread)
        };
        let Some(latest) = cycle.iter().copied().max_by_key(age) else {
            return;
        };
        let record = &mut records.all[self.cursors[latest]];
        self.freed.push((self.cursors[latest], record.role));
        record.role = Role::Freed;
        let event = record.event as usize;
        let location = LocationIndex(latest as u32);
        self.found.freed.push(EventRef::new(location, event));
        self.waiting[latest] = None;
        self.runnable.push_back(latest as u32);
    }
}
