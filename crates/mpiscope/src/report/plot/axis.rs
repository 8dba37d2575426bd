//! From values to places, with ticks at round values.

/// A range of values laid out between two places.
pub struct Axis {
    range: (f64, f64),
    places: (f64, f64),
}

/// A unit: what a value is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Its name.
    pub name: &'static str,
    /// Its size in nanoseconds.
    pub size: f64,
}

/// Units of one kind of quantity, the largest first.
pub struct Units(&'static [Unit]);

const fn unit(name: &'static str, size: f64) -> Unit {
    Unit { name, size }
}

/// Of distances between clocks.
pub const DISTANCE: Units = Units(&[
    unit("s", 1e9),
    unit("ms", 1e6),
    unit("µs", 1e3),
    unit("ns", 1.0),
]);

/// Of times since the beginning.
pub const TIME: Units = Units(&[
    unit("h", 3.6e12),
    unit("s", 1e9),
    unit("ms", 1e6),
    unit("µs", 1e3),
    unit("ns", 1.0),
]);

/// A value that is marked.
#[derive(Debug, PartialEq)]
pub struct Tick {
    /// In nanoseconds.
    pub value: f64,
    /// In the axis's unit.
    pub label: String,
}

impl Units {
    /// Returns the largest unit in which the range is at least one.
    pub fn of(&self, (low, high): (f64, f64)) -> Unit {
        let size = low.abs().max(high.abs());
        let fitting = self.0.iter().find(|unit| size >= unit.size);
        *fitting.unwrap_or(&self.0[self.0.len() - 1])
    }
}

impl Axis {
    /// Lays out a range, widened if it is empty, from one place to another.
    pub fn new((low, high): (f64, f64), places: (f64, f64)) -> Axis {
        let width = (high - low).max(1.0);
        Axis {
            range: (low, low + width),
            places,
        }
    }

    /// Returns the place of a value.
    pub fn at(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        let (from, to) = self.places;
        from + (value - low) / (high - low) * (to - from)
    }

    /// Returns how much of the axis points take up, at most all.
    pub fn share(&self, points: &[(f64, f64)]) -> f64 {
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return 0.0;
        };
        let (low, high) = self.range;
        ((last.0 - first.0) / (high - low)).min(1.0)
    }

    /// Returns about `count` round values, 1, 2 or 5 times a power of ten apart.
    pub fn ticks(&self, count: usize, unit: Unit) -> Vec<Tick> {
        let (low, high) = (self.range.0 / unit.size, self.range.1 / unit.size);
        let rough = (high - low) / count as f64;
        let power = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let step = steps.into_iter().find(|step| *step >= rough * 0.99);
        let step = step.unwrap_or(rough);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let tick = |number: i64| Tick {
            value: number as f64 * step * unit.size,
            label: format!("{:.decimals$}", number as f64 * step),
        };
        (first..=last).map(tick).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(range: (f64, f64), expected: &[&str]) {
        let axis = Axis::new(range, (0.0, 100.0));
        let ticks = axis.ticks(5, DISTANCE.of(range));
        let labels: Vec<String> = ticks.into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, expected);
    }

    #[test]
    fn ticks_are_round() {
        check((-1_000.0, 1_000.0), &["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        check((0.0, 7_400.0), &["0", "2", "4", "6"]);
        check(
            (990.0, 1_040.0),
            &["0.99", "1.00", "1.01", "1.02", "1.03", "1.04"],
        );
        check((0.0, 0.0), &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }

    #[test]
    fn the_unit_suits_the_largest_value() {
        assert_eq!(DISTANCE.of((-2e6, 1e3)).name, "ms");
        assert_eq!(DISTANCE.of((0.0, 0.0)).name, "ns");
        assert_eq!(TIME.of((0.0, 1.2e12)).name, "s");
    }

    #[test]
    fn places_follow_values() {
        let axis = Axis::new((0.0, 10.0), (100.0, 0.0));
        assert_eq!(
            [0.0, 2.5, 10.0].map(|value| axis.at(value)),
            [100.0, 75.0, 0.0]
        );
    }
}
