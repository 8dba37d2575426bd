//! What events refer to by number: regions, communicators, processes, hosts.
//!
//! Numbers are dense from 0 and typed, so that a region's cannot be taken for
//! a communicator's. Names are held where they are used; an archive's string
//! table is folded in by its reader.

mod collective_op;

use crate::time::Duration;

pub use collective_op::CollectiveOp;

/// Number of a region in [`Definitions::regions`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub u32);

/// Number of a communicator in [`Definitions::communicators`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommId(pub u32);

/// Rank of a process in the world (MPI_COMM_WORLD); ranks in other
/// communicators are plain numbers beside the communicator's id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

/// Number of a window in [`Definitions::windows`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WinId(pub u32);

/// Number of a group in [`Definitions::groups`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u32);

/// Number of a team of threads in [`Definitions::teams`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TeamId(pub u32);

/// Number of a metric in [`Definitions::metrics`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetricId(pub u32);

/// Number of a place in the program in [`Definitions::call_sites`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSiteId(pub u32);

/// Number of a location in [`Trace::locations`](crate::Trace::locations).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationIndex(pub u32);

impl RegionId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl CommId {
    /// No communicator: what threads do together is in none.
    pub const NONE: CommId = CommId(u32::MAX);

    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl WinId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl GroupId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TeamId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl MetricId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl CallSiteId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl LocationIndex {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Everything that events refer to by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definitions {
    /// Functions and other parts of the program that are entered and left.
    pub regions: Vec<Region>,
    /// Communicators.
    pub communicators: Vec<Communicator>,
    /// Windows of one-sided communication.
    pub windows: Vec<Window>,
    /// World ranks of groups that take part in one-sided communication.
    pub groups: Vec<Vec<Rank>>,
    /// Names of teams of threads, and of the threads that one may create.
    pub teams: Vec<String>,
    /// Processes (location groups), in the order of their world ranks.
    pub processes: Vec<Process>,
    /// Machine, nodes, and what lies between, parents before children.
    pub system_tree: Vec<SystemTreeNode>,
    /// Places in the program that MPI was called from, or where samples found it.
    pub call_sites: Vec<CallSite>,
    /// What the trace tells of its events where there is something to tell.
    pub told: Told,
    /// Nanoseconds of processor time for which a sample stands, if the trace says so of its samples.
    pub sample_period: Option<u64>,
    /// What programs and counters told values of.
    pub metrics: Vec<Metric>,
}

/// What a trace tells of its events where there is something to tell. What it
/// does not tell, nobody may take for absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// Whether a receive or probe used wildcards.
    pub wildcards: bool,
    /// What receives, probes and collective operations asked for when they
    /// began: see [`Posted`](crate::Posted).
    pub posted: bool,
    /// The types of data: see [`Events::signature`](crate::Events::signature).
    pub types: bool,
    /// All calls of MPI made while recording was on: none was left out by a filter.
    pub calls: bool,
}

impl Default for Told {
    /// Everything, as the text fixtures can tell it.
    fn default() -> Told {
        Told {
            wildcards: true,
            posted: true,
            types: true,
            calls: true,
        }
    }
}

/// A place in the program that calls MPI.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallSite {
    /// The executable or library, as the process knew it; may be empty.
    pub module: String,
    /// Its build id in hexadecimal digits; may be empty.
    pub build_id: String,
    /// Where the call returns to, from the module's begin.
    pub offset: u64,
    /// The function around it, if symbols tell.
    pub function: Option<String>,
    /// Its source file, if debug information tells.
    pub file: Option<String>,
    /// Its line in the source file.
    pub line: Option<u32>,
}

impl std::fmt::Display for CallSite {
    /// Writes `heat.c:42`, or as much as is known: `heat.c`, `heat+0x11d3`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}"),
            (Some(file), None) => write!(f, "{file}"),
            (None, _) => write!(f, "{}+{:#x}", self.module, self.offset),
        }
    }
}

/// Something that has a value at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// What it is counted in; empty if nobody says.
    pub unit: String,
    /// Whether it is a counter: it grows from the begin of its location on.
    pub accumulated: bool,
}

/// A part of the program that is entered and left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Name as shown: `MPI_Send`, `solve`.
    pub name: String,
    /// What it does.
    pub role: RegionRole,
    /// Which programming model it belongs to.
    pub paradigm: Paradigm,
    /// Source file, `MPI` for the functions of MPI, empty if unknown.
    pub source_file: String,
    /// First line in the source file, 0 if unknown.
    pub begin_line: u32,
    /// Last line in the source file, 0 if unknown.
    pub end_line: u32,
}

/// What a region does, as far as analyses ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegionRole {
    /// Not known.
    #[default]
    Unknown,
    /// A function.
    Function,
    /// Point-to-point communication.
    PointToPoint,
    /// A collective with one sender: broadcast, scatter.
    OneToAll,
    /// A collective with one receiver: reduce, gather.
    AllToOne,
    /// A collective in which everybody sends and receives.
    AllToAll,
    /// Any other collective: scans.
    OtherCollective,
    /// A barrier.
    Barrier,
    /// A barrier that the end of a construct implies.
    ImplicitBarrier,
    /// A wait for tasks.
    TaskWait,
    /// A critical section, with the wait for it.
    Critical,
    /// A wait for threads to end, or for the others of a team.
    ThreadWait,
    /// One of the many roles of OTF2 that no analysis asks for, by its number.
    Other(u8),
}

/// Programming model that a region, group or communicator belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paradigm {
    /// Not known.
    #[default]
    Unknown,
    /// The user's own annotation.
    User,
    /// Functions instrumented by a compiler.
    Compiler,
    /// MPI.
    Mpi,
    /// OpenMP.
    OpenMp,
    /// POSIX threads.
    Pthread,
    /// Any other paradigm of OTF2, by its number.
    Other(u8),
}

/// A communicator: who is in it, under which rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Communicator {
    /// Name as given by MPI or the user; may be empty.
    pub name: String,
    /// The communicator it was made from.
    pub parent: Option<CommId>,
    /// World rank of each member; a member's position is its rank in here.
    /// Empty for MPI_COMM_SELF.
    pub members: Vec<Rank>,
    /// World ranks of the other group, of an intercommunicator.
    pub remote: Option<Vec<Rank>>,
    /// One definition stands for the MPI_COMM_SELF of every process.
    pub is_self: bool,
    /// For each rank those it sends to in a neighbourhood operation, if the
    /// communicator has a topology that the trace tells.
    pub destinations: Option<Vec<Vec<u32>>>,
}

/// A window: memory of each process of a communicator, open to the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Name as given by MPI or the user; may be empty.
    pub name: String,
    /// Whose ranks name the processes.
    pub comm: CommId,
}

impl Communicator {
    /// Returns the world rank of `peer`, a rank as `me` writes it: in the
    /// other group if this is an intercommunicator.
    pub fn peer(&self, me: Rank, peer: u32) -> Option<Rank> {
        if self.is_self {
            return (peer == 0).then_some(me);
        }
        self.group_facing(me).get(peer as usize).copied()
    }

    /// Returns the rank of `world` in its own group.
    pub fn rank_of(&self, world: Rank) -> Option<u32> {
        if self.is_self {
            return Some(0);
        }
        let within = |group: &[Rank]| Some(group.iter().position(|&r| r == world)? as u32);
        within(&self.members).or_else(|| within(self.remote.as_deref()?))
    }

    /// Returns the group that `me` addresses: its own, or across an
    /// intercommunicator the other one.
    pub fn group_facing(&self, me: Rank) -> &[Rank] {
        match &self.remote {
            Some(remote) if self.members.contains(&me) => remote,
            _ => &self.members,
        }
    }

    /// Returns how many processes take part in a collective operation.
    pub fn size(&self) -> usize {
        match self.is_self {
            true => 1,
            false => self.members.len() + self.remote.as_ref().map_or(0, Vec::len),
        }
    }
}

/// A process (a location group of the archive).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// Rank in the world.
    pub rank: Rank,
    /// Name as shown: `rank 3`.
    pub name: String,
    /// The node it ran on, in [`Definitions::system_tree`].
    pub node: Option<u32>,
    /// What it got of the processors, where the trace tells.
    pub scheduled: Option<Scheduled>,
}

/// What a process got of the processors while it was traced, between the end of `MPI_Init` and
/// `MPI_Finalize`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// How long its threads were ready to run and had no processor, added up.
    pub delay: Duration,
    /// How many processors it was allowed to run on.
    pub processors: u32,
}

/// A node of the system tree: the machine, a host, or a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemTreeNode {
    /// Name: of a host, its host name.
    pub name: String,
    /// Class: `machine`, `node`.
    pub class: String,
    /// Number of the node above.
    pub parent: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peer_of_an_intercommunicator_is_in_the_other_group() {
        let comm = Communicator {
            members: vec![Rank(0), Rank(1)],
            remote: Some(vec![Rank(5), Rank(3)]),
            ..Communicator::default()
        };
        assert_eq!(comm.peer(Rank(1), 0), Some(Rank(5)));
        assert_eq!(comm.peer(Rank(3), 0), Some(Rank(0)));
        assert_eq!(comm.peer(Rank(3), 2), None);
        assert_eq!(comm.rank_of(Rank(3)), Some(1));
    }
}
