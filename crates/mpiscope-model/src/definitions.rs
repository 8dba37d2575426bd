//! What events refer to by number: regions, communicators, processes, hosts.
//!
//! Numbers are dense from 0 and typed, so that a region's cannot be taken for
//! a communicator's. Names are held where they are used; an archive's string
//! table is folded in by its reader.

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
    /// Processes (location groups), in the order of their world ranks.
    pub processes: Vec<Process>,
    /// Machine, nodes, and what lies between, parents before children.
    pub system_tree: Vec<SystemTreeNode>,
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
    /// One of the many roles of OTF2 that no analysis asks for, by its number.
    Other(u8),
}

/// Programming model that a region, group or communicator belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

macro_rules! collective_ops {
    ($($op:ident = $number:literal $name:literal, $doc:literal;)*) => {
        /// Collective operations, under OTF2's numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CollectiveOp {
            $(#[doc = $doc] $op,)*
            /// An operation this table does not name, by its number.
            Other(u8),
        }

        impl CollectiveOp {
            /// The operations that have a name, in the order of their numbers.
            pub const NAMED: &'static [CollectiveOp] = &[$(CollectiveOp::$op),*];

            /// Returns the operation of an OTF2 number.
            pub fn from_number(number: u8) -> CollectiveOp {
                match number {
                    $($number => CollectiveOp::$op,)*
                    other => CollectiveOp::Other(other),
                }
            }

            /// Returns the operation's OTF2 number.
            pub fn number(self) -> u8 {
                match self {
                    $(CollectiveOp::$op => $number,)*
                    CollectiveOp::Other(number) => number,
                }
            }

            /// Returns the name in lower case, without `MPI_`.
            pub fn name(self) -> &'static str {
                match self {
                    $(CollectiveOp::$op => $name,)*
                    CollectiveOp::Other(_) => "collective",
                }
            }
        }
    };
}

collective_ops! {
    Barrier = 0 "barrier", "MPI_Barrier";
    Bcast = 1 "bcast", "MPI_Bcast";
    Gather = 2 "gather", "MPI_Gather";
    Gatherv = 3 "gatherv", "MPI_Gatherv";
    Scatter = 4 "scatter", "MPI_Scatter";
    Scatterv = 5 "scatterv", "MPI_Scatterv";
    Allgather = 6 "allgather", "MPI_Allgather";
    Allgatherv = 7 "allgatherv", "MPI_Allgatherv";
    Alltoall = 8 "alltoall", "MPI_Alltoall";
    Alltoallv = 9 "alltoallv", "MPI_Alltoallv";
    Alltoallw = 10 "alltoallw", "MPI_Alltoallw";
    Allreduce = 11 "allreduce", "MPI_Allreduce";
    Reduce = 12 "reduce", "MPI_Reduce";
    ReduceScatter = 13 "reduce_scatter", "MPI_Reduce_scatter";
    Scan = 14 "scan", "MPI_Scan";
    Exscan = 15 "exscan", "MPI_Exscan";
    ReduceScatterBlock = 16 "reduce_scatter_block", "MPI_Reduce_scatter_block";
    CreateHandle = 17 "create_handle", "Creation of a handle, such as a communicator's.";
    DestroyHandle = 18 "destroy_handle", "Destruction of a handle.";
    Allocate = 19 "allocate", "Collective allocation.";
    Deallocate = 20 "deallocate", "Collective deallocation.";
    CreateHandleAndAllocate = 21 "create_handle_and_allocate", "Creation with allocation.";
    DestroyHandleAndDeallocate = 22 "destroy_handle_and_deallocate", "Destruction with deallocation.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_keeps_its_number() {
        for number in 0..=255 {
            assert_eq!(CollectiveOp::from_number(number).number(), number);
        }
        assert_eq!(CollectiveOp::NAMED.len(), 23);
    }

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
