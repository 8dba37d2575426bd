//! The global definitions of an archive, from a plan and what was written.
//!
//! Kinds stand in the order that other tools rely on: the clock, strings
//! before their use, the system tree from the machine down, groups before
//! communicators (OTF2 3.0.2; Score-P's and Scalasca's habits). Numbers of
//! each kind are dense from 0; string 0 is empty.

use std::collections::{BTreeMap, HashSet};

use otf2::{
    Base, CommFlag, Definition, GroupFlag, GroupType, InterruptGeneratorMode, IoHandleFlag,
    IoParadigmClass, IoParadigmFlag, LocationGroupType, LocationType, Paradigm, ParadigmClass,
    ParadigmProperty, RegionFlag, RegionRole, RmaWinFlag, SystemTreeDomain, Value, UNDEFINED,
};

use crate::attributes::{ATTRIBUTES, LEFT_OUT};
use crate::call_sites;
use crate::clocks::corrected;
use crate::communicators::{Group, GroupKind, Unified};
use crate::drain::Written;
use crate::files::{Files, MPI_IO};
use crate::list::List;
use crate::metrics;
use crate::plan::{location, Plan, PlannedProcess, PlannedRegion};
use crate::sampling::TIMER;
use crate::scheduled::Scheduled;
use crate::teams;
use crate::topologies;
use crate::windows::Window;

/// Location property: the number of the clock domain.
pub const CLOCK_DOMAIN: &str = "MPISCOPE::CLOCK_DOMAIN";

impl Plan {
    /// Returns the global definitions; locations of which nothing was written have no events.
    pub fn finish(&self, written: &[Written]) -> Vec<Definition> {
        let events = written.iter().map(|w| (w.location, w.events)).collect();
        let mut list = List::default();
        list.string("");
        list.paradigm();
        list.attributes(self.leaves_out_calls());
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
        teams::define(&mut list, &teams::OPENMP, &self.teams, group, comm);
        let (groups, teams) = (teams::groups(&self.teams), self.teams.len() as u32);
        let (group, comm) = (group + groups, comm + teams);
        teams::define(&mut list, &teams::PTHREAD, &self.created, group, comm);
        (0..)
            .zip(&self.windows)
            .for_each(|(id, window)| list.window(id, window));
        list.files(&self.files);
        topologies::define(&mut list, &self.topologies);
        if let Some(samples) = &self.samples {
            list.timer(samples.interval_ns);
        }
        metrics::define(&mut list, &self.metrics);
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

/// The region in which receives are told once more that were posted in what was given up: readers
/// ask for a region of MPI's there.
pub const KEPT: &str = "mpiscope: kept from here";

/// What the names of OpenMP's regions begin with.
pub const OPENMP: &str = "omp ";
/// The regions in which threads are created one by one, and waited for.
pub const PTHREADS: [&str; 2] = ["pthread_create", "pthread_join"];

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

impl List {
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

    fn attributes(&mut self, leaves_out_calls: bool) {
        let more = leaves_out_calls.then_some(&LEFT_OUT);
        for (id, attribute) in (0..).zip(ATTRIBUTES.iter().chain(more)) {
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
            if let Some(scheduled) = process.scheduled {
                self.scheduled(rank, scheduled);
            }
        }
    }

    /// Says what the process of a location group got of the processors.
    pub fn scheduled(&mut self, rank: u32, scheduled: Scheduled) {
        for (name, value) in scheduled.properties() {
            let name = self.string(name);
            self.definitions.push(Definition::LocationGroupProperty {
                location_group: rank,
                name,
                value,
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
            _ if mpi || region.name == KEPT => Paradigm::MPI,
            _ if region.name.starts_with(OPENMP) => Paradigm::OPENMP,
            _ if PTHREADS.contains(&region.name.as_str()) => Paradigm::PTHREAD,
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

    /// What has threads looked at after so many nanoseconds each.
    pub fn timer(&mut self, interval: u64) {
        let name = self.string("processor time of the thread");
        self.definitions.push(Definition::InterruptGenerator {
            id: TIMER,
            name,
            interrupt_generator_mode: InterruptGeneratorMode::TIME,
            base: Base::DECIMAL,
            exponent: -9,
            period: interval,
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
