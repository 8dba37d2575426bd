//! Everything that reads what others wrote, as functions of bytes: whatever these are, nothing
//! panics, no arithmetic overflows, nothing loops, and memory stays below a bound.
//!
//! ```text
//! scripts/fuzz      libFuzzer draws bytes that reach new code, target after target (main)
//! tests/kept        replays what was kept, as a test among others
//! kept/TARGET/NAME  what was kept: few small inputs that reach what a search did, and every
//!                   input that something was wrong with, by the name of what it was
//! ```
//!
//! The search and the test call the same [`Target::run`]. The bound of memory is [`BOUND`] bytes
//! and so many for each byte of the input as the table of targets says (8 KiB; more where an order
//! record tells of receives by their number alone), all threads together. Of compressed formats the
//! input is what will be compressed. What loops is found by libFuzzer, which gives an input half a
//! minute.

#![deny(unsafe_code)]

pub mod allocator;
mod draw;
mod place;
mod targets;

use std::sync::{Mutex, PoisonError};

pub use targets::TARGETS;

/// Memory that any input may take, in bytes: chunks that writers fill, tables that begin large.
pub const BOUND: usize = 24 << 20;

/// One kind of input.
#[derive(Debug)]
pub struct Target {
    /// The name of its folder of kept inputs.
    pub name: &'static str,
    /// What reads it.
    pub body: fn(&[u8]),
    /// Memory that an input may take for each of its bytes, besides [`BOUND`].
    pub per_byte: usize,
}

impl Target {
    /// Reads an input.
    ///
    /// # Panics
    /// When what reads it does, or takes more memory than it may.
    pub fn run(&self, input: &[u8]) {
        // Folders and counters are the process's.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let bound = BOUND + self.per_byte * input.len();
        let taken = allocator::measured(bound, || (self.body)(input));
        if std::env::var_os("MPISCOPE_FUZZ_SHOW").is_some() {
            eprintln!("{}: {} bytes for {}", self.name, taken.bytes, input.len());
        }
        assert!(
            taken.bytes <= bound,
            "{} bytes of memory for {} of input, at most {bound} are allowed; at {}",
            taken.bytes,
            input.len(),
            taken.who.map_or_else(String::new, |who| who.to_string())
        );
    }
}

/// Returns a target by its name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
