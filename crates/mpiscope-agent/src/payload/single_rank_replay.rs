//! One rank executed without the others (`mpiscope replay --alone`).
//!
//! The program is a world of one to its MPI, and does not know: whatever it
//! asks that others would have to answer is answered from the payload record,
//! by the walk that wrote it. What it sends goes nowhere, after a look whether
//! it is what was sent. Datatypes, attributes and the like are MPI's own, as ever.
//!
//! A call that is not the recorded one cannot be answered: the program ends
//! there, with a word on what came and what was recorded.

use std::sync::{Mutex, PoisonError};

use mpi_abi::{Kind, LibraryVersion, Mpi};
use mpiscope_run::payload::outcome::{Alone, At, End as Ended};
use mpiscope_run::payload::{self, Cursor, Kept};

use crate::base::notice;
use crate::order::call::OrderedCall;
use crate::order::call::Row;
use crate::order::start::is_of_another;
use crate::order::state::{self, Session};
use crate::payload::args::Frame;
use crate::payload::effects::{walk, Io};
use crate::payload::head::{load_frame, sent, Head};
use crate::payload::places::Region;
use crate::payload::requests::Requests;
use crate::payload::rules::{Rule, Who};
use crate::payload::save::end;
use crate::payload::{given, handles, place_of_call, want_statuses, Settings};

/// What leads the process.
struct Led {
    mpi: &'static Mpi,
    reader: Kept,
    requests: Requests,
    /// Handles given out so far.
    given: usize,
    sent_otherwise: Option<At>,
    calls: u64,
}

static LED: Mutex<Option<Led>> = Mutex::new(None);

/// Numbers from here stand for requests and messages, which MPI never sees.
const FIRST_HANDLE: usize = 0x1000_0000;

/// Opens the record.
///
/// # Errors
/// Why it cannot lead this process.
pub fn start(session: &'static Session, settings: &Settings) -> Result<(), String> {
    let opened = payload::open(&settings.record, session.rank);
    let (header, reader) = opened.map_err(|error| error.to_string())?;
    fits(session.mpi, &header)?;
    let led = Led {
        mpi: session.mpi,
        reader,
        requests: Requests::new(session.mpi),
        given: 0,
        sent_otherwise: None,
        calls: 0,
    };
    *lock() = Some(led);
    Ok(())
}

fn lock() -> std::sync::MutexGuard<'static, Option<Led>> {
    LED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Statuses are kept as the MPI library lays them out, and data as the program did.
fn fits(mpi: &Mpi, header: &payload::Header) -> Result<(), String> {
    if header.depth != payload::Depth::Data {
        return Err("the record holds hashes of what was received, not the data".into());
    }
    let library = LibraryVersion::parse(mpi.library_version());
    if header.origin.mpi.name != library.name {
        return Err(format!(
            "the record is of a program under {}, this one runs under {}",
            header.origin.mpi.name, library.name
        ));
    }
    match is_of_another(&header.program) {
        Some(why) => Err(why),
        None => Ok(()),
    }
}

/// Answers a call.
pub fn answer(call: &mut OrderedCall, rule: &Rule, row: Row) -> usize {
    match rule.who {
        Who::Mpi => return row(call),
        Who::Nobody(why) => give_up(Ended::NotAnswered(here(call, None), why.into())),
        Who::Record if call.thread.number != 0 => {
            let why = "what a second thread receives is not recorded";
            give_up(Ended::NotAnswered(here(call, None), why.into()))
        }
        Who::Record => {}
    }
    let passed = want_statuses(call, rule);
    let code = from_record(call, rule);
    if let Some((at, passed)) = passed {
        call.replace(at, passed);
    }
    call.done(code as usize)
}

/// The call as it came; `number` is its own among the rank's.
fn here(call: &mut OrderedCall, number: Option<u64>) -> At {
    let number = number.or_else(|| lock().as_ref().map(|led| led.calls + 1));
    At {
        call: number.unwrap_or(0),
        what: Head::of(call).described(call.function.function().name, &call.mpi.abi),
        site: place_of_call().to_owned(),
    }
}

fn from_record(call: &mut OrderedCall, rule: &Rule) -> i32 {
    let mut guard = lock();
    let Some(led) = guard.as_mut() else {
        return call.mpi.abi.success;
    };
    match led.answer(call, rule) {
        Ok(code) => code,
        Err(ended) => {
            drop(guard);
            give_up(ended)
        }
    }
}

impl Led {
    fn answer(&mut self, call: &mut OrderedCall, rule: &Rule) -> Result<i32, Ended> {
        self.calls += 1;
        let came = here(call, Some(self.calls));
        let body = match self.reader.next_call() {
            Ok(Some(entry)) => entry.body.clone(),
            Ok(None) => return Err(Ended::RecordEnds(came)),
            Err(error) => return Err(Ended::Damaged(error.to_string())),
        };
        let damaged = || Ended::Damaged(format!("call {} is not whole", came.call));
        let mut cursor = Cursor(&body);
        let recorded = self.recorded(&mut cursor).ok_or_else(damaged)?;
        let differs = recorded.0 != call.function.function().name;
        if differs || recorded.1 != Head::of(call) {
            let recorded = Some(At {
                call: came.call,
                what: recorded.1.described(&recorded.0, &self.mpi.abi),
                site: recorded.2,
            });
            return Err(Ended::Diverged { came, recorded });
        }
        let mut frame = Frame::default();
        if rule.collective {
            frame = load_frame(&mut cursor).ok_or_else(damaged)?;
        }
        let hash = cursor.number().ok_or_else(damaged)?;
        if hash != u64::from(sent(call, rule, &frame, &self.requests)) {
            self.sent_otherwise.get_or_insert_with(|| came.clone());
        }
        let code = cursor.integer().ok_or_else(damaged)?;
        let before = given(call, rule, handles::number);
        let mut answer = Answer {
            cursor,
            given: self.given,
            failed: None,
        };
        let end = end(call, code);
        walk(
            call,
            rule,
            &frame,
            end,
            &before,
            &mut self.requests,
            &mut answer,
        );
        self.given = answer.given;
        let left = answer.failed.is_none() && !answer.cursor.is_empty();
        match answer
            .failed
            .or(left.then_some("it holds more than the call asks for"))
        {
            None => Ok(code),
            Some(why) => Err(Ended::NotAnswered(came, why.into())),
        }
    }

    /// Reads function, integers and call site of an entry.
    fn recorded(&self, cursor: &mut Cursor) -> Option<(String, Head, String)> {
        let function = self.reader.word(cursor.number()?).to_owned();
        let site = self.reader.word(cursor.number()?).to_owned();
        Some((function, Head::load(cursor)?, site))
    }
}

/// Puts back what one call did.
struct Answer<'a> {
    cursor: Cursor<'a>,
    given: usize,
    failed: Option<&'static str>,
}

const SHORT: &str = "the record holds less than the call asks for";
const OTHER_SIZE: &str = "the record holds data of another size than the call asks for";
const NO_HANDLE: &str = "MPI makes no handle that could stand for the recorded one";

impl Answer<'_> {
    fn new_handle(&mut self) -> usize {
        self.given += 1;
        FIRST_HANDLE + self.given
    }

    fn next_number(&mut self) -> u64 {
        let number = self.cursor.number();
        if number.is_none() {
            self.failed.get_or_insert(SHORT);
        }
        number.unwrap_or(0)
    }
}

impl Io for Answer<'_> {
    fn number(&mut self, _: impl FnOnce() -> u64) -> u64 {
        self.next_number()
    }

    fn memory(&mut self, address: usize, length: usize) {
        match self.cursor.bytes() {
            Some(bytes) if bytes.len() == length && address != 0 => {
                // SAFETY: the standard makes this argument memory for so many bytes, which MPI would write.
                unsafe {
                    let to = address as *mut u8;
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, length);
                }
            }
            Some([]) if address == 0 => {}
            Some(_) => {
                self.failed.get_or_insert(OTHER_SIZE);
            }
            None => {
                self.failed.get_or_insert(SHORT);
            }
        }
    }

    fn data(&mut self, call: &OrderedCall, region: &Region, _: impl FnOnce() -> Option<u64>) {
        let written = self
            .cursor
            .bytes()
            .map(|bytes| region.write(call.mpi, bytes));
        if written != Some(true) {
            self.failed.get_or_insert(OTHER_SIZE);
        }
    }

    fn handle(&mut self, call: &mut OrderedCall, kind: Kind, at: usize) {
        let class = self.next_number();
        let unique = self.new_handle();
        if !handles::make(call, kind, at, class, unique) {
            self.failed.get_or_insert(NO_HANDLE);
        }
    }

    fn posted(&mut self, call: &mut OrderedCall, at: usize) -> usize {
        let handle = self.new_handle();
        handles::set_number(call, at, 0, handle);
        handle
    }

    fn nulled(&mut self, call: &mut OrderedCall, at: usize, k: usize) {
        if self.next_number() != 0 {
            handles::set_null_request(call, at, k);
        }
    }

    fn leave_out(&mut self, _: &OrderedCall, _: &'static str) {}
}

/// MPI_Finalize: the record should have come to its end.
pub fn finish() {
    let Some(mut led) = lock().take() else { return };
    let next = led
        .reader
        .next_call()
        .map(|entry| entry.map(|entry| entry.body.clone()));
    let ended = match next {
        Err(error) => Ended::Damaged(error.to_string()),
        Ok(None) => Ended::Finished,
        Ok(Some(body)) => Ended::Diverged {
            came: At {
                call: led.calls + 1,
                what: "MPI_Finalize()".into(),
                site: place_of_call().to_owned(),
            },
            recorded: led
                .recorded(&mut Cursor(&body))
                .map(|(name, head, site)| At {
                    call: led.calls + 1,
                    what: head.described(&name, &led.mpi.abi),
                    site,
                }),
        },
    };
    write(led.calls, led.sent_otherwise, ended);
}

fn write(calls: u64, sent_otherwise: Option<At>, end: Ended) {
    let Some(session) = state::get() else { return };
    let outcome = Alone {
        rank: session.rank,
        calls,
        sent_otherwise,
        end,
    };
    if let Err(error) = outcome.write(&session.run) {
        notice::tell(&format!("how the rank alone went is not known: {error}"));
    }
}

/// Ends the process: there is nothing that could answer it.
fn give_up(end: Ended) -> ! {
    if let Some(led) = lock().as_mut() {
        let before = led.calls.saturating_sub(1);
        write(before, led.sent_otherwise.take(), end);
    }
    // Who debugs wants to look around.
    if is_debugged() {
        // SAFETY: a debugger catches it.
        unsafe { libc::raise(libc::SIGTRAP) };
    }
    // What the program has printed is the user's.
    // SAFETY: both calls may be made from any thread.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(1)
    }
}

fn is_debugged() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status
        .lines()
        .find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|pid| pid.trim() != "0")
}
