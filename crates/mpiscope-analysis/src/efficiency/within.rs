//! What each rank did in the time that efficiencies are of: from where the last rank leaves MPI_Init
//! to where the last one enters MPI_Finalize.
//!
//! What a job takes to start and to end is no part of how well a program uses its ranks. Who comes
//! to MPI_Finalize before others has nothing to do until they come: that is the program's.

use std::fmt;

use mpiscope_model::{Duration, EventKind, Timestamp, Trace};
use rayon::prelude::*;

use super::Efficiency;
use crate::profile::RankSum;
use crate::timeline::{is_init, spans, Doing, Regions, Timeline};
use crate::wait_states::WaitState;

/// What ranks did between MPI_Init and MPI_Finalize.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// When it begins.
    pub begin: Timestamp,
    /// How long that is.
    pub length: Duration,
    /// Of each rank the work, as `time`, and the waiting; or why efficiencies have no meaning.
    pub ranks: Result<Vec<RankSum>, NoEfficiency>,
}

/// Why the efficiencies of a run have no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEfficiency {
    /// Ranks have several threads, whose work this model does not tell apart.
    SeveralThreads,
    /// Recording was off.
    Unrecorded,
    /// Of ranks there are no events.
    RanksMissing,
    /// Clocks that nobody corrected contradict each other.
    Clocks,
}

impl fmt::Display for NoEfficiency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoEfficiency::SeveralThreads => "its ranks have several threads",
            NoEfficiency::Unrecorded => "a part of it was not recorded",
            NoEfficiency::RanksMissing => "it has ranks without events",
            NoEfficiency::Clocks => "its clocks contradict each other",
        })
    }
}

impl Default for Within {
    fn default() -> Within {
        Within {
            begin: Timestamp::default(),
            length: Duration::ZERO,
            ranks: Ok(Vec::new()),
        }
    }
}

impl Within {
    /// Looks at a run of so many ranks, which lasts from the first to the last event.
    pub(crate) fn of(
        trace: &Trace,
        lines: &[Timeline],
        waits: &[Vec<WaitState>],
        whole: [Timestamp; 2],
        ranks: usize,
    ) -> Within {
        let (begin, end) = window(trace, lines, whole);
        let found = sums(trace, lines, waits, (begin, end));
        let has_all = |found: Vec<RankSum>| match found.len() == ranks {
            true => Ok(found),
            false => Err(NoEfficiency::RanksMissing),
        };
        Within {
            begin,
            length: end - begin,
            ranks: found.and_then(has_all),
        }
    }

    /// Returns the efficiencies, if they have a meaning.
    pub fn efficiency(&self) -> Option<Efficiency> {
        Efficiency::of(self.ranks.as_ref().ok()?, self.length)
    }
}

/// Returns when the last rank leaves MPI_Init and when the last one enters MPI_Finalize; first and
/// last event stand in for calls that are not there.
fn window(
    trace: &Trace,
    lines: &[Timeline],
    [first, last]: [Timestamp; 2],
) -> (Timestamp, Timestamp) {
    type Ends = [Option<Timestamp>; 2];
    let regions = &trace.definitions.regions;
    let named = |is: fn(&str) -> bool| -> Vec<bool> {
        regions.iter().map(|region| is(&region.name)).collect()
    };
    let (inits, finalizes) = (named(is_init), named(|it| it == "MPI_Finalize"));
    let is_in = |all: &[bool], region: u32| all.get(region as usize) == Some(&true);
    // Streams of accelerators and the like have no times here.
    let all = trace.locations.par_iter().zip(lines);
    let ends = all.filter(|(it, _)| it.is_thread()).map(|(it, line)| {
        let mut ends = Ends::default();
        let rows = it.events.kinds().iter().zip(it.events.args());
        let enters = (0..).zip(rows).filter(|it| *it.1 .0 == EventKind::Enter);
        for (index, (_, &region)) in enters {
            let call = || line.around(index).filter(|it| it.enter == index);
            if is_in(&inits, region) {
                ends[0] = ends[0].max(call().map(|it| it.end));
            } else if is_in(&finalizes, region) {
                ends[1] = ends[1].max(call().map(|it| it.begin));
            }
        }
        ends
    });
    let latest = |a: Ends, b: Ends| [a[0].max(b[0]), a[1].max(b[1])];
    let [begin, end] = ends.reduce(Ends::default, latest);
    let begin = begin.unwrap_or(first);
    (begin, end.unwrap_or(last).max(begin))
}

fn sums(
    trace: &Trace,
    lines: &[Timeline],
    waits: &[Vec<WaitState>],
    window: (Timestamp, Timestamp),
) -> Result<Vec<RankSum>, NoEfficiency> {
    let regions = Regions::new(trace);
    let all = trace.locations.par_iter().zip(lines).zip(waits);
    let used = all.filter(|((it, _), _)| !it.events.is_empty() && it.is_thread());
    let found: Vec<(RankSum, bool)> = used
        .map(|((location, line), waits)| {
            let mut sum = RankSum {
                rank: location.rank.0,
                ..RankSum::default()
            };
            let mut is_off = false;
            spans(&location.events, &regions, &line.times, |span| {
                let within = clipped(span.begin, span.end, window);
                match span.doing {
                    Doing::Work => sum.time += within,
                    Doing::Unrecorded => is_off |= within > Duration::ZERO,
                    _ => {}
                }
            });
            for state in waits.iter().filter(|it| !it.kind.is_among_threads()) {
                sum.waiting += clipped(state.begin, state.end, window);
            }
            (sum, is_off)
        })
        .collect();
    let is_off = found.iter().any(|it| it.1);
    let mut sums: Vec<RankSum> = found.into_iter().map(|it| it.0).collect();
    sums.sort_by_key(|sum| sum.rank);
    if sums.windows(2).any(|pair| pair[0].rank == pair[1].rank) {
        return Err(NoEfficiency::SeveralThreads);
    }
    match is_off {
        true => Err(NoEfficiency::Unrecorded),
        false => Ok(sums),
    }
}

fn clipped(begin: Timestamp, end: Timestamp, window: (Timestamp, Timestamp)) -> Duration {
    (end.min(window.1) - begin.max(window.0)).max(Duration::ZERO)
}
