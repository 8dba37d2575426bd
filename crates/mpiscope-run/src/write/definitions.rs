//! The model's definitions as OTF2's, in the order that other tools rely on.

use std::collections::{BTreeMap, HashMap};

use mpiscope_model as model;
use mpiscope_model::{Communicator, EventKind, Rank, Trace};
use otf2::{
    CommFlag, Definition, GroupFlag, GroupType, LocationGroupType, LocationType, Paradigm,
    ParameterType, RegionFlag, RegionRole, SystemTreeDomain, Type, Value, UNDEFINED,
};

use super::Target;
use crate::definitions::{List, CLOCK_DOMAIN, SEQUENCE_NAME, WILDCARD_NAME};

/// Number of the attribute: which wildcards a receive was posted with.
pub(super) const WILDCARD: u32 = 0;
/// Number of the attribute: the place of an event in its channel.
pub(super) const SEQUENCE: u32 = 1;
/// Number of the parameter that stands for events of other kinds.
pub(super) const OTHER: u32 = 0;

const ATTRIBUTES: [(&str, Type, &str); 2] = [
    (
        WILDCARD_NAME,
        Type::UINT8,
        "The receive was posted with MPI_ANY_SOURCE (bit 0) or MPI_ANY_TAG (bit 1)",
    ),
    (
        SEQUENCE_NAME,
        Type::UINT64,
        "How many messages or collective operations went before on this channel",
    ),
];

/// Returns all definitions; `range` are the corrected times of the first and
/// the last event.
pub(super) fn definitions(
    trace: &Trace,
    targets: &[Target<'_>],
    range: Option<(u64, u64)>,
) -> Vec<Definition> {
    let mut list = List::default();
    list.string("");
    list.paradigm();
    attributes(&mut list);
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
    communicators(&mut list, trace, targets);
    let (first, last) = range.unwrap_or((0, 0));
    let clock = Definition::ClockProperties {
        timer_resolution: 1_000_000_000,
        global_offset: first,
        trace_length: last.saturating_sub(first),
        realtime_timestamp: u64::MAX,
    };
    list.finish(clock)
}

fn attributes(list: &mut List) {
    for (id, (name, value_type, description)) in (0..).zip(ATTRIBUTES) {
        let (name, description) = (list.string(name), list.string(description));
        list.definitions.push(Definition::Attribute {
            id,
            name,
            value_type,
            description,
        });
    }
}

fn has_others(trace: &Trace) -> bool {
    let mut locations = trace.locations.iter();
    locations.any(|location| location.events.kinds().contains(&EventKind::Other))
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
fn before(parent: Option<u32>, id: u32) -> u32 {
    parent.filter(|&parent| parent < id).unwrap_or(UNDEFINED)
}

/// Processes that no definition names get one, as the reader names them.
fn processes(list: &mut List, trace: &Trace, targets: &[Target<'_>]) {
    let unnamed = |target: &Target<'_>| (target.rank, (format!("rank {}", target.rank.0), None));
    let mut all: BTreeMap<Rank, (String, Option<u32>)> = targets.iter().map(unnamed).collect();
    for process in &trace.definitions.processes {
        all.insert(process.rank, (process.name.clone(), process.node));
    }
    let nodes = trace.definitions.system_tree.len() as u32;
    for (rank, (name, node)) in all {
        let name = list.string(&name);
        list.definitions.push(Definition::LocationGroup {
            id: rank.0,
            name,
            location_group_type: LocationGroupType::PROCESS,
            system_tree_parent: before(node, nodes),
            creating_location_group: UNDEFINED,
        });
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

/// Groups: first the locations that ranks stand for, then one for each list of
/// members that a communicator has.
fn communicators(list: &mut List, trace: &Trace, targets: &[Target<'_>]) {
    let mut first: BTreeMap<Rank, u64> = BTreeMap::new();
    for target in targets {
        first.entry(target.rank).or_insert(target.id);
    }
    let mut groups = Groups::default();
    groups.push(
        list,
        first.into_values().collect(),
        GroupType::COMM_LOCATIONS,
    );
    let all = &trace.definitions.communicators;
    let ends: Vec<(u32, Option<u32>)> = all
        .iter()
        .map(|comm| match comm.is_self {
            true => (groups.push(list, Vec::new(), GroupType::COMM_SELF), None),
            false => {
                let remote = comm.remote.as_deref();
                let first = groups.of(list, &comm.members);
                (first, remote.map(|members| groups.of(list, members)))
            }
        })
        .collect();
    for ((id, comm), (first, second)) in (0..).zip(all).zip(ends) {
        communicator(list, id, comm, first, second);
    }
}

fn communicator(list: &mut List, id: u32, comm: &Communicator, first: u32, second: Option<u32>) {
    let name = list.string(&comm.name);
    let parent = before(comm.parent.map(|parent| parent.0), id);
    let flags = CommFlag::NONE;
    list.definitions.push(match second {
        None => Definition::Comm {
            id,
            name,
            group: first,
            parent,
            flags,
        },
        Some(group_b) => Definition::InterComm {
            id,
            name,
            group_a: first,
            group_b,
            common_communicator: parent,
            flags,
        },
    });
}

/// Groups by their members, each defined once.
#[derive(Default)]
struct Groups {
    of_members: HashMap<Vec<u64>, u32>,
    count: u32,
}

impl Groups {
    fn of(&mut self, list: &mut List, members: &[Rank]) -> u32 {
        let members: Vec<u64> = members.iter().map(|rank| rank.0.into()).collect();
        match self.of_members.get(&members) {
            Some(group) => *group,
            None => {
                let group = self.push(list, members.clone(), GroupType::COMM_GROUP);
                self.of_members.insert(members, group);
                group
            }
        }
    }

    fn push(&mut self, list: &mut List, members: Vec<u64>, group_type: GroupType) -> u32 {
        list.definitions.push(Definition::Group {
            id: self.count,
            name: 0,
            members,
            group_type,
            paradigm: Paradigm::MPI,
            group_flags: GroupFlag::NONE,
        });
        self.count += 1;
        self.count - 1
    }
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
        R::Other(number) => RegionRole(number),
    }
}

fn paradigm(paradigm: model::Paradigm) -> Paradigm {
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
