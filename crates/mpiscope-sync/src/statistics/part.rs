//! The pass of one part through the logical messages that it receives, and
//! through the collective operations that it is home of. What it needs of
//! other parts' events they tell, a round at a time: the times when messages
//! were sent, in the order of the matching, and when members entered and left.

use std::borrow::Cow;

use mpiscope_model::Message;

use super::collectives::{Counter, Heard};
use super::counted::{Counted, Senders};
use super::view::View;
use crate::exchange::{Exchange, Rounds, Told};
use crate::logical::CollectiveSync;

/// How many messages ahead memory is asked for.
const AHEAD: usize = 16;

/// Counts as one part, which looks at the times of its own events alone; the first
/// gets the sums of all.
pub(super) fn part<E: Exchange, const N: usize>(
    exchange: &E,
    view: &View<N>,
) -> Option<Counted<N>> {
    let known = view.known;
    let mut counter = Messages {
        view,
        senders: Senders::new(known.trace.locations.len()),
        found: Counted::new(known),
    };
    let messages = &known.matching.messages;
    counter.all(exchange, messages, &known.messages_by_round, true);
    counter.all(exchange, &known.bounds, &known.bounds_by_round, false);
    let mut found = counter.found;
    let mut counter = Counter::new(view);
    for numbers in &known.operations_by_round {
        operations(exchange, numbers, view, &mut counter, &mut found);
    }
    let rows = exchange.to_first(found.rows());
    (exchange.me() == 0).then(|| {
        let mut all = Counted::new(known);
        rows.into_iter().flatten().for_each(|row| all.add(row));
        all
    })
}

/// Counts messages, receiver by receiver.
struct Messages<'v, 'a, const N: usize> {
    view: &'v View<'a, N>,
    senders: Senders<N>,
    found: Counted<N>,
}

impl<const N: usize> Messages<'_, '_, N> {
    /// Counts those of a list that this part receives.
    fn all<E: Exchange>(&mut self, exchange: &E, list: &[Message], rounds: &Rounds, matched: bool) {
        for round in 0..rounds.count() {
            let to = |part: usize| match part == exchange.me() {
                true => Vec::new(),
                false => self.sent(&by_receiver(rounds.of(part, round, list))),
            };
            let told = exchange.all_to_all((0..exchange.parts()).map(to).collect());
            let mine = by_receiver(rounds.of(exchange.me(), round, list));
            self.received(&mine, matched, &mut Told::new(told));
        }
    }

    /// Returns when this part sent those messages that it did.
    fn sent(&self, messages: &[Message]) -> Vec<[i64; N]> {
        let view = self.view;
        let mut sent = Vec::new();
        for (number, message) in messages.iter().enumerate() {
            if let Some(soon) = messages.get(number + AHEAD) {
                view.look_ahead(soon.send);
            }
            if view.is_mine(message.send) {
                sent.push(view.times(message.send));
            }
        }
        sent
    }

    /// Counts messages that this part receives.
    fn received(&mut self, messages: &[Message], matched: bool, told: &mut Told<[i64; N]>) {
        let known = self.view.known;
        for run in messages.chunk_by(|a, b| a.receive.location == b.receive.location) {
            let to = run[0].receive.location;
            let (here, receiver) = (self.view.columns(to), self.view.receiver(to));
            for (number, it) in run.iter().enumerate() {
                if let Some(soon) = run.get(number + AHEAD) {
                    self.view.look_ahead(soon.send);
                }
                let from = it.send.location;
                if from == to {
                    continue;
                }
                let sent = self.view.own_or_told(it.send, told);
                let received = it.receive.index;
                let at = |column: usize| here[column][received as usize].0;
                let times = std::array::from_fn(|column| (sent[column], at(column)));
                let sender = self.senders.of(known, from, to);
                sender.add(times, receiver.map(|receiver| (receiver, received)));
            }
            self.senders.finish(known, to, matched, &mut self.found);
        }
    }
}

/// Sorts messages by receiver, should they be scattered: who has some of them alone has these in
/// the order of all.
fn by_receiver(messages: Cow<[Message]>) -> Cow<[Message]> {
    if messages.is_sorted_by_key(|it| it.receive.location) {
        return messages;
    }
    let mut messages = messages.into_owned();
    messages.sort_by_key(|it| it.receive.location);
    Cow::Owned(messages)
}

/// Counts those operations of a round that this part is home of.
fn operations<E: Exchange, const N: usize>(
    exchange: &E,
    numbers: &[u32],
    view: &View<N>,
    counter: &mut Counter<N>,
    found: &mut Counted<N>,
) {
    let known = view.known;
    let mut heard = heard(exchange, numbers, view);
    let numbers = numbers.iter().map(|&number| number as usize);
    for number in numbers.filter(|&number| known.home(number) == Some(exchange.me())) {
        let instance = &known.matching.collectives[number];
        let members = known.matching.members_of(instance);
        for member in members {
            view.look_ahead(member.enter);
            view.look_ahead(member.exit);
        }
        counter.hear(members, &mut heard);
        if let Some(collective) = CollectiveSync::new(known.trace, known.matching, instance) {
            counter.collective(&collective, found);
        }
    }
}

/// Tells other parts when this one's members entered and left operations that they
/// are home of, and how their exits were moved; returns what they told.
fn heard<E: Exchange, const N: usize>(exchange: &E, numbers: &[u32], view: &View<N>) -> Heard<N> {
    let known = view.known;
    let mut times = vec![Vec::new(); exchange.parts()];
    let mut moves = vec![Vec::new(); exchange.parts()];
    let numbers = numbers.iter().map(|&number| number as usize);
    for number in numbers.filter(|_| exchange.parts() > 1) {
        let home = known.home(number).filter(|home| *home != exchange.me());
        let Some(home) = home else {
            continue;
        };
        let members = known
            .matching
            .members_of(&known.matching.collectives[number]);
        for member in members {
            let events = [member.enter, member.exit].into_iter();
            let mine = events.filter(|event| view.is_mine(*event));
            times[home].extend(mine.map(|event| view.times(event)));
            if view.is_mine(member.exit) {
                let receiver = view.receiver(member.exit.location);
                moves[home].extend(receiver.map(|receiver| receiver.at(member.exit.index)));
            }
        }
    }
    Heard {
        times: Told::new(exchange.all_to_all(times)),
        moves: Told::new(exchange.all_to_all(moves)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correction::Correction;
    use crate::exchange::{in_bytes, on_threads, Crew};
    use crate::statistics::known::Known;
    use crate::statistics::Places;
    use crate::testing::{of_pairs, simulated};
    use crate::{correct_matched, Config, PresyncMode};
    use mpiscope_model::{Matching, Timestamp, Trace};

    /// Times in which other parts' events are somewhere else: whoever looks
    /// there finds something else than by asking.
    fn own_only(known: &Known, part: usize, times: &[Vec<Timestamp>]) -> Vec<Vec<Timestamp>> {
        let column =
            |(location, column): (u32, &Vec<Timestamp>)| match known.division.part_of(location)
                == part
            {
                true => column.clone(),
                false => vec![Timestamp(7); column.len()],
            };
        (0..).zip(times).map(column).collect()
    }

    fn counted<E: Exchange>(
        exchange: &E,
        known: &Known,
        measured: &[Vec<Timestamp>],
        correction: &Correction,
    ) -> String {
        let me = exchange.me();
        let [measured, interpolated, corrected] =
            [measured, &correction.interpolated, &correction.corrected]
                .map(|times| own_only(known, me, times));
        let mut correction = correction.clone();
        for (location, jumps) in (0..).zip(&mut correction.jumps) {
            if known.division.part_of(location) != me {
                jumps.clear();
            }
        }
        (correction.interpolated, correction.corrected) = (interpolated, corrected);
        let columns = [&measured, &correction.interpolated, &correction.corrected];
        let columns = columns.map(|it| it.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let columns = columns.each_ref().map(Vec::as_slice);
        let view = View::new(known, me, columns, Some(&correction));
        let found = part(exchange, &view);
        found.map_or(String::new(), |found| {
            format!("{:?} {:?}", found.messages(known), found.moves(known))
        })
    }

    fn by_parts(
        (trace, matching): (&Trace, &Matching),
        correction: &Correction,
        parts: usize,
        bytes: bool,
    ) -> String {
        let (places, measured) = (Places::by_clock(trace), trace.times());
        let known = Known::new(
            trace,
            matching,
            &correction.latencies,
            &places,
            Crew::Threads(parts),
        );
        let none = vec![(); parts];
        let found = match bytes {
            true => in_bytes(none, |it, ()| counted(it, &known, &measured, correction)),
            false => on_threads(none, |it, ()| counted(it, &known, &measured, correction)),
        };
        found.concat()
    }

    #[test]
    fn all_parts_together_count_the_same_whatever_their_number() {
        for name in ["partial", "partial-all-kinds", "partial-rank-clocks"] {
            let trace = simulated(name);
            let matching = trace.matching();
            let mut config = Config {
                presync: PresyncMode::Linear,
                ..Config::default()
            };
            for pairs in [false, true] {
                if pairs {
                    config.latency = of_pairs(&trace);
                }
                let correction = correct_matched(&trace, &matching, &config).unwrap();
                assert!(correction.report.violations_seen > 0);
                let one = by_parts((&trace, &matching), &correction, 1, false);
                assert!(one.len() > 1000);
                for parts in [2, 3, 7, trace.locations.len()] {
                    for bytes in [false, true] {
                        let found = by_parts((&trace, &matching), &correction, parts, bytes);
                        assert!(found == one, "{name}, {parts} parts:\n{found}\n{one}");
                    }
                }
            }
        }
    }
}
