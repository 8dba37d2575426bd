//! What a debugger reads and sets in a replay: how far the first thread has come, what its next
//! receive from anybody is to take, and that the record leads no further (`choose` at the prompt).
//!
//! These are plain numbers under plain names, which gdb finds in a library without debug
//! information. They are kept only where a debugger has started the program, and all calls go the
//! long way there.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use mpiscope_run::order::outcome::{State, UserChoice};
use mpiscope_run::order::Taken;

use super::call::OrderedCall;
use super::diverge::described;
use super::envelope::{At, Wild};
use super::outcome;
use super::settings::Mode;
use super::thread::Thread;
use crate::base::code_place::code_place;
use crate::base::notice;
use crate::base::site;

/// Set where a debugger has started the program.
const VARIABLE: &str = "MPISCOPE_DEBUGGED";

/// Calls of the first thread, begun and ended.
#[export_name = "mpiscope_debug_steps"]
static STEPS: AtomicU64 = AtomicU64::new(0);
/// Receives and blocking probes from anybody that the first thread has posted.
#[export_name = "mpiscope_debug_receives"]
static RECEIVES: AtomicU64 = AtomicU64::new(0);
/// The rank in the communicator from which the next of these is to take a message; negative: none.
#[export_name = "mpiscope_debug_source"]
static SOURCE: AtomicI64 = AtomicI64::new(-1);
/// The tag of that message; negative: not said.
#[export_name = "mpiscope_debug_tag"]
static TAG: AtomicI64 = AtomicI64::new(-1);
/// Not 0: the record leads this process no further.
#[export_name = "mpiscope_debug_free"]
static FREE: AtomicU64 = AtomicU64::new(0);

/// Returns whether a debugger has started the program, which is to be led by a record.
pub fn is_wanted(mode: Mode) -> bool {
    mode == Mode::Replay && std::env::var_os(VARIABLE).is_some()
}

/// Returns whether somebody has chosen otherwise than recorded.
fn is_free() -> bool {
    FREE.load(Ordering::Relaxed) != 0
}

/// A call of a thread has begun or ended.
#[cold]
pub fn stepped(thread: &Thread) {
    if thread.number == 0 {
        STEPS.store(thread.shared.place.steps(), Ordering::Relaxed);
    }
}

/// A thread has posted a receive or blocking probe from anybody.
#[cold]
pub fn posted(thread: &Thread) {
    if thread.number == 0 {
        RECEIVES.store(thread.posts, Ordering::Relaxed);
    }
}

/// The record leads a thread no further, once somebody has chosen otherwise.
#[cold]
pub fn release(thread: &mut Thread) {
    if !is_free() || thread.cursor.is_none() {
        return;
    }
    thread.cursor = None;
    thread.comparison = None;
    thread.hot.end = u64::MAX;
    let session = thread.session;
    if let Some(turns) = &session.turns {
        turns.set_free();
    }
    if let Some(serial) = &session.serial {
        serial.set_free();
    }
    session.report.note_released(thread.hot.hash.calls() + 1);
    // What goes another way may soon crash, and say no more.
    let _ = outcome::write_outcome(session, State::Silent, Vec::new());
}

/// Returns what somebody wants a receive at `at` to take.
#[inline]
pub fn choice(call: &mut OrderedCall, at: At, wild: Wild) -> Option<Taken> {
    let named = call.int(at.source);
    let comm = at.comm;
    choice_of(call, wild, named, |call| {
        let freed = &call.thread.session.freed;
        let handle = call.comm_handle(comm);
        call.thread.comms.get(call.mpi, freed, handle).size
    })
}

/// Returns what somebody wants a persistent receive to take that is being started.
#[inline]
pub fn persistent_choice(call: &mut OrderedCall, wild: Wild) -> Option<Taken> {
    // Whom it names and in which communicator its request does not tell.
    choice_of(call, wild, -1, |_| u32::MAX)
}

#[inline]
fn choice_of(
    call: &mut OrderedCall,
    wild: Wild,
    named: i32,
    size: impl FnOnce(&mut OrderedCall) -> u32,
) -> Option<Taken> {
    if !call.thread.session.debugged || call.thread.number != 0 {
        return None;
    }
    let source = u32::try_from(SOURCE.swap(-1, Ordering::Relaxed)).ok()?;
    let tag = u32::try_from(TAG.swap(-1, Ordering::Relaxed)).ok();
    let size = size(call);
    let wrong = match (wild.source, wild.tag, tag) {
        _ if source >= size => Some(format!("its communicator has {size} ranks")),
        (false, ..) if named != source as i32 => Some("it names another rank".to_owned()),
        (_, true, None) => Some("it takes any tag, and none was chosen".to_owned()),
        _ => None,
    };
    if let Some(wrong) = wrong {
        let (rank, what) = (call.thread.session.rank, described(call));
        notice::tell(&format!(
            "rank {rank}: {what} cannot take what was chosen, a message from rank {source}: {wrong}"
        ));
        return None;
    }
    let taken = Taken {
        source,
        tag: tag.filter(|_| wild.tag),
    };
    note(call, taken);
    Some(taken)
}

fn note(call: &mut OrderedCall, taken: Taken) {
    let session = call.thread.session;
    session.report.note_choice(UserChoice {
        call: call.thread.hot.hash.calls(),
        what: described(call),
        site: code_place(site::noted()),
        source: taken.source,
        tag: taken.tag,
    });
    let _ = outcome::write_outcome(session, State::Silent, Vec::new());
}
