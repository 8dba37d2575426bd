//! Rows that stand for many locations: what these did together, as running sums at the edges of
//! equal bins, so that a folded host of a thousand processes is as quick as one process.
//!
//! Narrower bins than the group has are made of its locations when they are asked for: few events
//! lie in them then, and a location without any costs next to nothing.

use mpiscope_model::LocationIndex;
use rayon::prelude::*;

use crate::bins::{Bins, Done};
use crate::run::Clocked;
use crate::tile::{Tile, BINS};

/// Groups of fewer locations are added up when they are asked for.
const FEW: usize = 8;
/// Events for which a bin is kept.
const EVENTS: u64 = 256;
/// Bins of a group at most.
const MOST: u64 = 1 << 14;
/// Locations that a thread adds up before it takes others.
const CHUNK: usize = 64;

/// What a group of locations did until each edge of its bins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub shift: u32,
    pub until: Vec<Done>,
}

impl Group {
    /// Adds up a group; nothing if it is small.
    pub fn new(clock: &Clocked, locations: &[LocationIndex]) -> Option<Group> {
        if locations.len() < FEW {
            return None;
        }
        let length = clock.length();
        let events: u64 = locations.iter().map(|it| clock.events(*it)).sum();
        let most = (events / EVENTS).clamp(1, MOST);
        let suits = |shift: &u32| (length >> shift) < most;
        let shift = (0..64).step_by(2).find(suits)?;
        let bins = (length >> shift) as usize + 1;
        let mut sum = Done::default();
        let mut until = vec![sum];
        for done in fill(clock, locations, Tile { shift, begin: 0 }, bins) {
            sum.add(&done);
            until.push(sum);
        }
        Some(Group { shift, until })
    }

    pub fn bytes(&self) -> usize {
        self.until.len() * size_of::<Done>()
    }

    /// Returns the bins of a tile; nothing if they are narrower than the group's.
    pub fn tile(&self, tile: Tile) -> Option<Vec<Done>> {
        let finer = tile.shift.checked_sub(self.shift)?;
        let first = (tile.begin >> self.shift) as usize;
        let last = self.until.len() - 1;
        let edge = |bin: usize| match bin.checked_shl(finer) {
            Some(after) => first.saturating_add(after).min(last),
            None => last,
        };
        let bin = |bin| self.until[edge(bin + 1)].since(&self.until[edge(bin)]);
        Some((0..BINS).map(bin).collect())
    }
}

/// Adds up what locations did in bins of one width.
pub(crate) fn fill(
    clock: &Clocked,
    locations: &[LocationIndex],
    tile: Tile,
    bins: usize,
) -> Vec<Done> {
    let of_chunk = |locations: &[LocationIndex]| {
        let mut filled = Bins::new(tile.shift, bins);
        for location in locations {
            let line = clock.line_for(*location, tile);
            line.fill(&mut filled, tile.shift, tile.begin);
        }
        filled
    };
    let chunks = match locations.len() > CHUNK {
        true => (locations.par_chunks(CHUNK).map(of_chunk)).reduce_with(|a, b| a.merge(&b)),
        false => Some(of_chunk(locations)),
    };
    chunks.map_or_else(Vec::new, Bins::finish)
}
