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

/// Ramps have a slope in multiples of 2⁻³².
const ONE: i128 = 1 << 32;

/// The ramps of one location, from what the forward sweep left.
pub struct Ramps {
    slope: i128,
    /// How fast a displacement decays.
    kappa: f64,
    /// When the location begins.
    first: i64,
    /// Each sync event, with its time and displacement.
    forward: Vec<(usize, Point)>,
    /// Those of them that jump.
    jumps: Vec<(usize, Point)>,
    /// Each send's event and limit.
    limits: Vec<(usize, Point)>,
    /// From the event after which a ramp begins, if any, to its jump.
    ramps: Vec<(Option<usize>, Point, usize, Point)>,
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
            kappa: config.control.kappa().unwrap(),
            first: recorded.first().map_or(0, |first| first.0),
            forward: Vec::new(),
            jumps: Vec::new(),
            limits: Vec::new(),
            ramps: Vec::new(),
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
                    last - decay(ramps.kappa, raw.0 - time)
                });
                ramps.forward.push((index, (raw.0, offset)));
                if offset > rest.max(0) {
                    ramps.jumps.push((index, (raw.0, offset)));
                }
            }
        }
        let mut below = usize::MAX;
        while let Some(&(jump, end)) = ramps.last_jump(1, below) {
            let (after, begin) = ramps.interval(jump, end);
            ramps.split(after, begin, jump, end);
            below = after.map_or(0, |after| after + 1);
        }
        ramps
    }

    /// Returns the last jump among the events from `begin` on and before `end`.
    fn last_jump(&self, begin: usize, end: usize) -> Option<&(usize, Point)> {
        let within = |jump: &&(usize, Point)| begin <= jump.0 && jump.0 < end;
        self.jumps.iter().rev().find(within)
    }

    /// Returns the event after which the interval of a jump begins, and where
    /// the ideal line meets the forward curve, the limit of a send that cannot
    /// move, or the first event, which stays.
    fn interval(&self, jump: usize, end: Point) -> (Option<usize>, Point) {
        let line = |time: i64| (i128::from(end.1) << 32) - i128::from(end.0 - time) * self.slope;
        let stays = |&&(index, (time, offset)): &&(usize, Point)| {
            let limits = self.limits.iter().filter(|limit| limit.0 == index);
            let cannot = limits.into_iter().any(|limit| limit.1 .1 <= offset);
            index < jump && (index == 0 || cannot || line(time) <= i128::from(offset) << 32)
        };
        let (after, (from, offset)) = match self.forward.iter().rev().find(stays) {
            Some(&(index, point)) => (Some(index), point),
            None => (None, (self.first, 0)),
        };
        let share = (self.kappa * ONE as f64).round() as i128;
        let below = |time: i64| {
            let rest = (i128::from(offset) << 32) - i128::from(time - from) * share;
            line(time) <= rest.max(0)
        };
        let time = (from..=end.0).rev().find(|&time| below(time));
        let time = time.unwrap_or(from);
        let rest = offset - decay(self.kappa, time - from);
        (after, (time, rest.max(0)))
    }

    /// Notes the ramps of an interval: one to each jump that stays above the
    /// one that passes it.
    fn split(&mut self, after: Option<usize>, begin: Point, jump: usize, end: Point) {
        let first = after.map_or(0, |after| after + 1);
        let higher = (self.jumps.iter().rev()).find(|&&(inner, (time, offset))| {
            let within = first <= inner && inner < jump;
            within && self.curve(first, begin, jump, end, time) < offset
        });
        match higher.copied() {
            None => self.ramps.push((after, begin, jump, end)),
            Some((inner, point)) => {
                self.ramps.push((Some(inner), point, jump, end));
                self.split(after, begin, inner, point);
            }
        }
    }

    /// Returns the displacement of an event on the ramp above it.
    pub fn at(&self, index: usize, time: i64) -> Option<i64> {
        let under = |ramp: &&(Option<usize>, Point, usize, Point)| {
            ramp.0.is_none_or(|after| after < index) && ramp.1 .0 <= time && index < ramp.2
        };
        let &(after, begin, jump, end) = self.ramps.iter().find(under)?;
        let first = after.map_or(0, |after| after + 1);
        Some(self.curve(first, begin, jump, end, time))
    }

    /// The least that any of the limits of the events from `first` to the jump,
    /// alone or by the straight line between two of them, leave.
    fn curve(&self, first: usize, begin: Point, jump: usize, end: Point, time: i64) -> i64 {
        let within = |limit: &&(usize, Point)| first <= limit.0 && limit.0 < jump;
        let limits = self.limits.iter().filter(within).map(|limit| limit.1);
        let points: Vec<Point> = [begin].into_iter().chain(limits).chain([end]).collect();
        let mut least = i64::MAX;
        for &(t0, o0) in points.iter().filter(|point| point.0 <= time) {
            for &(t1, o1) in points.iter().filter(|point| point.0 >= time) {
                let rise = i128::from(o1 - o0) * i128::from(time - t0);
                least = least.min(match t1 - t0 {
                    0 => o0.min(o1),
                    length => o0 + rise.div_euclid(i128::from(length)) as i64,
                });
            }
        }
        least
    }
}
