//! How fast buffers become an archive, the archive a trace, and the trace a
//! corrected archive: events per second on one core, and bytes per event.
//!
//! `cargo run --release -p mpiscope-archive --example rates [MILLION_EVENTS]`

use std::path::Path;
use std::time::Instant;

use mpiscope_archive::corrected::write_corrected;
use mpiscope_archive::trace;
use mpiscope_run::archive;
use mpiscope_run::buffer::Writer;
use mpiscope_run::drain::write_locations;
use mpiscope_run::plan::plan;
use mpiscope_run::process::{line, Communicator, Definition, Identity, Members, Process, Region};
use mpiscope_run::record::{Collective, Fact, Message, Record, NO_ROOT};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::stored::Stored;
use mpiscope_run::ticks::{Source, Triple};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let millions: u64 = std::env::args().nth(1).map_or(Ok(5), |n| n.parse())?;
    let run = tempfile::tempdir_in("/dev/shm")?;
    let buffer = record(run.path(), millions * 1_000_000)?;

    let began = Instant::now();
    let (process, _) = Process::collect(std::slice::from_ref(&buffer));
    let collected = began.elapsed();
    let plan = plan(std::slice::from_ref(&process))?;
    archive::prepare(run.path())?;
    let began = Instant::now();
    let written = write_locations(run.path(), &process, &[buffer], &plan.orders[0])?;
    let drained = began.elapsed();
    archive::write_global(run.path(), &plan, &written, &RunInfo::default())?;
    let written = &written[0];

    let began = Instant::now();
    let trace = trace::read_trace(run.path())?;
    let read = began.elapsed();
    let times = trace.times();
    let began = Instant::now();
    write_corrected(run.path(), &run.path().join("corrected"), &times, &[])?;
    let rewritten = began.elapsed();

    let rate = |time: std::time::Duration| written.events as f64 / time.as_secs_f64() / 1e6;
    println!("events          {}", written.events);
    println!(
        "bytes per event {:.2}",
        written.bytes as f64 / written.events as f64
    );
    for (name, time) in [
        ("collect", collected),
        ("buffer to archive", drained),
        ("archive to trace", read),
        ("corrected archive", rewritten),
    ] {
        println!("{name:18} {:6.1} million events/s", rate(time));
    }
    Ok(())
}

/// A loop of send, receive and, every tenth time, a reduction.
fn record(run: &Path, events: u64) -> Result<Stored> {
    let name = "host-1-1.buffer";
    let mut writer = Writer::create(run, name, run, (events * 32) as usize, None)?;
    writer
        .header()
        .rank
        .store(0, std::sync::atomic::Ordering::Relaxed);
    let mut definitions = vec![
        Definition::Identity(Identity {
            world_size: 2,
            boot_id: "b".into(),
            source: Source::Tsc,
            ..Identity::default()
        }),
        Definition::Communicator(Communicator {
            id: 0,
            parent: None,
            name: "MPI_COMM_WORLD".into(),
            identity: 1,
            members: Members::new(&[0, 1]),
            remote: None,
            ..Communicator::default()
        }),
    ];
    definitions.extend(
        [(1, "MPI_Send"), (2, "MPI_Recv"), (3, "MPI_Allreduce")].map(|(id, name)| {
            let name = name.into();
            Definition::Region(Region {
                id,
                name,
                role: 28,
                user: false,
            })
        }),
    );
    definitions.extend([0, 300_000_000_000].map(|ticks| {
        Definition::Triple(Triple {
            ticks,
            monotonic: ticks / 3,
            realtime: 1_700_000_000_000_000_000 + ticks / 3,
        })
    }));
    for definition in &definitions {
        writer.shared().define(&line(definition));
    }
    let message = Message {
        peer: 1,
        tag: 7,
        bytes: 8_192,
        ..Message::default()
    };
    let reduction = Collective {
        signature: 0,
        op: 11,
        comm: 0,
        root: NO_ROOT,
        sent: 8,
        received: 8,
        dense: false,
    };
    let mut step = vec![];
    for _ in 0..10 {
        step.extend([
            Fact::Enter { region: 1, site: 0 },
            Fact::Send(message),
            Fact::Leave { region: 1 },
        ]);
        step.extend([
            Fact::Enter { region: 2, site: 0 },
            Fact::Recv(message, None),
            Fact::Leave { region: 2 },
        ]);
    }
    step.extend([
        Fact::Enter { region: 3, site: 0 },
        Fact::CollectiveBegin(BEGUN, 8),
    ]);
    step.extend([Fact::CollectiveEnd(reduction), Fact::Leave { region: 3 }]);
    for (k, fact) in (0..events).zip(step.iter().cycle()) {
        writer.push(Record::new(3_000 * k, *fact));
    }
    drop(writer);
    Ok(Stored::open(&run.join(name), run)?)
}

/// The begin of an operation on the world.
const BEGUN: mpiscope_run::record::Begun = mpiscope_run::record::Begun {
    comm: 0,
    root: mpiscope_run::record::NO_ROOT,
    signature: 0,
};
