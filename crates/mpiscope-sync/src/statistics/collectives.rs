//! The pairs of a collective operation, counted without visiting them.
//!
//! Per receiver the last sender of each [`Class`] is known in constant time;
//! mostly it came early enough, and then all did. Only if one did not are the
//! senders sorted, and those that came too late counted. Where pairs of hosts
//! have latencies of their own, the receivers concerned see them as a
//! [`Crowd`].

use mpiscope_model::{CollectiveMember, Duration, EventRef, LocationIndex};

use super::enters::Latest;
use super::{Awaited, Errors, Figures, Tally, View};
use crate::crowd::{Alike, Crowd, Ordered, Sender};
use crate::latency::Class;
use crate::logical::{CollectiveSync, From};

/// Counts the pairs of one collective operation after the other.
pub(super) struct Counter<'a> {
    view: &'a View<'a>,
    /// For each group that may be heard: those across, or everybody.
    groups: [Senders; 2],
    /// Members in the order of ranks, for scans.
    order: Vec<u32>,
    /// The same groups for receivers on hosts that have latencies of their own
    /// with others.
    crowds: Option<[Crowd<'a>; 2]>,
    /// Whether there are such receivers, and no location is a member twice.
    special: bool,
    distinct: bool,
    scratch: [Vec<Sender>; 2],
    seen: Vec<u32>,
}

/// Levels that have places: all classes but the farthest; that is everywhere.
const LEVELS: usize = Class::ALL.len() - 1;

/// The senders that some receivers hear, as far as they are added.
#[derive(Default)]
struct Senders {
    /// By process, clock, host and rack.
    levels: [Vec<Near>; LEVELS],
    all: Near,
    /// Whether the ordered ones below are filled.
    sorted: bool,
    ordered: [Ordered; Class::ALL.len()],
}

/// The senders of one place.
#[derive(Clone, Copy, Default)]
struct Near {
    count: u64,
    latest: Latest,
}

/// Where a member is: numbers of its place at each level.
#[derive(Clone, Copy)]
struct Seat {
    location: LocationIndex,
    keys: [u32; Class::ALL.len()],
}

impl Seat {
    /// What counts as one at a level.
    fn unit(&self, level: usize) -> u32 {
        match level {
            0 => self.location.0,
            _ => self.keys[level - 1],
        }
    }
}

impl<'a> Counter<'a> {
    pub fn new(view: &'a View<'a>) -> Counter<'a> {
        let highest = |numbers: &[u32]| numbers.iter().max().map_or(0, |&last| last as usize + 1);
        let places = |level: usize| vec![Near::default(); highest(&view.places.levels[level])];
        let senders = || Senders {
            levels: std::array::from_fn(places),
            ..Senders::default()
        };
        Counter {
            view,
            groups: [senders(), senders()],
            order: Vec::new(),
            crowds: (view.ground.as_ref())
                .map(|ground| [0; 2].map(|_| Crowd::new(ground, view.latencies))),
            special: false,
            distinct: false,
            scratch: Default::default(),
            seen: Vec::new(),
        }
    }

    /// Counts all pairs of members one of which waits for the other.
    pub fn collective<T: Tally>(&mut self, collective: &CollectiveSync, found: &mut T) {
        self.begin(collective);
        let members = collective.members;
        if collective.rule.from == From::Lower {
            self.order.clear();
            self.order.extend(0..members.len() as u32);
            self.order
                .sort_by_key(|&member| members[member as usize].rank);
            for at in 0..self.order.len() {
                let number = self.order[at];
                self.receive(collective, number, found);
                self.send(collective, number);
            }
        } else {
            let numbers = || 0..members.len() as u32;
            numbers().for_each(|number| self.send(collective, number));
            numbers().for_each(|number| self.receive(collective, number, found));
        }
        self.end(collective);
    }

    fn seat(&self, location: LocationIndex) -> Seat {
        let mut keys = [0; Class::ALL.len()];
        for (key, numbers) in keys.iter_mut().zip(&self.view.places.levels) {
            *key = numbers[location.index()];
        }
        Seat { location, keys }
    }

    /// Sorts the senders if any pair may be too early.
    fn begin(&mut self, collective: &CollectiveSync) {
        let view = self.view;
        let senders = || collective.members.iter().filter(|it| collective.sends(it));
        let receivers = collective
            .members
            .iter()
            .filter(|it| collective.receives(it));
        let last = senders().map(|it| view.at(it.enter)).max();
        let first = receivers.map(|it| view.at(it.exit)).min();
        let slowest = view.latencies.longest();
        let suspicious = match (last, first) {
            (Some(last), Some(first)) => last.saturating_add(slowest.0) > first,
            _ => false,
        };
        for group in 0..2 {
            self.groups[group].sorted = suspicious;
            if !suspicious {
                continue;
            }
            let heard = || senders().filter(|it| collective.heard_in(it) == group);
            for level in 0..Class::ALL.len() {
                let mut ordered = std::mem::take(&mut self.groups[group].ordered[level]);
                let key = |it: &CollectiveMember| self.seat(it.enter.location).keys[level];
                ordered.fill(heard().map(|it| (key(it), view.at(it.enter))));
                self.groups[group].ordered[level] = ordered;
            }
        }
        self.begin_crowds(collective, suspicious);
    }

    fn begin_crowds(&mut self, collective: &CollectiveSync, suspicious: bool) {
        let Some(crowds) = &mut self.crowds else {
            return;
        };
        let (view, members) = (self.view, collective.members);
        let is_special = |it: &&CollectiveMember| view.latencies.is_special(it.enter.location);
        self.special = members.iter().any(|it| is_special(&it));
        if !self.special {
            return;
        }
        self.distinct = are_distinct(&mut self.seen, members, |it| it.enter.location.0)
            && (collective.rule.from != From::Lower
                || are_distinct(&mut self.seen, members, |it| it.rank));
        if !self.distinct {
            return;
        }
        self.scratch.iter_mut().for_each(Vec::clear);
        for (number, member) in (0..).zip(members) {
            if collective.sends(member) {
                let sender = sender(view, member, number);
                self.scratch[collective.heard_in(member)].push(sender);
            }
        }
        for (crowd, senders) in crowds.iter_mut().zip(&self.scratch) {
            crowd.fill(senders, suspicious);
        }
    }

    fn send(&mut self, collective: &CollectiveSync, number: u32) {
        let member = &collective.members[number as usize];
        if !collective.sends(member) {
            return;
        }
        let seat = self.seat(member.enter.location);
        let group = collective.heard_in(member);
        self.groups[group].add(seat, self.view.at(member.enter));
        if let (Some(crowds), true, true) = (&mut self.crowds, self.special, self.distinct) {
            crowds[group].add(sender(self.view, member, number));
        }
    }

    fn receive<T: Tally>(&self, collective: &CollectiveSync, number: u32, found: &mut T) {
        let member = &collective.members[number as usize];
        if !collective.receives(member) {
            return;
        }
        let is_special = self.view.latencies.is_special(member.enter.location);
        let awaited = match is_special && !self.distinct {
            true => self.look_at_each(collective, member, found),
            false => self.look_at_classes(collective, number, is_special, found),
        };
        if let Some(awaited) = awaited {
            found.awaited(self.view, &awaited);
        }
    }

    /// Counts class by class; returns what was waited for. Which messages are
    /// too early depends on the host, too, if that is special.
    fn look_at_classes<T: Tally>(
        &self,
        collective: &CollectiveSync,
        number: u32,
        is_special: bool,
        found: &mut T,
    ) -> Option<Awaited> {
        let member = &collective.members[number as usize];
        let senders = &self.groups[collective.heard_by(member)];
        // Whose operation it is, whichever thread completed it.
        let seat = self.seat(member.enter.location);
        let exit = self.view.at(member.exit);
        let heard = collective.rule.from == From::Others
            && collective.heard_in(member) == collective.heard_by(member)
            && collective.sends(member);
        let own = heard.then(|| self.view.at(member.enter));
        let counts = senders.counts(seat, own.is_some());
        let mut awaited: Option<Awaited> = None;
        let mut too_early = [Errors::default(); Class::ALL.len()];
        if let (Some(crowds), true) = (&self.crowds, is_special) {
            let crowd = &crowds[collective.heard_by(member)];
            let itself = own.map(|_| sender(self.view, member, number));
            let mut last: Option<(Awaited, u32)> = None;
            let to = member.enter.location;
            crowd.heard(to, exit, itself, |class, alike| {
                let message = message_of(collective, member.exit, exit, class, &alike);
                if let Some(message) = message {
                    put_late(&mut too_early[class as usize], &alike, exit);
                    keep_later_or_first(message, &mut last);
                }
            });
            awaited = last.map(|(message, _)| message);
        }
        for class in Class::ALL {
            let mut figures = Figures {
                messages: counts[class as usize],
                ..Figures::default()
            };
            if let Some((time, location)) = senders.latest(seat, class) {
                let latency = self.view.latencies.of(class);
                let arrival = time.saturating_add(latency.0);
                let message = Awaited {
                    from: location,
                    receive: member.exit,
                    class,
                    sent: time,
                    received: exit,
                    latency,
                };
                if !is_special {
                    message.keep_later(&mut awaited);
                }
                let late = |after: i64| senders.after(seat, own, class, after);
                if time > exit {
                    put(&mut figures.reversed, late(exit), time.saturating_sub(exit));
                }
                if arrival > exit && !is_special {
                    let after = exit.saturating_sub(latency.0);
                    let worst = arrival.saturating_sub(exit);
                    put(&mut figures.too_early, late(after), worst);
                }
            }
            if is_special {
                figures.too_early = too_early[class as usize];
            }
            found.add(class, &figures);
        }
        awaited
    }

    /// The same sender by sender: if a damaged trace has a member twice.
    fn look_at_each<T: Tally>(
        &self,
        collective: &CollectiveSync,
        member: &CollectiveMember,
        found: &mut T,
    ) -> Option<Awaited> {
        let (view, here) = (self.view, member.enter.location);
        let hears = |sender: &&CollectiveMember| {
            let in_order = match collective.rule.from {
                From::Lower => sender.rank < member.rank,
                From::Others => sender.enter.location != here,
            };
            in_order
                && collective.sends(sender)
                && collective.heard_in(sender) == collective.heard_by(member)
        };
        let mut awaited: Option<Awaited> = None;
        for sender in collective.members.iter().filter(hears) {
            let from = sender.enter.location;
            let message = Awaited {
                from,
                receive: member.exit,
                class: view.places.class(from, here),
                sent: view.at(sender.enter),
                received: view.at(member.exit),
                latency: view.latencies.between(from, here),
            };
            let mut figures = Figures::default();
            figures.add(message.sent, message.received, message.latency);
            found.add(message.class, &figures);
            message.keep_later(&mut awaited);
        }
        awaited
    }

    /// Forgets the senders; only the places that were used are touched.
    fn end(&mut self, collective: &CollectiveSync) {
        for member in collective.members {
            let seat = self.seat(member.enter.location);
            for senders in &mut self.groups {
                senders.all = Near::default();
                for (places, key) in senders.levels.iter_mut().zip(seat.keys) {
                    places[key as usize] = Near::default();
                }
            }
        }
    }
}

impl Awaited {
    /// Keeps what arrives later; of equal ones the nearer, then the later sent.
    fn keep_later(self, kept: &mut Option<Awaited>) {
        if kept.as_ref().is_none_or(|kept| kept.key() < self.key()) {
            *kept = Some(self);
        }
    }

    fn key(&self) -> (i64, std::cmp::Reverse<Class>, i64) {
        let arrival = self.sent.saturating_add(self.latency.0);
        (arrival, std::cmp::Reverse(self.class), self.sent)
    }
}

/// Whether no two members have the same number.
fn are_distinct(
    seen: &mut Vec<u32>,
    members: &[CollectiveMember],
    number: impl Fn(&CollectiveMember) -> u32,
) -> bool {
    seen.clear();
    seen.extend(members.iter().map(number));
    seen.sort_unstable();
    seen.windows(2).all(|pair| pair[0] != pair[1])
}

fn sender(view: &View, member: &CollectiveMember, number: u32) -> Sender {
    Sender {
        location: member.enter.location,
        time: view.at(member.enter),
        number,
    }
}

/// The message of the last of some senders, and its number.
fn message_of(
    collective: &CollectiveSync,
    receive: EventRef,
    received: i64,
    class: Class,
    alike: &Alike,
) -> Option<(Awaited, u32)> {
    let (sent, number) = alike.last?;
    let message = Awaited {
        from: collective.members[number as usize].enter.location,
        receive,
        class,
        sent,
        received,
        latency: Duration(alike.latency),
    };
    Some((message, number))
}

/// Keeps what arrives later; of messages that do not differ in that, class and
/// time the one of the first member.
fn keep_later_or_first(message: (Awaited, u32), kept: &mut Option<(Awaited, u32)>) {
    let key = |(it, number): &(Awaited, u32)| (it.key(), std::cmp::Reverse(*number));
    if kept.as_ref().is_none_or(|kept| key(kept) < key(&message)) {
        *kept = Some(message);
    }
}

fn put_late(errors: &mut Errors, alike: &Alike, exit: i64) {
    let arrival = alike
        .last
        .map(|(time, _)| time.saturating_add(alike.latency));
    if let Some(arrival) = arrival.filter(|&arrival| arrival > exit) {
        put(errors, alike.late, arrival.saturating_sub(exit));
    }
}

fn put(errors: &mut Errors, (count, sum): (u64, i128), worst: i64) {
    errors.count += count;
    errors.sum += sum.unsigned_abs();
    errors.worst.0 = errors.worst.0.max(worst);
}

impl Senders {
    fn add(&mut self, seat: Seat, time: i64) {
        for level in 0..Class::ALL.len() {
            let near = match self.levels.get_mut(level) {
                Some(places) => &mut places[seat.keys[level] as usize],
                None => &mut self.all,
            };
            near.count += 1;
            near.latest.add(time, seat.unit(level), seat.location);
        }
        if self.sorted {
            for (ordered, key) in self.ordered.iter_mut().zip(seat.keys) {
                ordered.add(key, time);
            }
        }
    }

    /// The senders at a level that share a receiver's place.
    fn near(&self, seat: Seat, level: usize) -> &Near {
        match self.levels.get(level) {
            Some(places) => &places[seat.keys[level] as usize],
            None => &self.all,
        }
    }

    /// How many of each class a receiver hears; `itself` is not one of them.
    fn counts(&self, seat: Seat, itself: bool) -> [u64; Class::ALL.len()] {
        let mut nearer = u64::from(itself);
        std::array::from_fn(|level| {
            let count = self.near(seat, level).count;
            count - std::mem::replace(&mut nearer, count)
        })
    }

    /// The last of a class.
    fn latest(&self, seat: Seat, class: Class) -> Option<(i64, LocationIndex)> {
        let level = class as usize;
        self.near(seat, level).latest.other_than(seat.unit(level))
    }

    /// How many of a class entered after a time, and by how much all together.
    fn after(&self, seat: Seat, own: Option<i64>, class: Class, time: i64) -> (u64, i128) {
        let level = |level: usize| self.ordered[level].after(seat.keys[level], time);
        let all = level(class as usize);
        let nearer = match class as usize {
            0 => match own.filter(|&own| own > time) {
                Some(own) => (1, i128::from(own) - i128::from(time)),
                None => (0, 0),
            },
            farther => level(farther - 1),
        };
        (all.0 - nearer.0, all.1 - nearer.1)
    }
}
