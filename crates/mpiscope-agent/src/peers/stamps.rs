//! The stamps of one sender, until their messages are received.
//!
//! A stamp says what the sender knew from a certain message of a channel on.
//! Messages of different lines may be received in another order than they were
//! sent in, so a stamp waits here for its message. Where a message has none,
//! its sender knew what the channel's last stamp had said.
//!
//! Nobody waits for a stamp: what is not there was not said. A process can
//! only know too little by that, and then records a receive more than it need.

use std::collections::VecDeque;

use mpiscope_rules::vector_clock::Clock;

/// Words of a stamp before its elements.
pub const HEAD: usize = 3;
/// Marks, in the number of messages, that a channel has no more than these.
const LAST: u64 = 1 << 63;

/// Which channel of a communicator, by its identity and tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The communicator's identity, the same at both ends.
    pub comm: u64,
    /// The tag.
    pub tag: i32,
}

/// A stamp as it travels.
#[derive(Clone, Copy, Debug)]
pub struct Stamp<'a> {
    channel: Channel,
    message: u64,
    elements: &'a [u64],
}

/// Begins a stamp for the message of this number, from 1.
#[inline]
pub fn begin(words: &mut Vec<u64>, channel: Channel, message: u64) {
    words.clear();
    words.extend([u64::from(channel.tag as u32), channel.comm, message]);
}

/// Writes that a channel had so many messages, and no more come.
pub fn end(words: &mut Vec<u64>, channel: Channel, messages: u64) {
    begin(words, channel, messages | LAST);
}

impl<'a> Stamp<'a> {
    /// Reads a stamp.
    #[inline]
    pub fn read(words: &'a [u64]) -> Option<Self> {
        let (&[tag, comm, message], elements) = words.split_first_chunk::<HEAD>()?;
        let tag = tag as u32 as i32;
        Some(Self {
            channel: Channel { comm, tag },
            message,
            elements,
        })
    }
}

/// What is kept of a channel that ends here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heard {
    /// Messages received.
    pub messages: u64,
    /// How many receives of this process the sender of the last one knew of,
    /// by this process's own element.
    pub knew: u64,
}

/// The stamps of one sender.
#[derive(Debug, Default)]
pub struct Stamps {
    waiting: VecDeque<Waiting>,
    /// This process's element at the last stamp that came.
    knew: u64,
    /// Of lines that ended: so many messages.
    ended: Vec<(Channel, u64)>,
}

#[derive(Debug)]
struct Waiting {
    channel: Channel,
    message: u64,
    knew: u64,
    /// What is still to be learned from it.
    elements: Vec<u64>,
}

impl Stamps {
    /// A stamp has come, at process `own`.
    #[inline]
    pub fn come(&mut self, stamp: Stamp, own: usize) {
        if stamp.message & LAST != 0 {
            return self.ended.push((stamp.channel, stamp.message & !LAST));
        }
        let mine = stamp
            .elements
            .chunks_exact(2)
            .find(|of| of[0] == own as u64);
        self.knew = mine.map_or(self.knew, |of| of[1]);
        self.waiting.push_back(Waiting {
            channel: stamp.channel,
            message: stamp.message,
            knew: self.knew,
            elements: stamp.elements.to_vec(),
        });
    }

    /// Returns what the sender of a channel's message knew, which was received or
    /// looked at, and learns it.
    #[inline]
    pub fn knew(
        &mut self,
        channel: Channel,
        message: u64,
        heard: &mut Heard,
        clock: &mut Clock,
    ) -> u64 {
        if !self.waiting.is_empty() {
            self.learn(channel, message, heard, clock);
        }
        heard.knew
    }

    fn learn(&mut self, channel: Channel, message: u64, heard: &mut Heard, clock: &mut Clock) {
        let is_before = |stamp: &Waiting| stamp.channel == channel && stamp.message <= message;
        let Some(last) = self.waiting.iter().rposition(is_before) else {
            return;
        };
        // Whoever sent this had sent what is before it.
        for stamp in self.waiting.iter_mut().take(last + 1) {
            for of in stamp.elements.chunks_exact(2) {
                clock.learn(of[0], of[1]);
            }
            stamp.elements.clear();
        }
        heard.knew = self
            .waiting
            .get(last)
            .map_or(heard.knew, |stamp| stamp.knew);
        if last == 0 {
            self.waiting.pop_front();
        } else {
            self.waiting.retain(|stamp| !is_before(stamp));
        }
    }

    /// Forgets a communicator.
    pub fn forget(&mut self, comm: u64) {
        // What they taught stays to be learned: only their own messages are gone.
        for stamp in &mut self.waiting {
            if stamp.channel.comm == comm {
                stamp.message = u64::MAX;
            }
        }
        let teaches = |stamp: &Waiting| stamp.message != u64::MAX || !stamp.elements.is_empty();
        self.waiting.retain(teaches);
    }

    /// Returns lines that ended, with the number of their messages.
    pub fn ended(&mut self) -> Vec<(Channel, u64)> {
        std::mem::take(&mut self.ended)
    }

    /// Returns what the senders of a channel's messages knew that were not
    /// received, each once, behind so many that were.
    pub fn left(&self, channel: Channel, heard: Heard, messages: u64) -> Vec<u64> {
        if heard.messages >= messages {
            return Vec::new();
        }
        let of_line = self.waiting.iter().filter(|stamp| stamp.channel == channel);
        let mut all: Vec<u64> = of_line.clone().map(|stamp| stamp.knew).collect();
        if of_line.map(|stamp| stamp.message).next() != Some(heard.messages + 1) {
            all.insert(0, heard.knew);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rank 1 of three sends, having heard of so much of rank 0 before each; rank 0 reads.
    struct Pair {
        sender: Clock,
        told: u64,
        clock: Clock,
        stamps: Stamps,
        sent: [u64; 8],
        heard: [Heard; 8],
    }

    impl Pair {
        fn new() -> Self {
            Self {
                sender: Clock::new(1, 3),
                told: 0,
                clock: Clock::new(0, 3),
                stamps: Stamps::default(),
                sent: [0; 8],
                heard: [Heard::default(); 8],
            }
        }

        fn send(&mut self, tag: i32, heard: u64) {
            self.sender.learn(0, heard);
            self.sender.choose();
            let changes = self.sender.before_send();
            self.sent[tag as usize] += 1;
            let mut words = Vec::new();
            begin(
                &mut words,
                Channel { comm: 9, tag },
                self.sent[tag as usize],
            );
            self.sender.news(self.told, &mut words);
            self.told = changes;
            self.stamps.come(Stamp::read(&words).unwrap(), 0);
        }

        /// Counts a message without a stamp.
        fn send_bare(&mut self, tag: i32) {
            self.sent[tag as usize] += 1;
        }

        fn receive(&mut self, tag: i32) -> u64 {
            let heard = &mut self.heard[tag as usize];
            heard.messages += 1;
            let channel = Channel { comm: 9, tag };
            self.stamps
                .knew(channel, heard.messages, heard, &mut self.clock)
        }

        fn learned(&self) -> Vec<u64> {
            let mut words = Vec::new();
            self.clock.news(0, &mut words);
            words
        }
    }

    #[test]
    fn a_message_gets_the_stamp_of_its_line() {
        let mut pair = Pair::new();
        for (tag, heard) in [(5, 1), (6, 2), (5, 3), (6, 3)] {
            pair.send(tag, heard);
        }
        assert_eq!(pair.receive(6), 2);
        assert_eq!(
            pair.learned(),
            [1, 2],
            "it knew the first send too, and no other"
        );
        assert_eq!(pair.receive(5), 1);
        assert_eq!(pair.receive(6), 3);
        let channel = Channel { comm: 9, tag: 5 };
        assert_eq!(pair.stamps.left(channel, pair.heard[5], 2), [3]);
        assert!(pair.stamps.left(channel, pair.heard[5], 1).is_empty());
    }

    #[test]
    fn a_message_without_a_stamp_was_sent_by_who_knew_no_more() {
        let mut pair = Pair::new();
        pair.send_bare(5);
        pair.send(5, 4);
        pair.send_bare(5);
        assert_eq!([0; 3].map(|_| pair.receive(5)), [0, 4, 4]);
        assert_eq!(pair.learned(), [1, 1]);
    }

    #[test]
    fn what_was_not_received_was_sent_by_who_knew_this() {
        let mut pair = Pair::new();
        let channel = Channel { comm: 9, tag: 5 };
        pair.send_bare(5);
        pair.send(5, 4);
        pair.send(5, 7);
        assert_eq!(pair.stamps.left(channel, Heard::default(), 3), [0, 4, 7]);
        pair.receive(5);
        assert_eq!(pair.stamps.left(channel, pair.heard[5], 3), [4, 7]);
    }

    #[test]
    fn a_communicator_that_is_gone_takes_nothing_along_that_others_need() {
        let mut pair = Pair::new();
        pair.send(5, 1);
        let words = [6, 8, 1];
        pair.stamps.come(Stamp::read(&words).unwrap(), 0);
        pair.stamps.forget(9);
        assert_eq!(pair.stamps.waiting.len(), 2);
        let mut heard = Heard::default();
        let channel = Channel { comm: 8, tag: 6 };
        assert_eq!(pair.stamps.knew(channel, 1, &mut heard, &mut pair.clock), 1);
        assert_eq!(pair.learned(), [1, 1]);
    }

    #[test]
    fn a_stamp_that_is_no_stamp_says_nothing() {
        assert!(Stamp::read(&[]).is_none());
        assert!(Stamp::read(&[1, 2]).is_none());
    }

    /// Processes that stamp only messages which bring news to their channel, with
    /// whole clocks beside them that count every receive.
    struct World {
        clocks: Vec<Clock>,
        whole: Vec<Vec<u64>>,
        /// By sender and receiver: changes told, stamps sent, what came.
        told: Vec<Vec<(u64, u64, Stamps)>>,
        /// By sender, receiver and tag: messages, stamps when last told, what was heard.
        lines: Vec<Vec<[(u64, u64, Heard); 3]>>,
        stamps: usize,
    }

    impl World {
        fn send(&mut self, from: usize, to: usize, tag: usize) -> Vec<u64> {
            let changes = self.clocks[from].before_send();
            let (told, stamps, came) = &mut self.told[from][to];
            let (messages, known, _) = &mut self.lines[from][to][tag];
            *messages += 1;
            if *told != changes || *stamps != *known {
                let channel = Channel {
                    comm: 9,
                    tag: tag as i32,
                };
                let mut words = Vec::new();
                begin(&mut words, channel, *messages);
                self.clocks[from].news(*told, &mut words);
                came.come(Stamp::read(&words).unwrap(), to);
                self.stamps += 1;
                (*told, *stamps) = (changes, *stamps + 1);
                *known = *stamps;
            }
            self.whole[from].clone()
        }

        /// Receives; returns what the sender knew of the receiver.
        fn receive(&mut self, from: usize, to: usize, tag: usize) -> u64 {
            let heard = &mut self.lines[from][to][tag].2;
            heard.messages += 1;
            let (message, channel) = (
                heard.messages,
                Channel {
                    comm: 9,
                    tag: tag as i32,
                },
            );
            self.told[from][to]
                .2
                .knew(channel, message, heard, &mut self.clocks[to])
        }
    }

    /// Whatever is sent, and in whatever order lines are received: of a message
    /// without a stamp its sender's knowledge is known as well.
    #[test]
    fn stamps_of_news_alone_say_what_whole_clocks_say() {
        let mut seed = 3u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for n in [1, 2, 3, 5] {
            let mut world = World {
                clocks: (0..n).map(|own| Clock::new(own, n)).collect(),
                whole: vec![vec![0; n]; n],
                told: (0..n)
                    .map(|_| (0..n).map(|_| Default::default()).collect())
                    .collect(),
                lines: vec![vec![Default::default(); n]; n],
                stamps: 0,
            };
            let mut sent = vec![std::collections::VecDeque::new(); n * n * 3];
            let (mut decided, mut messages) = (vec![Vec::new(); n], 0);
            for _ in 0..6000 {
                let (from, to, tag) = (random(n), random(n), random(3));
                let way = &mut sent[(from * n + to) * 3 + tag];
                if random(2) == 0 || way.is_empty() {
                    way.push_back(world.send(from, to, tag));
                    messages += 1;
                    continue;
                }
                let whole = way.pop_front().unwrap();
                let knew = world.receive(from, to, tag);
                let known = decided[to].iter().filter(|&&time| time < knew).count();
                assert_eq!(known as u64, whole[to], "{from} knew of {to}");
                let own = &mut world.whole[to];
                for (known, value) in own.iter_mut().zip(&whole) {
                    *known = (*known).max(*value);
                }
                if random(3) == 0 {
                    own[to] += 1;
                    decided[to].push(world.clocks[to].choose());
                }
            }
            assert!(world.stamps < messages, "{} of {messages}", world.stamps);
        }
    }
}
