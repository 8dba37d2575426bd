//! All that is known of the clocks of a trace, and the ways to maps from it.

use mpiscope_model::{Duration, Trace};

use super::asked::{ClockSet, Everywhere};
use super::choose::{choose, Chosen, Judge};
use super::edges::{choose_windows, Windows};
use super::map::{ClockMap, Knot};
use super::pairwise::{self, Rule};
use super::traffic::Traffic;
use super::{fit, measured, rates, steps, widths};
use crate::config::{Config, PresyncMode};
use crate::estimate::{latencies, ANY_CLOCKS};
use crate::latency::Latencies;
use crate::uncertainty::{Uncertainty, Widths, UNKNOWN};

/// The clocks of a trace.
pub(super) struct Clocks<'a> {
    trace: &'a Trace,
    everywhere: &'a Everywhere<'a>,
    config: &'a Config,
    clock_of: Vec<u32>,
    /// Offset measurements, by clock.
    measured: Vec<Vec<Knot>>,
    /// Maps by measurements alone.
    base: Vec<ClockMap>,
    /// The clock whose time is the time of all.
    master: Option<usize>,
}

/// Maps and what they follow from.
pub(super) struct Found {
    pub maps: Vec<ClockMap>,
    pub chosen: PresyncMode,
    pub sets: Vec<ClockSet>,
    traffic: Traffic,
    windows: Windows,
    /// What the fit began with, and what it makes of half of the messages; none
    /// if there is no fit.
    even: Vec<ClockMap>,
    half: Vec<ClockMap>,
    without: Vec<ClockMap>,
}

/// Windows are at least this long, in ns, unless clocks turn out to be rough:
/// no crystal wanders within it by more than the fit's own noise.
const WINDOW: f64 = 1e9;

impl Clocks<'_> {
    pub fn new<'a>(
        trace: &'a Trace,
        everywhere: &'a Everywhere<'a>,
        config: &'a Config,
        base: Vec<ClockMap>,
    ) -> Clocks<'a> {
        let clock_of = trace.clock_of_locations();
        Clocks {
            trace,
            everywhere,
            config,
            measured: trace
                .clocks
                .iter()
                .map(|clock| measured::knots(clock, config.max_slope))
                .collect(),
            base,
            master: master(trace, &clock_of),
            clock_of,
        }
    }

    /// Finds the maps in the way that the configuration says, as far as the
    /// trace allows.
    pub fn find(&mut self) -> Found {
        let mut found = self.look_at(self.aligned(Vec::len), self.config.presync);
        if self.config.presync == PresyncMode::Fit {
            self.doubt_measurements(&mut found);
            self.take_off_steps(&mut found);
            match self.fitted(&found) {
                Some(fitted) => {
                    found.even = std::mem::replace(&mut found.maps, fitted.maps);
                    found.windows = fitted.windows;
                    found.half = fitted.half;
                    found.without = fitted.without;
                }
                None => found = self.unfitted(found),
            }
            if found.maps == self.base {
                found.chosen = PresyncMode::Linear;
            }
        }
        found
    }

    /// Where messages tell too little for a fit, as in a short trace, the lines
    /// between them stay if they are clearly better than measurements alone.
    fn unfitted(&self, found: Found) -> Found {
        match self.judge(&found).prefers(&found.maps, &self.base) {
            true => Found {
                chosen: PresyncMode::Hull,
                ..found
            },
            false => self.look_at(self.base.clone(), PresyncMode::Linear),
        }
    }

    /// Holds maps against all messages that were found.
    fn judge<'a>(&'a self, found: &'a Found) -> Judge<'a> {
        Judge {
            minima: &found.traffic.minima,
            windows: Windows::new(&found.traffic.grid, 1),
            latency: self.latencies_of(found).between_clocks(),
            measured: &self.measured,
        }
    }

    /// Gathers what messages tell by some maps.
    fn look_at(&self, maps: Vec<ClockMap>, chosen: PresyncMode) -> Found {
        let traffic = self.everywhere.traffic(&maps);
        Found {
            windows: choose_windows(&traffic.minima, &maps, &traffic.grid, WINDOW),
            maps,
            chosen,
            sets: Vec::new(),
            traffic,
            even: Vec::new(),
            half: Vec::new(),
            without: Vec::new(),
        }
    }

    /// Where measurements are too vague to tell rates, messages may tell more.
    fn doubt_measurements(&self, found: &mut Found) {
        let vague = |knots: &Vec<Knot>| knots.len() > 1 && !measured::tell_rate(knots);
        if !self.measured.iter().any(vague) {
            return;
        }
        let usable = |knots: &Vec<Knot>| match vague(knots) {
            true => 0,
            false => knots.len(),
        };
        let aligned = self.aligned(usable);
        if self.judge(found).prefers(&aligned, &found.maps) {
            *found = self.look_at(aligned, found.chosen);
        }
    }

    /// Aligns by messages the clocks that were not measured well enough for
    /// what is wanted; `usable` says how many measurements count.
    fn aligned(&self, usable: impl Fn(&Vec<Knot>) -> usize) -> Vec<ClockMap> {
        let is_master = |clock: usize| self.master == Some(clock);
        let clocks = 0..self.base.len();
        let (known, rule): (Vec<bool>, Rule) = match self.config.presync {
            PresyncMode::Hull => (clocks.map(is_master).collect(), Rule::Hull),
            PresyncMode::MinMax => (clocks.map(is_master).collect(), Rule::MinMax),
            PresyncMode::Fit => {
                let measurements = |clock| self.measured.get(clock).map_or(0, &usable);
                let known = |clock| is_master(clock) || measurements(clock) > 1;
                (clocks.map(known).collect(), Rule::Hull)
            }
            _ => return self.base.clone(),
        };
        match known.iter().all(|known| *known) {
            true => self.base.clone(),
            false => {
                let base = self.base.clone();
                let gather = |maps: &[ClockMap]| self.everywhere.traffic(maps);
                pairwise::align(gather, base, &known, rule)
            }
        }
    }

    /// Takes steps of clocks off their maps. What was measured of a clock that
    /// was set is no longer used: it belongs to either side of the step.
    fn take_off_steps(&mut self, found: &mut Found) {
        let search = steps::Search {
            everywhere: self.everywhere,
            minima: &found.traffic.minima,
            windows: found.windows,
            master: self.master,
            latency: self.latencies_of(found).between_clocks(),
        };
        let before = found.maps.clone();
        let steps = search.repair(&mut found.maps);
        if steps.is_empty() {
            return;
        }
        if !even_without(&found.traffic, &before, &found.maps) {
            found.maps = before;
            return;
        }
        *found = self.look_at(std::mem::take(&mut found.maps), found.chosen);
        for (step, at) in steps {
            let clock = step.clock as usize;
            if let Some(knots) = self.measured.get_mut(clock) {
                knots.clear();
            }
            let (clock, by) = (step.clock, step.by);
            found.sets.push(ClockSet { clock, at, by });
        }
    }

    fn fitted(&self, found: &Found) -> Option<Chosen> {
        let kept: Vec<bool> = (0..found.maps.len())
            .map(|clock| self.master == Some(clock))
            .collect();
        let latency = |maps: &[ClockMap]| {
            let latencies = self.latencies(&found.traffic, maps);
            latencies.between_clocks()
        };
        let start = fit::Start {
            latency: latency(&found.maps),
            traffic: &found.traffic,
            windows: found.windows,
            base: &found.maps,
            measured: &self.measured,
            kept: &kept,
            together: true,
            trust: 1.0,
        };
        choose(&start, &latency)
    }

    /// Finds the minimum latencies by some maps.
    fn latencies(&self, traffic: &Traffic, maps: &[ClockMap]) -> Latencies {
        let master = self.master;
        latencies(self.trace, traffic, maps, ANY_CLOCKS, master, self.config)
    }

    /// Finds the minimum latencies by the final maps.
    pub fn latencies_of(&self, found: &Found) -> Latencies {
        self.latencies(&found.traffic, &found.maps)
    }

    /// Finds what the final maps can be wrong by, and notes it at their knots.
    pub fn uncertainty(&self, found: &mut Found, latencies: &Latencies) -> Uncertainty {
        let known = widths::Known {
            everywhere: self.everywhere,
            traffic: &found.traffic,
            maps: &found.maps,
            even: match found.even.is_empty() {
                true => &found.maps,
                false => &found.even,
            },
            half: &found.half,
            without: &found.without,
            fitted: found.windows,
            master: self.master,
            latency: latencies.between_clocks(),
        };
        let uncertainty = widths::uncertainty(&known, self.clock_of.clone());
        if let Some(master) = self.master {
            for (clock, map) in found.maps.iter_mut().enumerate() {
                let (clock, master) = (clock as u32, master as u32);
                map.note_half_widths(|time| uncertainty.interval_between(clock, master, time));
            }
        }
        uncertainty
    }

    /// One clock may lack measurements, the master's; more lack a common time,
    /// unless messages led from one to the other.
    pub fn uncompared(&self, chosen: PresyncMode, uncertainty: &Uncertainty) -> Option<u64> {
        let known = |clock: u32| {
            let of_clock = |widths: &Widths| widths.of_clock.get(clock as usize) != Some(&UNKNOWN);
            by_messages(chosen)
                && self.master != Some(clock as usize)
                && uncertainty.intervals.iter().any(of_clock)
        };
        let uncompared = |clock: &u32| self.base[*clock as usize].is_identity() && !known(*clock);
        let mut clocks = self.clock_of.clone();
        clocks.retain(uncompared);
        clocks.sort_unstable();
        clocks.dedup();
        (clocks.len() > 1 && chosen != PresyncMode::None).then_some(clocks.len() as u64)
    }
}

/// A clock that was set runs so many times as evenly once the step is taken off.
const EVENER: f64 = 5.0;

/// Returns whether clocks run evenly without their steps. Quick wander looks like
/// steps too, but where these are taken off it is as quick.
fn even_without(traffic: &Traffic, with: &[ClockMap], without: &[ClockMap]) -> bool {
    let rate = |maps: &[ClockMap]| rates::pairs(&traffic.minima, maps, &traffic.grid).1;
    EVENER * rate(without) < rate(with)
}

/// Returns whether messages determine the rates of all clocks they reach.
fn by_messages(mode: PresyncMode) -> bool {
    matches!(
        mode,
        PresyncMode::Hull | PresyncMode::MinMax | PresyncMode::Fit
    )
}

/// Returns the clock that offsets were measured against: the first that has
/// none, or none but zero. If nothing was measured, that of location 0.
fn master(trace: &Trace, clock_of: &[u32]) -> Option<usize> {
    let is_zero = |clock: usize| match trace.clocks.get(clock) {
        Some(domain) => domain
            .measurements
            .iter()
            .all(|m| m.offset == Duration::ZERO),
        None => true,
    };
    let mut clocks = clock_of.iter().map(|clock| *clock as usize);
    clocks.find(|clock| is_zero(*clock))
}
