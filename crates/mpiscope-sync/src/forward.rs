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

use mpiscope_model::{EventRef, LocationIndex, Matching, Rank, Trace};

use crate::limits::Limits;
use crate::links::ends;
use crate::logical::CollectiveSync;
use crate::records::{Record, Records, Role};
use crate::sweep::{Awaited, Sweep};
use crate::table::LatencyTable;

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

    /// Returns it in multiples of 2⁻³².
    pub fn share(self) -> i128 {
        self.0.into()
    }

    /// Returns how much of a displacement is gone after `distance` ≥ 0.
    pub fn decay(self, distance: i64) -> i64 {
        ((u128::from(distance.unsigned_abs()) * u128::from(self.0)) >> 32) as i64
    }
}

/// Writes the corrected time into each record.
pub(crate) fn forward<'a>(
    trace: &Trace,
    matching: &'a Matching,
    collectives: &'a [Option<CollectiveSync>],
    latencies: &'a LatencyTable,
    pace: Pace,
    threads: usize,
    records: &mut Records,
) -> (Found, Limits<'a>) {
    let locations = trace.locations.len();
    let sweep = Sweep::new(locations, matching, collectives, latencies, pace);
    let mut cursors = vec![0; locations];
    let mut found = Found {
        violations: sweep.run(threads, &mut records.all, &mut cursors),
        freed: Vec::new(),
    };
    let mut freed: Vec<(usize, usize, Awaited)> = Vec::new();
    while let Some(cycle) = cycle(&sweep, locations) {
        let latest = latest(trace, &cycle, records, &cursors);
        let record = &mut records.all[latest][cursors[latest]];
        freed.push((latest, cursors[latest], (record.role, record.link)));
        record.role = Role::Freed;
        let location = LocationIndex(latest as u32);
        let event = EventRef::new(location, record.event as usize);
        found.freed.push(event);
        found.violations += sweep.resume(latest, &mut records.all, &mut cursors);
    }
    // Another sweep may do without.
    for &(location, row, (role, _)) in &freed {
        records.all[location][row].role = role;
    }
    let freed: Vec<Awaited> = freed.into_iter().map(|(_, _, awaited)| awaited).collect();
    (found, Limits::new(sweep.sent, sweep.collectives, &freed))
}

/// Returns locations that wait for each other in a ring, if any waits.
fn cycle(sweep: &Sweep, locations: usize) -> Option<Vec<usize>> {
    let mut location = (0..locations).find(|&location| sweep.awaits(location).is_some())?;
    let mut path: Vec<usize> = Vec::new();
    let mut place = vec![usize::MAX; locations];
    // Whoever is waited for has not come to the event in question, so it
    // waits itself: the path can only end in itself.
    while place[location] == usize::MAX {
        place[location] = path.len();
        path.push(location);
        let awaited = sweep.awaits(location);
        match awaited.and_then(|awaited| awaited_location(sweep, awaited)) {
            Some(next) if sweep.awaits(next).is_some() => location = next,
            _ => return Some(vec![location]),
        }
    }
    path.drain(..place[location]);
    Some(path)
}

fn awaited_location(sweep: &Sweep, (role, link): Awaited) -> Option<usize> {
    let location = match role {
        Role::Receive => ends(sweep.matching, link).0.location,
        _ => sweep.collectives.missing(link)?.enter.location,
    };
    Some(location.index())
}

/// Returns who waits last of a ring; it is freed from its sender.
fn latest(trace: &Trace, cycle: &[usize], records: &Records, cursors: &[usize]) -> usize {
    let age = |&location: &usize| {
        let time = records.all[location][cursors[location]].time;
        match trace.locations.get(location) {
            Some(named) => (time, named.rank, named.thread),
            None => (time, Rank(0), 0),
        }
    };
    let latest = cycle.iter().copied().max_by_key(age);
    latest.unwrap_or_default()
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
