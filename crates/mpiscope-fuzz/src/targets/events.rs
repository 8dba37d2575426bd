//! Files of events and of snapshots. The iterator, visitors, undecoded events and columns tell the
//! same of every input, wherever they begin and end.

use otf2::read::{Archive, Columns, EventFile, Moment, Table, Visitor};
use otf2::{Event, Value};

use crate::draw::parts;
use crate::place::{empty_archive, put_chunks};

/// In an input: behind it stands the location's file of definitions.
const DEFINITIONS: &[u8] = b"LOCALDEF";

/// Number, time, attributes and event.
type Row = (u64, u64, Vec<(u32, Value)>, Event);

/// The input is a file of events, perhaps with one of local definitions behind it.
pub fn events(input: &[u8]) {
    let (folder, anchor) = empty_archive();
    let parts = parts(input, DEFINITIONS);
    put_chunks(&folder.join("traces/0.evt"), parts[0]);
    if let Some(definitions) = parts.get(1) {
        put_chunks(&folder.join("traces/0.def"), definitions);
    }
    let archive = Archive::open(anchor).expect("the anchor is sound");
    let file = archive.events(0).expect("the file can be read");
    let (rows, error) = iterated(&file);
    visited(&file, &rows, &error);
    in_columns(&file, &rows, &error);
    elsewhere(&file, &rows);
}

/// The input is a file of snapshots.
pub fn snapshots(input: &[u8]) {
    let (folder, anchor) = empty_archive();
    put_chunks(&folder.join("traces/0.snap"), input);
    let archive = Archive::open(anchor).expect("the anchor is sound");
    let file = archive.snapshots(0).expect("the file can be read");
    let records = file.iter().map_while(Result::ok);
    let records = records.map(|mut it| it.event.orig_event_time_mut().is_some());
    assert!(records.count() as u64 <= file.size());
    assert!(file.most_events() <= file.size());
    file.index().map(|index| index.len()).unwrap_or_default();
}

/// Returns all events, and the error behind them.
fn iterated(file: &EventFile) -> (Vec<Row>, Option<String>) {
    let (mut rows, mut error) = (Vec::new(), None);
    let mut events = file.iter();
    for record in events.by_ref() {
        match record {
            Ok(it) => rows.push((it.number, it.time, it.attributes.iter().collect(), it.event)),
            Err(damage) => error = Some(damage.to_string()),
        }
        assert!(rows.len() as u64 <= file.size());
    }
    assert!(events.next().is_none(), "an ended iteration stays ended");
    events.truncation().map(ToString::to_string);
    (rows, error)
}

/// Writes down what it is shown.
#[derive(Default)]
struct Seen(Vec<Row>);

impl Visitor<'_> for Seen {
    fn event(&mut self, moment: &Moment<'_>, event: Event) {
        let attributes = moment.attributes.iter().collect();
        self.0.push((moment.number, moment.time, attributes, event));
    }
}

/// A visitor sees the same, and so do those who decode for themselves.
fn visited(file: &EventFile, rows: &[Row], error: &Option<String>) {
    let mut seen = Seen::default();
    let mut events = file.iter();
    let end = events.visit(&mut seen).err();
    same(&seen.0[..], rows);
    assert_eq!(end.map(|error| error.to_string()), *error);
    if let (Some(raw), None) = (file.raw(), error) {
        let decoded: Vec<Row> = raw
            .map(|raw| {
                let raw = raw.expect("the iterator found no error");
                let (attributes, event) = raw.decode().expect("the iterator decoded it");
                (raw.number, raw.time, attributes.iter().collect(), event)
            })
            .collect();
        same(&decoded[..], rows);
    }
}

/// Columns hold the same, read at once or chunk by chunk.
fn in_columns(file: &EventFile, rows: &[Row], error: &Option<String>) {
    let mut columns = Columns::default();
    let end = file.iter().visit(&mut columns).err();
    assert_eq!(end.map(|error| error.to_string()), *error);
    same(&rows_of(&columns, rows)[..], rows);
    match (file.columns(), error) {
        (Ok(all), None) => {
            let chunks = (0..file.chunks()).map(|chunk| file.columns_of(chunk..chunk + 1));
            if let Ok(chunks) = chunks.collect::<Result<Vec<_>, _>>() {
                let joined = chunks.into_iter().reduce(|mut before, chunk| {
                    before.append(chunk);
                    before
                });
                // A file may end before its last chunk, and what follows makes sense, too.
                let joined = joined.unwrap_or_default();
                assert!(joined.len() >= all.len());
            }
            columns.truncation.clone_from(&all.truncation);
            same(&all, &columns);
        }
        (Err(damage), Some(error)) => assert_eq!(damage.to_string(), *error),
        (all, error) => panic!("columns: {all:?}, iterator: {error:?}"),
    }
}

/// Makes events of columns; their numbers are not in these.
fn rows_of(columns: &Columns, like: &[Row]) -> Vec<Row> {
    let mut attributes = columns.attributes.iter().peekable();
    let mut rows = Vec::new();
    for (at, (&time, &kind)) in columns.times.iter().zip(&columns.kinds).enumerate() {
        let own = std::iter::from_fn(|| attributes.next_if(|(event, ..)| *event as usize == at));
        let own = own.map(|(_, id, value)| (*id, *value)).collect();
        let event = event(columns, kind, columns.arguments[at] as usize);
        rows.push((like.get(at).map_or(0, |row| row.0), time, own, event));
    }
    rows
}

fn event(columns: &Columns, kind: u8, argument: usize) -> Event {
    match Columns::table(kind) {
        Table::Region if kind == 12 => Event::Enter {
            region: argument as u32,
        },
        Table::Region => Event::Leave {
            region: argument as u32,
        },
        Table::Nothing => Event::MpiCollectiveBegin,
        Table::Others => columns.others[argument].clone(),
        Table::Messages => message(columns, kind, argument),
        Table::Requests => request(kind, columns.requests[argument]),
        Table::Collectives => {
            let all = &columns.collectives;
            Event::MpiCollectiveEnd {
                collective_op: otf2::CollectiveOp(all.operations[argument]),
                communicator: all.communicators[argument],
                root: all.roots[argument],
                size_sent: all.sent[argument],
                size_received: all.received[argument],
            }
        }
        other => unreachable!("{other:?} is a table that nobody has told this target of"),
    }
}

fn request(kind: u8, request_id: u64) -> Event {
    match kind {
        16 => Event::MpiIsendComplete { request_id },
        17 => Event::MpiIrecvRequest { request_id },
        _ => Event::MpiRequestTest { request_id },
    }
}

fn message(columns: &Columns, kind: u8, row: usize) -> Event {
    let all = &columns.messages;
    let (peer, communicator) = (all.peers[row], all.communicators[row]);
    let (msg_tag, msg_length) = (all.tags[row], all.lengths[row]);
    let request_id = all.requests[row];
    match kind {
        14 => Event::MpiSend {
            receiver: peer,
            communicator,
            msg_tag,
            msg_length,
        },
        15 => Event::MpiIsend {
            receiver: peer,
            communicator,
            msg_tag,
            msg_length,
            request_id,
        },
        18 => Event::MpiRecv {
            sender: peer,
            communicator,
            msg_tag,
            msg_length,
        },
        _ => Event::MpiIrecv {
            sender: peer,
            communicator,
            msg_tag,
            msg_length,
            request_id,
        },
    }
}

/// Reading may begin anywhere.
fn elsewhere(file: &EventFile, rows: &[Row]) {
    assert!(file.most_events() <= file.size());
    assert!(file.count() <= file.size());
    for chunk in 0..=file.chunks() {
        let events = file.from_chunk(chunk).map_while(Result::ok).count();
        assert!(events as u64 <= file.size());
        file.only(chunk..chunk + 1).for_each(drop);
        file.head(chunk);
    }
    if file.index().is_err() {
        return;
    }
    let middle = rows
        .get(rows.len() / 2)
        .map_or((5, 5000), |row| (row.0, row.1));
    for time in [0, middle.1, u64::MAX] {
        file.from_time(time).into_iter().flatten().for_each(drop);
    }
    for number in [0, 1, middle.0, u64::MAX] {
        file.from_event(number).into_iter().flatten().for_each(drop);
    }
}

/// By text: no number equals NaN.
fn same<T: std::fmt::Debug + ?Sized>(found: &T, expected: &T) {
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
}
