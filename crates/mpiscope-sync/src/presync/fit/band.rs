//! Symmetric positive definite matrices of five diagonals: one per clock.

/// The lower half: row k holds the entries of columns k−2, k−1 and k.
#[derive(Clone, Debug, Default)]
pub(super) struct Band {
    rows: Vec<[f64; 3]>,
}

impl Band {
    pub fn new(size: usize) -> Band {
        Band {
            rows: vec![[0.0; 3]; size],
        }
    }

    /// Adds to the entry at `row`, `row − below`.
    pub fn add(&mut self, row: usize, below: usize, value: f64) {
        self.rows[row][2 - below] += value;
    }

    /// Adds a term of so much weight on what lies between two knots, `share` of the way.
    pub fn add_at(&mut self, (knot, share): (u32, f64), weight: f64) {
        let knot = knot as usize;
        self.add(knot, 0, weight * (1.0 - share) * (1.0 - share));
        self.add(knot + 1, 1, weight * share * (1.0 - share));
        self.add(knot + 1, 0, weight * share * share);
    }

    /// Adds what holds a clock: the weights of its bends, and of the errors themselves.
    pub fn add_clock(&mut self, bends: &[f64], ridge: f64) {
        for k in 0..bends.len() {
            self.add(k, 0, ridge);
        }
        for (k, bend) in (1..).zip(bends.windows(3).map(|three| three[1])) {
            for (row, below, factor) in [
                (k - 1, 0, 1.0),
                (k, 0, 4.0),
                (k + 1, 0, 1.0),
                (k, 1, -2.0),
                (k + 1, 1, -2.0),
                (k + 1, 2, 1.0),
            ] {
                self.add(row, below, factor * bend);
            }
        }
    }

    /// Turns the matrix into its Cholesky factor. Rows that rounding made
    /// indefinite keep their diagonal alone: a preconditioner needs no more.
    pub fn factor(&mut self) {
        for k in 0..self.rows.len() {
            let [mut two, mut one, diagonal] = self.rows[k];
            if k >= 2 {
                two /= self.rows[k - 2][2];
                one -= two * self.rows[k - 1][1];
            }
            if k >= 1 {
                one /= self.rows[k - 1][2];
            }
            let rest = diagonal - two * two - one * one;
            self.rows[k] = match rest > diagonal * 1e-14 {
                true => [two, one, rest.sqrt()],
                false => [0.0, 0.0, diagonal.max(f64::MIN_POSITIVE).sqrt()],
            };
        }
    }

    /// Solves with the factor, in place.
    pub fn solve(&self, x: &mut [f64]) {
        let size = self.rows.len();
        for k in 0..size {
            let [two, one, diagonal] = self.rows[k];
            let mut value = x[k];
            if k >= 2 {
                value -= two * x[k - 2];
            }
            if k >= 1 {
                value -= one * x[k - 1];
            }
            x[k] = value / diagonal;
        }
        for k in (0..size).rev() {
            let mut value = x[k];
            if k + 1 < size {
                value -= self.rows[k + 1][1] * x[k + 1];
            }
            if k + 2 < size {
                value -= self.rows[k + 2][0] * x[k + 2];
            }
            x[k] = value / self.rows[k][2];
        }
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
        let mut band = Band::new(4);
        for (row, values) in matrix.iter().enumerate() {
            for below in 0..=row.min(2) {
                band.add(row, below, values[row - below]);
            }
        }
        band.factor();
        let right = [1.0, -2.0, 3.0, 0.5];
        let mut x = right;
        band.solve(&mut x);
        for (row, wanted) in matrix.iter().zip(right) {
            let product: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
            assert!((product - wanted).abs() < 1e-12, "{product} {wanted}");
        }
    }
}
