//! The events of one location, from OTF2's records to the model's columns.

use std::collections::HashSet;

use mpiscope_model::definitions::CollectiveOp;
use mpiscope_model::{Collective, Events, PointToPoint, RegionId, RequestId, Timestamp};
use otf2::clock::Cursor;
use otf2::read::{EventFile, Message, Moment, Visitor};
use otf2::{ClockCorrection, ROOT_NONE};

use super::matched::Matched;
use super::names::Names;
use super::notes::Said;
use super::one_sided::one_sided_event;
use super::samples::sample;
use super::threads::thread_event;
use crate::progress::{Progress, STEP};
use crate::source::Clock;

/// OTF2's numbers of records that receive.
const MPI_RECV: u32 = 18;
const MPI_IRECV: u32 = 19;

/// Reads all events that can be read; returns why it stopped early, if it did.
pub(super) fn read(
    file: &EventFile,
    times: Times<'_>,
    names: &mut Names<'_>,
    events: &mut Events,
    progress: &Progress,
) -> Option<String> {
    let mut reader = Reader::new(times, names, events, progress);
    let mut records = file.iter();
    let end = records.visit(&mut reader);
    reader.tell(0);
    match end {
        Ok(()) => records.truncation().map(ToString::to_string),
        Err(error) => Some(error.to_string()),
    }
}

/// What a location's time stamps mean.
pub(super) struct Times<'a> {
    clock: &'a Clock,
    /// Of a corrected archive, what must be added to them.
    offsets: Option<Cursor<'a>>,
}

impl<'a> Times<'a> {
    pub fn new(clock: &'a Clock, correction: &'a ClockCorrection) -> Self {
        let offsets = (!correction.is_identity()).then(|| correction.cursor());
        Times { clock, offsets }
    }

    /// Returns the time that a time stamp means; they are asked for in their order.
    #[inline]
    pub fn at(&mut self, ticks: u64) -> Timestamp {
        match &mut self.offsets {
            None => self.clock.timestamp(ticks),
            Some(offsets) => self.clock.timestamp(offsets.apply(ticks)),
        }
    }
}

/// Reads the events of one chunk as if there were none before; returns whether they mean the same
/// where they stand. They do not if the chunk is damaged, or says of itself what is not so.
pub(super) fn read_chunk(
    file: &EventFile,
    chunk: usize,
    times: Times<'_>,
    names: &mut Names<'_>,
    events: &mut Events,
    progress: &Progress,
) -> bool {
    let Some(head) = file.head(chunk) else {
        return false;
    };
    let mut reader = Reader::new(times, names, events, progress);
    reader.from_begin = chunk == 0;
    let mut records = file.only(chunk..chunk + 1);
    let end = records.visit(&mut reader);
    reader.tell(0);
    let sure = !reader.unsure;
    let is_last = chunk + 1 == file.chunks();
    let whole = end.is_ok() && records.truncation().is_none();
    let number = head.last.wrapping_sub(head.first).wrapping_add(1);
    sure && whole && records.is_complete() == is_last && number == events.len() as u64
}

/// Reads the next events, at most so many, as if there were none before, of which the first may be
/// the location's first; nothing if the records make no sense.
pub(super) fn read_some(
    records: &mut otf2::read::Events<'_>,
    most: usize,
    from_begin: bool,
    times: Times<'_>,
    names: &mut Names<'_>,
    events: &mut Events,
) -> Option<()> {
    let progress = Progress::default();
    let mut reader = Reader::new(times, names, events, &progress);
    reader.from_begin = from_begin;
    records.visit_some(most as u64, &mut reader).ok().map(drop)
}

/// What must be known of a location beyond the record at hand.
struct Reader<'a, 'b> {
    times: Times<'a>,
    names: &'a mut Names<'b>,
    events: &'a mut Events,
    /// The region entered last.
    entered: Option<RegionId>,
    /// Requests of nonblocking operations among neighbours.
    neighborhoods: HashSet<u64>,
    matched: Matched,
    progress: &'a Progress,
    /// Events that are counted there.
    told: usize,
    /// Whether the first event is the location's first.
    from_begin: bool,
    /// Whether events would mean something else to a reader that knows those before, or later
    /// ones to a reader that does not know these.
    unsure: bool,
}

impl Visitor<'_> for Reader<'_, '_> {
    #[inline]
    fn enter(&mut self, moment: &Moment<'_>, region: u32) {
        let region = self.names.region(region);
        self.entered = Some(region);
        let time = self.time(moment);
        self.events.push_enter(time, region);
        self.note(moment);
        self.tell(STEP as usize);
    }

    #[inline]
    fn leave(&mut self, moment: &Moment<'_>, region: u32) {
        let region = self.names.region(region);
        let time = self.time(moment);
        self.events.push_leave(time, region);
        self.note(moment);
    }

    #[inline]
    fn mpi_send(&mut self, moment: &Moment<'_>, message: Message) {
        let message = self.message(message);
        let time = self.time(moment);
        self.events.push_send(time, message);
        self.note(moment);
    }

    #[inline]
    fn mpi_isend(&mut self, moment: &Moment<'_>, message: Message, request_id: u64) {
        let message = self.message(message).with_request(RequestId(request_id));
        let time = self.time(moment);
        self.events.push_isend(time, message);
        self.note(moment);
    }

    #[inline]
    fn mpi_isend_complete(&mut self, moment: &Moment<'_>, request_id: u64) {
        let time = self.time(moment);
        let request = RequestId(request_id);
        self.events.push_isend_complete(time, request);
        self.note(moment);
    }

    #[inline]
    fn mpi_irecv_request(&mut self, moment: &Moment<'_>, request_id: u64) {
        let time = self.time(moment);
        let said = self.said(moment);
        match said.as_ref().and_then(|said| said.message) {
            // It was posted when the probe took its message.
            Some(message) => {
                self.matched.name(request_id, message);
                self.unsure = true;
                let event = otf2::Event::MpiIrecvRequest { request_id };
                self.events.push_other(time, event.id().into());
            }
            None => {
                let request = RequestId(request_id);
                self.events.push_irecv_request(time, request);
            }
        }
        self.keep(said);
    }

    #[inline]
    fn mpi_recv(&mut self, moment: &Moment<'_>, message: Message) {
        if self.is_impossible(&message) {
            return self.set_aside(moment, MPI_RECV);
        }
        let said = self.said(moment);
        let message = received(self.message(message), said.as_ref());
        let time = self.time(moment);
        let message = self.posted(message);
        self.events.push_recv(time, message);
        self.keep(said);
    }

    #[inline]
    fn mpi_irecv(&mut self, moment: &Moment<'_>, message: Message, request_id: u64) {
        if self.is_impossible(&message) {
            return self.set_aside(moment, MPI_IRECV);
        }
        let said = self.said(moment);
        let message = self.message(message).with_request(RequestId(request_id));
        let message = received(message, said.as_ref());
        let time = self.time(moment);
        let message = self.posted(message);
        self.events.push_irecv(time, message);
        self.keep(said);
    }

    #[inline]
    fn mpi_request_test(&mut self, moment: &Moment<'_>, request_id: u64) {
        let time = self.time(moment);
        let request = RequestId(request_id);
        self.events.push_request_test(time, request);
        self.note(moment);
    }

    #[inline]
    fn mpi_collective_begin(&mut self, moment: &Moment<'_>) {
        let time = self.time(moment);
        self.events.push_collective_begin(time);
        self.note(moment);
    }

    #[inline]
    fn mpi_collective_end(&mut self, moment: &Moment<'_>, ended: otf2::read::Collective) {
        let said = self.said(moment);
        let mut ended = self.collective(ended);
        let neighbors = among_neighbors(ended.op);
        if neighbors != ended.op {
            let says = said.as_ref().is_some_and(|said| said.among_neighbors);
            if says || self.is_in_neighborhood() {
                ended.op = neighbors;
            }
        }
        let time = self.time(moment);
        self.events.push_collective_end(time, ended);
        self.keep(said);
    }

    fn event(&mut self, moment: &Moment<'_>, event: otf2::Event) {
        use otf2::Event as E;
        let time = self.time(moment);
        let said = self.said(moment);
        match event {
            E::MpiRequestCancelled { request_id } => {
                let request = RequestId(request_id);
                self.events.push_request_cancelled(time, request);
            }
            E::MeasurementOnOff { measurement_mode } => {
                let on = measurement_mode == otf2::MeasurementMode::ON;
                self.events.push_on_off(time, on);
            }
            E::NonBlockingCollectiveRequest { request_id } => {
                match self.is_in_neighborhood() {
                    true => self.neighborhoods.insert(request_id),
                    false => self.neighborhoods.remove(&request_id),
                };
                let request = RequestId(request_id);
                self.events.push_collective_request(time, request);
            }
            E::NonBlockingCollectiveComplete {
                collective_op,
                communicator,
                root,
                size_sent,
                size_received,
                request_id,
            } => {
                let known = self.neighborhoods.remove(&request_id);
                let says = said.as_ref().is_some_and(|said| said.among_neighbors);
                // It may have begun before.
                self.unsure |= !self.from_begin && !known && !says;
                let mut ended = Collective {
                    op: CollectiveOp::from_number(collective_op.0),
                    comm: self.names.communicator(communicator),
                    root: root_of(root),
                    sent: size_sent,
                    received: size_received,
                };
                if known || says {
                    ended.op = among_neighbors(ended.op);
                }
                let request = RequestId(request_id);
                self.events.push_collective_complete(time, request, ended);
            }
            E::CommCreate { communicator } => {
                let comm = self.names.communicator(communicator);
                self.events.push_comm_create(time, comm);
            }
            E::MpiProbe {
                sender,
                communicator,
                tag,
                message_id,
            } => {
                let found = PointToPoint {
                    request: self.taken(message_id),
                    ..PointToPoint::new(sender, self.names.communicator(communicator), tag, 0)
                };
                let found = received(found, said.as_ref());
                self.matched.probe(message_id, found);
                let found = self.posted(found);
                self.events.push_probe(time, found);
            }
            // Score-P's in place of enters and leaves where it unwinds the stack.
            E::CallingContextEnter {
                calling_context, ..
            } => match self.names.region_of_context(calling_context) {
                Some(region) => {
                    self.entered = Some(region);
                    self.events.push_enter(time, region);
                }
                None => self.events.push_other(time, event.id().into()),
            },
            E::CallingContextLeave { calling_context } => {
                match self.names.region_of_context(calling_context) {
                    Some(region) => self.events.push_leave(time, region),
                    None => self.events.push_other(time, event.id().into()),
                }
            }
            E::CallingContextSample {
                calling_context, ..
            } => match sample(calling_context, said.as_ref(), self.names) {
                Some(sample) => self.events.push_sample(time, sample),
                None => self.events.push_other(time, event.id().into()),
            },
            E::Metric { metric, ref values } => match self.names.metric_values(metric, values) {
                Some(values) => self.events.push_metric(time, &values),
                None => self.events.push_other(time, event.id().into()),
            },
            other => {
                self.unsure |= Matched::concerns(&other);
                if !self.matched.push(self.events, time, &other) {
                    push_rare(self.events, time, &other, self.names);
                }
            }
        }
        self.keep(said);
    }
}

impl<'a, 'b> Reader<'a, 'b> {
    fn new(
        times: Times<'a>,
        names: &'a mut Names<'b>,
        events: &'a mut Events,
        progress: &'a Progress,
    ) -> Self {
        Reader {
            times,
            names,
            events,
            entered: None,
            neighborhoods: HashSet::new(),
            matched: Matched::default(),
            progress,
            told: 0,
            from_begin: true,
            unsure: false,
        }
    }

    /// Whether the region entered last is an operation among neighbours.
    fn is_in_neighborhood(&mut self) -> bool {
        self.unsure |= !self.from_begin && self.entered.is_none();
        (self.entered).is_some_and(|region| self.names.is_neighborhood(region))
    }

    /// Tells how many events are read, if there are so many more.
    #[inline]
    fn tell(&mut self, more: usize) {
        let read = self.events.len();
        if read >= self.told + more {
            self.progress.advance((read - self.told) as u64);
            self.told = read;
        }
    }

    #[inline]
    fn time(&mut self, moment: &Moment<'_>) -> Timestamp {
        self.times.at(moment.time)
    }

    /// Reads the attributes of an event, if it has any.
    #[inline]
    fn said(&self, moment: &Moment<'_>) -> Option<Said> {
        let attributes = moment.attributes;
        (!attributes.is_empty()).then(|| self.names.attributes().read(attributes))
    }

    /// Keeps what attributes say of the event pushed last.
    #[inline]
    fn keep(&mut self, said: Option<Said>) {
        if let Some(said) = said {
            said.keep(self.events, self.names);
        }
    }

    /// The same for events that mean the same without their attributes.
    #[inline]
    fn note(&mut self, moment: &Moment<'_>) {
        let said = self.said(moment);
        self.keep(said);
    }

    #[inline]
    fn message(&mut self, message: Message) -> PointToPoint {
        let comm = self.names.communicator(message.communicator);
        PointToPoint::new(message.peer, comm, message.msg_tag, message.msg_length)
    }

    /// Whether no MPI can have received this: what EZTrace writes where a program ignores the
    /// status, or the status of another request was looked at, is whatever lay in memory.
    #[inline]
    fn is_impossible(&mut self, message: &Message) -> bool {
        let comm = self.names.communicator(message.communicator);
        let known = self.names.members(comm);
        message.msg_length > i64::MAX as u64 || known.is_some_and(|most| message.peer >= most)
    }

    /// Keeps a record that says nothing as an event of no kind.
    #[cold]
    fn set_aside(&mut self, moment: &Moment<'_>, id: u32) {
        let time = self.time(moment);
        self.events.push_other(time, id);
    }

    /// The request that a matched probe begins, where receives say which message they take.
    fn taken(&self, message_id: u64) -> Option<RequestId> {
        let takes = message_id != 0 && self.names.attributes().name_messages();
        takes.then_some(RequestId(message_id))
    }

    /// The message with the request that was begun for it.
    #[inline]
    fn posted(&mut self, message: PointToPoint) -> PointToPoint {
        let matched = &mut self.matched;
        PointToPoint {
            request: message.request.map(|request| matched.posted_as(request)),
            ..message
        }
    }

    /// Returns a collective operation as its end tells it.
    #[inline]
    fn collective(&mut self, ended: otf2::read::Collective) -> Collective {
        Collective {
            op: CollectiveOp::from_number(ended.collective_op.0),
            comm: self.names.communicator(ended.communicator),
            root: root_of(ended.root),
            sent: ended.size_sent,
            received: ended.size_received,
        }
    }
}

fn root_of(rank: u32) -> Option<u32> {
    Some(rank).filter(|&root| root != ROOT_NONE)
}

/// A receive or probe with what its attributes say.
#[inline]
fn received(message: PointToPoint, said: Option<&Said>) -> PointToPoint {
    let Some(said) = said else { return message };
    PointToPoint {
        request: said.message.map(RequestId).or(message.request),
        any_source: said.wildcard.source,
        any_tag: said.wildcard.tag,
        ..message
    }
}

/// Appends an event of threads or windows, or one that nobody asks for.
fn push_rare(events: &mut Events, time: Timestamp, event: &otf2::Event, names: &mut Names) {
    if let Some(event) = thread_event(event, names) {
        events.push_thread(time, event);
    } else if let Some(event) = one_sided_event(event, names) {
        events.push_one_sided(time, event);
    } else {
        events.push_other(time, event.id().into());
    }
}

/// Names the operation that OTF2 has no number for: the same among neighbours.
fn among_neighbors(op: CollectiveOp) -> CollectiveOp {
    match op {
        CollectiveOp::Allgather => CollectiveOp::NeighborAllgather,
        CollectiveOp::Allgatherv => CollectiveOp::NeighborAllgatherv,
        CollectiveOp::Alltoall => CollectiveOp::NeighborAlltoall,
        CollectiveOp::Alltoallv => CollectiveOp::NeighborAlltoallv,
        CollectiveOp::Alltoallw => CollectiveOp::NeighborAlltoallw,
        other => other,
    }
}
