//! Where the facts of a thread go: into the records of its buffer, and to who adds them up.

use mpiscope_run::buffer::Writer;
use mpiscope_run::record::{Fact, Record};

use crate::base::clock::ticks;
use crate::base::helper;

/// Adds facts up.
pub trait Counter {
    /// A fact, and when.
    fn take(&mut self, time: u64, fact: Fact);

    /// The call that is about to be left has asked whether something had happened, and nothing had.
    fn asks_in_vain(&mut self);
}

/// The sinks of one thread.
#[derive(Default)]
pub struct Sinks {
    /// Where facts become records.
    pub writer: Option<Writer>,
    /// Where they are added up; the thread's alone, and never freed.
    pub counter: Option<*mut dyn Counter>,
}

impl Sinks {
    /// Makes these the sinks.
    pub fn new(writer: Option<Writer>, counter: Option<*mut dyn Counter>) -> Self {
        Self { writer, counter }
    }

    /// Returns the writer if facts go there alone, and so many records have room.
    #[inline(always)]
    pub fn quick(&mut self, records: usize) -> Option<&mut Writer> {
        let writer = self.writer.as_mut()?;
        (self.counter.is_none() && writer.has_room(records)).then_some(writer)
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

    /// The call that is about to be left has asked for something in vain.
    pub fn asks_in_vain(&mut self) {
        if let Some(counter) = self.counter {
            // SAFETY: said at the field.
            unsafe { (*counter).asks_in_vain() };
        }
    }

    /// Counts a fact, and commits its record.
    #[inline(always)]
    pub fn push(&mut self, time: u64, fact: Fact) {
        if self.counter.is_some() {
            self.count(time, fact);
        }
        self.trace(time, fact);
    }

    /// Commits the record of what is traced, and not added up.
    #[inline(always)]
    pub fn trace(&mut self, time: u64, fact: Fact) {
        let Some(writer) = &mut self.writer else {
            return;
        };
        let spilled = writer.spilled();
        writer.push(Record::new(time, fact));
        if writer.wants_help() {
            helper::wake();
        }
        if writer.spilled() != spilled {
            let stop = ticks();
            writer.push(Record::new(time, Fact::BufferFlush { stop }));
        }
    }
}
