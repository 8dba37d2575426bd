//! What a process knows of a communicator, to find partners in it.

use std::path::Path;

use mpi_abi::Role;
use mpiscope_run::process::{Communicator, Members, UNCERTAIN};
use mpiscope_run::record::NO_ROOT;

use super::channels::Begun;
use super::with_remote_clocks;
use crate::peers::clock_ring::Stamp;
use crate::peers::collective_stamps::CollectiveStamps;
use crate::peers::remote_clocks::Operation;

/// Who begins an operation for more members than this on several hosts tells them nothing.
const MANY: usize = 256;

/// A communicator.
pub struct Comm {
    /// What all its members call it.
    pub identity: u64,
    /// World ranks that messages go to; none if members cannot tell while the
    /// program runs which communicator it is.
    pub peers: Vec<u32>,
    /// A receive from anybody was posted: which receive a message meets is not known at its post.
    pub wildcards: bool,
    meets: Meets,
}

/// How members tell when they enter collective operations.
enum Meets {
    Here(CollectiveStamps),
    RemoteClocks(Travelled),
    Nowhere,
}

/// Members of several hosts.
struct Travelled {
    members: Vec<u32>,
    own: usize,
    /// Operations entered.
    entered: u64,
    latest: Stamp,
}

impl Comm {
    /// Takes over what is defined; `here` are the world ranks of this host, and others may be asked
    /// if `asks_remote`.
    pub fn new(
        defined: &Communicator,
        folder: &Path,
        rank: u32,
        here: &Members,
        asks_remote: bool,
    ) -> Self {
        let near = |member: u32| here.iter().any(|near| near == member);
        let members: Vec<u32> = defined.members.iter().collect();
        let own = members.iter().position(|&member| member == rank);
        let certain = defined.identity != UNCERTAIN;
        let own = own.filter(|_| certain && defined.remote.is_none() && members.len() > 1);
        let meets = match own {
            None => Meets::Nowhere,
            Some(own) if members.iter().all(|&member| near(member)) => {
                CollectiveStamps::open(folder, defined.identity, own, members.len())
                    .map_or(Meets::Nowhere, Meets::Here)
            }
            Some(_) if !asks_remote => Meets::Nowhere,
            Some(own) => Meets::RemoteClocks(Travelled {
                members,
                own,
                entered: 0,
                latest: Stamp::default(),
            }),
        };
        Self {
            identity: defined.identity,
            peers: (defined.remote.as_ref())
                .unwrap_or(&defined.members)
                .iter()
                .filter(|_| certain)
                .collect(),
            wildcards: false,
            meets,
        }
    }

    /// A blocking collective operation begins; returns which one it is, and whether other hosts
    /// were told.
    pub fn enter(&mut self, role: Role, root: u32, now: Stamp) -> (u64, bool) {
        match &mut self.meets {
            Meets::Here(meeting) => (meeting.enter(now), false),
            Meets::RemoteClocks(travelled) => {
                let dependents = travelled.enter(role, root, now);
                let number = travelled.entered;
                let operation = (self.identity, number);
                let told = !dependents.is_empty();
                if told {
                    with_remote_clocks(|remote_clocks| {
                        remote_clocks.enter(operation, &dependents, now)
                    });
                }
                (number, told)
            }
            Meets::Nowhere => (0, false),
        }
    }

    /// A nonblocking one begins; returns which one it is, if its members can tell each other.
    pub fn initiate(&mut self, now: Stamp) -> Option<u64> {
        match &mut self.meets {
            Meets::Here(meeting) => Some(meeting.enter(now)),
            Meets::RemoteClocks(_) | Meets::Nowhere => None,
        }
    }

    /// The operation that is OTF2's `op` has ended: calls `told` with the entries of those that
    /// this member depended on, nothing for one that is not known. Returns whether other hosts
    /// were asked.
    pub fn leave(&mut self, op: u8, begun: Begun, mut told: impl FnMut(Option<Stamp>)) -> bool {
        let role = role_of(op);
        match &mut self.meets {
            Meets::Here(meeting) => {
                for member in depends_on(role, begun.root, meeting.rank, meeting.size) {
                    told(meeting.entered(member, begun.number));
                }
                false
            }
            Meets::RemoteClocks(travelled) => {
                let (all, size) = (is_among_all(role), travelled.members.len());
                let on = depends_on(role, begun.root, travelled.own, size);
                if on.is_empty() {
                    return false;
                }
                if is_for_too_many(role, size) {
                    told(None);
                    return false;
                }
                let latest = travelled.leave(self.identity, all, &on);
                told(latest);
                if all && latest.is_none() {
                    self.meets = Meets::Nowhere;
                }
                true
            }
            Meets::Nowhere => {
                told(None);
                false
            }
        }
    }
}

impl Travelled {
    /// Returns those who depend on our entry, and are to be told of it directly.
    fn enter(&mut self, role: Role, root: u32, now: Stamp) -> Vec<u32> {
        self.entered += 1;
        self.latest = now;
        let size = self.members.len();
        if is_among_all(role) || is_for_too_many(role, size) {
            return Vec::new();
        }
        let others = (0..size).filter(|&member| member != self.own);
        let depends = |&member: &usize| depends_on(role, root, member, size).contains(&self.own);
        let dependents = others.filter(depends).map(|member| self.members[member]);
        dependents.collect()
    }

    fn leave(&mut self, identity: u64, all: bool, on: &[usize]) -> Option<Stamp> {
        let operation: Operation = (identity, self.entered);
        let latest = match all {
            true => with_remote_clocks(|remote_clocks| {
                remote_clocks.latest(operation, &self.members, self.own, self.latest)
            }),
            false => {
                let members: Vec<u32> = on.iter().map(|&member| self.members[member]).collect();
                with_remote_clocks(|remote_clocks| remote_clocks.entered(operation, &members))
            }
        };
        latest.flatten()
    }
}

/// Returns what an operation by OTF2's number is; those among neighbours, and scans, depend on
/// some members only.
fn role_of(op: u8) -> Role {
    const ROLES: [Role; 15] = [
        Role::Barrier,
        Role::CollOne2All, // Bcast
        Role::CollAll2One, // Gather, Gatherv
        Role::CollAll2One,
        Role::CollOne2All, // Scatter, Scatterv
        Role::CollOne2All,
        Role::CollAll2All, // Allgather, Allgatherv
        Role::CollAll2All,
        Role::CollAll2All, // Alltoall, Alltoallv, Alltoallw
        Role::CollAll2All,
        Role::CollAll2All,
        Role::CollAll2All, // Allreduce
        Role::CollAll2One, // Reduce
        Role::CollAll2All, // Reduce_scatter, Reduce_scatter_block
        Role::CollAll2All,
    ];
    ROLES
        .get(usize::from(op))
        .copied()
        .unwrap_or(Role::CollOther)
}

/// Whether a root would have to tell so many that it tells nobody.
fn is_for_too_many(role: Role, size: usize) -> bool {
    size > MANY && role == Role::CollOne2All
}

fn is_among_all(role: Role) -> bool {
    matches!(role, Role::Barrier | Role::CollAll2All)
}

/// Returns the members of a collective operation without whose entry a member cannot leave it.
fn depends_on(role: Role, root: u32, rank: usize, size: usize) -> Vec<usize> {
    let others = (0..size).filter(|&member| member != rank);
    let is_root = root as usize == rank;
    match role {
        Role::Barrier | Role::CollAll2All => others.collect(),
        Role::CollOne2All if root != NO_ROOT && !is_root => vec![root as usize],
        Role::CollAll2One if is_root => others.collect(),
        _ => Vec::new(),
    }
}
