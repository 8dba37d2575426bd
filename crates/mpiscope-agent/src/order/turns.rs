//! The order in which threads post, where several may call MPI at once
//! (`MPI_THREAD_MULTIPLE`).
//!
//! Which message a receive takes depends on the order of posts on its
//! communicator, and which of two sends of one process comes first on theirs.
//! So a post and its number are one step. The step never waits for a message:
//! blocking calls post under the lock and wait outside of it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mpiscope_run::order::Taken;

use super::thread::Out;

/// The order of posts.
pub struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    out: Out,
    /// Posts so far.
    count: u64,
    /// The threads as recorded, in replay.
    recorded: Vec<u32>,
    /// Replay has ended: everybody posts when he likes.
    free: bool,
}

impl Turns {
    /// Begins to count, into `out`, led by what was recorded.
    pub fn new(out: Out, recorded: Vec<u32>) -> Self {
        Self {
            state: Mutex::new(State {
                out,
                count: 0,
                recorded,
                free: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// Posts: in replay when it is this thread's turn. `post` does not block;
    /// if it returns nothing, it has not posted, and is tried again or not.
    pub fn take<T>(
        &self,
        thread: u32,
        mut post: impl FnMut() -> Option<T>,
        again: bool,
    ) -> Option<T> {
        loop {
            let mut state = self.wait_for(thread);
            if let Some(done) = post() {
                state.posted(thread);
                drop(state);
                self.changed.notify_all();
                return Some(done);
            }
            drop(state);
            if !again {
                return None;
            }
            std::thread::yield_now();
        }
    }

    fn wait_for(&self, thread: u32) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while !state.may_post(thread) {
            let woken = self.changed.wait_timeout(state, Duration::from_millis(100));
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }

    /// Returns which thread is to post next, if that is another one.
    pub fn expected(&self, thread: u32) -> Option<u32> {
        // Who posts holds the lock, and then nobody waits for a turn.
        let state = self.state.try_lock().ok()?;
        let expected = *state.recorded.get(state.count as usize)?;
        (!state.free && expected != thread).then_some(expected)
    }

    /// Lets everybody post when he likes.
    pub fn set_free(&self) {
        self.lock().free = true;
        self.changed.notify_all();
    }

    /// Gives access to the stream, at the end.
    pub fn with_out(&self, work: impl FnOnce(&mut Out)) {
        work(&mut self.lock().out);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn may_post(&self, thread: u32) -> bool {
        let expected = self.recorded.get(self.count as usize);
        self.free || expected.is_none_or(|&expected| expected == thread)
    }

    fn posted(&mut self, thread: u32) {
        let (ordinal, taken) = (
            self.count,
            Taken {
                source: thread,
                tag: None,
            },
        );
        self.count += 1;
        self.out
            .put(|encoder, writer| encoder.receive(writer, ordinal, taken));
    }
}
