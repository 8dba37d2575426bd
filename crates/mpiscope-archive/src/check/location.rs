//! One location: its file of definitions, its events.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use otf2::read::{Archive, EventFile, Record};
use otf2::{ClockCorrection, CollectiveOp, Definition, Event, LocalDefinition, Type};

use super::calls::{Calls, Left};
use super::findings::{Findings, Place};
use super::ids::{renumber_value, Space};
use super::known::{is_rank, Known};
use super::reading::{Hurt, Timed};
use super::requests::{Channel, Requests};
use super::rules::Rule;
use crate::progress::Progress;

/// A location as defined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Defined {
    pub id: u64,
    pub events: u64,
    /// World rank of its process.
    pub rank: u32,
    /// The process has other locations.
    pub shared: bool,
}

/// What a location's files hold, for what concerns several.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub id: u64,
    pub rank: u32,
    pub findings: Findings,
    pub events: u64,
    /// The first and the last time, as the location's clock offsets have them.
    pub times: Option<(u64, u64)>,
    /// Blocking collective operations by communicator: time, event, operation.
    pub collectives: HashMap<u32, Vec<(u64, u64, u8)>>,
    /// How many nonblocking ones of each kind completed.
    pub nonblocking: HashMap<u32, HashMap<u8, u64>>,
    /// Sends less receives; what was sent is counted at its sender.
    pub sent: HashMap<Channel, i64>,
    pub requests: BTreeSet<u64>,
    /// Requests that another thread of the process may have posted.
    /// Each with its event and where that begins.
    pub strange: Vec<(u64, u64, u64)>,
    /// Whether recording was switched off or on.
    pub is_switched: bool,
    pub calls_mpi: bool,
    pub init: bool,
    pub finalize: bool,
}

/// Reads a location's files.
pub(super) fn look(archive: &Archive, known: &Known, at: Defined, progress: &Progress) -> Seen {
    let mut walk = Walk::new(archive, known, at);
    let offsets = walk.local(archive);
    match archive.events(at.id) {
        Ok(file) => walk.events(&file, &offsets, progress),
        Err(error) => walk.file(Rule::FileDamaged, error.to_string()),
    }
    walk.seen
}

/// Whether a file is there.
fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

struct Walk<'a> {
    known: &'a Known,
    at: Defined,
    seen: Seen,
    name: String,
    file: String,
    /// The event that is looked at, and where it begins.
    number: u64,
    offset: u64,
    time: u64,
    calls: Calls,
    begun: u64,
    requests: Requests,
    /// Probed messages that were not received yet, by their numbers.
    probed: HashMap<u64, Channel>,
    /// The same, by the request of the receive.
    probed_requests: HashMap<u64, Channel>,
}

impl<'a> Walk<'a> {
    fn new(archive: &Archive, known: &'a Known, at: Defined) -> Self {
        Walk {
            known,
            at,
            seen: Seen {
                id: at.id,
                rank: at.rank,
                ..Seen::default()
            },
            name: archive.name().to_owned(),
            file: String::new(),
            number: 0,
            offset: 0,
            time: 0,
            calls: Calls::default(),
            begun: 0,
            requests: Requests::new(at.shared),
            probed: HashMap::new(),
            probed_requests: HashMap::new(),
        }
    }

    /// Notes something about the whole file.
    fn file(&mut self, rule: Rule, what: String) {
        let place = Place {
            file: self.file.clone(),
            location: Some(self.at.id),
            what,
            ..Place::default()
        };
        self.seen.findings.add(rule, || place);
    }

    fn place(&self, what: impl FnOnce() -> String) -> Place {
        Place {
            file: self.file.clone(),
            location: Some(self.at.id),
            record: Some(self.number),
            offset: Some(self.offset),
            what: what(),
        }
    }

    /// Notes something about the event.
    fn add(&mut self, rule: Rule, what: impl FnOnce() -> String) {
        // The place borrows what the findings are part of.
        let mut findings = std::mem::take(&mut self.seen.findings);
        findings.add(rule, || self.place(what));
        self.seen.findings = findings;
    }

    /// Reads the definitions of the location; returns its clock's correction.
    fn local(&mut self, archive: &Archive) -> ClockCorrection {
        self.file = format!("{}/{}.def", self.name, self.at.id);
        if !exists(&archive.directory().join(&self.file)) {
            self.file(Rule::LocalDefinitionsMissing, "there is none".into());
        }
        let list = match archive.local_definitions(self.at.id) {
            Ok(list) => list,
            Err(error) => {
                self.file(Rule::FileDamaged, error.to_string());
                return ClockCorrection::default();
            }
        };
        if let Some(damage) = list.damage() {
            let rule = match damage {
                otf2::Error::Truncated(_) => Rule::FileCut,
                _ => Rule::FileDamaged,
            };
            self.file(rule, damage.to_string());
        }
        let mut tables = BTreeSet::new();
        let mut last = None;
        let mut offsets = 0;
        for definition in &list {
            match definition {
                LocalDefinition::MappingTable { mapping_type, .. }
                    if !tables.insert(mapping_type.0) =>
                {
                    let what = format!("a second table for {mapping_type}");
                    self.file(Rule::TwoMappings, what);
                }
                LocalDefinition::ClockOffset { time, .. } => {
                    if last.is_some_and(|last| *time <= last) {
                        let what = format!("the offset of time {time} stands behind a later one");
                        self.file(Rule::OffsetOrder, what);
                    }
                    last = Some(*time);
                    offsets += 1;
                }
                LocalDefinition::Definition(Definition::Unknown { id, .. })
                | LocalDefinition::Unknown { id, .. } => {
                    self.file(Rule::RecordUnknown, format!("record of kind {id}"));
                }
                // Global definitions repeated, and what is not known.
                _ => {}
            }
        }
        if offsets == 1 {
            self.file(Rule::OffsetAlone, "there is one".into());
        }
        ClockCorrection::new(&list)
    }

    fn events(&mut self, file: &EventFile, offsets: &ClockCorrection, progress: &Progress) {
        self.file = format!("{}/{}.evt", self.name, self.at.id);
        if !exists(file.path()) {
            self.file(Rule::FileMissing, "there is none".into());
        }
        let mut counts: HashMap<usize, u64> = HashMap::new();
        let mut ends: Option<(u64, u64)> = None;
        let mut turns = 0;
        let hurts = Event::read(file, &mut |events, record| {
            *counts.entry(events.chunk()).or_default() += 1;
            self.seen.events += 1;
            self.number = record.number;
            self.offset = events.offset();
            if ends.is_some() && record.time < self.time {
                let (time, before) = (record.time, self.time);
                self.add(Rule::TimeDecreases, || {
                    format!("time {time} behind {before}")
                });
            }
            self.time = match ends {
                Some(_) => record.time.max(self.time),
                None => record.time,
            };
            ends = Some((ends.map_or(record.time, |ends| ends.0), self.time));
            self.event(record);
            progress.turn(&mut turns);
        });
        progress.advance(turns);
        self.seen.times = ends.map(|(first, last)| (offsets.apply(first), offsets.apply(last)));
        self.end();
        for hurt in &hurts {
            self.hurt(hurt);
        }
        self.chunks(file, &counts, &hurts);
        let (defined, events) = (self.at.events, self.seen.events);
        if defined != events && hurts.is_empty() {
            let what = format!("{events} events, the definition tells of {defined}");
            self.file(Rule::EventCount, what);
        }
    }

    fn hurt(&mut self, hurt: &Hurt) {
        let place = Place {
            file: self.file.clone(),
            location: Some(self.at.id),
            record: None,
            offset: Some(hurt.offset),
            what: hurt.what.clone(),
        };
        let rule = match hurt.cut {
            true => Rule::FileCut,
            false => Rule::FileDamaged,
        };
        self.seen.findings.add(rule, || place);
    }

    /// Compares the heads of chunks with what is in them.
    fn chunks(&mut self, file: &EventFile, counts: &HashMap<usize, u64>, hurts: &[Hurt]) {
        // Behind damage nobody knows how many there were before.
        let mut before = Some(0);
        let mut hurt = hurts.iter().map(|hurt| hurt.chunk).peekable();
        for chunk in 0..file.chunks() {
            let head = file.head(chunk);
            if hurt.next_if_eq(&chunk).is_some() {
                before = None;
                continue;
            }
            let Some(head) = head else { continue };
            let first = before.map_or(head.first, |before: u64| before.wrapping_add(1));
            let here = counts.get(&chunk).copied().unwrap_or(0);
            let last = first.wrapping_add(here).wrapping_sub(1);
            if (head.first, head.last) != (first, last) {
                let what = format!(
                    "chunk {chunk} holds events {first} to {last}, its head says {} to {}",
                    head.first, head.last
                );
                self.file(Rule::ChunkCount, what);
            }
            before = Some(last);
        }
    }

    fn event(&mut self, record: Record<'_>) {
        self.references(&record);
        let event = record.event;
        match event {
            Event::Enter { region } => {
                let known = self.known.region(region);
                self.seen.calls_mpi |= known.mpi;
                self.seen.init |= known.init;
                self.seen.finalize |= known.finalize;
                self.calls.enter(region);
            }
            Event::Leave { region } => self.leave(region),
            Event::MeasurementOnOff { .. } => self.seen.is_switched = true,
            Event::ThreadTaskSwitch { .. } | Event::OmpTaskSwitch { .. } => self.calls.turn(&event),
            Event::MpiCollectiveBegin => {
                self.in_mpi();
                if self.begun > 0 {
                    self.add(Rule::BeginWithoutEnd, || {
                        "the one before did not end".into()
                    });
                }
                self.begun = 1;
            }
            Event::MpiCollectiveEnd {
                collective_op,
                communicator,
                root,
                ..
            } => {
                self.in_mpi();
                if self.begun == 0 {
                    self.add(Rule::EndWithoutBegin, || format!("{collective_op}"));
                }
                self.begun = 0;
                self.collective(collective_op, communicator, root);
                let row = (self.time, self.number, collective_op.0);
                let all = self.seen.collectives.entry(communicator).or_default();
                all.push(row);
            }
            Event::NonBlockingCollectiveRequest { request_id } => self.post(request_id, None),
            Event::NonBlockingCollectiveComplete {
                collective_op,
                communicator,
                root,
                request_id,
                ..
            } => {
                self.in_mpi();
                self.complete(request_id);
                self.collective(collective_op, communicator, root);
                let all = self.seen.nonblocking.entry(communicator).or_default();
                *all.entry(collective_op.0).or_default() += 1;
            }
            Event::Unknown { id, .. } => {
                self.add(Rule::RecordUnknown, || format!("event of kind {id}"));
            }
            other => self.message(other),
        }
    }

    fn leave(&mut self, region: u32) {
        match self.calls.leave(region) {
            Left::Last => {}
            Left::Nothing => self.add(Rule::LeaveWithoutEnter, || {
                format!("region {region} is left and not open")
            }),
            Left::Outer(inner) => {
                for open in inner {
                    self.add(Rule::EnterWithoutLeave, || {
                        format!("region {open} is still open when {region} is left")
                    });
                }
            }
        }
    }

    fn end(&mut self) {
        for open in std::mem::take(&mut self.calls).end() {
            self.add(Rule::EnterWithoutLeave, || {
                format!("region {open} is still open at the end")
            });
        }
        if self.begun > 0 {
            self.add(Rule::BeginWithoutEnd, || {
                "the last one has not ended".into()
            });
        }
        self.seen.requests = std::mem::take(&mut self.requests.posted)
            .into_iter()
            .collect();
    }

    /// Messages and their requests.
    fn message(&mut self, event: Event) {
        match event {
            Event::MpiSend {
                receiver,
                communicator,
                msg_tag,
                ..
            } => {
                self.in_mpi();
                self.send(communicator, receiver, msg_tag);
            }
            Event::MpiIsend {
                receiver,
                communicator,
                msg_tag,
                request_id,
                ..
            } => {
                self.in_mpi();
                let channel = self.send(communicator, receiver, msg_tag);
                self.post(request_id, channel);
            }
            Event::MpiRecv {
                sender,
                communicator,
                msg_tag,
                ..
            } => {
                self.in_mpi();
                self.receive(communicator, sender, msg_tag);
            }
            Event::MpiIrecv {
                sender,
                communicator,
                msg_tag,
                request_id,
                ..
            } => {
                self.in_mpi();
                self.receive(communicator, sender, msg_tag);
                self.complete(request_id);
            }
            Event::MpiIrecvRequest { request_id } => {
                self.in_mpi();
                self.post(request_id, None);
            }
            Event::MpiIsendComplete { request_id } => {
                self.in_mpi();
                self.complete(request_id);
            }
            Event::MpiRequestTest { request_id } => {
                if !self.requests.is_active(request_id) {
                    self.strange(request_id);
                }
            }
            Event::MpiRequestCancelled { request_id } => {
                if let Some(channel) = self.complete(request_id) {
                    self.count(channel, -1);
                }
            }
            other => self.matched(other),
        }
    }

    /// Messages that a probe took out of the queue first.
    fn matched(&mut self, event: Event) {
        match event {
            Event::MpiProbe {
                sender,
                communicator,
                tag,
                message_id,
            } => {
                let from = self.peer(communicator, sender);
                if let Some(from) = from {
                    let channel = (communicator, from, self.at.rank, tag);
                    self.probed.insert(message_id, channel);
                }
            }
            Event::MpiMrecv { message_id, .. } => {
                if let Some(channel) = self.probed.remove(&message_id) {
                    self.count(channel, -1);
                }
            }
            Event::MpiImrecvRequest {
                message_id,
                request_id,
            } => {
                self.post(request_id, None);
                if let Some(channel) = self.probed.remove(&message_id) {
                    self.probed_requests.insert(request_id, channel);
                }
            }
            Event::MpiImrecv { request_id, .. } => {
                self.complete(request_id);
                if let Some(channel) = self.probed_requests.remove(&request_id) {
                    self.count(channel, -1);
                }
            }
            _ => {}
        }
    }

    fn send(&mut self, communicator: u32, receiver: u32, tag: u32) -> Option<Channel> {
        let to = self.peer(communicator, receiver)?;
        let channel = (communicator, self.at.rank, to, tag);
        self.count(channel, 1);
        Some(channel)
    }

    fn receive(&mut self, communicator: u32, sender: u32, tag: u32) {
        if let Some(from) = self.peer(communicator, sender) {
            self.count((communicator, from, self.at.rank, tag), -1);
        }
    }

    fn count(&mut self, channel: Channel, by: i64) {
        *self.seen.sent.entry(channel).or_default() += by;
    }

    /// Returns the world rank of a peer.
    fn peer(&mut self, communicator: u32, rank: u32) -> Option<u32> {
        let members = self.known.members(communicator)?;
        let peer = members.peer(self.at.rank, rank);
        if peer.is_none() {
            self.add(Rule::PeerOutside, || {
                format!("rank {} of communicator {communicator}", Shown(rank))
            });
        }
        peer
    }

    fn collective(&mut self, op: CollectiveOp, communicator: u32, root: u32) {
        if op > CollectiveOp::REDUCE_SCATTER_BLOCK {
            self.add(Rule::OperationUnknown, || format!("{op}"));
        }
        let Some(members) = self.known.members(communicator) else {
            return;
        };
        if is_rank(root) && members.peer(self.at.rank, root).is_none() {
            self.add(Rule::RootOutside, || {
                format!("root {root} in communicator {communicator}")
            });
        }
    }

    /// Whether the region entered last is one of MPI's.
    fn in_mpi(&mut self) {
        self.seen.calls_mpi = true;
        let region = self.calls.innermost();
        let is_mpi = region.is_some_and(|region| self.known.region(region).mpi);
        if !is_mpi && !self.calls.in_task() {
            self.add(Rule::OutsideOfMpi, || match region {
                Some(region) => format!("in region {region}"),
                None => "in no region".into(),
            });
        }
    }

    fn post(&mut self, request: u64, sent: Option<Channel>) {
        // Of several threads one may have completed what another posted.
        if !self.requests.post(request, sent) && !self.at.shared {
            self.add(Rule::RequestReused, || format!("request {request}"));
        }
    }

    /// Ends a request; returns the channel of a send.
    fn complete(&mut self, request: u64) -> Option<Channel> {
        let ended = self.requests.end(request);
        if ended.is_none() {
            self.strange(request);
        }
        ended.flatten()
    }

    fn strange(&mut self, request: u64) {
        self.seen.strange.push((request, self.number, self.offset));
    }

    /// Looks whether all is defined that an event names.
    fn references(&mut self, record: &Record<'_>) {
        let known = self.known;
        missing(known, record, &mut |space, id, _| self.undefined(space, id));
    }

    fn undefined(&mut self, space: Space, id: u64) {
        self.add(Rule::UndefinedReference, || {
            format!("{} {id} is not defined", space.name())
        });
    }
}

/// Visits what an event names and is not defined; an attribute with the type of its value.
pub(crate) fn missing(
    known: &Known,
    record: &Record<'_>,
    visit: &mut dyn FnMut(Space, u64, Option<Type>),
) {
    let mut look = |space: Space, id: u64| {
        if !known.defines(space, id) {
            visit(space, id, None);
        }
        id
    };
    match record.event {
        // Most events, without a copy.
        Event::Enter { region } | Event::Leave { region } => {
            look(Space::Region, region.into());
        }
        ref event => event
            .clone()
            .translate(&mut |kind, id| match Space::of(kind) {
                Some(space) if id != space.undefined() => look(space, id),
                _ => id,
            }),
    }
    for (attribute, mut value) in record.attributes.iter() {
        if !known.defines(Space::Attribute, attribute.into()) {
            visit(Space::Attribute, attribute.into(), Some(value.kind()));
        }
        renumber_value(&mut value, &mut |space, id| {
            if !known.defines(space, id) {
                visit(space, id, None);
            }
            id
        });
    }
}

/// A rank; those that MPI has names for are no ranks.
struct Shown(u32);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            rank if is_rank(rank) => write!(f, "{rank}"),
            rank => write!(f, "{}", rank as i32),
        }
    }
}
