//! What a trace tells of each call: what a replay compares its own calls with,
//! one by one, so that the first that differs is found.
//!
//! ```text
//! trace -> of_trace ......... before the replay, by the command
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

use mpiscope_model::{CallSite, Event, Location, Posted, Trace};
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

impl<'a> Iterator for Reader<'a> {
    type Item = Called<'a>;

    fn next(&mut self) -> Option<Called<'a>> {
        let function = self.number()? as usize;
        let site = self.number()? as usize;
        let sides = self.number()?;
        let sent = self.side(sides & SENT)?;
        let asked = self.side(sides & ASKED)?;
        Some(Called {
            function: self.header.functions.get(function)?,
            site: self.header.sites.get(site)?,
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

/// Returns the calls of all ranks of a trace.
pub fn of_trace(trace: &Trace) -> BTreeMap<u32, Calls> {
    let mut writers: BTreeMap<u32, Writer> = BTreeMap::new();
    for location in &trace.locations {
        let writer = writers.entry(location.rank.0).or_default();
        writer.thread(trace, location);
    }
    writers
        .into_iter()
        .map(|(rank, writer)| (rank, writer.calls))
        .collect()
}

/// Returns whether a function asks for a message, not for all members of a
/// communicator.
fn receives(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("recv") || name.contains("probe")
}

#[derive(Default)]
struct Writer {
    calls: Calls,
    /// By the numbers of the trace.
    functions: HashMap<u32, u64>,
    sites: HashMap<Option<u32>, u64>,
}

impl Writer {
    fn thread(&mut self, trace: &Trace, location: &Location) {
        let before = self.calls.bytes.len();
        let mut open: Option<Open> = None;
        for (index, (_, event)) in location.events.iter().enumerate() {
            match event {
                // What was called meanwhile, nobody knows.
                Event::MeasurementOnOff(_) => break,
                Event::Enter(region) => {
                    let name = name_of(trace, region.0);
                    if !name.starts_with("MPI_") || APART.contains(&name) {
                        continue;
                    }
                    self.close(open.take());
                    open = Some(Open {
                        function: self.function(region.0, name),
                        site: self.site(trace, location, index),
                        sent: None,
                        asked: location
                            .events
                            .posted(index)
                            .filter(|_| receives(name))
                            .map(asked),
                    });
                    if name == LAST {
                        break;
                    }
                }
                Event::MpiSend(message) | Event::MpiIsend(message) => {
                    let sent = Envelope {
                        comm: message.comm.0,
                        peer: Some(message.peer),
                        tag: Some(message.tag),
                        bytes: Some(message.bytes),
                    };
                    if let Some(open) = &mut open {
                        open.sent.get_or_insert(sent);
                    }
                }
                Event::MpiIrecvRequest(_) => {
                    if let (Some(open), Some(posted)) = (&mut open, location.events.posted(index)) {
                        open.asked.get_or_insert(asked(posted));
                    }
                }
                _ => {}
            }
        }
        self.close(open.take());
        let length = (self.calls.bytes.len() - before) as u64;
        self.calls.header.threads.push((location.thread, length));
    }

    fn function(&mut self, region: u32, name: &str) -> u64 {
        let names = &mut self.calls.header.functions;
        *self.functions.entry(region).or_insert_with(|| {
            names.push(name.to_owned());
            names.len() as u64 - 1
        })
    }

    fn site(&mut self, trace: &Trace, location: &Location, enter: usize) -> u64 {
        let site = location.events.call_site(enter);
        let sites = &mut self.calls.header.sites;
        *self
            .sites
            .entry(site.map(|site| site.0))
            .or_insert_with(|| {
                let site = site.and_then(|site| trace.definitions.call_sites.get(site.index()));
                sites.push(site.map_or_else(String::new, shown));
                sites.len() as u64 - 1
            })
    }

    fn close(&mut self, open: Option<Open>) {
        let Some(open) = open else { return };
        let sides = u64::from(open.sent.is_some()) | u64::from(open.asked.is_some()) << 1;
        for value in [open.function, open.site, sides] {
            self.number(value);
        }
        for side in [open.sent, open.asked].into_iter().flatten() {
            self.number(u64::from(side.comm));
            let plus_one = |value: Option<u32>| value.map_or(0, |value| u64::from(value) + 1);
            self.number(plus_one(side.peer));
            self.number(plus_one(side.tag));
            self.number(side.bytes.map_or(0, |bytes| bytes.saturating_add(1)));
        }
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

/// A call whose events are still to come.
struct Open {
    function: u64,
    site: u64,
    sent: Option<Envelope>,
    asked: Option<Envelope>,
}

fn name_of(trace: &Trace, region: u32) -> &str {
    let region = trace.definitions.regions.get(region as usize);
    region.map_or("", |region| region.name.as_str())
}

fn asked(posted: &Posted) -> Envelope {
    Envelope {
        comm: posted.comm.0,
        peer: posted.source,
        tag: posted.tag,
        bytes: posted.capacity,
    }
}

/// Names a place without the folders that lead to it.
fn shown(site: &CallSite) -> String {
    let text = site.to_string();
    text.rsplit('/').next().unwrap_or_default().to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    fn check(text: &str, expected: Expect) {
        let trace = Trace::parse(text).unwrap();
        let run = tempfile::tempdir().unwrap();
        write(run.path(), &of_trace(&trace)).unwrap();
        let calls = read(run.path(), 0).unwrap().unwrap();
        let side = |side: Option<Envelope>| match side {
            None => String::new(),
            Some(Envelope {
                peer, tag, bytes, ..
            }) => format!(" {peer:?} {tag:?} {bytes:?}"),
        };
        let line = |call: Called| {
            let Called {
                function,
                site,
                sent,
                asked,
            } = call;
            let sides = [side(sent), side(asked)].concat();
            format!("{function} {site}{sides}").trim_end().to_owned()
        };
        let lines: Vec<_> = calls.of(0).unwrap().map(line).collect();
        expected.assert_eq(&lines.join("\n"));
        assert_eq!(read(run.path(), 7).unwrap(), None);
    }

    #[test]
    fn calls_come_in_their_order_with_what_they_send() {
        check(
            "0: 1 enter(MPI_Init) 2 leave(MPI_Init) 3 enter(solve) 4 enter(MPI_Send) !at(a/heat.c:7) 5 send>1(tag=3) 6 leave(MPI_Send) \
             7 enter(MPI_Pcontrol) 8 leave(MPI_Pcontrol) 9 enter(MPI_Barrier) 10 leave(MPI_Barrier) \
             11 enter(MPI_Finalize) 12 leave(MPI_Finalize) 13 enter(MPI_Send) 14 leave(MPI_Send)
             1: 5 recv<0(tag=3)",
            expect![[r#"
                MPI_Send heat.c:7 Some(1) Some(3) Some(0)
                MPI_Barrier
                MPI_Finalize"#]],
        );
    }
}
