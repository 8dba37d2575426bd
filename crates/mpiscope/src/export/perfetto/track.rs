//! One location as packets: slices, instants, and the names that they use.

use std::collections::{HashMap, HashSet};
use std::io::Write;

use anyhow::Result;
use mpiscope_analysis::nesting::Nesting;
use mpiscope_archive::model::{
    CallSiteId, Event, EventKind, Location, Metric, MetricId, MetricValue, Number,
};

use super::fields::{
    annotation, counter, event as field, interned, kind, packet, track as descriptor, NEEDS_STATE,
};
use super::proto::Message;
use super::{counter_uuid, put, sequence, track_uuid, Counts};
use crate::export::source::Source;
use mpiscope_analysis::described::{comm_name, Described, Describer};

/// A location on its way into the file.
pub struct Track<'a> {
    source: &'a Source<'a>,
    number: usize,
    location: &'a Location,
    flows: &'a HashMap<u32, u64>,
    counts: &'a mut Counts,
    names: Names,
    /// Metrics that have a track.
    counters: HashSet<MetricId>,
    now: u64,
}

impl<'a> Track<'a> {
    /// Looks at a location.
    pub fn new(
        source: &'a Source<'a>,
        number: usize,
        location: &'a Location,
        flows: &'a HashMap<u32, u64>,
        counts: &'a mut Counts,
    ) -> Track<'a> {
        Track {
            source,
            number,
            location,
            flows,
            counts,
            names: Names::default(),
            counters: HashSet::new(),
            now: 0,
        }
    }

    /// Writes all its events.
    pub fn write(&mut self, out: &mut impl Write) -> Result<()> {
        let events = &self.location.events;
        let describer = Describer::new(self.source.trace, self.location, self.source.origin);
        let mut nesting = Nesting::default();
        for (index, &time) in events.times().iter().enumerate() {
            self.go_to(self.source.ns(time) as u64);
            nesting.step(events, index);
            match events.event(index) {
                Event::Enter(region) => {
                    let name = self.source.region(region);
                    let site = events.call_site(index);
                    self.begin(&name, site, out)?;
                }
                Event::Leave(_) => {
                    let ended = nesting.ended().len();
                    self.counts.stacks.cut += (ended as u64).saturating_sub(1);
                    (0..ended).try_for_each(|_| self.end(out))?;
                }
                Event::Metric(values) => {
                    values.iter().try_for_each(|it| self.value(it, out))?;
                }
                _ if is_shown(events.kinds()[index]) => {
                    self.instant(index, &describer.describe(index), out)?;
                }
                _ => self.counts.stacks.others += 1,
            }
        }
        self.counts.stacks.cut += nesting.open().len() as u64;
        self.counts.stacks.unopened += nesting.unopened();
        let left_open = nesting.open().len();
        (0..left_open).try_for_each(|_| self.end(out))
    }

    /// Time never goes back: slices would not lie within each other.
    fn go_to(&mut self, time: u64) {
        self.counts.stacks.backward += u64::from(time < self.now);
        self.now = self.now.max(time);
    }

    fn begin(&mut self, name: &str, site: Option<CallSiteId>, out: &mut impl Write) -> Result<()> {
        self.counts.slices += 1;
        let site = site.map(|site| self.names.site(self.source, site));
        let event = Message::new()
            .number(field::TYPE, kind::BEGIN)
            .number(field::NAME, self.names.event(name))
            .maybe(field::SITE, site);
        self.put(&event, out)
    }

    fn end(&mut self, out: &mut impl Write) -> Result<()> {
        self.put(&Message::new().number(field::TYPE, kind::END), out)
    }

    /// Writes a message or a collective operation, with what is known of it.
    fn instant(&mut self, index: usize, it: &Described, out: &mut impl Write) -> Result<()> {
        let name = it.operation.unwrap_or(it.kind);
        self.counts.collectives += u64::from(it.operation.is_some());
        let mut event = Message::new()
            .number(field::TYPE, kind::INSTANT)
            .number(field::NAME, self.names.event(name));
        let numbers = [
            ("peer", it.peer.map(u64::from)),
            ("tag", it.tag.map(u64::from)),
            ("bytes", it.bytes),
            ("root", it.root.map(u64::from)),
            ("bytes sent", it.sent),
            ("bytes received", it.received),
        ];
        for (name, value) in numbers {
            let Some(value) = value else { continue };
            let annotation = Message::new()
                .number(annotation::NAME, self.names.annotation(name))
                .number(annotation::UINT, value);
            event = event.message(field::ANNOTATION, &annotation);
        }
        let comm = it.comm.and_then(|comm| comm_name(self.source.trace, comm));
        if let Some(comm) = comm {
            let annotation = Message::new()
                .number(annotation::NAME, self.names.annotation("communicator"))
                .text(annotation::STRING, comm);
            event = event.message(field::ANNOTATION, &annotation);
        }
        if let Some(&flow) = self.flows.get(&(index as u32)) {
            event = event.fixed64(field::FLOW, flow);
        }
        self.put(&event, out)
    }

    /// Writes the value of a metric, and at the first one what it is of.
    fn value(&mut self, it: &MetricValue, out: &mut impl Write) -> Result<()> {
        let uuid = counter_uuid(self.number, it.metric);
        let known = self.source.trace.definitions.metrics.get(it.metric.index());
        if let Some(metric) = known.filter(|_| self.counters.insert(it.metric)) {
            put(out, &self.counter(uuid, metric))?;
        }
        self.counts.values += 1;
        let event = Message::new()
            .number(field::TYPE, kind::COUNTER)
            .number(field::TRACK, uuid);
        let event = match it.value {
            Number::Int(value) => event.number(field::INTEGER, value as u64),
            value => event.fixed64(field::REAL, value.as_f64().to_bits()),
        };
        self.put(&event, out)
    }

    /// Returns what says of a track that it has the values of a metric.
    fn counter(&self, uuid: u64, metric: &Metric) -> Message {
        let unit = Message::new().text(counter::UNIT_NAME, &metric.unit);
        let track = Message::new()
            .number(descriptor::UUID, uuid)
            .number(descriptor::PARENT, track_uuid(self.number))
            .text(descriptor::NAME, &metric.name)
            .message(descriptor::COUNTER, &unit);
        Message::new()
            .number(packet::SEQUENCE, sequence(self.number))
            .message(packet::DESCRIPTOR, &track)
    }

    fn put(&mut self, event: &Message, out: &mut impl Write) -> Result<()> {
        let mut message = Message::new()
            .number(packet::TIMESTAMP, self.now)
            .number(packet::SEQUENCE, sequence(self.number))
            .number(packet::FLAGS, NEEDS_STATE);
        let new = std::mem::take(&mut self.names.new);
        if !new.is_empty() {
            message = message.message(packet::INTERNED, &new);
        }
        put(out, &message.message(packet::EVENT, event))
    }
}

/// Whether an event is written as an instant.
fn is_shown(kind: EventKind) -> bool {
    use EventKind::*;
    matches!(
        kind,
        MpiSend
            | MpiIsend
            | MpiRecv
            | MpiIrecv
            | MpiProbe
            | MpiCollectiveEnd
            | NonBlockingCollectiveComplete
    )
}

/// What a sequence has interned, and what of it the next packet has to say.
#[derive(Default)]
struct Names {
    events: HashMap<String, u64>,
    annotations: HashMap<&'static str, u64>,
    sites: HashMap<CallSiteId, u64>,
    new: Message,
}

impl Names {
    fn event(&mut self, name: &str) -> u64 {
        if let Some(&id) = self.events.get(name) {
            return id;
        }
        let id = self.events.len() as u64 + 1;
        self.events.insert(name.to_owned(), id);
        self.add(interned::NAMES, entry(id).text(interned::NAME, name));
        id
    }

    fn annotation(&mut self, name: &'static str) -> u64 {
        if let Some(&id) = self.annotations.get(name) {
            return id;
        }
        let id = self.annotations.len() as u64 + 1;
        self.annotations.insert(name, id);
        self.add(interned::ANNOTATIONS, entry(id).text(interned::NAME, name));
        id
    }

    fn site(&mut self, source: &Source, site: CallSiteId) -> u64 {
        if let Some(&id) = self.sites.get(&site) {
            return id;
        }
        let id = self.sites.len() as u64 + 1;
        self.sites.insert(site, id);
        let mut message = entry(id);
        if let Some(site) = source.trace.definitions.call_sites.get(site.index()) {
            let file = site.file.clone().unwrap_or_else(|| site.to_string());
            message = message
                .text(interned::FILE, &file)
                .text(
                    interned::FUNCTION,
                    site.function.as_deref().unwrap_or_default(),
                )
                .maybe(interned::LINE, site.line.map(u64::from));
        }
        self.add(interned::SITES, message);
        id
    }

    fn add(&mut self, field: u32, entry: Message) {
        self.new = std::mem::take(&mut self.new).message(field, &entry);
    }
}

fn entry(id: u64) -> Message {
    Message::new().number(interned::ID, id)
}
