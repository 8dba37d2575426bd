//! The pairs of a collective operation, counted without visiting them.
//!
//! Per receiver the last sender of each [`Class`] is known in constant time;
//! mostly it came early enough, and then all did. Only if one did not are the
//! senders sorted, and those that came too late counted. Where pairs of hosts
//! have latencies of their own, the receivers concerned see them as a
//! [`Crowd`].

use mpiscope_model::{CollectiveMember, Duration, EventRef, LocationIndex};

use super::counted::Counted;
use super::moves::{Move, Moved};
use super::senders::{Near, Seat, Senders};
use super::view::View;
use super::{Errors, Figures};
use crate::crowd::{Alike, Crowd, Sender};
use crate::exchange::Told;
use crate::latency::Class;
use crate::logical::{CollectiveSync, From};
use crate::steps;

/// Counts the pairs of one collective operation after the other, column of
/// times by column.
pub(super) struct Counter<'a, const N: usize> {
    view: &'a View<'a, N>,
    /// Of the operation's members: times in each column, and what they do.
    times: [Vec<Ends>; N],
    /// The column that is counted in.
    column: usize,
    /// How exits of other parts' members were moved, by the member's number.
    moves: Vec<(u32, Move)>,
    parts: Vec<Part>,
    /// What was found in the last column.
    said: Said,
    /// For each group that may be heard: those across, or everybody.
    groups: [Senders; 2],
    /// Members in the order of ranks, for scans.
    order: Vec<u32>,
    /// The classes that pairs may be of.
    classes: Vec<Class>,
    /// The same groups for receivers on hosts that have latencies of their own
    /// with others.
    crowds: Option<[Crowd<'a>; 2]>,
    /// Whether there are such receivers, and no location is a member twice.
    special: bool,
    distinct: bool,
    scratch: [Vec<Sender>; 2],
    seen: Vec<u32>,
}

/// When a member entered and left.
#[derive(Clone, Copy, PartialEq)]
struct Ends {
    enter: i64,
    exit: i64,
}

/// What a member does.
#[derive(Clone, Copy)]
struct Part {
    sends: bool,
    receives: bool,
    /// The group that hears it, and the one that it hears.
    heard_in: u8,
    heard_by: u8,
}

/// What other parts told of the members of operations, in their order: times of
/// events in each column, and how exits were moved.
pub(super) struct Heard<const N: usize> {
    pub times: Told<[i64; N]>,
    pub moves: Told<Move>,
}

/// What was found in one column of times.
#[derive(Default)]
struct Said {
    classes: [Figures; Class::ALL.len()],
    awaited: Vec<Awaited>,
}

/// A message that a receiver waited for.
#[derive(Clone, Copy)]
struct Awaited {
    from: LocationIndex,
    /// Number of the receiver.
    to: u32,
    receive: EventRef,
    class: Class,
    sent: i64,
    received: i64,
    latency: Duration,
}

impl<'a, const N: usize> Counter<'a, N> {
    pub fn new(view: &'a View<'a, N>) -> Counter<'a, N> {
        let highest = |numbers: &[u32]| numbers.iter().max().map_or(0, |&last| last as usize + 1);
        let places =
            |level: usize| vec![Near::default(); highest(&view.known.places.levels[level])];
        let senders = || Senders {
            levels: std::array::from_fn(places),
            ..Senders::default()
        };
        Counter {
            view,
            times: [const { Vec::new() }; N],
            column: 0,
            moves: Vec::new(),
            parts: Vec::new(),
            said: Said::default(),
            classes: Vec::new(),
            groups: [senders(), senders()],
            order: Vec::new(),
            crowds: (view.known.ground.as_ref())
                .map(|ground| [0; 2].map(|_| Crowd::new(ground, view.known.latencies))),
            special: false,
            distinct: false,
            scratch: Default::default(),
            seen: Vec::new(),
        }
    }

    /// Takes the times of an operation's members.
    pub fn hear(&mut self, members: &[CollectiveMember], heard: &mut Heard<N>) {
        let view = self.view;
        self.times.iter_mut().for_each(Vec::clear);
        self.moves.clear();
        for (number, member) in (0..).zip(members) {
            steps::take(1);
            let enter = view.own_or_told(member.enter, &mut heard.times);
            let exit = view.own_or_told(member.exit, &mut heard.times);
            for (column, times) in self.times.iter_mut().enumerate() {
                let (enter, exit) = (enter[column], exit[column]);
                times.push(Ends { enter, exit });
            }
            if !view.is_mine(member.exit) {
                let moved = heard.moves.next_of(view.part_of(member.exit));
                self.moves.extend(moved.map(|moved| (number, moved)));
            }
        }
    }

    /// Counts all pairs of members one of which waits for the other, once their
    /// times are heard.
    pub fn collective(&mut self, collective: &CollectiveSync, found: &mut Counted<N>) {
        self.parts.clear();
        let part = |member| Part {
            sends: collective.sends(member),
            receives: collective.receives(member),
            heard_in: collective.heard_in(member) as u8,
            heard_by: collective.heard_by(member) as u8,
        };
        self.parts.extend(collective.members.iter().map(part));
        for column in 0..N {
            if column == 0 || self.times[column - 1] != self.times[column] {
                self.column = column;
                self.count(collective);
            }
            self.hand_over(column, found);
        }
    }

    /// Counts in one column of times.
    fn count(&mut self, collective: &CollectiveSync) {
        self.said.classes = Default::default();
        self.said.awaited.clear();
        self.begin(collective);
        let members = collective.members;
        if collective.rule.from == From::Lower {
            self.order.clear();
            self.order.extend(0..members.len() as u32);
            self.order
                .sort_by_key(|&member| members[member as usize].rank);
            for at in 0..self.order.len() {
                let number = self.order[at];
                self.receive(collective, number);
                self.send(collective, number);
            }
        } else {
            let numbers = || 0..members.len() as u32;
            numbers().for_each(|number| self.send(collective, number));
            numbers().for_each(|number| self.receive(collective, number));
        }
        self.end(collective);
    }

    /// Adds what was found to what is counted of a column.
    fn hand_over(&self, column: usize, found: &mut Counted<N>) {
        let known = self.view.known;
        for (own, class) in found.classes.iter_mut().zip(&self.said.classes) {
            own.figures[column].merge(class);
        }
        for message in &self.said.awaited {
            let from = known.group(message.from);
            let pair = found.pairs.of(from, known.group(message.receive.location));
            pair.figures[column].add(message.sent, message.received, message.latency);
            let moved = match column + 1 == N {
                true => self.moved(message),
                false => None,
            };
            if let Some(it) = moved {
                let arrival = message.sent.saturating_add(message.latency.0);
                let mut moved = Moved::default();
                moved.add(it, arrival);
                pair.moved.merge(&moved);
                found.classes[message.class as usize].moved.merge(&moved);
            }
        }
    }

    /// Returns how the event was moved that received a message, if that is
    /// looked at.
    fn moved(&self, message: &Awaited) -> Option<Move> {
        let receive = message.receive;
        if self.view.is_mine(receive) {
            let receiver = self.view.receiver(receive.location)?;
            return Some(receiver.at(receive.index));
        }
        let told = self.moves.binary_search_by_key(&message.to, |it| it.0);
        Some(self.moves[told.ok()?].1)
    }

    fn time(&self, number: u32) -> Ends {
        self.times[self.column][number as usize]
    }

    fn part(&self, number: u32) -> Part {
        self.parts[number as usize]
    }

    /// Numbers of members with what they do.
    fn parts(&self) -> impl Iterator<Item = (u32, &Part)> + Clone {
        (0..).zip(&self.parts)
    }

    fn seat(&self, location: LocationIndex) -> Seat {
        let mut keys = [0; Class::ALL.len()];
        for (key, numbers) in keys.iter_mut().zip(&self.view.known.places.levels) {
            *key = numbers[location.index()];
        }
        Seat { location, keys }
    }

    /// Sorts the senders if any pair may be too early.
    fn begin(&mut self, collective: &CollectiveSync) {
        let known = self.view.known;
        let ends = || self.parts.iter().zip(&self.times[self.column]);
        let last = ends().filter(|it| it.0.sends).map(|it| it.1.enter).max();
        let first = ends().filter(|it| it.0.receives).map(|it| it.1.exit).min();
        let slowest = known.latencies.longest();
        let suspicious = match (last, first) {
            (Some(last), Some(first)) => last.saturating_add(slowest.0) > first,
            _ => false,
        };
        self.begin_crowds(collective, suspicious);
        // A member that is there twice hears itself.
        let mut members = collective.members.windows(2);
        let ascend = members.all(|pair| pair[0].enter.location < pair[1].enter.location);
        self.classes.clear();
        match ascend && !self.special {
            true => self.classes.extend(&known.classes),
            false => self.classes.extend(Class::ALL),
        }
        for group in 0..2 {
            self.groups[group].sorted = suspicious;
            if !suspicious {
                continue;
            }
            for class in 0..self.classes.len() {
                let level = self.classes[class] as usize;
                let mut ordered = std::mem::take(&mut self.groups[group].ordered[level]);
                let heard = self.parts().zip(collective.members);
                let heard =
                    heard.filter(|((_, it), _)| it.sends && usize::from(it.heard_in) == group);
                let key = |it: &CollectiveMember| self.seat(it.enter.location).keys[level];
                ordered.fill(heard.map(|((number, _), it)| (key(it), self.time(number).enter)));
                self.groups[group].ordered[level] = ordered;
            }
        }
    }

    fn begin_crowds(&mut self, collective: &CollectiveSync, suspicious: bool) {
        let Some(crowds) = &mut self.crowds else {
            return;
        };
        let (known, members) = (self.view.known, collective.members);
        let is_special = |it: &&CollectiveMember| known.latencies.is_special(it.enter.location);
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
        for ((number, member), (part, times)) in
            ((0..).zip(members)).zip(self.parts.iter().zip(&self.times[self.column]))
        {
            if part.sends {
                let sender = sender(member, number, times.enter);
                self.scratch[usize::from(part.heard_in)].push(sender);
            }
        }
        for (crowd, senders) in crowds.iter_mut().zip(&self.scratch) {
            crowd.fill(senders, suspicious);
        }
    }

    fn send(&mut self, collective: &CollectiveSync, number: u32) {
        let (member, part) = (&collective.members[number as usize], self.part(number));
        if !part.sends {
            return;
        }
        let (seat, time) = (self.seat(member.enter.location), self.time(number).enter);
        let group = usize::from(part.heard_in);
        self.groups[group].add(&self.classes, seat, time);
        if let (Some(crowds), true, true) = (&mut self.crowds, self.special, self.distinct) {
            crowds[group].add(sender(member, number, time));
        }
    }

    fn receive(&mut self, collective: &CollectiveSync, number: u32) {
        if !self.part(number).receives {
            return;
        }
        let member = &collective.members[number as usize];
        let is_special = self.view.known.latencies.is_special(member.enter.location);
        let mut said = std::mem::take(&mut self.said);
        let awaited = match is_special && !self.distinct {
            true => self.look_at_each(collective, number, &mut said.classes),
            false => self.look_at_classes(collective, number, is_special, &mut said.classes),
        };
        said.awaited.extend(awaited);
        self.said = said;
    }

    /// Counts class by class; returns what was waited for. Which messages are
    /// too early depends on the host, too, if that is special.
    fn look_at_classes(
        &self,
        collective: &CollectiveSync,
        number: u32,
        is_special: bool,
        found: &mut [Figures; Class::ALL.len()],
    ) -> Option<Awaited> {
        let (member, part) = (&collective.members[number as usize], self.part(number));
        let group = usize::from(part.heard_by);
        let senders = &self.groups[group];
        // Whose operation it is, whichever thread completed it.
        let seat = self.seat(member.enter.location);
        let Ends { enter, exit } = self.time(number);
        let heard =
            collective.rule.from == From::Others && part.heard_in == part.heard_by && part.sends;
        let own = heard.then_some(enter);
        let mut nearer = u64::from(heard);
        let mut finer: Option<Class> = None;
        let mut awaited: Option<Awaited> = None;
        let mut too_early = [Errors::default(); Class::ALL.len()];
        if let (Some(crowds), true) = (&self.crowds, is_special) {
            let crowd = &crowds[group];
            let itself = own.map(|own| sender(member, number, own));
            let mut last: Option<(Awaited, u32)> = None;
            let to = member.enter.location;
            crowd.heard(to, exit, itself, |class, alike| {
                let message = message_of(collective, number, exit, class, &alike);
                if let Some(message) = message {
                    put_late(&mut too_early[class as usize], &alike, exit);
                    keep_later_or_first(message, &mut last);
                }
            });
            awaited = last.map(|(message, _)| message);
        }
        for &class in &self.classes {
            steps::take(1);
            let figures = &mut found[class as usize];
            let count = senders.near(seat, class as usize).count;
            figures.messages += count - std::mem::replace(&mut nearer, count);
            let below = finer.replace(class);
            if let Some((time, location)) = senders.latest(seat, class) {
                let latency = self.view.known.latencies.of(class);
                let arrival = time.saturating_add(latency.0);
                let message = Awaited {
                    from: location,
                    to: number,
                    receive: member.exit,
                    class,
                    sent: time,
                    received: exit,
                    latency,
                };
                if !is_special {
                    message.keep_later(&mut awaited);
                }
                let late = |after: i64| senders.after(seat, own, [below, Some(class)], after);
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
                figures.too_early.merge(&too_early[class as usize]);
            }
        }
        awaited
    }

    /// The same sender by sender: if a damaged trace has a member twice.
    fn look_at_each(
        &self,
        collective: &CollectiveSync,
        number: u32,
        found: &mut [Figures; Class::ALL.len()],
    ) -> Option<Awaited> {
        let (known, member) = (self.view.known, &collective.members[number as usize]);
        let (here, heard_by) = (member.enter.location, self.part(number).heard_by);
        let hears = |(sender, (_, part)): &(&CollectiveMember, (u32, &Part))| {
            let in_order = match collective.rule.from {
                From::Lower => sender.rank < member.rank,
                From::Others => sender.enter.location != here,
            };
            in_order && part.sends && part.heard_in == heard_by
        };
        let mut awaited: Option<Awaited> = None;
        let members = collective.members.iter().zip(self.parts());
        for (sender, (other, _)) in members.inspect(|_| steps::take(1)).filter(hears) {
            let from = sender.enter.location;
            let message = Awaited {
                from,
                to: number,
                receive: member.exit,
                class: known.places.class(from, here),
                sent: self.time(other).enter,
                received: self.time(number).exit,
                latency: known.latencies.between(from, here),
            };
            found[message.class as usize].add(message.sent, message.received, message.latency);
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
                for &class in &self.classes {
                    let level = class as usize;
                    if let Some(places) = senders.levels.get_mut(level) {
                        places[seat.keys[level] as usize] = Near::default();
                    }
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

fn sender(member: &CollectiveMember, number: u32, time: i64) -> Sender {
    Sender {
        location: member.enter.location,
        time,
        number,
    }
}

/// The message of the last of some senders, and its number.
fn message_of(
    collective: &CollectiveSync,
    to: u32,
    received: i64,
    class: Class,
    alike: &Alike,
) -> Option<(Awaited, u32)> {
    let (sent, number) = alike.last?;
    let message = Awaited {
        from: collective.members[number as usize].enter.location,
        to,
        receive: collective.members[to as usize].exit,
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
