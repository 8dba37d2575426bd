//! A small archive without a fault, in which a test spoils one thing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use otf2::write::{Archive, Options};
use otf2::{
    CollectiveOp, CommFlag, Definition, Event, GroupFlag, GroupType, LocalDefinition,
    LocationGroupType, LocationType, Paradigm, RegionFlag, RegionRole, Value, UNDEFINED,
};

/// Regions.
pub const INIT: u32 = 0;
pub const SEND: u32 = 1;
pub const RECV: u32 = 2;
pub const BARRIER: u32 = 3;
pub const FINALIZE: u32 = 4;
pub const MAIN: u32 = 5;

const STRINGS: [&str; 11] = [
    "",
    "MPI_Init",
    "MPI_Send",
    "MPI_Recv",
    "MPI_Barrier",
    "MPI_Finalize",
    "main",
    "machine",
    "rank",
    "thread",
    "world",
];

/// What will be in the archive.
pub struct Drawn {
    pub definitions: Vec<Definition>,
    pub local: BTreeMap<u64, Vec<LocalDefinition>>,
    pub events: BTreeMap<u64, Vec<(u64, Event)>>,
    /// Attributes by location and place of the event.
    pub attributes: Vec<(u64, usize, u32, Value)>,
    pub options: Options,
    /// What is done to files once they are written, by name.
    pub altered: Vec<(&'static str, Alter)>,
}

/// Something done to the bytes of a file.
pub type Alter = fn(&mut Vec<u8>);

fn enter(region: u32) -> Event {
    Event::Enter { region }
}

fn leave(region: u32) -> Event {
    Event::Leave { region }
}

/// The end of a barrier in the world.
pub fn barrier() -> Event {
    Event::MpiCollectiveEnd {
        collective_op: CollectiveOp::BARRIER,
        communicator: 0,
        root: UNDEFINED,
        size_sent: 0,
        size_received: 0,
    }
}

/// A message to a rank in the world.
pub fn send(receiver: u32) -> Event {
    Event::MpiSend {
        receiver,
        communicator: 0,
        msg_tag: 7,
        msg_length: 8,
    }
}

/// A message from a rank in the world.
pub fn recv(sender: u32) -> Event {
    Event::MpiRecv {
        sender,
        communicator: 0,
        msg_tag: 7,
        msg_length: 8,
    }
}

/// A group of MPI's.
pub fn group(id: u32, group_type: GroupType, members: &[u64]) -> Definition {
    Definition::Group {
        id,
        name: 10,
        members: members.to_vec(),
        group_type,
        paradigm: Paradigm::MPI,
        group_flags: GroupFlag::NONE,
    }
}

/// A communicator.
pub fn comm(id: u32, group: u32, parent: u32) -> Definition {
    Definition::Comm {
        id,
        name: 10,
        group,
        parent,
        flags: CommFlag::NONE,
    }
}

/// A region of the program.
pub fn region(id: u32, name: u32, paradigm: Paradigm) -> Definition {
    Definition::Region {
        id,
        name,
        description: 0,
        source_file: 0,
        begin_line_number: 0,
        end_line_number: 0,
        canonical_name: name,
        region_role: RegionRole::FUNCTION,
        paradigm,
        region_flags: RegionFlag::NONE,
    }
}

/// A location of one event fewer than eight.
pub fn location(id: u64, location_group: u32, number_of_events: u64) -> Definition {
    Definition::Location {
        id,
        name: 9,
        location_type: LocationType::CPU_THREAD,
        number_of_events,
        location_group,
    }
}

impl Drawn {
    /// Rank 0 sends to rank 1, and both meet in a barrier.
    pub fn clean() -> Drawn {
        let exchange = |region: u32, event: Event| {
            vec![
                (10, enter(MAIN)),
                (11, enter(INIT)),
                (12, leave(INIT)),
                (20, enter(region)),
                (21, event),
                (22, leave(region)),
                (30, enter(BARRIER)),
                (31, Event::MpiCollectiveBegin),
                (32, barrier()),
                (33, leave(BARRIER)),
                (40, enter(FINALIZE)),
                (41, leave(FINALIZE)),
                (42, leave(MAIN)),
            ]
        };
        let events = [(0, exchange(SEND, send(1))), (1, exchange(RECV, recv(0)))];
        Drawn {
            definitions: definitions(),
            local: BTreeMap::from([(0, vec![]), (1, vec![])]),
            events: BTreeMap::from(events),
            attributes: Vec::new(),
            options: Options::default(),
            altered: Vec::new(),
        }
    }

    /// Spoils events of rank 0.
    pub fn events(mut self, spoil: impl FnOnce(&mut Vec<(u64, Event)>)) -> Drawn {
        spoil(self.events.entry(0).or_default());
        self.counted()
    }

    /// Has the definitions tell how many events there are.
    pub fn counted(mut self) -> Drawn {
        for definition in &mut self.definitions {
            if let Definition::Location {
                id,
                number_of_events,
                ..
            } = definition
            {
                *number_of_events = self.events.get(id).map_or(0, |it| it.len() as u64);
            }
        }
        self
    }

    /// Spoils the definitions.
    pub fn define(mut self, spoil: impl FnOnce(&mut Vec<Definition>)) -> Drawn {
        spoil(&mut self.definitions);
        self
    }

    /// Spoils the definitions of rank 0.
    pub fn local(mut self, definitions: Vec<LocalDefinition>) -> Drawn {
        self.local.insert(0, definitions);
        self
    }

    /// Alters a file's bytes.
    pub fn alter(mut self, file: &'static str, alter: Alter) -> Drawn {
        self.altered.push((file, alter));
        self
    }

    /// Writes it; returns the anchor.
    pub fn write(&self, directory: &Path) -> PathBuf {
        let archive = Archive::create(directory, "traces", self.options.clone()).unwrap();
        for (location, events) in &self.events {
            let mut writer = archive.events(*location).unwrap();
            for (at, (time, event)) in events.iter().enumerate() {
                let own = self.attributes.iter();
                let own = own.filter(|it| (it.0, it.1) == (*location, at));
                let own: Vec<_> = own.map(|it| (it.2, it.3)).collect();
                writer.write(*time, &own, event).unwrap();
            }
            writer.finish().unwrap();
        }
        for (location, definitions) in &self.local {
            archive.local_definitions(*location, definitions).unwrap();
        }
        let anchor = archive.finish(&self.definitions).unwrap();
        for (file, alter) in &self.altered {
            let path = directory.join(file);
            let mut bytes = fs::read(&path).unwrap_or_default();
            alter(&mut bytes);
            match bytes.is_empty() {
                true => fs::remove_file(&path).unwrap(),
                false => fs::write(&path, bytes).unwrap(),
            }
        }
        anchor
    }
}

/// Puts other bytes in the place of the only ones that are so.
pub fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    let at = bytes.windows(from.len()).position(|it| it == from);
    let at = at.expect("the bytes are there");
    bytes[at..at + to.len()].copy_from_slice(to);
}

fn definitions() -> Vec<Definition> {
    let strings = (0..).zip(STRINGS);
    let mut all = vec![Definition::ClockProperties {
        timer_resolution: 1_000_000_000,
        global_offset: 10,
        trace_length: 32,
        realtime_timestamp: u64::MAX,
    }];
    all.extend(strings.map(|(id, string)| Definition::String {
        id,
        string: string.into(),
    }));
    all.push(Definition::SystemTreeNode {
        id: 0,
        name: 7,
        class_name: 7,
        parent: UNDEFINED,
    });
    for rank in [0, 1] {
        all.push(Definition::LocationGroup {
            id: rank,
            name: 8,
            location_group_type: LocationGroupType::PROCESS,
            system_tree_parent: 0,
            creating_location_group: UNDEFINED,
        });
        all.push(location(rank.into(), rank, 13));
    }
    let mpi = (INIT..=FINALIZE).map(|id| region(id, id + 1, Paradigm::MPI));
    all.extend(mpi);
    all.push(region(MAIN, 6, Paradigm::COMPILER));
    all.push(group(0, GroupType::COMM_LOCATIONS, &[0, 1]));
    all.push(group(1, GroupType::COMM_GROUP, &[0, 1]));
    all.push(comm(0, 1, UNDEFINED));
    all
}
