//! With which power of the number of ranks, or of the size of the problem, a time grows.

/// A power of the number of ranks, or of the size: time = c · ranks^exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// The exponent: 0 for what stays the same, 1 for what doubles with the ranks or the size.
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

/// Different numbers of ranks, or sizes, that are needed: a line through two points fits whatever they are.
const SIZES: usize = 3;

/// Fits a power to ranks and times by least squares of their logarithms; what takes no time has none.
/// There is one point for each size: repetitions tell how far runs differ, and not how well a power
/// fits. Nothing can be told of fewer than three sizes.
pub(super) fn of(points: impl Iterator<Item = (f64, f64)>) -> Option<Growth> {
    fit(points).map(|it| it.growth)
}

/// A power and where it goes through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub growth: Growth,
    /// The means of logarithms.
    mean: (f64, f64),
}

impl Fit {
    /// Returns where the value is 1; of what does not grow that is anywhere.
    pub fn where_one(&self) -> f64 {
        (self.mean.0 - self.mean.1 / self.growth.exponent).exp()
    }
}

/// Does the same, and says where the power goes through.
pub(super) fn fit(points: impl Iterator<Item = (f64, f64)>) -> Option<Fit> {
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
    let growth = Growth {
        exponent,
        half_width: quantile * (rest / freedom as f64 / width).sqrt(),
    };
    let mean = (x0, y0);
    Some(Fit { growth, mean })
}
