//! Extrae, whose traces Paraver's text format (`.prv`) holds, converted to OTF2.
//!
//! There is no converter of its makers. A `.prv` file has states of threads by number (1 Running,
//! 3 Waiting a message, 4 Blocking Send, 13 Group Communication, as Extrae's `.pcf` names them),
//! events of one moment, and communications with the moments at which they were sent and
//! received; none of these is within another. A conversion of it has states as regions of no role
//! and no paradigm, messages beside them, a location for every thread of a task, nanoseconds since
//! the trace began, and nothing of communicators but their members.

use std::path::{Path, PathBuf};

use otf2::{GroupType, LocationType, Paradigm, RegionRole, UNDEFINED};

use expect_test::expect;

use crate::commands::{json, limits};
use crate::writer::{receive, send, visit, Events, Writer};

/// Two tasks; the second waits for the first's message, and both for each other.
pub fn write(folder: &Path) -> PathBuf {
    let mut writer = Writer::new(folder, "prv2otf2");
    writer.clock(1_000_000_000, 0);
    writer.node(0, "cluster", "machine", UNDEFINED);
    writer.node(1, "node1", "node", 0);
    let state = |writer: &mut Writer, name: &str| {
        writer.region(name, RegionRole::UNKNOWN, Paradigm::UNKNOWN)
    };
    let running = state(&mut writer, "Running");
    let waiting = state(&mut writer, "Waiting a message");
    let sending = state(&mut writer, "Blocking Send");
    let group = state(&mut writer, "Group Communication");
    let join = |parts: Vec<Events>| -> Events { parts.into_iter().flatten().collect() };
    let first = join(vec![
        visit(running, 0, 500_000, &[]),
        visit(sending, 500_000, 510_000, &[]),
        vec![(510_000, send(1, 3, 800))],
        visit(running, 510_000, 900_000, &[]),
        visit(group, 900_000, 910_000, &[]),
    ]);
    let second = join(vec![
        visit(running, 0, 100_000, &[]),
        visit(waiting, 100_000, 512_000, &[]),
        vec![(512_000, receive(0, 3, 800))],
        visit(running, 512_000, 600_000, &[]),
        visit(group, 600_000, 911_000, &[]),
    ]);
    for (task, events) in [first, second].iter().enumerate() {
        let id = task as u32;
        writer.process(id, &format!("THREAD 1.{}", task + 1), 1);
        let name = format!("THREAD 1.{}.1", task + 1);
        writer.location(task as u64, &name, LocationType::CPU_THREAD, id, events);
    }
    writer.group(0, GroupType::COMM_GROUP, Paradigm::MPI, &[0, 1]);
    writer.communicator(0, "World", 0);
    writer.finish()
}

#[test]
fn messages_beside_calls_are_messages_and_tell_of_no_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let archive = write(folder.path());
    let info = json("info --json", &archive);
    assert_eq!(info.figure("ranks"), 2);
    assert_eq!(info.figure("messages.point_to_point"), 1);
    expect!["note: messages in no call of MPI: 2 sends and receives; how long anybody waited for them is not told"].assert_eq(&limits("info", &archive));
    expect!["unknown: messages in no call: 2 sends and receives; how long anybody waited for them is not told"].assert_eq(&limits("analyze", &archive));
    expect![[r#"
        whether a receive or probe could have got another message cannot be told: the archive does not record which of its 1 receive said MPI_ANY_SOURCE
        deadlocks and truncation cannot be told: the archive does not record what a call asked for when it began
        types cannot be told: the archive does not record the types of data"#]].assert_eq(&limits("races", &archive));
}
