//! How many events a second are written and read: ten million MPI events, as a
//! program with point-to-point messages and a collective makes them.
//!
//! `cargo run --release -p otf2 --example codec_rate [EVENTS] [DIRECTORY] [ROUNDS]`
//!
//! Of an archive that is there, all fields of all locations are visited by one thread, and events by
//! the second tell: `cargo run --release -p otf2 --example codec_rate ANCHOR.otf2 [ROUNDS]`

use otf2::read::{Collective, Message, Moment, Visitor};
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

/// Adds up all fields, so that each must be decoded.
#[derive(Default)]
struct Sum {
    events: u64,
    fields: u64,
}

impl Sum {
    #[inline]
    fn add(&mut self, moment: &Moment<'_>, fields: u64) {
        self.events += 1;
        self.fields = self.fields.wrapping_add(moment.time).wrapping_add(fields);
    }
}

fn message(it: Message) -> u64 {
    u64::from(it.peer) + u64::from(it.communicator) + u64::from(it.msg_tag) + it.msg_length
}

impl Visitor<'_> for Sum {
    #[inline]
    fn enter(&mut self, moment: &Moment<'_>, region: u32) {
        self.add(moment, region.into());
    }
    #[inline]
    fn leave(&mut self, moment: &Moment<'_>, region: u32) {
        self.add(moment, region.into());
    }
    #[inline]
    fn mpi_send(&mut self, moment: &Moment<'_>, sent: Message) {
        self.add(moment, message(sent));
    }
    #[inline]
    fn mpi_irecv_request(&mut self, moment: &Moment<'_>, request_id: u64) {
        self.add(moment, request_id);
    }
    #[inline]
    fn mpi_irecv(&mut self, moment: &Moment<'_>, received: Message, request_id: u64) {
        self.add(moment, message(received) + request_id);
    }
    #[inline]
    fn mpi_request_test(&mut self, moment: &Moment<'_>, request_id: u64) {
        self.add(moment, request_id);
    }
    #[inline]
    fn mpi_collective_begin(&mut self, moment: &Moment<'_>) {
        self.add(moment, 0);
    }
    #[inline]
    fn mpi_collective_end(&mut self, moment: &Moment<'_>, it: Collective) {
        let sizes = it.size_sent + it.size_received;
        let ids = u64::from(it.communicator) + u64::from(it.root);
        self.add(moment, sizes + ids + u64::from(it.collective_op.0));
    }
    fn event(&mut self, moment: &Moment<'_>, event: Event) {
        self.add(moment, event.id().into());
    }
}

fn visit(anchor: &Path) -> Result<(Sum, Duration), Error> {
    let file = otf2::read::Archive::open(anchor)?.events(0)?;
    let start = Instant::now();
    let mut sum = Sum::default();
    file.iter().visit(&mut sum)?;
    Ok((sum, start.elapsed()))
}

/// Visits all locations of an archive.
fn visit_all(anchor: &Path) -> Result<(Sum, Duration), Error> {
    let start = Instant::now();
    let archive = otf2::read::Archive::open(anchor)?;
    let mut sum = Sum::default();
    for definition in archive.definitions()? {
        if let Definition::Location { id, .. } = definition {
            archive.events(id)?.iter().visit(&mut sum)?;
        }
    }
    Ok((sum, start.elapsed()))
}

fn columns(anchor: &Path) -> Result<(usize, Duration), Error> {
    let file = otf2::read::Archive::open(anchor)?.events(0)?;
    let start = Instant::now();
    let columns = std::hint::black_box(file.columns()?);
    Ok((columns.len(), start.elapsed()))
}

fn report(what: &str, events: u64, elapsed: Duration) {
    let rate = events as f64 / elapsed.as_secs_f64() / 1e6;
    println!("{what:<8}{rate:8.1} million events/s");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    if let Some(anchor) = arguments.next_if(|word| word.ends_with(".otf2")) {
        let rounds = arguments.next().map_or(Ok(5), |it| it.parse::<u32>())?;
        for _ in 0..rounds {
            let (sum, elapsed) = visit_all(Path::new(&anchor))?;
            std::hint::black_box(sum.fields);
            report("all", sum.events, elapsed);
        }
        return Ok(());
    }
    let events = arguments.next().map_or(Ok(10_000_000), |it| it.parse())?;
    let temporary = tempfile::tempdir()?;
    let dir = arguments.next().map(PathBuf::from);
    let dir = dir.unwrap_or_else(|| temporary.path().to_owned());
    let rounds = arguments.next().map_or(Ok(5), |it| it.parse::<u32>())?;
    // The best of them: neighbours on the machine only ever slow it down.
    let mut best = [Duration::MAX; 4];
    let (mut count, mut bytes) = (0, 0);
    for _ in 0..rounds {
        let (anchor, writing) = write(&dir, events)?;
        let (read_events, size, reading) = read(&anchor)?;
        let (sum, visiting) = visit(&anchor)?;
        assert_eq!(sum.events, read_events);
        std::hint::black_box(sum.fields);
        let (len, into_columns) = columns(&anchor)?;
        assert_eq!(len as u64, read_events);
        let now = [writing, reading, visiting, into_columns];
        best = std::array::from_fn(|k| best[k].min(now[k]));
        (count, bytes) = (read_events, size);
    }
    report("encode", count, best[0]);
    report("iterate", count, best[1]);
    report("visit", count, best[2]);
    report("columns", count, best[3]);
    println!("size    {:8.2} bytes/event", bytes as f64 / count as f64);
    Ok(())
}
