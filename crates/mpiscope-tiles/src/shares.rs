//! Tiles of shares: which part of each bin each class has, and waiting.

use rayon::prelude::*;

use crate::bins::Done;
use crate::cursor::Cursor;
use crate::encode::NONE;
use crate::encode::{Encoder, Kind};
use crate::run::Clocked;
use crate::tile::{Tile, BINS, ROWS};

/// No region, or several classes.
const NO_REGION: u16 = u16::MAX;

impl Clocked<'_> {
    /// Returns the shares of a block of rows; nothing if there is no such block.
    pub fn shares(&self, tile: Tile, block: u32) -> Option<Vec<u8>> {
        let rows = self.rows_of(block)?;
        let rows: Vec<(Vec<Done>, Vec<u16>)> = (rows.into_par_iter())
            .map(|row| {
                let bins = self.bins(row, tile);
                let regions = self.regions(row, tile, &bins);
                (bins, regions)
            })
            .collect();
        let mut encoder = Encoder::new(Kind::Shares, rows.len(), 0);
        for (bins, _) in &rows {
            encoder.u16s(bins.iter().flat_map(shares));
        }
        for (_, regions) in rows {
            encoder.u16s(regions);
        }
        Some(encoder.finish())
    }

    /// Returns the rows of a block.
    pub(crate) fn rows_of(&self, block: u32) -> Option<std::ops::Range<u32>> {
        let first = block.checked_mul(ROWS as u32)?;
        let behind = first
            .saturating_add(ROWS as u32)
            .min(self.run.rows.len() as u32);
        (first < behind).then_some(first..behind)
    }

    /// Returns for each bin of one class the region that takes most of it; of rows that stand for
    /// several locations there is none.
    fn regions(&self, row: u32, tile: Tile, bins: &[Done]) -> Vec<u16> {
        let mut regions = vec![NO_REGION; BINS];
        let Some(location) = self.run.rows.list[row as usize].location else {
            return regions;
        };
        let line = self.line(location);
        let mut cursor = Cursor::new(&line);
        cursor.ask();
        let of_one_class = bins
            .iter()
            .enumerate()
            .filter(|(_, done)| done.only().is_some());
        for (bin, _) in of_one_class {
            cursor.go_to(tile.edge(bin));
            cursor.answer();
            cursor.go_to(tile.edge(bin + 1));
            regions[bin] = match cursor.answer() {
                NONE => NO_REGION,
                region => u16::try_from(region).unwrap_or(NO_REGION),
            };
        }
        regions
    }
}

/// Returns the share of each part of a bin.
fn shares(done: &Done) -> [u16; crate::bins::PARTS] {
    let all = done.all().max(1);
    done.0.map(|ns| {
        let share = (u128::from(ns) * 65_535 + all / 2) / all;
        share.min(65_535) as u16
    })
}
