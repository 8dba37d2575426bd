//! Random numbers that are the same everywhere, for good.
//!
//! A simulated trace is named by its parameters and seed; figures published for
//! it must come out again on another machine, with another compiler, in ten
//! years. So nothing here comes from elsewhere: libraries change their streams
//! from version to version, and the logarithm of a C library rounds as it
//! likes. Only additions, multiplications, divisions and square roots are
//! used, which IEEE 754 defines to the last bit.

use std::f64::consts::{LN_2, SQRT_2};

/// Splitmix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

/// 2⁶⁴ over the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Random {
    /// Returns the stream for one purpose: streams of other purposes, or of
    /// another number, have nothing in common with it.
    pub fn new(seed: u64, purpose: Purpose, number: u64) -> Random {
        let purpose = mix((purpose as u64).wrapping_add(STEP));
        Random(mix(mix(seed ^ purpose).wrapping_add(number)))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// Returns a number in 0..1, without 1.
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a whole number below `end`, 0 if that is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }

    /// Returns whether something of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Returns an exponentially distributed number.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * ln(1.0 - self.uniform())
    }

    /// Returns a number of the Lomax distribution, Pareto's moved to begin at
    /// 0: the smaller `shape`, the heavier the tail. `shape` exceeds 1.
    pub fn lomax(&mut self, mean: f64, shape: f64) -> f64 {
        let logarithm = ln(1.0 - self.uniform());
        mean * (shape - 1.0) * (exp(-logarithm / shape) - 1.0)
    }

    /// Returns a normally distributed number (Marsaglia's polar method).
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * ln(square) / square).sqrt();
            }
        }
    }

    /// Rearranges `items` into one cycle, so that none of two or more stays in
    /// its place (Sattolo 1986).
    pub fn cycle(&mut self, items: &mut [u32]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64) as usize);
        }
    }
}

/// What random numbers are for. Each has streams of its own, so that other
/// clocks, say, leave the program as it was.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    Placement,
    Program,
    Network,
    Links,
    Clocks,
    Readings,
    Offsets,
}

/// Returns the natural logarithm of a positive number.
pub(crate) fn ln(value: f64) -> f64 {
    let bits = value.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh s, and |s| < 0.172: nine terms give 13 digits.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series = (0..9).rev().fold(0.0, |sum, term| {
        sum * square + 1.0 / f64::from(2 * term + 1)
    });
    exponent as f64 * LN_2 + 2.0 * s * series
}

/// Returns e to the power of a number of moderate size.
pub(crate) fn exp(value: f64) -> f64 {
    let value = value.clamp(-700.0, 700.0);
    let exponent = (value / LN_2 + 0.5).floor();
    let rest = value - exponent * LN_2;
    let series = (1..14)
        .rev()
        .fold(1.0, |sum, term| 1.0 + sum * rest / f64::from(term));
    series * f64::from_bits(((exponent as i64 + 1023) as u64) << 52)
}

/// Returns the sine of an angle in turns.
pub(crate) fn sine(turns: f64) -> f64 {
    let mut turns = turns - (turns + 0.5).floor();
    if turns.abs() > 0.25 {
        turns = if turns > 0.0 { 0.5 } else { -0.5 } - turns;
    }
    let angle = turns * std::f64::consts::TAU;
    let square = angle * angle;
    let series = (1..10).rev().fold(1.0, |sum, term| {
        1.0 - sum * square / f64::from(2 * term * (2 * term + 1))
    });
    angle * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_the_textbook() {
        for number in 1..2000 {
            let x = f64::from(number) * 0.0173;
            assert!((ln(x) - x.ln()).abs() < 1e-12, "ln {x}");
            assert!(
                (exp(x - 10.0) / (x - 10.0).exp() - 1.0).abs() < 1e-12,
                "exp {x}"
            );
            let turn = (x - 15.0) * std::f64::consts::TAU;
            assert!((sine(x - 15.0) - turn.sin()).abs() < 1e-9, "sine {x}");
        }
    }

    #[test]
    fn distributions_have_their_moments() {
        let mut random = Random::new(1, Purpose::Program, 0);
        let count = 200_000;
        let mut mean = |draw: &dyn Fn(&mut Random) -> f64| {
            (0..count).map(|_| draw(&mut random)).sum::<f64>() / f64::from(count)
        };
        assert!((mean(&|r| r.exponential(3.0)) - 3.0).abs() < 0.05);
        assert!((mean(&|r| r.lomax(3.0, 4.0)) - 3.0).abs() < 0.1);
        assert!(mean(&Random::normal).abs() < 0.01);
        assert!((mean(&|r| r.normal().powi(2)) - 1.0).abs() < 0.02);
        assert!((mean(&|r| r.below(10) as f64) - 4.5).abs() < 0.05);
    }

    #[test]
    fn streams_are_the_same_for_good() {
        let mut random = Random::new(1, Purpose::Network, 7);
        expect_test::expect!["[7f47f4d995e32243, 2ed1ab90b787bef2, 777efe59f10c71bb]"]
            .assert_eq(&format!("{:x?}", [0; 3].map(|_| random.next())));
    }

    #[test]
    fn a_cycle_leaves_nobody_in_his_place() {
        let mut random = Random::new(1, Purpose::Program, 0);
        for size in 2..40 {
            let mut items: Vec<u32> = (0..size).collect();
            random.cycle(&mut items);
            assert!((0..).zip(&items).all(|(place, &item)| place != item));
        }
    }
}
