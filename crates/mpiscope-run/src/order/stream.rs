//! A thread's choices as bytes: one for most.
//!
//! ```text
//! 0sssssss           the next wildcard receive took a message of rank s (127: varint follows)
//! 10nnnnnn           as the last one, n + 1 times; counted up in place
//! 1100dddd           as entry d of the dictionary: a source and tag seen before
//! 11010000 src tag   a source with a tag; enters the dictionary
//! 11010001 delta     the receive that follows is not the next one, but so many further on
//! 11010010 t n       the receive that follows is the nth of thread t, which completed it here
//! 11010011 i         a wait returned index i - 1 (0: no active request)
//! 11010100 n i…      a wait returned n - 1 indices (0: no active request)
//! 11010101 hash      checkpoint: four bytes
//! 11010110 n         the thread's nth nonblocking receive was cancelled
//! 11010111 n hash    the end, after n calls
//! 111kkmmm           a poll succeeded after m that did not (7: varint follows); it found k:
//!                    nothing, an index, indices, or a message, which follows as a receive
//! ```
//! Numbers are LEB128. Each entry is committed whole.

use super::{Checkpoint, End, Found, Outcome, Taken, ThreadOrder};

const LARGE_SOURCE: u8 = 0x7f;
const REPEAT: u8 = 0x80;
const MOST_REPEATS: u8 = 0x3f;
const KNOWN: u8 = 0xc0;
const TAGGED: u8 = 0xd0;
const OFFSET: u8 = 0xd1;
const FOREIGN: u8 = 0xd2;
const INDEX: u8 = 0xd3;
const INDICES: u8 = 0xd4;
const CHECKPOINT: u8 = 0xd5;
const CANCELLED: u8 = 0xd6;
const END: u8 = 0xd7;
const SUCCESS: u8 = 0xe0;
const MANY_MISSES: u8 = 7;
/// Entries of the dictionary.
const DICTIONARY: usize = 16;

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

/// What writer and reader of a stream both remember.
#[derive(Debug, Clone)]
struct Memory {
    /// The receive that comes next unless said otherwise.
    next: u64,
    last: Taken,
    dictionary: [Taken; DICTIONARY],
}

/// No message comes from there: nothing is like it.
const NOBODY: Taken = Taken {
    source: u32::MAX,
    tag: None,
};

impl Default for Memory {
    fn default() -> Self {
        Self {
            next: 0,
            last: NOBODY,
            dictionary: [NOBODY; DICTIONARY],
        }
    }
}

/// The place of a source and tag in the dictionary.
#[inline]
fn place(source: u32, tag: u32) -> usize {
    let product = (u64::from(source) << 32 | u64::from(tag)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product >> 60) as usize
}

/// The writing end of a stream.
#[derive(Debug, Clone, Default)]
pub struct Encoder {
    memory: Memory,
    /// The last byte is a REPEAT that counts so many; 0: it is a receive; else neither.
    repeats: Option<u8>,
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
        self.put(sink, &entry);
    }

    /// Appends what a wait for some returned.
    pub fn indices(&mut self, sink: &mut impl Sink, indices: Option<&[u32]>) {
        self.list(sink, Entry::new(INDICES), indices);
    }

    /// Appends the success of a poll whose arguments tell the rest.
    pub fn success(&mut self, sink: &mut impl Sink, misses: u64) {
        self.put(sink, &poll(0, misses));
    }

    /// Appends the success of a test for any.
    pub fn success_index(&mut self, sink: &mut impl Sink, misses: u64, index: Option<u32>) {
        let mut entry = poll(1, misses);
        entry.number(one_more(index));
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
        self.put(sink, &entry);
    }

    /// Appends the hash of the calls so far.
    pub fn checkpoint(&mut self, sink: &mut impl Sink, hash: u32) {
        let mut entry = Entry::new(CHECKPOINT);
        hash.to_le_bytes().iter().for_each(|&byte| entry.byte(byte));
        self.put(sink, &entry);
    }

    /// Appends that a nonblocking receive was cancelled.
    pub fn cancelled(&mut self, sink: &mut impl Sink, ordinal: u64) {
        let mut entry = Entry::new(CANCELLED);
        entry.number(ordinal);
        self.put(sink, &entry);
    }

    /// Appends the end.
    pub fn end(&mut self, sink: &mut impl Sink, end: End) {
        let mut entry = Entry::new(END);
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
    for &ordinal in &thread.cancelled {
        encoder.cancelled(&mut bytes, ordinal);
    }
    if let Some(end) = thread.end {
        encoder.end(&mut bytes, end);
    }
    bytes
}

/// The receives that a record may skip: far more than any program has outstanding.
const WIDEST_GAP: u64 = 1 << 18;

/// A receive that another thread than its own saw complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Foreign {
    /// The thread that posted it.
    pub thread: u32,
    /// Its number among that thread's wildcard receives.
    pub ordinal: u64,
    /// What it took.
    pub taken: Taken,
}

/// Reads a stream; receives of other threads are beside it.
///
/// # Errors
/// When an entry is cut short or unknown: where, and what is wrong.
pub fn decode(bytes: &[u8]) -> Result<(ThreadOrder, Vec<Foreign>), String> {
    let mut reader = Reader {
        bytes,
        at: 0,
        memory: Memory::default(),
        thread: ThreadOrder::default(),
        foreign: Vec::new(),
    };
    while reader.at < bytes.len() {
        let at = reader.at;
        reader
            .entry()
            .map_err(|what| format!("entry at byte {at} of {}: {what}", bytes.len()))?;
    }
    reader.thread.cancelled.sort_unstable();
    Ok((reader.thread, reader.foreign))
}

/// Notes what a receive took in its place among the others of its thread.
///
/// # Errors
/// When the place cannot be.
pub fn place_receive(
    thread: &mut ThreadOrder,
    ordinal: u64,
    taken: Taken,
) -> Result<(), &'static str> {
    let receives = &mut thread.receives;
    if ordinal >= receives.len() as u64 + WIDEST_GAP {
        return Err("it leads to a receive that cannot be");
    }
    let at = ordinal as usize;
    if at >= receives.len() {
        receives.resize(at + 1, None);
    }
    receives[at] = Some(taken);
    Ok(())
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    memory: Memory,
    thread: ThreadOrder,
    foreign: Vec<Foreign>,
}

type Step<T> = Result<T, &'static str>;

impl Reader<'_> {
    fn entry(&mut self) -> Step<()> {
        let first = self.byte()?;
        match first {
            0..REPEAT => {
                let taken = self.untagged(first)?;
                self.receive(taken)?;
            }
            REPEAT..KNOWN => {
                for _ in 0..=first - REPEAT {
                    self.receive(self.memory.last)?;
                }
            }
            KNOWN..=TAGGED => {
                let taken = self.tagged(first)?;
                self.receive(taken)?;
            }
            OFFSET => self.offset()?,
            FOREIGN => {
                let foreign = Foreign {
                    thread: self.small()?,
                    ordinal: self.number()?,
                    taken: self.message()?,
                };
                self.foreign.push(foreign);
            }
            INDEX => {
                let index = self.index()?;
                self.thread.outcomes.push(Outcome::Index(index));
            }
            INDICES => {
                let indices = self.indices()?;
                self.thread.outcomes.push(Outcome::Indices(indices));
            }
            CHECKPOINT => self.checkpoint()?,
            CANCELLED => {
                let ordinal = self.number()?;
                self.thread.cancelled.push(ordinal);
            }
            END => {
                let (calls, hash) = (self.number()?, self.hash()?);
                self.thread.end = Some(End { calls, hash });
            }
            SUCCESS.. => self.success(first)?,
            _ => return Err("it is of no known kind"),
        }
        Ok(())
    }

    fn byte(&mut self) -> Step<u8> {
        let byte = *self.bytes.get(self.at).ok_or("it is cut short")?;
        self.at += 1;
        Ok(byte)
    }

    fn number(&mut self) -> Step<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number has more than ten bytes")
    }

    fn small(&mut self) -> Step<u32> {
        let value = self.number()?;
        u32::try_from(value).map_err(|_| "a number exceeds 32 bits")
    }

    fn hash(&mut self) -> Step<u32> {
        let mut bytes = [0; 4];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Ok(u32::from_le_bytes(bytes))
    }

    fn untagged(&mut self, first: u8) -> Step<Taken> {
        let source = match first {
            LARGE_SOURCE => self.small()?,
            source => u32::from(source),
        };
        Ok(Taken { source, tag: None })
    }

    fn tagged(&mut self, first: u8) -> Step<Taken> {
        if first < TAGGED {
            let taken = self.memory.dictionary[usize::from(first - KNOWN)];
            return match taken {
                NOBODY => Err("it refers to a message that did not come before"),
                taken => Ok(taken),
            };
        }
        let (source, tag) = (self.small()?, self.small()?);
        let taken = Taken {
            source,
            tag: Some(tag),
        };
        self.memory.dictionary[place(source, tag)] = taken;
        Ok(taken)
    }

    fn receive(&mut self, taken: Taken) -> Step<()> {
        if taken == NOBODY {
            return Err("it repeats a receive, but none came before");
        }
        place_receive(&mut self.thread, self.memory.next, taken)?;
        self.memory.last = taken;
        self.memory.next += 1;
        Ok(())
    }

    fn offset(&mut self) -> Step<()> {
        let coded = self.number()?;
        let delta = (coded >> 1) as i64 ^ -((coded & 1) as i64);
        let next = self.memory.next.checked_add_signed(delta);
        self.memory.next = next.ok_or("it leads to a receive that cannot be")?;
        Ok(())
    }

    fn index(&mut self) -> Step<Option<u32>> {
        Ok(self.small()?.checked_sub(1))
    }

    fn indices(&mut self) -> Step<Option<Vec<u32>>> {
        let Some(count) = self.small()?.checked_sub(1) else {
            return Ok(None);
        };
        let mut indices = Vec::new();
        for _ in 0..count {
            indices.push(self.small()?);
        }
        Ok(Some(indices))
    }

    fn checkpoint(&mut self) -> Step<()> {
        let mark = Checkpoint {
            hash: self.hash()?,
            receives: self.thread.receives.len() as u64,
            outcomes: self.thread.outcomes.len() as u64,
        };
        self.thread.checkpoints.push(mark);
        Ok(())
    }

    fn message(&mut self) -> Step<Taken> {
        match self.byte()? {
            first @ 0..REPEAT => self.untagged(first),
            first @ KNOWN..=TAGGED => self.tagged(first),
            _ => Err("what a probe or another thread's receive found is no message"),
        }
    }

    fn success(&mut self, first: u8) -> Step<()> {
        let misses = match first & MANY_MISSES {
            MANY_MISSES => self.number()?,
            misses => u64::from(misses),
        };
        let found = match first >> 3 & 3 {
            0 => Found::Nothing,
            1 => Found::Index(self.index()?),
            2 => Found::Indices(self.indices()?),
            _ => Found::Message(self.message()?),
        };
        self.thread
            .outcomes
            .push(Outcome::Success { misses, found });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
