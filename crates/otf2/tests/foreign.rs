//! libotf2 writes, we read; then we write what we read, byte for byte the same.

#[path = "oracle/mod.rs"]
mod oracle;

use otf2::{
    read, write, AttributeRef, Definition, Event, LocalDefinition, Paradigm, RegionRole, Value,
};
use std::collections::BTreeMap;
use std::fmt::{Debug, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Puts `Debug` output into the form of random_archive.py: a name, and fields
/// in alphabetical order.
fn canonical(record: &impl Debug) -> String {
    let text = format!("{record:?}");
    let (name, mut rest) = text.split_once(' ').unwrap_or((&text, ""));
    let mut fields: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut key = "";
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let mut length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if first == '"' {
            length = rest[1..].find('"').expect("closing quote") + 2;
        }
        let token = &rest[..length.max(first.len_utf8())];
        rest = &rest[token.len()..];
        if rest.starts_with(": ") && is_word(first) {
            key = token;
        } else if first == '"'
            || is_word(first) && !rest.starts_with('(') && !rest.starts_with(" {")
        {
            fields.entry(key).or_default().push(token);
        }
    }
    let mut line = name.to_owned();
    for (key, values) in fields {
        write!(line, " {key}={}", values.join(",")).unwrap();
    }
    line
}

fn attributes(pairs: &[(AttributeRef, Value)]) -> String {
    let values = pairs.iter().map(|(id, value)| {
        let value = format!("{value:?}");
        let (_, value) = value.split_once('(').expect("a known type");
        format!("{id}:{}", value.trim_end_matches(')'))
    });
    match pairs {
        [] => String::new(),
        _ => format!(" {}", values.collect::<Vec<_>>().join(",")),
    }
}

/// Copies a file of events or snapshots, and returns it as text.
macro_rules! copy_timed {
    ($file:expr, $copy:expr, $tag:literal, $location:expr) => {{
        let (file, mut copy, mut text) = ($file, $copy, String::new());
        let mut records = file.iter();
        for record in records.by_ref() {
            let record = record?;
            let pairs: Vec<_> = record.attributes.iter().collect();
            copy.write(record.time, &pairs, &record.event)?;
            let (time, list) = (record.time, attributes(&pairs));
            let event = canonical(&record.event);
            writeln!(text, "{} {} {time}{list}  {event}", $tag, $location).unwrap();
        }
        assert_eq!(records.truncation(), None);
        assert_eq!(copy.finish()?, file.count());
        text
    }};
}

/// Everything in the archive at `from`, as text; and a copy of it at `to`.
fn read_and_rewrite(from: &Path, to: &Path) -> Result<String, otf2::Error> {
    let archive = read::Archive::open(from.join("traces.otf2"))?;
    let anchor = archive.anchor();
    let mut text = String::new();
    for location in archive.locations()? {
        let copy = write::EventWriter::create(to, "traces", location, anchor.event_chunk)?;
        text += &copy_timed!(archive.events(location)?, copy, "E", location);
        if anchor.snapshots > 0 {
            let copy = write::SnapshotWriter::create(to, "traces", location, anchor.event_chunk)?;
            text += &copy_timed!(archive.snapshots(location)?, copy, "S", location);
        }
    }
    for location in archive.locations()? {
        let definitions = archive.local_definitions(location)?.complete()?;
        write::local_definitions(to, "traces", location, &definitions)?;
        for definition in &definitions {
            let line = match definition {
                LocalDefinition::Definition(repeated) => canonical(repeated),
                own => canonical(own),
            };
            writeln!(text, "L {location} {line}").unwrap();
        }
    }
    let definitions = archive.definitions()?.complete()?;
    write::global_definitions(to, "traces", &definitions, anchor.definition_chunk)?;
    for definition in &definitions {
        writeln!(text, "G {}", canonical(definition)).unwrap();
    }
    let markers = archive.markers()?.complete()?;
    write::markers(to, "traces", &markers, anchor.definition_chunk)?;
    for marker in &markers {
        writeln!(text, "M {}", canonical(marker)).unwrap();
    }
    for number in 0..anchor.thumbnails {
        let records = archive.thumbnail(number)?.complete()?;
        write::thumbnail(to, "traces", number, &records)?;
        for record in &records {
            writeln!(text, "T {number} {}", canonical(record)).unwrap();
        }
    }
    write::anchor(to, "traces", anchor)?;
    Ok(text)
}

fn compare_text(read: &str, written: &str) {
    assert!(read.lines().count() > 50);
    let mut order: Vec<_> = written.lines().collect();
    let mut found: Vec<_> = read.lines().collect();
    // Definitions of locations may be interleaved differently; lines may not differ.
    order.sort_by_key(|line| line.split(' ').take(2).collect::<Vec<_>>());
    found.sort_by_key(|line| line.split(' ').take(2).collect::<Vec<_>>());
    for (found, expected) in found.iter().zip(&order) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), order.len());
}

fn compare_files(ours: &Path, theirs: &Path) {
    for entry in std::fs::read_dir(theirs).expect("a directory") {
        let name = entry.expect("an entry").file_name();
        let (ours, theirs) = (ours.join(&name), theirs.join(&name));
        if theirs.is_dir() {
            compare_files(&ours, &theirs);
            continue;
        }
        let (a, b) = (
            std::fs::read(&ours).unwrap(),
            std::fs::read(&theirs).unwrap(),
        );
        let first = a.iter().zip(&b).position(|(a, b)| a != b);
        assert_eq!(first, None, "{} differs from byte", theirs.display());
        assert_eq!(a.len(), b.len(), "{} in length", theirs.display());
    }
}

/// The system's Python, if it has the package of the distribution's libotf2 (Debian 12: 3.0.2).
fn system_python() -> Option<PathBuf> {
    let python = Path::new("/usr/bin/python3");
    let mut import = Command::new(python);
    let import = import.args(["-c", "import _otf2"]).output();
    if !import.is_ok_and(|output| output.status.success()) {
        oracle::missing("no python3-otf2 of the distribution");
        return None;
    }
    Some(python.to_owned())
}

/// With PyPI's libotf2 and the distribution's, as far as they are there.
fn check(seed: u64, events: usize) {
    for python in [oracle::python(), system_python()].into_iter().flatten() {
        check_by(&python, seed, events);
    }
}

fn check_by(python: &Path, seed: u64, events: usize) {
    let theirs = tempfile::tempdir().unwrap();
    let ours = tempfile::tempdir().unwrap();
    let dir = theirs.path().to_str().unwrap();
    let arguments = [dir, &seed.to_string(), &events.to_string()];
    let Some(written) = oracle::script_by(python, "random_archive.py", &arguments) else {
        return;
    };
    let read = read_and_rewrite(theirs.path(), ours.path()).unwrap();
    compare_text(&read, &written);
    compare_files(ours.path(), theirs.path());
}

#[test]
fn all_kinds_of_record_are_read_and_written_as_libotf2_does() {
    check(1, 300);
}

#[test]
fn chunks_end_where_libotf2_ends_them() {
    check(2, 20_000);
}

#[test]
fn random_archives_of_libotf2_come_back_byte_for_byte() {
    let seed = std::env::var("MPISCOPE_TEST_SEED").ok();
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(3);
    println!("MPISCOPE_TEST_SEED={seed}");
    let archives = match std::env::var_os("MPISCOPE_TEST_ALL") {
        Some(_) => 20,
        None => 2,
    };
    (0..archives).for_each(|number| check(seed + number, 2_000));
}

fn archived(name: &str) -> PathBuf {
    let archives = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives");
    archives.join(name)
}

#[test]
fn a_chunk_is_filled_to_the_last_byte_as_libotf2_does() {
    // Not "1 1 0", which leaves one byte: there the library's process crashes.
    let cases = ["0 0 0", "0 0 1", "0 1 0", "1 0 0", "1 1 1", "1 0 3"];
    for case in cases {
        let theirs = tempfile::tempdir().unwrap();
        let ours = tempfile::tempdir().unwrap();
        let dir = theirs.path().to_str().unwrap();
        let arguments: Vec<_> = std::iter::once(dir).chain(case.split(' ')).collect();
        if oracle::script("full_chunk.py", &arguments).is_none() {
            return;
        }
        read_and_rewrite(theirs.path(), ours.path()).unwrap();
        let file = |dir: &Path| std::fs::read(dir.join("traces/0.evt")).unwrap();
        assert!(file(ours.path()) == file(theirs.path()), "{case}");
    }
}

/// An archive that random_archive.py wrote, and what it printed.
#[test]
fn an_archive_with_every_record_is_read_and_written() {
    let theirs = archived("every-record");
    let ours = tempfile::tempdir().unwrap();
    let read = read_and_rewrite(&theirs, ours.path()).unwrap();
    let calls = theirs.join("calls.txt");
    compare_text(&read, &std::fs::read_to_string(&calls).unwrap());
    std::fs::copy(calls, ours.path().join("calls.txt")).unwrap();
    compare_files(ours.path(), &theirs);
}

fn check_messages(dir: &Path) {
    let archive = read::Archive::open(dir.join("traces.otf2")).unwrap();
    assert_eq!(archive.locations().unwrap(), [0, 1]);
    let sender = archive.events(0).unwrap();
    let (mut sent, mut times) = (Vec::new(), Vec::new());
    for record in &sender {
        let record = record.unwrap();
        times.push(record.time);
        if let Event::MpiSend { msg_tag, .. } = record.event {
            sent.push((msg_tag, record.attributes.find(0)));
        }
    }
    assert_eq!(times[..6], [10, 20, 30, 1010, 1020, 1030]);
    let expected: Vec<_> = (0..7)
        .map(|i| (i, Some(Value::Int32(-(i as i32)))))
        .collect();
    assert_eq!(sent, expected);
    let receiver = archive.events(1).unwrap();
    let second = receiver.iter().nth(4).unwrap().unwrap();
    assert_eq!((second.number, second.time), (5, 1040));
    let expected = Event::MpiRecv {
        sender: 0,
        communicator: 0,
        msg_tag: 1,
        msg_length: 100,
    };
    assert_eq!(second.event, expected);
    let definitions = archive.definitions().unwrap().complete().unwrap();
    let region = definitions.iter().find_map(|definition| match definition {
        Definition::Region {
            region_role,
            paradigm,
            ..
        } => Some((*region_role, *paradigm)),
        _ => None,
    });
    assert_eq!(region, Some((RegionRole::POINT2POINT, Paradigm::MPI)));
    let ours = tempfile::tempdir().unwrap();
    read_and_rewrite(dir, ours.path()).unwrap();
    compare_files(ours.path(), dir);
}

#[test]
fn an_archived_exchange_of_messages_is_read() {
    check_messages(&archived("messages"));
}

#[test]
fn messages_that_python_writes_are_read() {
    let dir = tempfile::tempdir().unwrap();
    if oracle::script("messages.py", &[dir.path().to_str().unwrap()]).is_some() {
        check_messages(dir.path());
    }
}
