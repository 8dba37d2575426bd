//! The messages that each part receives, cut into rounds: so much of them is
//! told and counted at a time that what is on its way stays small.

use std::borrow::Cow;
use std::ops::Range;

use super::Exchange;

/// As many messages, or what else takes as much, a part tells in a round; few in
/// tests, whose traces are small and shall take many rounds.
pub(crate) const ROUND: usize = if cfg!(test) { 1 << 6 } else { 1 << 14 };

/// Which messages are received by whom, in which round.
pub(crate) struct Rounds {
    /// By part and round: stretches of the list.
    stretches: Vec<Vec<Vec<Range<usize>>>>,
}

impl Rounds {
    /// Cuts a list of messages with the parts that send and receive them: of all messages, or, if
    /// each part knows its `own` alone, of these.
    pub fn among<E: Exchange>(
        exchange: &E,
        own: bool,
        parts: usize,
        ends: impl Iterator<Item = (usize, usize)> + Clone,
    ) -> Rounds {
        match own {
            true => Rounds::of_own(exchange, ends),
            false => Rounds::new(parts, ends.map(|(_, receiver)| receiver)),
        }
    }

    /// Cuts the list of all messages, which these parts receive.
    fn new(parts: usize, receivers: impl Iterator<Item = usize>) -> Rounds {
        let stretches = cut(parts, receivers, |_| Some(ROUND));
        Rounds { stretches }
    }

    /// Cuts the list of those messages that this part sends or receives, with the parts that do.
    /// Each part cuts what it receives, and tells those who sent it how much of theirs is in which
    /// round.
    fn of_own<E: Exchange>(
        exchange: &E,
        ends: impl Iterator<Item = (usize, usize)> + Clone,
    ) -> Rounds {
        let (parts, me) = (exchange.parts(), exchange.me());
        let received = ends.clone().filter(|(_, receiver)| *receiver == me);
        let mut counts: Vec<Vec<u32>> = vec![Vec::new(); parts];
        for (number, (sender, _)) in received.enumerate() {
            if number % ROUND == 0 {
                counts.iter_mut().for_each(|counts| counts.push(0));
            }
            counts[sender][number / ROUND] += 1;
        }
        let counts = exchange.all_to_all(counts);
        let mut rooms: Vec<_> = counts.iter().map(|counts| counts.iter()).collect();
        let room = |part: usize| match part == me {
            true => Some(ROUND),
            false => rooms[part].next().map(|count| *count as usize),
        };
        let mut stretches = cut(parts, ends.map(|(_, receiver)| receiver), room);
        for (rounds, counts) in stretches.iter_mut().zip(&counts) {
            // Nothing in them is of this part.
            rounds.resize(counts.len(), Vec::new());
        }
        Rounds { stretches }
    }

    /// Returns how many rounds there are.
    pub fn count(&self) -> usize {
        self.stretches.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns where in the list lies what a part receives in a round, in its order.
    pub fn stretches(&self, part: usize, round: usize) -> &[Range<usize>] {
        self.stretches[part].get(round).map_or(&[], Vec::as_slice)
    }

    /// Returns what a part receives in a round, in the order of the list.
    pub fn of<'l, T: Copy>(&self, part: usize, round: usize, list: &'l [T]) -> Cow<'l, [T]> {
        match self.stretches(part, round) {
            [] => Cow::Borrowed(&[]),
            [stretch] => Cow::Borrowed(&list[stretch.clone()]),
            stretches => {
                let each = stretches.iter().flat_map(|it| &list[it.clone()]);
                Cow::Owned(each.copied().collect())
            }
        }
    }
}

/// Cuts a list into what each part receives, and that into rounds, for which there is so much `room`
/// one after the other.
fn cut(
    parts: usize,
    receivers: impl Iterator<Item = usize>,
    mut room: impl FnMut(usize) -> Option<usize>,
) -> Vec<Vec<Vec<Range<usize>>>> {
    let mut stretches: Vec<Vec<Vec<Range<usize>>>> = vec![Vec::new(); parts];
    let mut left = vec![0; parts];
    for (number, part) in receivers.enumerate() {
        while left[part] == 0 {
            let Some(room) = room(part) else { break };
            left[part] = room;
            stretches[part].push(Vec::new());
        }
        left[part] = usize::saturating_sub(left[part], 1);
        let Some(round) = stretches[part].last_mut() else {
            continue;
        };
        match round.last_mut() {
            Some(stretch) if stretch.end == number => stretch.end += 1,
            _ => round.push(number..number + 1),
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::{on_threads, Threads};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_message_is_in_one_round_of_its_receiver(
            runs in prop::collection::vec((0usize..4, 1usize..9000), 0..30),
        ) {
            let runs = runs.iter().map(|&(part, length)| std::iter::repeat_n(part, length));
            let list: Vec<usize> = runs.flatten().collect();
            let rounds = Rounds::new(4, list.iter().copied());
            let mut seen = 0;
            for part in 0..4 {
                let of_part = (0..rounds.count()).map(|round| rounds.of(part, round, &list));
                let of_part: Vec<Cow<[usize]>> = of_part.collect();
                prop_assert!(of_part.iter().all(|list| list.len() <= ROUND));
                prop_assert!(of_part.iter().all(|list| list.iter().all(|it| *it == part)));
                seen += of_part.iter().map(|list| list.len()).sum::<usize>();
            }
            prop_assert_eq!(seen, list.len());
        }

        #[test]
        fn who_knows_its_own_alone_tells_what_the_receiver_expects(
            all in prop::collection::vec((0usize..3, 0usize..3), 0..900),
        ) {
            let own = (0..3).map(|me| {
                let concerns = |ends: &&(usize, usize)| ends.0 == me || ends.1 == me;
                all.iter().filter(concerns).copied().collect::<Vec<_>>()
            });
            let own: Vec<_> = own.collect();
            let rounds = on_threads(own.clone(), |exchange: &Threads, own| {
                Rounds::of_own(exchange, own.into_iter())
            });
            for round in 0..rounds[0].count() {
                for (sender, receiver) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
                    let told = rounds[sender].of(receiver, round, &own[sender]).len();
                    let expected = rounds[receiver].of(receiver, round, &own[receiver]);
                    let expected = expected.iter().filter(|ends| ends.0 == sender).count();
                    prop_assert_eq!(told, expected);
                }
            }
            prop_assert!(rounds.iter().all(|it| it.count() == rounds[0].count()));
        }
    }
}
