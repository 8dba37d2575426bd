//! The events of one location, from OTF2's records to the model's columns.

use mpiscope_model::definitions::CollectiveOp;
use mpiscope_model::{Collective, Event, Events, PointToPoint, RequestId};
use otf2::read::{EventFile, Record};
use otf2::{Value, ROOT_NONE};

use super::tables::Tables;
use super::Clock;
use crate::record::Wildcard;

/// Reads all events that can be read; returns why it stopped early, if it did.
pub(super) fn read(
    file: &EventFile,
    clock: &Clock,
    tables: &mut Tables,
    events: &mut Events,
) -> Option<String> {
    // The file says how many; damage may claim anything, so the size bounds it.
    let most = file.count().min(file.size() / 2);
    *events = Events::with_capacity(most as usize);
    let mut records = file.iter();
    for record in records.by_ref() {
        match record {
            Ok(record) => push(events, &record, clock, tables),
            Err(error) => return Some(error.to_string()),
        }
    }
    records.truncation().map(ToString::to_string)
}

#[inline]
fn push(events: &mut Events, record: &Record<'_>, clock: &Clock, tables: &mut Tables) {
    use otf2::Event as E;
    let time = clock.timestamp(record.time);
    let request = RequestId;
    match &record.event {
        E::Enter { region } => events.push_enter(time, tables.region(*region)),
        E::Leave { region } => events.push_leave(time, tables.region(*region)),
        E::MpiIsendComplete { request_id } => {
            events.push_isend_complete(time, request(*request_id))
        }
        E::MpiIrecvRequest { request_id } => events.push_irecv_request(time, request(*request_id)),
        E::MpiRequestTest { request_id } => events.push_request_test(time, request(*request_id)),
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
            let collective = Collective {
                op: CollectiveOp::from_number(collective_op.0),
                comm: tables.communicator(*communicator),
                root: Some(*root).filter(|&root| root != ROOT_NONE),
                sent: *size_sent,
                received: *size_received,
            };
            events.push_collective_end(time, collective);
        }
        other => match message(record, tables) {
            Some(message) => events.push(time, with_kind(other, &message)),
            None => events.push_other(time, other.id().into()),
        },
    }
    if !record.attributes.is_empty() {
        note(events, record, tables);
    }
}

/// Keeps what attributes say of the event pushed last.
fn note(events: &mut Events, record: &Record<'_>, tables: &Tables) {
    let sequence = tables.sequence.and_then(|id| record.attributes.find(id));
    if let Some(Value::Uint64(sequence)) = sequence {
        events.set_sequence(events.len() - 1, sequence);
    }
}

/// Returns the message that a send, receive or probe is about.
fn message(record: &Record<'_>, tables: &mut Tables) -> Option<PointToPoint> {
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
            ..
        } => (sender, communicator, tag, 0, None),
        _ => return None,
    };
    let wildcard = wildcard(record, tables);
    Some(PointToPoint {
        request,
        any_source: wildcard.source,
        any_tag: wildcard.tag,
        ..PointToPoint::new(peer, tables.communicator(comm), tag, bytes)
    })
}

fn wildcard(record: &Record<'_>, tables: &Tables) -> Wildcard {
    if record.attributes.is_empty() {
        return Wildcard::default();
    }
    match tables.wildcard.and_then(|id| record.attributes.find(id)) {
        Some(Value::Uint8(bits)) => Wildcard::from_bits(bits),
        _ => Wildcard::default(),
    }
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
