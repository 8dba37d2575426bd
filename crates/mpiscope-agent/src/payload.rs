//! All that MPI gives to a rank, written down (`mpiscope record --payload`).
//!
//! One row of rules per function says what it returns and where (`rules`,
//! `args`, `places`); one walk goes over it (`effects`), here to save it
//! (`save`), in `single_rank_replay` to put it back. The call itself is made by whoever
//! records or leads the order, so that the program gets what it would get
//! anyway.
//!
//! Only the thread that initialised MPI is recorded: the calls of several have
//! no order of which another process could be told.

pub mod args;
pub mod effects;
pub mod handles;
pub mod head;
pub mod places;
pub mod requests;
pub mod rules;
pub mod save;
mod single_rank_replay;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use mpi_abi::Mpi;
use mpiscope_run::order::buffer::Writer;
use mpiscope_run::order::Origin;
use mpiscope_run::payload::{self, Depth, Header, Note};
use mpiscope_run::system::without_size_signal;
use serde::{Deserialize, Serialize};

use crate::base::code_place::code_place;
use crate::base::{notice, site, variable};
use crate::mpi::shape::completion::{ONE, SEVERAL};
use crate::order::around::{go_around, Around};
use crate::order::call::OrderedCall;
use crate::order::call::Row;
use crate::order::state::{self, Session};

use rules::{Completes, Rule, Who};
use save::Recorder;

/// What the environment says of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Settings {
    /// The ranks recorded; none if all.
    pub ranks: Option<Vec<u32>>,
    /// What is kept of the data, if anything is recorded.
    pub depth: Option<Depth>,
    /// The rank that is executed alone.
    pub alone: Option<u32>,
    /// The run whose record it is led by.
    pub record: PathBuf,
}

impl Settings {
    /// Reads the environment.
    ///
    /// # Errors
    /// When a variable has no meaning: which one.
    pub fn from_environment() -> Result<Self, String> {
        let number = |name: &str, text: &str| {
            text.parse::<u32>()
                .map_err(|_| format!("{name}={text}: a rank is expected"))
        };
        let mut settings = Self {
            record: variable::run("MPISCOPE_ORDER_RECORD")?.unwrap_or_default(),
            ..Self::default()
        };
        if let Some(text) = variable::text("MPISCOPE_PAYLOAD") {
            settings.depth = Some(Depth::Data);
            match text.as_str() {
                "all" => {}
                "hashes" => settings.depth = Some(Depth::Hashes),
                ranks => {
                    let ranks = ranks
                        .split(',')
                        .map(|rank| number("MPISCOPE_PAYLOAD", rank));
                    settings.ranks = Some(ranks.collect::<Result<_, _>>()?);
                }
            }
        }
        if let Some(text) = variable::text("MPISCOPE_ALONE") {
            settings.alone = Some(number("MPISCOPE_ALONE", &text)?);
        }
        Ok(settings)
    }

    /// Returns whether every call is looked at, so that none may take a shorter way.
    pub fn is_wanted(&self) -> bool {
        self.depth.is_some() || self.alone.is_some()
    }
}

const OFF: u8 = 0;
const RECORDS: u8 = 1;
const ALONE: u8 = 2;

static MODE: AtomicU8 = AtomicU8::new(OFF);
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

static AROUND: Around = Around {
    outermost: around,
    nested: |call| call.go(),
    finish: |_| finish(),
    writes_receives: false,
};

/// Begins, if this rank is to be recorded or to be executed alone.
///
/// # Errors
/// Why that cannot be.
pub fn start(session: &'static Session, settings: &Settings, origin: Origin) -> Result<(), String> {
    if settings.alone.is_some() {
        single_rank_replay::start(session, settings)?;
        MODE.store(ALONE, Ordering::Release);
        go_around(&AROUND);
        return Ok(());
    }
    let Some(depth) = settings.depth else {
        return Ok(());
    };
    let chosen = |ranks: &Vec<u32>| ranks.contains(&session.rank);
    if !settings.ranks.as_ref().is_none_or(chosen) {
        return Ok(());
    }
    let writer = new_writer(session).map_err(|error| {
        let folder = session.folder.display();
        format!("payload is not recorded, no buffer could be made in {folder}: {error}")
    })?;
    writer.note(&header(session.mpi, origin, session.rank, depth).line());
    let recorder = Recorder::new(session.mpi, writer, depth);
    *RECORDER.lock().unwrap_or_else(PoisonError::into_inner) = Some(recorder);
    MODE.store(RECORDS, Ordering::Release);
    go_around(&AROUND);
    Ok(())
}

fn new_writer(session: &Session) -> std::io::Result<Writer> {
    let host = crate::base::host::host_name();
    let name = format!("{host}-{}-0.{}", std::process::id(), payload::ENDING);
    Writer::create(&session.folder, &name, &session.run, (0, 1), None)
}

/// Returns the first note of a record.
fn header(mpi: &Mpi, origin: Origin, rank: u32, depth: Depth) -> Note {
    Note::Header(Header {
        origin,
        rank,
        program: std::env::current_exe()
            .map(|path| path.to_string_lossy().into_owned())
            .unwrap_or_default(),
        depth,
        // SAFETY: MPI is initialized.
        thread_level: unsafe { mpi.query_thread() }.unwrap_or(0),
        ..Header::default()
    })
}

/// Makes a call by its row, or by nothing but the record.
#[cold]
fn around(call: &mut OrderedCall, row: Row) -> usize {
    let Some(rule) = rules::of(call.function) else {
        return row(call);
    };
    if MODE.load(Ordering::Relaxed) == ALONE {
        return single_rank_replay::answer(call, rule, row);
    }
    match rule.who {
        Who::Mpi => row(call),
        Who::Nobody(why) => {
            with_recorder(|recorder| recorder.leave_out_call(call.function.function().name, why));
            row(call)
        }
        Who::Record if call.thread.number != 0 => {
            const WHY: &str = "what a second thread receives is not recorded";
            with_recorder(|recorder| recorder.leave_out_call(call.function.function().name, WHY));
            row(call)
        }
        Who::Record => recorded(call, rule, row),
    }
}

fn with_recorder<T>(work: impl FnOnce(&mut Recorder) -> T) -> Option<T> {
    let mut recorder = RECORDER.lock().unwrap_or_else(PoisonError::into_inner);
    recorder.as_mut().map(work)
}

fn recorded(call: &mut OrderedCall, rule: &Rule, row: Row) -> usize {
    let passed = want_statuses(call, rule);
    let before = with_recorder(|recorder| recorder.before(call, rule));
    let result = row(call);
    if let Some(before) = before {
        let code = call.code(result);
        with_recorder(|recorder| recorder.after(call, rule, &before, code));
    }
    if let Some((at, passed)) = passed {
        call.replace(at, passed);
    }
    result
}

/// Makes sure that there is memory for the statuses that the call returns, if
/// the program wants none: ours, which stays when the order's rows ask for the same.
pub fn want_statuses(call: &mut OrderedCall, rule: &Rule) -> Option<(usize, usize)> {
    thread_local! {
        static OWN: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    }
    let at = rule.status?;
    let passed = call.raw(at);
    if !call.ignores_status(passed) {
        return None;
    }
    let count = match rule.completes {
        Some(Completes::All | Completes::Some) => call.len(SEVERAL.count),
        _ => 1,
    };
    let words = (count * call.mpi.abi.status.size).div_ceil(8).max(8);
    let own = OWN.with_borrow_mut(|own| {
        if own.len() < words {
            own.resize(words, 0);
        }
        own.as_mut_ptr() as usize
    });
    call.replace(at, own);
    Some((at, passed))
}

/// Returns the requests that a call is given to complete, each as `of` names it.
pub fn given(
    call: &OrderedCall,
    rule: &Rule,
    of: fn(&OrderedCall, usize, usize) -> usize,
) -> Vec<usize> {
    match rule.completes {
        None => Vec::new(),
        Some(Completes::One) => vec![of(call, ONE, 0)],
        Some(_) => {
            let all = 0..call.len(SEVERAL.count);
            all.map(|k| of(call, SEVERAL.handles, k)).collect()
        }
    }
}

/// Returns where the program made this call: module and offset.
pub fn place_of_call() -> &'static str {
    thread_local! {
        static KNOWN: RefCell<HashMap<usize, &'static str>> = RefCell::new(HashMap::new());
    }
    let address = site::noted();
    // A program has as many call sites as it has; each is kept once.
    KNOWN.with_borrow_mut(|known| {
        *known
            .entry(address)
            .or_insert_with(|| code_place(address).leak())
    })
}

/// Ends it, in MPI_Finalize.
fn finish() {
    if MODE.swap(OFF, Ordering::AcqRel) == ALONE {
        return single_rank_replay::finish();
    }
    let recorder = RECORDER
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let (Some(recorder), Some(session)) = (recorder, state::get()) else {
        return;
    };
    let buffer = recorder.finish();
    if let Err(error) = without_size_signal(|| payload::keep(&session.run, &buffer)) {
        notice::tell(&format!(
            "the payload of rank {} is kept in its buffer: {error}",
            session.rank
        ));
    }
}
