//! From records to the events of the archive.
//!
//! A record holds raw ticks and the numbers of its own process. The
//! [`Converter`] of a location turns it into an OTF2 event: nanoseconds, the
//! archive's numbers, and attributes for what OTF2 has no field for.

mod accesses;
mod files;
mod polls;
mod threads;

use std::collections::{HashMap, HashSet};

use accesses::Accesses;
use files::InFiles;
use otf2::{
    CollectiveOp, Event, MeasurementMode, MetricValue, RmaSyncLevel, RmaSyncType, Type, Value,
    ROOT_NONE,
};
use polls::Waiting;

use crate::attributes::{
    CALL_SITE, CAPACITY, COMM_CREATED, DENSE, FAILED, MESSAGE_ID, NEIGHBORS, PERIODS, PERSISTENT,
    POSTED_COMM, POSTED_SOURCE, POSTED_TAG, SEQUENCE, SIGNATURE, WILDCARD,
};
use crate::call_sites::AddressNumbers;
use crate::clocks::LocalClock;
use crate::numbering::{Numbers, REJECTED};
use crate::plan::Orders;
use crate::record::{
    Begun, Collective, Fact, Message, Record, ThreadFact, WindowCollective, WindowSync,
    AMONG_NEIGHBORS, MAX_COMM, MAX_SIGNATURE, NO_CAPACITY, NO_ROOT, UNSEEN,
};
use crate::sampling::TIMER;
use crate::teams::seen::Seen;

/// Marks a number that the archive does not have.
const UNKNOWN: u32 = u32::MAX;

/// An attribute of an event: its number and value.
pub(crate) type Attribute = (u32, Value);

/// Converts the records of one location, in order.
pub(crate) struct Converter<'a> {
    clock: LocalClock,
    regions: Vec<u32>,
    metrics: Vec<u32>,
    communicators: Vec<u32>,
    windows: Vec<u32>,
    groups: Vec<u32>,
    teams: Vec<u32>,
    /// The communicator of the threads that were created one by one.
    created_threads: Option<u32>,
    /// What all records of the process say of its teams and locks.
    seen: &'a Seen,
    /// Locks that the thread holds, and whose turn it is.
    held: HashMap<u64, u32>,
    files: Vec<u32>,
    file_names: Vec<u32>,
    in_files: InFiles,
    /// Operations on windows that have not completed.
    pub accesses: Accesses,
    /// Polls that found nothing, of which no more are to come once another record comes.
    pub polls: Waiting,
    sites: AddressNumbers,
    functions: AddressNumbers,
    samples: AddressNumbers,
    /// Attributes of the event converted last.
    pub attributes: Vec<Attribute>,
    /// Regions entered and not yet left, in the archive's numbers.
    pub open: Vec<u32>,
    /// The communicator that the call about to be left has created.
    created: Option<u32>,
    /// The class of the error that the call about to be left returns.
    failed: Option<u32>,
    /// What the receive or probe told of next asks for.
    posted: Option<Message>,
    /// The request whose collective ends next.
    completes: Option<u32>,
    /// The type signature that the collective begun last told.
    begun: u16,
    /// The archive's numbers of type signatures, by those of the process.
    signatures: Vec<u64>,
    /// Numbers that records still to come carry.
    numbers: std::iter::Peekable<std::vec::IntoIter<(u64, u64)>>,
    /// Records converted.
    records: u64,
    /// Receives that were posted unseen and told of later.
    told: HashSet<u32>,
    /// Time of the latest event.
    pub last: u64,
    /// Records that could not be expressed.
    pub skipped: u64,
    /// Times that ran backwards.
    pub repaired: u64,
}

impl<'a> Converter<'a> {
    pub fn new(orders: &Orders, seen: &'a Seen, numbers: Numbers) -> Self {
        Self {
            clock: orders.clock,
            regions: table(&orders.regions),
            metrics: table(&orders.metrics),
            communicators: table(&orders.communicators),
            windows: table(&orders.windows),
            groups: table(&orders.groups),
            teams: table(&orders.teams),
            created_threads: orders.created_threads,
            seen,
            held: HashMap::new(),
            files: table(&orders.files),
            file_names: table(&orders.file_names),
            in_files: InFiles::default(),
            accesses: Accesses::default(),
            polls: Waiting::default(),
            sites: AddressNumbers::new(&orders.sites),
            functions: AddressNumbers::new(&orders.functions),
            samples: AddressNumbers::new(&orders.samples),
            attributes: Vec::new(),
            open: Vec::new(),
            created: None,
            failed: None,
            posted: None,
            completes: None,
            begun: 0,
            signatures: signatures(orders),
            numbers: numbers.into_iter().peekable(),
            records: 0,
            told: HashSet::new(),
            last: 0,
            skipped: 0,
            repaired: 0,
        }
    }

    /// Returns time and event; nothing for what is no event of its own.
    #[inline]
    pub fn convert(&mut self, record: &Record) -> Option<(u64, Event)> {
        self.attributes.clear();
        let index = self.records;
        self.records += 1;
        let Some(fact) = record.fact() else {
            self.skipped += 1;
            return None;
        };
        if self.numbers.next_if_eq(&(index, REJECTED)).is_some() {
            return None;
        }
        if self.is_no_event(fact, record.time) {
            return None;
        }
        let time = self.time(record.time);
        let event = self.event(fact);
        if event.is_none() {
            self.skipped += 1;
        }
        if let Some((_, number)) = self.numbers.next_if(|(record, _)| *record == index) {
            self.attributes.push((SEQUENCE, Value::Uint64(number)));
        }
        Some((time, event?))
    }

    /// Notes what is no event of its own: what is told by another event, or
    /// belongs to what happened while recording was off.
    #[inline]
    fn is_no_event(&mut self, fact: Fact, record_time: u64) -> bool {
        match fact {
            fact if fact.is_left_out() => {}
            Fact::CollectiveEnd(_) if self.completes.is_some_and(|id| id & UNSEEN != 0) => {
                self.completes = None;
            }
            Fact::CommCreated { comm } => self.note_created(comm),
            Fact::Failed { class, .. } => self.failed = Some(class),
            Fact::IsendComplete { request } if request & UNSEEN != 0 => {}
            Fact::RequestTest { request } | Fact::RequestCancelled { request }
                if request & UNSEEN != 0 =>
            {
                return !self.told.contains(&request);
            }
            Fact::IrecvRequest { request, .. } if request & UNSEEN != 0 => {
                self.told.insert(request);
                return false;
            }
            Fact::Skipped(..)
            | Fact::UnseenIsend(..)
            | Fact::UnseenIrecv(..)
            | Fact::UnseenCancelled { .. }
            | Fact::UnknownReceive(..)
            | Fact::ThreadBegins { .. } => {}
            Fact::File(fact) => return files::began_unseen(fact),
            Fact::Thread(ThreadFact::ReleaseLock(lock)) => return !self.held.contains_key(&lock),
            Fact::Thread(
                ThreadFact::Create(number) | ThreadFact::End(number) | ThreadFact::Wait(number),
            ) => return !self.seen.has_begun(number),
            Fact::Polls(polls) => self.polls.push(record_time, polls),
            Fact::Posted(m) => self.posted = Some(m),
            Fact::CollectiveCompletes { request } => self.completes = Some(request),
            Fact::RemoteAccessComplete { request } => {
                self.tell_completions(record_time, |all| all.request(request));
            }
            Fact::WindowSync(window, sync @ (WindowSync::Local(_) | WindowSync::Remote(_))) => {
                self.tell_completions(record_time, |all| all.synchronized(window, sync));
            }
            _ => return false,
        }
        true
    }

    /// Notes what has completed at the time of a record.
    #[cold]
    fn tell_completions(&mut self, ticks: u64, note: impl FnOnce(&mut Accesses)) {
        note(&mut self.accesses);
        if self.accesses.has_told() {
            self.time(ticks);
        }
    }

    fn note_created(&mut self, comm: u32) {
        let known = self.communicator(comm);
        // No call creates two, and an event can name but one.
        if known.is_none() || self.created.is_some() {
            self.skipped += 1;
        }
        self.created = known.or(self.created);
    }

    /// Times of a location never decrease, whatever its clock does.
    #[inline]
    fn time(&mut self, ticks: u64) -> u64 {
        let time = self.clock.nanoseconds(ticks);
        if time < self.last {
            self.repaired += 1;
            return self.last;
        }
        self.last = time;
        time
    }

    #[inline]
    fn event(&mut self, fact: Fact) -> Option<Event> {
        Some(match fact {
            Fact::Enter { region, site } => self.enter(region, site)?,
            Fact::Leave { region } => self.leave(region)?,
            Fact::EnterFunction { address, site } => self.enter_function(address, site)?,
            Fact::LeaveFunction { address } => self.leave_function(address)?,
            Fact::Sample { address, periods } => self.sample(address, periods)?,
            Fact::Metric { metric, real, bits } => Event::Metric {
                metric: look_up(&self.metrics, metric)?,
                values: vec![MetricValue {
                    kind: if real { Type::DOUBLE } else { Type::INT64 },
                    bits,
                }],
            },
            Fact::Send(m) => {
                self.tell_signature(m.signature);
                Event::MpiSend {
                    receiver: m.peer,
                    communicator: self.communicator(m.comm)?,
                    msg_tag: m.tag,
                    msg_length: m.bytes,
                }
            }
            Fact::Isend(m, request) => {
                self.tell_signature(m.signature);
                Event::MpiIsend {
                    receiver: m.peer,
                    communicator: self.communicator(m.comm)?,
                    msg_tag: m.tag,
                    msg_length: m.bytes,
                    request_id: request.into(),
                }
            }
            Fact::IsendComplete { request } => Event::MpiIsendComplete {
                request_id: request.into(),
            },
            Fact::IrecvRequest {
                request,
                message,
                posted,
            } => {
                let asked = self.posted.take();
                self.tell_posted(posted.or(asked));
                self.name_message(message);
                Event::MpiIrecvRequest {
                    request_id: request.into(),
                }
            }
            Fact::Recv(m, message) => {
                self.tell_wildcards(m);
                self.name_message(message);
                Event::MpiRecv {
                    sender: m.peer,
                    communicator: self.communicator(m.comm)?,
                    msg_tag: m.tag,
                    msg_length: m.bytes,
                }
            }
            Fact::Irecv(m, request) => {
                self.tell_wildcards(m);
                Event::MpiIrecv {
                    sender: m.peer,
                    communicator: self.communicator(m.comm)?,
                    msg_tag: m.tag,
                    msg_length: m.bytes,
                    request_id: request.into(),
                }
            }
            Fact::RequestTest { request } => match self.accesses.tested(request) {
                Some(test) => test,
                None => Event::MpiRequestTest {
                    request_id: request.into(),
                },
            },
            Fact::RequestCancelled { request } => Event::MpiRequestCancelled {
                request_id: request.into(),
            },
            Fact::Probe(m, message) => {
                self.tell_wildcards(m);
                Event::MpiProbe {
                    sender: m.peer,
                    communicator: self.communicator(m.comm)?,
                    tag: m.tag,
                    message_id: message.into(),
                }
            }
            Fact::CollectiveBegin(begun, bytes) => {
                self.tell_begun(begun, bytes);
                self.begun = begun.signature;
                Event::MpiCollectiveBegin
            }
            Fact::CollectiveRequest {
                request,
                begun,
                persistent,
            } => {
                self.tell_begun(begun, NO_CAPACITY);
                if let Some(number) = persistent {
                    let number = Value::Uint64(number.into());
                    self.attributes.push((PERSISTENT, number));
                }
                Event::NonBlockingCollectiveRequest {
                    request_id: request.into(),
                }
            }
            Fact::CollectiveEnd(c) => self.collective_end(c)?,
            Fact::BufferFlush { stop } => Event::BufferFlush {
                stop_time: self.clock.nanoseconds(stop).max(self.last),
            },
            Fact::Switched { on } => {
                // What is under way completes unseen, or nobody knows when.
                self.accesses.clear();
                Event::MeasurementOnOff {
                    measurement_mode: match on {
                        true => MeasurementMode::ON,
                        false => MeasurementMode::OFF,
                    },
                }
            }
            Fact::WindowCreated { window } => Event::RmaWinCreate {
                win: self.window(window)?,
            },
            Fact::WindowFreed { window } => Event::RmaWinDestroy {
                win: self.window(window)?,
            },
            Fact::WindowCollectiveBegin => Event::RmaCollectiveBegin,
            Fact::WindowCollectiveEnd(c) => self.window_collective(c)?,
            Fact::RemoteAccess(access, id) => {
                let win = self.window(access.window)?;
                self.accesses.begin(win, &access, id)
            }
            Fact::WindowSync(window, sync) => self.window_sync(window, sync)?,
            Fact::File(fact) => self.file_event(fact, self.last)?,
            Fact::Thread(fact) => self.thread_event(fact)?,
            Fact::CommCreated { .. }
            | Fact::Skipped(..)
            | Fact::UnseenIsend(..)
            | Fact::UnseenIrecv(..)
            | Fact::UnseenCancelled { .. }
            | Fact::UnknownReceive(..)
            | Fact::ThreadBegins { .. }
            | Fact::Failed { .. }
            | Fact::Posted(_)
            | Fact::Polls(_)
            | Fact::CollectiveCompletes { .. }
            | Fact::RemoteAccessComplete { .. } => return None,
        })
    }

    fn window_collective(&self, c: WindowCollective) -> Option<Event> {
        let processes = match c.synchronizes {
            true => RmaSyncLevel::PROCESS,
            false => RmaSyncLevel::NONE,
        };
        Some(Event::RmaCollectiveEnd {
            collective_op: CollectiveOp(c.op),
            sync_level: processes | RmaSyncLevel::MEMORY,
            win: self.window(c.window)?,
            root: ROOT_NONE,
            bytes_sent: 0,
            bytes_received: 0,
        })
    }

    fn window_sync(&self, window: u32, sync: WindowSync) -> Option<Event> {
        let (win, lock_id) = (self.window(window)?, 0);
        Some(match sync {
            WindowSync::Group(group) => Event::RmaGroupSync {
                sync_level: RmaSyncLevel::PROCESS | RmaSyncLevel::MEMORY,
                win,
                group: look_up(&self.groups, group)?,
            },
            WindowSync::Request(remote, shared) => Event::RmaRequestLock {
                win,
                remote,
                lock_id,
                lock_type: accesses::lock_type(shared),
            },
            WindowSync::Acquire(remote, shared) => Event::RmaAcquireLock {
                win,
                remote,
                lock_id,
                lock_type: accesses::lock_type(shared),
            },
            WindowSync::Release(remote) => Event::RmaReleaseLock {
                win,
                remote,
                lock_id,
            },
            WindowSync::Memory(remote) => Event::RmaSync {
                win,
                remote,
                sync_type: RmaSyncType::MEMORY,
            },
            WindowSync::Local(_) | WindowSync::Remote(_) => return None,
        })
    }

    fn collective_end(&mut self, c: Collective) -> Option<Event> {
        let communicator = self.communicator(c.comm)?;
        if c.dense {
            self.attributes.push((DENSE, Value::Uint8(1)));
        }
        if c.op & AMONG_NEIGHBORS != 0 {
            self.attributes.push((NEIGHBORS, Value::Uint8(1)));
        }
        let op = CollectiveOp(c.op & !AMONG_NEIGHBORS);
        let completes = self.completes.take();
        let signature = match completes {
            None => std::mem::take(&mut self.begun),
            Some(_) => c.signature,
        };
        self.tell_signature(signature);
        Some(match completes {
            None => Event::MpiCollectiveEnd {
                collective_op: op,
                communicator,
                root: c.root,
                size_sent: c.sent,
                size_received: c.received,
            },
            Some(request) => Event::NonBlockingCollectiveComplete {
                collective_op: op,
                communicator,
                root: c.root,
                size_sent: c.sent,
                size_received: c.received,
                request_id: request.into(),
            },
        })
    }

    #[inline]
    fn enter(&mut self, region: u32, site: u64) -> Option<Event> {
        let region = look_up(&self.regions, region)?;
        self.open(region, site);
        if self.posted.is_some() {
            let asked = self.posted.take();
            self.tell_posted(asked);
        }
        Some(Event::Enter { region })
    }

    /// Notes that a region is entered from a place in the program.
    #[inline]
    fn open(&mut self, region: u32, site: u64) {
        self.open.push(region);
        if let Some(site) = self.sites.number(site) {
            let context = Value::CallingContext(site);
            self.attributes.push((CALL_SITE, context));
        }
    }

    fn enter_function(&mut self, address: u64, site: u64) -> Option<Event> {
        let region = self.functions.number(address)?;
        self.open(region, site);
        Some(Event::Enter { region })
    }

    fn leave_function(&mut self, address: u64) -> Option<Event> {
        let region = self.functions.number(address)?;
        self.close(region);
        Some(Event::Leave { region })
    }

    /// The thread was computing there. Of the path by which it came there nothing is known, so the
    /// place alone is what may have changed since the sample before.
    fn sample(&mut self, address: u64, periods: u32) -> Option<Event> {
        if periods != 1 {
            let periods = Value::Uint32(periods);
            self.attributes.push((PERIODS, periods));
        }
        Some(Event::CallingContextSample {
            calling_context: self.samples.number(address)?,
            unwind_distance: 1,
            interrupt_generator: TIMER,
        })
    }

    /// Notes that a region is left.
    #[inline]
    fn close(&mut self, region: u32) {
        if self.open.last() == Some(&region) {
            self.open.pop();
        }
    }

    #[inline]
    fn leave(&mut self, region: u32) -> Option<Event> {
        let region = look_up(&self.regions, region)?;
        self.close(region);
        if let Some(comm) = self.created.take() {
            self.attributes.push((COMM_CREATED, Value::Comm(comm)));
        }
        if let Some(class) = self.failed.take() {
            self.attributes.push((FAILED, Value::Uint32(class)));
        }
        Some(Event::Leave { region })
    }

    fn communicator(&self, local: u32) -> Option<u32> {
        look_up(&self.communicators, local)
    }

    fn window(&self, local: u32) -> Option<u32> {
        look_up(&self.windows, local)
    }

    fn tell_wildcards(&mut self, message: Message) {
        let bits = message.wildcard.bits();
        if bits != 0 {
            self.attributes.push((WILDCARD, Value::Uint8(bits)));
        }
    }

    /// Says what a receive or probe asks for.
    fn tell_posted(&mut self, asked: Option<Message>) {
        let Some(asked) = asked else { return };
        let Some(comm) = self.communicator(asked.comm) else {
            return;
        };
        self.attributes.push((POSTED_COMM, Value::Comm(comm)));
        if !asked.wildcard.source {
            let source = Value::Uint32(asked.peer);
            self.attributes.push((POSTED_SOURCE, source));
        }
        if !asked.wildcard.tag {
            self.attributes.push((POSTED_TAG, Value::Uint32(asked.tag)));
        }
        if asked.bytes != NO_CAPACITY {
            self.attributes.push((CAPACITY, Value::Uint64(asked.bytes)));
        }
        self.tell_signature(asked.signature);
    }

    /// Says what a collective operation is of which no more may ever be told.
    fn tell_begun(&mut self, begun: Begun, bytes: u64) {
        let Some(comm) = self.communicator(begun.comm) else {
            return;
        };
        self.attributes.push((POSTED_COMM, Value::Comm(comm)));
        if begun.root != NO_ROOT {
            let root = Value::Uint32(begun.root);
            self.attributes.push((POSTED_SOURCE, root));
        }
        if bytes != NO_CAPACITY {
            self.attributes.push((CAPACITY, Value::Uint64(bytes)));
        }
        self.tell_signature(begun.signature);
    }

    fn tell_signature(&mut self, number: u16) {
        let number = self.signatures.get(usize::from(number)).copied();
        if let Some(number) = number.filter(|&number| number != 0) {
            self.attributes.push((SIGNATURE, Value::Uint64(number)));
        }
    }

    fn name_message(&mut self, message: Option<u32>) {
        if let Some(id) = message {
            self.attributes.push((MESSAGE_ID, Value::Uint64(id.into())));
        }
    }
}

/// Returns the archive's numbers of type signatures at those of the process, 0 for what is none.
fn signatures(orders: &Orders) -> Vec<u64> {
    let pairs = || (orders.signatures.iter()).filter(|(id, _)| *id <= MAX_SIGNATURE);
    let last = pairs().map(|(id, _)| usize::from(*id)).max();
    let mut numbers = vec![0; last.map_or(0, |last| last + 1)];
    for &(id, number) in pairs() {
        numbers[usize::from(id)] = number;
    }
    numbers
}

/// Turns pairs into an array; numbers no process can have are left out.
fn table(pairs: &[(u32, u32)]) -> Vec<u32> {
    let pairs = || pairs.iter().filter(|(local, _)| *local <= MAX_COMM);
    let len = pairs()
        .map(|(local, _)| *local as usize + 1)
        .max()
        .unwrap_or(0);
    let mut table = vec![UNKNOWN; len];
    for &(local, global) in pairs() {
        table[local as usize] = global;
    }
    table
}

#[inline]
fn look_up(table: &[u32], local: u32) -> Option<u32> {
    table
        .get(local as usize)
        .copied()
        .filter(|&global| global != UNKNOWN)
}
