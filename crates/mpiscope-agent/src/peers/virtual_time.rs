//! The time of the program as it would run unobserved, as those ask who keep its choices: when a
//! message was sent, and what time it is.
//!
//! They ask between a call's entry and its exit, on the thread that makes it. Who keeps a virtual
//! clock answers; without one there is only the clock.

use std::sync::OnceLock;

use mpiscope_run::statistics::Choices;

use super::common_clock::ClockLine;
use crate::base::clock;

/// The messages of one sender on a communicator with one tag.
pub type Channel = (u32, u32, u32);

/// Answers for the calling thread.
pub trait VirtualTime: Sync {
    /// Returns the virtual time at which the call that is being made began.
    fn ready(&self) -> u64 {
        clock::ticks()
    }

    /// Returns this process's clock in the time of all hosts, if there are several.
    fn clock_line(&self) -> Option<ClockLine> {
        None
    }

    /// Returns a channel, as the virtual clock knows it.
    fn channel(&self, _comm: usize, _source: u32, _tag: u32) -> Option<Channel> {
        None
    }

    /// Returns which message of a channel the next receive takes.
    fn next(&self, _channel: Channel) -> Option<u64> {
        None
    }

    /// Returns the virtual time at which a message was sent, if its sender told it.
    fn sent(&self, _channel: Channel, _number: u64) -> Option<u64> {
        None
    }

    /// A receive was posted that takes the next message of a channel.
    fn takes(&self, _channel: Channel) {}

    /// A blocking probe has found the next message of a channel.
    fn found(&self, _channel: Channel) {}

    /// A choice has waited so many ticks that the unobserved program would not have waited.
    fn held(&self, _ticks: u64) {}

    /// Takes down how choices were made.
    fn keep(&self, _choices: &Choices) {}
}

static TIME: OnceLock<&'static dyn VirtualTime> = OnceLock::new();

/// Has this answer from now on.
pub fn answer(time: &'static dyn VirtualTime) {
    let _ = TIME.set(time);
}

/// Returns who answers.
pub fn time() -> &'static dyn VirtualTime {
    struct Clock;
    impl VirtualTime for Clock {}
    TIME.get().copied().unwrap_or(&Clock)
}
