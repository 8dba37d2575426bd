//! Tiles of shares: which part of each bin each class has, and waiting.

use rayon::prelude::*;

use crate::bins::Done;
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
            .map(|row| self.bins_and_regions(row, tile))
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

    /// Returns what a row did in each bin, and of each bin of one class the region that takes most
    /// of it; of rows that stand for several locations there is none.
    fn bins_and_regions(&self, row: u32, tile: Tile) -> (Vec<Done>, Vec<u16>) {
        let Some(location) = self.run.rows.list[row as usize].location else {
            return (self.bins(row, tile), vec![NO_REGION; BINS]);
        };
        let (bins, regions) = self.line_for(location, tile).bins_and_regions(tile);
        let region = |(done, region): (&Done, u32)| match done.only() {
            Some(_) => u16::try_from(region).unwrap_or(NO_REGION),
            None => NO_REGION,
        };
        let regions = bins.iter().zip(regions).map(region).collect();
        (bins, regions)
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
