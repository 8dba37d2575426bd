//! What follows from the calls that events are in: the begin and end of MPI,
//! and the creation of communicators and windows.

use std::collections::HashMap;

use mpiscope_model::{
    Assumptions, CollectiveOp, CommId, Event, Events, Note, OneSidedEvent, Rank, Trace,
};

use super::calls::{name_of, Calls as Around};
use super::members::Member;
use super::operations::{Calls, Over, Row};
use super::seen::{communicator, event, notes, Process};
use super::view::View;

/// A call that all processes make once.
struct OfAll {
    over: Over,
    op: CollectiveOp,
    names: &'static [&'static str],
    /// The last of several calls counts, or the first.
    last: bool,
    is_assumed: fn(&Assumptions) -> bool,
}

const OF_ALL: [OfAll; 2] = [
    OfAll {
        over: Over::Initialized,
        op: CollectiveOp::Init,
        names: &["MPI_Init", "MPI_Init_thread"],
        last: false,
        is_assumed: |assumptions| assumptions.init,
    },
    OfAll {
        over: Over::Finalized,
        op: CollectiveOp::Finalize,
        names: &["MPI_Finalize"],
        last: true,
        is_assumed: |assumptions| assumptions.finalize,
    },
];

/// MPI_Init and MPI_Finalize of a process, as far as they are assumed to be barriers.
pub(super) fn ends(view: &View, process: &Process) -> Calls {
    let mut calls = Calls::default();
    for of_all in OF_ALL {
        let mut regions = view.trace.definitions.regions.iter();
        let is_there = regions.any(|region| of_all.names.contains(&region.name.as_str()));
        if is_there && (of_all.is_assumed)(view.known.assumptions) {
            let member = of_all.member(view, process);
            let row = calls.row(Row::new(of_all.over, 0));
            if let Some(member) = member {
                calls.add(row, 0, member);
            }
        }
    }
    calls
}

impl OfAll {
    /// The call of a process, at the first of its locations that makes it.
    fn member(&self, view: &View, process: &Process) -> Option<Member> {
        process.locations.iter().find_map(|&location| {
            let events = &view.trace.locations[location as usize].events;
            let ends = call(view.trace, events, self.names, self.last)?;
            let [enter, leave] = <[usize; 2]>::from(ends).map(|it| view.at(location, it));
            let rank = process.rank.0;
            Some(Member::synchronizing(self.op, enter, leave, rank))
        })
    }
}

/// Enter and leave of the first (or last) call of that name.
fn call(trace: &Trace, events: &Events, names: &[&str], last: bool) -> Option<(usize, usize)> {
    let entered = |index: &usize| match events.event(*index) {
        Event::Enter(region) => names.contains(&name_of(trace, region)),
        _ => false,
    };
    let mut all = 0..events.len();
    let enter = match last {
        true => all.rfind(entered)?,
        false => all.find(entered)?,
    };
    let mut inside = 0;
    for index in enter..events.len() {
        match events.event(index) {
            Event::Enter(_) => inside += 1,
            Event::Leave(_) => inside -= 1,
            _ => {}
        }
        if inside == 0 {
            let ended_within = events.notes_of(index).any(|note| note == Note::CutShort);
            return (!ended_within).then_some((enter, index));
        }
    }
    None
}

/// Calls that make a communicator or a window for all their members.
fn creates(name: &str) -> bool {
    let Some(name) = name.strip_prefix("MPI_") else {
        return false;
    };
    let groups: [(&str, &[&str]); 4] = [
        (
            "Comm_",
            &[
                "dup",
                "dup_with_info",
                "create",
                "create_group",
                "create_from_group",
                "split",
                "split_type",
            ],
        ),
        ("Cart_", &["create", "sub"]),
        (
            "Win_",
            &["create", "create_dynamic", "allocate", "allocate_shared"],
        ),
        (
            "",
            &[
                "Graph_create",
                "Dist_graph_create",
                "Dist_graph_create_adjacent",
                "Intercomm_merge",
            ],
        ),
    ];
    (groups.iter()).any(|(prefix, rest)| {
        name.strip_prefix(prefix)
            .is_some_and(|name| rest.contains(&name))
    })
}

/// What was created: a communicator, or a window.
type Created = Result<u32, u32>;

/// What a process created together with others, by its turn.
pub(super) fn creations(view: &View, process: &Process) -> Calls {
    let mut all = Calls::default();
    let mut regions = view.trace.definitions.regions.iter();
    if !regions.any(|region| creates(&region.name)) {
        return all;
    }
    let calls = Around::of(view, process, creates);
    let mut turns: HashMap<Created, u64> = HashMap::new();
    for (&location, calls) in process.locations.iter().zip(&calls) {
        for (index, created) in created(view, location) {
            let ends = calls.enter(index).zip(calls.leave(index));
            let rank = rank_in(view.trace, created, process.rank);
            let (Some(ends), Some(rank), true) = (ends, rank, creates(calls.name(index))) else {
                continue;
            };
            let [enter, leave] = <[usize; 2]>::from(ends).map(|it| view.at(location, it));
            let member = Member::synchronizing(CollectiveOp::CreateHandle, enter, leave, rank);
            let turn = turns.entry(created).or_default();
            let row = all.row(match created {
                Ok(comm) => Row::new(Over::NewCommunicator, comm),
                Err(win) => Row::new(Over::NewWindow, win),
            });
            all.add(row, *turn, member);
            *turn += 1;
        }
    }
    all
}

/// What the events of a location tell was created.
fn created(view: &View, location: u32) -> Vec<(usize, Created)> {
    let events = &view.trace.locations[location as usize].events;
    // Of all events those that may tell it.
    let noted = events.notes().iter().map(|note| note.0);
    let created = events.comm_creates().iter().map(|created| created.0);
    let one_sided = events.one_sided().iter().map(|event| event.0);
    let mut told: Vec<u32> = noted.chain(created).chain(one_sided).collect();
    told.sort_unstable();
    told.dedup();
    let mut in_collective = 0;
    let mut all = Vec::new();
    for index in told.into_iter().map(|index| index as usize) {
        let at = view.at(location, index);
        all.extend(notes(view.trace, at).filter_map(|note| match note {
            Note::Created(comm) => Some((index, Ok(comm.0))),
            _ => None,
        }));
        match event(view.trace, at) {
            Event::CommCreate(comm) => all.push((index, Ok(comm.0))),
            Event::OneSided(OneSidedEvent::CollectiveBegin) => in_collective += 1,
            Event::OneSided(OneSidedEvent::CollectiveEnd(_)) => in_collective -= 1,
            Event::OneSided(OneSidedEvent::WinCreate(win)) if in_collective <= 0 => {
                all.push((index, Err(win.0)));
            }
            _ => {}
        }
    }
    all
}

/// The rank in what was created, unless that has two groups.
fn rank_in(trace: &Trace, created: Created, rank: Rank) -> Option<u32> {
    let comm = match created {
        Ok(comm) => CommId(comm),
        Err(win) => trace.definitions.windows.get(win as usize)?.comm,
    };
    let comm = communicator(trace, comm)?;
    if comm.is_self || comm.remote.is_some() {
        return None;
    }
    let rank = comm.members.iter().position(|&member| member == rank)?;
    Some(rank as u32)
}
