//! From the numbers of an archive to those of the model, which are dense.

use std::collections::{HashMap, HashSet};

use mpiscope_model as model;
use mpiscope_model::{
    CallSiteId, CommId, Communicator, Definitions, Duration, GroupId, MetricValue, Paradigm,
    Process, Rank, Region, RegionId, RegionRole, SystemTreeNode, TeamId, WinId, Window,
};
use mpiscope_run::scheduled::Scheduled;
use otf2::Definition;

use super::metrics::{self, Classes};
use super::names::Reference;
use super::notes::Attributes;
use super::samples;
use super::topology;
use super::writers::Writer;
use crate::call_sites::Defined;
use crate::ranks::{strings, Groups, Ranks};

/// The model's definitions, and the way to them from the archive's numbers.
pub(crate) struct Tables {
    pub definitions: Definitions,
    regions: Ids,
    /// Regions by their names.
    regions_named: HashMap<String, Vec<u32>>,
    communicators: Ids,
    windows: Ids,
    groups: Ids,
    teams: Ids,
    call_sites: Ids,
    /// Regions of calling contexts that are no call sites of ours: other tools enter these.
    contexts: Ids,
    metrics: Classes,
    /// Attributes that events may carry.
    pub attributes: Attributes,
}

impl Tables {
    pub fn new(definitions: &[Definition], writer: Writer) -> Self {
        let names = strings(definitions);
        let name = |id: &u32| names.get(id).cloned().unwrap_or_default();
        let ranks = Ranks::new(definitions);
        let mut tables = Self {
            definitions: Definitions::default(),
            regions: Ids::default(),
            regions_named: HashMap::new(),
            communicators: Ids::default(),
            windows: Ids::default(),
            groups: Ids::default(),
            teams: Ids::default(),
            call_sites: Ids::default(),
            contexts: Ids::default(),
            metrics: Classes::default(),
            attributes: Attributes::new(definitions, &names),
        };
        tables.add_processes(definitions, &ranks, &name);
        let calls = Defined::new(definitions, &names);
        tables.add_regions(definitions, &name, &calls.functions, writer);
        for (at, (id, site)) in (0..).zip(calls.sites) {
            tables.call_sites.insert(id, at);
            tables.definitions.call_sites.push(site);
        }
        tables.add_contexts(definitions);
        tables.add_communicators(definitions, &ranks, &name);
        let find = |id| tables.communicators.get(id);
        let communicators = &mut tables.definitions.communicators;
        topology::add(definitions, communicators, find);
        let rank_of = |group| ranks.of_group(group);
        topology::add_graphs(definitions, communicators, find, &name, rank_of);
        tables.add_windows(definitions, &ranks, &name);
        tables.definitions.told = tables.attributes.told();
        (tables.definitions.metrics, tables.metrics) = metrics::read(definitions, &name);
        tables.definitions.sample_period = samples::period(definitions);
        tables
    }

    #[inline]
    pub fn find_region(&self, id: u32) -> Option<RegionId> {
        self.regions.get(id).map(RegionId)
    }

    #[inline]
    pub fn find_communicator(&self, id: u32) -> Option<CommId> {
        self.communicators.get(id).map(CommId)
    }

    #[inline]
    pub fn find_call_site(&self, id: u32) -> Option<CallSiteId> {
        self.call_sites.get(id).map(CallSiteId)
    }

    /// Returns the region of a calling context that other tools enter and leave.
    pub fn region_of_context(&self, id: u32) -> Option<RegionId> {
        self.contexts.get(id).map(RegionId)
    }

    /// Returns what an event says of metrics; nothing if nobody defined them.
    pub fn metric_values(
        &self,
        class: u32,
        values: &[otf2::MetricValue],
    ) -> Option<Vec<MetricValue>> {
        self.metrics.values(class, values)
    }

    pub fn find_window(&self, id: u32) -> Option<WinId> {
        self.windows.get(id).map(WinId)
    }

    /// Returns a team of threads, which is a communicator for OTF2.
    pub fn find_team(&self, id: u32) -> Option<TeamId> {
        self.teams.get(id).map(TeamId)
    }

    /// Defines what events refer to and nobody defined, under a name that
    /// tells so, unless it was done before.
    pub fn define(&mut self, reference: Reference) {
        match reference {
            Reference::Region(id) if self.find_region(id).is_none() => {
                let name = format!("undefined region {id}");
                let region = Region {
                    name,
                    ..Region::default()
                };
                self.add_region(id, region);
            }
            Reference::Communicator(id) => {
                self.communicator(id);
            }
            Reference::Window(id) if self.find_window(id).is_none() => {
                let name = format!("undefined window {id}");
                let comm = CommId::NONE;
                self.add_window(id, Window { name, comm });
            }
            Reference::Team(id) if self.find_team(id).is_none() => {
                self.add_team(id, format!("undefined team {id}"));
            }
            _ => {}
        }
    }

    /// Returns whether a region is an operation among neighbours.
    pub fn is_neighborhood(&self, region: RegionId) -> bool {
        let name = (self.definitions.regions.get(region.index())).map_or("", |r| &r.name);
        name.starts_with("MPI_Neighbor_") || name.starts_with("MPI_Ineighbor_")
    }

    /// Returns a communicator; one that was never defined has no members.
    fn communicator(&mut self, id: u32) -> CommId {
        match self.communicators.get(id) {
            Some(at) => CommId(at),
            None => self.add_communicator(
                id,
                Communicator {
                    name: format!("undefined communicator {id}"),
                    ..Communicator::default()
                },
            ),
        }
    }

    fn add_window(&mut self, id: u32, window: Window) {
        let all = &mut self.definitions.windows;
        self.windows.insert(id, all.len() as u32);
        all.push(window);
    }

    /// Returns a group that was defined, if there are windows.
    pub fn group(&self, id: u32) -> Option<GroupId> {
        self.groups.get(id).map(GroupId)
    }

    fn add_team(&mut self, id: u32, name: String) {
        let all = &mut self.definitions.teams;
        match self.teams.get(id) {
            Some(at) => all[at as usize] = name,
            None => {
                self.teams.insert(id, all.len() as u32);
                all.push(name);
            }
        }
    }

    /// Adds a region. What an archive defines anew for each rank is one all the same;
    /// regions without a name may be anything.
    fn add_region(&mut self, id: u32, region: Region) {
        let all = &mut self.definitions.regions;
        let same_name = self.regions_named.entry(region.name.clone()).or_default();
        let same = same_name.iter().find(|&&at| all[at as usize] == region);
        let at = match same.filter(|_| !region.name.is_empty()) {
            Some(at) => *at,
            None => {
                let at = all.len() as u32;
                same_name.push(at);
                all.push(region);
                at
            }
        };
        self.regions.insert(id, at);
    }

    fn add_communicator(&mut self, id: u32, communicator: Communicator) -> CommId {
        let all = &mut self.definitions.communicators;
        match self.communicators.get(id) {
            Some(at) => {
                all[at as usize] = communicator;
                CommId(at)
            }
            None => {
                let at = all.len() as u32;
                all.push(communicator);
                self.communicators.insert(id, at);
                CommId(at)
            }
        }
    }

    fn add_processes(
        &mut self,
        definitions: &[Definition],
        ranks: &Ranks,
        name: &dyn Fn(&u32) -> String,
    ) {
        let mut nodes: HashMap<u32, u32> = HashMap::new();
        let mut parents = Vec::new();
        for definition in definitions {
            if let Definition::SystemTreeNode {
                id,
                name: node,
                class_name,
                parent,
            } = definition
            {
                nodes.insert(*id, parents.len() as u32);
                parents.push(*parent);
                self.definitions.system_tree.push(SystemTreeNode {
                    name: name(node),
                    class: name(class_name),
                    parent: None,
                });
            }
        }
        for (node, parent) in self.definitions.system_tree.iter_mut().zip(parents) {
            node.parent = nodes.get(&parent).copied();
        }
        let unnamed = |rank| Process {
            rank: Rank(rank),
            name: format!("rank {rank}"),
            node: None,
            scheduled: None,
        };
        self.definitions.processes = (0..ranks.count).map(unnamed).collect();
        for definition in definitions {
            if let Definition::LocationGroup { id, name: own, .. } = definition {
                let rank = ranks.of_group(*id) as usize;
                if ranks.is_accelerator(*id) && rank < ranks.processes as usize {
                    continue;
                }
                if let Some(process) = self.definitions.processes.get_mut(rank) {
                    process.name = name(own);
                    process.node = nodes.get(&ranks.node_of_group(*id)).copied();
                }
            }
        }
        self.add_scheduled(definitions, ranks, name);
    }

    /// Adds what processes got of the processors.
    fn add_scheduled(
        &mut self,
        definitions: &[Definition],
        ranks: &Ranks,
        text: &dyn Fn(&u32) -> String,
    ) {
        let mut told: HashMap<u32, Scheduled> = HashMap::new();
        for definition in definitions {
            let Definition::LocationGroupProperty {
                location_group,
                name,
                value,
            } = definition
            else {
                continue;
            };
            let mut scheduled = told.get(location_group).copied().unwrap_or_default();
            if scheduled.take(&text(name), value) {
                told.insert(*location_group, scheduled);
            }
        }
        for (group, scheduled) in told {
            let rank = ranks.of_group(group) as usize;
            if let Some(process) = self.definitions.processes.get_mut(rank) {
                process.scheduled = Some(model::Scheduled {
                    delay: Duration(scheduled.delay.try_into().unwrap_or(i64::MAX)),
                    processors: scheduled.processors,
                });
            }
        }
    }

    /// Adds regions, but for those that stand for the functions around calls.
    fn add_regions(
        &mut self,
        definitions: &[Definition],
        text: &dyn Fn(&u32) -> String,
        functions: &HashSet<u32>,
        writer: Writer,
    ) {
        for definition in definitions {
            if let Definition::Region {
                id,
                name,
                source_file,
                begin_line_number,
                end_line_number,
                region_role,
                paradigm,
                ..
            } = definition
            {
                if functions.contains(id) {
                    continue;
                }
                let region = Region {
                    name: text(name),
                    role: role(*region_role),
                    paradigm: self::paradigm(*paradigm),
                    source_file: text(source_file),
                    begin_line: *begin_line_number,
                    end_line: *end_line_number,
                };
                self.add_region(*id, writer.read(region));
            }
        }
    }

    fn add_contexts(&mut self, definitions: &[Definition]) {
        for definition in definitions {
            if let Definition::CallingContext { id, region, .. } = definition {
                let is_ours = self.find_call_site(*id).is_some();
                if let Some(region) = self.regions.get(*region).filter(|_| !is_ours) {
                    self.contexts.insert(*id, region);
                }
            }
        }
    }

    fn add_communicators(
        &mut self,
        definitions: &[Definition],
        ranks: &Ranks,
        name: &dyn Fn(&u32) -> String,
    ) {
        let groups = Groups::new(definitions, ranks);
        let mut parents = Vec::new();
        for definition in definitions {
            let (id, own, first, second, parent) = match definition {
                Definition::Comm {
                    id,
                    name,
                    group,
                    parent,
                    ..
                } => (id, name, group, None, parent),
                Definition::InterComm {
                    id,
                    name,
                    group_a,
                    group_b,
                    common_communicator,
                    ..
                } => (id, name, group_a, Some(group_b), common_communicator),
                _ => continue,
            };
            let Some((members, is_self)) = groups.members(*first) else {
                // Teams of threads are communicators too for OTF2, but not for us.
                self.add_team(*id, name(own));
                continue;
            };
            let communicator = Communicator {
                name: name(own),
                parent: None,
                members,
                remote: second.map(|group| groups.members(*group).unwrap_or_default().0),
                is_self,
                destinations: None,
            };
            let at = self.add_communicator(*id, communicator);
            parents.push((at, *parent));
        }
        for (at, parent) in parents {
            let parent = self
                .communicators
                .get(parent)
                .map(CommId)
                .filter(|p| *p != at);
            self.definitions.communicators[at.index()].parent = parent;
        }
    }

    /// Adds windows, and the groups that one-sided communication may name.
    fn add_windows(
        &mut self,
        definitions: &[Definition],
        ranks: &Ranks,
        text: &dyn Fn(&u32) -> String,
    ) {
        for definition in definitions {
            if let Definition::RmaWin { id, name, comm, .. } = definition {
                // Those of CUDA, OpenCL or SHMEM are of no communicator of MPI.
                let comm = match self.find_team(*comm) {
                    Some(_) => CommId::NONE,
                    None => self.communicator(*comm),
                };
                let name = text(name);
                self.add_window(*id, Window { name, comm });
            }
        }
        if self.definitions.windows.is_empty() {
            return;
        }
        for (id, members) in Groups::new(definitions, ranks).all() {
            self.groups.insert(id, self.definitions.groups.len() as u32);
            self.definitions.groups.push(members);
        }
    }
}

/// Numbers below this are looked up in an array, others in a map: events ask often.
const DENSE: usize = 1 << 16;

/// Positions of definitions by the archive's numbers.
#[derive(Default)]
pub(super) struct Ids {
    dense: Vec<Option<u32>>,
    sparse: HashMap<u32, u32>,
}

impl Ids {
    #[inline]
    pub fn get(&self, id: u32) -> Option<u32> {
        match self.dense.get(id as usize) {
            Some(&at) => at,
            None => self.sparse.get(&id).copied(),
        }
    }

    pub fn insert(&mut self, id: u32, at: u32) {
        let index = id as usize;
        if index >= DENSE {
            self.sparse.insert(id, at);
            return;
        }
        if index >= self.dense.len() {
            self.dense.resize(index + 1, None);
        }
        self.dense[index] = Some(at);
    }
}

fn role(role: otf2::RegionRole) -> RegionRole {
    use otf2::RegionRole as R;
    match role {
        R::UNKNOWN => RegionRole::Unknown,
        R::FUNCTION => RegionRole::Function,
        R::POINT2POINT => RegionRole::PointToPoint,
        R::COLL_ONE2ALL => RegionRole::OneToAll,
        R::COLL_ALL2ONE => RegionRole::AllToOne,
        R::COLL_ALL2ALL => RegionRole::AllToAll,
        R::COLL_OTHER => RegionRole::OtherCollective,
        R::BARRIER => RegionRole::Barrier,
        R::IMPLICIT_BARRIER => RegionRole::ImplicitBarrier,
        R::TASK_WAIT => RegionRole::TaskWait,
        R::CRITICAL => RegionRole::Critical,
        R::THREAD_WAIT => RegionRole::ThreadWait,
        other => RegionRole::Other(other.0),
    }
}

pub(super) fn paradigm(paradigm: otf2::Paradigm) -> Paradigm {
    use otf2::Paradigm as P;
    match paradigm {
        P::UNKNOWN => Paradigm::Unknown,
        P::USER => Paradigm::User,
        P::COMPILER => Paradigm::Compiler,
        P::MPI => Paradigm::Mpi,
        P::OPENMP => Paradigm::OpenMp,
        P::PTHREAD => Paradigm::Pthread,
        other => Paradigm::Other(other.0),
    }
}
