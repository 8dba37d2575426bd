//! The model's definitions as OTF2's, in the order that other tools rely on.

use std::collections::BTreeMap;

use mpiscope_model as model;
use mpiscope_model::{EventKind, GroupId, MetricValue, Rank, TeamId, Trace};
use otf2::{
    Definition, LocationGroupType, LocationType, Paradigm, ParameterType, RegionFlag, RegionRole,
    SystemTreeDomain, Value, UNDEFINED,
};

use super::metrics::{self, Classes};
use super::{attributes, communicators, Target};
use crate::call_sites;
use mpiscope_run::call_sites::define;
use mpiscope_run::definitions::CLOCK_DOMAIN;
use mpiscope_run::list::List;
use mpiscope_run::scheduled::Scheduled;

/// Number of the parameter that stands for events of other kinds.
pub(super) const OTHER: u32 = 0;

/// Numbers in the archive of what has another in the model, or none.
pub(super) struct Numbers {
    /// Communicators: teams of threads follow, which OTF2 takes for such.
    communicators: u32,
    /// Classes of the metrics that have values together.
    classes: Classes,
}

impl Numbers {
    pub fn new(trace: &Trace) -> Numbers {
        Numbers {
            communicators: trace.definitions.communicators.len() as u32,
            classes: Classes::of(trace),
        }
    }

    pub fn class(&self, values: &[MetricValue]) -> u32 {
        self.classes.number(values)
    }

    pub fn team(&self, team: TeamId) -> u32 {
        self.communicators.saturating_add(team.0)
    }

    /// Group 0 is that of all locations.
    pub fn group(&self, group: GroupId) -> u32 {
        group.0.saturating_add(1)
    }
}

/// Returns all definitions; `range` are the corrected times of the first and
/// the last event.
pub(super) fn definitions(
    trace: &Trace,
    targets: &[Target<'_>],
    numbers: &Numbers,
    range: Option<(u64, u64)>,
) -> Vec<Definition> {
    let mut list = List::default();
    list.string("");
    list.paradigm();
    attributes::define(&mut list, trace.definitions.told);
    if has_others(trace) {
        other(&mut list);
    }
    system_tree(&mut list, trace);
    processes(&mut list, trace, targets);
    targets
        .iter()
        .for_each(|target| location(&mut list, target));
    for (id, region) in (0..).zip(&trace.definitions.regions) {
        self::region(&mut list, id, region);
    }
    communicators::add(&mut list, trace, targets, numbers);
    if let Some(period) = sample_period(trace) {
        list.timer(period);
    }
    let regions = trace.definitions.regions.len() as u32;
    let sites = trace.definitions.call_sites.iter().map(call_sites::site);
    define(&mut list, sites, regions);
    metrics::define(&mut list, trace, &numbers.classes);
    let (first, last) = range.unwrap_or((0, 0));
    let clock = Definition::ClockProperties {
        timer_resolution: 1_000_000_000,
        global_offset: first,
        trace_length: last.saturating_sub(first),
        realtime_timestamp: u64::MAX,
    };
    list.finish([clock])
}

fn has_others(trace: &Trace) -> bool {
    let mut locations = trace.locations.iter();
    locations.any(|location| location.events.kinds().contains(&EventKind::Other))
}

/// Returns how many nanoseconds a sample stands for, 0 if nobody says; nothing if there are none.
fn sample_period(trace: &Trace) -> Option<u64> {
    let mut locations = trace.locations.iter();
    let mut has_samples = || locations.any(|location| !location.events.samples().is_empty());
    let period = trace.definitions.sample_period;
    period.or_else(|| has_samples().then_some(0))
}

fn other(list: &mut List) {
    let name = list.string("MPISCOPE::OTHER");
    list.definitions.push(Definition::Parameter {
        id: OTHER,
        name,
        parameter_type: ParameterType::UINT64,
    });
}

fn system_tree(list: &mut List, trace: &Trace) {
    for (id, node) in (0..).zip(&trace.definitions.system_tree) {
        let (name, class_name) = (list.string(&node.name), list.string(&node.class));
        list.definitions.push(Definition::SystemTreeNode {
            id,
            name,
            class_name,
            parent: before(node.parent, id),
        });
        let domain = match node.class.as_str() {
            "machine" => SystemTreeDomain::MACHINE,
            "node" => SystemTreeDomain::SHARED_MEMORY,
            _ => continue,
        };
        list.definitions.push(Definition::SystemTreeNodeDomain {
            system_tree_node: id,
            system_tree_domain: domain,
        });
    }
}

/// Definitions refer to earlier ones alone.
pub(super) fn before(parent: Option<u32>, id: u32) -> u32 {
    parent.filter(|&parent| parent < id).unwrap_or(UNDEFINED)
}

/// Processes that no definition names get one, as the reader names them.
fn processes(list: &mut List, trace: &Trace, targets: &[Target<'_>]) {
    let unnamed = |target: &Target<'_>| {
        let process = model::Process {
            rank: target.rank,
            name: format!("rank {}", target.rank.0),
            ..model::Process::default()
        };
        (target.rank, process)
    };
    let mut all: BTreeMap<Rank, model::Process> = targets.iter().map(unnamed).collect();
    for process in &trace.definitions.processes {
        all.insert(process.rank, process.clone());
    }
    let nodes = trace.definitions.system_tree.len() as u32;
    for (rank, process) in all {
        let name = list.string(&process.name);
        list.definitions.push(Definition::LocationGroup {
            id: rank.0,
            name,
            location_group_type: LocationGroupType::PROCESS,
            system_tree_parent: before(process.node, nodes),
            creating_location_group: UNDEFINED,
        });
        if let Some(told) = process.scheduled {
            let scheduled = Scheduled {
                delay: told.delay.0.max(0).unsigned_abs(),
                processors: told.processors,
            };
            list.scheduled(rank.0, scheduled);
        }
    }
}

fn location(list: &mut List, target: &Target<'_>) {
    let name = list.string(&target.name);
    let events = target.location.map_or(0, |location| location.events.len());
    list.definitions.push(Definition::Location {
        id: target.id,
        name,
        location_type: LocationType::CPU_THREAD,
        number_of_events: events as u64,
        location_group: target.rank.0,
    });
    let name = list.string(CLOCK_DOMAIN);
    list.definitions.push(Definition::LocationProperty {
        location: target.id,
        name,
        value: Value::Uint32(target.domain),
    });
}

fn region(list: &mut List, id: u32, region: &model::Region) {
    let name = list.string(&region.name);
    let source_file = list.string(&region.source_file);
    list.definitions.push(Definition::Region {
        id,
        name,
        description: 0,
        source_file,
        begin_line_number: region.begin_line,
        end_line_number: region.end_line,
        canonical_name: name,
        region_role: role(region.role),
        paradigm: paradigm(region.paradigm),
        region_flags: RegionFlag::NONE,
    });
}

fn role(role: model::RegionRole) -> RegionRole {
    use model::RegionRole as R;
    match role {
        R::Unknown => RegionRole::UNKNOWN,
        R::Function => RegionRole::FUNCTION,
        R::PointToPoint => RegionRole::POINT2POINT,
        R::OneToAll => RegionRole::COLL_ONE2ALL,
        R::AllToOne => RegionRole::COLL_ALL2ONE,
        R::AllToAll => RegionRole::COLL_ALL2ALL,
        R::OtherCollective => RegionRole::COLL_OTHER,
        R::Barrier => RegionRole::BARRIER,
        R::ImplicitBarrier => RegionRole::IMPLICIT_BARRIER,
        R::TaskWait => RegionRole::TASK_WAIT,
        R::Critical => RegionRole::CRITICAL,
        R::ThreadWait => RegionRole::THREAD_WAIT,
        R::Other(number) => RegionRole(number),
    }
}

pub(super) fn paradigm(paradigm: model::Paradigm) -> Paradigm {
    use model::Paradigm as P;
    match paradigm {
        P::Unknown => Paradigm::UNKNOWN,
        P::User => Paradigm::USER,
        P::Compiler => Paradigm::COMPILER,
        P::Mpi => Paradigm::MPI,
        P::OpenMp => Paradigm::OPENMP,
        P::Pthread => Paradigm::PTHREAD,
        P::Other(number) => Paradigm(number),
    }
}
