//! Locations that one thread of the sweep wakes for another.
//!
//! Each thread runs locations of its own. If it makes a time known that a
//! location of another thread waits for, it puts that location into the
//! other's inbox. A thread that has nothing to do looks into its inbox for a
//! while, then sleeps; when all of them have nothing to do, the sweep is over.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How often a thread looks into its inbox before it sleeps.
const LOOKS: u32 = 2000;

/// What the threads of a sweep share.
pub(crate) struct WakeQueues {
    inboxes: Vec<Inbox>,
    /// Threads that have nothing to do, and whether all of them had.
    idle: Mutex<(usize, bool)>,
    wake: Condvar,
    /// The same number, to be looked at in passing.
    sleepers: AtomicUsize,
}

#[derive(Default)]
struct Inbox {
    locations: Mutex<Vec<u32>>,
    full: AtomicBool,
}

/// A thread that panicked has left nothing half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WakeQueues {
    pub fn new(threads: usize) -> WakeQueues {
        WakeQueues {
            inboxes: (0..threads).map(|_| Inbox::default()).collect(),
            idle: Mutex::default(),
            wake: Condvar::new(),
            sleepers: AtomicUsize::new(0),
        }
    }

    /// Puts locations into the inbox of a thread.
    pub fn send(&self, thread: usize, locations: &mut Vec<u32>) {
        let inbox = &self.inboxes[thread];
        let mut waiting = lock(&inbox.locations);
        waiting.append(locations);
        inbox.full.store(true, Ordering::Release);
        drop(waiting);
        // A sleeper announces itself, then looks into its inbox; so either it
        // saw these, or it is seen here.
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            let _idle = lock(&self.idle);
            self.wake.notify_all();
        }
    }

    /// Empties the inbox of a thread into `locations`; returns whether there
    /// was anything in it.
    fn take(&self, thread: usize, locations: &mut impl Extend<u32>) -> bool {
        let inbox = &self.inboxes[thread];
        let mut waiting = lock(&inbox.locations);
        inbox.full.store(false, Ordering::Relaxed);
        let any = !waiting.is_empty();
        locations.extend(waiting.drain(..));
        any
    }

    /// Waits for locations; returns whether there are any, or everybody waits.
    pub fn receive(&self, thread: usize, locations: &mut impl Extend<u32>) -> bool {
        for look in 0..LOOKS {
            if self.inboxes[thread].full.load(Ordering::Acquire) && self.take(thread, locations) {
                return true;
            }
            match look % 64 {
                63 => std::thread::yield_now(),
                _ => std::hint::spin_loop(),
            }
        }
        let mut idle = lock(&self.idle);
        idle.0 += 1;
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        loop {
            if self.take(thread, locations) {
                idle.0 -= 1;
                self.sleepers.fetch_sub(1, Ordering::SeqCst);
                return true;
            }
            let full = |inbox: &Inbox| !lock(&inbox.locations).is_empty();
            if idle.0 == self.inboxes.len() && !self.inboxes.iter().any(full) {
                idle.1 = true;
                self.wake.notify_all();
            }
            if idle.1 {
                return false;
            }
            idle = self.wake.wait(idle).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the sweep for all, as a thread cannot go on.
    pub fn abandon(&self) {
        lock(&self.idle).1 = true;
        self.wake.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Locations travel between threads until they have moved often enough.
    #[test]
    fn all_that_is_sent_arrives_and_everybody_comes_to_an_end() {
        const THREADS: usize = 4;
        for _ in 0..50 {
            let queues = WakeQueues::new(THREADS);
            let moves = AtomicUsize::new(0);
            let work = |thread: usize| {
                let mut mine: Vec<u32> = if thread == 0 { vec![40; 9] } else { Vec::new() };
                while !mine.is_empty() || queues.receive(thread, &mut mine) {
                    for left in std::mem::take(&mut mine) {
                        moves.fetch_add(1, Ordering::Relaxed);
                        if left > 0 {
                            queues.send((thread + left as usize) % THREADS, &mut vec![left - 1]);
                        }
                    }
                }
            };
            std::thread::scope(|scope| {
                (0..THREADS).for_each(|thread| {
                    let work = &work;
                    scope.spawn(move || work(thread));
                });
            });
            assert_eq!(moves.into_inner(), 9 * 41);
        }
    }
}
