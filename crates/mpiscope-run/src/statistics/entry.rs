//! One entry: sixteen words that one thread counts up and anybody may read.

use std::sync::atomic::{fence, AtomicU64, Ordering};

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Calls of an MPI function from one place, with one peer.
    Call = 1,
    /// A procedure, called by one statement.
    Procedure = 2,
    /// A loop.
    Loop = 3,
    /// Not one: the histogram of another entry that needs all bins.
    Histogram = 4,
    /// A function that its compiler instrumented, called at one place.
    Function = 5,
}

impl Kind {
    fn from_number(number: u8) -> Option<Self> {
        let kinds = [
            Kind::Call,
            Kind::Procedure,
            Kind::Loop,
            Kind::Histogram,
            Kind::Function,
        ];
        kinds.into_iter().find(|kind| *kind as u8 == number)
    }
}

/// Which way the messages of a communication statement go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Side {
    /// There are none.
    #[default]
    None = 0,
    /// Sent by this process.
    Sent = 1,
    /// Received by this process.
    Received = 2,
    /// A collective operation.
    Collective = 3,
}

impl Side {
    fn from_number(number: u8) -> Self {
        [Side::Sent, Side::Received, Side::Collective]
            .into_iter()
            .find(|side| *side as u8 == number)
            .unwrap_or_default()
    }
}

/// What makes an entry another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Kind, side and number of the MPI function, as the entry's first word has them.
    pub head: u64,
    /// Return address of the call, number of the procedure's or loop's statement, or a
    /// function's address.
    pub place: u64,
    /// Peer and group, number of the calling statement, or where a function was called.
    pub other: u64,
}

impl Key {
    /// Calls of a function from `site`, with a rank of a group.
    #[inline(always)]
    pub fn call(region: u16, side: Side, site: u64, peer: u32, group: u32) -> Self {
        Self {
            head: Kind::Call as u64 | (side as u64) << 8 | u64::from(region) << 16,
            place: site,
            other: u64::from(peer) | u64::from(group) << 32,
        }
    }

    /// A procedure or loop, called by a statement.
    #[inline(always)]
    pub fn statement(kind: Kind, statement: u32, caller: u32) -> Self {
        Self {
            head: kind as u64,
            place: u64::from(statement),
            other: u64::from(caller),
        }
    }

    /// A function at an address, called from where the call returns to; if that is
    /// within another function into which this one was copied, with [`INLINED`].
    #[inline(always)]
    pub fn function(address: u64, caller: u64) -> Self {
        Self {
            head: Kind::Function as u64,
            place: address,
            other: caller,
        }
    }
}

/// In place of where a function was called: it was inlined, and this address lies in
/// the copy.
pub const INLINED: u64 = 1 << 63;

/// Number of bins of a histogram: 0, 1, 2 to 3, 4 to 7, and so on.
pub const BINS: usize = 64;
/// Entries that a whole histogram takes.
pub const HISTOGRAM_ENTRIES: usize = BINS / WORDS;
/// Bins kept in the entry itself.
const OWN_BINS: usize = 4;
/// The low bits of an own bin hold its count, the high ones which it is.
const BIN_SHIFT: u32 = 58;

const WORDS: usize = 16;
const HEAD: usize = 0;
const PLACE: usize = 1;
const OTHER: usize = 2;
const CALLS: usize = 3;
const MESSAGES: usize = 4;
const BYTES: usize = 5;
const TIME: usize = 6;
const INTRUSION: usize = 7;
const DELAY: usize = 8;
const SEPARATED: usize = 9;
const LONGEST: usize = 10;
/// Of a procedure or loop, in place of the above: since when it is executed, 0 if it is not.
const OPEN_SINCE: usize = 8;
/// And how much time observation had taken by then.
const OPEN_INTRUSION: usize = 9;
const FIRST_BIN: usize = 11;
const MORE_BINS: usize = 15;

/// Added to the first word for each half of a change: odd while one is made.
const HALF: u64 = 1 << 32;
const KEY_BITS: u64 = HALF - 1;

/// Returns the bin of a number of bytes.
#[inline(always)]
pub fn bin(bytes: u64) -> u8 {
    (u64::BITS - bytes.leading_zeros()).min(BINS as u32 - 1) as u8
}

/// Returns the smallest number of bytes in a bin.
pub fn bin_start(bin: u8) -> u64 {
    match bin {
        0 => 0,
        bin => 1 << (bin - 1),
    }
}

/// The numbers of one entry. Only its thread writes them.
#[repr(C, align(128))]
#[derive(Debug)]
pub struct Entry([AtomicU64; WORDS]);

/// What is added to an entry at once; times in ticks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Amount {
    /// Calls.
    pub calls: u64,
    /// Messages, or iterations of a loop.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Time, ours included.
    pub time: u64,
    /// Of that, ours.
    pub intrusion: u64,
}

impl Default for Entry {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Entry {
    #[inline(always)]
    fn get(&self, word: usize) -> u64 {
        self.0[word].load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set(&self, word: usize, value: u64) {
        self.0[word].store(value, Ordering::Relaxed);
    }

    #[inline(always)]
    fn count(&self, word: usize, amount: u64) {
        self.set(word, self.get(word).wrapping_add(amount));
    }

    /// Makes a fresh entry that of `key`.
    pub fn begin(&self, key: Key) {
        self.set(PLACE, key.place);
        self.set(OTHER, key.other);
        self.0[HEAD].store(key.head & KEY_BITS, Ordering::Release);
    }

    /// Returns what it is about.
    pub fn key(&self) -> Key {
        Key {
            head: self.get(HEAD) & KEY_BITS,
            place: self.get(PLACE),
            other: self.get(OTHER),
        }
    }

    /// Takes over the numbers of another entry.
    pub fn copy(&self, from: &Entry) {
        for word in (0..WORDS).rev() {
            self.set(word, from.get(word));
        }
    }

    /// Makes a change of several numbers, which readers see as a whole.
    #[inline(always)]
    fn change(&self, change: impl FnOnce(&Self)) {
        let head = self.get(HEAD);
        self.set(HEAD, head.wrapping_add(HALF));
        fence(Ordering::Release);
        change(self);
        self.0[HEAD].store(head.wrapping_add(2 * HALF), Ordering::Release);
    }

    /// Counts a call that took some time.
    #[inline(always)]
    pub fn add(&self, amount: Amount) {
        self.change(|entry| entry.add_all(amount));
    }

    /// Counts one message, and with it perhaps the call; false if its size needs all bins.
    #[inline(always)]
    #[must_use]
    pub fn add_message(&self, amount: Amount) -> bool {
        let mut room = true;
        self.change(|entry| {
            entry.add_all(amount);
            room = entry.count_own_bin(bin(amount.bytes));
        });
        room
    }

    #[inline(always)]
    fn add_all(&self, amount: Amount) {
        self.count(CALLS, amount.calls);
        self.count(MESSAGES, amount.messages);
        self.count(BYTES, amount.bytes);
        self.count(TIME, amount.time);
        self.count(INTRUSION, amount.intrusion);
        if amount.time > self.get(LONGEST) {
            self.set(LONGEST, amount.time);
        }
    }

    /// Counts time that a call waited for its partner, told apart from the transfer.
    #[inline]
    pub fn add_delay(&self, ticks: u64) {
        self.change(|entry| {
            entry.count(DELAY, ticks);
            entry.count(SEPARATED, 1);
        });
    }

    /// Notes that a procedure or loop begins; `intrusion` is what observation took so far.
    #[inline(always)]
    pub fn open(&self, ticks: u64, intrusion: u64) {
        self.change(|entry| {
            entry.count(CALLS, 1);
            entry.set(OPEN_SINCE, ticks);
            entry.set(OPEN_INTRUSION, intrusion);
        });
    }

    /// Notes that it ends.
    #[inline(always)]
    pub fn close(&self, ticks: u64, intrusion: u64, iterations: u64) {
        self.change(|entry| {
            let amount = Amount {
                calls: 0,
                messages: iterations,
                bytes: 0,
                time: ticks.saturating_sub(entry.get(OPEN_SINCE)),
                intrusion: intrusion.wrapping_sub(entry.get(OPEN_INTRUSION)),
            };
            entry.add_all(amount);
            entry.set(OPEN_SINCE, 0);
        });
    }

    #[inline(always)]
    fn count_own_bin(&self, bin: u8) -> bool {
        let tag = u64::from(bin) << BIN_SHIFT;
        for word in FIRST_BIN..FIRST_BIN + OWN_BINS {
            let value = self.get(word);
            if value == 0 || value >> BIN_SHIFT == u64::from(bin) {
                self.set(word, (value | tag).wrapping_add(1));
                return true;
            }
        }
        false
    }

    /// Returns the number, plus one, of the entries that hold its whole histogram; 0 if there are none.
    pub fn more_bins(&self) -> u64 {
        self.get(MORE_BINS)
    }

    /// Names the entries that hold its whole histogram.
    pub fn set_more_bins(&self, number: u64) {
        self.set(MORE_BINS, number);
    }

    /// Reads an entry as a whole, however often it changes; its own bins only.
    /// Nothing if it holds no numbers of a statement.
    pub fn read(&self) -> Option<Row> {
        for _ in 0..1000 {
            let head = self.0[HEAD].load(Ordering::Acquire);
            let words: [u64; WORDS] = std::array::from_fn(|word| self.get(word));
            fence(Ordering::Acquire);
            if head & HALF == 0 && self.get(HEAD) == head {
                return Row::from_words(&words);
            }
            std::hint::spin_loop();
        }
        // Its writer was stopped or killed half way: what is there is off by one call at most.
        Row::from_words(&std::array::from_fn(|word| self.get(word)))
    }

    /// Counts a message in one of the entries that hold a whole histogram.
    pub fn count_bin(&self, bin: u8) {
        self.count(usize::from(bin) % WORDS, 1);
    }

    /// Makes an entry of its words, as they lie in a file.
    pub(crate) fn from_words(words: [u64; WORDS]) -> Self {
        Self(words.map(AtomicU64::new))
    }

    /// Returns the sixteen words.
    pub fn words(&self) -> [u64; WORDS] {
        std::array::from_fn(|word| self.get(word))
    }
}

/// Which of the entries of a whole histogram counts a bin.
pub fn histogram_entry(bin: u8) -> usize {
    usize::from(bin) / WORDS
}

/// An entry as read; times in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it is about.
    pub kind: Kind,
    /// Which way messages go.
    pub side: Side,
    /// Number of the MPI function.
    pub region: u16,
    /// Return address, or number of the statement.
    pub place: u64,
    /// Peer and group, or number of the calling statement.
    pub other: u64,
    /// Calls, or how often the procedure or loop was executed.
    pub calls: u64,
    /// Messages, or iterations of the loop.
    pub messages: u64,
    /// Bytes of all messages.
    pub bytes: u64,
    /// Time of all calls.
    pub time: u64,
    /// Of that, what it would not have taken without observation: its cost and, with
    /// a virtual clock, what partners lost to it. Negative where the thread would have
    /// waited if it had not been held up itself.
    pub intrusion: i64,
    /// Of the time, waiting for partners, in those calls in which it was told apart.
    pub delay: u64,
    /// Calls in which waiting was told apart.
    pub separated: u64,
    /// The longest call.
    pub longest: u64,
    /// Of a procedure or loop that is being executed: since when, and what observation had taken by then.
    pub(crate) open: Option<(u64, u64)>,
    /// Messages in each bin that has any, ascending.
    pub histogram: Vec<(u8, u64)>,
    /// See [`Entry::more_bins`].
    pub(crate) more_bins: u64,
}

impl Row {
    /// Reads the words of an entry; nothing if it is a histogram or was never begun.
    pub(crate) fn from_words(words: &[u64; WORDS]) -> Option<Self> {
        let kind = Kind::from_number(words[HEAD] as u8)?;
        if kind == Kind::Histogram {
            return None;
        }
        let calls = kind == Kind::Call;
        let own = &words[FIRST_BIN..FIRST_BIN + OWN_BINS];
        let mut histogram: Vec<(u8, u64)> = (own.iter().filter(|&&bin| bin != 0))
            .map(|bin| ((bin >> BIN_SHIFT) as u8, bin & ((1 << BIN_SHIFT) - 1)))
            .collect();
        histogram.sort_unstable();
        Some(Self {
            kind,
            side: Side::from_number((words[HEAD] >> 8) as u8),
            region: (words[HEAD] >> 16) as u16,
            place: words[PLACE],
            other: words[OTHER],
            calls: words[CALLS],
            messages: words[MESSAGES],
            bytes: words[BYTES],
            time: words[TIME],
            intrusion: words[INTRUSION] as i64,
            delay: if calls { words[DELAY] } else { 0 },
            separated: if calls { words[SEPARATED] } else { 0 },
            longest: words[LONGEST],
            open: (!calls && words[OPEN_SINCE] != 0)
                .then_some((words[OPEN_SINCE], words[OPEN_INTRUSION])),
            histogram,
            more_bins: words[MORE_BINS],
        })
    }

    /// Returns the row of a call that nothing was counted of yet.
    pub(crate) fn new_call(region: u16, place: u64, other: u64) -> Self {
        Self {
            kind: Kind::Call,
            side: Side::None,
            region,
            place,
            other,
            calls: 0,
            messages: 0,
            bytes: 0,
            time: 0,
            intrusion: 0,
            delay: 0,
            separated: 0,
            longest: 0,
            open: None,
            histogram: Vec::new(),
            more_bins: 0,
        }
    }

    /// Counts a call that has not returned, which has taken so long already.
    pub(crate) fn add_unfinished(&mut self, ticks: u64) {
        self.calls = self.calls.saturating_add(1);
        self.time = self.time.saturating_add(ticks);
        self.longest = self.longest.max(ticks);
    }

    /// Returns the peer, a rank of the group or one of the constants beside [`super::ANY`].
    pub fn peer(&self) -> u32 {
        self.other as u32
    }

    /// Returns the time that it would have taken without observation.
    pub fn compensated(&self) -> u64 {
        let time = i64::try_from(self.time).unwrap_or(i64::MAX);
        time.saturating_sub(self.intrusion).max(0) as u64
    }

    /// Returns the number of the group.
    pub fn group(&self) -> u32 {
        (self.other >> 32) as u32
    }

    /// Counts what is being executed up to a moment, by when observation had taken so much.
    pub(crate) fn close_at(&mut self, ticks: u64, intrusion: u64) {
        if let Some((since, then)) = self.open.take() {
            let more = intrusion.wrapping_sub(then) as i64;
            self.time = self.time.saturating_add(ticks.saturating_sub(since));
            self.intrusion = self.intrusion.saturating_add(more);
            self.longest = self.longest.max(ticks.saturating_sub(since));
        }
    }

    /// Adds what a whole histogram counts.
    pub(crate) fn add_bins(&mut self, counts: &[u64]) {
        for (bin, &count) in (0u8..).zip(counts).filter(|(_, &count)| count > 0) {
            match self.histogram.iter_mut().find(|(own, _)| *own == bin) {
                Some((_, own)) => *own = own.saturating_add(count),
                None => self.histogram.push((bin, count)),
            }
        }
        self.histogram.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of statistics may hold any numbers.
    #[test]
    fn counts_that_are_damaged_stay_at_the_largest_number() {
        let mut row = Row::new_call(3, 0x1000, 7);
        (row.calls, row.time, row.intrusion) = (u64::MAX, u64::MAX, i64::MAX);
        (row.open, row.histogram) = (Some((1, 0)), vec![(0, u64::MAX)]);
        row.add_unfinished(1);
        row.close_at(9, 5);
        row.add_bins(&[1, 2]);
        assert_eq!(
            (row.calls, row.time, row.intrusion),
            (u64::MAX, u64::MAX, i64::MAX)
        );
        assert_eq!(row.histogram, [(0, u64::MAX), (1, 2)]);
    }

    #[test]
    fn a_call_that_has_not_returned_counts_with_the_time_it_took_so_far() {
        let mut row = Row::new_call(3, 0x1000, 7);
        row.add_unfinished(50);
        row.add_unfinished(20);
        assert_eq!((row.calls, row.time, row.longest), (2, 70, 50));
        assert_eq!((row.peer(), row.group()), (7, 0));
    }

    #[test]
    fn a_bin_holds_the_sizes_up_to_twice_its_first() {
        for bytes in [0, 1, 2, 3, 4, 7, 8, 1023, 1024, u64::MAX] {
            let bin = bin(bytes);
            assert!(bin_start(bin) <= bytes, "{bytes}");
            assert!(
                usize::from(bin) == BINS - 1 || bytes < bin_start(bin + 1),
                "{bytes}"
            );
        }
    }

    #[test]
    fn four_sizes_are_counted_in_the_entry_itself() {
        let entry = Entry::default();
        entry.begin(Key::call(3, Side::Sent, 0x401000, 2, 0));
        let send = |bytes| {
            entry.add_message(Amount {
                calls: 1,
                messages: 1,
                bytes,
                time: 10,
                intrusion: 1,
            })
        };
        assert!(send(8) && send(0) && send(9) && send(100) && send(5000));
        assert!(!send(1 << 20));
        let row = entry.read().unwrap();
        assert_eq!(
            (row.calls, row.bytes, row.time, row.longest),
            (6, (1 << 20) + 5117, 60, 10)
        );
        assert_eq!(row.histogram, [(0, 1), (4, 2), (7, 1), (13, 1)]);
        assert_eq!((row.peer(), row.group(), row.region), (2, 0, 3));
    }
}
