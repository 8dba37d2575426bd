//! Waits for one or all of some requests.

use mpi_abi::Mpi;
use mpiscope_run::statistics::{bin, Amount, Side, NOBODY, NO_GROUP};

use super::{is_ignored, other, received, Plan, Statistics, Thread};

/// More requests than this are waited for the other way.
const MOST: usize = 64;

/// Which of the requests of a call are receives.
pub struct Chosen {
    places: [u8; MOST],
    count: usize,
}

impl Statistics {
    #[inline(always)]
    pub(super) fn plan_wait(&mut self, thread: &mut Thread, args: &mut [usize]) -> Option<Plan> {
        let &mut [request, ref mut status] = args else {
            return None;
        };
        let handle = self.handle(request, 0);
        let receives = self.receives.take(handle);
        if !receives && thread.session.requests.used() {
            return None;
        }
        if receives && is_ignored(*status) {
            *status = thread.scratch.status.as_mut_ptr() as usize;
        }
        Some(Plan::Wait(receives))
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
        let mut chosen = Chosen {
            places: [0; MOST],
            count: 0,
        };
        for k in 0..count {
            if self.receives.take(self.handle(requests, k)) {
                chosen.places[chosen.count] = k as u8;
                chosen.count += 1;
            }
        }
        if chosen.count > 0 && is_ignored(*statuses) {
            let size = self.hot.as_ref()?.status_size;
            *statuses = thread.scratch.statuses(count * size);
        }
        Some(Plan::WaitAll(chosen))
    }

    #[inline(always)]
    pub(super) fn end_waitall(
        &mut self,
        time: u64,
        mpi: &Mpi,
        chosen: &Chosen,
        statuses: *const u8,
        ok: bool,
    ) {
        let size = self.hot.as_ref().map_or(0, |hot| hot.status_size);
        let places = chosen.places.iter().take(chosen.count);
        let status = |place: &u8| statuses.wrapping_add(usize::from(*place) * size);
        match chosen.count {
            1 if ok => self.end_receive(time, mpi, places.map(status).next()),
            0 | 1 => self.end_nothing(time),
            _ => {
                for place in places.filter(|_| ok) {
                    self.count_received(mpi, status(place));
                }
                self.end_nothing(time);
            }
        }
    }

    /// Counts one of several messages of a call.
    #[inline(always)]
    fn count_received(&mut self, mpi: &Mpi, status: *const u8) {
        let message = received(mpi, status);
        let (with, bytes) = message.unwrap_or((other(NOBODY, NO_GROUP), 0));
        if message.is_none() {
            return;
        }
        let key = self.key(Side::Received, with);
        if let Some(entry) = self.store.entry(key) {
            let amount = Amount {
                messages: 1,
                bytes,
                ..Amount::default()
            };
            if !entry.add_message(amount) {
                self.store.count_bin(entry, bin(bytes));
            }
        }
    }
}
