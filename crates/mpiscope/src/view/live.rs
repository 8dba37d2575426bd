//! A job that keeps statistics, for the page: what `mpiscope top` sees of it, whenever it is asked.
//!
//! The page asks once a second. Nobody looks while no page is open, so that the course over time is
//! that of the moments at which somebody looked.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{bail, Result};
use mpiscope_serve::Live;
use serde::Serialize;
use serde_json::{json, Value};

use crate::top::{Eye, RankView, View};
use crate::{packed, say, stats};

/// Two looks are so far apart at least, however many pages ask.
const APART: Duration = Duration::from_millis(700);
/// Moments of the course that are kept: ten minutes of a look a second.
const MOMENTS: usize = 600;

/// Returns the job that is to be shown, if the inputs are one that left statistics and no trace.
pub fn asked(inputs: &[std::path::PathBuf]) -> Result<Option<Watched>> {
    let Some(job) = inputs.iter().find(|it| it.is_dir() && stats::only(it)) else {
        return Ok(None);
    };
    if inputs.len() > 1 {
        bail!(
            "{0} has statistics and no trace, and is shown on a page of its own: `mpiscope view {0}`",
            job.display()
        );
    }
    // What a killed job left in memory is taken into the run first.
    drop(stats::load(job)?);
    Watched::open(job).map(Some)
}

/// A job that is looked at from time to time.
pub struct Watched {
    name: String,
    seen: Mutex<Seen>,
}

/// What was seen so far.
struct Seen {
    eye: Eye,
    /// The totals of the look before the last, and of the last.
    totals: [Totals; 2],
    /// What ranks did between the last two looks, in the order of ranks.
    recent: Vec<Recent>,
    course: VecDeque<Moment>,
    /// What went wrong at the last look.
    trouble: Option<String>,
}

/// What all ranks had done until a look.
#[derive(Clone, Debug, Default)]
struct Totals(Vec<(u32, Sums)>);

/// Times of a rank until a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    time: u64,
    mpi: u64,
    waiting: Option<u64>,
}

/// Shares of a rank's time between two looks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Recent {
    rank: u32,
    mpi: f64,
    /// Nothing where waiting is not told apart.
    waiting: Option<f64>,
}

/// What all ranks did between two looks.
#[derive(Clone, Copy, Debug, Serialize)]
struct Moment {
    at_ns: u64,
    calls_per_second: f64,
    bytes_per_second: f64,
    mpi: Option<f64>,
    waiting: Option<f64>,
}

impl Watched {
    fn open(run: &Path) -> Result<Watched> {
        let given = packed::given(run);
        let name = given.file_name().unwrap_or(given.as_os_str());
        let eye = Eye::open(run)?;
        let totals = Totals::of(eye.view());
        Ok(Watched {
            name: name.to_string_lossy().into_owned(),
            seen: Mutex::new(Seen {
                eye,
                totals: [Totals::default(), totals],
                recent: Vec::new(),
                course: VecDeque::new(),
                trouble: None,
            }),
        })
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // A look that panicked leaves what was seen before.
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.eye.since() >= APART {
            seen.look();
        }
        seen
    }
}

impl Live for Watched {
    fn name(&self) -> &str {
        &self.name
    }

    fn look(&self, rank: Option<u32>) -> Result<Value, String> {
        let seen = self.seen();
        let view = seen.eye.view();
        let info = &seen.eye.loaded().info;
        let statements = rank.map(|rank| seen.eye.of_rank(rank));
        let looked = json!({
            "name": self.name,
            "program": info.program,
            "command": info.command.join(" "),
            "mpi": format!("{} {}", info.mpi.name, info.mpi.version).trim(),
            "hosts": hosts(view),
            "world": info.world_size.max(view.ranks.len() as u32),
            "phase": phase(view),
            "started_ns": started(&seen),
            "heard_ns": heard(&seen),
            "view": view,
            "recent": seen.recent,
            "course": seen.course,
            "rank": rank.map(|rank| json!({ "rank": rank, "statements": statements })),
            "trouble": seen.trouble,
        });
        Ok(looked)
    }

    fn written(&self) -> Result<String, String> {
        let seen = self.seen();
        Ok(stats::written(Path::new(&self.name), seen.eye.loaded()))
    }
}

impl Seen {
    fn look(&mut self) {
        if let Err(error) = self.eye.look() {
            // What was seen stays, with what went wrong.
            self.trouble = Some(say::chain(&error));
            return;
        }
        self.trouble = None;
        let view = self.eye.view();
        let now = Totals::of(view);
        let [_, before] = std::mem::take(&mut self.totals);
        // Of an ended job nothing changes any more.
        let (recent, moment) = (now.since(&before), now.moment(&before, view));
        if moment.mpi.is_some() {
            if self.course.len() == MOMENTS {
                self.course.pop_front();
            }
            self.course.push_back(moment);
        }
        self.recent = recent;
        self.totals = [before, now];
    }
}

impl Totals {
    fn of(view: &View) -> Totals {
        let sums = |it: &RankView| Sums {
            time: it.time_ns,
            mpi: it.time_ns.saturating_sub(it.work_ns),
            waiting: it.waiting_ns,
        };
        Totals(view.ranks.iter().map(|it| (it.rank, sums(it))).collect())
    }

    fn before(&self, rank: u32) -> Option<&Sums> {
        self.0.iter().find(|it| it.0 == rank).map(|it| &it.1)
    }

    /// Returns what each rank that went on did since an earlier look.
    fn since(&self, earlier: &Totals) -> Vec<Recent> {
        let recent = |(rank, now): &(u32, Sums)| {
            let before = earlier.before(*rank)?;
            let time = now.time.checked_sub(before.time).filter(|it| *it > 0)? as f64;
            let share = |now: u64, before: u64| (now.saturating_sub(before) as f64 / time).min(1.0);
            Some(Recent {
                rank: *rank,
                mpi: share(now.mpi, before.mpi),
                waiting: (now.waiting).map(|it| share(it, before.waiting.unwrap_or(0))),
            })
        };
        self.0.iter().filter_map(recent).collect()
    }

    fn moment(&self, earlier: &Totals, view: &View) -> Moment {
        let recent = self.since(earlier);
        let mean = |sum: f64| (!recent.is_empty()).then(|| sum / recent.len() as f64);
        let waiting: Option<f64> = recent.iter().map(|it| it.waiting).sum();
        Moment {
            at_ns: view.at_ns,
            calls_per_second: view.calls_per_second,
            bytes_per_second: view.bytes_per_second,
            mpi: mean(recent.iter().map(|it| it.mpi).sum()),
            waiting: waiting.and_then(mean),
        }
    }
}

/// Says how far it is: as long as one rank runs, it runs.
fn phase(view: &View) -> &'static str {
    let is = |state: &str| view.ranks.iter().any(|it| it.state == state);
    match () {
        () if is("running") => "running",
        () if is("died") => "died",
        () if is("silent") => "silent",
        () => "ended",
    }
}

fn hosts(view: &View) -> Vec<&str> {
    let mut hosts: Vec<&str> = view.ranks.iter().map(|it| it.host.as_str()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    hosts
}

/// Returns when the first rank began, in nanoseconds since 1970.
fn started(seen: &Seen) -> Option<u64> {
    moments(seen, 0).min()
}

/// Returns when something was heard of it last, in nanoseconds since 1970.
fn heard(seen: &Seen) -> Option<u64> {
    moments(seen, 1).max()
}

/// Returns when each thread's statistics begin (0) or end (1).
fn moments(seen: &Seen, end: usize) -> impl Iterator<Item = u64> + '_ {
    let processes = &seen.eye.loaded().processes;
    let threads = processes.iter().flat_map(|it| &it.threads);
    threads.map(move |it| it.span[end].realtime)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(of: &[(u32, u64, u64, Option<u64>)]) -> Totals {
        let sums = |&(rank, time, mpi, waiting)| (rank, Sums { time, mpi, waiting });
        Totals(of.iter().map(sums).collect())
    }

    #[test]
    fn what_ranks_did_since_a_look_are_shares_of_their_time() {
        let before = totals(&[
            (0, 100, 50, Some(10)),
            (1, 100, 0, None),
            (2, 80, 80, Some(80)),
        ]);
        let now = totals(&[
            (0, 200, 75, Some(30)),
            (1, 200, 100, Some(5)),
            (2, 80, 80, Some(80)),
            (3, 50, 1, None),
        ]);
        let recent = |rank, mpi, waiting| Recent { rank, mpi, waiting };
        // Rank 2 has ended, of rank 3 nothing was known before.
        assert_eq!(
            now.since(&before),
            [recent(0, 0.25, Some(0.2)), recent(1, 1.0, Some(0.05))]
        );
        let moment = now.moment(&before, &View::default());
        assert_eq!((moment.mpi, moment.waiting), (Some(0.625), Some(0.125)));
    }

    #[test]
    fn a_job_at_rest_has_no_course() {
        let now = totals(&[(0, 100, 50, None)]);
        assert_eq!(now.moment(&now, &View::default()).mpi, None);
    }

    #[test]
    fn as_long_as_one_rank_runs_the_job_runs() {
        let view = |states: &[&'static str]| View {
            ranks: states
                .iter()
                .map(|state| RankView {
                    state,
                    ..RankView::default()
                })
                .collect(),
            ..View::default()
        };
        assert_eq!(phase(&view(&["ended", "running", "died"])), "running");
        assert_eq!(phase(&view(&["ended", "died"])), "died");
        assert_eq!(phase(&view(&["ended", "silent"])), "silent");
        assert_eq!(phase(&view(&["ended"])), "ended");
    }
}
