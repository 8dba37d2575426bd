//! Whether the iterations of one run last longer than those of another.
//!
//! That says nothing of other runs: the machine may have been busy during one of the two, and all of
//! its iterations are longer then.

use std::collections::BTreeSet;

use super::{pairs, Call, Key, Measures};

/// Fewer iterations tell nothing.
const LEAST: usize = 8;

/// Runs whose numbers of iterations differ by more, and that are not known to count them by the same
/// statement, may count two rounds as one: their lengths are of different things.
const ALIKE: f64 = 1.25;

/// Returns whether two sets of runs have iterations that can be compared.
pub(super) fn are_alike(a: &[Measures], b: &[Measures]) -> bool {
    let runs = a.iter().chain(b);
    let counts: Vec<u64> = runs
        .map(|it| it.rows.get(&Key::Iteration).map_or(0, |row| row.visits))
        .collect();
    let least = counts.iter().min().copied().unwrap_or(0);
    let most = counts.iter().max().copied().unwrap_or(0);
    least > 0 && (most as f64 <= ALIKE * least as f64 || have_one_anchor(a, b))
}

/// Returns whether all count iterations by one statement, also where its line moved. A name alone is
/// no statement.
fn have_one_anchor(a: &[Measures], b: &[Measures]) -> bool {
    let [of_a, of_b] = [a, b].map(|runs| -> Vec<BTreeSet<&Key>> {
        runs.iter().map(|it| it.rows.keys().collect()).collect()
    });
    let was = pairs::moved(&of_a, &of_b);
    let before = |call: &Call| was.get(call).unwrap_or(call).clone();
    let of_a = a.iter().map(|it| it.anchor.clone());
    let of_b = b.iter().map(|it| it.anchor.as_ref().map(before));
    let all: BTreeSet<Option<Call>> = of_a.chain(of_b).collect();
    let is_statement = |it: &Option<Call>| it.as_ref().is_some_and(|it| !it.file.is_empty());
    all.len() == 1 && all.iter().all(is_statement)
}

/// Returns the two-sided p of Mann and Whitney's test (1947), by the normal approximation with a
/// correction for ties, and whether those of `b` are the longer ones; nothing if there are too few.
pub(super) fn p(a: &[i64], b: &[i64]) -> Option<(f64, bool)> {
    if a.len().min(b.len()) < LEAST {
        return None;
    }
    let (n, m) = (a.len() as f64, b.len() as f64);
    let all = a.iter().map(|it| (*it, true));
    let mut all: Vec<(i64, bool)> = all.chain(b.iter().map(|it| (*it, false))).collect();
    all.sort_unstable();
    let (mut ranks, mut ties, mut before) = (0.0, 0.0, 0.0);
    for equal in all.chunk_by(|x, y| x.0 == y.0) {
        let count = equal.len() as f64;
        let of_a = equal.iter().filter(|it| it.1).count() as f64;
        ranks += of_a * (before + (count + 1.0) / 2.0);
        ties += count * count * count - count;
        before += count;
    }
    let total = n + m;
    let u = ranks - n * (n + 1.0) / 2.0 - n * m / 2.0;
    let variance = n * m / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    if variance <= 0.0 {
        return Some((1.0, false));
    }
    let z = (u.abs() - 0.5).max(0.0) / variance.sqrt();
    Some((tail(z), u < 0.0))
}

/// Returns how likely a normally distributed number is at least so far from 0 (Abramowitz and
/// Stegun 1964, 7.1.26: to 1.5e-7).
fn tail(z: f64) -> f64 {
    const FACTORS: [f64; 5] = [
        0.254829592,
        -0.284496736,
        1.421413741,
        -1.453152027,
        1.061405429,
    ];
    let x = z / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.3275911 * x);
    let series = FACTORS.iter().rev().fold(0.0, |sum, it| (sum + it) * t);
    (series * (-x * x).exp()).clamp(0.0, 1.0)
}
