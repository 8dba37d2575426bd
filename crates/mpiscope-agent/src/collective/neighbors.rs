//! Collectives among neighbours of a topology (MPI 4.1, §8.6).
//!
//! OTF2 has no numbers for them: they carry those of the operations among all,
//! and the region's name says that they are not. Bytes are those for and from
//! neighbours. Persistent ones are not told: MPI_Start has no such name.

use super::nonblocking::{initiate_row, initiated_row};
use super::{begun, described, row, sent, Row, View, NO_DATA};
use crate::call::Call;
use mpiscope_run::record::Fact;

/// OTF2's number of the first of these operations, allgather.
const FIRST: u8 = 6;

/// One row per operation from [`FIRST`] on.
const ROWS: [Row; 5] = [
    row(6, None, sent, |v| {
        let (sources, destinations) = v.comm.neighbors();
        (destinations * v.block(1, 2), sources * v.block(4, 5))
    }),
    row(7, None, sent, |v| {
        let (sources, destinations) = v.comm.neighbors();
        (
            destinations * v.block(1, 2),
            v.blocks_of(sources as u32, 4, 6),
        )
    }),
    row(6, None, sent, |v| {
        let (sources, destinations) = v.comm.neighbors();
        (destinations * v.block(1, 2), sources * v.block(4, 5))
    }),
    row(8, None, NO_DATA, |v| {
        let (sources, destinations) = v.comm.neighbors();
        (
            v.blocks_of(destinations as u32, 1, 3),
            v.blocks_of(sources as u32, 5, 7),
        )
    }),
    row(8, None, NO_DATA, |v| {
        let (sources, destinations) = v.comm.neighbors();
        (total(v, destinations, 1, 3), total(v, sources, 5, 7))
    }),
];

fn total(v: &View, neighbors: u64, counts: usize, types: usize) -> u64 {
    let block = |k| match v.call.count_behind(counts, k) {
        0 => 0,
        count => count.saturating_mul(v.call.type_size_behind(types, k)),
    };
    (0..neighbors as usize).map(block).sum()
}

const fn of(op: u8) -> &'static Row {
    &ROWS[(op - FIRST) as usize]
}

/// The blocking one that resembles OTF2's operation `OP`, before.
pub fn before<const OP: u8>(call: &mut Call) {
    if let Some(begun) = begun(call, of(OP)) {
        call.record(Fact::CollectiveBegin(begun));
    }
}

/// The same, after.
pub fn after<const OP: u8>(call: &mut Call, ok: bool) {
    if let Some(ended) = described(call, OP, of(OP), ok) {
        call.record(Fact::CollectiveEnd(ended));
    }
}

/// The nonblocking one, before.
pub fn initiate<const OP: u8>(call: &mut Call) {
    initiate_row(call, of(OP));
}

/// The same, after.
pub fn initiated<const OP: u8>(call: &mut Call, ok: bool) {
    initiated_row(call, OP, of(OP), ok);
}
