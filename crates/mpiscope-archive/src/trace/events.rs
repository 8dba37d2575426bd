//! The events of one location, from OTF2's records to the model's columns.

use std::collections::HashSet;

use mpiscope_model::definitions::CollectiveOp;
use mpiscope_model::{
    Collective, CommId, Event, Events, PointToPoint, RegionId, RequestId, Timestamp,
};
use otf2::read::{EventFile, Record};
use otf2::ROOT_NONE;

use super::matched::Matched;
use super::names::Names;
use super::notes::note;
use super::one_sided::one_sided_event;
use super::threads::thread_event;
use crate::source::Clock;
use mpiscope_run::record::Wildcard;

/// Reads all events that can be read; returns why it stopped early, if it did.
pub(super) fn read(
    file: &EventFile,
    clock: &Clock,
    names: &mut Names<'_>,
    events: &mut Events,
) -> Option<String> {
    // The file says how many; damage may claim anything, so the size bounds it.
    let most = file.count().min(file.size() / 2);
    *events = Events::with_capacity(most as usize);
    let mut reader = Reader {
        clock,
        names,
        entered: RegionId::default(),
        neighborhoods: HashSet::new(),
        matched: Matched::default(),
    };
    let mut records = file.iter();
    for record in records.by_ref() {
        match record {
            Ok(record) => reader.push(events, &record),
            Err(error) => return Some(error.to_string()),
        }
    }
    records.truncation().map(ToString::to_string)
}

/// What must be known of a location beyond the record at hand.
struct Reader<'a, 'b> {
    clock: &'a Clock,
    names: &'a mut Names<'b>,
    /// The region entered last.
    entered: RegionId,
    /// Requests of nonblocking operations among neighbours.
    neighborhoods: HashSet<u64>,
    matched: Matched,
}

impl Reader<'_, '_> {
    #[inline]
    fn push(&mut self, events: &mut Events, record: &Record<'_>) {
        use otf2::Event as E;
        let Reader {
            clock,
            names,
            entered,
            neighborhoods,
            matched,
        } = self;
        let time = clock.timestamp(record.time);
        let request = RequestId;
        match &record.event {
            E::Enter { region } => {
                *entered = names.region(*region);
                events.push_enter(time, *entered);
            }
            E::Leave { region } => events.push_leave(time, names.region(*region)),
            E::MpiIsendComplete { request_id } => {
                events.push_isend_complete(time, request(*request_id))
            }
            E::MpiIrecvRequest { request_id } => match names.attributes().message(record) {
                // It was posted when the probe took its message.
                Some(message) => {
                    matched.name(*request_id, message);
                    events.push_other(time, record.event.id().into());
                }
                None => events.push_irecv_request(time, request(*request_id)),
            },
            E::MpiRequestTest { request_id } => {
                events.push_request_test(time, request(*request_id))
            }
            E::MpiRequestCancelled { request_id } => {
                events.push_request_cancelled(time, request(*request_id));
            }
            E::MeasurementOnOff { measurement_mode } => {
                events.push_on_off(time, *measurement_mode == otf2::MeasurementMode::ON)
            }
            E::MpiCollectiveBegin => events.push_collective_begin(time),
            E::MpiCollectiveEnd {
                collective_op,
                communicator,
                root,
                size_sent,
                size_received,
            } => {
                let comm = names.communicator(*communicator);
                let bytes = (*size_sent, *size_received);
                let mut ended = collective(*collective_op, comm, *root, bytes);
                if names.is_neighborhood(*entered) || names.attributes().among_neighbors(record) {
                    ended.op = among_neighbors(ended.op);
                }
                events.push_collective_end(time, ended);
            }
            E::NonBlockingCollectiveRequest { request_id } => {
                match names.is_neighborhood(*entered) {
                    true => neighborhoods.insert(*request_id),
                    false => neighborhoods.remove(request_id),
                };
                events.push_collective_request(time, request(*request_id));
            }
            E::NonBlockingCollectiveComplete {
                collective_op,
                communicator,
                root,
                size_sent,
                size_received,
                request_id,
            } => {
                let comm = names.communicator(*communicator);
                let bytes = (*size_sent, *size_received);
                let mut ended = collective(*collective_op, comm, *root, bytes);
                let known = neighborhoods.remove(request_id);
                if known || names.attributes().among_neighbors(record) {
                    ended.op = among_neighbors(ended.op);
                }
                events.push_collective_complete(time, request(*request_id), ended);
            }
            E::CommCreate { communicator } => {
                events.push_comm_create(time, names.communicator(*communicator));
            }
            other => match message(record, names) {
                Some(mut message) => {
                    if let E::MpiProbe { message_id, .. } = other {
                        matched.probe(*message_id, message);
                    }
                    if let Some(request) = message.request {
                        message.request = Some(matched.posted_as(request));
                    }
                    events.push(time, with_kind(other, &message));
                }
                None if matched.push(events, time, other) => {}
                None => push_rare(events, time, other, names),
            },
        }
        if !record.attributes.is_empty() {
            note(events, record, names);
        }
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

/// Returns a collective operation as its end tells it.
fn collective(
    op: otf2::CollectiveOp,
    comm: CommId,
    root: u32,
    (sent, received): (u64, u64),
) -> Collective {
    Collective {
        op: CollectiveOp::from_number(op.0),
        comm,
        root: Some(root).filter(|&root| root != ROOT_NONE),
        sent,
        received,
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

/// Returns the message that a send, receive or probe is about.
fn message(record: &Record<'_>, names: &mut Names) -> Option<PointToPoint> {
    use otf2::Event as E;
    let (peer, comm, tag, bytes, request) = match record.event {
        E::MpiSend {
            receiver: peer,
            communicator,
            msg_tag,
            msg_length,
        }
        | E::MpiRecv {
            sender: peer,
            communicator,
            msg_tag,
            msg_length,
        } => (peer, communicator, msg_tag, msg_length, None),
        E::MpiIsend {
            receiver: peer,
            communicator,
            msg_tag,
            msg_length,
            request_id,
        }
        | E::MpiIrecv {
            sender: peer,
            communicator,
            msg_tag,
            msg_length,
            request_id,
        } => (
            peer,
            communicator,
            msg_tag,
            msg_length,
            Some(RequestId(request_id)),
        ),
        E::MpiProbe {
            sender,
            communicator,
            tag,
            message_id,
        } => {
            let takes = names.attributes().name_messages() && message_id != 0;
            let request = takes.then_some(RequestId(message_id));
            (sender, communicator, tag, 0, request)
        }
        _ => return None,
    };
    let (wildcard, probed) = match record.attributes.is_empty() {
        true => (Wildcard::default(), None),
        false => {
            let attributes = names.attributes();
            (attributes.wildcard(record), attributes.message(record))
        }
    };
    let request = probed.map(RequestId).or(request);
    Some(PointToPoint {
        request,
        any_source: wildcard.source,
        any_tag: wildcard.tag,
        ..PointToPoint::new(peer, names.communicator(comm), tag, bytes)
    })
}

fn with_kind<'a>(event: &otf2::Event, message: &'a PointToPoint) -> Event<'a> {
    match event {
        otf2::Event::MpiSend { .. } => Event::MpiSend(message),
        otf2::Event::MpiIsend { .. } => Event::MpiIsend(message),
        otf2::Event::MpiRecv { .. } => Event::MpiRecv(message),
        otf2::Event::MpiIrecv { .. } => Event::MpiIrecv(message),
        _ => Event::MpiProbe(message),
    }
}
