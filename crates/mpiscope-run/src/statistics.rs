//! Statistics records: what a monitored run keeps in place of events.
//!
//! Every statement of the program that does something worth knowing has one
//! [`Entry`] per thread, made when it is first executed and counted up from
//! then on (Li and Zhang, dynamic records): a communication statement one per
//! peer, a procedure one per calling statement, a loop one. How much there is
//! depends on the program and its peers, not on how long it runs.
//!
//! ```text
//! while it runs    /dev/shm/…/NAME.statistics  header page | notes (JSON lines) | entries
//! afterwards       RUN/stats/RANK.statistics   one file a rank, compressed
//! ```
//!
//! Both read as [`Process`]: anybody may look while the program runs, without
//! stopping it, and what a process had counted outlives it.

mod entry;
mod file;
mod read;
pub mod snapshot;
#[allow(unsafe_code)]
mod table;

use serde::{Deserialize, Serialize};

pub use entry::{
    bin, bin_start, histogram_entry, Amount, Entry, Key, Kind, Row, Side, BINS, HISTOGRAM_ENTRIES,
    INLINED,
};
pub use file::{
    clear, collect, exists, folder, keep, path, read_rank, read_run, structures, Run, STAMPS,
};
pub use read::{live, live_processes, writers, Activity, Process, Thread};
pub use table::{Header, Mapped, Notes, Now, Table, SPARE};

use crate::order::Unrecorded;
use crate::process::{Identity, Members, Module};
use crate::ticks::Triple;

/// Ending of a file's name.
pub const ENDING: &str = "statistics";

/// In place of a peer: all that have no entry of their own, as the table is bounded.
pub const OTHERS: u32 = u32::MAX;
/// In place of a peer: nobody, or several in one call.
pub const NOBODY: u32 = u32::MAX - 1;
/// In place of a peer: everybody in the group.
pub const ALL: u32 = u32::MAX - 2;
/// In place of a peer: whoever comes (`MPI_ANY_SOURCE`).
pub const ANY: u32 = u32::MAX - 3;
/// In place of a group: none.
pub const NO_GROUP: u32 = u32::MAX;

/// What a process says of itself beside its entries, one JSON object a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Who it is.
    Identity(Box<Identity>),
    /// Code from which MPI is called.
    Module(Module),
    /// An MPI function that entries name by its number.
    Region {
        /// Its number.
        id: u16,
        /// For example `MPI_Send`.
        name: String,
    },
    /// The members of a communicator; those with the same members are one group.
    Group(Group),
    /// An instrumented source file: its statements are numbered from `base`.
    Unit {
        /// Number of its first statement in this process.
        base: u32,
        /// Hash of its structure, the name of a file in `RUN/stats/structure`.
        structure: String,
    },
    /// What observation costs, in ticks.
    Costs(Costs),
    /// How choices were made that depend on time.
    Choices(Choices),
}

/// How a process made its choices, where those of the unobserved program were to be kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    /// By virtual time.
    pub made: u64,
    /// Left to MPI.
    pub left: u64,
    /// Why.
    pub reasons: Vec<String>,
    /// What else may differ from the program without observation.
    #[serde(default)]
    pub uncovered: Vec<Unrecorded>,
}

/// The members of a communicator.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Group {
    /// Its number in the process.
    pub id: u32,
    /// World ranks of the (local) group.
    pub members: Members,
    /// Those of the remote group of an intercommunicator.
    #[serde(default)]
    pub remote: Option<Members>,
}

impl Group {
    /// Returns the world rank of a rank that messages are addressed to.
    pub fn world_rank(&self, rank: u32) -> Option<u32> {
        let members = self.remote.as_ref().unwrap_or(&self.members);
        members.get(rank)
    }
}

/// What each kind of probe costs, measured when the process started, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Costs {
    /// An MPI call in all.
    pub call: u64,
    /// The part of it that lies within the time taken for the call itself.
    pub call_within: u64,
    /// A procedure or a loop in all.
    pub region: u64,
    /// The part of it within its own time.
    pub region_within: u64,
    /// A calling statement.
    pub at: u64,
    /// A function that its compiler instrumented.
    #[serde(default)]
    pub function: u64,
    /// The part of it within its own time.
    #[serde(default)]
    pub function_within: u64,
}

/// A clock's reading at the start and the latest one: they give its rate.
pub type Span = [Triple; 2];
