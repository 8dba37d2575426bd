//! How replay goes in this process.

use std::sync::{Mutex, PoisonError};

use mpiscope_run::order::outcome::{Divergence, OtherData, UserChoice};

/// How replay goes in this process.
#[derive(Default)]
pub struct Report {
    first: Mutex<Option<Divergence>>,
    free_from: Mutex<Option<u64>>,
    other_data: Mutex<Option<OtherData>>,
    user_choices: Mutex<Vec<UserChoice>>,
    released_from: Mutex<Option<u64>>,
}

impl Report {
    /// Returns the first divergence.
    pub fn divergence(&self) -> Option<Divergence> {
        lock(&self.first).clone()
    }

    /// Returns where the record ended before the program did.
    pub fn free_from(&self) -> Option<u64> {
        *lock(&self.free_from)
    }

    /// Returns the first messages that were others.
    pub fn other_data(&self) -> Option<OtherData> {
        lock(&self.other_data).clone()
    }

    /// Returns what somebody at a debugger has chosen.
    pub fn user_choices(&self) -> Vec<UserChoice> {
        lock(&self.user_choices).clone()
    }

    /// Returns the call from which on the record has led no further, as somebody chose otherwise.
    pub fn released_from(&self) -> Option<u64> {
        *lock(&self.released_from)
    }

    /// Notes what somebody has chosen.
    pub fn note_choice(&self, choice: UserChoice) {
        lock(&self.user_choices).push(choice);
    }

    /// Notes that the record leads no further, once.
    pub fn note_released(&self, call: u64) {
        lock(&self.released_from).get_or_insert(call);
    }

    /// Notes a divergence; returns whether it is the first.
    pub fn is_first(&self, divergence: Divergence) -> bool {
        let mut first = lock(&self.first);
        let is_first = first.is_none();
        first.get_or_insert(divergence);
        is_first
    }

    /// Notes that messages were others, once.
    pub fn note_other_data(&self, data: OtherData) {
        lock(&self.other_data).get_or_insert(data);
    }

    /// Notes what was not as recorded although everybody is led on, once.
    pub fn note_divergence(&self, divergence: Divergence) {
        lock(&self.first).get_or_insert(divergence);
    }

    /// Notes that the record has no more, once.
    pub fn note_free(&self, call: u64) {
        lock(&self.free_from).get_or_insert(call);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
