//! The pairs of a collective operation, counted without visiting them.
//!
//! Per receiver the last sender of each [`Class`] is known in constant time;
//! mostly it came early enough, and then all did. Only if one did not are the
//! senders sorted, and those that came too late counted.

use mpiscope_model::{CollectiveMember, Duration, LocationIndex};

use super::enters::{Latest, Ordered};
use super::{Class, Errors, Messages, View};
use crate::logical::{From, Meeting};

/// Counts the pairs of one collective operation after the other.
pub(super) struct Counter<'a> {
    view: &'a View<'a>,
    /// For each group that may be heard: those across, or everybody.
    groups: [Senders; 2],
    /// Members in the order of ranks, for scans.
    order: Vec<u32>,
}

/// The senders that some receivers hear, as far as they are added.
#[derive(Default)]
struct Senders {
    count: u64,
    latest: Latest,
    by_clock: Vec<Near>,
    by_process: Vec<Near>,
    /// Whether the ordered ones below are filled.
    sorted: bool,
    ordered: [Ordered; 3],
}

/// The senders of one clock or process.
#[derive(Clone, Copy, Default)]
struct Near {
    count: u64,
    latest: Latest,
}

/// Where a member is.
#[derive(Clone, Copy)]
struct Seat {
    location: LocationIndex,
    process: u32,
    clock: u32,
}

impl<'a> Counter<'a> {
    pub fn new(view: &'a View<'a>) -> Counter<'a> {
        let highest = |numbers: &[u32]| numbers.iter().max().map_or(0, |&last| last as usize + 1);
        let senders = || Senders {
            by_clock: vec![Near::default(); highest(&view.places.clock)],
            by_process: vec![Near::default(); highest(&view.places.process)],
            ..Senders::default()
        };
        Counter {
            view,
            groups: [senders(), senders()],
            order: Vec::new(),
        }
    }

    /// Counts all pairs of members one of which waits for the other.
    pub fn meeting(&mut self, meeting: &Meeting, found: &mut Messages) {
        self.begin(meeting);
        let members = meeting.members;
        if meeting.rule.from == From::Lower {
            self.order.clear();
            self.order.extend(0..members.len() as u32);
            self.order
                .sort_by_key(|&member| members[member as usize].rank);
            for at in 0..self.order.len() {
                let member = &members[self.order[at] as usize];
                self.receive(meeting, member, found);
                self.send(meeting, member);
            }
        } else {
            members.iter().for_each(|member| self.send(meeting, member));
            for member in members {
                self.receive(meeting, member, found);
            }
        }
        self.end(meeting);
    }

    fn seat(&self, location: LocationIndex) -> Seat {
        let places = self.view.places;
        Seat {
            location,
            process: places.process[location.index()],
            clock: places.clock[location.index()],
        }
    }

    /// Sorts the senders if any pair may be too early.
    fn begin(&mut self, meeting: &Meeting) {
        let view = self.view;
        let senders = || meeting.members.iter().filter(|it| meeting.sends(it));
        let receivers = meeting.members.iter().filter(|it| meeting.receives(it));
        let last = senders().map(|it| view.at(it.enter)).max();
        let first = receivers.map(|it| view.at(it.exit)).min();
        let slowest = Class::ALL
            .map(|class| view.latency(class))
            .into_iter()
            .max();
        let suspicious = match (last, first) {
            (Some(last), Some(first)) => last.saturating_add(slowest.map_or(0, |it| it.0)) > first,
            _ => false,
        };
        for group in 0..2 {
            self.groups[group].sorted = suspicious;
            if !suspicious {
                continue;
            }
            let heard = || senders().filter(|it| meeting.heard_in(it) == group);
            let places = self.view.places;
            for (level, ordered) in self.groups[group].ordered.iter_mut().enumerate() {
                ordered.fill(heard().map(|it| {
                    let location = it.enter.location.index();
                    let keys = [places.process[location], places.clock[location], 0];
                    (keys[level], view.at(it.enter))
                }));
            }
        }
    }

    fn send(&mut self, meeting: &Meeting, member: &CollectiveMember) {
        if meeting.sends(member) {
            let seat = self.seat(member.enter.location);
            let time = self.view.at(member.enter);
            self.groups[meeting.heard_in(member)].add(seat, time);
        }
    }

    fn receive(&mut self, meeting: &Meeting, member: &CollectiveMember, found: &mut Messages) {
        if !meeting.receives(member) {
            return;
        }
        let senders = &self.groups[meeting.heard_by(member)];
        // Whose operation it is, whichever thread completed it.
        let seat = self.seat(member.enter.location);
        let exit = self.view.at(member.exit);
        let heard = meeting.rule.from == From::Others
            && meeting.heard_in(member) == meeting.heard_by(member)
            && meeting.sends(member);
        let own = heard.then(|| self.view.at(member.enter));
        let counts = senders.counts(seat, own.is_some());
        let latest = senders.latest(seat);
        let mut awaited: Option<(i64, LocationIndex, Duration)> = None;
        for class in Class::ALL {
            let figures = &mut found.classes[class as usize];
            figures.messages += counts[class as usize];
            let Some((time, location)) = latest[class as usize] else {
                continue;
            };
            let latency = self.view.latency(class);
            let arrival = time.saturating_add(latency.0);
            if awaited.is_none_or(|(sent, _, of)| sent.saturating_add(of.0) < arrival) {
                awaited = Some((time, location, latency));
            }
            let late = |after: i64| senders.after(seat, own, class, after);
            if time > exit {
                put(&mut figures.reversed, late(exit), time.saturating_sub(exit));
            }
            if arrival > exit {
                let after = exit.saturating_sub(latency.0);
                put(
                    &mut figures.too_early,
                    late(after),
                    arrival.saturating_sub(exit),
                );
            }
        }
        if let Some((sent, from, latency)) = awaited {
            let message = (sent, exit, latency);
            self.view.pair(from, member.exit.location, message, found);
        }
    }

    /// Forgets the senders; only the places that were used are touched.
    fn end(&mut self, meeting: &Meeting) {
        for member in meeting.members {
            let seat = self.seat(member.enter.location);
            for senders in &mut self.groups {
                senders.count = 0;
                senders.latest = Latest::default();
                senders.by_clock[seat.clock as usize] = Near::default();
                senders.by_process[seat.process as usize] = Near::default();
            }
        }
    }
}

fn put(errors: &mut Errors, (count, sum): (u64, i128), worst: i64) {
    errors.count += count;
    errors.sum += sum.unsigned_abs();
    errors.worst.0 = errors.worst.0.max(worst);
}

impl Senders {
    fn add(&mut self, seat: Seat, time: i64) {
        self.count += 1;
        self.latest.add(time, seat.clock, seat.location);
        let clock = &mut self.by_clock[seat.clock as usize];
        clock.count += 1;
        clock.latest.add(time, seat.process, seat.location);
        let process = &mut self.by_process[seat.process as usize];
        process.count += 1;
        process.latest.add(time, seat.location.0, seat.location);
        if self.sorted {
            for (ordered, key) in self.ordered.iter_mut().zip([seat.process, seat.clock, 0]) {
                ordered.add(key, time);
            }
        }
    }

    /// How many of each class a receiver hears; `itself` is not one of them.
    fn counts(&self, seat: Seat, itself: bool) -> [u64; 3] {
        let process = self.by_process[seat.process as usize].count;
        let clock = self.by_clock[seat.clock as usize].count;
        [
            process - u64::from(itself),
            clock - process,
            self.count - clock,
        ]
    }

    /// The last of each class.
    fn latest(&self, seat: Seat) -> [Option<(i64, LocationIndex)>; 3] {
        let process = &self.by_process[seat.process as usize].latest;
        let clock = &self.by_clock[seat.clock as usize].latest;
        [
            process.other_than(seat.location.0),
            clock.other_than(seat.process),
            self.latest.other_than(seat.clock),
        ]
    }

    /// How many of a class entered after a time, and by how much all together.
    fn after(&self, seat: Seat, own: Option<i64>, class: Class, time: i64) -> (u64, i128) {
        let keys = [seat.process, seat.clock, 0];
        let level = |class: usize| self.ordered[class].after(keys[class], time);
        let all = level(class as usize);
        let nearer = match class {
            Class::SameProcess => match own.filter(|&own| own > time) {
                Some(own) => (1, i128::from(own) - i128::from(time)),
                None => (0, 0),
            },
            Class::SameClock => level(0),
            Class::DifferentClocks => level(1),
        };
        (all.0 - nearer.0, all.1 - nearer.1)
    }
}
