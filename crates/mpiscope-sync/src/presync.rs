//! From each clock's own time to the master's: the weak pre-synchronization
//! that the controlled logical clock builds on; what it leaves is amortized
//! later.
//!
//! Every clock gets one map ([`ClockMap`]), found from offset measurements
//! ([`measured`]), from messages, or from both ([`fit`]). All that messages
//! tell is gathered in one pass ([`traffic`]).

mod edges;
mod fit;
mod hull;
mod map;
mod measured;
mod min_max;
mod minima;
mod pairwise;
mod steps;
mod traffic;
mod widths;

use mpiscope_model::{Duration, Matching, Timestamp, Trace};

use crate::config::{Config, PresyncMode};
use crate::latency::{latencies, Latencies, ANY_CLOCKS};
use crate::report::Warning;
use crate::uncertainty::Uncertainty;
use crate::Error;

use edges::choose_windows;
pub use map::{ClockMap, Knot};
pub(crate) use minima::Minimum;
use pairwise::Rule;
pub(crate) use traffic::Traffic;

/// Times of all locations in the master's time, and what was noticed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Presync {
    /// One column per location; within a column times never decrease.
    pub times: Vec<Vec<Timestamp>>,
    /// The map of each clock, by its number in
    /// [`Trace::clock_of_locations`](mpiscope_model::Trace::clock_of_locations).
    pub maps: Vec<ClockMap>,
    /// What the maps can be wrong by.
    pub uncertainty: Uncertainty,
    /// The minimum latencies by these maps.
    pub latencies: Latencies,
    /// What was done, which may be less than was asked for.
    pub chosen: PresyncMode,
    /// Steps of a clock back in time that were held at the time reached before.
    pub backward_steps: u64,
    /// Measurements not believed, clocks never compared.
    pub warnings: Vec<Warning>,
}

/// Maps the recorded times of a trace to the master's time.
pub fn presync(trace: &Trace, matching: &Matching, config: &Config) -> Result<Presync, Error> {
    let mut result = Presync {
        chosen: config.presync,
        ..Presync::default()
    };
    let base = measured::maps(trace, config, &mut result.warnings)?;
    let clock_of = trace.clock_of_locations();
    let mut clocks = Clocks {
        trace,
        matching,
        measured: trace.clocks.iter().map(measured::knots).collect(),
        master: master(trace, &clock_of),
        config,
    };
    result.maps = clocks.aligned(&base);
    let mut traffic = traffic::gather(trace, matching, &result.maps);
    if config.presync == PresyncMode::Fit {
        let found = clocks.without_steps(&mut traffic, &mut result.maps);
        let fitted = clocks.fitted(&traffic, &result.maps);
        result.maps = fitted.unwrap_or_else(|| {
            result.chosen = PresyncMode::Linear;
            traffic = traffic::gather(trace, matching, &base);
            base.clone()
        });
        if result.chosen == PresyncMode::Fit {
            result.warnings.extend(found);
        }
    }
    result.latencies = clocks.latencies(&traffic, &result.maps);
    let known = widths::Known {
        traffic: &traffic,
        maps: &result.maps,
        by_measurement: &base,
        measured: &clocks.measured,
        master: clocks.master,
        latency: result.latencies.different_clocks.value,
        aligned: matches!(
            result.chosen,
            PresyncMode::Hull | PresyncMode::MinMax | PresyncMode::Fit
        ),
        followed: result.chosen == PresyncMode::Fit,
    };
    let windows = choose_windows(&traffic.minima, &result.maps, &traffic.grid);
    result.uncertainty = widths::uncertainty(&known, &windows, clock_of.clone());
    if config.presync != PresyncMode::None {
        warn_of_uncompared(&result.maps, &clock_of, &mut result.warnings);
    }
    for (location, clock) in trace.locations.iter().zip(clock_of) {
        let mut column = result.maps[clock as usize].column(location.events.times());
        result.backward_steps += hold_steps_back(&mut column);
        result.times.push(column);
    }
    Ok(result)
}

/// The clocks of a trace and all that is known of them.
struct Clocks<'a> {
    trace: &'a Trace,
    matching: &'a Matching,
    /// Offset measurements, by clock.
    measured: Vec<Vec<Knot>>,
    master: Option<usize>,
    config: &'a Config,
}

impl Clocks<'_> {
    /// Aligns by messages the clocks that were not measured well enough for
    /// what is wanted.
    fn aligned(&self, base: &[ClockMap]) -> Vec<ClockMap> {
        let is_master = |clock: usize| self.master == Some(clock);
        let measured_twice = |clock: usize| {
            self.measured
                .get(clock)
                .is_some_and(|knots| knots.len() > 1)
        };
        let clocks = 0..base.len();
        let (known, rule): (Vec<bool>, Rule) = match self.config.presync {
            PresyncMode::Hull => (clocks.map(is_master).collect(), Rule::Hull),
            PresyncMode::MinMax => (clocks.map(is_master).collect(), Rule::MinMax),
            PresyncMode::Fit => {
                let known = |clock| is_master(clock) || measured_twice(clock);
                (clocks.map(known).collect(), Rule::Hull)
            }
            _ => return base.to_vec(),
        };
        match known.iter().all(|known| *known) {
            true => base.to_vec(),
            false => pairwise::align(self.trace, self.matching, base.to_vec(), &known, rule),
        }
    }

    /// Takes steps of clocks off their maps. What was measured of a clock that
    /// was set is no longer used: it belongs to either side of the step.
    fn without_steps(&mut self, traffic: &mut Traffic, maps: &mut [ClockMap]) -> Vec<Warning> {
        let search = steps::Search {
            trace: self.trace,
            matching: self.matching,
            minima: &traffic.minima,
            windows: choose_windows(&traffic.minima, maps, &traffic.grid),
            master: self.master,
            latency: self.latencies(traffic, maps).different_clocks.value,
        };
        let found = search.repair(maps);
        if !found.is_empty() {
            *traffic = traffic::gather(self.trace, self.matching, maps);
        }
        let mut warnings = Vec::new();
        for (step, at) in found {
            let clock = step.clock as usize;
            if let Some(knots) = self.measured.get_mut(clock) {
                knots.clear();
            }
            let by = step.by;
            warnings.push(Warning::ClockSet { clock, at, by });
        }
        warnings
    }

    fn fitted(&self, traffic: &Traffic, base: &[ClockMap]) -> Option<Vec<ClockMap>> {
        let start = fit::Start {
            traffic,
            base,
            measured: &self.measured,
            master: self.master,
        };
        let latency = |maps: &[ClockMap]| self.latencies(traffic, maps).different_clocks.value;
        fit::fit(&start, &latency)
    }

    fn latencies(&self, traffic: &Traffic, maps: &[ClockMap]) -> Latencies {
        latencies(self.trace, traffic, maps, ANY_CLOCKS, self.config)
    }
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

/// One clock may lack measurements, the master's; more lack a common time.
fn warn_of_uncompared(maps: &[ClockMap], clock_of: &[u32], warnings: &mut Vec<Warning>) {
    let uncompared = |clock: &u32| maps[*clock as usize].is_identity();
    let mut uncompared: Vec<u32> = clock_of.iter().copied().filter(uncompared).collect();
    uncompared.sort_unstable();
    uncompared.dedup();
    if uncompared.len() > 1 {
        warnings.push(Warning::ClocksNotCompared {
            clocks: uncompared.len(),
        });
    }
}

/// Times below −73 and above 146 years are taken for these: then all
/// differences fit, and the ends of the range are free to mean something to
/// the sweep.
const LIMITS: (Timestamp, Timestamp) = (Timestamp(-(1 << 61)), Timestamp(1 << 62));

/// Raises each time to the latest before it; returns how often it had to.
fn hold_steps_back(column: &mut [Timestamp]) -> u64 {
    let mut latest = LIMITS.0;
    let mut steps = 0;
    for time in column {
        let within = (*time).clamp(LIMITS.0, LIMITS.1);
        steps += u64::from(within < latest);
        latest = latest.max(within);
        *time = latest;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::LocationIndex;

    fn check(picture: &str, config: &Config) -> String {
        let trace = Trace::parse(picture).unwrap();
        match presync(&trace, &trace.matching(), config) {
            Ok(result) => {
                let lines = result.times.iter().enumerate().map(|(number, times)| {
                    let location = LocationIndex(number as u32);
                    mpiscope_model::fixture::location_line(&trace, location, times)
                });
                let warnings = result.warnings.iter().map(ToString::to_string);
                lines.chain(warnings).collect::<Vec<_>>().join("\n")
            }
            Err(error) => error.to_string(),
        }
    }

    fn linear(picture: &str) -> String {
        check(picture, &Config::default())
    }

    #[test]
    fn one_measurement_adds_a_constant() {
        expect_test::expect!["0: -3 97"].assert_eq(&linear("clock 0: 50 -3 ±1\n0: 0 100"));
    }

    #[test]
    fn two_measurements_interpolate_and_go_on_beyond_the_ends() {
        expect_test::expect!["0: -1001 0 500500 1001000 2002000"].assert_eq(&linear(
            "clock 0: 0 +0 ±1, 1000000 +1000 ±1\n0: -1000 0 500000 1000000 2000000",
        ));
    }

    #[test]
    fn a_segment_begins_where_the_last_ends() {
        expect_test::expect!["0: 0 100010 200020 300010 400000"].assert_eq(&linear(
            "clock 0: 0 +0 ±1, 200000 +20 ±1, 400000 +0 ±1\n0: 0 100000 200000 300000 400000",
        ));
    }

    #[test]
    fn alignment_uses_the_first_measurement_alone() {
        let config = Config {
            presync: PresyncMode::Align,
            ..Config::default()
        };
        expect_test::expect!["0: 7 1007"]
            .assert_eq(&check("clock 0: 0 +7 ±1, 1000 +8 ±1\n0: 0 1000", &config));
    }

    #[test]
    fn a_drift_beyond_belief_leaves_the_nearest_constant() {
        expect_test::expect![[r#"
            0: 0 49 150 200
            clock 0: offsets measured at 0 ns and 100 ns differ by 5.00e-1 of the time between; the nearer one is used"#]]
        .assert_eq(&linear("clock 0: 0 +0 ±1, 100 +50 ±1\n0: 0 49 100 150"));
    }

    #[test]
    fn a_clock_that_would_run_backwards_is_an_error() {
        expect_test::expect![
            "clock 0: offsets measured at 0 ns and 100 ns would make it run backwards"
        ]
        .assert_eq(&linear("clock 0: 0 +0 ±1, 100 -100 ±1\n0: 0"));
    }

    #[test]
    fn two_clocks_never_compared_are_reported() {
        expect_test::expect![[r#"
            0: 5
            1: 6
            2: 8
            2 clocks were never compared with each other"#]]
        .assert_eq(&linear("clock 2: 0 +1 ±1\n0: 5\n1: 6\n2: 7"));
    }

    #[test]
    fn a_step_back_is_held() {
        let trace = Trace::parse("0: 5 3 4 6").unwrap();
        let result = presync(&trace, &trace.matching(), &Config::default()).unwrap();
        assert_eq!(result.times[0], [5, 5, 5, 6].map(Timestamp));
        assert_eq!(result.backward_steps, 2);
    }
}
