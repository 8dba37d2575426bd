//! The recording side: what a call did is appended to the rank's record.

use std::path::PathBuf;

use mpi_abi::{Kind, Mpi};
use mpiscope_run::order::buffer::Writer;
use mpiscope_run::payload::{hash, Body, Depth, Encoder, LeftOut, Note};

use super::args::Frame;
use super::effects::{walk, End, Io};
use super::head::{save_frame, sent, Head};
use super::places::Region;
use super::requests::Requests;
use super::rules::Rule;
use super::{handles, place_of_call};
use crate::order::call::OrderedCall;

/// The record being written.
pub struct Recorder {
    writer: Writer,
    encoder: Encoder,
    body: Body,
    depth: Depth,
    requests: Requests,
    left_out: Vec<LeftOut>,
    /// Hashes of what a call received, summed; nothing if it received nothing.
    sum: Option<u64>,
    /// Calls at the last entry, where hashes are written.
    calls: u64,
}

/// Most places at which something was left out that are named.
const MOST: usize = 64;

/// What is known before the call is made.
pub struct Before {
    frame: Frame,
    requests: Vec<usize>,
    /// Function and call site.
    place: Body,
}

impl Recorder {
    /// Begins a record in a buffer that says whose it is.
    pub fn new(mpi: &'static Mpi, writer: Writer, depth: Depth) -> Self {
        Self {
            writer,
            encoder: Encoder::default(),
            body: Body::default(),
            depth,
            requests: Requests::new(mpi),
            left_out: Vec::new(),
            sum: None,
            calls: 0,
        }
    }

    /// Returns where the buffer lies, of which the last word is said.
    pub fn finish(&self) -> PathBuf {
        self.writer.finish();
        self.writer.path().to_owned()
    }

    /// Writes what a call asks for.
    pub fn before(&mut self, call: &mut OrderedCall, rule: &Rule) -> Before {
        let site = place_of_call();
        let name = call.function.function().name;
        let function = self.encoder.word(&mut self.writer, name);
        let site = self.encoder.word(&mut self.writer, site);
        self.body.clear();
        self.body.number(function.into());
        self.body.number(site.into());
        let place = self.body.clone();
        Head::of(call).save(&mut self.body);
        let mut frame = Frame::default();
        if rule.collective {
            frame = Frame::ask(call, rule);
            save_frame(&frame, &mut self.body);
        }
        // Requests are known to MPI by their C handles.
        let requests = super::given(call, rule, |call, at, k| call.request_at(at, k));
        let sent = sent(call, rule, &frame, &self.requests);
        self.body.number(sent.into());
        Before {
            frame,
            requests,
            place,
        }
    }

    /// Writes what came of it.
    pub fn after(&mut self, call: &mut OrderedCall, rule: &Rule, before: &Before, code: i32) {
        self.body.integer(code);
        let mut requests = std::mem::replace(&mut self.requests, Requests::new(call.mpi));
        let end = end(call, code);
        let Before {
            frame,
            requests: given,
            place,
        } = before;
        self.sum = None;
        walk(call, rule, frame, end, given, &mut requests, self);
        self.requests = requests;
        if self.depth == Depth::Hashes {
            let Some(sum) = self.sum else { return };
            self.body.clone_from(place);
            self.body.number(sum);
            // Calls since the one before: where a loop goes round, entries are the same.
            let calls = call.thread.hot.hash.calls();
            let before = std::mem::replace(&mut self.calls, calls);
            self.body.number(calls.saturating_sub(before));
        }
        let Self {
            encoder,
            writer,
            body,
            ..
        } = self;
        encoder.call(writer, body);
    }

    /// Notes a call that the record cannot hold.
    pub fn leave_out_call(&mut self, function: &str, why: &str) {
        let what = LeftOut {
            function: function.to_owned(),
            site: place_of_call().to_owned(),
            why: why.to_owned(),
        };
        if self.left_out.len() < MOST && !self.left_out.contains(&what) {
            self.writer.note(&Note::LeftOut(what.clone()).line());
            self.left_out.push(what);
        }
    }
}

/// Says how a call ended that returned this code.
pub fn end(call: &OrderedCall, code: i32) -> End {
    let abi = &call.mpi.abi;
    match code {
        code if code == abi.success => End::Done,
        code if call.mpi.error_class(code) == Ok(abi.err_in_status) => End::InStatus,
        _ => End::Failed,
    }
}

impl Io for Recorder {
    fn number(&mut self, ask: impl FnOnce() -> u64) -> u64 {
        let value = ask();
        self.body.number(value);
        value
    }

    fn memory(&mut self, address: usize, length: usize) {
        let bytes: &[u8] = match address {
            0 => &[],
            // SAFETY: MPI has written so many bytes there, as the standard says of this argument.
            _ => unsafe { std::slice::from_raw_parts(address as *const u8, length) },
        };
        self.body.bytes(bytes);
    }

    fn data(&mut self, call: &OrderedCall, region: &Region, limit: impl FnOnce() -> Option<u64>) {
        match region.read(call.mpi, limit()) {
            None => {
                self.body.bytes(&[]);
                self.leave_out_call(
                    call.function.function().name,
                    "MPI cannot pack the datatype received",
                );
            }
            Some(bytes) => match self.depth {
                Depth::Data => self.body.bytes(&bytes),
                Depth::Hashes => {
                    let sum = self.sum.unwrap_or(0).wrapping_add(hash(0, &bytes));
                    self.sum = Some(sum);
                }
            },
        }
    }

    fn handle(&mut self, call: &mut OrderedCall, kind: Kind, at: usize) {
        let class = handles::class(call.mpi, kind, handles::at(call, kind, at));
        self.body.number(class);
    }

    fn posted(&mut self, call: &mut OrderedCall, at: usize) -> usize {
        call.request_at(at, 0)
    }

    fn nulled(&mut self, call: &mut OrderedCall, at: usize, k: usize) {
        let is_null = call.request_at(at, k) == call.mpi.abi.request_null;
        self.body.number(is_null.into());
    }

    fn leave_out(&mut self, call: &OrderedCall, why: &'static str) {
        self.leave_out_call(call.function.function().name, why);
    }
}
