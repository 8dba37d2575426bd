//! How a thread tells of the regions in which threads work together or wait for each other.

use mpiscope_run::record::{Fact, ThreadFact};

use super::{define, Construct};
use crate::base::clock::ticks;
use crate::base::path::{is_at_work, observing, recording, Layer};
use crate::facts::thread::{self, Thread};

/// Tells of what begins in such a region or beside it, if that is traced, and nothing else is at
/// work on the thread's records; returns whether it has.
#[inline]
pub(in crate::facts) fn begin(tell: impl FnOnce(&mut Thread, u64)) -> bool {
    let is_seen = recording() && is_at_work(Layer::Trace);
    is_seen
        && thread::alone(|thread| {
            define();
            let time = thread.now();
            tell(thread, time);
        })
}

/// Tells of the end of what began told; also where recording has been switched off meanwhile, as
/// each enter has its leave.
#[inline]
pub(in crate::facts) fn end(tell: impl FnOnce(&mut Thread, u64)) {
    if observing() {
        thread::alone(|thread| tell(thread, ticks()));
    }
}

impl Thread {
    #[inline]
    pub(in crate::facts) fn tell(&mut self, time: u64, fact: ThreadFact) {
        self.sinks.trace(time, Fact::Thread(fact));
    }

    #[inline]
    pub(in crate::facts) fn enter_construct(
        &mut self,
        time: u64,
        construct: Construct,
        site: usize,
    ) {
        if site != 0 {
            self.callers.note(self.session, site);
        }
        let (region, site) = (construct.region(), site as u64);
        self.sinks.trace(time, Fact::Enter { region, site });
        self.is_waiting = construct.is_waiting();
        self.rests_at = u64::MAX;
    }

    #[inline]
    pub(in crate::facts) fn leave_construct(&mut self, time: u64, construct: Construct) {
        let region = construct.region();
        self.sinks.trace(time, Fact::Leave { region });
        self.is_waiting = false;
    }
}
