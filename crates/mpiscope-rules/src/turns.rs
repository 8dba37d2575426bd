//! Which thread is to post next, where several may call MPI at once (`MPI_THREAD_MULTIPLE`) and
//! a replay posts in the recorded order.

use mpiscope_run::order::Turn;

/// The order of posts, as recorded and as it goes.
#[derive(Clone, Debug, Default)]
pub struct Turns {
    /// Posts so far.
    count: u64,
    /// The threads as recorded.
    recorded: Vec<u32>,
    /// Each of them once.
    known: Vec<u32>,
    /// The one of them that is to post next.
    next: usize,
    /// Threads that have ended, and will not post.
    ended: Vec<u32>,
    /// Replay has ended: everybody posts at will.
    is_free: bool,
}

impl Turns {
    /// Begins to count, led by what was recorded, if anything was.
    pub fn new(recorded: &[Turn]) -> Self {
        let recorded: Vec<u32> = recorded.iter().map(|turn| turn.thread).collect();
        let mut known = recorded.clone();
        known.sort_unstable();
        known.dedup();
        Self {
            recorded,
            known,
            ..Self::default()
        }
    }

    /// Returns whether a thread may post now; whom the record does not know waits for nobody.
    pub fn may_post(&mut self, thread: u32) -> bool {
        let has_ended = |expected: &u32| self.ended.contains(expected);
        while self.recorded.get(self.next).is_some_and(has_ended) {
            self.next += 1;
        }
        let expected = self.recorded.get(self.next);
        let is_known = |expected: &u32| *expected == thread || !self.known.contains(&thread);
        self.is_free || expected.is_none_or(is_known)
    }

    /// Notes a post; returns the how manyth it is, from 0.
    pub fn posted(&mut self) -> u64 {
        self.count += 1;
        self.next += 1;
        self.count - 1
    }

    /// Returns which thread is to post next, if that is another one.
    pub fn expected(&self, thread: u32) -> Option<u32> {
        let expected = *self.recorded.get(self.next)?;
        (!self.is_free && expected != thread).then_some(expected)
    }

    /// A thread ends, and nobody waits for it any more; returns how often it was still to post.
    pub fn end(&mut self, thread: u32) -> usize {
        let rest = self.recorded.get(self.next..).unwrap_or_default();
        let left = rest.iter().filter(|&&other| other == thread).count();
        self.ended.push(thread);
        left
    }

    /// Lets everybody post at will.
    pub fn set_free(&mut self) {
        self.is_free = true;
    }
}
