//! Clocks that go wrong: true time in, the time they show out.
//!
//! A clock is a table of its error at knots 1.07 s apart; in between it drifts
//! at a constant rate. Crystals wander over minutes, so nothing is lost, and a
//! reading costs one multiplication of integers.

use crate::parameters::{Clocks, Step};
use crate::random::{exp, sine, Purpose, Random};

/// Knots are 2³⁰ ns apart.
const SHIFT: u32 = 30;
/// Errors at knots are in 2⁻¹⁰ ns.
const FRACTION: u32 = 10;
/// No clock drifts faster, whatever it was asked to do.
const MAX_FREQUENCY: f64 = 5e-3;

/// A clock: true time in ns to the time it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Error at each knot.
    knots: Vec<i64>,
    /// True time and size of each step.
    steps: Vec<(i64, i64)>,
}

impl Clock {
    /// Makes clock `number`, which `host` reads, for true times from 0 to `end`.
    pub(crate) fn new(seed: u64, number: u32, host: u32, parameters: &Clocks, end: i64) -> Clock {
        let mut random = Random::new(seed, Purpose::Clocks, number.into());
        let mut frequency = Frequency::new(parameters, &mut random);
        let mut error = random.uniform() * parameters.offset_s * 1e9 * f64::from(1 << FRACTION);
        if number == 0 && parameters.perfect_master {
            frequency = Frequency::default();
            error = 0.0;
        }
        let mut knots = vec![error as i64];
        for knot in 0..(end >> SHIFT) + 2 {
            let growth = frequency.at(knot, &mut random) * f64::from(1 << SHIFT);
            error += growth * f64::from(1 << FRACTION);
            knots.push(error as i64);
        }
        let here = |step: &&Step| step.host == host;
        let ns = |seconds: f64| (seconds * 1e9) as i64;
        let steps = parameters.steps.iter().filter(here);
        Clock {
            knots,
            steps: steps.map(|step| (ns(step.at_s), ns(step.by_s))).collect(),
        }
    }

    /// Returns what the clock shows at a true time, both in ns.
    pub fn show(&self, time: i64) -> i64 {
        let knot = ((time >> SHIFT).max(0) as usize).min(self.knots.len() - 2);
        let (error, next) = (self.knots[knot], self.knots[knot + 1]);
        let since = time - ((knot as i64) << SHIFT);
        let growth = (i128::from(next - error) * i128::from(since)) >> SHIFT;
        let error = error + growth as i64;
        let mut shown = time + (error >> FRACTION);
        for &(at, by) in &self.steps {
            if time >= at {
                shown += by;
            }
        }
        shown
    }
}

/// How the frequency of a clock deviates: a constant drift, a random walk that
/// is drawn back to it (Ornstein and Uhlenbeck), the slow wave of the room's
/// temperature, and what a time daemon does about all that.
#[derive(Default)]
struct Frequency {
    drift: f64,
    wander: f64,
    wander_keeps: f64,
    wander_step: f64,
    wave: f64,
    turns_per_knot: f64,
    phase: f64,
    slew: f64,
    slew_now: f64,
    slew_knots: f64,
    slewed: i64,
}

impl Frequency {
    fn new(parameters: &Clocks, random: &mut Random) -> Frequency {
        let knot_s = f64::from(1 << SHIFT) * 1e-9;
        let keeps = exp(-knot_s / parameters.wander_tau_s);
        let period_s = 300.0 + 600.0 * random.uniform();
        Frequency {
            drift: parameters.drift * random.normal(),
            wander: parameters.wander * random.normal(),
            wander_keeps: keeps,
            wander_step: parameters.wander * (1.0 - keeps * keeps).sqrt(),
            wave: parameters.wave * random.uniform(),
            turns_per_knot: knot_s / period_s,
            phase: random.uniform(),
            slew: parameters.slew,
            slew_knots: parameters.slew_every_s / knot_s,
            slewed: -1,
            ..Frequency::default()
        }
    }

    /// Returns the deviation from one knot to the next.
    fn at(&mut self, knot: i64, random: &mut Random) -> f64 {
        self.wander = self.wander * self.wander_keeps + self.wander_step * random.normal();
        if self.slew > 0.0 && (knot as f64 / self.slew_knots) as i64 > self.slewed {
            self.slewed = (knot as f64 / self.slew_knots) as i64;
            self.slew_now = if random.happens(0.5) {
                self.slew
            } else {
                -self.slew
            };
        }
        let wave = self.wave * sine(self.phase + self.turns_per_knot * knot as f64);
        let all = self.drift + self.wander + wave + self.slew_now;
        all.clamp(-MAX_FREQUENCY, MAX_FREQUENCY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(change: impl FnOnce(&mut Clocks)) -> Clock {
        let mut parameters = Clocks::perfect();
        change(&mut parameters);
        Clock::new(1, 1, 1, &parameters, 1_300_000_000_000)
    }

    /// How much the clock gains in a second, in ns, at a time in seconds.
    fn gain(clock: &Clock, at: i64) -> i64 {
        let at = at * 1_000_000_000;
        clock.show(at + 1_000_000_000) - clock.show(at) - 1_000_000_000
    }

    #[test]
    fn a_perfect_clock_shows_true_time() {
        let clock = clock(|_| {});
        assert!((0..1200).all(|s| clock.show(s * 999_999_937) == s * 999_999_937));
    }

    #[test]
    fn a_drifting_clock_gains_the_same_every_second() {
        let clock = clock(|c| c.drift = 20e-6);
        let gains: Vec<i64> = (0..1200).map(|s| gain(&clock, s)).collect();
        let (least, most) = (gains.iter().min().unwrap(), gains.iter().max().unwrap());
        assert!(most - least <= 1 && most.abs() > 1000, "{least} {most}");
    }

    #[test]
    fn a_wandering_clock_changes_its_rate_by_what_was_asked() {
        let clocks = (0..200).map(|n| {
            let parameters = Clocks {
                wander: 1e-6,
                ..Clocks::perfect()
            };
            Clock::new(n, 1, 0, &parameters, 1_300_000_000_000)
        });
        let squares: f64 = clocks
            .map(|c| (gain(&c, 1000) as f64 / 1000.0).powi(2))
            .sum();
        assert!((0.7..1.4).contains(&(squares / 200.0)), "{squares}");
    }

    #[test]
    fn a_step_happens_once_and_stays() {
        let clock = clock(|c| {
            c.steps = vec![Step {
                host: 1,
                at_s: 5.0,
                by_s: -0.001,
            }]
        });
        assert_eq!(clock.show(4_999_999_999), 4_999_999_999);
        assert_eq!(clock.show(5_000_000_000), 4_999_000_000);
        assert_eq!(clock.show(50_000_000_000), 49_999_000_000);
    }

    #[test]
    fn a_slewed_clock_keeps_a_rate_for_a_while() {
        let clock = clock(|c| (c.slew, c.slew_every_s) = (1e-6, 64.0));
        let gains: Vec<i64> = (0..640).map(|s| gain(&clock, s)).collect();
        assert!(gains.iter().all(|g| g.abs() <= 1001));
        let changes = gains
            .windows(2)
            .filter(|w| (w[0] - w[1]).abs() > 10)
            .count();
        assert!((1..40).contains(&changes), "{changes}");
    }
}
