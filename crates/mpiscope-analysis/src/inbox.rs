//! What a process was sent, and what it received and looked at, in the order
//! in which it asked.

mod class;
mod decided;

use mpiscope_model::{
    BoundKind, CommId, EventKind, EventRef, Events, LocationIndex, Matching, PointToPoint, Trace,
};
use rustc_hash::FxHashMap;

use crate::processes::Processes;
pub(crate) use class::{Class, Span};
use decided::decide;

/// No row.
pub(crate) const NONE: u32 = u32::MAX;

/// What traces add to the tags of messages that are sent in parts (MPI 4.1, §4.2): they meet none
/// but receives in parts, which name their tag. Tags of MPI's are below it.
const IN_PARTS: u32 = 1 << 31;

/// A receive or a successful probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Its completion; of a matched probe the probe.
    pub event: EventRef,
    /// Where it was posted.
    pub post: EventRef,
    pub comm: CommId,
    /// The process it names, if it names one.
    pub source: Option<u32>,
    /// The tag it names, if it names one.
    pub tag: Option<u32>,
    /// What it got: sender and tag, and which message of the inbox, or [`NONE`].
    pub got: (u32, u32),
    pub message: u32,
    /// The first event of its location that shows that it had been matched:
    /// its completion, or that of a later one which its message suited as well,
    /// or the entry of its blocking call.
    pub decided: u32,
    /// It takes the message away.
    pub takes: bool,
    /// It completed.
    complete: bool,
    /// A matched probe.
    pub matched_probe: bool,
    /// Bytes that fit into its buffer, if that is known.
    pub capacity: Option<u64>,
    pub signature: Option<u64>,
}

impl Entry {
    /// Returns whether it could take a message of the communicator.
    pub fn suits(&self, process: u32, tag: u32) -> bool {
        self.source.is_none_or(|source| source == process)
            && self.tag.map_or(tag & IN_PARTS == 0, |named| named == tag)
    }
}

/// A message that was sent to the process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Incoming {
    pub send: EventRef,
    /// The sender.
    pub process: u32,
    pub comm: CommId,
    pub tag: u32,
    pub bytes: u64,
    pub signature: Option<u64>,
    /// The entry that took it, or [`NONE`].
    pub taken: u32,
}

/// All of one process.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    /// In the order of their posts.
    pub entries: Vec<Entry>,
    /// By location of the sender, and there in order.
    pub incoming: Vec<Incoming>,
    /// Locations that somebody has to know of.
    pub columns: Vec<LocationIndex>,
    /// For each message and column: how many events there its sender knew of.
    pub known: Vec<u32>,
    /// For messages of senders with several threads: the latest event known of
    /// the others, when it was sent.
    pub siblings: FxHashMap<u32, Vec<(LocationIndex, u32)>>,
}

impl Inbox {
    /// Returns how many events of a location the sender of a message knew of.
    /// Of locations that are no column nothing is known, and nothing asked.
    pub fn needs(&self, message: u32, location: LocationIndex) -> u32 {
        let column = self.columns.iter().position(|&column| column == location);
        column.map_or(0, |column| {
            self.known[message as usize * self.columns.len() + column]
        })
    }
}

/// Reads the inboxes of those processes for which `wanted` says so; the others
/// stay empty.
pub(crate) fn read(
    trace: &Trace,
    matching: &Matching,
    processes: &Processes,
    wanted: &[bool],
) -> Vec<Inbox> {
    let mut inboxes: Vec<Inbox> = wanted.iter().map(|_| Inbox::default()).collect();
    let mut rows = Rows::new(trace);
    for location in 0..trace.locations.len() {
        let location = LocationIndex(location as u32);
        sends(trace, processes, location, wanted, &mut inboxes, &mut rows);
    }
    rows.pair(trace, matching, processes, wanted);
    for (process, inbox) in inboxes.iter_mut().enumerate() {
        if wanted[process] {
            let locations = &processes.locations[process];
            inbox.entries = Reader::new(trace, processes, &rows).read(locations);
            for (place, entry) in inbox.entries.iter().enumerate() {
                if entry.takes && entry.message != NONE {
                    inbox.incoming[entry.message as usize].taken = place as u32;
                }
            }
        }
    }
    inboxes
}

/// Numbers of messages in their inboxes, by the rows of sends and receives.
struct Rows(Vec<Vec<u32>>);

impl Rows {
    fn new(trace: &Trace) -> Rows {
        let rows =
            |location: &mpiscope_model::Location| vec![NONE; location.events.messages().len()];
        Rows(trace.locations.iter().map(rows).collect())
    }

    fn row(trace: &Trace, event: EventRef) -> usize {
        trace.locations[event.location.index()].events.args()[event.index as usize] as usize
    }

    fn get(&self, trace: &Trace, event: EventRef) -> u32 {
        self.0[event.location.index()][Rows::row(trace, event)]
    }

    /// Tells receives and probes what their sends are numbered.
    fn pair(&mut self, trace: &Trace, matching: &Matching, processes: &Processes, wanted: &[bool]) {
        let messages = matching.messages.iter().map(|m| (m.send, m.receive));
        let probes = matching.bounds.iter();
        let probes = probes.filter(|bound| bound.kind == BoundKind::Probe);
        for (send, receive) in messages.chain(probes.map(|bound| (bound.send, bound.receive))) {
            if wanted[processes.of[receive.location.index()] as usize] {
                let number = self.get(trace, send);
                self.0[receive.location.index()][Rows::row(trace, receive)] = number;
            }
        }
    }
}

fn sends(
    trace: &Trace,
    processes: &Processes,
    location: LocationIndex,
    wanted: &[bool],
    inboxes: &mut [Inbox],
    rows: &mut Rows,
) {
    let events = &trace.locations[location.index()].events;
    let process = processes.of[location.index()];
    let signed = events.signatures().len() > 0;
    for (index, &kind) in events.kinds().iter().enumerate() {
        if !matches!(kind, EventKind::MpiSend | EventKind::MpiIsend) {
            continue;
        }
        let row = events.args()[index] as usize;
        let message = &events.messages()[row];
        let Some(to) = processes.peer(trace, location, message.comm, message.peer) else {
            continue;
        };
        if wanted[to as usize] {
            let incoming = &mut inboxes[to as usize].incoming;
            rows.0[location.index()][row] = incoming.len() as u32;
            incoming.push(Incoming {
                send: EventRef::new(location, index),
                process,
                comm: message.comm,
                tag: message.tag,
                bytes: message.bytes,
                signature: if signed {
                    events.signature(index)
                } else {
                    None
                },
                taken: NONE,
            });
        }
    }
}

/// Reads what a process asked for.
struct Reader<'a> {
    trace: &'a Trace,
    processes: &'a Processes,
    rows: &'a Rows,
    entries: Vec<Entry>,
    /// Entries under way, by request.
    requests: FxHashMap<u64, usize>,
}

impl<'a> Reader<'a> {
    fn new(trace: &'a Trace, processes: &'a Processes, rows: &'a Rows) -> Reader<'a> {
        Reader {
            trace,
            processes,
            rows,
            entries: Vec::new(),
            requests: FxHashMap::default(),
        }
    }

    fn read(mut self, locations: &[LocationIndex]) -> Vec<Entry> {
        let mut enters: Vec<usize> = vec![0; self.trace.locations.len()];
        for event in in_order(self.trace, locations) {
            let events = &self.trace.locations[event.location.index()].events;
            let enter = &mut enters[event.location.index()];
            self.visit(events, event, *enter);
            if events.kinds()[event.index as usize] == EventKind::Enter {
                *enter = event.index as usize;
            }
        }
        self.entries.retain(|entry| entry.complete);
        decide(&mut self.entries);
        self.entries
    }

    fn visit(&mut self, events: &Events, event: EventRef, enter: usize) {
        let index = event.index as usize;
        let request = |row: u32| events.requests()[row as usize].0;
        let row = events.args()[index];
        match events.kinds()[index] {
            EventKind::MpiIrecvRequest => {
                self.requests.insert(request(row), self.entries.len());
                let posted = posted(events, index);
                self.entries.push(pending(event, posted));
            }
            EventKind::MpiRequestCancelled => {
                self.requests.remove(&request(row));
            }
            EventKind::MpiProbe => {
                let message = &events.messages()[row as usize];
                if let Some(request) = message.request {
                    self.requests.insert(request.0, self.entries.len());
                }
                self.entries.push(pending(event, (None, None)));
                self.found(self.entries.len() - 1, message, event);
                let entry = self.entries.last_mut().expect("pushed above");
                entry.takes = message.request.is_some();
                entry.matched_probe = entry.takes;
            }
            EventKind::MpiRecv | EventKind::MpiIrecv => {
                let message = &events.messages()[row as usize];
                let request = message.request.map(|request| request.0);
                let place = request.and_then(|request| self.requests.remove(&request));
                let place = place.unwrap_or(self.entries.len());
                if place == self.entries.len() {
                    let posted = posted(events, enter);
                    self.entries.push(pending(event, posted));
                }
                if self.entries[place].matched_probe {
                    self.entries[place].message = self.rows.get(self.trace, event);
                } else {
                    self.found(place, message, event);
                    let entered = index.checked_sub(1).map(|before| events.kinds()[before]);
                    if request.is_none() && entered == Some(EventKind::Enter) {
                        self.entries[place].decided -= 1;
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes what an entry got.
    fn found(&mut self, place: usize, message: &PointToPoint, event: EventRef) {
        let from = self
            .processes
            .peer(self.trace, event.location, message.comm, message.peer);
        let from = from.unwrap_or(NONE);
        let entry = &mut self.entries[place];
        entry.event = event;
        entry.comm = message.comm;
        entry.source = (!message.any_source).then_some(from);
        entry.tag = (!message.any_tag).then_some(message.tag);
        entry.got = (from, message.tag);
        entry.message = self.rows.get(self.trace, event);
        entry.decided = event.index;
        entry.complete = true;
    }
}

fn posted(events: &Events, index: usize) -> (Option<u64>, Option<u64>) {
    match events.all_posted().len() {
        0 => (None, None),
        _ => events
            .posted(index)
            .map_or((None, None), |posted| (posted.capacity, posted.signature)),
    }
}

/// An entry that got nothing yet.
fn pending(post: EventRef, (capacity, signature): (Option<u64>, Option<u64>)) -> Entry {
    Entry {
        event: post,
        post,
        comm: CommId::NONE,
        source: None,
        tag: None,
        got: (NONE, NONE),
        message: NONE,
        decided: post.index,
        takes: true,
        complete: false,
        matched_probe: false,
        capacity,
        signature,
    }
}

/// The events of a process that say something here; those of several threads
/// in the order of their clock.
fn in_order(trace: &Trace, locations: &[LocationIndex]) -> Vec<EventRef> {
    use EventKind::*;
    let mut all = Vec::new();
    for &location in locations {
        let events = &trace.locations[location.index()].events;
        let posted = events.all_posted().len() > 0;
        for (index, kind) in events.kinds().iter().enumerate() {
            if matches!(
                kind,
                MpiRecv | MpiIrecv | MpiIrecvRequest | MpiRequestCancelled | MpiProbe
            ) || *kind == Enter && posted
            {
                all.push(EventRef::new(location, index));
            }
        }
    }
    if locations.len() > 1 {
        // Sorting is stable: a clock that runs backwards does not disturb a
        // thread's own order as long as the latest time so far counts.
        let mut latest = vec![mpiscope_model::Timestamp::MIN; trace.locations.len()];
        let mut timed: Vec<_> = (all.into_iter())
            .map(|event| {
                let latest = &mut latest[event.location.index()];
                *latest = (*latest).max(trace.time(event));
                (*latest, event)
            })
            .collect();
        timed.sort_by_key(|(time, event)| (*time, event.location));
        all = timed.into_iter().map(|(_, event)| event).collect();
    }
    all
}
