//! An archive of our own: two ranks that exchange messages.

use otf2::write::{Archive, Options};
use otf2::*;
use std::path::{Path, PathBuf};

pub const SEND: u32 = 0;
pub const RECV: u32 = 1;

/// The events of one exchange at rank `rank`, beginning at `time`.
pub fn exchange(rank: u64, time: u64, tag: u32) -> Vec<(u64, Event)> {
    let length = u64::from(tag) * 8;
    match rank {
        0 => vec![
            (time, Event::Enter { region: SEND }),
            (
                time + 1,
                Event::MpiSend {
                    receiver: 1,
                    communicator: 0,
                    msg_tag: tag,
                    msg_length: length,
                },
            ),
            (time + 9, Event::Leave { region: SEND }),
        ],
        _ => vec![
            (time, Event::Enter { region: RECV }),
            (
                time + 9,
                Event::MpiRecv {
                    sender: 0,
                    communicator: 0,
                    msg_tag: tag,
                    msg_length: length,
                },
            ),
            (time + 9, Event::Leave { region: RECV }),
        ],
    }
}

/// All events of a rank in an archive of `exchanges`.
pub fn events(rank: u64, exchanges: u32) -> Vec<(u64, Event)> {
    let all = (0..exchanges).flat_map(|i| exchange(rank, 100 + 10 * u64::from(i), i));
    all.collect()
}

/// Writes the archive and returns its anchor.
pub fn write(dir: &Path, exchanges: u32) -> Result<PathBuf, Error> {
    let mut options = Options::default();
    options.creator = "common/mod.rs".into();
    options.properties = vec![("TEST::EXCHANGES".into(), exchanges.to_string())];
    let archive = Archive::create(dir, "traces", options)?;
    for rank in [0, 1] {
        let mut writer = archive.events(rank)?;
        for (time, event) in events(rank, exchanges) {
            let attributes = match &event {
                Event::MpiRecv { msg_tag, .. } => vec![(0, Value::Int64(-i64::from(*msg_tag)))],
                _ => vec![],
            };
            writer.write(time, &attributes, &event)?;
        }
        assert_eq!(writer.finish()?, 3 * u64::from(exchanges));
        archive.local_definitions(rank, &[])?;
    }
    archive.finish(&definitions(3 * u64::from(exchanges)))
}

const STRINGS: [&str; 9] = [
    "", "MPI", "MPI_Send", "MPI_Recv", "thread", "rank", "node", "world", "marked",
];

fn definitions(number_of_events: u64) -> Vec<Definition> {
    let string = |(id, text): (usize, &&str)| Definition::String {
        id: id as u32,
        string: (*text).into(),
    };
    let mut all = vec![Definition::ClockProperties {
        timer_resolution: 1_000_000_000,
        global_offset: 0,
        trace_length: 1 << 20,
        realtime_timestamp: u64::MAX,
    }];
    all.extend(STRINGS.iter().enumerate().map(string));
    all.push(Definition::Attribute {
        id: 0,
        name: 8,
        value_type: Type::INT64,
        description: 0,
    });
    all.push(Definition::SystemTreeNode {
        id: 0,
        name: 6,
        class_name: 6,
        parent: UNDEFINED,
    });
    for rank in [0, 1] {
        all.push(Definition::LocationGroup {
            id: rank,
            name: 5,
            location_group_type: LocationGroupType::PROCESS,
            system_tree_parent: 0,
            creating_location_group: UNDEFINED,
        });
        all.push(Definition::Location {
            id: rank.into(),
            name: 4,
            location_type: LocationType::CPU_THREAD,
            number_of_events,
            location_group: rank,
        });
    }
    all.extend([(SEND, 2), (RECV, 3)].map(|(id, name)| Definition::Region {
        id,
        name,
        description: 0,
        source_file: 1,
        begin_line_number: 0,
        end_line_number: 0,
        canonical_name: name,
        region_role: RegionRole::POINT2POINT,
        paradigm: Paradigm::MPI,
        region_flags: RegionFlag::NONE,
    }));
    let groups = [GroupType::COMM_LOCATIONS, GroupType::COMM_GROUP];
    all.extend((0..).zip(groups).map(|(id, group_type)| Definition::Group {
        id,
        name: 7,
        members: vec![0, 1],
        group_type,
        paradigm: Paradigm::MPI,
        group_flags: GroupFlag::NONE,
    }));
    all.push(Definition::Comm {
        id: 0,
        name: 7,
        group: 1,
        parent: UNDEFINED,
        flags: CommFlag::NONE,
    });
    all
}
