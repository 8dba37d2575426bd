//! Receives that could have got another message than they got.
//!
//! A receive or probe with a wildcard races with every message that suits it,
//! that no receive posted earlier takes, and whose sender did not know yet,
//! when it sent, which message the receive had got: the frontier races of
//! Netzer and Miller 1992. Since messages of one sender do not overtake each
//! other, only the first of each sender can be an alternative; that others
//! follow it is noted, which makes one entry of a block race (Clémençon et
//! al. 1995). What counts is the order of posts, not of completions; a receive
//! of a matched probe has no choice left, its probe had.
//!
//! ```
//! use mpiscope_analysis::races::Races;
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 1 send>1
//!     1: 4 recv<0(any) 6 recv<2
//!     2: 2 send>1
//! ")?;
//! let races = Races::find(&trace, &trace.matching());
//! let race = &races.list()[0];
//! assert_eq!(trace.time(race.alternatives[0].send).0, 2);
//! assert!(race.alternatives[0].meaning.is_hazard(), "rank 2 has no other message for the second");
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod sites;

use std::collections::BTreeMap;

use mpiscope_model::{
    CommId, EventRef, Location, LocationIndex, Matching, Processes as Job, Trace,
};
use rayon::prelude::*;

use crate::errors;
use crate::happened_before::{sweep_with, Columns};
use crate::inbox::{self, Class, Inbox, Span, NONE};
use crate::meaning::{Judge, Meaning, Stuck, Tags};
use crate::processes::Processes;
pub(crate) use sites::first_of_lines;
pub use sites::{CallPlace, Group, Senders};

/// A receive or probe that could have got another message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Race {
    /// Its completion: MpiRecv, MpiIrecv or MpiProbe.
    pub receive: EventRef,
    /// Where it was posted: its MpiIrecvRequest, else the same event.
    pub post: EventRef,
    /// It is a probe.
    pub probe: bool,
    /// The send of the message that it got.
    pub message: Option<EventRef>,
    /// What it could have got instead, by sender.
    pub alternatives: Vec<Alternative>,
}

/// A message that a receive could have got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alternative {
    /// The MpiSend or MpiIsend event.
    pub send: EventRef,
    /// How many later messages of its sender race with the receive as well.
    pub block: u32,
    /// What would follow.
    pub meaning: Meaning,
}

/// All races of a trace.
#[derive(Debug, Default)]
pub struct Races {
    /// Of each process.
    pub(crate) parts: Vec<Part>,
    /// Waits of the trace that contradict each other, and were passed over.
    pub contradictions: usize,
}

/// The races of one process.
#[derive(Debug)]
pub(crate) struct Part {
    pub inbox: Inbox,
    pub classes: Vec<Class>,
    pub judges: Vec<Judge>,
}

impl Races {
    /// Finds all races of a trace.
    pub fn find(trace: &Trace, matching: &Matching) -> Races {
        Races::find_stuck(trace, matching, stuck)
    }

    /// Finds all races of a trace in which something may be missing: that a receive waited for
    /// ever cannot be told then, and no race is said to have caused it.
    pub fn find_in_part(trace: &Trace, matching: &Matching) -> Races {
        Races::find_stuck(trace, matching, |_, _, processes| none_of(processes))
    }

    fn find_stuck(
        trace: &Trace,
        matching: &Matching,
        stuck: impl Fn(&Trace, &Matching, &Processes) -> Vec<Vec<Stuck>>,
    ) -> Races {
        let processes = Processes::new(trace);
        let threads = sending_threads(trace, &processes);
        let wanted = with_choice(trace, &processes, &threads);
        if !wanted.contains(&true) {
            return Races::default();
        }
        let mut inboxes = inbox::read(trace, matching, &processes, &wanted);
        let mut classes: Vec<Vec<Class>> = (inboxes.iter())
            .map(|inbox| classes(inbox, &threads))
            .collect();
        let contradictions = learn(trace, matching, &threads, &mut inboxes, &mut classes);
        let stuck = stuck(trace, matching, &processes);
        let parts =
            inboxes
                .into_iter()
                .zip(classes)
                .zip(&stuck)
                .map(|((inbox, mut classes), stuck)| {
                    classes.iter_mut().for_each(|class| class.find(&inbox));
                    classes.retain(|class| !class.spans.is_empty());
                    let tags = Tags::new(&inbox);
                    let judge = |class: &Class| Judge::new(&inbox, class, &tags, stuck);
                    let judges = classes.iter().map(judge).collect();
                    Part {
                        inbox,
                        classes,
                        judges,
                    }
                });
        Races {
            parts: parts.collect(),
            contradictions,
        }
    }

    /// Returns how many receives and probes race.
    pub fn count(&self) -> usize {
        let racing = |class: &Class| class.alternatives.iter().filter(|&&n| n > 0).count();
        let classes = self.parts.iter().flat_map(|part| &part.classes);
        classes.map(racing).sum()
    }

    /// Returns how many alternatives all of them have together, blocks as one.
    pub fn alternatives(&self) -> u64 {
        let classes = self.parts.iter().flat_map(|part| &part.classes);
        let all = classes.flat_map(|class| &class.alternatives);
        all.map(|&alternatives| u64::from(alternatives)).sum()
    }

    /// Returns all races, by receive. There may be as many alternatives as
    /// receives times senders: see [`groups`](Self::groups) for a summary that
    /// does not list them.
    pub fn list(&self) -> Vec<Race> {
        let mut races = Vec::with_capacity(self.count());
        for part in &self.parts {
            for (class, judge) in part.classes.iter().zip(&part.judges) {
                class.each(&part.inbox, |at, spans| {
                    races.push(part.race(class, judge, at, spans));
                    true
                });
            }
        }
        races.sort_unstable();
        races
    }
}

impl Part {
    /// Describes the race of an entry with these alternatives.
    fn race(&self, class: &Class, judge: &Judge, at: usize, spans: &[Span]) -> Race {
        let inbox = &self.inbox;
        let entry = &inbox.entries[class.list[at] as usize];
        let send = |message: u32| inbox.incoming[message as usize].send;
        let alternative = |&span: &Span| Alternative {
            send: send(class.messages[span.row as usize]),
            block: class.block(inbox, at, span),
            meaning: judge.meaning(inbox, class, at, span),
        };
        let mut alternatives: Vec<Alternative> = spans.iter().map(alternative).collect();
        alternatives.sort_unstable();
        Race {
            receive: entry.event,
            post: entry.post,
            probe: !entry.takes || entry.matched_probe,
            message: (entry.message != NONE).then(|| send(entry.message)),
            alternatives,
        }
    }
}

fn none_of(processes: &Processes) -> Vec<Vec<Stuck>> {
    vec![Vec::new(); processes.locations.len()]
}

/// Returns for each process its receives that wait for ever.
fn stuck(trace: &Trace, matching: &Matching, processes: &Processes) -> Vec<Vec<Stuck>> {
    let mut stuck = none_of(processes);
    for event in errors::starving(trace, matching) {
        let events = &trace.locations[event.location.index()].events;
        let Some(posted) = events.posted(event.index as usize) else {
            continue;
        };
        let source = posted
            .source
            .map(|source| processes.peer(trace, event.location, posted.comm, source));
        if source == Some(None) {
            continue;
        }
        stuck[processes.of[event.location.index()] as usize].push(Stuck {
            event,
            comm: posted.comm,
            source: source.flatten(),
            tag: posted.tag,
        });
    }
    stuck
}

/// Returns for each process those of its locations that send, if there are
/// several.
fn sending_threads(trace: &Trace, processes: &Processes) -> Vec<Vec<LocationIndex>> {
    use mpiscope_model::EventKind::{MpiIsend, MpiSend};
    let sends = |location: &&LocationIndex| {
        let kinds = trace.locations[location.index()].events.kinds();
        kinds.iter().any(|kind| matches!(kind, MpiSend | MpiIsend))
    };
    let several = |locations: &Vec<LocationIndex>| {
        if locations.len() < 2 {
            return Vec::new();
        }
        let sending: Vec<_> = locations.iter().filter(sends).copied().collect();
        if sending.len() < 2 {
            Vec::new()
        } else {
            sending
        }
    };
    processes.locations.iter().map(several).collect()
}

/// Returns whether processes that share a trace find together that nothing races in it, as no receive
/// had a choice, and nothing is wrong. Where they do not there may be nothing, too: who has all events
/// has to look.
pub fn nothing_to_find(trace: &Trace, matching: &Matching, job: &dyn Job) -> bool {
    let processes = Processes::new(trace);
    let threads = sending_threads(trace, &processes);
    let has_choice = with_choice(trace, &processes, &threads).contains(&true);
    let any = job.share_all(vec![has_choice]).concat().contains(&true);
    errors::nothing_is_wrong(trace, matching, job) && !any
}

/// Returns which processes have receives or probes that more than one thread
/// can send to.
fn with_choice(trace: &Trace, processes: &Processes, threads: &[Vec<LocationIndex>]) -> Vec<bool> {
    if threads.iter().any(|threads| !threads.is_empty()) {
        return vec![true; processes.locations.len()];
    }
    let has_choice = |location: &Location| {
        let mut messages = location.events.messages().iter();
        messages.any(|message| message.any_source)
    };
    let locations: Vec<bool> = trace.locations.par_iter().map(has_choice).collect();
    let mut wanted = vec![false; processes.locations.len()];
    for (has_choice, process) in locations.into_iter().zip(&processes.of) {
        wanted[*process as usize] |= has_choice;
    }
    wanted
}

/// Sorts the entries of an inbox that have a choice by what they ask for.
fn classes(inbox: &Inbox, threads: &[Vec<LocationIndex>]) -> Vec<Class> {
    type Key = (LocationIndex, CommId, Option<u32>, Option<u32>);
    let mut lists: BTreeMap<Key, Vec<u32>> = BTreeMap::new();
    for (at, entry) in inbox.entries.iter().enumerate() {
        let several = |source| threads.get(source as usize).is_some_and(|t| !t.is_empty());
        if entry.source.is_none_or(several) {
            let key = (entry.event.location, entry.comm, entry.source, entry.tag);
            lists.entry(key).or_default().push(at as u32);
        }
    }
    let mut by_tag: BTreeMap<(CommId, Option<u32>), Vec<u32>> = BTreeMap::new();
    for (_, comm, _, tag) in lists.keys() {
        by_tag.insert((*comm, *tag), Vec::new());
    }
    for (number, incoming) in inbox.incoming.iter().enumerate() {
        for tag in [None, Some(incoming.tag)] {
            if let Some(messages) = by_tag.get_mut(&(incoming.comm, tag)) {
                messages.push(number as u32);
            }
        }
    }
    let class = |((location, comm, source, tag), list): (Key, Vec<u32>)| {
        let suits = |message: &&u32| {
            let process = inbox.incoming[**message as usize].process;
            source.is_none_or(|source| source == process)
        };
        let messages = &by_tag[&(comm, tag)];
        Class {
            location,
            comm,
            tag,
            list,
            messages: messages.iter().filter(suits).copied().collect(),
            spans: Vec::new(),
            alternatives: Vec::new(),
            seen: Vec::new(),
        }
    };
    lists.into_iter().map(class).collect()
}

/// Finds out what the senders of all messages knew.
fn learn(
    trace: &Trace,
    matching: &Matching,
    threads: &[Vec<LocationIndex>],
    inboxes: &mut [Inbox],
    classes: &mut [Vec<Class>],
) -> usize {
    let mut columns: Vec<LocationIndex> = threads.iter().flatten().copied().collect();
    let mut questions: Vec<EventRef> = Vec::new();
    let mut asked: Vec<(u32, u32)> = Vec::new();
    for (process, (inbox, classes)) in inboxes.iter_mut().zip(classes).enumerate() {
        let several = |class: &Class| {
            let mut senders = class.messages.iter();
            let sender = |message: &u32| inbox.incoming[*message as usize].send.location;
            let first = senders.next().map(sender);
            senders.any(|message| Some(sender(message)) != first)
        };
        classes.retain(several);
        inbox.columns = classes.iter().map(|class| class.location).collect();
        inbox.columns.sort_unstable();
        inbox.columns.dedup();
        columns.extend(&inbox.columns);
        inbox.known = vec![0; inbox.columns.len() * inbox.incoming.len()];
        if !classes.is_empty() {
            for (number, incoming) in inbox.incoming.iter().enumerate() {
                questions.push(incoming.send);
                asked.push((process as u32, number as u32));
            }
        }
    }
    let columns = Columns::some(trace, columns);
    if questions.is_empty() {
        return 0;
    }
    let decided: Vec<_> = inboxes.iter().flat_map(decided).collect();
    sweep_with(
        trace,
        matching,
        &decided,
        &columns,
        &questions,
        |question, known| {
            let (process, number) = asked[question];
            let inbox = &mut inboxes[process as usize];
            let width = inbox.columns.len();
            let row = &mut inbox.known[number as usize * width..][..width];
            for (place, &column) in row.iter_mut().zip(&inbox.columns) {
                *place = known
                    .latest(column)
                    .map_or(0, |latest| latest.saturating_add(1));
            }
            let incoming = &inbox.incoming[number as usize];
            let siblings = threads[incoming.process as usize].iter();
            let others = siblings.filter(|thread| **thread != incoming.send.location);
            let others: Vec<_> = others
                .filter_map(|&thread| Some((thread, known.latest(thread)?)))
                .collect();
            if !others.is_empty() {
                inbox.siblings.insert(number, others);
            }
        },
    )
}

/// Returns the sends whose messages are known to have been matched before
/// their receives complete, with the events that show it.
fn decided(inbox: &Inbox) -> impl Iterator<Item = (EventRef, EventRef)> + '_ {
    let early = inbox
        .entries
        .iter()
        .filter(|entry| entry.post != entry.event && entry.decided < entry.event.index);
    early.filter_map(|entry| {
        let send = inbox.incoming.get(entry.message as usize)?.send;
        let shows = EventRef {
            index: entry.decided,
            ..entry.event
        };
        (send.location != shows.location).then_some((send, shows))
    })
}
