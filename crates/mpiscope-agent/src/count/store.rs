//! The entries of one thread, found by what they are about.
//!
//! An open-addressing table in private memory leads from key to entry; the
//! entries lie in the shared table once there is one, and in private memory
//! until MPI is up. Room is bounded, and the rule is: the first peers of a
//! statement have entries of their own, all later ones share one; when there
//! is no room for another statement, one entry for all of its kind takes it.

use std::collections::HashMap;
use std::sync::atomic::{compiler_fence, Ordering};

use mpiscope_run::statistics::{
    Entry, Header, Key, Kind, Side, Table, ANY, HISTOGRAM_ENTRIES, NO_GROUP, OTHERS,
    SPARE as RESERVE,
};

/// Slots at first; always a power of two.
const SLOTS: usize = 256;

#[derive(Clone, Copy)]
struct Slot {
    key: Key,
    entry: Option<&'static Entry>,
}

const EMPTY: Slot = Slot {
    key: Key {
        head: 0,
        place: 0,
        other: 0,
    },
    entry: None,
};

/// Where entries lie.
enum Room {
    /// MPI is not up yet.
    Private(usize),
    /// In shared memory.
    Shared(Table),
}

/// All entries of a thread.
pub struct Store {
    slots: Box<[Slot]>,
    used: usize,
    room: Room,
    capacity: usize,
    /// Whether an entry is being made, which a signal handler may interrupt.
    making: bool,
    /// How many peers each statement has.
    peers: HashMap<(u64, u64), u32>,
    most_peers: u32,
}

impl Store {
    /// Makes an empty one, in private memory.
    pub fn new(capacity: usize, most_peers: u32) -> Self {
        Self {
            slots: vec![EMPTY; SLOTS].into_boxed_slice(),
            used: 0,
            room: Room::Private(0),
            capacity,
            making: false,
            peers: HashMap::new(),
            most_peers,
        }
    }

    /// Moves all entries into a table, and makes new ones there.
    pub fn share(&mut self, mut table: Table, capacity: usize, most_peers: u32) {
        (self.capacity, self.most_peers) = (capacity, most_peers);
        for slot in self.slots.iter_mut() {
            let Some(old) = slot.entry else { continue };
            let new = table.allocate(1).and_then(|number| table.entry(number));
            if let Some(new) = new {
                new.copy(old);
            }
            slot.entry = new;
        }
        table.publish();
        self.room = Room::Shared(table);
    }

    /// Returns the entry of a key, made now if it is the first time.
    #[inline(always)]
    pub fn entry(&mut self, key: Key) -> Option<&'static Entry> {
        match self.find(key) {
            Some(entry) => Some(entry),
            None => self.make(key),
        }
    }

    /// Returns the entry of a key, if there is one.
    #[inline(always)]
    fn find(&self, key: Key) -> Option<&'static Entry> {
        let mask = self.slots.len() - 1;
        let mut at = hash(key) & mask;
        loop {
            // `at` is masked, and the number of slots is a power of two.
            let slot = self.slots.get(at)?;
            match slot.entry {
                Some(entry) if slot.key == key => return Some(entry),
                None => return None,
                _ => at = (at + 1) & mask,
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn make(&mut self, key: Key) -> Option<&'static Entry> {
        // SAFETY: a plain field; volatile, as only a signal handler would see it set.
        if unsafe { (&raw const self.making).read_volatile() } {
            return None;
        }
        // SAFETY: a plain field of ours.
        unsafe { (&raw mut self.making).write_volatile(true) };
        compiler_fence(Ordering::SeqCst);
        let made = self.make_new(key);
        compiler_fence(Ordering::SeqCst);
        // SAFETY: a plain field of ours.
        unsafe { (&raw mut self.making).write_volatile(false) };
        made
    }

    fn make_new(&mut self, key: Key) -> Option<&'static Entry> {
        let mut key = key;
        while let Some(instead) = self.instead(key) {
            key = instead;
            if let Some(known) = self.find(key) {
                return Some(known);
            }
        }
        let entry = self.allocate()?;
        entry.begin(key);
        if let (Some(monitor), true) = (super::monitor::get(), key.head as u8 == Kind::Call as u8) {
            monitor.note_region((key.head >> 16) as u16);
        }
        if let Room::Shared(table) = &self.room {
            table.publish();
        }
        self.insert(Slot {
            key,
            entry: Some(entry),
        });
        Some(entry)
    }

    /// Returns the key that counts in place of one for which there is no room.
    fn instead(&mut self, key: Key) -> Option<Key> {
        let calls = key.head as u8 == Kind::Call as u8;
        let peer = key.other as u32;
        if calls && peer < ANY {
            let peers = self.peers.entry((key.head, key.place)).or_default();
            if *peers >= self.most_peers {
                let group = key.other & !u64::from(u32::MAX);
                return Some(Key {
                    other: u64::from(OTHERS) | group,
                    ..key
                });
            }
            *peers += 1;
        }
        let rest = rest(key);
        (self.used() + RESERVE >= self.capacity && key != rest).then_some(rest)
    }

    /// Returns the header of the table, if there is one.
    pub fn header(&self) -> Option<&'static Header> {
        match &self.room {
            Room::Private(_) => None,
            Room::Shared(table) => Some(table.header()),
        }
    }

    fn used(&self) -> usize {
        match &self.room {
            Room::Private(used) => *used,
            Room::Shared(table) => table.used(),
        }
    }

    fn allocate(&mut self) -> Option<&'static Entry> {
        match &mut self.room {
            Room::Private(used) => {
                *used += 1;
                Some(Box::leak(Box::default()))
            }
            Room::Shared(table) => {
                let number = table.allocate(1);
                // Where memory is short, what comes now is counted with the rest.
                self.capacity = self.capacity.min(table.capacity());
                table.entry(number?)
            }
        }
    }

    fn insert(&mut self, slot: Slot) {
        if 2 * self.used >= self.slots.len() {
            let double = vec![EMPTY; 2 * self.slots.len()].into_boxed_slice();
            let old = std::mem::replace(&mut self.slots, double);
            old.iter()
                .filter(|slot| slot.entry.is_some())
                .for_each(|&slot| self.put(slot));
        }
        self.put(slot);
        self.used += 1;
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = hash(slot.key) & mask;
        while self.slots[at].entry.is_some() {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    /// Counts a size for which an entry has no bin of its own, if there is room for all bins.
    #[cold]
    #[inline(never)]
    pub fn count_bin(&mut self, entry: &Entry, bin: u8) {
        let Room::Shared(table) = &mut self.room else {
            return;
        };
        let first = match entry.more_bins() {
            0 if table.used() + HISTOGRAM_ENTRIES + RESERVE > self.capacity => return,
            0 => {
                let Some(first) = table.allocate(HISTOGRAM_ENTRIES) else {
                    return;
                };
                table.publish();
                entry.set_more_bins(first as u64 + 1);
                first
            }
            number => number as usize - 1,
        };
        let which = first + mpiscope_run::statistics::histogram_entry(bin);
        if let Some(counts) = table.entry(which) {
            counts.count_bin(bin);
        }
    }
}

/// What takes a statement for which there is no room.
fn rest(key: Key) -> Key {
    match key.head as u8 {
        kind if kind == Kind::Procedure as u8 => {
            Key::statement(Kind::Procedure, u32::MAX, u32::MAX)
        }
        kind if kind == Kind::Function as u8 => Key::function(0, 0),
        kind if kind == Kind::Loop as u8 => Key::statement(Kind::Loop, u32::MAX, u32::MAX),
        _ => Key::call(u16::MAX, Side::None, 0, OTHERS, NO_GROUP),
    }
}

/// Mixes a key's bits (multiplicative hashing, Knuth 6.4).
#[inline(always)]
fn hash(key: Key) -> usize {
    let mixed = key.place.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (key.other ^ key.head.rotate_left(40)).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    (mixed >> 29) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_run::statistics::Amount;

    fn send(site: u64, peer: u32) -> Key {
        Key::call(5, Side::Sent, site, peer, 0)
    }

    fn count(store: &mut Store, key: Key) {
        let one = Amount {
            calls: 1,
            ..Amount::default()
        };
        store.entry(key).unwrap().add(one);
    }

    #[test]
    fn a_key_has_one_entry_however_many_there_are() {
        let mut store = Store::new(10_000, 64);
        let keys: Vec<Key> = (0..3000)
            .map(|k| send(0x400000 + k / 3, (k % 3) as u32))
            .collect();
        for _ in 0..2 {
            keys.iter().for_each(|&key| count(&mut store, key));
        }
        for &key in &keys {
            assert_eq!(store.entry(key).unwrap().read().unwrap().calls, 2);
        }
    }

    #[test]
    fn later_peers_of_a_statement_share_an_entry() {
        let mut store = Store::new(1000, 2);
        (0..5).for_each(|peer| count(&mut store, send(1, peer)));
        count(&mut store, send(2, 4));
        let others = store.entry(send(1, OTHERS)).unwrap().read().unwrap();
        assert_eq!((others.calls, others.peer()), (3, OTHERS));
        assert_eq!(store.entry(send(2, 4)).unwrap().read().unwrap().calls, 1);
    }

    #[test]
    fn statements_without_room_are_counted_together() {
        let mut store = Store::new(10, 64);
        (0..50).for_each(|site| count(&mut store, send(site, 0)));
        let rest = store.entry(rest(send(0, 0))).unwrap().read().unwrap();
        assert_eq!(rest.calls, 50 - 7);
        assert!(store.used() <= 10);
    }
}
