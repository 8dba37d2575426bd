//! The 32-byte record: what a wrapper writes, and all that it writes.
//!
//! Every observed fact is one `Record` of four words, so that a buffer is an
//! array and a commit is one store. The meaning of the words depends on the
//! kind; [`Fact`] is the readable form, and the two convert into each other
//! without loss:
//!
//! ```
//! use mpiscope_run::record::{Fact, Record};
//! let fact = Fact::Enter { region: 17, site: 0x401b36 };
//! assert_eq!(Record::new(1234, fact).fact(), Some(fact));
//! ```
//!
//! Times are raw ticks of the recording clock; communicators, regions and
//! requests are ids of the recording process. They become nanoseconds and
//! archive ids when the buffers are drained.

mod files;
mod packing;
mod polls;
mod raw;
mod threads;
mod windows;
mod words;

pub use files::{FileAccess, FileEnd, FileFact, FileOperation, FileSeek, OpenMode, SeekFrom};
pub use polls::Polls;
pub use threads::{LockTurn, Member, Task, ThreadFact};
pub use windows::{RemoteAccess, RemoteOperation, WindowCollective, WindowSync, ALL_PARTS};
pub use words::{Begun, Channel, Collective, Message, Side, Wildcard};

/// Version of the record and buffer layout; raised with every change.
pub const LAYOUT_VERSION: u32 = 14;

/// One observed fact with its time, as it lies in a buffer.
///
/// `head` holds the kind in its low 8 bits, 24 bits of detail (mostly the
/// communicator) above, and 32 bits (mostly the peer) on top.
#[repr(C, align(32))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Raw ticks of the recording clock.
    pub time: u64,
    head: u64,
    a: u64,
    b: u64,
}

/// Root of a rootless collective operation, as OTF2 spells it.
pub const NO_ROOT: u32 = u32::MAX;

/// Largest process-local communicator id a record can hold.
pub const MAX_COMM: u32 = (1 << 24) - 1;

/// Largest number of a type signature that a record can hold.
pub const MAX_SIGNATURE: u16 = (1 << 14) - 1;

/// Set in the operation of a collective among the neighbours of a topology.
pub const AMONG_NEIGHBORS: u8 = 32;

/// Bytes of a buffer that there is none of.
pub const NO_CAPACITY: u64 = BYTES;

/// Peer of what is asked of all members of a communicator.
pub const ALL_MEMBERS: u32 = 1 << 31;

/// Set in the ids of requests and matched messages that began while recording
/// was switched off.
pub const UNSEEN: u32 = 1 << 31;

/// Set in those that began in a call that a filter leaves out: they are not
/// told where they end, either.
pub const LEFT_OUT: u32 = UNSEEN | 1 << 30;

/// Returns whether a request or matched message began in a call that is left out.
#[inline]
pub const fn is_left_out(id: u32) -> bool {
    id & LEFT_OUT == LEFT_OUT
}

/// Added to the tags of messages that are sent in parts (MPI 4.1, §4.2): they match none but each
/// other, whatever else has their tag.
pub const IN_PARTS: u32 = 1 << 31;

/// As many bytes as a record can tell.
const BYTES: u64 = (1 << 48) - 1;

/// What a record says.
///
/// Request and message ids are counted up per process and unique while active.
/// Some facts are no events: they tell how to count the messages that came by
/// while recording was switched off (`numbering`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// A region was entered.
    Enter {
        /// Process-local region id.
        region: u32,
        /// Where in the program's memory the call returns to, 0 if not known.
        site: u64,
    },
    /// A region was left.
    Leave {
        /// Process-local region id.
        region: u32,
    },
    /// A function that the compiler instrumented was entered.
    EnterFunction {
        /// Where it begins in the program's memory.
        address: u64,
        /// Where the call returns to.
        site: u64,
    },
    /// It was left.
    LeaveFunction {
        /// Where it begins in the program's memory.
        address: u64,
    },
    /// A timer found the thread computing here; not within a call.
    Sample {
        /// The instruction that was next.
        address: u64,
        /// How many periods of the timer had ended since it looked before, 1 nearly always.
        periods: u32,
    },
    /// A value of the program's own at this time.
    Metric {
        /// Process-local id of what it is a value of.
        metric: u32,
        /// Whether its bits are a double's; else they are a signed integer's.
        real: bool,
        /// The value.
        bits: u64,
    },
    /// The call about to be left failed.
    Failed {
        /// Its class, a number of the MPI's; 0 if the program left the call before it returned, and
        /// nobody has told.
        class: u32,
        /// Whether MPI rejected what the call was to send or to receive: what its records since
        /// its enter say of that did not happen.
        rejected: bool,
    },
    /// A blocking send was called.
    Send(Message),
    /// Calls of a function from one place found nothing, one after the other, with nothing but
    /// such calls in between; the time is that of the latest reading of the clock among them.
    /// The one record that is written over as long as this goes on.
    Polls(Polls),
    /// A nonblocking send was posted.
    Isend(Message, u32),
    /// The nonblocking send `request` completed.
    IsendComplete {
        /// Request id of the Isend.
        request: u32,
    },
    /// A nonblocking receive was posted.
    IrecvRequest {
        /// Request id that the completion will name.
        request: u32,
        /// Id of the matched probe's message, if this is an Imrecv; what that
        /// asks for is told directly before.
        message: Option<u32>,
        /// What any other asks for; `bytes` are those of its buffer.
        posted: Option<Message>,
    },
    /// What the blocking receive or probe about to be entered, or the Imrecv
    /// about to be posted, asks for; `bytes` are those of its buffer,
    /// [`NO_CAPACITY`] for a probe. With [`ALL_MEMBERS`] as its peer: a call
    /// without event of its own asks for all members of its communicator, and
    /// the tag is the window's number there, if it is about one. No event.
    Posted(Message),
    /// A blocking receive returned; the id of the matched probe's message, if it was an Mrecv.
    Recv(Message, Option<u32>),
    /// The nonblocking receive of this request completed.
    Irecv(Message, u32),
    /// A test found the request not completed.
    RequestTest {
        /// The request tested.
        request: u32,
    },
    /// The request was cancelled successfully, seen at its completion.
    RequestCancelled {
        /// The request cancelled.
        request: u32,
    },
    /// A probe was successful; the id that a matched receive will name (0 for plain probes).
    Probe(Message, u32),
    /// A blocking collective begins; directly after its Enter. With it, the
    /// bytes that all members must agree in, [`NO_CAPACITY`] if there are none.
    CollectiveBegin(Begun, u64),
    /// A nonblocking collective was initiated, or a persistent one started.
    CollectiveRequest {
        /// Request id that the completion will name.
        request: u32,
        /// What it is.
        begun: Begun,
        /// Which persistent one of its communicator it is, if it is one.
        persistent: Option<u32>,
    },
    /// The end of a collective that comes next is the completion of this
    /// request. No event.
    CollectiveCompletes {
        /// Request id of the initiation.
        request: u32,
    },
    /// A blocking collective ends; directly before its Leave.
    CollectiveEnd(Collective),
    /// The call about to be left created this communicator.
    CommCreated {
        /// Process-local id.
        comm: u32,
    },
    /// The buffer was spilled to disk between this record's time and `stop`.
    BufferFlush {
        /// Raw ticks at the end of the flush.
        stop: u64,
    },
    /// From here on calls are recorded, or not (MPI_Pcontrol).
    Switched {
        /// Whether they are.
        on: bool,
    },
    /// So many messages or operations of a channel came by unrecorded, here in
    /// posting order. No event.
    Skipped(Channel, u64),
    /// This send was posted while recording was off, and is still active. No event.
    UnseenIsend(Message, u32),
    /// The receive of this request completed unrecorded. No event.
    UnseenIrecv(Message, u32),
    /// The request was cancelled unrecorded. No event.
    UnseenCancelled {
        /// The request cancelled.
        request: u32,
    },
    /// The receive of this request, posted like this, may complete with a
    /// message that nobody will tell us. No event.
    UnknownReceive(Message, u32),
    /// What follows is another thread's: it took over the buffer of one that
    /// had ended. No event.
    ThreadBegins {
        /// Its number.
        thread: u32,
        /// What the system calls it.
        tid: u32,
    },
    /// The call about to be left created this window.
    WindowCreated {
        /// Process-local id.
        window: u32,
    },
    /// The window of this id was freed.
    WindowFreed {
        /// Process-local id.
        window: u32,
    },
    /// A collective operation on a window begins; directly after its Enter.
    WindowCollectiveBegin,
    /// It ends; directly before its Leave.
    WindowCollectiveEnd(WindowCollective),
    /// An operation on another process's part of a window was called; under this id, that of
    /// its request if it has one, it completes.
    RemoteAccess(RemoteAccess, u32),
    /// The request of such an operation completed.
    RemoteAccessComplete {
        /// Its id.
        request: u32,
    },
    /// A window was synchronized; its process-local id.
    WindowSync(u32, WindowSync),
    /// Something happened to a file.
    File(FileFact),
    /// Threads of the process did something to each other.
    Thread(ThreadFact),
}

impl Fact {
    /// Returns whether messages have to be counted to number those that follow.
    #[inline]
    pub fn needs_numbering(&self) -> bool {
        use Fact::*;
        match self {
            Irecv(_, id) | Recv(_, Some(id)) => is_left_out(*id),
            Switched { .. }
            | Skipped(..)
            | UnseenIsend(..)
            | UnseenIrecv(..)
            | UnseenCancelled { .. }
            | Failed { rejected: true, .. } => true,
            _ => false,
        }
    }

    /// Returns the same with other ids of requests and matched messages.
    pub fn with_ids(mut self, map: impl Fn(u32) -> u32) -> Self {
        use Fact::*;
        match &mut self {
            Isend(_, id)
            | UnseenIsend(_, id)
            | Irecv(_, id)
            | UnseenIrecv(_, id)
            | UnknownReceive(_, id)
            | RemoteAccess(_, id)
            | Recv(_, Some(id)) => *id = map(*id),
            Probe(_, id) if *id != 0 => *id = map(*id),
            IrecvRequest {
                request, message, ..
            } => {
                *request = map(*request);
                *message = message.map(map);
            }
            IsendComplete { request }
            | RequestTest { request }
            | RequestCancelled { request }
            | UnseenCancelled { request }
            | CollectiveRequest { request, .. }
            | CollectiveCompletes { request }
            | RemoteAccessComplete { request } => *request = map(*request),
            File(fact) => *fact = fact.with_id(map),
            _ => {}
        }
        self
    }

    /// Returns whether it is no event, as what it ends, or is about, began in a call that is left
    /// out.
    #[inline]
    pub fn is_left_out(&self) -> bool {
        use Fact::*;
        match self {
            Irecv(_, id) | Recv(_, Some(id)) | Probe(_, id) => is_left_out(*id),
            IrecvRequest { request, .. } => is_left_out(*request),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
