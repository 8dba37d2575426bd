//! How many messages came before, on each channel, where some were not recorded.
//!
//! The k-th message sent on a channel meets the k-th receive posted for it
//! (MPI 4.1, §3.5), so whoever matches counts. After a time without recording
//! the counts are wrong by what came by meanwhile: the first event of each
//! channel must say its number. The agent counts only while it does not
//! record; what it recorded is counted here, when the archive is written.
//!
//! Receives count in the order of their posts, and which channel a wildcard
//! belonged to shows when it completes. So each channel is a list of [`Run`]s
//! in posting order: messages of consecutive numbers whose events follow each
//! other. The first of each is told its number at the end, so that a reader
//! may count posts or completions.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

use crate::record::{Channel, Fact, Message, Record, Side};
use crate::stored::Stored;

/// Numbers of this size and above belong to messages of which it is not known
/// how many came before: they meet nothing.
pub const UNKNOWN: u64 = 1 << 61;

/// In place of a number: what the record tells MPI has rejected, and it is no event.
pub(crate) const REJECTED: u64 = u64::MAX;

/// Which of a buffer's records carry which number, ascending.
pub(crate) type Numbers = Vec<(u64, u64)>;

/// Numbers the messages of one process, whose buffers these are, as far as
/// the buffers can be read.
pub(crate) fn number(buffers: &[Stored]) -> Vec<Numbers> {
    let mut numbering = Numbering::default();
    let mut rejected = Rejected::new(buffers.len());
    in_order(buffers, |place, record| {
        numbering.note_cancelled(record);
        rejected.note(place, record);
    });
    numbering.rejected = rejected.found;
    in_order(buffers, |place, record| numbering.add(place, record));
    numbering.finish(buffers.len())
}

/// A record: the buffer and the position in it.
type RecordPlace = (usize, u64);

/// Calls `each` with all records of a process in the order of time.
fn in_order(buffers: &[Stored], mut each: impl FnMut(RecordPlace, &Record)) {
    let mut streams: Vec<_> = buffers.iter().map(|b| (0..).zip(b.iter())).collect();
    let mut heads: Vec<Option<(u64, Record)>> = vec![None; buffers.len()];
    let mut turns = BinaryHeap::new();
    let mut turn = |k: usize, turns: &mut BinaryHeap<_>| {
        let next = streams[k].next();
        let head = next.and_then(|(index, record)| Some((index, record.ok()?)));
        if let Some((_, record)) = &head {
            turns.push(Reverse((record.time, k)));
        }
        head
    };
    for (k, head) in heads.iter_mut().enumerate() {
        *head = turn(k, &mut turns);
    }
    while let Some(Reverse((_, k))) = turns.pop() {
        if let Some((index, record)) = heads[k].take() {
            each((k, index), &record);
        }
        heads[k] = turn(k, &mut turns);
    }
}

/// Finds the records of what MPI has rejected: those of a call that failed so, since its enter.
struct Rejected {
    /// Of each buffer those since the latest enter.
    since_enter: Vec<Vec<u64>>,
    found: HashSet<RecordPlace>,
}

impl Rejected {
    fn new(buffers: usize) -> Rejected {
        Rejected {
            since_enter: vec![Vec::new(); buffers],
            found: HashSet::new(),
        }
    }

    fn note(&mut self, (buffer, index): RecordPlace, record: &Record) {
        let posts = &mut self.since_enter[buffer];
        match record.fact() {
            Some(Fact::Enter { .. }) => posts.clear(),
            Some(Fact::Send(_) | Fact::Isend(..) | Fact::IrecvRequest { .. }) => posts.push(index),
            Some(Fact::Failed { rejected: true, .. }) => {
                self.found
                    .extend(posts.drain(..).map(|index| (buffer, index)));
            }
            _ => {}
        }
    }
}

/// A channel: its runs in posting order.
#[derive(Default)]
struct Runs {
    runs: Vec<Run>,
    /// Which of them, by its first post, an event was added to last.
    latest: u64,
}

/// Messages of consecutive numbers on one channel, without another's event between theirs.
struct Run {
    /// Where the first and the last were posted, as positions among all records.
    first: u64,
    last: u64,
    messages: u64,
    /// How often recording had been switched before the first.
    window: u32,
    /// The event of the first, if it was recorded.
    event: Option<RecordPlace>,
    /// Whether a reader would know its number: nothing came before it.
    first_of_all: bool,
}

/// A receive posted: where, and in which window.
type Post = (u64, u32);

#[derive(Default)]
struct Numbering {
    now: u64,
    window: u32,
    is_on: Option<bool>,
    cancelled: HashSet<u32>,
    rejected: HashSet<RecordPlace>,
    posts: HashMap<u32, Post>,
    outstanding: BTreeSet<u64>,
    /// The request whose collective ends next.
    completes: Option<u32>,
    /// Messages taken by matched probes, by their id or that of their Imrecv;
    /// nonblocking collectives by their request.
    taken: HashMap<u32, (Channel, u64)>,
    channels: HashMap<Channel, Runs>,
    unknown: Vec<(u64, Message)>,
}

impl Numbering {
    fn note_cancelled(&mut self, record: &Record) {
        if let Some(Fact::RequestCancelled { request } | Fact::UnseenCancelled { request }) =
            record.fact()
        {
            self.cancelled.insert(request);
        }
    }

    /// Counts as readers do: each thread may say that recording was switched, and while one has said
    /// so, a call that another has begun before may still end.
    fn switch(&mut self, on: bool) {
        if self.is_on != Some(on) {
            self.is_on = Some(on);
            self.window += 1;
        }
    }

    fn add(&mut self, place: RecordPlace, record: &Record) {
        self.now += 1;
        let here = (self.now, self.window);
        let Some(fact) = record.fact() else { return };
        if self.rejected.contains(&place) {
            return;
        }
        let event = (!fact.is_left_out()).then_some(place);
        match fact {
            Fact::Switched { on } => self.switch(on),
            Fact::Skipped(channel, messages) => self.insert(channel, here, None, messages),
            Fact::Send(m) => self.insert(Channel::of(Side::Sent, &m), here, Some(place), 1),
            Fact::Isend(m, request) => self.isend(&m, request, Some(place)),
            Fact::UnseenIsend(m, request) => self.isend(&m, request, None),
            Fact::Probe(m, id) if id != 0 => self.take(&m, id),
            Fact::IrecvRequest {
                request, message, ..
            } => self.post(request, message),
            Fact::CollectiveRequest {
                request,
                begun,
                persistent: None,
            } => self.initiate(request, begun.comm),
            Fact::CollectiveCompletes { request } => self.completes = Some(request),
            Fact::Recv(m, id) => self.receive(&m, id.unwrap_or(0), event),
            Fact::Irecv(m, request) => self.receive(&m, request, event),
            Fact::UnseenIrecv(m, request) => self.receive(&m, request, None),
            Fact::RequestCancelled { request } | Fact::UnseenCancelled { request } => {
                self.forget(request);
            }
            Fact::UnknownReceive(m, request) => {
                let (post, _) = self.forget(request).unwrap_or(here);
                self.outstanding.insert(post); // for good
                self.unknown.push((post, m));
            }
            Fact::CollectiveEnd(c) => match self.completes.take() {
                // It has been counted where it was initiated.
                Some(request) => {
                    if let Some((channel, first)) = self.taken.remove(&request) {
                        self.complete_taken(channel, first, Some(place));
                    }
                }
                None => self.insert(Channel::collective(c.comm), here, Some(place), 1),
            },
            Fact::WindowCollectiveEnd(c) => {
                self.insert(Channel::window(c.window), here, Some(place), 1);
            }
            _ => {}
        }
    }

    fn isend(&mut self, message: &Message, request: u32, event: Option<RecordPlace>) {
        if !self.cancelled.contains(&request) {
            let here = (self.now, self.window);
            self.insert(Channel::of(Side::Sent, message), here, event, 1);
        }
    }

    /// A matched probe takes its message out of the channel.
    fn take(&mut self, message: &Message, id: u32) {
        let channel = Channel::of(Side::Received, message);
        self.insert(channel, (self.now, self.window), None, 1);
        self.taken.insert(id, (channel, self.now));
    }

    /// A nonblocking collective counts where it is initiated, and its event is its completion.
    fn initiate(&mut self, request: u32, comm: u32) {
        let channel = Channel::collective(comm);
        self.insert(channel, (self.now, self.window), None, 1);
        self.taken.insert(request, (channel, self.now));
    }

    fn post(&mut self, request: u32, message: Option<u32>) {
        if let Some(taken) = message.and_then(|id| self.taken.remove(&id)) {
            self.taken.insert(request, taken);
            return;
        }
        self.posts.insert(request, (self.now, self.window));
        self.outstanding.insert(self.now);
    }

    fn forget(&mut self, request: u32) -> Option<Post> {
        let post = self.posts.remove(&request)?;
        self.outstanding.remove(&post.0);
        Some(post)
    }

    /// A receive completed; `id` is its request, its message's, or 0.
    fn receive(&mut self, message: &Message, id: u32, event: Option<RecordPlace>) {
        if let Some((channel, first)) = self.taken.remove(&id) {
            self.complete_taken(channel, first, event);
            return;
        }
        let post = self.forget(id).unwrap_or((self.now, self.window));
        self.insert(Channel::of(Side::Received, message), post, event, 1);
    }

    /// The message of a matched probe was received, or a collective begun before has ended: a run of
    /// its own. Another may have come to its event before, so a reader would not know that it is the
    /// first.
    fn complete_taken(&mut self, channel: Channel, first: u64, event: Option<RecordPlace>) {
        let Some(Runs { runs, latest }) = self.channels.get_mut(&channel) else {
            return;
        };
        if let Ok(at) = runs.binary_search_by_key(&first, |run| run.first) {
            runs[at].event = event;
            runs[at].first_of_all = false;
            *latest = 0; // what comes next follows it in a reader's eyes
        }
    }

    /// Adds messages to a channel: to its latest run, if nothing can come in between.
    fn insert(&mut self, channel: Channel, post: Post, event: Option<RecordPlace>, messages: u64) {
        let (post, window) = post;
        let Runs { runs, latest } = self.channels.entry(channel).or_default();
        let at = runs.partition_point(|run| run.first <= post);
        if let Some(run) = at.checked_sub(1).and_then(|before| runs.get_mut(before)) {
            let free = || self.outstanding.range(run.last..post).next().is_none();
            let recorded = run.event.is_some() && event.is_some() && run.first == *latest;
            if recorded && run.window == window && (channel.side != Side::Received || free()) {
                run.messages += messages;
                run.last = post;
                return;
            }
        }
        let run = Run {
            first: post,
            last: post,
            messages,
            window,
            event,
            first_of_all: runs.is_empty() && window == 0,
        };
        runs.insert(at, run);
        *latest = post;
    }

    /// Returns the numbers of the first events of all runs, but of those that
    /// begin with the trace.
    fn finish(&self, buffers: usize) -> Vec<Numbers> {
        let mut numbers = vec![Numbers::new(); buffers];
        for &(buffer, index) in &self.rejected {
            numbers[buffer].push((index, REJECTED));
        }
        for (channel, Runs { runs, .. }) in &self.channels {
            let mut number = 0;
            for run in runs {
                let unknown = self.is_unknown(channel, run);
                let shown = number + if unknown { UNKNOWN } else { 0 };
                match run.event {
                    Some((buffer, index)) if shown > 0 || !run.first_of_all => {
                        numbers[buffer].push((index, shown));
                    }
                    _ => {}
                }
                number += run.messages;
            }
        }
        numbers.iter_mut().for_each(|list| list.sort_unstable());
        numbers
    }

    fn is_unknown(&self, channel: &Channel, run: &Run) -> bool {
        channel.side == Side::Received
            && self.unknown.iter().any(|(post, m)| {
                *post < run.first
                    && m.comm == channel.comm
                    && (m.wildcard.source || m.peer == channel.peer)
                    && (m.wildcard.tag || m.tag == channel.tag)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Wildcard, UNSEEN};

    fn message(peer: u32) -> Message {
        Message {
            peer,
            ..Message::default()
        }
    }

    fn post(request: u32) -> Fact {
        Fact::IrecvRequest {
            request,
            message: None,
            posted: None,
        }
    }

    fn skipped(side: Side, peer: u32, messages: u64) -> Fact {
        Fact::Skipped(Channel::of(side, &message(peer)), messages)
    }

    const ON: Fact = Fact::Switched { on: true };
    const OFF: Fact = Fact::Switched { on: false };

    /// Numbers the facts of one buffer; expects numbers at these positions.
    #[track_caller]
    fn check(facts: &[Fact], expected: &[(u64, u64)]) {
        let records: Vec<Record> = facts.iter().map(|&fact| Record::new(0, fact)).collect();
        let mut numbering = Numbering::default();
        let mut rejected = Rejected::new(1);
        for (index, record) in (0..).zip(&records) {
            numbering.note_cancelled(record);
            rejected.note((0, index), record);
        }
        numbering.rejected = rejected.found;
        for (index, record) in (0..).zip(&records) {
            numbering.add((0, index), record);
        }
        assert_eq!(numbering.finish(1)[0], expected);
    }

    #[test]
    fn the_first_of_a_channel_after_a_switch_tells_its_number() {
        let send = Fact::Send(message(1));
        let other = Fact::Send(message(2));
        let facts = [send, send, skipped(Side::Sent, 1, 3), ON, send, other, send];
        check(&facts, &[(4, 5), (5, 0)]);
    }

    /// Another thread was in its call when recording was switched off.
    #[test]
    fn what_ends_after_another_thread_has_said_off_tells_its_number() {
        let (send, other) = (Fact::Send(message(1)), Fact::Send(message(2)));
        let facts = [send, OFF, send, other, OFF, other, ON, send, ON, send];
        check(&facts, &[(2, 1), (3, 0), (7, 2)]);
    }

    #[test]
    fn sends_that_were_cancelled_do_not_count() {
        let send = |request| Fact::Isend(message(1), request);
        let request = UNSEEN | 4;
        let facts = [
            send(1),
            send(2),
            Fact::RequestCancelled { request: 2 },
            Fact::UnseenIsend(message(1), 3),
            Fact::UnseenIsend(message(1), request),
            ON,
            send(5),
            Fact::RequestCancelled { request },
        ];
        check(&facts, &[(6, 2)]);
    }

    #[test]
    fn what_was_rejected_is_no_event_and_does_not_count() {
        let failed = |rejected| Fact::Failed { class: 6, rejected };
        let enter = Fact::Enter { region: 0, site: 0 };
        let send = Fact::Send(message(1));
        let facts = [
            enter,
            send,
            enter,
            send,
            failed(true),
            enter,
            Fact::Isend(message(1), 1),
            failed(true),
            enter,
            send,
            failed(false),
            ON,
            send,
        ];
        check(&facts, &[(3, REJECTED), (6, REJECTED), (12, 2)]);
    }

    /// Posted while recorded, completed while not: the next one has a number that nobody could guess.
    #[test]
    fn a_receive_that_completes_unseen_leaves_a_gap() {
        let facts = [
            post(1),
            post(2),
            Fact::Irecv(message(1), 2),
            Fact::UnseenIrecv(message(1), 1),
        ];
        check(&facts, &[(2, 1)]);
    }

    #[test]
    fn a_receive_posted_unseen_counts_where_it_was_posted() {
        let request = UNSEEN | 1;
        let facts = [
            Fact::Recv(message(1), None),
            ON,
            skipped(Side::Received, 1, 2),
            post(request),
            skipped(Side::Received, 1, 4),
            Fact::Recv(message(1), None), // after 1 + 2 + 1 + 4
            Fact::Irecv(message(1), request),
        ];
        check(&facts, &[(5, 8), (6, 3)]);
    }

    #[test]
    fn receives_count_in_the_order_of_their_posts() {
        let (a, b) = (Fact::Irecv(message(1), 1), Fact::Irecv(message(1), 2));
        let skip = skipped(Side::Received, 1, 5);
        check(&[skip, ON, post(1), post(2), a, b], &[(4, 5)]);
        // The later first: whether the other belongs to this channel is not known yet.
        check(&[skip, ON, post(1), post(2), b, a], &[(4, 6), (5, 5)]);
    }

    #[test]
    fn a_message_probed_unseen_counts_where_it_was_probed() {
        let id = UNSEEN | 1;
        let facts = [
            skipped(Side::Received, 1, 2),
            ON,
            Fact::Probe(message(1), id),
            skipped(Side::Received, 1, 1),
            Fact::Recv(message(1), None),
            Fact::Recv(message(1), Some(id)),
        ];
        check(&facts, &[(4, 4), (5, 2)]);
    }

    #[test]
    fn messages_received_in_another_order_than_they_were_probed_count_as_probed() {
        let probe = |id| Fact::Probe(message(1), id);
        let receive = |id| Fact::Recv(message(1), Some(id));
        let facts = [probe(1), probe(2), receive(2), receive(1), receive(0)];
        check(&facts, &[(2, 1), (3, 0), (4, 2)]);
        let facts = [probe(1), receive(1), ON, probe(2), receive(2)];
        check(&facts, &[(1, 0), (4, 1)]);
    }

    #[test]
    fn collectives_that_end_in_another_order_than_they_were_begun_count_as_begun() {
        let collective = crate::record::Collective {
            signature: 0,
            op: 0,
            comm: 3,
            root: 0,
            sent: 0,
            received: 0,
            dense: false,
        };
        let begin = |request| Fact::CollectiveRequest {
            request,
            begun: crate::record::Begun {
                signature: 0,
                root: 0,
                comm: 3,
            },
            persistent: None,
        };
        let end = Fact::CollectiveEnd(collective);
        let ends = |request| Fact::CollectiveCompletes { request };
        let facts = [begin(1), begin(2), ends(2), end, ends(1), end];
        check(&facts, &[(3, 1), (5, 0)]);
    }

    #[test]
    fn behind_a_receive_of_unknown_channel_nothing_has_a_number() {
        let wildcard = Wildcard {
            source: true,
            tag: true,
        };
        let unknown = Message {
            wildcard,
            ..message(0)
        };
        let facts = [
            ON,
            Fact::Recv(message(1), None),
            Fact::UnknownReceive(unknown, 9),
            Fact::Send(message(1)),
            Fact::Recv(message(1), None),
        ];
        check(&facts, &[(1, 0), (3, 0), (4, UNKNOWN + 1)]);
    }

    #[test]
    fn collectives_count_by_communicator() {
        let end = |comm| {
            Fact::CollectiveEnd(crate::record::Collective {
                signature: 0,
                op: 0,
                comm,
                root: 0,
                sent: 0,
                received: 0,
                dense: false,
            })
        };
        let skip = Fact::Skipped(Channel::collective(3), 7);
        check(
            &[end(3), skip, ON, end(3), end(4), end(3)],
            &[(3, 8), (4, 0)],
        );
    }

    #[test]
    fn fences_count_by_window() {
        let end = |window| {
            Fact::WindowCollectiveEnd(crate::record::WindowCollective {
                window,
                op: 0,
                synchronizes: true,
            })
        };
        let skip = Fact::Skipped(Channel::window(3), 7);
        let other = Fact::Skipped(Channel::collective(3), 2);
        check(
            &[end(3), skip, other, ON, end(3), end(4), end(3)],
            &[(4, 8), (5, 0)],
        );
    }
}
