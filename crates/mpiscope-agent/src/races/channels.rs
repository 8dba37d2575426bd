//! Messages counted by channel: of one communicator, from one process to one,
//! with one tag. On a channel messages do not overtake each other (MPI 4.1,
//! §3.5), so both ends number them alike without a word.

use rustc_hash::FxHashMap;

/// The channel of a communicator's collective operations; tags are not negative.
pub const COLLECTIVE: i32 = -1;

/// More channels of one communicator are not told apart: a program that makes up
/// a tag for every message would fill the memory.
const MOST: usize = 1 << 16;

/// The channels of one communicator that begin, or end, at this process.
#[derive(Debug)]
pub struct Channels<T> {
    places: FxHashMap<u64, u32>,
    channels: Vec<(u64, T)>,
    last: u32,
}

impl<T> Default for Channels<T> {
    fn default() -> Self {
        Self {
            places: FxHashMap::default(),
            channels: Vec::new(),
            last: 0,
        }
    }
}

impl<T: Default> Channels<T> {
    /// Returns the channel to or from a rank; none where there are too many.
    #[inline]
    pub fn get(&mut self, peer: u32, tag: i32) -> Option<&mut T> {
        let key = u64::from(peer) << 32 | u64::from(tag as u32);
        let is_last = self.channels.get(self.last as usize);
        if is_last.is_none_or(|(last, _)| *last != key) {
            self.last = self.find(key)?;
        }
        self.channels
            .get_mut(self.last as usize)
            .map(|(_, channel)| channel)
    }

    fn find(&mut self, key: u64) -> Option<u32> {
        if let Some(place) = self.places.get(&key) {
            return Some(*place);
        }
        if self.channels.len() >= MOST {
            return None;
        }
        let place = self.channels.len() as u32;
        self.places.insert(key, place);
        self.channels.push((key, T::default()));
        Some(place)
    }

    /// Returns all channels: rank, tag, and what is kept of it.
    pub fn iter(&self) -> impl Iterator<Item = (u32, i32, &T)> {
        let parts = |(key, channel)| ((key >> 32) as u32, key as u32 as i32, channel);
        self.channels
            .iter()
            .map(move |(key, channel)| parts((*key, channel)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart_by_rank_and_tag() {
        let mut channels: Channels<u64> = Channels::default();
        for (peer, tag) in [(1, 5), (1, 6), (2, 5), (1, 5), (1, COLLECTIVE), (1, 5)] {
            *channels.get(peer, tag).unwrap() += 1;
        }
        let all: Vec<_> = channels
            .iter()
            .map(|(peer, tag, n)| (peer, tag, *n))
            .collect();
        assert_eq!(all, [(1, 5, 3), (1, 6, 1), (2, 5, 1), (1, -1, 1)]);
    }

    #[test]
    fn there_is_an_end_to_lines() {
        let mut channels: Channels<u64> = Channels::default();
        for tag in 0..MOST as i32 {
            *channels.get(0, tag).unwrap() += 1;
        }
        assert_eq!(channels.get(1, 0), None);
        assert_eq!(channels.get(0, 3).copied(), Some(1));
    }
}
