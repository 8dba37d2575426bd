//! The communicators of the process: from a handle to an id, a size, a rank.
//!
//! How a communicator is named, so that its members know it as the same one
//! without any communication, `mpiscope_run::naming` says.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use mpi_abi::{Code, Mpi};
use mpiscope_run::naming::{Known as Parent, Leader, Naming, Origin};
use mpiscope_run::process::{
    Communicator, Definition, Members, Neighbors, TopologyPlace, WORLD_ID,
};
use mpiscope_run::record::MAX_COMM;

use super::process::{is_initialized, Process};
use crate::base::definitions;

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

impl Comm {
    /// Returns the number of the next persistent collective.
    pub fn next_persistent(&self) -> u32 {
        self.persistent.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns who is beside us.
    pub fn beside(&self) -> Option<&Beside> {
        self.beside.get()
    }

    /// Returns how it is known where others are made from it.
    pub fn parent(&self) -> Parent {
        Parent {
            id: self.id,
            identity: self.identity,
        }
    }

    /// Returns what this process knows of a meeting here with the leader of another side.
    pub fn leader(&self, remote_leader: i32, tag: i32) -> Option<Leader> {
        let others = self.remote.as_ref().unwrap_or(&self.members);
        let remote = others.iter().nth(usize::try_from(remote_leader).ok()?)?;
        let own = self.members.iter().nth(self.rank as usize)?;
        Some(Leader {
            peer: self.parent(),
            ranks: [own, remote],
            tag,
        })
    }

    /// Says who is beside us, just after it was made.
    pub fn set_beside(&self, beside: Beside) {
        definitions::tell(&Definition::Place(TopologyPlace {
            comm: self.id,
            rank: self.rank,
            neighbors: beside.neighbors.clone(),
        }));
        let _ = self.beside.set(beside);
    }
}

/// The communicator that a thread used last: handle, generation of the registry, answer.
#[derive(Default)]
pub struct Latest(Option<(usize, u32, &'static Comm)>);

impl Latest {
    /// Looks a handle up. A communicator that nobody saw being made is
    /// defined now; one that reaches beyond MPI_COMM_WORLD is not observed.
    #[inline]
    pub fn of(&mut self, process: &Process, handle: usize) -> Option<&'static Comm> {
        let generation = process.comms.generation.load(Ordering::Acquire);
        match self.0 {
            Some((last, then, comm)) if last == handle && then == generation => Some(comm),
            _ => self.look_up(process, handle, generation),
        }
    }

    /// Returns what is known of a handle if it was the last that was looked up.
    #[inline(always)]
    pub fn latest(&self, process: &Process, handle: usize) -> Option<&'static Comm> {
        let (last, then, comm) = self.0?;
        let generation = process.comms.generation.load(Ordering::Acquire);
        (last == handle && then == generation).then_some(comm)
    }

    #[cold]
    fn look_up(
        &mut self,
        process: &Process,
        handle: usize,
        generation: u32,
    ) -> Option<&'static Comm> {
        let comms = &process.comms;
        let known = comms.lock().by_handle.get(&handle).copied();
        let comm = known.unwrap_or_else(|| comms.discover(process, handle))?;
        self.0 = Some((handle, generation, comm));
        Some(comm)
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
    naming: Naming,
    next_id: u32,
}

impl Comms {
    /// Registers a communicator that is used, but was not seen being made.
    fn discover(&self, process: &Process, handle: usize) -> Option<&'static Comm> {
        let described = describe(process.mpi, handle);
        self.register(process, handle, described, Origin::Unseen, None)
    }

    /// Registers and defines a communicator just made of `parent`, or of none.
    pub fn add(
        &self,
        process: &Process,
        handle: usize,
        origin: Origin,
        parent: Option<&Comm>,
    ) -> Option<&'static Comm> {
        let described = describe(process.mpi, handle);
        self.register(process, handle, described, origin, parent)
    }

    /// Registers what is there from the start, where MPI cannot be asked about it: members are world
    /// ranks, `rank` is ours among them.
    pub fn add_predefined(
        &self,
        process: &Process,
        handle: usize,
        id: u32,
        rank: u32,
        members: &[u32],
    ) {
        let described = Description {
            rank,
            members: Members::new(members),
            remote: None,
        };
        let origin = Origin::Predefined(id);
        self.register(process, handle, Some(described), origin, None);
    }

    /// Registers a duplicate that MPI is still making: nothing may be asked
    /// about it yet, but it will have the members of its parent.
    pub fn add_duplicate(
        &self,
        process: &Process,
        handle: usize,
        parent: &'static Comm,
    ) -> Option<&'static Comm> {
        let described = Description {
            rank: parent.rank,
            members: parent.members.clone(),
            remote: parent.remote.clone(),
        };
        let origin = Origin::Collective(parent.parent());
        self.register(process, handle, Some(described), origin, Some(parent))
    }

    fn register(
        &self,
        process: &Process,
        handle: usize,
        described: Option<Description>,
        origin: Origin,
        parent: Option<&Comm>,
    ) -> Option<&'static Comm> {
        if handle == process.mpi.abi.comm_null {
            return None;
        }
        let mut known = self.lock();
        if let (Origin::Unseen, Some(comm)) = (origin, known.by_handle.get(&handle)) {
            return *comm; // another thread was faster
        }
        let comm = described.and_then(|d| known.number(d, origin, parent));
        let (comm, definition) = match comm {
            Some((comm, definition)) => (Some(&*Box::leak(Box::new(comm))), Some(definition)),
            None => (None, None),
        };
        if known.by_handle.insert(handle, comm).is_some() {
            self.generation.fetch_add(1, Ordering::AcqRel);
        }
        drop(known);
        if let Some(definition) = definition {
            definitions::tell(&Definition::Communicator(definition));
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
        parent: Option<&Comm>,
    ) -> Option<(Comm, Communicator)> {
        if self.next_id > MAX_COMM {
            return None;
        }
        let Description {
            rank,
            members,
            remote,
        } = described;
        let name = self.naming.next(origin, &members, remote.as_ref());
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
            identity: name.identity,
            members: members.clone(),
            remote: remote.clone(),
        };
        let definition = Communicator {
            id,
            parent: parent.map(|parent| parent.id),
            name: predefined(origin).to_owned(),
            identity: name.identity,
            members,
            remote,
            mark: name.mark,
            side: name.side,
            guessed: name.guessed,
        };
        Some((comm, definition))
    }
}

/// Returns the name of what is there from the start.
fn predefined(origin: Origin) -> &'static str {
    match origin {
        Origin::Predefined(WORLD_ID) => "MPI_COMM_WORLD",
        Origin::Predefined(_) => "MPI_COMM_SELF",
        _ => "",
    }
}

/// Asks MPI who the members are; nothing for no communicator, or if one is
/// outside MPI_COMM_WORLD. No lock of ours is held meanwhile.
pub fn describe(mpi: &Mpi, comm: usize) -> Option<Description> {
    if comm == mpi.abi.comm_null {
        return None;
    }
    let described = ask(mpi, comm).ok()?;
    if described.is_none() && !TOLD_BEYOND.swap(true, Ordering::Relaxed) {
        definitions::tell(&Definition::Beyond);
    }
    described
}

/// Whether this process has said that it uses a communicator which reaches beyond MPI_COMM_WORLD.
static TOLD_BEYOND: AtomicBool = AtomicBool::new(false);

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
    // SAFETY: the group is our own, and freed here.
    unsafe {
        let members = members_of(mpi, group)?;
        mpi.group_free(group)?;
        Ok(members)
    }
}

/// Returns the world ranks of a group, nothing if one is outside MPI_COMM_WORLD. No lock of ours
/// is held meanwhile.
///
/// # Safety
/// `group` is a group.
pub unsafe fn members_of(mpi: &Mpi, group: usize) -> Result<Option<Members>, Code> {
    // SAFETY: the caller vouches for the group.
    unsafe {
        let size = mpi.group_size(group)?;
        let ranks: Vec<i32> = (0..size).collect();
        let translated = in_world(mpi, group, &ranks)?;
        if translated.contains(&mpi.abi.undefined) {
            return Ok(None);
        }
        let translated: Vec<u32> = translated.iter().map(|&rank| rank as u32).collect();
        Ok(Some(Members::new(&translated)))
    }
}

/// # Safety
/// `group` is a group.
unsafe fn in_world(mpi: &Mpi, group: usize, ranks: &[i32]) -> Result<Vec<i32>, Code> {
    // SAFETY: the world's group is our own, made here and freed here; where there is none yet, the
    // group came from a session of the program.
    unsafe {
        if !is_initialized() {
            return mpi.session_ranks(group, ranks);
        }
        let world = mpi.comm_group(mpi.abi.comm_world)?;
        let translated = mpi.group_translate_ranks(group, ranks, world);
        mpi.group_free(world).and(translated)
    }
}
