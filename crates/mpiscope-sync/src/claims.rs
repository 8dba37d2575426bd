//! Who reads one clock is a claim of the archive, and messages may refute it.
//!
//! Archives say, or leave readers to guess, that the processes of a host read
//! one clock. Some tools count each process's time from its own begin, hosts of
//! one name may be several, and time namespaces differ within one. On one clock
//! no message is received before it was sent; so where that is seen, and clocks
//! that stand apart explain it, every process is given a clock of its own.
//!
//! What clocks do not explain is no evidence about them: stamps that a tool
//! makes late, or messages that were paired wrongly, lie before their time in
//! both directions, and however two clocks stand, they only trade one for the
//! other. For each pair of processes the line of Duda et al. between the bounds
//! of both directions tells how much would remain.

use std::collections::BTreeMap;

use mpiscope_model::{
    plain, ClockDomain, Duration, LocationIndex, Matching, Processes, Rank, Timestamp, Trace,
};

use crate::exchange::{Crew, Exchange};
use crate::presync::{gather, hull_line, ClockMap, Minimum};
use crate::topology::{numbered, Topology};

/// A claim that messages contradict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefutedClaim {
    /// Who should read one clock.
    pub ranks: Vec<Rank>,
    /// How long before its send a message seemed to be received, at most.
    pub by: Duration,
    /// What was made of it.
    pub verdict: Verdict,
}

/// What contradicting messages tell of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Each process has a clock of its own: that explains them.
    Split,
    /// The clock stays: so little may be due to how stamps are made.
    Jitter,
    /// The clock stays: no clocks explain them.
    Unexplained,
}

/// Which locations are taken for readers of one clock, whatever is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Those of one host.
    Host,
    /// Those of one process.
    Process,
    /// None but itself.
    Thread,
}

/// Tools take their stamps about so long from where a message leaves or comes.
const JITTER: i64 = 10_000;

/// Of what contradicts one clock, two clocks must leave less than this share.
const EXPLAINED: f64 = 0.25;

/// Tests all claims of a trace, and splits the clocks that messages refute.
/// Offset measurements stay with the first process of a clock: they were made
/// by one, and in our archives that is the first.
pub fn test_claims(trace: &mut Trace, matching: &Matching) -> Vec<RefutedClaim> {
    test_claims_among(trace, matching, None)
}

/// Does so as one of several processes, which may share the events.
pub fn test_claims_among(
    trace: &mut Trace,
    matching: &Matching,
    processes: Option<&dyn Processes>,
) -> Vec<RefutedClaim> {
    let sharers = processes.filter(|_| !trace.parts.is_empty());
    let several = |domain: &ClockDomain| ranks(trace, domain).len() > 1;
    if !trace.clocks.iter().any(several) || !seems_refuted(trace, matching, sharers) {
        return Vec::new();
    }
    let claimed = std::mem::take(&mut trace.clocks);
    let (parts, of): (Vec<_>, Vec<_>) = (claimed.iter().enumerate())
        .flat_map(|(number, domain)| {
            let parts = split(trace, domain).into_iter();
            parts.map(move |part| (part, number))
        })
        .unzip();
    trace.clocks = parts;
    let pairs = contradictions(trace, matching, &of, sharers);
    let parts = std::mem::take(&mut trace.clocks);
    let mut refuted = BTreeMap::new();
    for (number, pairs) in pairs {
        refuted.insert(number, judge(&pairs));
    }
    let is_split = |number: &usize| matches!(refuted.get(number), Some((_, Verdict::Split)));
    for (number, domain) in claimed.iter().enumerate() {
        if is_split(&number) {
            let own = parts.iter().zip(&of).filter(|(_, of)| **of == number);
            trace.clocks.extend(own.map(|(part, _)| part.clone()));
        } else {
            trace.clocks.push(domain.clone());
        }
    }
    let claim = |(number, (by, verdict)): (usize, (i64, Verdict))| RefutedClaim {
        ranks: ranks(trace, &claimed[number]),
        by: Duration(by),
        verdict,
    };
    refuted.into_iter().map(claim).collect()
}

/// Puts the locations of a trace on the clocks that the caller says they read.
/// A clock keeps the measurements of the claimed clock of its first location.
pub fn regroup(trace: &mut Trace, by: Grouping) {
    let claimed = trace.clock_of_locations();
    let locations = 0..trace.locations.len() as u32;
    let key: Vec<u32> = match by {
        Grouping::Host => Topology::new(trace).host,
        Grouping::Process => trace.locations.iter().map(|it| it.rank.0).collect(),
        Grouping::Thread => locations.clone().collect(),
    };
    let mut domains: Vec<ClockDomain> = Vec::new();
    for (location, clock) in locations.zip(numbered(key)) {
        if domains.len() == clock as usize {
            let before = trace.clocks.get(claimed[location as usize] as usize);
            domains.push(ClockDomain {
                locations: Vec::new(),
                measurements: before.map_or_else(Vec::new, |it| it.measurements.clone()),
            });
        }
        domains[clock as usize]
            .locations
            .push(LocationIndex(location));
    }
    trace.clocks = domains;
}

/// Returns whether any message within a clock came before its time.
fn seems_refuted(trace: &Trace, matching: &Matching, sharers: Option<&dyn Processes>) -> bool {
    let traffic = gather(trace, matching, &identity(trace), sharers);
    let early = traffic.same_clock.is_some_and(|shortest| shortest < 0);
    let outside = Crew::new(sharers, 1).outside();
    outside.told_by_first(vec![early]) == [true]
}

fn identity(trace: &Trace) -> Vec<ClockMap> {
    let last = trace.clock_of_locations().into_iter().max();
    let clocks = last.map_or(0, |last| last as usize + 1);
    vec![ClockMap::default(); clocks.max(trace.clocks.len())]
}

fn ranks(trace: &Trace, domain: &ClockDomain) -> Vec<Rank> {
    let of = |index: &LocationIndex| trace.locations.get(index.index());
    let threads = domain.locations.iter().filter_map(of);
    let threads = threads.filter(|location| location.is_thread());
    let mut ranks: Vec<Rank> = threads.map(|location| location.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

/// Returns a clock for each process of one.
fn split(trace: &Trace, domain: &ClockDomain) -> Vec<ClockDomain> {
    let rank = |index: &LocationIndex| trace.locations.get(index.index()).map(|it| it.rank);
    let mut parts: Vec<ClockDomain> = Vec::new();
    for (index, part) in (domain.locations.iter()).zip(numbered(domain.locations.iter().map(rank)))
    {
        if parts.len() == part as usize {
            let first = parts.is_empty();
            parts.push(ClockDomain {
                locations: Vec::new(),
                measurements: match first {
                    true => domain.measurements.clone(),
                    false => Vec::new(),
                },
            });
        }
        parts[part as usize].locations.push(*index);
    }
    parts
}

/// What the messages between two processes say against one clock for both.
#[derive(Clone, Copy)]
struct Pair {
    /// How long before its send a message was received, at most.
    one_clock: i64,
    /// The same, if the two stand apart as fits them best.
    two_clocks: f64,
}

/// Looks at all pairs of processes within a claimed clock that have messages
/// against it; `of` names the claimed clock of each process.
fn contradictions(
    trace: &Trace,
    matching: &Matching,
    of: &[usize],
    sharers: Option<&dyn Processes>,
) -> BTreeMap<usize, Vec<Pair>> {
    let minima = gather(trace, matching, &identity(trace), sharers).minima;
    let outside = Crew::new(sharers, 1).outside();
    let told = outside.told_by_first(contradicting(&minima, of));
    let mut found: BTreeMap<usize, Vec<Pair>> = BTreeMap::new();
    for (claimed, pair) in told {
        found.entry(claimed as usize).or_default().push(pair);
    }
    found
}

/// Returns those pairs, each with its claimed clock.
fn contradicting(minima: &[Minimum], of: &[usize]) -> Vec<(u64, Pair)> {
    let mut found = Vec::new();
    for of_pair in minima.chunk_by(|a, b| a.pair() == b.pair()) {
        let (low, high) = of_pair[0].pair();
        // Locations that no claim names have clocks beyond these.
        let (Some(low), Some(high)) = (of.get(low as usize), of.get(high as usize)) else {
            continue;
        };
        let shortest = of_pair.iter().map(|minimum| minimum.duration).min();
        if low == high && shortest.is_some_and(|shortest| shortest < 0) {
            found.push((*low as u64, pair(of_pair)));
        }
    }
    found
}

plain! { Pair { one_clock, two_clocks } }

fn pair(minima: &[Minimum]) -> Pair {
    let (low, _) = minima[0].pair();
    let begin = minima.iter().map(|minimum| minimum.received).min();
    let begin = begin.unwrap_or_default();
    // How far the higher clock is ahead: messages to it say at most, those from it at least.
    let (to, from): (Vec<&Minimum>, Vec<&Minimum>) =
        minima.iter().partition(|minimum| minimum.from == low);
    let point = |time: Timestamp, bound: i64| ((time - begin).as_seconds(), bound as f64);
    let by_time = |mut points: Vec<(f64, f64)>| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        points
    };
    let upper = by_time(
        to.iter()
            .map(|it| point(it.received, it.duration))
            .collect(),
    );
    let lower = by_time(from.iter().map(|it| point(it.sent, -it.duration)).collect());
    let times = || upper.iter().chain(&lower).map(|point| point.0);
    let length = times().fold(0.0, f64::max) - times().fold(0.0, f64::min);
    let shortest = minima.iter().map(|minimum| minimum.duration).min();
    let one_clock = shortest.unwrap_or(0).saturating_neg().max(0);
    let early = minima.iter().filter(|minimum| minimum.duration < -JITTER);
    let mostly = 2 * early.count() >= minima.len();
    let two_clocks = match hull_line(&upper, &lower, length) {
        Some(line) => (-line.half_width).max(0.0),
        // One direction alone fits any clocks: then it must be the rule.
        None if mostly => 0.0,
        None => one_clock as f64,
    };
    Pair {
        one_clock,
        two_clocks,
    }
}

fn judge(pairs: &[Pair]) -> (i64, Verdict) {
    let worst = pairs.iter().map(|pair| pair.one_clock).max().unwrap_or(0);
    let beyond = pairs.iter().filter(|pair| pair.one_clock > JITTER);
    let explained = |pair: &&Pair| pair.two_clocks < EXPLAINED * pair.one_clock as f64;
    let explained = beyond.clone().filter(explained).count();
    let verdict = match beyond.count() {
        0 => Verdict::Jitter,
        all if 2 * explained > all => Verdict::Split,
        _ => Verdict::Unexplained,
    };
    (worst, verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    /// Expects the clocks that result, as ranks between bars, and what is said.
    #[track_caller]
    fn check(picture: &str, expected: &Expect) {
        let mut trace = Trace::parse(picture).unwrap();
        let matching = trace.matching();
        let refuted = test_claims(&mut trace, &matching);
        expected.assert_eq(&format!("{}{}", clocks(&trace), said(&refuted)));
    }

    fn clocks(trace: &Trace) -> String {
        let location = |index: &LocationIndex| {
            let location = &trace.locations[index.index()];
            match location.thread {
                0 => location.rank.0.to_string(),
                thread => format!("{}.{thread}", location.rank.0),
            }
        };
        let clock = |domain: &ClockDomain| {
            let names: Vec<String> = domain.locations.iter().map(location).collect();
            let measured = "*".repeat(domain.measurements.len());
            names.join(" ") + &measured
        };
        let clocks: Vec<String> = trace.clocks.iter().map(clock).collect();
        clocks.join(" | ")
    }

    fn said(refuted: &[RefutedClaim]) -> String {
        let of = |claim: &RefutedClaim| {
            let ranks: Vec<u32> = claim.ranks.iter().map(|rank| rank.0).collect();
            format!("; {ranks:?} by {}: {:?}", claim.by, claim.verdict)
        };
        refuted.iter().map(of).collect()
    }

    #[test]
    fn a_claim_that_nothing_contradicts_holds() {
        check(
            "clock 0 1:\n0: 1000 send>1 9000 recv<1\n1: 1000 recv<0 2000 send>0",
            &expect!["0 1"],
        );
    }

    #[test]
    fn origins_of_their_own_split_a_clock() {
        check(
            "clock 0 0.1 1 1.1: 0 +5 ±1
             clock 2 3:
             0: 50000 send>1 53000 recv<1 60000 send>2
             0.1: 1\n1.1: 1
             1: 1000 recv<0 2000 send>0
             2: 61000 recv<0\n3: 1",
            &expect!["0 0.1* | 1 1.1 | 2 3; [0, 1] by 49 µs: Split"],
        );
    }

    #[test]
    fn rates_may_differ_as_well() {
        // 100 ppm faster, from 1 ms behind on.
        let messages = (1..50_i64).map(|k| {
            let at = 20_000_000 * k;
            let there = |time: i64| time + time / 10_000 - 1_000_000;
            let to = format!("{at} send>1 {} recv<1", at + 9_000);
            (
                to,
                format!("{} recv<0 {} send>0", there(at + 3_000), there(at + 5_000)),
            )
        });
        let (zero, one): (Vec<String>, Vec<String>) = messages.unzip();
        check(
            &format!("clock 0 1:\n0: {}\n1: {}", zero.join(" "), one.join(" ")),
            &expect!["0 | 1; [0, 1] by 995 µs: Split"],
        );
    }

    #[test]
    fn what_lies_wrong_in_both_directions_tells_nothing_of_clocks() {
        // Sends are stamped when they have returned.
        check(
            "clock 0 1:
             0: 90000 send>1 95000 recv<1 190000 send>1 195000 recv<1
             1: 50000 recv<0 140000 send>0 150000 recv<0 240000 send>0",
            &expect!["0 1; [0, 1] by 45 µs: Unexplained"],
        );
    }

    #[test]
    fn a_message_of_many_in_one_direction_is_not_enough() {
        let sends: String = (0..64)
            .map(|k| format!(" {} send>1", 1_000_000 * k))
            .collect();
        let received = |k: i64| 1_000_000 * k + if k == 40 { -700_000 } else { 2_000 };
        let receives: String = (0..64)
            .map(|k| format!(" {} recv<0", received(k)))
            .collect();
        check(
            &format!("clock 0 1:\n0:{sends}\n1:{receives}"),
            &expect!["0 1; [0, 1] by 700 µs: Unexplained"],
        );
    }

    #[test]
    fn a_little_may_be_how_stamps_are_made() {
        check(
            "clock 0 1:\n0: 9000 send>1 20000 recv<1\n1: 1000 recv<0 2000 send>0",
            &expect!["0 1; [0, 1] by 8 µs: Jitter"],
        );
    }

    #[test]
    fn collective_operations_tell_it_too() {
        check(
            "clock 0 1:\n0: 1000 barrier{ 60000 }\n1: 2001000 barrier{ 2060000 }",
            &expect!["0 | 1; [0, 1] by 1.941 ms: Split"],
        );
    }

    #[test]
    fn the_caller_may_say_who_reads_one_clock() {
        let regrouped = |by| {
            let mut trace = Trace::parse(
                "host a: 0 1\nhost b: 2\nclock 0: 0 +1 ±1\nclock 1 1.1:\nclock 2:
                 0: 1\n1: 1\n1.1: 1\n2: 1",
            )
            .unwrap();
            regroup(&mut trace, by);
            clocks(&trace)
        };
        assert_eq!(regrouped(Grouping::Host), "0 1 1.1* | 2");
        assert_eq!(regrouped(Grouping::Process), "0* | 1 1.1 | 2");
        assert_eq!(regrouped(Grouping::Thread), "0* | 1 | 1.1 | 2");
    }
}
