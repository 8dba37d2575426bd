//! Whether rows differ by more than noise: a permutation test of all rows at once.
//!
//! If the builds make no difference, it is chance which run is whose. So the runs are shared out to
//! both sides in all other ways, too, and p of a row is in how many of these the largest statistic of
//! *any* row reaches what this row really has (Westfall and Young 1993, maxT, stepping down from the
//! largest: rows that are judged already do not stand in the way of the next). That holds for all
//! rows together, however they depend on each other. The statistic is Welch's t of logarithms, with
//! a floor under the standard error, as Tusher et al. 2001 have it: a row that happens to be the same
//! in some runs is not infinitely sure.

use super::Evidence;

/// The standard error of a logarithm is taken to be this at least, beside what it is.
const FLOOR: f64 = 0.005;
/// So many ways to share out the runs are all looked at.
const ALL: u64 = 20_000;
/// Of more so many are drawn.
const DRAWN: u64 = 10_000;

/// Returns how many ways there are to choose `k` of `n`, as far as that can be told.
pub fn choose(n: usize, k: usize) -> u64 {
    let step = |ways: u128, it: usize| ways * (n - it) as u128 / (it + 1) as u128;
    let mut ways = 1;
    for it in 0..k.min(n - k.min(n)) {
        ways = step(ways, it);
        if ways > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    ways as u64
}

/// Returns the least p that so many runs can give: where sides are of equal size, exchanging them
/// gives the same difference.
pub fn least_p(a: usize, b: usize) -> f64 {
    let alike = if a == b { 2.0 } else { 1.0 };
    let all = choose(a + b, a);
    match all <= ALL {
        true => (alike / all as f64).min(1.0),
        false => 1.0 / (DRAWN + 1) as f64,
    }
}

/// Says so if no difference, however large, could be sure at a level.
pub fn too_few(a: usize, b: usize, level: f64) -> Option<Evidence> {
    let wanted = (2..=12).find(|it| least_p(*it, *it) <= level);
    (least_p(a, b) > level).then(|| Evidence::TooFew {
        permutations: choose(a + b, a),
        least_p: least_p(a, b),
        wanted: wanted.unwrap_or(12),
    })
}

/// Returns p of each row of values, of which the first `a` are of one side, and `b` of the other.
pub fn test(rows: &[Vec<f64>], a: usize, b: usize) -> (Vec<f64>, Evidence) {
    let runs = a + b;
    let rows: Vec<Vec<f64>> = rows.iter().map(|row| centred(row)).collect();
    let own: Vec<usize> = (0..a).collect();
    let real: Vec<f64> = rows.iter().map(|row| statistic(row, &own)).collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|x, y| real[*x].total_cmp(&real[*y]));
    let mut reached = vec![0u64; rows.len()];
    let mut look = |side: &[usize]| {
        let mut most = 0.0f64;
        for at in &order {
            most = most.max(statistic(&rows[*at], side));
            // Sums are added up in another order: what differs in the last digits is equal.
            reached[*at] += u64::from(most >= real[*at] * (1.0 - 1e-9));
        }
    };
    let all = choose(runs, a);
    let exact = all <= ALL;
    let permutations = match exact {
        true => {
            every(runs, a, &mut look);
            all
        }
        false => {
            // The real one is one of them.
            look(&own);
            drawn(runs, a, &mut look);
            DRAWN + 1
        }
    };
    let mut ps: Vec<f64> = (reached.iter())
        .map(|it| *it as f64 / permutations as f64)
        .collect();
    // What differs less is not surer.
    let mut least = 0.0f64;
    for at in order.iter().rev() {
        least = least.max(ps[*at]);
        ps[*at] = least;
    }
    (
        ps,
        Evidence::Runs {
            permutations,
            exact,
        },
    )
}

fn centred(row: &[f64]) -> Vec<f64> {
    let mean = row.iter().sum::<f64>() / row.len().max(1) as f64;
    row.iter().map(|it| it - mean).collect()
}

/// Returns how far one side of a centred row is from the other, in standard errors.
fn statistic(row: &[f64], side: &[usize]) -> f64 {
    let square = |it: f64| it * it;
    let (n, m) = (side.len() as f64, (row.len() - side.len()) as f64);
    let sum: f64 = side.iter().map(|at| row[*at]).sum();
    let squares: f64 = side.iter().map(|at| square(row[*at])).sum();
    let all: f64 = row.iter().map(|it| square(*it)).sum();
    // Both sides together are around 0.
    let (mean, other) = (sum / n, -sum / m);
    let variance = |squares: f64, mean: f64, n: f64| match n > 1.0 {
        true => Some(((squares - n * square(mean)) / (n - 1.0)).max(0.0)),
        false => None,
    };
    let (one, two) = (
        variance(squares, mean, n),
        variance(all - squares, other, m),
    );
    // Of one run nobody knows how it spreads: as the others do.
    let (one, two) = (one.or(two).unwrap_or(0.0), two.or(one).unwrap_or(0.0));
    (mean - other).abs() / (one / n + two / m + square(FLOOR)).sqrt()
}

/// Tells all ways to choose `k` of `n`.
fn every(n: usize, k: usize, tell: &mut impl FnMut(&[usize])) {
    let mut side: Vec<usize> = (0..k).collect();
    loop {
        tell(&side);
        let Some(at) = (0..k).rev().find(|at| side[*at] < n - k + at) else {
            return;
        };
        side[at] += 1;
        for next in at + 1..k {
            side[next] = side[next - 1] + 1;
        }
    }
}

/// Draws ways to choose `k` of `n`, the same each time.
fn drawn(n: usize, k: usize, tell: &mut impl FnMut(&[usize])) {
    let mut all: Vec<usize> = (0..n).collect();
    let mut state = 1u64;
    for _ in 0..DRAWN {
        for at in 0..k {
            let other = at + (next(&mut state) % (n - at) as u64) as usize;
            all.swap(at, other);
        }
        tell(&all[..k]);
    }
}

/// Splitmix64 (Steele, Lea, Flood 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
