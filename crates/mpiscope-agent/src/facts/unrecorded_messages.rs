//! What comes by while recording is off: counted by all threads together, and written into the
//! records of the one that switches it on again. Calls that a filter leaves out are counted
//! likewise, and written into the records of the next call that is recorded; so are calls that the
//! program makes within others.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpiscope_rules::unrecorded::Unrecorded;
use mpiscope_run::record::Fact;

use super::thread::Thread;
use crate::base::clock::ticks;

/// What came by unrecorded since recording was switched off.
#[derive(Default)]
pub struct UnrecordedMessages {
    counted: Mutex<Unrecorded>,
    /// Whether calls that were left out have counted something while recording was on.
    left_out: AtomicBool,
    /// What calls within others have told of requests that are in the records. It waits for the next
    /// call: the one around may have no room for more records than its own.
    later: Mutex<Vec<Fact>>,
}

impl UnrecordedMessages {
    /// Begins to count.
    pub fn begin(&self) {
        self.lock().begin();
    }

    /// The same of what calls that are left out have counted, if they have.
    pub fn tell_left_out(&self, thread: &mut Thread, time: u64) {
        if self.left_out.load(Ordering::Relaxed) && self.left_out.swap(false, Ordering::AcqRel) {
            self.tell(thread, time);
        }
    }

    /// Writes into the records of `thread` what was counted, and ends counting.
    pub fn tell(&self, thread: &mut Thread, time: u64) {
        let counted = std::mem::take(&mut *self.lock());
        let later = std::mem::take(&mut *self.later());
        for fact in counted.into_facts().into_iter().chain(later) {
            thread.push(time, fact);
        }
    }

    /// Counts a fact that is not recorded.
    #[cold]
    pub fn note(&self, thread: &mut Thread, fact: Fact) {
        let left = match thread.is_told() {
            true => self.note_left_out(fact),
            false => self.lock().note(fact),
        };
        match left {
            Some(fact) if thread.scratch.is_within => self.later().push(fact),
            Some(fact) => thread.push(ticks(), fact),
            None => {}
        }
    }

    /// Counts what a call tells that is left out while recording is on.
    fn note_left_out(&self, fact: Fact) -> Option<Fact> {
        let mut counted = self.lock();
        counted.begin();
        let left = counted.note(fact);
        self.left_out.store(true, Ordering::Release);
        left
    }

    fn later(&self) -> MutexGuard<'_, Vec<Fact>> {
        self.later.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Unrecorded> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
