//! TAU, which writes OTF2 itself (`TAU_TRACE_FORMAT=otf2`).
//!
//! After `src/Profile/TracerOTF2.cpp` of TAU 2: ticks are microseconds; a process `n` is the node
//! "node n" of the system tree and the group "group n", its thread `t` the location that
//! Szudzik's pairing gives (`n² + n + t` for the first); functions of MPI are called `MPI_Send()`
//! and are of paradigm MPI, as is every region with these three letters in its name, whatever
//! their case; every role is FUNCTION. The group of MPI's locations is counted up in steps, which
//! is not how locations are numbered. Messages are MpiSend and MpiRecv, also those of requests,
//! on MPI_COMM_WORLD by world ranks; collective operations are regions and nothing else; user
//! events are metrics.

use std::path::{Path, PathBuf};

use otf2::{
    Base, Definition, Event, GroupType, LocationType, MetricMode, MetricOccurrence, MetricType,
    MetricValue, Paradigm, RecorderKind, RegionRole, Type, UNDEFINED,
};

use expect_test::expect;

use crate::commands::{json, limits, said};
use crate::writer::{receive, send, visit, Events, Writer};

/// 2024, in microseconds since 1970.
const START: u64 = 1_704_067_200_000_000;
const RANKS: u64 = 3;

/// Three processes: each computes, longer the higher its rank, sends to the next and receives
/// from the one before, and all meet in a barrier.
pub fn write(folder: &Path) -> PathBuf {
    let mut writer = Writer::new(folder, "TAU");
    writer.clock(1_000_000, START);
    let of_mpi =
        |writer: &mut Writer, name: &str| writer.region(name, RegionRole::FUNCTION, Paradigm::MPI);
    let application = writer.region(".TAU application", RegionRole::FUNCTION, Paradigm::COMPILER);
    let calls = Calls {
        application,
        compile: of_mpi(&mut writer, "compile_tables [{heat.c} {12,1}-{30,1}]"),
        init: of_mpi(&mut writer, "MPI_Init()"),
        send: of_mpi(&mut writer, "MPI_Isend()"),
        receive: of_mpi(&mut writer, "MPI_Recv()"),
        barrier: of_mpi(&mut writer, "MPI_Barrier()"),
        finalize: of_mpi(&mut writer, "MPI_Finalize()"),
    };
    for rank in 0..RANKS {
        let name = format!("node {rank}");
        writer.node(rank as u32, &name, "node", UNDEFINED);
        writer.process(rank as u32, &format!("group {rank}"), rank as u32);
        let name = format!("Rank {rank}, CPU Thread 00");
        let events = events(rank, &calls);
        let location = rank * rank + rank;
        let thread = LocationType::CPU_THREAD;
        writer.location(location, &name, thread, rank as u32, &events);
    }
    metric(&mut writer);
    let counted: Vec<u64> = (0..RANKS).collect();
    writer.group(0, GroupType::COMM_LOCATIONS, Paradigm::MPI, &counted);
    writer.group(1, GroupType::COMM_GROUP, Paradigm::MPI, &counted);
    writer.communicator(0, "MPI_COMM_WORLD", 1);
    writer.finish()
}

struct Calls {
    application: u32,
    compile: u32,
    init: u32,
    send: u32,
    receive: u32,
    barrier: u32,
    finalize: u32,
}

fn events(rank: u64, calls: &Calls) -> Events {
    let at = |micros: u64| START + micros;
    let work = 1_000 * (rank + 1);
    let [next, before] = [(rank + 1) % RANKS, (rank + RANKS - 1) % RANKS];
    // Each receives when the one before has sent.
    let sent = |rank: u64| 200 + 1_000 * (rank + 1);
    let received = work.max(sent(before)) + 300;
    let size = Event::Metric {
        metric: 0,
        values: vec![MetricValue {
            kind: Type::UINT64,
            bits: 4096,
        }],
    };
    let parts = [
        visit(calls.init, at(10), at(100), &[]),
        visit(calls.compile, at(110), at(100 + work), &[]),
        visit(
            calls.send,
            at(sent(rank) - 2),
            at(sent(rank) + 8),
            &[
                (at(sent(rank)), size),
                (at(sent(rank)), send(next as u32, 7, 4096)),
            ],
        ),
        visit(
            calls.receive,
            at(sent(rank) + 10),
            at(received),
            &[(at(received - 1), receive(before as u32, 7, 4096))],
        ),
        visit(calls.barrier, at(received + 10), at(4_000), &[]),
        visit(calls.finalize, at(4_010), at(4_100), &[]),
    ];
    let within: Events = parts.into_iter().flatten().collect();
    visit(calls.application, START, at(4_200), &within)
}

fn metric(writer: &mut Writer) {
    let name = writer.text("Message size sent to all nodes");
    writer.define(Definition::MetricMember {
        id: 0,
        name,
        description: 0,
        metric_type: MetricType::OTHER,
        metric_mode: MetricMode::ABSOLUTE_POINT,
        value_type: Type::UINT64,
        base: Base::DECIMAL,
        exponent: 0,
        unit: 0,
    });
    writer.define(Definition::MetricClass {
        id: 0,
        metric_members: vec![0],
        metric_occurrence: MetricOccurrence::SYNCHRONOUS,
        recorder_kind: RecorderKind::CPU,
    });
}

/// The group of MPI's locations is 0, 1, 2; the locations are 0, 2, 6.
#[test]
fn ranks_are_those_of_processes() {
    let folder = tempfile::tempdir().unwrap();
    let archive = write(folder.path());
    let info = json("info --json", &archive);
    assert_eq!(info.figure("ranks"), 3);
    assert_eq!(info.figure("messages.point_to_point"), 3);
    assert_eq!(info.figure("messages.unmatched_sends"), 0);
    let sent = said("print", &archive);
    let sent: Vec<&str> = sent
        .lines()
        .filter(|line| line.contains(" send "))
        .collect();
    expect![[r#"
        0.001200000  rank 0  send              MPI_Isend to rank 1, tag 7, 4096 B, MPI_COMM_WORLD
        0.002200000  rank 1  send              MPI_Isend to rank 2, tag 7, 4096 B, MPI_COMM_WORLD
        0.003200000  rank 2  send              MPI_Isend to rank 0, tag 7, 4096 B, MPI_COMM_WORLD"#]].assert_eq(&sent.join("\n"));
}

#[test]
fn a_barrier_without_its_operation_is_no_barrier_at_which_nobody_waited() {
    let folder = tempfile::tempdir().unwrap();
    let archive = write(folder.path());
    expect![[r#"
        unknown: by how much clocks are wrong against each other in 1.99 ms of the waiting (1 wait); `mpiscope sync traces.otf2` finds it
        unknown: calls of which nothing else is told (3 calls, 2.87 ms): MPI_Barrier; with whom they communicated, and for whom they waited, is not told
        unknown: metrics: not looked at: Message size sent to all nodes"#]].assert_eq(&limits("analyze", &archive));
    let analyzed = json("analyze --json", &archive);
    let statements = analyzed.get("statements").as_array().unwrap();
    let of = |call: &str| statements.iter().find(|it| it["call"] == call);
    assert!(of("MPI_Barrier").unwrap()["waiting_ns"].is_null());
    // The first receives what the last sends 2 ms later.
    assert_eq!(of("MPI_Recv").unwrap()["waiting_ns"], 1_988_000);
    assert!(of("compile_tables [{heat.c} {12,1}-{30,1}]").is_none());
    assert_eq!(analyzed.figure("mpi_ns"), 5_910_000);
    // A corrected archive says who wrote the measured one.
    said("sync -o corrected", &archive);
    let corrected = folder.path().join("corrected/traces.otf2");
    let analyzed = json("analyze --json", &corrected);
    assert_eq!(analyzed.figure("mpi_ns"), 5_910_000);
}
