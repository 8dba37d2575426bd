//! Functions that are entered often and are soon over take longer in the trace than by themselves,
//! and fill it: after a while they are left out, and counted.
//!
//! Each thread watches the functions that it enters, and decides for itself. Nothing is allocated
//! once it has begun, as functions are entered in signal handlers, too. What a filter leaves out is
//! left out from its first entry on, and counted likewise.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicU8, Ordering};

use mpiscope_run::process::Definition;

use super::filter;
use crate::base::definitions;
use crate::base::helper;
use crate::base::variable::variable_is;

/// Entries of a function, at least, before it may be left out.
const OFTEN: u64 = 10_000;
/// Ticks of its mean duration, at most: about a microsecond, whatever is read.
const SHORT: u64 = 2048;
/// Functions that a thread watches; always a power of two. Others are traced.
const WATCHED: usize = 1 << 12;
/// Where a function may stand among them, from its own place on.
const NEAR: usize = 8;
/// Functions that a process counts as left out; others are traced.
const LEFT_OUT: usize = 256;
/// Functions that a filter leaves out and that are counted by themselves; others are counted
/// together, behind them.
const FILTERED: usize = 1 << 12;
/// All that is counted.
const COUNTED: usize = LEFT_OUT + FILTERED + 1;
/// A thread tells of so many entries at once.
const AT_ONCE: u64 = 1 << 10;

/// The place of what is not watched.
pub const UNWATCHED: u32 = u32::MAX;

/// A function as a thread knows it.
#[derive(Clone, Copy, Default)]
struct Watched {
    address: u64,
    entries: u64,
    /// Ticks within it.
    time: u64,
    /// Where its entries are counted that are left out, plus one; 0 while it is traced.
    left_out: u32,
    /// Entries left out of which the end is still to come.
    open: u32,
    /// Entries left out that nobody was told of.
    untold: u64,
}

/// The functions that a thread has entered.
#[derive(Default)]
pub struct Damping(Vec<Watched>);

/// Functions left out by some thread of the process: address and entries.
static COUNTS: [[AtomicU64; 2]; COUNTED] = [const { [const { AtomicU64::new(0) }; 2] }; COUNTED];

/// How many entries of each are defined, plus one; 0 where nothing is.
static DEFINED: [AtomicU64; COUNTED] = [const { AtomicU64::new(0) }; COUNTED];

/// Whether functions are left out: not known yet, no, yes.
static WANTED: AtomicU8 = AtomicU8::new(0);

fn is_wanted() -> bool {
    if WANTED.load(Ordering::Relaxed) == 0 {
        let all = variable_is(c"MPISCOPE_FUNCTIONS", c"all");
        WANTED.store(if all { 1 } else { 2 }, Ordering::Relaxed);
    }
    WANTED.load(Ordering::Relaxed) == 2
}

impl Damping {
    /// A function begins; returns its place if that is to be traced.
    #[inline(always)]
    pub fn enters(&mut self, address: u64) -> Option<u32> {
        let Some(place) = self.find(address) else {
            return unwatched(address);
        };
        let function = &mut self.0[place as usize];
        function.entries += 1;
        if function.left_out == 0 {
            return Some(place);
        }
        function.open += 1;
        function.untold += 1;
        if function.untold >= AT_ONCE {
            function.tell();
        }
        None
    }

    /// Counts an entry of what a filter leaves out.
    #[cold]
    pub fn leaves_out(&mut self, address: u64) {
        match self.find(address) {
            Some(place) if self.0[place as usize].left_out == 0 => {
                self.0[place as usize].left_out = filtered_at(address);
            }
            Some(_) => {}
            None => {
                COUNTS[COUNTED - 1][1].fetch_add(1, Ordering::Relaxed);
                return;
            }
        }
        let _ = self.enters(address);
    }

    /// Returns whether an entry of the function at a place is open that was left out.
    #[inline(always)]
    pub fn is_within(&self, place: u32) -> bool {
        self.0
            .get(place as usize)
            .is_some_and(|function| function.open > 0)
    }

    /// A function ends; returns whether its begin was traced.
    #[inline]
    pub fn leaves(&mut self, address: u64) -> bool {
        let place = self.find(address).unwrap_or(UNWATCHED);
        match self.0.get_mut(place as usize) {
            Some(function) if function.open > 0 => {
                function.open -= 1;
                false
            }
            _ => true,
        }
    }

    /// What stands at a place was traced, and has ended after so many ticks.
    #[inline(always)]
    pub fn took(&mut self, place: u32, ticks: u64) {
        let Some(function) = self.0.get_mut(place as usize) else {
            return;
        };
        function.time = function.time.saturating_add(ticks);
        let is_short = function.time < SHORT.saturating_mul(function.entries);
        if function.left_out == 0 && function.entries >= OFTEN && is_short && is_wanted() {
            function.left_out = counted_at(function.address, 0..LEFT_OUT);
        }
    }

    /// Tells what was left out and nobody knows of yet.
    pub fn tell(&mut self) {
        self.0.iter_mut().for_each(Watched::tell);
    }

    /// Returns the place of a function, which is watched from now on if there is room.
    #[inline(always)]
    fn find(&mut self, address: u64) -> Option<u32> {
        // Multiplicative hashing (Knuth 6.4).
        let first = (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % WATCHED;
        match self.0.get(first) {
            Some(there) if there.address == address => Some(first as u32),
            _ => self.look_near(first, address),
        }
    }

    #[cold]
    #[inline(never)]
    fn look_near(&mut self, first: usize, address: u64) -> Option<u32> {
        if self.0.is_empty() {
            self.0 = vec![Watched::default(); WATCHED];
        }
        let mut near = (first..first + NEAR).map(|at| at % WATCHED);
        let at = near.find(|&at| [address, 0].contains(&self.0[at].address))?;
        let function = &mut self.0[at];
        if function.address == 0 && filter::leaves_out_key(address) {
            function.left_out = filtered_at(address);
        }
        function.address = address;
        Some(at as u32)
    }
}

impl Watched {
    fn tell(&mut self) {
        if let Some(counts) = (self.left_out as usize)
            .checked_sub(1)
            .map(|at| &COUNTS[at])
        {
            counts[1].fetch_add(self.untold, Ordering::Relaxed);
            self.untold = 0;
        }
    }
}

/// A function begins that nobody watches; returns its place, if it is to be traced.
#[cold]
fn unwatched(address: u64) -> Option<u32> {
    if !filter::leaves_out_key(address) {
        return Some(UNWATCHED);
    }
    COUNTS[COUNTED - 1][1].fetch_add(1, Ordering::Relaxed);
    None
}

/// Returns where the entries of a function that a filter leaves out are counted, plus one.
#[cold]
fn filtered_at(address: u64) -> u32 {
    match counted_at(address, LEFT_OUT..COUNTED - 1) {
        0 => COUNTED as u32,
        number => number,
    }
}

/// Returns where among these the entries of a function are counted, plus one; 0 if there is no room.
#[cold]
fn counted_at(address: u64, among: Range<usize>) -> u32 {
    for (number, [there, _]) in (among.start as u32 + 1..).zip(&COUNTS[among]) {
        let taken = there.compare_exchange(0, address, Ordering::AcqRel, Ordering::Acquire);
        if taken.is_ok() {
            helper::wake(); // who is killed now has said that something is left out
        }
        if taken.is_ok() || taken == Err(address) {
            return number;
        }
    }
    0
}

/// Defines which functions were left out, and how often at least, where that has changed: threads
/// that still run have told of all but the last thousand entries.
pub fn define() {
    for among in [0..LEFT_OUT, LEFT_OUT..COUNTED - 1, COUNTED - 1..COUNTED] {
        let is_filtered = among.start > 0;
        let counted = COUNTS[among.clone()].iter().zip(&DEFINED[among]);
        for ([address, entries], defined) in counted {
            let function = address.load(Ordering::Acquire);
            let entries = entries.load(Ordering::Relaxed);
            if function == 0 && entries == 0 {
                break; // they are taken in this order
            }
            if defined.swap(entries + 1, Ordering::Relaxed) != entries + 1 {
                definitions::tell(&match is_filtered {
                    false => Definition::LeftOut { function, entries },
                    true => Definition::Filtered {
                        what: function,
                        entries,
                    },
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(damping: &mut Damping, address: u64, ticks: u64) -> bool {
        let place = damping.enters(address);
        assert_eq!(damping.leaves(address), place.is_some());
        if let Some(place) = place {
            damping.took(place, ticks);
        }
        place.is_some()
    }

    #[test]
    fn what_is_short_and_frequent_is_left_out_and_the_rest_is_not() {
        let mut damping = Damping::default();
        let mut traced = |address, ticks| {
            (0..20_000)
                .filter(|_| call(&mut damping, address, ticks))
                .count()
        };
        assert_eq!(traced(0x1000, 100), OFTEN as usize);
        assert_eq!(traced(0x2000, 1 << 20), 20_000);
        damping.tell();
        let told = COUNTS
            .iter()
            .find(|[address, _]| address.load(Ordering::Relaxed) == 0x1000);
        assert_eq!(told.unwrap()[1].load(Ordering::Relaxed), 10_000);
    }

    #[test]
    fn an_entry_that_was_traced_has_its_end_traced() {
        let mut damping = Damping::default();
        assert!(damping.enters(0x3000).is_some()); // stays open, around all others
        for _ in 0..OFTEN {
            call(&mut damping, 0x3000, 1);
        }
        assert!(damping.enters(0x3000).is_none());
        let place = damping.find(0x3000).unwrap();
        assert!(damping.is_within(place));
        assert!(!damping.leaves(0x3000));
        assert!(damping.leaves(0x3000));
    }

    #[test]
    fn functions_beyond_those_watched_are_traced() {
        let mut damping = Damping::default();
        for address in 1..100_000 {
            assert!(call(&mut damping, address * 16, 1));
        }
    }
}
