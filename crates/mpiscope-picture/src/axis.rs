//! The time axis: round moments, and words for them.

/// Marks of an axis.
#[derive(Debug, PartialEq)]
pub struct Axis {
    /// Moments in nanoseconds from the start of the run, with their numbers.
    pub ticks: Vec<(u64, String)>,
    /// What the numbers are: `Time (ms)`.
    pub title: String,
}

/// Nanoseconds of units, and their names.
const UNITS: [(u64, &str); 4] = [
    (1_000_000_000, "s"),
    (1_000_000, "ms"),
    (1_000, "µs"),
    (1, "ns"),
];
/// Steps behind the start of the run from which on moments are counted from the window's begin:
/// their numbers would differ in the last digits alone.
const FAR: u64 = 2_000;

impl Axis {
    /// Marks a window with about so many moments.
    pub fn new(from: u64, to: u64, about: usize) -> Axis {
        let length = to.saturating_sub(from).max(1);
        let step = step(length, about);
        let (unit, name) = unit(length);
        let base = match from / step >= FAR {
            true => from / step * step,
            false => 0,
        };
        let digits = digits(step, unit);
        let number = |time: u64| {
            let number = (time - base) as f64 / unit as f64;
            format!("{number:.digits$}")
        };
        let first = from.div_ceil(step);
        let ticks = (first..=to / step).map(|it| it * step);
        Axis {
            ticks: ticks.map(|time| (time, number(time))).collect(),
            title: match base {
                0 => format!("Time ({name})"),
                _ => format!("Time after {} ({name})", exact(base)),
            },
        }
    }
}

/// Returns the smallest round step that makes no more marks than about that many.
fn step(length: u64, about: usize) -> u64 {
    let least = length.div_ceil(about.max(1) as u64).max(1);
    let power = 10u64.pow(least.ilog10());
    let steps = [1, 2, 5, 10].into_iter();
    let mut steps = steps.map(|it| power.saturating_mul(it));
    steps.find(|step| *step >= least).unwrap_or(least)
}

/// Returns the largest unit of which a window has at least one.
fn unit(length: u64) -> (u64, &'static str) {
    let mut units = UNITS.into_iter();
    units.find(|(unit, _)| length >= *unit).unwrap_or((1, "ns"))
}

/// Returns how many digits behind the point tell steps apart.
fn digits(step: u64, unit: u64) -> usize {
    let (mut digits, mut step) = (0, step);
    while step % unit != 0 && digits < 9 {
        step = step.saturating_mul(10);
        digits += 1;
    }
    digits
}

/// Writes a time to four digits.
pub fn rounded(ns: u64) -> String {
    let unit = 10u64.pow(ns.checked_ilog10().unwrap_or(0).saturating_sub(3));
    exact(ns / unit * unit)
}

/// Writes a moment exactly, in the largest unit of which it has at least one.
pub fn exact(ns: u64) -> String {
    mpiscope_model::Duration(i64::try_from(ns).unwrap_or(i64::MAX)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: u64, to: u64, numbers: &str, title: &str) {
        let axis = Axis::new(from, to, 6);
        let shown: Vec<&str> = axis.ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            (shown.join(" ").as_str(), axis.title.as_str()),
            (numbers, title)
        );
    }

    #[test]
    fn marks_are_round() {
        check(0, 1_020_000_000, "0.0 0.2 0.4 0.6 0.8 1.0", "Time (s)");
        check(0, 256, "0 50 100 150 200 250", "Time (ns)");
        check(
            1_500_000,
            2_100_000,
            "1500 1600 1700 1800 1900 2000 2100",
            "Time (µs)",
        );
    }

    #[test]
    fn a_short_window_far_from_the_start_is_counted_from_its_begin() {
        check(
            1_200_000_000,
            1_200_040_000,
            "0 10 20 30 40",
            "Time after 1.2 s (µs)",
        );
    }

    #[test]
    fn any_window_has_an_axis() {
        for (from, to) in [(0, 1), (5, 6), (0, u64::MAX), (u64::MAX - 1, u64::MAX)] {
            assert!(Axis::new(from, to, 8).ticks.len() <= 12, "{from} {to}");
        }
    }
}
