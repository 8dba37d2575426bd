//! The common case, in which a message costs least: each process has one
//! thread, recording was never off, and nothing was cancelled.
//!
//! Then neither side counts anything. One pass over a process writes down what
//! it sent and where it posted receives. Sends are put into the inboxes of
//! their receivers (a counting sort), each sender's together in their order.
//! Most programs post receives from one sender in the order in which that
//! sends; so a receive looks at the next message from its sender, and takes it
//! if communicator and tag are its own. If they are another's, it looks at a
//! few more: the first that fits is the one it meets. Only who finds none among
//! these needs a table of channels.

use std::ops::Range;

use rayon::prelude::*;

use super::channels::{Moment, NONE};
use super::collectives::Calls;
use super::found::Found;
use super::groups::{Facing, Groups};
use super::inbox::{Inbox, Sent, State, UnmatchedReceive};
use super::posts::taken;
use super::scan::{visit, Occurrence, Visitor};
use super::shares::shares;
use crate::definitions::{CommId, LocationIndex, Rank};
use crate::events::{EventKind, Events, PointToPoint};
use crate::messages::Matching;
use crate::requests::UnderWay;
use crate::trace::{EventRef, Trace};

/// Finds all messages of a trace of the common case, and returns its
/// collective calls; nothing if the trace is another.
pub(super) fn collect(
    trace: &Trace,
    processes: &[(Rank, Vec<LocationIndex>)],
    groups: &Groups,
    matching: &mut Matching,
) -> Option<Vec<Calls>> {
    let events = |location: &LocationIndex| &trace.locations[location.index()].events;
    let plain =
        |locations: &[LocationIndex]| locations.len() == 1 && is_plain(events(&locations[0]));
    if !processes.iter().all(|(_, locations)| plain(locations)) {
        return None;
    }
    let locations: Vec<LocationIndex> = processes.iter().map(|(_, one)| one[0]).collect();
    let read = |share: Range<usize>| Share::read(trace, &locations, groups, share.collect());
    let shares: Vec<Share> = (shares(trace, processes, rayon::current_num_threads()))
        .into_par_iter()
        .map(read)
        .collect::<Option<_>>()?;
    let to = |process: usize| shares.iter().map(move |share| share.to(process));
    let found: Vec<Found> = (shares.par_iter())
        .map(|share| share.meet(&locations, to))
        .collect();
    let lost = shares.iter().flat_map(|share| &share.lost);
    matching.unmatched_sends.extend(lost);
    Found::gather(found, matching);
    Some(shares.into_iter().flat_map(|share| share.calls).collect())
}

/// Returns whether recording was on all the time, and no event tells its number.
pub(super) fn is_plain(events: &Events) -> bool {
    events.switches().is_empty() && events.sequences().is_empty()
}

/// What some processes did, one after the other.
pub(super) struct Share {
    processes: Vec<usize>,
    /// What they sent, by receiver, sender and time.
    sent: Vec<Sent>,
    /// Where each receiver's begin; one more entry than processes.
    begins: Vec<usize>,
    /// What they sent to nobody.
    pub lost: Vec<EventRef>,
    /// What they received, in posting order.
    posted: Vec<UnmatchedReceive>,
    /// Where each process's end.
    ends: Vec<usize>,
    /// Of each process.
    pub calls: Vec<Calls>,
}

impl Share {
    /// Reads processes; none if one of them cancelled something.
    pub fn read(
        trace: &Trace,
        locations: &[LocationIndex],
        groups: &Groups,
        processes: Vec<usize>,
    ) -> Option<Share> {
        let messages = |at: LocationIndex| trace.locations[at.index()].events.messages().len();
        let rows: usize = processes.iter().map(|it| messages(locations[*it])).sum();
        let mut reader = Reader {
            groups,
            process: 0,
            comm: CommId::NONE,
            facing: None,
            sent: Vec::with_capacity(rows / 2),
            counts: vec![0; locations.len() + 2],
            lost: Vec::new(),
            posted: Vec::with_capacity(rows / 2),
            first: 0,
            posts: UnderWay::default(),
            calls: Calls::default(),
            cancels: false,
        };
        let mut calls = Vec::with_capacity(processes.len());
        let mut ends = Vec::with_capacity(processes.len());
        for &process in &processes {
            reader.begin(process);
            visit(trace, &locations[process..=process], is_wanted, &mut reader);
            if reader.cancels {
                return None;
            }
            reader.finish(&trace.locations[locations[process].index()].events);
            calls.push(std::mem::take(&mut reader.calls));
            ends.push(reader.posted.len());
        }
        let (sent, begins) = sorted(&reader.sent, reader.counts);
        Some(Share {
            processes,
            sent,
            begins,
            lost: reader.lost,
            posted: reader.posted,
            ends,
            calls,
        })
    }

    /// Returns what they sent to a process, by sender and time.
    pub fn to(&self, process: usize) -> &[Sent] {
        &self.sent[self.begins[process]..self.begins[process + 1]]
    }

    /// Returns the processes with their calls.
    pub fn calls(&self) -> impl Iterator<Item = (usize, &Calls)> {
        self.processes.iter().copied().zip(&self.calls)
    }

    /// Finds out what these processes received, of what was sent `to` each: lists of some
    /// senders each.
    pub fn meet<'s, L: Iterator<Item = &'s [Sent]>>(
        &self,
        locations: &[LocationIndex],
        to: impl Fn(usize) -> L,
    ) -> Found {
        let mut found = Found::default();
        found.messages.reserve_exact(self.posted.len());
        let mut inbox = Inbox::new(locations);
        let mut begin = 0;
        for (&process, &end) in self.processes.iter().zip(&self.ends) {
            inbox.fill(to(process));
            inbox.meet(locations[process], &self.posted[begin..end], &mut found);
            begin = end;
        }
        found
    }
}

/// Puts together what goes to each receiver, and returns where each begins;
/// `counts` has the number of each two places behind its own.
fn sorted(sent: &[(u32, Sent)], mut counts: Vec<usize>) -> (Vec<Sent>, Vec<usize>) {
    for process in 2..counts.len() {
        counts[process] += counts[process - 1];
    }
    let mut all = vec![Sent::default(); sent.len()];
    for &(receiver, send) in sent {
        // What was the begin of the next moves to its own.
        let place = &mut counts[receiver as usize + 1];
        all[*place] = send;
        *place += 1;
    }
    (all, counts)
}

/// Reads one process after the other.
struct Reader<'a> {
    groups: &'a Groups<'a>,
    process: usize,
    /// The communicator that was looked up last, and whom the process faces there.
    comm: CommId,
    facing: Option<Facing<'a>>,
    /// With their receivers.
    sent: Vec<(u32, Sent)>,
    /// How many go to each receiver, two places behind its own.
    counts: Vec<usize>,
    lost: Vec<EventRef>,
    posted: Vec<UnmatchedReceive>,
    /// Where those of the process begin.
    first: usize,
    posts: UnderWay,
    calls: Calls,
    cancels: bool,
}

fn is_wanted(kind: EventKind) -> bool {
    use EventKind::*;
    !matches!(
        kind,
        MpiIsendComplete | MpiRequestTest | CommCreate | Thread | OneSided | Other
    )
}

impl Visitor for Reader<'_> {
    #[inline(always)]
    fn visit(&mut self, location: LocationIndex, events: &Events, at: Occurrence) {
        use EventKind::*;
        let Occurrence { index, kind, rows } = at;
        let event = EventRef::new(location, index);
        let message = || &events.messages()[rows.messages];
        let moment = Moment {
            location,
            pause: 0,
            sequence: None,
        };
        match kind {
            MpiSend | MpiIsend => self.send(message(), event),
            MpiRecv | MpiIrecv => self.receive(message(), event),
            MpiIrecvRequest => {
                let place = self.posted.len() as u32;
                self.posts.insert(events.requests()[rows.requests], place);
                self.posted.push(UnmatchedReceive::pending(event.index));
            }
            MpiProbe => self.probe(message(), event),
            MpiCollectiveBegin => self.calls.begin(event),
            MpiCollectiveEnd => self.calls.end(events, rows.collectives, event, moment),
            NonBlockingCollectiveRequest => {
                let request = events.requests()[rows.requests];
                self.calls.initiate(events, request, event);
            }
            NonBlockingCollectiveComplete => {
                self.calls.complete(events, rows.completions, event, moment);
            }
            _ => self.cancels |= kind == MpiRequestCancelled,
        }
    }
}

impl Reader<'_> {
    fn begin(&mut self, process: usize) {
        self.process = process;
        self.comm = CommId::NONE;
        self.facing = None;
        self.posts.clear();
        self.first = self.posted.len();
    }

    /// Fills the places of receives that never completed, if they say what
    /// they asked for.
    fn finish(&mut self, events: &Events) {
        if self.posts.is_empty() {
            return;
        }
        for place in self.first..self.posted.len() {
            let pending = self.posted[place];
            if pending.state != State::Pending {
                continue;
            }
            if let Some(asked) = taken(events, pending.event) {
                let event = EventRef {
                    location: LocationIndex(0),
                    index: pending.event,
                };
                self.posted[place] = self.posted(&asked, event, State::Waiting);
            }
        }
    }

    /// Returns the process that a rank means here, or [`NONE`].
    #[inline(always)]
    fn other(&mut self, message: &PointToPoint) -> u32 {
        if message.comm != self.comm {
            self.comm = message.comm;
            self.facing = self.groups.facing(self.process, message.comm);
        }
        let facing = self.facing.as_ref();
        facing.map_or(NONE, |facing| facing.process(message.peer))
    }

    #[inline(always)]
    fn send(&mut self, message: &PointToPoint, event: EventRef) {
        let receiver = self.other(message);
        if receiver == NONE {
            return self.lost.push(event);
        }
        self.counts[receiver as usize + 2] += 1;
        let send = Sent {
            sender: self.process as u32,
            event: event.index,
            comm: message.comm,
            tag: message.tag,
        };
        self.sent.push((receiver, send));
    }

    #[inline(always)]
    fn posted(
        &mut self,
        message: &PointToPoint,
        event: EventRef,
        state: State,
    ) -> UnmatchedReceive {
        UnmatchedReceive {
            from: self.other(message),
            event: event.index,
            comm: message.comm,
            tag: message.tag,
            state,
        }
    }

    #[inline(always)]
    fn receive(&mut self, message: &PointToPoint, event: EventRef) {
        let receive = self.posted(message, event, State::Received);
        let post = message.request.and_then(|request| self.posts.take(request));
        match post {
            Some(place) => self.posted[place as usize] = receive,
            None => self.posted.push(receive),
        }
    }

    #[cold]
    fn probe(&mut self, message: &PointToPoint, event: EventRef) {
        let probe = self.posted(message, event, State::Probed);
        self.posted.push(probe);
        if let Some(request) = message.request {
            // A matched probe takes the message out of its channel (MPI 4.1
            // §3.8.2), whenever it is received.
            self.posts.insert(request, self.posted.len() as u32);
            self.posted.push(UnmatchedReceive::pending(event.index));
        }
    }
}
