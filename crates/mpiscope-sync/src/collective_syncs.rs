//! Collective operations during the sweep: who has entered, who may leave.

use std::ops::Range;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use mpiscope_model::{CollectiveMember, Matching};
use rustc_hash::FxHashMap;

use crate::forward::EMPTY;
use crate::latest::{Latest, NO_BOUND};
use crate::logical::{CollectiveSync, From};
use crate::table::LatencyTable;

/// State of all collective operations of a trace. Members enter and leave on
/// any thread; whoever enters last computes the bounds.
pub(crate) struct CollectiveSyncs<'a> {
    pub collectives: &'a [Option<CollectiveSync<'a>>],
    pub matching: &'a Matching,
    pub latencies: &'a LatencyTable,
    /// Operation of each member.
    pub of_member: Vec<u32>,
    /// Corrected time of each member's entry, if it is a sender.
    pub entered: Vec<AtomicI64>,
    /// Before when each member cannot leave, once this is known; when it left,
    /// once it has.
    pub bounds: Vec<AtomicI64>,
    /// Senders that have not entered, per operation.
    missing: Vec<AtomicU32>,
    /// How far each scan has come.
    scans: FxHashMap<u32, Mutex<Scan>>,
}

/// A scan: members in the order of ranks, known up to a point.
struct Scan {
    in_order: Vec<u32>,
    next: usize,
    /// The next one's bound is known.
    reached: bool,
    latest: Latest,
}

fn empty(count: usize) -> Vec<AtomicI64> {
    (0..count).map(|_| AtomicI64::new(EMPTY)).collect()
}

impl<'a> CollectiveSyncs<'a> {
    pub fn new(
        matching: &'a Matching,
        collectives: &'a [Option<CollectiveSync<'a>>],
        latencies: &'a LatencyTable,
    ) -> CollectiveSyncs<'a> {
        let members = matching.members.len();
        let mut state = CollectiveSyncs {
            collectives,
            matching,
            latencies,
            of_member: vec![0; members],
            entered: empty(members),
            bounds: empty(members),
            missing: Vec::with_capacity(collectives.len()),
            scans: FxHashMap::default(),
        };
        let mut latest = Default::default();
        for (number, instance) in matching.collectives.iter().enumerate() {
            state.of_member[instance.members.clone()].fill(number as u32);
            match &collectives[number] {
                Some(collective) => state.begin(number, collective, &mut latest),
                None => state.missing.push(AtomicU32::new(0)),
            }
        }
        state
    }

    fn begin(&mut self, number: usize, collective: &CollectiveSync, latest: &mut [Latest; 2]) {
        let senders = collective.members.iter();
        let senders = senders.filter(|member| collective.sends(member)).count();
        self.missing.push(AtomicU32::new(senders as u32));
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
            self.scans.insert(number as u32, Mutex::new(scan));
        } else if senders == 0 {
            self.complete(number, latest);
        }
    }

    /// Returns the rows of an operation's members.
    pub fn rows(&self, number: usize) -> Range<usize> {
        self.matching.collectives[number].members.clone()
    }

    /// Returns before when a member cannot leave; [`EMPTY`] if not known yet.
    #[inline(always)]
    pub fn bound(&self, member: u32) -> i64 {
        self.bounds[member as usize].load(Ordering::Acquire)
    }

    /// Notes that a sender has entered, and adds to `known` the members whose
    /// bounds this made known; `ALONE` if no other thread does.
    pub fn enter<const ALONE: bool>(
        &self,
        member: u32,
        time: i64,
        latest: &mut [Latest; 2],
        known: &mut Vec<u32>,
    ) {
        let number = self.of_member[member as usize];
        self.entered[member as usize].store(time, Ordering::Release);
        let missing = &self.missing[number as usize];
        let before = match ALONE {
            true => {
                let before = missing.load(Ordering::Relaxed);
                missing.store(before - 1, Ordering::Relaxed);
                before
            }
            false => missing.fetch_sub(1, Ordering::AcqRel),
        };
        let last = before == 1;
        let scan = match self.scans.is_empty() {
            true => None,
            false => self.scans.get(&number),
        };
        if let (Some(scan), Some(collective)) = (scan, &self.collectives[number as usize]) {
            let mut scan = scan.lock().unwrap_or_else(PoisonError::into_inner);
            self.advance(&mut scan, collective, known);
        } else if last {
            self.complete(number as usize, latest);
            known.extend(self.rows(number as usize).map(|row| row as u32));
        }
    }

    /// Notes that a receiver has left.
    #[inline(always)]
    pub fn leave(&self, member: u32, time: i64) {
        self.bounds[member as usize].store(time, Ordering::Relaxed);
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
            self.entered[sender].load(Ordering::Relaxed) == EMPTY
                && needed(&self.matching.members[sender])
        });
        missing.map(|sender| &self.matching.members[sender])
    }

    /// All senders are in: computes everybody's bound.
    fn complete(&self, number: usize, latest: &mut [Latest; 2]) {
        let Some(collective) = &self.collectives[number] else {
            return;
        };
        latest.iter_mut().for_each(Latest::clear);
        for row in self.rows(number) {
            let member = &self.matching.members[row];
            let entered = self.entered[row].load(Ordering::Acquire);
            if entered != EMPTY {
                let place = self.latencies.place(member.enter.location);
                latest[collective.heard_in(member)].add(entered, place);
            }
        }
        for row in self.rows(number) {
            let member = &self.matching.members[row];
            let place = self.latencies.place(member.exit.location);
            let bound = latest[collective.heard_by(member)].bound(place, self.latencies);
            self.bounds[row].store(bound, Ordering::Release);
        }
    }

    /// Goes through ranks up to the first sender that has not entered, and adds
    /// the members it came to to `known`.
    fn advance(&self, scan: &mut Scan, collective: &CollectiveSync, known: &mut Vec<u32>) {
        while let Some(&row) = scan.in_order.get(scan.next) {
            let row = row as usize;
            let member = &self.matching.members[row];
            if !scan.reached {
                let place = self.latencies.place(member.exit.location);
                let bound = scan.latest.bound(place, self.latencies);
                self.bounds[row].store(bound, Ordering::Release);
                known.push(row as u32);
                scan.reached = true;
            }
            if collective.sends(member) {
                let entered = self.entered[row].load(Ordering::Acquire);
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
