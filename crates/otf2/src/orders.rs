//! Archives of either byte order, with a record of every kind. libotf2 writes the order of its
//! machine alone, and reads both: what it finds in an archive of ours must not depend on the order.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::chunk::THUMBNAIL_CHUNK;
use crate::records::Record;
use crate::wire::ByteOrder;
use crate::write::{self, EventWriter, SnapshotWriter, DEFINITION_CHUNK, EVENT_CHUNK};
use crate::{
    files, read, Anchor, Definition, Event, Kind, LocalDefinition, Marker, Snapshot, Thumbnail,
    Value,
};

#[path = "../tests/oracle/mod.rs"]
mod oracle;

/// All that a record may hold: so every reference finds its definition, and no byte order has the
/// bytes of the other.
const NUMBER: u64 = 0x0104;
/// Has local definitions of all kinds, and no events, whose ids these would change.
const EMPTY: u64 = NUMBER + 1;
const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

fn all<R>(kinds: &[Kind], sample: fn(u8, &mut dyn FnMut() -> u64) -> R) -> Vec<R> {
    let sample = |kind: &Kind| sample(kind.id, &mut || NUMBER);
    kinds.iter().map(sample).collect()
}

fn definitions() -> Vec<Definition> {
    let mut all = all(Definition::KINDS, Definition::sample);
    all.push(Definition::Location {
        id: EMPTY,
        name: NUMBER as u32,
        location_type: crate::LocationType::CPU_THREAD,
        number_of_events: 0,
        location_group: NUMBER as u32,
    });
    all
}

fn records<R: Record>(path: PathBuf, records: &[R], order: ByteOrder) {
    write::write_bounded(path, records, DEFINITION_CHUNK, R::size, order).unwrap();
}

/// Writes an archive and returns its anchor.
fn written(dir: &Path, order: ByteOrder) -> PathBuf {
    let attributes = [(NUMBER as u32, Value::Uint32(NUMBER as u32))];
    for (location, are_there) in [(NUMBER, true), (EMPTY, false)] {
        let events = EventWriter::with_order(dir, "traces", location, EVENT_CHUNK, order);
        let mut events = events.unwrap();
        let snapshots = SnapshotWriter::with_order(dir, "traces", location, EVENT_CHUNK, order);
        let mut snapshots = snapshots.unwrap();
        if are_there {
            for (time, event) in (NUMBER..).zip(all(Event::KINDS, Event::sample)) {
                events.write(time, &attributes, &event).unwrap();
            }
            for record in all(Snapshot::KINDS, Snapshot::sample) {
                snapshots.write(NUMBER, &[], &record).unwrap();
            }
        }
        events.finish().unwrap();
        snapshots.finish().unwrap();
        let local = match are_there {
            true => Vec::new(),
            false => all(LocalDefinition::KINDS, LocalDefinition::sample),
        };
        records(
            files::local_definitions(dir, "traces", location),
            &local,
            order,
        );
    }
    let definitions = definitions();
    records(files::definitions(dir, "traces"), &definitions, order);
    let markers = all(Marker::KINDS, Marker::sample);
    records(files::markers(dir, "traces"), &markers, order);
    let thumbnail = all(Thumbnail::KINDS, Thumbnail::sample);
    let place = files::thumbnail(dir, "traces", 0);
    write::write_bounded(place, &thumbnail, THUMBNAIL_CHUNK, Record::bound, order).unwrap();
    let anchor = Anchor {
        event_chunk: EVENT_CHUNK,
        definition_chunk: DEFINITION_CHUNK,
        locations: 2,
        definitions: definitions.len() as u64,
        creator: "orders".into(),
        properties: vec![("ORDERS::NUMBER".into(), NUMBER.to_string())],
        trace_id: NUMBER,
        snapshots: 1,
        ..Anchor::default()
    };
    let path = files::anchor(dir, "traces");
    std::fs::write(&path, anchor.encode_in(order, &path).unwrap()).unwrap();
    path
}

/// Returns all that we read of an archive.
fn text(anchor: &Path) -> Vec<String> {
    let archive = read::Archive::open(anchor).unwrap();
    let mut text = vec![format!("{:?}", archive.anchor())];
    let events = archive.events(NUMBER).unwrap();
    for record in &events {
        let record = record.unwrap();
        let attributes: Vec<_> = record.attributes.iter().collect();
        text.push(format!("{} {attributes:?} {:?}", record.time, record.event));
    }
    let snapshots = archive.snapshots(NUMBER).unwrap();
    for record in &snapshots {
        let record = record.unwrap();
        text.push(format!("{} {:?}", record.time, record.event));
    }
    let debug = |it: &dyn std::fmt::Debug| format!("{it:?}");
    let local = archive.local_definitions(EMPTY).unwrap();
    text.extend(local.complete().unwrap().iter().map(|it| debug(it)));
    let global = archive.definitions().unwrap();
    text.extend(global.complete().unwrap().iter().map(|it| debug(it)));
    let markers = archive.markers().unwrap();
    text.extend(markers.complete().unwrap().iter().map(|it| debug(it)));
    let thumbnail = archive.thumbnail(0).unwrap();
    text.extend(thumbnail.complete().unwrap().iter().map(|it| debug(it)));
    text
}

#[test]
fn every_kind_of_record_is_read_in_either_byte_order() {
    let dirs = ORDERS.map(|_| tempfile::tempdir().unwrap());
    let [little, big] = [0, 1].map(|at| text(&written(dirs[at].path(), ORDERS[at])));
    assert_eq!(little, big);
    let tables = [
        Event::KINDS,
        Snapshot::KINDS,
        LocalDefinition::KINDS,
        Definition::KINDS,
        Marker::KINDS,
        Thumbnail::KINDS,
    ];
    let kinds: usize = tables.iter().map(|kinds| kinds.len()).sum();
    // The anchor, and a location more.
    assert_eq!(little.len(), kinds + 2);
    for kind in tables.into_iter().flatten() {
        assert!(
            little.iter().any(|it| it.contains(kind.name)),
            "{}",
            kind.name
        );
    }
    for file in [
        "traces.def",
        "traces.otf2",
        "traces/260.evt",
        "traces/261.def",
    ] {
        let [little, big] = [0, 1].map(|at| std::fs::read(dirs[at].path().join(file)).unwrap());
        assert_eq!(little.len(), big.len(), "{file}");
        assert_ne!(little, big, "{file}");
    }
}

/// Returns what a command of libotf2 says of an archive of ours in each order.
fn said(command: impl Fn(&Path) -> Option<String>) -> Option<[String; 2]> {
    let told = ORDERS.map(|order| {
        let dir = tempfile::tempdir().unwrap();
        let anchor = written(dir.path(), order);
        let place = dir.path().to_str().unwrap().to_owned();
        Some(command(&anchor)?.replace(&place, ""))
    });
    let [little, big] = told;
    Some([little?, big?])
}

/// Returns what a tool of libotf2 says, and what it says against the values: some are of no meaning.
fn printed(tool: &str, options: &[&str], anchor: &Path) -> Option<String> {
    let output = Command::new(tool).args(options).arg(anchor).output();
    let Ok(output) = output else {
        oracle::missing(&format!("no {tool}"));
        return None;
    };
    let told = [output.stdout, output.stderr];
    let [text, complaints] = told.map(|it| String::from_utf8(it).unwrap());
    assert!(output.status.success(), "{complaints}");
    Some(text + &complaints)
}

/// Expects that a tool prints lines that begin with so many different words, in either order the
/// same.
fn check_tool(tool: &str, options: &[&str], most: usize) {
    let Some([little, big]) = said(|anchor| printed(tool, options, anchor)) else {
        return;
    };
    for (little, big) in little.lines().zip(big.lines()) {
        assert_eq!(little, big);
    }
    assert_eq!(little.len(), big.len());
    let words = little.lines().filter_map(|it| it.split(' ').next());
    let words: BTreeSet<&str> = words.collect();
    assert!(words.len() >= most, "{words:?}");
}

#[test]
fn tools_of_libotf2_find_the_same_in_either_byte_order() {
    check_tool("otf2-print", &["-A"], 100);
    check_tool("otf2-marker", &[], 2);
}

/// The package of PyPI has libotf2 3.2, which knows all records.
#[test]
fn every_kind_of_record_is_what_libotf2_reads_in_either_byte_order() {
    let list = |anchor: &Path| {
        let locations = [NUMBER, EMPTY].map(|it| it.to_string());
        let arguments = [anchor.to_str().unwrap(), &locations[0], &locations[1]];
        oracle::script("every_record.py", &arguments)
    };
    let Some([little, big]) = said(list) else {
        return;
    };
    for (little, big) in little.lines().zip(big.lines()) {
        assert_eq!(little, big);
    }
    let tables = [
        ("Evt", Event::KINDS),
        ("Def", LocalDefinition::KINDS),
        ("GlobalDef", Definition::KINDS),
    ];
    for (file, kinds) in tables {
        for kind in kinds {
            let begin = format!("{file} {} ", kind.name);
            assert!(
                big.lines().any(|it| it.starts_with(&begin)),
                "no {begin}in {big}"
            );
        }
    }
}
