//! Iterations: where a program comes back to one statement again and again, doing the same in
//! between.
//!
//! The statement is an *anchor*: an iteration lasts from the moment at which a rank leaves one call
//! of it to the moment at which it leaves the next. Among all statements the anchor is the one whose
//! iterations cover most time and are alike ([`repeats`]), of those that are about as good the one with
//! most iterations that all call about the same. It is looked for among the collective operations of
//! all processes, which number iterations alike everywhere, and among the calls of each process, where
//! all have an anchor that is called equally often.
//!
//! ```
//! use mpiscope_analysis::iterations::Iterations;
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 0 10 barrier{ 20 } 30 barrier{ 40 } 50 barrier{ 60 } 85 barrier{ 100 }
//!     1: 0 18 barrier{ 20 } 38 barrier{ 40 } 58 barrier{ 60 } 98 barrier{ 100 }
//! ")?;
//! let found = Iterations::of(&trace, &trace.matching()).unwrap();
//! assert_eq!((found.count(), found.calls()), (3, 4));
//! assert_eq!(found.measure(&trace, &trace.matching()).median.0, 20);
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod lengths;
mod phases;
mod repeats;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use mpiscope_model::{
    CollectiveOp, Event, EventKind, EventRef, LocationIndex, Matching, RegionId, Trace,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::processes::Processes;
use crate::races::{first_of_lines, CallPlace};
use crate::timeline::{is_init, spans, Doing, Regions, Timeline};
use crate::wait_states::{find, timelines, WaitState};

pub(crate) use lengths::median;
pub use lengths::{Drift, Lengths, Parts, Slow, What};
pub use phases::PhaseKind;
use repeats::{Repeat, Step};

/// Fewer iterations are none.
const FEWEST: usize = 3;
/// An anchor that covers a smaller share of the time, in iterations that are alike, is none.
const WEAKEST: f64 = 0.3;

/// The iterations of a run; they do not depend on a clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterations {
    /// The statement that they are counted by: that of the lowest rank.
    pub anchor: CallPlace,
    /// The anchor is a collective operation of all processes, by which all number iterations alike;
    /// else each process has its own anchor, called equally often by all.
    pub is_collective: bool,
    /// Of each process in the order of ranks: where iterations begin and end.
    pub ranks: Vec<OfRank>,
    /// Which share of the time between MPI_Init and MPI_Finalize they cover.
    pub share: f64,
    /// Which share of them call what most of them call, and take about as long.
    pub alike: f64,
}

/// The iterations of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfRank {
    /// World rank.
    pub rank: u32,
    /// The thread that calls the anchor.
    pub location: LocationIndex,
    /// The last event of each call of the anchor: one more than there are iterations.
    pub bounds: Vec<u32>,
}

/// Why there are no iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoIterations {
    /// No process calls MPI.
    NoCalls,
    /// No statement is called so often that what is in between is alike and takes a good part of
    /// the time.
    NothingRepeats,
    /// Processes repeat themselves, each as often as it likes.
    RanksDiffer,
}

impl fmt::Display for NoIterations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoIterations::NoCalls => "no process calls MPI",
            NoIterations::NothingRepeats => {
                "no statement is called again and again, for a good part of the time, with the same \
                 calls in between"
            }
            NoIterations::RanksDiffer => {
                "the ranks repeat themselves, but no two statements of them equally often"
            }
        })
    }
}

impl Iterations {
    /// Finds the iterations of a trace.
    ///
    /// # Errors
    /// When there are none: why.
    pub fn of(trace: &Trace, matching: &Matching) -> Result<Iterations, NoIterations> {
        Iterations::among(trace, matching, &timelines(trace))
    }

    pub(crate) fn among(
        trace: &Trace,
        matching: &Matching,
        lines: &[Timeline],
    ) -> Result<Iterations, NoIterations> {
        let look = Look::new(trace, lines)?;
        let skeleton = look.skeleton(matching);
        let own = look.own_calls();
        // Of equals the one is taken that all processes share.
        let best = match (skeleton, own) {
            (Some(skeleton), Ok(own)) if own.repeat().beats(&skeleton.repeat()) => own,
            (Some(skeleton), _) => skeleton,
            (None, own) => own?,
        };
        Ok(best.iterations)
    }

    /// Returns how many there are.
    pub fn count(&self) -> usize {
        self.calls().saturating_sub(1)
    }

    /// Returns how often each process calls the anchor.
    pub fn calls(&self) -> usize {
        self.ranks.first().map_or(0, |rank| rank.bounds.len())
    }

    /// Measures them by the trace's own times.
    pub fn measure(&self, trace: &Trace, matching: &Matching) -> Lengths {
        let lines = timelines(trace);
        let waits = find(trace, matching, &lines);
        self.measure_among(trace, &lines, &waits)
    }

    pub(crate) fn measure_among(
        &self,
        trace: &Trace,
        lines: &[Timeline],
        waits: &[Vec<WaitState>],
    ) -> Lengths {
        let regions = Regions::new(trace);
        let of_rank = |rank: &OfRank| {
            let at = rank.location.index();
            let events = &trace.locations[at].events;
            lengths::parts(events, &regions, &lines[at], &waits[at], &rank.bounds)
        };
        let parts: Vec<Vec<Parts>> = self.ranks.par_iter().map(of_rank).collect();
        let moments = (0..self.calls()).map(|call| {
            let left =
                |rank: &OfRank| lines[rank.location.index()].times[rank.bounds[call] as usize];
            let last = self.ranks.iter().map(left).max();
            last.unwrap_or_default()
        });
        let ranks = self.ranks.iter().map(|rank| rank.rank).collect();
        Lengths::new(moments.collect(), ranks, parts)
    }
}

/// Iterations, and how good their anchor is.
struct Candidate {
    iterations: Iterations,
    strength: f64,
    same: f64,
}

impl Candidate {
    fn repeat(&self) -> Repeat {
        Repeat {
            symbol: 0,
            count: self.iterations.count(),
            strength: self.strength,
            share: self.iterations.share,
            alike: self.iterations.alike,
            same: self.same,
        }
    }
}

/// A call of MPI as a symbol: what and where, in which region of the program, and of an operation
/// that stands in no region which it is.
type Symbol = (CallPlace, Option<RegionId>, Option<CollectiveOp>);

/// What is known of the calls of a process: those of its first thread that calls MPI.
struct Calls {
    rank: u32,
    location: LocationIndex,
    /// In their order: the symbol's number, and when the call was left.
    steps: Vec<Step>,
    /// The event that each of them ends with.
    leaves: Vec<u32>,
    symbols: Vec<Symbol>,
    /// From the end of MPI_Init to the begin of MPI_Finalize.
    span: i64,
}

/// The trace while anchors are looked for.
struct Look<'a> {
    lines: &'a [Timeline<'a>],
    trace: &'a Trace,
    processes: Vec<Calls>,
}

impl<'a> Look<'a> {
    fn new(trace: &'a Trace, lines: &'a [Timeline]) -> Result<Look<'a>, NoIterations> {
        let first = first_of_lines(trace);
        let regions = Regions::new(trace);
        let all = Processes::new(trace);
        let calls = |locations: &Vec<LocationIndex>| {
            let mut threads = locations
                .iter()
                .filter(|it| lines[it.index()].calls().next().is_some());
            let location = *threads.next()?;
            let symbol = |place: CallPlace| CallPlace {
                site: place
                    .site
                    .map(|site| first.get(site.index()).copied().unwrap_or(site)),
                ..place
            };
            Some(Calls::read(
                trace,
                &regions,
                &lines[location.index()],
                location,
                symbol,
            ))
        };
        let mut processes: Vec<Calls> = all.locations.par_iter().filter_map(calls).collect();
        processes.sort_by_key(|calls| calls.rank);
        match processes.is_empty() {
            true => Err(NoIterations::NoCalls),
            false => Ok(Look {
                lines,
                trace,
                processes,
            }),
        }
    }

    /// Looks for an anchor among the collective operations in which all processes take part.
    fn skeleton(&self, matching: &Matching) -> Option<Candidate> {
        let first = &self.processes[0];
        let number: FxHashMap<u32, usize> = first.leaves.iter().copied().zip(0..).collect();
        let mut instances: Vec<(usize, Vec<u32>)> = matching
            .collectives
            .iter()
            .filter(|it| it.consistent)
            .filter_map(|it| {
                let bounds = self.bounds(matching.members_of(it).iter().map(|it| it.exit))?;
                Some((*number.get(&bounds[0])?, bounds))
            })
            .collect();
        instances.sort_unstable_by_key(|(number, _)| *number);
        // An operation that processes complete in different orders numbers nothing.
        let ascends = |rank: usize| instances.is_sorted_by(|a, b| a.1[rank] < b.1[rank]);
        if !(0..self.processes.len()).all(ascends) {
            return None;
        }
        let steps: Vec<Step> = instances.iter().map(|it| first.steps[it.0]).collect();
        let best = repeats::strongest(&repeats::all(&steps, first.span))?;
        let ranks = self.processes.iter().enumerate().map(|(at, calls)| OfRank {
            rank: calls.rank,
            location: calls.location,
            bounds: (instances.iter().zip(&steps))
                .filter(|(_, step)| step.symbol == best.symbol)
                .map(|((_, bounds), _)| bounds[at])
                .collect(),
        });
        Some(Candidate {
            strength: best.strength,
            same: best.same,
            iterations: Iterations {
                anchor: first.symbols[best.symbol as usize].0,
                is_collective: true,
                ranks: ranks.collect(),
                share: best.share,
                alike: best.alike,
            },
        })
    }

    /// Returns the last event of each member's call, if the members are all processes.
    fn bounds(&self, exits: impl ExactSizeIterator<Item = EventRef>) -> Option<Vec<u32>> {
        if exits.len() != self.processes.len() {
            return None;
        }
        let bound = |(exit, calls): (EventRef, &Calls)| {
            let events = &self.trace.locations[exit.location.index()].events;
            let is_blocking = events.kinds()[exit.index as usize] == EventKind::MpiCollectiveEnd;
            let call = self.lines[exit.location.index()].around(exit.index)?;
            (is_blocking && exit.location == calls.location).then_some(call.leave)
        };
        exits.zip(&self.processes).map(bound).collect()
    }

    /// Looks for anchors among the calls of each process, called equally often by all.
    fn own_calls(&self) -> Result<Candidate, NoIterations> {
        let of_process = |calls: &Calls| repeats::all(&calls.steps, calls.span);
        let all: Vec<Vec<Repeat>> = self.processes.par_iter().map(of_process).collect();
        if all.iter().all(Vec::is_empty) {
            return Err(NoIterations::NothingRepeats);
        }
        // For each number of iterations the processes' best anchors, as good as the weakest of them.
        let best_of = |repeats: &[Repeat], count: usize| {
            let suiting = repeats.iter().filter(|it| it.count == count).copied();
            repeats::strongest(&suiting.collect::<Vec<Repeat>>())
        };
        let counts: BTreeSet<usize> = all[0].iter().map(|it| it.count).collect();
        let shared = counts.into_iter().filter_map(|count| {
            let of_all: Option<Vec<Repeat>> = all.iter().map(|it| best_of(it, count)).collect();
            let of_all = of_all?;
            let weakest = of_all
                .iter()
                .min_by(|a, b| a.strength.total_cmp(&b.strength));
            let same = of_all.iter().map(|it| it.same).fold(1.0, f64::min);
            let weakest = Repeat { same, ..*weakest? };
            Some((weakest, of_all))
        });
        let shared: Vec<(Repeat, Vec<Repeat>)> = shared.collect();
        let weakest: Vec<Repeat> = shared.iter().map(|it| it.0).collect();
        let best = repeats::strongest(&weakest).ok_or(NoIterations::RanksDiffer)?;
        let of_all = shared.iter().find(|it| it.0.count == best.count);
        let anchors = &of_all.ok_or(NoIterations::RanksDiffer)?.1;
        let ranks = (self.processes.iter().zip(anchors)).map(|(calls, anchor)| OfRank {
            rank: calls.rank,
            location: calls.location,
            bounds: (calls.steps.iter().zip(&calls.leaves))
                .filter(|(step, _)| step.symbol == anchor.symbol)
                .map(|(_, leave)| *leave)
                .collect(),
        });
        Ok(Candidate {
            strength: best.strength,
            same: best.same,
            iterations: Iterations {
                anchor: self.processes[0].symbols[anchors[0].symbol as usize].0,
                is_collective: false,
                ranks: ranks.collect(),
                share: best.share,
                alike: best.alike,
            },
        })
    }
}

impl Calls {
    fn read(
        trace: &Trace,
        regions: &Regions,
        line: &Timeline,
        location: LocationIndex,
        canonical: impl Fn(CallPlace) -> CallPlace,
    ) -> Calls {
        let Some(of) = trace.locations.get(location.index()) else {
            unreachable!("a location of the trace");
        };
        let mut calls = Calls {
            rank: of.rank.0,
            location,
            steps: Vec::new(),
            leaves: Vec::new(),
            symbols: Vec::new(),
            span: 0,
        };
        let (mut begin, mut end) = (line.begin, line.end);
        let mut numbers: FxHashMap<Symbol, u32> = FxHashMap::default();
        spans(&of.events, regions, &line.times, |span| {
            let Doing::Mpi(enter, leave, region) = span.doing else {
                return;
            };
            match region.and_then(|it| trace.definitions.regions.get(it.index())) {
                Some(region) if is_init(&region.name) => begin = span.end,
                Some(region) if region.name == "MPI_Finalize" => end = span.begin,
                _ => {}
            }
            let site = of.events.call_site(enter as usize);
            let op = match region {
                None => operation(of.events.event(leave as usize)),
                Some(_) => None,
            };
            let symbol = (canonical(CallPlace { site, region }), span.within, op);
            let next = calls.symbols.len() as u32;
            let number = *numbers.entry(symbol).or_insert(next);
            if number == next {
                calls.symbols.push(symbol);
            }
            calls.steps.push(Step {
                symbol: number,
                at: span.end.0,
            });
            calls.leaves.push(leave);
        });
        calls.span = (end - begin).0.max(0);
        calls
    }
}

/// Returns which operation an event ends.
fn operation(event: Event) -> Option<CollectiveOp> {
    match event {
        Event::MpiCollectiveEnd(collective) => Some(collective.op),
        _ => None,
    }
}
