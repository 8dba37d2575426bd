//! The collective operations of a part, cut into rounds: what parts tell the homes of operations at
//! a time stays small.

use std::ops::Range;

use mpiscope_model::{CollectiveInstance, Matching};

use super::{Division, Exchange, ROUND};

/// Returns which operations are told of in each round, by their numbers in ascending order. Who
/// knows all operations cuts them as all do. Who knows its own alone cuts those that are at home
/// here, and is told by the homes of the others in which rounds these are.
pub(crate) fn rounds_of_operations<E: Exchange>(
    exchange: &E,
    matching: &Matching,
    division: &Division,
) -> Vec<Vec<u32>> {
    let members = |it: &CollectiveInstance| it.members.len();
    if matching.of_all.is_none() {
        let all = |range: Range<usize>| (range.start as u32..range.end as u32).collect();
        let rounds = cut(matching.collectives.iter().map(members));
        return rounds.into_iter().map(all).collect();
    }
    let me = exchange.me() as u32;
    let homes = || (0u32..).zip(&matching.homes);
    let here = homes().filter(|(_, home)| home.process == me);
    let here: Vec<u32> = here.map(|(number, _)| number).collect();
    let instance = |number: &u32| &matching.collectives[*number as usize];
    let rounds = cut(here.iter().map(|number| members(instance(number))));
    let mut rounds: Vec<Vec<u32>> = rounds.into_iter().map(|it| here[it].to_vec()).collect();
    // By part and round: how many it has members of.
    let mut counts = vec![vec![0; rounds.len()]; exchange.parts()];
    for (round, numbers) in rounds.iter().enumerate() {
        for number in numbers {
            for part in parts_of(matching, instance(number), division) {
                counts[part][round] += 1;
            }
        }
    }
    let counts = exchange.all_to_all(counts);
    let most = counts.iter().map(Vec::len).max();
    rounds.resize(most.unwrap_or(0), Vec::new());
    let mut turns: Vec<_> = counts.into_iter().map(turns).collect();
    for (number, home) in homes().filter(|(_, home)| home.process != me) {
        if let Some(round) = turns[home.process as usize].next() {
            rounds[round].push(number);
        }
    }
    rounds.iter_mut().for_each(|round| round.sort_unstable());
    rounds
}

/// Returns the parts that have members of an operation.
fn parts_of(matching: &Matching, instance: &CollectiveInstance, division: &Division) -> Vec<usize> {
    let members = matching.members_of(instance).iter();
    let mut parts: Vec<usize> = members
        .map(|it| division.part_of(it.enter.location.0))
        .collect();
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// Returns the round of one after the other, of rounds with so many each.
fn turns(counts: Vec<u32>) -> impl Iterator<Item = usize> {
    let rounds = counts.into_iter().enumerate();
    rounds.flat_map(|(round, count)| std::iter::repeat_n(round, count as usize))
}

/// Cuts operations with so many members into rounds.
fn cut(members: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut rounds: Vec<Range<usize>> = Vec::new();
    let mut left = 0;
    for (number, members) in members.enumerate() {
        match rounds.last_mut() {
            Some(round) if members <= left => round.end += 1,
            _ => {
                left = ROUND;
                rounds.push(number..number + 1);
            }
        }
        left = left.saturating_sub(members);
    }
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::{on_threads, Threads};
    use mpiscope_model::{
        CollectiveMember, CollectiveOp, CommId, Counts, EventRef, Home, LocationIndex,
    };
    use proptest::prelude::*;

    fn member(location: usize) -> CollectiveMember {
        let event = EventRef::new(LocationIndex(location as u32), 0);
        CollectiveMember {
            enter: event,
            exit: event,
            rank: 0,
            remote: false,
            sent: 0,
            received: 0,
        }
    }

    /// What a part knows of operations with these homes, and so many members of each part, which
    /// has one location.
    fn own(operations: &[(usize, [usize; 3])], me: usize) -> Matching {
        let mut own = Matching {
            of_all: Some(Counts::default()),
            ..Matching::default()
        };
        for (order, &(home, counts)) in (0..).zip(operations) {
            let begin = own.members.len();
            for (part, count) in counts.into_iter().enumerate() {
                if home == me || part == me {
                    own.members.extend((0..count).map(|_| member(part)));
                }
            }
            let members = begin..own.members.len();
            if home == me || !members.is_empty() {
                own.homes.push(Home {
                    process: home as u32,
                    order,
                });
                own.collectives.push(CollectiveInstance {
                    op: CollectiveOp::Barrier,
                    comm: CommId::NONE,
                    root: None,
                    members,
                    complete: true,
                    consistent: true,
                });
            }
        }
        own
    }

    proptest! {
        #[test]
        fn they_go_by_in_their_order(members in prop::collection::vec(0..ROUND, 0..30)) {
            let rounds = cut(members.iter().copied());
            let all: Vec<usize> = rounds.iter().cloned().flatten().collect();
            prop_assert_eq!(all, (0..members.len()).collect::<Vec<usize>>());
            for round in rounds {
                let count: usize = members[round.clone()].iter().sum();
                prop_assert!(round.len() == 1 || count <= ROUND);
            }
        }

        #[test]
        fn guests_come_in_the_rounds_of_their_homes(
            operations in prop::collection::vec((0usize..3, [0usize..9, 0usize..9, 0usize..9]), 0..90),
        ) {
            let division = Division::of_parts(&[0, 1, 2], 3);
            let rounds = on_threads(vec![(); 3], |exchange: &Threads, ()| {
                let own = own(&operations, exchange.me());
                let order = |number: &u32| own.homes[*number as usize].order as usize;
                let rounds = rounds_of_operations(exchange, &own, &division);
                let all = rounds.iter().map(|round| round.iter().map(order).collect());
                all.collect::<Vec<Vec<usize>>>()
            });
            for (me, of_part) in rounds.iter().enumerate() {
                prop_assert_eq!(of_part.len(), rounds[0].len());
                let mut all = of_part.concat();
                all.sort_unstable();
                let is_known = |order: &usize| {
                    let (home, counts) = operations[*order];
                    home == me || counts[me] > 0
                };
                let known: Vec<usize> = (0..operations.len()).filter(is_known).collect();
                prop_assert_eq!(all, known);
                for (round, orders) in of_part.iter().enumerate() {
                    prop_assert!(orders.is_sorted());
                    for order in orders {
                        let (home, _) = operations[*order];
                        prop_assert!(rounds[home][round].contains(order));
                    }
                }
            }
        }
    }
}
