//! Who talks to whom: groups, communicators, teams of threads and windows.

use std::collections::{BTreeMap, HashMap};

use mpiscope_model::{Communicator, Rank, TeamId, Trace};
use otf2::{CommFlag, Definition, GroupFlag, GroupType, Paradigm, RmaWinFlag, UNDEFINED};

use super::definitions::{before, Numbers};
use super::Target;
use mpiscope_run::list::List;
use mpiscope_run::topologies;

/// Groups: first the locations that ranks stand for, then those of one-sided
/// communication, then one for each other list of members that a communicator
/// has; teams of threads have one that is no process's.
pub(super) fn add(list: &mut List, trace: &Trace, targets: &[Target<'_>], numbers: &Numbers) {
    let mut first: BTreeMap<Rank, u64> = BTreeMap::new();
    for target in targets {
        first.entry(target.rank).or_insert(target.id);
    }
    let (mpi, threads) = (Paradigm::MPI, Paradigm::OPENMP);
    let locations = first.into_values().collect();
    let mut groups = Groups::default();
    groups.push(list, mpi, locations, GroupType::COMM_LOCATIONS);
    let all = &trace.definitions.communicators;
    let with_self = all.iter().any(|comm| comm.is_self);
    for members in &trace.definitions.groups {
        groups.add(list, members, with_self);
    }
    let ends: Vec<(u32, Option<u32>)> = all
        .iter()
        .map(|comm| match comm.is_self {
            true => (groups.of_self(list), None),
            false => {
                let remote = comm.remote.as_deref();
                let first = groups.of(list, &comm.members);
                (first, remote.map(|members| groups.of(list, members)))
            }
        })
        .collect();
    for ((id, comm), (first, second)) in (0..).zip(all).zip(ends) {
        communicator(list, id, comm, first, second);
        for (rank, destinations) in comm.members.iter().zip(comm.destinations.iter().flatten()) {
            topologies::graph(list, id, rank.0, destinations);
        }
    }
    if !trace.definitions.teams.is_empty() {
        let locations = targets.iter().map(|target| target.id).collect();
        groups.push(list, threads, locations, GroupType::COMM_LOCATIONS);
        let group = groups.push(list, threads, Vec::new(), GroupType::COMM_GROUP);
        teams(list, trace, numbers, group);
    }
    windows(list, trace);
}

fn teams(list: &mut List, trace: &Trace, numbers: &Numbers, group: u32) {
    for (team, name) in (0..).zip(&trace.definitions.teams) {
        let name = list.string(name);
        list.definitions.push(Definition::Comm {
            id: numbers.team(TeamId(team)),
            name,
            group,
            parent: UNDEFINED,
            flags: CommFlag::NONE,
        });
    }
}

fn windows(list: &mut List, trace: &Trace) {
    for (id, window) in (0..).zip(&trace.definitions.windows) {
        let name = list.string(&window.name);
        list.definitions.push(Definition::RmaWin {
            id,
            name,
            comm: window.comm.0,
            flags: RmaWinFlag::CREATE_DESTROY_EVENTS,
        });
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
    /// Of MPI_COMM_SELF.
    own: Option<u32>,
    count: u32,
}

impl Groups {
    /// Adds a group that events name by its place. An empty one is that of
    /// MPI_COMM_SELF, if there is one.
    fn add(&mut self, list: &mut List, members: &[Rank], with_self: bool) {
        if members.is_empty() && with_self && self.own.is_none() {
            self.of_self(list);
            return;
        }
        let members = ranks(members);
        let group = self.push(list, Paradigm::MPI, members.clone(), GroupType::COMM_GROUP);
        self.of_members.entry(members).or_insert(group);
    }

    fn of(&mut self, list: &mut List, members: &[Rank]) -> u32 {
        let members = ranks(members);
        match self.of_members.get(&members) {
            Some(group) => *group,
            None => {
                let group = self.push(list, Paradigm::MPI, members.clone(), GroupType::COMM_GROUP);
                self.of_members.insert(members, group);
                group
            }
        }
    }

    fn of_self(&mut self, list: &mut List) -> u32 {
        let own = self.own;
        let group =
            own.unwrap_or_else(|| self.push(list, Paradigm::MPI, Vec::new(), GroupType::COMM_SELF));
        self.own = Some(group);
        group
    }

    fn push(
        &mut self,
        list: &mut List,
        paradigm: Paradigm,
        members: Vec<u64>,
        group_type: GroupType,
    ) -> u32 {
        list.definitions.push(Definition::Group {
            id: self.count,
            name: 0,
            members,
            group_type,
            paradigm,
            group_flags: GroupFlag::NONE,
        });
        self.count += 1;
        self.count - 1
    }
}

fn ranks(members: &[Rank]) -> Vec<u64> {
    members.iter().map(|rank| rank.0.into()).collect()
}
