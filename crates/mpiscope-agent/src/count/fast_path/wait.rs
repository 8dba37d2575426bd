//! Waits for one or all of some requests.

use mpiscope_run::statistics::{bin, Amount, Side};

use super::outstanding::Operation;
use super::{is_ignored, other, Found, Plan, Sent, Session, Statistics, Thread, WORLD};

/// More requests than this are waited for the other way.
const MOST: usize = 64;

/// What was begun the shortest way of what a call waits for, and where among its requests. A thread
/// keeps its memory.
pub struct Chosen {
    places: [u8; MOST],
    handles: [usize; MOST],
    operations: [Operation; MOST],
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            places: [0; MOST],
            handles: [0; MOST],
            operations: [Operation::NONE; MOST],
        }
    }
}

impl Statistics {
    #[inline(always)]
    pub(super) fn plan_wait(&mut self, thread: &mut Thread, args: &mut [usize]) -> Option<Plan> {
        let &mut [request, ref mut status] = args else {
            return None;
        };
        let handle = self.handle(request, 0);
        let known = self.outstanding.take(handle);
        if known.is_none() && thread.session.requests.used() {
            return None;
        }
        let asked = match known {
            Some(Operation::Receive(asked)) => Some(asked),
            Some(Operation::Send(sent)) => {
                self.may_have_waited(sent);
                None
            }
            None => None,
        };
        if asked.is_some() && is_ignored(*status) {
            *status = thread.scratch.status.as_mut_ptr() as usize;
        }
        Some(Plan::Wait(asked))
    }

    /// A send that may have waited for its receiver completes.
    #[inline]
    fn may_have_waited(&mut self, sent: Sent) {
        if let Some(clock) = &mut self.virtual_clock {
            clock.may_have_waited(sent);
        }
    }

    #[inline(always)]
    pub(super) fn plan_waitall(&mut self, thread: &mut Thread, args: &mut [usize]) -> Option<Plan> {
        let &mut [count, requests, ref mut statuses] = args else {
            return None;
        };
        let count = usize::try_from(count as i32).ok()?;
        if count > MOST || (thread.session.requests.used()) {
            return None;
        }
        let mut chosen = 0;
        for k in 0..count {
            let handle = self.handle(requests, k);
            if let Some(operation) = self.outstanding.take(handle) {
                self.chosen.places[chosen] = k as u8;
                self.chosen.handles[chosen] = handle;
                self.chosen.operations[chosen] = operation;
                chosen += 1;
            }
        }
        if chosen > 0 && is_ignored(*statuses) {
            let size = self.hot.as_ref()?.status_size;
            *statuses = thread.scratch.statuses(count * size);
        }
        Some(Plan::WaitAll(chosen))
    }

    /// A message that a call has received is counted with the call, several each by itself.
    #[inline(always)]
    pub(super) fn end_waitall(
        &mut self,
        time: u64,
        session: &'static Session,
        chosen: usize,
        statuses: *const u8,
        result: i32,
    ) {
        let size = self.hot.as_ref().map_or(0, |hot| hot.status_size);
        let (mut first, mut messages) = (None, 0);
        for k in 0..chosen {
            let status = statuses.wrapping_add(usize::from(self.chosen.places[k]) * size);
            let own = own_result(session, result, status);
            if own != session.mpi.abi.success && is_pending(session, own) {
                self.begins_again(session, k);
                continue;
            }
            let asked = match self.chosen.operations[k] {
                Operation::Receive(asked) => asked,
                Operation::Send(sent) => {
                    self.may_have_waited(sent);
                    continue;
                }
            };
            let Some(found) = self.found(session, own, asked, status) else {
                if own != session.mpi.abi.success {
                    self.fails(session, own);
                }
                continue;
            };
            self.hear_partner(found, false, asked.message);
            messages += 1;
            match first.replace(found).filter(|_| messages == 2) {
                Some(before) => {
                    self.count_received(before);
                    self.count_received(found);
                }
                None if messages > 2 => self.count_received(found),
                None => {}
            }
        }
        match first.filter(|_| messages == 1) {
            Some(found) => {
                self.end_fast(time, Side::Received, other(found.peer, WORLD), found.bytes)
            }
            None => self.end_nothing(time),
        }
    }

    /// One of the requests of a call that failed is still to be waited for.
    #[cold]
    fn begins_again(&mut self, session: &'static Session, k: usize) {
        let (handle, operation) = (self.chosen.handles[k], self.chosen.operations[k]);
        self.keep(session, handle, operation);
    }

    /// Counts one of several messages of a call.
    #[inline(always)]
    fn count_received(&mut self, found: Found) {
        let key = self.key(Side::Received, other(found.peer, WORLD));
        if let Some(entry) = self.store.entry(key) {
            let amount = Amount {
                messages: 1,
                bytes: found.bytes,
                ..Amount::default()
            };
            if !entry.add_message(amount) {
                self.store.count_bin(entry, bin(found.bytes));
            }
        }
    }
}

/// Whether an error says of a request that it is not complete.
#[cold]
fn is_pending(session: &Session, result: i32) -> bool {
    let class = session.mpi.error_class(result);
    class.is_ok_and(|class| class == session.mpi.abi.err_pending)
}

/// Returns how one of several requests ended: its status tells where they ended differently.
#[inline(always)]
fn own_result(session: &Session, result: i32, status: *const u8) -> i32 {
    match result == session.mpi.abi.success {
        true => result,
        false => result_in_status(session, result, status),
    }
}

#[cold]
fn result_in_status(session: &Session, result: i32, status: *const u8) -> i32 {
    let class = session.mpi.error_class(result);
    match class.is_ok_and(|class| class == session.mpi.abi.err_in_status) {
        // SAFETY: MPI has filled the statuses of a call that failed for single requests.
        true => unsafe { session.mpi.status_error(status) },
        false => result,
    }
}
