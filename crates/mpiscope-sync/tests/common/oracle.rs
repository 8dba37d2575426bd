//! The same by brute force: what the least times are that satisfy all bounds,
//! and how high each ramp may be.

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_model::{EventRef, LocationIndex, Timestamp};
use mpiscope_sync::{Config, LatencyTable};

use super::Known;

pub type Times = Vec<Vec<Timestamp>>;

/// Returns the latency of a logical message.
pub fn latency(table: &LatencyTable, (send, receive): (EventRef, EventRef)) -> i64 {
    table.between(send.location, receive.location).0
}

/// Returns how much of a displacement is gone after a distance.
pub fn decay(kappa: f64, distance: i64) -> i64 {
    let share = (kappa * 4_294_967_296.0).round() as i128;
    ((i128::from(distance) * share) >> 32) as i64
}

/// The least times that satisfy all bounds, by trying until nothing changes.
///
/// `sync` says between which events a displacement decays in one step; it is
/// rounded down once per step, so the same steps give the same ticks. `delta`
/// is the least distance of two events of a location.
pub fn least_fixed_point(
    known: &Known,
    kappa: f64,
    delta: i64,
    table: &LatencyTable,
    sync: &BTreeSet<EventRef>,
) -> Times {
    let mut incoming: BTreeMap<EventRef, Vec<(EventRef, i64)>> = BTreeMap::new();
    for &(send, receive) in &known.edges {
        let senders = incoming.entry(receive).or_default();
        senders.push((send, latency(table, (send, receive))));
    }
    let mut times = known.trace.times();
    loop {
        let before = times.clone();
        for (number, location) in known.trace.locations.iter().enumerate() {
            let recorded = location.events.times();
            // The last sync event: its recorded time and displacement.
            let mut last = (0, 0);
            for index in 0..recorded.len() {
                let event = EventRef::new(LocationIndex(number as u32), index);
                let raw = recorded[index].0;
                let mut time = raw;
                if last.1 > 0 {
                    time += (last.1 - decay(kappa, raw - last.0)).max(0);
                }
                if delta > 0 && index > 0 {
                    time = time.max(times[number][index - 1].0 + delta);
                }
                for (send, latency) in incoming.get(&event).into_iter().flatten() {
                    let sent = before[send.location.index()][send.index as usize].0;
                    time = time.max(sent + latency);
                }
                times[number][index] = Timestamp(time);
                if sync.contains(&event) {
                    last = (raw, time - raw);
                }
            }
        }
        if times == before {
            return times;
        }
    }
}

/// Every event of a trace.
pub fn every_event(known: &Known) -> BTreeSet<EventRef> {
    let locations = known.trace.locations.iter().enumerate();
    let events = |(l, location): (usize, &mpiscope_model::Location)| {
        let l = LocationIndex(l as u32);
        (0..location.events.len()).map(move |index| EventRef::new(l, index))
    };
    locations.flat_map(events).collect()
}

/// A displacement at a time.
type Point = (i64, i64);

/// The ramps of one location, from what the forward sweep left.
pub struct Ramps {
    slope: i128,
    /// Each sync event, with its time and displacement.
    forward: Vec<(usize, Point)>,
    /// Those of them that jump.
    jumps: Vec<(usize, Point)>,
    /// Each send's event and limit.
    limits: Vec<(usize, Point)>,
    /// How far left a ramp reaches, and where it ends.
    reach: Vec<(usize, usize)>,
}

impl Ramps {
    pub fn new(
        known: &Known,
        location: usize,
        config: &Config,
        forward: &Times,
        table: &LatencyTable,
    ) -> Ramps {
        let recorded = known.trace.locations[location].events.times();
        let at = |event: EventRef| forward[event.location.index()][event.index as usize].0;
        let mut ramps = Ramps {
            slope: (4_294_967_296.0 / config.interval) as i128,
            forward: Vec::new(),
            jumps: Vec::new(),
            limits: Vec::new(),
            reach: Vec::new(),
        };
        for &(send, receive) in &known.edges {
            if send.location.index() == location {
                let raw = recorded[send.index as usize].0;
                let limit = at(receive) - latency(table, (send, receive)) - raw;
                ramps.limits.push((send.index as usize, (raw, limit)));
            }
        }
        for (index, &raw) in recorded.iter().enumerate() {
            let event = EventRef::new(LocationIndex(location as u32), index);
            if known.sync.contains(&event) {
                let offset = at(event) - raw.0;
                let rest = ramps.forward.last().map_or(0, |&(_, (time, last))| {
                    last - decay(config.control.kappa().unwrap(), raw.0 - time)
                });
                ramps.forward.push((index, (raw.0, offset)));
                if offset > rest.max(0) {
                    ramps.jumps.push((index, (raw.0, offset)));
                }
            }
        }
        let mut below = usize::MAX;
        while let Some(&(jump, point)) = ramps.jumps.iter().rev().find(|jump| jump.0 < below) {
            let met = ramps
                .forward
                .iter()
                .rev()
                .find(|&&(index, (time, offset))| {
                    index < jump && ramps.ramp(index, jump, point, time) <= i128::from(offset) << 32
                });
            let begin = met.map_or(0, |met| met.0);
            below = met.map_or(0, |met| met.0 + 1);
            ramps.reach.push((begin, jump));
        }
        ramps
    }

    /// Returns the displacement of an event on the highest ramp above it.
    pub fn at(&self, index: usize, time: i64) -> Option<i64> {
        let (begin, end) =
            *(self.reach.iter()).find(|&&(begin, end)| begin <= index && index < end)?;
        let within = self
            .jumps
            .iter()
            .filter(|jump| index < jump.0 && jump.0 <= end);
        let ramp = |&(jump, point): &(usize, Point)| self.ramp(begin, jump, point, time) >> 32;
        within.map(ramp).max().map(|offset| offset as i64)
    }

    /// The least that any of the limits since `begin`, alone or by the
    /// straight line between two of them, leave; in multiples of 2⁻³².
    fn ramp(&self, begin: usize, jump: usize, end: Point, time: i64) -> i128 {
        let before = self
            .limits
            .iter()
            .filter(|limit| begin <= limit.0 && limit.0 < jump);
        let points: Vec<Point> = before.map(|limit| limit.1).chain([end]).collect();
        let mut least = i128::MAX;
        for &(t1, o1) in points.iter().filter(|point| point.0 >= time) {
            let fall = i128::from(t1 - time) * self.slope;
            least = least.min((i128::from(o1) << 32) - fall);
            for &(t0, o0) in points.iter().filter(|point| point.0 <= time) {
                if t0 < t1 {
                    let rise = i128::from(o1 - o0) * i128::from(time - t0);
                    let rise = (rise << 32).div_euclid(i128::from(t1 - t0));
                    least = least.min((i128::from(o0) << 32) + rise);
                }
            }
        }
        least
    }
}
