//! An archive whose receives are missing: where a tool has no wrapper for them, gave up in the
//! middle of a call, or writes sends only (`oxton`, a simulator of networks, does).

use std::path::{Path, PathBuf};

use otf2::{GroupType, LocationType, Paradigm, RegionRole, UNDEFINED};

use crate::writer::{send, visit, Events, Writer};

/// Two processes on two hosts; each sends ten messages and calls MPI_Recv as often.
pub fn write(folder: &Path) -> PathBuf {
    let mut writer = Writer::new(folder, "");
    writer.clock(1_000_000_000, 0);
    writer.node(0, "cluster", "machine", UNDEFINED);
    let sending = writer.region("MPI_Send", RegionRole::POINT2POINT, Paradigm::MPI);
    let receiving = writer.region("MPI_Recv", RegionRole::POINT2POINT, Paradigm::MPI);
    for rank in 0..2u32 {
        writer.node(rank + 1, &format!("node{rank}"), "node", 0);
        writer.process(rank, &format!("MPI Rank {rank}"), rank + 1);
        let mut events = Events::new();
        for round in 0..10 {
            let at = 1_000_000 * (round + 1);
            let sent = (at + 100, send(1 - rank, 1, 64));
            events.extend(visit(sending, at, at + 5_000, &[sent]));
            events.extend(visit(receiving, at + 6_000, at + 400_000, &[]));
        }
        let thread = LocationType::CPU_THREAD;
        writer.location(rank.into(), "Master thread", thread, rank, &events);
    }
    writer.group(0, GroupType::COMM_LOCATIONS, Paradigm::MPI, &[0, 1]);
    writer.group(1, GroupType::COMM_GROUP, Paradigm::MPI, &[0, 1]);
    writer.communicator(0, "MPI_COMM_WORLD", 1);
    writer.finish()
}
