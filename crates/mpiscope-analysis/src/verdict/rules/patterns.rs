//! Patterns that have a remedy of their own, whatever caused the waiting in them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use mpiscope_model::{Duration, EventRef};
use rustc_hash::FxHashMap;

use super::Left;
use crate::profile::{Activity, Spread, Statement, Sum, Waits};
use crate::races::CallPlace;
use crate::root_causes::Delay;
use crate::verdict::known::{ranked, sum, Known};
use crate::verdict::{Certainty, Evidence, Kind, Loss};
use crate::wait_states::wrong_order::WrongOrder;
use crate::wait_states::{Kind as Wait, WaitState};

/// Bytes of a small message, in the mean of a statement.
const SMALL: u64 = 4096;
/// Calls of a statement on a rank that are many.
const MANY: u64 = 1000;
/// Messages that take longer, in the mean and waiting included, are not told as small: in ns.
const SHORT: i64 = 200_000;
/// What one rank has of all waiting, and of all messages, if it is a master.
const MASTERS_WAITING: f64 = 0.5;
const MASTERS_MESSAGES: f64 = 0.8;
/// How much of the waiting for it a master must have caused itself: one that waits for its workers
/// only hands their delays on.
const MASTERS_OWN: f64 = 0.5;
/// Messages that a master and a worker exchange in each direction, at least.
const EXCHANGES: u64 = 5;
/// What of the waiting at a barrier would even out, at least, and how often it is called.
const EVENS_OUT: f64 = 0.5;
const BARRIERS: u64 = 4;

/// Iterations of the last third take at least 1.2 times as long as those of the first.
pub(super) fn growing(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let Some(growth) = &known.profile.growth else {
        return;
    };
    let ranks = known.profile.ranks.len() as i64;
    let lost = Duration(growth.excess.0.saturating_mul(ranks));
    if !known.matters(lost) {
        return;
    }
    let is_it = |activity| Some(activity) == growth.activity;
    left.take(|it| growth.ranks.contains(&it.rank) && is_it(known.activity(it)));
    let iterations = known.profile.iterations.as_ref();
    let lengths = iterations.and_then(|it| it.as_ref().ok());
    found.push(Loss {
        kind: Kind::GrowingIterations,
        lost,
        ranks: growth.ranks.clone(),
        victims: Vec::new(),
        activity: growth.activity,
        also: Vec::new(),
        source: None,
        certainty: Certainty::Sure,
        evidence: Evidence {
            times: lengths.map_or(0, |(_, lengths)| lengths.count() as u64),
            compared: Some((growth.first, growth.last)),
            ..Evidence::default()
        },
        events: Some(growth.places),
    });
}

/// Names of functions that send, receive or complete messages begin so.
const OF_MESSAGES: [&str; 9] = [
    "MPI_SEND",
    "MPI_ISEND",
    "MPI_BSEND",
    "MPI_SSEND",
    "MPI_RSEND",
    "MPI_RECV",
    "MPI_IRECV",
    "MPI_WAIT",
    "MPI_MRECV",
];

/// Ranks make at least 1000 calls of a statement each, in the mean, for messages of at most 4 KiB and
/// 0.2 ms in the mean: their time, waiting included.
pub(super) fn small_messages(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let all = known.profile.activities.iter().zip(&known.profile.spreads);
    let small: Vec<(Statement, &Sum, &Spread)> = all
        .filter_map(|((activity, sum), spread)| match activity {
            Activity::Mpi(it) if is_small(known, it, sum, spread) => Some((*it, sum, spread)),
            _ => None,
        })
        .collect();
    let time = |sum: &Sum| sum.time + sum.waiting;
    let lost = small
        .iter()
        .fold(Duration::ZERO, |all, it| all + time(it.1));
    let senders = || small.iter().filter(|it| it.1.sent > 0);
    let Some((most, of, spread)) = senders().max_by_key(|it| it.1.times) else {
        return;
    };
    if !known.matters(lost) {
        return;
    }
    let is_one = |statement: &Statement| small.iter().any(|it| it.0 == *statement);
    // What others waited for elsewhere is not in the time that is told here.
    let waits_there = |it: &Delay| {
        let mut places = small.iter().map(|it| it.0.place);
        places.any(|place| known.is_at(it.longest.call, place))
    };
    left.take(|it| {
        let is_theirs = match known.activity(it) {
            Activity::Mpi(it) => is_one(&it),
            Activity::Between(None, None) => false,
            Activity::Between(from, to) => [from, to].iter().flatten().all(is_one),
            _ => false,
        };
        is_theirs && waits_there(it)
    });
    let total = |of: fn(&Sum) -> u64| {
        let all = senders().map(|it| of(it.1));
        all.fold(0, u64::saturating_add)
    };
    found.push(Loss {
        kind: Kind::SmallMessages,
        lost,
        ranks: senders_of_small(known),
        victims: Vec::new(),
        activity: Some(Activity::Mpi(*most)),
        also: others(&small, most),
        source: None,
        certainty: Certainty::Likely,
        evidence: Evidence {
            times: total(|it| it.times),
            bytes: total(|it| it.sent),
            compared: Some((time(of), Duration(signed(of.times.max(1))))),
            ..Evidence::default()
        },
        events: known.example(most, spread),
    });
}

/// Names the rank that sends more than half of all small messages; else all that send some, most
/// first.
fn senders_of_small(known: &Known) -> Vec<u32> {
    let all = known.profile.messages.iter();
    let small = all.filter(|it| it.bytes / it.messages.max(1) <= SMALL);
    let senders = ranked(small.map(|it| (it.from, signed(it.messages))));
    let all = sum(senders.iter().map(|it| it.1));
    let named = match senders.first() {
        Some(first) if first.1 > all / 2 => &senders[..1],
        _ => &senders[..],
    };
    named.iter().map(|it| it.0).collect()
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns the other statements of small messages, most time first.
fn others(small: &[(Statement, &Sum, &Spread)], most: &Statement) -> Vec<Activity> {
    let others = small.iter().filter(|it| it.0 != *most);
    let mut others: Vec<_> = others.collect();
    others.sort_by_key(|it| Reverse(it.1.time + it.1.waiting));
    others.into_iter().map(|it| Activity::Mpi(it.0)).collect()
}

pub(super) fn is_small(known: &Known, statement: &Statement, sum: &Sum, spread: &Spread) -> bool {
    let (time, calls) = ((sum.time + sum.waiting).0, sum.times.max(1));
    let bytes = sum.sent.max(sum.received);
    OF_MESSAGES
        .iter()
        .any(|name| known.is_named(statement, name))
        && calls / u64::from(spread.locations.max(1)) >= MANY
        && bytes > 0
        && bytes / calls <= SMALL
        && time / signed(calls) <= SHORT
}

/// The waits in wrong order at one place.
#[derive(Default)]
struct OfPlace<'a> {
    waits: Vec<&'a WrongOrder>,
    saved: Duration,
}

impl OfPlace<'_> {
    /// Returns how long was waited, by the ranks of these events, most first.
    fn ranked(&self, known: &Known, event: fn(&WrongOrder) -> EventRef) -> Vec<u32> {
        let waits = self.waits.iter();
        let all = waits.map(|it| (known.rank(event(it)), it.wait.duration().0));
        ranked(all).into_iter().map(|it| it.0).collect()
    }

    /// Returns who sent the messages that were there, if they are all of one rank.
    fn other(&self, known: &Known) -> Option<u32> {
        let mut all = self.waits.iter().map(|it| known.rank(it.other.send));
        let first = all.next()?;
        all.all(|it| it == first).then_some(first)
    }
}

/// What receives in another order would save matters by itself.
pub(super) fn wrong_order(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let mut places: BTreeMap<CallPlace, OfPlace> = BTreeMap::new();
    let all = known.profile.wrong_order.iter();
    for it in all.filter(|it| it.is_of_receive()) {
        let of = places.entry(it.place).or_default();
        of.saved += it.saved;
        of.waits.push(it);
    }
    let most = places.iter().max_by_key(|(_, of)| of.saved);
    let Some((&place, of)) = most.filter(|(_, of)| known.matters(of.saved)) else {
        return;
    };
    let Some(example) = of.waits.iter().rev().max_by_key(|it| it.saved) else {
        return;
    };
    // Where another order would save less than a quarter of what that costs, other causes are told,
    // too: of the same time, from another side.
    let is_there = |it: &Delay| known.is_at(it.longest.call, place);
    if 4 * of.saved.0 >= left.costs(is_there).0 {
        left.take(is_there);
    }
    let waited = of.waits.iter().map(|it| it.wait.duration());
    found.push(Loss {
        kind: Kind::WrongOrder,
        lost: waited.fold(Duration::ZERO, |sum, it| sum + it),
        ranks: of.ranked(known, |it| it.wait.call),
        victims: of.ranked(known, |it| it.wait.cause),
        activity: Some(Activity::Mpi(Statement {
            place,
            within: None,
        })),
        also: Vec::new(),
        source: None,
        certainty: Certainty::Likely,
        evidence: Evidence {
            saved: of.saved,
            times: of.waits.len() as u64,
            other: of.other(known),
            ..Evidence::default()
        },
        events: Some([example.wait.call, example.other.receive]),
    });
}

/// At least half of all waiting is for messages of one rank, to which at least two others send and
/// from which they receive, and which has at least four fifths of all messages.
pub(super) fn contention(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let of_messages = [Wait::LateSender, Wait::LateReceiver];
    let waits = known.profile.waits.iter();
    let waits = waits.filter(|((_, kind), _)| of_messages.contains(kind));
    let waited = waits.flat_map(|(_, waits)| &waits.causing);
    let Some(&(master, lost)) = ranked(waited.map(|(rank, it)| (*rank, it.time.0))).first() else {
        return;
    };
    let is_most = lost as f64 >= MASTERS_WAITING * known.waiting.0 as f64;
    if !is_most || !known.matters(Duration(lost)) {
        return;
    }
    let Some((victims, messages)) = workers(known, master) else {
        return;
    };
    let for_messages =
        |it: &WaitState| of_messages.contains(&it.kind) && known.rank(it.cause) == master;
    let is_own = |it: &Delay| it.rank == master && for_messages(&it.longest);
    if (left.costs(is_own).0 as f64) < MASTERS_OWN * lost as f64 {
        return;
    }
    let taken = left.take(is_own);
    let loss = known.of_delays(Kind::Contention, &taken);
    found.extend(loss.map(|loss| Loss {
        lost: Duration(lost),
        victims,
        evidence: Evidence {
            times: messages,
            ..loss.evidence
        },
        ..loss
    }));
}

/// Returns who exchanges messages with a master and waits for it, and how many messages these are;
/// nothing if it is none.
fn workers(known: &Known, master: u32) -> Option<(Vec<u32>, u64)> {
    // By the other rank: messages to the master, and from it.
    let mut exchanged: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
    let (mut own, mut all) = (0, 0);
    for it in &known.profile.messages {
        all += it.messages;
        let ends = [(it.to, it.from, 0), (it.from, it.to, 1)];
        for (_, other, direction) in ends.into_iter().filter(|it| it.0 == master) {
            exchanged.entry(other).or_default()[direction] += it.messages;
            own += it.messages;
        }
    }
    let pairs = &known.profile.pairs;
    exchanged.retain(|rank, counts| {
        counts.iter().all(|it| *it >= EXCHANGES) && pairs.contains_key(&(*rank, master))
    });
    let is_star = own as f64 >= MASTERS_MESSAGES * all as f64;
    (is_star && exchanged.len() >= 2).then(|| (exchanged.into_keys().collect(), own))
}

/// What each rank waits at least at a barrier, times their number, is at least half of all waiting
/// there: whoever comes last changes, so it would even out.
pub(super) fn barriers(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let ranks = known.profile.ranks.len();
    let activities = known.profile.activities.iter();
    let times: FxHashMap<Activity, u64> = activities.map(|(it, sum)| (*it, sum.times)).collect();
    let all = known.profile.waits.iter();
    for ((statement, _), waits) in all.filter(|((_, kind), _)| *kind == Wait::Barrier) {
        let least = match waits.waiting.len() == ranks {
            true => waits
                .waiting
                .values()
                .map(|it| it.time.0)
                .min()
                .unwrap_or(0),
            false => 0,
        };
        let (lost, saved) = (waits.all.time, Duration(least.saturating_mul(ranks as i64)));
        let evens_out = saved.0 as f64 >= EVENS_OUT * lost.0 as f64;
        let calls = times.get(&Activity::Mpi(*statement)).copied().unwrap_or(0);
        let calls = calls / ranks.max(1) as u64;
        let is_one = ranks > 1 && evens_out && calls >= BARRIERS;
        if is_one && known.matters(lost) {
            left.take(|it| known.is_at(it.longest.call, statement.place));
            found.push(barrier(statement, waits, saved, calls));
        }
    }
}

fn barrier(statement: &Statement, waits: &Waits, saved: Duration, calls: u64) -> Loss {
    let by = |of: &BTreeMap<u32, crate::profile::Count>| -> Vec<u32> {
        let all = ranked(of.iter().map(|(rank, it)| (*rank, it.time.0)));
        all.into_iter().map(|it| it.0).collect()
    };
    Loss {
        kind: Kind::Barrier,
        lost: waits.all.time,
        ranks: by(&waits.causing),
        victims: by(&waits.waiting),
        activity: Some(Activity::Mpi(*statement)),
        also: Vec::new(),
        source: None,
        certainty: Certainty::Likely,
        evidence: Evidence {
            saved,
            times: calls,
            ..Evidence::default()
        },
        events: Some([waits.longest.cause, waits.longest.call]),
    }
}
