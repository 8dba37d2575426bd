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
//! 11011000 n         it was to be cancelled, but took a message
//! 11010111 n hash    the end, after n calls
//! 11011001 n hash    the process died after or in the thread's call n
//! 11011010 hash      mark of what statuses told so far: two bytes
//! 111kkmmm           a poll succeeded after m that did not (7: varint follows); it found k:
//!                    nothing, an index, indices, or a message, which follows as a receive
//! ```
//! Numbers are LEB128. Each entry is committed whole.

mod read;
mod write;

pub use read::{decode, place_receive, Foreign};
pub use write::{append_last, encode, Encoder, Sink};

use super::Taken;

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
const NOT_CANCELLED: u8 = 0xd8;
const CUT: u8 = 0xd9;
const MARK: u8 = 0xda;
const SUCCESS: u8 = 0xe0;
const MANY_MISSES: u8 = 7;
/// Entries of the dictionary.
const DICTIONARY: usize = 16;

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

#[cfg(test)]
mod tests;
