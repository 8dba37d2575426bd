//! A process's vector clock, and the stamps that its messages carry.
//!
//! The own element advances at every send; the others are what was heard
//! (Fidge 1989). A stamp holds only the elements that changed since the last
//! stamp on the same channel (Singhal and Kshemkalyani 1992): a channel is
//! first in, first out, so its other end can put the whole together.

use super::recency::Recency;

/// The clock of one process.
#[derive(Debug)]
pub struct Clock {
    own: usize,
    elements: Vec<u64>,
    /// Number of the change that gave each element its value.
    changed: Vec<u64>,
    /// So many changes so far.
    changes: u64,
    /// Elements by their last change.
    latest: Recency,
}

/// Which changes the other end of a channel knows of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told(u64);

impl Clock {
    /// Begins at 0, for process `own` of so many.
    pub fn new(own: usize, processes: usize) -> Self {
        Self {
            own,
            elements: vec![0; processes],
            changed: vec![0; processes],
            changes: 0,
            latest: Recency::new(processes),
        }
    }

    /// Returns the own element: how many messages were sent.
    #[inline]
    pub fn time(&self) -> u64 {
        self.elements[self.own]
    }

    /// Advances the own element, for a send.
    #[inline]
    pub fn tick(&mut self) {
        self.elements[self.own] += 1;
    }

    /// Learns an element of another clock.
    #[inline]
    pub fn learn(&mut self, process: usize, value: u64) {
        match self.elements.get_mut(process) {
            Some(known) if process != self.own && *known < value => *known = value,
            _ => return,
        }
        self.changes += 1;
        self.changed[process] = self.changes;
        self.latest.touch(process);
    }

    /// Learns a whole clock.
    pub fn join(&mut self, all: &[i64]) {
        for (process, &value) in all.iter().enumerate() {
            self.learn(process, value.max(0) as u64);
        }
    }

    /// Returns all elements, as MPI takes them.
    pub fn whole(&self) -> Vec<i64> {
        self.elements.iter().map(|&value| value as i64).collect()
    }

    /// Writes what a channel does not know yet, after `tag`; the other end is
    /// then as wise as this process. Returns the stamp's length.
    #[inline]
    pub fn stamp(&self, told: &mut Told, tag: i32, stamp: &mut [u8]) -> usize {
        let mut length = HEAD;
        let mut put = |process: usize| {
            if let Some(place) = stamp.get_mut(length..length + ELEMENT) {
                place[..4].copy_from_slice(&(process as u32).to_le_bytes());
                place[4..].copy_from_slice(&self.elements[process].to_le_bytes());
                length += ELEMENT;
            }
        };
        put(self.own);
        for process in self.latest.latest() {
            if self.changed[process] <= told.0 {
                break;
            }
            put(process);
        }
        stamp[..4].copy_from_slice(&tag.to_le_bytes());
        stamp[4..HEAD].copy_from_slice(&((length - HEAD) as u32).to_le_bytes());
        *told = Told(self.changes);
        length
    }
}

const HEAD: usize = 8;
const ELEMENT: usize = 12;

/// Returns how long a stamp can be.
pub fn longest(processes: usize) -> usize {
    HEAD + (processes + 1) * ELEMENT
}

/// A stamp as it came.
#[derive(Clone, Copy, Debug)]
pub struct Stamp<'a> {
    /// Tag of the message that it belongs to.
    pub tag: i32,
    elements: &'a [u8],
}

impl<'a> Stamp<'a> {
    /// Reads a stamp; what lies behind it is not looked at.
    #[inline]
    pub fn read(bytes: &'a [u8]) -> Self {
        let word = |at: usize| match bytes.get(at..at + 4) {
            Some(word) => word.try_into().map_or(0, u32::from_le_bytes),
            None => 0,
        };
        let length = word(4) as usize;
        Self {
            tag: word(0) as i32,
            elements: bytes.get(HEAD..HEAD + length).unwrap_or_default(),
        }
    }

    /// Returns its elements: process and value.
    #[inline]
    pub fn elements(self) -> impl Iterator<Item = (usize, u64)> + 'a {
        self.elements.chunks_exact(ELEMENT).map(|element| {
            let (process, value) = element.split_at(4);
            let process = process.try_into().map_or(0, u32::from_le_bytes);
            (
                process as usize,
                value.try_into().map_or(0, u64::from_le_bytes),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Processes that send each other messages, with whole clocks beside them.
    struct World {
        clocks: Vec<Clock>,
        told: Vec<Vec<Told>>,
        whole: Vec<Vec<u64>>,
    }

    impl World {
        fn new(n: usize) -> Self {
            Self {
                clocks: (0..n).map(|own| Clock::new(own, n)).collect(),
                told: vec![vec![Told::default(); n]; n],
                whole: vec![vec![0; n]; n],
            }
        }

        /// Sends; returns the stamp and what it stands for.
        fn send(&mut self, from: usize, to: usize) -> (Vec<u8>, Vec<u64>) {
            self.whole[from][from] += 1;
            self.clocks[from].tick();
            let mut bytes = vec![0; longest(self.clocks.len())];
            let length = self.clocks[from].stamp(&mut self.told[from][to], 7, &mut bytes);
            bytes.truncate(length);
            (bytes, self.whole[from].clone())
        }

        fn receive(&mut self, at: usize, (bytes, whole): &(Vec<u8>, Vec<u64>)) {
            for (process, value) in Stamp::read(bytes).elements() {
                self.clocks[at].learn(process, value);
            }
            for (known, value) in self.whole[at].iter_mut().zip(whole) {
                *known = (*known).max(*value);
            }
        }
    }

    /// In any order of any messages, channels kept in order, increments say
    /// what whole clocks would have said.
    #[test]
    fn increments_say_what_whole_clocks_say() {
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for n in [1, 2, 3, 7] {
            let mut world = World::new(n);
            let mut channels = vec![vec![Vec::new(); n]; n];
            for _ in 0..2000 {
                let (from, to) = (random(n), random(n));
                if random(2) == 0 || channels[from][to].is_empty() {
                    let message = world.send(from, to);
                    channels[from][to].push(message);
                } else {
                    let message = channels[from][to].remove(0);
                    world.receive(to, &message);
                    assert_eq!(world.clocks[to].elements, world.whole[to]);
                }
            }
        }
    }

    #[test]
    fn a_channel_that_knows_all_is_told_only_the_time() {
        let mut world = World::new(64);
        for from in 1..64 {
            let message = world.send(from, 0);
            world.receive(0, &message);
        }
        assert_eq!(world.send(0, 5).0.len(), HEAD + 64 * ELEMENT);
        assert_eq!(world.send(0, 5).0.len(), HEAD + ELEMENT);
        let news = world.send(9, 0);
        world.receive(0, &news);
        assert_eq!(world.send(0, 5).0.len(), HEAD + 2 * ELEMENT);
    }

    #[test]
    fn a_stamp_that_is_no_stamp_says_nothing() {
        for bytes in [&[][..], &[1, 2, 3], &[0, 0, 0, 0, 255, 255, 255, 255, 1]] {
            assert_eq!(Stamp::read(bytes).elements().count(), 0);
        }
    }
}
