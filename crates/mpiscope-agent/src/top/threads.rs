//! A thread that calls MPI for the first time gets its sinks, and gives them back when it ends.

use crate::count;
use crate::facts::session::{Session, Threads};
use crate::facts::sinks::{Counter, Sinks};
use crate::facts::thread::Thread;
use crate::trace::buffers;

use super::config;

/// What facts go to.
pub const THREADS: Threads = Threads {
    begin,
    of_another,
    end,
};

fn begin(session: &'static Session) -> Option<Box<Thread>> {
    let config = config::get()?;
    let (number, tid) = session.number_thread();
    let statistics = count::attach(session, number, tid);
    let counter = statistics.map(|statistics| statistics.pointer() as *mut dyn Counter);
    let writer = match config.trace {
        true => Some(buffers::for_thread(session, number, tid, config.buffer)?),
        false => None,
    };
    if writer.is_none() && counter.is_none() {
        return None;
    }
    Some(Thread::new(session, number, Sinks::new(writer, counter)))
}

/// Such a thread is traced, and nothing of it is added up.
fn of_another(session: &'static Session, tid: u32) -> Option<Box<Thread>> {
    let config = config::get().filter(|config| config.trace && config.monitor.is_none())?;
    let (number, _) = session.number_thread();
    let writer = buffers::for_thread(session, number, tid, config.buffer)?;
    Some(Thread::new(session, number, Sinks::new(Some(writer), None)))
}

fn end(sinks: Sinks) {
    if let Some(writer) = sinks.writer {
        buffers::take_back(writer);
    }
}
