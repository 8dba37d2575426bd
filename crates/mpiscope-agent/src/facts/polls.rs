//! Polls that find nothing: a test, a probe or their kin that says "not yet".
//!
//! A program that waits so makes millions of them. The first of a place in the program is told in
//! full. Those that follow, of one place or of several in turn and with nothing else in between,
//! are counted in a record for each place, which is written over with each ([`Polls`]): so the
//! buffer does not grow, and whoever kills the program still finds how far it came. The record
//! takes the place of the enter of the second poll; from then on an enter is told once it is known
//! that the poll has found something, with the time at which it was called.
//!
//! The clock is read when a poll begins, as it may succeed. When one ends it is read for the first
//! few, after each that took long to come, and for one in sixteen of the others, which stands for
//! those up to the next; none is counted as longer than it was until the next poll. Polls that are
//! far apart cost little, and are told in full.

use std::sync::atomic::{AtomicU8, Ordering};

use mpi_abi::{id, FunctionId, FUNCTIONS};
use mpiscope_run::buffer::Writer;
use mpiscope_run::record::{Fact, Polls, Record};

use super::sinks::Sinks;
use crate::base::clock::ticks;
use crate::base::tables::{table, Shared, Table};
use crate::base::variable::variable_is;
use crate::mpi::shape::completion::named;

/// Places that poll in turn; of one more, all begin anew.
const MOST: usize = 8;
/// Polls of a place that are measured at first.
const FIRST: u32 = 8;
/// Ticks from poll to poll after which one is measured: reading the clock costs no more than a
/// hundredth of this.
const FAR: u64 = 1 << 12;
/// Ticks from poll to poll after which one is told in full: half a millisecond to four, whatever
/// is read.
const APART: u64 = 1 << 25;
/// Ticks that the program computes in between, at most, before what follows has records of its
/// own: by so much polls may be shown later than they were. Eight times as long.
const COMPUTED: u64 = 1 << 25;

/// Where a poll says that it has found something: a flag, or a number of requests.
pub const FOUND: Table<u8> = table(ROWS);

const ROWS: &[Shared<u8>] = &[
    flag(&[id::MPI_TEST]),
    flag(&[id::MPI_TESTALL]),
    flag(&[id::MPI_TESTANY]),
    outcount(&[id::MPI_TESTSOME]),
    flag(&[id::MPI_IPROBE]),
    flag(&[id::MPI_IMPROBE]),
    flag(&[id::MPI_WIN_TEST]),
    flag(&[id::MPI_PARRIVED]),
    flag(&[id::MPI_REQUEST_GET_STATUS]),
    flag(&[id::MPI_REQUEST_GET_STATUS_ALL]),
    flag(&[id::MPI_REQUEST_GET_STATUS_ANY]),
    outcount(&[id::MPI_REQUEST_GET_STATUS_SOME]),
];

const fn flag(function: &'static [FunctionId]) -> Shared<u8> {
    (function, named(function[0], "flag") as u8)
}

const fn outcount(function: &'static [FunctionId]) -> Shared<u8> {
    (function, named(function[0], "outcount") as u8)
}

// A region's number is that of its function.
const _: () = assert!(FUNCTIONS.len() < u16::MAX as usize);

/// Whether polls are told together: not known yet, no, yes.
static WANTED: AtomicU8 = AtomicU8::new(0);

fn is_wanted() -> bool {
    if WANTED.load(Ordering::Relaxed) == 0 {
        let all = variable_is(c"MPISCOPE_POLLS", c"all");
        WANTED.store(if all { 1 } else { 2 }, Ordering::Relaxed);
    }
    WANTED.load(Ordering::Relaxed) == 2
}

/// No record.
const NONE: u64 = u64::MAX;

/// A place that polls.
#[derive(Clone, Copy)]
struct Place {
    polls: Polls,
    /// Which record of the buffer tells of it.
    record: u64,
    /// The latest reading of the clock.
    time: u64,
    /// How long the poll took that stands for those that are not measured.
    typical: u64,
    /// Polls until one is measured.
    unmeasured: u32,
}

/// What is known of the poll being made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Now {
    /// Told as any call.
    Plain,
    /// The second of its place: its enter is the latest record.
    Second(usize),
    /// One more of its place: nothing is told of it yet.
    More(usize),
}

/// The polls of a thread.
pub struct Polling {
    places: [Place; MOST],
    len: usize,
    /// How many records there were after the latest poll.
    position: u64,
    now: Now,
    /// When the latest poll began.
    entered: u64,
    /// Whether that one's end is to be measured, or was.
    is_measured: bool,
    /// The place of it, if it found nothing and was not measured.
    is_owed: Option<usize>,
    /// When the first poll began that is counted in a record, and ticks in polls since.
    since: u64,
    ticks: u64,
}

impl Default for Polling {
    fn default() -> Self {
        let place = Place {
            polls: Polls::default(),
            record: NONE,
            time: 0,
            typical: 0,
            unmeasured: 0,
        };
        Self {
            places: [place; MOST],
            len: 0,
            position: NONE,
            now: Now::Plain,
            entered: 0,
            is_measured: false,
            is_owed: None,
            since: 0,
            ticks: 0,
        }
    }
}

/// What has come of a poll.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nothing more is to be told.
    Counted,
    /// It is told as any call from here on.
    Told,
    /// The same, but for its enter, at this time, which is to come first.
    Entered(u64),
}

/// How a poll begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    /// Its enter is to be told.
    Enter,
    /// It is not.
    Nothing,
}

impl Polling {
    /// A poll begins.
    #[inline(always)]
    pub(super) fn begins(
        &mut self,
        time: u64,
        (function, site): (FunctionId, usize),
        sinks: &mut Sinks,
    ) -> Begin {
        self.now = Now::Plain;
        let Some(writer) = sinks.quick(2) else {
            self.len = 0;
            return Begin::Enter;
        };
        if writer.position() != self.position {
            self.len = 0;
            return self.enters(time);
        }
        let interval = time.wrapping_sub(self.entered);
        let Some(at) = self.find(function, site).filter(|_| interval < APART) else {
            return self.enters(time);
        };
        self.settle(interval);
        self.entered = time;
        self.is_measured = interval > FAR;
        let computed = time.wrapping_sub(self.since).saturating_sub(self.ticks);
        if self.places[at].record == NONE || computed > COMPUTED || self.is_full(at) {
            return self.second(at);
        }
        let place = &mut self.places[at];
        place.polls.within = true;
        place.unmeasured = place.unmeasured.saturating_sub(1);
        self.is_measured |= place.unmeasured == 0 || place.polls.count < FIRST;
        place.write(writer);
        self.now = Now::More(at);
        Begin::Nothing
    }

    /// It is told in full.
    fn enters(&mut self, time: u64) -> Begin {
        (self.entered, self.is_owed) = (time, None);
        Begin::Enter
    }

    /// Its record is to come.
    fn second(&mut self, at: usize) -> Begin {
        if self.places[at].record != NONE || self.places.iter().all(|it| it.record == NONE) {
            self.forget_records();
            (self.since, self.ticks) = (self.entered, 0);
        }
        self.now = Now::Second(at);
        Begin::Enter
    }

    /// A poll has ended, and its enter, if it was told, is the latest record: says what is to be
    /// told of it.
    #[inline(always)]
    pub(super) fn ended(&mut self, nothing: bool, sinks: &mut Sinks) -> Outcome {
        let now = std::mem::replace(&mut self.now, Now::Plain);
        let Some(writer) = &mut sinks.writer else {
            return Outcome::Told;
        };
        match now {
            Now::Plain => Outcome::Told,
            Now::Second(at) if nothing && writer.position() == self.position.wrapping_add(1) => {
                let record = self.position;
                self.position = writer.position();
                self.is_measured = true;
                let place = &mut self.places[at];
                (place.record, place.polls.count, place.polls.ticks) = (record, 0, 0);
                self.count(at, writer);
                Outcome::Counted
            }
            Now::Second(_) => Outcome::Told,
            Now::More(at) if nothing => {
                self.count(at, writer);
                Outcome::Counted
            }
            Now::More(at) => {
                let place = &mut self.places[at];
                place.polls.within = false;
                place.write(writer);
                Outcome::Entered(self.entered)
            }
        }
    }

    /// A poll was told in full, and found nothing: the next of its place need not be.
    pub(super) fn told(&mut self, function: FunctionId, site: usize, sinks: &mut Sinks) {
        let Some(writer) = sinks.quick(0).filter(|_| is_wanted()) else {
            return;
        };
        self.forget_records();
        self.position = writer.position();
        if self.find(function, site).is_some() {
            return;
        }
        self.len %= MOST;
        self.places[self.len] = Place {
            polls: Polls {
                region: function.0,
                site: site as u64,
                ..Polls::default()
            },
            record: NONE,
            time: 0,
            typical: 0,
            unmeasured: 0,
        };
        self.len += 1;
    }

    /// Counts a poll that found nothing.
    #[inline(always)]
    fn count(&mut self, at: usize, writer: &mut Writer) {
        let place = &mut self.places[at];
        place.polls.count += 1;
        place.polls.within = false;
        place.time = self.entered;
        self.is_owed = Some(at);
        if self.is_measured {
            self.is_owed = None;
            place.time = ticks();
            let took = place.time.wrapping_sub(self.entered);
            place.polls.ticks = place.polls.ticks.saturating_add(took);
            self.ticks = self.ticks.saturating_add(took);
            if place.unmeasured == 0 || place.polls.count <= FIRST {
                place.typical = took;
                // Sixteen in the mean, and not every so-manieth: programs go round, too.
                place.unmeasured = 1 + (place.time as u32 ^ (place.time >> 5) as u32) % 32;
            }
        }
        place.write(writer);
    }

    /// Adds what the latest poll took, if it was not measured: what one like it did, and no longer
    /// than until now.
    #[inline(always)]
    fn settle(&mut self, interval: u64) {
        if let Some(at) = self.is_owed.take() {
            let place = &mut self.places[at];
            let took = place.typical.min(interval);
            place.polls.ticks = place.polls.ticks.saturating_add(took);
            self.ticks = self.ticks.saturating_add(took);
        }
    }

    #[inline(always)]
    fn find(&self, function: FunctionId, site: usize) -> Option<usize> {
        self.places[..self.len]
            .iter()
            .position(|place| place.polls.site == site as u64 && place.polls.region == function.0)
    }

    /// Whether no more can be counted of a place.
    fn is_full(&self, at: usize) -> bool {
        self.places[at].polls.count >= u32::MAX - 1
    }

    /// What comes from here on is told by other records.
    fn forget_records(&mut self) {
        self.places.iter_mut().for_each(|place| place.record = NONE);
    }
}

impl Place {
    #[inline(always)]
    fn write(&self, writer: &mut Writer) {
        writer.amend(self.record, Record::new(self.time, Fact::Polls(self.polls)));
    }
}
