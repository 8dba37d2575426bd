//! The receives, and the persistent sends, whose requests are not complete.

use std::collections::hash_map::{Entry, HashMap};

use crate::order::call::Wild;

/// A receive that was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// In the order of posts.
    pub number: u64,
    /// Number of the thread that posted it.
    pub thread: u32,
    /// The how manyth wildcard receive of that thread; none if it has no choice.
    pub ordinal: Option<u64>,
    /// As posted.
    pub wild: Wild,
    /// Place of its communicator, if that is followed.
    pub comm: Option<usize>,
}

/// A persistent request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistent {
    /// Of a receive on this communicator, and what its last start was.
    Receive(Wild, usize, Option<Posted>),
    /// Of a send: communicator, destination and tag.
    Send(usize, i32, i32),
}

/// All of them.
#[derive(Debug, Default)]
pub struct Requests {
    once: HashMap<usize, Posted>,
    /// Younger ones that share a handle with one above.
    more: Vec<(usize, Posted)>,
    persistent: HashMap<usize, Persistent>,
}

impl Requests {
    /// Returns whether no request is to be looked at.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.once.is_empty() && self.persistent.is_empty()
    }

    /// Notes a receive.
    #[inline]
    pub fn insert(&mut self, handle: usize, posted: Posted) {
        match self.once.entry(handle) {
            Entry::Occupied(_) => self.more.push((handle, posted)),
            Entry::Vacant(slot) => {
                slot.insert(posted);
            }
        }
    }

    /// Notes a persistent request.
    pub fn insert_persistent(&mut self, handle: usize, request: Persistent) {
        self.persistent.insert(handle, request);
    }

    /// Returns a persistent request.
    pub fn persistent(&mut self, handle: usize) -> Option<&mut Persistent> {
        self.persistent.get_mut(&handle)
    }

    /// Takes the receive of a request that has completed.
    #[inline]
    pub fn take(&mut self, handle: usize) -> Option<Posted> {
        if let Some(Persistent::Receive(_, _, active)) = self.persistent.get_mut(&handle) {
            return active.take();
        }
        let posted = self.once.remove(&handle)?;
        if let Some(at) = self.more.iter().position(|(more, _)| *more == handle) {
            let (_, next) = self.more.remove(at);
            self.once.insert(handle, next);
        }
        Some(posted)
    }

    /// Returns whether a request is that of a receive.
    pub fn is_receive(&self, handle: usize) -> bool {
        let persistent = self.persistent.get(&handle);
        let receives = matches!(persistent, Some(Persistent::Receive(..)));
        receives || self.once.contains_key(&handle)
    }

    /// Forgets a request that the program frees; returns its receive, if it was active.
    pub fn free(&mut self, handle: usize) -> Option<Posted> {
        let active = self.take(handle);
        self.persistent.remove(&handle);
        active
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posted(number: u64) -> Posted {
        Posted {
            number,
            thread: 0,
            ordinal: None,
            wild: Wild::default(),
            comm: None,
        }
    }

    #[test]
    fn requests_that_share_a_handle_complete_in_order() {
        let mut requests = Requests::default();
        for number in 0..3 {
            requests.insert(8, posted(number));
        }
        let numbers: Vec<_> = (0..4).map(|_| requests.take(8).map(|p| p.number)).collect();
        assert_eq!(numbers, [Some(0), Some(1), Some(2), None]);
        assert!(requests.is_empty());
    }

    #[test]
    fn a_persistent_request_stays_until_it_is_freed() {
        let mut requests = Requests::default();
        let active = Some(posted(4));
        requests.insert_persistent(8, Persistent::Receive(Wild::default(), 0, active));
        assert_eq!(requests.take(8), active);
        assert_eq!(requests.take(8), None);
        assert!(!requests.is_empty());
        assert_eq!(requests.free(8), None);
        assert!(requests.is_empty());
    }
}
