//! How late each sender could have sent: the limits of backward amortization.
//!
//! A message that was received at LC may not have been sent after LC less its
//! minimum latency. Only times of the forward sweep count, so it does not
//! matter in which order locations are smoothed. The limits of a collective
//! operation mirror the bounds of its receivers, the earliest exit in place
//! of the latest enter; they are computed when somebody asks.

use crate::latest::{Latest, NO_BOUND};
use crate::logical::{From, Meeting};
use crate::meet::{Meetings, Met};
use crate::records::{Record, Role};

/// No limit: after all times.
pub(crate) const NO_LIMIT: i64 = i64::MAX;

/// The limits of all senders.
pub(crate) struct Limits<'a> {
    /// Per logical message.
    sent: Vec<i64>,
    met: Met<'a>,
    /// Operations whose limits stand in `met.entered`.
    known: Vec<bool>,
    latest: [Latest; 2],
}

impl<'a> Limits<'a> {
    /// Takes what the forward sweep left; `freed` receivers limit nobody.
    pub fn new(mut sent: Vec<i64>, meetings: Meetings<'a>, freed: &[(Role, u32)]) -> Limits<'a> {
        let mut met = meetings.finish();
        for &(role, link) in freed {
            match role {
                Role::Exit => met.left[link as usize] = NO_LIMIT,
                _ => sent[link as usize] = NO_LIMIT,
            }
        }
        Limits {
            sent,
            known: vec![false; met.meetings.len()],
            met,
            latest: Default::default(),
        }
    }

    /// Returns the latest time that a record's event may be moved to.
    pub fn of(&mut self, record: &Record) -> i64 {
        match record.role {
            Role::Send => self.sent[record.link as usize],
            Role::Enter => self.of_member(record.link as usize),
            _ => NO_LIMIT,
        }
    }

    fn of_member(&mut self, member: usize) -> i64 {
        let number = self.met.of_member[member] as usize;
        if !std::mem::replace(&mut self.known[number], true) {
            if let Some(meeting) = self.met.meetings[number] {
                self.latest.iter_mut().for_each(Latest::clear);
                match meeting.rule.from {
                    From::Lower => self.scan(number, &meeting),
                    From::Others => self.all(number, &meeting),
                }
            }
        }
        self.met.entered[member]
    }

    /// Everybody's limit, from all exits.
    fn all(&mut self, number: usize, meeting: &Meeting) {
        for row in self.met.ranges[number].clone() {
            let group = meeting.heard_by(&self.met.matching.members[row]);
            self.add(row, meeting, group);
        }
        for row in self.met.ranges[number].clone() {
            let group = meeting.heard_in(&self.met.matching.members[row]);
            self.limit(row, group);
        }
    }

    /// Everybody's limit, from the exits of higher ranks.
    fn scan(&mut self, number: usize, meeting: &Meeting) {
        let mut in_order: Vec<usize> = self.met.ranges[number].clone().collect();
        in_order.sort_by_key(|&row| self.met.matching.members[row].rank);
        for row in in_order.into_iter().rev() {
            self.limit(row, 0);
            self.add(row, meeting, 0);
        }
    }

    /// Adds a receiver's exit; negated, the earliest is the latest.
    fn add(&mut self, row: usize, meeting: &Meeting, group: usize) {
        let member = &self.met.matching.members[row];
        let left = self.met.left[row];
        if meeting.receives(member) && left != NO_LIMIT {
            let place = self.met.latencies.place(member.exit.location);
            self.latest[group].add(left.saturating_neg(), place);
        }
    }

    fn limit(&mut self, row: usize, group: usize) {
        let member = &self.met.matching.members[row];
        let place = self.met.latencies.place(member.enter.location);
        self.met.entered[row] = -self.latest[group].bound(place, self.met.latencies);
    }
}

const _: () = assert!(-NO_BOUND == NO_LIMIT);
