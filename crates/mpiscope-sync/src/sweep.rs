//! The forward sweep itself: each location runs until it needs a time that is
//! not there, and is woken by whoever writes it. There is no heap and no
//! global order.
//!
//! It sweeps the locations of one part of the trace, in any order: the result
//! is the least one that satisfies all rules, so it is the same for any
//! schedule. Times of other parts are there from the start, as they are before
//! anything is moved; where one of them turns out to be later,
//! [`repair`](crate::repair) raises what has been swept already.

use std::collections::VecDeque;

use mpiscope_model::Matching;
use rustc_hash::FxHashMap;

use crate::collective_syncs::CollectiveSyncs;
use crate::exchange::Division;
use crate::forward::{Last, Pace, EMPTY};
use crate::latest::{Latest, NO_BOUND};
use crate::links::Slots;
use crate::names::Names;
use crate::prefetch::prefetch;
use crate::records::{Record, Role};
use crate::repair::Repair;
use crate::table::LatencyTable;

/// What a location waits for: the role and link of its next record.
pub(crate) type Awaited = (Role, u32);

/// Nothing is waited for.
const NOTHING: u64 = 0;

fn encode((role, link): Awaited) -> u64 {
    u64::from(link) << 2 | if role == Role::Exit { 2 } else { 1 }
}

/// How many records ahead memory is asked for.
const AHEAD: usize = 8;

/// What one part tells another: what it is, which ([`Names`] of messages, or of
/// [`Guests`](crate::guests::Guests)), and its time.
pub(crate) type News = (u8, u32, i64);

/// A logical message was sent.
pub(crate) const SENT: u8 = 1;
/// A guest entered a collective operation.
pub(crate) const ENTERED: u8 = 2;
/// A guest cannot have left a collective operation before.
pub(crate) const BOUND: u8 = 3;

/// What a part knows before it sweeps: parts that are processes may know their own of the matching
/// alone.
#[derive(Clone, Copy)]
pub(crate) struct Known<'s> {
    pub matching: &'s Matching,
    pub latencies: &'s LatencyTable,
    pub pace: Pace,
    pub division: &'s Division,
}

/// The sweep of one part's locations; by their numbers within the part.
pub(crate) struct Sweep<'s, 'a> {
    pub known: Known<'s>,
    pub me: usize,
    pub records: Vec<Vec<Record>>,
    /// The next record to visit.
    pub cursors: Vec<usize>,
    /// What each location waits for.
    waiting: Vec<u64>,
    /// Corrected time of the send of each logical message to this part; once
    /// it is received, the latest time at which it could have been sent. Room
    /// for them is made by the caller.
    pub sent: Slots,
    pub collectives: CollectiveSyncs<'a>,
    /// What others call messages.
    pub names: Names,
    /// What to tell each other part.
    pub told: Vec<Vec<News>>,
    /// Locations stop before this time.
    pub until: i64,
    /// Before when each of several things that one event receives was there;
    /// unless this is the only part.
    pub arrivals: FxHashMap<(bool, u32), i64>,
    pub repair: Repair,
    pub latest: [Latest; 2],
    runnable: VecDeque<u32>,
    /// Members whose bounds just became known; kept for its room.
    reached: Vec<u32>,
    /// Receivers that had to be moved.
    pub violations: u64,
    /// How many records were visited.
    pub visited: u64,
}

impl<'s, 'a> Sweep<'s, 'a> {
    /// Begins with the records of the part's locations.
    pub fn new(
        known: Known<'s>,
        me: usize,
        records: Vec<Vec<Record>>,
        collectives: CollectiveSyncs<'a>,
    ) -> Sweep<'s, 'a> {
        let locations = records.len();
        let parts = known.division.parts();
        Sweep {
            known,
            me,
            sent: Slots::default(),
            records,
            cursors: vec![0; locations],
            waiting: vec![NOTHING; locations],
            collectives,
            names: Names::new(known.matching, known.division, me),
            told: vec![Vec::new(); parts],
            until: i64::MAX,
            arrivals: FxHashMap::default(),
            repair: Repair::new(locations),
            latest: Default::default(),
            runnable: VecDeque::new(),
            reached: Vec::new(),
            violations: 0,
            visited: 0,
        }
    }

    /// Runs all locations that wait for nobody, as far as they come; `ALONE` if there
    /// is no other part.
    pub fn run_all<const ALONE: bool>(&mut self) {
        let ready = |&place: &usize| {
            self.waiting[place] == NOTHING && self.cursors[place] < self.records[place].len()
        };
        let ready = (0..self.records.len()).filter(ready);
        self.runnable.extend(ready.map(|place| place as u32));
        self.work::<ALONE>();
    }

    /// Runs one location, which waited, and those that this wakes.
    pub fn resume(&mut self, location: usize) {
        self.waiting[location] = NOTHING;
        self.runnable.push_back(location as u32);
        self.work::<true>();
    }

    /// Returns what a location waits for.
    pub fn awaits(&self, place: usize) -> Option<Awaited> {
        let code = self.waiting[place];
        let role = match code & 2 {
            0 => Role::Receive,
            _ => Role::Exit,
        };
        (code != NOTHING).then_some((role, (code >> 2) as u32))
    }

    /// Returns whether some location did not come to its end.
    pub fn is_stuck(&self) -> bool {
        let mut places = self.cursors.iter().zip(&self.records);
        places.any(|(cursor, records)| *cursor < records.len())
    }

    fn work<const ALONE: bool>(&mut self) {
        while let Some(place) = self.runnable.pop_front() {
            self.look_ahead::<ALONE>();
            self.run::<ALONE>(place as usize);
        }
    }

    /// Returns before when an event cannot have happened, or [`EMPTY`].
    #[inline(always)]
    fn bound<const ALONE: bool>(&self, record: &Record) -> i64 {
        if record.role == Role::Receive {
            match self.sent.get::<ALONE>(record.link) {
                EMPTY => EMPTY,
                sent => sent.saturating_add(self.known.latencies.over(record.hop).0),
            }
        } else if record.role == Role::Exit {
            self.collectives.bound(record.link)
        } else {
            NO_BOUND
        }
    }

    /// Asks for the next records of a location whose turn is soon, and for the
    /// messages that those of one whose turn is sooner send or receive.
    fn look_ahead<const ALONE: bool>(&self) {
        const SOON: usize = 6;
        const SOONER: usize = 2;
        const RECORDS: usize = 12;
        if let Some(&soon) = self.runnable.get(SOON) {
            let cursor = self.cursors[soon as usize];
            for record in (0..RECORDS).step_by(2) {
                prefetch(&self.records[soon as usize], cursor + record);
            }
        }
        if let Some(&sooner) = self.runnable.get(SOONER) {
            let sooner = sooner as usize;
            let next = self.records[sooner][self.cursors[sooner]..].iter();
            next.take(AHEAD)
                .for_each(|record| self.sent.look_ahead::<ALONE>(record.link));
        }
    }

    /// Runs a location until it is done or waits.
    fn run<const ALONE: bool>(&mut self, place: usize) {
        let mut records = std::mem::take(&mut self.records[place]);
        let begin = self.cursors[place];
        let mut cursor = begin;
        let mut last = Last::default();
        if cursor > 0 {
            last.note(&records[cursor - 1]);
        }
        while cursor < records.len() {
            prefetch(&records, cursor + 3 * AHEAD);
            if let Some(soon) = records.get(cursor + AHEAD) {
                // If it belongs to no message, this is of no use, and does no harm.
                self.sent.look_ahead::<ALONE>(soon.link);
            }
            let record = &mut records[cursor];
            if !ALONE && record.time >= self.until {
                break;
            }
            let bound = self.bound::<ALONE>(record);
            if bound == EMPTY {
                self.waiting[place] = encode((record.role, record.link));
                break;
            }
            let internal = last.internal(record, self.known.pace);
            record.corrected = internal.max(bound);
            record.jump = bound > internal;
            last.note(record);
            if !ALONE && record.role <= Role::Exit && is_one_of_several(&records, cursor) {
                let record = &records[cursor];
                let key = (record.role == Role::Exit, record.link);
                self.arrivals.insert(key, bound);
            }
            if records[cursor].jump {
                self.violations += 1;
                self.raise::<ALONE>(&mut records[..=cursor]);
            }
            self.settle::<ALONE>(&records[cursor]);
            cursor += 1;
        }
        self.visited += (cursor - begin) as u64;
        self.cursors[place] = cursor;
        self.records[place] = records;
    }

    /// Has all records of the last event jump as the last one did: what else
    /// the event received, it received then.
    fn raise<const ALONE: bool>(&mut self, records: &mut [Record]) {
        let Some((last, before)) = records.split_last_mut() else {
            return;
        };
        let earlier = before.iter_mut().rev();
        for record in earlier.take_while(|record| record.event == last.event) {
            record.corrected = last.corrected;
            record.jump = true;
            self.settle::<ALONE>(record);
        }
    }

    /// Makes a time known: a sender's to who waits for it, a receiver's as the
    /// limit of what its sender may be moved to later.
    #[inline(always)]
    fn settle<const ALONE: bool>(&mut self, record: &Record) {
        if record.role == Role::Receive {
            let latency = self.known.latencies.over(record.hop).0;
            let limit = record.corrected.saturating_sub(latency);
            self.sent.put::<ALONE>(record.link, limit);
        } else if record.role == Role::Send {
            if !ALONE && !self.is_mine(record.peer) {
                self.tell_sent(record);
                return;
            }
            self.sent.put::<ALONE>(record.link, record.corrected);
            self.wake::<ALONE>(record.peer, (Role::Receive, record.link));
        } else if record.role == Role::Enter {
            self.enter::<ALONE>(record);
        } else if record.role == Role::Exit {
            self.collectives.leave(record.link, record.corrected);
        }
    }

    fn enter<const ALONE: bool>(&mut self, record: &Record) {
        let mut reached = std::mem::take(&mut self.reached);
        let (latest, time) = (&mut self.latest, record.corrected);
        self.collectives
            .enter(record.link, time, latest, &mut reached);
        for member in reached.drain(..) {
            let receiver = &self.known.matching.members[member as usize];
            let location = receiver.exit.location.0;
            if ALONE || self.is_mine(location) {
                self.wake::<ALONE>(location, (Role::Exit, member));
            } else {
                self.tell_bound(member, self.collectives.bound(member));
            }
        }
        self.reached = reached;
        if !ALONE {
            self.tell_entered(record);
        }
    }

    /// Tells the receiver's part that a message was sent later than it knows.
    pub fn tell_sent(&mut self, record: &Record) {
        if record.corrected != record.time {
            let part = self.known.division.part_of(record.peer);
            let name = self.names.of(record.link);
            self.told[part].push((SENT, name, record.corrected));
        }
    }

    /// Tells the home of an operation that somebody entered later than it knows.
    pub fn tell_entered(&mut self, record: &Record) {
        if record.corrected == record.time {
            return;
        }
        let guest = self.collectives.entering.name(record.link);
        if let Some((name, home)) = guest.zip(self.collectives.home(record.link)) {
            self.told[home].push((ENTERED, name, record.corrected));
        }
    }

    /// Tells a guest's part that it cannot have left before a time, if it does not know.
    pub fn tell_bound(&mut self, member: u32, bound: i64) {
        if let Some((part, name, bound)) = self.collectives.tell(member, bound) {
            self.told[part].push((BOUND, name, bound));
        }
    }

    /// Returns whether a location belongs to this part.
    #[inline(always)]
    pub fn is_mine(&self, location: u32) -> bool {
        self.known.division.part_of(location) == self.me
    }

    #[inline(always)]
    fn wake<const ALONE: bool>(&mut self, location: u32, awaited: Awaited) {
        let place = match ALONE {
            true => location as usize,
            false => self.known.division.place(location),
        };
        let waiting = &mut self.waiting[place];
        if *waiting == encode(awaited) {
            *waiting = NOTHING;
            self.runnable.push_back(place as u32);
        }
    }
}

/// Returns whether an event receives something else, too.
pub(crate) fn is_one_of_several(records: &[Record], row: usize) -> bool {
    let event = records[row].event;
    let other = |record: Option<&Record>| {
        record.is_some_and(|other| other.event == event && other.role <= Role::Exit)
    };
    other(row.checked_sub(1).and_then(|row| records.get(row))) || other(records.get(row + 1))
}
