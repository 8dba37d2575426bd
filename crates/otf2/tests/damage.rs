//! Whatever happened to the bytes: no panic, the events before the damage, and
//! a word about the place.

mod common;

use otf2::read::{Archive, EventFile, Moment, Visitor};
use otf2::{Error, Event, Truncation, Value};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

type Timed = (u64, Event);

fn archived(name: &str) -> PathBuf {
    let archives = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives");
    archives.join(name)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (name, path) = entry.map(|it| (it.file_name(), it.path())).unwrap();
        match path.is_dir() {
            true => copy(&path, &to.join(name)),
            false => fs::write(to.join(name), fs::read(path).unwrap()).unwrap(),
        }
    }
}

fn read(file: &EventFile) -> (Vec<Timed>, Option<Truncation>, Option<Error>) {
    let (mut seen, mut error) = (Vec::new(), None);
    let mut events = file.iter();
    for record in events.by_ref() {
        match record {
            Ok(record) => seen.push((record.time, record.event)),
            Err(damage) => error = Some(damage),
        }
    }
    assert!(events.next().is_none(), "an ended iteration stays ended");
    check_visit(file);
    (seen, events.truncation().cloned(), error)
}

/// Number, time, attributes and event.
type Row = (u64, u64, Vec<(u32, Value)>, Event);

/// Writes down what it is shown.
#[derive(Default)]
struct Seen(Vec<Row>);

impl Visitor<'_> for Seen {
    fn event(&mut self, moment: &Moment<'_>, event: Event) {
        let attributes = moment.attributes.iter().collect();
        self.0.push((moment.number, moment.time, attributes, event));
    }
}

/// A visitor sees what the iterator yields, and both end alike.
fn check_visit(file: &EventFile) {
    let mut events = file.iter();
    let mut expected = Vec::new();
    let mut error = None;
    for record in events.by_ref() {
        match record {
            Ok(it) => expected.push((it.number, it.time, it.attributes.iter().collect(), it.event)),
            Err(damage) => error = Some(damage.to_string()),
        }
    }
    let mut visited = file.iter();
    let mut seen = Seen::default();
    let end = visited.visit(&mut seen).err();
    assert_eq!(seen.0, expected);
    if let (Some(raw), None) = (file.raw(), &error) {
        let decoded = raw.map(|raw| {
            let raw = raw.unwrap();
            let (attributes, event) = raw.decode().unwrap();
            (raw.number, raw.time, attributes.iter().collect(), event)
        });
        assert!(decoded.eq(expected), "raw events differ");
    }
    assert_eq!(end.map(|error| error.to_string()), error);
    assert_eq!(visited.truncation(), events.truncation());
}

/// Cuts a file of events at every byte.
fn check_cuts(archive: &str, location: u64) {
    let dir = tempfile::tempdir().unwrap();
    copy(&archived(archive), dir.path());
    let path = dir.path().join(format!("traces/{location}.evt"));
    let bytes = fs::read(&path).unwrap();
    let archive = Archive::open(dir.path().join("traces.otf2")).unwrap();
    let (whole, none, _) = read(&archive.events(location).unwrap());
    assert_eq!(none, None);
    let mut longest = 0;
    for end in 0..bytes.len() - 1 {
        fs::write(&path, &bytes[..end]).unwrap();
        let file = archive.events(location).unwrap();
        let (seen, truncation, error) = read(&file);
        assert!(error.is_none(), "{end}: {error:?}");
        assert_eq!(seen, whole[..seen.len()], "{end}");
        assert!(seen.len() >= longest, "{end}");
        longest = seen.len();
        let truncation = truncation.expect("a cut file is known for one");
        assert_eq!(truncation.records, seen.len() as u64, "{end}");
        assert!(truncation.offset <= end as u64);
        assert_eq!(file.count(), seen.len() as u64);
        let most = file.most_events();
        assert!((file.count()..=file.size() / 2).contains(&most), "{end}");
        let _ = file.index().unwrap();
    }
    assert_eq!(longest, whole.len());
}

#[test]
fn a_file_cut_at_any_byte_yields_the_events_before_the_cut() {
    check_cuts("messages", 0);
    check_cuts("every-record", 0);
}

#[test]
fn definitions_cut_at_any_byte_yield_those_before_the_cut() {
    let dir = tempfile::tempdir().unwrap();
    copy(&archived("every-record"), dir.path());
    let path = dir.path().join("traces.def");
    let bytes = fs::read(&path).unwrap();
    let archive = Archive::open(dir.path().join("traces.otf2")).unwrap();
    let whole = archive.definitions().unwrap().complete().unwrap();
    for end in 0..bytes.len() - 1 {
        fs::write(&path, &bytes[..end]).unwrap();
        let list = archive.definitions().unwrap();
        assert_eq!(list[..], whole[..list.len()]);
        let damage = list.damage().expect("damage is told");
        assert!(matches!(damage, Error::Truncated(_)), "{end}: {damage}");
    }
}

#[test]
fn a_file_cut_between_chunks_is_known_as_cut() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = common::write(dir.path(), 15_000).unwrap();
    let path = dir.path().join("traces/0.evt");
    let bytes = fs::read(&path).unwrap();
    for extra in [0, 1, 17, 18, 26, 27, 40] {
        fs::write(&path, &bytes[..2 * 256 * 1024 + extra]).unwrap();
        let archive = Archive::open(&anchor).unwrap();
        let file = archive.events(0).unwrap();
        let (seen, truncation, error) = read(&file);
        assert!(error.is_none(), "{extra}: {error:?}");
        assert_eq!(seen, common::events(0, 15_000)[..seen.len()]);
        let chunk = file.index().unwrap()[1];
        assert!(seen.len() as u64 >= chunk.last, "{extra}");
        assert!(truncation.is_some(), "{extra}");
        assert_eq!(file.count(), seen.len() as u64);
    }
}

#[test]
fn reading_goes_on_behind_a_damaged_chunk() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = common::write(dir.path(), 15_000).unwrap();
    let path = dir.path().join("traces/0.evt");
    let mut bytes = fs::read(&path).unwrap();
    bytes[18 + 9] = 4; // where the first event's id was
    fs::write(&path, bytes).unwrap();
    let archive = Archive::open(&anchor).unwrap();
    let file = archive.events(0).unwrap();
    let (seen, truncation, error) = read(&file);
    assert_eq!((seen.len(), truncation), (0, None));
    let error = error.unwrap().to_string();
    assert!(
        error.contains("0.evt: damaged at byte 18 (chunk 0, record 1)"),
        "{error}"
    );
    let first = file.index().unwrap()[1].first;
    let next = file.from_chunk(1).next().unwrap().unwrap();
    assert_eq!(next.number, first);
    let expected = &common::events(0, 15_000)[first as usize - 1];
    assert_eq!((next.time, next.event), *expected);
}

#[test]
fn a_location_without_a_file_has_no_events() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = common::write(dir.path(), 3).unwrap();
    fs::remove_file(dir.path().join("traces/0.evt")).unwrap();
    fs::remove_file(dir.path().join("traces/0.def")).unwrap();
    let archive = Archive::open(anchor).unwrap();
    let file = archive.events(0).unwrap();
    let (seen, truncation, error) = read(&file);
    assert!(seen.is_empty() && truncation.is_none() && error.is_none());
    assert_eq!((file.count(), file.index().unwrap().len()), (0, 0));
}

#[test]
fn what_is_no_archive_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("traces.otf2");
    for bytes in [
        &b""[..],
        b"\x03",
        b"\x03\x42OTF1\0",
        b"[OTF2]\nversion=3",
        &[0; 100],
    ] {
        fs::write(&path, bytes).unwrap();
        let error = Archive::open(&path).unwrap_err();
        assert!(matches!(error, Error::NotAnArchive { .. }), "{error}");
        assert!(error.to_string().contains("traces.otf2 is no OTF2 archive"));
    }
    assert!(matches!(Archive::open(dir.path()), Err(Error::Io { .. })));
    assert!(matches!(
        Archive::open("nowhere.otf2"),
        Err(Error::Io { .. })
    ));
}

/// Reads all there is.
fn devour(dir: &Path) {
    let Ok(archive) = Archive::open(dir.join("traces.otf2")) else {
        return;
    };
    let _ = archive.definitions().map(|list| list.len());
    let _ = archive.markers().map(|list| list.len());
    for number in 0..archive.anchor().thumbnails.min(9) {
        let _ = archive.thumbnail(number).map(|list| list.len());
    }
    for location in [0, 1, 3, 7 << 32 | 1] {
        let taken = archive.snapshots(location).unwrap();
        let records = taken.iter().map_while(Result::ok);
        let records = records.map(|mut it| it.event.orig_event_time_mut().is_some());
        assert_eq!(records.count() as u64, taken.count());
        let local = archive.local_definitions(location).unwrap();
        let correction = otf2::ClockCorrection::new(&local);
        let file = archive.events(location).unwrap();
        let limit = file.size() + 1;
        let mut number = 0;
        for record in file.iter().map_while(Result::ok) {
            correction.apply(record.time);
            assert!(record.attributes.iter().count() <= record.attributes.len());
            number += 1;
            assert!(number < limit);
        }
        assert!(file.count() < limit);
        if file.index().is_ok() {
            file.from_time(5000).unwrap().for_each(drop);
            file.from_event(5).unwrap().for_each(drop);
        }
    }
}

const FILES: [&str; 16] = [
    "traces.otf2",
    "traces.def",
    "traces.marker",
    "traces/0.evt",
    "traces/0.evt",
    "traces/0.evt",
    "traces/3.evt",
    "traces/3.evt",
    "traces/3.def",
    "traces/30064771073.def",
    "traces/30064771073.evt",
    "traces/1.evt",
    "traces/0.snap",
    "traces/3.snap",
    "traces.1.thumb",
    "traces.2.thumb",
];

proptest! {
    #[test]
    fn no_change_of_bytes_makes_a_reader_panic(
        messages: bool,
        file in 0..FILES.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let dir = tempfile::tempdir().unwrap();
        copy(&archived(if messages { "messages" } else { "every-record" }), dir.path());
        let path = dir.path().join(FILES[file]);
        if let Ok(mut bytes) = fs::read(&path) {
            for (place, byte) in changes {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            fs::write(&path, bytes).unwrap();
        }
        devour(dir.path());
    }

    #[test]
    fn no_bytes_at_all_make_a_reader_panic(
        file in 1..FILES.len(),
        header: bool,
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let dir = tempfile::tempdir().unwrap();
        copy(&archived("every-record"), dir.path());
        let head = [3, 0x42, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let head = if header { &head[..] } else { &[] };
        fs::write(dir.path().join(FILES[file]), [head, &bytes].concat()).unwrap();
        devour(dir.path());
    }
}
