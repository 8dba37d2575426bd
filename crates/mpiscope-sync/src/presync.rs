//! From each clock's own time to the master's: the weak pre-synchronization
//! that the controlled logical clock builds on; what it leaves is amortized
//! later.
//!
//! Every clock gets one map ([`ClockMap`]), found from offset measurements
//! ([`measured`]), from messages, or from both ([`fit`]). All that messages
//! tell is gathered in one pass ([`traffic`]).

mod asked;
mod choose;
mod clocks;
mod edges;
mod feasible;
mod fit;
mod halves;
mod hull;
mod map;
mod measured;
mod min_max;
mod minima;
mod pairwise;
mod rates;
mod stay;
mod steps;
mod traffic;
mod widths;

use mpiscope_model::{Matching, Processes, Timestamp, Trace};
use rayon::prelude::*;

use crate::config::{Config, PresyncMode};
use crate::exchange::{Crew, Exchange};
use crate::latency::Latencies;
use crate::report::Warning;
use crate::uncertainty::Uncertainty;
use crate::Error;

use asked::{ClockSet, Everywhere, Found};
use clocks::Clocks;
pub(crate) use hull::line as hull_line;
pub use map::{ClockMap, Knot};
pub(crate) use minima::{Minimum, TwoMaps};
pub(crate) use traffic::{gather, Traffic};

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
    presync_together(trace, matching, config, None, |_| true)
}

/// Does so as one of several processes, which look at the messages together, each at its own, and
/// of which the first makes the maps; it gets the columns of locations that are `mine`.
pub(crate) fn presync_together(
    trace: &Trace,
    matching: &Matching,
    config: &Config,
    processes: Option<&dyn Processes>,
    mine: impl Fn(usize) -> bool + Sync,
) -> Result<Presync, Error> {
    let mut warnings = Vec::new();
    let base = measured::maps(trace, config, &mut warnings)?;
    let everywhere = Everywhere::new(trace, matching, processes);
    let mut found = everywhere.first_finds(|| find(trace, &everywhere, config, base));
    // What is not found but given all know.
    found.latencies.pairs = Latencies::given(&config.latency).pairs;
    let clock_set = |set: &ClockSet| Warning::ClockSet {
        clock: set.clock as usize,
        at: set.at,
        by: set.by,
    };
    warnings.extend(found.sets.iter().map(clock_set));
    let clocks = found.uncompared.map(|clocks| clocks as usize);
    warnings.extend(clocks.map(|clocks| Warning::ClocksNotCompared { clocks }));

    let uncertainty = found.uncertainty;
    let mut result = Presync {
        maps: found.maps,
        chosen: found.chosen,
        latencies: found.latencies,
        warnings,
        ..Presync::default()
    };
    let columns: Vec<(Vec<Timestamp>, u64)> = (trace.locations.par_iter())
        .zip(&uncertainty.clock_of)
        .enumerate()
        .map(|(number, (location, &clock))| {
            if !mine(number) {
                return (Vec::new(), 0);
            }
            let mut column = result.maps[clock as usize].column(location.events.times());
            let steps = hold_steps_back(&mut column);
            (column, steps)
        })
        .collect();
    for (column, steps) in columns {
        result.backward_steps += steps;
        result.times.push(column);
    }
    result.backward_steps = (Crew::new(processes, 1).outside()).sum(result.backward_steps);
    result.uncertainty = uncertainty;
    Ok(result)
}

/// Finds the maps, and what they can be wrong by, from measurements and from messages.
fn find(trace: &Trace, everywhere: &Everywhere, config: &Config, base: Vec<ClockMap>) -> Found {
    let mut clocks = Clocks::new(trace, everywhere, config, base);
    let mut found = clocks.find();
    let latencies = clocks.latencies_of(&found);
    let uncertainty = clocks.uncertainty(&mut found, &latencies);
    Found {
        uncompared: clocks.uncompared(found.chosen, &uncertainty),
        maps: found.maps,
        chosen: found.chosen,
        latencies,
        uncertainty,
        sets: found.sets,
    }
}

/// Times below −73 and above 146 years are taken for these: then all
/// differences fit, and the ends of the range are free to mean something to
/// the sweep.
pub(crate) const LIMITS: (Timestamp, Timestamp) = (Timestamp(-(1 << 61)), Timestamp(1 << 62));

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
    fn a_vague_measurement_that_implies_such_a_drift_is_not_used() {
        expect_test::expect![[r#"
            0: 50 99 150 200
            clock 0: the offset measured at 0 ns is only good to ±60 ns and is not used: its neighbour contradicts it"#]]
        .assert_eq(&linear("clock 0: 0 +0 ±60, 100 +50 ±1\n0: 0 49 100 150"));
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
