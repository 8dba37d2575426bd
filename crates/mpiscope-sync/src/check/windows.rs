//! Windows: fences, epochs, locks, notifications.

use std::collections::{BTreeMap, HashMap};

use mpiscope_model::{
    Collective, CollectiveOp, Event, OneSidedEvent, Rank, Timestamp, Trace, WinId, WinLock,
};

use super::calls::Calls;
use super::collectives::{Member, Party};
use super::seen::{communicator, peer_in, place, sequence, At};

/// What each process did to windows, in its order, and to which of them
/// recording had been switched before.
fn rows(trace: &Trace) -> BTreeMap<Rank, Vec<(At, OneSidedEvent, usize)>> {
    let mut rows: BTreeMap<Rank, Vec<(Timestamp, At, OneSidedEvent, usize)>> = BTreeMap::new();
    for (number, location) in trace.locations.iter().enumerate() {
        let mut switched = 0;
        for (index, (time, event)) in location.events.iter().enumerate() {
            match event {
                Event::MeasurementOnOff(_) => switched += 1,
                Event::OneSided(event) => {
                    let row = (time, (number, index), event, switched);
                    rows.entry(location.rank).or_default().push(row);
                }
                _ => {}
            }
        }
    }
    let ordered = |(rank, mut rows): (Rank, Vec<(Timestamp, At, OneSidedEvent, usize)>)| {
        let threads = rows.iter().any(|row| row.1 .0 != rows[0].1 .0);
        if threads {
            rows.sort_by_key(|row| (row.0, row.1));
        }
        (
            rank,
            rows.into_iter()
                .map(|(_, at, event, switched)| (at, event, switched))
                .collect(),
        )
    };
    rows.into_iter().map(ordered).collect()
}

/// Collective operations on windows, by their number on the window.
pub(super) fn fences(trace: &Trace) -> Vec<Party> {
    let mut parties: BTreeMap<(WinId, u64), Vec<Member>> = BTreeMap::new();
    for (rank, rows) in rows(trace) {
        let mut begun: HashMap<usize, Vec<At>> = HashMap::new();
        let mut next: HashMap<WinId, (usize, Option<u64>)> = HashMap::new();
        for (at, event, switched) in rows {
            let ended = match event {
                OneSidedEvent::CollectiveBegin => {
                    begun.entry(at.0).or_default().push(at);
                    continue;
                }
                OneSidedEvent::CollectiveEnd(ended) => ended,
                _ => continue,
            };
            let enter = begun.entry(at.0).or_default().pop();
            let Some(window) = trace.definitions.windows.get(ended.win.index()) else {
                continue;
            };
            let (before, number) = next.entry(ended.win).or_insert((0, Some(0)));
            if *before != switched {
                *number = None;
            }
            let number = sequence(trace, at).or(*number);
            let following = number.and_then(|number| number.checked_add(1));
            next.insert(ended.win, (switched, following));
            let place = communicator(trace, window.comm).and_then(|comm| place(comm, rank));
            let (Some((rank, _)), Some(number), Some(enter)) = (place, number, enter) else {
                continue;
            };
            if !ended.synchronizes && ended.op == CollectiveOp::Barrier {
                continue;
            }
            let op = if ended.synchronizes {
                CollectiveOp::Fence
            } else {
                ended.op
            };
            parties
                .entry((ended.win, number))
                .or_default()
                .push(Member {
                    collective: Collective {
                        op,
                        comm: window.comm,
                        root: ended.root,
                        sent: ended.sent,
                        received: ended.received,
                    },
                    ..Member::synchronizing(op, enter, at, rank as u32)
                });
        }
    }
    let across = |win: WinId| {
        let comm = trace.definitions.windows[win.index()].comm;
        communicator(trace, comm).is_some_and(|comm| comm.remote.is_some())
    };
    let party = |((win, _), members)| Party {
        members,
        across: across(win),
    };
    parties.into_iter().map(party).collect()
}

/// An epoch: the others, and enter and leave of the calls that open and close it.
struct Epoch {
    win: WinId,
    others: Vec<Rank>,
    open: (At, Option<At>),
    close: Option<(At, Option<At>)>,
}

/// Waits at the begin and end of epochs: what a start waits for is seen at the
/// complete, as the start need not wait.
pub(super) fn epochs(trace: &Trace, calls: &[Calls]) -> Vec<(At, At)> {
    let mut access: BTreeMap<Rank, Vec<Epoch>> = BTreeMap::new();
    let mut exposure: BTreeMap<Rank, Vec<Epoch>> = BTreeMap::new();
    for (rank, rows) in rows(trace) {
        for (at, event, switched) in rows {
            let OneSidedEvent::GroupSync(win, group) = event else {
                continue;
            };
            let calls = &calls[at.0];
            let Some(enter) = calls.enter(at.1) else {
                continue;
            };
            if switched > 0 {
                continue;
            }
            let call = ((at.0, enter), calls.leave(at.1).map(|leave| (at.0, leave)));
            let (epochs, opens) = match calls.name(at.1) {
                "MPI_Win_start" => (&mut access, true),
                "MPI_Win_complete" => (&mut access, false),
                "MPI_Win_post" => (&mut exposure, true),
                "MPI_Win_wait" | "MPI_Win_test" => (&mut exposure, false),
                _ => continue,
            };
            let epochs = epochs.entry(rank).or_default();
            if opens {
                let others = trace.definitions.groups.get(group.index());
                epochs.push(Epoch {
                    win,
                    others: others.cloned().unwrap_or_default(),
                    open: call,
                    close: None,
                });
            } else {
                let closed = |epoch: &&mut Epoch| epoch.win == win;
                let last = epochs
                    .iter_mut()
                    .rev()
                    .take_while(|epoch| epoch.close.is_none())
                    .find(closed);
                if let Some(epoch) = last {
                    epoch.close = Some(call);
                }
            }
        }
    }
    // Exposures by window, target and origin, in their order.
    let mut facing: HashMap<(WinId, Rank, Rank), Vec<&Epoch>> = HashMap::new();
    for (&target, exposures) in &exposure {
        for epoch in exposures {
            let mut origins = epoch.others.clone();
            origins.sort_unstable();
            origins.dedup();
            for origin in origins {
                let key = (epoch.win, target, origin);
                facing.entry(key).or_default().push(epoch);
            }
        }
    }
    let mut waits = Vec::new();
    for (&origin, accesses) in &access {
        let mut met: HashMap<(WinId, Rank), usize> = HashMap::new();
        for epoch in accesses {
            for &target in &epoch.others {
                let turn = met.entry((epoch.win, target)).or_default();
                let exposures = facing.get(&(epoch.win, target, origin));
                let other = exposures.and_then(|exposures| exposures.get(*turn));
                *turn += 1;
                let Some((other, (complete, completed))) = other.zip(epoch.close) else {
                    continue;
                };
                waits.extend(completed.map(|completed| (other.open.0, completed)));
                let waited = other.close.and_then(|(_, waited)| waited);
                waits.extend(waited.map(|waited| (complete, waited)));
            }
        }
    }
    waits
}

/// Notifications, in and out.
pub(super) fn notifications(trace: &Trace) -> Vec<(At, At)> {
    let mut out: HashMap<(WinId, Rank, Rank), Vec<At>> = HashMap::new();
    let mut into: BTreeMap<(WinId, Rank, Rank), Vec<At>> = BTreeMap::new();
    for (me, rows) in rows(trace) {
        for (at, event, switched) in rows {
            let (win, peer) = match event {
                OneSidedEvent::NotifyOut(win, peer) | OneSidedEvent::NotifyIn(win, peer) => {
                    (win, peer)
                }
                _ => continue,
            };
            let window = trace.definitions.windows.get(win.index());
            let peer = window.and_then(|window| peer_in(trace, me, window.comm, peer));
            let (Some(peer), 0) = (peer, switched) else {
                continue;
            };
            match event {
                OneSidedEvent::NotifyOut(..) => out.entry((win, me, peer)).or_default().push(at),
                _ => into.entry((win, peer, me)).or_default().push(at),
            }
        }
    }
    let mut waits = Vec::new();
    for (pair, into) in into {
        waits.extend(out.get(&pair).into_iter().flatten().copied().zip(into));
    }
    waits
}

/// A lock held once: its number, whether shared, where it was given back.
struct Held {
    number: u64,
    shared: bool,
    enter: At,
    leave: Option<At>,
}

/// Locks of windows whose holders are known in their order.
pub(super) fn locks(trace: &Trace, calls: &[Calls]) -> Vec<(At, At)> {
    let mut held: BTreeMap<(WinId, u32, u64), Vec<Held>> = BTreeMap::new();
    for (number, location) in trace.locations.iter().enumerate() {
        let mut holding: HashMap<(WinId, u32, u64), (u64, bool)> = HashMap::new();
        let key = |lock: WinLock| (lock.win, lock.remote, lock.id);
        for (index, (_, event)) in location.events.iter().enumerate() {
            match event {
                Event::OneSided(
                    OneSidedEvent::RequestLock(lock) | OneSidedEvent::AcquireLock(lock),
                ) => {
                    let number = sequence(trace, (number, index));
                    holding.extend(number.map(|number| (key(lock), (number, lock.shared))));
                }
                Event::OneSided(OneSidedEvent::ReleaseLock(lock)) => {
                    let Some((turn, shared)) = holding.remove(&key(lock)) else {
                        continue;
                    };
                    let calls = &calls[number];
                    let enter = calls.enter(index);
                    let leave = enter.map_or(Some(index), |_| calls.leave(index));
                    held.entry(key(lock)).or_default().push(Held {
                        number: turn,
                        shared,
                        enter: (number, enter.unwrap_or(index)),
                        leave: leave.map(|leave| (number, leave)),
                    });
                }
                _ => {}
            }
        }
    }
    held.into_values().flat_map(of_lock).collect()
}

/// The waits of one lock, its holders in their order.
fn of_lock(mut holders: Vec<Held>) -> Vec<(At, At)> {
    holders.sort_by_key(|held| held.number);
    let mut waits = Vec::new();
    let mut exclusive: Option<&Held> = None;
    // Those that share it since.
    let mut sharing: Vec<&Held> = Vec::new();
    for turn in holders.chunk_by(|a, b| a.number == b.number) {
        // If several have a number, nobody knows who came first.
        let [holder] = turn else { continue };
        if let Some(leave) = holder.leave {
            let waited_for = match holder.shared || sharing.is_empty() {
                true => exclusive.as_slice(),
                false => &sharing,
            };
            waits.extend(waited_for.iter().map(|held| (held.enter, leave)));
        }
        if holder.shared {
            sharing.push(holder);
        } else {
            exclusive = Some(holder);
            sharing.clear();
        }
    }
    waits
}
