//! No panic leaves the agent.

use std::panic::{catch_unwind, AssertUnwindSafe};

use super::notice;
use super::path::{set_state, State};

/// Runs a piece of the agent; should it panic, observation ends and the program goes on.
pub fn guarded(work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        set_state(State::Failed);
        notice::tell("the agent failed and stopped observing this process; the program goes on");
    }
}
