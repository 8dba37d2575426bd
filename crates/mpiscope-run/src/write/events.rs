//! The events of one location, from the model's columns to OTF2's records:
//! [`record`] has one row for each kind.

use std::path::Path;

use mpiscope_model::{Collective, Event, PointToPoint};
use otf2::write::{EventWriter, EVENT_CHUNK};
use otf2::{CollectiveOp, Event as E, MeasurementMode, Value, ROOT_NONE};

use super::definitions::{OTHER, SEQUENCE, WILDCARD};
use super::Target;
use crate::drain::NAME;
use crate::record::Wildcard;
use crate::Error;

/// What was written of a location.
pub(super) struct Written {
    pub events: u64,
    pub held: u64,
    /// Times of the first and the last event.
    pub ends: Option<(u64, u64)>,
}

pub(super) fn write(directory: &Path, target: &Target<'_>, shift: i64) -> Result<Written, Error> {
    let mut writer = EventWriter::create(directory, NAME, target.id, EVENT_CHUNK)?;
    let (mut held, mut ends) = (0, None);
    if let Some(location) = target.location {
        let mut sequences = location.events.sequences().iter().peekable();
        let mut attributes = Vec::new();
        for (index, (time, event)) in (0..).zip(location.events.iter()) {
            attributes.clear();
            if let Some((_, number)) = sequences.next_if(|row| row.0 == index) {
                attributes.push((SEQUENCE, Value::Uint64(*number)));
            }
            attributes.extend(wildcards(&event));
            let time = time.0.saturating_add(shift).max(0) as u64;
            let (first, latest) = ends.unwrap_or((time, time));
            held += u64::from(time < latest);
            ends = Some((first, time.max(latest)));
            writer.write(time.max(latest), &attributes, &record(event))?;
        }
    }
    Ok(Written {
        events: writer.finish()?,
        held,
        ends,
    })
}

/// Returns the attribute of a receive that would have taken other messages too.
fn wildcards(event: &Event<'_>) -> Option<(u32, Value)> {
    let (Event::MpiRecv(m) | Event::MpiIrecv(m) | Event::MpiProbe(m)) = event else {
        return None;
    };
    let wildcard = Wildcard {
        source: m.any_source,
        tag: m.any_tag,
    };
    let any = m.any_source || m.any_tag;
    any.then(|| (WILDCARD, Value::Uint8(wildcard.bits())))
}

fn record(event: Event<'_>) -> E {
    match event {
        Event::Enter(region) => E::Enter { region: region.0 },
        Event::Leave(region) => E::Leave { region: region.0 },
        Event::MpiSend(m) => E::MpiSend {
            receiver: m.peer,
            communicator: m.comm.0,
            msg_tag: m.tag,
            msg_length: m.bytes,
        },
        Event::MpiIsend(m) => E::MpiIsend {
            receiver: m.peer,
            communicator: m.comm.0,
            msg_tag: m.tag,
            msg_length: m.bytes,
            request_id: request(m),
        },
        Event::MpiIsendComplete(id) => E::MpiIsendComplete { request_id: id.0 },
        Event::MpiIrecvRequest(id) => E::MpiIrecvRequest { request_id: id.0 },
        Event::MpiRecv(m) => E::MpiRecv {
            sender: m.peer,
            communicator: m.comm.0,
            msg_tag: m.tag,
            msg_length: m.bytes,
        },
        Event::MpiIrecv(m) => E::MpiIrecv {
            sender: m.peer,
            communicator: m.comm.0,
            msg_tag: m.tag,
            msg_length: m.bytes,
            request_id: request(m),
        },
        Event::MpiRequestCancelled(id) => E::MpiRequestCancelled { request_id: id.0 },
        Event::MpiRequestTest(id) => E::MpiRequestTest { request_id: id.0 },
        Event::MpiCollectiveBegin => E::MpiCollectiveBegin,
        Event::MpiCollectiveEnd(collective) => end(collective),
        Event::MpiProbe(m) => E::MpiProbe {
            sender: m.peer,
            communicator: m.comm.0,
            tag: m.tag,
            message_id: 0,
        },
        Event::MeasurementOnOff(on) => E::MeasurementOnOff {
            measurement_mode: match on {
                true => MeasurementMode::ON,
                false => MeasurementMode::OFF,
            },
        },
        Event::Other(number) => E::ParameterUnsignedInt {
            parameter: OTHER,
            value: number.into(),
        },
    }
}

fn request(message: &PointToPoint) -> u64 {
    message.request.unwrap_or_default().0
}

fn end(collective: &Collective) -> E {
    E::MpiCollectiveEnd {
        collective_op: CollectiveOp(collective.op.number()),
        communicator: collective.comm.0,
        root: collective.root.unwrap_or(ROOT_NONE),
        size_sent: collective.sent,
        size_received: collective.received,
    }
}
