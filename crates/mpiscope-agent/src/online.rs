//! Races found while the program runs (Clémençon et al. 1995).
//!
//! Each message is accompanied by a stamp of its sender's vector clock
//! (`clock`, `shadow`). The receiver finds the stamp of each message that it
//! received (`channel`), counts receives in the order of their posts
//! (`posts`), and compares with those from anybody that it received before
//! (`window`). The order record then holds only receives that race: in replay
//! these are held, all others run free.
//!
//! Beside the messages, what a process knows travels along collective
//! operations that make others wait (`calls`): else messages before and after
//! a barrier would race.

mod calls;
mod channel;
mod clock;
mod posts;
mod recency;
mod requests;
mod shadow;
mod window;

use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use mpi_abi::{Code, Mpi};
use mpiscope_run::order::online::RankRaces;
use mpiscope_run::order::Taken;

use crate::notice;
use crate::order::call::Wild;
use crate::order::state::{self, Session, Thread};
use requests::{Posted, Requests};
use shadow::{Pool, Reader, Shadow};
use window::{Receive, Window};

pub use calls::around;

static ON: AtomicBool = AtomicBool::new(false);

/// Returns whether races are looked for.
#[inline]
pub fn on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// The state of the process.
pub struct Online {
    mpi: &'static Mpi,
    reader: Reader,
    pool: Pool,
    comms: Vec<Option<Comm>>,
    /// Where the last one asked for was.
    last: usize,
    requests: Requests,
    posts: posts::Posts<Got>,
    found: Vec<(u32, Receive)>,
    counted: Vec<Got>,
    handles: Vec<usize>,
    done: Vec<(Posted, usize)>,
    /// Whether the program ever cancelled a receive.
    cancels: bool,
    kept: u64,
    races: RankRaces,
}

/// A communicator whose messages are stamped.
struct Comm {
    handle: usize,
    shadow: Shadow,
    by_tag: BTreeMap<i32, Window>,
    any_tag: Option<Window>,
}

/// A message that was received, or looked at by a blocking probe.
struct Got {
    comm: usize,
    source: u32,
    tag: i32,
    /// How many sends of this process its sender knew of.
    knew: u64,
    /// Its receive, if that has a choice, and what it was posted for.
    receive: Option<(Receive, Wild)>,
}

struct Place(UnsafeCell<Option<Online>>);

// SAFETY: touched only within the outermost MPI call of a thread, and such calls do not overlap:
// under MPI_THREAD_MULTIPLE nothing begins here (MPI 4.1, §11.6).
unsafe impl Sync for Place {}

static STATE: Place = Place(UnsafeCell::new(None));

/// Works on the state; `work` makes no call that comes back here.
#[inline]
fn with<T>(work: impl FnOnce(&mut Online) -> T) -> Option<T> {
    // SAFETY: see the argument at `Sync`.
    unsafe { (*STATE.0.get()).as_mut() }.map(work)
}

/// Begins on all ranks, or says why not.
///
/// # Safety
/// MPI is initialized, and all ranks of MPI_COMM_WORLD call this.
pub unsafe fn start(mpi: &'static Mpi, comm: usize, rank: u32, size: u32) -> Result<(), Code> {
    // SAFETY: said by the caller.
    let alone = unsafe { mpi.query_thread()? < mpi.abi.thread.multiple };
    // SAFETY: as above.
    if !unsafe { mpi.all_true(comm, alone)? } {
        if rank == 0 {
            notice::tell(
                "races are not looked for while the program runs: it wants MPI_THREAD_MULTIPLE; \
                 all choices are recorded",
            );
        }
        return Ok(());
    }
    let processes = size as usize;
    let mut online = Online {
        mpi,
        reader: Reader::new(rank as usize, processes),
        pool: Pool::new(processes),
        comms: Vec::new(),
        last: 0,
        requests: Requests::default(),
        posts: posts::Posts::default(),
        found: Vec::new(),
        counted: Vec::new(),
        handles: Vec::new(),
        done: Vec::new(),
        cancels: false,
        kept: 0,
        races: RankRaces {
            rank,
            ..RankRaces::default()
        },
    };
    // SAFETY: as above, and of a process alone with itself likewise.
    unsafe {
        online.follow(mpi.abi.comm_world)?;
        online.follow(mpi.abi.comm_self)?;
        *STATE.0.get() = Some(online);
    }
    ON.store(true, Ordering::Release);
    Ok(())
}

impl Online {
    /// Begins to stamp the messages of an intracommunicator.
    ///
    /// # Safety
    /// MPI is up, and all processes of the communicator call this.
    unsafe fn follow(&mut self, handle: usize) -> Result<(), Code> {
        // SAFETY: said by the caller.
        let shadow = unsafe { Shadow::new(self.mpi, handle)? };
        let comm = Some(Comm {
            handle,
            shadow,
            by_tag: BTreeMap::new(),
            any_tag: None,
        });
        // A place is not used again: a receive that waits for its turn may still mean it.
        self.comms.push(comm);
        Ok(())
    }

    /// Returns the place of a communicator whose messages are stamped.
    #[inline]
    fn comm(&mut self, handle: usize) -> Option<usize> {
        let is = |comm: &Option<Comm>| comm.as_ref().is_some_and(|comm| comm.handle == handle);
        if !self.comms.get(self.last).is_some_and(is) {
            self.last = self.comms.iter().rposition(is)?;
        }
        Some(self.last)
    }

    /// Names something that is not looked at, once.
    #[cold]
    fn not_covered(&mut self, what: &str) {
        if !self.races.not_covered.iter().any(|known| known == what) {
            self.races.not_covered.push(what.to_owned());
        }
    }

    /// Compares a message that was received with what it could have gone to.
    fn count(&mut self, got: Got, thread: &mut Thread) {
        self.races.messages += 1;
        let Some(Some(comm)) = self.comms.get_mut(got.comm) else {
            return;
        };
        let (rank, size) = (comm.shadow.rank, comm.shadow.size);
        if let Some((receive, wild)) = got.receive {
            self.races.receives += 1;
            remember(thread, receive, got.source);
            let new = || Window::new(rank, size);
            match (wild.source, wild.tag) {
                (false, _) => {}
                (true, true) => _ = comm.any_tag.get_or_insert_with(new),
                (true, false) => _ = comm.by_tag.entry(got.tag).or_insert_with(new),
            }
        }
        // Messages of one sender do not overtake each other, whatever their tags.
        let choice = got.receive.filter(|(_, wild)| wild.source);
        let windows = [comm.by_tag.get_mut(&got.tag), comm.any_tag.as_mut()];
        for (is_any, window) in [false, true].into_iter().zip(windows) {
            let Some(window) = window else { continue };
            let before = window.kept() as u64;
            let found = &mut self.found;
            window.arrived(got.source, got.knew, |source, receive| {
                found.push((source, receive))
            });
            if let Some((receive, _)) = choice.filter(|(_, wild)| wild.tag == is_any) {
                window.keep(got.source, receive);
            }
            self.kept = self.kept + window.kept() as u64 - before;
        }
        self.races.most_kept = self.races.most_kept.max(self.kept);
        self.write(thread);
    }

    /// Writes the receives that were found to race, oldest first.
    #[inline]
    fn write(&mut self, thread: &mut Thread) {
        let mut last = None;
        while let Some((source, receive)) = self.found.pop() {
            self.races.racing += 1;
            self.races.blocks += u64::from(last.replace(source) != Some(source));
            write(thread, receive.thread, receive.ordinal, source, receive.tag);
        }
    }
}

/// Writes what a receive got.
fn write(thread: &mut Thread, of: u32, ordinal: u64, source: u32, tag: Option<u32>) {
    let taken = Taken { source, tag };
    let own = of == thread.number;
    if own && thread.latest.is_some_and(|(latest, _)| latest == ordinal) {
        thread.latest = None;
    }
    thread.out.put(|encoder, writer| match own {
        true => encoder.receive(writer, ordinal, taken),
        false => encoder.foreign(writer, of, ordinal, taken),
    });
}

/// A reader of records goes no further than this without one.
const WIDEST_GAP: u64 = 1 << 17;

/// Keeps the latest receive of a thread, and writes one now and then: a record
/// says how far it goes.
#[inline]
fn remember(thread: &mut Thread, receive: Receive, source: u32) {
    let Receive { ordinal, tag, .. } = receive;
    let taken = Taken { source, tag };
    if receive.thread == thread.number && thread.latest.is_none_or(|(latest, _)| latest < ordinal) {
        thread.latest = Some((ordinal, taken));
    }
    if ordinal % WIDEST_GAP == WIDEST_GAP - 1 {
        write(thread, receive.thread, ordinal, source, tag);
    }
}

/// MPI_Finalize: what nobody received could have been received, and the record
/// is completed. All ranks that began come here.
pub fn finish(session: &'static Session) {
    if !ON.swap(false, Ordering::AcqRel) {
        return;
    }
    // SAFETY: a thread's state lives as long as the process, and this is its thread.
    let Some(thread) = (unsafe { state::current().as_mut() }) else {
        return;
    };
    with(|online| {
        if let Some(world) = online.comms.first().and_then(Option::as_ref) {
            world.shadow.barrier(online.mpi);
        }
        online.drain(thread);
        online.pool.finish(online.mpi);
        online.races.late = online.posts.late();
        online.close(session);
    });
}

impl Online {
    fn drain(&mut self, thread: &mut Thread) {
        let mut counted = Vec::new();
        self.posts.finish(|got| counted.push(got));
        for at in 0..self.comms.len() {
            let Some(Some(comm)) = self.comms.get_mut(at) else {
                continue;
            };
            comm.shadow
                .drain(self.mpi, &mut self.reader, |source, tag, knew| {
                    counted.push(Got {
                        comm: at,
                        source,
                        tag,
                        knew,
                        receive: None,
                    });
                });
        }
        for got in counted {
            self.count(got, thread);
        }
    }

    /// Writes the last receive of each thread, and how it went.
    fn close(&mut self, session: &'static Session) {
        for shared in session.threads() {
            // SAFETY: in MPI_Finalize no other thread calls MPI (MPI 4.1, §11.2.2).
            let Some(thread) = (unsafe { shared.thread.get().as_mut() }) else {
                continue;
            };
            if let Some((ordinal, taken)) = thread.latest.take() {
                self.races.last.push((thread.number, ordinal));
                thread
                    .out
                    .put(|encoder, writer| encoder.receive(writer, ordinal, taken));
            }
        }
        if let Err(error) = self.races.write(&session.run) {
            notice::tell(&format!("how many receives race is not known: {error}"));
        }
    }
}
