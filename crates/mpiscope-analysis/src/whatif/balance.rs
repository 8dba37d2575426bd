//! Computation spread evenly: between two operations in which all wait for all, each rank computes
//! as long as any other.

use super::Replay;

/// By what computation of each lane is multiplied.
pub(super) struct Balance {
    /// By lane: the pieces that end an interval, ascending.
    ends: Vec<Vec<u32>>,
    /// By lane, there by interval.
    factors: Vec<Vec<f64>>,
}

/// Returns the operations in which all lanes meet, each by the piece of each replayed lane that ends
/// it, in the order in which all of them have them.
pub(super) fn meetings(replay: &Replay) -> Vec<&Vec<u32>> {
    let mut all: Vec<&Vec<u32>> = replay.needs.all_meet.iter().collect();
    all.sort_by_key(|pieces| pieces.first());
    let mut kept: Vec<&Vec<u32>> = Vec::with_capacity(all.len());
    for pieces in all {
        let is_after = |last: &&Vec<u32>| {
            let mut lanes = last.iter().zip(pieces);
            lanes.all(|(before, after)| before < after)
        };
        // Operations that overlap on some rank are no such moments.
        if kept.last().is_none_or(is_after) {
            kept.push(pieces);
        }
    }
    kept
}

impl Balance {
    /// Finds the factors of pieces which last `length` (of lane and piece) and are `balanced`.
    pub fn new(
        replay: &Replay,
        balanced: impl Fn(u32) -> bool,
        length: impl Fn(usize, usize) -> i64,
    ) -> Balance {
        let meetings = meetings(replay);
        let count = meetings.len() + 1;
        let lanes = 0..replay.lanes.len();
        let mut balance = Balance {
            ends: vec![Vec::new(); lanes.len()],
            factors: vec![Vec::new(); lanes.len()],
        };
        let replayed = lanes.clone().filter(|it| replay.lanes[*it].is_there());
        for (place, lane) in replayed.enumerate() {
            balance.ends[lane] = meetings.iter().map(|it| it[place]).collect();
        }
        let mut sums = vec![(0i64, 0i64); count];
        for lane in lanes.clone().filter(|it| replay.lanes[*it].is_there()) {
            let mut own = vec![0i64; count];
            for (piece, &activity) in replay.lanes[lane].activities.iter().enumerate() {
                if balanced(activity) {
                    let sum = &mut own[balance.interval(lane, piece)];
                    *sum = sum.saturating_add(length(lane, piece));
                }
            }
            for (sum, own) in sums.iter_mut().zip(&own).filter(|(_, own)| **own > 0) {
                *sum = (sum.0.saturating_add(*own), sum.1 + 1);
            }
            balance.factors[lane] = own.iter().map(|it| *it as f64).collect();
        }
        for lane in &mut balance.factors {
            for (factor, (sum, lanes)) in lane.iter_mut().zip(&sums) {
                let mean = *sum as f64 / (*lanes).max(1) as f64;
                *factor = if *factor > 0.0 { mean / *factor } else { 1.0 };
            }
        }
        balance
    }

    fn interval(&self, lane: usize, piece: usize) -> usize {
        self.ends[lane].partition_point(|end| (*end as usize) < piece)
    }

    /// Returns the factor of a piece that is balanced.
    pub fn factor(&self, lane: usize, piece: usize) -> f64 {
        self.factors[lane][self.interval(lane, piece)]
    }
}
