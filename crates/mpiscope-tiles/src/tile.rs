//! Where tiles lie: level k has bins of 4ᵏ ns, tile i holds bins 256·i to 256·i + 255, and a block
//! b the rows 32·b to 32·b + 31.

use std::ops::Range;

/// Bins of a tile.
pub const BINS: usize = 256;
/// Rows of a block.
pub const ROWS: usize = 32;
/// Levels with which any 64 bits of nanoseconds can be shown.
const MOST_LEVELS: u32 = 29;

/// A stretch of time of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Base-two logarithm of the width of a bin in nanoseconds.
    pub shift: u32,
    /// When it begins.
    pub begin: u64,
}

impl Tile {
    /// Returns a tile of a run of this length; nothing if there is no such level, or it lies behind
    /// the run's end.
    pub fn new(length: u64, level: u32, index: u64) -> Option<Tile> {
        if level >= levels(length) {
            return None;
        }
        let shift = 2 * level;
        let begin = u128::from(index) << (shift + BINS.ilog2());
        let begin = u64::try_from(begin).ok()?;
        (begin <= length).then_some(Tile { shift, begin })
    }

    /// Returns the width of a bin.
    pub fn bin(&self) -> u64 {
        1 << self.shift
    }

    /// Returns its first moment and the first behind it, but no later than 64 bits can say.
    pub fn window(&self) -> Range<u64> {
        self.begin..self.edge(BINS)
    }

    /// Returns where a bin begins.
    pub fn edge(&self, bin: usize) -> u64 {
        let edge = u128::from(self.begin) + ((bin as u128) << self.shift);
        u64::try_from(edge).unwrap_or(u64::MAX)
    }
}

/// Returns how many levels a run of this length has: one tile of the last holds all of it.
pub fn levels(length: u64) -> u32 {
    let holds = |level: &u32| length >> (2 * level) < BINS as u64;
    (0..MOST_LEVELS)
        .find(holds)
        .map_or(MOST_LEVELS, |it| it + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tile_of_the_last_level_holds_all() {
        for length in [
            0,
            1,
            255,
            256,
            257,
            1 << 20,
            1_000_000_000_000_000_000,
            u64::MAX,
        ] {
            let last = levels(length) - 1;
            let tile = Tile::new(length, last, 0).unwrap();
            let behind = u128::from(tile.begin) + (256u128 << tile.shift);
            assert!(behind > u128::from(length), "{length}");
            assert_eq!(Tile::new(length, last + 1, 0), None);
            if let Some(second) = Tile::new(length, last, 1) {
                panic!("{length}: {second:?}");
            }
        }
    }

    #[test]
    fn what_lies_behind_the_end_is_no_tile() {
        assert!(Tile::new(1000, 0, 3).is_some());
        assert_eq!(Tile::new(1000, 0, 4), None);
        assert_eq!(Tile::new(u64::MAX, 3, u64::MAX), None);
    }
}
