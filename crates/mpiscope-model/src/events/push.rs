//! Appending, one call per kind.

use super::{
    Collective, Event, EventKind, Events, MetricValue, OneSidedEvent, PointToPoint, RequestId,
    Sample, ThreadEvent, NO_BEGIN, NO_END,
};
use crate::definitions::{CommId, RegionId};
use crate::time::Timestamp;

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
            Event::NonBlockingCollectiveRequest(id) => self.push_collective_request(time, id),
            Event::NonBlockingCollectiveComplete(id, collective) => {
                self.push_collective_complete(time, id, *collective);
            }
            Event::CommCreate(comm) => self.push_comm_create(time, comm),
            Event::Thread(event) => self.push_thread(time, event),
            Event::OneSided(event) => self.push_one_sided(time, event),
            Event::Sample(sample) => self.push_sample(time, sample),
            Event::Metric(values) => self.push_metric(time, values),
            Event::MeasurementOnOff(on) => self.push_on_off(time, on),
            Event::Other(arg) => self.push_row(time, Kind::Other, arg),
        }
    }

    /// Appends the entry into a region.
    #[inline]
    pub fn push_enter(&mut self, time: Timestamp, region: RegionId) {
        self.push_row(time, EventKind::Enter, region.0);
    }

    /// Appends the exit from a region.
    #[inline]
    pub fn push_leave(&mut self, time: Timestamp, region: RegionId) {
        self.push_row(time, EventKind::Leave, region.0);
    }

    /// Appends a blocking send.
    #[inline]
    pub fn push_send(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiSend, message);
    }

    /// Appends the post of a nonblocking send.
    #[inline]
    pub fn push_isend(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiIsend, message);
    }

    /// Appends the completion of a nonblocking send.
    #[inline]
    pub fn push_isend_complete(&mut self, time: Timestamp, request: RequestId) {
        self.push_request(time, EventKind::MpiIsendComplete, request);
    }

    /// Appends the post of a nonblocking receive.
    #[inline]
    pub fn push_irecv_request(&mut self, time: Timestamp, request: RequestId) {
        self.push_request(time, EventKind::MpiIrecvRequest, request);
    }

    /// Appends a blocking receive.
    #[inline]
    pub fn push_recv(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiRecv, message);
    }

    /// Appends the completion of a nonblocking receive.
    #[inline]
    pub fn push_irecv(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiIrecv, message);
    }

    /// Appends the cancellation of a nonblocking operation.
    pub fn push_request_cancelled(&mut self, time: Timestamp, request: RequestId) {
        self.push_request(time, EventKind::MpiRequestCancelled, request);
    }

    /// Appends a test of a nonblocking operation that found it incomplete.
    #[inline]
    pub fn push_request_test(&mut self, time: Timestamp, request: RequestId) {
        self.push_request(time, EventKind::MpiRequestTest, request);
    }

    /// Appends the begin of a collective operation.
    #[inline]
    pub fn push_collective_begin(&mut self, time: Timestamp) {
        self.open.push(self.kinds.len() as u32);
        self.push_row(time, EventKind::MpiCollectiveBegin, NO_END);
    }

    /// Appends the end of the collective operation that began last.
    #[inline]
    pub fn push_collective_end(&mut self, time: Timestamp, collective: Collective) {
        let number = self.collectives.len() as u32;
        let begin = self.open.pop();
        if let Some(begin) = begin {
            self.args[begin as usize] = number;
        }
        self.begins.push(begin.unwrap_or(NO_BEGIN));
        self.collectives.push(collective);
        self.push_row(time, EventKind::MpiCollectiveEnd, number);
    }

    /// Appends a successful probe.
    pub fn push_probe(&mut self, time: Timestamp, message: PointToPoint) {
        self.push_message(time, EventKind::MpiProbe, message);
    }

    /// Appends that recording was switched on or off.
    pub fn push_on_off(&mut self, time: Timestamp, on: bool) {
        self.switches.push(self.kinds.len() as u32);
        self.push_row(time, EventKind::MeasurementOnOff, on.into());
    }

    /// Appends the initiation of a nonblocking collective operation.
    pub fn push_collective_request(&mut self, time: Timestamp, request: RequestId) {
        self.push_request(time, EventKind::NonBlockingCollectiveRequest, request);
    }

    /// Appends the completion of a nonblocking collective operation.
    pub fn push_collective_complete(
        &mut self,
        time: Timestamp,
        request: RequestId,
        collective: Collective,
    ) {
        let row = self.completions.len() as u32;
        self.push_row(time, EventKind::NonBlockingCollectiveComplete, row);
        self.completions.push((request, collective));
    }

    /// Appends that a communicator was created.
    pub fn push_comm_create(&mut self, time: Timestamp, comm: CommId) {
        self.comm_creates.push((self.kinds.len() as u32, comm));
        self.push_row(time, EventKind::CommCreate, comm.0);
    }

    /// Appends what a thread did.
    pub fn push_thread(&mut self, time: Timestamp, event: ThreadEvent) {
        self.threads.push((self.kinds.len() as u32, event));
        self.push_row(time, EventKind::Thread, self.threads.len() as u32 - 1);
    }

    /// Appends what was done to a window.
    pub fn push_one_sided(&mut self, time: Timestamp, event: OneSidedEvent) {
        self.one_sided.push((self.kinds.len() as u32, event));
        self.push_row(time, EventKind::OneSided, self.one_sided.len() as u32 - 1);
    }

    /// Appends a look at a thread that computes.
    pub fn push_sample(&mut self, time: Timestamp, sample: Sample) {
        self.samples.push((self.kinds.len() as u32, sample));
        self.push_row(time, EventKind::Sample, self.samples.len() as u32 - 1);
    }

    /// Appends the values that metrics had.
    pub fn push_metric(&mut self, time: Timestamp, values: &[MetricValue]) {
        self.metrics.push(self.kinds.len() as u32, values);
        self.push_row(
            time,
            EventKind::Metric,
            self.metrics.begins.len() as u32 - 1,
        );
    }

    /// Appends an event of any other kind; `arg` is the reader's own.
    pub fn push_other(&mut self, time: Timestamp, arg: u32) {
        self.push_row(time, EventKind::Other, arg);
    }

    #[inline]
    fn push_row(&mut self, time: Timestamp, kind: EventKind, arg: u32) {
        self.times.push(time);
        self.kinds.push(kind);
        self.args.push(arg);
    }

    #[inline]
    fn push_message(&mut self, time: Timestamp, kind: EventKind, message: PointToPoint) {
        self.push_row(time, kind, self.messages.len() as u32);
        self.messages.push(message);
    }

    #[inline]
    fn push_request(&mut self, time: Timestamp, kind: EventKind, request: RequestId) {
        self.push_row(time, kind, self.requests.len() as u32);
        self.requests.push(request);
    }
}
