//! Locks: who acquires one waits for those who held it before.
//!
//! The order in which a lock was held must be recorded; it cannot be told from
//! times, which are what is in question (analyses of a corrected trace may look at times). Threads record it with each
//! acquisition, windows only if someone noted it (MPI's libraries do not know).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::calls::around;
use super::processes::events_of;
use crate::definitions::LocationIndex;
use crate::events::{Events, OneSidedEvent, ThreadEvent, WinLock};
use crate::messages::{BoundKind, Matching};
use crate::trace::{EventRef, Trace};

/// One holding of a lock.
#[derive(Clone, Copy, Default)]
struct Turn {
    /// From where on the lock is held for certain.
    acquired: Option<EventRef>,
    /// Where it is given back.
    released: Option<EventRef>,
    shared: bool,
}

/// Binds the turns of one lock, in their order: a holder waits for all who
/// shared the lock since it was last held exclusively, or else for who did;
/// one that shares it waits for the latter only.
fn bind(matching: &mut Matching, kind: BoundKind, turns: impl Iterator<Item = Turn>) {
    let mut exclusive: Option<EventRef> = None;
    let mut sharing: Vec<EventRef> = Vec::new();
    for turn in turns {
        if let Some(acquired) = turn.acquired {
            let before = match turn.shared || sharing.is_empty() {
                true => exclusive.as_slice(),
                false => &sharing,
            };
            for &released in before {
                matching.bind(kind, released, acquired);
            }
        }
        match (turn.released, turn.shared) {
            (Some(released), true) => sharing.push(released),
            (Some(released), false) => {
                exclusive = Some(released);
                sharing.clear();
            }
            (None, _) => {}
        }
    }
}

/// Binds the locks that the threads of a process share.
pub(super) fn of_threads(trace: &Trace, locations: &[LocationIndex], matching: &mut Matching) {
    let mut turns: BTreeMap<_, Turn> = BTreeMap::new();
    for &location in locations {
        for &(index, event) in events_of(trace, location).threads() {
            let event_ref = EventRef { location, index };
            match event {
                ThreadEvent::AcquireLock(lock) => {
                    let turn = turns.entry((lock.model, lock.lock, lock.order));
                    turn.or_default().acquired = Some(event_ref);
                }
                ThreadEvent::ReleaseLock(lock) => {
                    let turn = turns.entry((lock.model, lock.lock, lock.order));
                    turn.or_default().released = Some(event_ref);
                }
                _ => {}
            }
        }
    }
    let turns: Vec<_> = turns
        .into_iter()
        .map(|((model, lock, _), turn)| ((model, lock), turn))
        .collect();
    for of_lock in turns.chunk_by(|a, b| a.0 == b.0) {
        bind(
            matching,
            BoundKind::Lock,
            of_lock.iter().map(|(_, turn)| *turn),
        );
    }
}

/// Binds the locks of windows. MPI_Win_lock may return before the lock is
/// held, MPI_Win_unlock may not; and from its entry on it may be given back.
pub(super) fn of_windows(trace: &Trace, matching: &mut Matching) {
    let mut turns: BTreeMap<(WinLock, u64), Vec<Turn>> = BTreeMap::new();
    for number in 0..trace.locations.len() {
        let location = LocationIndex(number as u32);
        for (lock, order, turn) in turns_at(location, events_of(trace, location)) {
            turns.entry((lock, order)).or_default().push(turn);
        }
    }
    // Of several with one number nobody knows who came first.
    let certain = turns.into_iter().filter(|(_, turns)| turns.len() == 1);
    let turns: Vec<_> = certain.map(|((lock, _), turns)| (lock, turns[0])).collect();
    for of_lock in turns.chunk_by(|a, b| a.0 == b.0) {
        bind(
            matching,
            BoundKind::OneSided,
            of_lock.iter().map(|(_, turn)| *turn),
        );
    }
}

/// Returns the turns of which the order is known.
fn turns_at(location: LocationIndex, events: &Events) -> Vec<(WinLock, u64, Turn)> {
    let mut held: FxHashMap<WinLock, (u64, bool)> = FxHashMap::default();
    let mut released: Vec<(u32, WinLock, u64, bool)> = Vec::new();
    for &(index, event) in events.one_sided() {
        match event {
            OneSidedEvent::RequestLock(lock) | OneSidedEvent::AcquireLock(lock) => {
                if let Some(order) = events.sequence(index as usize) {
                    held.insert(unshared(lock), (order, lock.shared));
                }
            }
            OneSidedEvent::ReleaseLock(lock) => {
                if let Some((order, shared)) = held.remove(&unshared(lock)) {
                    released.push((index, unshared(lock), order, shared));
                }
            }
            _ => {}
        }
    }
    let indices: Vec<u32> = released.iter().map(|(index, ..)| *index).collect();
    let event = |index: u32| EventRef { location, index };
    (released.into_iter().zip(around(events, &indices)))
        .map(|((index, lock, order, shared), call)| {
            let turn = Turn {
                acquired: call.map_or(Some(index), |call| call.leave).map(event),
                released: Some(event(call.map_or(index, |call| call.enter))),
                shared,
            };
            (lock, order, turn)
        })
        .collect()
}

fn unshared(lock: WinLock) -> WinLock {
    WinLock {
        shared: false,
        ..lock
    }
}
