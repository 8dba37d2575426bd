//! Where the facts of a thread go: into the records of its buffer, and to who adds them up.

use mpiscope_run::buffer::Writer;
use mpiscope_run::record::{Fact, Record};

use crate::base::clock::ticks;
use crate::base::helper;

/// Adds facts up.
pub trait Counter {
    /// A fact, and when.
    fn take(&mut self, time: u64, fact: Fact);
}

/// The sinks of one thread.
#[derive(Default)]
pub struct Sinks {
    /// Where facts become records.
    pub writer: Option<Writer>,
    /// Where they are added up; the thread's alone, and never freed.
    pub counter: Option<*mut dyn Counter>,
    /// Records since the helper thread was woken to reserve more.
    written: u32,
}

/// Records between two wake-ups of the helper thread: a small part of what it keeps reserved ahead.
const WAKE_EVERY: u32 = 16 * 1024;

impl Sinks {
    /// Makes these the sinks.
    pub fn new(writer: Option<Writer>, counter: Option<*mut dyn Counter>) -> Self {
        Self {
            writer,
            counter,
            written: 0,
        }
    }

    /// Adds a fact up. Out of line: what passes it on keeps it in memory, which traced calls
    /// would pay for.
    #[inline(never)]
    fn count(&mut self, time: u64, fact: Fact) {
        if let Some(counter) = self.counter {
            // SAFETY: said at the field.
            unsafe { (*counter).take(time, fact) };
        }
    }

    /// Counts a fact, and commits its record.
    #[inline(always)]
    pub fn push(&mut self, time: u64, fact: Fact) {
        if self.counter.is_some() {
            self.count(time, fact);
        }
        let Some(writer) = &mut self.writer else {
            return;
        };
        let spilled = writer.spilled();
        writer.push(Record::new(time, fact));
        self.written += 1;
        if self.written == WAKE_EVERY {
            self.written = 0;
            helper::wake();
        }
        if writer.spilled() != spilled {
            let stop = ticks();
            writer.push(Record::new(time, Fact::BufferFlush { stop }));
        }
    }
}
