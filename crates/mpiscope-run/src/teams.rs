//! Teams of threads, unified: which threads worked together, each set of them once.
//!
//! Each time that a team is forked it gets a number of its process, and its threads say under
//! that number who they are. For OTF2 a team is a communicator, as Score-P writes them: a group of
//! all threads that were in teams, a group of each team's members as positions in that one, and a
//! communicator of it. A team of the same threads is the same communicator, however often it was
//! forked; readers tell the times apart by counting.

pub mod created;
pub mod seen;

use otf2::{
    CommFlag, Definition, GroupFlag, GroupType, Paradigm, ParadigmClass, ParadigmProperty, Value,
    UNDEFINED,
};

use crate::list::List;
use crate::plan::location;
use crate::process::Process;

/// A team of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// World rank of its process.
    pub rank: u32,
    /// Its threads, in their order in the team.
    pub threads: Vec<u32>,
}

/// Returns the teams of all processes, and what each calls them by and the archive: their
/// communicators are numbered from `first` on.
pub(crate) fn unify(processes: &[&Process], first: u32) -> (Vec<Team>, Vec<Vec<(u32, u32)>>) {
    let mut teams = Vec::new();
    let mut maps = Vec::new();
    for process in processes {
        let rank = process.identity.rank;
        let number = first + teams.len() as u32;
        maps.push((0..process.teams.len() as u32).zip(number..).collect());
        let own = process.teams.iter().cloned();
        teams.extend(own.map(|threads| Team { rank, threads }));
    }
    (teams, maps)
}

/// A model of threads: its number in OTF2, and what it and its teams are called.
pub(crate) struct Model {
    paradigm: Paradigm,
    class: ParadigmClass,
    name: &'static str,
    /// The template by which Score-P lets viewers name what has no name.
    template: &'static str,
    /// Names a team.
    team: fn(&Team) -> String,
}

/// Teams that are forked and joined.
pub(crate) const OPENMP: Model = Model {
    paradigm: Paradigm::OPENMP,
    class: ParadigmClass::THREAD_FORK_JOIN,
    name: "OpenMP",
    template: "OpenMP Thread Team ${id}",
    team: |team| {
        let (rank, threads) = (team.rank, team.threads.len());
        format!("OpenMP team of rank {rank}, {threads} threads")
    },
};

/// Threads that are created one by one.
pub(crate) const PTHREAD: Model = Model {
    paradigm: Paradigm::PTHREAD,
    class: ParadigmClass::THREAD_CREATE_WAIT,
    name: "pthread",
    template: "Pthread Thread Team ${id}",
    team: |team| format!("threads created by rank {}", team.rank),
};

/// Defines teams of a model: groups from number `group` on, communicators from `comm` on.
pub(crate) fn define(list: &mut List, model: &Model, teams: &[Team], group: u32, comm: u32) {
    if teams.is_empty() {
        return;
    }
    list.model(model);
    list.groups(model.paradigm, teams, group);
    for ((team, id), group) in teams.iter().zip(comm..).zip(group + 1..) {
        list.team(id, group, &(model.team)(team));
    }
}

/// Returns how many groups teams need.
pub(crate) fn groups(teams: &[Team]) -> u32 {
    match teams.len() {
        0 => 0,
        teams => teams as u32 + 1,
    }
}

impl Team {
    fn locations(&self) -> impl Iterator<Item = u64> + '_ {
        self.threads
            .iter()
            .map(|&thread| location(self.rank, thread))
    }
}

impl List {
    fn model(&mut self, model: &Model) {
        let name = self.string(model.name);
        self.definitions.push(Definition::Paradigm {
            paradigm: model.paradigm,
            name,
            paradigm_class: model.class,
        });
        let template = self.string(model.template);
        self.definitions.push(Definition::ParadigmProperty {
            paradigm: model.paradigm,
            property: ParadigmProperty::COMM_NAME_TEMPLATE,
            value: Value::String(template),
        });
    }

    /// Defines the group of all threads in some teams, number `first`, and behind it that of each
    /// team, as positions in that one.
    fn groups(&mut self, paradigm: Paradigm, teams: &[Team], first: u32) {
        let mut all: Vec<u64> = teams.iter().flat_map(Team::locations).collect();
        all.sort_unstable();
        all.dedup();
        let position = |member: u64| Some(all.binary_search(&member).ok()? as u64);
        let positions = |team: &Team| team.locations().filter_map(position).collect();
        let of_teams: Vec<Vec<u64>> = teams.iter().map(positions).collect();
        self.team_group(first, paradigm, all, GroupType::COMM_LOCATIONS);
        for (positions, id) in of_teams.into_iter().zip(first + 1..) {
            self.team_group(id, paradigm, positions, GroupType::COMM_GROUP);
        }
    }

    fn team_group(
        &mut self,
        id: u32,
        paradigm: Paradigm,
        members: Vec<u64>,
        group_type: GroupType,
    ) {
        self.definitions.push(Definition::Group {
            id,
            name: 0,
            members,
            group_type,
            paradigm,
            group_flags: GroupFlag::NONE,
        });
    }

    fn team(&mut self, id: u32, group: u32, name: &str) {
        let name = self.string(name);
        self.definitions.push(Definition::Comm {
            id,
            name,
            group,
            parent: UNDEFINED,
            flags: CommFlag::NONE,
        });
    }
}
