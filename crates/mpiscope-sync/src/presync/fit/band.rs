//! Symmetric positive definite matrices of five diagonals, many side by side: one per clock.
//!
//! A triangular system is a chain of divisions, each of which waits for the last. Chains of
//! different clocks are independent, so row `k` of all of them lies together and they advance in
//! step: ten times as fast as one after the other.

/// The lower halves: row k of each column holds the entries of columns k−2, k−1 and k of its
/// matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Bands {
    /// How many matrices.
    columns: usize,
    two: Vec<f64>,
    one: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Bands {
    /// `columns` matrices of `size` rows, all zero.
    pub fn new(columns: usize, size: usize) -> Bands {
        let zeros = || vec![0.0; columns * size];
        Bands {
            columns,
            two: zeros(),
            one: zeros(),
            diagonal: zeros(),
        }
    }

    /// Adds to the entry at `row`, `row − below` of the matrix of a column.
    pub fn add(&mut self, column: usize, row: usize, below: usize, value: f64) {
        let entries = match below {
            0 => &mut self.diagonal,
            1 => &mut self.one,
            _ => &mut self.two,
        };
        entries[row * self.columns + column] += value;
    }

    /// Adds a term of so much weight on what lies between two knots, `share` of the way.
    pub fn add_at(&mut self, column: usize, (knot, share): (u32, f64), weight: f64) {
        let knot = knot as usize;
        self.add(column, knot, 0, weight * (1.0 - share) * (1.0 - share));
        self.add(column, knot + 1, 1, weight * share * (1.0 - share));
        self.add(column, knot + 1, 0, weight * share * share);
    }

    /// Adds what holds a clock: the weights of its bends, one for each row, and of the errors
    /// themselves.
    pub fn add_clock(&mut self, column: usize, bends: impl Iterator<Item = f64>, ridge: f64) {
        let rows = self.diagonal.len() / self.columns.max(1);
        for k in 0..rows {
            self.add(column, k, 0, ridge);
        }
        for (k, bend) in bends.enumerate().take(rows.saturating_sub(1)).skip(1) {
            for (row, below, factor) in [
                (k - 1, 0, 1.0),
                (k, 0, 4.0),
                (k + 1, 0, 1.0),
                (k, 1, -2.0),
                (k + 1, 1, -2.0),
                (k + 1, 2, 1.0),
            ] {
                self.add(column, row, below, factor * bend);
            }
        }
    }

    /// Turns the matrices into their Cholesky factors. Rows that rounding made
    /// indefinite keep their diagonal alone: a preconditioner needs no more.
    pub fn factor(&mut self) {
        let columns = self.columns;
        for at in 0..self.diagonal.len() {
            let (mut two, mut one, diagonal) = (self.two[at], self.one[at], self.diagonal[at]);
            if at >= 2 * columns {
                two /= self.diagonal[at - 2 * columns];
                one -= two * self.one[at - columns];
            }
            if at >= columns {
                one /= self.diagonal[at - columns];
            }
            let rest = diagonal - two * two - one * one;
            (self.two[at], self.one[at], self.diagonal[at]) = match rest > diagonal * 1e-14 {
                true => (two, one, rest.sqrt()),
                false => (0.0, 0.0, diagonal.max(f64::MIN_POSITIVE).sqrt()),
            };
        }
    }

    /// Solves with the factors, in place: `x` holds row k of all columns together, too.
    pub fn solve(&self, x: &mut [f64]) {
        let columns = self.columns;
        let size = x.len();
        for begin in (0..size).step_by(columns.max(1)) {
            let (before, row) = x.split_at_mut(begin);
            let row = &mut row[..columns];
            if begin >= 2 * columns {
                let two = &self.two[begin..][..columns];
                less(row, two, &before[begin - 2 * columns..][..columns]);
            }
            if begin >= columns {
                let one = &self.one[begin..][..columns];
                less(row, one, &before[begin - columns..]);
            }
            let diagonal = &self.diagonal[begin..][..columns];
            row.iter_mut().zip(diagonal).for_each(|(x, d)| *x /= d);
        }
        for begin in (0..size).step_by(columns.max(1)).rev() {
            let next = begin + columns;
            let (row, behind) = x.split_at_mut(next);
            let row = &mut row[begin..];
            if next < size {
                less(row, &self.one[next..][..columns], &behind[..columns]);
            }
            if next + columns < size {
                let two = &self.two[next + columns..][..columns];
                less(row, two, &behind[columns..][..columns]);
            }
            let diagonal = &self.diagonal[begin..][..columns];
            row.iter_mut().zip(diagonal).for_each(|(x, d)| *x /= d);
        }
    }
}

/// Subtracts from each value the product of two others.
fn less(row: &mut [f64], factors: &[f64], others: &[f64]) {
    for ((x, factor), other) in row.iter_mut().zip(factors).zip(others) {
        *x -= factor * other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_solved_multiplies_back() {
        let matrix = [
            [4.0, 1.0, 0.5, 0.0],
            [1.0, 5.0, -1.0, 0.25],
            [0.5, -1.0, 3.0, 1.0],
            [0.0, 0.25, 1.0, 6.0],
        ];
        // The second column is ten times the first.
        let mut bands = Bands::new(2, 4);
        for (row, values) in matrix.iter().enumerate() {
            for below in 0..=row.min(2) {
                bands.add(0, row, below, values[row - below]);
                bands.add(1, row, below, 10.0 * values[row - below]);
            }
        }
        bands.factor();
        let right = [1.0, -2.0, 3.0, 0.5];
        let mut x: Vec<f64> = right.iter().flat_map(|&value| [value, value]).collect();
        bands.solve(&mut x);
        for (column, scale) in [1.0, 10.0].into_iter().enumerate() {
            for (row, wanted) in matrix.iter().zip(right) {
                let x = x.iter().skip(column).step_by(2);
                let product: f64 = row.iter().zip(x).map(|(a, x)| scale * a * x).sum();
                assert!((product - wanted).abs() < 1e-12, "{product} {wanted}");
            }
        }
    }
}
