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
mod shared;
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
use crate::sharers::Sharers;
use crate::timeline::{is_init, spans, Doing, Regions, Timeline};
use crate::wait_states::{find, timelines, WaitState};

pub(crate) use lengths::median;
pub use lengths::{Drift, Lengths, Parts, Slow, What};
pub use phases::PhaseKind;
use repeats::{Repeat, Step};
use shared::Measured;

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
        Iterations::among(trace, matching, &timelines(trace), None)
    }

    /// Does the same; of processes that share the trace each finds where those of its own ranks begin
    /// and end.
    pub(crate) fn among(
        trace: &Trace,
        matching: &Matching,
        lines: &[Timeline],
        sharers: Option<Sharers>,
    ) -> Result<Iterations, NoIterations> {
        let look = Look::new(trace, lines, sharers)?;
        let skeleton = match sharers {
            Some(sharers) => look.skeleton_together(sharers, matching),
            None => look.skeleton(matching),
        };
        let own = look.own_calls(sharers);
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
        self.measure_among(trace, &lines, &waits, None)
    }

    /// Does the same; of processes that share the trace each measures those of its own ranks, and the
    /// first gets the lengths.
    pub(crate) fn measure_among(
        &self,
        trace: &Trace,
        lines: &[Timeline],
        waits: &[Vec<WaitState>],
        sharers: Option<Sharers>,
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
        let measured = Measured {
            moments: moments.collect(),
            ranks: self.ranks.iter().map(|rank| rank.rank).collect(),
            parts,
        };
        match sharers {
            Some(sharers) => measured.gathered(sharers).lengths(),
            None => measured.lengths(),
        }
    }
}

/// Iterations, and how good their anchor is.
struct Candidate {
    iterations: Iterations,
    count: usize,
    strength: f64,
    same: f64,
}

impl Candidate {
    fn repeat(&self) -> Repeat {
        Repeat {
            symbol: 0,
            count: self.count,
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
    /// In the order of ranks; where processes share the trace those whose events are here.
    processes: Vec<Calls>,
    /// Of all of them the rank, and the thread that calls MPI, in the order of ranks.
    all: Vec<(u32, LocationIndex)>,
}

impl<'a> Look<'a> {
    fn new(
        trace: &'a Trace,
        lines: &'a [Timeline],
        sharers: Option<Sharers>,
    ) -> Result<Look<'a>, NoIterations> {
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
        let callers = processes.iter().map(|calls| (calls.rank, calls.location));
        let mut all: Vec<(u32, LocationIndex)> = callers.collect();
        if let Some(sharers) = sharers {
            all = sharers.share(all);
            all.sort_unstable();
        }
        match all.is_empty() {
            true => Err(NoIterations::NoCalls),
            false => Ok(Look {
                lines,
                trace,
                processes,
                all,
            }),
        }
    }

    /// Returns the numbers of the first process's calls, by their last events.
    fn numbers(&self) -> FxHashMap<u32, u32> {
        let first = self.processes.first();
        let leaves = first.into_iter().flat_map(|it| it.leaves.iter().copied());
        leaves.zip(0..).collect()
    }

    /// Returns the iterations of the processes here, of which each has these bounds.
    fn candidate(
        &self,
        best: Repeat,
        anchor: CallPlace,
        is_collective: bool,
        bounds: Vec<Vec<u32>>,
    ) -> Candidate {
        let ranks = self.processes.iter().zip(bounds);
        let ranks = ranks.map(|(calls, bounds)| OfRank {
            rank: calls.rank,
            location: calls.location,
            bounds,
        });
        Candidate {
            count: best.count,
            strength: best.strength,
            same: best.same,
            iterations: Iterations {
                anchor,
                is_collective,
                ranks: ranks.collect(),
                share: best.share,
                alike: best.alike,
            },
        }
    }

    /// Looks for an anchor among the collective operations in which all processes take part.
    fn skeleton(&self, matching: &Matching) -> Option<Candidate> {
        let first = &self.processes[0];
        let number = self.numbers();
        let mut instances: Vec<(u32, Vec<u32>)> = matching
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
        let steps = instances.iter().map(|it| first.steps[it.0 as usize]);
        let steps: Vec<Step> = steps.collect();
        let best = repeats::strongest(&repeats::all(&steps, first.span))?;
        let of_rank = |at: usize| {
            let calls = instances.iter().zip(&steps);
            let anchors = calls.filter(|(_, step)| step.symbol == best.symbol);
            anchors.map(|((_, bounds), _)| bounds[at]).collect()
        };
        let bounds = (0..self.processes.len()).map(of_rank).collect();
        let anchor = first.symbols[best.symbol as usize].0;
        Some(self.candidate(best, anchor, true, bounds))
    }

    /// Returns the last event of each member's call, if the members are all processes.
    fn bounds(&self, exits: impl ExactSizeIterator<Item = EventRef>) -> Option<Vec<u32>> {
        if exits.len() != self.processes.len() {
            return None;
        }
        let bound = |(exit, calls): (EventRef, &Calls)| {
            let bound = self.bound(exit)?;
            (exit.location == calls.location).then_some(bound)
        };
        exits.zip(&self.processes).map(bound).collect()
    }

    /// Returns the last event of a member's call, if its operation begins and ends in one.
    fn bound(&self, exit: EventRef) -> Option<u32> {
        let events = &self.trace.locations[exit.location.index()].events;
        let is_blocking = events.kinds()[exit.index as usize] == EventKind::MpiCollectiveEnd;
        let call = self.lines[exit.location.index()].around(exit.index)?;
        is_blocking.then_some(call.leave)
    }

    /// Looks for anchors among the calls of each process, called equally often by all.
    fn own_calls(&self, sharers: Option<Sharers>) -> Result<Candidate, NoIterations> {
        let of_process = |calls: &Calls| repeats::all(&calls.steps, calls.span);
        let mut all: Vec<Vec<Repeat>> = self.processes.par_iter().map(of_process).collect();
        if let Some(sharers) = sharers {
            all = self.repeats_of_all(sharers, &all);
        }
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
        let anchor_of: FxHashMap<u32, u32> = (self.all.iter().zip(anchors))
            .map(|((rank, _), anchor)| (*rank, anchor.symbol))
            .collect();
        let bounds = |calls: &Calls| -> Vec<u32> {
            let anchor = anchor_of.get(&calls.rank);
            let calls = calls.steps.iter().zip(&calls.leaves);
            let anchors = calls.filter(|(step, _)| Some(&step.symbol) == anchor);
            anchors.map(|(_, leave)| *leave).collect()
        };
        let bounds = self.processes.iter().map(bounds).collect();
        let has_first = |it: &&Calls| it.location == self.all[0].1;
        let first = self.processes.first().filter(has_first);
        let first = first.map(|it| it.symbols[anchors[0].symbol as usize].0);
        let mut anchor: Vec<CallPlace> = first.into_iter().collect();
        if let Some(sharers) = sharers {
            anchor = sharers.share(anchor);
        }
        let anchor = anchor.first().copied().unwrap_or_default();
        Ok(self.candidate(best, anchor, false, bounds))
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
