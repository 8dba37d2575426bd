//! Stamps from one process of a host to another, in shared memory.
//!
//! One writes, one reads, nobody waits: a stamp for which there is no room is
//! dropped, and as stamps are numbered, its reader notices. Whether a place has
//! been written is told by a bit of it that changes with each round, so that
//! its reader touches one line of the cache that the writer has changed, not two.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use mpiscope_run::statistics::STAMPS;

use mpiscope_rules::virtual_time::Moment;

use crate::base::shared::shared;

/// Stamps of a ring.
const ROOM: u64 = 512;

/// When somebody did something, and what observation had taken by then; in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamp {
    /// Which channel of messages it belongs to.
    pub channel: u64,
    /// Its number on the channel.
    pub number: u64,
    /// When.
    pub time: u64,
    /// What observation had taken.
    pub intrusion: u64,
}

impl Stamp {
    /// Returns when it was, and what observation had taken.
    pub fn moment(self) -> Moment {
        Moment {
            time: self.time,
            intrusion: self.intrusion,
        }
    }
}

#[repr(C, align(64))]
struct End(AtomicU64);

#[repr(C)]
struct Memory {
    /// Stamps written, and stamps read.
    ends: [End; 2],
    slots: [Slot; ROOM as usize],
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            ends: [const { End(AtomicU64::new(0)) }; 2],
            slots: [const { [const { AtomicU64::new(0) }; 4] }; ROOM as usize],
        }
    }
}

/// A stamp: channel, number, intrusion, time.
type Slot = [AtomicU64; 4];

/// Of the word of a slot that has the time, where it tells the round.
const ROUND: u64 = 1 << 63;

/// Returns the bit of a slot that is written as number `at` of all: set in the first round.
fn round(at: u64) -> u64 {
    match (at / ROOM).is_multiple_of(2) {
        true => ROUND,
        false => 0,
    }
}

/// One end of a ring.
pub struct Ring {
    memory: &'static Memory,
    /// How far the reader was when its writer last asked: the line of the cache is the reader's.
    read: u64,
}

impl Ring {
    /// Opens the ring from one rank to another; whoever comes first makes it.
    ///
    /// # Errors
    /// Whatever opening or mapping the file gave.
    pub fn open(folder: &Path, from: u32, to: u32) -> io::Result<Self> {
        let path = folder.join(format!("{from}-{to}.{}", STAMPS[0]));
        // SAFETY: a ring is made of atomics, and every bit pattern is one.
        let memory = unsafe { shared::<Memory>(&path)? };
        Ok(Self { memory, read: 0 })
    }

    /// Makes both ends of a ring that nobody else sees, for good.
    pub fn private() -> [Self; 2] {
        let memory: &Memory = Box::leak(Box::default());
        [0; 2].map(|read| Self { memory, read })
    }

    /// Writes a stamp, if there is room.
    #[inline]
    pub fn put(&mut self, stamp: Stamp) {
        let [written, read] = &self.memory.ends;
        let at = written.0.load(Ordering::Relaxed);
        if at.wrapping_sub(self.read) >= ROOM {
            self.read = read.0.load(Ordering::Acquire);
            if at.wrapping_sub(self.read) >= ROOM {
                return;
            }
        }
        let [channel, number, intrusion, time] = self.slot(at);
        channel.store(stamp.channel, Ordering::Relaxed);
        number.store(stamp.number, Ordering::Relaxed);
        intrusion.store(stamp.intrusion, Ordering::Relaxed);
        time.store(stamp.time & !ROUND | round(at), Ordering::Release);
        written.0.store(at + 1, Ordering::Relaxed);
    }

    /// Takes back what was written last, if it is this and was not read yet: nobody asks for what is
    /// called 0.
    pub fn take_back(&mut self, channel: u64, number: u64) -> bool {
        let [written, read] = &self.memory.ends;
        let Some(at) = written.0.load(Ordering::Relaxed).checked_sub(1) else {
            return false;
        };
        let [name, known, ..] = self.slot(at);
        let is_it =
            name.load(Ordering::Relaxed) == channel && known.load(Ordering::Relaxed) == number;
        if is_it {
            name.store(0, Ordering::SeqCst);
        }
        is_it && read.0.load(Ordering::SeqCst) <= at
    }

    /// Reads the next stamp, if there is one.
    #[inline]
    pub fn take(&mut self) -> Option<Stamp> {
        let [_, read] = &self.memory.ends;
        let at = read.0.load(Ordering::Relaxed);
        let [channel, number, intrusion, time] = self.slot(at);
        let time = time.load(Ordering::Acquire);
        if time & ROUND != round(at) {
            return None;
        }
        let stamp = Stamp {
            channel: channel.load(Ordering::Relaxed),
            number: number.load(Ordering::Relaxed),
            intrusion: intrusion.load(Ordering::Relaxed),
            time: time & !ROUND,
        };
        read.0.store(at + 1, Ordering::Release);
        Some(stamp)
    }

    /// Whether half of the room is taken, as its reader sees now and then.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        let [_, read] = &self.memory.ends;
        let at = read.0.load(Ordering::Relaxed);
        at.is_multiple_of(ROOM / 8) && self.is_written(at + ROOM / 2)
    }

    /// Whether half of the room is taken.
    pub fn is_half_full(&self) -> bool {
        let [_, read] = &self.memory.ends;
        self.is_written(read.0.load(Ordering::Relaxed) + ROOM / 2)
    }

    fn is_written(&self, at: u64) -> bool {
        let [.., time] = self.slot(at);
        time.load(Ordering::Relaxed) & ROUND == round(at)
    }

    fn slot(&self, at: u64) -> &Slot {
        &self.memory.slots[(at % ROOM) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_come_in_their_order_and_those_without_room_are_dropped() {
        let folder = std::env::temp_dir().join(format!("mpiscope-ring-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (mut out, mut into) = (
            Ring::open(&folder, 0, 1).unwrap(),
            Ring::open(&folder, 0, 1).unwrap(),
        );
        let _ = std::fs::remove_dir_all(&folder);
        let stamp = |number| Stamp {
            channel: 7,
            number,
            time: 100 + number,
            intrusion: 1,
        };
        for round in 0..3 {
            let first = round * 2 * ROOM;
            assert!(!into.is_crowded());
            (first..first + ROOM + 10).for_each(|number| out.put(stamp(number)));
            assert!(into.is_crowded());
            for number in first..first + ROOM {
                assert_eq!(into.take(), Some(stamp(number)));
            }
            assert_eq!(into.take(), None);
        }
        out.put(stamp(3));
        assert!(!out.take_back(7, 2) && out.take_back(7, 3));
        assert_eq!(into.take().map(|stamp| stamp.channel), Some(0));
    }
}
