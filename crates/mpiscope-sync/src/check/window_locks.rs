//! Locks of windows whose holders are known in their order.

use std::collections::HashMap;

use mpiscope_model::{OneSidedEvent, WinId, WinLock};

use super::calls::Calls;
use super::seen::{sequence, Process};
use super::view::{At, View};
use super::waits::{together, Waits};
use crate::exchange::{plain, Exchange};

/// A lock: the window, the rank whose part it is, and which of several.
type Lock = (WinId, u32, u64);

/// A lock held once: its number, whether shared, where it was given back.
#[derive(Clone, Copy)]
struct Held {
    lock: Lock,
    number: u64,
    shared: bool,
    enter: At,
    leave: Option<At>,
}

plain! { Held { lock, number, shared, enter, leave } }

/// What this part knows of locks, by the part that brings it together.
pub(super) struct Locks(Vec<Vec<Held>>);

impl Locks {
    pub fn new(parts: usize) -> Locks {
        Locks(vec![Vec::new(); parts])
    }

    /// Adds the locks that a process held.
    pub fn see(&mut self, view: &View, process: &Process, calls: &[Calls]) {
        for (&location, calls) in process.locations.iter().zip(calls) {
            let mut holding: HashMap<Lock, (u64, bool)> = HashMap::new();
            let events = &view.trace.locations[location as usize].events;
            for &(index, event) in events.one_sided() {
                let at = view.at(location, index as usize);
                match event {
                    OneSidedEvent::RequestLock(lock) | OneSidedEvent::AcquireLock(lock) => {
                        let number = sequence(view.trace, at);
                        holding.extend(number.map(|number| (key(lock), (number, lock.shared))));
                    }
                    OneSidedEvent::ReleaseLock(lock) => {
                        if let Some(turn) = holding.remove(&key(lock)) {
                            self.add(view, at, calls, key(lock), turn);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Adds one that was given back at an event.
    fn add(&mut self, view: &View, at: At, calls: &Calls, lock: Lock, turn: (u64, bool)) {
        let enter = calls.enter(at.index());
        let leave = enter.map_or(Some(at.index()), |_| calls.leave(at.index()));
        let home = (u64::from(lock.0 .0) + u64::from(lock.1)) % self.0.len() as u64;
        self.0[home as usize].push(Held {
            lock,
            number: turn.0,
            shared: turn.1,
            enter: enter.map_or(at, |enter| view.at(at.location, enter)),
            leave: leave.map(|leave| view.at(at.location, leave)),
        });
    }

    /// Has holders of locks wait for those before them.
    pub fn wait<E: Exchange>(self, exchange: &E, waits: &mut Waits) {
        let mut held = together(exchange.all_to_all(self.0));
        held.sort_unstable_by_key(|it| (it.lock, it.number));
        for holders in held.chunk_by(|a, b| a.lock == b.lock) {
            waits.extend(of_lock(holders));
        }
    }
}

fn key(lock: WinLock) -> Lock {
    (lock.win, lock.remote, lock.id)
}

/// The waits of one lock, its holders in their order.
fn of_lock(holders: &[Held]) -> Vec<(At, At)> {
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
