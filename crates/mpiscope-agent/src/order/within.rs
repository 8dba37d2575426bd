//! A call that goes the long way, while it is made; and what becomes of one that the program
//! leaves before it returns.
//!
//! What such a call took MPI may have told already, in the thread's buffer (`flight`): that was
//! chosen as if the call had returned, as it is where the process dies in it.

use mpiscope_run::order::Outcome;

use super::requests::Entry;
use super::thread::{self, Thread};
use crate::base::guard::guarded;
use crate::base::jump::Landing;
use crate::base::nesting::{stack_pointer, Nesting};
use crate::base::own::Own;

/// Ended by [`close`](Self::close), or by an exception that goes through it.
pub struct Within(Own<Thread>);

impl Within {
    /// A call is made from here.
    #[inline(always)]
    pub fn of(thread: Own<Thread>) -> Self {
        thread.get().hot.nesting = Nesting::at(stack_pointer());
        Self(thread)
    }

    /// The call has returned.
    pub fn close(self) {
        self.0.get().leave();
        std::mem::forget(self);
    }
}

impl Drop for Within {
    #[cold]
    fn drop(&mut self) {
        left(self.0);
    }
}

/// The program jumps: ends the call that it leaves, if it leaves one.
pub fn jumps(landing: Landing) {
    let is_left = |thread: &Own<Thread>| {
        let place = thread.get().hot.nesting.place();
        place.is_some_and(|place| landing.leaves(place))
    };
    if let Some(thread) = thread::known().filter(is_left) {
        left(thread);
    }
}

/// Ends the call that a thread is in, as the program leaves it.
#[cold]
pub fn left(own: Own<Thread>) {
    guarded(|| {
        let thread = own.get();
        thread.keep_taken();
        if let Some(turns) = &thread.session.turns {
            turns.leave(thread.number);
        }
    });
    own.get().leave();
}

impl Thread {
    /// Writes what the call took, as far as MPI has told.
    fn keep_taken(&mut self) {
        let flight = self.flight;
        let took = flight.took();
        flight.land();
        if let Some(program) = self.wants.take().filter(|_| !took.receives.is_empty()) {
            flight.give_one(program);
        }
        for receive in took.receives {
            let entry = Entry {
                thread: receive.thread,
                ordinal: receive.ordinal,
                ..Entry::default()
            };
            self.session.requests.complete(&entry);
            self.completed(entry, receive.taken);
        }
        let Some(outcome) = took.outcome else { return };
        if matches!(outcome, Outcome::Success { .. }) {
            self.misses = 0;
        }
        self.out
            .put(|encoder, writer| encoder.outcome(writer, &outcome));
    }
}
