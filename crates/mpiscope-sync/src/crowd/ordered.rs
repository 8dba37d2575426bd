//! How many of a group came after a time, and by how much all together.

use crate::steps;

/// Senders sorted by a key and the time they entered at, each of which counts
/// once it has been [added](Self::add): a tree of sums (Fenwick 1994).
#[derive(Default)]
pub(crate) struct Ordered {
    sorted: Vec<(u32, i64)>,
    counts: Vec<u64>,
    sums: Vec<i128>,
}

impl Ordered {
    /// Begins anew with these senders, none of which counts yet.
    pub fn fill(&mut self, senders: impl Iterator<Item = (u32, i64)>) {
        self.sorted.clear();
        self.sorted.extend(senders);
        self.sorted.sort_unstable();
        steps::sort(self.sorted.len());
        self.counts.clear();
        self.counts.resize(self.sorted.len() + 1, 0);
        self.sums.clear();
        self.sums.resize(self.sorted.len() + 1, 0);
    }

    /// Lets one more sender of this key and time count.
    pub fn add(&mut self, key: u32, time: i64) {
        // Senders alike fill the place of the first of them.
        let mut at = 1 + self.sorted.partition_point(|it| *it < (key, time));
        steps::search(self.sorted.len());
        while at <= self.sorted.len() {
            steps::take(1);
            self.counts[at] += 1;
            self.sums[at] += i128::from(time);
            at += at & at.wrapping_neg();
        }
    }

    /// Returns how many of a key count that entered after `time`, and by how
    /// much all together.
    pub fn after(&self, key: u32, time: i64) -> (u64, i128) {
        let begin = self.sorted.partition_point(|it| *it <= (key, time));
        let end = self.sorted.partition_point(|it| *it <= (key, i64::MAX));
        steps::take(1);
        steps::search(self.sorted.len());
        if begin == end {
            return (0, 0);
        }
        let (before, upto) = (self.upto(begin), self.upto(end));
        let count = upto.0 - before.0;
        let sum = upto.1 - before.1;
        (count, sum - i128::from(count) * i128::from(time))
    }

    fn upto(&self, mut at: usize) -> (u64, i128) {
        let (mut count, mut sum) = (0, 0);
        while at > 0 {
            steps::take(1);
            count += self.counts[at];
            sum += self.sums[at];
            at &= at - 1;
        }
        (count, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_and_sums_are_those_of_a_search(
            senders in proptest::collection::vec((0u32..4, -9i64..9), 0..40),
            added in 0usize..40,
            key in 0u32..5,
            time in -10i64..10,
        ) {
            let mut ordered = Ordered::default();
            ordered.fill(senders.iter().copied());
            let added = &senders[..added.min(senders.len())];
            added.iter().for_each(|&(key, time)| ordered.add(key, time));
            let later: Vec<i64> = added
                .iter()
                .filter(|it| it.0 == key && it.1 > time)
                .map(|it| it.1 - time)
                .collect();
            let sum = later.iter().map(|&it| i128::from(it)).sum();
            prop_assert_eq!(ordered.after(key, time), (later.len() as u64, sum));
        }
    }
}
