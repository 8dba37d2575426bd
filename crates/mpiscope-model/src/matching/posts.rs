//! Nonblocking operations that are under way, by request.
//!
//! A program has few of them at a time and names each twice, so this is the
//! smallest table there is: open addressing, entries of 16 bytes, nothing left
//! behind where one was taken out.

use crate::events::{EventKind, Events, PointToPoint, RequestId};

/// No place; the value of entries that are free.
const FREE: u32 = u32::MAX;

/// 2⁶⁴ over the golden ratio: spreads neighbouring numbers (Knuth, TAOCP 6.4).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Clone, Copy)]
struct Entry {
    request: RequestId,
    place: u32,
}

/// Places in a list that requests have taken.
pub(super) struct Posts {
    entries: Vec<Entry>,
    shift: u32,
    len: usize,
}

impl Default for Posts {
    fn default() -> Posts {
        Posts::with_bits(6)
    }
}

impl Posts {
    fn with_bits(bits: u32) -> Posts {
        let free = Entry {
            request: RequestId(0),
            place: FREE,
        };
        Posts {
            entries: vec![free; 1 << bits],
            shift: 64 - bits,
            len: 0,
        }
    }

    /// Forgets all requests.
    pub fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.place = FREE);
        self.len = 0;
    }

    /// Returns whether nothing is under way.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Notes the place of a request; an earlier one of its number is forgotten.
    pub fn insert(&mut self, request: RequestId, place: u32) {
        if 2 * self.len >= self.entries.len() {
            self.grow();
        }
        let at = self.find(request);
        self.len += usize::from(self.entries[at].place == FREE);
        self.entries[at] = Entry { request, place };
    }

    /// Takes out the place of a request.
    pub fn take(&mut self, request: RequestId) -> Option<u32> {
        let mut hole = self.find(request);
        let place = self.entries[hole].place;
        if place == FREE {
            return None;
        }
        self.len -= 1;
        // Entries behind move up unless that puts them before their home.
        let mask = self.entries.len() - 1;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let entry = self.entries[at];
            if entry.place == FREE {
                break;
            }
            let home = self.home(entry.request);
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.entries[hole] = entry;
                hole = at;
            }
        }
        self.entries[hole].place = FREE;
        Some(place)
    }

    fn home(&self, request: RequestId) -> usize {
        (request.0.wrapping_mul(FACTOR) >> self.shift) as usize
    }

    /// Returns where a request is, or where it belongs.
    fn find(&self, request: RequestId) -> usize {
        let mask = self.entries.len() - 1;
        let mut at = self.home(request) & mask;
        while self.entries[at].place != FREE && self.entries[at].request != request {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let mut larger = Posts::with_bits(64 - self.shift + 1);
        for entry in self.entries.iter().filter(|entry| entry.place != FREE) {
            larger.insert(entry.request, entry.place);
        }
        *self = larger;
    }
}

/// Returns the message that a receive posted by event `post` took, though it
/// never completed: those posted after it can only have what came later. One
/// from or with anything may have taken any.
pub(super) fn taken(events: &Events, post: u32) -> Option<PointToPoint> {
    let asked = events.posted(post as usize)?;
    let nonblocking = events.kinds()[post as usize] == EventKind::MpiIrecvRequest;
    let message = PointToPoint::new(asked.source?, asked.comm, asked.tag?, 0);
    nonblocking.then_some(message)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_as_a_map(steps in prop::collection::vec((any::<bool>(), 0u64..200, 0u32..9), 0..800)) {
            let (mut posts, mut map) = (Posts::default(), HashMap::new());
            for (insert, request, place) in steps {
                let request = RequestId(request * 0x1000);
                match insert {
                    true => {
                        posts.insert(request, place);
                        map.insert(request, place);
                    }
                    false => prop_assert_eq!(posts.take(request), map.remove(&request)),
                }
            }
            prop_assert_eq!(posts.len, map.len());
        }
    }
}
