//! From each clock's own time to the master's, by its offset measurements.
//!
//! One measurement: a constant is added. Two or more: the offset is
//! interpolated linearly between them, and the first and last segment go on
//! beyond the ends. All locations of a clock share one map, so their order
//! among each other is kept. This is the weak pre-synchronization that the
//! controlled logical clock builds on; what it leaves is amortized later.
//!
//! Times are integers; a double serves for the product of slope and distance
//! alone, rounded half to even and never fused with the addition, so that
//! every machine computes the same ticks.

use mpiscope_model::{ClockDomain, Timestamp, Trace};

use crate::config::{Config, PresyncMode};
use crate::report::Warning;
use crate::Error;

/// Times of all locations in the master's time, and what was noticed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Presync {
    /// One column per location; within a column times never decrease.
    pub times: Vec<Vec<Timestamp>>,
    /// Steps of a clock back in time that were held at the time reached before.
    pub backward_steps: u64,
    /// Measurements not believed, clocks never compared.
    pub warnings: Vec<Warning>,
}

/// Maps the recorded times of a trace to the master's time.
pub fn presync(trace: &Trace, config: &Config) -> Result<Presync, Error> {
    let mut result = Presync::default();
    let mut maps = Vec::with_capacity(trace.clocks.len());
    for (clock, domain) in trace.clocks.iter().enumerate() {
        let map = ClockMap::new(clock, domain, config, &mut result.warnings)?;
        maps.push(map);
    }
    let clock_of = trace.clock_of_locations();
    if config.presync != PresyncMode::None {
        warn_of_uncompared(&maps, &clock_of, &mut result.warnings);
    }
    for (location, clock) in trace.locations.iter().zip(clock_of) {
        let recorded = location.events.times();
        let mut column = match maps.get(clock as usize) {
            Some(map) => map.column(recorded),
            None => recorded.to_vec(),
        };
        result.backward_steps += hold_steps_back(&mut column);
        result.times.push(column);
    }
    Ok(result)
}

/// One clock may lack measurements, the master's; more lack a common time.
fn warn_of_uncompared(maps: &[ClockMap], clock_of: &[u32], warnings: &mut Vec<Warning>) {
    let compared = |clock: &u32| {
        maps.get(*clock as usize)
            .is_some_and(|m| !m.pieces.is_empty())
    };
    let mut uncompared: Vec<u32> = clock_of.iter().copied().filter(|c| !compared(c)).collect();
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

/// The map of one clock: pieces, each from a local time on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClockMap {
    pieces: Vec<Piece>,
}

/// From local time `from` on, the offset is `offset + slope · (time − knot)`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    from: i64,
    knot: i64,
    offset: i64,
    slope: f64,
}

impl ClockMap {
    /// Builds the map of a clock from its measurements; `clock` is its number
    /// in [`Trace::clocks`], for messages.
    pub fn new(
        clock: usize,
        domain: &ClockDomain,
        config: &Config,
        warnings: &mut Vec<Warning>,
    ) -> Result<ClockMap, Error> {
        let knots = knots(domain);
        let mut pieces = Vec::new();
        match (config.presync, &knots[..]) {
            (PresyncMode::None, _) | (_, []) => {}
            (PresyncMode::Align, [first, ..]) | (_, [first]) => pieces.push(constant(*first)),
            (PresyncMode::Linear, knots) => {
                for pair in knots.windows(2) {
                    let ((c0, o0), (c1, o1)) = (pair[0], pair[1]);
                    let distance = |a: i64, b: i64| (i128::from(b) - i128::from(a)) as f64;
                    let slope = distance(o0, o1) / distance(c0, c1);
                    if slope <= -1.0 {
                        return Err(Error::ClockReversed {
                            clock,
                            from: Timestamp(c0),
                            to: Timestamp(c1),
                        });
                    }
                    if slope.abs() <= config.max_slope {
                        pieces.push(Piece {
                            slope,
                            ..constant(pair[0])
                        });
                        continue;
                    }
                    warnings.push(Warning::DriftNotBelieved {
                        clock,
                        from: Timestamp(c0),
                        to: Timestamp(c1),
                        slope,
                    });
                    let middle = c0 + ((i128::from(c1) - i128::from(c0)) / 2) as i64;
                    pieces.push(constant(pair[0]));
                    pieces.push(Piece {
                        from: middle,
                        ..constant(pair[1])
                    });
                }
            }
        }
        Ok(ClockMap { pieces })
    }

    /// Maps one local time to the master's.
    pub fn map(&self, local: Timestamp) -> Timestamp {
        match self.pieces.partition_point(|piece| piece.from <= local.0) {
            0 => self.pieces.first().map_or(local, |piece| piece.map(local)),
            after => self.pieces[after - 1].map(local),
        }
    }

    /// Maps a column of local times, which mostly ascend.
    fn column(&self, locals: &[Timestamp]) -> Vec<Timestamp> {
        let [first, rest @ ..] = &self.pieces[..] else {
            return locals.to_vec();
        };
        if rest.is_empty() {
            return locals.iter().map(|local| first.map(*local)).collect();
        }
        let mut valid = 0..0;
        let mut piece = first;
        let mapped = locals.iter().map(|local| {
            if !valid.contains(&local.0) {
                let after = self.pieces.partition_point(|piece| piece.from <= local.0);
                piece = &self.pieces[after.saturating_sub(1)];
                let from = if after == 0 { i64::MIN } else { piece.from };
                let next = self.pieces.get(after.max(1));
                valid = from..next.map_or(i64::MAX, |next| next.from);
            }
            piece.map(*local)
        });
        mapped.collect()
    }
}

impl Piece {
    fn map(&self, local: Timestamp) -> Timestamp {
        let distance = local.0.saturating_sub(self.knot) as f64;
        let drift = round_half_even(self.slope * distance);
        Timestamp(local.0.saturating_add(self.offset.saturating_add(drift)))
    }
}

fn constant((time, offset): (i64, i64)) -> Piece {
    Piece {
        from: time,
        knot: time,
        offset,
        slope: 0.0,
    }
}

/// Measurements ascending in local time; of several at one time the most
/// certain.
fn knots(domain: &ClockDomain) -> Vec<(i64, i64)> {
    let mut sorted = domain.measurements.clone();
    sorted.sort_by_key(|m| (m.time, m.half_width, m.offset));
    sorted.dedup_by_key(|m| m.time);
    sorted.iter().map(|m| (m.time.0, m.offset.0)).collect()
}

/// Rounds to the nearest integer, halves to the even one. Adding and
/// subtracting 1.5 · 2⁵² does it in two instructions where a double still has
/// a bit for the halves; `round_ties_even` is a call on baseline x86-64.
fn round_half_even(value: f64) -> i64 {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    if value.abs() < 2_251_799_813_685_248.0 {
        ((value + SHIFT) - SHIFT) as i64
    } else {
        value.round_ties_even() as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::LocationIndex;

    fn check(picture: &str, config: &Config) -> String {
        let trace = Trace::parse(picture).unwrap();
        match presync(&trace, config) {
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
        let result = presync(&trace, &Config::default()).unwrap();
        assert_eq!(result.times[0], [5, 5, 5, 6].map(Timestamp));
        assert_eq!(result.backward_steps, 2);
    }

    #[test]
    fn halves_are_rounded_to_even() {
        let rounded = [0.5, 1.5, 2.5, -0.5, -1.5, 1e15 + 0.5, 4e18].map(round_half_even);
        assert_eq!(
            rounded,
            [
                0,
                2,
                2,
                0,
                -2,
                1_000_000_000_000_000,
                4_000_000_000_000_000_000
            ]
        );
    }

    #[test]
    fn a_column_is_mapped_as_its_times_are() {
        let picture = "clock 0: 0 +0 ±1, 1000 +1 ±1, 2000 +0 ±1, 3000 +9 ±1\n0: 0";
        let trace = Trace::parse(picture).unwrap();
        let config = Config::default();
        let map = ClockMap::new(0, &trace.clocks[0], &config, &mut Vec::new()).unwrap();
        let locals: Vec<Timestamp> = (-500..4000)
            .rev()
            .chain(-500..4000)
            .map(Timestamp)
            .collect();
        let single: Vec<Timestamp> = locals.iter().map(|local| map.map(*local)).collect();
        assert_eq!(map.column(&locals), single);
    }
}
