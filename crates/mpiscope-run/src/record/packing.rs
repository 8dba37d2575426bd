//! A fact in four words, and out of them.
//!
//! A fact that has a message has it in the same place as any other: peer and
//! communicator in the head, tag in `a` (an id above it), bytes in `b` (the
//! wildcards and the type signature above them).

use super::raw::Words;
use super::{
    Begun, Channel, Collective, Fact, FileFact, Message, Polls, Record, RemoteAccess, Side,
    ThreadFact, Wildcard, WindowCollective, WindowSync, BYTES, MAX_COMM,
};

/// Marks the bytes sent of a dense collective.
const DENSE: u64 = 1 << 63;

/// Marks the region of polls of which one has not returned.
const WITHIN: u32 = 1 << 16;

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
    pub const THREAD_BEGINS: u8 = 27;
    pub const WINDOW_CREATED: u8 = 28;
    pub const WINDOW_FREED: u8 = 29;
    pub const WINDOW_COLLECTIVE_BEGIN: u8 = 30;
    pub const WINDOW_COLLECTIVE_END: u8 = 31;
    pub const REMOTE_ACCESS: u8 = 32;
    pub const REMOTE_ACCESS_COMPLETE: u8 = 33;
    pub const WINDOW_SYNC: u8 = 34;
    pub const SKIPPED_WINDOW: u8 = 35;
    pub const POLLS: u8 = 36;
    /// The first of those of files.
    pub const FILE: u8 = 37;
    pub const METRIC: u8 = 59;
    pub const ENTER_FUNCTION: u8 = 60;
    pub const LEAVE_FUNCTION: u8 = 61;
    pub const SAMPLE: u8 = 62;
    pub const FAILED: u8 = 63;
    /// The first of those of threads.
    pub const THREAD: u8 = 64;
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

    /// Packs a fact and its time. Where it is known which fact, that is four words in registers;
    /// out of line it would be a jump and a copy that the processor has to wait for.
    #[inline(always)]
    pub fn new(time: u64, fact: Fact) -> Self {
        let (head, a, b) = match fact {
            Fact::Enter { region, site } => (head(kind::ENTER, 0, region), site, 0),
            Fact::Leave { region } => (head(kind::LEAVE, 0, region), 0, 0),
            Fact::EnterFunction { address, site } => {
                (head(kind::ENTER_FUNCTION, 0, 0), address, site)
            }
            Fact::LeaveFunction { address } => (head(kind::LEAVE_FUNCTION, 0, 0), address, 0),
            Fact::Sample { address, periods } => (head(kind::SAMPLE, 0, periods), address, 0),
            Fact::Metric { metric, real, bits } => {
                (head(kind::METRIC, u32::from(real), metric), bits, 0)
            }
            Fact::Polls(polls) => {
                let detail = u32::from(polls.region) | if polls.within { WITHIN } else { 0 };
                (
                    head(kind::POLLS, detail, polls.count),
                    polls.site,
                    polls.ticks,
                )
            }
            Fact::Failed { class, rejected } => {
                (head(kind::FAILED, u32::from(rejected), class), 0, 0)
            }
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
            Fact::ThreadBegins { thread, tid } => {
                (head(kind::THREAD_BEGINS, 0, thread), u64::from(tid), 0)
            }
            Fact::WindowCreated { window } => (head(kind::WINDOW_CREATED, window, 0), 0, 0),
            Fact::WindowFreed { window } => (head(kind::WINDOW_FREED, window, 0), 0, 0),
            Fact::WindowCollectiveBegin => (head(kind::WINDOW_COLLECTIVE_BEGIN, 0, 0), 0, 0),
            Fact::WindowCollectiveEnd(c) => (
                head(kind::WINDOW_COLLECTIVE_END, c.window, u32::from(c.op)),
                u64::from(c.synchronizes),
                0,
            ),
            Fact::RemoteAccess(it, id) => (
                head(kind::REMOTE_ACCESS, it.window, it.target),
                u64::from(it.bits()) | u64::from(id) << 32,
                it.bytes.min(BYTES),
            ),
            Fact::RemoteAccessComplete { request } => {
                (head(kind::REMOTE_ACCESS_COMPLETE, 0, request), 0, 0)
            }
            Fact::WindowSync(window, sync) => {
                let (a, word) = sync.words();
                (head(kind::WINDOW_SYNC, window, word), a, 0)
            }
            Fact::File(fact) => of_group(kind::FILE, fact.words()),
            Fact::Thread(fact) => of_group(kind::THREAD, fact.words()),
        };
        Self { time, head, a, b }
    }

    /// Returns the four words of the record.
    pub fn raw(&self) -> [u64; 4] {
        [self.time, self.head, self.a, self.b]
    }

    /// Makes a record of its four words.
    pub fn from_raw([time, head, a, b]: [u64; 4]) -> Self {
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
            kind::ENTER_FUNCTION => Fact::EnterFunction {
                address: self.a,
                site: self.b,
            },
            kind::LEAVE_FUNCTION => Fact::LeaveFunction { address: self.a },
            kind::SAMPLE => Fact::Sample {
                address: self.a,
                periods: word,
            },
            kind::METRIC => Fact::Metric {
                metric: word,
                real: self.comm() != 0,
                bits: self.a,
            },
            kind::POLLS => Fact::Polls(Polls {
                region: self.comm() as u16,
                site: self.a,
                count: word,
                ticks: self.b,
                within: self.comm() & WITHIN != 0,
            }),
            kind::FAILED => Fact::Failed {
                class: word,
                rejected: self.comm() != 0,
            },
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
            kind::SKIPPED_WINDOW => self.skipped(Side::Window),
            kind::UNSEEN_ISEND => Fact::UnseenIsend(self.message(), self.id()),
            kind::UNSEEN_IRECV => Fact::UnseenIrecv(self.message(), self.id()),
            kind::UNSEEN_CANCELLED => Fact::UnseenCancelled { request: word },
            kind::UNKNOWN_RECEIVE => Fact::UnknownReceive(self.message(), self.id()),
            kind::THREAD_BEGINS => Fact::ThreadBegins {
                thread: word,
                tid: self.a as u32,
            },
            kind::WINDOW_CREATED => Fact::WindowCreated {
                window: self.comm(),
            },
            kind::WINDOW_FREED => Fact::WindowFreed {
                window: self.comm(),
            },
            kind::WINDOW_COLLECTIVE_BEGIN => Fact::WindowCollectiveBegin,
            kind::WINDOW_COLLECTIVE_END => Fact::WindowCollectiveEnd(WindowCollective {
                window: self.comm(),
                op: word as u8,
                synchronizes: self.a != 0,
            }),
            kind::REMOTE_ACCESS => {
                let (window, bytes) = (self.comm(), self.b & BYTES);
                let access = RemoteAccess::from_bits(self.a as u32, window, word, bytes)?;
                Fact::RemoteAccess(access, self.id())
            }
            kind::REMOTE_ACCESS_COMPLETE => Fact::RemoteAccessComplete { request: word },
            kind::WINDOW_SYNC => {
                Fact::WindowSync(self.comm(), WindowSync::from_words(self.a, word)?)
            }
            k @ kind::FILE.. if k < kind::FILE + FileFact::KINDS => {
                Fact::File(FileFact::from_words(&self.words(k - kind::FILE))?)
            }
            k @ kind::THREAD.. if k < kind::THREAD + ThreadFact::KINDS => {
                Fact::Thread(ThreadFact::from_words(&self.words(k - kind::THREAD))?)
            }
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

    /// Returns whether the record tells of polls that found nothing.
    #[inline]
    pub fn is_of_polls(&self) -> bool {
        self.head as u8 == kind::POLLS
    }

    /// Returns the words of a fact that packs itself.
    fn words(&self, kind: u8) -> Words {
        Words {
            kind,
            detail: self.comm(),
            word: (self.head >> 32) as u32,
            a: self.a,
            b: self.b,
        }
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
        Side::Window => kind::SKIPPED_WINDOW,
    }
}

#[inline]
fn head(kind: u8, detail: u32, word: u32) -> u64 {
    u64::from(kind) | u64::from(detail & MAX_COMM) << 8 | u64::from(word) << 32
}

/// The words of a fact that packs itself, one of a group whose kinds begin here.
#[inline(always)]
fn of_group(first: u8, words: Words) -> (u64, u64, u64) {
    let head = head(first + words.kind, words.detail, words.word);
    (head, words.a, words.b)
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
