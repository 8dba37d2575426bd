//! Raises what has been swept already, as a time of another part turned out to
//! be later than was known.
//!
//! What it takes is the same recurrence, from the event that the news concern
//! on, until a location is where it was before. The earliest goes first, so
//! that little is raised twice. As the rules are monotone, it does not matter
//! that a part began with times that were too early: all parts come to the
//! least times that satisfy everything, those of the ordered sweep.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::BinaryHeap;

use mpiscope_model::EventRef;
use rustc_hash::FxHashMap;

use crate::forward::Last;
use crate::latest::NO_BOUND;
use crate::links::ends;
use crate::records::{Record, Role};
use crate::sweep::{is_one_of_several, News, Sweep, BOUND, ENTERED, SENT};

/// What is to be done again.
pub(crate) struct Repair {
    /// By time: locations, and after them collective operations.
    agenda: BinaryHeap<Reverse<(i64, bool, u32)>>,
    /// What arrives later at each location: at which record, and when.
    later: Vec<Vec<(usize, i64)>>,
    /// Operations that somebody entered later, and the latest of it.
    changed: FxHashMap<u32, i64>,
    /// How many records and members were looked at.
    pub work: u64,
}

impl Repair {
    pub fn new(locations: usize) -> Repair {
        Repair {
            agenda: BinaryHeap::new(),
            later: vec![Vec::new(); locations],
            changed: FxHashMap::default(),
            work: 0,
        }
    }
}

/// Returns the member that a part calls so, if there is one.
fn called(guests: &[Vec<u32>], part: usize, name: u32) -> Option<u32> {
    guests.get(part)?.get(name as usize).copied()
}

impl Sweep<'_, '_> {
    /// Takes in what another part tells.
    pub fn hear(&mut self, part: usize, (what, which, time): News) {
        match what {
            SENT => {
                if let Some(link) = self.names.link(part, which) {
                    self.sent_later(link, time);
                }
            }
            ENTERED => {
                if let Some(member) = called(self.collectives.entering.here(), part, which) {
                    self.entered_later(member, time);
                }
            }
            BOUND => {
                if let Some(member) = called(self.collectives.leaving.there(), part, which) {
                    self.leaves_later(member, time);
                }
            }
            _ => {}
        }
    }

    /// Raises all that follows from what was heard.
    pub fn raise_all(&mut self) {
        while let Some(Reverse((_, collective, number))) = self.repair.agenda.pop() {
            match collective {
                true => self.complete_again(number),
                false => self.run_again(number as usize),
            }
        }
    }

    fn sent_later(&mut self, link: u32, time: i64) {
        // The limit of what is received already; what is not was sent earlier.
        if time <= self.sent.at(link) {
            return;
        }
        let (_, receive) = ends(self.known.matching, link);
        let Some((place, row)) = self.find(receive, Role::Receive, link) else {
            return;
        };
        if row >= self.cursors[place] {
            self.sent.set(link, time);
        } else {
            let hop = self.records[place][row].hop;
            let arrival = time.saturating_add(self.known.latencies.over(hop).0);
            self.arrives_later(place, row, arrival);
        }
    }

    fn entered_later(&mut self, member: u32, time: i64) {
        let entered = &mut self.collectives.entered[member as usize];
        *entered = time.max(*entered);
        let number = self.collectives.of_member[member as usize];
        match self.repair.changed.entry(number) {
            Entry::Occupied(mut latest) => {
                let latest = latest.get_mut();
                *latest = time.max(*latest);
            }
            Entry::Vacant(none) => {
                none.insert(time);
                self.repair.agenda.push(Reverse((time, true, number)));
            }
        }
    }

    fn arrives_later(&mut self, place: usize, row: usize, arrival: i64) {
        let time = self.records[place][row].time;
        self.repair.later[place].push((row, arrival));
        self.repair
            .agenda
            .push(Reverse((time, false, place as u32)));
    }

    /// Finds the record of an event of this part with a role.
    fn find(&self, event: EventRef, role: Role, link: u32) -> Option<(usize, usize)> {
        let place = self.known.division.place(event.location.0);
        let records = &self.records[place];
        let first = records.partition_point(|record| record.event < event.index);
        let of_event = records[first..].iter();
        let mut of_event = of_event.take_while(|record| record.event == event.index);
        let row = of_event.position(|record| record.role == role && record.link == link)?;
        Some((place, first + row))
    }

    /// Computes the bounds of an operation once more, if anybody here may have
    /// left too early for those who entered later.
    fn complete_again(&mut self, number: u32) {
        let Some(latest) = self.repair.changed.remove(&number) else {
            return;
        };
        let arrival = latest.saturating_add(self.known.latencies.longest().0);
        let early = |row: usize| {
            let exit = self.known.matching.members[row].exit;
            match self.is_mine(exit.location.0) {
                true => self.collectives.bounds[row] < arrival,
                false => !self.collectives.is_told(row, arrival),
            }
        };
        if !self.collectives.rows(number as usize).any(early) {
            return;
        }
        let bounds = self.collectives.again(number, &mut self.latest);
        self.repair.work += bounds.len() as u64;
        for (member, bound) in bounds {
            let exit = self.known.matching.members[member as usize].exit;
            match self.is_mine(exit.location.0) {
                true => self.raise_bound(member, bound),
                false => self.tell_bound(member, bound),
            }
        }
    }

    fn leaves_later(&mut self, member: u32, bound: i64) {
        if let Some(bound) = self.collectives.hear(member, bound) {
            self.raise_bound(member, bound);
        }
    }

    /// Has a member of this part not leave before a time.
    fn raise_bound(&mut self, member: u32, bound: i64) {
        if bound <= self.collectives.bound(member) {
            return;
        }
        let exit = self.known.matching.members[member as usize].exit;
        let Some((place, row)) = self.find(exit, Role::Exit, member) else {
            return;
        };
        match row >= self.cursors[place] {
            true => self.collectives.leave(member, bound),
            false => self.arrives_later(place, row, bound),
        }
    }

    /// Runs a location again, from the first event that something arrives later
    /// at until all is as it was.
    fn run_again(&mut self, place: usize) {
        let mut later = std::mem::take(&mut self.repair.later[place]);
        later.sort_unstable();
        let (Some(&(first, _)), Some(&(end, _))) = (later.first(), later.last()) else {
            return;
        };
        let mut records = std::mem::take(&mut self.records[place]);
        let cursor = self.cursors[place];
        let event = records[first].event;
        let mut row = records.partition_point(|record| record.event < event);
        let mut last = Last::default();
        if row > 0 {
            last.note(&records[row - 1]);
        }
        while row < cursor {
            let event = records[row].event;
            let of_event = records[row..cursor].iter();
            let next = row + of_event.take_while(|record| record.event == event).count();
            let before = records[next - 1].corrected;
            self.repair.work += (next - row) as u64;
            self.event_again(&mut records, row, next, &mut last, &later);
            if next > end && records[next - 1].corrected == before {
                break;
            }
            row = next;
        }
        self.records[place] = records;
    }

    /// Runs the records of one event again.
    fn event_again(
        &mut self,
        records: &mut [Record],
        begin: usize,
        end: usize,
        last: &mut Last,
        later: &[(usize, i64)],
    ) {
        let before: Vec<i64> = (records[begin..end].iter())
            .map(|it| it.corrected)
            .collect();
        self.violations -= self.violated(records, begin, end);
        // Together, and before any of them changes: a jump tells what arrived.
        let bounds: Vec<i64> = (begin..end)
            .map(|row| self.arrival(records, row, later))
            .collect();
        for (row, bound) in (begin..end).zip(bounds) {
            let record = &mut records[row];
            let internal = last.internal(record, self.known.pace);
            record.corrected = internal.max(bound);
            record.jump = bound > internal;
            last.note(record);
            if record.jump {
                let corrected = record.corrected;
                for record in &mut records[begin..row] {
                    (record.corrected, record.jump) = (corrected, true);
                }
            }
        }
        self.violations += self.violated(records, begin, end);
        for (row, before) in (begin..end).zip(before) {
            if records[row].corrected != before {
                self.settle_again(&records[row]);
            }
        }
    }

    /// Returns before when a record cannot have happened; notes it if its event
    /// receives several things.
    fn arrival(&mut self, records: &[Record], row: usize, later: &[(usize, i64)]) -> i64 {
        let record = &records[row];
        if record.role > Role::Exit {
            return NO_BOUND;
        }
        let new = later.partition_point(|later| later.0 < row);
        let new = later[new..].iter().take_while(|later| later.0 == row);
        let new = new.map(|later| later.1).max().unwrap_or(NO_BOUND);
        match is_one_of_several(records, row) {
            false if record.jump => new.max(record.corrected),
            false => new,
            true => {
                let key = (record.role == Role::Exit, record.link);
                let arrival = self.arrivals.entry(key).or_insert(NO_BOUND);
                *arrival = new.max(*arrival);
                *arrival
            }
        }
    }

    /// Returns how often the records of an event, one after the other, found that they
    /// had to be moved.
    fn violated(&self, records: &[Record], begin: usize, end: usize) -> u64 {
        let jumped = |row: &usize| records[*row].jump && records[*row].role <= Role::Exit;
        let mut jumps = (begin..end).filter(jumped);
        let Some(first) = jumps.next() else {
            return 0;
        };
        if !is_one_of_several(records, first) {
            return 1;
        }
        let mut last = Last::default();
        if begin > 0 {
            last.note(&records[begin - 1]);
        }
        let mut reached = last.internal(&records[begin], self.known.pace);
        let mut violated = 0;
        for record in &records[begin..end] {
            let key = (record.role == Role::Exit, record.link);
            let waits = record.role <= Role::Exit;
            if let Some(&arrival) = self.arrivals.get(&key).filter(|_| waits) {
                violated += u64::from(arrival > reached);
                reached = reached.max(arrival);
            }
        }
        violated
    }

    /// Makes known that an event moved on.
    fn settle_again(&mut self, record: &Record) {
        match record.role {
            Role::Receive => {
                let latency = self.known.latencies.over(record.hop).0;
                let limit = record.corrected.saturating_sub(latency);
                self.sent.set(record.link, limit);
            }
            Role::Exit => self.collectives.leave(record.link, record.corrected),
            Role::Send if self.is_mine(record.peer) => {
                self.sent_later(record.link, record.corrected);
            }
            Role::Send => self.tell_sent(record),
            Role::Enter => {
                self.entered_later(record.link, record.corrected);
                self.tell_entered(record);
            }
            Role::Freed | Role::Internal => {}
        }
    }
}
