//! Which threads have a timer, and the states of those that never called us.
//!
//! The helper thread alone makes timers and deletes them: it looks which threads the process has. A
//! thread whose timer has fired and that has no state asks for one; it is made here, and the next
//! signal takes it. When the thread is gone its buffer goes on to another, as with any.
//!
//! Threads that MPI's library made for itself in MPI_Init get none.

use std::ptr::null_mut;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, AtomicU8, Ordering,
};
use std::sync::{Mutex, PoisonError};

use crate::base::own::Own;
use crate::base::{helper, timer_signal};
use crate::facts::session::Session;
use crate::facts::thread::{self, Thread};

/// Threads that are looked at at once.
const MOST: usize = 1 << 10;

/// A timer, and the thread that it looks at.
struct Timer {
    /// What the system calls the thread; 0 if there is none.
    thread: AtomicU32,
    /// What the system calls the timer.
    number: AtomicI32,
    stage: AtomicU8,
    /// The state that was made for the thread.
    state: AtomicPtr<Thread>,
}

/// The thread has a state of its own, or none, or has not computed yet.
const ITS_OWN: u8 = 0;
/// It asks for a state.
const WANTED: u8 = 1;
/// There it is.
const MADE: u8 = 2;
/// It has taken it.
const TAKEN: u8 = 3;
/// None can be made.
const NONE: u8 = 4;

static TIMERS: [Timer; MOST] = [const {
    Timer {
        thread: AtomicU32::new(0),
        number: AtomicI32::new(0),
        stage: AtomicU8::new(ITS_OWN),
        state: AtomicPtr::new(null_mut()),
    }
}; MOST];

/// How many timers were ever in use at once.
static USED: AtomicU32 = AtomicU32::new(0);
/// Threads that got no timer.
static WITHOUT: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicBool = AtomicBool::new(false);
/// Threads that get none: of MPI's library, and such for which there was none.
static OTHERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());
/// The threads that there were before MPI_Init.
static THERE: Mutex<Option<Vec<u32>>> = Mutex::new(None);

/// Notes which threads there are before MPI_Init.
pub fn note_there() {
    *lock(&THERE) = Some(threads());
}

/// Notes which have come in it.
pub fn note_born() {
    if let Some(before) = lock(&THERE).take() {
        let born = threads()
            .into_iter()
            .filter(|thread| !before.contains(thread));
        lock(&OTHERS).extend(born);
    }
}

/// The system lets no signals be handled.
pub fn refused() {
    REFUSED.store(true, Ordering::Relaxed);
}

/// Returns whether the system has refused all timers.
pub fn are_refused() -> bool {
    REFUSED.load(Ordering::Relaxed)
}

/// Returns how many threads got no timer.
pub fn without() -> u64 {
    WITHOUT.load(Ordering::Relaxed)
}

/// Makes timers for threads that have come, states for those that ask, and ends what those have left
/// that are gone.
pub fn look_around(session: &'static Session, interval: u64) {
    let now = threads();
    if now.is_empty() {
        return; // /proc is not there
    }
    for timer in in_use() {
        let thread = timer.thread.load(Ordering::Relaxed);
        if thread != 0 && !now.contains(&thread) {
            timer.end();
        }
    }
    let mut others = lock(&OTHERS);
    others.retain(|thread| now.contains(thread));
    // SAFETY: gettid has no failure.
    let own = unsafe { libc::syscall(libc::SYS_gettid) } as u32;
    for thread in now {
        if thread != own
            && !others.contains(&thread)
            && find(thread).is_none()
            && !begin(thread, interval)
        {
            others.push(thread);
        }
    }
    drop(others);
    for timer in in_use() {
        timer.make_state(session);
    }
}

/// Deletes all timers. States that were taken stay with their threads.
pub fn delete_all() {
    for timer in in_use() {
        if timer.thread.swap(0, Ordering::Relaxed) != 0 {
            timer_signal::delete(timer.number.load(Ordering::Relaxed));
        }
    }
}

/// Returns the state that was made for the calling thread, which asks for one otherwise: in a signal
/// handler, the timer's.
pub fn adopt(timer: u32) -> Option<Own<Thread>> {
    let timer = TIMERS.get(timer as usize)?;
    match timer.stage.load(Ordering::Acquire) {
        ITS_OWN => {
            timer.stage.store(WANTED, Ordering::Release);
            helper::wake();
            None
        }
        MADE => {
            timer.stage.store(TAKEN, Ordering::Relaxed);
            // SAFETY: made by `make_state` for this thread, and handed on once.
            let own = unsafe { Own::hanging(timer.state.load(Ordering::Relaxed)) }?;
            thread::adopt(own);
            Some(own)
        }
        _ => None,
    }
}

impl Timer {
    fn make_state(&self, session: &'static Session) {
        if self.stage.load(Ordering::Acquire) != WANTED {
            return;
        }
        let thread = self.thread.load(Ordering::Relaxed);
        let made = (session.threads.of_another)(session, thread);
        let stage = match made {
            Some(made) => {
                self.state
                    .store(Own::of_box(made).pointer(), Ordering::Relaxed);
                MADE
            }
            None => NONE,
        };
        self.stage.store(stage, Ordering::Release);
    }

    /// The thread is gone.
    fn end(&self) {
        timer_signal::delete(self.number.load(Ordering::Relaxed));
        let state = self.state.swap(null_mut(), Ordering::Relaxed);
        // SAFETY: made for the thread, which is gone; if it took it, nobody else knows of it.
        if let Some(own) = unsafe { Own::hanging(state) } {
            thread::end_of_another(own);
        }
        self.stage.store(ITS_OWN, Ordering::Relaxed);
        self.thread.store(0, Ordering::Release);
    }
}

fn in_use() -> &'static [Timer] {
    &TIMERS[..USED.load(Ordering::Relaxed) as usize]
}

fn find(thread: u32) -> Option<&'static Timer> {
    let of_thread = |timer: &&Timer| timer.thread.load(Ordering::Relaxed) == thread;
    in_use().iter().find(of_thread)
}

/// Gives a thread a timer; false if there is none.
fn begin(thread: u32, interval: u64) -> bool {
    let free = |timer: &Timer| timer.thread.load(Ordering::Relaxed) == 0;
    let made = TIMERS.iter().position(free).and_then(|at| {
        let number = timer_signal::timer(thread, interval, at as u32)?;
        let timer = &TIMERS[at];
        timer.number.store(number, Ordering::Relaxed);
        timer.thread.store(thread, Ordering::Relaxed);
        USED.fetch_max(at as u32 + 1, Ordering::Relaxed);
        Some(())
    });
    // A thread that has just ended has no clock either.
    if made.is_none() && threads().contains(&thread) {
        WITHOUT.fetch_add(1, Ordering::Relaxed);
        REFUSED.fetch_or(USED.load(Ordering::Relaxed) == 0, Ordering::Relaxed);
    }
    made.is_some()
}

/// Returns the threads of this process, as the system calls them.
fn threads() -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    names
        .filter_map(|name| name.to_str()?.parse().ok())
        .collect()
}

fn lock<T>(of: &'static Mutex<T>) -> std::sync::MutexGuard<'static, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
