//! Collective operations during the sweep: who has entered, who may leave.

use std::ops::Range;

use mpiscope_model::hash::FastMap;
use mpiscope_model::{CollectiveMember, Matching};

use crate::forward::EMPTY;
use crate::latency::LatencyTable;
use crate::latest::{Latest, NO_BOUND};
use crate::logical::{From, Meeting};

/// State of all collective operations of a trace.
pub(crate) struct Meetings<'a> {
    meetings: &'a [Option<Meeting<'a>>],
    ranges: Vec<Range<usize>>,
    matching: &'a Matching,
    latencies: &'a LatencyTable,
    /// Operation of each member.
    of_member: Vec<u32>,
    /// Corrected time of each member's entry, if it is a sender.
    entered: Vec<i64>,
    /// Before when each member cannot leave, once this is known; when it left,
    /// once it has.
    bounds: Vec<i64>,
    /// Senders that have not entered, per operation.
    missing: Vec<u32>,
    /// How far each scan has come.
    scans: FastMap<u32, Scan>,
    latest: [Latest; 2],
}

/// All collective operations of a trace, when everybody has left.
pub(crate) struct Met<'a> {
    pub meetings: &'a [Option<Meeting<'a>>],
    pub ranges: Vec<Range<usize>>,
    pub matching: &'a Matching,
    pub latencies: &'a LatencyTable,
    pub of_member: Vec<u32>,
    pub entered: Vec<i64>,
    /// When each receiver left.
    pub left: Vec<i64>,
}

/// A scan: members in the order of ranks, known up to a point.
struct Scan {
    in_order: Vec<u32>,
    next: usize,
    latest: Latest,
}

impl<'a> Meetings<'a> {
    pub fn new(
        matching: &'a Matching,
        meetings: &'a [Option<Meeting<'a>>],
        latencies: &'a LatencyTable,
    ) -> Meetings<'a> {
        let mut state = Meetings {
            meetings,
            ranges: Vec::with_capacity(meetings.len()),
            matching,
            latencies,
            of_member: vec![0; matching.members.len()],
            entered: vec![EMPTY; matching.members.len()],
            bounds: vec![EMPTY; matching.members.len()],
            missing: vec![0; meetings.len()],
            scans: FastMap::default(),
            latest: Default::default(),
        };
        for (number, instance) in matching.collectives.iter().enumerate() {
            state.ranges.push(instance.members.clone());
            state.of_member[instance.members.clone()].fill(number as u32);
            if let Some(meeting) = &meetings[number] {
                state.begin(number, meeting);
            }
        }
        state
    }

    fn begin(&mut self, number: usize, meeting: &Meeting) {
        let senders = meeting
            .members
            .iter()
            .filter(|member| meeting.sends(member));
        self.missing[number] = senders.count() as u32;
        if meeting.rule.from == From::Lower {
            let mut in_order: Vec<u32> = self.ranges[number].clone().map(|m| m as u32).collect();
            in_order.sort_by_key(|&member| self.matching.members[member as usize].rank);
            self.scans.insert(
                number as u32,
                Scan {
                    in_order,
                    next: 0,
                    latest: Latest::default(),
                },
            );
            self.advance_scan(number, &mut Vec::new());
        } else if self.missing[number] == 0 {
            self.complete(number);
        }
    }

    /// Returns before when a member cannot leave; [`EMPTY`] if not known yet.
    pub fn bound(&self, member: u32) -> i64 {
        self.bounds[member as usize]
    }

    /// Notes that a sender has entered, and adds to `known` the members whose
    /// bounds this made known.
    pub fn enter(&mut self, member: u32, time: i64, known: &mut Vec<u32>) {
        let number = self.of_member[member as usize] as usize;
        self.entered[member as usize] = time;
        self.missing[number] -= 1;
        if self.scans.contains_key(&(number as u32)) {
            self.advance_scan(number, known);
        } else if self.missing[number] == 0 {
            self.complete(number);
            known.extend(self.ranges[number].clone().map(|row| row as u32));
        }
    }

    /// Notes that a receiver has left.
    pub fn leave(&mut self, member: u32, time: i64) {
        self.bounds[member as usize] = time;
    }

    /// Returns what is known in the end.
    pub fn finish(self) -> Met<'a> {
        Met {
            meetings: self.meetings,
            ranges: self.ranges,
            matching: self.matching,
            latencies: self.latencies,
            of_member: self.of_member,
            entered: self.entered,
            left: self.bounds,
        }
    }

    /// Returns a sender that a waiting member needs and that has not entered.
    pub fn missing(&self, member: u32) -> Option<&CollectiveMember> {
        let number = self.of_member[member as usize] as usize;
        let meeting = self.meetings[number].as_ref()?;
        let receiver = &self.matching.members[member as usize];
        let needed = |sender: &CollectiveMember| {
            meeting.sends(sender)
                && (meeting.rule.from == From::Others || sender.rank < receiver.rank)
        };
        let mut members = self.ranges[number].clone();
        let missing = members.find(|&sender| {
            self.entered[sender] == EMPTY && needed(&self.matching.members[sender])
        });
        missing.map(|sender| &self.matching.members[sender])
    }

    /// All senders are in: computes everybody's bound.
    fn complete(&mut self, number: usize) {
        let Some(meeting) = &self.meetings[number] else {
            return;
        };
        self.latest.iter_mut().for_each(Latest::clear);
        for row in self.ranges[number].clone() {
            let member = &self.matching.members[row];
            if self.entered[row] != EMPTY {
                let place = self.latencies.place(member.enter.location);
                let group = meeting.heard_in(member);
                self.latest[group].add(self.entered[row], place);
            }
        }
        for row in self.ranges[number].clone() {
            let member = &self.matching.members[row];
            let place = self.latencies.place(member.exit.location);
            let group = meeting.heard_by(member);
            self.bounds[row] = self.latest[group].bound(place, self.latencies);
        }
    }

    /// Goes through ranks up to the first sender that has not entered, and adds
    /// the members it came to to `known`.
    fn advance_scan(&mut self, number: usize, known: &mut Vec<u32>) {
        let (Some(meeting), Some(scan)) =
            (&self.meetings[number], self.scans.get_mut(&(number as u32)))
        else {
            return;
        };
        while let Some(&row) = scan.in_order.get(scan.next) {
            let row = row as usize;
            let member = &self.matching.members[row];
            let place = self.latencies.place(member.exit.location);
            self.bounds[row] = scan.latest.bound(place, self.latencies);
            known.push(row as u32);
            if meeting.sends(member) {
                if self.entered[row] == EMPTY {
                    return;
                }
                let place = self.latencies.place(member.enter.location);
                scan.latest.add(self.entered[row], place);
            }
            scan.next += 1;
        }
        self.scans.remove(&(number as u32));
    }
}

const _: () = assert!(NO_BOUND != EMPTY);
