//! Messages in another order than the other side had them: a receive waits for a late sender although
//! a message that was sent before is there, and is received later; a send waits for a late receiver
//! although that of a message which is sent later has come (Wolf and Mohr 2003; Scalasca's "late sender,
//! wrong order", and its counterpart).
//!
//! A late sender's wait state is in wrong order if a call that comes later on the same location
//! receives a message whose send began before the send that was waited for. Among such messages the
//! one that was sent first is named, and one from the same source before all others. Late receivers
//! likewise, of posts of receives, and of messages that are sent before the location receives anything
//! or takes part in an operation, as what is sent after that may depend on it.

use std::collections::BTreeMap;
use std::ops::Range;

use mpiscope_model::plain;
use mpiscope_model::{Duration, EventKind, EventRef, Events, Matching, Message, Timestamp, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::requests::OtherSides;
use super::{Calls, Kind, WaitState};
use crate::races::CallPlace;
use crate::sharers::Sharers;
use crate::timeline::Timeline;

/// A wait for another rank while the other side of another message is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongOrder {
    /// The wait state: a late sender or a late receiver.
    pub wait: WaitState,
    /// Where the call that waits stands.
    pub place: CallPlace,
    /// The message whose other side was there, and that is received, or sent, later.
    pub other: Message,
    /// Its other side is the rank that was waited for; else another one.
    pub same_rank: bool,
    /// What had not to be waited at most, had the other message come first, and all others whose other
    /// side was there: from when that was the rank could have done what it computes after each of
    /// these, as long as it computes after the one that was waited for, too. What is computed counts
    /// for one wait alone. Nothing if the rank itself sends, or takes part in an operation, before it
    /// receives the other one, which may be an answer to that, as where neighbours exchange again and
    /// again.
    pub saved: Duration,
}

impl WrongOrder {
    /// Returns whether it is a receive that waits, and not a send.
    pub fn is_of_receive(&self) -> bool {
        self.wait.kind == Kind::LateSender
    }
}

/// Finds all of a trace, by its own times.
pub fn wrong_order(trace: &Trace, matching: &Matching) -> Vec<WrongOrder> {
    let lines = super::timelines(trace);
    let other_sides = OtherSides::new(trace);
    let (waits, _) = super::find_with(trace, matching, &lines, &other_sides);
    find(trace, matching, &lines, &other_sides, &waits, None)
}

plain! { WrongOrder { wait, place, other, same_rank, saved } }

/// Finds those among the wait states of each location: of receives, then of sends, by location and
/// there by time. Of processes that share the trace the first returns those of all.
pub(crate) fn find(
    trace: &Trace,
    matching: &Matching,
    lines: &[Timeline],
    other_sides: &OtherSides,
    waits: &[Vec<WaitState>],
    sharers: Option<Sharers>,
) -> Vec<WrongOrder> {
    let calls = Calls { trace, lines };
    let location = |location: usize| OfLocation {
        calls: &calls,
        events: &trace.locations[location].events,
        line: &lines[location],
        waits: &waits[location],
    };
    let receives_wait: Vec<bool> = (0..lines.len())
        .map(|of| location(of).has(Kind::LateSender))
        .collect();
    let came = senders_came(matching, &calls, &receives_wait);
    let received = received(matching, lines.len());
    let received = received.into_par_iter().enumerate();
    let receives = received.map(|(of, received)| {
        receives_wait[of].then(|| {
            let places = received.into_iter().flatten();
            let received = places.map(|at| (matching.messages[at], came[at]));
            location(of).receives(received.collect())
        })
    });
    let mut found: Vec<WrongOrder> = receives.flatten().flatten().collect();
    let sends_wait: Vec<bool> = (0..lines.len())
        .map(|of| location(of).has(Kind::LateReceiver))
        .collect();
    let sent = sent(matching, &sends_wait).into_par_iter().enumerate();
    let sends = sent.map(|(of, sent)| location(of).sends(sent, other_sides));
    found.par_extend(sends.flatten());
    if let Some(sharers) = sharers {
        found = sharers.gather(found);
        found.sort_by_key(|it| (!it.is_of_receive(), it.wait.call));
    }
    found
}

/// A message, and when its sender came.
type Received = (Message, Timestamp);

/// Returns of messages to some locations when their senders came, as many as there are: looked up for
/// all together, and not receiver by receiver, as each sender is looked at by many.
fn senders_came(matching: &Matching, calls: &Calls, wanted: &[bool]) -> Vec<Timestamp> {
    if !wanted.contains(&true) {
        return Vec::new();
    }
    let came = |message: &Message| match wanted[message.receive.location.index()] {
        true => calls.came(message.send),
        false => Timestamp::MIN,
    };
    let pieces = matching.look_at_messages(|some| some.iter().map(came).collect::<Vec<_>>());
    let mut all = Vec::with_capacity(matching.messages.len());
    pieces.into_iter().for_each(|piece| all.extend(piece));
    all
}

/// Returns the places of the messages that each location received.
fn received(matching: &Matching, locations: usize) -> Vec<Vec<Range<usize>>> {
    let mut received: Vec<Vec<Range<usize>>> = vec![Vec::new(); locations];
    let mut begin = 0;
    for to in (matching.messages).chunk_by(|a, b| a.receive.location == b.receive.location) {
        let end = begin + to.len();
        received[to[0].receive.location.index()].push(begin..end);
        begin = end;
    }
    received
}

/// Returns the messages that some locations sent.
fn sent(matching: &Matching, wanted: &[bool]) -> Vec<Vec<Message>> {
    let mut sent = vec![Vec::new(); wanted.len()];
    if wanted.contains(&true) {
        for message in &matching.messages {
            let from = message.send.location.index();
            if wanted[from] {
                sent[from].push(*message);
            }
        }
    }
    sent
}

/// A location, and what it waited for.
struct OfLocation<'a> {
    calls: &'a Calls<'a>,
    events: &'a Events,
    line: &'a Timeline<'a>,
    waits: &'a [WaitState],
}

impl OfLocation<'_> {
    fn has(&self, kind: Kind) -> bool {
        self.waits
            .iter()
            .any(|it| it.kind == kind && !it.contradicts)
    }

    fn rank(&self, event: EventRef) -> u32 {
        self.calls.trace.locations[event.location.index()].rank.0
    }

    /// Goes back through its receives, and knows at each wait what is received later.
    fn receives(&self, mut received: Vec<Received>) -> Vec<WrongOrder> {
        sort(&mut received, |it| it.0.receive.index);
        let acts = self.acts(&[EventKind::MpiSend, EventKind::MpiIsend]);
        let (mut later, mut work, mut until) = (Later::default(), Work::default(), None);
        let mut found = Vec::new();
        for (wait, leave) in self.those(Kind::LateSender).rev() {
            let end = first_after(&acts, leave);
            if until.replace(end) != Some(end) {
                work = Work::default();
            }
            while let Some((message, came)) = received.pop_if(|it| it.0.receive.index > leave) {
                if message.receive.index < end {
                    work.add(self.line, message.receive.index, came);
                }
                later.add(First {
                    rank: self.rank(message.send),
                    came,
                    message,
                });
            }
            let first = later.before(self.rank(wait.cause), wait.end);
            found.extend(first.map(|it| {
                let may_answer = end < it.0.message.receive.index;
                self.found(wait, leave, &it, (!may_answer).then_some(&mut work))
            }));
        }
        found.reverse();
        found
    }

    /// Goes back through its sends, and knows at each wait what is sent next.
    fn sends(&self, mut sent: Vec<Message>, other_sides: &OtherSides) -> Vec<WrongOrder> {
        if sent.is_empty() {
            return Vec::new();
        }
        sort(&mut sent, |it| it.send.index);
        let acts = self.acts(&[EventKind::MpiRecv, EventKind::MpiIrecv]);
        let (mut later, mut work, mut until) = (Later::default(), Work::default(), None);
        let mut found = Vec::new();
        for (wait, leave) in self.those(Kind::LateReceiver).rev() {
            let end = first_after(&acts, leave);
            if until.replace(end) != Some(end) {
                (later, work) = (Later::default(), Work::default());
            }
            while let Some(message) = sent.pop_if(|it| it.send.index > leave) {
                let post = other_sides.of(message.receive);
                if let Some(post) = post.filter(|_| message.send.index < end) {
                    let came = self.calls.came(post);
                    work.add(self.line, message.send.index, came);
                    later.add(First {
                        rank: self.rank(post),
                        came,
                        message,
                    });
                }
            }
            let first = later.before(self.rank(wait.cause), wait.end);
            found.extend(first.map(|it| self.found(wait, leave, &it, Some(&mut work))));
        }
        found.reverse();
        found
    }

    /// Returns its waits of a kind, each with the end of its call.
    fn those(&self, kind: Kind) -> impl DoubleEndedIterator<Item = (&WaitState, u32)> {
        let waits = self.waits.iter();
        let waits = waits.filter(move |it| it.kind == kind && !it.contradicts);
        waits.filter_map(|wait| Some((wait, self.line.around(wait.call.index)?.leave)))
    }

    fn found(
        &self,
        wait: &WaitState,
        leave: u32,
        (first, same_rank): &(First, bool),
        work: Option<&mut Work>,
    ) -> WrongOrder {
        let after = computes_after(self.line, leave);
        WrongOrder {
            wait: *wait,
            place: CallPlace::of(self.calls.trace, wait.call),
            other: first.message,
            same_rank: *same_rank,
            saved: work.map_or(Duration::ZERO, |it| it.fill(wait, after)),
        }
    }

    /// Returns the events by which a rank may have others come: these, and operations.
    fn acts(&self, of_messages: &[EventKind]) -> Vec<u32> {
        use EventKind::{MpiCollectiveBegin, NonBlockingCollectiveRequest};
        let is_one = |kind: EventKind| {
            matches!(kind, MpiCollectiveBegin | NonBlockingCollectiveRequest)
                || of_messages.contains(&kind)
        };
        let kinds = (0u32..).zip(self.events.kinds());
        let acts = kinds.filter(|(_, kind)| is_one(**kind));
        acts.map(|(index, _)| index).collect()
    }
}

fn sort<T>(messages: &mut [T], index: impl Fn(&T) -> u32) {
    if !messages.is_sorted_by_key(&index) {
        messages.sort_unstable_by_key(index);
    }
}

/// Returns the first of some events after another one, or one that never comes.
fn first_after(events: &[u32], event: u32) -> u32 {
    let next = events.partition_point(|it| *it <= event);
    events.get(next).copied().unwrap_or(u32::MAX)
}

/// Returns how long is computed between the end of the call around an event and the next call.
fn computes_after(line: &Timeline, event: u32) -> Duration {
    let Some(call) = line.around(event) else {
        return Duration::ZERO;
    };
    let until = line.next_call(call.leave).map_or(line.end, |it| it.begin);
    until - call.end
}

/// What is computed directly after calls that come later, by when all that these receive, or send, had
/// come on the other side, and by the calls' last events.
#[derive(Default)]
struct Work {
    all: BTreeMap<(Timestamp, u32), Duration>,
    last_added: Option<(Timestamp, u32)>,
}

impl Work {
    /// Adds a message of a call, by its event; those of one call follow each other.
    fn add(&mut self, line: &Timeline, own: u32, came: Timestamp) {
        let Some(call) = line.around(own) else {
            return;
        };
        let before = self.last_added.filter(|it| it.1 == call.leave);
        let came = before.map_or(came, |it| {
            self.all.remove(&it);
            came.max(it.0)
        });
        self.last_added = Some((came, call.leave));
        let work = computes_after(line, own);
        if work > Duration::ZERO {
            self.all.insert((came, call.leave), work);
        }
    }

    /// Takes what could have been computed during a wait, of each at most so much; returns how much
    /// that is.
    fn fill(&mut self, wait: &WaitState, most: Duration) -> Duration {
        let (mut free, mut saved) = (wait.begin, Duration::ZERO);
        let mut left = Vec::new();
        while most > Duration::ZERO && free < wait.end {
            let Some((&key, &work)) = self.all.range(..(wait.end, 0)).next() else {
                break;
            };
            free = free.max(key.0);
            let part = work.min(most).min(wait.end - free);
            (free, saved) = (free + part, saved + part);
            self.all.remove(&key);
            if part < work {
                left.push((key, work - part));
            }
        }
        // The rest may be computed during a wait before.
        self.all.extend(left);
        saved
    }
}

/// A message of a rank, and when that came to it.
#[derive(Clone, Copy)]
struct First {
    rank: u32,
    came: Timestamp,
    message: Message,
}

/// Of what comes later: to what the other side came first, of each rank and of all.
#[derive(Default)]
struct Later {
    of_rank: FxHashMap<u32, First>,
    of_all: Option<First>,
}

impl Later {
    fn add(&mut self, other: First) {
        let of_rank = self.of_rank.entry(other.rank).or_insert(other);
        if other.came <= of_rank.came {
            *of_rank = other;
        }
        if self.of_all.is_none_or(|first| other.came <= first.came) {
            self.of_all = Some(other);
        }
    }

    /// Returns to what somebody came first before a moment, if possible this rank, and whether it did.
    fn before(&self, rank: u32, moment: Timestamp) -> Option<(First, bool)> {
        let came = |it: &First| it.came < moment;
        let own = self.of_rank.get(&rank).copied().filter(came);
        let any = || Some((self.of_all.filter(came)?, false));
        own.map(|it| (it, true)).or_else(any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expects of each: who waits how long, whose message was there, and what had been saved.
    #[track_caller]
    fn check(picture: &str, expected: &[(u32, i64, u32, bool, i64)]) {
        let trace = Trace::parse(picture).unwrap();
        let rank = |event: EventRef| trace.locations[event.location.index()].rank.0;
        let found = wrong_order(&trace, &trace.matching());
        let told = found.iter().map(|it| {
            let there = match it.is_of_receive() {
                true => it.other.send,
                false => it.other.receive,
            };
            let waited = it.wait.duration().0;
            (
                rank(it.wait.call),
                waited,
                rank(there),
                it.same_rank,
                it.saved.0,
            )
        });
        assert_eq!(told.collect::<Vec<_>>(), expected, "{picture}");
    }

    #[test]
    fn whoever_waits_while_anothers_message_is_there_receives_in_wrong_order() {
        check(
            "0: 10 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv) 83 enter(MPI_Recv) 84 recv<2 85 leave(MPI_Recv) 105
             1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send)
             2: 0 20 enter(MPI_Send) 21 send>0 22 leave(MPI_Send)",
            &[(0, 50, 2, false, 10)],
        );
    }

    #[test]
    fn all_messages_that_are_there_could_have_come_first() {
        // After rank 2's message 20 ns are computed, after rank 3's 15, and both were there by 25.
        let receives = "73 leave(MPI_Recv) 113 enter(MPI_Recv) 113 recv<2 113 leave(MPI_Recv) \
            133 enter(MPI_Recv) 133 recv<3 133 leave(MPI_Recv) 148";
        let others = "2: 0 20 enter(MPI_Send) 21 send>0 22 leave(MPI_Send)
             3: 0 25 enter(MPI_Send) 26 send>0 27 leave(MPI_Send)";
        check(
            &format!(
                "0: 10 enter(MPI_Recv) 72 recv<1 {receives}
                 1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send)\n{others}"
            ),
            &[(0, 50, 2, false, 35)],
        );
        // From 20 on there are 25 ns until rank 1 comes.
        check(
            &format!(
                "0: 10 enter(MPI_Recv) 72 recv<1 {receives}
                 1: 0 45 enter(MPI_Send) 61 send>0 62 leave(MPI_Send)\n{others}"
            ),
            &[(0, 35, 2, false, 25)],
        );
    }

    #[test]
    fn what_is_computed_once_is_saved_once() {
        // Ranks 1 and 4 are waited for in turn, while rank 2's message is there; 20 ns follow that.
        check(
            "0: 10 enter(MPI_Recv) 31 recv<1 32 leave(MPI_Recv) 62 enter(MPI_Recv) 91 recv<4 92 leave(MPI_Recv) \
                122 enter(MPI_Recv) 122 recv<2 122 leave(MPI_Recv) 142
             1: 0 30 enter(MPI_Send) 30 send>0 31 leave(MPI_Send)
             2: 0 5 enter(MPI_Send) 5 send>0 6 leave(MPI_Send)
             3: 0
             4: 0 90 enter(MPI_Send) 90 send>0 91 leave(MPI_Send)",
            &[(0, 20, 2, false, 0), (0, 28, 2, false, 20)],
        );
        // The later wait is too short for all of it: the rest is for the one before.
        check(
            "0: 10 enter(MPI_Recv) 31 recv<1 32 leave(MPI_Recv) 62 enter(MPI_Recv) 65 recv<4 66 leave(MPI_Recv) \
                122 enter(MPI_Recv) 122 recv<2 122 leave(MPI_Recv) 142
             1: 0 30 enter(MPI_Send) 30 send>0 31 leave(MPI_Send)
             2: 0 5 enter(MPI_Send) 5 send>0 6 leave(MPI_Send)
             3: 0
             4: 0 64 enter(MPI_Send) 64 send>0 65 leave(MPI_Send)",
            &[(0, 20, 2, false, 18), (0, 2, 2, false, 2)],
        );
        // One call receives both: it cannot be over before both are there.
        check(
            "0: 0 enter(MPI_Irecv) 1 irecv#1 2 leave(MPI_Irecv) 3 enter(MPI_Irecv) 4 irecv#2 5 leave(MPI_Irecv) \
                10 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv) \
                113 enter(MPI_Waitall) 113 wait<2#1 113 wait<3#2 113 leave(MPI_Waitall) 148
             1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send)
             2: 0 20 enter(MPI_Send) 21 send>0 22 leave(MPI_Send)
             3: 0 45 enter(MPI_Send) 46 send>0 47 leave(MPI_Send)",
            &[(0, 50, 2, false, 15)],
        );
    }

    #[test]
    fn what_may_be_an_answer_could_not_come_first() {
        check(
            "0: 10 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv) 83 enter(MPI_Send) 83 send>2 84 leave(MPI_Send) 85 enter(MPI_Recv) 86 recv<2 87 leave(MPI_Recv) 105
             1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send)
             2: 0 20 enter(MPI_Send) 21 send>0 22 leave(MPI_Send) 90 enter(MPI_Recv) 91 recv<0 92 leave(MPI_Recv)",
            &[(0, 50, 2, false, 0)],
        );
    }

    #[test]
    fn of_one_source_tags_tell_the_order() {
        check(
            "0: 10 enter(MPI_Recv) 72 recv<1(tag=2) 73 leave(MPI_Recv) 73 enter(MPI_Recv) 74 recv<1(tag=1) 75 leave(MPI_Recv)
             1: 0 20 enter(MPI_Send) 21 send>0(tag=1) 22 leave(MPI_Send) 60 enter(MPI_Send) 61 send>0(tag=2) 62 leave(MPI_Send)",
            &[(0, 50, 1, true, 0)],
        );
    }

    #[test]
    fn whoever_waits_while_anothers_receive_is_there_sends_in_wrong_order() {
        check(
            "0: 10 enter(MPI_Ssend) 10 send>1 62 leave(MPI_Ssend) 70 enter(MPI_Ssend) 70 send>2 71 leave(MPI_Ssend) 105
             1: 0 60 enter(MPI_Recv) 61 recv<0 62 leave(MPI_Recv)
             2: 0 20 enter(MPI_Recv) 71 recv<0 72 leave(MPI_Recv)",
            &[(0, 50, 2, false, 8)],
        );
    }

    #[test]
    fn each_send_that_waits_is_compared_with_all_that_come_next() {
        check(
            "0: 10 enter(MPI_Ssend) 10 send>1 62 leave(MPI_Ssend) 70 enter(MPI_Ssend) 70 send>2 82 leave(MPI_Ssend) \
                90 enter(MPI_Ssend) 90 send>3 91 leave(MPI_Ssend)
             1: 0 60 enter(MPI_Recv) 61 recv<0 62 leave(MPI_Recv)
             2: 0 80 enter(MPI_Recv) 81 recv<0 82 leave(MPI_Recv)
             3: 0 20 enter(MPI_Recv) 91 recv<0 92 leave(MPI_Recv)",
            &[(0, 50, 3, false, 0), (0, 10, 3, false, 0)],
        );
    }

    #[test]
    fn what_is_sent_after_a_receive_may_depend_on_it() {
        check(
            "0: 10 enter(MPI_Ssend) 10 send>1 62 leave(MPI_Ssend) 70 enter(MPI_Recv) 71 recv<1 72 leave(MPI_Recv) \
                80 enter(MPI_Ssend) 80 send>2 81 leave(MPI_Ssend) 105
             1: 0 60 enter(MPI_Recv) 61 recv<0 62 leave(MPI_Recv) 63 enter(MPI_Send) 63 send>0 64 leave(MPI_Send)
             2: 0 20 enter(MPI_Recv) 81 recv<0 82 leave(MPI_Recv)",
            &[],
        );
    }

    #[test]
    fn what_is_sent_later_or_was_received_before_is_none() {
        check(
            "0: 0 enter(MPI_Recv) 12 recv<2 13 leave(MPI_Recv) 20 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv) 83 enter(MPI_Recv) 94 recv<2 95 leave(MPI_Recv)
             1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send)
             2: 0 10 enter(MPI_Send) 11 send>0 12 leave(MPI_Send) 90 enter(MPI_Send) 91 send>0 92 leave(MPI_Send)",
            &[],
        );
    }
}
