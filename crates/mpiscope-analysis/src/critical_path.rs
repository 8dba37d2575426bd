//! The critical path: the chain of work that the run's length follows from.
//!
//! From the last event one goes back in time at its location, to the latest
//! wait state there; from the moment at which that ended on, back at the
//! location that was waited for; and so on to the begin of the run (Böhme et
//! al. 2012). So the path passes through work and transfer and never through
//! waiting, its pieces follow each other without gaps, and it is as long as the
//! run. To shorten the run one must shorten what lies on it.

use mpiscope_model::{BoundKind, Location, LocationIndex, Matching, Timestamp, Trace};

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
const TURNS: usize = 64;

/// Finds the critical path of a trace.
pub fn critical_path(trace: &Trace) -> Path {
    let lines = timelines(trace);
    let matching = trace.matching();
    let waits = find(trace, &matching, &lines);
    through(trace, &matching, &lines, &waits)
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
    (through(trace, matching, &lines, &waits), waits)
}

/// Finds the path by the wait states of each location.
pub(crate) fn through(
    trace: &Trace,
    matching: &Matching,
    lines: &[Timeline],
    waits: &[Vec<WaitState>],
) -> Path {
    let with_events = || (0..lines.len()).filter(|&at| acts(&trace.locations[at]));
    let Some(begin) = with_events().map(|at| lines[at].begin).min() else {
        return Path::default();
    };
    let last = with_events().max_by_key(|&at| (lines[at].end, std::cmp::Reverse(at)));
    let last = last.unwrap_or_default();
    let mut walk = Walk {
        lines,
        waits,
        location: last,
        now: lines[last].end,
        path: Path::default(),
    };
    walk.back_to(begin, &origins(trace, matching, lines));
    walk.path.steps.reverse();
    walk.path
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
    location: usize,
    now: Timestamp,
    path: Path,
}

impl Walk<'_> {
    fn back_to(&mut self, begin: Timestamp, origins: &[Origin]) {
        let mut turns = 0;
        loop {
            let before = self.now;
            let waits = &self.waits[self.location];
            let begun = waits.partition_point(|wait| wait.begin < self.now);
            match begun.checked_sub(1).map(|number| waits[number]) {
                Some(wait) if turns < TURNS => {
                    self.step(wait.end);
                    self.location = wait.cause.location.index();
                }
                Some(wait) => {
                    self.path.contradictions += 1;
                    self.step(wait.begin);
                }
                None => {
                    self.step(self.lines[self.location].begin.max(begin));
                    let origin = origins[self.location];
                    if self.now <= begin || origin.location == self.location || turns >= TURNS {
                        return self.step(begin);
                    }
                    self.step(origin.since.unwrap_or(self.now));
                    self.location = origin.location;
                }
            }
            turns = if self.now < before { 0 } else { turns + 1 };
        }
    }

    /// Goes back to a moment, unless that is not before.
    fn step(&mut self, begin: Timestamp) {
        if begin < self.now {
            self.path.steps.push(Step {
                location: LocationIndex(self.location as u32),
                begin,
                end: self.now,
            });
            self.now = begin;
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
