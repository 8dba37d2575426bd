//! Archives that we write and read: their bytes, what the writer refuses, and
//! how a reader finds its place.

mod common;

use otf2::read::{Archive, Columns, Table};
use otf2::write::{self, EventWriter, EVENT_CHUNK};
use otf2::{Anchor, Definition, Error, Event};
use proptest::prelude::*;

#[test]
fn what_is_written_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let archive = Archive::open(common::write(dir.path(), 7).unwrap()).unwrap();
    assert_eq!(archive.locations().unwrap(), [0, 1]);
    let property = ("TEST::EXCHANGES".to_owned(), "7".to_owned());
    assert_eq!(archive.anchor().properties, [property]);
    for rank in [0, 1] {
        let file = archive.events(rank).unwrap();
        let seen = file.iter().map(|it| it.map(|it| (it.time, it.event)));
        let seen: Vec<_> = seen.collect::<Result<_, _>>().unwrap();
        assert_eq!(seen, common::events(rank, 7));
        assert_eq!(file.count(), 21);
    }
}

/// The event that a row of columns stands for.
fn event_of(columns: &Columns, at: usize) -> Event {
    let (kind, argument) = (columns.kinds[at], columns.arguments[at]);
    let row = argument as usize;
    let messages = &columns.messages;
    match (kind, Columns::table(kind)) {
        (12, Table::Region) => Event::Enter { region: argument },
        (13, Table::Region) => Event::Leave { region: argument },
        (14, Table::Messages) => Event::MpiSend {
            receiver: messages.peers[row],
            communicator: messages.communicators[row],
            msg_tag: messages.tags[row],
            msg_length: messages.lengths[row],
        },
        (18, Table::Messages) => Event::MpiRecv {
            sender: messages.peers[row],
            communicator: messages.communicators[row],
            msg_tag: messages.tags[row],
            msg_length: messages.lengths[row],
        },
        other => panic!("not in this archive: {other:?}"),
    }
}

#[test]
fn columns_hold_what_the_iterator_yields_and_chunks_add_up() {
    let dir = tempfile::tempdir().unwrap();
    let archive = Archive::open(common::write(dir.path(), 20_000).unwrap()).unwrap();
    for rank in [0, 1] {
        let file = archive.events(rank).unwrap();
        let columns = file.columns().unwrap();
        let rows = (0..columns.len()).map(|at| (columns.times[at], event_of(&columns, at)));
        assert!(rows.eq(common::events(rank, 20_000)));
        let attributes = file.iter().enumerate().flat_map(|(at, record)| {
            let attributes = record.unwrap().attributes;
            attributes
                .iter()
                .map(move |(id, value)| (at as u32, id, value))
                .collect::<Vec<_>>()
        });
        assert!(attributes.eq(columns.attributes.iter().copied()));
        assert!(file.chunks() > 2, "{}", file.chunks());
        let mut together = Columns::default();
        for chunk in 0..file.chunks() {
            together.append(file.columns_of(chunk..chunk + 1).unwrap());
        }
        assert_eq!(together, columns);
    }
}

#[test]
fn an_empty_location_is_20_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let writer = EventWriter::create(dir.path(), "traces", 5, EVENT_CHUNK).unwrap();
    assert_eq!(writer.finish().unwrap(), 0);
    write::local_definitions(dir.path(), "traces", 5, &[]).unwrap();
    let empty = [&[3, 0x42, 1][..], &[0; 15], &[2, 1]].concat();
    for file in ["traces/5.evt", "traces/5.def"] {
        assert_eq!(std::fs::read(dir.path().join(file)).unwrap(), empty);
    }
}

#[test]
fn time_cannot_go_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = EventWriter::create(dir.path(), "traces", 5, EVENT_CHUNK).unwrap();
    let enter = Event::Enter { region: 0 };
    for time in [3, 3, 4] {
        writer.write(time, &[], &enter).unwrap();
    }
    let error = writer.write(3, &[], &enter).unwrap_err().to_string();
    assert_eq!(
        error,
        "location 5, event 4: time 3 lies before 4, the time of the event before"
    );
    assert_eq!(writer.finish().unwrap(), 3);
}

#[test]
fn what_other_readers_would_refuse_is_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let chunk = EventWriter::create(dir.path(), "traces", 0, 1000);
    assert!(matches!(chunk, Err(Error::ChunkSize { size: 1000, .. })));

    let with = |name: &str, value: &str| {
        let mut anchor = Anchor::default();
        anchor.properties = vec![(name.into(), value.into())];
        write::anchor(dir.path(), "traces", &anchor)
    };
    assert!(matches!(
        with("lower::case", "x"),
        Err(Error::PropertyName { .. })
    ));
    assert!(matches!(
        with("NO::VALUE", ""),
        Err(Error::PropertyValue { .. })
    ));

    let string = |string: String| [Definition::String { id: 0, string }];
    let nul = write::global_definitions(dir.path(), "traces", &string("\0".into()), EVENT_CHUNK);
    assert!(matches!(nul, Err(Error::Unwritable { .. })));

    let long = string("x".repeat(EVENT_CHUNK as usize));
    let long = write::global_definitions(dir.path(), "traces", &long, EVENT_CHUNK);
    assert!(matches!(long, Err(Error::RecordTooLong { .. })));
}

#[test]
fn definitions_go_on_in_the_next_chunk() {
    let dir = tempfile::tempdir().unwrap();
    let definitions: Vec<_> = (0..50)
        .map(|id| Definition::String {
            id,
            string: "x".repeat(20_000 + id as usize),
        })
        .collect();
    write::global_definitions(dir.path(), "traces", &definitions, EVENT_CHUNK).unwrap();
    let mut anchor = Anchor::default();
    anchor.definition_chunk = EVENT_CHUNK;
    let anchor = write::anchor(dir.path(), "traces", &anchor).unwrap();
    let read = Archive::open(anchor).unwrap().definitions().unwrap();
    assert_eq!(read.complete().unwrap(), definitions);
}

#[test]
fn the_index_names_first_and_last_event_and_time_of_each_chunk() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = common::write(dir.path(), 15_000).unwrap();
    let file = Archive::open(anchor).unwrap().events(0).unwrap();
    let events = common::events(0, 15_000);
    let index = file.index().unwrap();
    assert!(index.len() > 2);
    let mut first = 1;
    for chunk in &index {
        assert_eq!(chunk.first, first);
        assert_eq!(chunk.time, Some(events[first as usize - 1].0));
        first = chunk.last + 1;
    }
    assert_eq!(first, 1 + events.len() as u64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Long runs of equal times put several chunks at the same time.
    #[test]
    fn a_reader_finds_any_time_and_any_event(
        steps in proptest::collection::vec((0u64..3, 1usize..60_000), 1..6),
        places in proptest::collection::vec(0u64..12, 5),
    ) {
        let mut times = Vec::new();
        let mut time = 1;
        for (step, count) in steps {
            time += step;
            times.extend(std::iter::repeat_n(time, count));
        }
        let dir = tempfile::tempdir().unwrap();
        let mut writer = EventWriter::create(dir.path(), "traces", 0, EVENT_CHUNK).unwrap();
        for (number, time) in times.iter().enumerate() {
            let event = Event::MpiIsendComplete { request_id: number as u64 + (1 << 50) };
            writer.write(*time, &[], &event).unwrap();
        }
        writer.finish().unwrap();
        let anchor = write::anchor(dir.path(), "traces", &Anchor::default()).unwrap();
        let file = Archive::open(anchor).unwrap().events(0).unwrap();
        for place in places {
            let expected = times.iter().position(|it| *it >= place).map(|it| it as u64 + 1);
            let found = file.from_time(place).unwrap().next().map(|it| it.unwrap().number);
            prop_assert_eq!(found, expected);
            let number = 1 + place * times.len() as u64 / 11;
            let expected = times.get(number as usize - 1).copied();
            let found = file.from_event(number).unwrap().next().map(|it| it.unwrap().time);
            prop_assert_eq!(found, expected);
        }
    }
}
