//! The critical path: the chain of work that the run's length follows from.
//!
//! From the last event one goes back in time at its location, to the latest
//! wait state there; from the moment at which that ended on, back at the
//! location that was waited for; and so on to the begin of the run (Böhme et
//! al. 2012). So the path passes through work and transfer and never through
//! waiting, its pieces follow each other without gaps, and it is as long as the
//! run. To shorten the run one must shorten what lies on it.

use std::cmp::Reverse;

use mpiscope_model::{plain, BoundKind, Location, LocationIndex, Matching, Timestamp, Trace};

use crate::sharers::Sharers;
use crate::timeline::Timeline;
use crate::wait_states::{find, timelines, timelines_by, WaitState};

/// A piece of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it is.
    pub location: LocationIndex,
    /// Its begin.
    pub begin: Timestamp,
    /// Its end, after its begin.
    pub end: Timestamp,
}

/// The critical path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Its pieces, by time.
    pub steps: Vec<Step>,
    /// How often it had to pass through waiting, as those who waited did so for
    /// each other by the clocks.
    pub contradictions: usize,
}

/// How often in a row the path may change its location without going back in
/// time. By right clocks that is hardly ever, by wrong ones in circles.
const TURNS: u32 = 64;

/// Finds the critical path of a trace.
pub fn critical_path(trace: &Trace) -> Path {
    let lines = timelines(trace);
    let matching = trace.matching();
    let waits = find(trace, &matching, &lines);
    through(trace, &matching, &lines, &waits, None)
}

/// Finds the path, and the wait states of each location that it follows from, by another clock,
/// which told these times of the events.
pub fn critical_path_by(
    trace: &Trace,
    matching: &Matching,
    times: &[&[Timestamp]],
) -> (Path, Vec<Vec<WaitState>>) {
    let lines = timelines_by(trace, times);
    let waits = find(trace, matching, &lines);
    (through(trace, matching, &lines, &waits, None), waits)
}

/// Finds the path by the wait states of each location. Of processes that share the trace each finds
/// what of it is at its own locations.
pub(crate) fn through(
    trace: &Trace,
    matching: &Matching,
    lines: &[Timeline],
    waits: &[Vec<WaitState>],
    sharers: Option<Sharers>,
) -> Path {
    let with_events = || (0..lines.len()).filter(|&at| acts(&trace.locations[at]));
    let begin = with_events().map(|at| lines[at].begin).min();
    let last = with_events().max_by_key(|&at| (lines[at].end, Reverse(at)));
    let mut ends: Vec<(Timestamp, Timestamp, u32)> = (begin.zip(last).into_iter())
        .map(|(begin, last)| (begin, lines[last].end, last as u32))
        .collect();
    if let Some(sharers) = sharers {
        ends = sharers.share(ends);
    }
    let Some(begin) = ends.iter().map(|it| it.0).min() else {
        return Path::default();
    };
    let last = ends.iter().max_by_key(|it| (it.1, Reverse(it.2)));
    let (_, now, last) = last.copied().unwrap_or_default();
    let mut walk = Walk {
        lines,
        waits,
        begin,
        origins: origins(trace, matching, lines),
        sharers,
        at: Some(Standing {
            location: LocationIndex(last),
            now,
            turns: 0,
        }),
        path: Path::default(),
    };
    while let Some(at) = walk.at {
        walk.back();
        walk.hand_over(at.location);
    }
    walk.path.steps.reverse();
    walk.path
}

/// Has the first know the whole path, of which each has its own part.
pub(crate) fn gathered(path: &Path, sharers: Sharers) -> Path {
    let steps = path.steps.iter();
    let steps = steps.map(|it| (it.location, it.begin, it.end)).collect();
    let steps = sharers.gather(steps).into_iter();
    let steps = steps.map(|(location, begin, end)| Step {
        location,
        begin,
        end,
    });
    let mut steps: Vec<Step> = steps.collect();
    // They follow each other without gaps.
    steps.sort_unstable_by_key(|step| step.begin);
    let contradictions = sharers.gather(vec![path.contradictions as u64]);
    Path {
        steps,
        contradictions: contradictions.into_iter().sum::<u64>() as usize,
    }
}

/// Returns whether a location is a thread that did something.
fn acts(location: &Location) -> bool {
    location.is_thread() && !location.events.is_empty()
}

/// Where a thread came from, and when, if that is known: else when it itself began.
#[derive(Clone, Copy)]
struct Origin {
    location: usize,
    since: Option<Timestamp>,
}

/// Returns where each location came from: from whom forked or created its thread, or else from the
/// first of its process that has events.
fn origins(trace: &Trace, matching: &Matching, lines: &[Timeline]) -> Vec<Origin> {
    let mut homes = std::collections::HashMap::new();
    let locations = trace.locations.iter().enumerate();
    for (at, location) in locations.filter(|(_, location)| acts(location)) {
        let home = homes.entry(location.rank).or_insert(at);
        if location.thread < trace.locations[*home].thread {
            *home = at;
        }
    }
    let of = |(at, location): (usize, &Location)| Origin {
        location: homes.get(&location.rank).copied().unwrap_or(at),
        since: None,
    };
    let mut origins: Vec<Origin> = trace.locations.iter().enumerate().map(of).collect();
    let bounds = matching.bounds.iter();
    let begins = bounds.filter(|it| it.kind == BoundKind::Thread && it.receive.index == 0);
    for bound in begins.filter(|it| it.send.location != it.receive.location) {
        let location = bound.send.location.index();
        origins[bound.receive.location.index()] = Origin {
            location,
            since: Some(lines[location].times[bound.send.index as usize]),
        };
    }
    origins
}

/// A walk back in time.
struct Walk<'a> {
    lines: &'a [Timeline<'a>],
    waits: &'a [Vec<WaitState>],
    /// Where it ends.
    begin: Timestamp,
    origins: Vec<Origin>,
    sharers: Option<Sharers<'a>>,
    /// Nothing once it has ended.
    at: Option<Standing>,
    path: Path,
}

/// Where the walk is.
#[derive(Clone, Copy)]
struct Standing {
    location: LocationIndex,
    now: Timestamp,
    /// How often in a row it has changed its location without going back in time.
    turns: u32,
}

plain! { Standing { location, now, turns } }

impl Walk<'_> {
    /// Goes back as far as it is known here.
    fn back(&mut self) {
        while let Some(at) = self.at.filter(|it| self.is_here(it.location)) {
            let mut next = at;
            let waits = &self.waits[at.location.index()];
            let begun = waits.partition_point(|wait| wait.begin < at.now);
            match begun.checked_sub(1).map(|number| waits[number]) {
                Some(wait) if at.turns < TURNS => {
                    self.step(&mut next, wait.end);
                    next.location = wait.cause.location;
                }
                Some(wait) => {
                    self.path.contradictions += 1;
                    self.step(&mut next, wait.begin);
                }
                None => {
                    let own = self.lines[at.location.index()].begin;
                    self.step(&mut next, own.max(self.begin));
                    let origin = self.origins[at.location.index()];
                    let is_first = origin.location == at.location.index();
                    if next.now <= self.begin || is_first || at.turns >= TURNS {
                        self.step(&mut next, self.begin);
                        self.at = None;
                        return;
                    }
                    let since = origin.since.unwrap_or(next.now);
                    self.step(&mut next, since);
                    next.location = LocationIndex(origin.location as u32);
                }
            }
            next.turns = if next.now < at.now { 0 } else { at.turns + 1 };
            self.at = Some(next);
        }
    }

    fn is_here(&self, location: LocationIndex) -> bool {
        self.sharers.is_none_or(|sharers| sharers.has(location))
    }

    /// Has all know where it is now, as who has the location tells that it was at before.
    fn hand_over(&mut self, before: LocationIndex) {
        if let Some(sharers) = self.sharers {
            let mine = sharers.has(before).then_some(self.at);
            let told = sharers.share(mine.into_iter().collect());
            self.at = told.first().copied().flatten();
        }
    }

    /// Goes back to a moment, unless that is not before.
    fn step(&mut self, at: &mut Standing, begin: Timestamp) {
        if begin < at.now {
            self.path.steps.push(Step {
                location: at.location,
                begin,
                end: at.now,
            });
            at.now = begin;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expects the path, as `0: 0-10, 1: 10-20`.
    #[track_caller]
    fn check(picture: &str, expected: &str) {
        let trace = Trace::parse(picture).unwrap();
        let path = critical_path(&trace);
        let step = |step: &Step| {
            let rank = trace.locations[step.location.index()].rank.0;
            format!("{rank}: {}-{}", step.begin.0, step.end.0)
        };
        let shown: Vec<String> = path.steps.iter().map(step).collect();
        let wrong = match path.contradictions {
            0 => String::new(),
            count => format!(", {count} contradictions"),
        };
        assert_eq!(shown.join(", ") + &wrong, expected, "{picture}");
    }

    #[test]
    fn who_is_alone_is_on_the_path() {
        check("0: 3 9", "0: 3-9");
        check("", "");
    }

    #[test]
    fn accelerators_are_not_on_it() {
        check("accelerator 0.1 1:\n0: 3 9\n0.1: 1 20\n1: 0 30", "0: 3-9");
        check("metric 0:\n0: 3 9", "");
    }

    #[test]
    fn the_path_goes_back_to_whom_was_waited_for() {
        check(
            "0: 0 enter(MPI_Recv) 52 recv<1 53 leave(MPI_Recv) 80
             1: 0 50 enter(MPI_Send) 51 send>0 54 leave(MPI_Send) 60",
            "1: 0-50, 0: 50-80",
        );
    }

    #[test]
    fn who_came_later_than_the_message_stays_on_it() {
        check(
            "0: 0 60 enter(MPI_Recv) 62 recv<1 63 leave(MPI_Recv) 80
             1: 0 50 enter(MPI_Send) 51 send>0 54 leave(MPI_Send) 70",
            "0: 0-80",
        );
    }

    #[test]
    fn it_passes_from_rank_to_rank_through_barriers() {
        check(
            "0: 0 10 barrier{ 51 } 90 barrier{ 91 } 92
             1: 0 50 barrier{ 51 } 60 barrier{ 91 } 95",
            "1: 0-50, 0: 50-90, 1: 90-95",
        );
    }

    #[test]
    fn a_chain_of_waits_is_followed_to_its_begin() {
        check(
            "0: 0 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv) 80
             1: 0 enter(MPI_Recv) 52 recv<2 53 leave(MPI_Recv) 70 enter(MPI_Send) 71 send>0 72 leave(MPI_Send)
             2: 0 50 enter(MPI_Send) 51 send>1 52 leave(MPI_Send)",
            "2: 0-50, 1: 50-70, 0: 70-80",
        );
    }

    #[test]
    fn a_thread_began_in_its_process() {
        check(
            "0: 0 enter(MPI_Recv) 22 recv<1 23 leave(MPI_Recv) 30
             0.1: 40 60
             1: 0 20 enter(MPI_Send) 21 send>0 24 leave(MPI_Send)",
            "1: 0-20, 0: 20-40, 0: 40-60",
        );
    }

    #[test]
    fn a_thread_that_was_late_to_begin_came_from_its_fork() {
        check(
            "0: 0 10 fork(2) 11 team_begin(t) 12 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t) 53 join
             0.1: 30 team_begin(t) 50 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t)",
            "0: 0-10, 0: 10-30, 0: 30-50, 0: 50-53",
        );
    }

    #[test]
    fn who_began_late_is_followed_to_the_begin_of_the_run() {
        check("0: 0 10\n1: 5 20", "1: 0-5, 1: 5-20");
    }

    #[test]
    fn clocks_that_make_everybody_wait_for_everybody_end_it_all_the_same() {
        check(
            "0: 10 enter(MPI_Recv) 20 recv<1 30 leave(MPI_Recv) 50 send>1 60
             1: 10 enter(MPI_Recv) 20 recv<0 30 leave(MPI_Recv) 50 send>0 60",
            "1: 10-30, 0: 30-60, 1 contradictions",
        );
    }
}
