//! What attributes say of an event beyond its record.

use std::collections::HashMap;

use mpiscope_model::{Events, Note, Told};
use otf2::{Definition, Value};

use super::calls::{Call, CallFact};
use super::names::Names;
use super::tables::Ids;
use mpiscope_run::attributes as own;
use mpiscope_run::record::Wildcard;

/// The attributes that are looked for, as far as the archive has them.
#[derive(Default)]
pub(super) struct Attributes {
    /// Positions in `meanings` by the archive's numbers.
    ids: Ids,
    meanings: Vec<Meaning>,
}

/// What an attribute tells.
#[derive(Clone, Copy)]
enum Meaning {
    Wildcard,
    Message,
    Sequence,
    Neighbors,
    Periods,
    LeftOut,
    Call(CallFact),
    Note(Make),
}

type Make = fn(Value, &mut Names) -> Option<Note>;

/// One row per attribute that becomes a note.
const NOTES: &[(&str, Make)] = &[
    (own::SYNCHRONOUS_NAME, |_, _| Some(Note::Synchronous)),
    (own::DENSE_NAME, |_, _| Some(Note::Dense)),
    (own::CUT_SHORT_NAME, |_, _| Some(Note::CutShort)),
    (own::PERSISTENT_NAME, |value, _| {
        Some(Note::Persistent(number(value)?))
    }),
    (own::POLLS_NAME, |value, _| {
        Some(Note::Polls(number(value)?))
    }),
    (own::SIGNAL_NAME, |value, _| {
        Some(Note::Signal(number(value)?))
    }),
    (own::AWAIT_NAME, |value, _| {
        Some(Note::Await(number(value)?))
    }),
    (own::COMM_CREATED_NAME, |value, names| match value {
        Value::Comm(comm) => Some(Note::Created(names.communicator(comm))),
        _ => None,
    }),
];

fn number(value: Value) -> Option<u64> {
    match value {
        Value::Uint64(number) => Some(number),
        Value::Uint32(number) => Some(number.into()),
        _ => None,
    }
}

/// One row per other attribute.
const MEANINGS: &[(&str, Meaning)] = &[
    (own::WILDCARD_NAME, Meaning::Wildcard),
    (own::MESSAGE_ID_NAME, Meaning::Message),
    (own::SEQUENCE_NAME, Meaning::Sequence),
    (own::NEIGHBORS_NAME, Meaning::Neighbors),
    (own::PERIODS_NAME, Meaning::Periods),
    (own::LEFT_OUT_NAME, Meaning::LeftOut),
    (own::CALL_SITE_NAME, Meaning::Call(CallFact::Site)),
    (own::POSTED_COMM_NAME, Meaning::Call(CallFact::Comm)),
    (own::POSTED_SOURCE_NAME, Meaning::Call(CallFact::Source)),
    (own::POSTED_TAG_NAME, Meaning::Call(CallFact::Tag)),
    (own::CAPACITY_NAME, Meaning::Call(CallFact::Capacity)),
    (own::SIGNATURE_NAME, Meaning::Call(CallFact::Signature)),
];

/// Returns what an attribute of this name tells, if we look for it.
fn meaning(name: &str) -> Option<Meaning> {
    let other = MEANINGS.iter().find(|row| row.0 == name).map(|row| row.1);
    let note = || NOTES.iter().find(|row| row.0 == name);
    other.or_else(|| note().map(|row| Meaning::Note(row.1)))
}

impl Attributes {
    pub fn new(definitions: &[Definition], strings: &HashMap<u32, String>) -> Attributes {
        let mut found = Attributes::default();
        for definition in definitions {
            let Definition::Attribute { id, name, .. } = definition else {
                continue;
            };
            if let Some(meaning) = strings.get(name).and_then(|name| meaning(name)) {
                found.ids.insert(*id, found.meanings.len() as u32);
                found.meanings.push(meaning);
            }
        }
        found
    }

    /// Returns what an archive with these attributes can tell.
    pub fn told(&self) -> Told {
        let call = |fact| self.any(|meaning| matches!(meaning, Meaning::Call(it) if it == fact));
        Told {
            wildcards: self.any(|meaning| matches!(meaning, Meaning::Wildcard)),
            posted: call(CallFact::Comm),
            types: call(CallFact::Signature),
            calls: !self.any(|meaning| matches!(meaning, Meaning::LeftOut)),
        }
    }

    /// Returns whether receives name the messages that matched probes found.
    pub fn name_messages(&self) -> bool {
        self.any(|meaning| matches!(meaning, Meaning::Message))
    }

    fn any(&self, wanted: impl Fn(Meaning) -> bool) -> bool {
        self.meanings.iter().any(|&meaning| wanted(meaning))
    }

    /// Reads what the attributes of an event say.
    #[inline(never)]
    pub fn read(&self, attributes: otf2::Attributes<'_>) -> Said {
        let mut said = Said::default();
        for (id, value) in attributes.iter() {
            if let Some(at) = self.ids.get(id) {
                said.take(self.meanings[at as usize], value);
            }
        }
        said
    }
}

/// What the attributes of one event say.
#[derive(Default)]
pub(super) struct Said {
    /// Which wildcards a receive was posted with.
    pub wildcard: Wildcard,
    /// The message of a matched probe that a receive is about.
    pub message: Option<u64>,
    /// Whether the end of a collective operation says that it is among neighbours.
    pub among_neighbors: bool,
    /// For how many periods a sample stands.
    pub periods: Option<u32>,
    sequence: Option<u64>,
    call: Call,
    notes: Vec<(Make, Value)>,
}

impl Said {
    #[inline]
    fn take(&mut self, meaning: Meaning, value: Value) {
        match (meaning, value) {
            (Meaning::Call(fact), value) => self.call.take(fact, value),
            (Meaning::Wildcard, Value::Uint8(bits)) => self.wildcard = Wildcard::from_bits(bits),
            (Meaning::Wildcard, _) => {}
            (Meaning::Message, value) => self.message = number(value),
            (Meaning::Sequence, value) => self.sequence = number(value),
            (Meaning::Neighbors, _) => self.among_neighbors = true,
            (Meaning::Periods, Value::Uint32(periods)) => self.periods = Some(periods),
            (Meaning::Periods, _) => {}
            (Meaning::LeftOut, _) => {}
            (Meaning::Note(make), value) => self.notes.push((make, value)),
        }
    }

    /// Keeps this as said of the event pushed last.
    pub fn keep(&self, events: &mut Events, names: &mut Names) {
        let Some(index) = events.len().checked_sub(1) else {
            return;
        };
        if let Some(sequence) = self.sequence {
            events.set_sequence(index, sequence);
        }
        self.call.note(events, index, names);
        for (make, value) in &self.notes {
            if let Some(note) = make(*value, names) {
                events.note(index, note);
            }
        }
    }
}
