//! Words from one process to another of the same host, in shared memory.
//!
//! Nobody waits and nothing is locked: whoever has sent a message after words
//! knows that they are there for its receiver, as MPI's own messages order
//! memory. A ring that is full refuses.
//!
//! ```text
//! file of a receiver:  ends of the rings, 128 bytes each | rings, by sender
//! ring:                length, words, length, words, …, [PAD]
//! ```

use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use mpiscope_run::mapping::Mapping;

/// Words of a ring.
const ROOM: usize = 16 << 10;
const RING: usize = ROOM * 8;
/// Bytes that are made sure of at a time.
const STEP: usize = 16 << 10;
const PAGE: usize = 64 << 10; // the largest on our machines
/// Words of the two ends of a ring, each on a line of the cache of its own.
const ENDS: usize = 16;
/// In place of a length: the rest of the ring is empty.
const PAD: u64 = u64::MAX;
/// A ring that is empty begins again from its start, so that few pages are
/// touched. What is left out is taken until the receiver comes by.
const FAR_FROM_START: usize = ROOM / 4;

/// Returns the bytes before the rings of so many senders.
fn head(senders: usize) -> usize {
    (senders * ENDS * 8).next_multiple_of(PAGE)
}

fn path_of(folder: &Path, rank: u32) -> PathBuf {
    folder.join(format!("{rank}.stamps"))
}

/// The rings that end at this process.
pub struct Inbound {
    path: PathBuf,
    rings: Vec<Receiving>,
}

impl Inbound {
    /// Makes them, for so many senders.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn new(folder: &Path, rank: u32, senders: usize) -> io::Result<Self> {
        let path = path_of(folder, rank);
        let mut options = File::options();
        options.read(true).write(true).create_new(true).mode(0o600);
        let file = options.open(&path)?;
        let made = Self::map(&file, senders);
        if made.is_err() {
            let _ = std::fs::remove_file(&path);
        }
        let (ends, words) = made?;
        let rings = ends.chunks_exact(ENDS).zip(words.chunks_exact(ROOM));
        let rings = rings.map(|(ends, words)| Receiving { ends, words, at: 0 });
        Ok(Self {
            path,
            rings: rings.collect(),
        })
    }

    fn map(file: &File, senders: usize) -> io::Result<(Words, Words)> {
        let first = head(senders);
        file.set_len((first + senders * RING) as u64)?;
        let ends = map(file, 0, first)?;
        // Reading a hole of the file takes memory too.
        ends.populate(0, first)?;
        let rings = map(file, first, senders * RING)?;
        Ok((&ends.words()[..senders * ENDS], rings.words()))
    }

    /// Nobody else needs to find the rings.
    pub fn hide(&self) {
        let _ = std::fs::remove_file(&self.path);
    }

    /// Returns the ring from a process.
    #[inline]
    pub fn from(&mut self, sender: usize) -> Option<&mut Receiving> {
        self.rings.get_mut(sender)
    }
}

type Words = &'static [AtomicU64];

/// Maps a part of a file for good.
fn map(file: &File, at: usize, bytes: usize) -> io::Result<&'static Mapping> {
    Ok(Mapping::of_process(file, at, bytes)?.for_good())
}

/// What became of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// They are on their way.
    Yes,
    /// There is no room at the moment.
    Full,
    /// They cannot be sent.
    No,
}

/// The sender's end.
pub struct Sending {
    ends: Words,
    ring: &'static Mapping,
    words: Words,
    at: u64,
    /// How far the receiver was when last asked.
    read: u64,
    /// Bytes that were made sure of.
    sure: usize,
}

impl Sending {
    /// Opens the ring from process `own` to another, if that is on this host.
    ///
    /// # Errors
    /// Whatever the system says; that there is no such file on another host.
    pub fn open(folder: &Path, rank: u32, own: usize, senders: usize) -> io::Result<Self> {
        let path = path_of(folder, rank);
        let file = File::options().read(true).write(true).open(path)?;
        let ends = map(&file, 0, head(senders))?;
        let ring = map(&file, head(senders) + own * RING, RING)?;
        Ok(Self {
            ends: &ends.words()[own * ENDS..][..ENDS],
            ring,
            words: ring.words(),
            at: 0,
            read: 0,
            sure: 0,
        })
    }

    /// Sends words.
    #[inline]
    pub fn send(&mut self, words: &[u64]) -> Sent {
        let (offset, needed) = (self.at as usize % ROOM, words.len() + 1);
        if needed > ROOM / 2 {
            return Sent::No;
        }
        let mut skipped = 0;
        if offset + needed > ROOM || offset >= FAR_FROM_START && self.is_empty() {
            skipped = ROOM - offset;
        }
        let end = self.at + (skipped + needed) as u64;
        if end - self.read > ROOM as u64 {
            self.is_empty();
            if end - self.read > ROOM as u64 {
                return Sent::Full;
            }
        }
        let start = if skipped > 0 { 0 } else { offset };
        if !self.is_sure((start + needed).max(if skipped > 0 { offset + 1 } else { 0 })) {
            return Sent::No;
        }
        if skipped > 0 {
            self.put(offset, PAD);
        }
        self.put(start, words.len() as u64);
        for (k, &word) in words.iter().enumerate() {
            self.put(start + 1 + k, word);
        }
        self.at = end;
        self.ends[0].store(end, Ordering::Release);
        Sent::Yes
    }

    fn is_empty(&mut self) -> bool {
        self.read = self.ends[ENDS / 2].load(Ordering::Acquire);
        self.read == self.at
    }

    #[inline]
    fn put(&self, at: usize, word: u64) {
        if let Some(place) = self.words.get(at) {
            place.store(word, Ordering::Relaxed);
        }
    }

    /// Makes sure of so many words.
    #[inline]
    fn is_sure(&mut self, words: usize) -> bool {
        while self.sure < words * 8 {
            // Pages larger than a step are made sure of more than once.
            let from = self.sure - self.sure % PAGE;
            let bytes = (self.sure + STEP - from).next_multiple_of(STEP);
            // Else touching it could raise SIGBUS.
            if self.ring.populate(from, bytes).is_err() {
                return false;
            }
            self.sure += STEP;
        }
        true
    }
}

/// The receiver's end.
pub struct Receiving {
    ends: Words,
    words: Words,
    at: u64,
}

impl Receiving {
    /// Returns whether anything came.
    #[inline]
    pub fn has_come(&self) -> bool {
        self.ends[0].load(Ordering::Acquire) != self.at
    }

    /// Takes the next words, if there are any.
    pub fn take(&mut self, words: &mut Vec<u64>) -> bool {
        words.clear();
        let end = self.ends[0].load(Ordering::Acquire);
        let word = |at: usize| {
            self.words
                .get(at)
                .map_or(PAD, |w| w.load(Ordering::Relaxed))
        };
        while self.at < end {
            let offset = self.at as usize % ROOM;
            let length = word(offset);
            if length > (ROOM - offset) as u64 {
                self.at += (ROOM - offset) as u64;
                continue;
            }
            words.extend((1..=length as usize).map(|k| word(offset + k)));
            self.at += length + 1;
            break;
        }
        self.ends[ENDS / 2].store(self.at, Ordering::Release);
        !words.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (tempdir::Folder, Inbound, Sending) {
        let folder = tempdir::Folder::new();
        let inbound = Inbound::new(&folder.0, 3, 4).unwrap();
        let sending = Sending::open(&folder.0, 3, 2, 4).unwrap();
        inbound.hide();
        (folder, inbound, sending)
    }

    mod tempdir {
        use std::path::PathBuf;
        use std::sync::atomic::{AtomicU32, Ordering};

        pub struct Folder(pub PathBuf);

        static NEXT: AtomicU32 = AtomicU32::new(0);

        impl Folder {
            pub fn new() -> Self {
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let name = format!("mpiscope-ring-{}-{number}", std::process::id());
                let path = PathBuf::from("/dev/shm").join(name);
                std::fs::create_dir_all(&path).unwrap();
                Self(path)
            }
        }

        impl Drop for Folder {
            fn drop(&mut self) {
                let _ = std::fs::remove_dir_all(&self.0);
            }
        }
    }

    #[test]
    fn words_come_in_order_and_whole_however_often_the_ring_goes_round() {
        let (_folder, mut inbound, mut sending) = pair();
        let ring = inbound.from(2).unwrap();
        let (mut next, mut expected, mut words) = (0u64, 0u64, Vec::new());
        let record = |n: u64| -> Vec<u64> { (0..1 + n % 97).map(|k| n + k).collect() };
        for round in 0..4000 {
            for _ in 0..round % 40 {
                assert_eq!(sending.send(&record(next)), Sent::Yes);
                next += 1;
            }
            while ring.take(&mut words) {
                assert_eq!(words, record(expected));
                expected += 1;
            }
            assert_eq!((expected, ring.has_come()), (next, false));
        }
    }

    #[test]
    fn a_full_ring_refuses_until_something_was_taken() {
        let (_folder, mut inbound, mut sending) = pair();
        let ring = inbound.from(2).unwrap();
        let record = [7; 1000];
        let sent = (0..).take_while(|_| sending.send(&record) == Sent::Yes);
        assert_eq!(sent.count(), ROOM / 1001);
        let mut words = Vec::new();
        assert!(ring.take(&mut words) && ring.take(&mut words));
        assert_eq!(words, record);
        assert_eq!(sending.send(&record), Sent::Yes);
        assert_eq!(sending.send(&[0; ROOM]), Sent::No);
    }

    #[test]
    fn a_ring_that_is_emptied_stays_small() {
        let (_folder, mut inbound, mut sending) = pair();
        let mut words = Vec::new();
        for n in 0..100_000 {
            assert_eq!(sending.send(&[n; 9]), Sent::Yes);
            assert!(inbound.from(2).unwrap().take(&mut words));
        }
        assert!(sending.sure <= RING / 4 + STEP, "{}", sending.sure);
    }

    #[test]
    fn a_process_of_another_host_has_no_ring_here() {
        let (folder, _inbound, _sending) = pair();
        assert!(Sending::open(&folder.0, 1, 2, 4).is_err());
    }
}
