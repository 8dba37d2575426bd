//! The file: a line that says who wrote it, with a checksum over all the rest, the identity of
//! what it describes, and answers, the latest first.
//!
//! ```text
//! mpiscope-cache FORMAT VERSION BUILD CHECKSUM \n
//! length of the header, 4 bytes | header, JSON | answers, each JSON compressed by zstd
//! ```
//!
//! FNV-1a, which the checksum is, never takes a text for another that differs from it in one byte.

use std::io::Read;
use std::os::unix::fs::MetadataExt as _;

use mpiscope_hash::StableHasher;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::hash::Hasher as _;

use super::identity::Identity;
use crate::stamp::Stamp;

/// How the file begins, whatever its version; the first line is of this form for ever.
const MARK: &str = "mpiscope-cache";

/// Raised when what follows the first line changes its form.
const FORMAT: u32 = 1;

/// Questions that are remembered.
const MOST: usize = 8;

/// An answer is at most so long, whatever a file says.
const LONGEST: u64 = 1 << 30;

/// Why a file says nothing.
#[derive(Debug, PartialEq, Eq)]
pub enum Unusable {
    /// It is whole, and another build of mpiscope reads it.
    OtherVersion,
    /// It is cut, changed, or no such file.
    Damaged,
}

/// All answers that are kept.
#[derive(Debug, Default)]
pub struct Content {
    answers: Vec<Answer>,
}

/// The answer to one question.
#[derive(Debug)]
pub struct Answer {
    about: About,
    /// The facts, compressed.
    facts: Vec<u8>,
}

/// What an answer answers, and what it depends on beside the archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct About {
    question: String,
    /// Other files that were looked at, and what they were then.
    others: Vec<Stamp>,
    /// Length of the facts.
    length: usize,
}

#[derive(Serialize, Deserialize)]
struct Header {
    describes: Identity,
    answers: Vec<About>,
}

impl Answer {
    /// Writes down facts.
    pub fn new(question: String, others: Vec<Stamp>, facts: &impl Serialize) -> Option<Answer> {
        let facts = serde_json::to_vec(facts).ok()?;
        let facts = zstd::encode_all(&facts[..], zstd::DEFAULT_COMPRESSION_LEVEL).ok()?;
        Some(Answer {
            about: About {
                question,
                others,
                length: facts.len(),
            },
            facts,
        })
    }
}

impl Content {
    /// Returns the answer to a question, if the other files that it was made of are as they were.
    pub fn answer<F: DeserializeOwned>(&self, question: &str) -> Option<F> {
        let mut answers = self.answers.iter();
        let answer = answers.find(|answer| answer.about.question == question)?;
        let mut others = answer.about.others.iter();
        if !others.all(Stamp::holds) {
            return None;
        }
        let mut text = Vec::new();
        let facts = zstd::Decoder::new(&answer.facts[..]).ok()?;
        facts.take(LONGEST).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Returns a file of these answers and a new one, as many as fit; nothing if it alone does not.
    pub fn with(&self, new: Answer, describes: &Identity, most: u64) -> Option<Vec<u8>> {
        let old = self.answers.iter();
        let old = old.filter(|old| old.about.question != new.about.question);
        let mut answers: Vec<&Answer> = std::iter::once(&new).chain(old).take(MOST).collect();
        while !answers.is_empty() {
            let bytes = write(&answers, describes)?;
            if bytes.len() as u64 <= most {
                return Some(bytes);
            }
            answers.pop();
        }
        None
    }

    /// Reads a file, and what it describes.
    pub fn parse(bytes: &[u8]) -> Result<(Identity, Content), Unusable> {
        let (line, body) = first_line(bytes).ok_or(Unusable::Damaged)?;
        let (who, sum) = line.rsplit_once(' ').ok_or(Unusable::Damaged)?;
        if sum != checksum_of(who, body) || !who.starts_with(MARK) {
            return Err(Unusable::Damaged);
        }
        if writer().is_none_or(|us| who != us) {
            return Err(Unusable::OtherVersion);
        }
        read(body).ok_or(Unusable::Damaged)
    }
}

pub(super) fn first_line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().take(1024).position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    Some((line, &bytes[end + 1..]))
}

/// Returns who writes such files: form, version, and the build of this program; nothing if that
/// cannot be told.
pub(super) fn writer() -> Option<String> {
    let program = std::fs::metadata("/proc/self/exe").ok()?;
    let [size, seconds, rest] = [program.size() as i64, program.mtime(), program.mtime_nsec()];
    Some(format!(
        "{MARK} {FORMAT} {} {size:x}-{seconds:x}.{rest:x}",
        mpiscope_run::VERSION
    ))
}

pub(super) fn checksum_of(who: &str, body: &[u8]) -> String {
    let mut hasher = StableHasher::default();
    hasher.write(who.as_bytes());
    hasher.write(b"\n");
    hasher.write(body);
    format!("{:016x}", hasher.finish())
}

fn write(answers: &[&Answer], describes: &Identity) -> Option<Vec<u8>> {
    let header = Header {
        describes: describes.clone(),
        answers: answers.iter().map(|answer| answer.about.clone()).collect(),
    };
    let header = serde_json::to_vec(&header).ok()?;
    let mut body = u32::try_from(header.len()).ok()?.to_le_bytes().to_vec();
    body.extend(header);
    for answer in answers {
        body.extend(&answer.facts);
    }
    let who = writer()?;
    let mut bytes = format!("{who} {}\n", checksum_of(&who, &body)).into_bytes();
    bytes.extend(body);
    Some(bytes)
}

fn read(body: &[u8]) -> Option<(Identity, Content)> {
    let (length, rest) = body.split_first_chunk::<4>()?;
    let (header, mut rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let header: Header = serde_json::from_slice(header).ok()?;
    let mut answers = Vec::new();
    for about in header.answers {
        let (facts, behind) = rest.split_at_checked(about.length)?;
        rest = behind;
        answers.push(Answer {
            about,
            facts: facts.to_vec(),
        });
    }
    rest.is_empty()
        .then_some((header.describes, Content { answers }))
}
