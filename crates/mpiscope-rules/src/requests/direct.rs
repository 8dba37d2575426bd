//! Requests by handle without a lock, for programs whose threads do not call MPI at once.
//!
//! A handle has one place, a line of the cache: for a receive, or for sends, as sends that are done
//! already share a handle. What finds its place taken lies behind, in the shards. The words are
//! atomics, so that a program whose threads do call at once gets wrong records and nothing worse.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use mpiscope_run::record::{Message, Wildcard};

use super::{Entry, Kind, OPAQUE};

const PLACES: usize = 256;
/// Sends that share a handle.
const SENDS: u64 = 8;

/// All places.
pub struct Direct([Slot; PLACES]);

/// What lies at one place: nothing, so many sends, or a receive.
#[derive(Default)]
#[repr(align(64))]
struct Slot {
    handle: AtomicUsize,
    /// How many sends, or [`RECEIVE`].
    count: AtomicU64,
    /// The sends' ids, 0 for one that stands for nothing; or the receive.
    words: [AtomicU32; SENDS as usize],
}

const RECEIVE: u64 = u64::MAX;

/// What completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completed {
    /// A send with its id; 0 stands for nothing.
    Send(u32),
    /// A receive with its id, communicator and wildcards.
    Receive(u32, u32, Wildcard),
}

impl Default for Direct {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Slot::default()))
    }
}

impl Direct {
    #[inline(always)]
    fn place(&self, handle: usize) -> &Slot {
        let mixed = (handle as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15); // 2^64 / golden ratio
        &self.0[(mixed >> 56) as usize]
    }

    /// Returns the place of a handle, if that has anything there.
    #[inline(always)]
    fn taken(&self, handle: usize) -> Option<(&Slot, u64)> {
        let place = self.place(handle);
        let count = place.count.load(Relaxed);
        (count > 0 && place.handle.load(Relaxed) == handle).then_some((place, count))
    }

    /// Returns whether a request of this handle is here.
    #[inline(always)]
    pub fn holds(&self, handle: usize) -> bool {
        self.taken(handle).is_some()
    }

    /// Adds a send, 0 for what stands for nothing; false if it has no place.
    #[inline(always)]
    pub fn add_send(&self, handle: usize, id: u32) -> bool {
        let place = self.place(handle);
        let count = place.count.load(Relaxed);
        let is_free = count == 0 || place.handle.load(Relaxed) == handle;
        if !is_free || count >= SENDS {
            return false;
        }
        place.handle.store(handle, Relaxed);
        place.words[count as usize % SENDS as usize].store(id, Relaxed);
        place.count.store(count + 1, Relaxed);
        true
    }

    /// Adds a receive; false if it has no place.
    #[inline(always)]
    pub fn add_receive(&self, handle: usize, id: u32, posted: &Message) -> bool {
        let place = self.place(handle);
        if place.count.load(Relaxed) != 0 {
            return false;
        }
        place.handle.store(handle, Relaxed);
        let kind = u32::from(posted.signature) | u32::from(posted.wildcard.bits()) << 16;
        let bytes = [posted.bytes as u32, (posted.bytes >> 32) as u32];
        let words = [
            id,
            posted.comm,
            kind,
            posted.peer,
            posted.tag,
            bytes[0],
            bytes[1],
        ];
        for (there, word) in place.words.iter().zip(words) {
            there.store(word, Relaxed);
        }
        place.count.store(RECEIVE, Relaxed);
        true
    }

    /// Adds a request; false if it has no place.
    pub fn add(&self, handle: usize, entry: &Entry) -> bool {
        match entry.kind {
            _ if entry.cancelled => false,
            Kind::Send => self.add_send(handle, entry.id),
            Kind::Opaque if entry.id == 0 => self.add_send(handle, 0),
            Kind::Recv(posted) => {
                let is_told = posted.comm == entry.comm && posted.wildcard == entry.wildcard;
                is_told && self.add_receive(handle, entry.id, &posted)
            }
            _ => false,
        }
    }

    /// Takes the newest request of a handle.
    #[inline(always)]
    pub fn complete(&self, handle: usize) -> Option<Completed> {
        let (place, count) = self.taken(handle)?;
        if count == RECEIVE {
            place.count.store(0, Relaxed);
            let [id, comm, kind] = place.first();
            let wildcard = Wildcard::from_bits((kind >> 16) as u8);
            return Some(Completed::Receive(id, comm, wildcard));
        }
        let newest = (count - 1) % SENDS;
        place.count.store(newest, Relaxed);
        Some(Completed::Send(place.words[newest as usize].load(Relaxed)))
    }

    /// Returns the id of the newest request of a handle.
    pub fn newest(&self, handle: usize) -> Option<u32> {
        let (place, count) = self.taken(handle)?;
        let at = match count {
            RECEIVE => 0,
            count => (count - 1) % SENDS,
        };
        Some(place.words[at as usize].load(Relaxed))
    }

    /// Takes the request with this id.
    pub fn take(&self, handle: usize, id: u32) -> Option<Entry> {
        let (place, count) = self.taken(handle)?;
        if count == RECEIVE {
            let [there] = place.first();
            return (there == id).then(|| self.take_all(handle).next())?;
        }
        let sends = &place.words[..count.min(SENDS) as usize];
        let at = sends.iter().position(|send| send.load(Relaxed) == id)?;
        for pair in sends[at..].windows(2) {
            pair[0].store(pair[1].load(Relaxed), Relaxed);
        }
        place.count.store(count - 1, Relaxed);
        Some(send(id))
    }

    /// Takes all requests of a handle, oldest first.
    pub fn take_all(&self, handle: usize) -> impl Iterator<Item = Entry> + '_ {
        let taken = self.taken(handle);
        if let Some((place, _)) = taken {
            place.count.store(0, Relaxed);
        }
        taken.into_iter().flat_map(|(place, count)| {
            let number = if count == RECEIVE { 1 } else { count };
            (0..number.min(SENDS) as usize).map(move |k| match count {
                RECEIVE => place.receive(),
                _ => send(place.words[k].load(Relaxed)),
            })
        })
    }
}

impl Slot {
    #[inline(always)]
    fn first<const N: usize>(&self) -> [u32; N] {
        std::array::from_fn(|k| self.words[k].load(Relaxed))
    }

    fn receive(&self) -> Entry {
        let [id, comm, kind, peer, tag, low, high] = self.first();
        let wildcard = Wildcard::from_bits((kind >> 16) as u8);
        Entry {
            id,
            kind: Kind::Recv(Message {
                peer,
                comm,
                tag,
                bytes: u64::from(low) | u64::from(high) << 32,
                wildcard,
                signature: kind as u16,
            }),
            comm,
            wildcard,
            cancelled: false,
        }
    }
}

fn send(id: u32) -> Entry {
    match id {
        0 => OPAQUE,
        id => Entry {
            id,
            kind: Kind::Send,
            ..OPAQUE
        },
    }
}
