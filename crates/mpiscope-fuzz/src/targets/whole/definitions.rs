//! A world of up to four processes, drawn: usual in most, odd in some.

use mpiscope_run::attributes as ours;
use mpiscope_run::definitions::CLOCK_DOMAIN;
use otf2::{
    CartPeriodicity, CommFlag, Definition, GroupFlag, GroupType, LocationGroupType, LocationType,
    Paradigm, RegionFlag, RegionRole, RmaWinFlag, Type, Value, UNDEFINED,
};

use crate::draw::Draw;

/// Functions that a trace may hold; events name them by their place here.
pub const REGIONS: [&str; 40] = [
    "main",
    "MPI_Init",
    "MPI_Send",
    "MPI_Recv",
    "MPI_Isend",
    "MPI_Irecv",
    "MPI_Wait",
    "MPI_Waitall",
    "MPI_Waitany",
    "MPI_Waitsome",
    "MPI_Test",
    "MPI_Testany",
    "MPI_Testsome",
    "MPI_Barrier",
    "MPI_Bcast",
    "MPI_Reduce",
    "MPI_Allreduce",
    "MPI_Ibarrier",
    "MPI_Scan",
    "MPI_Ssend",
    "MPI_Sendrecv",
    "MPI_Probe",
    "MPI_Iprobe",
    "MPI_Mprobe",
    "MPI_Mrecv",
    "MPI_Cancel",
    "MPI_Request_free",
    "MPI_Start",
    "MPI_Comm_dup",
    "MPI_Comm_split",
    "MPI_Win_create",
    "MPI_Win_fence",
    "MPI_Put",
    "MPI_Win_lock",
    "MPI_Win_post",
    "MPI_Win_complete",
    "MPI_Win_wait",
    "MPI_Neighbor_alltoall",
    "MPI_Finalize",
    "MPI_Abort",
];

/// Attributes that our archives know; events name them by their place here.
pub const ATTRIBUTES: [(&str, Type); 18] = [
    (ours::WILDCARD_NAME, Type::UINT8),
    (ours::COMM_CREATED_NAME, Type::COMM),
    (ours::MESSAGE_ID_NAME, Type::UINT64),
    (ours::SEQUENCE_NAME, Type::UINT64),
    (ours::DENSE_NAME, Type::UINT8),
    (ours::CALL_SITE_NAME, Type::CALLING_CONTEXT),
    (ours::POSTED_COMM_NAME, Type::COMM),
    (ours::POSTED_SOURCE_NAME, Type::UINT32),
    (ours::POSTED_TAG_NAME, Type::UINT32),
    (ours::CAPACITY_NAME, Type::UINT64),
    (ours::SIGNATURE_NAME, Type::UINT64),
    (ours::PERSISTENT_NAME, Type::UINT64),
    (ours::NEIGHBORS_NAME, Type::UINT8),
    (ours::CUT_SHORT_NAME, Type::UINT8),
    (ours::SYNCHRONOUS_NAME, Type::UINT8),
    (ours::SIGNAL_NAME, Type::UINT64),
    (ours::AWAIT_NAME, Type::UINT64),
    ("OTHER::NAME", Type::DOUBLE),
];

/// What events may refer to.
#[derive(Debug, Default)]
pub struct World {
    pub definitions: Vec<Definition>,
    pub locations: Vec<u64>,
    pub ranks: u32,
    pub comms: u32,
    pub windows: u32,
}

impl World {
    /// Draws one.
    pub fn drawn(draw: &mut Draw) -> World {
        let mut world = World {
            ranks: 1 + draw.below(4) as u32,
            ..World::default()
        };
        world.clock(draw);
        world.strings();
        world.machine(draw);
        world.groups(draw);
        world.topology(draw);
        world.spoil(draw);
        world
    }

    fn add(&mut self, definition: Definition) {
        self.definitions.push(definition);
    }

    fn clock(&mut self, draw: &mut Draw) {
        let usual = !draw.once_in(8);
        self.add(Definition::ClockProperties {
            timer_resolution: if usual { 1_000_000_000 } else { draw.number() },
            global_offset: if usual { 0 } else { draw.number() },
            trace_length: draw.number(),
            realtime_timestamp: draw.number(),
        });
    }

    /// Strings, with the regions and attributes that they name.
    fn strings(&mut self) {
        let attributes = ATTRIBUTES.iter().map(|(name, _)| *name);
        let domain = [CLOCK_DOMAIN, "world", "node"];
        let all = REGIONS.into_iter().chain(attributes).chain(domain);
        for (id, string) in (0..).zip(all) {
            self.add(Definition::String {
                id,
                string: string.to_owned(),
            });
        }
        let first = REGIONS.len() as u32;
        for (id, (_, value_type)) in (0..).zip(ATTRIBUTES) {
            self.add(Definition::Attribute {
                id,
                name: first + id,
                value_type,
                description: 0,
            });
        }
        for id in 0..first {
            self.add(Definition::Region {
                id,
                name: id,
                description: 0,
                source_file: 0,
                begin_line_number: 0,
                end_line_number: 0,
                canonical_name: id,
                region_role: RegionRole::FUNCTION,
                paradigm: if id == 0 {
                    Paradigm::USER
                } else {
                    Paradigm::MPI
                },
                region_flags: RegionFlag::NONE,
            });
        }
    }

    /// Nodes, processes and threads; clock domains of some.
    fn machine(&mut self, draw: &mut Draw) {
        let domain = (REGIONS.len() + ATTRIBUTES.len()) as u32;
        let nodes = 1 + draw.below(2) as u32;
        for id in 0..nodes {
            let parent = id.checked_sub(1).unwrap_or(UNDEFINED);
            self.add(Definition::SystemTreeNode {
                id,
                name: domain + 2,
                class_name: domain + 2,
                parent: if draw.once_in(16) { id } else { parent },
            });
        }
        for rank in 0..self.ranks {
            self.add(Definition::LocationGroup {
                id: rank,
                name: domain + 1,
                location_group_type: LocationGroupType(if draw.once_in(16) { 2 } else { 1 }),
                system_tree_parent: rank % nodes,
                creating_location_group: UNDEFINED,
            });
            let threads = if draw.once_in(4) { 2 } else { 1 };
            for thread in 0..threads {
                let id = thread << 32 | u64::from(rank);
                self.locations.push(id);
                self.add(Definition::Location {
                    id,
                    name: domain + 1,
                    location_type: LocationType(if draw.once_in(16) { 2 } else { 1 }),
                    number_of_events: draw.number(),
                    location_group: rank,
                });
                if draw.once_in(4) {
                    self.add(Definition::LocationProperty {
                        location: id,
                        name: domain,
                        value: Value::Uint32(draw.below(3) as u32),
                    });
                }
            }
        }
    }

    /// The world's communicator, others of some of its members, windows.
    fn groups(&mut self, draw: &mut Draw) {
        let ranks: Vec<u64> = (0..u64::from(self.ranks)).collect();
        self.group(0, GroupType::COMM_LOCATIONS, ranks.clone());
        self.group(1, GroupType::COMM_GROUP, ranks.clone());
        self.group(2, GroupType::COMM_SELF, Vec::new());
        self.comm(0, 1, UNDEFINED);
        self.comm(1, 2, UNDEFINED);
        self.comms = 2;
        for _ in 0..draw.below(4) {
            let group = self.comms + 1;
            let members = (0..draw.below(5)).map(|_| u64::from(draw.id(self.ranks)));
            let members: Vec<u64> = members.collect();
            self.group(group, GroupType::COMM_GROUP, members);
            let parent = draw.id(self.comms);
            if draw.once_in(4) {
                self.add(Definition::InterComm {
                    id: self.comms,
                    name: 0,
                    group_a: draw.id(group + 1),
                    group_b: group,
                    common_communicator: parent,
                    flags: CommFlag::NONE,
                });
            } else {
                self.comm(self.comms, group, parent);
            }
            self.comms += 1;
        }
        self.windows = draw.below(3) as u32;
        for id in 0..self.windows {
            let comm = draw.id(self.comms);
            self.add(Definition::RmaWin {
                id,
                name: 0,
                comm,
                flags: RmaWinFlag::NONE,
            });
        }
    }

    fn group(&mut self, id: u32, group_type: GroupType, members: Vec<u64>) {
        self.add(Definition::Group {
            id,
            name: 0,
            members,
            group_type,
            paradigm: Paradigm::MPI,
            group_flags: GroupFlag::NONE,
        });
    }

    fn comm(&mut self, id: u32, group: u32, parent: u32) {
        self.add(Definition::Comm {
            id,
            name: 0,
            group,
            parent,
            flags: CommFlag::NONE,
        });
    }

    fn topology(&mut self, draw: &mut Draw) {
        if !draw.once_in(4) {
            return;
        }
        let dimensions = 1 + draw.below(3) as u32;
        for id in 0..dimensions {
            self.add(Definition::CartDimension {
                id,
                name: 0,
                size: draw.number32(),
                cart_periodicity: CartPeriodicity(draw.below(2) as u8),
            });
        }
        self.add(Definition::CartTopology {
            id: 0,
            name: 0,
            communicator: draw.id(self.comms),
            cart_dimensions: (0..dimensions).collect(),
        });
        for rank in 0..self.ranks {
            let coordinates = (0..dimensions).map(|_| draw.number32()).collect();
            self.add(Definition::CartCoordinate {
                cart_topology: 0,
                rank,
                coordinates,
            });
        }
    }

    /// Leaves out, doubles or moves some definitions.
    fn spoil(&mut self, draw: &mut Draw) {
        if !draw.once_in(8) {
            return;
        }
        for _ in 0..draw.below(4) {
            let at = draw.number() as usize % self.definitions.len();
            let definition = self.definitions.remove(at);
            match draw.below(3) {
                0 => {}
                1 => self.add(definition),
                _ => {
                    self.add(definition.clone());
                    self.add(definition);
                }
            }
        }
    }
}
