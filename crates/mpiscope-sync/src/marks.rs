//! A set of events of one location that tells how many come before each: who
//! knows all members in advance can put what belongs to them in order without
//! sorting. One bit an event, so the set of a location fits into a cache.

/// Which events of a location have roles.
pub(crate) struct Marks {
    words: Vec<Word>,
}

/// The marks of 64 events, and how many come before these.
#[derive(Clone, Copy)]
struct Word {
    marks: u64,
    before: u32,
}

impl Marks {
    /// Marks none of so many events.
    pub fn new(events: usize) -> Marks {
        let none = Word {
            marks: 0,
            before: 0,
        };
        Marks {
            words: vec![none; events.div_ceil(64)],
        }
    }

    /// Marks an event.
    #[inline(always)]
    pub fn set(&mut self, event: u32) {
        self.words[event as usize / 64].marks |= 1 << (event % 64);
    }

    /// Counts the marks, as places need; returns how many there are.
    pub fn count(&mut self) -> usize {
        let count = self.words.iter_mut().fold(0, |before, word| {
            word.before = before;
            before + word.marks.count_ones()
        });
        count as usize
    }

    /// Returns how many marked events come before this one.
    #[inline(always)]
    pub fn place(&self, event: u32) -> usize {
        let word = self.words[event as usize / 64];
        let below = word.marks & !(u64::MAX << (event % 64));
        word.before as usize + below.count_ones() as usize
    }

    /// Visits the marked events in order.
    #[inline(always)]
    pub fn each(&self, mut visitor: impl FnMut(u32)) {
        for (first, word) in (0..).step_by(64).zip(&self.words) {
            let mut left = word.marks;
            while left != 0 {
                visitor(first + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn marked_events_have_places_in_their_order(
            marked in prop::collection::btree_set(0..300u32, 0..100),
        ) {
            let mut marks = Marks::new(300);
            marked.iter().for_each(|&event| marks.set(event));
            prop_assert_eq!(marks.count(), marked.len());
            let mut visited = Vec::new();
            marks.each(|event| visited.push(event));
            prop_assert!(visited.iter().eq(&marked));
            for (place, &event) in marked.iter().enumerate() {
                prop_assert_eq!(marks.place(event), place);
            }
        }
    }
}
