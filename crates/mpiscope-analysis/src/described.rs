//! What an event says, in words and numbers: the same wherever events are told.
//!
//! A [`Described`] names its peer and root by world ranks, whatever communicator the event
//! counts them in, and the region and call site that it lies in.

mod kinds;

use crate::nesting::Enclosing;
use mpiscope_model::{
    CallSiteId, Collective, CommId, Event, Location, Metric, MetricValue, Number, OneSidedEvent,
    PointToPoint, Rank, RegionId, Timestamp, Trace, WinId,
};

/// One event with all that it says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Described<'a> {
    /// What happened, in one word.
    pub kind: &'static str,
    /// Nanoseconds since the first event of the trace.
    pub time_ns: i64,
    /// The region entered or left, or else the innermost around the event.
    pub region: Option<RegionId>,
    /// From where that was called, if the trace tells.
    pub site: Option<CallSiteId>,
    /// World rank of the other side.
    pub peer: Option<u32>,
    /// The communicator.
    pub comm: Option<CommId>,
    /// The window.
    pub window: Option<WinId>,
    /// The tag.
    pub tag: Option<u32>,
    /// Payload of a message.
    pub bytes: Option<u64>,
    /// The collective operation.
    pub operation: Option<&'static str>,
    /// World rank of its root.
    pub root: Option<u32>,
    /// Bytes that this member of it sent.
    pub sent: Option<u64>,
    /// Bytes that this member of it received.
    pub received: Option<u64>,
    /// The nonblocking operation.
    pub request: Option<u64>,
    /// For how many periods of its timer a sample stands.
    pub periods: Option<u32>,
    /// What values metrics had.
    pub values: &'a [MetricValue],
    /// The receive or probe asked for any source.
    pub any_source: bool,
    /// The receive or probe asked for any tag.
    pub any_tag: bool,
}

/// Describes the events of one location.
#[derive(Debug)]
pub struct Describer<'a> {
    trace: &'a Trace,
    location: &'a Location,
    enclosing: Enclosing,
    origin: Timestamp,
}

impl<'a> Describer<'a> {
    /// Looks at a location of a trace whose first event happened at `origin`.
    pub fn new(trace: &'a Trace, location: &'a Location, origin: Timestamp) -> Describer<'a> {
        Describer {
            trace,
            location,
            enclosing: Enclosing::of(&location.events),
            origin,
        }
    }

    /// Returns the enter that each event belongs to.
    pub fn enclosing(&self) -> &Enclosing {
        &self.enclosing
    }

    /// Describes event `index`.
    pub fn describe(&self, index: usize) -> Described<'a> {
        let events = &self.location.events;
        let event = events.event(index);
        let enter = self.enclosing.enter(index);
        let mut described = Described {
            kind: kinds::names(&event).0,
            time_ns: (events.times()[index] - self.origin).0,
            region: region(&event).or_else(|| region(&events.event(enter?))),
            site: events.call_site(enter.unwrap_or(index)),
            ..Described::default()
        };
        self.particulars(&mut described, event, index);
        described
    }

    fn particulars(&self, described: &mut Described<'a>, event: Event<'a>, index: usize) {
        match event {
            Event::MpiSend(message)
            | Event::MpiIsend(message)
            | Event::MpiRecv(message)
            | Event::MpiIrecv(message) => self.message(described, message),
            Event::MpiProbe(message) => {
                self.message(described, message);
                described.bytes = None; // OTF2's probes have no length
            }
            Event::MpiIsendComplete(request)
            | Event::MpiIrecvRequest(request)
            | Event::MpiRequestCancelled(request)
            | Event::MpiRequestTest(request)
            | Event::NonBlockingCollectiveRequest(request) => described.request = Some(request.0),
            Event::MpiCollectiveBegin => {
                let row = self.location.events.args()[index] as usize;
                if let Some(collective) = self.location.events.collectives().get(row) {
                    self.operation(described, collective);
                }
            }
            Event::MpiCollectiveEnd(collective) => self.collective(described, collective),
            Event::NonBlockingCollectiveComplete(request, collective) => {
                self.collective(described, collective);
                described.request = Some(request.0);
            }
            Event::CommCreate(comm) => described.comm = Some(comm),
            Event::OneSided(event) => self.one_sided(described, event),
            Event::Sample(sample) => {
                described.site = Some(sample.site);
                described.periods = Some(sample.periods);
            }
            Event::Metric(values) => described.values = values,
            _ => {}
        }
    }

    fn message(&self, described: &mut Described, message: &PointToPoint) {
        described.peer = self.world_rank(message.comm, message.peer);
        described.comm = Some(message.comm);
        described.tag = Some(message.tag);
        described.bytes = Some(message.bytes);
        described.request = message.request.map(|request| request.0);
        described.any_source = message.any_source;
        described.any_tag = message.any_tag;
    }

    /// Which operation it is: all that is known where it begins.
    fn operation(&self, described: &mut Described, collective: &Collective) {
        described.operation = Some(collective.op.name());
        described.comm = (collective.comm != CommId::NONE).then_some(collective.comm);
        let root = collective.root;
        described.root = root.and_then(|root| self.world_rank(collective.comm, root));
    }

    fn collective(&self, described: &mut Described, collective: &Collective) {
        self.operation(described, collective);
        described.sent = Some(collective.sent);
        described.received = Some(collective.received);
    }

    fn one_sided(&self, described: &mut Described, event: OneSidedEvent) {
        use OneSidedEvent::*;
        let (window, rank) = match event {
            WinCreate(window) | WinDestroy(window) | GroupSync(window, _) => (window, None),
            CollectiveBegin => return,
            CollectiveEnd(collective) => {
                described.operation = Some(collective.op.name());
                (described.sent, described.received) =
                    (Some(collective.sent), Some(collective.received));
                (collective.win, None)
            }
            RequestLock(lock) | AcquireLock(lock) | TryLock(lock) | ReleaseLock(lock) => {
                (lock.win, Some(lock.remote))
            }
            NotifyIn(window, rank) | NotifyOut(window, rank) => (window, Some(rank)),
        };
        described.window = Some(window);
        let of_trace = self.trace.definitions.windows.get(window.index());
        described.comm = of_trace.map(|window| window.comm);
        described.peer = rank.and_then(|rank| self.world_rank(described.comm?, rank));
    }

    fn world_rank(&self, comm: CommId, rank: u32) -> Option<u32> {
        world_rank(self.trace, self.location.rank, comm, rank)
    }
}

/// Returns the world rank of a rank as `me` writes it.
pub fn world_rank(trace: &Trace, me: Rank, comm: CommId, rank: u32) -> Option<u32> {
    let comm = trace.definitions.communicators.get(comm.index())?;
    comm.peer(me, rank).map(|rank| rank.0)
}

fn region(event: &Event) -> Option<RegionId> {
    match event {
        Event::Enter(region) | Event::Leave(region) => Some(*region),
        _ => None,
    }
}

/// Returns OTF2's word for an event: `MpiSend`.
pub fn otf2_name(event: &Event) -> &'static str {
    kinds::names(event).1
}

/// Returns the name of a region; nothing if it has none.
pub fn region_name(trace: &Trace, region: RegionId) -> Option<&str> {
    let region = trace.definitions.regions.get(region.index())?;
    (!region.name.is_empty()).then_some(region.name.as_str())
}

/// Walks through the values of metrics with what they are of.
pub fn metrics<'a>(
    trace: &'a Trace,
    values: &'a [MetricValue],
) -> impl Iterator<Item = (&'a Metric, Number)> + use<'a> {
    let known = &trace.definitions.metrics;
    values
        .iter()
        .filter_map(|it| Some((known.get(it.metric.index())?, it.value)))
}

/// Returns the name of a communicator; nothing if it has none.
pub fn comm_name(trace: &Trace, comm: CommId) -> Option<&str> {
    let comm = trace.definitions.communicators.get(comm.index())?;
    (!comm.name.is_empty()).then_some(comm.name.as_str())
}

/// Returns when the first event of a trace happened.
pub fn origin(trace: &Trace) -> Timestamp {
    let times = trace.locations.iter().flat_map(|it| it.events.times());
    times.min().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(picture: &str, location: usize, index: usize, expected: Described) {
        let trace = Trace::parse(picture).unwrap();
        let location = &trace.locations[location];
        let describer = Describer::new(&trace, location, origin(&trace));
        let found = describer.describe(index);
        assert_eq!(
            Described {
                site: None,
                ..found
            },
            expected
        );
    }

    #[test]
    fn a_peer_is_told_by_its_world_rank() {
        let picture =
            "comm odd: 1 3\n0: 5\n1: 10 enter(MPI_Send) 12 send>1(tag=7,bytes=64,comm=odd)\n2:\n3:";
        let expected = Described {
            kind: "send",
            time_ns: 7,
            region: Some(RegionId(0)),
            peer: Some(3),
            comm: Some(CommId(1)),
            tag: Some(7),
            bytes: Some(64),
            ..Described::default()
        };
        check(picture, 1, 1, expected);
    }

    #[test]
    fn a_collective_is_known_where_it_begins_and_its_bytes_where_it_ends() {
        let picture =
            "0: 1 bcast(root=1,sent=0,received=8){ 5 }\n1: 2 bcast(root=1,sent=8,received=0){ 6 }";
        let begin = Described {
            kind: "collective_begin",
            operation: Some("bcast"),
            comm: Some(CommId(0)),
            root: Some(1),
            ..Described::default()
        };
        check(picture, 0, 0, begin);
        let end = Described {
            kind: "collective_end",
            time_ns: 4,
            sent: Some(0),
            received: Some(8),
            ..begin
        };
        check(picture, 0, 1, end);
    }
}
