//! The events of one location, in columns.
//!
//! An event is a time, a kind and one argument; what does not fit into the
//! argument stands in a side table, one row per message, collective or
//! request event, and rows of their own kind for what threads and windows are
//! about. A sweep that asks for times and kinds alone reads nine bytes
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

mod append;
mod calls;
mod kinds;
mod metrics;
mod notes;
mod one_sided;
mod push;
mod samples;
mod threads;

pub use calls::PostedCall;
pub use kinds::{
    Collective, Event, EventKind, PointToPoint, RequestId, ROOT_SELF, ROOT_THIS_GROUP,
};
pub use metrics::{MetricValue, Number};
pub use notes::Note;
pub use one_sided::{OneSidedEvent, WinCollective, WinLock};
pub use samples::Sample;
pub use threads::{LockTurn, TaskNumber, ThreadEvent, ThreadNumber};

use crate::definitions::{CommId, RegionId};
use crate::time::Timestamp;

/// Argument of a collective's begin whose end was never recorded.
const NO_END: u32 = u32::MAX;
/// Event number of a begin that was never recorded.
const NO_BEGIN: u32 = u32::MAX;

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
    /// Event number of each collective's begin, [`NO_BEGIN`] if none was recorded.
    begins: Vec<u32>,
    requests: Vec<RequestId>,
    completions: Vec<(RequestId, Collective)>,
    threads: Vec<(u32, ThreadEvent)>,
    one_sided: Vec<(u32, OneSidedEvent)>,
    samples: Vec<(u32, Sample)>,
    metrics: metrics::Values,
    comm_creates: Vec<(u32, CommId)>,
    switches: Vec<u32>,
    /// Begins whose end has not come yet, innermost last.
    open: Vec<u32>,
    /// Events that know their place in a channel, ascending.
    sequences: Vec<(u32, u64)>,
    notes: Vec<(u32, Note)>,
    /// Call sites by event, as far as any is known; empty if none is.
    call_sites: Vec<u32>,
    posted: calls::Rows<PostedCall>,
    signatures: calls::Rows<u64>,
}

/// Looking.
impl Events {
    /// Returns the number of events.
    #[inline]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Forgets all events, and keeps the memory for others.
    pub fn clear(&mut self) {
        self.times.clear();
        self.kinds.clear();
        self.args.clear();
        self.messages.clear();
        self.collectives.clear();
        self.begins.clear();
        self.requests.clear();
        self.completions.clear();
        self.threads.clear();
        self.one_sided.clear();
        self.samples.clear();
        self.metrics.clear();
        self.comm_creates.clear();
        self.switches.clear();
        self.open.clear();
        self.sequences.clear();
        self.notes.clear();
        self.call_sites.clear();
        self.posted = calls::Rows::default();
        self.signatures = calls::Rows::default();
    }

    /// Returns the column of times.
    pub fn times(&self) -> &[Timestamp] {
        &self.times
    }

    /// Gives each event another time, as a correction does to a copy.
    ///
    /// # Panics
    /// If there are not as many times as events.
    pub fn set_times(&mut self, times: Vec<Timestamp>) {
        assert_eq!(times.len(), self.len(), "one time for each event");
        self.times = times;
    }

    /// Returns the column of kinds.
    #[inline]
    pub fn kinds(&self) -> &[EventKind] {
        &self.kinds
    }

    /// Returns the column of arguments: of an enter or leave the region, of
    /// a send, receive or probe the row in [`messages`](Self::messages), of a
    /// collective's begin and end the row in [`collectives`](Self::collectives)
    /// (a begin without end has `u32::MAX`), of a nonblocking one's completion
    /// the row in [`completions`](Self::completions), of other MPI events the
    /// row in [`requests`](Self::requests). Each row belongs to one event, and rows
    /// of messages ascend with their events.
    #[inline]
    pub fn args(&self) -> &[u32] {
        &self.args
    }

    /// Returns the number of the leave that belongs to the enter `enter`, also of one that was made
    /// up as the process ended within; of an event that is no enter its own number.
    pub fn call_end(&self, enter: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let kinds = self.kinds.get(enter..)?;
        let after = kinds.iter().position(|kind| {
            match kind {
                EventKind::Enter => depth += 1,
                EventKind::Leave => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        after.map(|after| enter + after)
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
        let begin = *self.begins.get(collective)?;
        (begin != NO_BEGIN).then_some(begin as usize)
    }

    /// Returns the requests of the events that name nothing but a request.
    pub fn requests(&self) -> &[RequestId] {
        &self.requests
    }

    /// Returns the nonblocking collective operations that completed here, in
    /// that order, with their requests.
    pub fn completions(&self) -> &[(RequestId, Collective)] {
        &self.completions
    }

    /// Returns what threads did here, with the numbers of the events.
    pub fn threads(&self) -> &[(u32, ThreadEvent)] {
        &self.threads
    }

    /// Returns what was done to windows here, with the numbers of the events.
    pub fn one_sided(&self) -> &[(u32, OneSidedEvent)] {
        &self.one_sided
    }

    /// Returns the samples taken here, with the numbers of the events.
    pub fn samples(&self) -> &[(u32, Sample)] {
        &self.samples
    }

    /// Returns the sample that event `index` is, if it is one.
    pub fn sample(&self, index: usize) -> Option<Sample> {
        let is_sample = self.kinds.get(index) == Some(&EventKind::Sample);
        is_sample.then(|| self.samples[self.args[index] as usize].1)
    }

    /// Returns the communicators created here, with the numbers of the events.
    pub fn comm_creates(&self) -> &[(u32, CommId)] {
        &self.comm_creates
    }

    /// Returns the numbers of the events that switched recording on or off.
    pub fn switches(&self) -> &[u32] {
        &self.switches
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
            EventKind::NonBlockingCollectiveRequest => {
                Event::NonBlockingCollectiveRequest(self.requests[row])
            }
            EventKind::NonBlockingCollectiveComplete => {
                let (request, collective) = &self.completions[row];
                Event::NonBlockingCollectiveComplete(*request, collective)
            }
            EventKind::CommCreate => Event::CommCreate(CommId(arg)),
            EventKind::Thread => Event::Thread(self.threads[row].1),
            EventKind::OneSided => Event::OneSided(self.one_sided[row].1),
            EventKind::Sample => Event::Sample(self.samples[row].1),
            EventKind::Metric => Event::Metric(self.metrics.of(row)),
            EventKind::MeasurementOnOff => Event::MeasurementOnOff(arg != 0),
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
    use crate::definitions::CollectiveOp;

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
