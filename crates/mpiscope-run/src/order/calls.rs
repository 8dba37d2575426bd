//! What a trace tells of each call: what a replay compares its own calls with,
//! one by one, so that the first that differs is found.
//!
//! ```text
//! trace -> Writer ........... before the replay, by the command
//!          write, read ...... RUN/calls/RANK.calls, in the replay's directory
//!          Calls::of ........ in the program, a thread's calls one after the other
//! ```
//!
//! A call is its function, the envelope of the message that it sends or asks
//! for as far as the trace has it, and its place in the program. The place is
//! shown, and not compared: a program may have been compiled anew.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::run_info::write_atomically;
use crate::Error;

/// Calls that the order of a run does not count. MPI_Finalize ends the sequence.
pub const APART: [&str; 3] = ["MPI_Init", "MPI_Init_thread", "MPI_Pcontrol"];
/// The last call.
pub const LAST: &str = "MPI_Finalize";

/// One side of a message as a call gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// Number of the communicator in the trace.
    pub comm: u32,
    /// The other side's rank in it; none for MPI_ANY_SOURCE.
    pub peer: Option<u32>,
    /// The tag; none for MPI_ANY_TAG.
    pub tag: Option<u32>,
    /// Bytes sent, or of the receive's buffer; none where that is not known.
    pub bytes: Option<u64>,
}

/// A call as traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called<'a> {
    /// Name of the function.
    pub function: &'a str,
    /// Where in the program; empty if that is not known.
    pub site: &'a str,
    /// For how many calls that found nothing it stands, if it is not one by itself. Those of other
    /// places that follow it or go before may have been made in turn with them.
    pub polls: Option<u64>,
    /// What it sends.
    pub sent: Option<Envelope>,
    /// What it asks for.
    pub asked: Option<Envelope>,
}

/// The calls of one rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    header: Header,
    bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    functions: Vec<String>,
    sites: Vec<String>,
    /// Number of each thread, and how many bytes are its calls.
    threads: Vec<(u32, u64)>,
}

impl Calls {
    /// Returns the calls of a thread, one after the other.
    pub fn of(&self, thread: u32) -> Option<Reader<'_>> {
        let mut begin = 0;
        for &(number, length) in &self.header.threads {
            let end = begin + length as usize;
            if number == thread {
                let bytes = self.bytes.get(begin..end)?;
                let header = &self.header;
                return Some(Reader { header, bytes });
            }
            begin = end;
        }
        None
    }

    /// Returns how many threads called MPI.
    pub fn threads(&self) -> usize {
        self.header.threads.len()
    }
}

/// Walks through the calls of a thread; ends where the trace no longer tells.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    header: &'a Header,
    bytes: &'a [u8],
}

const SENT: u64 = 1;
const ASKED: u64 = 2;
const POLLS: u64 = 4;

impl<'a> Iterator for Reader<'a> {
    type Item = Called<'a>;

    fn next(&mut self) -> Option<Called<'a>> {
        let function = self.number()? as usize;
        let site = self.number()? as usize;
        let sides = self.number()?;
        let polls = match sides & POLLS {
            0 => None,
            _ => Some(self.number()?),
        };
        let sent = self.side(sides & SENT)?;
        let asked = self.side(sides & ASKED)?;
        Some(Called {
            function: self.header.functions.get(function)?,
            site: self.header.sites.get(site)?,
            polls,
            sent,
            asked,
        })
    }
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Reads an envelope if it is there; fails where it is cut short.
    fn side(&mut self, there: u64) -> Option<Option<Envelope>> {
        if there == 0 {
            return Some(None);
        }
        let comm = self.number()? as u32;
        let mut optional = || Some(self.number()?.checked_sub(1));
        let (peer, tag, bytes) = (optional()?, optional()?, optional()?);
        Some(Some(Envelope {
            comm,
            peer: peer.map(|peer| peer as u32),
            tag: tag.map(|tag| tag as u32),
            bytes,
        }))
    }
}

/// Makes the [`Calls`] of a rank, thread by thread.
#[derive(Debug, Default)]
pub struct Writer {
    calls: Calls,
    functions: HashMap<String, u64>,
    sites: HashMap<String, u64>,
    /// Where the bytes of the thread begin that is being written.
    begin: usize,
}

impl Writer {
    /// Adds a call of the thread at hand.
    pub fn call(&mut self, call: &Called) {
        let Calls { header, .. } = &mut self.calls;
        let function = number_of(call.function, &mut self.functions, &mut header.functions);
        let site = number_of(call.site, &mut self.sites, &mut header.sites);
        let sent = u64::from(call.sent.is_some()) * SENT;
        let asked = u64::from(call.asked.is_some()) * ASKED;
        let polls = u64::from(call.polls.is_some()) * POLLS;
        for value in [function, site, sent | asked | polls] {
            self.number(value);
        }
        call.polls.into_iter().for_each(|polls| self.number(polls));
        for side in [call.sent, call.asked].into_iter().flatten() {
            self.number(u64::from(side.comm));
            let plus_one = |value: Option<u32>| value.map_or(0, |value| u64::from(value) + 1);
            self.number(plus_one(side.peer));
            self.number(plus_one(side.tag));
            self.number(side.bytes.map_or(0, |bytes| bytes.saturating_add(1)));
        }
    }

    /// Says that the calls since the last thread's end are those of this one.
    pub fn end_thread(&mut self, thread: u32) {
        let length = self.calls.bytes.len() - self.begin;
        self.calls.header.threads.push((thread, length as u64));
        self.begin += length;
    }

    /// Returns the calls of all threads.
    pub fn finish(self) -> Calls {
        self.calls
    }

    fn number(&mut self, mut value: u64) {
        let bytes = &mut self.calls.bytes;
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
    }
}

/// Returns the number of a text, which is its place in `all`.
fn number_of(text: &str, numbers: &mut HashMap<String, u64>, all: &mut Vec<String>) -> u64 {
    if let Some(&known) = numbers.get(text) {
        return known;
    }
    let next = all.len() as u64;
    numbers.insert(text.to_owned(), next);
    all.push(text.to_owned());
    next
}

fn folder(run: &Path) -> PathBuf {
    run.join("calls")
}

fn path_of(run: &Path, rank: u32) -> PathBuf {
    folder(run).join(format!("{rank}.calls"))
}

/// Writes the calls of all ranks into the directory of a replay.
///
/// # Errors
/// When a file cannot be written.
pub fn write(run: &Path, all: &BTreeMap<u32, Calls>) -> Result<(), Error> {
    let folder = folder(run);
    fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
    for (&rank, calls) in all {
        let path = path_of(run, rank);
        let mut bytes = serde_json::to_vec(&calls.header)
            .map_err(|e| Error::damaged(&path, format!("its header is no JSON: {e}")))?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&calls.bytes);
        write_atomically(&path, &bytes)?;
    }
    Ok(())
}

/// Reads the calls of a rank, if there are any.
///
/// # Errors
/// When they are there and cannot be read.
pub fn read(run: &Path, rank: u32) -> Result<Option<Calls>, Error> {
    let path = path_of(run, rank);
    if !path.is_file() {
        return Ok(None);
    }
    let mut bytes = fs::read(&path).map_err(|e| Error::io(&path, e))?;
    let end = bytes.iter().position(|&byte| byte == b'\n');
    let end = end.ok_or_else(|| Error::damaged(&path, "its header does not end"))?;
    let header = serde_json::from_slice(&bytes[..end])
        .map_err(|e| Error::damaged(&path, format!("its header is not as expected: {e}")))?;
    bytes.drain(..=end);
    Ok(Some(Calls { header, bytes }))
}

/// Removes them.
pub fn remove(run: &Path) {
    let _ = fs::remove_dir_all(folder(run));
}
