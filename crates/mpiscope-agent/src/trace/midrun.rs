//! Clock offsets also while the run lasts.
//!
//! Clocks do not drift evenly: offsets at both ends of a run leave what lies
//! between to interpolation. So every few seconds, where all ranks have just
//! met in a collective operation, they are measured once more. That costs the
//! program next to nothing: the ranks are together anyway, and unless somebody
//! asked for more, the time spent is held below a thousandth of the run.
//!
//! All ranks must agree on when, or some would wait for ever. They agree by
//! counting: each has made the same number of such operations, and after so
//! many of them all ranks hear from rank 0, in a broadcast on our own
//! communicator, whether to measure now, and after how many more to ask again.
//! Their clocks have no say in it. With several threads that may call MPI in
//! any order nobody could count, so then nothing is done; nor is it where there
//! is but one clock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use mpi_abi::{Code, FunctionId, OwnComm, FUNCTIONS};
use mpiscope_run::process::Region;
use mpiscope_run::record::Fact;

use super::offsets::{self, LITTLE_PATIENCE};
use crate::base::clock::ticks;
use crate::base::guard::guarded;
use crate::base::own::Own;
use crate::base::path::recording;
use crate::facts::call::ObservedCall;
use crate::facts::session::Session;
use crate::facts::thread::{self, Thread, Working};
use crate::mpi::call::{Call, Lang};
use crate::mpi::collective::{collective, Form};
use crate::mpi::layers::Next;

static MIDRUN: OnceLock<Midrun> = OnceLock::new();

/// When to measure, as all ranks agree.
struct Midrun {
    own: OwnComm<'static>,
    /// Operations until the ranks ask rank 0 again.
    left: AtomicU64,
    /// Rank 0's grounds.
    pace: Mutex<Pace>,
}

impl Midrun {
    /// Returns the schedule of measuring every `interval`; nothing if that is
    /// zero or some rank's threads may call MPI by turns or at once. Without
    /// one, the schedule is ours.
    fn agree(own: OwnComm<'static>, interval: Option<Duration>) -> Result<Option<Self>, Code> {
        if interval.is_some_and(|interval| interval.is_zero()) {
            return Ok(None);
        }
        let is_one = own.thread_level()? <= own.mpi().abi.thread.funneled;
        let one_thread = own.all_true(is_one)?;
        Ok(one_thread.then(|| Self {
            own,
            left: AtomicU64::new(1),
            pace: Mutex::new(Pace::new(interval, Instant::now())),
        }))
    }
}

/// Prepares to measure every `interval`, the same on all ranks; in our own measure where none is
/// given.
pub fn prepare(own: OwnComm<'static>, interval: Option<Duration>) -> Result<(), Code> {
    if let Some(midrun) = Midrun::agree(own, interval)? {
        let _ = MIDRUN.set(midrun);
    }
    Ok(())
}

/// Tells whether a function may be an opportunity, as no rank returns from it before all have
/// come; known when we are compiled.
#[inline]
pub const fn may_meet(function: FunctionId) -> bool {
    match collective(function) {
        Some(it) => it.is_joint() && matches!(it.form, Form::Blocking),
        None => false,
    }
}

/// After each call that the program makes: measures, if it is a good moment.
pub fn layer(call: &mut Call, next: Next) -> usize {
    let is_outermost = !thread::within();
    let result = next.go(call);
    if is_outermost && may_meet(call.function) {
        let (function, lang) = (call.function, call.lang);
        offer(thread::current(), function, lang, call.args, result);
    }
    result
}

/// After a call: measures, if all ranks have met in it and it is time.
#[inline(never)]
pub fn offer(
    thread: Option<Own<Thread>>,
    function: FunctionId,
    lang: Lang,
    args: &mut [usize],
    result: usize,
) {
    let Some(thread) = thread.map(Own::get) else {
        return;
    };
    let session = thread.session;
    let Some(midrun) = MIDRUN.get() else {
        return;
    };
    guarded(|| {
        let call = Call {
            function,
            lang,
            mpi: session.mpi,
            args,
        };
        if have_met(&mut ObservedCall::new(call, thread, 0), result)
            && midrun.left.fetch_sub(1, Ordering::Relaxed) == 1
            && midrun.ask(session, thread).is_err()
        {
            midrun.left.store(u64::MAX, Ordering::Relaxed);
        }
    });
}

/// Whether all ranks were in the operation, and could not leave it before all had come.
fn have_met(call: &mut ObservedCall, result: usize) -> bool {
    let shape = call.shape();
    let comm = shape.comm().filter(|_| may_meet(call.function));
    let Some(comm) = comm.and_then(|at| call.comm(at)) else {
        return false;
    };
    let all = !comm.inter && comm.local_size == call.session.identity.world_size;
    let brings = |[count, datatype]: [usize; 2]| call.bytes(call.count(count), datatype) > 0;
    let synchronizes = shape.brought().is_none_or(brings);
    all && call.succeeded(result) && synchronizes
}

impl Midrun {
    /// Hears what rank 0 decides, and does it.
    fn ask(&self, session: &'static Session, thread: &mut Thread) -> Result<(), Code> {
        let outermost = Working::begin(thread); // what follows is ours, as within a call
        let thread = outermost.thread().get();
        let mut word = [0; 9];
        if session.identity.rank == 0 {
            word = self.decide();
        }
        // All ranks come here, having counted alike.
        self.own.bcast(0, &mut word)?;
        let [measure, left @ ..] = word;
        self.left.store(u64::from_le_bytes(left), Ordering::Relaxed);
        if measure == 0 {
            return Ok(());
        }
        let region = region().id;
        let told = thread.seen && recording();
        if told {
            thread.push(ticks(), Fact::Enter { region, site: 0 });
        }
        let began = Instant::now();
        let measured = offsets::measure(session, LITTLE_PATIENCE);
        self.lock().measured(began.elapsed());
        if told {
            thread.push(ticks(), Fact::Leave { region });
        }
        measured.map(drop)
    }

    fn decide(&self) -> [u8; 9] {
        let (measure, left) = self.lock().decide(Instant::now());
        let mut word = [u8::from(measure); 9];
        word[1..].copy_from_slice(&left.to_le_bytes());
        word
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a measurement is in the trace: the time between two calls is ours, not
/// the program's.
pub fn region() -> Region {
    Region {
        id: FUNCTIONS.len() as u32,
        name: "mpiscope: clock offsets".into(),
        role: 1,
        user: false,
    }
}

/// Most operations between two questions: a broadcast of nine bytes after a
/// thousand collectives is not felt.
const MOST: u64 = 1000;
/// Time between measurements, unless it is given: this, or so many times as
/// long as a measurement takes.
const INTERVAL: Duration = Duration::from_secs(10);
const LEAST_TIMES: u32 = 1000;

/// How fast the program makes such operations, and when to measure next.
struct Pace {
    interval: Duration,
    /// The least time between measurements, in terms of what one takes.
    least_times: u32,
    /// When offsets are to be measured next.
    due: Instant,
    /// When the ranks asked last, and how many operations ago.
    asked: Instant,
    left: u64,
}

impl Pace {
    fn new(interval: Option<Duration>, now: Instant) -> Self {
        let least_times = if interval.is_some() { 0 } else { LEAST_TIMES };
        let interval = interval.unwrap_or(INTERVAL);
        Self {
            interval,
            least_times,
            due: now + interval,
            asked: now,
            left: 1,
        }
    }

    /// Returns whether to measure now, and after how many operations to ask
    /// again: about when it is due, but never more than twice as many as
    /// before, as programs change their pace.
    fn decide(&mut self, now: Instant) -> (bool, u64) {
        let measure = now >= self.due;
        if measure {
            self.due = now + self.interval;
        }
        let each = (now - self.asked).as_secs_f64() / self.left as f64;
        let until = (self.due - now).as_secs_f64();
        let enough = (until / each.max(1e-9)).ceil() as u64;
        self.left = enough.clamp(1, MOST.min(2 * self.left));
        self.asked = now;
        (measure, self.left)
    }

    /// Puts the next measurement off if this one took long.
    fn measured(&mut self, took: Duration) {
        self.asked += took;
        self.due = self.due.max(self.asked + took * self.least_times);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets `count` operations pass, each of so many milliseconds; returns when
    /// offsets were measured, in milliseconds, and how often the ranks asked.
    fn run(count: u64, each: impl Fn(u64) -> u64, took: u64) -> (Vec<u64>, u64) {
        let start = Instant::now();
        let mut pace = Pace::new(None, start);
        let (mut now, mut left, mut asked) = (0, 1, 0);
        let mut measured = Vec::new();
        for k in 0..count {
            now += each(k);
            left -= 1;
            if left == 0 {
                asked += 1;
                let (measure, next) = pace.decide(start + Duration::from_millis(now));
                left = next;
                if measure {
                    measured.push(now);
                    now += took;
                    pace.measured(Duration::from_millis(took));
                }
            }
        }
        (measured, asked)
    }

    #[test]
    fn offsets_are_measured_about_when_they_are_due() {
        let (measured, asked) = run(40_000, |_| 1, 0);
        assert_eq!(measured, [10_000, 20_000, 30_000, 40_000]);
        assert!(asked < 80, "{asked}");
        let (measured, _) = run(40, |_| 1_000, 0);
        assert_eq!(measured, [10_000, 20_000, 30_000, 40_000]);
    }

    #[test]
    fn a_program_that_slows_down_is_asked_in_time() {
        let (measured, _) = run(20_000, |k| if k < 15_000 { 1 } else { 20 }, 0);
        assert_eq!(measured[0], 10_000);
        assert!((20_000..40_000).contains(&measured[1]), "{measured:?}");
    }

    #[test]
    fn no_more_than_a_thousandth_of_the_time_is_spent() {
        let (measured, _) = run(200_000, |_| 1, 50);
        assert_eq!(measured.len(), 4, "{measured:?}");
    }
}
