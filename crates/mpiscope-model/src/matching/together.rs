//! The common case, found by processes that share a trace: see `plain`. Of several threads of a
//! process one alone calls MPI.
//!
//! Each reads what its own processes did, and sends on what they sent to processes of others, 16
//! bytes a message and 8 a pair of sender and receiver. What each finds among its receives it tells
//! the senders (`own`); the calls of collective operations they tell the homes of these (`homes`).

use rayon::prelude::*;

use super::found::Found;
use super::groups::Groups;
use super::homes::{self, Kind};
use super::inbox::Sent;
use super::own;
use super::plain::{is_plain, Share};
use super::scan;
use super::waits::calls::Chosen;
use super::waits::{among_threads, creations, ends, neighbors};
use crate::definitions::{LocationIndex, Rank, RegionId};
use crate::events::{EventKind, Events, Note};
use crate::messages::Matching;
use crate::plain::Plain;
use crate::processes::Processes;
use crate::trace::Trace;

/// Processes of the trace, by rank, with their locations.
type All = Vec<(Rank, Vec<LocationIndex>)>;

pub(super) fn matching(trace: &Trace, job: &dyn Processes) -> Option<Matching> {
    if job.count() == 1 {
        return Some(trace.matching());
    }
    let all = scan::processes(trace);
    let groups = Groups::new(trace, &all);
    let mine = mine(trace, &all, job.me());
    let callers = callers(trace, &all, &mine);
    // Who cannot go on keeps the others from doing so.
    let callers = shared_by_all(callers, job)?;
    let mut locations: Vec<LocationIndex> = all.iter().map(|(_, some)| some[0]).collect();
    for (process, location) in callers.concat() {
        locations[process as usize] = location;
    }
    let shares = shares(trace, &locations, &groups, &mine);
    shared_by_all(shares.as_ref().map(|_| Vec::<u8>::new()), job)?;
    let shares = shares?;
    let mut matching = Matching::default();
    let letters = Letters::exchanged(trace, &locations, &shares, job);
    let to = |process: usize| {
        let here = shares.iter().map(move |share| share.to(process));
        here.chain(letters.to(process))
    };
    let found = (shares.par_iter()).map(|share| share.meet(&locations, to));
    let mut own = Matching {
        unmatched_sends: shares.iter().flat_map(|share| share.lost.clone()).collect(),
        ..Matching::default()
    };
    Found::gather(found.collect(), &mut own);
    let received = own::keep(trace, &all, own, job, &mut matching);
    let calls = shares.iter().flat_map(Share::calls);
    homes::collect(trace, &all, &groups, calls, job, &mut matching);
    let among_neighbors = neighbors::waits(trace, &matching);
    own::tell_bounds(trace, among_neighbors, job, &mut matching);
    of_threads(trace, &all, &mine, job.me(), &mut matching);
    let own = || mine.iter().map(|&process| &all[process]);
    let mut calls = job.share_all(creations::calls(trace, own())).concat();
    calls.sort_by_key(|call| call.rank);
    let mut met = Matching::default();
    creations::meet(trace, &calls, &mut met);
    homes::add(trace, &met, Kind::Creation, job, &mut matching);
    let mut calls = job.share_all(ends::calls(trace, own())).concat();
    calls.sort_by_key(|call| call.rank);
    let mut met = Matching::default();
    ends::meet(&calls, all.len(), &mut met);
    homes::add(trace, &met, Kind::End, job, &mut matching);
    own::count(trace, received, job, &mut matching);
    Some(matching)
}

/// Returns what all have, by number; nothing if one of them has nothing.
fn shared_by_all<T: Plain>(mine: Option<Vec<T>>, job: &dyn Processes) -> Option<Vec<Vec<T>>> {
    let have = job.share_all(vec![mine.is_some()]).concat();
    match have.contains(&false) {
        true => None,
        false => Some(job.share_all(mine?)),
    }
}

/// Returns the processes whose events are here.
fn mine(trace: &Trace, all: &All, me: usize) -> Vec<usize> {
    let is_here = |process: &usize| trace.is_here(all[*process].1[0].index(), me);
    (0..all.len()).filter(is_here).collect()
}

/// Returns which location of each process here calls MPI; nothing if the trace is of another kind,
/// as far as is seen here.
fn callers(trace: &Trace, all: &All, mine: &[usize]) -> Option<Vec<(u32, LocationIndex)>> {
    if has_pairs_of_groups(trace) {
        return None;
    }
    let synchronous = Chosen::named(trace, &["MPI_Ssend", "MPI_Issend"]);
    let events = |location: &LocationIndex| &trace.locations[location.index()].events;
    let is_common = |events: &Events| {
        is_plain(events) && waits_for_none(events) && !calls_one(events, &synchronous)
    };
    let of_process = |process: &usize| {
        let locations = &all[*process].1;
        let mut callers = locations.iter().filter(|it| calls_mpi(events(it)));
        let caller = *callers.next().unwrap_or(&locations[0]);
        let is_alone = callers.next().is_none();
        let common = locations.iter().map(events).all(is_common);
        (is_alone && common).then_some((*process as u32, caller))
    };
    mine.iter().map(of_process).collect()
}

/// Returns whether events tell of messages, requests or collective operations.
fn calls_mpi(events: &Events) -> bool {
    !(events.messages().is_empty()
        && events.requests().is_empty()
        && events.collectives().is_empty()
        && events.completions().is_empty())
}

/// Reads what these processes did, by as many threads as there are; nothing if one of them has
/// cancelled something.
fn shares(
    trace: &Trace,
    locations: &[LocationIndex],
    groups: &Groups,
    mine: &[usize],
) -> Option<Vec<Share>> {
    let some = mine.len().div_ceil(rayon::current_num_threads()).max(1);
    let shares = mine.par_chunks(some);
    let read = |mine: &[usize]| Share::read(trace, locations, groups, mine.to_vec());
    shares.map(read).collect()
}

/// Adds the waits of threads for each other, which are of one process each.
fn of_threads(trace: &Trace, all: &All, mine: &[usize], me: usize, matching: &mut Matching) {
    for &process in mine {
        let mut own = Matching::default();
        among_threads(trace, &all[process].1, &mut own);
        matching.bounds.append(&mut own.bounds);
        homes::add_own(&own, process, me, matching);
    }
}

/// Returns whether there are intercommunicators, whose members name roots each in his own way.
fn has_pairs_of_groups(trace: &Trace) -> bool {
    let mut communicators = trace.definitions.communicators.iter();
    communicators.any(|it| it.remote.is_some())
}

/// Returns whether one of these functions is called; other tools define all of MPI.
fn calls_one(events: &Events, functions: &Chosen) -> bool {
    let mut all = events.kinds().iter().zip(events.args());
    functions.any()
        && all.any(|(kind, region)| *kind == EventKind::Enter && functions.has(RegionId(*region)))
}

/// Returns whether nothing in these events waits for what no message tells of.
fn waits_for_none(events: &Events) -> bool {
    let waits = |note: &Note| {
        use Note::*;
        matches!(note, Synchronous | Signal(_) | Await(_))
    };
    let mut notes = events.notes().iter();
    events.one_sided().is_empty() && !notes.any(|it| waits(&it.1))
}

/// What other processes of the job have for those here.
struct Letters {
    sent: Vec<Sent>,
    /// For each process here, which of these: pieces of some senders each.
    pieces: Vec<Vec<(u32, u32)>>,
}

impl Letters {
    /// Sends what goes to processes of others, and gets what comes from them.
    fn exchanged(
        trace: &Trace,
        locations: &[LocationIndex],
        shares: &[Share],
        job: &dyn Processes,
    ) -> Letters {
        let (count, me) = (job.count(), job.me());
        let mut heads: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
        let mut rows: Vec<Vec<Sent>> = vec![Vec::new(); count];
        for (process, location) in locations.iter().enumerate() {
            let part = own::part_of(trace, *location, me);
            if part == me {
                continue;
            }
            for sent in shares.iter().map(|share| share.to(process)) {
                if !sent.is_empty() {
                    heads[part].push((process as u32, sent.len() as u32));
                    rows[part].extend(sent);
                }
            }
        }
        let heads = job.exchange(heads);
        let mut letters = Letters {
            sent: job.exchange(rows).concat(),
            pieces: vec![Vec::new(); locations.len()],
        };
        let mut begin = 0;
        for (process, count) in heads.into_iter().flatten() {
            letters.pieces[process as usize].push((begin, begin + count));
            begin += count;
        }
        letters
    }

    fn to(&self, process: usize) -> impl Iterator<Item = &[Sent]> {
        let pieces = self.pieces[process].iter();
        pieces.map(|&(begin, end)| &self.sent[begin as usize..end as usize])
    }
}
