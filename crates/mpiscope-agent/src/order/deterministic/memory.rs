//! What a thread remembers whose choices are made by the rule.

use std::collections::{BTreeSet, HashMap};

use mpi_abi::FunctionId;

use crate::mpi::call::Lang;
use crate::order::envelope::Wild;
use crate::peers::page::Page;

/// How the rule is used.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Whether a process that waits counts as one that cannot send.
    pub waiting_cannot_send: bool,
}

/// What a thread remembers.
pub struct Deterministic {
    pub(super) page: &'static Page,
    pub(super) rank: usize,
    pub(super) batches: Vec<Batch>,
    pub(super) deferred: Vec<Deferred>,
    /// Choices made by the rule.
    pub chosen: u64,
    /// Choices left to MPI.
    pub left: u64,
    /// Why: a reason, or the function called.
    pub reasons: BTreeSet<&'static str>,
    /// Of receives posted for the unobserved program's choices: the message each takes.
    pub(super) receives: HashMap<usize, Message>,
    /// Memory of proofs.
    pub(super) seen: Vec<(u64, u64)>,
    /// What other ranks had done when the latest proof was complete.
    pub(super) proven: Option<u64>,
}

impl Deterministic {
    /// Begins.
    pub fn new(page: &'static Page, rank: u32) -> Self {
        Self {
            page,
            rank: rank as usize,
            batches: Vec::new(),
            deferred: Vec::new(),
            chosen: 0,
            left: 0,
            reasons: BTreeSet::new(),
            receives: HashMap::new(),
            seen: Vec::new(),
            proven: None,
        }
    }
}

/// The ranks whose messages were there in a quiet moment, for receives that ask
/// for the same: lowest first. They are taken one after the other with no
/// further wait, so that ranks that were answered can work meanwhile.
pub struct Batch {
    pub(super) comm: usize,
    pub(super) tag: i32,
    pub(super) sources: Vec<u32>,
}

/// A receive that waits to be posted, or was.
pub struct Deferred {
    pub(super) function: FunctionId,
    pub(super) lang: Lang,
    /// Buffer, count, datatype, source, tag, communicator; in Fortran the integers behind the addresses.
    pub(super) args: [usize; 6],
    pub(super) comm: usize,
    pub(super) tag: i32,
    pub(super) wild: Wild,
    pub(super) ordinal: u64,
    /// What the program holds, as C's handle.
    pub(super) held: usize,
    /// The receive itself, as the program's language holds it.
    pub(super) posted: Option<usize>,
    /// The message that it takes, if that matters.
    pub(super) message: Option<Message>,
}

/// A message that a receive takes: its line and its number there.
pub type Message = ((u32, u32, u32), u64);
