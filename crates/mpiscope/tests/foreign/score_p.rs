//! Score-P, of a program of MPI, OpenMP and CUDA.
//!
//! After `src/measurement/tracing/scorep_tracing_definitions.c` and what the adapters define:
//! machine and nodes in the system tree, a group "MPI Rank n" and the locations
//! `thread << 32 | rank` of each process, its streams in an ACCELERATOR group that the process
//! created; regions of MPI with paradigm and roles, artificial ones ("TRACE BUFFER FLUSH") and
//! ones without a source file; groups of locations for MPI, OpenMP and CUDA, each counted by
//! itself, and the window of CUDA's copies made of the last of these. Counters come with each
//! Enter and Leave, requests with each nonblocking call, clock offsets with each location, the
//! program's begin and end with its first.

use std::path::{Path, PathBuf};

use otf2::{
    Base, CollectiveOp, Definition, Event, GroupType, LocationGroupType, LocationType,
    MeasurementMode, MetricMode, MetricOccurrence, MetricType, MetricValue, Paradigm, RecorderKind,
    RegionRole, RmaWinFlag, SystemTreeDomain, Type, ROOT_NONE, UNDEFINED,
};

use expect_test::expect;

use crate::commands::{json, limits, said};
use crate::writer::{send, visit, Events, Writer};

/// Ticks of a processor's counter in a microsecond.
const MICRO: u64 = 2_000;
const START: u64 = 5_000_000_000_000;
/// The second host's clock is behind by a millisecond.
const BEHIND: u64 = 1_000;
const SECOND_THREAD: u64 = 1 << 32;
const STREAM: u64 = 2 << 32;
/// Communicators: OpenMP's threads and CUDA's locations have theirs.
const OPENMP: u32 = 1;
const CUDA: u32 = 2;

struct Regions {
    main: u32,
    init: u32,
    isend: u32,
    irecv: u32,
    wait: u32,
    allreduce: u32,
    finalize: u32,
    parallel: u32,
    copy: u32,
    kernel: u32,
    flush: u32,
}

impl Regions {
    fn define(writer: &mut Writer) -> Regions {
        use RegionRole as Role;
        let mut region = |name, role, paradigm| writer.region(name, role, paradigm);
        Regions {
            main: region("main", Role::FUNCTION, Paradigm::COMPILER),
            init: region("MPI_Init", Role::FUNCTION, Paradigm::MPI),
            isend: region("MPI_Isend", Role::POINT2POINT, Paradigm::MPI),
            irecv: region("MPI_Irecv", Role::POINT2POINT, Paradigm::MPI),
            wait: region("MPI_Wait", Role::POINT2POINT, Paradigm::MPI),
            allreduce: region("MPI_Allreduce", Role::COLL_ALL2ALL, Paradigm::MPI),
            finalize: region("MPI_Finalize", Role::FUNCTION, Paradigm::MPI),
            parallel: region(
                "!$omp parallel @jacobi.c:30",
                Role::PARALLEL,
                Paradigm::OPENMP,
            ),
            copy: region("cudaMemcpy", Role::DATA_TRANSFER, Paradigm::CUDA),
            kernel: region("jacobi_kernel", Role::KERNEL, Paradigm::CUDA),
            flush: region(
                "TRACE BUFFER FLUSH",
                Role::ARTIFICIAL,
                Paradigm::MEASUREMENT_SYSTEM,
            ),
        }
    }
}

/// Two processes on two hosts, each with two threads and a stream; the second waits for the
/// first's message, and the first for the second in MPI_Allreduce.
pub fn write(folder: &Path) -> PathBuf {
    let mut writer = Writer::new(folder, "Score-P 8.4");
    writer.clock(1_000_000 * MICRO, START - BEHIND * MICRO);
    writer.node(0, "Linux", "machine", UNDEFINED);
    let regions = Regions::define(&mut writer);
    let program = writer.text("./jacobi");
    for rank in 0..2 {
        process(&mut writer, &regions, rank, program);
    }
    counters(&mut writer);
    let threads = [0, 1, SECOND_THREAD, SECOND_THREAD + 1];
    let streams = [0, 1, STREAM, STREAM + 1];
    let (locations, group) = (GroupType::COMM_LOCATIONS, GroupType::COMM_GROUP);
    writer.group(0, locations, Paradigm::MPI, &[0, 1]);
    writer.group(1, group, Paradigm::MPI, &[0, 1]);
    writer.communicator(0, "MPI_COMM_WORLD", 1);
    writer.group(2, locations, Paradigm::OPENMP, &threads);
    writer.group(3, group, Paradigm::OPENMP, &[0, 2]);
    writer.communicator(OPENMP, "OpenMP Team", 3);
    writer.group(4, locations, Paradigm::CUDA, &streams);
    writer.group(5, group, Paradigm::CUDA, &[0, 1, 2, 3]);
    writer.communicator(CUDA, "", 5);
    let name = writer.text("CUDA_WINDOW");
    writer.define(Definition::RmaWin {
        id: 0,
        name,
        comm: CUDA,
        flags: RmaWinFlag::NONE,
    });
    writer.finish()
}

fn process(writer: &mut Writer, regions: &Regions, rank: u32, program: u32) {
    let node = 1 + rank;
    writer.node(node, &format!("cn{node}"), "node", 0);
    writer.define(Definition::SystemTreeNodeDomain {
        system_tree_node: node,
        system_tree_domain: SystemTreeDomain::SHARED_MEMORY,
    });
    writer.process(rank, &format!("MPI Rank {rank}"), node);
    let (device, accelerator) = (3 + rank, LocationGroupType::ACCELERATOR);
    writer.node(device, "0", "accelerator", node);
    writer.location_group(2 + rank, "CUDA Context 1", accelerator, device, rank);
    let at = |micros: u64| START + (micros - u64::from(rank) * BEHIND) * MICRO;
    let id = u64::from(rank);
    let thread = LocationType::CPU_THREAD;
    let master = master(regions, rank, program, &at);
    writer.location(id, "Master thread", thread, rank, &master);
    let second = second(regions, &at);
    writer.location(SECOND_THREAD | id, "OMP thread 1", thread, rank, &second);
    let stream = stream(regions, &at);
    let of_gpu = LocationType::ACCELERATOR_STREAM;
    writer.location(STREAM | id, "CUDA[0:7]", of_gpu, 2 + rank, &stream);
    let offset = (id * BEHIND * MICRO) as i64;
    let measured = [(at(1_001), offset), (at(9_999), offset)];
    for location in [id, SECOND_THREAD | id, STREAM | id] {
        writer.offsets(location, &measured);
    }
}

type At<'a> = &'a dyn Fn(u64) -> u64;

/// What happens in microseconds since the begin less one millisecond, by the host's own clock.
fn master(regions: &Regions, rank: u32, program: u32, at: At) -> Events {
    let openmp = Paradigm::OPENMP;
    let fork = Event::ThreadFork {
        model: openmp,
        number_of_requested_threads: 2,
    };
    let (begin, end) = team();
    let parallel = visit(
        regions.parallel,
        at(2_100),
        at(2_900),
        &[(at(2_101), begin), (at(2_899), end)],
    );
    let mut team = vec![(at(2_095), fork)];
    team.extend(parallel);
    team.push((at(2_905), Event::ThreadJoin { model: openmp }));
    let put = Event::RmaPut {
        win: 0,
        remote: 2 + rank,
        bytes: 1 << 20,
        matching_id: 0,
    };
    let copied = Event::RmaOpCompleteBlocking {
        win: 0,
        matching_id: 0,
    };
    let operation = Event::MpiCollectiveEnd {
        collective_op: CollectiveOp::ALLREDUCE,
        communicator: 0,
        root: ROOT_NONE,
        size_sent: 8,
        size_received: 8,
    };
    // The second comes later to the operation.
    let met = 6_000 + 500 * u64::from(rank);
    let (off, on) = (MeasurementMode::OFF, MeasurementMode::ON);
    let parts = [
        visit(regions.init, at(1_010), at(2_000), &[]),
        team,
        visit(
            regions.copy,
            at(3_000),
            at(3_200),
            &[(at(3_010), put), (at(3_190), copied)],
        ),
        exchange(regions, rank, at),
        visit(
            regions.allreduce,
            at(met),
            at(6_520),
            &[
                (at(met + 1), Event::MpiCollectiveBegin),
                (at(6_519), operation),
            ],
        ),
        visit(
            regions.flush,
            at(7_000),
            at(7_500),
            &[(
                at(7_000),
                Event::BufferFlush {
                    stop_time: at(7_500),
                },
            )],
        ),
        vec![
            (
                at(7_600),
                Event::MeasurementOnOff {
                    measurement_mode: off,
                },
            ),
            (
                at(7_900),
                Event::MeasurementOnOff {
                    measurement_mode: on,
                },
            ),
        ],
        visit(regions.finalize, at(8_000), at(8_100), &[]),
    ];
    let counter = |time| (time, counted(time));
    let counted = parts.into_iter().flatten().flat_map(|(time, event)| {
        let counts = matches!(event, Event::Enter { .. } | Event::Leave { .. });
        counts
            .then(|| counter(time))
            .into_iter()
            .chain([(time, event)])
    });
    let started = Event::ProgramBegin {
        program_name: program,
        program_arguments: Vec::new(),
    };
    let mut events = vec![(at(1_002), started)];
    events.extend(visit(
        regions.main,
        at(1_002),
        at(9_000),
        &counted.collect::<Events>(),
    ));
    events.push((at(9_001), Event::ProgramEnd { exit_status: 0 }));
    events
}

/// The first sends late, the second waits.
fn exchange(regions: &Regions, rank: u32, at: At) -> Events {
    let Event::MpiSend {
        receiver,
        communicator,
        msg_tag,
        msg_length,
    } = send(1, 9, 4096)
    else {
        unreachable!()
    };
    let request_id = 5;
    if rank == 0 {
        let sent = Event::MpiIsend {
            receiver,
            communicator,
            msg_tag,
            msg_length,
            request_id,
        };
        let complete = Event::MpiIsendComplete { request_id };
        let mut events = visit(regions.isend, at(5_000), at(5_010), &[(at(5_001), sent)]);
        events.extend(visit(
            regions.wait,
            at(5_020),
            at(5_030),
            &[(at(5_029), complete)],
        ));
        return events;
    }
    let posted = Event::MpiIrecvRequest { request_id };
    let received = Event::MpiIrecv {
        sender: 0,
        communicator,
        msg_tag,
        msg_length,
        request_id,
    };
    let mut events = visit(regions.irecv, at(4_000), at(4_010), &[(at(4_009), posted)]);
    events.extend(visit(
        regions.wait,
        at(4_020),
        at(5_025),
        &[(at(5_024), received)],
    ));
    events
}

fn second(regions: &Regions, at: At) -> Events {
    let (begin, end) = team();
    let within = [(at(2_102), begin), (at(2_898), end)];
    visit(regions.parallel, at(2_100), at(2_900), &within)
}

fn stream(regions: &Regions, at: At) -> Events {
    visit(regions.kernel, at(3_300), at(3_900), &[])
}

fn team() -> (Event, Event) {
    let thread_team = OPENMP;
    (
        Event::ThreadTeamBegin { thread_team },
        Event::ThreadTeamEnd { thread_team },
    )
}

fn counted(value: u64) -> Event {
    Event::Metric {
        metric: 0,
        values: vec![MetricValue {
            kind: Type::UINT64,
            bits: value,
        }],
    }
}

fn counters(writer: &mut Writer) {
    let name = writer.text("PAPI_TOT_INS");
    writer.define(Definition::MetricMember {
        id: 0,
        name,
        description: 0,
        metric_type: MetricType::PAPI,
        metric_mode: MetricMode::ACCUMULATED_START,
        value_type: Type::UINT64,
        base: Base::DECIMAL,
        exponent: 0,
        unit: 0,
    });
    writer.define(Definition::MetricClass {
        id: 0,
        metric_members: vec![0],
        metric_occurrence: MetricOccurrence::SYNCHRONOUS_STRICT,
        recorder_kind: RecorderKind::CPU,
    });
}

#[test]
fn threads_and_streams_go_with_the_clock_of_their_process() {
    let folder = tempfile::tempdir().unwrap();
    let archive = write(folder.path());
    let info = json("info --json", &archive);
    let kinds = ["ranks", "threads", "accelerators", "collectives"];
    assert_eq!(kinds.map(|kind| info.figure(kind)), [2, 4, 2, 2]);
    // What Score-P measured is believed; how good it is, it does not say.
    let measured = info.get("clocks.1.measurements.0");
    assert_eq!(measured["offset_ns"], 1_000_000);
    assert!(measured["uncertainty_ns"].is_null());
    assert_eq!(info.figure("violations.measured.reversed"), 3);
    let out = "corrected";
    let sync = json(&format!("sync --json -o {out}"), &archive);
    assert_eq!(sync.figure("violations.corrected.reversed"), 0);
    let lines = said(
        "print --rank 1",
        &folder.path().join(out).join("traces.otf2"),
    );
    let of_stream = lines.lines().filter(|line| line.contains("CUDA[0:7]"));
    expect![[r#"
        0.002298000  CUDA[0:7]  enter             jacobi_kernel
        0.002898000  CUDA[0:7]  leave             jacobi_kernel"#]]
    .assert_eq(&of_stream.collect::<Vec<_>>().join("\n"));
}

#[test]
fn late_senders_are_found_and_what_is_not_looked_at_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let archive = write(folder.path());
    expect![[r#"
        unknown: by how much clocks are wrong against each other in 1.48 ms of the waiting (3 waits)
        unknown: metrics: not looked at: PAPI_TOT_INS
        note: these times were computed for this report; `mpiscope sync traces.otf2` writes an archive of corrected ones
        note: beside its threads the archive has 2 accelerator streams: their time is in no figure here"#]].assert_eq(&limits("analyze --clock corrected", &archive));
    expect![[r#"
        whether a receive or probe could have got another message cannot be told: the archive does not record which of its 1 receive said MPI_ANY_SOURCE
        what is missing cannot be told: recording was switched off for a part of the run
        deadlocks and truncation cannot be told: the archive does not record what a call asked for when it began
        types cannot be told: the archive does not record the types of data"#]].assert_eq(&limits("races", &archive));
    let analyzed = json("analyze --json --clock corrected", &archive);
    expect![[r#"
        [
          {
            "kind": "late sender",
            "resolution": {
              "below_ns": 0,
              "below_times": 0,
              "half_width_ns": 0,
              "unknown_ns": 980000,
              "unknown_times": 1
            },
            "times": 1,
            "waiting_ns": 980000
          },
          {
            "kind": "wait at n x n",
            "resolution": {
              "below_ns": 0,
              "below_times": 0,
              "half_width_ns": 0,
              "unknown_ns": 500000,
              "unknown_times": 1
            },
            "times": 1,
            "waiting_ns": 500000
          },
          {
            "kind": "wait at finalization",
            "resolution": {
              "below_ns": 0,
              "below_times": 0,
              "half_width_ns": 0,
              "unknown_ns": 449,
              "unknown_times": 1
            },
            "times": 1,
            "waiting_ns": 449
          }
        ]"#]]
    .assert_eq(&format!("{:#}", analyzed.get("wait_states")));
}

#[test]
fn what_the_tool_records_besides_has_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let lines = said("print", &write(folder.path()));
    let words = [
        "program_begin",
        "metric",
        "rma_put",
        "buffer_flush",
        "program_end",
    ];
    for word in words {
        assert!(lines.contains(word), "no {word} in {lines}");
    }
    assert!(!lines.contains(" other "), "{lines}");
}
