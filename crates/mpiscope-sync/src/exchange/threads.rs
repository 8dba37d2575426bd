//! Parts that are threads of one process: lists change hands, nothing is copied.
//!
//! Whoever comes early sleeps until the last has come. Nobody spins, so parts
//! that outnumber the cores, or share these with other programs, lose no more
//! than the time of a wake-up.

use std::any::Any;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{Exchange, Plain};

/// Where parts meet.
struct Hub {
    parts: usize,
    state: Mutex<State>,
    all_here: Condvar,
}

struct State {
    /// How many have come to the present round, and its number.
    here: usize,
    round: u64,
    /// What is on its way, by sender and receiver: of even and odd rounds, as
    /// who is quick puts down what it sends next before others have picked up
    /// what it sent last.
    lists: [Vec<Option<Box<dyn Any + Send>>>; 2],
    /// A part has panicked; no round comes to its end any more.
    failed: bool,
}

impl Hub {
    fn new(parts: usize) -> Hub {
        let lists = || (0..parts * parts).map(|_| None).collect();
        Hub {
            parts,
            state: Mutex::new(State {
                here: 0,
                round: 0,
                lists: [lists(), lists()],
                failed: false,
            }),
            all_here: Condvar::new(),
        }
    }

    /// A part that panicked has left nothing half done here.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn all_to_all<T: Send + 'static>(&self, me: usize, outgoing: Vec<Vec<T>>) -> Vec<Vec<T>> {
        let mut state = self.lock();
        let round = state.round;
        let turn = (round % 2) as usize;
        for (part, list) in outgoing.into_iter().enumerate() {
            state.lists[turn][me * self.parts + part] = Some(Box::new(list));
        }
        state.here += 1;
        if state.here == self.parts {
            state.here = 0;
            state.round += 1;
            self.all_here.notify_all();
        }
        while state.round == round && !state.failed {
            state = (self.all_here.wait(state)).unwrap_or_else(PoisonError::into_inner);
        }
        assert!(state.round != round, "another part of the trace has failed");
        let mut take = |from: usize| {
            let list = state.lists[turn][from * self.parts + me].take();
            let list = list.and_then(|list| list.downcast::<Vec<T>>().ok());
            *list.expect("all parts come to the same calls in the same order")
        };
        (0..self.parts).map(&mut take).collect()
    }
}

/// A thread among others.
pub(crate) struct Threads<'h> {
    hub: &'h Hub,
    me: usize,
}

impl Threads<'_> {
    /// Exchanges lists of anything.
    pub fn pass<T: Send + 'static>(&self, outgoing: Vec<Vec<T>>) -> Vec<Vec<T>> {
        match self.hub.parts {
            1 => outgoing,
            _ => self.hub.all_to_all(self.me, outgoing),
        }
    }
}

impl Exchange for Threads<'_> {
    fn parts(&self) -> usize {
        self.hub.parts
    }

    fn me(&self) -> usize {
        self.me
    }

    fn all_to_all<T: Plain>(&self, outgoing: Vec<Vec<T>>) -> Vec<Vec<T>> {
        self.pass(outgoing)
    }
}

impl Drop for Threads<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.hub.lock().failed = true;
            self.hub.all_here.notify_all();
        }
    }
}

/// Runs `work` on a thread for each part, which begins with what is its own;
/// returns what each made of it. One part alone needs no other thread.
pub(crate) fn on_threads<S: Send, R: Send>(
    parts: Vec<S>,
    work: impl Fn(&Threads, S) -> R + Sync,
) -> Vec<R> {
    let hub = &Hub::new(parts.len());
    let run = |me: usize, mine: S| work(&Threads { hub, me }, mine);
    let run = &run;
    let mut others = parts.into_iter().enumerate();
    let Some((_, first)) = others.next() else {
        return Vec::new();
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = others
            .map(|(me, mine)| scope.spawn(move || run(me, mine)))
            .collect();
        let mut results = vec![run(0, first)];
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}
