//! What leads a thread in replay: its part of the record, and how far it has come.

use mpiscope_run::order::{Found, Outcome, Taken, ThreadOrder};

/// A thread's part of the record.
pub struct ReplayCursor {
    /// What was recorded.
    pub order: &'static ThreadOrder,
    /// Outcomes used.
    pub outcomes: usize,
    checkpoints: usize,
    marks: usize,
    cancels: usize,
}

/// What a poll is to do.
#[derive(Clone, Copy)]
pub enum Poll {
    /// Say no.
    Miss,
    /// Say yes, to this.
    Find(&'static Found),
    /// The record has a wait here.
    Other,
    /// As it likes: the record has no more.
    Free,
}

/// What a wait for several requests is to do.
#[derive(Clone, Copy)]
pub enum Wait {
    /// Wait for this.
    For(&'static Outcome),
    /// The record has a poll here.
    Other,
    /// As it likes: the record has no more.
    Free,
}

impl ReplayCursor {
    /// Begins at the beginning.
    pub fn new(order: &'static ThreadOrder) -> Self {
        Self {
            order,
            outcomes: 0,
            checkpoints: 0,
            marks: 0,
            cancels: 0,
        }
    }

    /// Returns what the `ordinal`th wildcard receive took.
    #[inline]
    pub fn receive(&self, ordinal: u64) -> Option<Taken> {
        *self.order.receives.get(ordinal as usize)?
    }

    /// Returns whether a receive is beyond all that were recorded.
    pub fn ends_before(&self, ordinal: u64) -> bool {
        ordinal >= self.order.receives.len() as u64
    }

    /// Returns what the next wait for several requests is to do.
    pub fn wait(&mut self) -> Wait {
        match self.order.outcomes.get(self.outcomes) {
            None => Wait::Free,
            Some(Outcome::Success { .. }) => Wait::Other,
            Some(outcome) => {
                self.outcomes += 1;
                Wait::For(outcome)
            }
        }
    }

    /// Returns what the next poll, in the thread's nth call, is to do, so many
    /// having said no since the last yes. Where the record came to its end, no
    /// more poll succeeded.
    #[inline]
    pub fn poll(&mut self, missed: u64, calls: u64) -> Poll {
        let poll = self.next_poll(missed);
        match poll {
            Poll::Find(_) => self.outcomes += 1,
            Poll::Free => match self.order.end {
                None => {}
                Some(end) if calls <= end.calls => return Poll::Miss,
                Some(_) => return Poll::Other,
            },
            Poll::Miss | Poll::Other => {}
        }
        poll
    }

    /// Returns what a poll is to do while the record has outcomes, and leaves them unused;
    /// `Free` at its end.
    #[inline]
    pub fn next_poll(&self, missed: u64) -> Poll {
        match self.order.outcomes.get(self.outcomes) {
            Some(Outcome::Success { misses, .. }) if missed < *misses => Poll::Miss,
            Some(Outcome::Success { found, .. }) => Poll::Find(found),
            Some(_) => Poll::Other,
            None => Poll::Free,
        }
    }

    /// Returns whether the record tells of an attempt to cancel a nonblocking receive.
    #[inline]
    pub fn cancels(&self, ordinal: u64) -> bool {
        let next = self.order.cancels.get(self.cancels);
        next.is_some_and(|next| next.receive <= ordinal)
    }

    /// Returns whether a nonblocking receive was cancelled, if the record tells.
    #[inline]
    pub fn is_cancelled(&mut self, ordinal: u64) -> Option<bool> {
        loop {
            let next = self.order.cancels.get(self.cancels)?;
            if next.receive > ordinal {
                return None;
            }
            self.cancels += 1;
            if next.receive == ordinal {
                return Some(next.succeeded);
            }
        }
    }

    /// Returns the hash of the next checkpoint.
    pub fn checkpoint(&mut self) -> Option<u32> {
        let mark = self.order.checkpoints.get(self.checkpoints)?;
        self.checkpoints += 1;
        Some(mark.hash)
    }

    /// Returns the next mark of what statuses told.
    pub fn mark(&mut self) -> Option<u16> {
        let mark = self.order.marks.get(self.marks)?;
        self.marks += 1;
        Some(*mark)
    }

    /// Messages are others than recorded, which is known by now.
    pub fn compare_no_messages(&mut self) {
        self.marks = usize::MAX;
    }

    /// Returns whether the record has receives or outcomes beyond what was used.
    pub fn has_more(&self, posts: u64) -> bool {
        posts < self.order.receives.len() as u64 || self.outcomes < self.order.outcomes.len()
    }
}
