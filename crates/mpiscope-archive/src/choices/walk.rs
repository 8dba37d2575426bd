//! Walks through the calls of a thread: which of them chose something.

use std::collections::{HashMap, VecDeque};

use mpiscope_model::{Event, EventRef, Location, LocationIndex, PointToPoint, RequestId, Trace};

use super::{is_wild, taken, NonblockingReceive, Receive, Returned, Thread};
use mpiscope_run::order::{Found, Outcome};

/// How nonblocking receives ended, whichever thread saw it, by world rank and
/// request; a number that is used again has several.
#[derive(Default)]
pub struct Completions(HashMap<(u32, RequestId), VecDeque<Ended>>);

/// Where a nonblocking receive ended, and with which message.
struct Ended {
    at: EventRef,
    /// Nothing if it was cancelled.
    message: Option<PointToPoint>,
}

impl Completions {
    /// Finds them.
    pub fn of(trace: &Trace) -> Completions {
        let mut all = Completions::default();
        for (location, number) in trace.locations.iter().zip(0..) {
            for (index, (_, event)) in location.events.iter().enumerate() {
                let (request, message) = match event {
                    Event::MpiIrecv(message) => (message.request, Some(*message)),
                    Event::MpiRequestCancelled(request) => (Some(request), None),
                    _ => continue,
                };
                let Some(request) = request else { continue };
                let at = EventRef::new(LocationIndex(number), index);
                let of_request = all.0.entry((location.rank.0, request)).or_default();
                of_request.push_back(Ended { at, message });
            }
        }
        all
    }

    fn take(&mut self, rank: u32, request: RequestId) -> Option<Ended> {
        self.0.get_mut(&(rank, request))?.pop_front()
    }
}

/// What a call is to the record.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Call {
    /// A wait for one or some of several requests: always an outcome.
    Wait,
    /// A test of one request: an outcome unless it was found incomplete.
    Test,
    /// A test of all requests: an outcome if something completed.
    TestAll,
    /// The same of any or some, which chooses among them.
    TestSome,
    /// A test that completes nothing: an outcome unless found incomplete.
    Status,
    /// One of which the trace does not tell whether it succeeded.
    Untold,
    /// A poll for messages: an outcome if it found one.
    Poll,
    /// Posts a nonblocking receive.
    Post,
    /// Starts persistent requests, receives among them.
    Start,
    /// Receives what a matched probe found, which had the choice.
    Matched,
    #[default]
    Other,
}

const CALLS: &[(&str, Call)] = &[
    ("MPI_Waitany", Call::Wait),
    ("MPI_Waitsome", Call::Wait),
    ("MPI_Test", Call::Test),
    ("MPI_Testall", Call::TestAll),
    ("MPI_Testany", Call::TestSome),
    ("MPI_Testsome", Call::TestSome),
    ("MPI_Request_get_status", Call::Status),
    ("MPI_Request_get_status_all", Call::Untold),
    ("MPI_Parrived", Call::Untold),
    ("MPI_Iprobe", Call::Poll),
    ("MPI_Improbe", Call::Poll),
    ("MPI_Irecv", Call::Post),
    ("MPI_Irecv_c", Call::Post),
    ("MPI_Isendrecv", Call::Post),
    ("MPI_Isendrecv_c", Call::Post),
    ("MPI_Isendrecv_replace", Call::Post),
    ("MPI_Isendrecv_replace_c", Call::Post),
    ("MPI_Start", Call::Start),
    ("MPI_Startall", Call::Start),
    ("MPI_Imrecv", Call::Matched),
    ("MPI_Imrecv_c", Call::Matched),
];

fn call(name: &str) -> Call {
    let row = CALLS.iter().find(|(known, _)| *known == name);
    row.map_or(Call::Other, |(_, call)| *call)
}

/// One thread on its way.
pub struct Walk<'a> {
    thread: Thread,
    completions: &'a mut Completions,
    within: Vec<Call>,
    /// What the call found or completed.
    found: bool,
    /// The message, if it is one that a wildcard probe found.
    message: Option<PointToPoint>,
    /// The call found something incomplete.
    incomplete: bool,
    /// Polls since the last success that did not succeed.
    misses: u64,
    /// For how many polls that found nothing the call stands.
    polls: Option<u64>,
}

impl<'a> Walk<'a> {
    /// Begins at the beginning.
    pub fn new(location: LocationIndex, completions: &'a mut Completions) -> Self {
        let thread = Thread {
            location,
            ..Thread::default()
        };
        Walk {
            thread,
            completions,
            within: Vec::new(),
            found: false,
            message: None,
            incomplete: false,
            misses: 0,
            polls: None,
        }
    }

    /// Goes to the end; returns what was chosen.
    pub fn through(mut self, trace: &Trace, location: &Location) -> Thread {
        for index in 0..location.events.len() {
            self.event(trace, location, index);
        }
        self.thread
    }

    fn event(&mut self, trace: &Trace, location: &Location, index: usize) {
        let at = EventRef::new(self.thread.location, index);
        match location.events.event(index) {
            Event::Enter(region) => {
                self.polls = location.events.polls(index);
                let region = trace.definitions.regions.get(region.index());
                self.enter(region.map_or(Call::Other, |region| call(&region.name)));
            }
            Event::Leave(_) => {
                let call = self.within.pop().unwrap_or_default();
                self.leave(call, index as u32);
            }
            Event::MpiProbe(message) => {
                self.found = true;
                match self.within.last() {
                    Some(Call::Poll) => self.message = is_wild(message).then_some(*message),
                    _ if is_wild(message) => self.receive(at, Some((at, *message))),
                    _ => {}
                }
            }
            // One with a request belongs to a matched probe, which had the choice.
            Event::MpiRecv(message) if message.request.is_none() && is_wild(message) => {
                self.receive(at, Some((at, *message)));
            }
            Event::MpiIrecv(_)
            | Event::MpiIsendComplete(_)
            | Event::MpiRequestCancelled(_)
            | Event::NonBlockingCollectiveComplete(..) => self.found = true,
            Event::MpiRequestTest(_) => self.incomplete = true,
            Event::MpiIrecvRequest(request) => self.posted(location, at, request),
            _ => {}
        }
    }

    fn enter(&mut self, call: Call) {
        self.within.push(call);
        (self.found, self.incomplete, self.message) = (false, false, None);
        if call == Call::Post {
            // One from MPI_PROC_NULL counts, and is no event.
            self.thread.nonblocking.push(NonblockingReceive {
                done: None,
                cancelled: false,
            });
        }
    }

    fn leave(&mut self, call: Call, event: u32) {
        // One that stands for several found nothing, whatever it asked.
        if let Some(polls) = self.polls.take() {
            let is_miss = !matches!(call, Call::Untold | Call::Other);
            self.misses += if is_miss { polls } else { 0 };
            return;
        }
        let (found, complete) = (self.found, !self.incomplete);
        let told = |found| Some((found, true));
        let outcome = match call {
            Call::Other | Call::Post | Call::Start | Call::Matched => return,
            Call::Wait | Call::Untold => return self.returned(event, None),
            // Without an event it was null, or one of which the trace has none.
            Call::Test if found => told(Found::Nothing),
            Call::Test | Call::Status => complete.then_some((Found::Nothing, false)),
            Call::TestAll => found.then_some((Found::Nothing, true)),
            Call::TestSome => found.then_some((Found::Nothing, false)),
            Call::Poll if found => told(match &self.message {
                Some(message) => Found::Message(taken(message)),
                None => Found::Nothing,
            }),
            Call::Poll => None,
        };
        let Some((found, is_told)) = outcome else {
            self.misses += 1;
            return;
        };
        let misses = std::mem::take(&mut self.misses);
        let outcome = is_told.then_some(Outcome::Success { misses, found });
        self.returned(event, outcome);
    }

    fn returned(&mut self, event: u32, outcome: Option<Outcome>) {
        self.thread.outcomes.push(Returned { event, outcome });
    }

    fn posted(&mut self, location: &Location, at: EventRef, request: RequestId) {
        let ended = self.completions.take(location.rank.0, request);
        let posted = NonblockingReceive {
            done: ended.as_ref().map(|ended| ended.at),
            cancelled: ended.as_ref().is_some_and(|it| it.message.is_none()),
        };
        match self.within.last() {
            Some(Call::Start) => self.thread.nonblocking.push(posted),
            Some(Call::Matched) => return,
            Some(Call::Post) => {
                if let Some(last) = self.thread.nonblocking.last_mut() {
                    *last = posted;
                }
            }
            _ => {}
        }
        let message = ended.and_then(|ended| Some((ended.at, ended.message?)));
        let wild = match (location.events.posted(at.index as usize), &message) {
            (Some(posted), _) => posted.source.is_none() || posted.tag.is_none(),
            (None, Some((_, message))) => is_wild(message),
            (None, None) => false,
        };
        if wild {
            self.receive(at, message);
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
