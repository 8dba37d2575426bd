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

/// Version of the record and buffer layout; raised with every change.
pub const LAYOUT_VERSION: u32 = 4;

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

/// A point-to-point message as one side sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Message {
    /// Rank of the other side in `comm` (of its remote group for an intercommunicator).
    pub peer: u32,
    /// Process-local id of the communicator, below 2^24.
    pub comm: u32,
    /// The message's actual tag.
    pub tag: u32,
    /// Payload in bytes, below 2^48.
    pub bytes: u64,
    /// Which wildcards the receive was posted with.
    pub wildcard: Wildcard,
    /// Number of the data's type signature in its process, at most
    /// [`MAX_SIGNATURE`]; 0 if it is not known.
    pub signature: u16,
}

/// The wildcards a receive or probe was posted with (MPI 4.1, §3.2.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wildcard {
    /// Posted with `MPI_ANY_SOURCE`.
    pub source: bool,
    /// Posted with `MPI_ANY_TAG`.
    pub tag: bool,
}

impl Wildcard {
    /// Returns bit 0 for `MPI_ANY_SOURCE` and bit 1 for `MPI_ANY_TAG`, the
    /// value of the archive's wildcard attribute.
    pub fn bits(self) -> u8 {
        u8::from(self.source) | u8::from(self.tag) << 1
    }

    /// The inverse of [`Wildcard::bits`].
    pub fn from_bits(bits: u8) -> Self {
        Self {
            source: bits & 1 != 0,
            tag: bits & 2 != 0,
        }
    }
}

/// Messages that are counted together, as one process sees them: the first
/// sent meets the first received (MPI 4.1, §3.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Channel {
    /// What this process does with them.
    pub side: Side,
    /// Process-local id of the communicator.
    pub comm: u32,
    /// Rank of the other side; 0 for collectives.
    pub peer: u32,
    /// The messages' tag; 0 for collectives.
    pub tag: u32,
}

/// One side of a [`Channel`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Messages sent.
    Sent,
    /// Messages received.
    Received,
    /// Blocking collective operations of the communicator.
    Collective,
}

impl Channel {
    /// Returns the channel of a message.
    pub fn of(side: Side, message: &Message) -> Self {
        Self {
            side,
            comm: message.comm,
            peer: message.peer,
            tag: message.tag,
        }
    }

    /// Returns the channel of a communicator's collective operations.
    pub fn collective(comm: u32) -> Self {
        Self {
            side: Side::Collective,
            comm,
            peer: 0,
            tag: 0,
        }
    }
}

/// Set in the ids of requests and matched messages that began while recording
/// was switched off.
pub const UNSEEN: u32 = 1 << 31;

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
    /// A blocking send was called.
    Send(Message),
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
    /// [`NO_CAPACITY`] for a probe. No event.
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
}

impl Fact {
    /// Returns whether messages have to be counted to number those that follow.
    #[inline]
    pub fn needs_numbering(&self) -> bool {
        use Fact::*;
        matches!(
            self,
            Switched { .. }
                | Skipped(..)
                | UnseenIsend(..)
                | UnseenIrecv(..)
                | UnseenCancelled { .. }
        )
    }
}

/// What one member says where it begins a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begun {
    /// Process-local id of the communicator.
    pub comm: u32,
    /// Root's rank in `comm`, [`NO_ROOT`] for rootless operations.
    pub root: u32,
    /// Number of the data's type signature, 0 if it is not known.
    pub signature: u16,
}

/// What one member of a collective operation contributed and got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Collective {
    /// OTF2's CollectiveOp, below 32; [`AMONG_NEIGHBORS`] may be set.
    pub op: u8,
    /// Process-local id of the communicator.
    pub comm: u32,
    /// Root's rank in `comm`, [`NO_ROOT`] for rootless operations.
    pub root: u32,
    /// Bytes this member sent, below 2^48.
    pub sent: u64,
    /// Bytes this member received, below 2^48.
    pub received: u64,
    /// Number of the data's type signature, of a nonblocking one that
    /// completes; the begin of a blocking one has told it.
    pub signature: u16,
    /// Whether it is an alltoallv or alltoallw in which this member sent
    /// something to every other.
    pub dense: bool,
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

const BYTES: u64 = (1 << 48) - 1;
/// Marks the bytes sent of a dense collective.
const DENSE: u64 = 1 << 63;

mod kind {
    pub const ENTER: u8 = 1;
    pub const LEAVE: u8 = 2;
    pub const SEND: u8 = 3;
    pub const ISEND: u8 = 4;
    pub const ISEND_COMPLETE: u8 = 5;
    pub const IRECV_REQUEST: u8 = 6;
    pub const RECV: u8 = 7;
    pub const IRECV: u8 = 8;
    pub const REQUEST_TEST: u8 = 9;
    pub const REQUEST_CANCELLED: u8 = 10;
    pub const PROBE: u8 = 11;
    pub const COLLECTIVE_BEGIN: u8 = 12;
    pub const COMM_CREATED: u8 = 13;
    pub const BUFFER_FLUSH: u8 = 14;
    pub const SWITCHED: u8 = 15;
    pub const SKIPPED_SENT: u8 = 16;
    pub const SKIPPED_RECEIVED: u8 = 17;
    pub const SKIPPED_COLLECTIVE: u8 = 18;
    pub const UNSEEN_ISEND: u8 = 19;
    pub const UNSEEN_IRECV: u8 = 20;
    pub const UNSEEN_CANCELLED: u8 = 21;
    pub const UNKNOWN_RECEIVE: u8 = 22;
    pub const IRECV_POSTED: u8 = 23;
    pub const POSTED: u8 = 24;
    pub const COLLECTIVE_REQUEST: u8 = 25;
    pub const COLLECTIVE_COMPLETES: u8 = 26;
    /// Collective ends carry their operation in the low six bits.
    pub const COLLECTIVE_END: u8 = 0x80;
}

impl Record {
    /// An all-zero record, as unwritten memory holds.
    pub const EMPTY: Record = Record {
        time: 0,
        head: 0,
        a: 0,
        b: 0,
    };

    /// Packs a fact and its time.
    #[inline]
    pub fn new(time: u64, fact: Fact) -> Self {
        let (head, a, b) = match fact {
            Fact::Enter { region, site } => (head(kind::ENTER, 0, region), site, 0),
            Fact::Leave { region } => (head(kind::LEAVE, 0, region), 0, 0),
            Fact::Send(m) => message(kind::SEND, m, 0),
            Fact::Isend(m, request) => message(kind::ISEND, m, request),
            Fact::IsendComplete { request } => (head(kind::ISEND_COMPLETE, 0, request), 0, 0),
            Fact::IrecvRequest {
                request,
                posted: Some(m),
                ..
            } => {
                let (_, a, b) = message(kind::IRECV_POSTED, m, m.peer);
                (head(kind::IRECV_POSTED, m.comm, request), a, b)
            }
            Fact::IrecvRequest {
                request, message, ..
            } => {
                let (a, b) = optional(message);
                (head(kind::IRECV_REQUEST, 0, request), a, b)
            }
            Fact::Posted(m) => message(kind::POSTED, m, 0),
            Fact::Recv(m, id) => message(kind::RECV, m, id.unwrap_or(0)),
            Fact::Irecv(m, request) => message(kind::IRECV, m, request),
            Fact::RequestTest { request } => (head(kind::REQUEST_TEST, 0, request), 0, 0),
            Fact::RequestCancelled { request } => (head(kind::REQUEST_CANCELLED, 0, request), 0, 0),
            Fact::Probe(m, id) => message(kind::PROBE, m, id),
            Fact::CollectiveBegin(b, bytes) => (
                head(kind::COLLECTIVE_BEGIN, b.comm, b.root),
                u64::from(b.signature),
                bytes,
            ),
            Fact::CollectiveRequest {
                request,
                begun: b,
                persistent,
            } => (
                head(kind::COLLECTIVE_REQUEST, b.comm, request),
                u64::from(b.root) | u64::from(b.signature) << 32,
                persistent.map_or(0, |number| u64::from(number) + 1),
            ),
            Fact::CollectiveCompletes { request } => {
                (head(kind::COLLECTIVE_COMPLETES, 0, request), 0, 0)
            }
            Fact::CollectiveEnd(c) => (
                head(kind::COLLECTIVE_END | (c.op & 0x3f), c.comm, c.root),
                c.sent.min(BYTES) | if c.dense { DENSE } else { 0 },
                c.received.min(BYTES) | u64::from(c.signature) << 50,
            ),
            Fact::CommCreated { comm } => (head(kind::COMM_CREATED, comm, 0), 0, 0),
            Fact::BufferFlush { stop } => (head(kind::BUFFER_FLUSH, 0, 0), stop, 0),
            Fact::Switched { on } => (head(kind::SWITCHED, 0, u32::from(on)), 0, 0),
            Fact::Skipped(channel, count) => (
                head(skipped(channel.side), channel.comm, channel.peer),
                u64::from(channel.tag),
                count,
            ),
            Fact::UnseenIsend(m, request) => message(kind::UNSEEN_ISEND, m, request),
            Fact::UnseenIrecv(m, request) => message(kind::UNSEEN_IRECV, m, request),
            Fact::UnseenCancelled { request } => (head(kind::UNSEEN_CANCELLED, 0, request), 0, 0),
            Fact::UnknownReceive(m, request) => message(kind::UNKNOWN_RECEIVE, m, request),
        };
        Self { time, head, a, b }
    }

    /// Reads a record as it lies in a file.
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        let word = |k: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[8 * k..8 * k + 8]);
            u64::from_le_bytes(eight)
        };
        Self {
            time: word(0),
            head: word(1),
            a: word(2),
            b: word(3),
        }
    }

    /// Returns what the record says, or nothing if its kind is not one of this layout's.
    #[inline]
    pub fn fact(&self) -> Option<Fact> {
        let word = (self.head >> 32) as u32;
        Some(match self.head as u8 {
            kind::ENTER => Fact::Enter {
                region: word,
                site: self.a,
            },
            kind::LEAVE => Fact::Leave { region: word },
            kind::SEND => Fact::Send(self.message()),
            kind::ISEND => Fact::Isend(self.message(), self.id()),
            kind::ISEND_COMPLETE => Fact::IsendComplete { request: word },
            kind::IRECV_REQUEST => Fact::IrecvRequest {
                request: word,
                message: (self.a != 0).then_some(self.b as u32),
                posted: None,
            },
            kind::IRECV_POSTED => Fact::IrecvRequest {
                request: word,
                message: None,
                posted: Some(Message {
                    peer: self.id(),
                    ..self.message()
                }),
            },
            kind::POSTED => Fact::Posted(self.message()),
            kind::RECV => Fact::Recv(self.message(), (self.id() != 0).then(|| self.id())),
            kind::IRECV => Fact::Irecv(self.message(), self.id()),
            kind::REQUEST_TEST => Fact::RequestTest { request: word },
            kind::REQUEST_CANCELLED => Fact::RequestCancelled { request: word },
            kind::PROBE => Fact::Probe(self.message(), self.id()),
            kind::COLLECTIVE_BEGIN => {
                let begun = Begun {
                    comm: self.comm(),
                    root: word,
                    signature: self.a as u16,
                };
                Fact::CollectiveBegin(begun, self.b)
            }
            kind::COLLECTIVE_REQUEST => Fact::CollectiveRequest {
                request: word,
                begun: Begun {
                    comm: self.comm(),
                    root: self.a as u32,
                    signature: self.id() as u16,
                },
                persistent: self.b.checked_sub(1).map(|number| number as u32),
            },
            kind::COLLECTIVE_COMPLETES => Fact::CollectiveCompletes { request: word },
            kind::COMM_CREATED => Fact::CommCreated { comm: self.comm() },
            kind::BUFFER_FLUSH => Fact::BufferFlush { stop: self.a },
            kind::SWITCHED => Fact::Switched { on: word != 0 },
            kind::SKIPPED_SENT => self.skipped(Side::Sent),
            kind::SKIPPED_RECEIVED => self.skipped(Side::Received),
            kind::SKIPPED_COLLECTIVE => self.skipped(Side::Collective),
            kind::UNSEEN_ISEND => Fact::UnseenIsend(self.message(), self.id()),
            kind::UNSEEN_IRECV => Fact::UnseenIrecv(self.message(), self.id()),
            kind::UNSEEN_CANCELLED => Fact::UnseenCancelled { request: word },
            kind::UNKNOWN_RECEIVE => Fact::UnknownReceive(self.message(), self.id()),
            k if k & 0xc0 == kind::COLLECTIVE_END => Fact::CollectiveEnd(Collective {
                op: k & 0x3f,
                comm: self.comm(),
                root: word,
                sent: self.a & BYTES,
                received: self.b & BYTES,
                signature: (self.b >> 50) as u16,
                dense: self.a & DENSE != 0,
            }),
            _ => return None,
        })
    }

    fn comm(&self) -> u32 {
        (self.head >> 8) as u32 & MAX_COMM
    }

    fn id(&self) -> u32 {
        (self.a >> 32) as u32
    }

    fn skipped(&self, side: Side) -> Fact {
        let channel = Channel {
            side,
            comm: self.comm(),
            peer: (self.head >> 32) as u32,
            tag: self.a as u32,
        };
        Fact::Skipped(channel, self.b)
    }

    fn message(&self) -> Message {
        Message {
            peer: (self.head >> 32) as u32,
            comm: self.comm(),
            tag: self.a as u32,
            bytes: self.b & BYTES,
            wildcard: Wildcard::from_bits((self.b >> 48) as u8),
            signature: (self.b >> 50) as u16,
        }
    }
}

fn skipped(side: Side) -> u8 {
    match side {
        Side::Sent => kind::SKIPPED_SENT,
        Side::Received => kind::SKIPPED_RECEIVED,
        Side::Collective => kind::SKIPPED_COLLECTIVE,
    }
}

#[inline]
fn head(kind: u8, detail: u32, word: u32) -> u64 {
    u64::from(kind) | u64::from(detail & MAX_COMM) << 8 | u64::from(word) << 32
}

#[inline]
fn message(kind: u8, m: Message, id: u32) -> (u64, u64, u64) {
    (
        head(kind, m.comm, m.peer),
        u64::from(m.tag) | u64::from(id) << 32,
        m.bytes.min(BYTES) | u64::from(m.wildcard.bits()) << 48 | u64::from(m.signature) << 50,
    )
}

#[inline]
fn optional(id: Option<u32>) -> (u64, u64) {
    id.map_or((0, 0), |id| (1, u64::from(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: Message = Message {
        peer: 7,
        comm: MAX_COMM,
        tag: u32::MAX,
        bytes: BYTES,
        wildcard: Wildcard {
            source: true,
            tag: false,
        },
        signature: MAX_SIGNATURE,
    };

    const BEGUN: Begun = Begun {
        comm: MAX_COMM,
        root: NO_ROOT,
        signature: MAX_SIGNATURE,
    };

    #[test]
    fn every_fact_survives_packing() {
        let collective = Collective {
            op: 16,
            comm: 3,
            root: NO_ROOT,
            sent: BYTES,
            received: 1,
            signature: MAX_SIGNATURE,
            dense: false,
        };
        let dense = Collective {
            op: 9,
            dense: true,
            ..collective
        };
        for fact in [
            Fact::Enter {
                region: u32::MAX,
                site: u64::MAX,
            },
            Fact::Leave { region: 0 },
            Fact::Send(MESSAGE),
            Fact::Isend(MESSAGE, u32::MAX),
            Fact::IsendComplete { request: 5 },
            Fact::IrecvRequest {
                request: 5,
                message: None,
                posted: None,
            },
            Fact::IrecvRequest {
                request: 5,
                message: Some(9),
                posted: None,
            },
            Fact::IrecvRequest {
                request: 5,
                message: None,
                posted: Some(MESSAGE),
            },
            Fact::Posted(MESSAGE),
            Fact::CollectiveRequest {
                request: 5,
                begun: BEGUN,
                persistent: None,
            },
            Fact::CollectiveRequest {
                request: 5,
                begun: BEGUN,
                persistent: Some(u32::MAX),
            },
            Fact::CollectiveCompletes { request: 5 },
            Fact::Recv(MESSAGE, None),
            Fact::Recv(MESSAGE, Some(9)),
            Fact::Irecv(MESSAGE, 1),
            Fact::RequestTest { request: 5 },
            Fact::RequestCancelled { request: 5 },
            Fact::Probe(MESSAGE, 2),
            Fact::CollectiveBegin(BEGUN, NO_CAPACITY),
            Fact::CollectiveEnd(collective),
            Fact::CollectiveEnd(dense),
            Fact::CommCreated { comm: MAX_COMM },
            Fact::BufferFlush { stop: u64::MAX },
            Fact::Switched { on: true },
            Fact::Switched { on: false },
            Fact::Skipped(Channel::of(Side::Sent, &MESSAGE), u64::MAX),
            Fact::Skipped(Channel::of(Side::Received, &MESSAGE), 1),
            Fact::Skipped(Channel::collective(3), 7),
            Fact::UnseenIsend(MESSAGE, 5),
            Fact::UnseenIrecv(MESSAGE, UNSEEN),
            Fact::UnseenCancelled { request: u32::MAX },
            Fact::UnknownReceive(MESSAGE, 5),
        ] {
            assert_eq!(Record::new(1, fact).fact(), Some(fact));
        }
    }

    #[test]
    fn unwritten_memory_says_nothing() {
        assert_eq!(Record::EMPTY.fact(), None);
    }
}
