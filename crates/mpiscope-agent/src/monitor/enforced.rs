//! What those who keep the choices of the unobserved program ask of the
//! virtual clock: when a message was sent, and what time it is.
//!
//! They ask between a call's entry and its exit, on the thread that makes it.

use mpiscope_run::statistics::Choices;

use super::thread::{current, Statistics};
use super::virtual_clock::{ClockLine, Line, VirtualClock};
use crate::{clock, session, thread};

pub use super::shown::Shown;

/// Returns the virtual time at which the call that is being made began.
pub fn ready() -> u64 {
    with(|statistics| Some(statistics.ready())).unwrap_or_else(clock::ticks)
}

/// Returns this process's clock in the time of all hosts, if there are several.
pub fn clock_line() -> Option<ClockLine> {
    super::get()?.line()
}

/// Returns a line of messages, as the virtual clock knows it.
pub fn line(comm: usize, source: u32, tag: u32) -> Option<Line> {
    // SAFETY: a thread's state is its own and never freed, and between entry and exit of a
    // call nobody else holds a reference to it.
    let thread = unsafe { thread::current().as_mut() }?;
    let comm = session::get()?.comms.get(thread, comm)?;
    Some((comm.id, source, tag))
}

/// Returns which message of a line the next receive takes.
pub fn next(line: Line) -> Option<u64> {
    with_clock(|clock| Some(clock.next(line)))
}

/// Returns the virtual time at which a message was sent, if its sender told it.
pub fn sent(line: Line, number: u64) -> Option<u64> {
    with_clock(|clock| clock.sent(line, number))
}

/// A receive was posted that takes the next message of a line.
pub fn takes(line: Line) {
    with_clock(|clock| {
        clock.takes(line);
        Some(())
    });
}

/// A blocking probe has found the next message of a line.
pub fn found(line: Line) {
    with_clock(|clock| {
        clock.found(line);
        Some(())
    });
}

/// A choice has waited so many ticks that the unobserved program would not have waited.
pub fn held(ticks: u64) {
    with_clock(|clock| {
        clock.held(ticks);
        Some(())
    });
}

/// Leaves word in the statistics of how choices were made.
pub fn keep(choices: &Choices) {
    if let Some(monitor) = super::get() {
        monitor.note(&mpiscope_run::statistics::Note::Choices(choices.clone()));
    }
}

fn with<T>(work: impl FnOnce(&mut Statistics) -> Option<T>) -> Option<T> {
    // SAFETY: the state is this thread's, never freed, and between entry and exit of a call
    // nobody else holds a reference to it.
    unsafe { current().as_mut() }.and_then(work)
}

fn with_clock<T>(work: impl FnOnce(&mut VirtualClock) -> Option<T>) -> Option<T> {
    with(|statistics| work(statistics.virtual_clock.as_deref_mut()?))
}
