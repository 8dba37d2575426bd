//! The latest messages of a thread that is led.

use mpiscope_run::order::MESSAGES_PER_MARK;

/// The latest messages of a thread that is led: in which call each came, and where that was made.
#[derive(Debug)]
pub struct Latest([(u64, usize); MESSAGES_PER_MARK as usize]);

impl Default for Latest {
    fn default() -> Self {
        Self([(0, 0); MESSAGES_PER_MARK as usize])
    }
}

impl Latest {
    /// Notes a message: how many came before, in which call, made where.
    #[inline(always)]
    pub fn put(&mut self, messages: u64, call: u64, site: usize) {
        self.0[(messages % MESSAGES_PER_MARK) as usize] = (call, site);
    }

    /// Returns the last so many, oldest first.
    pub fn last(&self, messages: u64, count: u64) -> impl Iterator<Item = (u64, usize)> + '_ {
        let first = messages + 1 - count.clamp(1, MESSAGES_PER_MARK);
        (first..=messages).map(|message| self.0[(message % MESSAGES_PER_MARK) as usize])
    }
}
