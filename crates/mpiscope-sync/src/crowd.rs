//! The senders of one collective operation as a receiver sees them, whatever
//! latencies there are: by classes, and by pairs of hosts that have their own.
//!
//! How many entered after a time is a difference: those on the receiver's rack
//! less those on its host, and so on; of these, less those on hosts that have
//! a latency of their own with the receiver's, which are asked for apart. Who
//! was last is no difference; so senders stand in an order in which each of
//! these groups is one stretch or few, and a tree tells the last of a stretch.
//! N receivers and senders take N log N steps for each class, and for each
//! host that has a latency of its own with the receiver's.

mod ground;
mod ordered;

use std::cmp::Reverse;

use mpiscope_model::LocationIndex;

pub(crate) use ground::Ground;
pub(crate) use ordered::Ordered;

use crate::latency::Class;
use crate::steps;
use crate::table::{Hop, LatencyTable, Seat};
use ground::{Named, Span};

/// A member that others may wait for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sender {
    pub location: LocationIndex,
    pub time: i64,
    /// Its number; of senders at one time the first counts as the last.
    pub number: u32,
}

/// Senders that are alike for a receiver: of one class and latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Alike {
    pub latency: i64,
    /// The last of them: when, and its number.
    pub last: Option<(i64, u32)>,
    /// How many entered later than the latency before the receiver's exit,
    /// and by how much all together.
    pub late: (u64, i128),
}

/// What senders are counted by: the levels of classes, then clocks on named
/// hosts, and these hosts.
const GROUPS: usize = Class::ALL.len() + 2;
const SITES: usize = Class::ALL.len();
const NAMED: usize = SITES + 1;

/// When, and whose: later ones are greater, of those at one time the first.
type Last = Option<(i64, Reverse<u32>)>;

/// The senders of an operation, of which those count that were added.
pub(crate) struct Crowd<'a> {
    ground: &'a Ground,
    table: &'a LatencyTable,
    /// Where senders stand, in that order.
    places: Vec<u32>,
    /// Of pairs of neighbours, of these pairs, and so on the last; the senders
    /// themselves are the second half.
    tree: Vec<Last>,
    /// Empty unless late ones are counted.
    groups: [Ordered; GROUPS],
    counts: bool,
}

impl<'a> Crowd<'a> {
    pub fn new(ground: &'a Ground, table: &'a LatencyTable) -> Crowd<'a> {
        Crowd {
            ground,
            table,
            places: Vec::new(),
            tree: Vec::new(),
            groups: Default::default(),
            counts: false,
        }
    }

    /// Begins anew with senders of different locations, none of which counts
    /// yet; late ones are counted if `counts` says so.
    pub fn fill(&mut self, senders: &[Sender], counts: bool) {
        let ground = self.ground;
        self.places.clear();
        let places = senders.iter().map(|it| ground.place(it.location));
        self.places.extend(places);
        self.places.sort_unstable();
        steps::sort(self.places.len());
        self.tree.clear();
        self.tree.resize(2 * senders.len(), None);
        self.counts = counts;
        if counts {
            for group in 0..GROUPS {
                let key = |it: &Sender| (key(ground, it.location, group), it.time);
                self.groups[group].fill(senders.iter().map(key));
            }
        }
    }

    /// Lets one more sender count.
    pub fn add(&mut self, sender: Sender) {
        let place = self.ground.place(sender.location);
        let mut at = self.places.len() + self.up_to(place);
        self.tree[at] = Some((sender.time, Reverse(sender.number)));
        while at > 1 {
            steps::take(1);
            at /= 2;
            self.tree[at] = self.tree[2 * at].max(self.tree[2 * at + 1]);
        }
        if self.counts {
            for (group, ordered) in self.groups.iter_mut().enumerate() {
                ordered.add(key(self.ground, sender.location, group), sender.time);
            }
        }
    }

    /// Tells of each group of senders alike that a receiver hears, all but
    /// itself.
    pub fn heard(
        &self,
        to: LocationIndex,
        exit: i64,
        itself: Option<Sender>,
        mut tell: impl FnMut(Class, Alike),
    ) {
        let view = View {
            crowd: self,
            seat: self.ground.seat(to),
            around: self.ground.around(to),
            exit,
            itself: itself.map(|it| {
                let (from, place) = (it.location, self.ground.place(it.location));
                let near = self.ground.seat(from).process == self.ground.seat(to).process;
                let hop = match near {
                    true => Hop::of(Class::SameProcess),
                    false => self.table.hop(from, to),
                };
                (it.time, place, hop)
            }),
        };
        let partners = view.partners();
        for class in Class::ALL {
            tell(class, view.class(class, &partners));
        }
        for (partner, hop) in partners {
            for class in view.classes_of(partner) {
                tell(class, view.partner(partner, hop, class));
            }
        }
    }

    /// Returns how many senders but the receiver itself entered after a time,
    /// and by how much all together.
    pub(crate) fn later(&self, time: i64, itself: Option<Sender>) -> (u64, i128) {
        let mut later = self.groups[Class::Far as usize].after(0, time);
        if let Some(own) = itself.filter(|own| own.time > time) {
            take(&mut later, (1, i128::from(own.time) - i128::from(time)));
        }
        later
    }

    /// How many senders stand before a place.
    fn up_to(&self, place: u32) -> usize {
        steps::search(self.places.len());
        self.places.partition_point(|&it| it < place)
    }

    fn is_empty(&self, span: Span) -> bool {
        let first = self.places.get(self.up_to(span.0));
        first.is_none_or(|&first| first >= span.1)
    }

    /// The last of those between two places.
    fn last(&self, span: Span) -> Last {
        let senders = self.places.len();
        let mut from = senders + self.up_to(span.0);
        let mut to = senders + self.up_to(span.1);
        let mut last = None;
        while from < to {
            steps::take(1);
            if from % 2 == 1 {
                last = last.max(self.tree[from]);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                last = last.max(self.tree[to]);
            }
            (from, to) = (from / 2, to / 2);
        }
        last
    }

    /// The last of those in some stretches and not in others.
    fn last_but(&self, within: &[Span], mut but: Vec<Span>) -> Option<(i64, u32)> {
        but.sort_unstable();
        let mut last = None;
        for &(begin, end) in within {
            let mut at = begin;
            for &(out, back) in &but {
                steps::take(1);
                if out > at {
                    last = last.max(self.last((at, out.min(end))));
                }
                at = at.max(back);
                if at >= end {
                    break;
                }
            }
            if at < end {
                last = last.max(self.last((at, end)));
            }
        }
        last.map(|(time, Reverse(number))| (time, number))
    }
}

/// The group of a location: its number among those that are counted alike.
fn key(ground: &Ground, location: LocationIndex, group: usize) -> u32 {
    let seat = ground.seat(location);
    match group {
        SITES => site_key(ground, seat.clock, seat.named),
        NAMED => seat.named,
        level => at_level(&seat, level),
    }
}

fn site_key(ground: &Ground, clock: u32, named: u32) -> u32 {
    ground.site(clock, named).map_or(u32::MAX, |span| span.0)
}

fn at_level(seat: &Seat, level: usize) -> u32 {
    [seat.process, seat.clock, seat.host, seat.rack, 0][level]
}

/// What one receiver hears.
struct View<'a> {
    crowd: &'a Crowd<'a>,
    seat: Seat,
    around: [Span; 3],
    exit: i64,
    /// When it entered itself, where that is, and how far away.
    itself: Option<(i64, u32, Hop)>,
}

impl<'a> View<'a> {
    /// Hosts that have latencies of their own with this one's, if anybody
    /// there is a sender.
    fn partners(&self) -> Vec<(&'a Named, Hop)> {
        let ground = self.crowd.ground;
        let here = ground.named(self.seat.named);
        let partners = here.into_iter().flat_map(|here| &here.partners);
        partners
            .filter_map(|&(host, hop)| Some((ground.named(host)?, hop)))
            .filter(|(host, _)| !self.crowd.is_empty(host.span))
            .collect()
    }

    /// Senders of a class but for those on partners.
    fn class(&self, class: Class, partners: &[(&Named, Hop)]) -> Alike {
        let crowd = self.crowd;
        let latency = crowd.table.of(class).0;
        let [process, host, rack] = self.around;
        let clock = || crowd.ground.sites(self.seat.clock).iter().map(|it| it.1);
        let mut but: Vec<Span> = self.itself_at().into_iter().collect();
        if class != Class::SameProcess {
            but.extend(partners.iter().map(|it| it.0.span));
        }
        let last = match class {
            Class::SameProcess => crowd.last_but(&[process], but),
            Class::SameClock => {
                but.push(process);
                crowd.last_but(&clock().collect::<Vec<_>>(), but)
            }
            Class::SameHost => {
                but.extend(clock());
                crowd.last_but(&[host], but)
            }
            Class::SameRack => {
                but.push(host);
                crowd.last_but(&[rack], but)
            }
            Class::Far => {
                but.push(rack);
                crowd.last_but(&[(0, u32::MAX)], but)
            }
        };
        if !crowd.counts || last.is_none() {
            return Alike {
                latency,
                last,
                late: (0, 0),
            };
        }
        let after = self.exit.saturating_sub(latency);
        let level = class as usize;
        let mut late = self.at_level(level, after);
        if let Some(nearer) = level.checked_sub(1) {
            take(&mut late, self.at_level(nearer, after));
        }
        for &(partner, _) in partners {
            if self.classes_of(partner).any(|it| it == class) {
                take(&mut late, self.of_partner(partner, class, after));
            }
        }
        self.take_itself(&mut late, Hop::of(class), after);
        Alike {
            latency,
            last,
            late,
        }
    }

    /// Classes that senders on a partner may be of: those that read this one's
    /// clock, and the others.
    fn classes_of(&self, partner: &Named) -> impl Iterator<Item = Class> {
        let near = self.crowd.ground.site(self.seat.clock, partner.name);
        let others = match partner {
            _ if partner.host == self.seat.host => Class::SameHost,
            _ if partner.rack == self.seat.rack => Class::SameRack,
            _ => Class::Far,
        };
        near.map(|_| Class::SameClock).into_iter().chain([others])
    }

    /// Senders of a class that are on a partner.
    fn partner(&self, partner: &Named, hop: Hop, class: Class) -> Alike {
        let crowd = self.crowd;
        let latency = crowd.table.over(hop).0;
        let site = crowd.ground.site(self.seat.clock, partner.name);
        let mut but: Vec<Span> = self.itself_at().into_iter().collect();
        let last = match class {
            Class::SameClock => {
                but.push(self.around[0]);
                crowd.last_but(site.as_slice(), but)
            }
            _ => {
                but.extend(site);
                crowd.last_but(&[partner.span], but)
            }
        };
        let mut late = (0, 0);
        if crowd.counts && last.is_some() {
            let after = self.exit.saturating_sub(latency);
            late = self.of_partner(partner, class, after);
            let is_its = self.itself.is_some_and(|(_, place, _)| {
                let at_site = site.is_some_and(|site| within(site, place));
                within(partner.span, place) && at_site == (class == Class::SameClock)
            });
            if is_its {
                self.take_itself(&mut late, hop, after);
            }
        }
        Alike {
            latency,
            last,
            late,
        }
    }

    /// How many at one level with the receiver entered after a time.
    fn at_level(&self, level: usize, after: i64) -> (u64, i128) {
        self.crowd.groups[level].after(at_level(&self.seat, level), after)
    }

    /// The same for a class of senders on a partner.
    fn of_partner(&self, partner: &Named, class: Class, after: i64) -> (u64, i128) {
        let crowd = self.crowd;
        let site = site_key(crowd.ground, self.seat.clock, partner.name);
        let at_site = crowd.groups[SITES].after(site, after);
        let (mut late, nearer) = match class {
            Class::SameClock if partner.name == self.seat.named => {
                (at_site, self.at_level(0, after))
            }
            Class::SameClock => (at_site, (0, 0)),
            _ if site == u32::MAX => (crowd.groups[NAMED].after(partner.name, after), (0, 0)),
            _ => (crowd.groups[NAMED].after(partner.name, after), at_site),
        };
        take(&mut late, nearer);
        late
    }

    fn itself_at(&self) -> Option<Span> {
        self.itself.map(|(_, place, _)| (place, place + 1))
    }

    /// Nobody waits for itself.
    fn take_itself(&self, late: &mut (u64, i128), hop: Hop, after: i64) {
        if let Some((time, _, own)) = self.itself {
            if own == hop && time > after {
                take(late, (1, i128::from(time) - i128::from(after)));
            }
        }
    }
}

fn within(span: Span, place: u32) -> bool {
    span.0 <= place && place < span.1
}

fn take(from: &mut (u64, i128), some: (u64, i128)) {
    from.0 -= some.0;
    from.1 -= some.1;
}

#[cfg(test)]
mod tests;
