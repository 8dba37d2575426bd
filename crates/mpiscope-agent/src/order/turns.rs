//! The order in which threads post, where several may call MPI at once
//! (`MPI_THREAD_MULTIPLE`).
//!
//! Which message a receive takes depends on the order of posts on its
//! communicator, and which of two sends of one process comes first on theirs.
//! So a post and its number are one step. The step never waits for a message:
//! blocking calls post under the lock and wait outside of it.

use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mpiscope_rules::turns;
use mpiscope_run::order::{Taken, Turn};

use super::out::Out;

/// The order of posts.
pub struct Turns {
    state: Mutex<State>,
    changed: Condvar,
    /// Which thread posts, plus one; 0 if none does.
    poster: AtomicU32,
    /// Where its [`Posting`] lies.
    posting: AtomicPtr<Posting<'static>>,
}

struct State {
    out: Out,
    rule: turns::Turns,
}

impl Turns {
    /// Begins to count, into `out`, led by what was recorded.
    pub fn new(out: Out, recorded: &[Turn]) -> Self {
        let rule = turns::Turns::new(recorded);
        Self {
            state: Mutex::new(State { out, rule }),
            changed: Condvar::new(),
            poster: AtomicU32::new(0),
            posting: AtomicPtr::default(),
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
            let mut posting = Posting {
                turns: self,
                state: self.wait_for(thread),
                thread,
                is_refused: false,
            };
            posting.begin();
            if let Some(done) = post() {
                drop(posting);
                self.changed.notify_all();
                return Some(done);
            }
            posting.is_refused = true;
            drop(posting);
            if !again {
                return None;
            }
            std::thread::yield_now();
        }
    }

    /// The program jumps out of a thread's call: if that was to post, others may now.
    pub fn leave(&self, thread: u32) {
        if self.poster.load(Ordering::Relaxed) != thread.wrapping_add(1) {
            return;
        }
        let posting = self.posting.load(Ordering::Relaxed);
        // SAFETY: the thread itself has noted it, in a frame that is not left before this
        // returns, and in which nothing runs any more after that.
        unsafe { std::ptr::drop_in_place(posting) };
        self.changed.notify_all();
    }

    fn wait_for(&self, thread: u32) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while !state.rule.may_post(thread) {
            let woken = self.changed.wait_timeout(state, Duration::from_millis(100));
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        state
    }

    /// Returns which thread is to post next, if that is another one.
    pub fn expected(&self, thread: u32) -> Option<u32> {
        // Who posts holds the lock, and then nobody waits for a turn.
        let state = self.state.try_lock().ok()?;
        state.rule.expected(thread)
    }

    /// A thread ends, and nobody waits for it any more; returns how often it was still to post.
    pub fn end(&self, thread: u32) -> usize {
        let mut state = self.lock();
        let left = state.rule.end(thread);
        drop(state);
        self.changed.notify_all();
        left
    }

    /// Lets everybody post at will.
    pub fn set_free(&self) {
        self.lock().rule.set_free();
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

/// A thread's turn: it holds the lock, until its post has returned or was left by an exception.
struct Posting<'a> {
    turns: &'a Turns,
    state: MutexGuard<'a, State>,
    thread: u32,
    /// Nothing was posted.
    is_refused: bool,
}

impl Posting<'_> {
    /// Notes where it lies, as a jump out of the post goes past it.
    fn begin(&mut self) {
        let (turns, poster) = (self.turns, self.thread.wrapping_add(1));
        let posting = std::ptr::from_mut(self).cast();
        turns.posting.store(posting, Ordering::Relaxed);
        turns.poster.store(poster, Ordering::Relaxed);
    }
}

impl Drop for Posting<'_> {
    fn drop(&mut self) {
        self.turns.poster.store(0, Ordering::Relaxed);
        if !self.is_refused {
            self.state.posted(self.thread);
        }
    }
}

impl State {
    fn posted(&mut self, thread: u32) {
        let ordinal = self.rule.posted();
        let taken = Taken {
            source: thread,
            tag: None,
        };
        self.out
            .put(|encoder, writer| encoder.receive(writer, ordinal, taken));
    }
}
