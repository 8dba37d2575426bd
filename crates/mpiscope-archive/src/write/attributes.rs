//! What is said of an event beyond its record: one row per attribute.

use std::iter::Peekable;
use std::slice;

use mpiscope_model::{Event, Events, Note, PostedCall, Told};
use otf2::{Definition, Type, Value};

use mpiscope_run::attributes as names;
use mpiscope_run::list::List;
use mpiscope_run::record::Wildcard;

/// Numbers of the attributes: rows of [`ATTRIBUTES`].
const CALL_SITE: u32 = 0;
const SEQUENCE: u32 = 1;
const SYNCHRONOUS: u32 = 2;
const DENSE: u32 = 3;
const PERSISTENT: u32 = 4;
const SIGNAL: u32 = 5;
const AWAIT: u32 = 6;
const COMM_CREATED: u32 = 7;
const WILDCARD: u32 = 8;
const POSTED_COMM: u32 = 9;
const POSTED_SOURCE: u32 = 10;
const POSTED_TAG: u32 = 11;
const CAPACITY: u32 = 12;
const SIGNATURE: u32 = 13;
const NEIGHBORS: u32 = 14;
const CUT_SHORT: u32 = 15;
const POLLS: u32 = 16;
const PERIODS: u32 = 17;
const LEFT_OUT: u32 = 18;

const ATTRIBUTES: [(&str, Type, &str); 19] = [
    (
        names::CALL_SITE_NAME,
        Type::CALLING_CONTEXT,
        "The place in the program at which this region was entered",
    ),
    (
        names::SEQUENCE_NAME,
        Type::UINT64,
        "How many messages or collective operations went before on this channel",
    ),
    (
        names::SYNCHRONOUS_NAME,
        Type::UINT8,
        "The send is synchronous, though its region does not say so",
    ),
    (
        names::DENSE_NAME,
        Type::UINT8,
        "This member of the operation sent something to everybody",
    ),
    (
        names::PERSISTENT_NAME,
        Type::UINT64,
        "The so many-th persistent operation of its communicator is started",
    ),
    (
        names::SIGNAL_NAME,
        Type::UINT64,
        "What awaits this number comes later",
    ),
    (
        names::AWAIT_NAME,
        Type::UINT64,
        "What signals this number came before",
    ),
    (
        names::COMM_CREATED_NAME,
        Type::COMM,
        "The communicator that this call created",
    ),
    (
        names::WILDCARD_NAME,
        Type::UINT8,
        "The receive was posted with MPI_ANY_SOURCE (bit 0) or MPI_ANY_TAG (bit 1)",
    ),
    (
        names::POSTED_COMM_NAME,
        Type::COMM,
        "The communicator of what this receive, probe or collective operation asks for",
    ),
    (
        names::POSTED_SOURCE_NAME,
        Type::UINT32,
        "The sender that is asked for, or the root; absent for MPI_ANY_SOURCE",
    ),
    (
        names::POSTED_TAG_NAME,
        Type::UINT32,
        "The tag that is asked for; absent for MPI_ANY_TAG",
    ),
    (
        names::CAPACITY_NAME,
        Type::UINT64,
        "How many bytes the buffer of this receive holds, or all members of this operation must agree in",
    ),
    (
        names::SIGNATURE_NAME,
        Type::UINT64,
        "The type signature of the data, as a hash that does not count repetitions",
    ),
    (
        names::NEIGHBORS_NAME,
        Type::UINT8,
        "The operation is among the neighbours of a topology",
    ),
    (
        names::CUT_SHORT_NAME,
        Type::UINT8,
        "The process ended within this region: it was never left",
    ),
    (
        names::POLLS_NAME,
        Type::UINT64,
        "This call stands for so many of this function from this place that found nothing",
    ),
    (
        names::PERIODS_NAME,
        Type::UINT32,
        "This sample stands for so many periods of the timer",
    ),
    (
        names::LEFT_OUT_NAME,
        Type::UINT8,
        "On no event: that the archive has it says that calls of MPI were left out by a filter",
    ),
];

/// Defines all attributes, but for those that say what the trace cannot tell:
/// whoever reads it must not take what is absent for told.
pub(super) fn define(list: &mut List, told: Told) {
    for (id, (name, value_type, description)) in (0..).zip(ATTRIBUTES) {
        if !is_told(id, told) {
            continue;
        }
        let (name, description) = (list.string(name), list.string(description));
        list.definitions.push(Definition::Attribute {
            id,
            name,
            value_type,
            description,
        });
    }
}

fn is_told(id: u32, told: Told) -> bool {
    match id {
        WILDCARD => told.wildcards,
        POSTED_COMM => told.posted,
        SIGNATURE => told.types,
        LEFT_OUT => !told.calls,
        _ => true,
    }
}

/// The rows of a side table.
type Rows<'a, T> = Box<dyn Iterator<Item = (u32, T)> + 'a>;

fn rows<'a, T>(table: impl Iterator<Item = (u32, T)> + 'a) -> Peekable<Rows<'a, T>> {
    (Box::new(table) as Rows<'a, T>).peekable()
}

/// Walks along the side tables of a location's events.
pub(super) struct Attributes<'a> {
    sequences: Peekable<slice::Iter<'a, (u32, u64)>>,
    notes: Peekable<slice::Iter<'a, (u32, Note)>>,
    posted: Peekable<Rows<'a, &'a PostedCall>>,
    signatures: Peekable<Rows<'a, u64>>,
    events: &'a Events,
    list: Vec<(u32, Value)>,
}

impl<'a> Attributes<'a> {
    pub fn new(events: &'a Events) -> Attributes<'a> {
        Attributes {
            sequences: events.sequences().iter().peekable(),
            notes: events.notes().iter().peekable(),
            posted: rows(events.all_posted()),
            signatures: rows(events.signatures()),
            events,
            list: Vec::new(),
        }
    }

    /// Returns the attributes of an event; all are asked for, in their order.
    pub fn of(&mut self, index: u32, event: &Event<'_>) -> &[(u32, Value)] {
        self.list.clear();
        self.list.extend(wildcards(event));
        self.list.extend(neighbors(event));
        self.list.extend(periods(event));
        while let Some((_, number)) = self.sequences.next_if(|row| row.0 == index) {
            self.list.push((SEQUENCE, Value::Uint64(*number)));
        }
        while let Some((_, note)) = self.notes.next_if(|row| row.0 == index) {
            self.list.push(attribute(*note));
        }
        if let Some(site) = self.events.call_site(index as usize) {
            self.list.push((CALL_SITE, Value::CallingContext(site.0)));
        }
        while let Some((_, asked)) = self.posted.next_if(|row| row.0 == index) {
            posted(&mut self.list, asked);
        }
        while let Some((_, hash)) = self.signatures.next_if(|row| row.0 == index) {
            // What was asked for says it too; an attribute stands once.
            if self.list.last().is_none_or(|last| last.0 != SIGNATURE) {
                self.list.push((SIGNATURE, Value::Uint64(hash)));
            }
        }
        &self.list
    }
}

fn attribute(note: Note) -> (u32, Value) {
    match note {
        Note::Synchronous => (SYNCHRONOUS, Value::Uint8(1)),
        Note::Dense => (DENSE, Value::Uint8(1)),
        Note::CutShort => (CUT_SHORT, Value::Uint8(1)),
        Note::Persistent(number) => (PERSISTENT, Value::Uint64(number)),
        Note::Polls(number) => (POLLS, Value::Uint64(number)),
        Note::Signal(number) => (SIGNAL, Value::Uint64(number)),
        Note::Await(number) => (AWAIT, Value::Uint64(number)),
        Note::Created(comm) => (COMM_CREATED, Value::Comm(comm.0)),
    }
}

fn posted(list: &mut Vec<(u32, Value)>, asked: &PostedCall) {
    list.push((POSTED_COMM, Value::Comm(asked.comm.0)));
    let number = |(id, value): (u32, Option<u32>)| Some((id, Value::Uint32(value?)));
    let fields = [(POSTED_SOURCE, asked.source), (POSTED_TAG, asked.tag)];
    list.extend(fields.into_iter().filter_map(number));
    let number = |(id, value): (u32, Option<u64>)| Some((id, Value::Uint64(value?)));
    let fields = [(CAPACITY, asked.capacity), (SIGNATURE, asked.signature)];
    list.extend(fields.into_iter().filter_map(number));
}

/// Returns the attribute of the end of an operation among neighbours.
fn neighbors(event: &Event<'_>) -> Option<(u32, Value)> {
    let (Event::MpiCollectiveEnd(ended) | Event::NonBlockingCollectiveComplete(_, ended)) = event
    else {
        return None;
    };
    (ended.op.is_among_neighbors()).then_some((NEIGHBORS, Value::Uint8(1)))
}

/// Returns the attribute of a sample that stands for several periods.
fn periods(event: &Event<'_>) -> Option<(u32, Value)> {
    let Event::Sample(sample) = event else {
        return None;
    };
    (sample.periods != 1).then_some((PERIODS, Value::Uint32(sample.periods)))
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
