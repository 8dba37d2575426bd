//! The stamps of one sender on one communicator, until their messages are received.
//!
//! Stamps come in the order of the sends; messages of different tags may be
//! received in another. So a stamp waits here for its message. Messages of one
//! tag do not overtake each other: the first stamp of a tag is that of the
//! next message received with it.

use std::collections::VecDeque;

use super::clock::{Clock, Stamp};

/// The receiving end of a channel.
#[derive(Debug, Default)]
pub struct Channel {
    waiting: VecDeque<Waiting>,
    /// How many sends of this process the sender knew of, at its last stamp that was read.
    knew: u64,
}

#[derive(Debug)]
struct Waiting {
    tag: i32,
    knew: u64,
    /// What is to be learned from it.
    elements: Vec<(usize, u64)>,
}

impl Channel {
    /// Takes the stamp of a message received with `tag`, if it is here:
    /// teaches the clock what its sender knew, and returns how many sends of
    /// this process that included.
    #[inline]
    pub fn take(&mut self, tag: i32, clock: &mut Clock) -> Option<u64> {
        let at = self.find(tag, clock)?;
        Some(self.waiting.remove(at)?.knew)
    }

    /// The same for a message that was looked at, and stays.
    pub fn look(&mut self, tag: i32, clock: &mut Clock) -> Option<u64> {
        let at = self.find(tag, clock)?;
        Some(self.waiting.get(at)?.knew)
    }

    fn find(&mut self, tag: i32, clock: &mut Clock) -> Option<usize> {
        let at = self.waiting.iter().position(|stamp| stamp.tag == tag)?;
        // Whoever sent this had sent what is before it.
        for stamp in self.waiting.iter_mut().take(at + 1) {
            for (process, value) in stamp.elements.drain(..) {
                clock.learn(process, value);
            }
        }
        Some(at)
    }

    /// Reads the next stamp of the channel, for process `own`. If it is that
    /// of the message received with `tag`, it is taken at once.
    #[inline]
    pub fn read(
        &mut self,
        stamp: Stamp,
        tag: Option<i32>,
        own: usize,
        clock: &mut Clock,
    ) -> Option<u64> {
        if tag == Some(stamp.tag) && self.waiting.is_empty() {
            for (process, value) in stamp.elements() {
                if process == own {
                    self.knew = value;
                }
                clock.learn(process, value);
            }
            return Some(self.knew);
        }
        let elements: Vec<_> = stamp.elements().collect();
        let mine = elements.iter().find(|(process, _)| *process == own);
        self.knew = mine.map_or(self.knew, |(_, value)| *value);
        self.waiting.push_back(Waiting {
            tag: stamp.tag,
            knew: self.knew,
            elements,
        });
        tag.and_then(|tag| self.take(tag, clock))
    }

    /// Returns tag and knowledge of the stamps whose messages nobody received.
    pub fn left(&self) -> impl Iterator<Item = (i32, u64)> + '_ {
        self.waiting.iter().map(|stamp| (stamp.tag, stamp.knew))
    }
}

#[cfg(test)]
mod tests {
    use super::super::clock::{longest, Told};
    use super::*;

    /// Rank 1 of three sends, having heard of so many sends of rank 0 before each; rank 0 reads.
    struct Pair {
        sender: Clock,
        told: Told,
        clock: Clock,
        channel: Channel,
    }

    impl Pair {
        fn new() -> Self {
            Self {
                sender: Clock::new(1, 3),
                told: Told::default(),
                clock: Clock::new(0, 3),
                channel: Channel::default(),
            }
        }

        fn send(&mut self, tag: i32, heard: u64) -> Vec<u8> {
            self.sender.learn(0, heard);
            self.sender.tick();
            let mut bytes = vec![0; longest(3)];
            self.sender.stamp(&mut self.told, tag, &mut bytes);
            bytes
        }

        fn read(&mut self, bytes: &[u8], tag: i32) -> Option<u64> {
            let Self { channel, clock, .. } = self;
            channel.read(Stamp::read(bytes), Some(tag), 0, clock)
        }
    }

    #[test]
    fn a_message_gets_the_stamp_of_its_tag() {
        let mut pair = Pair::new();
        let stamps = [(5, 1), (6, 2), (5, 3), (6, 3)].map(|(tag, heard)| pair.send(tag, heard));
        assert_eq!(pair.read(&stamps[0], 6), None);
        assert_eq!(pair.read(&stamps[1], 6), Some(2));
        assert_eq!(pair.clock.whole(), [0, 2, 0], "it knew the first send too");
        assert_eq!(pair.read(&stamps[2], 6), None);
        assert_eq!(
            pair.clock.whole(),
            [0, 2, 0],
            "what is not received is not known"
        );
        assert_eq!(pair.channel.look(5, &mut pair.clock), Some(1));
        assert_eq!(pair.channel.take(5, &mut pair.clock), Some(1));
        assert_eq!(pair.read(&stamps[3], 6), Some(3));
        assert_eq!(pair.channel.left().collect::<Vec<_>>(), [(5, 3)]);
    }

    #[test]
    fn a_message_received_in_order_waits_for_nothing() {
        let mut pair = Pair::new();
        let stamps = [1, 1, 4].map(|heard| pair.send(0, heard));
        let knew = stamps.map(|stamp| pair.read(&stamp, 0));
        assert_eq!(knew, [Some(1), Some(1), Some(4)]);
        assert_eq!(pair.clock.whole(), [0, 3, 0]);
    }
}
