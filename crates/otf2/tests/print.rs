//! We write, `otf2-print` and Python's otf2 read.

mod common;
#[path = "oracle/mod.rs"]
mod oracle;

use otf2::write::{self, EventWriter};
use otf2::{Event, LocalDefinition};
use std::path::Path;
use std::process::Command;

fn otf2_print(anchor: &Path) -> Option<String> {
    let text = oracle::run(Command::new("otf2-print").arg(anchor))?;
    for line in text.lines() {
        let line = line.to_lowercase();
        assert!(
            !line.contains("warning") && !line.contains("error"),
            "{line}"
        );
    }
    Some(text)
}

/// The events in the output: kind, location, time.
fn printed(text: &str) -> Vec<(&str, u64, u64)> {
    let rows = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let kind = words.next()?;
        Some((
            kind,
            words.next()?.parse().ok()?,
            words.next()?.parse().ok()?,
        ))
    });
    rows.collect()
}

#[test]
fn otf2_print_shows_our_events_and_has_no_complaint() {
    let dir = tempfile::tempdir().unwrap();
    let Some(text) = otf2_print(&common::write(dir.path(), 2).unwrap()) else {
        return;
    };
    assert_eq!(
        printed(&text),
        [
            ("ENTER", 0, 100),
            ("ENTER", 1, 100),
            ("MPI_SEND", 0, 101),
            ("LEAVE", 0, 109),
            ("MPI_RECV", 1, 109),
            ("LEAVE", 1, 109),
            ("ENTER", 0, 110),
            ("ENTER", 1, 110),
            ("MPI_SEND", 0, 111),
            ("LEAVE", 0, 119),
            ("MPI_RECV", 1, 119),
            ("LEAVE", 1, 119),
        ]
    );
    assert!(text.contains(r#"Communicator: "world" <0>, Tag: 1, Length: 8"#));
    assert!(text.contains(r#"ADDITIONAL ATTRIBUTES: ("marked" <0>; INT64; -1)"#));
}

#[test]
fn otf2_print_reads_events_in_many_chunks() {
    let dir = tempfile::tempdir().unwrap();
    let exchanges = 15_000;
    let Some(text) = otf2_print(&common::write(dir.path(), exchanges).unwrap()) else {
        return;
    };
    let file = std::fs::metadata(dir.path().join("traces/0.evt")).unwrap();
    assert!(file.len() > 2 * write::EVENT_CHUNK);
    assert_eq!(printed(&text).len(), 6 * exchanges as usize);
}

#[test]
fn our_clock_correction_is_that_of_otf2_print() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = common::write(dir.path(), 50).unwrap();
    let offsets =
        [(150, -7), (300, 90), (500, 123)].map(|(time, offset)| LocalDefinition::ClockOffset {
            time,
            offset,
            standard_deviation: 0.5,
        });
    write::local_definitions(dir.path(), "traces", 1, &offsets).unwrap();
    let Some(text) = otf2_print(&anchor) else {
        return;
    };
    let theirs = printed(&text).into_iter().filter(|row| row.1 == 1);
    let theirs: Vec<u64> = theirs.map(|row| row.2).collect();
    let correction = otf2::ClockCorrection::new(&offsets);
    let events = common::events(1, 50);
    let ours: Vec<u64> = events.iter().map(|it| correction.apply(it.0)).collect();
    assert_eq!(ours, theirs);
    assert_ne!(ours[0], events[0].0);
}

#[test]
fn python_reads_our_events() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = common::write(dir.path(), 100).unwrap();
    let Some(text) = oracle::script("list_events.py", &[anchor.to_str().unwrap()]) else {
        return;
    };
    for rank in [0, 1] {
        let prefix = format!("{rank} ");
        let theirs: Vec<_> = text
            .lines()
            .filter_map(|it| it.strip_prefix(&prefix))
            .collect();
        let ours = common::events(rank, 100);
        let ours: Vec<_> = ours
            .iter()
            .map(|(time, it)| format!("{time} {}", it.name()))
            .collect();
        assert_eq!(theirs, ours);
    }
}

/// No file of libotf2 shows this case (full_chunk.py 1 1 0 crashes in it), but
/// its reader has to accept ours.
#[test]
fn otf2_print_reads_a_last_chunk_with_one_byte_left() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = common::write(dir.path(), 0).unwrap();
    let mut writer = EventWriter::create(dir.path(), "traces", 0, write::EVENT_CHUNK).unwrap();
    // 18 bytes of header, 9 of timestamp, 3 for region 1, 2 for each region 0.
    let short = (write::EVENT_CHUNK as usize - 18 - 9 - 3 - 16) / 2;
    let mut regions = vec![1];
    regions.extend(std::iter::repeat_n(0, short));
    for region in regions {
        writer.write(1, &[], &Event::Enter { region }).unwrap();
    }
    let region = u32::MAX - 1;
    writer.write(2, &[], &Event::Enter { region }).unwrap();
    let count = writer.finish().unwrap();
    let file = otf2::read::Archive::open(&anchor)
        .unwrap()
        .events(0)
        .unwrap();
    assert_eq!(file.count(), count);
    assert!(file.iter().all(|record| record.is_ok()));
    let Some(text) = otf2_print(&anchor) else {
        return;
    };
    assert_eq!(printed(&text).len() as u64, count);
}
