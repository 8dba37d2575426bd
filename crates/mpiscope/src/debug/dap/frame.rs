//! How messages of the Debug Adapter Protocol are told apart in a stream of bytes (its
//! specification, "Base protocol").
//!
//! ```text
//! Content-Length: 27\r\n
//! \r\n
//! {"seq":1,"type":"request",…
//! ```
//! Pure: bytes in, bodies out. A stream that is damaged stays so: where the next message begins,
//! nobody knows.

use thiserror::Error;

/// Bytes of a header at most; editors write one line of some twenty.
const LONGEST_HEADER: usize = 4 << 10;

/// Bytes of a body at most: much more than breakpoints of all lines of a file.
const LONGEST_BODY: usize = 64 << 20;

const END_OF_HEADER: &[u8] = b"\r\n\r\n";

/// What is wrong with a stream.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Damage {
    /// A header without end.
    #[error("a header of more than {LONGEST_HEADER} bytes")]
    LongHeader,
    /// A line that is none of a header's.
    #[error("`{0}` where `Content-Length: NUMBER` is expected")]
    Header(String),
    /// No length.
    #[error("a header without Content-Length")]
    NoLength,
    /// Too long.
    #[error("a message of {0} bytes; {LONGEST_BODY} are the most")]
    LongBody(usize),
    /// The end came too early.
    #[error("the stream ends within a message")]
    Cut,
}

/// Gathers bytes until they are messages.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
}

impl Decoder {
    /// Takes bytes as they come.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next body, once it is there in full.
    pub fn next(&mut self) -> Result<Option<String>, Damage> {
        let end = self.bytes.windows(END_OF_HEADER.len());
        let Some(end) = end.take(LONGEST_HEADER).position(|at| at == END_OF_HEADER) else {
            return match self.bytes.len() > LONGEST_HEADER {
                true => Err(Damage::LongHeader),
                false => Ok(None),
            };
        };
        let length = length(&String::from_utf8_lossy(&self.bytes[..end]))?;
        let begin = end + END_OF_HEADER.len();
        let Some(body) = self.bytes.get(begin..begin + length) else {
            return Ok(None);
        };
        let body = String::from_utf8_lossy(body).into_owned();
        self.bytes.drain(..begin + length);
        Ok(Some(body))
    }

    /// Says that no more bytes come.
    pub fn end(&self) -> Result<(), Damage> {
        match self.bytes.is_empty() {
            true => Ok(()),
            false => Err(Damage::Cut),
        }
    }
}

/// Reads the length that a header tells.
fn length(header: &str) -> Result<usize, Damage> {
    let mut length = None;
    for line in header.split("\r\n") {
        let wrong = || Damage::Header(line.chars().take(80).collect());
        let (name, value) = line.split_once(':').ok_or_else(wrong)?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            length = Some(value.trim().parse().map_err(|_| wrong())?);
        }
    }
    match length.ok_or(Damage::NoLength)? {
        length if length > LONGEST_BODY => Err(Damage::LongBody(length)),
        length => Ok(length),
    }
}

/// Puts a header before a body.
pub fn encode(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    /// Shows the bodies in a stream, and what ends it.
    fn check(stream: &[u8], expected: Expect) {
        let mut decoder = Decoder::default();
        decoder.push(stream);
        expected.assert_eq(&bodies(&mut decoder).join("\n"));
    }

    fn bodies(decoder: &mut Decoder) -> Vec<String> {
        let mut found = Vec::new();
        loop {
            match decoder.next() {
                Ok(Some(body)) => found.push(body),
                Ok(None) => break,
                Err(damage) => {
                    found.push(format!("error: {damage}"));
                    return found;
                }
            }
        }
        if let Err(damage) = decoder.end() {
            found.push(format!("end: {damage}"));
        }
        found
    }

    #[test]
    fn messages_follow_each_other() {
        check(b"", expect![""]);
        check(
            b"Content-Length: 2\r\n\r\n{}content-length:4\r\nX-Other: 1\r\n\r\n\"\xe2\x82\xac",
            expect![[r#"
                {}
                "€"#]],
        );
    }

    #[test]
    fn wherever_a_stream_is_cut_the_messages_are_the_same() {
        let stream = [encode("{\"a\":1}"), encode("€"), encode("")].concat();
        for cut in 0..=stream.len() {
            let mut decoder = Decoder::default();
            let mut found = Vec::new();
            for part in [&stream[..cut], &stream[cut..]] {
                decoder.push(part);
                while let Some(body) = decoder.next().unwrap() {
                    found.push(body);
                }
            }
            assert_eq!(found, ["{\"a\":1}", "€", ""]);
            assert_eq!(decoder.end(), Ok(()));
        }
    }

    #[test]
    fn damage_is_named() {
        check(
            b"GET / HTTP/1.1\r\n\r\n",
            expect!["error: `GET / HTTP/1.1` where `Content-Length: NUMBER` is expected"],
        );
        check(
            b"Content-Length: -1\r\n\r\n",
            expect!["error: `Content-Length: -1` where `Content-Length: NUMBER` is expected"],
        );
        check(
            b"A: b\r\n\r\n{}",
            expect!["error: a header without Content-Length"],
        );
        check(
            b"Content-Length: 99999999999\r\n\r\n",
            expect!["error: a message of 99999999999 bytes; 67108864 are the most"],
        );
        check(
            &[b'x'; 5000],
            expect!["error: a header of more than 4096 bytes"],
        );
        check(
            b"Content-Length: 3\r\n\r\n{}",
            expect!["end: the stream ends within a message"],
        );
        check(
            b"Content-Le",
            expect!["end: the stream ends within a message"],
        );
    }
}
