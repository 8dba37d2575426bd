//! Who runs where, who talks to whom, and the names of it all.

use mpiscope_model::{
    CollectiveOp, CommId, Communicator, Definitions, Paradigm, Process, Rank, Region, RegionId,
    RegionRole, SystemTreeNode,
};

use crate::parameters::{Parameters, Placement, Program};
use crate::random::{Purpose, Random};

/// Ranks in their places.
pub(crate) struct World {
    /// Host of each rank; hosts are numbered by their first rank.
    pub host_of: Vec<u32>,
    /// Ranks that run a program together.
    pub teams: Vec<Team>,
    /// Ranks that only compute.
    pub silent: Vec<u32>,
    /// Names.
    pub definitions: Definitions,
}

/// Ranks that run a program together, and their communicators.
#[derive(Clone, Debug, Default)]
pub(crate) struct Team {
    /// All of them.
    pub all: Group,
    /// Rows of the torus that they form.
    pub rows: Vec<Group>,
    /// An intercommunicator between two halves of them, each with its ranks.
    pub halves: Option<[Group; 2]>,
}

/// A communicator, or one group of an intercommunicator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub comm: CommId,
    /// World ranks.
    pub ranks: Vec<u32>,
}

impl World {
    pub fn new(parameters: &Parameters) -> World {
        let host_of = place(parameters);
        let silent = |rank: &u32| Some(host_of[*rank as usize]) == parameters.silent_host;
        let (silent, active): (Vec<u32>, Vec<u32>) = (0..parameters.ranks).partition(silent);
        let mut definitions = definitions(parameters, &host_of);
        let size = active.len().div_ceil(parameters.components as usize);
        let parts: Vec<&[u32]> = active.chunks(size.max(1)).collect();
        let alone = parts.len() == 1 && silent.is_empty();
        let mut teams = Vec::new();
        for (number, ranks) in parts.into_iter().enumerate() {
            let prefix = if alone {
                String::new()
            } else {
                format!("part{number}.")
            };
            let all = match alone {
                true => Group {
                    comm: CommId(0),
                    ranks: ranks.to_vec(),
                },
                false => group(&mut definitions, format!("part{number}"), ranks, CommId(0)),
            };
            let mut team = Team {
                all,
                ..Team::default()
            };
            team.divide(&mut definitions, &prefix, parameters.program);
            teams.push(team);
        }
        World {
            host_of,
            teams,
            silent,
            definitions,
        }
    }
}

impl Team {
    /// Adds the communicators of rows and halves where a program uses them.
    fn divide(&mut self, definitions: &mut Definitions, prefix: &str, program: Program) {
        let (all, ranks) = (self.all.comm, &self.all.ranks);
        if !matches!(program, Program::Pairs | Program::Workers) {
            let rows = ranks.chunks(width(ranks.len())).enumerate();
            self.rows = rows
                .map(|(row, ranks)| group(definitions, format!("{prefix}row{row}"), ranks, all))
                .collect();
        }
        if matches!(program, Program::Collectives | Program::Mix) && ranks.len() > 1 {
            let (left, right) = ranks.split_at(ranks.len() / 2);
            let mut left = group(definitions, format!("{prefix}halves"), left, all);
            let right = Group {
                comm: left.comm,
                ranks: right.to_vec(),
            };
            let comm = &mut definitions.communicators[left.comm.index()];
            comm.remote = Some(right.ranks.iter().copied().map(Rank).collect());
            left.comm = right.comm;
            self.halves = Some([left, right]);
        }
    }
}

/// Returns the width of the torus of `size` ranks that is nearest to a square.
pub(crate) fn width(size: usize) -> usize {
    let divides = |side: &usize| size.is_multiple_of(*side) && side * side >= size;
    (1..=size).find(divides).unwrap_or(1)
}

fn group(definitions: &mut Definitions, name: String, ranks: &[u32], parent: CommId) -> Group {
    let comm = CommId(definitions.communicators.len() as u32);
    definitions.communicators.push(Communicator {
        name,
        parent: Some(parent),
        members: ranks.iter().copied().map(Rank).collect(),
        ..Communicator::default()
    });
    Group {
        comm,
        ranks: ranks.to_vec(),
    }
}

fn place(parameters: &Parameters) -> Vec<u32> {
    let (ranks, hosts) = (u64::from(parameters.ranks), u64::from(parameters.hosts));
    let block = |rank: u64| (rank * hosts / ranks) as u32;
    let mut places: Vec<u32> = match parameters.placement {
        Placement::Block | Placement::Random => (0..ranks).map(block).collect(),
        Placement::Cyclic => (0..ranks).map(|rank| (rank % hosts) as u32).collect(),
    };
    if parameters.placement == Placement::Random {
        let mut random = Random::new(parameters.seed, Purpose::Placement, 0);
        for last in (1..places.len()).rev() {
            places.swap(last, random.below(last as u64 + 1) as usize);
        }
    }
    let mut number_of = vec![u32::MAX; hosts as usize];
    let mut numbers = 0..;
    for place in &mut places {
        let number = &mut number_of[*place as usize];
        if *number == u32::MAX {
            *number = numbers.next().unwrap_or(0);
        }
        *place = *number;
    }
    places
}

fn definitions(parameters: &Parameters, host_of: &[u32]) -> Definitions {
    let node = |name: String, class: &str, parent| SystemTreeNode {
        name,
        class: class.into(),
        parent,
    };
    let hosts = (0..parameters.hosts).map(|host| node(format!("node{host}"), "node", Some(0)));
    let machine = node("machine".into(), "machine", None);
    let process = |(rank, host): (u32, &u32)| Process {
        rank: Rank(rank),
        name: format!("MPI Rank {rank}"),
        node: Some(host + 1),
        scheduled: None,
    };
    Definitions {
        regions: regions(),
        communicators: vec![Communicator {
            name: "world".into(),
            members: (0..parameters.ranks).map(Rank).collect(),
            ..Communicator::default()
        }],
        processes: (0..).zip(host_of).map(process).collect(),
        system_tree: std::iter::once(machine).chain(hosts).collect(),
        ..Definitions::default()
    }
}

macro_rules! calls {
    ($($constant:ident = $number:literal $name:literal $role:ident;)*) => {
        $(pub(crate) const $constant: RegionId = RegionId($number);)*
        const CALLS: &[(&str, RegionRole)] = &[$(($name, RegionRole::$role)),*];
    };
}

calls! {
    INIT = 0 "MPI_Init" Function;
    FINALIZE = 1 "MPI_Finalize" Function;
    SEND = 2 "MPI_Send" PointToPoint;
    RECV = 3 "MPI_Recv" PointToPoint;
    ISEND = 4 "MPI_Isend" PointToPoint;
    IRECV = 5 "MPI_Irecv" PointToPoint;
    WAITALL = 6 "MPI_Waitall" PointToPoint;
    SENDRECV = 7 "MPI_Sendrecv" PointToPoint;
    PROBE = 8 "MPI_Probe" PointToPoint;
}

/// Operations that are simulated: those that MPI itself names.
pub(crate) const OPS: usize = 17;
/// Functions of the program.
const FUNCTIONS: u32 = 10;

/// Returns the region of a collective operation.
pub(crate) fn collective(op: CollectiveOp) -> RegionId {
    RegionId(CALLS.len() as u32 + u32::from(op.number()))
}

/// Returns a region of the program.
pub(crate) fn function(number: u32) -> RegionId {
    RegionId((CALLS.len() + OPS) as u32 + number % FUNCTIONS)
}

fn regions() -> Vec<Region> {
    let mpi = |name: String, role| Region {
        name,
        role,
        paradigm: Paradigm::Mpi,
        source_file: "MPI".into(),
        ..Region::default()
    };
    let calls = CALLS.iter().map(|(name, role)| mpi((*name).into(), *role));
    let collectives = CollectiveOp::NAMED[..OPS]
        .iter()
        .map(|op| mpi(title(op.name()), role(*op)));
    let functions = (0..FUNCTIONS).map(|number| Region {
        name: format!("work{number}"),
        role: RegionRole::Function,
        paradigm: Paradigm::User,
        ..Region::default()
    });
    calls.chain(collectives).chain(functions).collect()
}

/// Returns `MPI_Allreduce` of `allreduce`.
fn title(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    format!("MPI_{}{rest}", first.to_uppercase())
}

fn role(op: CollectiveOp) -> RegionRole {
    use CollectiveOp as Op;
    match op {
        Op::Barrier => RegionRole::Barrier,
        Op::Bcast | Op::Scatter | Op::Scatterv => RegionRole::OneToAll,
        Op::Gather | Op::Gatherv | Op::Reduce => RegionRole::AllToOne,
        Op::Scan | Op::Exscan => RegionRole::OtherCollective,
        _ => RegionRole::AllToAll,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torus_is_as_square_as_it_can_be() {
        assert_eq!(
            [1, 2, 6, 12, 13, 64, 512].map(width),
            [1, 2, 3, 4, 13, 8, 32]
        );
    }

    #[test]
    fn regions_stand_where_they_are_looked_for() {
        let regions = regions();
        let name = |id: RegionId| regions[id.index()].name.as_str();
        let found = [IRECV, PROBE, collective(CollectiveOp::Exscan), function(13)];
        assert_eq!(
            found.map(name),
            ["MPI_Irecv", "MPI_Probe", "MPI_Exscan", "work3"]
        );
    }

    #[test]
    fn every_host_is_used_and_numbered_by_its_first_rank() {
        for placement in [Placement::Block, Placement::Cyclic, Placement::Random] {
            let parameters = Parameters {
                ranks: 17,
                hosts: 5,
                placement,
                ..Parameters::default()
            };
            let places = place(&parameters);
            let mut firsts: Vec<u32> = Vec::new();
            for place in places {
                if !firsts.contains(&place) {
                    firsts.push(place);
                }
            }
            assert_eq!(firsts, [0, 1, 2, 3, 4], "{placement:?}");
        }
    }
}
