//! Receives of messages that a matched probe found (MPI 4.1, §3.8.2).
//!
//! Their records name nothing but the message, or the request that receives
//! it; whose message it is stands in the record of the probe. What another
//! thread probed is not known here, and its receive stays an event of no kind.
//!
//! Receives in our own archives name both, message and sender. There the number
//! of the message becomes the request that the probe began, so that what a probe
//! took out of its channel is known to be taken from then on; both are counted
//! by one counter.

use std::collections::HashMap;

use mpiscope_model::{Event, Events, PointToPoint, RequestId, Timestamp};

/// Messages probed at one location and not received yet.
#[derive(Default)]
pub(super) struct Matched {
    /// By message id.
    probed: HashMap<u64, PointToPoint>,
    /// By the request of their nonblocking receive.
    posted: HashMap<u64, PointToPoint>,
    /// Messages of our own archives, by the request of their nonblocking receive.
    named: HashMap<u64, u64>,
}

impl Matched {
    /// Notes what a probe found; a number used again means the new message.
    pub fn probe(&mut self, message_id: u64, found: PointToPoint) {
        self.probed.insert(message_id, found);
    }

    /// Notes which message a nonblocking receive will get.
    pub fn name(&mut self, request: u64, message_id: u64) {
        self.named.insert(request, message_id);
    }

    /// Returns the request that was begun for a receive: of a probed message
    /// its probe's, else its own.
    pub fn posted_as(&mut self, request: RequestId) -> RequestId {
        if self.named.is_empty() {
            return request;
        }
        self.named.remove(&request.0).map_or(request, RequestId)
    }

    /// Whether an event receives what was probed.
    pub fn concerns(event: &otf2::Event) -> bool {
        use otf2::Event as E;
        matches!(
            event,
            E::MpiMrecv { .. } | E::MpiImrecvRequest { .. } | E::MpiImrecv { .. }
        )
    }

    /// Appends an event that receives what was probed; returns whether it did.
    pub fn push(&mut self, events: &mut Events, time: Timestamp, event: &otf2::Event) -> bool {
        let pushed = match *event {
            otf2::Event::MpiMrecv {
                message_id,
                msg_length: bytes,
            } => self.probed.remove(&message_id).map(|found| {
                let received = PointToPoint { bytes, ..found };
                events.push(time, Event::MpiRecv(&received));
            }),
            otf2::Event::MpiImrecvRequest {
                message_id,
                request_id,
            } => self.probed.remove(&message_id).map(|found| {
                self.posted.insert(request_id, found);
                events.push_irecv_request(time, RequestId(request_id));
            }),
            otf2::Event::MpiImrecv {
                request_id,
                msg_length: bytes,
            } => self.posted.remove(&request_id).map(|found| {
                let received = PointToPoint { bytes, ..found };
                let received = received.with_request(RequestId(request_id));
                events.push(time, Event::MpiIrecv(&received));
            }),
            _ => None,
        };
        pushed.is_some()
    }
}
