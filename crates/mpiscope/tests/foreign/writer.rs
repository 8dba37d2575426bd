//! An archive as another tool would write it: strings where they are first needed, definitions
//! in the order of the calls below, events as they are given.

use std::path::{Path, PathBuf};

use otf2::write::{Archive, Options};
use otf2::{
    CommFlag, Definition, Event, GroupFlag, GroupType, LocalDefinition, LocationGroupType,
    LocationType, Paradigm, RegionFlag, RegionRole, UNDEFINED,
};

/// Events of a location with their ticks.
pub type Events = Vec<(u64, Event)>;

/// An archive in the making.
pub struct Writer {
    archive: Archive,
    definitions: Vec<Definition>,
    strings: u32,
    regions: u32,
}

impl Writer {
    /// Begins `FOLDER/traces.otf2`, as written by `creator`.
    pub fn new(folder: &Path, creator: &str) -> Writer {
        let mut options = Options::default();
        options.creator = creator.to_owned();
        let archive = Archive::create(folder, "traces", options).unwrap();
        let mut writer = Writer {
            archive,
            definitions: Vec::new(),
            strings: 0,
            regions: 0,
        };
        writer.text("");
        writer
    }

    pub fn define(&mut self, definition: Definition) {
        self.definitions.push(definition);
    }

    /// Defines a string and returns its number.
    pub fn text(&mut self, string: &str) -> u32 {
        let id = self.strings;
        let string = string.to_owned();
        self.define(Definition::String { id, string });
        self.strings += 1;
        id
    }

    pub fn clock(&mut self, timer_resolution: u64, global_offset: u64) {
        self.define(Definition::ClockProperties {
            timer_resolution,
            global_offset,
            trace_length: timer_resolution,
            realtime_timestamp: u64::MAX,
        });
    }

    pub fn node(&mut self, id: u32, name: &str, class: &str, parent: u32) {
        let (name, class_name) = (self.text(name), self.text(class));
        self.define(Definition::SystemTreeNode {
            id,
            name,
            class_name,
            parent,
        });
    }

    pub fn process(&mut self, id: u32, name: &str, node: u32) {
        self.location_group(id, name, LocationGroupType::PROCESS, node, UNDEFINED);
    }

    pub fn location_group(
        &mut self,
        id: u32,
        name: &str,
        location_group_type: LocationGroupType,
        node: u32,
        creator: u32,
    ) {
        let name = self.text(name);
        self.define(Definition::LocationGroup {
            id,
            name,
            location_group_type,
            system_tree_parent: node,
            creating_location_group: creator,
        });
    }

    /// Defines a location and writes its events.
    pub fn location(
        &mut self,
        id: u64,
        name: &str,
        location_type: LocationType,
        group: u32,
        events: &[(u64, Event)],
    ) {
        let name = self.text(name);
        self.define(Definition::Location {
            id,
            name,
            location_type,
            number_of_events: events.len() as u64,
            location_group: group,
        });
        let mut file = self.archive.events(id).unwrap();
        for (time, event) in events {
            file.write(*time, &[], event).unwrap();
        }
        file.finish().unwrap();
        self.archive.local_definitions(id, &[]).unwrap();
    }

    /// Says of a location by how much its clock was behind the master's, and when.
    pub fn offsets(&self, location: u64, measured: &[(u64, i64)]) {
        let offset = |&(time, offset): &(u64, i64)| LocalDefinition::ClockOffset {
            time,
            offset,
            standard_deviation: 0.0,
        };
        let offsets: Vec<LocalDefinition> = measured.iter().map(offset).collect();
        self.archive.local_definitions(location, &offsets).unwrap();
    }

    /// Defines a region and returns its number.
    pub fn region(&mut self, name: &str, role: RegionRole, paradigm: Paradigm) -> u32 {
        let (id, name) = (self.regions, self.text(name));
        self.regions += 1;
        self.define(Definition::Region {
            id,
            name,
            canonical_name: name,
            description: 0,
            source_file: UNDEFINED,
            begin_line_number: 0,
            end_line_number: 0,
            region_role: role,
            paradigm,
            region_flags: RegionFlag::NONE,
        });
        id
    }

    pub fn group(&mut self, id: u32, group_type: GroupType, paradigm: Paradigm, members: &[u64]) {
        self.define(Definition::Group {
            id,
            name: 0,
            members: members.to_vec(),
            group_type,
            paradigm,
            group_flags: GroupFlag::NONE,
        });
    }

    pub fn communicator(&mut self, id: u32, name: &str, group: u32) {
        let name = self.text(name);
        self.define(Definition::Comm {
            id,
            name,
            group,
            parent: UNDEFINED,
            flags: CommFlag::NONE,
        });
    }

    /// Returns the anchor.
    pub fn finish(self) -> PathBuf {
        self.archive.finish(&self.definitions).unwrap()
    }
}

/// A visit of a region, with what happens in it.
pub fn visit(region: u32, begin: u64, end: u64, within: &[(u64, Event)]) -> Events {
    let mut events = vec![(begin, Event::Enter { region })];
    events.extend_from_slice(within);
    events.push((end, Event::Leave { region }));
    events
}

/// A message sent on communicator 0.
pub fn send(receiver: u32, msg_tag: u32, msg_length: u64) -> Event {
    Event::MpiSend {
        receiver,
        communicator: 0,
        msg_tag,
        msg_length,
    }
}

/// A message received on communicator 0.
pub fn receive(sender: u32, msg_tag: u32, msg_length: u64) -> Event {
    Event::MpiRecv {
        sender,
        communicator: 0,
        msg_tag,
        msg_length,
    }
}
