//! What each rank did in the time that efficiencies are of: of a run from where the last rank leaves
//! MPI_Init to where the last one enters MPI_Finalize, of a phase from where the last rank begins it to
//! where the last one ends it.
//!
//! What a job takes to start and to end is no part of how well a program uses its ranks. Who comes
//! to MPI_Finalize before others has nothing to do until they come: that is the program's. Where ranks
//! run ahead of each other, a phase has what each did in its time, of whichever iteration.

use std::fmt;
use std::ops::Range;

use mpiscope_model::{plain, Duration, EventKind, Location, Timestamp, Trace};
use rayon::prelude::*;

use super::{Efficiency, IdealNetwork, NoIdeal};
use crate::iterations::PhaseKind;
use crate::profile::RankSum;
use crate::sharers::Sharers;
use crate::timeline::{is_init, spans, Doing, Regions, Timeline};
use crate::wait_states::{Kind, WaitState};

/// What ranks did in a part of the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// When it begins.
    pub begin: Timestamp,
    /// How long that is.
    pub length: Duration,
    /// Of each rank the work, as `time`, and the waiting; or why efficiencies have no meaning.
    pub ranks: Result<Vec<RankSum>, NoEfficiency>,
    /// How long it takes on an ideal network; or why that is not known.
    pub ideal: Result<Duration, NoIdeal>,
}

/// Iterations that follow one another, and what ranks did in their time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Which.
    pub kind: PhaseKind,
    /// Their numbers, from 0.
    pub iterations: Range<usize>,
    /// What ranks did.
    pub within: Within,
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
    /// Calls of MPI are not in the trace.
    CallsMissing,
    /// Clocks that nobody corrected contradict each other.
    Clocks,
}

impl fmt::Display for NoEfficiency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoEfficiency::SeveralThreads => "its ranks have several threads",
            NoEfficiency::Unrecorded => "a part of it was not recorded",
            NoEfficiency::RanksMissing => "it has ranks without events",
            NoEfficiency::CallsMissing => "calls of MPI are not in the trace, and look like work",
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
            ideal: Err(NoIdeal::NotReplayed),
        }
    }
}

impl Within {
    /// Returns the efficiencies, if they have a meaning.
    pub fn efficiency(&self) -> Option<Efficiency> {
        Efficiency::of(self.ranks.as_ref().ok()?, self.length, self.ideal)
    }
}

/// A part of the time, from its begin to its end.
type Window = (Timestamp, Timestamp);

/// A run as efficiencies see it.
pub(crate) struct Seen<'a> {
    pub trace: &'a Trace,
    pub lines: &'a [Timeline<'a>],
    pub waits: &'a [Vec<WaitState>],
    /// How many ranks it has.
    pub ranks: usize,
    /// The same run, as it can be replayed.
    pub replay: Option<&'a dyn IdealNetwork>,
    /// Those that share the trace, if all of its events are not here: the first adds up.
    pub sharers: Option<Sharers<'a>>,
}

impl Seen<'_> {
    /// Returns the time between MPI_Init and MPI_Finalize of a run, which lasts from the first to the
    /// last event.
    pub fn whole(&self, ends: [Timestamp; 2]) -> Window {
        let mut latest = ends_of_calls(self.trace, self.lines);
        if let Some(sharers) = self.sharers {
            let told = sharers.gather(vec![latest]).into_iter();
            latest = told.fold(Ends::default(), latest_of);
        }
        window(latest, ends)
    }

    /// Looks at parts of the time.
    pub fn within(&self, windows: Vec<Window>) -> Vec<Within> {
        let windows = match self.sharers {
            Some(sharers) => sharers.as_first(windows),
            None => windows,
        };
        let mut seen = self.locations(&windows);
        if let Some(sharers) = self.sharers {
            let told = sharers.gather(seen.concat());
            seen = told.chunks(windows.len()).map(<[_]>::to_vec).collect();
        }
        let each = windows.iter().enumerate();
        let of = |(number, &(begin, end)): (usize, &Window)| {
            let locations: Vec<OfLocation> = seen.iter().map(|it| it[number]).collect();
            Within {
                begin,
                length: end - begin,
                ideal: self.ideal(&locations, (begin, end)),
                ranks: self.ranks_of(&locations),
            }
        };
        each.map(of).collect()
    }

    /// Adds up what each location did in each part.
    fn locations(&self, windows: &[Window]) -> Vec<Vec<OfLocation>> {
        let regions = Regions::new(self.trace);
        let all = self.trace.locations.par_iter().zip(self.lines);
        let all = all.zip(self.waits);
        let used = all.filter(|((it, _), _)| !it.events.is_empty() && it.is_thread());
        let of = |((location, line), waits): ((&Location, &Timeline), &Vec<WaitState>)| {
            let new = OfLocation::new(location.rank.0);
            let mut sums = vec![new; windows.len()];
            spans(&location.events, &regions, &line.times, |span| {
                for (sum, window) in sums.iter_mut().zip(windows) {
                    let within = clipped(span.begin, span.end, *window);
                    match span.doing {
                        Doing::Work => sum.rank.time += within,
                        Doing::Unrecorded => sum.is_off |= within > Duration::ZERO,
                        _ => {}
                    }
                }
            });
            for state in waits.iter().filter(|it| !it.kind.is_among_threads()) {
                for (sum, window) in sums.iter_mut().zip(windows) {
                    let within = clipped(state.begin, state.end, *window);
                    sum.rank.waiting += within;
                    sum.waits_for_locks |=
                        state.kind == Kind::WindowLock && within > Duration::ZERO;
                }
            }
            sums
        };
        used.map(of).collect()
    }

    fn ranks_of(&self, locations: &[OfLocation]) -> Result<Vec<RankSum>, NoEfficiency> {
        let mut sums: Vec<RankSum> = locations.iter().map(|it| it.rank).collect();
        sums.sort_by_key(|sum| sum.rank);
        if sums.windows(2).any(|pair| pair[0].rank == pair[1].rank) {
            return Err(NoEfficiency::SeveralThreads);
        }
        if locations.iter().any(|it| it.is_off) {
            return Err(NoEfficiency::Unrecorded);
        }
        match sums.len() == self.ranks {
            true => Ok(sums),
            false => Err(NoEfficiency::RanksMissing),
        }
    }

    fn ideal(&self, locations: &[OfLocation], (begin, end): Window) -> Result<Duration, NoIdeal> {
        let replay = self.replay.ok_or(NoIdeal::NotReplayed)?;
        match locations.iter().any(|it| it.waits_for_locks) {
            true => Err(NoIdeal::Locks),
            false => replay.ideal(begin, end),
        }
    }
}

/// What a location did in a part of the time.
#[derive(Clone, Copy)]
struct OfLocation {
    rank: RankSum,
    /// Recording was off.
    is_off: bool,
    waits_for_locks: bool,
}

plain! { OfLocation { rank, is_off, waits_for_locks } }

impl OfLocation {
    fn new(rank: u32) -> OfLocation {
        OfLocation {
            rank: RankSum {
                rank,
                ..RankSum::default()
            },
            is_off: false,
            waits_for_locks: false,
        }
    }
}

/// When the last rank leaves MPI_Init and when the last one enters MPI_Finalize.
type Ends = [Option<Timestamp>; 2];

fn latest_of(a: Ends, b: Ends) -> Ends {
    [a[0].max(b[0]), a[1].max(b[1])]
}

/// Returns the time between these; first and last event stand in for calls that are not there.
fn window([begin, end]: Ends, [first, last]: [Timestamp; 2]) -> Window {
    let begin = begin.unwrap_or(first);
    (begin, end.unwrap_or(last).max(begin))
}

fn ends_of_calls(trace: &Trace, lines: &[Timeline]) -> Ends {
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
    ends.reduce(Ends::default, latest_of)
}

fn clipped(begin: Timestamp, end: Timestamp, window: Window) -> Duration {
    (end.min(window.1) - begin.max(window.0)).max(Duration::ZERO)
}
