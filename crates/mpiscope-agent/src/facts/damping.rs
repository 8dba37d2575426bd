//! Functions that are entered often and are soon over take longer in the trace than by themselves,
//! and fill it: after a while they are left out, and counted.
//!
//! Each thread watches the functions that it enters, and decides for itself. Nothing is allocated
//! once it has begun, as functions are entered in signal handlers, too.

use std::sync::atomic::{AtomicU64, AtomicU8, Ordering};

use mpiscope_run::process::Definition;

use crate::base::definitions;
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
/// A thread tells of so many entries at once.
const AT_ONCE: u64 = 1 << 10;

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
static COUNTS: [[AtomicU64; 2]; LEFT_OUT] = [const { [const { AtomicU64::new(0) }; 2] }; LEFT_OUT];

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
    /// A function begins; returns whether that is to be traced.
    #[inline]
    pub fn enters(&mut self, address: u64) -> bool {
        let Some(function) = self.find(address) else {
            return true;
        };
        function.entries += 1;
        if function.left_out == 0 {
            return true;
        }
        function.open += 1;
        function.untold += 1;
        if function.untold >= AT_ONCE {
            function.tell();
        }
        false
    }

    /// A function ends; returns whether its begin was traced.
    #[inline]
    pub fn leaves(&mut self, address: u64) -> bool {
        match self.find(address) {
            Some(function) if function.open > 0 => {
                function.open -= 1;
                false
            }
            _ => true,
        }
    }

    /// A function that was traced has ended after so many ticks.
    #[inline]
    pub fn took(&mut self, address: u64, ticks: u64) {
        let Some(function) = self.find(address) else {
            return;
        };
        function.time = function.time.saturating_add(ticks);
        let is_short = function.time / function.entries.max(1) < SHORT;
        if function.left_out == 0 && function.entries >= OFTEN && is_short && is_wanted() {
            function.left_out = place(address);
        }
    }

    /// Tells what was left out and nobody knows of yet.
    pub fn tell(&mut self) {
        self.0.iter_mut().for_each(Watched::tell);
    }

    /// Returns what is known of a function, which is watched from now on if there is room.
    #[inline]
    fn find(&mut self, address: u64) -> Option<&mut Watched> {
        if self.0.is_empty() {
            self.0 = vec![Watched::default(); WATCHED];
        }
        // Multiplicative hashing (Knuth 6.4).
        let first = (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize;
        let near = (0..NEAR).map(|step| (first + step) % WATCHED);
        for at in near {
            let there = self.0[at].address;
            if there == address {
                return self.0.get_mut(at);
            }
            if there == 0 {
                self.0[at].address = address;
                return self.0.get_mut(at);
            }
        }
        None
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

/// Returns where the entries of a function are counted, plus one; 0 if there is no room.
#[cold]
fn place(address: u64) -> u32 {
    for (number, [there, _]) in (1..).zip(&COUNTS) {
        let taken = there.compare_exchange(0, address, Ordering::AcqRel, Ordering::Acquire);
        if taken.is_ok() || taken == Err(address) {
            return number;
        }
    }
    0
}

/// Defines which functions were left out, and how often at least: threads that still run have told
/// of all but the last thousand.
pub fn define() {
    for [address, entries] in &COUNTS {
        let function = address.load(Ordering::Acquire);
        if function != 0 {
            let entries = entries.load(Ordering::Relaxed);
            definitions::tell(&Definition::LeftOut { function, entries });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(damping: &mut Damping, address: u64, ticks: u64) -> bool {
        let is_traced = damping.enters(address);
        assert_eq!(damping.leaves(address), is_traced);
        if is_traced {
            damping.took(address, ticks);
        }
        is_traced
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
        assert!(damping.enters(0x3000)); // stays open, around all others
        for _ in 0..OFTEN {
            call(&mut damping, 0x3000, 1);
        }
        assert!(!damping.enters(0x3000));
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
