//! The order record: every choice that MPI made for a run, so that another
//! run can be made to choose alike.
//!
//! Messages from one sender on one communicator and tag do not overtake each
//! other (MPI 4.1, §3.5). So the source of each receive posted with
//! `MPI_ANY_SOURCE`, the tag of each posted with `MPI_ANY_TAG`, the index or
//! set that a wait for several requests returned, which polls succeeded, which
//! receives could be cancelled, and the order in which threads posted are all
//! that point-to-point communication leaves open. A named receive or a send
//! needs no record.
//!
//! ```text
//! wrapper -> stream -> buffer ........ in the program, one buffer a thread
//!            collect ................. what the buffers of a run hold
//!            file .................... RUN/order/RANK.order, compressed
//! Record:    decoded, to be compared, altered and written again
//! ```
//!
//! ```no_run
//! # use mpiscope_run::order;
//! # fn main() -> Result<(), mpiscope_run::Error> {
//! let mut record = order::read("heat.mpiscope".as_ref())?;
//! let thread = &mut record.ranks[0].threads[0];
//! thread.receives.truncate(12); // the first twelve wildcard receives as recorded,
//! thread.receives.push(Some(order::Taken { source: 3, tag: None })); // then one from rank 3
//! order::write("other.mpiscope".as_ref(), &record)?;
//! # Ok(())
//! # }
//! ```

#[allow(unsafe_code)]
pub mod buffer;
pub mod calls;
pub mod collect;
pub mod file;
pub mod in_flight;
pub mod online;
pub mod outcome;
pub mod stream;

use serde::{Deserialize, Serialize};

use crate::process::MpiLibrary;

pub use file::{exists, read, read_rank, write, write_rank};

/// Calls between two checkpoints of a thread's hash.
pub const CALLS_PER_CHECKPOINT: u64 = 1024;

/// Most messages between two marks of what a thread was given.
pub const MESSAGES_PER_MARK: u64 = 64;

/// Returns after which message the mark comes that follows the one after so many: each of the
/// first has one, and from then on there are as many to every doubling, up to a widest distance.
pub fn next_mark(messages: u64) -> u64 {
    let distance = (messages + 1).next_power_of_two() / (2 * MESSAGES_PER_MARK);
    messages + distance.clamp(1, MESSAGES_PER_MARK)
}

/// The order record of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// What was recorded.
    pub origin: Origin,
    /// One entry per rank that left a record, by rank.
    pub ranks: Vec<RankOrder>,
}

impl Record {
    /// Returns a rank's part.
    pub fn rank(&self, rank: u32) -> Option<&RankOrder> {
        let at = self.ranks.binary_search_by_key(&rank, |order| order.rank);
        at.ok().map(|at| &self.ranks[at])
    }

    /// Returns the ranks of which nothing was recorded.
    pub fn missing(&self) -> Vec<u32> {
        (0..self.origin.world_size)
            .filter(|&rank| self.rank(rank).is_none())
            .collect()
    }
}

/// Which run a record is of; the same in the files of all its ranks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origin {
    /// Identity of the run.
    pub run_id: String,
    /// Size of `MPI_COMM_WORLD`.
    pub world_size: u32,
    /// The MPI library.
    pub mpi: MpiLibrary,
    /// Version of the agent that recorded.
    pub agent_version: String,
}

/// The choices of one rank.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RankOrder {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// The program, as the process was started.
    pub program: String,
    /// Whether the rank recorded until MPI_Finalize.
    pub finished: bool,
    /// Its threads, by number; 0 initialised MPI.
    pub threads: Vec<ThreadOrder>,
    /// Which thread made each post, where several may call MPI at once
    /// (`MPI_THREAD_MULTIPLE`), or each choice, where they take turns by a lock of their own
    /// (`MPI_THREAD_SERIALIZED`).
    pub turns: Vec<Turn>,
    /// What the program did whose order nobody can record.
    pub unrecorded: Vec<Unrecorded>,
}

/// The choices of one thread. The sequences are counted each by itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadOrder {
    /// Numbered by first call.
    pub number: u32,
    /// The same for the same thread in every run: who made it, as which of its maker's
    /// threads. 1 is the process's first; 0 is not known.
    pub lineage: u64,
    /// What each wildcard receive or blocking wildcard probe took, in the
    /// order of posting; nothing for one of which that is not known.
    pub receives: Vec<Option<Taken>>,
    /// What each wait for several requests returned, and each poll that
    /// succeeded, in the order of the calls.
    pub outcomes: Vec<Outcome>,
    /// What came of it where the thread's nonblocking receives, wildcard or
    /// not, were to be cancelled; ascending.
    pub cancels: Vec<Cancel>,
    /// The hash of the calls so far, every [`CALLS_PER_CHECKPOINT`] calls.
    pub checkpoints: Vec<Checkpoint>,
    /// The hash of what statuses told of the messages so far that blocking receives and probes
    /// gave, at each [`next_mark`] and at the end.
    pub marks: Vec<u16>,
    /// The same at the end, if the thread saw MPI_Finalize.
    pub end: Option<End>,
    /// The same where the process died, the call included that the thread was in.
    pub cut: Option<End>,
}

/// A step of one of several threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Turn {
    /// The thread.
    pub thread: u32,
    /// Where threads take turns by a lock of their own: stands for kind and place of the
    /// choice, the same in every run of a program.
    pub place: u32,
}

impl ThreadOrder {
    /// Returns the order of a thread that chose nothing.
    pub const fn nothing() -> Self {
        Self {
            number: 0,
            lineage: 0,
            receives: Vec::new(),
            outcomes: Vec::new(),
            cancels: Vec::new(),
            checkpoints: Vec::new(),
            marks: Vec::new(),
            end: None,
            cut: None,
        }
    }
}

/// Where a message came from. The rank is that in the communicator, or in the
/// remote group of an intercommunicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Taken {
    /// Rank of the sender.
    pub source: u32,
    /// The message's tag, where the receive was posted with `MPI_ANY_TAG`.
    pub tag: Option<u32>,
}

/// What came of an `MPI_Cancel` of a receive (MPI 4.1, §3.8.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cancel {
    /// Which nonblocking receive of its thread, counted from 0.
    pub receive: u64,
    /// It took no message; else a message came before the cancel.
    pub succeeded: bool,
}

/// What came of a call other than a receive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A wait for one of several requests: its index from 0; none if no request was active.
    Index(Option<u32>),
    /// A wait for some of several requests: their indices as MPI returned them.
    Indices(Option<Vec<u32>>),
    /// A poll that succeeded.
    Success {
        /// Polls of this thread since the last success that did not succeed.
        misses: u64,
        /// What it found.
        found: Found,
    },
}

/// What a successful poll found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing that the call's arguments do not tell: MPI_Test, MPI_Testall, a named probe.
    Nothing,
    /// One of several requests (MPI_Testany).
    Index(Option<u32>),
    /// Some of several requests (MPI_Testsome).
    Indices(Option<Vec<u32>>),
    /// A message (a wildcard MPI_Iprobe or MPI_Improbe).
    Message(Taken),
}

/// The hash of a thread's calls at a checkpoint, and how many choices were made by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// Of all calls so far.
    pub hash: u32,
    /// Wildcard receives known by then.
    pub receives: u64,
    /// Outcomes by then.
    pub outcomes: u64,
}

/// A thread's last word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct End {
    /// Calls made.
    pub calls: u64,
    /// Their hash.
    pub hash: u32,
}

/// Calls whose order or result nobody can record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unrecorded {
    /// What is not determined.
    pub what: Undetermined,
    /// Name of the MPI function, if one did it.
    pub function: String,
    /// Where in the program: module and offset, `heat+0x12a4`; empty if not known.
    pub site: String,
}

/// What may differ between two runs that chose alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undetermined {
    /// One-sided accesses of several ranks to one place.
    OneSided,
    /// The order in which MPI itself reduces.
    Reduction,
    /// Files, above all shared file pointers.
    Files,
    /// Processes started at run time.
    Processes,
    /// Threads that several at once call MPI or share memory.
    Threads,
    /// A send that was cancelled.
    CancelledSend,
    /// A message of a partitioned or generalized request.
    OtherRequest,
    /// A choice that MPI made for a callback of the program's.
    Callback,
    /// The time of day, random numbers: what the system tells.
    Time,
}
