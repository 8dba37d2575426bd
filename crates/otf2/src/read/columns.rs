//! The events of a location in columns: one array a field, as analyses and data frames want them.

use std::ops::Range;

use super::events::EventFile;
use super::visit::{Collective, Message, Moment, Visitor};
use crate::{Error, Event, Truncation, Value};

/// Events in columns.
///
/// Each event has a time, a kind and one argument: the region that it enters or leaves, else its
/// row in the table of its kind ([`Self::table`] says which).
///
/// Chunks can be decoded side by side:
///
/// ```
/// use std::thread;
///
/// # fn main() -> Result<(), otf2::Error> {
/// # let archive = otf2::read::Archive::open(concat!(env!("CARGO_MANIFEST_DIR"),
/// #     "/tests/archives/messages/traces.otf2"))?;
/// let file = archive.events(0)?;
/// let half = file.chunks() / 2;
/// let (first, second) = thread::scope(|scope| {
///     let first = scope.spawn(|| file.columns_of(0..half));
///     let second = file.columns_of(half..file.chunks());
///     (first.join().unwrap(), second)
/// });
/// let mut columns = first?;
/// columns.append(second?);
/// assert_eq!(columns, file.columns()?);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Columns {
    /// When, in ticks of the location's clock.
    pub times: Vec<u64>,
    /// The record's number, as [`Event::id`](crate::Event::id) and [`Event::KINDS`] have it.
    pub kinds: Vec<u8>,
    /// A region or a row.
    pub arguments: Vec<u32>,
    /// Sends and receives.
    pub messages: Messages,
    /// Ends of collective operations.
    pub collectives: Collectives,
    /// Requests of the events that name nothing else.
    pub requests: Vec<u64>,
    /// Events of all other kinds.
    pub others: Vec<Event>,
    /// Attributes, with the positions of their events in these columns; ascending.
    pub attributes: Vec<(u32, u32, Value)>,
    /// Where the file was cut off, if it was.
    pub truncation: Option<Truncation>,
}

/// The columns of sends and receives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Messages {
    /// Receivers of sends, senders of receives: ranks of the communicator.
    pub peers: Vec<u32>,
    /// Communicators.
    pub communicators: Vec<u32>,
    /// Tags.
    pub tags: Vec<u32>,
    /// Bytes.
    pub lengths: Vec<u64>,
    /// Requests of nonblocking ones, [`u64::MAX`] of the others.
    pub requests: Vec<u64>,
}

/// The columns of ends of collective operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Collectives {
    /// Numbers of the operations, as [`CollectiveOp`](crate::CollectiveOp) has them.
    pub operations: Vec<u8>,
    /// Communicators.
    pub communicators: Vec<u32>,
    /// Ranks of the roots, or [`ROOT_NONE`](crate::ROOT_NONE) and its kin.
    pub roots: Vec<u32>,
    /// Bytes.
    pub sent: Vec<u64>,
    /// Bytes.
    pub received: Vec<u64>,
}

/// Where the argument of an event leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Table {
    /// It is a region.
    Region,
    /// To a row of [`Columns::messages`].
    Messages,
    /// To a row of [`Columns::collectives`].
    Collectives,
    /// To a row of [`Columns::requests`].
    Requests,
    /// Nowhere: the event has no fields.
    Nothing,
    /// To a row of [`Columns::others`].
    Others,
}

/// Numbers of the records that have methods of their own.
const ENTER: u8 = 12;
const LEAVE: u8 = 13;
const SEND: u8 = 14;
const ISEND: u8 = 15;
const ISEND_COMPLETE: u8 = 16;
const IRECV_REQUEST: u8 = 17;
const RECV: u8 = 18;
const IRECV: u8 = 19;
const REQUEST_TEST: u8 = 20;
const COLLECTIVE_BEGIN: u8 = 22;
const COLLECTIVE_END: u8 = 23;

impl Columns {
    /// Returns which table the arguments of a kind of event lead to.
    pub fn table(kind: u8) -> Table {
        match kind {
            ENTER | LEAVE => Table::Region,
            SEND | ISEND | RECV | IRECV => Table::Messages,
            ISEND_COMPLETE | IRECV_REQUEST | REQUEST_TEST => Table::Requests,
            COLLECTIVE_BEGIN => Table::Nothing,
            COLLECTIVE_END => Table::Collectives,
            _ => Table::Others,
        }
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Appends the events that follow these.
    pub fn append(&mut self, mut next: Columns) {
        let before = self.len() as u32;
        let rows = |kind: u8| match Self::table(kind) {
            Table::Messages => self.messages.peers.len() as u32,
            Table::Collectives => self.collectives.operations.len() as u32,
            Table::Requests => self.requests.len() as u32,
            Table::Others => self.others.len() as u32,
            Table::Region | Table::Nothing => 0,
        };
        for (kind, argument) in next.kinds.iter().zip(&mut next.arguments) {
            *argument += rows(*kind);
        }
        for (event, _, _) in &mut next.attributes {
            *event += before;
        }
        self.times.append(&mut next.times);
        self.kinds.append(&mut next.kinds);
        self.arguments.append(&mut next.arguments);
        self.messages.append(next.messages);
        self.collectives.append(next.collectives);
        self.requests.append(&mut next.requests);
        self.others.append(&mut next.others);
        self.attributes.append(&mut next.attributes);
        self.truncation = next.truncation.or(self.truncation.take());
    }

    fn with_capacity(events: usize) -> Columns {
        Columns {
            times: Vec::with_capacity(events),
            kinds: Vec::with_capacity(events),
            arguments: Vec::with_capacity(events),
            ..Columns::default()
        }
    }

    #[inline]
    fn push(&mut self, moment: &Moment<'_>, kind: u8, argument: u32) {
        self.times.push(moment.time);
        self.kinds.push(kind);
        self.arguments.push(argument);
        if !moment.attributes.is_empty() {
            self.push_attributes(*moment);
        }
    }

    fn push_attributes(&mut self, moment: Moment<'_>) {
        let event = self.len() as u32 - 1;
        let rows = moment
            .attributes
            .iter()
            .map(|(id, value)| (event, id, value));
        self.attributes.extend(rows);
    }

    #[inline]
    fn push_message(&mut self, moment: &Moment<'_>, kind: u8, message: Message, request: u64) {
        let row = self.messages.push(message, request);
        self.push(moment, kind, row);
    }

    #[inline]
    fn push_request(&mut self, moment: &Moment<'_>, kind: u8, request: u64) {
        let row = self.requests.len() as u32;
        self.requests.push(request);
        self.push(moment, kind, row);
    }
}

impl Messages {
    #[inline]
    fn push(&mut self, message: Message, request: u64) -> u32 {
        let row = self.peers.len() as u32;
        self.peers.push(message.peer);
        self.communicators.push(message.communicator);
        self.tags.push(message.msg_tag);
        self.lengths.push(message.msg_length);
        self.requests.push(request);
        row
    }

    fn append(&mut self, mut next: Messages) {
        self.peers.append(&mut next.peers);
        self.communicators.append(&mut next.communicators);
        self.tags.append(&mut next.tags);
        self.lengths.append(&mut next.lengths);
        self.requests.append(&mut next.requests);
    }
}

impl Collectives {
    #[inline]
    fn push(&mut self, ended: Collective) -> u32 {
        let row = self.operations.len() as u32;
        self.operations.push(ended.collective_op.0);
        self.communicators.push(ended.communicator);
        self.roots.push(ended.root);
        self.sent.push(ended.size_sent);
        self.received.push(ended.size_received);
        row
    }

    fn append(&mut self, mut next: Collectives) {
        self.operations.append(&mut next.operations);
        self.communicators.append(&mut next.communicators);
        self.roots.append(&mut next.roots);
        self.sent.append(&mut next.sent);
        self.received.append(&mut next.received);
    }
}

impl Visitor<'_> for Columns {
    #[inline]
    fn enter(&mut self, moment: &Moment<'_>, region: u32) {
        self.push(moment, ENTER, region);
    }

    #[inline]
    fn leave(&mut self, moment: &Moment<'_>, region: u32) {
        self.push(moment, LEAVE, region);
    }

    #[inline]
    fn mpi_send(&mut self, moment: &Moment<'_>, message: Message) {
        self.push_message(moment, SEND, message, u64::MAX);
    }

    #[inline]
    fn mpi_isend(&mut self, moment: &Moment<'_>, message: Message, request_id: u64) {
        self.push_message(moment, ISEND, message, request_id);
    }

    #[inline]
    fn mpi_isend_complete(&mut self, moment: &Moment<'_>, request_id: u64) {
        self.push_request(moment, ISEND_COMPLETE, request_id);
    }

    #[inline]
    fn mpi_irecv_request(&mut self, moment: &Moment<'_>, request_id: u64) {
        self.push_request(moment, IRECV_REQUEST, request_id);
    }

    #[inline]
    fn mpi_recv(&mut self, moment: &Moment<'_>, message: Message) {
        self.push_message(moment, RECV, message, u64::MAX);
    }

    #[inline]
    fn mpi_irecv(&mut self, moment: &Moment<'_>, message: Message, request_id: u64) {
        self.push_message(moment, IRECV, message, request_id);
    }

    #[inline]
    fn mpi_request_test(&mut self, moment: &Moment<'_>, request_id: u64) {
        self.push_request(moment, REQUEST_TEST, request_id);
    }

    #[inline]
    fn mpi_collective_begin(&mut self, moment: &Moment<'_>) {
        self.push(moment, COLLECTIVE_BEGIN, 0);
    }

    #[inline]
    fn mpi_collective_end(&mut self, moment: &Moment<'_>, collective: Collective) {
        let row = self.collectives.push(collective);
        self.push(moment, COLLECTIVE_END, row);
    }

    fn event(&mut self, moment: &Moment<'_>, event: Event) {
        let row = self.others.len() as u32;
        let kind = event.id();
        self.others.push(event);
        self.push(moment, kind, row);
    }
}

impl EventFile {
    /// Reads all events into columns.
    ///
    /// # Errors
    /// When bytes make no sense; visit [`Columns`] with [`Events::visit`](super::Events::visit)
    /// to keep the events before them.
    pub fn columns(&self) -> Result<Columns, Error> {
        self.columns_of(0..self.chunks())
    }

    /// Reads the events of some chunks into columns.
    ///
    /// # Errors
    /// As [`columns`](Self::columns).
    pub fn columns_of(&self, chunks: Range<usize>) -> Result<Columns, Error> {
        let all = self.chunks().max(1);
        let share = self.most_events() as usize / all * chunks.len().min(all);
        let mut columns = Columns::with_capacity(share);
        let mut events = self.only(chunks);
        events.visit(&mut columns)?;
        columns.truncation = events.truncation().cloned();
        Ok(columns)
    }
}
