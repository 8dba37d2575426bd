//! The limits of a collective operation mirror the bounds of its receivers, the
//! earliest exit in place of the latest enter; they are computed when somebody
//! asks. The home of an operation is told when receivers of other parts left, and
//! answers with the limits of their senders.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use mpiscope_model::CollectiveMember;

use super::Matched;
use crate::exchange::{Exchange, Told};
use crate::latest::{Latest, NO_BOUND};
use crate::logical::{CollectiveSync, From};
use crate::receipts::NO_LIMIT;

/// Limits of the entries of a part's members.
pub(super) struct Collectives<'a> {
    matched: &'a Matched<'a>,
    me: usize,
    /// When each receiver left, of operations that this part is home of.
    left: Vec<i64>,
    /// Limits of each member's entry: of those of this part, and of its guests.
    limits: Vec<AtomicI64>,
    /// Operations whose limits are known. Should two threads compute them at a
    /// time, they write the same.
    known: Vec<AtomicBool>,
}

impl<'a> Collectives<'a> {
    /// Takes when this part's receivers left; tells it to the homes of their
    /// operations, and is told what follows.
    pub fn new<E: Exchange>(
        exchange: &E,
        matched: &'a Matched<'a>,
        left: Vec<i64>,
    ) -> Collectives<'a> {
        let operations = matched.collectives.iter();
        let mut collectives = Collectives {
            matched,
            me: exchange.me(),
            limits: left.iter().map(|_| AtomicI64::new(NO_LIMIT)).collect(),
            left,
            known: operations.map(|_| AtomicBool::new(false)).collect(),
        };
        let mut latest = Default::default();
        for numbers in &matched.operations {
            let told = exchange.all_to_all(collectives.tell(numbers));
            collectives.hear(numbers, &mut Told::new(told));
            let answers = exchange.all_to_all(collectives.answer(numbers, &mut latest));
            collectives.take(numbers, &mut Told::new(answers));
        }
        collectives
    }

    /// Returns when this part's receivers left some operations, for the home of each.
    fn tell(&self, numbers: &[u32]) -> Vec<Vec<i64>> {
        let mut outgoing = vec![Vec::new(); self.matched.known.division.parts()];
        for (number, collective, home) in self.matched.operations(numbers) {
            if home != self.me {
                let receivers = self.matched.receivers(number, collective);
                let left = receivers.filter(|it| self.part_left(it.1) == self.me);
                outgoing[home].extend(left.map(|(row, _)| self.left[row]));
            }
        }
        outgoing
    }

    /// Notes when receivers of other parts left operations that are at home here.
    fn hear(&mut self, numbers: &[u32], told: &mut Told<i64>) {
        for (number, collective, _) in self.matched.at_home(numbers, self.me) {
            for (row, member) in self.matched.receivers(number, collective) {
                let part = self.part_left(member);
                if part != self.me {
                    self.left[row] = told.next_of(part).unwrap_or(NO_LIMIT);
                }
            }
        }
    }

    /// Returns the limits of other parts' senders in these operations.
    fn answer(&self, numbers: &[u32], latest: &mut [Latest; 2]) -> Vec<Vec<i64>> {
        let mut outgoing = vec![Vec::new(); self.matched.known.division.parts()];
        for (number, collective, _) in self.matched.at_home(numbers, self.me) {
            for (row, member) in self.matched.senders(number, collective) {
                let part = self.part_entered(member);
                if part != self.me {
                    outgoing[part].push(self.of(row, latest));
                }
            }
        }
        outgoing
    }

    /// Notes the limits of this part's senders in operations that are at home elsewhere.
    fn take(&mut self, numbers: &[u32], told: &mut Told<i64>) {
        for (number, collective, home) in self.matched.operations(numbers) {
            if home == self.me {
                continue;
            }
            for (row, member) in self.matched.senders(number, collective) {
                if self.part_entered(member) == self.me {
                    *self.limits[row].get_mut() = told.next_of(home).unwrap_or(NO_LIMIT);
                }
            }
            *self.known[number].get_mut() = true;
        }
    }

    fn part_entered(&self, member: &CollectiveMember) -> usize {
        self.matched.known.division.part_of(member.enter.location.0)
    }

    /// Returns the part that knows when a member left.
    fn part_left(&self, member: &CollectiveMember) -> usize {
        self.matched.known.division.part_of(member.exit.location.0)
    }

    /// Returns the limit of a member's entry.
    pub fn of(&self, member: usize, latest: &mut [Latest; 2]) -> i64 {
        let number = self.matched.of_member[member] as usize;
        if !self.known[number].load(Ordering::Acquire) {
            if let Some(collective) = &self.matched.collectives[number] {
                latest.iter_mut().for_each(Latest::clear);
                match collective.rule.from {
                    From::Lower => self.scan(number, collective, latest),
                    From::Others => self.all(number, collective, latest),
                }
            }
            self.known[number].store(true, Ordering::Release);
        }
        self.limits[member].load(Ordering::Relaxed)
    }

    /// Everybody's limit, from all exits.
    fn all(&self, number: usize, collective: &CollectiveSync, latest: &mut [Latest; 2]) {
        let members = &self.matched.known.matching.members;
        for row in self.matched.rows(number) {
            let group = collective.heard_by(&members[row]);
            self.add(row, collective, &mut latest[group]);
        }
        for row in self.matched.rows(number) {
            let group = collective.heard_in(&members[row]);
            self.limit(row, &latest[group]);
        }
    }

    /// Everybody's limit, from the exits of higher ranks.
    fn scan(&self, number: usize, collective: &CollectiveSync, latest: &mut [Latest; 2]) {
        let members = &self.matched.known.matching.members;
        let mut in_order: Vec<usize> = self.matched.rows(number).collect();
        in_order.sort_by_key(|&row| members[row].rank);
        for row in in_order.into_iter().rev() {
            self.limit(row, &latest[0]);
            self.add(row, collective, &mut latest[0]);
        }
    }

    /// Adds a receiver's exit; negated, the earliest is the latest.
    fn add(&self, row: usize, collective: &CollectiveSync, latest: &mut Latest) {
        let known = &self.matched.known;
        let member = &known.matching.members[row];
        if collective.receives(member) && self.left[row] != NO_LIMIT {
            let place = known.latencies.place(member.exit.location);
            latest.add(self.left[row].saturating_neg(), place);
        }
    }

    fn limit(&self, row: usize, latest: &Latest) {
        let known = &self.matched.known;
        let enter = known.matching.members[row].enter.location;
        let limit = -latest.bound(known.latencies.place(enter), known.latencies);
        self.limits[row].store(limit, Ordering::Relaxed);
    }
}

const _: () = assert!(-NO_BOUND == NO_LIMIT);

impl<'a> Matched<'a> {
    fn rows(&self, number: usize) -> Range<usize> {
        self.known.matching.collectives[number].members.clone()
    }

    /// Returns those of some operations that bind their members, with their homes.
    fn operations<'n>(
        &'n self,
        numbers: &'n [u32],
    ) -> impl Iterator<Item = (usize, &'a CollectiveSync<'a>, usize)> + 'n {
        numbers.iter().filter_map(|&number| {
            let number = number as usize;
            let home = self.known.division.home(self.known.matching, number)?;
            Some((number, self.collectives[number].as_ref()?, home))
        })
    }

    /// Returns those that are at home in a part.
    fn at_home<'n>(
        &'n self,
        numbers: &'n [u32],
        part: usize,
    ) -> impl Iterator<Item = (usize, &'a CollectiveSync<'a>, usize)> + 'n {
        self.operations(numbers)
            .filter(move |(_, _, home)| *home == part)
    }

    /// Returns the receivers of an operation with their rows.
    fn receivers(
        &self,
        number: usize,
        collective: &'a CollectiveSync<'a>,
    ) -> impl Iterator<Item = (usize, &'a CollectiveMember)> {
        self.members(number, collective)
            .filter(|(_, member)| collective.receives(member))
    }

    /// Returns the senders of an operation with their rows.
    fn senders(
        &self,
        number: usize,
        collective: &'a CollectiveSync<'a>,
    ) -> impl Iterator<Item = (usize, &'a CollectiveMember)> {
        self.members(number, collective)
            .filter(|(_, member)| collective.sends(member))
    }

    fn members(
        &self,
        number: usize,
        collective: &'a CollectiveSync<'a>,
    ) -> impl Iterator<Item = (usize, &'a CollectiveMember)> {
        self.rows(number).zip(collective.members)
    }
}
