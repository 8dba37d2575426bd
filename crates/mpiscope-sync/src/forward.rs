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
pub(crate) fn forward(
    trace: &Trace,
    matching: &Matching,
    meetings: &[Option<Meeting>],
    latencies: &LatencyTable,
    kappa: Kappa,
    records: &mut Records,
) -> Found {
    let locations = trace.locations.len();
    let mut sweep = Sweep {
        trace,
        matching,
        kappa,
        cursors: records.begin[..locations].to_vec(),
        waiting: vec![None; locations],
        runnable: (0..locations as u32).collect(),
        sent: vec![EMPTY; matching.messages.len()],
        meetings: Meetings::new(matching, meetings, latencies),
        known: Vec::new(),
        found: Found::default(),
    };
    loop {
        while let Some(location) = sweep.runnable.pop_front() {
            sweep.run(location as usize, records);
        }
        match sweep.cycle() {
            None => return sweep.found,
            Some(cycle) => sweep.open(&cycle, records),
        }
    }
}

/// What a location waits for: the record its cursor is at.
type Awaited = (Role, u32);

struct Sweep<'a> {
    trace: &'a Trace,
    matching: &'a Matching,
    kappa: Kappa,
    /// Per location, the next record to visit.
    cursors: Vec<usize>,
    waiting: Vec<Option<Awaited>>,
    runnable: VecDeque<u32>,
    /// Corrected time of each message's send.
    sent: Vec<i64>,
    meetings: Meetings<'a>,
    /// Members whose bounds just became known; kept for its room.
    known: Vec<u32>,
    found: Found,
}

impl Sweep<'_> {
    /// Runs a location until it is done or waits.
    fn run(&mut self, location: usize, records: &mut Records) {
        let (begin, end) = (records.begin[location], records.begin[location + 1]);
        let mut cursor = self.cursors[location];
        let (mut time, mut offset) = match cursor > begin {
            true => {
                let last = records.all[cursor - 1];
                (last.time, last.corrected.saturating_sub(last.time))
            }
            false => (i64::MIN, 0),
        };
        for record in &mut records.all[cursor..end] {
            let bound = match record.role {
                Role::Receive => match self.sent[record.link as usize] {
                    EMPTY => EMPTY,
                    sent => sent.saturating_add(record.latency),
                },
                Role::Exit => self.meetings.bound(record.link),
                _ => NO_BOUND,
            };
            if bound == EMPTY {
                self.waiting[location] = Some((record.role, record.link));
                break;
            }
            if offset > 0 {
                let decay = self.kappa.decay(record.time.saturating_sub(time));
                offset = (offset - decay).max(0);
            }
            let internal = record.time.saturating_add(offset);
            record.corrected = internal.max(bound);
            self.found.violations += u64::from(bound > internal);
            time = record.time;
            offset = record.corrected.saturating_sub(time);
            self.publish(record);
            cursor += 1;
        }
        self.cursors[location] = cursor;
    }

    /// Makes a sender's time known, and wakes who waits for it.
    fn publish(&mut self, record: &Record) {
        match record.role {
            Role::Send => {
                let link = record.link as usize;
                self.sent[link] = record.corrected;
                let receiver = self.matching.messages[link].receive.location;
                self.wake(receiver, (Role::Receive, record.link));
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
            _ => {}
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
            Role::Receive => self.matching.messages[link as usize].send.location,
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
        record.role = Role::Freed;
        let event = record.event as usize;
        let location = LocationIndex(latest as u32);
        self.found.freed.push(EventRef::new(location, event));
        self.waiting[latest] = None;
        self.runnable.push_back(latest as u32);
    }
}
