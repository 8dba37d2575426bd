//! Archives of other tools, with the liberties that they take.

mod common;

use mpiscope_archive::corrected::write_corrected;
use mpiscope_archive::trace::read_trace;
use mpiscope_model::{CommId, Duration, Event as Seen, Rank, Timestamp};
use otf2::write::SnapshotWriter;
use otf2::{
    CommFlag, Definition, Event, GroupFlag, GroupType, IdMap, LocalDefinition, LocationGroupType,
    LocationType, MappingType, Marker, MarkerScope, Paradigm, RegionFlag, RegionRole, Snapshot,
    Thumbnail, Value, UNDEFINED,
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
    let mut anchor = archive.anchor().clone();
    (anchor.snapshots, anchor.thumbnails) = (1, 1);
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

/// A location group, and what it holds: number, type.
fn group_of(
    id: u32,
    location_group_type: LocationGroupType,
    node: u32,
    creator: u32,
    locations: &[(u64, LocationType)],
) -> Vec<Definition> {
    let of = |&(id_of, location_type): &(u64, LocationType)| Definition::Location {
        id: id_of,
        name: 1,
        location_type,
        number_of_events: 0,
        location_group: id,
    };
    let group = Definition::LocationGroup {
        id,
        name: 1,
        location_group_type,
        system_tree_parent: node,
        creating_location_group: creator,
    };
    std::iter::once(group)
        .chain(locations.iter().map(of))
        .collect()
}

#[test]
fn accelerators_belong_to_the_process_that_uses_them_and_are_no_ranks() {
    use mpiscope_model::LocationKind::{Accelerator, Metric, Thread};
    let folder = tempfile::tempdir().unwrap();
    let mut definitions = Vec::new();
    for (id, string) in ["", "p"].into_iter().enumerate() {
        definitions.push(Definition::String {
            id: id as u32,
            string: string.into(),
        });
    }
    // An accelerator that two processes share stands before them.
    let (process, accelerator) = (LocationGroupType::PROCESS, LocationGroupType::ACCELERATOR);
    let (thread, stream) = (LocationType::CPU_THREAD, LocationType::ACCELERATOR_STREAM);
    definitions.extend(group_of(9, accelerator, 7, UNDEFINED, &[(90, stream)]));
    definitions.extend(group_of(
        1,
        process,
        5,
        UNDEFINED,
        &[(0, thread), (1 << 32, stream)],
    ));
    definitions.extend(group_of(3, accelerator, 6, 1, &[(2 << 32, stream)]));
    let of_second = [(1, thread), (1 << 32 | 1, LocationType::METRIC)];
    definitions.extend(group_of(2, process, 5, UNDEFINED, &of_second));
    definitions.extend(group_of(4, accelerator, 6, 2, &[(2 << 32 | 1, thread)]));
    definitions.push(group(0, GroupType::COMM_LOCATIONS, &[0, 1]));
    let archive =
        otf2::write::Archive::create(folder.path(), "traces", Default::default()).unwrap();
    for location in definitions.iter().filter_map(|it| match it {
        Definition::Location { id, .. } => Some(*id),
        _ => None,
    }) {
        archive.events(location).unwrap().finish().unwrap();
        archive.local_definitions(location, &[]).unwrap();
    }
    let trace = read_trace(&archive.finish(&definitions).unwrap()).unwrap();
    let found: Vec<_> = (trace.locations.iter())
        .map(|it| (it.rank.0, it.thread, it.kind))
        .collect();
    let expected = [
        (0, 0, Thread),
        (0, 1, Accelerator),
        (0, 2, Accelerator),
        (1, 0, Thread),
        (1, 1, Metric),
        (1, 2, Accelerator),
        (2, 0, Accelerator),
    ];
    assert_eq!(found, expected);
    assert_eq!(trace.ranks(), [Rank(0), Rank(1)]);
    assert_eq!(trace.definitions.processes.len(), 3);
    // All but the one that nobody is known to use read the clock of node 5.
    let clocks = trace.clock_of_locations();
    assert_eq!(clocks, [0, 0, 0, 0, 0, 0, 1]);
}

/// Two processes, each with a definition of its own for the same function, and for another of its name.
#[test]
fn a_region_that_each_rank_defines_for_itself_is_one() {
    let directory = tempfile::tempdir().unwrap();
    let mut definitions = vec![group(0, GroupType::COMM_LOCATIONS, &[0, 1])];
    definitions.extend(process(5, 9, &[0]));
    definitions.extend(process(6, 9, &[1]));
    let elsewhere = |id, name| match region(id, name) {
        Definition::Region {
            id,
            name,
            description,
            source_file,
            end_line_number,
            canonical_name,
            region_role,
            paradigm,
            region_flags,
            ..
        } => Definition::Region {
            id,
            name,
            description,
            source_file,
            begin_line_number: 1,
            end_line_number,
            canonical_name,
            region_role,
            paradigm,
            region_flags,
        },
        other => other,
    };
    definitions.extend([region(10, 2), region(20, 2), elsewhere(30, 2)]);
    // Without a name they may be anything.
    definitions.extend([region(40, 0), region(50, 0)]);
    for (id, string) in ["", "p", "work"].into_iter().enumerate() {
        let string = string.into();
        definitions.push(Definition::String {
            id: id as u32,
            string,
        });
    }
    let archive = otf2::write::Archive::create(directory.path(), "a", Default::default()).unwrap();
    for (location, regions) in [(0, [10, 30, 40]), (1, [20, 30, 50])] {
        let mut writer = archive.events(location).unwrap();
        for (time, region) in (1..).zip(regions) {
            writer.write(time, &[], &Event::Enter { region }).unwrap();
        }
        writer.finish().unwrap();
        archive.local_definitions(location, &[]).unwrap();
    }
    let trace = read_trace(&archive.finish(&definitions).unwrap()).unwrap();
    let entered = |location: usize| {
        let events = trace.locations[location].events.iter();
        let regions = events.filter_map(|(_, event)| match event {
            Seen::Enter(region) => Some(region),
            _ => None,
        });
        regions.collect::<Vec<_>>()
    };
    let (first, second) = (entered(0), entered(1));
    assert_eq!(first[..2], second[..2]);
    assert_ne!(first[0], first[1], "on another line");
    assert_ne!(first[2], second[2], "nameless");
}
