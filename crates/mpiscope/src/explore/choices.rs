//! Which event of a trace made which choice of the order record.
//!
//! The nth wildcard receive or blocking probe that a thread posted is the nth
//! in its record, and so are its waits for several requests and its polls that
//! succeeded. A trace without a record has the receives at least.

use std::collections::{BTreeMap, HashMap};

use mpiscope_run::model::{
    Event, EventRef, Location, LocationIndex, PointToPoint, RequestId, Trace,
};
use mpiscope_run::order::{Origin, RankOrder, Record, Taken, ThreadOrder};

/// The choices of all threads, by world rank and thread.
#[derive(Debug, Default)]
pub struct Choices(pub BTreeMap<(u32, u32), Thread>);

/// The choices of one thread.
#[derive(Debug, Default)]
pub struct Thread {
    /// Its location.
    pub location: LocationIndex,
    /// Wildcard receives and blocking probes, in the order of posting.
    pub receives: Vec<Receive>,
    /// The returns of waits for several requests and of polls that succeeded.
    pub outcomes: Vec<u32>,
}

/// A receive or blocking probe with a wildcard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receive {
    /// Where it was posted.
    pub post: EventRef,
    /// Where it completed, if it did.
    pub done: Option<EventRef>,
    /// What it took.
    pub taken: Option<Taken>,
}

impl Choices {
    /// Finds the choices of a trace.
    pub fn of(trace: &Trace) -> Choices {
        let completed = completed(trace);
        let mut all = Choices::default();
        for (location, index) in trace.locations.iter().zip(0..) {
            let index = LocationIndex(index);
            let mut walk = Walk::new(index, &completed);
            for at in 0..location.events.len() {
                walk.event(trace, location, at);
            }
            let key = (location.rank.0, location.thread);
            all.0.insert(key, walk.thread);
        }
        all
    }

    /// Returns what the receives say, as a record.
    pub fn record(&self, trace: &Trace) -> Record {
        let mut ranks: BTreeMap<u32, RankOrder> = BTreeMap::new();
        for (&(rank, number), thread) in &self.0 {
            let order = ranks.entry(rank).or_insert_with(|| RankOrder {
                rank,
                ..RankOrder::default()
            });
            order.threads.push(ThreadOrder {
                number,
                receives: thread.receives.iter().map(|it| it.taken).collect(),
                ..ThreadOrder::default()
            });
        }
        let processes = trace.definitions.processes.len().max(ranks.len());
        Record {
            origin: Origin {
                world_size: processes as u32,
                ..Origin::default()
            },
            ranks: ranks.into_values().collect(),
        }
    }
}

/// Where nonblocking receives completed, whichever thread saw it.
fn completed(trace: &Trace) -> HashMap<(u32, RequestId), (EventRef, PointToPoint)> {
    let mut all = HashMap::new();
    for (location, number) in trace.locations.iter().zip(0..) {
        for (index, (_, event)) in location.events.iter().enumerate() {
            if let Event::MpiIrecv(message) = event {
                if let Some(request) = message.request {
                    let at = EventRef::new(LocationIndex(number), index);
                    all.insert((location.rank.0, request), (at, *message));
                }
            }
        }
    }
    all
}

/// What the call that is being walked through is to the record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    /// A wait for one or some of several requests: always an outcome.
    Wait,
    /// A test of requests: an outcome unless some were found incomplete.
    Test,
    /// A poll for messages: an outcome if it found one.
    Poll,
    Other,
}

fn call(name: &str) -> Call {
    match name {
        "MPI_Waitany" | "MPI_Waitsome" => Call::Wait,
        "MPI_Test" | "MPI_Testall" | "MPI_Testany" | "MPI_Testsome" => Call::Test,
        "MPI_Iprobe" | "MPI_Improbe" => Call::Poll,
        _ => Call::Other,
    }
}

struct Walk<'a> {
    thread: Thread,
    completed: &'a HashMap<(u32, RequestId), (EventRef, PointToPoint)>,
    within: Vec<Call>,
    /// Within the call something was found, or something was found incomplete.
    found: bool,
    incomplete: bool,
}

impl<'a> Walk<'a> {
    fn new(
        location: LocationIndex,
        completed: &'a HashMap<(u32, RequestId), (EventRef, PointToPoint)>,
    ) -> Self {
        let thread = Thread {
            location,
            ..Thread::default()
        };
        Walk {
            thread,
            completed,
            within: Vec::new(),
            found: false,
            incomplete: false,
        }
    }

    fn event(&mut self, trace: &Trace, location: &Location, index: usize) {
        let at = EventRef::new(self.thread.location, index);
        match location.events.event(index) {
            Event::Enter(region) => {
                let region = trace.definitions.regions.get(region.index());
                self.within
                    .push(region.map_or(Call::Other, |region| call(&region.name)));
                (self.found, self.incomplete) = (false, false);
            }
            Event::Leave(_) => {
                let is_outcome = match self.within.pop() {
                    Some(Call::Wait) => true,
                    Some(Call::Test) => self.found || !self.incomplete,
                    Some(Call::Poll) => self.found,
                    Some(Call::Other) | None => false,
                };
                if is_outcome {
                    self.thread.outcomes.push(index as u32);
                }
            }
            Event::MpiProbe(message) => {
                self.found = true;
                if self.within.last() != Some(&Call::Poll) && is_wild(message) {
                    self.receive(at, Some((at, *message)));
                }
            }
            // One with a request belongs to a matched probe, which had the choice.
            Event::MpiRecv(message) if message.request.is_none() && is_wild(message) => {
                self.receive(at, Some((at, *message)));
            }
            Event::MpiIrecv(_)
            | Event::MpiIsendComplete(_)
            | Event::NonBlockingCollectiveComplete(..) => self.found = true,
            Event::MpiRequestTest(_) => self.incomplete = true,
            Event::MpiIrecvRequest(request) => {
                let done = self.completed.get(&(location.rank.0, request)).copied();
                let wild = match (location.events.posted(index), &done) {
                    (Some(posted), _) => posted.source.is_none() || posted.tag.is_none(),
                    (None, Some((_, message))) => is_wild(message),
                    (None, None) => false,
                };
                if wild {
                    self.receive(at, done);
                }
            }
            _ => {}
        }
    }

    fn receive(&mut self, post: EventRef, done: Option<(EventRef, PointToPoint)>) {
        self.thread.receives.push(Receive {
            post,
            done: done.map(|done| done.0),
            taken: done.map(|(_, message)| taken(&message)),
        });
    }
}

fn is_wild(message: &PointToPoint) -> bool {
    message.any_source || message.any_tag
}

/// Returns what a receive took, as the record says it.
pub fn taken(message: &PointToPoint) -> Taken {
    Taken {
        source: message.peer,
        tag: message.any_tag.then_some(message.tag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(picture: &str, receives: &[(u32, Option<u32>)], outcomes: &[u32]) {
        let choices = Choices::of(&Trace::parse(picture).unwrap());
        let thread = &choices.0[&(0, 0)];
        let taken = thread.receives.iter().filter_map(|receive| receive.taken);
        let taken: Vec<_> = taken.map(|taken| (taken.source, taken.tag)).collect();
        assert_eq!(taken, receives);
        assert_eq!(thread.outcomes, outcomes);
    }

    #[test]
    fn receives_are_in_the_order_of_their_posts() {
        check(
            "0: 1 irecv#1 2 irecv#2 3 recv<2(any) 4 wait<2#2(any) 5 wait<1#1(any,tag=7,anytag) 6 recv<1
             1: 1 send>0(tag=7) 2 send>0
             2: 1 send>0 2 send>0",
            &[(1, Some(7)), (2, None), (2, None)],
            &[],
        );
    }

    #[test]
    fn waits_and_polls_that_succeed_are_outcomes() {
        check(
            "0: 1 irecv#1 2 enter(MPI_Waitany) 3 wait<1#1(any) 4 leave(MPI_Waitany) 5 enter(MPI_Iprobe) 6 leave(MPI_Iprobe) 7 enter(MPI_Iprobe) 8 probe<1(any) 9 leave(MPI_Iprobe) 10 recv<1(any)
             1: 1 send>0 2 send>0",
            &[(1, None), (1, None)],
            &[3, 8],
        );
    }
}
