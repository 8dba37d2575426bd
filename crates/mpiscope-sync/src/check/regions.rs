//! What follows from the calls that events are in: synchronous sends, the
//! begin and end of MPI, and the creation of communicators and windows.

use std::collections::{BTreeMap, HashMap};

use mpiscope_model::{
    Assumptions, CollectiveOp, CommId, Event, Events, Note, OneSidedEvent, Rank, Trace,
};
use rayon::prelude::*;

use super::calls::{name_of, Calls};
use super::collectives::{Member, Party};
use super::messages::Message;
use super::seen::{communicator, event, notes, At, Process};

/// The message back of each synchronous send: from the post of its receive to
/// its end.
pub(super) fn synchronous(
    trace: &Trace,
    processes: &[Process],
    messages: &[Message],
) -> Vec<(At, At)> {
    let by_note = |at: At| notes(trace, at).contains(&Note::Synchronous);
    if !may_be_synchronous(trace) {
        return Vec::new();
    }
    let sends = calls_of(trace, by_name);
    let messages = messages.iter().filter(|message| !message.probe);
    let synchronous: Vec<&Message> = messages
        .filter(|m| by_name(sends[m.sent.0].name(m.sent.1)) || by_note(m.sent))
        .collect();
    if synchronous.is_empty() {
        return Vec::new();
    }
    let calls = calls_of(trace, |_| true);
    let (mut ends, mut posts) = (HashMap::new(), HashMap::new());
    for process in processes {
        let (mut sending, mut receiving) = (HashMap::new(), HashMap::new());
        let mut paused = false;
        process.each(trace, |at, _| {
            let in_call = |index: Option<usize>| index.map(|index| (at.0, index));
            match event(trace, at) {
                Event::MpiSend(_) => {
                    ends.extend(in_call(calls[at.0].leave(at.1)).map(|end| (at, end)));
                }
                Event::MpiRecv(_) => {
                    posts.extend(in_call(calls[at.0].enter(at.1)).map(|post| (at, post)));
                }
                Event::MpiIsend(message) => {
                    sending.extend(message.request.map(|request| (request, at)));
                }
                Event::MpiIsendComplete(request) => {
                    ends.extend(sending.remove(&request).map(|send| (send, at)));
                }
                // Switched on, recording posts active receives once more.
                Event::MpiIrecvRequest(request) if paused => {
                    receiving.entry(request).or_insert(at);
                }
                Event::MpiIrecvRequest(request) => {
                    receiving.insert(request, at);
                }
                Event::MeasurementOnOff(_) => paused = true,
                Event::MpiIrecv(message) => {
                    let post = message
                        .request
                        .and_then(|request| receiving.remove(&request));
                    posts.extend(post.map(|post| (at, post)));
                }
                _ => {}
            }
        });
    }
    let back =
        |message: &&Message| Some((*posts.get(&message.received)?, *ends.get(&message.sent)?));
    synchronous.iter().filter_map(back).collect()
}

/// Whether any send may be synchronous.
pub(super) fn may_be_synchronous(trace: &Trace) -> bool {
    let mut regions = trace.definitions.regions.iter();
    let mut locations = trace.locations.iter();
    regions.any(|region| by_name(region.name.trim_end_matches("_c")))
        || locations.any(|location| !location.events.notes().is_empty())
}

fn by_name(name: &str) -> bool {
    name == "MPI_Ssend" || name == "MPI_Issend"
}

/// The calls that were asked for, at all locations.
pub(super) fn calls_of(trace: &Trace, asked: impl Fn(&str) -> bool + Sync) -> Vec<Calls<'_>> {
    let locations = trace.locations.par_iter();
    locations
        .map(|location| Calls::new(trace, &location.events, &asked))
        .collect()
}

/// MPI_Init and MPI_Finalize, as far as they are assumed to be barriers.
pub(super) fn ends(trace: &Trace, assumptions: &Assumptions) -> Vec<Party> {
    let mut parties = Vec::new();
    if assumptions.init {
        let names = ["MPI_Init", "MPI_Init_thread"];
        parties.push(whole_world(trace, CollectiveOp::Init, &names, false));
    }
    if assumptions.finalize {
        parties.push(whole_world(
            trace,
            CollectiveOp::Finalize,
            &["MPI_Finalize"],
            true,
        ));
    }
    parties
}

/// The first (or last) call of that name of each process.
fn whole_world(trace: &Trace, op: CollectiveOp, names: &[&str], last: bool) -> Party {
    let mut members: BTreeMap<Rank, Member> = BTreeMap::new();
    let mut regions = trace.definitions.regions.iter();
    if regions.any(|region| names.contains(&region.name.as_str())) {
        for (number, location) in trace.locations.iter().enumerate() {
            let rank = location.rank;
            if let Some((enter, leave)) = call(trace, &location.events, names, last) {
                let ends = ((number, enter), (number, leave));
                let member = Member::synchronizing(op, ends.0, ends.1, rank.0);
                members.entry(rank).or_insert(member);
            }
        }
    }
    Party {
        members: members.into_values().collect(),
        across: false,
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

/// Who created each communicator and window.
pub(super) fn creations(trace: &Trace) -> Vec<Party> {
    let mut regions = trace.definitions.regions.iter();
    if !regions.any(|region| creates(&region.name)) {
        return Vec::new();
    }
    let calls = calls_of(trace, creates);
    let mut parties: BTreeMap<(Created, usize), Vec<Member>> = BTreeMap::new();
    let mut turns: HashMap<(Rank, Created), usize> = HashMap::new();
    for (number, location) in trace.locations.iter().enumerate() {
        let mut in_collective = 0;
        let events = &location.events;
        // Of all events those that may tell it.
        let noted = events.notes().iter().map(|note| note.0);
        let created = events.comm_creates().iter().map(|created| created.0);
        let one_sided = events.one_sided().iter().map(|event| event.0);
        let mut told: Vec<u32> = noted.chain(created).chain(one_sided).collect();
        told.sort_unstable();
        told.dedup();
        for index in told.into_iter().map(|index| index as usize) {
            let event = events.event(index);
            let mut created: Vec<Created> = Vec::new();
            for note in notes(trace, (number, index)) {
                if let Note::Created(comm) = note {
                    created.push(Ok(comm.0));
                }
            }
            match event {
                Event::CommCreate(comm) => created.push(Ok(comm.0)),
                Event::OneSided(OneSidedEvent::CollectiveBegin) => in_collective += 1,
                Event::OneSided(OneSidedEvent::CollectiveEnd(_)) => in_collective -= 1,
                Event::OneSided(OneSidedEvent::WinCreate(win)) if in_collective <= 0 => {
                    created.push(Err(win.0));
                }
                _ => {}
            }
            for created in created {
                let calls = &calls[number];
                let ends = calls.enter(index).zip(calls.leave(index));
                let rank = rank_in(trace, created, location.rank);
                let (Some((enter, leave)), Some(rank), true) =
                    (ends, rank, creates(calls.name(index)))
                else {
                    continue;
                };
                let turn = turns.entry((location.rank, created)).or_default();
                let op = CollectiveOp::CreateHandle;
                let member = Member::synchronizing(op, (number, enter), (number, leave), rank);
                parties.entry((created, *turn)).or_default().push(member);
                *turn += 1;
            }
        }
    }
    let party = |members| Party {
        members,
        across: false,
    };
    parties.into_values().map(party).collect()
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
