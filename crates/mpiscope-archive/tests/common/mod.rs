//! Buffers of a small run, and its archive, made as the agent makes them.
#![allow(dead_code, reason = "each test file uses its part")]

#[allow(dead_code, reason = "each test file uses its part")]
pub mod written;

use std::path::{Path, PathBuf};

use mpiscope_run::archive;
use mpiscope_run::buffer::Writer;
use mpiscope_run::drain::{write_locations, Written};
use mpiscope_run::fault::Fault;
use mpiscope_run::plan::{plan, Orders, Plan};
use mpiscope_run::process::{
    line, Communicator, Definition, Identity, Members, MpiLibrary, Ping, Process, Region,
};
use mpiscope_run::record::{Collective, Fact, Message, Record, Wildcard, NO_ROOT};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::stored::Stored;
use mpiscope_run::ticks::Triple;

pub const INIT: u32 = 1;
pub const SEND: u32 = 2;
pub const RECV: u32 = 3;
pub const BARRIER: u32 = 4;
pub const SPLIT: u32 = 5;
pub const FINALIZE: u32 = 6;
pub const PROBE: u32 = 7;
pub const IRECV: u32 = 8;
pub const WAIT: u32 = 9;
pub const ALLREDUCE: u32 = 10;
pub const ISEND: u32 = 11;

/// Id, name and role of the regions above.
const REGIONS: [(u32, &str, u8); 11] = [
    (INIT, "MPI_Init", 1),
    (SEND, "MPI_Send", 28),
    (RECV, "MPI_Recv", 28),
    (BARRIER, "MPI_Barrier", 15),
    (SPLIT, "MPI_Comm_split", 1),
    (FINALIZE, "MPI_Finalize", 1),
    (PROBE, "MPI_Probe", 28),
    (IRECV, "MPI_Irecv", 28),
    (WAIT, "MPI_Wait", 28),
    (ALLREDUCE, "MPI_Allreduce", 25),
    (ISEND, "MPI_Isend", 28),
];

/// Where the ticks of all runs begin; they are nanoseconds.
pub const START: u64 = 1_000_000;

/// The definition stream of a rank; rank 2 has a clock that is wrong by 700 ns.
pub fn definitions(rank: u32, world_size: u32) -> Vec<Definition> {
    let faulty = rank == 2;
    let mut stream = vec![Definition::Identity(Identity {
        rank,
        world_size,
        pid: 100 + rank,
        host: "node1".into(),
        boot_id: "b".into(),
        clock_representative: if faulty { 2 } else { 0 },
        fault: faulty.then(|| Fault {
            offset: 700.0,
            ..Fault::default()
        }),
        mpi: MpiLibrary {
            name: "Open MPI".into(),
            version: "4.1.4".into(),
            ..MpiLibrary::default()
        },
        program: "heat".into(),
        ..Identity::default()
    })];
    stream.extend(REGIONS.map(|(id, name, role)| {
        let name = name.into();
        Definition::Region(Region {
            id,
            name,
            role,
            user: false,
        })
    }));
    let world: Vec<u32> = (0..world_size).collect();
    stream.push(communicator(0, None, "MPI_COMM_WORLD", 1, &world));
    stream.push(communicator(1, None, "MPI_COMM_SELF", 2, &[rank]));
    stream.extend([START, START + 90_000].map(|ticks| {
        Definition::Triple(Triple {
            ticks,
            monotonic: ticks,
            realtime: 1_700_000_000_000_000_000 + ticks,
        })
    }));
    if faulty {
        stream.extend([START, START + 80_000].map(|sent| {
            Definition::Ping(Ping {
                sent,
                master: sent + 10,
                received: sent + 20,
                rounds: 10,
            })
        }));
    }
    stream
}

pub fn communicator(
    id: u32,
    parent: Option<u32>,
    name: &str,
    identity: u64,
    members: &[u32],
) -> Definition {
    Definition::Communicator(Communicator {
        id,
        parent,
        name: name.into(),
        identity,
        members: Members::new(members),
        remote: None,
        ..Communicator::default()
    })
}

/// Begins the buffer of a thread.
pub fn begin(
    directory: &Path,
    run: &Path,
    rank: u32,
    thread: u32,
    stream: &[Definition],
) -> Writer {
    use std::sync::atomic::Ordering::Relaxed;
    let name = format!("node1-{}-{}-{thread}.buffer", 100 + rank, 1000 + thread);
    let writer = Writer::create(directory, &name, run, 1 << 20, None).unwrap();
    writer.header().rank.store(rank, Relaxed);
    writer.header().thread.store(thread, Relaxed);
    for definition in stream {
        writer.shared().define(&line(definition));
    }
    writer
}

/// Writes a whole buffer; the k-th fact happens at `START + 100 k`.
pub fn buffer(run: &Path, rank: u32, stream: &[Definition], facts: &[Fact]) -> Stored {
    let mut writer = begin(run, run, rank, 0, stream);
    for (k, &fact) in (0..).zip(facts) {
        writer.push(Record::new(START + 100 * k, fact));
    }
    Stored::open(writer.path(), run).unwrap()
}

pub fn message(peer: u32, tag: u32, bytes: u64) -> Message {
    Message {
        peer,
        tag,
        bytes,
        ..Message::default()
    }
}

fn any(message: Message) -> Message {
    let wildcard = Wildcard {
        source: true,
        tag: false,
    };
    Message {
        wildcard,
        ..message
    }
}

fn collective(op: u8, comm: u32, sent: u64, received: u64) -> [Fact; 2] {
    let root = NO_ROOT;
    let end = Fact::CollectiveEnd(Collective {
        signature: 0,
        op,
        comm,
        root,
        sent,
        received,
        dense: false,
    });
    [Fact::CollectiveBegin(BEGUN, 8), end]
}

/// A call: its events between enter and leave.
fn call(region: u32, inside: &[Fact]) -> Vec<Fact> {
    let mut facts = vec![Fact::Enter { region, site: 0 }];
    facts.extend(inside);
    facts.push(Fact::Leave { region });
    facts
}

/// What a rank of the small run does: messages from 0 to 1 and 2, a split
/// into {0, 2} and {1}, a reduction there and a barrier for all.
pub fn facts(rank: u32) -> Vec<Fact> {
    let middle = match rank {
        0 => vec![
            call(SEND, &[Fact::Send(message(1, 5, 64))]),
            call(ISEND, &[Fact::Isend(message(2, 6, 300), 1)]),
            call(WAIT, &[Fact::IsendComplete { request: 1 }]),
        ],
        1 => vec![call(RECV, &[Fact::Recv(any(message(0, 5, 64)), None)])],
        _ => vec![
            call(PROBE, &[Fact::Probe(any(message(0, 6, 300)), 0)]),
            call(
                IRECV,
                &[Fact::IrecvRequest {
                    request: 1,
                    message: None,
                    posted: None,
                }],
            ),
            call(WAIT, &[Fact::Irecv(any(message(0, 6, 300)), 1)]),
        ],
    };
    let mut facts = call(INIT, &[]);
    facts.extend(middle.concat());
    facts.extend(call(SPLIT, &[Fact::CommCreated { comm: 2 }]));
    facts.extend(call(ALLREDUCE, &collective(11, 2, 8, 8)));
    facts.extend(call(BARRIER, &collective(0, 0, 0, 0)));
    facts.extend(call(FINALIZE, &[]));
    facts
}

/// The buffers of the small run on three ranks.
pub fn small_run(run: &Path) -> Vec<Stored> {
    (0..3)
        .map(|rank| {
            let mut stream = definitions(rank, 3);
            let (identity, members) = if rank == 1 {
                (51, &[1][..])
            } else {
                (50, &[0, 2][..])
            };
            stream.push(communicator(2, Some(0), "", identity, members));
            buffer(run, rank, &stream, &facts(rank))
        })
        .collect()
}

/// Makes the archive as `MPI_Finalize` does: what travels between ranks travels as JSON.
pub fn finalize(run: &Path, buffers: &[Stored]) -> (PathBuf, Plan, Vec<Written>) {
    let buffers: Vec<&[Stored]> = buffers.iter().map(std::slice::from_ref).collect();
    finalize_processes(run, &buffers)
}

/// The same of processes with several buffers each.
pub fn finalize_processes(run: &Path, buffers: &[&[Stored]]) -> (PathBuf, Plan, Vec<Written>) {
    let gathered: Vec<String> = buffers
        .iter()
        .map(|buffers| Process::collect(buffers).0)
        .map(|process| serde_json::to_string(&process).unwrap())
        .collect();
    let processes: Vec<Process> = gathered
        .iter()
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    let plan = plan(&processes).unwrap();
    archive::prepare(run).unwrap();
    let written: Vec<Written> = (processes.iter().zip(buffers))
        .flat_map(|(process, buffers)| {
            let scattered = serde_json::to_string(&plan.orders[buffers[0].rank as usize]).unwrap();
            let orders: Orders = serde_json::from_str(&scattered).unwrap();
            write_locations(run, process, buffers, &orders).unwrap()
        })
        .collect();
    let mut info = RunInfo {
        run_id: "r1".into(),
        command: vec!["mpirun".into(), "./heat".into()],
        ..RunInfo::default()
    };
    info.describe(&plan);
    let anchor = archive::write_global(run, &plan, &written, &info).unwrap();
    info.write(run).unwrap();
    (anchor, plan, written)
}

/// The begin of an operation on the world.
const BEGUN: mpiscope_run::record::Begun = mpiscope_run::record::Begun {
    comm: 0,
    root: mpiscope_run::record::NO_ROOT,
    signature: 0,
};
