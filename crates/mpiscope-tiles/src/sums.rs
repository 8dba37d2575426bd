//! Running sums of a location: beside every 256th event stands what the location did until then,
//! and what was open there, so that a state can be taken up.
//!
//! Computation has no column, as it is what is left of the time; nor have classes that the location
//! was never in.

use mpiscope_model::{EventKind, Events, Timestamp};

use crate::bins::{Done, PARTS};
use crate::blocks::BLOCK;
use crate::class::{Class, Regions, CLASSES};
use crate::encode::NONE;
use crate::state::{Doing, Frames, Place, State};
use crate::waits::Waits;

/// Events between two places with sums.
pub const STRIDE: u32 = BLOCK;

/// What a location did until every 256th of its events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sums {
    pub frames: Frames,
    /// How many events there are.
    pub len: u32,
    /// When the event behind each place happened, by times that do not go back.
    pub times: Vec<Timestamp>,
    /// When the last event happened.
    pub end: Timestamp,
    /// The innermost frame and the call at each place.
    pub places: Vec<(u32, u32)>,
    /// Which parts have a column.
    pub columns: Vec<u8>,
    /// The columns' sums at each place, place by place.
    pub sums: Vec<u64>,
    /// The events that switched recording, and whether to off.
    pub switches: Vec<(u32, bool)>,
    /// The begins of collective operations whose ends were never recorded.
    pub endless: Vec<u32>,
    /// What was done in all.
    pub total: Done,
    /// The greatest number of frames that are open at once.
    pub depth: u32,
}

impl Sums {
    /// Reads a location; times are those that do not go back.
    pub fn new(events: &Events, times: &[Timestamp], regions: &Regions, waits: &Waits) -> Sums {
        let mut builder = Builder::default();
        builder.read(events, times, regions, waits);
        builder.finish()
    }

    pub fn bytes(&self) -> usize {
        self.frames.bytes() + 16 * self.places.len() + 8 * self.sums.len()
    }

    /// Returns how long a block lasts in the mean.
    pub fn block(&self) -> u64 {
        let begin = self.times.first().copied().unwrap_or(self.end);
        between(begin, self.end) / self.places().max(1) as u64
    }

    /// Returns how many places there are.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// Returns the place before an event whose number is a multiple of the stride.
    pub fn place(&self, number: usize) -> Place {
        let (node, call) = self.places[number];
        Place {
            node,
            call,
            region: self.frames.region(call, node),
            is_off: self.is_off(number as u32 * STRIDE),
        }
    }

    /// Returns whether recording is off before an event.
    fn is_off(&self, index: u32) -> bool {
        let before = self.switches_before(index);
        let last = before.checked_sub(1).map(|at| self.switches[at]);
        last.is_some_and(|(_, off)| off)
    }

    /// Returns kind and argument of an event that was read alone, as its location has them: the
    /// begin of a collective operation says whether that ended, which may be in another block.
    #[inline]
    pub fn whole(&self, index: u32, (kind, arg): (EventKind, u32)) -> (EventKind, u32) {
        match kind {
            EventKind::MpiCollectiveBegin if self.endless.binary_search(&index).is_ok() => {
                (kind, NONE)
            }
            EventKind::MpiCollectiveBegin => (kind, 0),
            _ => (kind, arg),
        }
    }

    /// Returns how many switches of recording there are before an event.
    pub fn switches_before(&self, index: u32) -> usize {
        self.switches.partition_point(|(switch, _)| *switch < index)
    }

    /// Returns what was done until a place, computation and before the begin left out.
    pub fn until(&self, number: usize) -> Done {
        let width = self.columns.len();
        let row = &self.sums[number * width..][..width];
        let mut done = Done::default();
        for (&part, &sum) in self.columns.iter().zip(row) {
            done.0[part as usize] = sum;
        }
        done
    }
}

/// Sums while they are made, with a column for each part.
#[derive(Default)]
struct Builder {
    sums: Sums,
    rows: Vec<Done>,
}

impl Builder {
    fn read(&mut self, events: &Events, times: &[Timestamp], regions: &Regions, waits: &Waits) {
        let mut state = State::new(regions, Place::BEGIN);
        let mut doing = Doing::NOTHING;
        let mut done = Done::default();
        let (mut wait, mut until) = (0, Timestamp::MIN);
        let mut next_call = waits.get(0).map_or(NONE, |(call, _)| call);
        let is_off = |switch: &u32| (*switch, events.args()[*switch as usize] == 0);
        self.sums.switches = events.switches().iter().map(is_off).collect();
        self.sums.len = events.len() as u32;
        self.sums.end = times.last().copied().unwrap_or_default();
        let kinds = events.kinds();
        for index in 0..events.len() as u32 {
            let now = times[index as usize];
            if index > 0 {
                let before = times[index as usize - 1];
                let passed = between(before, now);
                done.0[doing.class.index()] += passed;
                if until > before {
                    done.0[CLASSES] += between(before, until.min(now));
                }
            }
            if index % STRIDE == 0 {
                let place = state.settle(&mut self.sums.frames);
                self.sums.places.push((place.node, place.call));
                self.sums.times.push(now);
                self.rows.push(done);
            }
            let event = (kinds[index as usize], events.args()[index as usize]);
            if event == (EventKind::MpiCollectiveBegin, NONE) {
                self.sums.endless.push(index);
            }
            state.step(&self.sums.frames, index, event, |_| {});
            doing = state.doing(&self.sums.frames);
            let depth = state.depth(&self.sums.frames) as u32;
            self.sums.depth = self.sums.depth.max(depth);
            if index == next_call {
                let lasted = waits.get(wait).map_or(0, |(_, lasted)| lasted);
                until = later(now, lasted);
                wait += 1;
                next_call = waits.get(wait).map_or(NONE, |(call, _)| call);
            }
        }
        self.sums.total = done;
    }

    fn finish(mut self) -> Sums {
        let has = |part: &u8| {
            let part = *part as usize;
            part != Class::Computation.index() && self.sums.total.0[part] > 0
        };
        let columns: Vec<u8> = (0..PARTS as u8).filter(has).collect();
        let cells = |row: &Done| columns.iter().map(|part| row.0[*part as usize]).collect();
        let rows: Vec<Vec<u64>> = self.rows.iter().map(cells).collect();
        self.sums.sums = rows.concat();
        self.sums.columns = columns;
        self.sums.places.shrink_to_fit();
        self.sums.times.shrink_to_fit();
        self.sums
    }
}

/// Returns the distance to a moment that is not before another.
pub(crate) fn between(from: Timestamp, to: Timestamp) -> u64 {
    to.0.wrapping_sub(from.0) as u64
}

/// Returns the moment so much later.
fn later(time: Timestamp, by: u64) -> Timestamp {
    Timestamp(time.0.saturating_add_unsigned(by))
}
