//! With which power of the number of ranks a time grows.

/// A power of the number of ranks: time = c · ranks^exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// The exponent: 0 for what stays the same, 1 for what doubles with the ranks.
    pub exponent: f64,
    /// Half the width of its 95 % interval, if times leave the power at random.
    pub half_width: f64,
}

/// The 97.5 % quantiles of Student's t with 1 and more degrees of freedom.
const QUANTILES: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// The quantile with more degrees of freedom than those: that of the last, as all beyond are less.
const BEYOND: f64 = QUANTILES[QUANTILES.len() - 1];

/// Different numbers of ranks that are needed: a line through two points fits whatever they are.
const SIZES: usize = 3;

/// Fits a power to ranks and times by least squares of their logarithms; what takes no time has none.
/// There is one point for each size: repetitions tell how far runs differ, and not how well a power
/// fits. Nothing can be told of fewer than three sizes.
pub(super) fn of(points: impl Iterator<Item = (f64, f64)>) -> Option<Growth> {
    let points = points.filter(|(ranks, time)| *ranks > 0.0 && *time > 0.0);
    let points: Vec<(f64, f64)> = points.map(|(x, y)| (x.ln(), y.ln())).collect();
    if points.len() < SIZES {
        return None;
    }
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x0, y0) = (mean(|it| it.0), mean(|it| it.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|(x, y)| of(x - x0, y - y0)).sum()
    };
    let width = sum(&|x, _| x * x);
    let exponent = sum(&|x, y| x * y) / width;
    let rest = sum(&|x, y| (y - exponent * x).powi(2));
    let freedom = points.len() - 2;
    let quantile = QUANTILES.get(freedom - 1).copied().unwrap_or(BEYOND);
    Some(Growth {
        exponent,
        half_width: quantile * (rest / freedom as f64 / width).sqrt(),
    })
}
