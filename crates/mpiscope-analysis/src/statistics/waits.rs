//! Who waits for whom at one moment, and whether that is a cycle.
//!
//! A rank that waits for all of some can go on when all of them can; one that
//! waits for any of some when one of them can (Holt 1972). Who can never go on
//! by this waits in a cycle, or for one.

use std::collections::{BTreeMap, BTreeSet};

/// For whom a rank waits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Wait {
    /// For nobody, as far as is known.
    #[default]
    Nobody,
    /// For each of these ranks.
    All(Vec<u32>),
    /// For one of these ranks.
    Any(Vec<u32>),
}

/// Returns a cycle of ranks that wait for each other, each for the next one and
/// the last for the first; empty if there is none.
pub fn cycle(waits: &BTreeMap<u32, Wait>) -> Vec<u32> {
    let stuck = stuck(waits);
    let next = |rank: &u32| match waits.get(rank)? {
        Wait::Nobody => None,
        Wait::All(ranks) | Wait::Any(ranks) => ranks.iter().copied().find(|r| stuck.contains(r)),
    };
    let mut path: Vec<u32> = Vec::new();
    let mut at = stuck.first().copied();
    while let Some(rank) = at {
        if let Some(begin) = path.iter().position(|other| *other == rank) {
            return path.split_off(begin);
        }
        path.push(rank);
        at = next(&rank);
    }
    Vec::new()
}

/// Returns the ranks that cannot go on.
fn stuck(waits: &BTreeMap<u32, Wait>) -> BTreeSet<u32> {
    let mut stuck: BTreeSet<u32> = waits.keys().copied().collect();
    loop {
        let goes_on = |rank: &&u32| match &waits[*rank] {
            Wait::Nobody => true,
            Wait::All(ranks) => ranks.iter().all(|other| !stuck.contains(other)),
            Wait::Any(ranks) => ranks.iter().any(|other| !stuck.contains(other)),
        };
        let free: Vec<u32> = stuck.iter().filter(goes_on).copied().collect();
        if free.is_empty() {
            return stuck;
        }
        free.iter().for_each(|rank| {
            stuck.remove(rank);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(waits: &[(u32, Wait)], expected: &[u32]) {
        let waits = waits.iter().cloned().collect();
        assert_eq!(cycle(&waits), expected, "{waits:?}");
    }

    fn all(ranks: &[u32]) -> Wait {
        Wait::All(ranks.to_vec())
    }

    fn any(ranks: &[u32]) -> Wait {
        Wait::Any(ranks.to_vec())
    }

    #[test]
    fn a_chain_that_ends_at_a_working_rank_is_no_cycle() {
        check(&[(0, all(&[1])), (1, all(&[2])), (2, Wait::Nobody)], &[]);
        check(&[(0, all(&[7]))], &[]);
    }

    #[test]
    fn ranks_that_wait_for_each_other_are_named_in_order() {
        check(
            &[
                (0, all(&[3])),
                (1, all(&[2])),
                (2, all(&[3])),
                (3, all(&[1])),
            ],
            &[3, 1, 2],
        );
    }

    #[test]
    fn whoever_waits_for_anybody_goes_on_with_one() {
        check(&[(0, any(&[1, 2])), (1, all(&[0])), (2, Wait::Nobody)], &[]);
        check(
            &[(0, any(&[1, 2])), (1, all(&[0])), (2, all(&[0]))],
            &[0, 1],
        );
    }

    #[test]
    fn whoever_waits_for_all_does_not() {
        check(
            &[(0, all(&[1, 2])), (1, all(&[0])), (2, Wait::Nobody)],
            &[0, 1],
        );
    }
}
