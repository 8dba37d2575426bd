//! Operations on windows, from their call to their completion.
//!
//! A process records the synchronization that completes them, once; here each
//! gets its event. What another thread called is not known at this location,
//! and no completion is written of it.

use std::collections::BTreeMap;

use otf2::{Event, LockType, RmaAtomicType};

use crate::record::{RemoteAccess, RemoteOperation, WindowSync, ALL_PARTS};

/// The operations of a location that have not completed.
///
/// A program may flush after each of a million operations that nothing completes at the target:
/// what is complete here is set apart, so that nobody looks at it again until that does.
#[derive(Default)]
pub(crate) struct Accesses {
    /// Those not complete here, or not seen to be since.
    here: Parts<Open>,
    /// Those complete here and not at the target.
    there: Parts<Open>,
    /// Those with requests that are under way, and their windows and targets.
    requests: BTreeMap<u32, Part>,
    /// Completions to be written.
    told: Vec<Event>,
}

/// The process's number of a window, and a rank in it.
type Part = (u32, u32);
type Parts<T> = BTreeMap<Part, Vec<T>>;

struct Open {
    id: u32,
    /// The archive's number of the window.
    win: u32,
    has_request: bool,
    is_complete_here: bool,
}

impl Accesses {
    /// Returns whether completions have to be written.
    #[inline(always)]
    pub fn has_told(&self) -> bool {
        !self.told.is_empty()
    }

    /// Takes the completions that have to be written.
    pub fn take_told(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.told)
    }

    /// Forgets what is under way.
    pub fn clear(&mut self) {
        self.here.clear();
        self.there.clear();
        self.requests.clear();
    }

    /// An operation begins, on the window of this number in the archive; returns its event.
    pub fn begin(&mut self, win: u32, access: &RemoteAccess, id: u32) -> Event {
        let part = (access.window, access.target);
        self.here.entry(part).or_default().push(Open {
            id,
            win,
            has_request: access.has_request,
            is_complete_here: false,
        });
        if access.has_request {
            self.requests.insert(id, part);
        }
        event(win, access, id.into())
    }

    /// A test found the request not complete; returns the event if it is one of these.
    pub fn tested(&self, request: u32) -> Option<Event> {
        let open = self.here.get(self.requests.get(&request)?)?;
        let win = open[place(open, request)?].win;
        Some(Event::RmaOpTest {
            win,
            matching_id: request.into(),
        })
    }

    /// A request has completed.
    pub fn request(&mut self, request: u32) {
        let part = self.requests.remove(&request);
        let Some(open) = part.and_then(|part| self.here.get_mut(&part)) else {
            return;
        };
        if let Some(at) = place(open, request) {
            self.told.extend(open[at].complete_here());
        }
    }

    /// A window was synchronized with one other process or all.
    pub fn synchronized(&mut self, window: u32, sync: WindowSync) {
        let (with, is_remote) = match sync {
            WindowSync::Local(with) => (with, false),
            WindowSync::Remote(with) => (with, true),
            _ => return,
        };
        for (part, mut open) in taken(&mut self.here, window, with) {
            for it in &mut open {
                self.told.extend(it.complete_here());
                self.requests.remove(&it.id);
            }
            self.there.entry(part).or_default().append(&mut open);
        }
        if is_remote {
            for it in taken(&mut self.there, window, with).into_values().flatten() {
                self.told.push(Event::RmaOpCompleteRemote {
                    win: it.win,
                    matching_id: it.id.into(),
                });
            }
        }
    }
}

/// Takes out what concerns one part of a window, or all of them.
fn taken(all: &mut Parts<Open>, window: u32, part: u32) -> Parts<Open> {
    if part != ALL_PARTS {
        return all.remove_entry(&(window, part)).into_iter().collect();
    }
    let mut from = all.split_off(&(window, 0));
    let mut behind = match window.checked_add(1) {
        Some(next) => from.split_off(&(next, 0)),
        None => Parts::default(),
    };
    all.append(&mut behind);
    from
}

impl Open {
    /// Its buffer may be used again; returns the event, unless that was told.
    fn complete_here(&mut self) -> Option<Event> {
        let is_new = !std::mem::replace(&mut self.is_complete_here, true);
        let (win, matching_id) = (self.win, self.id.into());
        is_new.then_some(match self.has_request {
            true => Event::RmaOpCompleteNonBlocking { win, matching_id },
            false => Event::RmaOpCompleteBlocking { win, matching_id },
        })
    }
}

/// Finds an operation: a process counts them up.
fn place(open: &[Open], id: u32) -> Option<usize> {
    open.binary_search_by_key(&id, |it| it.id).ok()
}

fn event(win: u32, access: &RemoteAccess, matching_id: u64) -> Event {
    let (remote, bytes) = (access.target, access.bytes);
    let atomic_type = match access.operation {
        RemoteOperation::Put => {
            return Event::RmaPut {
                win,
                remote,
                bytes,
                matching_id,
            }
        }
        RemoteOperation::Get => {
            return Event::RmaGet {
                win,
                remote,
                bytes,
                matching_id,
            }
        }
        RemoteOperation::Accumulate => RmaAtomicType::ACCUMULATE,
        RemoteOperation::FetchAndAccumulate => RmaAtomicType::FETCH_AND_ACCUMULATE,
        RemoteOperation::CompareAndSwap => RmaAtomicType::COMPARE_AND_SWAP,
    };
    let values = match access.operation {
        RemoteOperation::CompareAndSwap => 2,
        _ => u64::from(access.sends),
    };
    Event::RmaAtomic {
        win,
        remote,
        atomic_type,
        bytes_sent: values * bytes,
        bytes_received: u64::from(access.receives) * bytes,
        matching_id,
    }
}

/// Returns OTF2's word for a lock that others may hold, too, or not.
pub(super) fn lock_type(shared: bool) -> LockType {
    match shared {
        true => LockType::SHARED,
        false => LockType::EXCLUSIVE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(all: &mut Accesses, target: u32, id: u32, has_request: bool) {
        let access = RemoteAccess {
            window: 5,
            target,
            operation: RemoteOperation::Put,
            bytes: 8,
            sends: true,
            receives: false,
            has_request,
        };
        all.begin(1, &access, id);
    }

    fn told(all: &mut Accesses) -> Vec<String> {
        let word = |event: Event| match event {
            Event::RmaOpCompleteBlocking { matching_id, .. } => format!("{matching_id} here"),
            Event::RmaOpCompleteNonBlocking { matching_id, .. } => format!("{matching_id} waited"),
            Event::RmaOpCompleteRemote { matching_id, .. } => format!("{matching_id} there"),
            other => format!("{other:?}"),
        };
        all.take_told().into_iter().map(word).collect()
    }

    #[test]
    fn each_completes_once_here_and_once_there() {
        let mut all = Accesses::default();
        put(&mut all, 0, 1, false);
        put(&mut all, 1, 2, false);
        all.synchronized(5, WindowSync::Local(1));
        assert_eq!(told(&mut all), ["2 here"]);
        all.synchronized(6, WindowSync::Remote(ALL_PARTS));
        assert_eq!(told(&mut all), [""; 0]);
        all.synchronized(5, WindowSync::Remote(ALL_PARTS));
        assert_eq!(told(&mut all), ["1 here", "1 there", "2 there"]);
        all.synchronized(5, WindowSync::Remote(ALL_PARTS));
        assert!(!all.has_told());
    }

    #[test]
    fn requests_complete_by_a_wait_or_by_what_completes_all() {
        let mut all = Accesses::default();
        put(&mut all, 0, 1, true);
        put(&mut all, 0, 2, true);
        assert!(all.tested(1).is_some() && all.tested(3).is_none());
        all.request(1);
        assert_eq!(told(&mut all), ["1 waited"]);
        assert!(all.tested(1).is_none());
        all.synchronized(5, WindowSync::Remote(0));
        assert_eq!(told(&mut all), ["2 waited", "1 there", "2 there"]);
        all.request(2);
        assert!(!all.has_told());
    }

    /// Looking at all that is open with each flush would take half an hour.
    #[test]
    fn a_flush_does_not_look_again_at_what_it_knows() {
        const MANY: u32 = 1_000_000;
        let mut all = Accesses::default();
        for id in 1..=MANY {
            put(&mut all, id % 3, id, false);
            all.synchronized(5, WindowSync::Local(ALL_PARTS));
            assert_eq!(all.take_told().len(), 1);
        }
        all.synchronized(5, WindowSync::Remote(ALL_PARTS));
        assert_eq!(all.take_told().len(), MANY as usize);
        assert!(all.here.is_empty() && all.there.is_empty());
    }

    #[test]
    fn windows_beside_are_left_alone() {
        let mut all = Accesses::default();
        put(&mut all, 0, 1, false);
        for window in [0, 4, 6, u32::MAX] {
            all.synchronized(window, WindowSync::Remote(ALL_PARTS));
            assert!(!all.has_told(), "{window}");
        }
        all.synchronized(5, WindowSync::Remote(0));
        assert_eq!(told(&mut all), ["1 here", "1 there"]);
    }
}
