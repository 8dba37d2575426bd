//! A hash that every process and every build computes alike (FNV-1a).
//!
//! Run directories, instrumented sources and messages between ranks hold its
//! values, so neither the standard library's hash will do, which is drawn anew in
//! each process, nor one that a dependency may change. Maps take `FxHashMap` of
//! `rustc-hash`: what they compute stays with them.
#![forbid(unsafe_code)]

use std::hash::{Hash, Hasher};

/// Hashes by FNV-1a, byte by byte.
#[derive(Clone, Copy, Debug)]
pub struct StableHasher(u64);

impl Default for StableHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for StableHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Returns the hash of any value that tells what it consists of.
pub fn stable(value: &impl Hash) -> u64 {
    let mut hasher = StableHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the hash of bytes, without their number.
#[must_use]
pub fn of_bytes(bytes: &[u8]) -> u64 {
    let mut hasher = StableHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors of FNV-1a (Fowler, Noll and Vo; draft-eastlake-fnv, appendix C).
    #[test]
    fn the_hash_is_what_its_inventors_publish() {
        assert_eq!(of_bytes(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of_bytes(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of_bytes(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
