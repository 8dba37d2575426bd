//! Who waits for whom at the end, and who waits forever.
//!
//! A location is stuck if what it waits for can only be done by processes that
//! are stuck, or have ended: by all of several (a receive from anybody), or by
//! one of them (a collective operation). Those from which a chain of waits
//! leads back to themselves are a deadlock; the others only wait behind one.

use mpiscope_model::{
    CommId, Event, EventKind, EventRef, LocationIndex, Matching, PostedCall, RequestId, Trace,
};

use super::begun::Row;
use super::calls::{Calls, End};
use super::collectives::Opens;
use super::messages::suits;
use super::pending::pending;
use super::{plain_name, region_name, Error, ErrorKind};
use crate::processes::Processes;
use crate::waiting_for::circles;

/// What a call that never returned waits for.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    pub enter: EventRef,
    pub needs: Vec<Need>,
    /// All needs have to be met to go on; else one of them is enough.
    pub all: bool,
    /// There are operations under way of which nothing can be told.
    pub untold: bool,
}

/// Something that others have to do.
#[derive(Clone, Debug)]
pub(super) struct Need {
    /// What needs it: the call's enter or, of a nonblocking operation, its begin.
    pub of: EventRef,
    pub processes: Vec<u32>,
    /// One of them can do it; else all of them have to.
    pub any: bool,
    pub receives: bool,
    /// Members of the collective operation disagree about it, or did before.
    disagree: bool,
}

impl Need {
    /// Returns whether it can be met if those who do nothing any more are these.
    fn can_be_met(&self, is_over: impl Fn(&u32) -> bool) -> bool {
        match self.any {
            true => !self.processes.iter().all(is_over),
            false => !self.processes.iter().any(is_over),
        }
    }
}

impl Wait {
    /// Returns the needs that can never be met; nothing if the call can go on.
    fn hopeless(&self, is_over: impl Fn(&u32) -> bool) -> Vec<&Need> {
        let needs = self.needs.iter();
        let hopeless: Vec<&Need> = needs.filter(|need| !need.can_be_met(&is_over)).collect();
        match self.all || hopeless.len() == self.needs.len() {
            true => hopeless,
            false => Vec::new(),
        }
    }
}

/// Returns what each location waits for, if it is in a call and that can be told.
pub(super) fn waits(look: &Look) -> Vec<Option<Wait>> {
    look.calls.ends.iter().map(|end| look.wait(*end)).collect()
}

/// Finds calls that will never return; returns the receives that these wait for.
pub(super) fn collect(
    look: &Look,
    mut waits: Vec<Option<Wait>>,
    found: &mut Vec<Error>,
) -> Vec<EventRef> {
    let mut starving = Vec::new();
    look.release(&mut waits);
    let after: Vec<Vec<usize>> = (0..waits.len()).map(|l| look.after(&waits, l)).collect();
    let circular = in_circles(&after);
    for (location, wait) in waits.iter().enumerate() {
        let Some(wait) = wait else {
            continue;
        };
        let ended = |process: &u32| look.calls.is_over(*process);
        let hopeless = wait.hopeless(|process| look.is_stuck(&waits, *process));
        let abandoned = |need: &&Need| need.processes.iter().any(ended) && !need.receives;
        let unmatched = |need: &&Need| need.processes.iter().all(ended) && need.receives;
        let kind = if !hopeless.is_empty() && hopeless.iter().all(unmatched) {
            ErrorKind::UnmatchedReceive
        } else if circular[location] || hopeless.iter().any(abandoned) {
            ErrorKind::Deadlock
        } else {
            continue;
        };
        // Where members disagree, that is the error, and this what came of it.
        if hopeless.iter().any(|need| need.disagree) {
            continue;
        }
        let receives = hopeless.iter().filter(|need| need.receives);
        starving.extend(receives.map(|need| need.of));
        let others = after[location].iter();
        let others = others.filter_map(|&location| Some(waits[location].as_ref()?.enter));
        found.push(Error {
            event: wait.enter,
            kind,
            others: others.collect(),
        });
    }
    starving
}

/// Returns which nodes of a graph are on a circle: they reach each other.
fn in_circles(after: &[Vec<usize>]) -> Vec<bool> {
    let mut circular = vec![false; after.len()];
    let nodes = circles(after).into_iter().flatten();
    nodes.for_each(|node| circular[node] = true);
    circular
}

/// What is looked at.
pub(super) struct Look<'a> {
    pub trace: &'a Trace,
    pub matching: &'a Matching,
    pub processes: &'a Processes,
    pub calls: &'a Calls,
    pub opens: &'a Opens,
    /// By location: it calls MPI_Request_free.
    pub freeing: &'a [bool],
}

/// Who could send what is asked for.
enum Senders {
    /// It was sent, or nobody knows.
    Perhaps,
    Processes(Vec<u32>),
}

impl Look<'_> {
    /// Returns what a location waits for, if that can be told.
    fn wait(&self, end: End) -> Option<Wait> {
        let End::Within(enter) = end else {
            return None;
        };
        let name = plain_name(region_name(self.trace, enter));
        let events = &self.trace.locations[enter.location.index()].events;
        if let Some(operation) = self.opens.of(enter.location) {
            return self.alone(enter, self.members(enter, operation)?);
        }
        match name.as_str() {
            "wait" | "waitall" | "waitany" | "waitsome" => self.requests(enter, &name),
            "send" | "ssend" => {
                let send = EventRef::new(enter.location, enter.index as usize + 1);
                let need = Need {
                    of: enter,
                    processes: vec![self.receiver(send)?],
                    any: false,
                    receives: false,
                    disagree: false,
                };
                self.alone(enter, need)
            }
            _ => {
                let posted = events.posted(enter.index as usize)?;
                self.alone(enter, self.receive(enter, posted)?)
            }
        }
    }

    /// A call that needs one thing.
    fn alone(&self, enter: EventRef, need: Need) -> Option<Wait> {
        Some(Wait {
            enter,
            needs: vec![need],
            all: true,
            untold: false,
        })
    }

    /// A collective operation needs those who have not come.
    fn members(&self, enter: EventRef, operation: (Row, usize)) -> Option<Need> {
        let process = self.processes.of[enter.location.index()];
        let opens = self.opens;
        let processes = opens.missing(self.trace, self.processes, process, operation)?;
        (!processes.is_empty()).then_some(Need {
            of: enter,
            processes,
            any: false,
            receives: false,
            disagree: opens.is_wrong(operation),
        })
    }

    /// A receive needs one of those who can send what it asks for; nothing if
    /// that is there, or cannot be told.
    fn receive(&self, event: EventRef, posted: &PostedCall) -> Option<Need> {
        match self.senders(event.location, posted) {
            Senders::Processes(processes) => Some(Need {
                of: event,
                processes,
                any: true,
                receives: true,
                disagree: false,
            }),
            Senders::Perhaps => None,
        }
    }

    fn senders(&self, location: LocationIndex, posted: &PostedCall) -> Senders {
        let mut unmatched = self.matching.unmatched_sends.iter();
        if unmatched.any(|&send| suits(self.trace, self.processes, send, location, posted)) {
            return Senders::Perhaps;
        }
        let processes = match posted.source {
            Some(source) => {
                let source = self
                    .processes
                    .peer(self.trace, location, posted.comm, source);
                source.map(|source| vec![source])
            }
            None => self.anybody(location, posted.comm),
        };
        match processes {
            Some(processes) if !processes.is_empty() => Senders::Processes(processes),
            _ => Senders::Perhaps,
        }
    }

    /// Returns all others of a communicator, if the trace has them.
    fn anybody(&self, location: LocationIndex, comm: CommId) -> Option<Vec<u32>> {
        let comm = self.trace.definitions.communicators.get(comm.index())?;
        let me = self.trace.locations[location.index()].rank;
        let others = comm.group_facing(me).iter().filter(|&&rank| rank != me);
        others.map(|rank| self.processes.of_rank(*rank)).collect()
    }

    /// Returns who has to receive a message that is not received yet; nothing
    /// if somebody there asks for it now, or a receive is under way that may get it.
    fn receiver(&self, send: EventRef) -> Option<u32> {
        self.matching.unmatched_sends.binary_search(&send).ok()?;
        let events = &self.trace.locations[send.location.index()].events;
        let Event::MpiSend(message) = events.event(send.index as usize) else {
            return None;
        };
        let to = self
            .processes
            .peer(self.trace, send.location, message.comm, message.peer)?;
        let asks = |location: &LocationIndex| match self.calls.ends[location.index()] {
            End::Within(enter) => {
                let events = &self.trace.locations[location.index()].events;
                let posted = events.posted(enter.index as usize);
                posted.is_some_and(|posted| {
                    suits(self.trace, self.processes, send, *location, posted)
                })
            }
            _ => false,
        };
        let locations = &self.processes.locations[to as usize];
        let may_get = |(event, _): &(EventRef, RequestId)| {
            let events = &self.trace.locations[event.location.index()].events;
            let index = event.index as usize;
            let suits = |posted| suits(self.trace, self.processes, send, event.location, posted);
            events.kinds()[index] == EventKind::MpiIrecvRequest
                && events.posted(index).is_none_or(suits)
        };
        let is_received =
            locations.iter().any(asks) || pending(self.trace, locations).iter().any(may_get);
        (!is_received).then_some(to)
    }

    /// A wait names requests that the trace does not tell; those under way are
    /// all it can mean. MPI_Waitall is taken to mean all of them, unless some
    /// may have been freed; any other goes on with one that can be told nothing of.
    fn requests(&self, enter: EventRef, name: &str) -> Option<Wait> {
        let process = self.processes.of[enter.location.index()];
        let locations = &self.processes.locations[process as usize];
        let frees = locations.iter().any(|it| self.freeing[it.index()]);
        let all = name == "waitall" && !frees;
        let (mut needs, mut untold) = (Vec::new(), frees);
        for (event, _) in pending(self.trace, locations) {
            match self.request(process, event) {
                Some(need) => needs.push(need),
                None if all => untold = true,
                None => return None,
            }
        }
        (!needs.is_empty()).then_some(Wait {
            enter,
            needs,
            all,
            untold,
        })
    }

    /// Returns what an operation under way needs, if that can be told. Small
    /// messages are sent whoever receives them.
    fn request(&self, process: u32, event: EventRef) -> Option<Need> {
        let events = &self.trace.locations[event.location.index()].events;
        let posted = || events.posted(event.index as usize);
        match events.event(event.index as usize) {
            Event::MpiIrecvRequest(_) => self.receive(event, posted()?),
            Event::NonBlockingCollectiveRequest(_) => {
                let operation = self.opens.begun(process, posted()?.comm, event)?;
                self.members(event, operation)
            }
            _ => None,
        }
    }

    /// Lets those go on who wait for somebody that can.
    fn release(&self, waits: &mut [Option<Wait>]) {
        loop {
            let is_over: Vec<bool> = (0..self.processes.locations.len() as u32)
                .map(|process| self.is_stuck(waits, process))
                .collect();
            let is_over = |process: &u32| is_over[*process as usize];
            let goes_on = |wait: &&Wait| wait.hopeless(is_over).is_empty();
            let free: Vec<usize> = (0..waits.len())
                .filter(|&location| waits[location].as_ref().filter(goes_on).is_some())
                .collect();
            if free.is_empty() {
                return;
            }
            free.into_iter().for_each(|location| waits[location] = None);
        }
    }

    /// Returns whether a process does nothing any more.
    fn is_stuck(&self, waits: &[Option<Wait>], process: u32) -> bool {
        self.calls.is_over(process) || !self.stuck(waits, process).is_empty()
    }

    /// Returns the stuck locations of a process; none if one of its threads
    /// that call MPI is not.
    fn stuck(&self, waits: &[Option<Wait>], process: u32) -> Vec<usize> {
        let locations = self.processes.locations[process as usize].iter();
        let locations = locations.map(|location| location.index());
        let calling = |location: &usize| self.calls.ends[*location] != End::Elsewhere;
        let all: Vec<usize> = locations.filter(calling).collect();
        match all.iter().all(|&location| waits[location].is_some()) {
            true => all,
            false => Vec::new(),
        }
    }

    /// Returns the stuck locations that one waits for.
    fn after(&self, waits: &[Option<Wait>], location: usize) -> Vec<usize> {
        let Some(wait) = &waits[location] else {
            return Vec::new();
        };
        let needs = wait.hopeless(|process| self.is_stuck(waits, *process));
        let processes = needs.into_iter().flat_map(|need| &need.processes);
        let stuck = processes.flat_map(|&process| self.stuck(waits, process));
        let mut stuck: Vec<usize> = stuck.collect();
        stuck.sort_unstable();
        stuck.dedup();
        stuck
    }
}
