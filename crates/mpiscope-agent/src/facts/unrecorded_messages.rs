//! What comes by while recording is off: counted by all threads together, and written into the
//! records of the one that switches it on again.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mpiscope_rules::unrecorded::Unrecorded;
use mpiscope_run::record::Fact;

use super::thread::Thread;
use crate::base::clock::ticks;

/// What came by unrecorded since recording was switched off.
#[derive(Default)]
pub struct UnrecordedMessages(Mutex<Unrecorded>);

impl UnrecordedMessages {
    /// Begins to count.
    pub fn begin(&self) {
        self.lock().begin();
    }

    /// Writes into the records of `thread` what was counted, and ends counting.
    pub fn tell(&self, thread: &mut Thread, time: u64) {
        let counted = std::mem::take(&mut *self.lock());
        for fact in counted.into_facts() {
            thread.push(time, fact);
        }
    }

    /// Counts a fact that is not recorded.
    #[cold]
    pub fn note(&self, thread: &mut Thread, fact: Fact) {
        let left = self.lock().note(fact);
        if let Some(fact) = left {
            thread.push(ticks(), fact);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Unrecorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
