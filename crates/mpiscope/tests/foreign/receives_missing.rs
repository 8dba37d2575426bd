//! An archive whose receives are missing: where a tool has no wrapper for them, gave up in the
//! middle of a call, or writes sends only (`oxton`, a simulator of networks, does).

use std::path::{Path, PathBuf};

use otf2::{GroupType, LocationType, Paradigm, RegionRole, UNDEFINED};

use expect_test::expect;

use crate::commands::{json, limits, run};
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

#[test]
fn sends_without_receives_say_nothing_of_waiting_races_and_clocks() {
    let folder = tempfile::tempdir().unwrap();
    let archive = write(folder.path());
    expect![[r#"
        note: receives are missing: the archive has 20 sends and no receive, so that nothing can be concluded from messages, neither of late senders nor of clocks
        note: nothing but the calls is told of MPI_Recv"#]].assert_eq(&limits("info", &archive));
    expect![[r#"
        unknown: messages whose receives are missing: the archive has 20 sends and no receive, so that nothing can be concluded from messages, neither of late senders nor of clocks
        unknown: calls of which nothing else is told (20 calls, 7.88 ms): MPI_Recv; with whom they communicated, and for whom they waited, is not told
        note: of 20 messages the other side is not in the trace: nothing follows from them"#]].assert_eq(&limits("analyze", &archive));
    expect![[r#"
        whether a receive or probe could have got another message cannot be told: receives are missing: the archive has 20 sends and no receive, so that nothing can be concluded from messages, neither of late senders nor of clocks
        deadlocks and truncation cannot be told: the archive does not record what a call asked for when it began
        types cannot be told: the archive does not record the types of data
        what is missing cannot be told: receives are missing: the archive has 20 sends and no receive, so that nothing can be concluded from messages, neither of late senders nor of clocks"#]].assert_eq(&limits("races", &archive));
    expect![[r#"
        uncertainty      what clocks are wrong by is unknown: no messages tell
        warning: 2 clocks were never compared with each other
        warning: sends without receive in the trace: 20 (the first: MPI_Send on rank 0)
        warning: receives are missing: the archive has 20 sends and no receive, so that nothing can be concluded from messages, neither of late senders nor of clocks"#]].assert_eq(&limits("sync -o corrected", &archive));
    let races = json("races --json", &archive);
    assert!(races.get("racing").is_null(), "{:#}", races.0);
    run("races --fail-on race", &archive).check(2, &["receives are missing"]);
    let analyzed = json("analyze --json", &archive);
    let statements = analyzed.get("statements").as_array().unwrap();
    let receive = statements.iter().find(|it| it["call"] == "MPI_Recv");
    assert!(receive.unwrap()["waiting_ns"].is_null());
}
