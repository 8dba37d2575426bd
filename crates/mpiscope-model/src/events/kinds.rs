//! What an event is: its kind, and the particulars of each kind.

use super::{MetricValue, OneSidedEvent, Sample, ThreadEvent};
use crate::definitions::{CollectiveOp, CommId, RegionId};

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
    /// A nonblocking collective operation was initiated, or a persistent one started.
    NonBlockingCollectiveRequest,
    /// A nonblocking collective operation was found complete.
    NonBlockingCollectiveComplete,
    /// A communicator was created.
    CommCreate,
    /// Threads, locks and tasks: see [`ThreadEvent`].
    Thread,
    /// Windows: see [`OneSidedEvent`].
    OneSided,
    /// A timer found the thread computing: see [`Sample`].
    Sample,
    /// Metrics had values: see [`MetricValue`].
    Metric,
    /// Recording was switched on or off.
    MeasurementOnOff,
    /// Anything else.
    Other,
}

impl EventKind {
    /// All kinds, in order of their numbers.
    pub(super) const ALL: [EventKind; 22] = {
        use EventKind as Kind;
        [
            Kind::Enter,
            Kind::Leave,
            Kind::MpiSend,
            Kind::MpiIsend,
            Kind::MpiIsendComplete,
            Kind::MpiIrecvRequest,
            Kind::MpiRecv,
            Kind::MpiIrecv,
            Kind::MpiRequestCancelled,
            Kind::MpiRequestTest,
            Kind::MpiCollectiveBegin,
            Kind::MpiCollectiveEnd,
            Kind::MpiProbe,
            Kind::NonBlockingCollectiveRequest,
            Kind::NonBlockingCollectiveComplete,
            Kind::CommCreate,
            Kind::Thread,
            Kind::OneSided,
            Kind::Sample,
            Kind::Metric,
            Kind::MeasurementOnOff,
            Kind::Other,
        ]
    };
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

/// The root is this process itself, of an operation between two groups.
pub const ROOT_SELF: u32 = u32::MAX - 1;
/// The root is another member of this process's group, which stays outside.
pub const ROOT_THIS_GROUP: u32 = u32::MAX - 2;

/// The particulars of a collective operation, as its end tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// Which operation.
    pub op: CollectiveOp,
    /// The communicator.
    pub comm: CommId,
    /// Rank of the root in `comm`, of operations that have one. In an
    /// intercommunicator it is one of the other group, unless it says
    /// [`ROOT_SELF`] or [`ROOT_THIS_GROUP`].
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
    NonBlockingCollectiveRequest(RequestId),
    NonBlockingCollectiveComplete(RequestId, &'a Collective),
    CommCreate(CommId),
    Thread(ThreadEvent),
    OneSided(OneSidedEvent),
    Sample(Sample),
    Metric(&'a [MetricValue]),
    MeasurementOnOff(bool),
    Other(u32),
}
