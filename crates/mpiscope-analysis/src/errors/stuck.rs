//! Who waits for whom at the end, and who waits forever.
//!
//! A location is stuck if what it waits for can only be done by processes that
//! are stuck, or have ended: by all of several (a receive from anybody), or by
//! one of them (a collective operation). Those from which a chain of waits
//! leads back to themselves are a deadlock; the others only wait behind one.

use std::collections::BTreeSet;

use mpiscope_model::{Event, EventRef, LocationIndex, Matching, Posted, Trace};

use super::calls::{is, Calls, End};
use super::collectives::Opens;
use super::messages::{pending, suits};
use super::{region_name, Error, ErrorKind};
use crate::races::Processes;

/// What a location waits for.
#[derive(Debug)]
struct Wait {
    enter: EventRef,
    processes: Vec<u32>,
    /// One of them is enough to go on.
    any: bool,
    receives: bool,
}

/// Finds calls that will never return.
pub(super) fn collect(
    trace: &Trace,
    matching: &Matching,
    processes: &Processes,
    calls: &Calls,
    opens: &Opens,
    found: &mut Vec<Error>,
) {
    let look = Look {
        trace,
        matching,
        processes,
        calls,
        opens,
    };
    let mut waits: Vec<Option<Wait>> = calls.ends.iter().map(|end| look.wait(*end)).collect();
    look.release(&mut waits);
    let after: Vec<Vec<usize>> = (0..waits.len()).map(|l| look.after(&waits, l)).collect();
    let circular = in_circles(&after);
    for (location, wait) in waits.iter().enumerate() {
        let Some(wait) = wait else {
            continue;
        };
        let ended = |process: &u32| calls.is_over(*process);
        let abandoned = !wait.receives && wait.processes.iter().any(ended);
        let kind = if wait.receives && wait.processes.iter().all(ended) {
            ErrorKind::UnmatchedReceive
        } else if circular[location] || abandoned {
            ErrorKind::Deadlock
        } else {
            continue;
        };
        let others = after[location].iter();
        let others = others.filter_map(|&location| Some(waits[location].as_ref()?.enter));
        found.push(Error {
            event: wait.enter,
            kind,
            others: others.collect(),
        });
    }
}

/// Returns which nodes of a graph are on a circle: they reach each other.
fn in_circles(after: &[Vec<usize>]) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); after.len()];
    for (node, next) in after.iter().enumerate() {
        next.iter().for_each(|&next| before[next].push(node));
    }
    let mut circular = vec![false; after.len()];
    let mut done = vec![false; after.len()];
    for node in 0..after.len() {
        if done[node] || after[node].is_empty() {
            continue;
        }
        let (down, up) = (reached(node, after), reached(node, &before));
        for other in 0..after.len() {
            // Who is not on a circle does not reach itself.
            if down[other] && up[other] {
                circular[other] = down[node];
                done[other] = true;
            }
        }
    }
    circular
}

/// Returns what can be reached from a node in at least one step.
fn reached(node: usize, next: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut stack = next[node].clone();
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            stack.extend(&next[node]);
        }
    }
    seen
}

struct Look<'a> {
    trace: &'a Trace,
    matching: &'a Matching,
    processes: &'a Processes,
    calls: &'a Calls,
    opens: &'a Opens,
}

impl Look<'_> {
    /// Returns what a location waits for, if that can be told.
    fn wait(&self, end: End) -> Option<Wait> {
        let End::Within(enter) = end else {
            return None;
        };
        let name = region_name(self.trace, enter).to_lowercase();
        let name = name.strip_prefix("mpi_").unwrap_or(&name);
        let events = &self.trace.locations[enter.location.index()].events;
        if let Some(open) = self.opens.of.get(&enter.location.0) {
            let processes = self.opens.missing(self.trace, self.processes, open);
            return self.all(enter, processes);
        }
        match name {
            "wait" | "waitall" | "waitany" | "waitsome" => self.requests(enter),
            "send" | "ssend" => {
                let send = EventRef::new(enter.location, enter.index as usize + 1);
                let to = self.receiver(send)?;
                self.all(enter, vec![to])
            }
            _ => self.receive(enter, events.posted(enter.index as usize)?),
        }
    }

    fn all(&self, enter: EventRef, processes: Vec<u32>) -> Option<Wait> {
        (!processes.is_empty()).then_some(Wait {
            enter,
            processes,
            any: false,
            receives: false,
        })
    }

    fn receive(&self, enter: EventRef, posted: &Posted) -> Option<Wait> {
        let processes = self.senders(enter.location, posted)?;
        Some(Wait {
            enter,
            processes,
            any: true,
            receives: true,
        })
    }

    /// Returns who could send what is asked for; nothing if it is there.
    fn senders(&self, location: LocationIndex, posted: &Posted) -> Option<Vec<u32>> {
        let mut unmatched = self.matching.unmatched_sends.iter();
        if unmatched.any(|&send| suits(self.trace, self.processes, send, location, posted)) {
            return None;
        }
        if let Some(source) = posted.source {
            let source = self
                .processes
                .peer(self.trace, location, posted.comm, source)?;
            return Some(vec![source]);
        }
        let comm = self
            .trace
            .definitions
            .communicators
            .get(posted.comm.index())?;
        let me = self.trace.locations[location.index()].rank;
        let others = comm.group_facing(me).iter().filter(|&&rank| rank != me);
        let processes: Vec<u32> = others
            .filter_map(|rank| self.processes.of_rank(*rank))
            .collect();
        (!processes.is_empty()).then_some(processes)
    }

    /// Returns who has to receive a message that is not received yet; nothing
    /// if somebody there asks for it now.
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
        (!locations.iter().any(asks)).then_some(to)
    }

    /// A wait names requests that the trace does not tell; those under way are
    /// all it can mean.
    fn requests(&self, enter: EventRef) -> Option<Wait> {
        let process = self.processes.of[enter.location.index()] as usize;
        let mut senders = BTreeSet::new();
        let mut receives = true;
        for (event, _) in pending(self.trace, &self.processes.locations[process]) {
            let events = &self.trace.locations[event.location.index()].events;
            match events.event(event.index as usize) {
                Event::MpiIrecvRequest(_) => {
                    let posted = events.posted(event.index as usize)?;
                    senders.extend(self.senders(event.location, posted)?);
                }
                // Small messages are sent whoever receives them.
                _ => receives = false,
            }
        }
        let all = is(region_name(self.trace, enter), "waitall");
        ((receives || all) && !senders.is_empty()).then(|| Wait {
            enter,
            processes: senders.into_iter().collect(),
            any: true,
            receives: true,
        })
    }

    /// Lets those go on who wait for somebody that can.
    fn release(&self, waits: &mut [Option<Wait>]) {
        loop {
            let is_over: Vec<bool> = (0..self.processes.locations.len() as u32)
                .map(|p| self.calls.is_over(p) || !self.stuck(waits, p).is_empty())
                .collect();
            let is_over = |process: &u32| is_over[*process as usize];
            let goes_on = |wait: &&Wait| match wait.any {
                true => !wait.processes.iter().all(is_over),
                false => !wait.processes.iter().any(is_over),
            };
            let free: Vec<usize> = (0..waits.len())
                .filter(|&location| waits[location].as_ref().filter(goes_on).is_some())
                .collect();
            if free.is_empty() {
                return;
            }
            free.into_iter().for_each(|location| waits[location] = None);
        }
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
        let processes = waits[location].iter().flat_map(|wait| &wait.processes);
        let stuck = processes.flat_map(|&process| self.stuck(waits, process));
        stuck.collect()
    }
}
