//! One location: its events, from reader to writer one by one. What is right goes over as it
//! stands in the file.

use std::collections::{HashMap, HashSet};

use otf2::read::{Archive, EventFile, Raw, Record};
use otf2::write::EventWriter;
use otf2::{AttributeRef, ClockCorrection, Event, Value, ROOT_NONE};

use super::ahead::{is_outside, Ahead};
use super::numbers::Numbers;
use super::Changes;
use crate::check::calls::{Calls, Left};
use crate::check::ids::{renumber_value, Space};
use crate::check::known::{is_rank, Known};
use crate::check::location::Defined;
use crate::check::reading::Timed;
use crate::progress::Progress;
use crate::Error;

/// What all locations go by.
pub(super) struct Rules<'a> {
    pub source: &'a Archive,
    /// Of the mended definitions.
    pub known: &'a Known,
    pub numbers: &'a Numbers,
    pub ahead: &'a HashMap<u64, Ahead>,
    /// What the other threads of a process have posted, by its rank.
    pub posted: &'a HashMap<u32, HashSet<u64>>,
    /// What marks events that are added.
    pub added: AttributeRef,
}

/// What was written of a location.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub id: u64,
    pub events: u64,
    /// The first and the last time, as the location's clock offsets have them.
    pub times: Option<(u64, u64)>,
    pub changes: Changes,
}

/// Writes a location's events.
pub(super) fn write(
    rules: &Rules<'_>,
    at: Defined,
    mut out: EventWriter,
    offsets: &ClockCorrection,
    progress: &Progress,
) -> Result<Written, Error> {
    let file = rules.source.events(at.id)?;
    let mut walk = Walk::new(rules, at, &mut out);
    walk.file(&file, progress)?;
    walk.end()?;
    let Walk { times, changes, .. } = walk;
    Ok(Written {
        id: at.id,
        events: out.finish()?,
        times: times.map(|(first, last)| (offsets.apply(first), offsets.apply(last))),
        changes,
    })
}

/// How far a location is written.
pub(super) struct Walk<'a> {
    pub rules: &'a Rules<'a>,
    pub at: Defined,
    ahead: Option<&'a Ahead>,
    out: &'a mut EventWriter,
    /// The event that was read, counted from 1.
    number: u64,
    times: Option<(u64, u64)>,
    calls: Calls,
    begun: bool,
    /// Requests that are active, with the numbers that they have got.
    pub requests: HashMap<u64, u64>,
    /// The last number that any request has.
    pub last_request: u64,
    changes: Changes,
}

/// What becomes of an event.
#[derive(Debug, Default)]
pub(super) struct Mended {
    /// What is added before it.
    pub before: Vec<Event>,
    pub kept: Kept,
}

/// Whether it stays.
#[derive(Debug, Default)]
pub(super) enum Kept {
    #[default]
    AsItIs,
    As(Event),
    Not,
}

impl From<Kept> for Mended {
    fn from(kept: Kept) -> Mended {
        Mended {
            kept,
            ..Mended::default()
        }
    }
}

impl From<Vec<Event>> for Mended {
    fn from(before: Vec<Event>) -> Mended {
        Mended {
            before,
            ..Mended::default()
        }
    }
}

impl<'a> Walk<'a> {
    fn new(rules: &'a Rules<'a>, at: Defined, out: &'a mut EventWriter) -> Self {
        let ahead = rules.ahead.get(&at.id);
        Walk {
            rules,
            at,
            ahead,
            out,
            number: 0,
            times: None,
            calls: Calls::default(),
            begun: false,
            requests: HashMap::new(),
            last_request: ahead.map_or(u64::MAX, |ahead| ahead.last_request),
            changes: Changes::default(),
        }
    }

    fn file(&mut self, file: &EventFile, progress: &Progress) -> Result<(), Error> {
        let mut attributes = Vec::new();
        let mut turns = 0;
        let mut result = Ok(());
        Event::read(file, &mut |events, record| {
            if result.is_ok() {
                result = self.record(events.stored(), record, &mut attributes);
            }
            progress.turn(&mut turns);
        });
        progress.advance(turns);
        result
    }

    fn record(
        &mut self,
        stored: Option<Raw<'_>>,
        record: Record<'_>,
        attributes: &mut Vec<(AttributeRef, Value)>,
    ) -> Result<(), Error> {
        self.number += 1;
        let time = self.hold(record.time);
        let number = self.number;
        if self.ahead.is_some_and(|it| it.left_out.contains(&number)) {
            self.changes.left_out += 1;
            return Ok(());
        }
        let mut event = record.event;
        let mut stored = stored;
        if !self.rules.numbers.is_empty() {
            let mut changed = self.renumber(&mut event);
            attributes.clear();
            attributes.extend(record.attributes.iter());
            changed |= self.renumber_attributes(attributes);
            stored = stored.filter(|_| !changed);
        }
        let mended = self.mend(&event);
        for other in &mended.before {
            self.add(time, other)?;
        }
        match mended.kept {
            Kept::AsItIs => {}
            Kept::As(other) => {
                self.changes.changed += 1;
                event = other;
                stored = None;
            }
            Kept::Not => {
                self.changes.left_out += 1;
                return Ok(());
            }
        }
        match stored {
            Some(stored) => self.out.write_raw(time, &stored)?,
            None => {
                attributes.clear();
                attributes.extend(record.attributes.iter());
                self.renumber_attributes(attributes);
                self.out.write(time, attributes, &event)?;
            }
        }
        Ok(())
    }

    /// Returns the time, or the latest one before.
    fn hold(&mut self, time: u64) -> u64 {
        let held = self.times.map_or(time, |(_, last)| last.max(time));
        self.changes.held += u64::from(held != time);
        self.times = Some((self.times.map_or(held, |(first, _)| first), held));
        held
    }

    fn add(&mut self, time: u64, event: &Event) -> Result<(), Error> {
        self.changes.added += 1;
        let mark = [(self.rules.added, Value::Uint8(1))];
        self.out.write(time, &mark, event)?;
        Ok(())
    }

    /// Gives what an event refers to its new numbers; tells whether there are any.
    fn renumber(&self, event: &mut Event) -> bool {
        let numbers = self.rules.numbers;
        let mut changed = false;
        let mut new = |space: Space, id: u64| {
            let new = numbers.get(space, id);
            changed |= new != id;
            new
        };
        match event {
            Event::Enter { region } | Event::Leave { region } => {
                *region = new(Space::Region, (*region).into()) as u32;
            }
            other => other.translate(&mut |kind, id| match Space::of(kind) {
                Some(space) if id != space.undefined() => new(space, id),
                _ => id,
            }),
        }
        changed
    }

    fn renumber_attributes(&self, attributes: &mut [(AttributeRef, Value)]) -> bool {
        let numbers = self.rules.numbers;
        let mut changed = false;
        for (attribute, value) in attributes {
            let new = numbers.get(Space::Attribute, (*attribute).into()) as u32;
            changed |= new != *attribute;
            *attribute = new;
            renumber_value(value, &mut |space, id| {
                let new = numbers.get(space, id);
                changed |= new != id;
                new
            });
        }
        changed
    }

    fn mend(&mut self, event: &Event) -> Mended {
        match *event {
            Event::Enter { region } => {
                self.calls.enter(region);
                Mended::default()
            }
            Event::Leave { region } => match self.calls.leave(region) {
                Left::Last => Mended::default(),
                Left::Nothing => Kept::Not.into(),
                Left::Outer(inner) => leaves(inner).into(),
            },
            Event::ThreadTaskSwitch { .. } | Event::OmpTaskSwitch { .. } => {
                self.calls.turn(event);
                Mended::default()
            }
            Event::MpiCollectiveBegin => {
                self.begun = true;
                Mended::default()
            }
            Event::MpiCollectiveEnd { .. } => {
                let has_begun = std::mem::replace(&mut self.begun, false);
                let begin = (!has_begun).then_some(Event::MpiCollectiveBegin);
                Mended {
                    before: begin.into_iter().collect(),
                    kept: self.root(event).map_or(Kept::AsItIs, Kept::As),
                }
            }
            _ => self.message(event),
        }
    }

    /// Returns an operation without the root that it cannot have.
    pub(super) fn root(&self, event: &Event) -> Option<Event> {
        let mut event = event.clone();
        let (Event::MpiCollectiveEnd {
            root, communicator, ..
        }
        | Event::NonBlockingCollectiveComplete {
            root, communicator, ..
        }) = &mut event
        else {
            return None;
        };
        let is_wrong =
            is_rank(*root) && is_outside(self.rules.known, self.at, *communicator, *root);
        *root = ROOT_NONE;
        is_wrong.then_some(event)
    }

    /// Closes what is open at the end; not from within a task, whose turn ends elsewhere.
    fn end(&mut self) -> Result<(), Error> {
        if self.calls.in_task() {
            return Ok(());
        }
        let time = self.times.map_or(0, |(_, last)| last);
        for leave in leaves(std::mem::take(&mut self.calls).end()) {
            self.add(time, &leave)?;
        }
        Ok(())
    }
}

fn leaves(regions: Vec<u32>) -> Vec<Event> {
    let leaves = regions.into_iter().map(|region| Event::Leave { region });
    leaves.collect()
}
