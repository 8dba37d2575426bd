//! What lasts from one moment to another, found by the moments it lies around: a list by begin, and
//! the latest end of every 64 and every 4096 of it.

use std::ops::Range;

const BLOCK: usize = 64;

/// An index of intervals, whose begins and ends others know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Intervals {
    /// Numbers of the intervals, by begin.
    pub order: Vec<u32>,
    /// The latest end of each block of the order, and of each block of blocks.
    latest: [Vec<u64>; 2],
}

impl Intervals {
    /// Sorts intervals by begin; they are numbered as they are given.
    pub fn new(intervals: &[Range<u64>]) -> Intervals {
        use rayon::prelude::*;
        let mut order: Vec<u32> = (0..intervals.len() as u32).collect();
        order.par_sort_unstable_by_key(|number| (intervals[*number as usize].start, *number));
        let end = |number: &u32| intervals[*number as usize].end;
        let ends: Vec<u64> = order.iter().map(end).collect();
        let latest = |ends: &[u64]| -> Vec<u64> {
            let blocks = ends.chunks(BLOCK);
            blocks
                .map(|block| block.iter().copied().max().unwrap_or(0))
                .collect()
        };
        let blocks = latest(&ends);
        let above = latest(&blocks);
        Intervals {
            order,
            latest: [blocks, above],
        }
    }

    pub fn bytes(&self) -> usize {
        4 * self.order.len() + 8 * self.latest.iter().map(Vec::len).sum::<usize>()
    }

    /// Returns how many intervals begin before a moment.
    pub fn before(&self, moment: u64, begin: impl Fn(u32) -> u64) -> usize {
        self.order.partition_point(|number| begin(*number) < moment)
    }

    /// Tells which intervals touch a window, by begin, until `tell` has enough.
    pub fn touch(
        &self,
        window: Range<u64>,
        interval: impl Fn(u32) -> Range<u64>,
        mut tell: impl FnMut(u32) -> bool,
    ) {
        let last = self.before(window.end, |number| interval(number).start);
        let [blocks, above] = &self.latest;
        for (big, end) in above.iter().enumerate() {
            let first = big * BLOCK;
            if first * BLOCK >= last {
                return;
            }
            if *end < window.start {
                continue;
            }
            let within = &blocks[first..blocks.len().min(first + BLOCK)];
            for (small, end) in within.iter().enumerate() {
                let at = (first + small) * BLOCK;
                if at >= last || *end < window.start {
                    continue;
                }
                for &number in &self.order[at..last.min(at + BLOCK)] {
                    if interval(number).end >= window.start && !tell(number) {
                        return;
                    }
                }
            }
        }
    }
}
