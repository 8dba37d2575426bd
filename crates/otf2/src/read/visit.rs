//! Visits events without making [`Event`]s of the frequent ones.
//!
//! Nine of ten events of a message-passing program are of a dozen kinds. Their fields go
//! from the file straight to a [`Visitor`]'s method of that kind; what is rare, stands at the end
//! of a chunk, was written with the other byte order or is damaged goes the way of the iterator
//! and ends in the same methods. So a visitor sees what the iterator yields, several times as fast.

use super::events::{Events, State};
use crate::attributes::Attributes;
use crate::chunk::{ATTRIBUTE_LIST, TIMESTAMP};
use crate::local::IdMaps;
use crate::wire::{ByteOrder, Window};
use crate::{CollectiveOp, Error, Event, MappingType};

/// When an event happened, and what is known of it beyond its fields.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Moment<'a> {
    /// The number of the event at its location, from 1.
    pub number: u64,
    /// When it happened, in ticks of the location's clock.
    pub time: u64,
    /// What is known beyond the fields.
    pub attributes: Attributes<'a>,
}

/// The fields that all sends and receives share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Message {
    /// The receiver of a send, the sender of a receive: a rank of the communicator.
    pub peer: u32,
    /// The communicator.
    pub communicator: u32,
    /// The tag.
    pub msg_tag: u32,
    /// Bytes.
    pub msg_length: u64,
}

/// The fields of the end of a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Collective {
    /// Which operation.
    pub collective_op: CollectiveOp,
    /// The communicator.
    pub communicator: u32,
    /// The root's rank, or [`ROOT_NONE`](crate::ROOT_NONE) and its kin.
    pub root: u32,
    /// Bytes.
    pub size_sent: u64,
    /// Bytes.
    pub size_received: u64,
}

/// Whoever wants to see all events of a location.
///
/// Methods of single kinds are for speed, and their default is to hand the event on to
/// [`event`](Self::event): who implements that alone sees everything.
///
/// ```
/// use otf2::read::{Message, Moment, Visitor};
///
/// /// Bytes sent by blocking sends.
/// struct Sent(u64);
///
/// impl Visitor<'_> for Sent {
///     fn mpi_send(&mut self, _: &Moment<'_>, message: Message) {
///         self.0 += message.msg_length;
///     }
///     fn event(&mut self, _: &Moment<'_>, _: otf2::Event) {}
/// }
///
/// # fn main() -> Result<(), otf2::Error> {
/// # let archive = otf2::read::Archive::open(concat!(env!("CARGO_MANIFEST_DIR"),
/// #     "/tests/archives/messages/traces.otf2"))?;
/// let mut sent = Sent(0);
/// for location in archive.locations()? {
///     archive.events(location)?.iter().visit(&mut sent)?;
/// }
/// assert!(sent.0 > 0);
/// # Ok(())
/// # }
/// ```
pub trait Visitor<'a> {
    /// Takes an event of a kind without a method of its own.
    fn event(&mut self, moment: &Moment<'a>, event: Event);

    /// A region was entered.
    #[inline]
    fn enter(&mut self, moment: &Moment<'a>, region: u32) {
        self.event(moment, Event::Enter { region });
    }

    /// A region was left.
    #[inline]
    fn leave(&mut self, moment: &Moment<'a>, region: u32) {
        self.event(moment, Event::Leave { region });
    }

    /// A blocking send.
    #[inline]
    fn mpi_send(&mut self, moment: &Moment<'a>, message: Message) {
        self.event(moment, message.send());
    }

    /// A nonblocking send was posted.
    #[inline]
    fn mpi_isend(&mut self, moment: &Moment<'a>, message: Message, request_id: u64) {
        self.event(moment, message.isend(request_id));
    }

    /// A nonblocking send completed.
    #[inline]
    fn mpi_isend_complete(&mut self, moment: &Moment<'a>, request_id: u64) {
        self.event(moment, Event::MpiIsendComplete { request_id });
    }

    /// A nonblocking receive was posted.
    #[inline]
    fn mpi_irecv_request(&mut self, moment: &Moment<'a>, request_id: u64) {
        self.event(moment, Event::MpiIrecvRequest { request_id });
    }

    /// A message was received.
    #[inline]
    fn mpi_recv(&mut self, moment: &Moment<'a>, message: Message) {
        self.event(moment, message.recv());
    }

    /// A nonblocking receive completed.
    #[inline]
    fn mpi_irecv(&mut self, moment: &Moment<'a>, message: Message, request_id: u64) {
        self.event(moment, message.irecv(request_id));
    }

    /// A request was tested and had not completed.
    #[inline]
    fn mpi_request_test(&mut self, moment: &Moment<'a>, request_id: u64) {
        self.event(moment, Event::MpiRequestTest { request_id });
    }

    /// A collective operation began.
    #[inline]
    fn mpi_collective_begin(&mut self, moment: &Moment<'a>) {
        self.event(moment, Event::MpiCollectiveBegin);
    }

    /// A collective operation ended.
    #[inline]
    fn mpi_collective_end(&mut self, moment: &Moment<'a>, collective: Collective) {
        self.event(moment, collective.end());
    }
}

impl Message {
    fn send(self) -> Event {
        Event::MpiSend {
            receiver: self.peer,
            communicator: self.communicator,
            msg_tag: self.msg_tag,
            msg_length: self.msg_length,
        }
    }

    fn isend(self, request_id: u64) -> Event {
        Event::MpiIsend {
            receiver: self.peer,
            communicator: self.communicator,
            msg_tag: self.msg_tag,
            msg_length: self.msg_length,
            request_id,
        }
    }

    fn recv(self) -> Event {
        Event::MpiRecv {
            sender: self.peer,
            communicator: self.communicator,
            msg_tag: self.msg_tag,
            msg_length: self.msg_length,
        }
    }

    fn irecv(self, request_id: u64) -> Event {
        Event::MpiIrecv {
            sender: self.peer,
            communicator: self.communicator,
            msg_tag: self.msg_tag,
            msg_length: self.msg_length,
            request_id,
        }
    }
}

impl Collective {
    fn end(self) -> Event {
        Event::MpiCollectiveEnd {
            collective_op: self.collective_op,
            communicator: self.communicator,
            root: self.root,
            size_sent: self.size_sent,
            size_received: self.size_received,
        }
    }
}

/// Hands a decoded event to the method of its kind.
fn tell<'a>(visitor: &mut impl Visitor<'a>, moment: &Moment<'a>, event: Event) {
    match event {
        Event::Enter { region } => visitor.enter(moment, region),
        Event::Leave { region } => visitor.leave(moment, region),
        Event::MpiSend {
            receiver: peer,
            communicator,
            msg_tag,
            msg_length,
        } => visitor.mpi_send(
            moment,
            Message {
                peer,
                communicator,
                msg_tag,
                msg_length,
            },
        ),
        Event::MpiIsend {
            receiver: peer,
            communicator,
            msg_tag,
            msg_length,
            request_id,
        } => {
            let message = Message {
                peer,
                communicator,
                msg_tag,
                msg_length,
            };
            visitor.mpi_isend(moment, message, request_id);
        }
        Event::MpiIsendComplete { request_id } => visitor.mpi_isend_complete(moment, request_id),
        Event::MpiIrecvRequest { request_id } => visitor.mpi_irecv_request(moment, request_id),
        Event::MpiRecv {
            sender: peer,
            communicator,
            msg_tag,
            msg_length,
        } => visitor.mpi_recv(
            moment,
            Message {
                peer,
                communicator,
                msg_tag,
                msg_length,
            },
        ),
        Event::MpiIrecv {
            sender: peer,
            communicator,
            msg_tag,
            msg_length,
            request_id,
        } => {
            let message = Message {
                peer,
                communicator,
                msg_tag,
                msg_length,
            };
            visitor.mpi_irecv(moment, message, request_id);
        }
        Event::MpiRequestTest { request_id } => visitor.mpi_request_test(moment, request_id),
        Event::MpiCollectiveBegin => visitor.mpi_collective_begin(moment),
        Event::MpiCollectiveEnd {
            collective_op,
            communicator,
            root,
            size_sent,
            size_received,
        } => visitor.mpi_collective_end(
            moment,
            Collective {
                collective_op,
                communicator,
                root,
                size_sent,
                size_received,
            },
        ),
        other => visitor.event(moment, other),
    }
}

impl<'a> Events<'a> {
    /// Shows a visitor all events that are left.
    ///
    /// Ends at the end of the file or of what is left of it, as the iteration does: look at
    /// [`truncation`](Self::truncation) then.
    ///
    /// # Errors
    /// When bytes make no sense; the visitor has seen all before them.
    pub fn visit(&mut self, visitor: &mut impl Visitor<'a>) -> Result<(), Error> {
        self.visit_some(u64::MAX, visitor).map(drop)
    }

    /// Shows a visitor the next events, at most so many; returns how many there were.
    ///
    /// # Errors
    /// When bytes make no sense; the visitor has seen all before them.
    pub fn visit_some(&mut self, most: u64, visitor: &mut impl Visitor<'a>) -> Result<u64, Error> {
        let mut seen = 0;
        loop {
            let before = self.number;
            self.visit_frequent(most - seen, visitor);
            seen += self.number.wrapping_sub(before);
            if seen >= most {
                return Ok(seen);
            }
            match self.next() {
                None => return Ok(seen),
                Some(record) => {
                    let record = record?;
                    let moment = Moment {
                        number: record.number,
                        time: record.time,
                        attributes: record.attributes,
                    };
                    tell(visitor, &moment, record.event);
                    seen += 1;
                }
            }
        }
    }

    /// Visits events of frequent kinds, at most so many, up to the first that is none, or is not
    /// certainly whole.
    fn visit_frequent(&mut self, most: u64, visitor: &mut impl Visitor<'a>) {
        let Some(mut time) = self.time else { return };
        if self.state != State::Reading || self.cursor.order() != ByteOrder::Little {
            return;
        }
        let maps = self.file.maps.as_ref();
        let mut cursor = self.cursor;
        let mut number = self.number;
        let last = number.saturating_add(most);
        // What was shown last, and what comes behind it.
        let mut seen = number;
        let mut begin = cursor;
        while seen < last {
            let Some(mut window) = cursor.window() else {
                break;
            };
            if window.byte(0) == TIMESTAMP {
                time = window.u64(1);
                cursor.skip(9);
                let Some(next) = cursor.window() else { break };
                window = next;
            }
            number = number.wrapping_add(1);
            // Apart, so that of events without attributes, which are frequent, nobody looks for any.
            let length = if window.byte(0) == ATTRIBUTE_LIST {
                // Another cursor, so that this one stays in registers.
                let mut behind = cursor;
                behind.skip(1);
                let Ok(attributes) = Attributes::get(&mut behind, maps) else {
                    break;
                };
                let Some(window) = behind.window() else { break };
                cursor = behind;
                let moment = Moment {
                    number,
                    time,
                    attributes,
                };
                frequent(&window, maps, &moment, visitor)
            } else {
                let moment = Moment {
                    number,
                    time,
                    attributes: Attributes::default(),
                };
                frequent(&window, maps, &moment, visitor)
            };
            let Some(length) = length else { break };
            cursor.skip(length);
            begin = cursor;
            seen = number;
        }
        self.number = seen;
        self.cursor = begin;
        self.time = Some(time);
    }
}

/// Decodes the event at the beginning of a window, if it is of a frequent kind and whole;
/// returns its bytes.
#[inline(always)]
fn frequent<'a>(
    window: &Window<'_>,
    maps: Option<&IdMaps>,
    moment: &Moment<'a>,
    visitor: &mut impl Visitor<'a>,
) -> Option<usize> {
    let mut fields = Fields {
        window,
        at: 1,
        maps,
    };
    match window.byte(0) {
        12 => {
            let region = fields.reference(MappingType::REGION)?;
            visitor.enter(moment, region);
        }
        13 => {
            let region = fields.reference(MappingType::REGION)?;
            visitor.leave(moment, region);
        }
        14 => {
            let end = fields.end()?;
            let message = fields.message()?;
            fields.close(end)?;
            visitor.mpi_send(moment, message);
        }
        15 => {
            let end = fields.end()?;
            let (message, request) = (fields.message()?, fields.c64()?);
            fields.close(end)?;
            visitor.mpi_isend(moment, message, request);
        }
        16 => {
            let request = fields.c64()?;
            visitor.mpi_isend_complete(moment, request);
        }
        17 => {
            let request = fields.c64()?;
            visitor.mpi_irecv_request(moment, request);
        }
        18 => {
            let end = fields.end()?;
            let message = fields.message()?;
            fields.close(end)?;
            visitor.mpi_recv(moment, message);
        }
        19 => {
            let end = fields.end()?;
            let (message, request) = (fields.message()?, fields.c64()?);
            fields.close(end)?;
            visitor.mpi_irecv(moment, message, request);
        }
        20 => {
            let request = fields.c64()?;
            visitor.mpi_request_test(moment, request);
        }
        22 => {
            let end = fields.end()?;
            fields.close(end)?;
            visitor.mpi_collective_begin(moment);
        }
        23 => {
            let end = fields.end()?;
            let collective = fields.collective()?;
            fields.close(end)?;
            visitor.mpi_collective_end(moment, collective);
        }
        _ => return None,
    }
    Some(fields.at)
}

/// The fields of one record, one after the other.
struct Fields<'w, 'a> {
    window: &'w Window<'a>,
    at: usize,
    maps: Option<&'w IdMaps>,
}

impl Fields<'_, '_> {
    /// Reads the length of the payload; returns where it ends, unless it is beyond the window.
    #[inline(always)]
    fn end(&mut self) -> Option<usize> {
        let length = usize::from(self.window.byte(self.at));
        self.at += 1;
        Some(self.at + length).filter(|&end| end <= Window::LENGTH)
    }

    /// Goes behind the payload, if no field reached beyond its end.
    #[inline(always)]
    fn close(&mut self, end: usize) -> Option<()> {
        let inside = self.at <= end;
        self.at = end;
        inside.then_some(())
    }

    #[inline(always)]
    fn c32(&mut self) -> Option<u32> {
        self.window
            .compressed(&mut self.at, 4)
            .map(|bits| bits as u32)
    }

    #[inline(always)]
    fn c64(&mut self) -> Option<u64> {
        self.window.compressed(&mut self.at, 8)
    }

    /// Reads a reference, and makes a global one of a local one.
    #[inline(always)]
    fn reference(&mut self, kind: MappingType) -> Option<u32> {
        let id = self.c32()?;
        Some(
            self.maps
                .map_or(id, |maps| maps.get(kind, id.into()) as u32),
        )
    }

    #[inline(always)]
    fn message(&mut self) -> Option<Message> {
        Some(Message {
            peer: self.c32()?,
            communicator: self.reference(MappingType::COMM)?,
            msg_tag: self.c32()?,
            msg_length: self.c64()?,
        })
    }

    #[inline(always)]
    fn collective(&mut self) -> Option<Collective> {
        let op = self.window.get(self.at)?;
        self.at += 1;
        Some(Collective {
            collective_op: CollectiveOp(op),
            communicator: self.reference(MappingType::COMM)?,
            root: self.c32()?,
            size_sent: self.c64()?,
            size_received: self.c64()?,
        })
    }
}
