//! Waits for one or all of some requests.

use mpiscope_run::statistics::{bin, Amount, Side};

use super::outstanding::Operation;
use super::{is_ignored, other, Found, Plan, Session, Statistics, Thread, WORLD};

/// More requests than this are waited for the other way.
const MOST: usize = 64;

/// The receives among the requests of a call: where they are, from whom they are to come, with
/// which tags. A thread keeps its memory.
pub struct Chosen {
    places: [u8; MOST],
    asked: [(i32, i32); MOST],
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            places: [0; MOST],
            asked: [(0, 0); MOST],
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
        let asked = self.receive(known);
        if asked.is_some() && is_ignored(*status) {
            *status = thread.scratch.status.as_mut_ptr() as usize;
        }
        Some(Plan::Wait(asked))
    }

    /// Returns what a receive asked for; a send is noted as one that may have waited.
    #[inline(always)]
    fn receive(&mut self, known: Option<Operation>) -> Option<(i32, i32)> {
        match known? {
            Operation::Receive(source, tag) => Some((source, tag)),
            Operation::Send(sent) => {
                if let Some(clock) = &mut self.virtual_clock {
                    clock.may_have_waited(sent);
                }
                None
            }
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
            let known = self.outstanding.take(self.handle(requests, k));
            if let Some(asked) = self.receive(known) {
                self.chosen.places[chosen] = k as u8;
                self.chosen.asked[chosen] = asked;
                chosen += 1;
            }
        }
        if chosen > 0 && is_ignored(*statuses) {
            let size = self.hot.as_ref()?.status_size;
            *statuses = thread.scratch.statuses(count * size);
        }
        Some(Plan::WaitAll(chosen))
    }

    #[inline(always)]
    pub(super) fn end_waitall(
        &mut self,
        time: u64,
        session: &Session,
        chosen: usize,
        statuses: *const u8,
        result: i32,
    ) {
        let size = self.hot.as_ref().map_or(0, |hot| hot.status_size);
        let found = |statistics: &Self, k: usize| {
            let place = usize::from(*statistics.chosen.places.get(k)?);
            let status = statuses.wrapping_add(place * size);
            let own = own_result(session, result, status);
            statistics.found(session, own, statistics.chosen.asked[k], status)
        };
        if chosen == 1 {
            let found = found(self, 0);
            return self.end_receive(time, found, false);
        }
        for k in 0..chosen {
            if let Some(found) = found(self, k) {
                self.count_received(found);
            }
        }
        self.end_nothing(time);
    }

    /// Counts one of several messages of a call.
    #[inline(always)]
    fn count_received(&mut self, found: Found) {
        self.hear_partner(found, false);
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
