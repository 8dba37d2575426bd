//! Clock correction: from the time each clock showed to one time for all.
//!
//! Two steps. [`presync`] maps every clock to the master's by its measured
//! offsets, linearly between measurements; that leaves errors where clocks
//! wander. Then the controlled logical clock (Rabenseifner 1997), extended to
//! collective operations (Becker, Rabenseifner, Wolf 2008), restores the clock
//! condition: nothing is received sooner than a minimum latency after it was
//! sent. A receive that comes too early is moved forward, and the events after
//! it follow, so that local intervals keep their length; those before it follow
//! along a ramp, so that none grows by much. [`check()`] looks at
//! the result by other means, and [`errors`] compares it with a known truth.
//!
//! ```
//! use mpiscope_model::{Timestamp, Trace};
//! use mpiscope_sync::{correct, Config};
//!
//! let trace = Trace::parse("
//!     0: 20 send>1
//!     1: 10 18 recv<0 25
//! ").unwrap();
//! let correction = correct(&trace, &Config::default())?;
//! assert_eq!(correction.corrected[1], [10, 21, 28].map(Timestamp));
//! # Ok::<(), mpiscope_sync::Error>(())
//! ```
//!
//! All arithmetic on times is in integers, and the result is the least one
//! that satisfies the rules: it depends neither on the order of locations nor
//! on the machine. Recorded times stay as they are; corrected time is another
//! column.
#![deny(unsafe_code)]

mod backward;
mod check;
mod claims;
mod collective_syncs;
mod config;
mod control;
mod correction;
mod coverage;
mod crowd;
mod drift;
mod earliest;
mod error;
mod estimate;
mod exchange;
mod expand;
mod forward;
mod guests;
mod latency;
mod latest;
mod limits;
mod linked;
mod links;
pub mod logical;
mod lower;
mod marks;
mod names;
mod prefetch;
mod presync;
mod ramp;
mod receipts;
mod records;
mod repair;
mod report;
mod rounds;
mod shift;
pub mod statistics;
mod steps;
mod sweep;
mod table;
#[cfg(test)]
mod testing;
mod topology;
mod truth;
mod uncertainty;

use std::sync::OnceLock;

use mpiscope_model::{Matching, Processes, Timestamp, Trace};
use rayon::prelude::*;

pub use check::{check, check_assuming, check_together, Tally, Violations};
pub use claims::{regroup, test_claims, test_claims_among, Grouping, RefutedClaim, Verdict};
pub use config::{Config, Control, LatencyOverride, PresyncMode, DEFAULT_KAPPA};
pub use correction::{Correction, Jump, Stage};
pub use coverage::{coverage, Coverage, Held};
pub use earliest::earliest;
pub use error::Error;
pub use latency::{Between, Class, Latencies, Latency, LatencySource, PairLatency};
pub use presync::{presync, ClockMap, Knot, Presync};
pub use report::{Pass, Report, Warning};
pub use table::LatencyTable;
pub use topology::Topology;
pub use truth::{errors, Spread, TruthErrors};
pub use uncertainty::{PairWidth, Uncertainty, Widths, UNKNOWN};

use backward::Ramps;
use control::Task;
use exchange::{Crew, Division, Exchange, Way};
use expand::{expand, Moved};
use forward::Kappa;
use linked::{Linked, OPERATIONS};
use logical::CollectiveSync;
use lower::lower_violated;
use records::Records;
use table::MOST_PAIRS;

/// Final displacement, over a location's length, that is worth a warning.
const AVALANCHE: f64 = 1e-3;

/// Corrects the times of a trace.
pub fn correct(trace: &Trace, config: &Config) -> Result<Correction, Error> {
    on_threads(config.threads, || {
        let mut matching = trace.matching();
        matching.assumptions = config.assumptions;
        watched(trace, &matching, config, None, &mut |_| {})
    })
}

/// Corrects the times of a trace whose messages are matched already; what is
/// assumed is what the matching says, not the configuration.
pub fn correct_matched(
    trace: &Trace,
    matching: &Matching,
    config: &Config,
) -> Result<Correction, Error> {
    correct_watched(trace, matching, config, &mut |_| {})
}

/// Does the same, and calls `watch` at the end of each [`Stage`].
pub fn correct_watched(
    trace: &Trace,
    matching: &Matching,
    config: &Config,
    watch: &mut (dyn FnMut(Stage) + Send),
) -> Result<Correction, Error> {
    correct_together(trace, matching, config, None, watch)
}

/// Does so as one of several processes, which come to what one alone comes to, to
/// the bit. Each has the matching, of which it may know what concerns it alone
/// ([`Matching::of_all`]), does what concerns its own locations, and has their columns
/// afterwards; which these are [`Correction::part_of`] says. Of the trace it needs the
/// events of its own locations, where
/// [`Trace::parts`] says whose they are; without that, all.
///
/// # Errors
/// The same on all.
pub fn correct_together(
    trace: &Trace,
    matching: &Matching,
    config: &Config,
    processes: Option<&dyn Processes>,
    watch: &mut (dyn FnMut(Stage) + Send),
) -> Result<Correction, Error> {
    on_threads(config.threads, || {
        watched(trace, matching, config, processes, watch)
    })
}

/// Returns which of so many processes has the events of each location, none of which has a
/// part of a process of the program: what [`Trace::parts`] is to be.
pub fn parts(trace: &Trace, processes: usize) -> Vec<u32> {
    let division = Division::by_process(processes, trace);
    let part_of = |location| division.part_of(location) as u32;
    (0..trace.locations.len() as u32).map(part_of).collect()
}

/// Works on as many threads as are asked for.
fn on_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    let Some(threads) = threads else {
        return work();
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::Threads(threads, error.to_string()))?;
    pool.install(work)
}

fn watched(
    trace: &Trace,
    matching: &Matching,
    config: &Config,
    processes: Option<&dyn Processes>,
    watch: &mut (dyn FnMut(Stage) + Send),
) -> Result<Correction, Error> {
    validate(trace, config)?;
    let crew = match config.in_bytes {
        true => Crew::InBytes(config.parts.max(1)),
        false => Crew::new(processes, config.parts),
    };
    let among = crew.among_processes(trace);
    let part_of = parts_of(trace, among.as_ref());
    let mine: Vec<bool> = (part_of.iter())
        .map(|&part| part as usize == crew.outside().me())
        .collect();
    let mut presync = presync::presync_together(trace, matching, config, processes, |at| mine[at])?;
    let together = among.as_ref().map(|division| (crew, division));
    let fitted = presync.chosen == PresyncMode::Fit;
    // What is too fast by fitted times tells of latencies; by shifted ones it tells of shifts.
    let doubted = match fitted {
        true => lower_doubted(trace, matching, &mut presync, together),
        false => Vec::new(),
    };
    let mut interpolated = shift::shifted(presync.times, &config.shifts);
    watch(Stage::Presync);
    let room = OnceLock::new();
    let linked = Linked::new(trace, matching, &room);
    let task = Task {
        trace,
        matching,
        linked: &linked,
        times: &interpolated,
        config,
        fitted,
        crew,
        among: among.as_ref(),
        mine: &mine,
    };
    let swept = task.sweep(presync.latencies, watch);

    let mut report = Report {
        events: trace.event_count() as u64,
        sync_events: swept.records.sync_events,
        passes: swept.passes,
        violations_seen: swept.found.violations,
        backward_steps: presync.backward_steps,
        latencies: swept.latencies,
        dropped_edges: swept.found.freed,
        warnings: presync.warnings,
        ..Report::default()
    };
    report.warnings.extend(doubted);
    report.warnings.extend(swept.warnings);
    report.describe(trace, matching, linked.own_collectives(), &crew.outside());
    let moves = (swept.records, swept.ramps, swept.kappa);
    let (corrected, moved) = expand_all(moves, &mut interpolated, &mine);
    report.sum_up(&crew.outside(), &mine, moved);
    watch(Stage::Expand);
    report.mean_displacement /= report.events.max(1) as f64;
    report.warn();
    Ok(Correction {
        interpolated,
        corrected,
        latencies: swept.table,
        jumps: swept.jumps,
        maps: presync.maps,
        uncertainty: presync.uncertainty,
        presync: presync.chosen,
        report,
        part_of,
    })
}

/// Returns the corrected times of a process's own locations, by the moves of sync events, and how
/// far each location was moved; of others nothing stays.
fn expand_all(
    (records, mut ramps, kappa): (Records, Vec<Ramps>, Kappa),
    interpolated: &mut [Vec<Timestamp>],
    mine: &[bool],
) -> (Vec<Vec<Timestamp>>, Vec<Moved>) {
    ramps.resize_with(interpolated.len(), Ramps::default);
    let mut moved = vec![Moved::default(); interpolated.len()];
    let mut corrected = vec![Vec::new(); interpolated.len()];
    // Records make room for what comes from them.
    (records.all.into_par_iter())
        .zip(interpolated.par_iter_mut())
        .zip(ramps)
        .zip(corrected.par_iter_mut().zip(&mut moved))
        .zip(mine)
        .for_each(|((((records, times), ramps), (column, moved)), mine)| {
            if !mine {
                *times = Vec::new();
                return;
            }
            moved.ramps = ramps.count;
            *column = expand(times, &records, kappa, &ramps.pieces, moved);
        });
    (corrected, moved)
}

/// Returns which process has which locations: if it is alone, this one.
fn parts_of(trace: &Trace, among: Option<&Division>) -> Vec<u32> {
    let part_of = |location| among.map_or(0, |division| division.part_of(location) as u32);
    (0..trace.locations.len() as u32).map(part_of).collect()
}

/// Lowers latencies that fitted times contradict; returns what to say about it.
fn lower_doubted(
    trace: &Trace,
    matching: &Matching,
    presync: &mut Presync,
    together: Option<(Crew, &Division)>,
) -> Vec<Warning> {
    let table = LatencyTable::new(trace, &presync.latencies);
    lower_violated(
        &mut presync.latencies,
        &presync.times,
        matching,
        &table,
        &presync.uncertainty,
        together,
    )
}

fn validate(trace: &Trace, config: &Config) -> Result<(), Error> {
    let kappa = config.control.kappa();
    if let Some(kappa) = kappa.filter(|kappa| !(0.0..0.5).contains(kappa)) {
        return Err(Error::Kappa(kappa));
    }
    if !(0.0..=f64::INFINITY).contains(&config.interval) {
        return Err(Error::Interval(config.interval));
    }
    let pairs = &config.latency.pairs;
    match pairs.len() {
        0 => Ok(()),
        count if count > MOST_PAIRS => Err(Error::Pairs(count)),
        _ => known_hosts(
            &Topology::new(trace),
            pairs.iter().flat_map(|(hosts, _)| hosts),
        ),
    }
}

/// Refuses a name that no host of the trace has.
fn known_hosts<'a>(
    topology: &Topology,
    mut names: impl Iterator<Item = &'a String>,
) -> Result<(), Error> {
    let unknown = |name: &&String| topology.host_called(name).is_none();
    names.find(unknown).map_or(Ok(()), |name| {
        let known = match topology.names.is_empty() {
            true => "not named".to_owned(),
            false => topology.names.join(", "),
        };
        Err(Error::Host {
            name: name.clone(),
            known,
        })
    })
}

impl Report {
    /// Adds up how far events were moved on this process's locations and on others', in
    /// the order of locations.
    fn sum_up(&mut self, exchange: &Way, mine: &[bool], moved: Vec<Moved>) {
        let rows = (0u32..).zip(moved).zip(mine);
        let rows = rows.filter(|(_, mine)| **mine).map(|(row, _)| row);
        let all = exchange.all_gather(rows.collect());
        let mut all: Vec<(u32, Moved)> = all.into_iter().flatten().collect();
        all.sort_by_key(|row| row.0);
        for (_, moved) in all {
            self.ramps += moved.ramps;
            self.events_moved += moved.events;
            self.max_displacement.0 = self.max_displacement.0.max(moved.max);
            self.mean_displacement += moved.sum;
            self.final_drift = self.final_drift.max(moved.final_drift);
        }
    }

    fn describe(
        &mut self,
        trace: &Trace,
        matching: &Matching,
        collectives: &[Option<CollectiveSync>],
        outside: &Way,
    ) {
        let me = outside.me();
        let count = |number: usize| {
            let instance = &matching.collectives[number];
            let home = matching.homes.get(number);
            let is_mine = home.is_none_or(|home| home.process as usize == me);
            if !is_mine || !matching.assumptions.hold(instance.op) {
                return [0; 3];
            }
            let collective = collectives[number].as_ref();
            let untold = logical::is_untold(trace, matching, instance, collective);
            [1, u64::from(!instance.complete), u64::from(untold)]
        };
        let both = |a: [u64; 3], b: [u64; 3]| [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
        let numbers = (0..collectives.len()).into_par_iter();
        let numbers = numbers.with_min_len(OPERATIONS);
        let mut counts = numbers.map(count).reduce(|| [0; 3], both);
        if matching.of_all.is_some() {
            let all = outside.all_gather(vec![counts]).into_iter().flatten();
            counts = all.fold([0; 3], both);
        }
        let [all, incomplete, untold] = counts;
        self.collectives = all;
        self.incomplete_collectives = incomplete;
        self.unused_collectives = untold;
        let counts = matching.counts();
        self.messages = counts.messages;
        self.unmatched_sends = counts.unmatched_sends;
        self.unmatched_receives = counts.unmatched_receives;
        self.ambiguous_messages = matching.ambiguous as u64;
    }

    fn warn(&mut self) {
        if self.final_drift > AVALANCHE {
            self.warnings.push(Warning::Avalanche {
                drift: self.final_drift,
            });
        }
        if !self.dropped_edges.is_empty() {
            self.warnings.push(Warning::Cycle {
                edges: self.dropped_edges.len(),
            });
        }
    }
}
