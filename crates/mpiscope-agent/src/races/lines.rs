//! Messages counted by line: of one communicator, from one process to one,
//! with one tag. On a line messages do not overtake each other (MPI 4.1,
//! §3.5), so both ends number them alike without a word.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The line of a communicator's collective operations; tags are not negative.
pub const COLLECTIVE: i32 = -1;

/// More lines of one communicator are not told apart: a program that makes up
/// a tag for every message would fill the memory.
const MOST: usize = 1 << 16;

/// The lines of one communicator that begin, or end, at this process.
#[derive(Debug)]
pub struct Lines<T> {
    places: HashMap<u64, u32, BuildHasherDefault<Mix>>,
    lines: Vec<(u64, T)>,
    last: u32,
}

impl<T> Default for Lines<T> {
    fn default() -> Self {
        Self {
            places: HashMap::default(),
            lines: Vec::new(),
            last: 0,
        }
    }
}

impl<T: Default> Lines<T> {
    /// Returns the line to or from a rank; none where there are too many.
    #[inline]
    pub fn get(&mut self, peer: u32, tag: i32) -> Option<&mut T> {
        let key = u64::from(peer) << 32 | u64::from(tag as u32);
        let is_last = self.lines.get(self.last as usize);
        if is_last.is_none_or(|(last, _)| *last != key) {
            self.last = self.find(key)?;
        }
        self.lines.get_mut(self.last as usize).map(|(_, line)| line)
    }

    fn find(&mut self, key: u64) -> Option<u32> {
        if let Some(place) = self.places.get(&key) {
            return Some(*place);
        }
        if self.lines.len() >= MOST {
            return None;
        }
        let place = self.lines.len() as u32;
        self.places.insert(key, place);
        self.lines.push((key, T::default()));
        Some(place)
    }

    /// Returns all lines: rank, tag, and what is kept of it.
    pub fn iter(&self) -> impl Iterator<Item = (u32, i32, &T)> {
        let parts = |(key, line)| ((key >> 32) as u32, key as u32 as i32, line);
        self.lines
            .iter()
            .map(move |(key, line)| parts((*key, line)))
    }
}

/// Spreads words; nobody chooses keys to our harm.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart_by_rank_and_tag() {
        let mut lines: Lines<u64> = Lines::default();
        for (peer, tag) in [(1, 5), (1, 6), (2, 5), (1, 5), (1, COLLECTIVE), (1, 5)] {
            *lines.get(peer, tag).unwrap() += 1;
        }
        let all: Vec<_> = lines.iter().map(|(peer, tag, n)| (peer, tag, *n)).collect();
        assert_eq!(all, [(1, 5, 3), (1, 6, 1), (2, 5, 1), (1, -1, 1)]);
    }

    #[test]
    fn there_is_an_end_to_lines() {
        let mut lines: Lines<u64> = Lines::default();
        for tag in 0..MOST as i32 {
            *lines.get(0, tag).unwrap() += 1;
        }
        assert_eq!(lines.get(1, 0), None);
        assert_eq!(lines.get(0, 3).copied(), Some(1));
    }
}
