//! Whether replay still moves: a thread of our own that looks, now and then,
//! at what the program's threads are doing, and at what other ranks say.
//!
//! A thread that is not in a call computes, and may do so for hours, unless it
//! is one of several and uses no processor, as one that joins others. A thread
//! is stuck when for a while it has been in one call, or has made no calls but
//! polls that say no; a rank when all its threads are. Only when all ranks are
//! stuck, have finished or are no more, nobody will ever help anybody: then
//! each says what it waits for, and ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mpiscope_run::order::outcome::{self, State};

use super::outcome::{give_up, waits, write_outcome};
use super::state::{Session, Shared};

static STOP: AtomicBool = AtomicBool::new(false);

/// Begins to watch.
pub fn start(session: &'static Session, patience: Duration) {
    let _ = crate::base::helper::without_signals(|| {
        std::thread::Builder::new()
            .name("mpiscope-watch".into())
            .stack_size(256 << 10)
            .spawn(move || watch(session, patience))
    });
}

/// Ends watching.
pub fn stop() {
    STOP.store(true, Ordering::Release);
}

struct Seen {
    steps: u64,
    progress: u64,
    since: Instant,
    /// Steps at the last look.
    last: u64,
    /// Processor time that it has used, as the system counts.
    used: u64,
    /// It waits within MPI, or polls in vain.
    stuck: bool,
    /// It is outside of MPI, and asleep.
    idle: bool,
}

fn watch(session: &'static Session, patience: Duration) {
    let tick = (patience / 8).clamp(Duration::from_millis(20), Duration::from_secs(1));
    let mut seen: Vec<Seen> = Vec::new();
    let (mut said, mut confirmed) = (false, 0);
    while !STOP.load(Ordering::Acquire) {
        std::thread::sleep(tick);
        let threads = session.threads();
        look(&threads, &mut seen, patience);
        let stuck =
            seen.iter().any(|seen| seen.stuck) && seen.iter().all(|seen| seen.stuck || seen.idle);
        if !stuck {
            if said {
                // It goes on after all.
                let _ = write_outcome(session, State::Silent, Vec::new());
            }
            (said, confirmed) = (false, 0);
            continue;
        }
        if !said {
            said = write_outcome(session, State::Stalled, waits(session, &threads)).is_ok();
        }
        let said_all = outcome::note_gone(&session.run).unwrap_or_default();
        let spoke = said_all.iter().filter(|rank| rank.state != State::Silent);
        let all = spoke.count() as u32 == session.size;
        confirmed = if all { confirmed + 1 } else { 0 };
        if confirmed >= 3 {
            give_up(session, State::Stalled);
        }
    }
}

/// Returns how much of a processor a thread has used: user and system time of
/// proc(5), after the name, which may hold anything.
fn used(tid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/self/task/{tid}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let times = fields.split_whitespace().skip(11).take(2);
    times.filter_map(|time| time.parse::<u64>().ok()).sum()
}

fn look(threads: &[&'static Shared], seen: &mut Vec<Seen>, patience: Duration) {
    let now = Instant::now();
    for (k, thread) in threads.iter().enumerate() {
        let steps = thread.place.steps();
        let progress = thread.place.progress();
        if k == seen.len() {
            seen.push(Seen {
                steps,
                progress,
                since: now,
                last: steps,
                used: 0,
                stuck: false,
                idle: false,
            });
        }
        let seen = &mut seen[k];
        let in_one_call = steps == seen.steps && steps % 2 == 1;
        let polls = steps != seen.last && progress == seen.progress;
        let outside = steps == seen.steps && steps % 2 == 0 && threads.len() > 1;
        let used = if outside { used(thread.tid) } else { 0 };
        let idle = outside && used == seen.used;
        if !in_one_call && !polls && !idle {
            (seen.steps, seen.progress, seen.since) = (steps, progress, now);
        }
        (seen.last, seen.used) = (steps, used);
        let long = now - seen.since >= patience;
        (seen.stuck, seen.idle) = (long && !idle, long && idle);
    }
}
