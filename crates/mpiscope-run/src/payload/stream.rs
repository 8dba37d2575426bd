//! Calls as bytes: a definition of each word on its first use, an entry per
//! call, a byte that counts calls which came to exactly the same.

use std::collections::HashMap;
use std::io::{self, Read};

use crate::order::stream::Sink;

const WORD: u8 = 1;
const CALL: u8 = 2;
const AGAIN: u8 = 3;
/// Most bytes that a buffer is given at once.
const PIECE: usize = 1 << 20;
/// Entries longer than this are not looked at for repetition.
pub const SHORT: usize = 256;

/// The bytes of one entry, being put together or taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body(pub(super) Vec<u8>);

impl Body {
    /// Empties it, to be used again.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends a number.
    pub fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Appends a signed number; small ones are short.
    pub fn integer(&mut self, value: i32) {
        self.number(u64::from(((value << 1) ^ (value >> 31)) as u32));
    }

    /// Appends bytes and how many they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Appends so many bytes, to be filled by the caller.
    pub fn room(&mut self, length: usize) -> &mut [u8] {
        self.number(length as u64);
        let at = self.0.len();
        self.0.resize(at + length, 0);
        self.0.get_mut(at..).unwrap_or_default()
    }
}

/// Reads an entry's parts in the order in which they were put there.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a>(pub &'a [u8]);

impl<'a> Cursor<'a> {
    /// Reads a number.
    pub fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a signed number.
    pub fn integer(&mut self) -> Option<i32> {
        let value = u32::try_from(self.number()?).ok()?;
        Some((value >> 1) as i32 ^ -((value & 1) as i32))
    }

    /// Reads bytes.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    /// Returns whether nothing is left.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

/// The writing end.
#[derive(Debug, Default)]
pub struct Encoder {
    words: HashMap<String, u32>,
    /// The last entry, if another like it needs but a count.
    last: Option<Body>,
    /// How often the last byte says that the last entry came again; 0 if it says something else.
    again: u8,
}

impl Encoder {
    /// Returns the number of a word, which is defined if it is new.
    pub fn word(&mut self, sink: &mut impl Sink, word: &str) -> u32 {
        if let Some(&number) = self.words.get(word) {
            return number;
        }
        let number = self.words.len() as u32;
        self.words.insert(word.to_owned(), number);
        let mut entry = Body(vec![WORD]);
        entry.bytes(word.as_bytes());
        sink.append(&entry.0);
        self.again = 0;
        self.last = None;
        number
    }

    /// Appends a call.
    pub fn call(&mut self, sink: &mut impl Sink, body: &Body) {
        if self.last.as_ref() == Some(body) {
            return self.repeat(sink);
        }
        self.again = 0;
        let mut head = Body(vec![CALL]);
        head.number(body.0.len() as u64);
        if body.0.len() <= SHORT {
            self.last.get_or_insert_default().clone_from(body);
            head.0.extend_from_slice(&body.0);
            return sink.append(&head.0);
        }
        self.last = None;
        sink.append(&head.0);
        // Whole or not, a reader sees by the length.
        for piece in body.0.chunks(PIECE) {
            sink.append(piece);
        }
    }

    fn repeat(&mut self, sink: &mut impl Sink) {
        if self.again > 0 && self.again < u8::MAX && sink.bump() {
            self.again += 1;
            return;
        }
        sink.append(&[AGAIN, 1]);
        self.again = 1;
    }
}

/// A call as recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// Which one, from 1.
    pub number: u64,
    /// Its parts.
    pub body: Vec<u8>,
}

/// Reads calls one after the other. A stream that ends within an entry, as
/// that of a killed process may, ends before it.
pub struct Reader<R> {
    from: R,
    words: Vec<String>,
    entry: Entry,
    again: u8,
}

impl<R: Read> Reader<R> {
    /// Begins at the beginning.
    pub fn new(from: R) -> Self {
        Self {
            from,
            words: Vec::new(),
            entry: Entry::default(),
            again: 0,
        }
    }

    /// Returns a word; empty if no such was defined.
    pub fn word(&self, number: u64) -> &str {
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        self.words.get(number).map_or("", String::as_str)
    }

    /// Reads the next call; nothing at the end.
    ///
    /// # Errors
    /// When the source fails, or what it gives is no stream of calls.
    pub fn next_call(&mut self) -> io::Result<Option<&Entry>> {
        if self.again == 0 {
            match self.advance() {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                other => other?,
            }
        } else {
            self.again -= 1;
        }
        self.entry.number += 1;
        Ok(Some(&self.entry))
    }

    /// Reads until a call is there.
    fn advance(&mut self) -> io::Result<()> {
        loop {
            match self.byte()? {
                WORD => {
                    let word = self.piece(Vec::new())?;
                    self.words.push(String::from_utf8_lossy(&word).into_owned());
                }
                CALL => {
                    let old = std::mem::take(&mut self.entry.body);
                    self.entry.body = self.piece(old)?;
                    return Ok(());
                }
                AGAIN if self.entry.number > 0 => {
                    if let Some(more) = self.byte()?.checked_sub(1) {
                        self.again = more;
                        return Ok(());
                    }
                }
                other => {
                    let what = format!("entry of kind {other}, which nobody writes");
                    return Err(io::Error::new(io::ErrorKind::InvalidData, what));
                }
            }
        }
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.from.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    /// Reads a length, and so many bytes.
    fn piece(&mut self, mut into: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut length = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            length |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        into.clear();
        // Grows with what is there: a damaged length asks for no memory.
        let read = self.from.by_ref().take(length).read_to_end(&mut into)?;
        if (read as u64) < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(into)
    }
}

/// Hashes data, going on from another hash.
pub fn hash(seed: u64, bytes: &[u8]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |state: u64, word: u64| (state.rotate_left(29) ^ word).wrapping_mul(ODD);
    let words = bytes.chunks_exact(8);
    let rest = words.remainder();
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
    let state = words.fold(seed ^ ODD, |state, bytes| step(state, word(bytes)));
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let state = step(state, u64::from_le_bytes(last));
    let state = step(state, bytes.len() as u64);
    state ^ (state >> 32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(stream: &[u8]) -> Vec<Vec<u8>> {
        let mut reader = Reader::new(stream);
        let mut found = Vec::new();
        while let Some(entry) = reader.next_call().unwrap() {
            found.push(entry.body.clone());
        }
        found
    }

    #[test]
    fn polls_that_say_no_take_a_byte_for_many() {
        let (mut sink, mut encoder) = (Vec::new(), Encoder::default());
        let body = Body(vec![1, 2, 3]);
        for _ in 0..1000 {
            encoder.call(&mut sink, &body);
        }
        assert!(sink.len() < 20, "{}", sink.len());
        assert_eq!(read(&sink), vec![vec![1, 2, 3]; 1000]);
    }

    #[test]
    fn numbers_come_back() {
        let mut body = Body::default();
        let all = [0, 1, -1, 64, -65, i32::MAX, i32::MIN];
        all.iter().for_each(|&value| body.integer(value));
        body.number(u64::MAX);
        let mut cursor = Cursor(&body.0);
        for value in all {
            assert_eq!(cursor.integer(), Some(value));
        }
        assert_eq!(cursor.number(), Some(u64::MAX));
        assert!(cursor.is_empty());
    }

    proptest! {
        /// Whatever is cut off, whole entries before it are read, and nothing else.
        #[test]
        fn a_stream_cut_short_holds_its_first_calls(
            calls in prop::collection::vec(prop::collection::vec(0u8..3, 0..5), 0..30),
            cut in 0usize..200,
        ) {
            let (mut sink, mut encoder) = (Vec::new(), Encoder::default());
            for (k, call) in calls.iter().enumerate() {
                if k % 3 == 0 {
                    encoder.word(&mut sink, &k.to_string());
                }
                encoder.call(&mut sink, &Body(call.clone()));
            }
            prop_assert_eq!(&read(&sink), &calls);
            let short = read(&sink[..sink.len().saturating_sub(cut)]);
            prop_assert_eq!(&short[..], &calls[..short.len()]);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let mut reader = Reader::new(&bytes[..]);
            for _ in 0..10_000 {
                if !matches!(reader.next_call(), Ok(Some(_))) {
                    break;
                }
            }
        }

        #[test]
        fn other_data_has_another_hash(a in prop::collection::vec(0u8..2, 0..20), b in prop::collection::vec(0u8..2, 0..20)) {
            prop_assert_eq!(a == b, hash(0, &a) == hash(0, &b));
        }
    }
}
