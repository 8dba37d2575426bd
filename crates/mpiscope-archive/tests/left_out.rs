//! Messages of calls that a filter leaves out are counted, so that the others meet whom they met.
#![forbid(unsafe_code)]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{
    buffer, definitions, finalize, message, FINALIZE, INIT, IRECV, ISEND, RECV, SEND, WAIT,
};
use mpiscope_archive::trace::read_trace;
use mpiscope_model::{Event, EventRef, Trace};
use mpiscope_rules::unrecorded::Unrecorded;
use mpiscope_run::record::{Fact, LEFT_OUT};
use proptest::prelude::*;

/// What a rank tells, as the agent does: what is left out is counted, and told by the next call
/// that is not.
#[derive(Default)]
struct Teller {
    facts: Vec<Fact>,
    table: Unrecorded,
    requests: u32,
}

impl Teller {
    fn call(&mut self, region: u32, is_left_out: bool, fact: Fact) {
        if is_left_out {
            self.table.begin();
            self.facts.extend(self.table.note(fact));
            return;
        }
        self.facts.push(Fact::Enter { region, site: 0 });
        self.facts
            .extend(std::mem::take(&mut self.table).into_facts());
        self.facts.push(fact);
        self.facts.push(Fact::Leave { region });
    }

    fn empty(&mut self, region: u32) {
        self.facts.push(Fact::Enter { region, site: 0 });
        self.facts.push(Fact::Leave { region });
    }

    fn request(&mut self, is_left_out: bool) -> u32 {
        self.requests += 1;
        match is_left_out {
            true => self.requests | LEFT_OUT,
            false => self.requests,
        }
    }
}

/// What a program does next; whether that is left out.
#[derive(Clone, Copy, Debug)]
enum Does {
    /// A message of its own.
    Blocking(bool),
    /// A request.
    Begins(bool),
    /// Of the requests that are active one completes, by another call.
    Completes(usize, bool),
}

fn does() -> impl Strategy<Value = Does> {
    let is_left_out = || prop::bool::weighted(0.4);
    prop_oneof![
        is_left_out().prop_map(Does::Blocking),
        is_left_out().prop_map(Does::Begins),
        (any::<usize>(), is_left_out()).prop_map(|(k, out)| Does::Completes(k, out)),
    ]
}

/// All that one side does, and its events: the n-th message has n bytes.
fn side(program: &[Does], is_sender: bool) -> (Vec<Fact>, BTreeSet<u64>) {
    let mut teller = Teller::default();
    teller.empty(INIT);
    let mut active: Vec<(u32, u64)> = Vec::new();
    let (mut number, mut events) = (0, BTreeSet::new());
    let of = |number| message(u32::from(is_sender), 5, number);
    for does in program {
        match *does {
            Does::Blocking(out) => {
                number += 1;
                let (region, fact) = match is_sender {
                    true => (SEND, Fact::Send(of(number))),
                    false => (RECV, Fact::Recv(of(number), None)),
                };
                teller.call(region, out, fact);
                events.extend((!out).then_some(number));
            }
            Does::Begins(out) => {
                number += 1;
                let request = teller.request(out);
                let (region, fact) = match is_sender {
                    true => (ISEND, Fact::Isend(of(number), request)),
                    false => (
                        IRECV,
                        Fact::IrecvRequest {
                            request,
                            message: None,
                            posted: None,
                        },
                    ),
                };
                teller.call(region, out, fact);
                events.extend((is_sender && !out).then_some(number));
                active.push((request, number));
            }
            Does::Completes(k, out) if !active.is_empty() => {
                let (request, number) = active.remove(k % active.len());
                let fact = match is_sender {
                    true => Fact::IsendComplete { request },
                    false => Fact::Irecv(of(number), request),
                };
                teller.call(WAIT, out, fact);
                let is_told = !out && request & LEFT_OUT == 0;
                events.extend((!is_sender && is_told).then_some(number));
            }
            Does::Completes(..) => {}
        }
    }
    for (request, number) in active {
        let fact = match is_sender {
            true => Fact::IsendComplete { request },
            false => Fact::Irecv(of(number), request),
        };
        teller.call(WAIT, true, fact);
    }
    teller.empty(FINALIZE);
    (teller.facts, events)
}

fn bytes(trace: &Trace, event: EventRef) -> u64 {
    let events = &trace.locations[event.location.index()].events;
    match events.event(event.index as usize) {
        Event::MpiSend(it) | Event::MpiIsend(it) | Event::MpiRecv(it) | Event::MpiIrecv(it) => {
            it.bytes
        }
        other => panic!("{other:?} is no message"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Against a list of all messages: those of which both sides are told meet, and no others.
    #[test]
    fn what_is_told_on_both_sides_meets(
        sends in prop::collection::vec(does(), 1..40),
        receives in prop::collection::vec(does(), 1..40),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (sent, sent_events) = side(&sends, true);
        let (received, received_events) = side(&receives, false);
        let buffers = [
            buffer(folder.path(), 0, &definitions(0, 2), &sent),
            buffer(folder.path(), 1, &definitions(1, 2), &received),
        ];
        let (anchor, ..) = finalize(folder.path(), &buffers);
        let trace = read_trace(&anchor).unwrap();
        let matching = trace.matching();
        let met: BTreeMap<u64, u64> = matching.messages.iter()
            .map(|it| (bytes(&trace, it.send), bytes(&trace, it.receive)))
            .collect();
        let both = sent_events.intersection(&received_events);
        let expected: BTreeMap<u64, u64> = both.map(|&number| (number, number)).collect();
        prop_assert_eq!(&met, &expected);
        prop_assert_eq!(matching.messages.len(), expected.len());
    }
}
