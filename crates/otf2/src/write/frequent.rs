//! Writes events of frequent kinds without asking each record how large it may be.
//!
//! As long as the chunk has room for any of them nothing must be reckoned; where it has not, and
//! for all other kinds, [`TimedWriter::write`] decides as libotf2 does. The bytes are the same.

use super::timed::TimedWriter;
use crate::attributes;
use crate::chunk::TIMESTAMP;
use crate::wire::{ByteOrder, Room};
use crate::{AttributeRef, Event, Value};

/// More than libotf2 takes an event of a frequent kind to need, with its time and the end mark.
const MOST: usize = 2 * Room::LENGTH;

/// Writes an event, if its kind is frequent and the chunk has room for any of these; tells
/// whether it did.
#[inline]
pub(super) fn write(
    writer: &mut TimedWriter,
    time: u64,
    attributes: &[(AttributeRef, Value)],
    event: &Event,
) -> bool {
    let chunk = &writer.chunk;
    let fits = chunk.room() > MOST + attributes::room(attributes);
    let in_order = time >= writer.time && chunk.out.order() == ByteOrder::Little;
    if !fits || !in_order || !is_frequent(event) {
        return false;
    }
    let stamps = writer.stamps(time);
    let out = &mut writer.chunk.out;
    if attributes.is_empty() {
        out.fill(|room| {
            if stamps {
                room.u8(TIMESTAMP);
                room.u64(time);
            }
            put(room, event);
        });
    } else {
        if stamps {
            out.u8(TIMESTAMP);
            out.u64(time);
        }
        attributes::put(out, attributes);
        out.fill(|room| put(room, event));
    }
    writer.chunk.count += 1;
    true
}

/// Whether [`put`] knows the kind.
#[inline]
fn is_frequent(event: &Event) -> bool {
    matches!(
        event,
        Event::Enter { .. }
            | Event::Leave { .. }
            | Event::MpiSend { .. }
            | Event::MpiIsend { .. }
            | Event::MpiIsendComplete { .. }
            | Event::MpiIrecvRequest { .. }
            | Event::MpiRecv { .. }
            | Event::MpiIrecv { .. }
            | Event::MpiRequestTest { .. }
            | Event::MpiCollectiveBegin
            | Event::MpiCollectiveEnd { .. }
    )
}

#[inline(always)]
fn put(room: &mut Room<'_>, event: &Event) {
    match *event {
        Event::Enter { region } => {
            room.u8(12);
            room.c32(region);
        }
        Event::Leave { region } => {
            room.u8(13);
            room.c32(region);
        }
        Event::MpiSend {
            receiver,
            communicator,
            msg_tag,
            msg_length,
        } => room.framed(14, |room| {
            message(room, [receiver, communicator, msg_tag], msg_length);
        }),
        Event::MpiIsend {
            receiver,
            communicator,
            msg_tag,
            msg_length,
            request_id,
        } => room.framed(15, |room| {
            message(room, [receiver, communicator, msg_tag], msg_length);
            room.c64(request_id);
        }),
        Event::MpiIsendComplete { request_id } => {
            room.u8(16);
            room.c64(request_id);
        }
        Event::MpiIrecvRequest { request_id } => {
            room.u8(17);
            room.c64(request_id);
        }
        Event::MpiRecv {
            sender,
            communicator,
            msg_tag,
            msg_length,
        } => room.framed(18, |room| {
            message(room, [sender, communicator, msg_tag], msg_length);
        }),
        Event::MpiIrecv {
            sender,
            communicator,
            msg_tag,
            msg_length,
            request_id,
        } => room.framed(19, |room| {
            message(room, [sender, communicator, msg_tag], msg_length);
            room.c64(request_id);
        }),
        Event::MpiRequestTest { request_id } => {
            room.u8(20);
            room.c64(request_id);
        }
        Event::MpiCollectiveBegin => room.framed(22, |_| {}),
        Event::MpiCollectiveEnd {
            collective_op,
            communicator,
            root,
            size_sent,
            size_received,
        } => room.framed(23, |room| {
            room.u8(collective_op.0);
            room.c32(communicator);
            room.c32(root);
            room.c64(size_sent);
            room.c64(size_received);
        }),
        _ => {}
    }
}

#[inline(always)]
fn message(room: &mut Room<'_>, [peer, communicator, tag]: [u32; 3], length: u64) {
    room.c32(peer);
    room.c32(communicator);
    room.c32(tag);
    room.c64(length);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Record;
    use crate::wire::Out;
    use proptest::prelude::*;

    proptest! {
        /// Each record by itself, and whether all are known that are called frequent.
        #[test]
        fn frequent_records_are_written_as_all_are(id in 12u8..24, values: [u64; 8], shifts: [u8; 8]) {
            let mut at = 0;
            let mut next = || {
                at = (at + 1) % 8;
                // Undefined values, too.
                values[at].checked_shr(shifts[at].into()).unwrap_or(u64::MAX)
            };
            let event = Event::sample(id, &mut next);
            prop_assume!(is_frequent(&event));
            let (mut quick, mut whole) = (
                Out::new(256, ByteOrder::Little),
                Out::new(256, ByteOrder::Little),
            );
            quick.fill(|room| put(room, &event));
            event.put(&mut whole, event.bound());
            prop_assert_eq!(quick.filled(), whole.filled());
        }
    }
}
