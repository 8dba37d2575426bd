//! Nonblocking receives from anybody: not posted before it is decided whose
//! message they take.
//!
//! The program gets a request on which nobody ever sends. In a quiet moment, in
//! which this rank waits for whatever, a receive whose message has come is
//! posted with its source; when the program waits for the request or tests it,
//! it is exchanged for that.

use mpi_abi::id;
use mpiscope_run::order::Taken;

use super::choose::{self, overlap};
use super::memory::Deferred;
use super::{completions, earliest, leave_to_mpi, with};
use crate::mpi::call::{Lang, StatusMemory};
use crate::mpi::shape::completion::{ONE, SEVERAL};
use crate::order::call::OrderedCall;
use crate::order::envelope::At;
use crate::order::envelope::Wild;

/// Whether a receive that is not yet posted could take messages of this tag.
pub fn overlaps(call: &mut OrderedCall, comm: usize, tag: i32) -> bool {
    let any = call.mpi.abi.any_tag;
    let found = with(call, |rule| {
        let waits =
            |one: &Deferred| one.posted.is_none() && one.comm == comm && overlap(any, one.tag, tag);
        rule.deferred.iter().any(waits)
    });
    found.unwrap_or(false)
}

/// A nonblocking receive is about to be posted. Returns the code if it is deferred.
pub fn defer(call: &mut OrderedCall, at: At, wild: Wild, ordinal: u64) -> Option<usize> {
    let lang = call.lang;
    let args = std::array::from_fn(|i| match (lang, i) {
        (Lang::Fortran, 1..) => call.int_at(i, 0) as u32 as usize,
        _ => call.raw(i),
    });
    let mut one = Deferred {
        function: call.function,
        lang,
        args,
        comm: call.comm_handle(at.comm),
        tag: call.int(at.tag),
        wild,
        ordinal,
        held: 0,
        posted: None,
        message: None,
    };
    let session = call.thread.session;
    let never = match lang {
        Lang::C => session.never,
        Lang::Fortran => session.never_in_fortran() as u32 as usize,
    };
    let request = one.post(call, session.rank as usize, 0, never)?;
    call.set_native_request(at.last, 0, request);
    one.held = call.request_at(at.last, 0);
    with(call, |rule| rule.deferred.push(one));
    Some(call.succeed())
}

impl Deferred {
    /// Posts it with other arguments; returns the request as the language holds it.
    fn post(&self, call: &OrderedCall, source: usize, tag: usize, comm: usize) -> Option<usize> {
        let [buffer, count, datatype, ..] = self.args;
        let mut request = 0usize;
        let at = &raw mut request as usize;
        let six = [buffer, count, datatype, source, tag, comm];
        let values: [i32; 6] = six.map(|word| word as i32);
        let [a, b, c, d, e, f] = match self.lang {
            Lang::C => six,
            Lang::Fortran => std::array::from_fn(|i| match i {
                0 => buffer,
                _ => &raw const values[i] as usize,
            }),
        };
        let code = call.sibling(self.function, [a, b, c, d, e, f, at]);
        // SAFETY: our variable, into which MPI has written a handle.
        let native = unsafe { (at as *const usize).read_volatile() };
        (code as i32 == call.mpi.abi.success).then_some(match self.lang {
            Lang::C => call.mpi.abi.normalise(native),
            Lang::Fortran => native as u32 as usize,
        })
    }

    fn post_from(&self, call: &OrderedCall, taken: Taken) -> Option<usize> {
        let tag = taken.tag.map_or(self.args[4], |tag| tag as usize);
        self.post(call, taken.source as usize, tag, self.args[5])
    }
}

/// In a quiet moment: posts the receives whose messages have come, the oldest first.
pub fn resolve(call: &mut OrderedCall) {
    let count = with(call, |rule| rule.deferred.len()).unwrap_or(0);
    for k in 0..count {
        resolve_one(call, k);
    }
}

fn resolve_one(call: &mut OrderedCall, k: usize) -> Option<()> {
    let asked = with(call, |rule| {
        let one = rule.deferred.get(k)?;
        one.posted
            .is_none()
            .then_some((one.comm, one.tag, one.wild))
    });
    let (comm, tag, wild) = asked.flatten()?;
    let source = choose::found_now(call, comm, tag)?;
    let taken = choose::taken(call, comm, source, tag, wild)?;
    post_to_take(call, k, taken)?;
    with(call, |rule| rule.chosen += 1);
    Some(())
}

/// Posts a receive for a message that is there.
fn post_to_take(call: &mut OrderedCall, k: usize, taken: Taken) -> Option<()> {
    let rule = call.thread.rule.as_deref()?;
    let one = rule.deferred.get(k)?;
    let (comm, source) = (one.comm, taken.source as i32);
    let tag = taken.tag.map_or(one.tag, |tag| tag as i32);
    let (posted, ordinal) = (one.post_from(call, taken)?, one.ordinal);
    choose::gone(call, comm, source, tag);
    let message = match earliest::on(call) {
        true => completions::takes(comm, source, tag),
        false => None,
    };
    call.thread.out.received(ordinal, taken);
    with(call, |rule| {
        if let Some(one) = rule.deferred.get_mut(k) {
            (one.posted, one.message) = (Some(posted), message);
        }
    });
    Some(())
}

/// Where the choices of the unobserved program are kept: returns when the message was sent that
/// the oldest receive takes for which there is one.
pub fn earliest(call: &mut OrderedCall) -> Option<u64> {
    oldest(call).map(|(_, sent, _)| sent)
}

/// Posts that receive.
pub fn post_earliest(call: &mut OrderedCall) {
    let Some((k, sent, taken)) = oldest(call) else {
        return;
    };
    post_to_take(call, k, taken);
    earliest::chose(call, sent);
}

fn oldest(call: &mut OrderedCall) -> Option<(usize, u64, Taken)> {
    let count = with(call, |rule| rule.deferred.len())?;
    (0..count).find_map(|k| {
        let one = call.thread.rule.as_deref()?.deferred.get(k)?;
        let (comm, tag, wild) = (one.comm, one.tag, one.wild);
        if one.posted.is_some() {
            return None;
        }
        let (sent, (source, tag)) = earliest::next(call, comm, tag)?;
        let tag = wild.tag.then_some(tag);
        Some((k, sent, Taken { source, tag }))
    })
}

/// Another receive is about to be posted that could take the same messages: those that came before
/// it must be posted first, and MPI chooses for them.
pub fn forget(call: &mut OrderedCall, comm: usize, tag: i32) {
    if !overlaps(call, comm, tag) {
        return;
    }
    let count = with(call, |rule| rule.deferred.len()).unwrap_or(0);
    for k in 0..count {
        post_as_it_is(call, k);
    }
}

fn post_as_it_is(call: &mut OrderedCall, k: usize) -> Option<()> {
    let one = call.thread.rule.as_deref()?.deferred.get(k)?;
    if one.posted.is_some() {
        return None;
    }
    let posted = one.post(call, one.args[3], one.args[4], one.args[5])?;
    leave_to_mpi(call);
    with(call, |rule| {
        if let Some(one) = rule.deferred.get_mut(k) {
            one.posted = Some(posted);
        }
    });
    Some(())
}

/// Before a wait, test or cancel of the requests at argument `i`: those of receives that were
/// posted meanwhile are exchanged.
pub fn refresh(call: &mut OrderedCall, i: usize, count: usize) {
    let any = with(call, |rule| !rule.deferred.is_empty());
    if any != Some(true) {
        return;
    }
    for k in 0..count {
        let handle = call.request_at(i, k);
        if !is_complete(call, handle) {
            continue; // the program may only ask, and the request is to be known by this one
        }
        let done = with(call, |rule| {
            let deferred = &mut rule.deferred;
            let is = |one: &Deferred| one.held == handle && one.posted.is_some();
            deferred.iter().position(is).map(|at| deferred.remove(at))
        });
        let Some(Some(one)) = done else { continue };
        let Some(posted) = one.posted else { continue };
        abandon(call, i, k);
        call.set_native_request(i, k, posted);
        if one.message.is_some() {
            let handle = call.request_at(i, k);
            completions::posted(call, handle, one.message);
        }
    }
}

/// The same for a call on several.
pub fn refresh_several(call: &mut OrderedCall) {
    refresh(call, SEVERAL.handles, call.len(SEVERAL.count));
}

/// Whether the receive that was posted for a request is complete.
fn is_complete(call: &OrderedCall, handle: usize) -> bool {
    let Some(posted) = posted(call, handle) else {
        return false;
    };
    let mut value = posted as i32;
    completions::completed(
        call,
        match call.lang {
            Lang::C => posted,
            Lang::Fortran => &raw mut value as usize,
        },
    )
}

/// Whether a request stands for a receive.
pub fn holds(call: &OrderedCall, handle: usize) -> bool {
    let rule = call.thread.rule.as_deref();
    rule.is_some_and(|rule| rule.deferred.iter().any(|one| one.held == handle))
}

/// Returns the receive that was posted for a request, which stays as it is.
pub fn posted(call: &OrderedCall, handle: usize) -> Option<usize> {
    let mut deferred = call.thread.rule.as_deref()?.deferred.iter();
    deferred.find(|one| one.held == handle)?.posted
}

/// Ends the request that stood for a receive.
fn abandon(call: &mut OrderedCall, i: usize, k: usize) {
    let mut native = call.native_request(i, k);
    let at = &raw mut native as usize;
    let mut memory: StatusMemory = [0; 8];
    call.sibling(id::MPI_CANCEL, [at]);
    call.sibling(id::MPI_WAIT, [at, memory.as_mut_ptr() as usize]);
}

/// Before a request is cancelled or freed: one that was never posted is only cancelled.
pub fn drop_unposted(call: &mut OrderedCall, frees: bool) {
    let handle = call.request_at(ONE, 0);
    let at = with(call, |rule| {
        let mut all = rule.deferred.iter();
        all.position(|one| one.held == handle && one.posted.is_none())
    });
    let Some(Some(k)) = at else {
        return refresh(call, ONE, 1);
    };
    if frees {
        post_as_it_is(call, k);
        return refresh(call, ONE, 1);
    }
    with(call, |rule| rule.deferred.remove(k));
}
