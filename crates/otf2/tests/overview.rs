//! Snapshots and thumbnails: their bytes, and what libotf2's own tool takes of
//! a trace of ours.

mod common;
#[path = "../../../tests/missing.rs"]
mod missing;

use otf2::read::{Archive, SnapshotFile};
use otf2::write::{self, Options};
use otf2::{Error, Event, Snapshot, Thumbnail, ThumbnailType};
use std::process::Command;

const HEAD: [u8; 2] = [3, 0x42];

/// What libotf2 3.2 wrote for the same calls.
fn golden_snapshot() -> Vec<u8> {
    let time = [5, 10, 0, 0, 0, 0, 0, 0, 0];
    let counters = [[1u64, 4].map(u64::to_le_bytes).concat(), time.to_vec()].concat();
    let enter = [13, 10, 5, 0, 0, 0, 0, 0, 0, 0, 1, 1];
    let begin = [20, 8, 7, 0, 0, 0, 0, 0, 0, 0];
    let (start, end) = ([10, 2, 1, 2], [11, 2, 1, 3]);
    let marks = [2, 1];
    [&HEAD[..], &counters, &start, &enter, &begin, &end, &marks].concat()
}

#[test]
fn a_snapshot_has_the_bytes_of_libotf2() {
    let dir = tempfile::tempdir().unwrap();
    let records = [
        Snapshot::SnapshotStart {
            number_of_records: 2,
        },
        Snapshot::Enter {
            orig_event_time: 5,
            region: 1,
        },
        Snapshot::MpiCollectiveBegin { orig_event_time: 7 },
        Snapshot::SnapshotEnd { cont_read_pos: 3 },
    ];
    let mut options = Options::default();
    options.snapshots = 1;
    let archive = write::Archive::create(dir.path(), "traces", options).unwrap();
    let mut writer = archive.snapshots(0).unwrap();
    for record in &records {
        writer.write(10, &[], record).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), 4);
    let bytes = std::fs::read(dir.path().join("traces/0.snap")).unwrap();
    assert_eq!(bytes, golden_snapshot());
    let archive = Archive::open(archive.finish(&[]).unwrap()).unwrap();
    assert_eq!(archive.anchor().snapshots, 1);
    let file = archive.snapshots(0).unwrap();
    let read: Vec<_> = file.iter().map(|it| it.unwrap().event).collect();
    assert_eq!(read, records);
    assert_eq!(archive.snapshots(1).unwrap().count(), 0);
}

#[test]
fn a_thumbnail_has_the_bytes_of_libotf2() {
    let dir = tempfile::tempdir().unwrap();
    let records = [
        Thumbnail::Header {
            name: "name".into(),
            description: "desc".into(),
            thumbnail_type: ThumbnailType::REGION,
            number_of_samples: 1,
            definitions: vec![7, 1 << 40],
        },
        Thumbnail::Sample {
            baseline: 100,
            values: vec![300, u64::MAX],
        },
    ];
    let mut options = Options::default();
    options.thumbnails = 1;
    let archive = write::Archive::create(dir.path(), "traces", options).unwrap();
    archive.thumbnail(0, &records).unwrap();
    let counters = [1u64, 0].map(u64::to_le_bytes).concat();
    let header = b"\x0a\x18name\0desc\0\0\x01\x01\x01\x02\x01\x07\x06\0\0\0\0\0\x01";
    let sample = [11, 8, 1, 100, 1, 2, 2, 44, 1, 255];
    let golden = [&HEAD[..], &counters, header, &sample, &[2, 1]].concat();
    let bytes = std::fs::read(dir.path().join("traces.0.thumb")).unwrap();
    assert_eq!(bytes, golden);
    let archive = Archive::open(archive.finish(&[]).unwrap()).unwrap();
    assert_eq!(archive.anchor().thumbnails, 1);
    assert_eq!(archive.thumbnail(0).unwrap().complete().unwrap(), records);
    assert_eq!(archive.thumbnail(1).unwrap().len(), 0);
}

#[test]
fn a_thumbnail_cut_at_any_byte_yields_the_samples_before_the_cut() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = common::write(dir.path(), 1).unwrap();
    let sample = |baseline| Thumbnail::Sample {
        baseline,
        values: vec![baseline; 3],
    };
    let samples: Vec<_> = (0..50).map(sample).collect();
    write::thumbnail(dir.path(), "traces", 0, &samples).unwrap();
    let path = dir.path().join("traces.0.thumb");
    let bytes = std::fs::read(&path).unwrap();
    for end in 0..bytes.len() - 1 {
        std::fs::write(&path, &bytes[..end]).unwrap();
        let list = Archive::open(&anchor).unwrap().thumbnail(0).unwrap();
        assert_eq!(list[..], samples[..list.len()]);
        let damage = list.damage().expect("damage is told");
        assert!(matches!(damage, Error::Truncated(_)), "{end}: {damage}");
    }
}

/// Reads one snapshot after the other: time, records, the event to go on with.
fn snapshots(file: &SnapshotFile) -> Vec<(u64, Vec<Snapshot>, u64)> {
    let (mut all, mut records, mut announced) = (Vec::new(), Vec::new(), 0);
    for record in file {
        let record = record.unwrap();
        match record.event {
            Snapshot::SnapshotStart { number_of_records } => announced = number_of_records,
            Snapshot::SnapshotEnd { cont_read_pos } => {
                let records = std::mem::take(&mut records);
                assert_eq!(records.len() as u64, announced);
                all.push((record.time, records, cont_read_pos));
            }
            other => records.push(other),
        }
    }
    all
}

#[test]
fn snapshots_that_libotf2_takes_of_our_trace_hold_what_is_under_way() {
    let dir = tempfile::tempdir().unwrap();
    let anchor = common::write(dir.path(), 100).unwrap();
    let mut tool = Command::new("otf2-snapshots");
    let Ok(output) = tool.args(["-p", "200"]).arg(&anchor).output() else {
        return missing::missing("no otf2-snapshots");
    };
    assert!(output.status.success(), "{output:?}");
    let archive = Archive::open(&anchor).unwrap();
    for rank in [0, 1] {
        let events = common::events(rank, 100);
        let taken = snapshots(&archive.snapshots(rank).unwrap());
        assert!(taken.len() >= 4, "{}", taken.len());
        for (time, records, next) in taken {
            let before = events
                .iter()
                .position(|it| it.0 >= time)
                .unwrap_or(events.len());
            assert_eq!(next, before as u64 + 1, "{time}");
            let entered = events[..before].iter().rev().find_map(|it| match it.1 {
                Event::Enter { region } => Some(Some((it.0, region))),
                Event::Leave { .. } => Some(None),
                _ => None,
            });
            let found = records.iter().find_map(|it| match it {
                Snapshot::Enter {
                    orig_event_time,
                    region,
                } => Some((*orig_event_time, *region)),
                _ => None,
            });
            assert_eq!(found, entered.flatten(), "{time}: {records:?}");
        }
    }
}
