//! Counters of the processor and the system, read as calls of MPI and the program's own regions begin
//! and end.
//!
//! Which there are is found out in MPI_Init, by the thread that calls it; all threads read the same.
//! Each opens them at its first call. A value stands before the enter or the leave that it is of; polls
//! read none, so what they count is told by whatever comes next.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::OnceLock;

use mpiscope_run::counters::{Counted, Counter, MOST};
use mpiscope_run::process::{Definition, Metric};
use mpiscope_run::record::Fact;

use super::metrics;
use super::sinks::Sinks;
use crate::base::counters::Group;
use crate::base::definitions;

/// Whether any counter is read.
static ARE_READ: AtomicBool = AtomicBool::new(false);
/// Those that are.
static CHOSEN: OnceLock<Chosen> = OnceLock::new();
/// The least thousandths of its time that any thread's counters were at work.
static AT_WORK: AtomicU64 = AtomicU64::new(1000);
/// Threads that got none.
static WITHOUT: AtomicU64 = AtomicU64::new(0);

/// What this process counts.
struct Chosen {
    counters: Vec<Counter>,
    /// Whether the system lets the kernel's part be counted, too.
    user_mode: bool,
    said: Counted,
}

/// What a thread has of its counters.
#[derive(Default)]
pub enum Counting {
    /// It has not asked for any.
    #[default]
    NotYet,
    /// These.
    By(Group),
    /// It gets none.
    Without,
}

/// Finds out which of these counters there are, and begins to read them; returns whether any is.
pub fn begin(names: &[String]) -> bool {
    if names.is_empty() {
        return false;
    }
    let chosen = choose(names);
    for (id, name) in (metrics::FIRST_COUNTER..).zip(&chosen.said.names) {
        definitions::tell(&Definition::Metric(Metric {
            id,
            name: name.clone(),
            real: false,
            counter: true,
        }));
    }
    definitions::tell(&Definition::Counted(chosen.said.clone()));
    let is_any = !chosen.counters.is_empty();
    if CHOSEN.set(chosen).is_ok() {
        ARE_READ.store(is_any, Ordering::Release);
    }
    is_any
}

/// Tells what has come of it, as recording ends.
pub fn finish() {
    let Some(chosen) = CHOSEN.get() else {
        return;
    };
    let at_work = AT_WORK.load(Ordering::Relaxed);
    definitions::tell(&Definition::Counted(Counted {
        at_work: (at_work < 1000).then_some(at_work),
        threads_without: WITHOUT.load(Ordering::Relaxed),
        ..chosen.said.clone()
    }));
}

/// Tries them one after the other; where the system forbids that the kernel's part be counted, in
/// user mode.
fn choose(names: &[String]) -> Chosen {
    let user_mode = is_forbidden(names);
    let (mut group, mut counters) = (Group::default(), Vec::new());
    let mut said = Counted::default();
    for name in names.iter().take(MOST) {
        let Some(counter) = Counter::named(name) else {
            continue;
        };
        let opened = match counter.in_kernel && user_mode {
            true => Err(std::io::Error::from_raw_os_error(libc::EACCES)),
            false => group.add(counter, user_mode),
        };
        match opened {
            Ok(()) => {
                counters.push(counter);
                let mode = if user_mode { ":u" } else { "" };
                said.names.push(format!("{name}{mode}"));
            }
            Err(error) => said.refused.push((name.clone(), reason(&error))),
        }
    }
    Chosen {
        counters,
        user_mode,
        said,
    }
}

/// Whether any of them could be counted, but for the system's rules on the kernel.
fn is_forbidden(names: &[String]) -> bool {
    let mut counters = names.iter().filter_map(|name| Counter::named(name));
    counters.any(|counter| {
        let tried = Group::default().add(counter, false);
        matches!(tried, Err(error) if is_forbidding(&error))
    })
}

fn is_forbidding(error: &std::io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EACCES | libc::EPERM))
}

/// Says why a counter is not there.
fn reason(error: &std::io::Error) -> String {
    const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";
    match error.raw_os_error() {
        Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP) => {
            "the processor does not have it, or the virtual machine does not show it".to_owned()
        }
        Some(libc::EINVAL) => "the processor cannot count it beside the others".to_owned(),
        Some(libc::ENOSYS) => "the kernel has no counters (perf_event_open)".to_owned(),
        _ if is_forbidding(error) => match std::fs::read_to_string(PARANOID) {
            Ok(level) => format!(
                "the system does not permit it (kernel.perf_event_paranoid is {})",
                level.trim()
            ),
            Err(_) => "the system does not permit it".to_owned(),
        },
        _ => error.to_string(),
    }
}

/// Opens a thread's counters.
#[cold]
fn open(chosen: &Chosen) -> Counting {
    let mut group = Group::default();
    for counter in &chosen.counters {
        if group.add(*counter, chosen.user_mode).is_err() {
            WITHOUT.fetch_add(1, Ordering::Relaxed);
            return Counting::Without;
        }
    }
    group.start();
    Counting::By(group)
}

/// Returns whether any counter is read.
#[inline(always)]
pub fn are_read() -> bool {
    ARE_READ.load(Ordering::Relaxed)
}

impl Counting {
    /// Tells what the thread's counters have counted.
    #[cold]
    pub fn tell(&mut self, time: u64, sinks: &mut Sinks) {
        let Some(chosen) = CHOSEN.get() else {
            return;
        };
        if matches!(self, Counting::NotYet) {
            *self = open(chosen);
        }
        let Counting::By(group) = self else {
            return;
        };
        let Some(values) = group.read() else {
            return;
        };
        if let Some(share) = values.at_work() {
            AT_WORK.fetch_min(share, Ordering::Relaxed);
        }
        let values = values.first(chosen.counters.len());
        for (metric, &bits) in (metrics::FIRST_COUNTER..).zip(values) {
            let real = false;
            sinks.trace(time, Fact::Metric { metric, real, bits });
        }
    }
}
