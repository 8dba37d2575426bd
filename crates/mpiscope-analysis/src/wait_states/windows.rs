//! Waiting at windows that the standard does not demand, but times tell.
//!
//! MPI_Win_start may return before the targets have posted, and MPI_Win_lock before the lock is
//! held (MPI 4.1, §12.5.2 and §12.5.3); most libraries wait there. No order follows from that, and
//! the clock correction has nothing of it. But where such a call was going on when the other side
//! came (entered its post, or the unlock of a lock that excludes this one), it is taken to have waited.

use std::collections::{BTreeMap, HashMap};

use mpiscope_model::definitions::WinId;
use mpiscope_model::{
    BoundKind, EventRef, LocationIndex, Matching, OneSidedEvent, Timestamp, WinLock,
};

use super::{Calls, Held, Kind};

/// Tells the calls that were held up.
pub(super) fn all(matching: &Matching, calls: &Calls) -> Vec<Held> {
    let mut held = starts(matching, calls);
    for (_, mut holdings) in holdings(calls) {
        // In the order in which they ended: of those that exclude each other the one that
        // ended first was first.
        holdings.sort_by_key(|it| (it.end, it.released));
        let mut before = Before::default();
        for holding in &holdings {
            let cause = before.excluding(holding);
            held.extend(cause.and_then(|cause| holding.held_up_by(cause, calls)));
            before.add(holding);
        }
    }
    held
}

impl Calls<'_> {
    /// Returns whether the call around `event` was going on when `cause` came.
    fn was_there(&self, event: EventRef, cause: EventRef, kind: Kind) -> Option<Held> {
        let call = self.lines[event.location.index()].around(event.index)?;
        let came = self.came(cause);
        let held = self.depends(event, cause, kind);
        held.filter(|_| came < call.end)
    }

    fn one_sided(&self, location: LocationIndex) -> &[(u32, OneSidedEvent)] {
        self.trace.locations[location.index()].events.one_sided()
    }

    fn locations(&self) -> impl Iterator<Item = LocationIndex> {
        (0..self.trace.locations.len() as u32).map(LocationIndex)
    }
}

/// What waiting in functions of windows is called, by how their names begin.
const NAMES: [(&str, Kind); 10] = [
    ("MPI_WIN_START", Kind::LatePost),
    ("MPI_WIN_COMPLETE", Kind::LatePost),
    ("MPI_WIN_WAIT", Kind::EarlyWait),
    ("MPI_WIN_TEST", Kind::EarlyWait),
    ("MPI_WIN_LOCK", Kind::WindowLock),
    ("MPI_WIN_UNLOCK", Kind::WindowLock),
    ("MPI_WIN_CREATE", Kind::WindowCreation),
    ("MPI_WIN_ALLOCATE", Kind::WindowCreation),
    ("MPI_WIN_FENCE", Kind::Fence),
    ("MPI_WIN_FREE", Kind::Collective),
];

/// Returns what waiting in a function is called, if it is one of those of windows.
pub(super) fn kind_of(name: &str) -> Option<Kind> {
    let begins = |begin: &str| {
        let start = name.get(..begin.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(begin))
    };
    let found = NAMES.iter().find(|(begin, _)| begins(begin));
    found.map(|(_, kind)| *kind)
}

/// Tells calls of MPI_Win_start that were going on when a target posted.
fn starts(matching: &Matching, calls: &Calls) -> Vec<Held> {
    let of_windows = |location: &LocationIndex| !calls.one_sided(*location).is_empty();
    let locations = calls.locations().filter(of_windows);
    let opened: HashMap<EventRef, EventRef> = locations
        .flat_map(|location| epochs(calls, location))
        .collect();
    let bounds = matching.bounds.iter();
    let bounds = bounds.filter(|bound| bound.kind == BoundKind::OneSided);
    let of_bound = |bound: &mpiscope_model::Bound| {
        let start = opened.get(&bound.receive)?;
        calls.was_there(*start, bound.send, Kind::LatePost)
    };
    bounds.filter_map(of_bound).collect()
}

/// Returns the exits of MPI_Win_complete at a location, each with an event within the MPI_Win_start
/// before it.
fn epochs(calls: &Calls, location: LocationIndex) -> Vec<(EventRef, EventRef)> {
    let line = &calls.lines[location.index()];
    let at = |index: u32| EventRef { location, index };
    let mut open: HashMap<WinId, u32> = HashMap::new();
    let mut found = Vec::new();
    for &(index, event) in calls.one_sided(location) {
        let OneSidedEvent::GroupSync(win, _) = event else {
            continue;
        };
        let Some(call) = line.around(index) else {
            continue;
        };
        let name = calls.name_of(location, call.enter);
        if name.eq_ignore_ascii_case("MPI_Win_start") {
            open.insert(win, index);
        } else if name.eq_ignore_ascii_case("MPI_Win_complete") {
            let start = open.remove(&win);
            found.extend(start.map(|start| (at(call.leave), at(start))));
        }
    }
    found
}

/// One holding of a lock, from where it is asked for to where it is given back.
struct Holding {
    /// The rank whose part is locked, [`ALL_PARTS`] for all.
    part: u32,
    is_shared: bool,
    asked: EventRef,
    acquired: Option<EventRef>,
    released: EventRef,
    /// When it was given back: its call was entered, and left.
    came: Timestamp,
    end: Timestamp,
}

/// A lock of all parts, as OTF2 spells it.
const ALL_PARTS: u32 = u32::MAX;

impl Holding {
    fn held_up_by(&self, cause: EventRef, calls: &Calls) -> Option<Held> {
        let held_up = |event| calls.was_there(event, cause, Kind::WindowLock);
        held_up(self.asked).or_else(|| held_up(self.acquired?))
    }
}

fn holdings(calls: &Calls) -> BTreeMap<WinId, Vec<Holding>> {
    let mut found: BTreeMap<WinId, Vec<Holding>> = BTreeMap::new();
    for location in calls.locations() {
        let mut open: HashMap<(WinId, u32, u64), Open> = HashMap::new();
        for &(index, event) in calls.one_sided(location) {
            let at = EventRef { location, index };
            let key = |lock: WinLock| (lock.win, lock.remote, lock.id);
            match event {
                OneSidedEvent::RequestLock(lock) => {
                    open.insert(key(lock), Open::new(lock, at));
                }
                OneSidedEvent::AcquireLock(lock) => {
                    let it = open.entry(key(lock)).or_insert_with(|| Open::new(lock, at));
                    it.acquired = Some(at);
                }
                OneSidedEvent::ReleaseLock(lock) => {
                    let ended = open.remove(&key(lock)).map(|it| it.released(at, calls));
                    found.entry(lock.win).or_default().extend(ended);
                }
                _ => {}
            }
        }
    }
    found
}

/// A lock asked for and not given back.
struct Open {
    lock: WinLock,
    asked: EventRef,
    acquired: Option<EventRef>,
}

impl Open {
    fn new(lock: WinLock, asked: EventRef) -> Open {
        Open {
            lock,
            asked,
            acquired: None,
        }
    }

    fn released(self, released: EventRef, calls: &Calls) -> Holding {
        let line = &calls.lines[released.location.index()];
        let came = calls.came(released);
        Holding {
            part: self.lock.remote,
            is_shared: self.lock.shared,
            asked: self.asked,
            acquired: self.acquired,
            released,
            came,
            end: line.around(released.index).map_or(came, |call| call.end),
        }
    }
}

/// Who held the locks of a window before, as far as it matters: the last to give it back.
#[derive(Default)]
struct Before {
    exclusive: HashMap<u32, Last>,
    shared: HashMap<u32, Last>,
    any_exclusive: Option<Last>,
}

/// When somebody gave a lock back, and by which event.
type Last = (Timestamp, EventRef);

impl Before {
    /// Returns who kept a lock from being had: of those whom it excludes the last to give it back.
    fn excluding(&self, next: &Holding) -> Option<EventRef> {
        let exclusive = match next.part {
            ALL_PARTS => self.any_exclusive,
            part => self.exclusive.get(&part).copied(),
        };
        let shared = |part: u32| self.shared.get(&part).filter(|_| !next.is_shared).copied();
        let all = [exclusive, shared(next.part), shared(ALL_PARTS)];
        let last = all.into_iter().flatten().max();
        last.map(|(_, event)| event)
    }

    fn add(&mut self, holding: &Holding) {
        let given_back = (holding.came, holding.released);
        let of_parts = match holding.is_shared {
            true => &mut self.shared,
            false => {
                self.any_exclusive = self.any_exclusive.max(Some(given_back));
                &mut self.exclusive
            }
        };
        let last = of_parts.entry(holding.part).or_insert(given_back);
        *last = given_back.max(*last);
    }
}
