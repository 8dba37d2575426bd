//! What took longer on a rank than on those that waited for it, told by what it is.

use std::collections::BTreeMap;

use mpiscope_model::{Duration, EventKind, EventRef, LocationIndex};
use rustc_hash::FxHashMap;

use super::Left;
use crate::profile::{Activity, RankSum, Spread, Sum};
use crate::root_causes::Delay;
use crate::verdict::known::{costs, sum, Known};
use crate::verdict::{share, Certainty, Evidence, Kind, Loss};
use crate::wait_states::Kind as Wait;

/// A slow rank's share of the costs of all computation, of how many activities each has at least
/// which share, and the largest at most.
const SLOW: f64 = 0.5;
const ACTIVITIES: usize = 3;
const EACH: f64 = 0.1;
const LARGEST: f64 = 0.65;
/// A slow rank computes so many times as long as the others in the mean, at least.
const SLOWER: f64 = 1.1;
/// What of an activity's time is on the critical path if ranks take turns, and what the rank with
/// most of it has at most, in parts of a rank's mean.
const IN_TURN: f64 = 0.85;
const ALIKE: f64 = 1.5;
/// A cost that is indirect by this share is a chain's.
const CHAIN: f64 = 1.0 / 3.0;

fn is_computation(activity: Activity) -> bool {
    matches!(activity, Activity::Between(..) | Activity::Region(_))
}

/// MPI_Init took longer.
pub(super) fn start_up(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let taken = left.take(|it| match known.activity(it) {
        Activity::Mpi(statement) => known.begins(&statement),
        _ => false,
    });
    found.extend(known.of_delays(Kind::StartUp, &taken));
}

/// Calls on files took longer.
pub(super) fn file_access(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let taken = left.take(|it| match known.activity(it) {
        Activity::Mpi(statement) => known.is_named(&statement, "MPI_FILE_"),
        _ => false,
    });
    found.extend(known.of_delays(Kind::FileAccess, &taken));
}

/// A rank has at least half of the costs of computation, they are spread over at least three
/// activities, and it computes longer than others do: else it does other things, or at other times.
pub(super) fn slow_rank(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let computes = |it: &&&Delay| is_computation(known.activity(it));
    let all = costs(left.0.iter().filter(computes).copied());
    let Some(&(rank, most)) = all.first() else {
        return;
    };
    let all = sum(all.iter().map(|it| it.1));
    let own = left.0.iter().filter(computes).filter(|it| it.rank == rank);
    let own: Vec<i64> = own.map(|it| it.costs().0).collect();
    let part = |of: f64| of * most as f64;
    let large = own.iter().filter(|it| **it as f64 >= part(EACH)).count();
    let largest = own.iter().max().copied().unwrap_or(0);
    let is_spread = large >= ACTIVITIES && largest as f64 <= part(LARGEST);
    if !is_spread || (most as f64) < SLOW * all as f64 || !known.matters(Duration(most)) {
        return;
    }
    let (longer, others) = computed(known, rank);
    if (longer.0 as f64) < SLOWER * others.0 as f64 {
        return;
    }
    let taken = left.take(|it| it.rank == rank && is_computation(known.activity(it)));
    let loss = known.of_delays(Kind::SlowRank, &taken);
    found.extend(loss.map(|loss| Loss {
        evidence: Evidence {
            times: large as u64,
            compared: Some((longer, others)),
            ..loss.evidence
        },
        ..loss
    }));
}

/// Returns how long a rank computes, and the others in the mean.
fn computed(known: &Known, rank: u32) -> (Duration, Duration) {
    let work = |it: &&RankSum| (it.time - it.mpi - it.threads - it.unrecorded).0;
    let ranks = known.profile.ranks.iter();
    let (own, others): (Vec<&RankSum>, Vec<&RankSum>) = ranks.partition(|it| it.rank == rank);
    let mean = |of: &[&RankSum]| Duration(sum(of.iter().map(work)) / of.len().max(1) as i64);
    (mean(&own), mean(&others))
}

/// Nearly all time of an activity that ranks do alike is on the critical path: one after the other.
pub(super) fn serialization(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let ranks = known.profile.ranks.len();
    let is_in_turn = |activity: Activity, sum: &Sum, spread: &Spread| {
        let several = spread.locations >= 2 && 2 * spread.locations as usize >= ranks;
        let alike = share(spread.most, sum.time) <= ALIKE / f64::from(spread.locations.max(1));
        is_computation(activity) && several && alike && share(sum.path, sum.time) >= IN_TURN
    };
    let mut lost: FxHashMap<u32, Duration> = FxHashMap::default();
    for delay in &left.0 {
        *lost.entry(delay.activity).or_default() += delay.costs();
    }
    let activities = known.profile.activities.iter();
    for (number, ((activity, sum), spread)) in (0..).zip(activities.zip(&known.profile.spreads)) {
        let matters = || lost.get(&number).is_some_and(|it| known.matters(*it));
        if !is_in_turn(*activity, sum, spread) || !matters() {
            continue;
        }
        let taken = left.take(|it| it.activity == number);
        let ranks = costs(taken.iter().copied());
        let loss = known.of_delays(Kind::Serialization, &taken);
        found.extend(loss.map(|loss| Loss {
            ranks: ranks.into_iter().map(|it| it.0).collect(),
            evidence: Evidence {
                compared: Some((sum.path, sum.time)),
                ..loss.evidence
            },
            ..loss
        }));
    }
}

/// Takes what is left of some activities, one by one.
fn by_activity<'a>(
    known: &Known,
    left: &mut Left<'a>,
    wanted: impl Fn(Activity) -> bool,
) -> Vec<Vec<&'a Delay>> {
    let mut groups: BTreeMap<u32, Vec<&Delay>> = BTreeMap::new();
    for delay in left.take(|it| wanted(known.activity(it))) {
        groups.entry(delay.activity).or_default().push(delay);
    }
    groups.into_values().collect()
}

/// Computation took longer.
pub(super) fn uneven(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    for delays in by_activity(known, left, is_computation) {
        let heaviest = delays.iter().max_by_key(|it| it.costs());
        let waits = heaviest.map(|it| it.longest.kind);
        let loss = known.of_delays(Kind::UnevenComputation, &delays);
        found.extend(loss.map(|loss| {
            let is_passed_on = share(loss.evidence.indirect, loss.lost) >= CHAIN;
            let kind = match waits {
                Some(it) if it.is_among_threads() => Kind::UnevenThreads,
                Some(Wait::LateSender) if is_passed_on && loss.ranks.len() == 1 => {
                    Kind::LateSenderChain
                }
                _ => Kind::UnevenComputation,
            };
            Loss { kind, ..loss }
        }));
    }
}

/// Other calls took longer.
pub(super) fn slow_calls(known: &Known, left: &mut Left, found: &mut Vec<Loss>) {
    let is_call = |activity| matches!(activity, Activity::Mpi(_) | Activity::Threads(_));
    for delays in by_activity(known, left, is_call) {
        let loss = known.of_delays(Kind::SlowCall, &delays);
        found.extend(loss.map(|loss| match completes_operations(known, &loss) {
            true => Loss {
                kind: Kind::SlowCompletion,
                certainty: Certainty::Open,
                ..loss
            },
            false => loss,
        }));
    }
}

/// Returns whether the call that causes a loss completes nonblocking collective operations: how long
/// that takes is up to all of their members, if MPI goes on with them only in its own calls.
fn completes_operations(known: &Known, loss: &Loss) -> bool {
    let (Some(Activity::Mpi(statement)), Some(rank)) = (loss.activity, loss.ranks.first()) else {
        return false;
    };
    let locations = (0..).map(LocationIndex).zip(&known.trace.locations);
    let mut own = locations.filter(|(_, of)| of.rank.0 == *rank);
    own.any(|(location, of)| {
        let mut entered = None;
        of.events.kinds().iter().zip(0..).any(|(kind, index)| {
            if *kind == EventKind::Enter {
                entered = Some(EventRef { location, index });
            }
            let completes = *kind == EventKind::NonBlockingCollectiveComplete;
            completes && entered.is_some_and(|it| known.is_at(it, statement.place))
        })
    })
}
