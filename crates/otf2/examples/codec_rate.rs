//! How many events a second are written and read: ten million MPI events, as a
//! program with point-to-point messages and a collective makes them.
//!
//! `cargo run --release -p otf2 --example codec_rate [EVENTS] [DIRECTORY]`

use otf2::write::{Archive, Options};
use otf2::{CollectiveOp, Definition, Error, Event, LocationType, ROOT_NONE};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One iteration of the program: a blocking and a nonblocking exchange, then a
/// reduction.
fn iteration(i: u64) -> [Event; 16] {
    let (communicator, msg_tag) = (0, i as u32 % 100);
    let (peer, length) = (i as u32 % 1000, i % 100_000);
    [
        Event::Enter { region: 12 },
        Event::MpiSend {
            receiver: peer,
            communicator,
            msg_tag,
            msg_length: length,
        },
        Event::Leave { region: 12 },
        Event::Enter { region: 13 },
        Event::MpiIrecvRequest { request_id: i },
        Event::Leave { region: 13 },
        Event::Enter { region: 14 },
        Event::MpiIrecv {
            sender: peer,
            communicator,
            msg_tag,
            msg_length: length,
            request_id: i,
        },
        Event::Leave { region: 14 },
        Event::Enter { region: 300 },
        Event::MpiCollectiveBegin,
        Event::MpiCollectiveEnd {
            collective_op: CollectiveOp::ALLREDUCE,
            communicator,
            root: ROOT_NONE,
            size_sent: 8,
            size_received: 8,
        },
        Event::Leave { region: 300 },
        Event::Enter { region: 1 },
        Event::MpiRequestTest { request_id: i },
        Event::Leave { region: 1 },
    ]
}

fn write(dir: &Path, events: u64) -> Result<(PathBuf, Duration), Error> {
    let archive = Archive::create(dir, "traces", Options::default())?;
    let start = Instant::now();
    let mut writer = archive.events(0)?;
    let mut time = 1_700_000_000_000_000_000;
    for i in 0..events / 16 {
        for event in &iteration(i) {
            time += 500;
            writer.write(time, &[], event)?;
        }
    }
    let number_of_events = writer.finish()?;
    let elapsed = start.elapsed();
    archive.local_definitions(0, &[])?;
    let location = Definition::Location {
        id: 0,
        name: 0,
        location_type: LocationType::CPU_THREAD,
        number_of_events,
        location_group: 0,
    };
    Ok((archive.finish(&[location])?, elapsed))
}

fn read(anchor: &Path) -> Result<(u64, u64, Duration), Error> {
    let file = otf2::read::Archive::open(anchor)?.events(0)?;
    let start = Instant::now();
    let (mut events, mut bytes_received) = (0, 0);
    for record in &file {
        events += 1;
        if let Event::MpiIrecv { msg_length, .. } = record?.event {
            bytes_received += msg_length;
        }
    }
    let elapsed = start.elapsed();
    std::hint::black_box(bytes_received);
    Ok((events, file.size(), elapsed))
}

fn report(what: &str, events: u64, elapsed: Duration) {
    let rate = events as f64 / elapsed.as_secs_f64() / 1e6;
    println!("{what:<8}{rate:8.1} million events/s");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let events = arguments.next().map_or(Ok(10_000_000), |it| it.parse())?;
    let temporary = tempfile::tempdir()?;
    let dir = arguments.next().map(PathBuf::from);
    let dir = dir.unwrap_or_else(|| temporary.path().to_owned());
    // The best of five: neighbours on the machine only ever slow it down.
    let mut best = [Duration::MAX; 2];
    let (mut count, mut bytes) = (0, 0);
    for _ in 0..5 {
        let (anchor, writing) = write(&dir, events)?;
        let (read_events, size, reading) = read(&anchor)?;
        best = [best[0].min(writing), best[1].min(reading)];
        (count, bytes) = (read_events, size);
    }
    report("encode", count, best[0]);
    report("decode", count, best[1]);
    println!("size    {:8.2} bytes/event", bytes as f64 / count as f64);
    Ok(())
}
