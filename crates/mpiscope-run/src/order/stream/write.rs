//! The writing end of a stream: each entry is put together and appended whole.

use super::{
    place, Memory, CANCELLED, CHECKPOINT, CUT, END, FOREIGN, INDEX, INDICES, KNOWN, LARGE_SOURCE,
    MANY_MISSES, MARK, MOST_REPEATS, NOT_CANCELLED, OFFSET, REPEAT, SUCCESS, TAGGED,
};
use crate::order::in_flight::Took;
use crate::order::{Cancel, Checkpoint, End, Found, Outcome, Taken, ThreadOrder};

/// Where entries go.
pub trait Sink {
    /// Appends a whole entry.
    fn append(&mut self, entry: &[u8]);
    /// Adds one to the last byte; false if that is out of reach.
    fn bump(&mut self) -> bool;
}

impl Sink for Vec<u8> {
    fn append(&mut self, entry: &[u8]) {
        self.extend_from_slice(entry);
    }

    fn bump(&mut self) -> bool {
        self.last_mut().map(|last| *last += 1).is_some()
    }
}

/// The writing end of a stream.
#[derive(Debug, Clone, Default)]
pub struct Encoder {
    memory: Memory,
    /// The last byte is a REPEAT that counts so many; 0: it is a receive; else neither.
    repeats: Option<u8>,
    outcomes: u64,
}

/// An entry being put together: as long as the longest of fixed size.
struct Entry {
    bytes: [u8; 32],
    len: usize,
}

impl Entry {
    #[inline]
    fn new(first: u8) -> Self {
        let mut bytes = [0; 32];
        bytes[0] = first;
        Self { bytes, len: 1 }
    }

    fn byte(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80);
            value >>= 7;
        }
        self.byte(value as u8);
    }

    fn extend(&mut self, other: &Entry) {
        for &byte in &other.bytes[..other.len] {
            self.byte(byte);
        }
    }

    #[inline]
    fn to(&self, sink: &mut impl Sink) {
        sink.append(&self.bytes[..self.len]);
    }
}

impl Encoder {
    /// Appends what the thread's `ordinal`th wildcard receive took.
    #[inline]
    pub fn receive(&mut self, sink: &mut impl Sink, ordinal: u64, taken: Taken) {
        if ordinal != self.memory.next {
            self.offset(sink, ordinal);
        }
        self.memory.next = ordinal + 1;
        if taken == self.memory.last {
            if let Some(repeats) = self.repeats {
                return self.repeat(sink, repeats);
            }
        }
        if taken.tag.is_none() && taken.source < u32::from(LARGE_SOURCE) {
            sink.append(&[taken.source as u8]);
        } else {
            self.long(sink, taken);
        }
        self.memory.last = taken;
        self.repeats = Some(0);
    }

    #[inline]
    fn repeat(&mut self, sink: &mut impl Sink, repeats: u8) {
        let in_place = (1..=MOST_REPEATS).contains(&repeats) && sink.bump();
        if !in_place {
            sink.append(&[REPEAT]);
        }
        self.repeats = Some(if in_place { repeats + 1 } else { 1 });
    }

    #[cold]
    fn offset(&mut self, sink: &mut impl Sink, ordinal: u64) {
        let mut entry = Entry::new(OFFSET);
        entry.number(zigzag(ordinal.wrapping_sub(self.memory.next) as i64));
        entry.to(sink);
        self.repeats = None;
    }

    fn long(&mut self, sink: &mut impl Sink, taken: Taken) {
        self.memory.taken(taken).to(sink);
    }

    /// Appends what another thread's wildcard receive took, whose completion this thread saw.
    pub fn foreign(&mut self, sink: &mut impl Sink, thread: u32, ordinal: u64, taken: Taken) {
        let mut entry = Entry::new(FOREIGN);
        entry.number(u64::from(thread));
        entry.number(ordinal);
        entry.extend(&self.memory.taken(taken));
        self.put(sink, &entry);
    }

    /// Returns how many outcomes were appended.
    pub fn outcomes(&self) -> u64 {
        self.outcomes
    }

    /// Appends any other outcome.
    pub fn outcome(&mut self, sink: &mut impl Sink, outcome: &Outcome) {
        match outcome {
            Outcome::Index(index) => self.index(sink, *index),
            Outcome::Indices(indices) => self.indices(sink, indices.as_deref()),
            Outcome::Success { misses, found } => match found {
                Found::Nothing => self.success(sink, *misses),
                Found::Index(index) => self.success_index(sink, *misses, *index),
                Found::Indices(indices) => self.success_indices(sink, *misses, indices.as_deref()),
                Found::Message(taken) => self.success_message(sink, *misses, *taken),
            },
        }
    }

    /// Appends what a wait for any returned.
    pub fn index(&mut self, sink: &mut impl Sink, index: Option<u32>) {
        let mut entry = Entry::new(INDEX);
        entry.number(one_more(index));
        self.outcomes += 1;
        self.put(sink, &entry);
    }

    /// Appends what a wait for some returned.
    pub fn indices(&mut self, sink: &mut impl Sink, indices: Option<&[u32]>) {
        self.list(sink, Entry::new(INDICES), indices);
    }

    /// Appends the success of a poll whose arguments tell the rest.
    pub fn success(&mut self, sink: &mut impl Sink, misses: u64) {
        self.outcomes += 1;
        self.put(sink, &poll(0, misses));
    }

    /// Appends the success of a test for any.
    pub fn success_index(&mut self, sink: &mut impl Sink, misses: u64, index: Option<u32>) {
        let mut entry = poll(1, misses);
        entry.number(one_more(index));
        self.outcomes += 1;
        self.put(sink, &entry);
    }

    /// Appends the success of a test for some.
    pub fn success_indices(&mut self, sink: &mut impl Sink, misses: u64, indices: Option<&[u32]>) {
        self.list(sink, poll(2, misses), indices);
    }

    /// Appends the success of a wildcard probe.
    #[inline]
    pub fn success_message(&mut self, sink: &mut impl Sink, misses: u64, taken: Taken) {
        let mut entry = poll(3, misses);
        entry.extend(&self.memory.taken(taken));
        self.outcomes += 1;
        self.put(sink, &entry);
    }

    /// Appends the hash of the calls so far.
    pub fn checkpoint(&mut self, sink: &mut impl Sink, hash: u32) {
        let mut entry = Entry::new(CHECKPOINT);
        hash.to_le_bytes().iter().for_each(|&byte| entry.byte(byte));
        self.put(sink, &entry);
    }

    /// Appends a mark of what statuses told so far.
    pub fn mark(&mut self, sink: &mut impl Sink, hash: u16) {
        let [low, high] = hash.to_le_bytes();
        sink.append(&[MARK, low, high]);
        self.repeats = None;
    }

    /// Appends what came of a nonblocking receive that was to be cancelled.
    pub fn cancel(&mut self, sink: &mut impl Sink, cancel: Cancel) {
        let mut entry = Entry::new(match cancel.succeeded {
            true => CANCELLED,
            false => NOT_CANCELLED,
        });
        entry.number(cancel.receive);
        self.put(sink, &entry);
    }

    /// Appends the end.
    pub fn end(&mut self, sink: &mut impl Sink, end: End) {
        self.last_word(sink, END, end);
    }

    /// Appends where the process died.
    pub fn cut(&mut self, sink: &mut impl Sink, cut: End) {
        self.last_word(sink, CUT, cut);
    }

    fn last_word(&mut self, sink: &mut impl Sink, kind: u8, end: End) {
        let mut entry = Entry::new(kind);
        entry.number(end.calls);
        end.hash
            .to_le_bytes()
            .iter()
            .for_each(|&byte| entry.byte(byte));
        self.put(sink, &entry);
    }

    #[inline]
    fn put(&mut self, sink: &mut impl Sink, entry: &Entry) {
        entry.to(sink);
        self.repeats = None;
    }

    fn list(&mut self, sink: &mut impl Sink, mut entry: Entry, indices: Option<&[u32]>) {
        entry.number(one_more(indices.map(|all| all.len() as u32)));
        let mut bytes = entry.bytes[..entry.len].to_vec();
        for &index in indices.unwrap_or_default() {
            number(&mut bytes, u64::from(index));
        }
        sink.append(&bytes);
        self.repeats = None;
        self.outcomes += 1;
    }
}

impl Memory {
    /// Returns the entry of a message in full, or by its place in the dictionary.
    fn taken(&mut self, taken: Taken) -> Entry {
        let Some(tag) = taken.tag else {
            if taken.source < u32::from(LARGE_SOURCE) {
                return Entry::new(taken.source as u8);
            }
            let mut entry = Entry::new(LARGE_SOURCE);
            entry.number(u64::from(taken.source));
            return entry;
        };
        let at = place(taken.source, tag);
        if self.dictionary[at] == taken {
            return Entry::new(KNOWN | at as u8);
        }
        self.dictionary[at] = taken;
        let mut entry = Entry::new(TAGGED);
        entry.number(u64::from(taken.source));
        entry.number(u64::from(tag));
        entry
    }
}

fn poll(found: u8, misses: u64) -> Entry {
    if misses < u64::from(MANY_MISSES) {
        return Entry::new(SUCCESS | found << 3 | misses as u8);
    }
    let mut entry = Entry::new(SUCCESS | found << 3 | MANY_MISSES);
    entry.number(misses);
    entry
}

fn one_more(index: Option<u32>) -> u64 {
    index.map_or(0, |index| u64::from(index) + 1)
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Returns the stream of a thread.
pub fn encode(thread: &ThreadOrder) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::default();
    let (mut receives, mut outcomes) = (0, 0);
    let last = Checkpoint {
        hash: 0,
        receives: thread.receives.len() as u64,
        outcomes: thread.outcomes.len() as u64,
    };
    let marks = thread.checkpoints.iter().map(|mark| (mark, true));
    for (mark, is_checkpoint) in marks.chain([(&last, false)]) {
        while receives < thread.receives.len().min(mark.receives as usize) {
            if let Some(taken) = thread.receives[receives] {
                encoder.receive(&mut bytes, receives as u64, taken);
            }
            receives += 1;
        }
        while outcomes < thread.outcomes.len().min(mark.outcomes as usize) {
            encoder.outcome(&mut bytes, &thread.outcomes[outcomes]);
            outcomes += 1;
        }
        if is_checkpoint {
            encoder.checkpoint(&mut bytes, mark.hash);
        }
    }
    for &mark in &thread.marks {
        encoder.mark(&mut bytes, mark);
    }
    for &cancel in &thread.cancels {
        encoder.cancel(&mut bytes, cancel);
    }
    if let Some(end) = thread.end {
        encoder.end(&mut bytes, end);
    }
    if let Some(cut) = thread.cut {
        encoder.cut(&mut bytes, cut);
    }
    bytes
}

/// Appends to the stream of a dead thread what its last call had taken, and where it died.
pub fn append_last(bytes: &mut Vec<u8>, took: &Took, cut: End) {
    // What the writer remembered is not known; so it is told in full.
    let mut encoder = Encoder::default();
    for receive in &took.receives {
        encoder.foreign(bytes, receive.thread, receive.ordinal, receive.taken);
    }
    if let Some(outcome) = &took.outcome {
        encoder.outcome(bytes, outcome);
    }
    encoder.cut(bytes, cut);
}
