//! The events of one location, from the model's columns to OTF2's records:
//! [`record`] has one row for each kind.

use std::path::Path;

use mpiscope_model::{Collective, Event, PointToPoint};
use otf2::write::{EventWriter, EVENT_CHUNK};
use otf2::{CollectiveOp, Event as E, MeasurementMode, ROOT_NONE};

use super::attributes::Attributes;
use super::definitions::{Numbers, OTHER};
use super::{metrics, one_sided, threads, Target};
use crate::Error;
use mpiscope_run::drain::NAME;
use mpiscope_run::sampling::TIMER;

/// What was written of a location.
pub(super) struct Written {
    pub events: u64,
    pub held: u64,
    /// Times of the first and the last event.
    pub ends: Option<(u64, u64)>,
}

pub(super) fn write(
    directory: &Path,
    target: &Target<'_>,
    shift: i64,
    numbers: &Numbers,
) -> Result<Written, Error> {
    let mut writer = EventWriter::create(directory, NAME, target.id, EVENT_CHUNK)?;
    let (mut held, mut ends) = (0, None);
    if let Some(location) = target.location {
        let mut attributes = Attributes::new(&location.events);
        for (index, (time, event)) in (0..).zip(location.events.iter()) {
            let time = time.0.saturating_add(shift).max(0) as u64;
            let (first, latest) = ends.unwrap_or((time, time));
            held += u64::from(time < latest);
            ends = Some((first, time.max(latest)));
            let noted = attributes.of(index, &event);
            writer.write(time.max(latest), noted, &record(event, numbers))?;
        }
    }
    Ok(Written {
        events: writer.finish()?,
        held,
        ends,
    })
}

fn record(event: Event<'_>, numbers: &Numbers) -> E {
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
        Event::NonBlockingCollectiveRequest(id) => {
            E::NonBlockingCollectiveRequest { request_id: id.0 }
        }
        Event::NonBlockingCollectiveComplete(id, c) => E::NonBlockingCollectiveComplete {
            collective_op: CollectiveOp(c.op.number()),
            communicator: c.comm.0,
            root: c.root.unwrap_or(ROOT_NONE),
            size_sent: c.sent,
            size_received: c.received,
            request_id: id.0,
        },
        Event::CommCreate(comm) => E::CommCreate {
            communicator: comm.0,
        },
        Event::Thread(event) => threads::record(event, numbers),
        Event::OneSided(event) => one_sided::record(event, numbers),
        Event::Sample(sample) => E::CallingContextSample {
            calling_context: sample.site.0,
            unwind_distance: 1,
            interrupt_generator: TIMER,
        },
        Event::Metric(values) => E::Metric {
            metric: numbers.class(values),
            values: values.iter().map(metrics::value).collect(),
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
