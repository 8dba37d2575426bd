//! Messages that are received in another order than they were sent: a receive waits for a late
//! sender although a message that was sent before is there, and is received later (Wolf and Mohr
//! 2003; Scalasca's "late sender, wrong order").
//!
//! A late sender's wait state is in wrong order if a call that comes later on the same location
//! receives a message whose send began before the send that was waited for. Among such messages the
//! one that was sent first is named, and one from the same source before all others.

use mpiscope_model::{Duration, EventKind, EventRef, Events, Matching, Message, Timestamp, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{Calls, Kind, WaitState};
use crate::timeline::Timeline;

/// A wait for a late sender while another message is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongOrder {
    /// The wait state.
    pub wait: WaitState,
    /// The message that was there, and is received later.
    pub earlier: Message,
    /// It is of the rank that was waited for; else of another one.
    pub same_source: bool,
    /// What had not to be waited at most, had the other message been received first: while both
    /// overlap the rank could have done what it computes after that one, if it computes after both.
    /// Nothing if the rank itself sends, or takes part in an operation, before it receives the other
    /// one, which may be an answer to that, as where neighbours exchange again and again.
    pub saved: Duration,
}

/// Finds all of a trace, by its own times.
pub fn wrong_order(trace: &Trace, matching: &Matching) -> Vec<WrongOrder> {
    let lines = super::timelines(trace);
    let waits = super::find(trace, matching, &lines);
    find(trace, matching, &lines, &waits)
}

/// Finds those among the wait states of each location, by location and there by time.
pub(crate) fn find(
    trace: &Trace,
    matching: &Matching,
    lines: &[Timeline],
    waits: &[Vec<WaitState>],
) -> Vec<WrongOrder> {
    let calls = Calls { trace, lines };
    let mut received: Vec<Vec<&[Message]>> = vec![Vec::new(); lines.len()];
    for to in (matching.messages).chunk_by(|a, b| a.receive.location == b.receive.location) {
        received[to[0].receive.location.index()].push(to);
    }
    let of_waits = waits.par_iter().zip(lines).zip(&trace.locations);
    let all = received.into_par_iter().zip(of_waits);
    let found: Vec<Vec<WrongOrder>> = all
        .map(
            |(received, ((waits, line), of))| match waits.iter().any(is_late_sender) {
                true => of_location(&calls, &of.events, received.concat(), waits, line),
                false => Vec::new(),
            },
        )
        .collect();
    found.concat()
}

fn is_late_sender(state: &WaitState) -> bool {
    state.kind == Kind::LateSender && !state.contradicts
}

/// Goes back through the receives of a location, and knows at each wait what is received later.
fn of_location(
    calls: &Calls,
    events: &Events,
    mut received: Vec<Message>,
    waits: &[WaitState],
    line: &Timeline,
) -> Vec<WrongOrder> {
    if !received.is_sorted_by_key(|it| it.receive.index) {
        received.sort_unstable_by_key(|it| it.receive.index);
    }
    let rank = |event: EventRef| calls.trace.locations[event.location.index()].rank.0;
    let acts = acts(events);
    let mut later = Later::default();
    let mut found = Vec::new();
    for wait in waits.iter().rev().filter(|it| is_late_sender(it)) {
        let Some(call) = line.around(wait.call.index) else {
            continue;
        };
        while let Some(message) = received.pop_if(|it| it.receive.index > call.leave) {
            later.add(First {
                source: rank(message.send),
                came: calls.came(message.send),
                message,
            });
        }
        let source = rank(wait.cause);
        let Some((first, same_source)) = later.before(source, wait.end) else {
            continue;
        };
        let overlap = wait.end - first.came.max(wait.begin);
        let other = first.message.receive.index;
        let after = [call.leave, other].map(|it| computes_after(line, it));
        let next = acts.get(acts.partition_point(|act| *act <= call.leave));
        let may_answer = next.is_some_and(|act| *act < other);
        let saved = overlap.min(after[0]).min(after[1]).max(Duration::ZERO);
        found.push(WrongOrder {
            wait: *wait,
            earlier: first.message,
            same_source,
            saved: if may_answer { Duration::ZERO } else { saved },
        });
    }
    found.reverse();
    found
}

/// Returns the events by which a rank may have others send: its own sends, and operations.
fn acts(events: &Events) -> Vec<u32> {
    use EventKind::*;
    let kinds = (0u32..).zip(events.kinds());
    let acts = kinds.filter(|(_, kind)| {
        matches!(
            kind,
            MpiSend | MpiIsend | MpiCollectiveBegin | NonBlockingCollectiveRequest
        )
    });
    acts.map(|(index, _)| index).collect()
}

/// Returns how long is computed between the end of the call around an event and the next call.
fn computes_after(line: &Timeline, event: u32) -> Duration {
    let Some(call) = line.around(event) else {
        return Duration::ZERO;
    };
    let until = line.next_call(call.leave).map_or(line.end, |it| it.begin);
    until - call.end
}

/// A message of a source, and when its send began.
#[derive(Clone, Copy)]
struct First {
    source: u32,
    came: Timestamp,
    message: Message,
}

/// Of what is received later: what was sent first, by each source and of all.
#[derive(Default)]
struct Later {
    of_source: FxHashMap<u32, First>,
    of_all: Option<First>,
}

impl Later {
    fn add(&mut self, other: First) {
        let of_source = self.of_source.entry(other.source).or_insert(other);
        if other.came <= of_source.came {
            *of_source = other;
        }
        if self.of_all.is_none_or(|first| other.came <= first.came) {
            self.of_all = Some(other);
        }
    }

    /// Returns what was sent first before a moment, if possible by this source, and whether it was.
    fn before(&self, source: u32, moment: Timestamp) -> Option<(First, bool)> {
        let sent = |it: &First| it.came < moment;
        let own = self.of_source.get(&source).copied().filter(sent);
        let any = || Some((self.of_all.filter(sent)?, false));
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
            let there = rank(it.earlier.send);
            let waited = it.wait.duration().0;
            (
                rank(it.wait.call),
                waited,
                there,
                it.same_source,
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
    fn what_is_sent_later_or_was_received_before_is_none() {
        check(
            "0: 0 enter(MPI_Recv) 12 recv<2 13 leave(MPI_Recv) 20 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv) 83 enter(MPI_Recv) 94 recv<2 95 leave(MPI_Recv)
             1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send)
             2: 0 10 enter(MPI_Send) 11 send>0 12 leave(MPI_Send) 90 enter(MPI_Send) 91 send>0 92 leave(MPI_Send)",
            &[],
        );
    }
}
