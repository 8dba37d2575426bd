//! Which alternatives to force, the most suspicious first.
//!
//! Alternatives of one class have the same receiving call and the same sending
//! call. A match hazard comes before an order race; of these a class with few
//! members before one with many, as a program that races everywhere is mostly
//! meant to; then what comes early in the run. Every class has its turn before
//! any has a second.

use std::collections::BTreeMap;

use mpiscope_analysis::races::{CallPlace, Race, Races};
use mpiscope_archive::choices::{taken, Choices};
use mpiscope_archive::model::{Event, EventRef, LocationIndex, PointToPoint, Trace};
use mpiscope_run::order::Taken;
use serde::{Deserialize, Serialize};

use super::alter::{Flip, Which};

/// An alternative that can be forced.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct Candidate {
    /// The race, without its other alternatives: of all together there may be many millions.
    pub race: Race,
    /// The send of the message that it is to take.
    pub send: EventRef,
    /// World rank of the sender.
    pub sender: u32,
    /// The choice to be altered.
    pub flip: Flip,
    /// A receive would starve, or the message does not fit.
    pub hazard: bool,
    /// Alternatives of its class.
    pub alike: usize,
}

impl Candidate {
    /// Names the alternative, the same in every exploration of the run.
    pub fn key(&self) -> String {
        let flip = self.flip;
        let (what, at) = match flip.which {
            Which::Receive(at) => ("receive", at),
            Which::Outcome(at) => ("poll", at),
        };
        let tag = flip
            .taken
            .tag
            .map_or(String::new(), |tag| format!(" tag {tag}"));
        let (rank, thread, source) = (flip.rank, flip.thread, flip.taken.source);
        format!("rank {rank} thread {thread} {what} {at} from {source}{tag}")
    }
}

/// A candidate as it is kept beside an archive; an event is its location and its number there.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    receive: (u32, u32),
    post: (u32, u32),
    probe: bool,
    message: Option<(u32, u32)>,
    send: (u32, u32),
    sender: u32,
    rank: u32,
    thread: u32,
    outcome: bool,
    at: usize,
    source: u32,
    tag: Option<u32>,
    hazard: bool,
    alike: usize,
}

impl From<Candidate> for Kept {
    fn from(it: Candidate) -> Kept {
        let kept = |event: EventRef| (event.location.0, event.index);
        let (outcome, at) = match it.flip.which {
            Which::Receive(at) => (false, at),
            Which::Outcome(at) => (true, at),
        };
        Kept {
            receive: kept(it.race.receive),
            post: kept(it.race.post),
            probe: it.race.probe,
            message: it.race.message.map(kept),
            send: kept(it.send),
            sender: it.sender,
            rank: it.flip.rank,
            thread: it.flip.thread,
            outcome,
            at,
            source: it.flip.taken.source,
            tag: it.flip.taken.tag,
            hazard: it.hazard,
            alike: it.alike,
        }
    }
}

impl From<Kept> for Candidate {
    fn from(it: Kept) -> Candidate {
        let event = |(location, index)| EventRef {
            location: LocationIndex(location),
            index,
        };
        let which = match it.outcome {
            false => Which::Receive(it.at),
            true => Which::Outcome(it.at),
        };
        Candidate {
            race: Race {
                receive: event(it.receive),
                post: event(it.post),
                probe: it.probe,
                message: it.message.map(event),
                alternatives: Vec::new(),
            },
            send: event(it.send),
            sender: it.sender,
            flip: Flip {
                rank: it.rank,
                thread: it.thread,
                which,
                taken: Taken {
                    source: it.source,
                    tag: it.tag,
                },
            },
            hazard: it.hazard,
            alike: it.alike,
        }
    }
}

type Class = (CallPlace, CallPlace);

/// Lists the alternatives of a trace's races in the order in which to force them.
pub fn candidates(trace: &Trace, choices: &Choices, races: &Races) -> Vec<Candidate> {
    let mut classes: BTreeMap<Class, Vec<Candidate>> = BTreeMap::new();
    let mut places: BTreeMap<EventRef, CallPlace> = BTreeMap::new();
    let mut place = |event| {
        *places
            .entry(event)
            .or_insert_with(|| CallPlace::of(trace, event))
    };
    for race in races.list() {
        for candidate in of_race(trace, choices, &race) {
            let class = (place(race.post), place(candidate.send));
            classes.entry(class).or_default().push(candidate);
        }
    }
    let mut queues: Vec<Vec<Candidate>> = classes.into_values().collect();
    let time = |candidate: &Candidate| trace.time(candidate.race.receive);
    for queue in &mut queues {
        let alike = queue.len();
        queue.iter_mut().for_each(|it| it.alike = alike);
        queue.sort_by_key(|it| (!it.hazard, time(it)));
    }
    let mut rounds: Vec<(usize, Candidate)> = (queues.into_iter())
        .flat_map(|queue| queue.into_iter().enumerate())
        .collect();
    rounds.sort_by_key(|(round, it)| (!it.hazard, *round, it.alike, time(it)));
    rounds.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Returns the alternatives of one race.
pub fn of_race(trace: &Trace, choices: &Choices, race: &Race) -> Vec<Candidate> {
    let location = &trace.locations[race.post.location.index()];
    let (rank, thread) = (location.rank.0, location.thread);
    let Some(which) = which(choices, rank, thread, race) else {
        return Vec::new();
    };
    let Some(received) = message(trace, race.receive) else {
        return Vec::new();
    };
    let candidate = |alternative: &mpiscope_analysis::races::Alternative| {
        let send = alternative.send;
        let sender = trace.locations[send.location.index()].rank;
        let comm = trace.definitions.communicators.get(received.comm.index())?;
        let group = comm.group_facing(location.rank);
        let source = group.iter().position(|&rank| rank == sender)? as u32;
        let tag = message(trace, send)?.tag;
        Some(Candidate {
            race: Race {
                alternatives: Vec::new(),
                ..*race
            },
            send,
            sender: sender.0,
            flip: Flip {
                rank,
                thread,
                which,
                taken: Taken {
                    source,
                    tag: taken(received).tag.map(|_| tag),
                },
            },
            hazard: alternative.meaning.is_hazard(),
            alike: 0,
        })
    };
    race.alternatives.iter().filter_map(candidate).collect()
}

/// Returns which choice of its thread a race is.
fn which(choices: &Choices, rank: u32, thread: u32, race: &Race) -> Option<Which> {
    let thread = choices.0.get(&(rank, thread))?;
    let posted = thread.receives.iter().position(|it| it.post == race.post);
    if let Some(at) = posted {
        return Some(Which::Receive(at));
    }
    // A poll found it: the outcome is the return of its call.
    let at = thread
        .outcomes
        .partition_point(|it| it.event < race.post.index);
    (race.probe && at < thread.outcomes.len()).then_some(Which::Outcome(at))
}

/// Returns what a send, receive or probe says of its message.
pub fn message(trace: &Trace, event: EventRef) -> Option<&PointToPoint> {
    let events = &trace.locations.get(event.location.index())?.events;
    match events.event(event.index as usize) {
        Event::MpiSend(message)
        | Event::MpiIsend(message)
        | Event::MpiRecv(message)
        | Event::MpiIrecv(message)
        | Event::MpiProbe(message) => Some(message),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows which receive of rank 0 is to take whose message, in order.
    #[track_caller]
    fn check(picture: &str, expected: &[&str]) {
        let trace = Trace::parse(picture).unwrap();
        let races = Races::find(&trace, &trace.matching());
        let all = candidates(&trace, &Choices::of(&trace), &races);
        let shown = all.iter().map(|it| {
            let hazard = if it.hazard { " hazard" } else { "" };
            format!("{:?} from {}{hazard}", it.flip.which, it.sender)
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        // What is kept of them is all of them.
        let kept = serde_json::to_string(&all).unwrap();
        let back: Vec<Candidate> = serde_json::from_str(&kept).unwrap();
        assert_eq!(format!("{back:?}"), format!("{all:?}"));
    }

    #[test]
    fn calls_that_race_seldom_come_first_and_each_before_any_comes_again() {
        check(
            "0: 1 enter(MPI_Recv) !at(a.c:1) 5 recv<1(any) 6 leave(MPI_Recv) 7 enter(MPI_Recv) !at(a.c:1) 8 recv<2(any) 9 leave(MPI_Recv) 10 enter(MPI_Recv) !at(a.c:2) 11 recv<1(any) 12 leave(MPI_Recv) 13 enter(MPI_Recv) !at(a.c:2) 14 recv<2(any) 15 leave(MPI_Recv)
             1: 1 send>0 2 send>0
             2: 1 send>0 2 send>0",
            &[
                "Receive(2) from 2",
                "Receive(0) from 2",
                "Receive(1) from 1",
            ],
        );
    }

    #[test]
    fn a_poll_is_the_outcome_that_found_the_message() {
        check(
            "0: 1 enter(MPI_Iprobe) 2 leave(MPI_Iprobe) 3 enter(MPI_Iprobe) 4 probe<1(any) 5 leave(MPI_Iprobe) 6 recv<1 7 recv<2
             1: 1 send>0
             2: 1 send>0",
            &["Outcome(0) from 2"],
        );
    }
}
