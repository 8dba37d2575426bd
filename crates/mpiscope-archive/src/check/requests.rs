//! Which requests of a location are active.

use std::collections::{HashMap, HashSet};

/// Requests by their numbers.
#[derive(Debug, Default)]
pub(super) struct Requests {
    active: HashMap<u64, Option<Channel>>,
    /// All that were ever posted, if other threads of the process may complete them.
    pub posted: HashSet<u64>,
    /// There are other threads.
    shared: bool,
}

/// Communicator, world ranks of sender and receiver, tag.
pub(super) type Channel = (u32, u32, u32, u32);

impl Requests {
    pub fn new(shared: bool) -> Self {
        Requests {
            shared,
            ..Requests::default()
        }
    }

    /// Posts one, of a send with its channel; tells whether the number was free.
    pub fn post(&mut self, request: u64, sent: Option<Channel>) -> bool {
        if self.shared {
            self.posted.insert(request);
        }
        self.active.insert(request, sent).is_none()
    }

    /// Whether one is active.
    pub fn is_active(&self, request: u64) -> bool {
        self.active.contains_key(&request)
    }

    /// Ends one; returns what it was, if it was active.
    pub fn end(&mut self, request: u64) -> Option<Option<Channel>> {
        self.active.remove(&request)
    }
}
