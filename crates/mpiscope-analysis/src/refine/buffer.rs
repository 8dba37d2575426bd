//! How much memory the next trace needs.

use std::collections::BTreeMap;

use super::{OfLocation, Refinement};

/// Bytes of a record.
const RECORD: u64 = 32;
/// A call of MPI has two events at least, and five records for three at most.
const RECORDS: (u64, u64) = (5, 3);

/// What a rank needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Buffer {
    /// Bytes of records to be reserved, so that none are spilled.
    pub bytes: u64,
    /// World rank that needs them.
    pub rank: u32,
}

impl Refinement {
    /// Returns what the rank needs that needs most, of a run so many times as long.
    ///
    /// The thread that initialises MPI has a reserve, and all others of its process share as much
    /// again. Each of these gets more only as long as it then holds no more than is left, so that
    /// together they need the room of the largest once more.
    pub fn buffer(&self, times: f64) -> Buffer {
        let mut ranks: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for location in &self.locations {
            let bytes = (bytes(location) as f64 * times) as u64;
            ranks.entry(location.rank).or_default().push(bytes);
        }
        let needs = ranks.into_iter().map(|(rank, threads)| {
            let (first, others) = threads
                .split_first()
                .map_or((0, &[][..]), |it| (*it.0, it.1));
            let all = others
                .iter()
                .fold(0, |sum: u64, it| sum.saturating_add(*it));
            let largest = others.iter().copied().max().unwrap_or(0);
            let bytes = first.max(all.saturating_add(largest));
            (bytes, std::cmp::Reverse(rank))
        });
        let most = needs.max();
        most.map_or_else(Buffer::default, |(bytes, rank)| Buffer {
            bytes,
            rank: rank.0,
        })
    }
}

/// Returns the bytes of the records that a location has left, at most.
fn bytes(location: &OfLocation) -> u64 {
    let own = location.own - location.left_out;
    let others = location.events - location.own;
    let others = others.saturating_mul(RECORDS.0).div_ceil(RECORDS.1);
    own.saturating_add(others).saturating_mul(RECORD)
}
