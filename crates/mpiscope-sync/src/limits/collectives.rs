//! The limits of a collective operation mirror the bounds of its receivers, the
//! earliest exit in place of the latest enter; they are computed when somebody
//! asks. When its receivers left, a part tells all others that have senders.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use mpiscope_model::CollectiveMember;

use super::Matched;
use crate::exchange::{rounds_of_operations, Exchange, Told};
use crate::latest::{Latest, NO_BOUND};
use crate::logical::{CollectiveSync, From};
use crate::receipts::NO_LIMIT;

/// Limits of the entries of a part's members.
pub(super) struct Collectives<'a> {
    matched: &'a Matched<'a>,
    me: usize,
    /// When each receiver left, of operations that this part has senders of.
    left: Vec<i64>,
    /// Limits of each member's entry, if it is one of this part.
    limits: Vec<AtomicI64>,
    /// Operations whose limits are computed. Should two threads do that at a
    /// time, they write the same.
    known: Vec<AtomicBool>,
}

impl<'a> Collectives<'a> {
    /// Takes when this part's receivers left, and is told when others did.
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
        if exchange.parts() > 1 {
            let operations = matched.known.matching.collectives.iter();
            for numbers in rounds_of_operations(operations.map(|it| it.members.len())) {
                let told = exchange.all_to_all(collectives.tell(numbers.clone()));
                collectives.hear(numbers, &mut Told::new(told));
            }
        }
        collectives
    }

    /// Returns when this part's receivers left some operations, for each part
    /// that has senders of these.
    fn tell(&self, numbers: Range<usize>) -> Vec<Vec<i64>> {
        let mut outgoing = vec![Vec::new(); self.matched.known.division.parts()];
        let mut mine = Vec::new();
        for (number, collective) in self.matched.operations(numbers) {
            let receivers = self.matched.receivers(number, collective);
            let left = receivers.filter(|it| self.part_left(it.1) == self.me);
            mine.clear();
            mine.extend(left.map(|(row, _)| self.left[row]));
            if !mine.is_empty() {
                let senders = self.matched.parts_of_senders(collective).into_iter();
                let others = senders.filter(|part| *part != self.me);
                others.for_each(|part| outgoing[part].extend(&mine));
            }
        }
        outgoing
    }

    /// Notes when receivers of other parts left.
    fn hear(&mut self, numbers: Range<usize>, told: &mut Told<i64>) {
        for (number, collective) in self.matched.operations(numbers) {
            if !(self.matched.parts_of_senders(collective)).contains(&self.me) {
                continue;
            }
            for (row, member) in self.matched.receivers(number, collective) {
                let part = self.part_left(member);
                if part != self.me {
                    self.left[row] = told.next_of(part).unwrap_or(NO_LIMIT);
                }
            }
        }
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
        if known.division.has(self.me, enter.0) {
            let limit = -latest.bound(known.latencies.place(enter), known.latencies);
            self.limits[row].store(limit, Ordering::Relaxed);
        }
    }
}

const _: () = assert!(-NO_BOUND == NO_LIMIT);

impl<'a> Matched<'a> {
    fn rows(&self, number: usize) -> Range<usize> {
        self.known.matching.collectives[number].members.clone()
    }

    /// Returns those of some operations that bind their members.
    fn operations(
        &self,
        numbers: Range<usize>,
    ) -> impl Iterator<Item = (usize, &'a CollectiveSync<'a>)> {
        let collectives = self.collectives[numbers.clone()].iter();
        let numbered = numbers.zip(collectives);
        numbered.filter_map(|(number, collective)| Some((number, collective.as_ref()?)))
    }

    /// Returns the receivers of an operation with their rows.
    fn receivers(
        &self,
        number: usize,
        collective: &'a CollectiveSync<'a>,
    ) -> impl Iterator<Item = (usize, &'a CollectiveMember)> {
        let rows = self.rows(number).zip(collective.members);
        rows.filter(|(_, member)| collective.receives(member))
    }

    /// Returns the parts that an operation's senders belong to.
    fn parts_of_senders(&self, collective: &CollectiveSync) -> Vec<usize> {
        let senders = collective.members.iter().filter(|it| collective.sends(it));
        let parts = senders.map(|it| self.known.division.part_of(it.enter.location.0));
        let mut parts: Vec<usize> = parts.collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }
}
