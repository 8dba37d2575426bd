//! Polls that found nothing, as events.
//!
//! A loop of them is told by one call for each place that polls. It lasts as long as the polls of
//! that place did together, so that sums of time are right for every reader, and the last of the
//! calls ends where the last poll did: what the program computed in between comes before.

use std::collections::BTreeMap;

use otf2::{Event, Value};

use super::{look_up, Attribute, Converter};
use crate::attributes::{CALL_SITE, POLLS};
use crate::record::Polls;

/// Polls of one function from one place, of a whole location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Told {
    /// How many are told by other calls than their own.
    pub polls: u64,
    /// How long they took.
    pub nanoseconds: u64,
}

/// Polls whose records follow each other.
#[derive(Default)]
pub(crate) struct Waiting {
    records: Vec<(u64, Polls)>,
    /// All so far, by region and call site.
    pub all: BTreeMap<(u32, Option<u32>), Told>,
}

impl Waiting {
    /// Takes a record, with its time.
    pub fn push(&mut self, time: u64, polls: Polls) {
        // Where a killed process had only begun to poll, there may be nothing to tell.
        if polls.count > 0 || polls.within {
            self.records.push((time, polls));
        }
    }

    /// Returns whether there are any.
    #[inline]
    pub fn is_any(&self) -> bool {
        !self.records.is_empty()
    }
}

/// An event on its way to the file, with its time.
pub(crate) type Timed = (u64, Vec<Attribute>, Event);

impl Converter<'_> {
    /// Returns the events that tell of the polls taken, of which no more are to come. A call that
    /// the process died in stays open.
    pub fn tell_polls(&mut self, is_end: bool) -> Vec<Timed> {
        let mut records = std::mem::take(&mut self.polls.records);
        records.sort_by_key(|(time, polls)| (polls.within, *time));
        let Some(latest) = records.iter().map(|(time, _)| *time).max() else {
            return Vec::new();
        };
        let until = self.clock.nanoseconds(latest).max(self.last);
        let took = |ticks: u64| {
            let begin = self.clock.nanoseconds(latest.saturating_sub(ticks));
            until.saturating_sub(begin)
        };
        let took: Vec<u64> = (records.iter().map(|(_, polls)| took(polls.ticks))).collect();
        let took = within(until - self.last, &took);
        let mut at = until - took.iter().sum::<u64>();
        let mut events = Vec::new();
        for ((_, polls), took) in records.iter().zip(took) {
            let Some(region) = look_up(&self.regions, polls.region.into()) else {
                self.skipped += 2;
                continue;
            };
            let site = self.sites.number(polls.site);
            let is_open = polls.within && is_end;
            let count = u64::from(polls.count) + u64::from(is_open);
            let told = self.polls.all.entry((region, site)).or_default();
            told.polls += count;
            told.nanoseconds += took;
            let mut attributes = vec![(POLLS, Value::Uint64(count))];
            attributes.extend(site.map(|site| (CALL_SITE, Value::CallingContext(site))));
            events.push((at, attributes, Event::Enter { region }));
            at += took;
            match is_open {
                true => self.open.push(region),
                false => events.push((at, Vec::new(), Event::Leave { region })),
            }
        }
        self.last = until;
        events
    }
}

/// Shortens lengths in proportion, if need be, so that they have room one behind the other.
fn within(room: u64, lengths: &[u64]) -> Vec<u64> {
    let sum: u128 = lengths.iter().map(|&length| u128::from(length)).sum();
    let fit = |&length: &u64| match sum > u128::from(room) {
        true => (u128::from(length) * u128::from(room) / sum) as u64,
        false => length,
    };
    lengths.iter().map(fit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Orders;
    use crate::record::{Fact, Record};

    const TEST: u16 = 5;
    const PROBE: u16 = 6;

    fn converter() -> Converter<'static> {
        let orders = Orders {
            regions: vec![(TEST.into(), 50), (PROBE.into(), 60)],
            sites: vec![(0x100, 1), (0x200, 2)],
            ..Orders::default()
        };
        Converter::new(&orders, Box::leak(Box::default()), Vec::new())
    }

    fn polls(region: u16, count: u32, ticks: u64) -> Polls {
        Polls {
            region,
            site: 0x100,
            count,
            ticks,
            within: false,
        }
    }

    fn check(converter: &mut Converter, is_end: bool, expected: &[&str]) {
        let told = converter.tell_polls(is_end).into_iter();
        let told = told.map(|(time, attributes, event)| match event {
            Event::Enter { region } => {
                let count = attributes.iter().find(|(id, _)| *id == POLLS);
                let Some((_, Value::Uint64(count))) = count else {
                    panic!("no count: {attributes:?}");
                };
                format!("{time} enter {region} for {count}")
            }
            Event::Leave { region } => format!("{time} leave {region}"),
            other => panic!("{other:?}"),
        });
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }

    fn take(converter: &mut Converter, time: u64, polls: Polls) {
        assert!(converter
            .convert(&Record::new(time, Fact::Polls(polls)))
            .is_none());
    }

    #[test]
    fn a_call_lasts_as_long_as_the_polls_that_it_stands_for_and_ends_where_they_did() {
        let mut converter = converter();
        let left = Record::new(
            10,
            Fact::Leave {
                region: TEST.into(),
            },
        );
        assert!(converter.convert(&left).is_some());
        take(&mut converter, 100, polls(TEST, 7, 40));
        assert!(converter.polls.is_any());
        check(
            &mut converter,
            false,
            &["60 enter 50 for 7", "100 leave 50"],
        );
        assert!(!converter.polls.is_any());
        let told = converter.polls.all[&(50, Some(1))];
        assert_eq!((told.polls, told.nanoseconds), (7, 40));
    }

    #[test]
    fn places_that_poll_in_turn_have_a_call_each() {
        let mut converter = converter();
        take(&mut converter, 98, polls(TEST, 7, 40));
        take(&mut converter, 100, polls(PROBE, 6, 30));
        let expected = [
            "30 enter 50 for 7",
            "70 leave 50",
            "70 enter 60 for 6",
            "100 leave 60",
        ];
        check(&mut converter, false, &expected);
    }

    #[test]
    fn an_estimate_is_never_longer_than_there_was_time() {
        let mut converter = converter();
        let left = Record::new(
            40,
            Fact::Leave {
                region: TEST.into(),
            },
        );
        assert!(converter.convert(&left).is_some());
        take(&mut converter, 98, polls(TEST, 7, 90));
        take(&mut converter, 100, polls(PROBE, 6, 30));
        let expected = [
            "40 enter 50 for 7",
            "85 leave 50",
            "85 enter 60 for 6",
            "100 leave 60",
        ];
        check(&mut converter, false, &expected);
    }

    #[test]
    fn a_poll_that_the_process_died_in_stays_open_and_counts() {
        let mut converter = converter();
        let inside = Polls {
            within: true,
            ..polls(TEST, 7, 40)
        };
        take(&mut converter, 100, inside);
        check(&mut converter, true, &["60 enter 50 for 8"]);
        assert_eq!(converter.open, [50]);
        take(&mut converter, 100, polls(TEST, 0, 0));
        assert!(!converter.polls.is_any());
    }
}
