//! Maps for short integer keys.
//!
//! The standard hasher guards against keys chosen by an adversary, and costs
//! more than all the rest of matching messages. Keys here are ranks, tags and
//! request numbers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A `HashMap` with [`FastHasher`].
pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// Rotates, mixes in, multiplies; and brings high bits down at the end.
#[derive(Clone, Copy, Debug, Default)]
pub struct FastHasher(u64);

/// 2⁶⁴ over the golden ratio: spreads neighbouring keys (Knuth, TAOCP 6.4).
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(FACTOR);
    }
}
