//! How late each sender could have sent: the limits of backward amortization.
//!
//! A message that was received at LC may not have been sent after LC less its
//! minimum latency. Only times of the forward sweep count, so it does not
//! matter in which order locations are smoothed. The limits of a collective
//! operation mirror the bounds of its receivers, the earliest exit in place
//! of the latest enter; they are computed when somebody asks.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use crate::collective_syncs::CollectiveSyncs;
use crate::latest::{Latest, NO_BOUND};
use crate::logical::{CollectiveSync, From};
use crate::prefetch::prefetch;
use crate::records::{Record, Role};

/// No limit: after all times.
pub(crate) const NO_LIMIT: i64 = i64::MAX;

/// The limits of all senders; asked for on any thread.
pub(crate) struct Limits<'a> {
    /// Per logical message.
    sent: Vec<AtomicI64>,
    met: CollectiveSyncs<'a>,
    /// Operations whose limits stand where members' entries stood. Should two
    /// threads compute them at a time, they write the same.
    known: Vec<AtomicBool>,
}

impl<'a> Limits<'a> {
    /// Takes what the forward sweep left; `freed` receivers limit nobody.
    pub fn new(
        sent: Vec<AtomicI64>,
        met: CollectiveSyncs<'a>,
        freed: &[(Role, u32)],
    ) -> Limits<'a> {
        for &(role, link) in freed {
            let left = match role {
                Role::Exit => &met.bounds[link as usize],
                _ => &sent[link as usize],
            };
            left.store(NO_LIMIT, Ordering::Relaxed);
        }
        let instances = met.collectives.iter();
        Limits {
            sent,
            known: instances.map(|_| AtomicBool::new(false)).collect(),
            met,
        }
    }

    /// Returns the latest time that a record's event may be moved to.
    pub fn of(&self, record: &Record, latest: &mut [Latest; 2]) -> i64 {
        match record.role {
            Role::Send => self.sent[record.link as usize].load(Ordering::Relaxed),
            Role::Enter => self.of_member(record.link as usize, latest),
            _ => NO_LIMIT,
        }
    }

    /// Asks for the limit of a record that is asked about soon.
    #[inline(always)]
    pub fn look_ahead(&self, record: &Record) {
        prefetch(&self.sent, record.link as usize);
    }

    fn of_member(&self, member: usize, latest: &mut [Latest; 2]) -> i64 {
        let number = self.met.of_member[member] as usize;
        if !self.known[number].load(Ordering::Acquire) {
            if let Some(collective) = &self.met.collectives[number] {
                latest.iter_mut().for_each(Latest::clear);
                match collective.rule.from {
                    From::Lower => self.scan(number, collective, latest),
                    From::Others => self.all(number, collective, latest),
                }
            }
            self.known[number].store(true, Ordering::Release);
        }
        self.met.entered[member].load(Ordering::Relaxed)
    }

    /// Everybody's limit, from all exits.
    fn all(&self, number: usize, collective: &CollectiveSync, latest: &mut [Latest; 2]) {
        for row in self.met.rows(number) {
            let group = collective.heard_by(&self.met.matching.members[row]);
            self.add(row, collective, &mut latest[group]);
        }
        for row in self.met.rows(number) {
            let group = collective.heard_in(&self.met.matching.members[row]);
            self.limit(row, &latest[group]);
        }
    }

    /// Everybody's limit, from the exits of higher ranks.
    fn scan(&self, number: usize, collective: &CollectiveSync, latest: &mut [Latest; 2]) {
        let mut in_order: Vec<usize> = self.met.rows(number).collect();
        in_order.sort_by_key(|&row| self.met.matching.members[row].rank);
        for row in in_order.into_iter().rev() {
            self.limit(row, &latest[0]);
            self.add(row, collective, &mut latest[0]);
        }
    }

    /// Adds a receiver's exit; negated, the earliest is the latest.
    fn add(&self, row: usize, collective: &CollectiveSync, latest: &mut Latest) {
        let member = &self.met.matching.members[row];
        let left = self.met.bounds[row].load(Ordering::Relaxed);
        if collective.receives(member) && left != NO_LIMIT {
            let place = self.met.latencies.place(member.exit.location);
            latest.add(left.saturating_neg(), place);
        }
    }

    fn limit(&self, row: usize, latest: &Latest) {
        let member = &self.met.matching.members[row];
        let place = self.met.latencies.place(member.enter.location);
        let limit = -latest.bound(place, self.met.latencies);
        self.met.entered[row].store(limit, Ordering::Relaxed);
    }
}

const _: () = assert!(-NO_BOUND == NO_LIMIT);
