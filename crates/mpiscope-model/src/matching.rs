//! Who received what was sent, and who met in a collective operation.
//!
//! MPI messages between two processes on one communicator and tag do not
//! overtake each other (MPI 4.1 §3.5): the k-th send posted meets the k-th
//! receive posted. *Posted* is what counts: a nonblocking receive takes its
//! place where it was posted, whenever it completes. Wildcards need no care,
//! as a receive event names its actual source and tag. A receive that was
//! posted and never completed takes a message all the same, as no later one
//! can have it, if the trace tells which it asked for; that message is nobody's.
//! If it does not tell, or asked for any, it takes nothing: those after it may
//! meet an earlier send than in truth, never a later one, so no wait is invented.
//!
//! Where recording was off for a while, messages may be missing on one side.
//! An event can tell its number ([`Events::sequence`](crate::Events::sequence)):
//! how many receives of its channel, say, completed before it. If none does,
//! the channel's order is unknown from there on, and nothing is paired.
//!
//! A probe sees the first message of its channel that no receive posted before
//! has taken.
//!
//! Collective operations on one communicator start in the same order on all
//! its members (MPI 4.1 §6.1): the k-th of each member belong together.

mod channels;
mod collectives;
mod found;
mod groups;
mod homes;
mod inbox;
mod incoming;
mod outgoing;
mod own;
mod pairing;
mod plain;
mod point_to_point;
mod posts;
mod scan;
mod shares;
mod starts;
mod together;
mod waits;

use rayon::prelude::*;

use crate::definitions::{LocationIndex, Rank};
use crate::messages::Matching;
use crate::processes::Processes;
use crate::trace::Trace;
use collectives::Calls;
use groups::Groups;
use outgoing::Outgoing;

impl Trace {
    /// Pairs sends with receives and the members of collective operations.
    pub fn matching(&self) -> Matching {
        matching(self)
    }

    /// Does so as one of several processes, each of which has the events of its own locations
    /// alone ([`parts`](Self::parts)): each gets of what one process with all events finds what
    /// concerns its own events; of each collective operation one process gets all members.
    /// Nothing if that would take more of others' events than who sent what, and who called which
    /// collective operation: with several threads of a process that call MPI, one-sided
    /// communication, synchronous sends, pauses of recording, cancelled requests,
    /// intercommunicators, or notes that tell of waits.
    pub fn matching_among(&self, processes: &dyn Processes) -> Option<Matching> {
        together::matching(self, processes)
    }

    /// Has each of several processes that share the events know all of what it knew its own of
    /// alone, as one process does.
    pub fn whole_matching(&self, matching: &Matching, processes: &dyn Processes) -> Matching {
        own::whole(self, matching, processes)
    }
}

/// Pairs sends with receives and the members of collective operations.
fn matching(trace: &Trace) -> Matching {
    let mut matching = Matching::default();
    let processes = scan::processes(trace);
    let groups = Groups::new(trace, &processes);
    let calls = plain::collect(trace, &processes, &groups, &mut matching);
    let calls = calls.unwrap_or_else(|| counted(trace, &processes, &groups, &mut matching));
    collectives::collect(trace, &calls, &groups, &mut matching);
    waits::collect(trace, &processes, &mut matching);
    matching
}

/// Finds all messages by counting on each channel, and returns the collective
/// calls of each process.
fn counted(
    trace: &Trace,
    processes: &[(Rank, Vec<LocationIndex>)],
    groups: &Groups,
    matching: &mut Matching,
) -> Vec<Calls> {
    let (senders, calls): (Vec<Outgoing>, Vec<Calls>) = (processes.par_iter().enumerate())
        .map_init(
            starts::Reader::default,
            |reader, (process, (_, locations))| reader.read(trace, locations, groups, process),
        )
        .unzip();
    point_to_point::collect(trace, processes, &senders, matching);
    calls
}
