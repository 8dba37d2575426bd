//! Nonblocking operations that are under way, by request.
//!
//! A program has few of them at a time and names each twice, so this is the
//! smallest table there is: open addressing, entries of 16 bytes, nothing left
//! behind where one was taken out.
//!
//! ```
//! use mpiscope_model::requests::UnderWay;
//! use mpiscope_model::RequestId;
//!
//! let mut requests = UnderWay::default();
//! requests.insert(RequestId(7), 42);
//! assert_eq!(requests.take(RequestId(7)), Some(42));
//! assert_eq!(requests.take(RequestId(7)), None);
//! ```

use crate::events::RequestId;

/// No place; the value of entries that are free.
const FREE: u32 = u32::MAX;

/// 2⁶⁴ over the golden ratio: spreads neighbouring numbers (Knuth, TAOCP 6.4).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

#[derive(Clone, Copy, Debug)]
struct Entry {
    request: RequestId,
    place: u32,
}

/// Places in a list that requests have taken; any number but `u32::MAX` is a place.
#[derive(Clone, Debug)]
pub struct UnderWay {
    entries: Vec<Entry>,
    shift: u32,
    len: usize,
}

impl Default for UnderWay {
    fn default() -> UnderWay {
        UnderWay::with_bits(6)
    }
}

impl UnderWay {
    fn with_bits(bits: u32) -> UnderWay {
        let free = Entry {
            request: RequestId(0),
            place: FREE,
        };
        UnderWay {
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

    /// Returns what is under way, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (RequestId, u32)> + '_ {
        let taken = self.entries.iter().filter(|entry| entry.place != FREE);
        taken.map(|entry| (entry.request, entry.place))
    }

    /// Notes the place of a request, and returns an earlier one of its number,
    /// which is forgotten.
    #[inline]
    pub fn insert(&mut self, request: RequestId, place: u32) -> Option<u32> {
        if 2 * self.len >= self.entries.len() {
            self.grow();
        }
        let at = self.find(request);
        let before = self.entries[at].place;
        self.len += usize::from(before == FREE);
        self.entries[at] = Entry { request, place };
        (before != FREE).then_some(before)
    }

    /// Takes out the place of a request.
    #[inline]
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
        let mut larger = UnderWay::with_bits(64 - self.shift + 1);
        for entry in self.entries.iter().filter(|entry| entry.place != FREE) {
            larger.insert(entry.request, entry.place);
        }
        *self = larger;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn behaves_as_a_map(steps in prop::collection::vec((any::<bool>(), 0u64..200, 0u32..9), 0..800)) {
            let (mut posts, mut map) = (UnderWay::default(), HashMap::new());
            for (insert, request, place) in steps {
                let request = RequestId(request * 0x1000);
                match insert {
                    true => {
                        prop_assert_eq!(posts.insert(request, place), map.insert(request, place));
                    }
                    false => prop_assert_eq!(posts.take(request), map.remove(&request)),
                }
            }
            let left: HashMap<_, _> = posts.iter().collect();
            prop_assert_eq!(left, map);
        }
    }
}
