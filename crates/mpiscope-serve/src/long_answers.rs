//! Answers that take long: each is computed once, beside the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Answers that were computed, by the name of what they tell.
pub(crate) struct LongAnswers<T>(Mutex<HashMap<String, Arc<OnceLock<T>>>>);

impl<T> Default for LongAnswers<T> {
    fn default() -> Self {
        LongAnswers(Mutex::default())
    }
}

impl<T: Clone + Send> LongAnswers<T> {
    /// Returns the answer of a name. Who asks for one that is being computed waits for it.
    pub fn of(&self, name: &str, compute: impl FnOnce() -> T + Send) -> T {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Arc::clone(known.entry(name.to_owned()).or_default());
        drop(known);
        slot.get_or_init(|| aside(compute)).clone()
    }
}

/// Runs what takes long by half of the processors: tiles, which everybody waits for, have the others.
fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let threads = (rayon::current_num_threads() / 2).max(1);
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn an_answer_that_many_ask_for_is_computed_once() {
        let (answers, computed) = (LongAnswers::default(), AtomicU32::new(0));
        let ask = || {
            answers.of("measured", || {
                std::thread::sleep(std::time::Duration::from_millis(20));
                computed.fetch_add(1, Ordering::SeqCst);
                "all of it"
            })
        };
        std::thread::scope(|scope| {
            let asked: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            for answer in asked {
                assert_eq!(answer.join().unwrap(), "all of it");
            }
        });
        assert_eq!(computed.load(Ordering::SeqCst), 1);
        assert_eq!(answers.of("corrected", || "another clock"), "another clock");
    }
}
