//! The MPI calls that threads are in at one moment, and who waits for whom in them.

use std::collections::{BTreeMap, HashMap};

use mpiscope_analysis::statistics::Wait;
use mpiscope_archive::model::statistics::{Kind, Statistics};
use mpiscope_run::statistics::{Activity, Process, ALL, ANY};
use serde::Serialize;

use super::view::RankView;
use crate::report::show;
use crate::stats::Loaded;

/// Who waits shorter than this may only just have begun.
const PATIENCE: u64 = 1_000_000_000;

/// An MPI call that has not returned.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CallView {
    /// The thread, counted from 0.
    pub thread: u32,
    /// The MPI function.
    pub name: String,
    /// Its line.
    pub place: Option<String>,
    /// For how long, in nanoseconds.
    pub for_ns: u64,
    /// On whom it waits, in words.
    pub waits_for: Option<String>,
    /// What its thread has told.
    #[serde(skip)]
    now: Activity,
}

/// The communication statements of each rank by return address and function.
pub type Places = HashMap<(u32, u64, u16), String>;

/// Names the line of every call that was counted so far: records and rows are in one order.
pub fn places(all: &Statistics, processes: &[Process]) -> Places {
    let threads = processes
        .iter()
        .flat_map(|p| p.threads.iter().map(move |t| (p, t)));
    let rows = threads.flat_map(|(p, t)| t.rows.iter().map(move |row| (p.identity.rank, row)));
    let named = rows.zip(&all.records).filter_map(|((rank, row), record)| {
        let statement = all.statements.get(record.statement)?;
        let communicates = statement.kind == Kind::Communication;
        communicates.then(|| ((rank, row.place, row.region), statement.place()))
    });
    named.collect()
}

/// Returns the calls that the threads of a process are in; of one that died (no `now`), for how
/// long they were at the last that is known of it.
pub fn open_calls(
    loaded: &Loaded,
    process: &Process,
    now: Option<u64>,
    places: &Places,
) -> Vec<CallView> {
    let rank = process.identity.rank;
    let map = process.ticks();
    let at = now.map(|now| now as i64).or_else(|| last_seen(process));
    let call = |(number, thread): (u32, &mpiscope_run::statistics::Thread)| {
        let now = thread.now;
        let region = now.region?;
        let since = map.zip(at).map_or(0, |(map, at)| at - map.apply(now.since));
        // The line of a call that was never counted is looked up for the first thread alone.
        let inside = loaded.inside.get(&rank).filter(|_| number == 0);
        let known = places.get(&(rank, now.site, region)).or(inside);
        Some(CallView {
            thread: number,
            name: process.region(region).to_owned(),
            place: known.cloned(),
            for_ns: since.max(0) as u64,
            waits_for: waits_for(process, &now),
            now,
        })
    };
    (0..).zip(&process.threads).filter_map(call).collect()
}

/// Returns when a process last read its clock, in nanoseconds since 1970.
fn last_seen(process: &Process) -> Option<i64> {
    let last = process
        .threads
        .iter()
        .map(|thread| thread.span[1].ticks)
        .max();
    Some(process.ticks()?.apply(last?))
}

/// Says in words for whom a call waits, of one with everybody apart.
fn waits_for(process: &Process, now: &Activity) -> Option<String> {
    match now.peer {
        ANY => Some("anybody".into()),
        peer => (process.world_rank(peer, now.group)).map(|rank| format!("rank {rank}")),
    }
}

/// Says of collective calls who is not in them yet.
pub fn tell_missing(loaded: &Loaded, ranks: &mut [RankView]) {
    let inside = inside(ranks);
    for (process, view) in loaded.processes.iter().zip(&mut *ranks) {
        for call in view.threads.iter_mut().filter(|call| call.now.peer == ALL) {
            let missing = missing(process, view.rank, call, &inside);
            call.waits_for = match missing.as_slice() {
                [] => None,
                [one] => Some(format!("rank {one}")),
                several => Some(format!("ranks {}", show::ranges(several))),
            };
        }
    }
}

/// The calls that each rank is in.
type Inside = BTreeMap<u32, Vec<String>>;

fn inside(ranks: &[RankView]) -> Inside {
    let names = |view: &RankView| view.threads.iter().map(|call| call.name.clone()).collect();
    ranks.iter().map(|view| (view.rank, names(view))).collect()
}

/// Returns the members of a communicator, this rank left out.
fn members(process: &Process, now: &Activity, own: u32) -> Vec<u32> {
    let group = process.group(now.group).into_iter();
    let all = group.flat_map(|group| group.members.iter());
    all.filter(|&rank| rank != own).collect()
}

/// Returns the members of a communicator that are not in this collective call.
fn missing(process: &Process, own: u32, call: &CallView, inside: &Inside) -> Vec<u32> {
    let mut members = members(process, &call.now, own);
    let is_in = |rank: &u32| {
        inside
            .get(rank)
            .is_some_and(|calls| calls.contains(&call.name))
    };
    members.retain(|rank| !is_in(rank));
    members
}

/// For whom each rank has waited so long that it may be for good.
pub fn waits(loaded: &Loaded, ranks: &[RankView]) -> BTreeMap<u32, Wait> {
    let inside = inside(ranks);
    let end = loaded.processes.iter().filter_map(last_seen).max();
    let wait = |process: &Process, view: &RankView| {
        // Of a rank that was killed its own last word may be a second old; the others' count, too.
        let rest = match view.state {
            "died" => end
                .zip(last_seen(process))
                .map_or(0, |(end, last)| end - last),
            _ => 0,
        };
        let patient = |call: &CallView| call.for_ns.saturating_add(rest.max(0) as u64) >= PATIENCE;
        let known = process.threads.iter().filter(|thread| {
            // One that only comes to probes of procedures calls no MPI.
            thread.now.calls > 0 || thread.now.region.is_some()
        });
        if known.count() > view.threads.len() || !view.threads.iter().all(patient) {
            return Wait::Nobody;
        }
        let one = |call: &CallView| wait_of(process, view.rank, call, &inside);
        together(view.threads.iter().map(one).collect())
    };
    let pairs = loaded.processes.iter().zip(ranks);
    pairs
        .map(|(process, view)| (view.rank, wait(process, view)))
        .collect()
}

fn wait_of(process: &Process, own: u32, call: &CallView, inside: &Inside) -> Wait {
    match call.now.peer {
        ANY => Wait::Any(members(process, &call.now, own)),
        ALL => Wait::All(missing(process, own, call, inside)),
        peer => match process.world_rank(peer, call.now.group) {
            Some(rank) => Wait::All(vec![rank]),
            None => Wait::Nobody,
        },
    }
}

/// A rank goes on when one of its threads does.
fn together(mut waits: Vec<Wait>) -> Wait {
    if waits.len() < 2 {
        return waits.pop().unwrap_or_default();
    }
    let mut any = Vec::new();
    for wait in waits {
        match wait {
            Wait::Nobody => return Wait::Nobody,
            Wait::All(ranks) | Wait::Any(ranks) => any.extend(ranks),
        }
    }
    Wait::Any(any)
}
