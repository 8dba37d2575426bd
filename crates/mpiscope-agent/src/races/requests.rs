//! Receives and collective operations whose requests are not complete, and
//! persistent ones.

use std::collections::hash_map::{Entry, HashMap};

use rustc_hash::FxHashMap;

use super::collective::Plan;
use crate::order::envelope::Wild;

/// A receive that was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostedReceive {
    /// In the order of posts; none if it waits for no other.
    pub turn: Option<u64>,
    /// Number of the thread that posted it.
    pub thread: u32,
    /// The how manyth wildcard receive of that thread; none if it has no choice.
    pub ordinal: Option<u64>,
    /// As posted.
    pub wild: Wild,
    /// Place of its communicator, if that is followed.
    pub comm: Option<usize>,
}

/// What a request is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// A receive.
    Receive(PostedReceive),
    /// A collective operation: what is learned from it, and its number on its communicator.
    Collective(Plan, u64),
}

/// A persistent request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistent {
    /// Of a receive on this communicator.
    Receive(Wild, usize),
    /// Of a send: communicator, destination and tag.
    Send(usize, i32, i32),
    /// Of a collective operation.
    Collective(Plan),
}

/// All of them.
#[derive(Debug, Default)]
pub struct Requests {
    once: FxHashMap<usize, Pending>,
    /// Younger ones that share a handle with one above.
    more: Vec<(usize, Pending)>,
    /// What a persistent request is of, and what its start was if it is active.
    persistent: HashMap<usize, (Persistent, Option<Pending>)>,
}

impl Requests {
    /// Returns whether no request is to be looked at.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.once.is_empty() && self.persistent.is_empty()
    }

    /// Notes what was begun.
    #[inline]
    pub fn insert(&mut self, handle: usize, pending: Pending) {
        match self.once.entry(handle) {
            Entry::Occupied(_) => self.more.push((handle, pending)),
            Entry::Vacant(slot) => {
                slot.insert(pending);
            }
        }
    }

    /// Notes a persistent request.
    pub fn insert_persistent(&mut self, handle: usize, request: Persistent) {
        self.persistent.insert(handle, (request, None));
    }

    /// Returns a persistent request.
    pub fn persistent(&self, handle: usize) -> Option<Persistent> {
        self.persistent.get(&handle).map(|(request, _)| *request)
    }

    /// Notes that a persistent request was started.
    pub fn start(&mut self, handle: usize, pending: Pending) {
        if let Some((_, active)) = self.persistent.get_mut(&handle) {
            *active = Some(pending);
        }
    }

    /// Takes what was begun with a request that has completed.
    #[inline]
    pub fn take(&mut self, handle: usize) -> Option<Pending> {
        let Some(pending) = self.once.remove(&handle) else {
            return self.persistent.get_mut(&handle)?.1.take();
        };
        if !self.more.is_empty() {
            self.move_up(handle);
        }
        Some(pending)
    }

    fn move_up(&mut self, handle: usize) {
        if let Some(at) = self.more.iter().position(|(more, _)| *more == handle) {
            let (_, next) = self.more.remove(at);
            self.once.insert(handle, next);
        }
    }

    /// Returns whether a request is that of a receive.
    pub fn is_receive(&self, handle: usize) -> bool {
        let persistent = self.persistent(handle);
        let receives = matches!(persistent, Some(Persistent::Receive(..)));
        receives || matches!(self.once.get(&handle), Some(Pending::Receive(_)))
    }

    /// Forgets a request that the program frees; returns its receive, if it was active.
    pub fn free(&mut self, handle: usize) -> Option<PostedReceive> {
        let active = self.take(handle);
        self.persistent.remove(&handle);
        match active {
            Some(Pending::Receive(posted)) => Some(posted),
            _ => None,
        }
    }

    /// Returns whether a receive waits on the communicator of a place.
    pub fn wait_on(&self, comm: usize) -> bool {
        let active = self
            .persistent
            .values()
            .filter_map(|(_, active)| active.as_ref());
        let more = self.more.iter().map(|(_, pending)| pending);
        let mut all = self.once.values().chain(more).chain(active);
        all.any(|pending| matches!(pending, Pending::Receive(it) if it.comm == Some(comm)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(number: u64) -> Pending {
        Pending::Receive(PostedReceive {
            turn: Some(number),
            thread: 0,
            ordinal: None,
            wild: Wild::default(),
            comm: Some(3),
        })
    }

    #[test]
    fn requests_that_share_a_handle_complete_in_order() {
        let mut requests = Requests::default();
        for number in 0..3 {
            requests.insert(8, pending(number));
        }
        assert!(requests.wait_on(3) && !requests.wait_on(4));
        let taken: Vec<_> = (0..4).map(|_| requests.take(8)).collect();
        let expected = [Some(pending(0)), Some(pending(1)), Some(pending(2)), None];
        assert_eq!(taken, expected);
        assert!(requests.is_empty() && !requests.wait_on(3));
    }

    #[test]
    fn a_persistent_request_stays_until_it_is_freed() {
        let mut requests = Requests::default();
        requests.insert_persistent(8, Persistent::Receive(Wild::default(), 0));
        assert_eq!(requests.take(8), None);
        requests.start(8, pending(4));
        assert_eq!(requests.take(8), Some(pending(4)));
        assert_eq!(requests.take(8), None);
        assert!(!requests.is_empty());
        assert_eq!(requests.free(8), None);
        assert!(requests.is_empty());
    }
}
