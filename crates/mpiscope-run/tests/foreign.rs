//! Archives of other tools, with the liberties that they take.

mod common;

use mpiscope_model::{CommId, Duration, Event as Seen, Rank, Timestamp};
use mpiscope_run::corrected::write_corrected;
use mpiscope_run::trace::read_trace;
use otf2::write::SnapshotWriter;
use otf2::{
    Anchor, CommFlag, Definition, Event, GroupFlag, GroupType, IdMap, LocalDefinition,
    LocationGroupType, LocationType, MappingType, Marker, MarkerScope, Paradigm, RegionFlag,
    RegionRole, Snapshot, Thumbnail, Value, UNDEFINED,
};
use std::path::Path;

const SPARSE: u32 = 1 << 30;

fn group(id: u32, group_type: GroupType, members: &[u64]) -> Definition {
    Definition::Group {
        id,
        name: 0,
        members: members.to_vec(),
        group_type,
        paradigm: Paradigm::MPI,
        group_flags: GroupFlag::NONE,
    }
}

fn region(id: u32, name: u32) -> Definition {
    Definition::Region {
        id,
        name,
        description: 0,
        source_file: 0,
        begin_line_number: 3,
        end_line_number: 9,
        canonical_name: name,
        region_role: RegionRole::FUNCTION,
        paradigm: Paradigm::COMPILER,
        region_flags: RegionFlag::NONE,
    }
}

fn process(group: u32, node: u32, locations: &[u64]) -> Vec<Definition> {
    let mut definitions: Vec<Definition> = locations
        .iter()
        .map(|&id| Definition::Location {
            id,
            name: 1,
            location_type: LocationType::CPU_THREAD,
            number_of_events: 999,
            location_group: group,
        })
        .collect();
    definitions.push(Definition::LocationGroup {
        id: group,
        name: 1,
        location_group_type: LocationGroupType::PROCESS,
        system_tree_parent: node,
        creating_location_group: UNDEFINED,
    });
    definitions
}

/// A group number used twice, sparse numbers, definitions out of order, ranks
/// against the order of locations, microseconds, local numbers, and events
/// that nobody knows.
fn eztrace_like(directory: &std::path::Path) -> std::path::PathBuf {
    let mut definitions = vec![
        group(0, GroupType::COMM_LOCATIONS, &[SPARSE.into(), 20]),
        group(0, GroupType::COMM_GROUP, &[0, 1]),
        Definition::Comm {
            id: SPARSE + 7,
            name: 2,
            group: 0,
            parent: UNDEFINED,
            flags: CommFlag::NONE,
        },
    ];
    definitions.extend(process(5, 9, &[20, 21]));
    definitions.extend(process(6, 8, &[SPARSE.into()]));
    definitions.push(Definition::ClockProperties {
        timer_resolution: 1_000_000,
        global_offset: 1_000,
        trace_length: 1,
        realtime_timestamp: u64::MAX,
    });
    definitions.extend([region(SPARSE + 1, 3), region(SPARSE + 1, 4)]);
    for (id, string) in ["", "p", "world", "first", "work"].into_iter().enumerate() {
        let string = string.into();
        definitions.push(Definition::String {
            id: id as u32,
            string,
        });
    }
    let archive =
        otf2::write::Archive::create(directory, "eztrace_log", Default::default()).unwrap();
    let write = |location: u64, local: &[LocalDefinition], events: &[(u64, Event)]| {
        let mut writer = archive.events(location).unwrap();
        for (time, event) in events {
            writer.write(*time, &[(0, Value::Uint8(3))], event).unwrap();
        }
        writer.finish().unwrap();
        archive.local_definitions(location, local).unwrap();
    };
    let offset = |time, offset| LocalDefinition::ClockOffset {
        time,
        offset,
        standard_deviation: 2.0,
    };
    let local = [
        LocalDefinition::MappingTable {
            mapping_type: MappingType::REGION,
            id_map: IdMap::Dense(vec![u64::from(SPARSE) + 1]),
        },
        offset(1_000, -5),
        offset(2_000, -7),
    ];
    let send = Event::MpiSend {
        receiver: 0,
        communicator: SPARSE + 7,
        msg_tag: 4,
        msg_length: 100,
    };
    let unknown = Event::Unknown {
        id: 200,
        payload: vec![1, 2, 3],
    };
    let stray = Event::CommCreate { communicator: 12 };
    write(
        20,
        &local,
        &[
            (1_000, Event::Enter { region: 0 }),
            (1_001, send),
            (1_002, unknown),
        ],
    );
    write(
        21,
        &[],
        &[(1_000, Event::Leave { region: 44 }), (1_000, stray)],
    );
    let receive = Event::MpiRecv {
        sender: 1,
        communicator: SPARSE + 7,
        msg_tag: 4,
        msg_length: 100,
    };
    write(SPARSE.into(), &[], &[(1_500, receive)]);
    archive.finish(&definitions).unwrap()
}

#[test]
fn the_liberties_of_other_writers_are_survived() {
    let directory = tempfile::tempdir().unwrap();
    eztrace_like(directory.path());
    let trace = read_trace(directory.path()).unwrap();
    let locations: Vec<_> = trace
        .locations
        .iter()
        .map(|l| (l.id, l.rank.0, l.thread))
        .collect();
    assert_eq!(locations, [(SPARSE.into(), 0, 0), (20, 1, 0), (21, 1, 1)]);
    let world = &trace.definitions.communicators[0];
    assert_eq!(
        (&world.name[..], &world.members[..]),
        ("world", &[Rank(0), Rank(1)][..])
    );

    let sender: Vec<_> = trace.locations[1].events.iter().collect();
    assert_eq!(sender[1].0, Timestamp(1_001_000), "microseconds");
    let Seen::Enter(region) = sender[0].1 else {
        panic!("{sender:?}")
    };
    assert_eq!(trace.definitions.regions[region.index()].name, "work");
    let Seen::MpiSend(message) = sender[1].1 else {
        panic!("{sender:?}")
    };
    assert_eq!(
        (message.comm, message.any_source),
        (CommId(0), false),
        "not our attribute"
    );
    assert_eq!(sender[2].1, Seen::Other(200));
    let Seen::Leave(region) = trace.locations[2].events.event(0) else {
        panic!()
    };
    assert_eq!(
        trace.definitions.regions[region.index()].name,
        "undefined region 44"
    );
    assert_eq!(trace.matching().messages.len(), 1);
}

#[test]
fn threads_of_a_process_share_a_clock_and_its_offsets() {
    let directory = tempfile::tempdir().unwrap();
    let trace = read_trace(&eztrace_like(directory.path())).unwrap();
    let domains: Vec<Vec<u32>> = trace
        .clocks
        .iter()
        .map(|d| d.locations.iter().map(|l| l.0).collect())
        .collect();
    assert_eq!(domains, [vec![0], vec![1, 2]]);
    let measured: Vec<_> = trace.clocks[1]
        .measurements
        .iter()
        .map(|m| (m.time, m.offset, m.half_width))
        .collect();
    assert_eq!(
        measured,
        [
            (Timestamp(1_000_000), Duration(-5_000), Duration(2_000)),
            (Timestamp(2_000_000), Duration(-7_000), Duration(2_000)),
        ]
    );
}

#[test]
fn what_no_analysis_knows_is_kept_when_times_change() {
    let directory = tempfile::tempdir().unwrap();
    let anchor = eztrace_like(directory.path());
    let trace = read_trace(&anchor).unwrap();
    let corrected =
        write_corrected(&anchor, &directory.path().join("c"), &trace.times(), &[]).unwrap();
    let archive = otf2::read::Archive::open(corrected.anchor).unwrap();
    let file = archive.events(20).unwrap();
    let events: Vec<_> = file.iter().map(|e| e.unwrap()).collect();
    assert_eq!(
        events[0].event,
        Event::Enter { region: SPARSE + 1 },
        "a global number now"
    );
    assert_eq!(events[2].event.id(), 200);
    assert_eq!(events[2].attributes.find(0), Some(Value::Uint8(3)));
    assert_eq!(events[2].time, 1_002_000, "nanoseconds");
    assert!(archive.local_definitions(20).unwrap().is_empty());
}

/// Adds to the archive of [`eztrace_like`] what stands beside events: a tick
/// after its first event, location 20 is in a region; a marker lies on that
/// tick, another on the same tick of all locations.
fn add_overviews(directory: &Path, anchor: &Path) {
    let archive = otf2::read::Archive::open(anchor).unwrap();
    let name = anchor.file_stem().unwrap().to_str().unwrap();
    let mut writer = SnapshotWriter::create(directory, name, 20, otf2::write::EVENT_CHUNK).unwrap();
    let first = archive.events(20).unwrap().index().unwrap()[0]
        .time
        .unwrap();
    let enter = Snapshot::Enter {
        orig_event_time: first,
        region: 0,
    };
    let start = Snapshot::SnapshotStart {
        number_of_records: 1,
    };
    let end = Snapshot::SnapshotEnd { cont_read_pos: 2 };
    for record in [start, enter, end] {
        writer.write(first + 1, &[], &record).unwrap();
    }
    writer.finish().unwrap();
    let marker = |scope_kind, scope| Marker::Marker {
        time: first,
        duration: 1,
        marker: 0,
        scope_kind,
        scope,
        text: "here".into(),
    };
    let markers = [
        marker(MarkerScope::LOCATION, 20),
        marker(MarkerScope::GLOBAL, 0),
    ];
    let chunk = archive.anchor().definition_chunk;
    otf2::write::markers(directory, name, &markers, chunk).unwrap();
    let sample = Thumbnail::Sample {
        baseline: 7,
        values: vec![1, 2],
    };
    otf2::write::thumbnail(directory, name, 0, &[sample]).unwrap();
    let anchor = Anchor {
        snapshots: 1,
        thumbnails: 1,
        ..archive.anchor().clone()
    };
    otf2::write::anchor(directory, name, &anchor).unwrap();
}

#[test]
fn snapshots_markers_and_thumbnails_come_along_in_the_new_times() {
    let directory = tempfile::tempdir().unwrap();
    let anchor = eztrace_like(directory.path());
    add_overviews(directory.path(), &anchor);
    let trace = read_trace(&anchor).unwrap();
    let mut times = trace.times();
    let late: i64 = 500_000;
    let index = trace.locations.iter().position(|it| it.id == 20).unwrap();
    for time in &mut times[index] {
        time.0 += late;
    }
    let out = directory.path().join("c");
    let corrected = write_corrected(&anchor, &out, &times, &[]).unwrap();
    let archive = otf2::read::Archive::open(corrected.anchor).unwrap();
    let counts = (archive.anchor().snapshots, archive.anchor().thumbnails);
    assert_eq!(counts, (1, 1));
    let first = times[index][0].0 as u64;
    let file = archive.snapshots(20).unwrap();
    let records: Vec<_> = file.iter().map(|it| it.unwrap()).collect();
    assert_eq!(records.len(), 3);
    assert_eq!(records[0].time, first + 1000, "a tick is a microsecond");
    let enter = Snapshot::Enter {
        orig_event_time: first,
        region: SPARSE + 1,
    };
    assert_eq!(records[1].event, enter, "with a global number");
    let spans: Vec<(u64, u64)> = archive
        .markers()
        .unwrap()
        .iter()
        .map(|marker| match marker {
            Marker::Marker { time, duration, .. } => (*time, *duration),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(spans, [(first, 1000), (first - late as u64, 1000)]);
    assert_eq!(archive.thumbnail(0).unwrap().len(), 1);
}
