//! The communicators of the process: from a handle to an id, a size, a rank.
//!
//! A communicator is known by the same identity on all its members without
//! any communication: the parent's identity, the members in order, and how
//! many communicators of the same parent and members there were before. MPI
//! requires all members to create them in the same order (MPI 4.1, §7.4). What
//! is made from a group alone has its tag in place of a parent: in which order
//! groups of other tags are made is not said.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use mpi_abi::{Code, Mpi};
use mpiscope_run::process::{Communicator, Definition, Members, Neighbors, Place};
use mpiscope_run::record::MAX_COMM;

use crate::session::Session;
use crate::thread::Thread;

/// What hooks need to know of a communicator.
#[derive(Debug)]
pub struct Comm {
    /// Process-local id.
    pub id: u32,
    /// Our rank in it.
    pub rank: u32,
    /// Size of the group that collective operations exchange data with: the
    /// remote one for an intercommunicator.
    pub size: u32,
    /// Size of our own group.
    pub local_size: u32,
    /// Whether it is an intercommunicator.
    pub inter: bool,
    /// Who is beside us, if it has a topology.
    beside: OnceLock<Beside>,
    /// How many persistent collectives were initialised on it.
    persistent: AtomicU32,
    identity: u64,
    members: Members,
    remote: Option<Members>,
}

/// Our neighbours in the topology of a communicator.
#[derive(Debug, Clone)]
pub struct Beside {
    /// How many of them send to us.
    pub sources: u32,
    /// To how many we send.
    pub destinations: u32,
    /// Those of both that are MPI_PROC_NULL, at the ends of a grid.
    pub absent: Vec<u32>,
    /// Who they are.
    pub neighbors: Neighbors,
}

/// What a communicator was made from.
#[derive(Clone, Copy)]
pub enum Origin {
    /// Another one.
    Comm(&'static Comm),
    /// A group and a tag, of which this is a hash.
    Tag(u64),
    /// Something that is not the same for all members.
    Unknown,
}

impl Origin {
    /// Returns the hash of a group's tag.
    pub fn tag(text: &str) -> Self {
        Origin::Tag(hash(&text))
    }

    fn comm(self) -> Option<&'static Comm> {
        match self {
            Origin::Comm(comm) => Some(comm),
            Origin::Tag(_) | Origin::Unknown => None,
        }
    }

    /// The same on all members.
    fn identity(self) -> u64 {
        match self {
            Origin::Comm(comm) => comm.identity,
            Origin::Tag(hash) => hash,
            Origin::Unknown => 0,
        }
    }
}

impl Comm {
    /// Returns the number of the next persistent collective.
    pub fn next_persistent(&self) -> u32 {
        self.persistent.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns who is beside us.
    pub fn beside(&self) -> Option<&Beside> {
        self.beside.get()
    }

    /// Says who is beside us, just after it was made.
    pub fn set_beside(&self, session: &Session, beside: Beside) {
        session.define(&Definition::Place(Place {
            comm: self.id,
            rank: self.rank,
            neighbors: beside.neighbors.clone(),
        }));
        let _ = self.beside.set(beside);
    }
}

/// Registry of all communicators seen.
#[derive(Default)]
pub struct Comms {
    known: Mutex<Known>,
    /// Advanced when a handle is forgotten, so that threads drop what they remember.
    generation: AtomicU32,
}

#[derive(Default)]
struct Known {
    by_handle: HashMap<usize, Option<&'static Comm>>,
    /// How often communicators of this parent and these members were made.
    made: HashMap<u64, u32>,
    next_id: u32,
}

impl Comms {
    /// Looks a handle up. A communicator that nobody saw being made is
    /// defined now; one that reaches beyond MPI_COMM_WORLD is not observed.
    #[inline]
    pub fn get(&self, thread: &mut Thread, handle: usize) -> Option<&'static Comm> {
        let generation = self.generation.load(Ordering::Acquire);
        match thread.last_comm {
            Some((last, then, comm)) if last == handle && then == generation => Some(comm),
            _ => self.look_up(thread, handle, generation),
        }
    }

    #[cold]
    fn look_up(
        &self,
        thread: &mut Thread,
        handle: usize,
        generation: u32,
    ) -> Option<&'static Comm> {
        let known = self.lock().by_handle.get(&handle).copied();
        let comm = known.unwrap_or_else(|| self.discover(thread.session, handle))?;
        thread.last_comm = Some((handle, generation, comm));
        Some(comm)
    }

    /// Registers a communicator that is used, but was not seen being made.
    fn discover(&self, session: &Session, handle: usize) -> Option<&'static Comm> {
        let described = describe(session.mpi, handle);
        self.register(session, handle, described, Origin::Unknown, "", false)
    }

    /// Registers and defines a communicator just made.
    pub fn add(
        &self,
        session: &Session,
        handle: usize,
        origin: Origin,
        name: &str,
    ) -> Option<&'static Comm> {
        let described = describe(session.mpi, handle);
        self.register(session, handle, described, origin, name, true)
    }

    /// Registers a duplicate that MPI is still making: nothing may be asked
    /// about it yet, but it will have the members of its parent.
    pub fn add_duplicate(
        &self,
        session: &Session,
        handle: usize,
        parent: &'static Comm,
    ) -> Option<&'static Comm> {
        let described = Description {
            rank: parent.rank,
            members: parent.members.clone(),
            remote: parent.remote.clone(),
        };
        let origin = Origin::Comm(parent);
        self.register(session, handle, Some(described), origin, "", true)
    }

    fn register(
        &self,
        session: &Session,
        handle: usize,
        described: Option<Description>,
        origin: Origin,
        name: &str,
        new: bool,
    ) -> Option<&'static Comm> {
        if handle == session.mpi.abi.comm_null {
            return None;
        }
        let mut known = self.lock();
        if let (false, Some(comm)) = (new, known.by_handle.get(&handle)) {
            return *comm; // another thread was faster
        }
        let comm = described.and_then(|d| known.number(d, origin, name));
        let (comm, definition) = match comm {
            Some((comm, definition)) => (Some(&*Box::leak(Box::new(comm))), Some(definition)),
            None => (None, None),
        };
        if known.by_handle.insert(handle, comm).is_some() {
            self.generation.fetch_add(1, Ordering::AcqRel);
        }
        drop(known);
        if let Some(definition) = definition {
            session.define(&Definition::Communicator(definition));
        }
        comm
    }

    /// Forgets a handle about to be freed, and returns what it meant.
    pub fn forget(&self, handle: usize) -> Option<&'static Comm> {
        let comm = self.lock().by_handle.remove(&handle).flatten();
        self.generation.fetch_add(1, Ordering::AcqRel);
        comm
    }

    /// Takes `forget` back, for a free that failed.
    pub fn restore(&self, handle: usize, comm: &'static Comm) {
        self.lock().by_handle.insert(handle, Some(comm));
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What MPI says of a communicator.
#[derive(Clone, Debug)]
pub struct Description {
    /// Our rank in our group.
    pub rank: u32,
    /// World ranks of our group.
    pub members: Members,
    /// Those of the other group, if there is one.
    pub remote: Option<Members>,
}

impl Known {
    fn number(
        &mut self,
        described: Description,
        origin: Origin,
        name: &str,
    ) -> Option<(Comm, Communicator)> {
        if self.next_id > MAX_COMM {
            return None;
        }
        let Description {
            rank,
            members,
            remote,
        } = described;
        let same = hash(&(origin.identity(), sorted(&members, &remote)));
        let count = self.made.entry(same).or_default();
        let identity = hash(&(same, *count));
        *count += 1;
        let id = self.next_id;
        self.next_id += 1;
        let comm = Comm {
            id,
            rank,
            size: remote.as_ref().unwrap_or(&members).len() as u32,
            local_size: members.len() as u32,
            inter: remote.is_some(),
            beside: OnceLock::new(),
            persistent: AtomicU32::new(0),
            identity,
            members: members.clone(),
            remote: remote.clone(),
        };
        let definition = Communicator {
            id,
            parent: origin.comm().map(|parent| parent.id),
            name: name.to_owned(),
            identity,
            members,
            remote,
        };
        Some((comm, definition))
    }
}

/// The two groups of an intercommunicator in an order on which both sides agree.
pub fn sorted<'a>(members: &'a Members, remote: &'a Option<Members>) -> [Option<&'a Members>; 2] {
    let mut groups = [Some(members), remote.as_ref()];
    if remote.is_some() {
        groups.sort();
    }
    groups
}

/// Returns a hash that is the same in every process.
pub fn hash(value: &impl Hash) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hasher);
    hasher.finish()
}

/// FNV-1a: the same in every process, which the standard library does not promise of its own.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Asks MPI who the members are; nothing for no communicator, or if one is
/// outside MPI_COMM_WORLD. No lock of ours is held meanwhile.
pub fn describe(mpi: &Mpi, comm: usize) -> Option<Description> {
    if comm == mpi.abi.comm_null {
        return None;
    }
    ask(mpi, comm).ok().flatten()
}

fn ask(mpi: &Mpi, comm: usize) -> Result<Option<Description>, Code> {
    // SAFETY: the handle is one that MPI has just given to the program, or that the program passes to MPI.
    unsafe {
        let rank = mpi.comm_rank(comm)?;
        let Some(members) = world_ranks(mpi, mpi.comm_group(comm)?)? else {
            return Ok(None);
        };
        let remote = if mpi.comm_test_inter(comm)? {
            match world_ranks(mpi, mpi.comm_remote_group(comm)?)? {
                Some(remote) => Some(remote),
                None => return Ok(None),
            }
        } else {
            None
        };
        Ok(Some(Description {
            rank: rank as u32,
            members,
            remote,
        }))
    }
}

/// Translates a group to world ranks, and frees it.
///
/// # Safety
/// `group` is a group that nobody else uses.
unsafe fn world_ranks(mpi: &Mpi, group: usize) -> Result<Option<Members>, Code> {
    // SAFETY: the groups are our own, made here and freed here.
    unsafe {
        let size = mpi.group_size(group)?;
        let ranks: Vec<i32> = (0..size).collect();
        let world = mpi.comm_group(mpi.abi.comm_world)?;
        let translated = mpi.group_translate_ranks(group, &ranks, world)?;
        mpi.group_free(world)?;
        mpi.group_free(group)?;
        if translated.contains(&mpi.abi.undefined) {
            return Ok(None);
        }
        let translated: Vec<u32> = translated.iter().map(|&rank| rank as u32).collect();
        Ok(Some(Members::new(&translated)))
    }
}
