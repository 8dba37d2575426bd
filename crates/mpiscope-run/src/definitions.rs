//! The global definitions of an archive, from a plan and what was written.
//!
//! Kinds stand in the order that other tools rely on: the clock, strings
//! before their use, the system tree from the machine down, groups before
//! communicators (OTF2 3.0.2; Score-P's and Scalasca's habits). Numbers of
//! each kind are dense from 0; string 0 is empty.

use std::collections::{BTreeMap, HashMap, HashSet};

use otf2::{
    CommFlag, Definition, GroupFlag, GroupType, IoHandleFlag, IoParadigmClass, IoParadigmFlag,
    LocationGroupType, LocationType, Paradigm, ParadigmClass, ParadigmProperty, RegionFlag,
    RegionRole, RmaWinFlag, SystemTreeDomain, Type, Value, UNDEFINED,
};

use crate::call_sites;
use crate::clocks::corrected;
use crate::communicators::{Group, GroupKind, Unified};
use crate::drain::Written;
use crate::files::Files;
use crate::plan::{location, Plan, PlannedProcess, PlannedRegion};
use crate::teams;
use crate::topologies;
use crate::windows::Window;

/// Location property: the number of the clock domain.
pub const CLOCK_DOMAIN: &str = "MPISCOPE::CLOCK_DOMAIN";

/// An attribute that our events may carry; its number is its position.
struct Attribute {
    name: &'static str,
    kind: Type,
    description: &'static str,
}

/// Name of the attribute with the message of a matched probe, on its receive.
pub const MESSAGE_ID_NAME: &str = "MPISCOPE::MESSAGE_ID";
/// Name of the attribute that tells of wildcards; readers look for it.
pub const WILDCARD_NAME: &str = "MPISCOPE::WILDCARD";
/// Name of the attribute that tells how many messages or collective operations
/// went before an event on its channel, recorded or not; readers look for it.
pub const SEQUENCE_NAME: &str = "MPISCOPE::SEQUENCE";
/// Name of the attribute that marks a send as synchronous whose call does not say so.
pub const SYNCHRONOUS_NAME: &str = "MPISCOPE::SYNCHRONOUS";
/// Name of the attribute that marks the end of an alltoallv or alltoallw that
/// sent something to every other member.
pub const DENSE_NAME: &str = "MPISCOPE::DENSE";
/// Name of the attribute that marks the end of a collective operation among the
/// neighbours of a topology, for which OTF2 has no number.
pub const NEIGHBORS_NAME: &str = "MPISCOPE::NEIGHBORS";
/// Name of the attribute that tells which persistent collective operation is
/// started: the so many-th initialized on its communicator.
pub const PERSISTENT_NAME: &str = "MPISCOPE::PERSISTENT";
/// Name of the attribute of what comes before all that await its value.
pub const SIGNAL_NAME: &str = "MPISCOPE::SIGNAL";
/// Name of the attribute of what comes after all that signal its value.
pub const AWAIT_NAME: &str = "MPISCOPE::AWAIT";
/// Name of the attribute of the call that created a communicator.
pub const COMM_CREATED_NAME: &str = "MPISCOPE::COMM_CREATED";
/// Name of the attribute of a leave that never was: the process ended within the region.
pub const CUT_SHORT_NAME: &str = "MPISCOPE::CUT_SHORT";
/// Name of the attribute of a call that stands for several that found nothing.
pub const POLLS_NAME: &str = "MPISCOPE::POLLS";
/// Name of the attribute of a call that returned an error: the error's class.
pub const FAILED_NAME: &str = "MPISCOPE::FAILED";
/// Name of the attribute that tells where in the program a call was made.
pub const CALL_SITE_NAME: &str = "MPISCOPE::CALL_SITE";
/// Name of the attribute of what a receive or probe asked for, or of the begin
/// of a collective operation: its communicator. The others tell more.
pub const POSTED_COMM_NAME: &str = "MPISCOPE::POSTED_COMM";
/// Name of the attribute: the source that a receive asked for, or the root;
/// absent for MPI_ANY_SOURCE.
pub const POSTED_SOURCE_NAME: &str = "MPISCOPE::POSTED_SOURCE";
/// Name of the attribute: the tag that a receive asked for; absent for MPI_ANY_TAG.
pub const POSTED_TAG_NAME: &str = "MPISCOPE::POSTED_TAG";
/// Name of the attribute: how many bytes the buffer of a receive holds; at the
/// begin of a collective operation those that all members must agree in.
pub const CAPACITY_NAME: &str = "MPISCOPE::CAPACITY";
/// Name of the attribute: the type signature of the data, a number that is the same for all
/// processes of a run; hashes, in archives of before.
pub const SIGNATURE_NAME: &str = "MPISCOPE::SIGNATURE";
/// Number of the paradigm of files.
pub(crate) const MPI_IO: u8 = 0;
/// Number of the attribute: where in the program a call was made. Number 0 takes no byte, and
/// each enter of a call has this one.
pub const CALL_SITE: u32 = 0;
/// Number of the attribute: the communicator that a call created.
pub const COMM_CREATED: u32 = 1;
/// Number of the attribute: the message of a matched probe.
pub const MESSAGE_ID: u32 = 2;
/// Number of the attribute: how many messages came before on this channel.
pub const SEQUENCE: u32 = 3;
/// Number of the attribute: something was sent to every other member.
pub const DENSE: u32 = 4;
/// Number of the attribute: which wildcards a receive was posted with.
pub const WILDCARD: u32 = 5;
/// Number of the attribute: the communicator that a receive asked for.
pub const POSTED_COMM: u32 = 6;
/// Number of the attribute: the source that a receive asked for.
pub const POSTED_SOURCE: u32 = 7;
/// Number of the attribute: the tag that a receive asked for.
pub const POSTED_TAG: u32 = 8;
/// Number of the attribute: the size of a receive's buffer.
pub const CAPACITY: u32 = 9;
/// Number of the attribute: a type signature.
pub const SIGNATURE: u32 = 10;
/// Number of the attribute: which persistent collective operation is started.
pub const PERSISTENT: u32 = 11;
/// Number of the attribute: the operation is among neighbours.
pub const NEIGHBORS: u32 = 12;
/// Number of the attribute: the process ended within the region.
pub const CUT_SHORT: u32 = 13;
/// Number of the attribute: this call stands for so many that found nothing.
pub const POLLS: u32 = 14;
/// Number of the attribute: the class of the error that a call returned.
pub const FAILED: u32 = 15;

const ATTRIBUTES: [Attribute; 16] = [
    Attribute {
        name: CALL_SITE_NAME,
        kind: Type::CALLING_CONTEXT,
        description: "The place in the program at which this region was entered",
    },
    Attribute {
        name: COMM_CREATED_NAME,
        kind: Type::COMM,
        description: "The communicator that this call created",
    },
    Attribute {
        name: MESSAGE_ID_NAME,
        kind: Type::UINT64,
        description: "The message that a matched probe found, as its MpiProbe event names it",
    },
    Attribute {
        name: SEQUENCE_NAME,
        kind: Type::UINT64,
        description: "How many messages of this communicator, peer and tag (or collective operations of \
                      this communicator) this process had before, recorded or not; 2^61 and more: not known",
    },
    Attribute {
        name: DENSE_NAME,
        kind: Type::UINT8,
        description: "In this alltoallv or alltoallw something was sent to every other member (1)",
    },
    Attribute {
        name: WILDCARD_NAME,
        kind: Type::UINT8,
        description: "The receive was posted with MPI_ANY_SOURCE (bit 0) or MPI_ANY_TAG (bit 1)",
    },
    Attribute {
        name: POSTED_COMM_NAME,
        kind: Type::COMM,
        description: "The communicator of what this receive, probe or collective operation asks for",
    },
    Attribute {
        name: POSTED_SOURCE_NAME,
        kind: Type::UINT32,
        description: "The sender that is asked for, or the root; absent for MPI_ANY_SOURCE",
    },
    Attribute {
        name: POSTED_TAG_NAME,
        kind: Type::UINT32,
        description: "The tag that is asked for; absent for MPI_ANY_TAG",
    },
    Attribute {
        name: CAPACITY_NAME,
        kind: Type::UINT64,
        description: "How many bytes the buffer of this receive holds, or all members of this operation must agree in",
    },
    Attribute {
        name: SIGNATURE_NAME,
        kind: Type::UINT64,
        description: "The type signature of the data without repetitions, as a number from 1 on: its hash \
                      is the so many-th of the archive's MPISCOPE::SIGNATURES",
    },
    Attribute {
        name: PERSISTENT_NAME,
        kind: Type::UINT64,
        description: "The so many-th persistent operation of its communicator is started",
    },
    Attribute {
        name: NEIGHBORS_NAME,
        kind: Type::UINT8,
        description: "The operation is among the neighbours of a topology (1)",
    },
    Attribute {
        name: CUT_SHORT_NAME,
        kind: Type::UINT8,
        description: "The process ended within this region (1): it was never left, and the time is that of \
                      the event before",
    },
    Attribute {
        name: POLLS_NAME,
        kind: Type::UINT64,
        description: "This call stands for so many of this function from this place that found nothing, \
                      with nothing but such calls in between: it lasts as long as they did together, \
                      and ends where the last of them did",
    },
    Attribute {
        name: FAILED_NAME,
        kind: Type::UINT32,
        description: "This call returned an error, whose class has this number in the MPI of the run",
    },
];

impl Plan {
    /// Returns the global definitions; locations of which nothing was written have no events.
    pub fn finish(&self, written: &[Written]) -> Vec<Definition> {
        let events = written.iter().map(|w| (w.location, w.events)).collect();
        let mut list = List::default();
        list.string("");
        list.paradigm();
        list.attributes();
        list.system_tree(self);
        list.location_groups(self);
        list.locations(self, &events);
        (0..)
            .zip(&self.regions)
            .for_each(|(id, region)| list.region(id, region));
        (0..)
            .zip(&self.groups)
            .for_each(|(id, group)| list.group(id, group));
        for id in 0..self.communicators.len() {
            list.communicator(id, &self.communicators, &self.groups);
        }
        let (group, comm) = (self.groups.len() as u32, self.communicators.len() as u32);
        teams::define(&mut list, &self.teams, group, comm);
        (0..)
            .zip(&self.windows)
            .for_each(|(id, window)| list.window(id, window));
        list.files(&self.files);
        topologies::define(&mut list, &self.topologies);
        let sites = self.call_sites.iter().map(Into::into);
        call_sites::define(&mut list, sites, self.regions.len() as u32);
        list.finish([self.clock_properties(written)])
    }

    /// Times are nanoseconds since 1970 on the master's clock, once corrected.
    fn clock_properties(&self, written: &[Written]) -> Definition {
        let (first, last) = self.time_range(written).unwrap_or((0, 0));
        Definition::ClockProperties {
            timer_resolution: 1_000_000_000,
            global_offset: first,
            trace_length: last.saturating_sub(first),
            realtime_timestamp: first,
        }
    }

    /// Returns the earliest and the latest corrected time of all events.
    pub fn time_range(&self, written: &[Written]) -> Option<(u64, u64)> {
        written
            .iter()
            .filter(|w| w.events > 0)
            .map(|w| {
                let orders = self.orders.get(w.location as u32 as usize);
                let offsets = orders.map_or(&[][..], |o| &o.offsets);
                (corrected(offsets, w.first), corrected(offsets, w.last))
            })
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

/// What the names of OpenMP's regions begin with.
pub const OPENMP: &str = "omp ";

/// Returns the name of a region that is the program's own. Readers know MPI's functions, and what we
/// do within a run, by how their names begin: a program's own region does not begin so.
pub fn own_region(name: &str) -> String {
    let is_taken = ["MPI_", "mpiscope: "]
        .iter()
        .any(|begin| name.starts_with(begin));
    match (name.is_empty(), is_taken) {
        (true, _) => "(no name)".to_owned(),
        (_, true) => format!("user: {name}"),
        _ => name.to_owned(),
    }
}

/// Definitions as they are added, and the strings they need.
#[derive(Default)]
pub struct List {
    strings: Vec<String>,
    string_of: HashMap<String, u32>,
    /// What uses the strings.
    pub definitions: Vec<Definition>,
}

impl List {
    /// Returns the number of a string. No string of OTF2 holds NUL.
    pub fn string(&mut self, text: &str) -> u32 {
        let text = text.replace('\0', " ");
        let strings = &mut self.strings;
        *self.string_of.entry(text).or_insert_with_key(|text| {
            strings.push(text.clone());
            strings.len() as u32 - 1
        })
    }

    /// Returns all definitions: the clock, the strings, and what uses them.
    pub fn finish(self, clock: impl IntoIterator<Item = Definition>) -> Vec<Definition> {
        let strings = (0..).zip(self.strings);
        let strings = strings.map(|(id, string)| Definition::String { id, string });
        (clock.into_iter())
            .chain(strings)
            .chain(self.definitions)
            .collect()
    }

    /// MPI, with the templates by which Score-P lets viewers name what has no name.
    pub fn paradigm(&mut self) {
        let name = self.string("MPI");
        self.definitions.push(Definition::Paradigm {
            paradigm: Paradigm::MPI,
            name,
            paradigm_class: ParadigmClass::PROCESS,
        });
        let comm = self.string("MPI Communicator ${id}");
        let window = self.string("MPI Window ${id}");
        for (property, value) in [
            (ParadigmProperty::COMM_NAME_TEMPLATE, Value::String(comm)),
            (
                ParadigmProperty::RMA_WIN_NAME_TEMPLATE,
                Value::String(window),
            ),
            (ParadigmProperty::RMA_ONLY, Value::Uint8(0)),
        ] {
            self.definitions.push(Definition::ParadigmProperty {
                paradigm: Paradigm::MPI,
                property,
                value,
            });
        }
    }

    fn attributes(&mut self) {
        for (id, attribute) in (0..).zip(&ATTRIBUTES) {
            let name = self.string(attribute.name);
            let description = self.string(attribute.description);
            self.definitions.push(Definition::Attribute {
                id,
                name,
                value_type: attribute.kind,
                description,
            });
        }
    }

    /// The machine is node 0, host k is node k + 1, and processes that left
    /// nothing are on a host of their own at the end.
    fn system_tree(&mut self, plan: &Plan) {
        let hosts = plan.hosts.iter().map(String::as_str);
        let unknown = (!plan.missing.is_empty()).then_some("unknown host");
        self.node(
            0,
            "machine",
            "machine",
            UNDEFINED,
            SystemTreeDomain::MACHINE,
        );
        for (id, host) in (1..).zip(hosts.chain(unknown)) {
            self.node(id, host, "node", 0, SystemTreeDomain::SHARED_MEMORY);
        }
    }

    fn node(&mut self, id: u32, name: &str, class: &str, parent: u32, domain: SystemTreeDomain) {
        let (name, class_name) = (self.string(name), self.string(class));
        self.definitions.push(Definition::SystemTreeNode {
            id,
            name,
            class_name,
            parent,
        });
        self.definitions.push(Definition::SystemTreeNodeDomain {
            system_tree_node: id,
            system_tree_domain: domain,
        });
    }

    fn location_groups(&mut self, plan: &Plan) {
        let unknown = plan.hosts.len() as u32;
        for (rank, process) in (0..).zip(&plan.processes) {
            // As Score-P names it. ViTE refuses a process with the name and number of its thread.
            let name = self.string(&format!("MPI Rank {rank}"));
            self.definitions.push(Definition::LocationGroup {
                id: rank,
                name,
                location_group_type: LocationGroupType::PROCESS,
                system_tree_parent: process.host.unwrap_or(unknown) + 1,
                creating_location_group: UNDEFINED,
            });
        }
    }

    fn locations(&mut self, plan: &Plan, events: &BTreeMap<u64, u64>) {
        for (rank, process) in (0..).zip(&plan.processes) {
            for &thread in &process.threads {
                let id = location(rank, thread);
                let events = events.get(&id).copied().unwrap_or(0);
                self.location(id, events, process);
            }
        }
    }

    fn location(&mut self, id: u64, number_of_events: u64, process: &PlannedProcess) {
        let (rank, thread) = (id as u32, id >> 32);
        let name = match thread {
            0 => self.string(&format!("Rank {rank}")),
            _ => self.string(&format!("Rank {rank}, thread {thread}")),
        };
        self.definitions.push(Definition::Location {
            id,
            name,
            location_type: LocationType::CPU_THREAD,
            number_of_events,
            location_group: rank,
        });
        if let Some(domain) = process.domain {
            let name = self.string(CLOCK_DOMAIN);
            self.definitions.push(Definition::LocationProperty {
                location: id,
                name,
                value: Value::Uint32(domain),
            });
        }
    }

    fn region(&mut self, id: u32, region: &PlannedRegion) {
        let mpi = region.name.starts_with("MPI_") && !region.user;
        let paradigm = match region.name.starts_with("mpiscope: ") {
            _ if region.user => Paradigm::USER,
            _ if mpi => Paradigm::MPI,
            _ if region.name.starts_with(OPENMP) => Paradigm::OPENMP,
            true => Paradigm::MEASUREMENT_SYSTEM,
            false => Paradigm::USER,
        };
        let name = self.string(&region.name);
        let canonical_name = region.code.as_ref().map_or(name, |code| {
            self.string(&call_sites::canonical(&code.module, code.offset))
        });
        let source_file = self.string(if mpi { "MPI" } else { "" });
        self.definitions.push(Definition::Region {
            id,
            name,
            description: 0,
            source_file,
            begin_line_number: 0,
            end_line_number: 0,
            canonical_name,
            region_role: RegionRole(region.role),
            paradigm,
            region_flags: RegionFlag::NONE,
        });
    }

    fn group(&mut self, id: u32, group: &Group) {
        let group_type = match group.kind {
            GroupKind::Locations => GroupType::COMM_LOCATIONS,
            GroupKind::Ranks => GroupType::COMM_GROUP,
            GroupKind::Alone => GroupType::COMM_SELF,
        };
        // Location of thread 0 and rank are one number.
        self.definitions.push(Definition::Group {
            id,
            name: 0,
            members: group.members.iter().map(u64::from).collect(),
            group_type,
            paradigm: Paradigm::MPI,
            group_flags: GroupFlag::NONE,
        });
    }

    fn window(&mut self, id: u32, window: &Window) {
        let name = self.string(&window.name);
        self.definitions.push(Definition::RmaWin {
            id,
            name,
            comm: window.comm,
            flags: RmaWinFlag::CREATE_DESTROY_EVENTS,
        });
    }

    /// Files are known by their names to the whole machine, as processes of different hosts that
    /// open one together say the same name.
    fn files(&mut self, files: &Files) {
        if files.names.is_empty() {
            return;
        }
        let name = self.string("MPI-IO");
        self.definitions.push(Definition::IoParadigm {
            id: MPI_IO,
            identification: name,
            name,
            io_paradigm_class: IoParadigmClass::PARALLEL,
            io_paradigm_flags: IoParadigmFlag::NONE,
            properties: Vec::new(),
        });
        for (id, name) in (0..).zip(&files.names) {
            let name = self.string(name);
            self.definitions
                .push(Definition::IoRegularFile { id, name, scope: 0 });
        }
        for (id, handle) in (0..).zip(&files.handles) {
            self.definitions.push(Definition::IoHandle {
                id,
                name: 0,
                file: handle.name,
                io_paradigm: MPI_IO,
                io_handle_flags: IoHandleFlag::NONE,
                comm: handle.comm,
                parent: UNDEFINED,
            });
        }
    }

    fn communicator(&mut self, id: usize, all: &[Unified], groups: &[Group]) {
        let communicator = &all[id];
        let name = self.string(&communicator.name);
        let (id, flags) = (id as u32, CommFlag::NONE);
        self.definitions.push(match communicator.remote {
            None => Definition::Comm {
                id,
                name,
                group: communicator.group,
                parent: communicator.parent.unwrap_or(UNDEFINED),
                flags,
            },
            Some(remote) => Definition::InterComm {
                id,
                name,
                group_a: communicator.group,
                group_b: remote,
                common_communicator: common(communicator, all, groups),
                flags,
            },
        });
    }
}

/// Returns the parent of an intercommunicator if it holds both groups, else the world.
fn common(communicator: &Unified, all: &[Unified], groups: &[Group]) -> u32 {
    let members = |group: u32| groups.get(group as usize).map(|g| &g.members);
    let holds_both = |parent: &u32| {
        let Some(parent) = all.get(*parent as usize).filter(|p| p.remote.is_none()) else {
            return false;
        };
        let inside: HashSet<u32> = members(parent.group)
            .into_iter()
            .flat_map(|m| m.iter())
            .collect();
        [Some(communicator.group), communicator.remote]
            .into_iter()
            .flatten()
            .filter_map(members)
            .all(|group| group.iter().all(|rank| inside.contains(&rank)))
    };
    communicator
        .parent
        .filter(holds_both)
        .unwrap_or(crate::communicators::WORLD)
}
