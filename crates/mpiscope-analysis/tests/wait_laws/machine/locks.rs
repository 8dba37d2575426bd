//! Locks of windows: had at once or not before they are given back, shared or not, of one part or of
//! all; in an order that is told or not.

use super::Machine;

impl Machine {
    /// Lets some ranks lock a window about the same time.
    pub(super) fn lock(&mut self) {
        let (window, _) = self.window();
        let ranks = self.some();
        self.gather(&ranks);
        let is_told = self.dice.is_one_of(3);
        for rank in ranks {
            for _ in 0..=self.dice.below(2) {
                self.hold(rank, window, is_told);
            }
        }
    }

    fn hold(&mut self, rank: usize, window: &str, is_told: bool) {
        let (part, all) = match self.dice.is_one_of(4) {
            true => ("4294967295", "_all"),
            false => (self.dice.pick(&["0", "1"]), ""),
        };
        let shared = match all.is_empty() {
            true => self.dice.pick(&["", "", ",shared"]),
            false => ",shared",
        };
        let turn = if is_told {
            format!(" !seq({})", self.held)
        } else {
            String::new()
        };
        self.held += 1;
        let lock = format!("({window},{part},0{shared})");
        let acquire = format!("lock_acquire{lock}{turn}");
        let release = format!("lock_release({window},{part},0)");
        let mut calls = [
            (
                format!("MPI_Win_lock{all}"),
                vec![format!("lock_request{lock}")],
            ),
            (format!("MPI_Win_flush{all}"), vec![]),
            (format!("MPI_Win_unlock{all}"), vec![]),
        ];
        let acquires = self.dice.below(3);
        calls[acquires].1.push(acquire);
        calls[2].1.push(release);
        for (name, what) in &calls {
            self.call(rank, name, what);
        }
    }
}
