//! How fast displacements decay: the choice of κ = 1 − γ, pass by pass.
//!
//! Too small, and one fast clock drags all others along for good; too large,
//! and intervals shrink until new violations appear. The exact choice needs a
//! global view of the trace, so the papers approximate it: forward passes
//! until the largest error is below a threshold (Becker, Linford, Rabenseifner,
//! Wolf 2008), each with a κ ten times the last. A pass costs little.
//!
//! The error is what is left of the displacement at the end of a location,
//! over its length. That is large also where two clocks are merely far apart,
//! and no κ helps there. So the adaptive control asks for growth, too: an
//! avalanche gains as much in the third quarter of a location as in the last.
//!
//! If passes do not help, messages go round faster than the minimum latencies
//! allow, and gain a little each time. Then the latencies are wrong, not the
//! clocks: the one that causes most of it is halved, which the report says.

use std::borrow::Cow;

use mpiscope_model::{CollectiveMember, Duration, Matching, Timestamp, Trace};
use rayon::prelude::*;

use crate::backward::{Backward, Ramps};
use crate::config::{Config, Control};
use crate::drift::Durations;
use crate::exchange::{gathered, Crew, Division, Exchange, Way};
use crate::forward::{Forward, Found, Kappa, Last, Pace};
use crate::latency::Latencies;
use crate::limits::Matched;
use crate::linked::Linked;
use crate::ramp::Slope;
use crate::records::{records, Record, Records, Role};
use crate::report::{Pass, Warning};
use crate::table::{Hop, LatencyTable};
use crate::{Jump, Stage};

/// Error that the adaptive control tolerates.
const TOLERATED: f64 = 1e-3;
/// Forward passes with one set of latencies.
const PASSES: usize = 4;
/// The largest κ of a repeated pass.
const MOST: f64 = 0.1;
/// The smallest κ of the adaptive control.
const LEAST: f64 = 1e-8;
/// The same where clocks were fitted to all messages: what is still too early
/// is noise of one message, not drift, and need not be remembered for longer
/// than tenths of a second.
const LEAST_FITTED: f64 = 1e-6;
/// How often latencies are lowered.
const LOWERED: usize = 8;

/// What stays the same in all passes.
pub(crate) struct Task<'a> {
    pub trace: &'a Trace,
    /// What this process has of the matching.
    pub matching: &'a Matching,
    pub linked: &'a Linked<'a>,
    /// Interpolated times.
    pub times: &'a [Vec<Timestamp>],
    /// They are fitted to all messages, so those too fast are right.
    pub fitted: bool,
    pub config: &'a Config,
    /// Who sweeps.
    pub crew: Crew<'a>,
    /// Which process has which locations, if there are several.
    pub among: Option<&'a Division>,
    /// Which locations this process has.
    pub mine: &'a [bool],
}

/// What the last pass and the ramps left.
pub(crate) struct Swept {
    pub records: Records,
    pub found: Found,
    /// By location; none if none are asked for.
    pub ramps: Vec<Ramps>,
    pub jumps: Vec<Vec<Jump>>,
    pub kappa: Kappa,
    pub latencies: Latencies,
    pub table: LatencyTable,
    pub passes: Vec<Pass>,
    pub warnings: Vec<Warning>,
}

impl<'a> Task<'a> {
    /// Sweeps forward as often as the control wants, then backward.
    pub fn sweep(&self, mut latencies: Latencies, watch: &mut dyn FnMut(Stage)) -> Swept {
        let mut warnings = Vec::new();
        let mut passes = Vec::new();
        // None of these depends on how long latencies are.
        let mut table = LatencyTable::new(self.trace, &latencies);
        let mut records = self.records(&table);
        watch(Stage::Records);
        let durations = self.durations(&table);
        for doubt in (0..=LOWERED).rev() {
            table.give(&latencies);
            let first = self.begin(&durations, &table);
            watch(Stage::Control);
            let doubted = (doubt > 0).then_some(&latencies);
            match self.passes(first, &table, doubted, &mut records, &mut passes, watch) {
                Err(hop) => warnings.push(latencies.halve(hop)),
                Ok(swept) => {
                    return Swept {
                        records,
                        latencies,
                        table,
                        passes,
                        warnings,
                        ..swept
                    }
                }
            }
        }
        unreachable!("latencies are not doubted any more")
    }

    /// Collects the sync events of this process's locations.
    fn records(&self, table: &LatencyTable) -> Records {
        let (trace, matching, collectives) =
            (self.trace, self.matching, self.linked.own_collectives());
        let mine = |location: usize| self.mine[location];
        let internal = self.delta() > 0;
        let mut records = records(
            trace,
            matching,
            collectives,
            self.times,
            table,
            mine,
            internal,
        );
        records.sync_events = self.outside().sum(records.sync_events);
        records
    }

    /// Returns the times of all whom a crew smooths: where processes have gone back to one part
    /// each of them smooths all, and is told the times of others.
    fn times_for(&self, crew: Crew) -> Cow<'_, [Vec<Timestamp>]> {
        match (self.among, crew) {
            (Some(among), Crew::Threads(_) | Crew::InBytes(_)) => {
                Cow::Owned(gathered(&self.outside(), among, self.times))
            }
            _ => Cow::Borrowed(self.times),
        }
    }

    fn outside(&self) -> Way<'_> {
        self.crew.outside()
    }

    /// Returns the least time between two events, where the caller insists on one.
    fn delta(&self) -> i64 {
        self.config.delta.map_or(0, |delta| delta.0.max(0))
    }

    /// Sweeps with one set of latencies, at first with the κ and the tolerated
    /// error `first`; an error that stays is taken for that of `doubted` ones.
    fn passes(
        &self,
        first: (f64, f64),
        table: &LatencyTable,
        doubted: Option<&Latencies>,
        records: &mut Records,
        passes: &mut Vec<Pass>,
        watch: &mut dyn FnMut(Stage),
    ) -> Result<Swept, Hop> {
        let delta = self.delta();
        let forward = self.forward();
        let (mut kappa, tolerated) = first;
        for left in (0..PASSES).rev() {
            let pace = Pace {
                kappa: Kappa::new(kappa),
                delta,
            };
            let (found, receipts) = forward.sweep(table, pace, records);
            watch(Stage::Forward);
            let error = self.error(records, pace.kappa);
            passes.push(Pass { kappa, error });
            let next = (kappa * 10.0).min(MOST);
            if error > tolerated && left > 0 && next > kappa {
                kappa = next;
                continue;
            }
            if let (Some(latencies), true) = (doubted, error > tolerated) {
                if let Some(hop) = self.inconsistent(records, table, latencies, pace) {
                    return Err(hop);
                }
            }
            let jumps = records.jumps();
            let slope = Slope::new(self.config.interval);
            let ramps = slope.map(|slope| {
                let known = forward.known(table, pace, &receipts.division);
                Backward {
                    matched: Matched::new(&receipts.crew.outside(), known, self.linked),
                    slope,
                    crew: receipts.crew,
                }
                .smooth(&self.times_for(receipts.crew), receipts.of_part, records)
            });
            watch(Stage::Backward);
            return Ok(Swept {
                records: Records::default(),
                found,
                ramps: ramps.unwrap_or_default(),
                jumps,
                kappa: pace.kappa,
                latencies: Latencies::default(),
                table: LatencyTable::default(),
                passes: Vec::new(),
                warnings: Vec::new(),
            });
        }
        unreachable!("the last pass has none after it")
    }

    fn forward(&self) -> Forward<'a> {
        Forward {
            trace: self.trace,
            linked: self.linked,
            crew: self.crew,
        }
    }

    /// Looks how long messages took, if that decides on κ.
    fn durations(&self, table: &LatencyTable) -> Option<Durations> {
        let adaptive = self.config.control == Control::Adaptive;
        let between = || match self.among {
            Some(among) => {
                Durations::together(self.times, self.matching, table, (self.crew, among))
            }
            None => Durations::new(self.times, self.matching, table),
        };
        adaptive.then(between).flatten()
    }

    /// Returns κ of the first pass and the error that is tolerated.
    fn begin(&self, durations: &Option<Durations>, table: &LatencyTable) -> (f64, f64) {
        match self.config.control {
            Control::Fixed { kappa } => (kappa, f64::INFINITY),
            Control::Paper { gamma, epsilon } => (1.0 - gamma, epsilon),
            Control::Adaptive => {
                let mine = durations.as_ref().and_then(|it| it.residual_drift(table));
                let drifts = self.outside().all_gather(vec![mine]).concat();
                let drift = drifts.into_iter().flatten().reduce(f64::max);
                let kappa = drift.unwrap_or(crate::DEFAULT_KAPPA);
                let least = if self.fitted { LEAST_FITTED } else { LEAST };
                (kappa.clamp(least, MOST), TOLERATED)
            }
        }
    }

    /// Returns the largest error of any location.
    fn error(&self, records: &Records, kappa: Kappa) -> f64 {
        let adaptive = self.config.control == Control::Adaptive;
        let columns = self.times.par_iter().enumerate();
        let mine = columns.filter(|(location, _)| self.mine[*location]);
        let errors = mine.map(|(location, times)| {
            let track = Track {
                records: records.of(location),
                kappa,
            };
            match (times.first(), times.last()) {
                (Some(first), Some(last)) => track.error(first.0, last.0, adaptive),
                _ => 0.0,
            }
        });
        let error = errors.reduce(|| 0.0, f64::max);
        let all = self.outside().all_gather(vec![error]);
        all.into_iter().flatten().fold(0.0, f64::max)
    }

    /// Returns the messages whose jumps a shorter latency would have spared
    /// most, if any; a class that was given by the caller is not doubted.
    fn inconsistent(
        &self,
        records: &mut Records,
        table: &LatencyTable,
        latencies: &Latencies,
        pace: Pace,
    ) -> Option<Hop> {
        if let Some(among) = self.among.filter(|_| table.has_pairs()) {
            // Which member's message came last is asked of all of them.
            records.gather(&self.outside(), among);
        }
        let all = self.linked.look_at_all(self.crew);
        let mut spared = vec![0i128; table.hops()];
        for location in (0..self.times.len()).filter(|&location| self.mine[location]) {
            let mut last = Last::default();
            for record in records.of(location) {
                if record.jump {
                    let jump = record.corrected.saturating_sub(last.internal(record, pace));
                    if let Some(hop) = self.hop(record, &all, records, table) {
                        let latency = table.over(hop).0;
                        spared[hop.index()] += i128::from(jump.clamp(0, latency));
                    }
                }
                last.note(record);
            }
        }
        let of_parts = self.outside().all_gather(spared);
        let sum = |hop: usize| of_parts.iter().map(|spared| spared[hop]).sum();
        let spared: Vec<i128> = (0..table.hops()).map(sum).collect();
        let doubtful = |hop: &Hop| {
            let worth = table.over(*hop) > Duration::TICK && spared[hop.index()] > 0;
            worth && latencies.is_doubted(*hop)
        };
        let hops = table.all_hops().filter(doubtful);
        hops.max_by_key(|hop| spared[hop.index()])
    }

    /// Returns which latency a receiver's bound may have come from: of a
    /// collective operation the one of the farthest member.
    fn hop(
        &self,
        record: &Record,
        (matching, names): &(&Matching, Option<Vec<u32>>),
        records: &Records,
        table: &LatencyTable,
    ) -> Option<Hop> {
        match record.role {
            Role::Receive => Some(record.hop),
            Role::Exit => {
                let link = record.link as usize;
                let member = (names.as_ref()).map_or(link, |names| names[link] as usize);
                let here = matching.members[member].exit.location;
                let instances = &matching.collectives;
                let number = instances.partition_point(|i| i.members.end <= member);
                let members = matching.members_of(&instances[number]);
                let others = members.iter().filter(|it| it.enter.location != here);
                let hop = |it: &CollectiveMember| table.hop(it.enter.location, here);
                if !table.is_special(here) {
                    let mut farthest = None;
                    for hop in others.map(hop) {
                        farthest = farthest.max(Some(hop));
                        if hop == Hop::FAR {
                            break;
                        }
                    }
                    return farthest;
                }
                // Where pairs of hosts differ, whose message came last.
                let arrival = |it: &&CollectiveMember| {
                    let sent = records.corrected(it.enter);
                    sent.map(|sent| sent.saturating_add(table.over(hop(it)).0))
                };
                others.max_by_key(arrival).map(hop)
            }
            _ => None,
        }
    }
}

/// Displacements along a location.
struct Track<'a> {
    records: &'a [Record],
    kappa: Kappa,
}

impl Track<'_> {
    /// Returns the displacement at a time.
    fn offset(&self, time: i64) -> i64 {
        let after = self.records.partition_point(|record| record.time <= time);
        let last = after.checked_sub(1).map(|last| &self.records[last]);
        last.map_or(0, |last| {
            let decay = self.kappa.decay(time.saturating_sub(last.time));
            (last.offset() - decay).max(0)
        })
    }

    /// Returns the displacement at the end over the length; if `adaptive`, the
    /// growth over each of the last two quarters, whichever is least.
    fn error(&self, first: i64, last: i64, adaptive: bool) -> f64 {
        let length = last.saturating_sub(first).max(1);
        let at = |quarters: i64| match quarters {
            4 => self.offset(last),
            _ => self.offset(first + length / 4 * quarters),
        };
        let share = |gain: i64, of: i64| gain as f64 / of.max(1) as f64;
        let end = share(at(4), length);
        if end == 0.0 || !adaptive {
            return end;
        }
        let growth = |from: i64| share(at(from + 1) - at(from), length / 4);
        end.min(growth(2)).min(growth(3)).max(0.0)
    }
}
