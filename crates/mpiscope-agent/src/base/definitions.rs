//! What is defined of the process, told to whoever keeps it.
//!
//! Communicators, modules, signatures are found out where calls are looked at;
//! who needs them to understand what it keeps (a trace, statistics) listens.

use std::sync::{Mutex, PoisonError};

use mpiscope_run::process::Definition;

type Listener = fn(&Definition);

static LISTENERS: Mutex<Vec<Listener>> = Mutex::new(Vec::new());

/// Has a function hear of every definition from now on.
pub fn listen(listener: Listener) {
    lock().push(listener);
}

/// Tells a definition to all who listen.
pub fn tell(definition: &Definition) {
    let listeners = lock().clone();
    listeners.iter().for_each(|listen| listen(definition));
}

fn lock() -> std::sync::MutexGuard<'static, Vec<Listener>> {
    LISTENERS.lock().unwrap_or_else(PoisonError::into_inner)
}
