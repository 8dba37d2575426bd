//! What the user has left out of the trace: functions of MPI, the program's own
//! regions and functions.
//!
//! A call that is left out goes the way of one while recording is off: it
//! is counted by channel, so that messages of other calls keep their numbers.
//! What was counted is told by the next call that is recorded, of any thread.
//! Functions that a compiler instrumented are known by their addresses alone:
//! which of them are left out is read from symbol tables in MPI_Init, and of
//! libraries that come later by the helper thread.

mod functions;

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use mpi_abi::{FunctionId, Group, FUNCTIONS, GROUPS};
use mpiscope_run::filter::{Filter, Names};
use mpiscope_run::process::{Definition, PROCEDURE};
use serde::{Deserialize, Serialize};

use crate::base::definitions;

/// What is left out, as rank 0 was told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// By name.
    pub filter: Filter,
    /// The groups of MPI's functions that are traced, by name, if not all are.
    pub only: Option<Vec<String>>,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();
/// Whether any call may be left out.
static AT_WORK: AtomicBool = AtomicBool::new(false);
/// Of each function of MPI: 0 if it is traced, else how many calls were left out, and one.
static CALLS: [AtomicU64; FUNCTIONS.len()] = [const { AtomicU64::new(0) }; FUNCTIONS.len()];
/// How many of them are defined.
static DEFINED: [AtomicU64; FUNCTIONS.len()] = [const { AtomicU64::new(0) }; FUNCTIONS.len()];
/// Addresses of the functions left out, and numbers of regions, ascending; never freed, as
/// somebody may look at it.
static KEYS: AtomicPtr<Vec<u64>> = AtomicPtr::new(std::ptr::null_mut());
/// What is known besides of functions.
static NAMED: Mutex<Named> = Mutex::new(Named {
    undecided: Vec::new(),
    left_out: Vec::new(),
    functions: Vec::new(),
});

/// Procedures with probes, and functions.
struct Named {
    /// Procedures that nobody has looked at yet: number, name, source file.
    undecided: Vec<(u32, String, String)>,
    /// Procedures that are left out.
    left_out: Vec<u64>,
    /// Functions that are left out.
    functions: Vec<u64>,
}

impl Named {
    fn decide(&mut self, filter: &Filter) {
        for (number, name, file) in std::mem::take(&mut self.undecided) {
            let file = Some(file.as_str()).filter(|file| !file.is_empty());
            if leaves_out_region(filter, &name, file) {
                self.left_out.push(PROCEDURE | u64::from(number));
            }
        }
    }

    fn publish(&self) {
        let mut list = self.left_out.clone();
        list.extend(&self.functions);
        list.sort_unstable();
        list.dedup();
        if keys().is_none_or(|known| *known != list) {
            KEYS.store(Box::into_raw(Box::new(list)), Ordering::Release);
        }
    }
}

/// Takes the settings; returns whether calls may be left out, which no short way looks for.
pub fn begin(settings: &Settings) -> bool {
    let settings = SETTINGS.get_or_init(|| settings.clone());
    for (function, calls) in FUNCTIONS.iter().zip(&CALLS) {
        if leaves_out_call(settings, function) {
            calls.store(1, Ordering::Relaxed);
            AT_WORK.store(true, Ordering::Release);
        }
    }
    if !settings.filter.is_of_program() {
        let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
        named.undecided = Vec::new();
    }
    look_at_functions();
    AT_WORK.load(Ordering::Relaxed)
}

/// MPI's begin and end are always told: readers of traces ask for them.
fn leaves_out_call(settings: &Settings, function: &mpi_abi::Function) -> bool {
    const ALWAYS: [&str; 3] = ["MPI_Init", "MPI_Init_thread", "MPI_Finalize"];
    if ALWAYS.contains(&function.name) {
        return false;
    }
    let is_of_others = settings.only.as_ref().is_some_and(|only| {
        let group = Group::of(function);
        !GROUPS
            .iter()
            .any(|(name, it)| *it == group && only.iter().any(|one| one == name))
    });
    let by_name = settings.filter.leaves_out_call(function.name);
    by_name.unwrap_or(is_of_others)
}

/// From now on each call looks whether others have counted what is to be told, though no filter is
/// at work.
pub fn looks_from_now_on() {
    AT_WORK.store(true, Ordering::Release);
}

/// Returns whether calls may be left out.
#[inline(always)]
pub fn is_at_work() -> bool {
    AT_WORK.load(Ordering::Relaxed)
}

/// Returns whether a function of MPI is left out.
pub fn is_left_out(function: FunctionId) -> bool {
    CALLS[function.index()].load(Ordering::Relaxed) != 0
}

/// The same of a call that begins, which is counted.
pub fn leaves_out(function: FunctionId) -> bool {
    let is_left_out = is_left_out(function);
    if is_left_out {
        CALLS[function.index()].fetch_add(1, Ordering::Relaxed);
    }
    is_left_out
}

/// Returns whether a function or region is left out, by its address, or by [`PROCEDURE`] and its
/// number. May be asked anywhere, in a signal handler too.
pub fn leaves_out_key(key: u64) -> bool {
    keys().is_some_and(|keys| keys.binary_search(&key).is_ok())
}

fn keys() -> Option<&'static Vec<u64>> {
    // SAFETY: null, or a list that was leaked.
    unsafe { KEYS.load(Ordering::Acquire).as_ref() }
}

/// Returns whether a region with this name is left out.
pub fn leaves_out_named(name: &str) -> bool {
    let settings = SETTINGS.get();
    settings.is_some_and(|settings| leaves_out_region(&settings.filter, name, None))
}

/// Takes a procedure of a source file; whether it is left out is decided when functions are looked
/// at.
pub fn takes_procedure(number: u32, name: &str, file: &str) {
    if SETTINGS
        .get()
        .is_some_and(|settings| !settings.filter.is_of_program())
    {
        return; // nobody will ask
    }
    let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    named
        .undecided
        .push((number, name.to_owned(), file.to_owned()));
}

fn leaves_out_region(filter: &Filter, name: &str, file: Option<&str>) -> bool {
    filter.leaves_out(Names {
        plain: &[name],
        mangled: None,
        file,
    })
}

/// Finds out which of the program's functions are left out that are loaded by now.
pub fn look_at_functions() {
    let Some(settings) = SETTINGS.get().filter(|it| it.filter.is_of_program()) else {
        return;
    };
    // Files are read before anybody may wait for us.
    let functions = functions::left_out(&settings.filter);
    let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    named.functions = functions;
    named.decide(&settings.filter);
    named.publish();
}

/// Defines how many calls of MPI were left out, where that has changed.
pub fn define() {
    if !is_at_work() {
        return;
    }
    for (function, (calls, defined)) in (0..).zip(CALLS.iter().zip(&DEFINED)) {
        let calls = calls.load(Ordering::Relaxed).saturating_sub(1);
        if calls > 0 && defined.swap(calls, Ordering::Relaxed) != calls {
            definitions::tell(&Definition::Filtered {
                what: PROCEDURE | function,
                entries: calls,
            });
        }
    }
}
