//! Tiles of collective operations.

use std::ops::Range;

use mpiscope_model::{CollectiveInstance, EventRef, LocationIndex};
use rayon::prelude::*;

use crate::encode::NONE;
use crate::encode::{Encoder, Kind};
use crate::intervals::Intervals;
use crate::run::{Clocked, Run};
use crate::state::Frame;
use crate::tile::Tile;
use crate::times::Times;

/// Operations of a tile, at most: the longest.
pub const MOST: usize = 1024;

/// When an operation was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    /// The first to come.
    pub first_enter: u64,
    /// The last to come.
    pub last_enter: u64,
    /// The last to go.
    pub last_leave: u64,
}

/// Collective operations by time.
#[derive(Debug, Default)]
pub(crate) struct Collectives {
    index: Intervals,
    pub moments: Vec<Moments>,
    /// The region of each one's first member.
    pub regions: Vec<u32>,
}

impl Collectives {
    pub fn new(run: &Run, times: &Times) -> Collectives {
        let instances = run.matching.collectives.par_iter();
        let moments: Vec<_> = instances.map(|it| moments(run, times, it)).collect();
        Collectives::of(moments, Vec::new())
    }

    /// Orders operations by time.
    pub fn of(moments: Vec<Moments>, regions: Vec<u32>) -> Collectives {
        let ends = moments.iter().map(|it| it.first_enter..it.last_leave);
        Collectives {
            index: Intervals::new(&ends.collect::<Vec<_>>()),
            moments,
            regions,
        }
    }

    pub fn bytes(&self) -> usize {
        self.index.bytes() + self.moments.len() * size_of::<Moments>()
    }
}

fn moments(run: &Run, times: &Times, instance: &CollectiveInstance) -> Moments {
    let members = run.matching.members_of(instance);
    let time = |event| times.of(&run.trace, event);
    let enters = || members.iter().map(|it| time(it.enter));
    let leaves = members.iter().map(|it| time(it.exit));
    let first_enter = enters().min().unwrap_or(0);
    Moments {
        first_enter,
        last_enter: enters().max().unwrap_or(0),
        last_leave: leaves.max().unwrap_or(0).max(first_enter),
    }
}

impl Clocked<'_> {
    /// Returns the collective operations that touch a window, by begin; if there are too many the
    /// longest, and whether that is so.
    pub fn collectives(&self, window: Range<u64>) -> (Vec<u32>, bool) {
        let mut found = self.collectives_in(window);
        let is_cut = found.len() > MOST;
        if is_cut {
            let length = |number: &u32| {
                let it = self.moments(*number);
                it.last_leave - it.first_enter
            };
            let key = |number: &u32| (std::cmp::Reverse(length(number)), *number);
            found.select_nth_unstable_by_key(MOST, key);
            found.truncate(MOST);
            found.sort_unstable_by_key(|it| (self.moments(*it).first_enter, *it));
        }
        (found, is_cut)
    }

    /// Returns all collective operations that touch a window, by begin.
    pub(crate) fn collectives_in(&self, window: Range<u64>) -> Vec<u32> {
        let interval = |number: u32| {
            let it = self.moments(number);
            it.first_enter..it.last_leave
        };
        let mut found = Vec::new();
        self.view
            .collectives
            .index
            .touch(window, interval, |number| {
                found.push(number);
                true
            });
        found
    }

    /// Returns when an operation was.
    pub fn moments(&self, number: u32) -> Moments {
        self.view.collectives.moments[number as usize]
    }

    /// Returns the collective operations of a tile, encoded.
    pub fn collectives_tile(&self, tile: Tile) -> Vec<u8> {
        let (numbers, is_cut) = self.collectives(tile.window());
        let instance = |number: &u32| &self.run.matching.collectives[*number as usize];
        let rows = |number: &u32| {
            let members = self.run.matching.members_of(instance(number)).iter();
            members.map(|it| self.run.rows.of_location[it.enter.location.index()])
        };
        let moments = || numbers.iter().map(|it| self.moments(*it));
        let mut encoder = Encoder::new(Kind::Collectives, numbers.len(), u32::from(is_cut));
        encoder.f64s(moments().map(|it| it.first_enter as f64));
        encoder.f64s(moments().map(|it| it.last_enter as f64));
        encoder.f64s(moments().map(|it| it.last_leave as f64));
        let regions = &self.view.collectives.regions;
        encoder.u32s(numbers.iter().map(|it| regions[*it as usize]));
        encoder.u32s(numbers.iter().map(|it| instance(it).comm.0));
        encoder.u32s(numbers.iter().map(|it| instance(it).members.len() as u32));
        encoder.u32s(numbers.iter().map(|it| rows(it).min().unwrap_or(NONE)));
        encoder.u32s(numbers.iter().map(|it| rows(it).max().unwrap_or(NONE)));
        encoder.u32s(numbers.iter().copied());
        encoder.finish()
    }

    /// Returns the regions of the first members of all operations.
    pub(crate) fn regions_of_collectives(&self) -> Vec<u32> {
        let instances = self.run.matching.collectives.par_iter();
        let region = |instance: &CollectiveInstance| {
            let first = self.run.matching.members_of(instance).first();
            let around = first.and_then(|member| self.call_around(member.enter));
            around.map_or(NONE, |call| call.region)
        };
        instances.map(region).collect()
    }

    /// Returns the innermost call of a region around an event, itself of an enter.
    pub(crate) fn call_around(&self, event: EventRef) -> Option<Frame> {
        let line = self.line(event.location);
        let state = line.state_before(event.index + 1);
        let mut open = state.open(&line.sums.frames);
        open.find(|frame| frame.region != NONE)
    }

    /// Returns the rows of an operation's members, with when each came and went.
    pub fn members(&self, number: u32) -> Option<Vec<(u32, u64, u64)>> {
        let instance = self.run.matching.collectives.get(number as usize)?;
        let members = self.run.matching.members_of(instance).iter();
        let time = |event| self.recorded(event);
        let row = |location: LocationIndex| self.run.rows.of_location[location.index()];
        let member = members.map(|it| (row(it.enter.location), time(it.enter), time(it.exit)));
        Some(member.collect())
    }
}
