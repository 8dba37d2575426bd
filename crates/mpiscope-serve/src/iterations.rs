//! Answers about iterations: when each is, and what ranks do in it.
//!
//! Of very many iterations several together are one entry, so that an answer stays small.

use mpiscope_analysis::finding::named;
use mpiscope_analysis::iterations::{Iterations, Lengths, OfRank};
use mpiscope_model::EventRef;
use mpiscope_tiles::{Class, Done};
use rayon::prelude::*;
use serde_json::{json, Value};

use crate::answer::{Answer, Asked, Told};
use crate::site::Shown;

/// Entries of an answer, at most.
const ENTRIES: usize = 4000;
/// Entries of all rows together, at most.
const CELLS: usize = 200_000;

/// Says in `meta` how many there are, or why there are none.
pub(crate) fn in_short(shown: &Shown) -> Value {
    match &shown.iterations {
        Ok((found, _)) => json!({ "count": found.count(), "anchor": anchor(shown, found) }),
        Err(reason) => json!({ "count": 0, "reason": reason }),
    }
}

/// Answers `iterations`.
pub(crate) fn answer(asked: &Asked) -> Told {
    let shown = asked.shown;
    Ok(match &shown.iterations {
        Ok((found, lengths)) => {
            let [_, _, clock, ..] = &asked.question.path[..] else {
                return Err(Answer::none("clock"));
            };
            let compute = || Answer::json(&all(asked, found, lengths));
            shown.long_answers.of(clock, compute)
        }
        Err(reason) => Answer::json(&json!({ "count": 0, "reason": reason })),
    })
}

/// Names the statement that iterations are counted by.
fn anchor(shown: &Shown, found: &Iterations) -> Option<String> {
    found.ranks.first()?;
    Some(named(&shown.run.trace, found.anchor))
}

fn all(asked: &Asked, found: &Iterations, lengths: &Lengths) -> Value {
    let moments: Vec<Vec<u64>> = found
        .ranks
        .par_iter()
        .map(|it| moments(asked, it))
        .collect();
    let at = |call: usize| moments.iter().map(move |of| of[call]);
    let ends: Vec<u64> = (0..found.calls())
        .map(|call| at(call).max().unwrap_or(0))
        .collect();
    let spent = Spent::new(asked, found, &moments);
    let bounds = bounds(found.count(), spent.per);
    let each: Vec<u64> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
    json!({
        "count": found.count(),
        "anchor": anchor(asked.shown, found),
        "collective": found.is_collective,
        "share": found.share,
        "alike": found.alike,
        "median": median(&each),
        "shortest": each.iter().min(),
        "longest": each.iter().max(),
        "warm_up": lengths.warm_up,
        "drift": lengths.drift.map(|it| json!({ "each": it.per_iteration, "in_all": it.in_all.0 })),
        "slow": slow(asked.shown, found, lengths),
        "per": spent.per,
        "ends": bounds.iter().map(|it| ends[*it]).collect::<Vec<_>>(),
        "from": bounds.iter().map(|it| at(*it).min()).collect::<Vec<_>>(),
        "classes": spent.sums.iter().map(|it| it.classes().to_vec()).collect::<Vec<_>>(),
        "waiting": spent.sums.iter().map(Done::waiting).collect::<Vec<_>>(),
        "balance": balance(asked, found, &spent),
    })
}

/// Returns the calls of the anchor that entries begin with, and the last one.
fn bounds(count: usize, per: usize) -> Vec<usize> {
    (0..count).step_by(per).chain([count]).collect()
}

/// Returns when a rank leaves the calls of its anchor; where its clock went back, it stands still.
fn moments(asked: &Asked, rank: &OfRank) -> Vec<u64> {
    let moment = |index: &u32| {
        let location = rank.location;
        let index = *index;
        asked.clock.moment(EventRef { location, index })
    };
    rank.bounds.iter().map(moment).collect()
}

/// Says of slow ones why, as the best clock tells.
fn slow(shown: &Shown, found: &Iterations, lengths: &Lengths) -> Vec<Value> {
    let told = lengths.slow.iter().take(ENTRIES).map(|slow| {
        let rank = &found.ranks[slow.of];
        let begins = EventRef {
            location: rank.location,
            index: rank.bounds[slow.number],
        };
        let mut findings = shown.found.of_event(begins).iter().copied();
        let finding = findings.find(|number| {
            let finding = &shown.found.list[*number as usize];
            let begin = finding.places.first();
            finding.kind == "slow_iteration" && begin.is_some_and(|it| it.event == begins)
        });
        json!({
            "number": slow.number + 1,
            "length": slow.length.0,
            "row": shown.run.rows.of_location[rank.location.index()],
            "why": lengths.why(slow),
            "finding": finding,
        })
    });
    told.collect()
}

/// Ranks that are looked at side by side before what they did is added up: what is known of each
/// entry of a rank takes more room than both sums.
const SIDE_BY_SIDE: usize = 64;

/// What was done in iterations: each rank is looked at once.
struct Spent {
    /// Iterations of an entry.
    per: usize,
    /// What all ranks did in each.
    sums: Vec<Done>,
    /// Iterations of a column of the balance, a multiple of `per`.
    per_column: usize,
    /// Computation and waiting of each rank in an iteration, in the mean of each column.
    ranks: Vec<[Vec<u64>; 2]>,
}

impl Spent {
    fn new(asked: &Asked, found: &Iterations, moments: &[Vec<u64>]) -> Spent {
        let count = found.count();
        let per = count.div_ceil(ENTRIES).max(1);
        let columns = (CELLS / found.ranks.len().max(1)).max(1);
        let mut spent = Spent {
            per,
            sums: vec![Done::default(); count.div_ceil(per)],
            per_column: count.div_ceil(columns).div_ceil(per).max(1) * per,
            ranks: Vec::with_capacity(found.ranks.len()),
        };
        let bounds = bounds(count, per);
        let ranks = found.ranks.chunks(SIDE_BY_SIDE);
        for (ranks, moments) in ranks.zip(moments.chunks(SIDE_BY_SIDE)) {
            let of_rank = |(rank, moments): (&OfRank, &Vec<u64>)| {
                let some: Vec<u64> = bounds.iter().map(|it| moments[*it]).collect();
                asked.clock.divided(rank.location, &some)
            };
            let done: Vec<Vec<Done>> = ranks.par_iter().zip(moments).map(of_rank).collect();
            done.iter().for_each(|of| spent.add(of, count));
        }
        spent
    }

    /// Adds what the next rank did in each entry.
    fn add(&mut self, entries: &[Done], count: usize) {
        let sums = self.sums.iter_mut().zip(entries);
        sums.for_each(|(sum, done)| *sum += *done);
        let columns = entries.chunks(self.per_column / self.per);
        let means = columns.enumerate().map(|(column, entries)| {
            let mut sum = Done::default();
            entries.iter().for_each(|done| sum += *done);
            let iterations = self.per_column.min(count - column * self.per_column) as u64;
            let mean = |ns: u64| ns / iterations;
            (mean(sum.of(Class::Computation)), mean(sum.waiting()))
        });
        self.ranks.push(means.unzip().into());
    }
}

/// Returns what each row does in an iteration, in the mean of a column.
fn balance(asked: &Asked, found: &Iterations, spent: &Spent) -> Value {
    let of_location = &asked.shown.run.rows.of_location;
    let row = |rank: &OfRank| of_location[rank.location.index()];
    json!({
        "per": spent.per_column,
        "rows": found.ranks.iter().map(row).collect::<Vec<_>>(),
        "computation": spent.ranks.iter().map(|it| &it[0]).collect::<Vec<_>>(),
        "waiting": spent.ranks.iter().map(|it| &it[1]).collect::<Vec<_>>(),
    })
}

fn median(all: &[u64]) -> u64 {
    let mut all = all.to_vec();
    match all.len().checked_sub(1) {
        None => 0,
        Some(last) => *all.select_nth_unstable(last / 2).1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_hold_all_iterations() {
        assert_eq!(bounds(5, 1), [0, 1, 2, 3, 4, 5]);
        assert_eq!(bounds(5, 2), [0, 2, 4, 5]);
        assert_eq!(bounds(4, 2), [0, 2, 4]);
    }

    #[test]
    fn the_median_is_the_lower_of_two_middle_ones() {
        assert_eq!(median(&[4, 1, 3, 2]), 2);
        assert_eq!(median(&[]), 0);
    }
}
