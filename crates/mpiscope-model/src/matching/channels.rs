//! The channels of one process, in one direction, and how far each has come.
//!
//! What happens on a channel is counted. Where the count may have missed
//! something, as recording was off, a new [`Stretch`] of the channel begins;
//! the number of its first message is known only if an event tells it. Within
//! a stretch, numbers follow each other.

use crate::definitions::{CommId, LocationIndex};
use crate::events::PointToPoint;
use crate::plain;

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// The number of a message that cannot be known.
pub(super) const UNKNOWN: u64 = u64::MAX;

/// What tells the channels of a process apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// The other side's rank, as events name it.
    pub peer: u32,
    pub comm: CommId,
    pub tag: u32,
}

impl Key {
    /// Returns the channel of a message, as this side calls it.
    #[inline]
    pub fn of(message: &PointToPoint) -> Key {
        Key {
            peer: message.peer,
            comm: message.comm,
            tag: message.tag,
        }
    }
}

/// Messages of one channel that were counted without a gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub key: Key,
    /// How many.
    pub count: u32,
    /// The number of the first on its channel, or [`UNKNOWN`].
    pub first: u64,
    /// The stretch before it on its channel, or [`NONE`].
    pub earlier: u32,
    /// How often recording had been switched when it began.
    pause: u32,
}

plain! {
    Key { peer, comm, tag }
    Stretch { key, count, first, earlier, pause }
}

impl Stretch {
    /// Returns whether recording had not been switched before it.
    pub fn is_from_begin(&self) -> bool {
        self.pause == 0
    }
}

/// When something happens on a channel.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub location: LocationIndex,
    /// How often recording has been switched.
    pub pause: u32,
    /// The number on the channel, if the event tells it.
    pub sequence: Option<u64>,
}

/// The channels of one process in one direction.
pub(super) struct Channels {
    pub stretches: Vec<Stretch>,
    /// The latest stretch of each channel, by open addressing.
    table: Vec<u32>,
    shift: u32,
    channels: usize,
    /// If the process has several threads: which of them took part in each
    /// stretch without telling its place there, [`SEVERAL`] if more than one.
    threads: Option<Vec<Option<LocationIndex>>>,
}

/// Several threads took part.
const SEVERAL: LocationIndex = LocationIndex(u32::MAX);

impl Default for Channels {
    fn default() -> Channels {
        const BITS: u32 = 6;
        Channels {
            stretches: Vec::new(),
            table: vec![NONE; 1 << BITS],
            shift: 64 - BITS,
            channels: 0,
            threads: None,
        }
    }
}

impl Channels {
    /// Forgets everything, for a process with so many threads.
    pub fn reset(&mut self, threads: usize) {
        if 64 * self.channels < self.table.len() {
            *self = Channels::default();
        }
        self.table.fill(NONE);
        self.stretches.clear();
        self.channels = 0;
        self.threads = (threads > 1).then(Vec::new);
    }

    /// Counts a message; returns the stretch that it belongs to.
    #[inline(always)]
    pub fn count(&mut self, key: Key, moment: Moment) -> u32 {
        let at = self.find(key);
        let mut id = self.table[at];
        match self.stretches.get_mut(id as usize) {
            Some(stretch) if stretch.pause == moment.pause && moment.sequence.is_none() => {
                stretch.count += 1;
            }
            _ => {
                id = self.resume(at, key, moment);
                self.stretches[id as usize].count += 1;
            }
        }
        if self.threads.is_some() {
            self.note_thread(id, moment);
        }
        id
    }

    /// Returns the stretch that the next message will belong to, unless that
    /// tells its number and there was a gap.
    pub fn peek(&mut self, key: Key, moment: Moment) -> u32 {
        let at = self.find(key);
        match self.stretches.get(self.table[at] as usize) {
            Some(stretch) if stretch.pause == moment.pause => self.table[at],
            _ => self.resume(at, key, moment),
        }
    }

    /// Returns the latest stretch of a channel.
    pub fn latest(&self, key: Key) -> Option<u32> {
        Some(self.table[self.find(key)]).filter(|&id| id != NONE)
    }

    /// Returns whether a stretch is all of its channel, counted from the first
    /// message on; `stretch` is the latest of its channel.
    pub fn is_whole(&self, stretch: u32) -> bool {
        let stretch = &self.stretches[stretch as usize];
        stretch.first == 0 && stretch.earlier == NONE
    }

    /// Returns whether only clocks tell the order within a stretch, as several
    /// threads took part.
    pub fn is_shared(&self, stretch: u32) -> bool {
        let thread = |threads: &Vec<_>| threads.get(stretch as usize) == Some(&Some(SEVERAL));
        self.threads.as_ref().is_some_and(thread)
    }

    #[cold]
    fn note_thread(&mut self, stretch: u32, moment: Moment) {
        let (Some(threads), None) = (&mut self.threads, moment.sequence) else {
            return;
        };
        let stretch = stretch as usize;
        threads.resize(threads.len().max(stretch + 1), None);
        let thread = &mut threads[stretch];
        if *thread.get_or_insert(moment.location) != moment.location {
            *thread = Some(SEVERAL);
        }
    }

    /// Begins a channel, or continues it after its count may have missed
    /// something, or where an event tells the number.
    fn resume(&mut self, mut at: usize, key: Key, moment: Moment) -> u32 {
        let Moment {
            pause, sequence, ..
        } = moment;
        let id = self.table[at];
        let mut first = sequence.unwrap_or(UNKNOWN);
        if let Some(latest) = self.stretches.get_mut(id as usize) {
            let count = u64::from(latest.count);
            let next = latest.first.checked_add(count);
            if latest.first != UNKNOWN && next.is_some() && next == sequence {
                latest.pause = pause;
                return id;
            }
            if latest.first == UNKNOWN && latest.pause == pause {
                if let Some(first) = sequence.and_then(|number| number.checked_sub(count)) {
                    latest.first = first;
                    return id;
                }
            }
        } else {
            if 4 * self.channels >= self.table.len() {
                self.grow();
                at = self.find(key);
            }
            self.channels += 1;
            if pause == 0 && sequence.is_none() {
                first = 0;
            }
        }
        let new = self.stretches.len() as u32;
        self.table[at] = new;
        self.stretches.push(Stretch {
            key,
            count: 0,
            first,
            earlier: id,
            pause,
        });
        new
    }

    /// Returns where a channel is in the table, or where it belongs.
    #[inline(always)]
    fn find(&self, key: Key) -> usize {
        let mask = self.table.len() - 1;
        let mut at = (hash(key) >> self.shift) as usize & mask;
        while let Some(stretch) = self.stretches.get(self.table[at] as usize) {
            if stretch.key == key {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let latest: Vec<u32> = (self.table.iter().copied())
            .filter(|&id| id != NONE)
            .collect();
        self.shift -= 1;
        self.table = vec![NONE; 2 * self.table.len()];
        for id in latest {
            let at = self.find(self.stretches[id as usize].key);
            self.table[at] = id;
        }
    }
}

/// Multiplies by 2⁶⁴ over the golden ratio (Knuth, TAOCP 6.4); the upper bits
/// are the good ones.
fn hash(key: Key) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    const ODD: u64 = 0xc2b2_ae3d_27d4_eb4f;
    let peer_and_tag = u64::from(key.peer) << 32 | u64::from(key.tag);
    let comm = u64::from(key.comm.0).wrapping_mul(ODD);
    (peer_and_tag ^ comm).wrapping_mul(FACTOR)
}
