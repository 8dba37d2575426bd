//! How late each sender could have sent: the limits of backward amortization.
//!
//! A message that was received at LC may not have been sent after LC less its
//! minimum latency. Only times of the forward sweep count, so it does not
//! matter in which order locations are smoothed. The limits of a collective
//! operation mirror the bounds of its receivers, the earliest exit in place
//! of the latest enter; they are computed when somebody asks.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::Arc;

use mpiscope_model::Matching;

use crate::exchange::Division;
use crate::latest::{Latest, NO_BOUND};
use crate::links::Slots;
use crate::logical::{CollectiveSync, From};
use crate::records::{Record, Role};
use crate::table::LatencyTable;

/// No limit: after all times.
pub(crate) const NO_LIMIT: i64 = i64::MAX;

/// The limits of all senders; asked for on any thread.
pub(crate) struct Limits<'a> {
    pub matching: &'a Matching,
    pub collectives: &'a [Option<CollectiveSync<'a>>],
    pub latencies: &'a LatencyTable,
    pub of_member: Arc<[u32]>,
    /// Which part keeps the limit of a message: its receiver's.
    pub division: Division,
    /// Per part and logical message.
    pub sent: Vec<Slots>,
    /// When each member of a collective operation left it, if it is a receiver.
    pub left: Vec<i64>,
    /// Limits of each member's entry.
    limits: Vec<AtomicI64>,
    /// Operations whose limits are computed. Should two threads do that at a
    /// time, they write the same.
    known: Vec<AtomicBool>,
}

impl<'a> Limits<'a> {
    /// Takes what the forward sweep left.
    pub fn new(
        matching: &'a Matching,
        collectives: &'a [Option<CollectiveSync<'a>>],
        latencies: &'a LatencyTable,
        of_member: Arc<[u32]>,
        division: Division,
        sent: Vec<Slots>,
        left: Vec<i64>,
    ) -> Limits<'a> {
        Limits {
            matching,
            collectives,
            latencies,
            of_member,
            division,
            sent,
            limits: left.iter().map(|_| AtomicI64::new(NO_LIMIT)).collect(),
            left,
            known: collectives.iter().map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Has receivers limit nobody.
    pub fn free(&mut self, freed: &[(Role, u32)]) {
        for &(role, link) in freed {
            match role {
                Role::Exit => self.left[link as usize] = NO_LIMIT,
                _ => self.sent[0].set(link, NO_LIMIT),
            }
        }
    }

    fn sent(&self, record: &Record) -> &Slots {
        match &self.sent[..] {
            [all] => all,
            parts => &parts[self.division.part_of(record.peer)],
        }
    }

    /// Returns the latest time that a record's event may be moved to.
    pub fn of(&self, record: &Record, latest: &mut [Latest; 2]) -> i64 {
        match record.role {
            Role::Send => self.sent(record).at(record.link),
            Role::Enter => self.of_member(record.link as usize, latest),
            _ => NO_LIMIT,
        }
    }

    /// Asks for the limit of a record that is asked about soon.
    #[inline(always)]
    pub fn look_ahead(&self, record: &Record) {
        self.sent(record).look_ahead::<false>(record.link);
    }

    fn of_member(&self, member: usize, latest: &mut [Latest; 2]) -> i64 {
        let number = self.of_member[member] as usize;
        if !self.known[number].load(Ordering::Acquire) {
            if let Some(collective) = &self.collectives[number] {
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
        let rows = || self.matching.collectives[number].members.clone();
        for row in rows() {
            let group = collective.heard_by(&self.matching.members[row]);
            self.add(row, collective, &mut latest[group]);
        }
        for row in rows() {
            let group = collective.heard_in(&self.matching.members[row]);
            self.limit(row, &latest[group]);
        }
    }

    /// Everybody's limit, from the exits of higher ranks.
    fn scan(&self, number: usize, collective: &CollectiveSync, latest: &mut [Latest; 2]) {
        let mut in_order: Vec<usize> = self.matching.collectives[number].members.clone().collect();
        in_order.sort_by_key(|&row| self.matching.members[row].rank);
        for row in in_order.into_iter().rev() {
            self.limit(row, &latest[0]);
            self.add(row, collective, &mut latest[0]);
        }
    }

    /// Adds a receiver's exit; negated, the earliest is the latest.
    fn add(&self, row: usize, collective: &CollectiveSync, latest: &mut Latest) {
        let member = &self.matching.members[row];
        if collective.receives(member) && self.left[row] != NO_LIMIT {
            let place = self.latencies.place(member.exit.location);
            latest.add(self.left[row].saturating_neg(), place);
        }
    }

    fn limit(&self, row: usize, latest: &Latest) {
        let member = &self.matching.members[row];
        let place = self.latencies.place(member.enter.location);
        let limit = -latest.bound(place, self.latencies);
        self.limits[row].store(limit, Ordering::Relaxed);
    }
}

const _: () = assert!(-NO_BOUND == NO_LIMIT);
