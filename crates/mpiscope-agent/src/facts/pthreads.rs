//! Threads that the program creates one by one (`pthread_create`, and what is made of it), and waits
//! for.
//!
//! Each gets a number when it is created. Whether it ever does anything that is recorded is not
//! known then: one that does says when it began, and when it ends. Threads of OpenMP's runtimes are
//! told of by their teams alone.

use std::sync::atomic::{AtomicU64, Ordering};

use mpiscope_run::record::ThreadFact;

use super::constructs::{tell, Construct};
use super::thread::Thread;
use crate::base::lineage::{self, Listener};
use crate::base::path::recording;

/// Told of threads that are made.
pub static LISTENER: Listener = Listener { before, after };

/// How many threads were created.
static CREATED: AtomicU64 = AtomicU64::new(0);

fn before(site: usize) -> u64 {
    let mut number = 0;
    tell::begin(|thread, time| {
        number = CREATED.fetch_add(1, Ordering::Relaxed) + 1;
        thread.enter_construct(time, Construct::PthreadCreate, site);
        thread.tell(time, ThreadFact::Create(number));
    });
    number
}

fn after() {
    tell::end(|thread, time| thread.leave_construct(time, Construct::PthreadCreate));
}

/// The calling thread is about to wait for the end of one that was created; returns whether that is told.
pub fn join_begins(site: usize) -> bool {
    tell::begin(|thread, time| thread.enter_construct(time, Construct::PthreadJoin, site))
}

/// It has waited, which began told, for the thread of a number.
pub fn joined(number: Option<u64>) {
    tell::end(|thread, time| {
        if let Some(number) = number {
            thread.tell(time, ThreadFact::Wait(number));
        }
        thread.leave_construct(time, Construct::PthreadJoin);
    });
}

/// The calling thread is one of OpenMP's: its team tells of it.
pub fn is_of_openmp() {
    lineage::take_birth();
}

impl Thread {
    /// Says that the thread began when it did, if it was created told.
    pub(super) fn begin_life(&mut self) {
        let birth = lineage::take_birth().filter(|_| recording());
        if let Some(birth) = birth {
            self.born = birth.number;
            self.tell(birth.time, ThreadFact::Begin(birth.number));
        }
    }

    /// Says that the thread ends, if it said that it began.
    pub(super) fn end_life(&mut self, time: u64) {
        if self.born != 0 {
            self.tell(time, ThreadFact::End(self.born));
        }
    }
}
