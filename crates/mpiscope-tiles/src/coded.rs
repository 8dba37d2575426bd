//! Times of a clock that lie in no archive, as how far they are from the times of one that do.
//!
//! Between the ends of a block most clocks go evenly by each other: then two differences say all.
//! What they do not say is written beside them, so that every time comes back to the nanosecond.

use mpiscope_model::Timestamp;

use crate::sums::STRIDE;
use crate::varint::{put, take, unzigzag, zigzag};

/// Times of a location by one clock, to who knows those by another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coded {
    /// Where the bytes of each block end.
    pub ends: Vec<u32>,
    /// What is to be added.
    pub bytes: Vec<u8>,
}

impl Coded {
    /// Writes down times beside those of another clock, of as many events.
    pub fn new(known: &[Timestamp], times: &[Timestamp]) -> Coded {
        let mut coded = Coded::default();
        let blocks = known
            .chunks(STRIDE as usize)
            .zip(times.chunks(STRIDE as usize));
        for (known, times) in blocks {
            coded.add(known, times);
            coded.ends.push(coded.bytes.len() as u32);
        }
        coded.bytes.shrink_to_fit();
        coded
    }

    fn add(&mut self, known: &[Timestamp], times: &[Timestamp]) {
        let apart = |at: usize| times[at].0.wrapping_sub(known[at].0);
        let ends = (apart(0), apart(known.len() - 1));
        put(&mut self.bytes, zigzag(ends.0));
        put(&mut self.bytes, zigzag(ends.1.wrapping_sub(ends.0)));
        let rest = |at: usize| apart(at).wrapping_sub(between(known, ends, at));
        if (0..known.len()).any(|at| rest(at) != 0) {
            (0..known.len()).for_each(|at| put(&mut self.bytes, zigzag(rest(at))));
        }
    }

    /// Returns the times of a block by those of the other clock; nothing if it has no such block.
    pub fn block(&self, number: u32, known: &[Timestamp]) -> Option<Vec<Timestamp>> {
        let end = |number: usize| self.ends.get(number).map(|it| *it as usize);
        let number = number as usize;
        let begin = number.checked_sub(1).map_or(Some(0), end)?;
        let mut bytes = self.bytes.get(begin..end(number)?)?;
        let first = unzigzag(take(&mut bytes)?);
        let ends = (first, first.wrapping_add(unzigzag(take(&mut bytes)?)));
        let is_even = bytes.is_empty();
        let time = |at: usize| {
            let rest = match is_even {
                true => 0,
                false => unzigzag(take(&mut bytes)?),
            };
            let apart = between(known, ends, at).wrapping_add(rest);
            Some(Timestamp(known[at].0.wrapping_add(apart)))
        };
        (0..known.len()).map(time).collect()
    }
}

/// Returns how far clocks are apart at an event, if they go evenly by each other.
fn between(known: &[Timestamp], (first, last): (i64, i64), at: usize) -> i64 {
    let since = |at: usize| i128::from(known[at].0) - i128::from(known[0].0);
    let length = since(known.len() - 1);
    let drift = i128::from(last.wrapping_sub(first));
    match length {
        0 => first,
        _ => first.wrapping_add((drift.wrapping_mul(since(at)) / length) as i64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(known: &[i64], times: &[i64]) -> usize {
        let times_of = |times: &[i64]| times.iter().map(|it| Timestamp(*it)).collect::<Vec<_>>();
        let (known, times) = (times_of(known), times_of(times));
        let coded = Coded::new(&known, &times);
        let blocks = known.chunks(STRIDE as usize).zip(0..);
        let found = blocks.flat_map(|(known, number)| coded.block(number, known).unwrap());
        assert_eq!(found.collect::<Vec<_>>(), times);
        assert_eq!(coded.block(coded.ends.len() as u32, &known), None);
        coded.bytes.len()
    }

    #[test]
    fn times_come_back() {
        let known: Vec<i64> = (0..1000).map(|at| at * at * 7 - 500).collect();
        let even: Vec<i64> = known.iter().map(|it| it + 12_345).collect();
        assert!(check(&known, &even) < 20, "even clocks take no room");
        let uneven: Vec<i64> = known.iter().map(|it| it * 3 + it % 11).collect();
        check(&known, &uneven);
        check(&[], &[]);
        check(&[5, 5, 5], &[1, 9, 4]);
        check(&[i64::MIN, 0, i64::MAX], &[i64::MAX, 3, i64::MIN]);
    }
}
