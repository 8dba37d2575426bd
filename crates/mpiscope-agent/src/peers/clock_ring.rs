//! Stamps from one process of a host to another, in shared memory.
//!
//! One writes, one reads, nobody waits: a stamp for which there is no room is
//! dropped, and as stamps are numbered, its reader notices.

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
    slots: [[AtomicU64; 4]; ROOM as usize],
}

/// One end of a ring.
pub struct Ring(&'static Memory);

impl Ring {
    /// Opens the ring from one rank to another; whoever comes first makes it.
    ///
    /// # Errors
    /// Whatever opening or mapping the file gave.
    pub fn open(folder: &Path, from: u32, to: u32) -> io::Result<Self> {
        let path = folder.join(format!("{from}-{to}.{}", STAMPS[0]));
        // SAFETY: a ring is made of atomics, and every bit pattern is one.
        unsafe { shared::<Memory>(&path).map(Self) }
    }

    /// Writes a stamp, if there is room.
    pub fn put(&mut self, stamp: Stamp) {
        let [written, read] = &self.0.ends;
        let at = written.0.load(Ordering::Relaxed);
        if at.wrapping_sub(read.0.load(Ordering::Acquire)) >= ROOM {
            return;
        }
        let words = [stamp.channel, stamp.number, stamp.time, stamp.intrusion];
        for (slot, word) in self.0.slots[(at % ROOM) as usize].iter().zip(words) {
            slot.store(word, Ordering::Relaxed);
        }
        written.0.store(at + 1, Ordering::Release);
    }

    /// Reads the next stamp, if there is one.
    pub fn take(&mut self) -> Option<Stamp> {
        let [written, read] = &self.0.ends;
        let at = read.0.load(Ordering::Relaxed);
        if at == written.0.load(Ordering::Acquire) {
            return None;
        }
        let words = self.0.slots[(at % ROOM) as usize].each_ref();
        let [channel, number, time, intrusion] = words.map(|word| word.load(Ordering::Relaxed));
        read.0.store(at + 1, Ordering::Release);
        Some(Stamp {
            channel,
            number,
            time,
            intrusion,
        })
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
        (0..ROOM + 10).for_each(|number| out.put(stamp(number)));
        for number in 0..ROOM {
            assert_eq!(into.take(), Some(stamp(number)));
        }
        assert_eq!(into.take(), None);
        out.put(stamp(ROOM + 10));
        assert_eq!(into.take(), Some(stamp(ROOM + 10)));
    }
}
