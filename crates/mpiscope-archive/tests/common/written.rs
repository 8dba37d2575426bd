//! A small archive, written event by event as another tool might.

use std::collections::BTreeMap;

use expect_test::Expect;
use mpiscope_archive::trace::read_trace;
use mpiscope_model::Trace;
use otf2::{
    CommFlag, Definition, Event, GroupFlag, GroupType, LocationGroupType, LocationType, Paradigm,
    Value, UNDEFINED,
};

/// Names and values of an event's attributes.
pub type Attributes = Vec<(&'static str, Value)>;

/// What will be in the archive. Location n is a process of rank n, and
/// location n << 32 | r a thread of rank r.
#[derive(Default)]
pub struct Written {
    events: BTreeMap<u64, Vec<(u64, Attributes, Event)>>,
    definitions: Vec<Definition>,
    strings: Vec<String>,
}

impl Written {
    pub fn event(self, location: u64, time: u64, event: Event) -> Written {
        self.noted(location, time, Attributes::new(), event)
    }

    pub fn noted(
        mut self,
        location: u64,
        time: u64,
        attributes: Attributes,
        event: Event,
    ) -> Written {
        let events = self.events.entry(location).or_default();
        events.push((time, attributes, event));
        self
    }

    /// Adds a definition; `make` is given the number of the string `name`.
    pub fn define(mut self, name: &str, make: impl FnOnce(u32) -> Definition) -> Written {
        let name = self.string(name);
        self.definitions.push(make(name));
        self
    }

    fn string(&mut self, text: &str) -> u32 {
        if self.strings.is_empty() {
            self.strings.push(String::new());
        }
        let at = self.strings.iter().position(|known| known == text);
        at.unwrap_or_else(|| {
            self.strings.push(text.into());
            self.strings.len() - 1
        }) as u32
    }

    /// Writes it, and reads it back.
    pub fn trace(self) -> Trace {
        let directory = self.written();
        read_trace(directory.path()).unwrap()
    }

    /// Writes it.
    pub fn written(mut self) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let archive =
            otf2::write::Archive::create(directory.path(), "traces", Default::default()).unwrap();
        let mut attributes = Vec::new();
        for (location, events) in std::mem::take(&mut self.events) {
            let mut writer = archive.events(location).unwrap();
            for (time, noted, event) in events {
                let mut values = Vec::new();
                for (name, value) in noted {
                    let id = self.string(name);
                    attributes.push((id, value.kind()));
                    values.push((id, value));
                }
                writer.write(time, &values, &event).unwrap();
            }
            writer.finish().unwrap();
            archive.local_definitions(location, &[]).unwrap();
            self.location(location);
        }
        for (id, kind) in attributes {
            self.definitions.push(Definition::Attribute {
                id,
                name: id,
                value_type: kind,
                description: 0,
            });
        }
        // The world comes first.
        let others = self.definitions.len();
        self.world();
        self.definitions.rotate_left(others);
        let strings = (0..).zip(std::mem::take(&mut self.strings));
        let mut definitions: Vec<Definition> = strings
            .map(|(id, string)| Definition::String { id, string })
            .collect();
        definitions.append(&mut self.definitions);
        archive.finish(&definitions).unwrap();
        directory
    }

    fn location(&mut self, id: u64) {
        let name = self.string("a location");
        let group = id as u32;
        self.definitions.push(Definition::Location {
            id,
            name,
            location_type: LocationType::CPU_THREAD,
            number_of_events: 0,
            location_group: group,
        });
        if id >> 32 == 0 {
            self.definitions.push(Definition::LocationGroup {
                id: group,
                name,
                location_group_type: LocationGroupType::PROCESS,
                system_tree_parent: UNDEFINED,
                creating_location_group: UNDEFINED,
            });
        }
    }

    /// Group 0 is all ranks, group 1 the world's, communicator 0 the world.
    fn world(&mut self) {
        let name = self.string("world");
        let processes: Vec<u64> = (self.definitions.iter())
            .filter_map(|definition| match definition {
                Definition::LocationGroup { id, .. } => Some(u64::from(*id)),
                _ => None,
            })
            .collect();
        let ranks = (0..processes.len() as u64).collect();
        let group = |id, group_type, members| Definition::Group {
            id,
            name,
            members,
            group_type,
            paradigm: Paradigm::MPI,
            group_flags: GroupFlag::NONE,
        };
        self.definitions.extend([
            group(0, GroupType::COMM_LOCATIONS, processes),
            group(1, GroupType::COMM_GROUP, ranks),
            Definition::Comm {
                id: 0,
                name,
                group: 1,
                parent: UNDEFINED,
                flags: CommFlag::NONE,
            },
        ]);
    }
}

/// Checks that an archive is read as the trace it was meant to be; its clock
/// is left out.
pub fn read_back(written: Written, expected: Expect) {
    let mut trace = written.trace();
    trace.clocks.clear();
    expected.assert_eq(&trace.print(&trace.times()));
}
