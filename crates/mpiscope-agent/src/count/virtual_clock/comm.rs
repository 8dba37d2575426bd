//! What a process knows of a communicator, to find partners in it.

use std::path::Path;

use mpi_abi::Role;
use mpiscope_run::process::{Communicator, Members, UNCERTAIN};
use mpiscope_run::record::NO_ROOT;

use super::channels::{Begun, Remote};
use super::with_remote_clocks;
use crate::base::clock::ticks;
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
    /// Whether it is known at its post which message a receive meets: not after one from anybody,
    /// and one that failed.
    pub knows_posts: bool,
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
    /// Of which operations they tell each other.
    remote: Remote,
    /// Operations entered.
    entered: u64,
    latest: Stamp,
}

impl Comm {
    /// Takes over what is defined; `here` are the world ranks of this host. A file in
    /// which they tell each other of collective operations is made if it `may_make` one; those of
    /// other hosts are told of what `remote` says.
    pub fn new(
        defined: &Communicator,
        folder: &Path,
        rank: u32,
        here: &Members,
        may_make: bool,
        remote: Remote,
    ) -> Self {
        let near = |member: u32| here.iter().any(|near| near == member);
        let members: Vec<u32> = defined.members.iter().collect();
        let own = members.iter().position(|&member| member == rank);
        let certain = defined.identity != UNCERTAIN;
        let own = own.filter(|_| certain && defined.remote.is_none() && members.len() > 1);
        let meets = match own {
            None => Meets::Nowhere,
            Some(own) if members.iter().all(|&member| near(member)) => {
                let open = || CollectiveStamps::open(folder, defined.identity, own, members.len());
                match may_make.then(open) {
                    Some(Ok(stamps)) => Meets::Here(stamps),
                    _ => Meets::Nowhere,
                }
            }
            Some(_) if remote == Remote::Nothing => Meets::Nowhere,
            Some(own) => Meets::RemoteClocks(Travelled {
                members,
                own,
                remote,
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
            knows_posts: true,
            meets,
        }
    }

    /// That of a process that is alone.
    pub fn of_one() -> Self {
        Self {
            identity: 0,
            peers: vec![0],
            knows_posts: true,
            meets: Meets::Nowhere,
        }
    }

    /// Which of its operations is which is not known any more.
    pub fn lose_entries(&mut self) {
        self.meets = Meets::Nowhere;
    }

    /// Whether its members tell each other in a file.
    pub fn has_file(&self) -> bool {
        matches!(self.meets, Meets::Here(_))
    }

    /// So many of its operations came by unobserved.
    pub fn skip(&mut self, many: u64) {
        match &mut self.meets {
            Meets::Here(meeting) => meeting.skip(many),
            Meets::RemoteClocks(travelled) => travelled.entered += many,
            Meets::Nowhere => {}
        }
    }

    /// A blocking collective operation begins; returns which one it is, and the ticks that it took
    /// to tell other hosts.
    pub fn enter(&mut self, role: Role, root: u32, now: Stamp) -> (u64, u64) {
        match &mut self.meets {
            Meets::Here(meeting) => (meeting.enter(now), 0),
            Meets::RemoteClocks(travelled) => {
                let began = ticks();
                let dependents = travelled.enter(self.identity, role, root, now);
                let number = travelled.entered;
                if dependents.is_empty() {
                    return (number, 0);
                }
                let operation = (self.identity, number);
                with_remote_clocks(|remote_clocks| {
                    remote_clocks.enter(operation, &dependents, now)
                });
                (number, ticks().saturating_sub(began))
            }
            Meets::Nowhere => (0, 0),
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
    /// this member depended on, nothing for one that is not known. Returns the ticks that it took to
    /// ask other hosts.
    pub fn leave(&mut self, op: u8, begun: Begun, mut told: impl FnMut(Option<Stamp>)) -> u64 {
        let role = role_of(op);
        match &mut self.meets {
            Meets::Here(meeting) => {
                for member in depends_on(role, begun.root, meeting.rank, meeting.size) {
                    told(meeting.entered(member, begun.number));
                }
                0
            }
            Meets::RemoteClocks(travelled) => {
                let began = ticks();
                let (all, size) = (is_among_all(role), travelled.members.len());
                let on: Vec<usize> = depends_on(role, begun.root, travelled.own, size).collect();
                if on.is_empty() {
                    return 0;
                }
                if is_for_too_many(role, size) || !travelled.remote.has(self.identity, begun.number)
                {
                    told(None);
                    return 0;
                }
                let operation = (self.identity, begun.number);
                let latest = travelled.leave(operation, all, &on);
                told(latest);
                if all && latest.is_none() {
                    self.meets = Meets::Nowhere;
                }
                ticks().saturating_sub(began)
            }
            Meets::Nowhere => {
                told(None);
                0
            }
        }
    }
}

impl Travelled {
    /// Returns those who depend on our entry, and are to be told of it directly.
    fn enter(&mut self, identity: u64, role: Role, root: u32, now: Stamp) -> Vec<u32> {
        self.entered += 1;
        self.latest = now;
        let size = self.members.len();
        let silent = !self.remote.has(identity, self.entered);
        if silent || is_among_all(role) || is_for_too_many(role, size) {
            return Vec::new();
        }
        let others = (0..size).filter(|&member| member != self.own);
        let depends = |&member: &usize| depends_on(role, root, member, size).any(|m| m == self.own);
        let dependents = others.filter(depends).map(|member| self.members[member]);
        dependents.collect()
    }

    fn leave(&mut self, operation: Operation, all: bool, on: &[usize]) -> Option<Stamp> {
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
fn depends_on(role: Role, root: u32, rank: usize, size: usize) -> impl Iterator<Item = usize> {
    let (root, has_root) = (root as usize, root != NO_ROOT);
    let all = match role {
        Role::Barrier | Role::CollAll2All => 0..size,
        Role::CollOne2All if has_root => root..root + 1,
        Role::CollAll2One if root == rank => 0..size,
        _ => 0..0,
    };
    all.filter(move |&member| member != rank)
}
