//! Collectives among neighbours of a topology (MPI 4.1, §8.6).
//!
//! OTF2 has no numbers for them: they carry those of the operations among all,
//! marked. Bytes are those for and from neighbours that exist: at the ends of
//! a grid there are blocks for none.

use super::data::{nothing, sent};
use super::{row, Row, View};
use crate::mpi::collective::Operation;

/// The first of these operations.
const FIRST: u8 = Operation::Allgather as u8;

/// One row per operation from [`FIRST`] on.
const ROWS: [Row; 5] = [
    row(sent, |v| {
        (v.sent_to_each(v.block(1, 2)), v.got_of_each(v.block(4, 5)))
    }),
    row(sent, |v| {
        let received = v.sources().map(|k| v.call.count_at(4, k)).sum();
        (v.sent_to_each(v.block(1, 2)), v.call.bytes(received, 6))
    }),
    row(sent, |v| {
        (v.sent_to_each(v.block(1, 2)), v.got_of_each(v.block(4, 5)))
    }),
    row(nothing, |v| {
        let sent = v.destinations().map(|k| v.call.count_at(1, k)).sum();
        let received = v.sources().map(|k| v.call.count_at(5, k)).sum();
        (v.call.bytes(sent, 3), v.call.bytes(received, 7))
    }),
    row(nothing, |v| {
        let sent = v.destinations().map(|k| v.block_behind(1, 3, k)).sum();
        let received = v.sources().map(|k| v.block_behind(5, 7, k)).sum();
        (sent, received)
    }),
];

impl View<'_, '_> {
    /// The places of those that we send to, in arrays of counts.
    pub(super) fn destinations(&self) -> impl Iterator<Item = usize> + '_ {
        self.places(self.comm.beside().map_or(0, |beside| beside.destinations))
    }

    /// The places of those that send to us.
    fn sources(&self) -> impl Iterator<Item = usize> + '_ {
        self.places(self.comm.beside().map_or(0, |beside| beside.sources))
    }

    fn places(&self, count: u32) -> impl Iterator<Item = usize> + '_ {
        let beside = self.comm.beside();
        let absent = beside.map_or(&[][..], |beside| &beside.absent[..]);
        let present = (0..count).filter(|place| absent.binary_search(place).is_err());
        present.map(|place| place as usize)
    }

    fn sent_to_each(&self, block: u64) -> u64 {
        self.destinations().count() as u64 * block
    }

    fn got_of_each(&self, block: u64) -> u64 {
        self.sources().count() as u64 * block
    }

    /// Bytes of a block with a count and a datatype of its own.
    fn block_behind(&self, counts: usize, types: usize, k: usize) -> u64 {
        match self.call.count_at(counts, k) {
            0 => 0,
            count => count.saturating_mul(self.call.type_size_at(types, k)),
        }
    }
}

/// Returns the row of the operation among neighbours that resembles one among all.
pub(super) fn row_of(op: u8) -> Option<&'static Row> {
    ROWS.get(usize::from(op.checked_sub(FIRST)?))
}
