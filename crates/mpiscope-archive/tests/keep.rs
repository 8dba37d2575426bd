//! Of a run whose older records were given up all the others are there, and their messages meet whom
//! they met.
#![forbid(unsafe_code)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use common::{
    begin, definitions, finalize_processes, message, BARRIER, FINALIZE, INIT, IRECV, ISEND, RECV,
    SEND, START, WAIT,
};
use mpiscope_archive::trace::read_trace;
use mpiscope_model::{Event, EventRef, Trace};
use mpiscope_rules::keep::Keeper;
use mpiscope_run::kept::Source;
use mpiscope_run::record::{Fact, Record};
use mpiscope_run::stored::Stored;
use proptest::prelude::*;

/// The region in which receives are told that are active; nobody looks at its name here.
const KEPT: u32 = BARRIER;
const FIRST_OWN: u32 = 100;

/// The records of a thread, and the name of its buffer.
struct Records(Vec<Record>, String);

impl Source for Records {
    fn committed(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&mut self, at: u64, most: usize, into: &mut Vec<Record>) -> io::Result<()> {
        let all = self.0.get(at as usize..).unwrap_or_default();
        into.extend(all.iter().take(most.min(7)));
        Ok(())
    }
}

/// What a program does next: in which of two threads, with which of two tags.
#[derive(Clone, Copy, Debug)]
enum Does {
    /// A message of its own.
    Blocking(usize, u32),
    /// A request.
    Begins(usize, u32),
    /// Of the requests that are active one completes.
    Completes(usize, usize),
    /// The second thread begins a call that lasts, or ends it; nothing is told in between.
    Lasts,
}

fn does() -> impl Strategy<Value = Does> {
    let thread = || 0..2usize;
    prop_oneof![
        (thread(), 0..2u32).prop_map(|(thread, tag)| Does::Blocking(thread, tag)),
        (thread(), 0..2u32).prop_map(|(thread, tag)| Does::Begins(thread, tag)),
        (thread(), any::<usize>()).prop_map(|(thread, k)| Does::Completes(thread, k)),
        Just(Does::Lasts),
    ]
}

/// A message: its tag, and which of that tag it is.
type Message = (u32, u64);

/// What one side of all messages does: the n-th message of a tag has n bytes.
#[derive(Default)]
struct Side {
    is_sender: bool,
    threads: [Vec<Record>; 2],
    /// Where the records lie that are events of messages: thread, number.
    events: BTreeMap<Message, (usize, u64)>,
    now: u64,
    numbers: [u64; 2],
    requests: u32,
    lasts: bool,
}

impl Side {
    fn push(&mut self, thread: usize, fact: Fact) -> (usize, u64) {
        self.now += 10;
        self.threads[thread].push(Record::new(START + self.now, fact));
        (thread, self.threads[thread].len() as u64 - 1)
    }

    /// In which thread a call is made: one that is in a call makes no other.
    fn free(&self, thread: usize) -> usize {
        match self.lasts {
            true => 0,
            false => thread,
        }
    }

    fn call(&mut self, thread: usize, region: u32, fact: Option<Fact>) -> (usize, u64) {
        self.push(thread, Fact::Enter { region, site: 0 });
        let at = fact.map(|fact| self.push(thread, fact));
        self.push(thread, Fact::Leave { region });
        at.unwrap_or_default()
    }

    fn next(&mut self, tag: u32) -> (Message, mpiscope_run::record::Message) {
        let number = &mut self.numbers[tag as usize];
        *number += 1;
        let bytes = *number;
        ((tag, bytes), message(u32::from(self.is_sender), tag, bytes))
    }

    fn of(program: &[Does], is_sender: bool) -> Self {
        let mut side = Side {
            is_sender,
            ..Side::default()
        };
        side.call(0, INIT, None);
        side.call(1, BARRIER, None);
        let mut active: Vec<(u32, Message)> = Vec::new();
        for does in program {
            side.does(*does, &mut active);
        }
        if side.lasts {
            side.does(Does::Lasts, &mut active);
        }
        while !active.is_empty() {
            side.does(Does::Completes(0, 0), &mut active);
        }
        side.call(0, FINALIZE, None);
        side
    }

    fn does(&mut self, does: Does, active: &mut Vec<(u32, Message)>) {
        match does {
            Does::Blocking(thread, tag) => {
                let thread = self.free(thread);
                let (number, message) = self.next(tag);
                let at = match self.is_sender {
                    true => self.call(thread, SEND, Some(Fact::Send(message))),
                    false => self.call(thread, RECV, Some(Fact::Recv(message, None))),
                };
                self.events.insert(number, at);
            }
            Does::Begins(thread, tag) => {
                let thread = self.free(thread);
                let (number, message) = self.next(tag);
                self.requests += 1;
                let request = self.requests;
                let posted = Fact::IrecvRequest {
                    request,
                    message: None,
                    posted: None,
                };
                match self.is_sender {
                    true => {
                        let at = self.call(thread, ISEND, Some(Fact::Isend(message, request)));
                        self.events.insert(number, at);
                    }
                    false => drop(self.call(thread, IRECV, Some(posted))),
                }
                active.push((request, number));
            }
            Does::Completes(thread, k) if !active.is_empty() => {
                let thread = self.free(thread);
                let (request, (tag, bytes)) = active.remove(k % active.len());
                if self.is_sender {
                    self.call(thread, WAIT, Some(Fact::IsendComplete { request }));
                    return;
                }
                let received = message(0, tag, bytes);
                let at = self.call(thread, WAIT, Some(Fact::Irecv(received, request)));
                self.events.insert((tag, bytes), at);
            }
            Does::Completes(..) => {}
            Does::Lasts => {
                self.lasts = !self.lasts;
                let region = BARRIER;
                self.push(
                    1,
                    match self.lasts {
                        true => Fact::Enter { region, site: 0 },
                        false => Fact::Leave { region },
                    },
                );
            }
        }
    }

    /// Writes the buffers, gives up what is older than these shares of the time, one after the
    /// other; returns the buffers and the messages of which events are kept.
    fn write(&self, run: &Path, shares: &[u64]) -> (Vec<Stored>, BTreeSet<Message>) {
        let rank = u32::from(!self.is_sender);
        let mut keeper = Keeper::new(FIRST_OWN, KEPT);
        let mut sources = [0, 1].map(|thread| {
            let name = format!("node1-{}-{}-{thread}.buffer", 100 + rank, 1000 + thread);
            Records(self.threads[thread].clone(), name)
        });
        for share in shares {
            let until = START + self.now * share / 100;
            keeper.give_up(&mut sources, until).unwrap();
        }
        let (kept, _) = keeper.tell(&mut sources, |it| it.1.clone()).unwrap();
        let paths: Vec<_> = (0..2)
            .map(|thread| {
                let stream = match thread {
                    0 => definitions(rank, 2),
                    _ => Vec::new(),
                };
                let mut writer = begin(run, run, rank, thread, &stream);
                for &record in &self.threads[thread as usize] {
                    writer.push(record);
                }
                writer.path().to_owned()
            })
            .collect();
        kept.write(run, &paths[0]).unwrap();
        let first = |thread: usize| kept.part(&paths[thread]).map_or(0, |part| part.first);
        let is_kept = |at: &(usize, u64)| at.1 >= first(at.0);
        let events = self.events.iter().filter(|(_, at)| is_kept(at));
        let events = events.map(|(&number, _)| number).collect();
        let stored = paths.iter().map(|path| Stored::open(path, run).unwrap());
        (stored.collect(), events)
    }
}

fn number(trace: &Trace, event: EventRef) -> Message {
    let events = &trace.locations[event.location.index()].events;
    match events.event(event.index as usize) {
        Event::MpiSend(it) | Event::MpiIsend(it) | Event::MpiRecv(it) | Event::MpiIrecv(it) => {
            (it.tag, it.bytes)
        }
        other => panic!("{other:?} is no message"),
    }
}

/// The messages of which a side has events.
fn events(trace: &Trace, is_sender: bool) -> BTreeSet<Message> {
    let mut all = BTreeSet::new();
    for location in &trace.locations {
        for at in 0..location.events.len() {
            match location.events.event(at) {
                Event::MpiSend(it) | Event::MpiIsend(it) if is_sender => {
                    all.insert((it.tag, it.bytes));
                }
                Event::MpiRecv(it) | Event::MpiIrecv(it) if !is_sender => {
                    all.insert((it.tag, it.bytes));
                }
                _ => {}
            }
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Against the list of all messages: of those whose records are kept all events are there, and
    /// those of which both sides are there meet, and no others.
    #[test]
    fn what_is_kept_is_there_and_meets(
        sends in prop::collection::vec(does(), 1..60),
        receives in prop::collection::vec(does(), 1..60),
        [sent_until, received_until] in prop::array::uniform2(prop::collection::vec(0..101u64, 0..4)),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (sends, receives) = (Side::of(&sends, true), Side::of(&receives, false));
        let (sent, sent_events) = sends.write(folder.path(), &sent_until);
        let (received, received_events) = receives.write(folder.path(), &received_until);
        let (anchor, ..) = finalize_processes(folder.path(), &[&sent, &received]);
        let trace = read_trace(&anchor).unwrap();
        prop_assert_eq!(&events(&trace, true), &sent_events);
        prop_assert_eq!(&events(&trace, false), &received_events);
        let matching = trace.matching();
        let met: BTreeMap<Message, Message> = matching.messages.iter()
            .map(|it| (number(&trace, it.send), number(&trace, it.receive)))
            .collect();
        let both = sent_events.intersection(&received_events);
        let expected: BTreeMap<Message, Message> = both.map(|&it| (it, it)).collect();
        prop_assert_eq!(&met, &expected);
        prop_assert_eq!(matching.messages.len(), expected.len());
    }
}
