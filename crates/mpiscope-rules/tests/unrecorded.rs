//! What comes by while recording is off is counted as it would have been recorded.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use mpiscope_rules::unrecorded::Unrecorded;
use mpiscope_run::record::{Channel, Fact, Message, Side, Wildcard, WindowCollective};
use proptest::prelude::*;

fn message(peer: u32) -> Message {
    Message {
        peer,
        comm: 0,
        tag: 0,
        bytes: 4,
        wildcard: Wildcard::default(),
        signature: 0,
    }
}

fn posted(request: u32, peer: u32) -> Fact {
    Fact::IrecvRequest {
        request,
        message: None,
        posted: Some(message(peer)),
    }
}

/// Messages by peer.
type Counts = BTreeMap<u32, u64>;

/// What is to be recorded, in the order that matters: sends; then receives, by the one still
/// active behind which they were posted.
#[derive(Debug, Default, PartialEq)]
struct Told {
    sent: Counts,
    sending: BTreeMap<u32, u32>,
    received: Vec<(Option<u32>, Counts)>,
}

impl Told {
    fn of(facts: &[Fact]) -> Self {
        let mut told = Told {
            received: vec![(None, Counts::new())],
            ..Told::default()
        };
        for fact in facts {
            match *fact {
                Fact::Skipped(channel, count) if channel.side == Side::Sent => {
                    *told.sent.entry(channel.peer).or_default() += count;
                }
                Fact::Skipped(channel, count) => {
                    let (_, counts) = told.received.last_mut().unwrap();
                    *counts.entry(channel.peer).or_default() += count;
                }
                Fact::UnseenIsend(message, request) => {
                    told.sending.insert(request, message.peer);
                }
                Fact::IrecvRequest { request, .. } => {
                    told.received.push((Some(request), Counts::new()));
                }
                other => panic!("{other:?} is not to be told"),
            }
        }
        told
    }
}

/// What a program does.
#[derive(Clone, Copy, Debug)]
enum Does {
    Send(u32),
    Isend(u32),
    Receive(u32),
    Irecv(u32),
    /// Of the requests that are active, one completes, or is cancelled.
    Completes(usize, bool),
}

fn does() -> impl Strategy<Value = Does> {
    prop_oneof![
        (0u32..3).prop_map(Does::Send),
        (0u32..3).prop_map(Does::Isend),
        (0u32..3).prop_map(Does::Receive),
        (0u32..3).prop_map(Does::Irecv),
        (any::<usize>(), prop::bool::weighted(0.2))
            .prop_map(|(k, cancels)| Does::Completes(k, cancels)),
    ]
}

/// How a receive stands.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Active(u32),
    Done,
    Cancelled,
}

proptest! {
    /// Against a list of all receives in the order of their posts.
    #[test]
    fn receives_count_in_the_order_of_their_posts(program in prop::collection::vec(does(), 0..80)) {
        let mut table = Unrecorded::default();
        table.begin();
        let mut expected = Told::default();
        let mut receives: Vec<(u32, State)> = Vec::new();
        let mut next = 0;
        for does in program {
            next += 1;
            let fact = match does {
                Does::Send(peer) => {
                    *expected.sent.entry(peer).or_default() += 1;
                    Fact::Send(message(peer))
                }
                Does::Isend(peer) => {
                    expected.sending.insert(next, peer);
                    Fact::Isend(message(peer), next)
                }
                Does::Receive(peer) => {
                    receives.push((peer, State::Done));
                    Fact::Recv(message(peer), None)
                }
                Does::Irecv(peer) => {
                    receives.push((peer, State::Active(next)));
                    posted(next, peer)
                }
                Does::Completes(k, cancels) => {
                    let sends = expected.sending.keys().map(|&request| (request, None));
                    let active = receives.iter().enumerate().filter_map(|(at, it)| match it.1 {
                        State::Active(request) => Some((request, Some(at))),
                        _ => None,
                    });
                    let all: Vec<(u32, Option<usize>)> = sends.chain(active).collect();
                    let Some(&(request, receive)) = all.get(k % all.len().max(1)) else {
                        continue;
                    };
                    match (receive, cancels) {
                        (Some(at), true) => receives[at].1 = State::Cancelled,
                        (Some(at), false) => receives[at].1 = State::Done,
                        (None, true) => drop(expected.sending.remove(&request)),
                        (None, false) => {
                            let peer = expected.sending.remove(&request).unwrap();
                            *expected.sent.entry(peer).or_default() += 1;
                        }
                    }
                    match (receive, cancels) {
                        (_, true) => Fact::RequestCancelled { request },
                        (None, false) => Fact::IsendComplete { request },
                        (Some(at), false) => Fact::Irecv(message(receives[at].0), request),
                    }
                }
            };
            prop_assert_eq!(table.note(fact), None);
        }
        expected.received.push((None, Counts::new()));
        for (peer, state) in receives {
            match state {
                State::Active(request) => expected.received.push((Some(request), Counts::new())),
                State::Cancelled => {}
                State::Done => {
                    let (_, counts) = expected.received.last_mut().unwrap();
                    *counts.entry(peer).or_default() += 1;
                }
            }
        }
        prop_assert_eq!(Told::of(&table.into_facts()), expected);
    }
}

/// A call that began before recording was switched on may end afterwards, in another thread.
#[test]
fn what_comes_late_is_recorded_one_by_one() {
    let mut table = Unrecorded::default();
    let skipped = table.note(Fact::Send(message(1)));
    assert!(matches!(skipped, Some(Fact::Skipped(channel, 1)) if channel.peer == 1));
    let late = table.note(Fact::Irecv(message(2), 7));
    assert_eq!(late, Some(Fact::UnseenIrecv(message(2), 7)));
    assert!(table.into_facts().is_empty());
}

#[test]
fn fences_are_counted_by_window() {
    let fence = |window| {
        Fact::WindowCollectiveEnd(WindowCollective {
            window,
            op: 0,
            synchronizes: true,
        })
    };
    let mut table = Unrecorded::default();
    table.begin();
    for window in [4, 4, 5] {
        assert_eq!(table.note(fence(window)), None);
    }
    let mut told = table.into_facts();
    told.sort_by_key(|fact| format!("{fact:?}"));
    let skipped = |window, count| Fact::Skipped(Channel::window(window), count);
    assert_eq!(told, [skipped(4, 2), skipped(5, 1)]);
}
