//! Collective operations during the sweep: who has entered, who may leave.
//!
//! A part of the trace keeps this of all operations for its own members. Of
//! those elsewhere it knows when they entered, or at least not before when.

use std::ops::Range;
use std::sync::Arc;

use mpiscope_model::{CollectiveMember, Matching};
use rustc_hash::FxHashMap;

use crate::exchange::Division;
use crate::forward::EMPTY;
use crate::latest::{Latest, NO_BOUND};
use crate::logical::{CollectiveSync, From};
use crate::table::LatencyTable;

/// State of all collective operations of a trace.
pub(crate) struct CollectiveSyncs<'a> {
    pub collectives: &'a [Option<CollectiveSync<'a>>],
    pub matching: &'a Matching,
    pub latencies: &'a LatencyTable,
    /// Operation of each member.
    pub of_member: Arc<[u32]>,
    /// Corrected time of each member's entry, if it is a sender.
    pub entered: Vec<i64>,
    /// Before when each member cannot leave, once this is known; when it left,
    /// once it has.
    pub bounds: Vec<i64>,
    /// Senders of this part that have not entered, per operation.
    missing: Vec<u32>,
    /// How far each scan has come.
    scans: FxHashMap<u32, Scan>,
}

/// A scan: members in the order of ranks, known up to a point.
struct Scan {
    in_order: Vec<u32>,
    next: usize,
    /// The next one's bound is known.
    reached: bool,
    latest: Latest,
}

/// Returns the operation of each member.
pub(crate) fn of_members(matching: &Matching) -> Arc<[u32]> {
    let mut of_member = vec![0; matching.members.len()];
    for (number, instance) in (0..).zip(&matching.collectives) {
        of_member[instance.members.clone()].fill(number);
    }
    of_member.into()
}

impl<'a> CollectiveSyncs<'a> {
    /// Nobody has entered. What needs nobody of this part to enter is known
    /// only after [`begin`](Self::begin).
    pub fn new(
        matching: &'a Matching,
        collectives: &'a [Option<CollectiveSync<'a>>],
        latencies: &'a LatencyTable,
        of_member: Arc<[u32]>,
        division: &Division,
        me: usize,
    ) -> CollectiveSyncs<'a> {
        let members = matching.members.len();
        let missing = |collective: &Option<CollectiveSync>| {
            let senders = collective.iter().flat_map(|collective| {
                let mine = |it: &&CollectiveMember| division.part_of(it.enter.location.0) == me;
                let members = collective.members.iter().filter(mine);
                members.filter(|member| collective.sends(member))
            });
            senders.count() as u32
        };
        CollectiveSyncs {
            collectives,
            matching,
            latencies,
            of_member,
            entered: vec![EMPTY; members],
            bounds: vec![EMPTY; members],
            missing: collectives.iter().map(missing).collect(),
            scans: FxHashMap::default(),
        }
    }

    /// Puts the bounds that follow from what is known elsewhere.
    pub fn begin(&mut self, latest: &mut [Latest; 2]) {
        for (number, collective) in self.collectives.iter().enumerate() {
            let Some(collective) = collective else {
                continue;
            };
            if collective.rule.from == From::Lower {
                let mut in_order: Vec<u32> = self.rows(number).map(|row| row as u32).collect();
                in_order.sort_by_key(|&member| self.matching.members[member as usize].rank);
                let mut scan = Scan {
                    in_order,
                    next: 0,
                    reached: false,
                    latest: Latest::default(),
                };
                self.advance(&mut scan, collective, &mut Vec::new());
                self.scans.insert(number as u32, scan);
            } else if self.missing[number] == 0 {
                self.complete(number, latest);
            }
        }
    }

    /// Returns the rows of an operation's members.
    pub fn rows(&self, number: usize) -> Range<usize> {
        self.matching.collectives[number].members.clone()
    }

    /// Returns before when a member cannot leave; [`EMPTY`] if not known yet.
    #[inline(always)]
    pub fn bound(&self, member: u32) -> i64 {
        self.bounds[member as usize]
    }

    /// Notes that a sender has entered, and adds to `known` the members whose
    /// bounds this made known.
    pub fn enter(
        &mut self,
        member: u32,
        time: i64,
        latest: &mut [Latest; 2],
        known: &mut Vec<u32>,
    ) {
        let number = self.of_member[member as usize];
        self.entered[member as usize] = time;
        self.missing[number as usize] -= 1;
        let scan = match self.scans.is_empty() {
            true => None,
            false => self.scans.remove(&number),
        };
        if let (Some(mut scan), Some(collective)) = (scan, &self.collectives[number as usize]) {
            self.advance(&mut scan, collective, known);
            self.scans.insert(number, scan);
        } else if self.missing[number as usize] == 0 {
            self.complete(number as usize, latest);
            known.extend(self.rows(number as usize).map(|row| row as u32));
        }
    }

    /// Notes that a receiver has left.
    #[inline(always)]
    pub fn leave(&mut self, member: u32, time: i64) {
        self.bounds[member as usize] = time;
    }

    /// Returns a sender that a waiting member needs and that has not entered.
    pub fn missing(&self, member: u32) -> Option<&CollectiveMember> {
        let number = self.of_member[member as usize] as usize;
        let collective = self.collectives[number].as_ref()?;
        let receiver = &self.matching.members[member as usize];
        let needed = |sender: &CollectiveMember| {
            collective.sends(sender)
                && (collective.rule.from == From::Others || sender.rank < receiver.rank)
        };
        let missing = self.rows(number).find(|&sender| {
            self.entered[sender] == EMPTY && needed(&self.matching.members[sender])
        });
        missing.map(|sender| &self.matching.members[sender])
    }

    /// All senders are in: computes everybody's bound.
    fn complete(&mut self, number: usize, latest: &mut [Latest; 2]) {
        let Some(collective) = &self.collectives[number] else {
            return;
        };
        latest.iter_mut().for_each(Latest::clear);
        for row in self.rows(number) {
            let member = &self.matching.members[row];
            if self.entered[row] != EMPTY {
                let place = self.latencies.place(member.enter.location);
                latest[collective.heard_in(member)].add(self.entered[row], place);
            }
        }
        for row in self.rows(number) {
            let member = &self.matching.members[row];
            let place = self.latencies.place(member.exit.location);
            let bound = latest[collective.heard_by(member)].bound(place, self.latencies);
            self.bounds[row] = bound;
        }
    }

    /// Returns the bounds of an operation's members as they follow from all
    /// that have entered by now, of members for whom they are known.
    pub fn again(&mut self, number: u32, latest: &mut [Latest; 2]) -> Vec<(u32, i64)> {
        let Some(collective) = &self.collectives[number as usize] else {
            return Vec::new();
        };
        let mut known = Vec::new();
        if collective.rule.from == From::Lower {
            let Some(mut scan) = self.scans.remove(&number) else {
                return Vec::new();
            };
            let ahead = scan.next + usize::from(scan.reached);
            let left = self.bounds[self.rows(number as usize)].to_vec();
            (scan.next, scan.reached) = (0, false);
            scan.latest.clear();
            let mut reached = Vec::new();
            self.advance(&mut scan, collective, &mut reached);
            known.extend(reached.iter().map(|&row| (row, self.bounds[row as usize])));
            known.truncate(ahead);
            let rows = self.rows(number as usize);
            self.bounds[rows].copy_from_slice(&left);
            self.scans.insert(number, scan);
        } else if self.missing[number as usize] == 0 {
            let rows = self.rows(number as usize);
            let left = self.bounds[rows.clone()].to_vec();
            self.complete(number as usize, latest);
            known.extend(rows.clone().map(|row| (row as u32, self.bounds[row])));
            self.bounds[rows].copy_from_slice(&left);
        }
        known
    }

    /// Goes through ranks up to the first sender that has not entered, and adds
    /// the members it came to to `known`.
    fn advance(&mut self, scan: &mut Scan, collective: &CollectiveSync, known: &mut Vec<u32>) {
        while let Some(&row) = scan.in_order.get(scan.next) {
            let row = row as usize;
            let member = &self.matching.members[row];
            if !scan.reached {
                let place = self.latencies.place(member.exit.location);
                self.bounds[row] = scan.latest.bound(place, self.latencies);
                known.push(row as u32);
                scan.reached = true;
            }
            if collective.sends(member) {
                let entered = self.entered[row];
                if entered == EMPTY {
                    return;
                }
                let place = self.latencies.place(member.enter.location);
                scan.latest.add(entered, place);
            }
            scan.next += 1;
            scan.reached = false;
        }
    }
}

const _: () = assert!(NO_BOUND != EMPTY);
