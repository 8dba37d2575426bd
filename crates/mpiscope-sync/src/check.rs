//! Looks whether times obey the clock condition, by means of its own.
//!
//! Nothing here is shared with the correction, nor with the matching it uses,
//! but for the minimum latencies that both are given:
//! messages are paired by number on their channel, collective operations are
//! looked at pair by pair, or where many pairs are wrong as a [crowd](crate::crowd), and
//! each other wait is found by walking through the events as they stand. A
//! mistake would have to be made twice to stay hidden.

mod calls;
mod collectives;
mod found;
mod messages;
mod party;
mod regions;
mod seen;
mod threads;
mod windows;

use std::collections::BTreeMap;

use mpiscope_model::{
    Assumptions, CollectiveOp, Duration, Events, LocationIndex, Note, Timestamp, Trace,
};
use rayon::prelude::*;

use crate::crowd::Ground;
use crate::table::LatencyTable;
use collectives::Party;
use found::Found;
use messages::Message;
use seen::{At, Process};

/// What was found wrong, and how much was looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Violations {
    /// Matched point-to-point messages.
    pub point_to_point: u64,
    /// Logical messages between different locations: point-to-point, and each
    /// pair of members of a collective operation one of which waits for the
    /// other.
    pub logical: u64,
    /// Logical messages received before they were sent, by how much.
    pub reversed: Tally,
    /// Those of them that are point-to-point messages.
    pub reversed_point_to_point: Tally,
    /// Logical messages received sooner than the minimum latency after they
    /// were sent, by how much; includes those reversed.
    pub clock_condition: Tally,
    /// Events whose time lies before that of an earlier event in its location.
    pub backward_steps: u64,
}

/// How many, and how far off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many.
    pub count: u64,
    /// The worst.
    pub worst: Duration,
    /// The mean, in ns.
    pub mean: f64,
}

/// Checks `times`, one column per location, against the clock condition.
///
/// Missing times count as unchecked: a shorter column is looked at as far as
/// it goes.
pub fn check(trace: &Trace, times: &[Vec<Timestamp>], latencies: &LatencyTable) -> Violations {
    check_assuming(&Assumptions::default(), trace, times, latencies)
}

/// Checks times where not the usual calls are taken to be barriers.
pub fn check_assuming(
    assumptions: &Assumptions,
    trace: &Trace,
    times: &[Vec<Timestamp>],
    latencies: &LatencyTable,
) -> Violations {
    let steps = |column: &Vec<Timestamp>| {
        let backward = column.windows(2).filter(|pair| pair[1] < pair[0]);
        backward.count() as u64
    };
    let checker = Checker { times, latencies };
    Violations {
        backward_steps: times.par_iter().map(steps).sum(),
        ..checker.all(trace, assumptions).violations()
    }
}

#[derive(Clone, Copy)]
struct Checker<'a> {
    times: &'a [Vec<Timestamp>],
    latencies: &'a LatencyTable,
}

impl Checker<'_> {
    fn time(&self, (location, event): At) -> Option<Timestamp> {
        self.times.get(location)?.get(event).copied()
    }

    /// Looks at one logical message.
    fn pair(&self, sent: At, received: At, point_to_point: bool, found: &mut Found) {
        if sent.0 == received.0 {
            return;
        }
        found.logical += 1;
        self.compare(sent, received, point_to_point, found);
    }

    fn compare(&self, sent: At, received: At, point_to_point: bool, found: &mut Found) {
        let (Some(send), Some(receive)) = (self.time(sent), self.time(received)) else {
            return;
        };
        if receive < send {
            found.reversed.add(send - receive);
            if point_to_point {
                found.reversed_point_to_point.add(send - receive);
            }
        }
        let (from, to) = (
            LocationIndex(sent.0 as u32),
            LocationIndex(received.0 as u32),
        );
        let earliest = send + self.latencies.between(from, to);
        if receive < earliest {
            found.clock_condition.add(earliest - receive);
        }
    }

    /// Looks at messages and probes; returns the messages, if any may be
    /// synchronous.
    fn messages(&self, trace: &Trace, processes: &[Process]) -> (Found, Vec<Message>) {
        let keep = regions::may_be_synchronous(trace);
        let parts = messages::messages(trace, processes, |messages| {
            let mut found = Found::default();
            let mut kept = Vec::new();
            for message in messages {
                found.point_to_point += u64::from(!message.probe);
                self.pair(message.sent, message.received, !message.probe, &mut found);
                if keep {
                    kept.push(message);
                }
            }
            (found, kept)
        });
        let (found, kept): (Vec<Found>, Vec<Vec<Message>>) = parts.into_iter().unzip();
        let found = found.into_iter().fold(Found::default(), Found::and);
        (found, kept.into_iter().flatten().collect())
    }

    fn all(self, trace: &Trace, assumptions: &Assumptions) -> Found {
        let processes = seen::in_order(trace);
        let (found, messages) = self.messages(trace, &processes);
        let mut waits: Vec<(At, At)> = Vec::new();
        let mut parties = collectives::parties(trace, &processes);
        let among_neighbors = |party: &&Party| collectives::is_among_neighbors(party);
        for party in parties.iter().filter(among_neighbors) {
            if collectives::agree(party) {
                waits.extend(collectives::edges(trace, party));
            }
        }
        if any(trace, |events| !events.threads().is_empty()) {
            let (of_teams, barriers) = threads::teams(trace);
            waits.extend(of_teams);
            parties.extend(barriers);
            waits.extend(threads::created(trace));
            waits.extend(threads::locks(trace));
            waits.extend(threads::tasks(trace));
        }
        if any(trace, |events| !events.one_sided().is_empty()) {
            let calls = regions::calls_of(trace, |_| true);
            parties.extend(windows::fences(trace));
            waits.extend(windows::epochs(trace, &calls));
            waits.extend(windows::notifications(trace));
            waits.extend(windows::locks(trace, &calls));
        }
        parties.extend(regions::creations(trace));
        parties.extend(regions::ends(trace, assumptions));
        waits.extend(regions::synchronous(trace, &processes, &messages));
        waits.extend(signals(trace));
        waits.sort_unstable();
        waits.dedup();
        let of_waits = Found::in_all(&waits, |&(sent, received), found| {
            self.pair(sent, received, false, found);
        });
        let ground = Ground::new(self.latencies);
        let of_parties = Found::in_all(&parties, |party, found| {
            let op = party.members.first().map(|member| member.collective.op);
            if op.is_some_and(|op| holds(assumptions, op)) && collectives::agree(party) {
                party::look(&self, &ground, party, found);
            }
        });
        found.and(of_waits).and(of_parties)
    }
}

/// Whether anything follows from an operation under these assumptions.
fn holds(assumptions: &Assumptions, op: CollectiveOp) -> bool {
    use CollectiveOp::{CreateHandle, CreateHandleAndAllocate};
    assumptions.creation || !matches!(op, CreateHandle | CreateHandleAndAllocate)
}

fn any(trace: &Trace, wanted: impl Fn(&Events) -> bool) -> bool {
    let mut locations = trace.locations.iter();
    locations.any(|location| wanted(&location.events))
}

/// What awaits a number, with all that signal it.
fn signals(trace: &Trace) -> Vec<(At, At)> {
    let mut signals: BTreeMap<u64, Vec<At>> = BTreeMap::new();
    let mut awaits = Vec::new();
    for (number, location) in trace.locations.iter().enumerate() {
        for &(index, note) in location.events.notes() {
            let at = (number, index as usize);
            match note {
                Note::Signal(number) => signals.entry(number).or_default().push(at),
                Note::Await(number) => awaits.push((number, at)),
                _ => {}
            }
        }
    }
    let sent = |number: &u64| signals.get(number).into_iter().flatten().copied();
    let pairs = |(number, at): &(u64, At)| sent(number).map(|sent| (sent, *at)).collect();
    awaits.iter().flat_map::<Vec<_>, _>(pairs).collect()
}
