//! A table of pairs of groups, without hashing: dense while groups are few,
//! else sorted rows.

use std::collections::BTreeMap;

/// As many pairs have a place each, whether they are seen or not.
const DENSE: usize = 1 << 14;

/// What is known of each pair of groups that was seen.
pub(super) struct Pairs<C> {
    groups: usize,
    /// By pair, one more than the place in `cells`; 0 of those not seen.
    dense: Vec<u32>,
    /// The same by first group, with the second: if there are many.
    rows: Vec<Vec<(u32, u32)>>,
    cells: Vec<((u32, u32), C)>,
}

impl<C: Default> Pairs<C> {
    /// An empty table for so many groups.
    pub fn new(groups: usize) -> Pairs<C> {
        let all = groups.saturating_mul(groups);
        let (dense, rows) = match all <= DENSE {
            true => (all, 0),
            false => (0, groups),
        };
        Pairs {
            groups,
            dense: vec![0; dense],
            rows: vec![Vec::new(); rows],
            cells: Vec::new(),
        }
    }

    /// What is known of a pair; what `C` begins with at first.
    pub fn of(&mut self, from: u32, to: u32) -> &mut C {
        let next = self.cells.len() as u32;
        let place = match self.rows.get_mut(from as usize) {
            Some(row) => match row.binary_search_by_key(&to, |it| it.0) {
                Ok(at) => row[at].1,
                Err(at) => {
                    row.insert(at, (to, next));
                    next
                }
            },
            None => {
                let place = &mut self.dense[from as usize * self.groups + to as usize];
                if *place == 0 {
                    *place = next + 1;
                }
                *place - 1
            }
        };
        if place == next {
            self.cells.push(((from, to), C::default()));
        }
        &mut self.cells[place as usize].1
    }

    /// All pairs that were seen.
    pub fn all(&self) -> &[((u32, u32), C)] {
        &self.cells
    }

    /// The pairs by their names, with a part of what is known.
    pub fn named<T>(
        &self,
        names: &[u32],
        part: impl Fn(&C) -> Option<T>,
    ) -> BTreeMap<(u32, u32), T> {
        let name = |group: u32| names[group as usize];
        let named =
            |((from, to), cell): &((u32, u32), C)| Some(((name(*from), name(*to)), part(cell)?));
        self.cells.iter().filter_map(named).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_table_of_pairs_is_a_map(
            seen in proptest::collection::vec((0u32..200, 0u32..200), 0..300),
            many: bool,
        ) {
            let groups = if many { 200 } else { 20 };
            let mut pairs: Pairs<u64> = Pairs::new(groups as usize);
            let mut map: BTreeMap<(u32, u32), u64> = BTreeMap::new();
            for (number, (from, to)) in (1..).zip(seen) {
                let (from, to) = (from % groups, to % groups);
                *pairs.of(from, to) += number;
                *map.entry((from, to)).or_default() += number;
            }
            let names: Vec<u32> = (0..groups).collect();
            prop_assert_eq!(pairs.named(&names, |it| Some(*it)), map);
        }
    }
}
