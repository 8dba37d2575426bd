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

use mpiscope_model::{Duration, EventRef, LocationIndex, Rank, Trace};

use crate::collective_syncs::CollectiveSyncs;
use crate::exchange::{Crew, Division, Exchange};
use crate::linked::Linked;
use crate::links::{ends, Slots};
use crate::receipts::{Receipts, Received};
use crate::records::{Record, Records, Role};
use crate::rounds::{self, Swept};
use crate::sweep::{Awaited, Known, Sweep};
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

/// What all passes have in common.
pub(crate) struct Forward<'a> {
    pub trace: &'a Trace,
    pub linked: &'a Linked<'a>,
    /// Who sweeps.
    pub crew: Crew<'a>,
}

impl<'a> Forward<'a> {
    /// Writes the corrected time into each record.
    pub fn sweep(
        &self,
        latencies: &LatencyTable,
        pace: Pace,
        records: &mut Records,
    ) -> (Found, Receipts<'a>) {
        // A cycle of messages without latency may look like any other trace to parts.
        if self.crew.parts() > 1 && latencies.shortest() >= Duration::TICK {
            if let Some(swept) = self.by_parts(latencies, pace, records) {
                return swept;
            }
        }
        self.alone(latencies, pace, records)
    }

    /// Returns what parts know of a pass.
    pub fn known<'s>(
        &'s self,
        latencies: &'s LatencyTable,
        pace: Pace,
        division: &'s Division,
    ) -> Known<'s> {
        Known {
            matching: self.linked.matching(),
            latencies,
            pace,
            division,
        }
    }

    /// Divides the trace, if it is for threads by clocks and sync events.
    fn divide(&self, crew: Crew, latencies: &LatencyTable, records: &Records) -> Division {
        let locations = 0..records.all.len() as u32;
        let clocks: Vec<u32> = locations
            .map(|location| latencies.clock(LocationIndex(location)))
            .collect();
        crew.divide(self.trace, &clocks, |location| records.of(location).len())
    }

    fn collective_syncs<'s>(&'s self, known: Known<'s>, me: usize) -> CollectiveSyncs<'s> {
        let collectives = self.linked.collectives();
        CollectiveSyncs::new(known, collectives, self.linked.of_member().clone(), me)
    }

    /// Sweeps by parts, or gives up.
    fn by_parts(
        &self,
        latencies: &LatencyTable,
        pace: Pace,
        records: &mut Records,
    ) -> Option<(Found, Receipts<'a>)> {
        let crew = self.crew;
        let division = self.divide(crew, latencies, records);
        let known = self.known(latencies, pace, &division);
        let of_part = |part: usize| records.take(&division, part);
        let states = crew.here().map(of_part).collect();
        let swept = crew.run(states, |exchange, mine| self.part(exchange, known, mine));
        // All parts give up at once, if one does.
        let done = swept.iter().all(|swept| swept.done);
        let mut found = Found::default();
        let mut of_part = Vec::with_capacity(swept.len());
        for (part, swept) in crew.here().zip(swept) {
            records.put_back(&division, part, swept.records);
            found.violations += swept.violations;
            of_part.push(swept.received);
        }
        found.violations = crew.outside().sum(found.violations);
        let receipts = Receipts {
            crew,
            division,
            of_part,
        };
        done.then_some((found, receipts))
    }

    fn part<E: Exchange>(&self, exchange: &E, known: Known, mine: Vec<Vec<Record>>) -> Swept {
        let collectives = self.collective_syncs(known, exchange.me());
        rounds::sweep(exchange, known, collectives, mine)
    }

    /// Sweeps as one part; where all that is left waits for each other, frees the
    /// latest receiver. Of several processes each does so for itself, as if it were
    /// alone.
    fn alone(
        &self,
        latencies: &LatencyTable,
        pace: Pace,
        records: &mut Records,
    ) -> (Found, Receipts<'a>) {
        let crew = Crew::Threads(1);
        self.linked.know_all(self.crew, records);
        if let Some(among) = self.crew.among_processes(self.trace) {
            records.gather(&self.crew.outside(), &among);
        }
        let division = self.divide(crew, latencies, records);
        let known = self.known(latencies, pace, &division);
        let collectives = self.collective_syncs(known, 0);
        let mut sweep = Sweep::new(known, 0, std::mem::take(&mut records.all), collectives);
        sweep.sent = Slots::all(known.matching);
        sweep.collectives.begin(&mut sweep.latest);
        sweep.run_all::<true>();
        let mut found = Found::default();
        let mut freed: Vec<(usize, usize, Awaited)> = Vec::new();
        while let Some(cycle) = cycle(&sweep) {
            let latest = latest(self.trace, &cycle, &sweep);
            let cursor = sweep.cursors[latest];
            let record = &mut sweep.records[latest][cursor];
            freed.push((latest, cursor, (record.role, record.link)));
            record.role = Role::Freed;
            let location = LocationIndex(latest as u32);
            found
                .freed
                .push(EventRef::new(location, record.event as usize));
            sweep.resume(latest);
        }
        // Another sweep may do without.
        for &(location, row, (role, _)) in &freed {
            sweep.records[location][row].role = role;
        }
        let freed: Vec<Awaited> = freed.into_iter().map(|(_, _, awaited)| awaited).collect();
        found.violations = sweep.violations;
        records.all = std::mem::take(&mut sweep.records);
        let mut received = Received {
            sent: sweep.sent,
            left: sweep.collectives.bounds,
        };
        received.free(&freed);
        let receipts = Receipts {
            crew,
            division,
            of_part: vec![received],
        };
        (found, receipts)
    }
}

/// Returns locations that wait for each other in a ring, if any waits.
fn cycle(sweep: &Sweep) -> Option<Vec<usize>> {
    let locations = sweep.records.len();
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
        Role::Receive => ends(sweep.known.matching, link).0.location,
        _ => sweep.collectives.missing(link)?.enter.location,
    };
    Some(location.index())
}

/// Returns who waits last of a ring; it is freed from its sender.
fn latest(trace: &Trace, cycle: &[usize], sweep: &Sweep) -> usize {
    let age = |&location: &usize| {
        let time = sweep.records[location][sweep.cursors[location]].time;
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

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::latency::Latencies;
    use crate::records::records;

    /// Without a fallback: parts come to the end by themselves, and to the same.
    #[test]
    fn parts_come_to_what_one_comes_to() {
        let trace = Trace::parse(
            "0: 100 send>1 150 allreduce{ 200 } 230 recv<2 300 scan{ 330 }
             1: 40 recv<0 90 send>2 150 allreduce{ 160 } 290 scan{ 300 }
             2: 60 recv<1 70 allreduce{ 80 } 130 send>0 190 scan{ 195 } 400",
        )
        .unwrap();
        let matching = trace.matching();
        let room = OnceLock::new();
        let linked = Linked::new(&trace, &matching, &room);
        let table = LatencyTable::new(&trace, &Latencies::default());
        let pace = Pace {
            kappa: Kappa::new(0.01),
            delta: 0,
        };
        let times = trace.times();
        let collect = || {
            records(
                &trace,
                &matching,
                linked.collectives(),
                &times,
                &table,
                |_| true,
                false,
            )
        };
        let (mut alone, mut swept) = (collect(), Vec::new());
        for crew in [
            Crew::Threads(1),
            Crew::Threads(2),
            Crew::InBytes(2),
            Crew::Threads(3),
            Crew::InBytes(3),
            Crew::InBytes(5),
        ] {
            let forward = Forward {
                trace: &trace,
                linked: &linked,
                crew,
            };
            let mut records = collect();
            let (found, _) = forward.by_parts(&table, pace, &mut records).unwrap();
            let (expected, _) = forward.alone(&table, pace, &mut alone);
            assert_eq!(format!("{:?}", records.all), format!("{:?}", alone.all));
            assert_eq!(found.violations, expected.violations);
            swept.push(found.violations);
        }
        assert!(swept[0] > 3);
    }
}
