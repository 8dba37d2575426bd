//! The events of one location, in columns.
//!
//! An event is a time, a kind and one argument; what does not fit into the
//! argument stands in a side table, one row per message, collective or
//! request event. A sweep that asks for times and kinds alone reads nine bytes
//! an event. Kinds that no analysis asks for are kept as [`EventKind::Other`],
//! so that event numbers stay those of the archive.
//!
//! ```
//! use mpiscope_model::{CommId, Event, Events, PointToPoint, RegionId, Timestamp};
//!
//! let mut events = Events::default();
//! events.push_enter(Timestamp(10), RegionId(0));
//! events.push_send(Timestamp(11), PointToPoint::new(1, CommId(0), 7, 64));
//! events.push_leave(Timestamp(19), RegionId(0));
//!
//! assert_eq!(events.len(), 3);
//! let Event::MpiSend(message) = events.event(1) else { panic!() };
//! assert_eq!(message.bytes, 64);
//! ```

use crate::definitions::{CollectiveOp, CommId, RegionId};
use crate::time::Timestamp;

/// Number of a nonblocking operation, unique in its process while it is active.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// What happened, without its particulars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum EventKind {
    /// A region was entered.
    Enter,
    /// A region was left.
    Leave,
    /// A blocking send began.
    MpiSend,
    /// A nonblocking send was posted.
    MpiIsend,
    /// A nonblocking send was found complete.
    MpiIsendComplete,
    /// A nonblocking receive was posted.
    MpiIrecvRequest,
    /// A blocking receive ended.
    MpiRecv,
    /// A nonblocking receive was found complete.
    MpiIrecv,
    /// A nonblocking operation was cancelled.
    MpiRequestCancelled,
    /// A nonblocking operation was tested and not complete.
    MpiRequestTest,
    /// A collective operation began.
    MpiCollectiveBegin,
    /// A collective operation ended.
    MpiCollectiveEnd,
    /// A probe found a message.
    MpiProbe,
    /// Anything else.
    Other,
}

/// The particulars of a send, a receive or a successful probe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointToPoint {
    /// Rank of the other side in `comm` (in the other group of an
    /// intercommunicator); of a receive the actual source.
    pub peer: u32,
    /// The communicator.
    pub comm: CommId,
    /// The tag; of a receive the actual one.
    pub tag: u32,
    /// Payload in bytes.
    pub bytes: u64,
    /// The nonblocking operation this belongs to.
    pub request: Option<RequestId>,
    /// The receive said MPI_ANY_SOURCE.
    pub any_source: bool,
    /// The receive said MPI_ANY_TAG.
    pub any_tag: bool,
}

impl PointToPoint {
    /// Describes a message without request and wildcards.
    pub fn new(peer: u32, comm: CommId, tag: u32, bytes: u64) -> PointToPoint {
        PointToPoint {
            peer,
            comm,
            tag,
            bytes,
            ..PointToPoint::default()
        }
    }

    /// The same message as part of the nonblocking operation `request`.
    pub fn with_request(self, request: RequestId) -> PointToPoint {
        PointToPoint {
            request: Some(request),
            ..self
        }
    }
}

/// The particulars of a collective operation, as its end tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Which operation.
    pub op: CollectiveOp,
    /// The communicator.
    pub comm: CommId,
    /// Rank of the root in `comm`, of operations that have one.
    pub root: Option<u32>,
    /// Bytes this member sent.
    pub sent: u64,
    /// Bytes this member received.
    pub received: u64,
}

/// An event with its particulars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are EventKind's")]
pub enum Event<'a> {
    Enter(RegionId),
    Leave(RegionId),
    MpiSend(&'a PointToPoint),
    MpiIsend(&'a PointToPoint),
    MpiIsendComplete(RequestId),
    MpiIrecvRequest(RequestId),
    MpiRecv(&'a PointToPoint),
    MpiIrecv(&'a PointToPoint),
    MpiRequestCancelled(RequestId),
    MpiRequestTest(RequestId),
    MpiCollectiveBegin,
    MpiCollectiveEnd(&'a Collective),
    MpiProbe(&'a PointToPoint),
    Other(u32),
}

/// Argument of a collective's begin whose end was never recorded.
const NO_END: u32 = u32::MAX;

/// The events of one location, in the order in which they happened there.
///
/// A location holds fewer than 2³² events (they would fill 50 GB).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    times: Vec<Timestamp>,
    kinds: Vec<EventKind>,
    args: Vec<u32>,
    messages: Vec<PointToPoint>,
    collectives: Vec<Collective>,
    /// Event number of each collective's begin, if it was recorded.
    begins: Vec<Option<u32>>,
    requests: Vec<RequestId>,
    /// Begins whose end has not come yet, innermost last.
    open: Vec<u32>,
}

/// Appending, in the order of the archive.
impl Events {
    /// Returns an empty list with room for `events`.
    pub fn with_capacity(events: usize) -> Events {
        Events {
            times: Vec::with_capacity(events),
            kinds: Vec::with_capacity(events),
            args: Vec::with_capacity(events),
            ..Events::default()
        }
    }

    /// Appends any event.
    pub fn push(&mut self, time: Timestamp, event: Event<'_>) {
        use EventKind as Kind;
        match event {
            Event::Enter(region) => self.push_row(time, Kind::Enter, region.0),
            Event::Leave(region) => self.push_row(time, Kind::Leave, region.0),
            Event::MpiSend(message) => self.push_message(time, Kind::MpiSend, *message),
            Event::MpiIsend(message) => self.push_message(time, Kind::MpiIsend, *message),
            Event::MpiRecv(message) => self.push_message(time, Kind::MpiRecv, *message),
            Event::MpiIrecv(message) => self.push_message(time, Kind::MpiIrecv, *message),
            Event::MpiProbe(message) => self.push_message(time, Kind::MpiProbe, *message),
            Event::MpiIsendComplete(id) => self.push_request(time, Kind::MpiIsendComplete, id),
            Event::MpiIrecvRequest(id) => self.push_request(time, Kind::MpiIrecvRequest, id),
            Event::MpiRequestCancelled(id) => {
                self.push_request(time, Kind::MpiRequestCancelled, id)
            }
            Event::MpiRequestTest(id) => self.push_request(time, Kind::MpiRequestTest, id),
            Event::MpiCollectiveBegin => self.push_collective_begin(time),
            Event::MpiCollectiveEnd(collective) => self.push_collective_end(time, *collective),
            Event::Other(arg) => self.push_row(time, Kind::Other, arg),
        }
    }

    /// Appends the entry into a region.
    pub fn push_enter(&mut self, time: Timestamp, region: RegionId) {
        self.push_row(time, EventKind::Enter, region.0);
    }

    /// Appends the exit from a region.
    pub fn push_leave(&mut self, time: Timestamp, region: RegionId) {
        self.push_row(time, EventKind::Leave, region.0);
    }

    /// Appends a blocking send.
    pub fn push_send(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiSend, message);
    }

    /// Appends the post of a nonblocking send.
    pub fn push_isend(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiIsend, message);
    }

    /// Appends the completion of a nonblocking send.
    pub fn push_isend_complete(&mut self, time: Timestamp, request: RequestId) {
        self.push_request(time, EventKind::MpiIsendComplete, request);
    }

    /// Appends the post of a nonblocking receive.
    pub fn push_irecv_request(&mut self, time: Timestamp, request: RequestId) {
        self.push_request(time, EventKind::MpiIrecvRequest, request);
    }

    /// Appends a blocking receive.
    pub fn push_recv(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiRecv, message);
    }

    /// Appends the completion of a nonblocking receive.
    pub fn push_irecv(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiIrecv, message);
    }

    /// Appends the cancellation of a nonblocking operation.
    pub fn push_request_cancelled(&mut self, time: Timestamp, request: RequestId) {
        self.push_request(time, EventKind::MpiRequestCancelled, request);
    }

    /// Appends a test of a nonblocking operation that found it incomplete.
    pub fn push_request_test(&mut self, time: Timestamp, request: RequestId) {
        self.push_request(time, EventKind::MpiRequestTest, request);
    }

    /// Appends the begin of a collective operation.
    pub fn push_collective_begin(&mut self, time: Timestamp) {
        self.open.push(self.kinds.len() as u32);
        self.push_row(time, EventKind::MpiCollectiveBegin, NO_END);
    }

    /// Appends the end of the collective operation that began last.
    pub fn push_collective_end(&mut self, time: Timestamp, collective: Collective) {
        let number = self.collectives.len() as u32;
        let begin = self.open.pop();
        if let Some(begin) = begin {
            self.args[begin as usize] = number;
        }
        self.begins.push(begin);
        self.collectives.push(collective);
        self.push_row(time, EventKind::MpiCollectiveEnd, number);
    }

    /// Appends a successful probe.
    pub fn push_probe(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiProbe, message);
    }

    /// Appends an event of any other kind; `arg` is the reader's own.
    pub fn push_other(&mut self, time: Timestamp, arg: u32) {
        self.push_row(time, EventKind::Other, arg);
    }

    fn push_row(&mut self, time: Timestamp, kind: EventKind, arg: u32) {
        self.times.push(time);
        self.kinds.push(kind);
        self.args.push(arg);
    }

    fn push_message(&mut self, time: Timestamp, kind: EventKind, message: PointToPoint) {
        self.push_row(time, kind, self.messages.len() as u32);
        self.messages.push(message);
    }

    fn push_request(&mut self, time: Timestamp, kind: EventKind, request: RequestId) {
        self.push_row(time, kind, self.requests.len() as u32);
        self.requests.push(request);
    }
}

/// Looking.
impl Events {
    /// Returns the number of events.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Returns the column of times.
    pub fn times(&self) -> &[Timestamp] {
        &self.times
    }

    /// Returns the column of kinds.
    pub fn kinds(&self) -> &[EventKind] {
        &self.kinds
    }

    /// Returns the column of arguments: of an enter or leave the region, of
    /// a send, receive or probe the row in [`messages`](Self::messages), of a
    /// collective's begin and end the row in [`collectives`](Self::collectives)
    /// (a begin without end has `u32::MAX`), of other MPI events the row in
    /// [`requests`](Self::requests). Each row belongs to one event, and rows
    /// of messages ascend with their events.
    pub fn args(&self) -> &[u32] {
        &self.args
    }

    /// Returns the messages sent, received and probed here.
    pub fn messages(&self) -> &[PointToPoint] {
        &self.messages
    }

    /// Returns the collective operations that ended here, in that order.
    pub fn collectives(&self) -> &[Collective] {
        &self.collectives
    }

    /// Returns the number of the event that began the collective in row
    /// `collective`, if its begin was recorded.
    pub fn collective_begin(&self, collective: usize) -> Option<usize> {
        Some((*self.begins.get(collective)?)? as usize)
    }

    /// Returns the requests of the events that name nothing but a request.
    pub fn requests(&self) -> &[RequestId] {
        &self.requests
    }

    /// Returns the event numbered `index`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn event(&self, index: usize) -> Event<'_> {
        let arg = self.args[index];
        let row = arg as usize;
        match self.kinds[index] {
            EventKind::Enter => Event::Enter(RegionId(arg)),
            EventKind::Leave => Event::Leave(RegionId(arg)),
            EventKind::MpiSend => Event::MpiSend(&self.messages[row]),
            EventKind::MpiIsend => Event::MpiIsend(&self.messages[row]),
            EventKind::MpiIsendComplete => Event::MpiIsendComplete(self.requests[row]),
            EventKind::MpiIrecvRequest => Event::MpiIrecvRequest(self.requests[row]),
            EventKind::MpiRecv => Event::MpiRecv(&self.messages[row]),
            EventKind::MpiIrecv => Event::MpiIrecv(&self.messages[row]),
            EventKind::MpiRequestCancelled => Event::MpiRequestCancelled(self.requests[row]),
            EventKind::MpiRequestTest => Event::MpiRequestTest(self.requests[row]),
            EventKind::MpiCollectiveBegin => Event::MpiCollectiveBegin,
            EventKind::MpiCollectiveEnd => Event::MpiCollectiveEnd(&self.collectives[row]),
            EventKind::MpiProbe => Event::MpiProbe(&self.messages[row]),
            EventKind::Other => Event::Other(arg),
        }
    }

    /// Walks through the events with their times.
    pub fn iter(&self) -> impl Iterator<Item = (Timestamp, Event<'_>)> {
        (0..self.len()).map(|i| (self.times[i], self.event(i)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collective_knows_its_begin_even_when_nested() {
        let mut events = Events::default();
        let collective = |op| Collective {
            op,
            comm: CommId(0),
            root: None,
            sent: 0,
            received: 0,
        };
        events.push_collective_begin(Timestamp(1));
        events.push_collective_begin(Timestamp(2));
        events.push_collective_end(Timestamp(3), collective(CollectiveOp::Barrier));
        events.push_collective_end(Timestamp(4), collective(CollectiveOp::Allreduce));
        events.push_collective_end(Timestamp(5), collective(CollectiveOp::Barrier));
        assert_eq!(events.collective_begin(0), Some(1));
        assert_eq!(events.collective_begin(1), Some(0));
        assert_eq!(events.collective_begin(2), None);
        assert_eq!(events.args()[0], 1);
    }
}
