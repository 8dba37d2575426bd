//! What the virtual clock answers to those who keep the choices of the unobserved program.

use mpiscope_run::statistics::{Choices, Note};

use super::thread::{current, Statistics};
use super::virtual_clock::VirtualClock;
use crate::base::clock;
use crate::base::own::Own;
use crate::facts::thread;
use crate::peers::common_clock::ClockLine;
use crate::peers::virtual_time::{Channel, VirtualTime};

/// The statistics of the calling thread.
pub struct OfThread;

impl VirtualTime for OfThread {
    fn ready(&self) -> u64 {
        with(|statistics| Some(statistics.ready())).unwrap_or_else(clock::ticks)
    }

    fn clock_line(&self) -> Option<ClockLine> {
        super::monitor::get()?.line()
    }

    fn channel(&self, comm: usize, source: u32, tag: u32) -> Option<Channel> {
        let thread = thread::current()?.get();
        let comm = thread.comms.of(thread.session, comm)?;
        Some((comm.id, source, tag))
    }

    fn next(&self, channel: Channel) -> Option<u64> {
        with_clock(|clock| Some(clock.next(channel)))
    }

    fn sent(&self, channel: Channel, number: u64) -> Option<u64> {
        with_clock(|clock| clock.sent(channel, number))
    }

    fn takes(&self, channel: Channel) {
        with_clock(|clock| {
            clock.takes(channel);
            Some(())
        });
    }

    fn found(&self, channel: Channel) {
        with_clock(|clock| {
            clock.found(channel);
            Some(())
        });
    }

    fn held(&self, ticks: u64) {
        with_clock(|clock| {
            clock.held(ticks);
            Some(())
        });
    }

    fn keep(&self, choices: &Choices) {
        if let Some(monitor) = super::monitor::get() {
            monitor.note(&Note::Choices(choices.clone()));
        }
    }
}

fn with<T>(work: impl FnOnce(&mut Statistics) -> Option<T>) -> Option<T> {
    current().map(Own::get).and_then(work)
}

fn with_clock<T>(work: impl FnOnce(&mut VirtualClock) -> Option<T>) -> Option<T> {
    with(|statistics| work(statistics.virtual_clock.as_deref_mut()?))
}
