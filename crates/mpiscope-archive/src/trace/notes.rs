//! What attributes say of an event beyond its record.

use std::collections::HashMap;

use mpiscope_model::{Events, Note, Told};
use otf2::read::Record;
use otf2::{Definition, Value};

use super::calls::CallAttributes;
use super::names::Names;
use mpiscope_run::definitions as own;
use mpiscope_run::record::Wildcard;

/// Numbers of the attributes that are looked for, where the archive has them.
#[derive(Default)]
pub(super) struct Attributes {
    wildcard: Option<u32>,
    message: Option<u32>,
    sequence: Option<u32>,
    neighbors: Option<u32>,
    calls: CallAttributes,
    /// With a note, or what makes a note of the attribute's value.
    notes: Vec<(u32, Make)>,
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

impl Attributes {
    pub fn new(definitions: &[Definition], strings: &HashMap<u32, String>) -> Attributes {
        let mut found = Attributes::default();
        for definition in definitions {
            let Definition::Attribute { id, name, .. } = definition else {
                continue;
            };
            let Some(name) = strings.get(name) else {
                continue;
            };
            match name.as_str() {
                own::WILDCARD_NAME => found.wildcard = Some(*id),
                own::MESSAGE_ID_NAME => found.message = Some(*id),
                own::SEQUENCE_NAME => found.sequence = Some(*id),
                own::NEIGHBORS_NAME => found.neighbors = Some(*id),
                name if found.calls.define(name, *id) => {}
                name => {
                    let row = NOTES.iter().find(|(wanted, _)| *wanted == name);
                    found.notes.extend(row.map(|(_, make)| (*id, *make)));
                }
            }
        }
        found
    }

    /// Returns what an archive with these attributes can tell.
    pub fn told(&self) -> Told {
        Told {
            wildcards: self.wildcard.is_some(),
            posted: self.calls.tell_posted(),
            types: self.calls.tell_types(),
        }
    }

    /// Returns which wildcards a receive was posted with.
    pub fn wildcard(&self, record: &Record<'_>) -> Wildcard {
        match self.wildcard.and_then(|id| record.attributes.find(id)) {
            Some(Value::Uint8(bits)) => Wildcard::from_bits(bits),
            _ => Wildcard::default(),
        }
    }

    /// Returns whether the end of a collective operation says that it is among neighbours.
    pub fn among_neighbors(&self, record: &Record<'_>) -> bool {
        let said = |id| record.attributes.find(id).is_some();
        !record.attributes.is_empty() && self.neighbors.is_some_and(said)
    }

    /// Returns whether receives name the messages that matched probes found.
    pub fn name_messages(&self) -> bool {
        self.message.is_some()
    }

    /// Returns the message of a matched probe that a receive is about.
    pub fn message(&self, record: &Record<'_>) -> Option<u64> {
        number(record.attributes.find(self.message?)?)
    }
}

/// Keeps what the attributes say of the event pushed last.
pub(super) fn note(events: &mut Events, record: &Record<'_>, names: &mut Names) {
    let Some(index) = events.len().checked_sub(1) else {
        return;
    };
    let attributes = names.attributes();
    let sequence = attributes
        .sequence
        .and_then(|id| record.attributes.find(id));
    if let Some(sequence) = sequence.and_then(number) {
        events.set_sequence(index, sequence);
    }
    attributes.calls.note(events, index, record, names);
    for (id, make) in &attributes.notes {
        let value = record.attributes.find(*id);
        if let Some(note) = value.and_then(|value| make(value, names)) {
            events.note(index, note);
        }
    }
}
