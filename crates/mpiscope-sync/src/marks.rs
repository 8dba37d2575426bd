//! A set of numbers that tells how many come before each: who knows all members
//! in advance can put what belongs to them in order without sorting, or keep it
//! without naming them. One bit for each number there is, so that the set of a
//! location's events fits into a cache.

use std::ops::Range;

/// Which events of a location have roles, or which messages go somewhere.
#[derive(Default)]
pub(crate) struct Marks {
    words: Vec<Word>,
}

/// The marks of 64 numbers, and how many come before these.
#[derive(Clone, Copy)]
struct Word {
    marks: u64,
    before: u32,
}

impl Marks {
    /// Marks none of so many.
    pub fn new(count: usize) -> Marks {
        let none = Word {
            marks: 0,
            before: 0,
        };
        Marks {
            words: vec![none; count.div_ceil(64)],
        }
    }

    /// Marks one.
    #[inline(always)]
    pub fn set(&mut self, number: u32) {
        self.words[number as usize / 64].marks |= 1 << (number % 64);
    }

    /// Counts the marks, as places need; returns how many there are.
    pub fn count(&mut self) -> usize {
        let count = self.words.iter_mut().fold(0, |before, word| {
            word.before = before;
            before + word.marks.count_ones()
        });
        count as usize
    }

    /// Returns how many that are marked come before this one.
    #[inline(always)]
    pub fn place(&self, number: u32) -> usize {
        let word = self.words[number as usize / 64];
        let below = word.marks & !(u64::MAX << (number % 64));
        word.before as usize + below.count_ones() as usize
    }

    /// Visits those that are marked in their order.
    #[inline(always)]
    pub fn each(&self, mut visitor: impl FnMut(u32)) {
        for (first, word) in (0..).step_by(64).zip(&self.words) {
            each(first, word.marks, &mut visitor);
        }
    }

    /// Visits those of a range that are marked in their order.
    pub fn each_of(&self, range: Range<u32>, mut visitor: impl FnMut(u32)) {
        for word in range.start / 64..range.end.div_ceil(64) {
            let first = word * 64;
            let before = range.start.saturating_sub(first);
            let after = 63 - (range.end - 1 - first).min(63);
            let within = (u64::MAX << before) & (u64::MAX >> after);
            each(
                first,
                self.words[word as usize].marks & within,
                &mut visitor,
            );
        }
    }
}

/// Visits the marks of a word.
#[inline(always)]
fn each(first: u32, mut marks: u64, visitor: &mut impl FnMut(u32)) {
    while marks != 0 {
        visitor(first + marks.trailing_zeros());
        marks &= marks - 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_marked_has_places_in_its_order(
            marked in prop::collection::btree_set(0..300u32, 0..100),
            (begin, length) in (0..300u32, 0..300u32),
        ) {
            let mut marks = Marks::new(300);
            marked.iter().for_each(|&event| marks.set(event));
            prop_assert_eq!(marks.count(), marked.len());
            let mut visited = Vec::new();
            marks.each(|event| visited.push(event));
            prop_assert!(visited.iter().eq(&marked));
            let range = begin..(begin + length).min(300);
            visited.clear();
            marks.each_of(range.clone(), |event| visited.push(event));
            prop_assert!(visited.iter().eq(marked.range(range)));
            for (place, &event) in marked.iter().enumerate() {
                prop_assert_eq!(marks.place(event), place);
            }
        }
    }
}
